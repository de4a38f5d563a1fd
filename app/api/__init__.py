"""The HTTP API: `create_app(services)` makes the Flask application, `openapi_document()` describes it."""

from __future__ import annotations

from app.api.application import create_app as create_app
from app.api.document import openapi_document as openapi_document
