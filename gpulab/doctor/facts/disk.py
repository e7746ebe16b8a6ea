"""Room on a disk, and whether it can be written."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from pathlib import Path

from gpulab.doctor.machine import Machine


@dataclass(frozen=True)
class Disk:
    """The disk of a folder."""

    path: str
    """As the machine names it."""
    size: int | None = None
    """Bytes; None where the folder is not there or does not tell."""
    free: int | None = None
    writable: bool = False
    """Whether a file could be made there."""
    error: str = ""
    """Why not."""


def find_disk(machine: Machine, path: str) -> Disk:
    """Ask the disk, and make a file there for a moment."""
    folder = machine.path(path)
    try:
        disk = machine.disk(folder)
    except OSError as error:
        return Disk(path, error=error.strerror or str(error))
    refusal = _refusal(folder)
    return Disk(path, disk.f_blocks * disk.f_frsize, disk.f_bavail * disk.f_frsize, not refusal, refusal)


def temporary(machine: Machine) -> str:
    """Where programs put temporary files (tempfile, 'gettempdir')."""
    return machine.environ.get("TMPDIR") or "/tmp"


def _refusal(folder: Path) -> str:
    """Why no file can be made there; permission bits do not tell (root, read-only mounts, quotas)."""
    try:
        handle, name = tempfile.mkstemp(prefix=".gpulab-doctor-", dir=folder)
    except OSError as error:
        return error.strerror or str(error)
    os.close(handle)
    os.unlink(name)
    return ""
