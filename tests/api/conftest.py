"""The house every test of the API calls at."""

from __future__ import annotations

import pytest

from tests.api.cast import Caller, House


@pytest.fixture
def house() -> House:
    return House()


@pytest.fixture
def ann(house: House) -> Caller:
    return house.ann


@pytest.fixture
def bob(house: House) -> Caller:
    return house.bob


@pytest.fixture
def eve(house: House) -> Caller:
    """Somebody with a token who sits nowhere."""
    return house.eve


@pytest.fixture
def spectator(house: House) -> Caller:
    """Somebody without a token."""
    return house.spectator
