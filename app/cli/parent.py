"""A child that ends when the supervisor that started it is gone, even by `kill -9`."""

from __future__ import annotations

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def end_with_parent(parent: int) -> None:
    """Ask the system for a SIGTERM at the parent's death; it holds for the program this process turns into as well.

    Only Linux can do that. Elsewhere a child outlives a supervisor killed with -9, and the next `allfives up` says so.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGTERM, 0, 0, 0)
    if os.getppid() != parent:  # it died before we could ask
        sys.exit("allfives: the supervisor is gone")
