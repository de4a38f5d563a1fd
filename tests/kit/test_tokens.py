"""A token lies in a file only its owner can read, and belongs to one process at a time."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app.kit.tokens import TokenFile, UnusableToken, token_path


def test_it_is_kept_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "new" / "token"
    file = TokenFile(path)
    assert file.read() is None
    file.write("a5_first-and-longer")
    file.write("a5_second")
    assert file.read() == "a5_second"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_second_process_is_refused(tmp_path: Path) -> None:
    held = TokenFile(tmp_path / "token")
    with pytest.raises(UnusableToken, match="another --name"):
        TokenFile(tmp_path / "token")
    held.write("a5_still works")


def test_a_file_that_others_may_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("a5_token")
    path.chmod(0o644)
    with pytest.raises(UnusableToken, match="chmod 600"):
        TokenFile(path)


def test_bytes_that_are_no_token_are_told(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_bytes(bytes(range(128, 228)))
    path.chmod(0o600)
    with pytest.raises(UnusableToken, match="token holds no token"):
        TokenFile(path).read()


def test_a_pipe_is_told(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "token", 0o600)
    with pytest.raises(UnusableToken, match="token holds no token"):
        TokenFile(tmp_path / "token")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UnusableToken, match="cannot be used"):
        TokenFile(tmp_path / "below" / "token")


def test_names_that_would_lead_elsewhere_stay_in_the_folder() -> None:
    path = token_path(Path("tokens"), "https://play.example/v1", "../../etc/passwd")
    assert path.parent == Path("tokens/play.example")
    assert path.name not in ("..", ".")
