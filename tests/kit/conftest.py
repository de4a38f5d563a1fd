"""The in-process API that every test of the kit may call at."""

from __future__ import annotations

from tests.api.conftest import ann, bob, eve, house

__all__ = ["ann", "bob", "eve", "house"]
