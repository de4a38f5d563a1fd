"""The embedded stores: Valkeys or Redises of our own in the data folder, for this machine and this user only.

One holds the games and writes everything down; the other holds the queues, in memory. An RQ job is dozens of writes,
and none of them has to last: beside the games each would wait for the disk.
"""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass
from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from app.cli.errors import CannotStartError
from app.cli.servers import Server, ServerVersion, installed_servers
from app.config import Durability, Settings

ADDRESS = "url"
"""Name of the file in a store's folder that says where it listens; `Settings` reads it."""
PORTS = range(20000, 30000)
"""Below what systems hand out to outgoing connections: one of those might take the port while the store restarts."""

CONFIG = """\
# Written by `allfives` at every start; changes are lost.
bind 127.0.0.1
port {port}
protected-mode yes
requirepass {password}
dir {folder}
{lasting}
save ""
maxmemory-policy noeviction
daemonize no
"""
LASTING = """\
appendonly yes
appendfsync {appendfsync}"""
IN_MEMORY = "appendonly no"


@dataclass(frozen=True, slots=True)
class Address:
    """Where the embedded store listens."""

    port: int
    password: str

    @classmethod
    def parse(cls, url: str) -> Self | None:
        """Read the address back from its URL.

        >>> Address.parse("redis://:secret@127.0.0.1:20123/0")
        Address(port=20123, password='secret')
        """
        try:
            parts = urlsplit(url.strip())
            return cls(parts.port, parts.password) if parts.port and parts.password else None
        except ValueError:
            return None

    @property
    def url(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"

    @property
    def is_free(self) -> bool:
        """Whether nobody listens there."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", self.port))
            except OSError:
                return False
            return True


def make_folder(settings: Settings) -> None:
    """Make the data folder; what the stores have in it is for this user only.

    Raises:
        CannotStartError: it cannot be made or written.
    """
    try:
        settings.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        for folder in (settings.store_dir, settings.queue_dir):
            folder.mkdir(mode=0o700, exist_ok=True)
            folder.chmod(0o700)
            probe = folder / "probe"
            probe.write_bytes(b"")
            probe.unlink()
    except OSError as error:
        line = f"DATA_DIR={settings.data_dir} cannot be written: {error.strerror}; choose another folder"
        raise CannotStartError(line) from None


def choose_server(settings: Settings) -> Server:
    """Choose the store program; data once written stay with a program that can read them.

    Raises:
        CannotStartError: there is none.
    """
    writer = ServerVersion.parse(_read(settings.store_dir / "written-by"))
    for server in installed_servers():
        if writer is None or server.version.reads(writer):
            return server
    if writer is not None:
        raise CannotStartError(f"DATA_DIR={settings.data_dir} was written by {writer}, and no store here can read that")
    line = "no store for this kind of machine: install Valkey 7.2 or Redis 6.2 or newer, or set REDIS_URL"
    raise CannotStartError(line)


def choose_address(folder: Path, *, may_move: bool = True) -> Address:
    """Keep the address of the last time while its port is free, else take another, and write it down for others.

    `folder`: of the store of the games, or of that of the queues.

    Raises:
        CannotStartError: the port is taken, and others know it already (`may_move` is false) or no other is free.
    """
    known = Address.parse(_read(folder / ADDRESS))
    if known is not None and known.is_free:
        return known
    if known is not None and not may_move:
        raise CannotStartError(f"port {known.port} of the embedded store is taken by another program")
    password = known.password if known else secrets.token_urlsafe(24)
    for port in secrets.SystemRandom().sample(PORTS, 100):
        address = Address(port, password)
        if address.is_free:
            _write(folder / ADDRESS, address.url)
            return address
    raise CannotStartError(f"no free port for the embedded store between {PORTS.start} and {PORTS.stop}")


def prepare(settings: Settings, *, queue: bool = False, may_move: bool = True) -> list[str]:
    """Write the settings of the store of the games, or of the `queue`; the command line that starts it.

    Raises:
        CannotStartError: there is no store program, or no port for it.
    """
    server = choose_server(settings)
    folder = settings.queue_dir if queue else settings.store_dir
    address = choose_address(folder, may_move=may_move)
    appendfsync = "everysec" if settings.durability is Durability.EVERYSEC else "always"
    text = CONFIG.format(
        port=address.port,
        password=address.password,
        folder=_quoted(folder),
        lasting=IN_MEMORY if queue else LASTING.format(appendfsync=appendfsync),
    )
    _write(folder / "store.conf", text)
    if not queue:
        _write(folder / "written-by", str(server.version))
    return [str(server.path), str(folder / "store.conf")]


def _quoted(path: Path) -> str:
    """Quote a path as the store's configuration file wants it: bytes that are not plain are escaped."""
    plain = b"".join(
        b"\\x%02x" % byte if byte in b'"\\' or not 32 <= byte < 127 else bytes([byte]) for byte in os.fsencode(path)
    )
    return f'"{plain.decode("ascii")}"'


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError:
        return ""


def _write(path: Path, text: str) -> None:
    """Replace a file in one step; only this user can read it."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(text + "\n")
    draft.replace(path)
