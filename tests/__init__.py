"""Tests mirror `app/`."""
