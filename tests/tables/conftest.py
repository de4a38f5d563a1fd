"""The room every test of the use cases plays in."""

import pytest

from tests.tables.room import Room


@pytest.fixture
def room() -> Room:
    return Room()
