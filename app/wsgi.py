"""What the web server loads: `app.wsgi:app`.

The worker process calls `app.extensions["stop_waiting"]` when it has to stop: what waits is answered then.
"""

from __future__ import annotations

from werkzeug.middleware.proxy_fix import ProxyFix

from app.api import create_app
from app.config import Settings
from app.wiring import services

app = create_app(services())
services().metrics.start("web")
app.extensions["stop_waiting"] = services().stop_waiting

_proxies = Settings.read().trusted_proxies
if _proxies:
    app.wsgi_app = ProxyFix(app.wsgi_app, x_for=_proxies, x_proto=_proxies, x_host=_proxies)  # type: ignore[method-assign]
