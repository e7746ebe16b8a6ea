"""The few requests to the Linux kernel that Python has no function for. Elsewhere they do nothing and say so."""

from __future__ import annotations

import ctypes
import signal
import sys
from functools import cache

_SET_PARENT_DEATH_SIGNAL = 1  # <linux/prctl.h>
_SET_DUMPABLE = 4
_SET_NAME = 15
_SET_CHILD_SUBREAPER = 36


def die_with_parent() -> bool:
    """SIGKILL this process when the thread that forked it ends.

    Call it only where the parent forks from its main thread: the kernel means the thread, not the process (prctl(2)).
    """
    return _prctl(_SET_PARENT_DEATH_SIGNAL, int(signal.SIGKILL))


def adopt_orphans() -> bool:
    """Become the parent of every descendant whose own parent dies, sessions of their own included."""
    return _prctl(_SET_CHILD_SUBREAPER, 1)


def hide_memory() -> bool:
    """Close /proc/<pid>/mem and ptrace to other processes of this user (root still may)."""
    return _prctl(_SET_DUMPABLE, 0)


def name_process(name: str) -> bool:
    """What `ps` and `top` show; at most 15 letters."""
    if sys.platform != "linux":
        return False
    return bool(_libc().prctl(_SET_NAME, ctypes.c_char_p(name.encode()), 0, 0, 0) == 0)


def _prctl(option: int, value: int) -> bool:
    if sys.platform != "linux":
        return False
    return bool(_libc().prctl(option, value, 0, 0, 0) == 0)


@cache
def _libc() -> ctypes.CDLL:
    """Loaded once, in the zygote, so that a forked process does not pay for it."""
    return ctypes.CDLL(None, use_errno=True)
