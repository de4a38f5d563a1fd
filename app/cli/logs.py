"""How log lines look: time, level, process, what happened; the supervisor's own lines have the same shape."""

from __future__ import annotations

import logging.config

QUIET = ("rq", "redis", "urllib3", "werkzeug")
"""Libraries that tell about every job and connection; only their warnings are of interest."""


def log_settings(process: str, level: str) -> dict[str, object]:
    """Settings for `logging.config.dictConfig`; everything goes to stderr."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": f"%(asctime)s %(levelname).4s {process}: %(message)s"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        "loggers": {} if level == "debug" else {name: {"level": "WARNING"} for name in QUIET},
    }


def start_logging(process: str, level: str) -> None:
    """Make this process log in the common shape."""
    logging.config.dictConfig(log_settings(process, level))
