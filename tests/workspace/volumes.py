"""Volumes that misbehave, for real: a full one, a read-only one, and one whose file locks fail."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import os
import platform
import struct
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@contextlib.contextmanager
def small_volume(mount: Path, kilobytes: int) -> Iterator[Path]:
    """A file system in memory of this size; skips the test where we may not mount."""
    mount.mkdir(parents=True, exist_ok=True)
    made = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", str(mount)], capture_output=True)
    if made.returncode:
        pytest.skip(f"mounting is not allowed here: {made.stderr.decode().strip()}")
    try:
        yield mount
    finally:
        subprocess.run(["umount", "-l", str(mount)], check=False)


def remount(mount: Path, mode: str) -> None:
    """`mode` is "ro" or "rw"."""
    subprocess.run(["mount", "-o", f"remount,{mode}", str(mount)], check=True)


def fill(folder: Path) -> Path:
    """A file that takes every free byte; remove it to make room."""
    ballast = folder / "ballast"
    with open(ballast, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 512)
    return ballast


def python(code: str, *arguments: str) -> subprocess.Popen[str]:
    """A Python process of its own that runs `code` (it finds `arguments` in sys.argv[1:])."""
    return subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True, cwd=Path(__file__).parents[2])


def forbid_file_locks(code: int = errno.ENOLCK) -> None:
    """Make every `fcntl` lock of this process and its children fail with `code`, as FUSE and NFS do.

    A seccomp filter (seccomp(2)): fcntl with F_SETLK, F_SETLKW or their open-file-description twins returns the
    error. It cannot be taken back, so call it in a process made for it. Raises OSError where it is not allowed.
    """
    if platform.machine() != "x86_64":
        raise OSError("the filter is written for x86-64")
    load_number, load_argument, fcntl_call = 0, 16 + 8, 72  # offsets in struct seccomp_data; __NR_fcntl
    commands = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
    program = [_op(0x20, load_number), _op(0x15, fcntl_call, false=len(commands) + 1), _op(0x20, load_argument)]
    program += [_op(0x15, command, true=len(commands) - n) for n, command in enumerate(commands)]
    program += [_op(0x06, 0x7FFF0000), _op(0x06, 0x00050000 | code)]  # allow; fail with `code`
    filter_code = ctypes.create_string_buffer(b"".join(program))
    header = struct.pack("HxxxxxxP", len(program), ctypes.addressof(filter_code))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) or libc.prctl(22, 2, header, 0, 0):  # no new privileges; filter mode
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def _op(code: int, value: int, true: int = 0, false: int = 0) -> bytes:
    """One instruction of a classic BPF program."""
    return struct.pack("HBBI", code, true, false, value)
