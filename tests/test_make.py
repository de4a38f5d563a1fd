"""`make` sets up by itself, and says in one line what it cannot do without."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    shutil.copy(ROOT / "Makefile", folder)
    for name in ("requirements.txt", "requirements-dev.txt", "pyproject.toml"):
        (folder / name).touch()
    environ = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *arguments], cwd=folder, env=environ, capture_output=True, text=True, timeout=60, check=False
    )


def pretend_python(folder: Path, script: str) -> Path:
    program = folder / "python"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return program


def test_without_python_it_says_so(tmp_path: Path) -> None:
    ended = make(tmp_path, "run", f"PYTHON={tmp_path}/none")
    assert ended.returncode != 0
    first, *_ = ended.stderr.splitlines()
    assert first.startswith("allfives needs Python 3.11 or newer; none was found")


def test_with_an_old_python_it_says_so(tmp_path: Path) -> None:
    old = pretend_python(tmp_path, "exit 1")  # `sys.exit(sys.version_info < (3, 11))`
    first, *_ = make(tmp_path, "test", f"PYTHON={old}").stderr.splitlines()
    assert first.startswith("allfives needs Python 3.11 or newer; none was found")


def test_without_the_venv_module_it_says_what_to_install(tmp_path: Path) -> None:
    bare = pretend_python(tmp_path, 'case "$2" in *ensurepip*) exit 1;; esac; exit 0')
    first, *_ = make(tmp_path, "run", f"PYTHON={bare}").stderr.splitlines()
    assert (
        first == f"allfives needs Python's venv module, which {bare} lacks (Debian, Ubuntu: apt install python3-venv)."
    )


def test_an_old_python_is_passed_over_for_a_newer_one(tmp_path: Path) -> None:
    log = tmp_path / "log"
    old = pretend_python(tmp_path, "exit 1")
    (tmp_path / "new").mkdir()
    new = pretend_python(tmp_path / "new", f'echo "$@" >> {log}; exit 0')
    make(tmp_path, ".venv/made.stamp", f"PYTHON={old} {new}")
    assert log.read_text().splitlines()[-1] == "-m venv --clear .venv"


@pytest.mark.parametrize("target", ["run", "test", "check", "bench", "lock", "setup", "clean", "openapi"])
def test_make_alone_lists_what_it_can_do(tmp_path: Path, target: str) -> None:
    assert f"make {target} " in make(tmp_path).stdout
