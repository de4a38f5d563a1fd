"""Marshmallow schemas: what requests may hold, and what the OpenAPI document says of answers."""
