"""A lock names its holder and ends with it, however it ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.locks import HeldError, Lock


def test_a_second_taker_is_told_who_has_it(tmp_path: Path) -> None:
    with Lock(tmp_path / "lock"):
        with pytest.raises(HeldError) as refusal:
            Lock(tmp_path / "lock")
        assert refusal.value.holder == str(os.getpid())


def test_it_can_be_taken_again_after_release(tmp_path: Path) -> None:
    Lock(tmp_path / "lock").release()
    again = Lock(tmp_path / "lock")
    assert not again.was_abandoned
    again.release()


def test_a_killed_holder_leaves_it_free_but_marked(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from app.cli.locks import Lock; Lock(Path(sys.argv[1])); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", script, tmp_path / "lock"], check=False)
    with Lock(tmp_path / "lock") as lock:
        assert lock.was_abandoned


def test_it_goes_over_to_the_program_the_holder_turns_into(tmp_path: Path) -> None:
    script = (
        "import os, sys; from pathlib import Path; from app.cli.locks import Lock\n"
        "lock = Lock(Path(sys.argv[1])); lock.hand_over_on_exec(); os.execv('/bin/cat', ['cat'])"
    )
    with subprocess.Popen([sys.executable, "-c", script, tmp_path / "lock"], stdin=subprocess.PIPE, stdout=-1) as cat:
        assert cat.stdin is not None
        assert cat.stdout is not None
        cat.stdin.write(b"cat is running\n")
        cat.stdin.flush()
        cat.stdout.readline()
        with pytest.raises(HeldError, match=str(cat.pid)):
            Lock(tmp_path / "lock")
        cat.communicate()
    Lock(tmp_path / "lock").release()
