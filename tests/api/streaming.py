"""Reading streams of the test client piece by piece."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from werkzeug.test import TestResponse

from tests.api.cast import Caller


@contextmanager
def open_stream(caller: Caller, path: str, **options: Any) -> Iterator[TestResponse]:
    """A stream, closed at the end as a server closes it when the client is gone."""
    answer = caller.get(path, buffered=False, **options)
    assert answer.status_code == 200, answer.text
    try:
        yield answer
    finally:
        answer.close()


def pieces(answer: TestResponse, enough: Callable[[str], bool]) -> str:
    """What is sent until it is enough (or over)."""
    text = ""
    for piece in answer.response:
        text += piece if isinstance(piece, str) else piece.decode()
        if enough(text):
            break
    return text


def frames(text: str) -> list[dict[str, str]]:
    """The frames of server-sent events, field by field; comments have none."""
    found = []
    for block in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in block.split("\n") if line and not line.startswith(":"))
        if fields:
            found.append(fields)
    return found


def sse_events(text: str) -> list[dict[str, Any]]:
    """Numbered events in what was sent, each checked against its own frame."""
    found = []
    for frame in frames(text):
        if "id" in frame:
            event = json.loads(frame["data"])
            assert (str(event["seq"]), event["type"]) == (frame["id"], frame["event"])
            found.append(event)
    return found


def lines(text: str) -> list[dict[str, Any]]:
    """Numbered events in lines of JSON."""
    told = [json.loads(line) for line in text.split("\n") if line]
    return [event for event in told if event["seq"] is not None]
