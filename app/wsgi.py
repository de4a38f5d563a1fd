"""What the web server loads: `app.wsgi:app`."""

from __future__ import annotations

from app.api import create_app
from app.wiring import services

app = create_app(services())
