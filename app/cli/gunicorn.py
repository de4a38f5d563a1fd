"""How gunicorn runs the web server; `allfives web` takes the port and starts it with these settings."""

from __future__ import annotations

from pathlib import Path

from app.cli.logs import log_settings
from app.config import Settings

_settings = Settings.read()

workers = _settings.web_processes
worker_class = "app.cli.web_worker.WebWorker"
worker_connections = 10_000
"""Clients one process serves at a time; a waiting one costs a small coroutine, not a thread."""
backlog = 1024
timeout = 30
"""Seconds a process may be stuck before it is replaced; waiting requests do not count as stuck."""
graceful_timeout = 5
"""Seconds that requests under way get when the server stops."""
keepalive = 75
"""Seconds a connection may idle, or take to send its next request line and headers: longer than nginx keeps it (60)."""
limit_request_line = 8190
limit_request_fields = 64
limit_request_field_size = 8190
forwarded_allow_ips = ""
"""Nobody's: TRUSTED_PROXIES says whom to believe, and the application does."""
control_socket_disable = True
accesslog = None
"""Off: addresses hold invite codes."""
logconfig_dict = log_settings("web", _settings.log_level)
worker_tmp_dir = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108  the heartbeat file never waits for a disk
