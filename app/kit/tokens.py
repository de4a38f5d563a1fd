"""Where a bot's token lies between two runs: a file only its owner can read, one for each server and name."""

from __future__ import annotations

import fcntl
import os
import re
import stat
from pathlib import Path
from urllib.parse import urlsplit

FORM = re.compile(r"[A-Za-z0-9._~+/-]{1,512}=*")
"""What can be sent as a bearer's token (RFC 6750)."""


class UnusableToken(Exception):
    """The file cannot be used; the message is one line that says why."""


class TokenFile:
    """A token file, locked while it is in use: one player is played by one process."""

    def __init__(self, path: Path) -> None:
        """Raises: UnusableToken, where it cannot be opened, others may read it, or another process uses it."""
        self.path = path
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise UnusableToken(f"{path} cannot be used: {error.strerror}") from None
        mode = os.fstat(self._file).st_mode
        if not stat.S_ISREG(mode):
            os.close(self._file)
            raise UnusableToken(f"{path} holds no token: it is no ordinary file")
        if mode & 0o077:
            os.close(self._file)
            raise UnusableToken(f"{path} can be read by others: chmod 600 {path}")
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._file)
            raise UnusableToken(
                f"the bot of {path} is being played by another process: give this one another --name"
            ) from None

    def close(self) -> None:
        """Let another process have it; a file that nothing was written to goes again."""
        if os.fstat(self._file).st_size == 0:
            self.path.unlink(missing_ok=True)
        os.close(self._file)

    def read(self) -> str | None:
        """The token; None: there is none yet. Raises: UnusableToken, where something else is in it."""
        written = os.pread(self._file, 4096, 0).decode("ascii", "replace")
        if not written.strip():
            return None
        token = token_in(written)
        if token is None:
            raise UnusableToken(f"{self.path} holds no token")
        return token

    def write(self, token: str) -> None:
        """Keep this token."""
        os.ftruncate(self._file, 0)
        os.pwrite(self._file, f"{token}\n".encode(), 0)


def token_in(text: str) -> str | None:
    """The token that was written there, maybe with blanks around it; None: this is no token.

    >>> token_in(" a5_0123456789abcdef\\r\\n"), token_in("a5_0123456789\\nabcdef")
    ('a5_0123456789abcdef', None)
    """
    text = text.strip()
    return text if FORM.fullmatch(text) else None


def token_path(folder: Path, url: str, name: str) -> Path:
    """Where the token of the player of that name on that server lies.

    >>> token_path(Path("tokens"), "http://127.0.0.1:8000/", "My bot").as_posix()
    'tokens/127.0.0.1-8000/My_bot'
    """
    return folder / _plain(urlsplit(url).netloc) / _plain(name)


def _plain(text: str) -> str:
    return re.sub(r"[^\w.]+", "-" if ":" in text else "_", text) or "_"


def hinted(token: str) -> str:
    """A token as it may be shown.

    >>> hinted("a5_0123456789abcdef")
    'a5_…cdef'
    """
    prefix = token.partition("_")[0] + "_" if "_" in token else ""
    return f"{prefix}…{token[-4:]}" if len(token) > 16 else "…"
