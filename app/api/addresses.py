"""Where a client is, as far as limits care: one IPv4 address, or one IPv6 network of a household."""

from __future__ import annotations

from ipaddress import IPv6Address, IPv6Network, ip_address

HOUSEHOLD = 64
"""Bits of an IPv6 address that one customer has to himself."""


def household(address: str | None) -> str:
    """The address that counts.

    >>> household("192.0.2.7"), household("2001:db8::7"), household("::ffff:192.0.2.7"), household("unix:")
    ('192.0.2.7', '2001:db8::', '192.0.2.7', 'unknown')
    """
    try:
        found = ip_address(address or "")
    except ValueError:
        return "unknown"
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((found, HOUSEHOLD), strict=False).network_address)
