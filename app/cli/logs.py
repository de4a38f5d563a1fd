"""How log lines look: time, level, process, what happened; the supervisor's own lines have the same shape."""

from __future__ import annotations

import logging.config

QUIET = ("gunicorn.error", "redis", "rq", "urllib3", "werkzeug")
"""Libraries that tell about every start, job and connection; only their warnings are of interest."""


def log_settings(process: str, level: str) -> dict[str, object]:
    """Settings for `logging.config.dictConfig`; everything goes to stderr."""
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"line": {"format": f"%(asctime)s %(levelname).4s {process}: %(message)s"}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
        "root": {"level": level.upper(), "handlers": ["stderr"]},
        "loggers": {name: {"level": "WARNING", "propagate": True, "handlers": []} for name in QUIET},
    }


def start_logging(process: str, level: str) -> None:
    """Make this process log in the common shape."""
    logging.config.dictConfig(log_settings(process, level))
