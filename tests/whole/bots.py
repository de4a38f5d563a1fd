"""Bots as their writers run them: `allfives bot` in processes of their own, each with its own folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import requests

ACTIONS = ("tile_played", "tiles_drawn", "turn_passed")
"""Events that are a seat's move."""
QUICK = ["--house-rule", "max_hands=1", "--house-rule", "tiles_each=2", "--clock", "hand_break_seconds=0"]
"""Games of one short hand."""


class BotProcess:
    """One `allfives bot`."""

    def __init__(self, folder: Path, bot: str, url: str, *options: str) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.logs = folder / "logs"
        self.output = folder / "output.jsonl"
        self.errors = folder / "errors.txt"
        line = [sys.executable, "-m", "app.cli", "bot", bot, "--url", url, "--logs", str(self.logs), "--json"]
        with self.output.open("ab") as output, self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [*line, "--token-file", str(folder / "token"), *options],
                env={**os.environ, "ALLFIVES_TOKEN": ""},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=errors,
            )

    @property
    def token(self) -> str:
        return (self.folder / "token").read_text().strip()

    @property
    def told(self) -> list[dict[str, Any]]:
        """Everything it has said."""
        whole = self.output.read_text().rpartition("\n")[0]
        return [json.loads(line) for line in whole.splitlines()]

    def told_of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.told if line["kind"] == kind]

    def ended(self, seconds: float) -> int:
        """Its exit code, once it has ended by itself."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it goes on: {self.told[-5:]}\n{self.errors.read_text()}") from None

    def interrupt(self) -> None:
        """Ctrl-C."""
        self.process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """-9, whatever it is doing."""
        self.process.kill()
        self.process.wait(10)

    def games(self) -> dict[str, list[dict[str, Any]]]:
        """The lines of every game's log."""
        return {
            file.stem: [json.loads(line) for line in file.read_text().splitlines()]
            for file in sorted(self.logs.rglob("*.jsonl"))
            if file.stem != "troubles"
        }

    def troubles(self) -> list[dict[str, Any]]:
        """Everything it was asked in vain."""
        return [
            json.loads(line) for file in self.logs.rglob("troubles.jsonl") for line in file.read_text().splitlines()
        ]


def every_turn_is_taken_once(lines: list[dict[str, Any]]) -> None:
    """Each of our turns brought one action of ours (a draw: and what followed it), none by a clock or a stand-in."""
    own = lines[0]["begin"]["seat"]
    log = [line["event"] for line in lines if "event" in line]
    assert not any(event["type"] in ("turn_timed_out", "stand_in_seated") for event in log)
    actions = [event for event in log if event["type"] in ACTIONS and event["seat"] == own]
    assert {event["by"] for event in actions} <= {"player"}
    decided = [line["decision"] for line in lines if "decision" in line]
    # An action is the first event of its step: it follows the version that was decided on.
    by_version = {decision["version"]: decision["move"] for decision in decided}
    assert len(by_version) == len(decided), "nothing is decided twice"
    log_at = {event["seq"]: event for event in log}
    for version, move in by_version.items():
        done = log_at[version + 1]
        assert done["seat"] == own
        assert {"tile_played": "play", "tiles_drawn": "draw", "turn_passed": "pass"}[done["type"]] == move["action"]
    assert len(actions) == len(decided)


def decisions(lines: list[dict[str, Any]]) -> int:
    return sum("decision" in line for line in lines)


def whole_log(url: str, token: str, table: str) -> list[dict[str, Any]]:
    answer = requests.get(
        f"{url}/v1/tables/{table}/events?limit=1000", headers={"Authorization": f"Bearer {token}"}, timeout=30
    )
    assert answer.status_code == 200, answer.text
    events: list[dict[str, Any]] = answer.json()["events"]
    return events
