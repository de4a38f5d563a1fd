"""An address is taken as people write it, and never told with a password in it."""

from __future__ import annotations

import pytest

from app.kit.address import NoAddress, address


@pytest.mark.parametrize("written", ["http://h:8000", "http://h:8000/", "http://h:8000/v1", " http://h:8000/v1/ "])
def test_the_version_may_be_there(written: str) -> None:
    assert address(written) == "http://h:8000"


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("nonsense", "nonsense is no address of a server; one looks like http://127.0.0.1:8000"),
        ("ftp://h", "ftp://h is no address"),
        ("http://h:99999", "http://h:99999 is no address of a server: Port out of range"),
        ("http://h:port", "is no address of a server: Port could not be cast"),
        ("http://[::1", "is no address of a server: Invalid IPv6"),
        ("http://h/?x=1", "more than the address"),
    ],
)
def test_what_is_none_is_told(written: str, why: str) -> None:
    with pytest.raises(NoAddress) as told:
        address(written)
    assert why in str(told.value)


@pytest.mark.parametrize("written", ["http://ann:pass@h", "http://ann:pass@h:99999", "ftp://ann:pass@h", "ann:pass@h"])
def test_a_password_is_refused_and_not_told(written: str) -> None:
    with pytest.raises(NoAddress) as told:
        address(written)
    assert "pass@" not in str(told.value)
