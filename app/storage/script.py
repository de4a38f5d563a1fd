"""A Lua script that runs by its digest, and by its text where the server has forgotten it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha1
from typing import TypeAlias

from redis import Redis
from redis.client import Pipeline
from redis.exceptions import NoScriptError

Argument: TypeAlias = str | bytes | int


class Script:
    """One script. Its text opens with a table of KEYS and ARGV; all its keys share one hash tag."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.digest = sha1(text.encode(), usedforsecurity=False).hexdigest()

    def run(self, redis: Redis, keys: Sequence[str], arguments: Sequence[Argument] = ()) -> object:
        """Run it in a round trip of its own and return its answer."""
        try:
            return _run(redis, "EVALSHA", self.digest, keys, arguments)
        except NoScriptError:
            return _run(redis, "EVAL", self.text, keys, arguments)

    def queue(
        self, pipeline: Pipeline, keys: Sequence[str], arguments: Sequence[Argument] = (), *, in_full: bool = False
    ) -> None:
        """Add it to a pipeline, by its digest or `in_full`; an answer of `NoScriptError` asks for the latter."""
        name, body = ("EVAL", self.text) if in_full else ("EVALSHA", self.digest)
        _run(pipeline, name, body, keys, arguments)


def _run(target: Redis | Pipeline, name: str, body: str, keys: Sequence[str], arguments: Sequence[Argument]) -> object:
    # Not `target.evalsha`: the cluster client refuses that name in a pipeline, but routes the command itself.
    answer: object = target.execute_command(name, body, len(keys), *keys, *arguments)  # type: ignore[no-untyped-call]
    return answer
