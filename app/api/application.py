"""The Flask application, put together."""

from __future__ import annotations

from flask import Flask

from app.api import docs, headers, health, limits, metrics, problems, services
from app.api.operations import register_operations
from app.api.server_clock import ServerClock


def create_app(wired: services.Services) -> Flask:
    """The application that serves these use cases."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = limits.BODY_BYTES
    # A doubled slash is a wrong path, not a reason for an HTML redirect.
    app.url_map.merge_slashes = False
    services.attach(app, wired)
    clock = ServerClock(wired.now)
    app.extensions["server_clock"] = clock  # for refusals made by the web server itself
    metrics.register(app, wired.metrics.count)
    headers.register(app, clock)
    problems.register(app)
    register_operations(app)
    app.register_blueprint(health.blueprint)
    app.register_blueprint(docs.blueprint)
    return app
