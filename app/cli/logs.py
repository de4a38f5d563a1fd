"""How log lines look: time, level, process, what happened; the supervisor's own lines have the same shape."""

from __future__ import annotations

import logging
import logging.config
import time

QUIET = ("gunicorn.error", "redis", "rq", "urllib3", "werkzeug")
"""Libraries that tell about every start, job and connection; only their warnings are of interest."""

TERSE = ("redis", "rq")
"""Libraries that tell about a lost store again and again, with tracebacks."""
OF_NO_CONCERN = ("%s cleanup: %s %s",)
"""Sentences about a job whose worker was stopped: RQ gives it up, and we find what was due without RQ."""
SAID_AGAIN_AFTER = 60.0
"""Seconds until one of them may say the same once more."""


class Terse(logging.Filter):
    """What those libraries say is one line, and the same only once a minute."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}
        """Monotonic seconds when each sentence was last said."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.partition(".")[0] not in TERSE:
            return True
        now, sentence = time.monotonic(), str(record.msg)
        if sentence in OF_NO_CONCERN:
            return False
        if now - self._said.get(sentence, -SAID_AGAIN_AFTER) < SAID_AGAIN_AFTER:
            return False
        self._said[sentence] = now
        if record.exc_info and record.exc_info[0] is not None:
            record.msg, record.args = f"{record.getMessage()} ({record.exc_info[0].__name__})", ()
        record.exc_info = record.exc_text = None
        return True


def log_settings(process: str, level: str) -> dict[str, object]:
    """Settings for `logging.config.dictConfig`; everything goes to stderr."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": f"%(asctime)s %(levelname).4s {process}: %(message)s"}},
        "filters": {"terse": {"()": "app.cli.logs.Terse"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["terse"]}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        "loggers": {name: {"level": "WARNING", "propagate": True, "handlers": []} for name in QUIET},
    }


def start_logging(process: str, level: str) -> None:
    """Make this process log in the common shape."""
    logging.config.dictConfig(log_settings(process, level))
