"""Counts as names and numbers that can be added up over processes, and back as Prometheus knows them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from prometheus_client import CollectorRegistry, Metric

Counts = dict[str, float]
"""What has been counted, by `key`."""


def key(name: str, labels: Mapping[str, str]) -> str:
    """Name and labels as one text.

    >>> key("allfives_commits_total", {"outcome": "written"})
    '["allfives_commits_total",{"outcome":"written"}]'
    """
    return json.dumps([name, dict(sorted(labels.items()))], separators=(",", ":"))


def counts(registry: CollectorRegistry) -> Counts:
    """All counts of this process up to now."""
    return {
        key(sample.name, sample.labels): sample.value
        for metric in registry.collect()
        for sample in metric.samples
        if not sample.name.endswith("_created")
    }


def increments(now: Mapping[str, float], before: Mapping[str, float]) -> Counts:
    """What has been added since; what is new belongs to it even at 0, such as a bucket into which nothing fell.

    >>> increments({"a": 3.0, "b": 1.0, "c": 0.0}, {"a": 1.0, "b": 1.0})
    {'a': 2.0, 'c': 0.0}
    """
    added = {name: value - before.get(name, 0.0) for name, value in now.items()}
    return {name: value for name, value in added.items() if value or name not in before}


def families(registry: CollectorRegistry, sums: Mapping[str, float]) -> Iterator[Metric]:
    """The registry's metrics with these sums instead of its own counts; what it does not know is left out."""
    samples: dict[str, list[tuple[dict[str, str], float]]] = {}
    for text, value in sums.items():
        name, labels = json.loads(text)
        samples.setdefault(name, []).append((labels, value))
    for known in registry.collect():
        metric = Metric(known.name, known.documentation, known.type)
        names = (f"{known.name}_total",) if known.type == "counter" else ("_bucket", "_sum", "_count")
        for name in names:
            full = name if known.type == "counter" else known.name + name
            for labels, value in sorted(samples.get(full, ()), key=_order):
                metric.add_sample(full, labels, value)
        yield metric


def _order(sample: tuple[dict[str, str], float]) -> tuple[list[str], float]:
    """Series after series, the buckets of each from the lowest to the highest."""
    labels, _ = sample
    return [value for name, value in labels.items() if name != "le"], float(labels.get("le", "inf"))


def gauge(name: str, about: str, values: Iterable[tuple[dict[str, str], float]]) -> Metric:
    """Values of this moment."""
    metric = Metric(name, about, "gauge")
    for labels, value in values:
        metric.add_sample(name, labels, value)
    return metric
