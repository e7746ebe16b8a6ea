"""Facts about the disk a workspace is on."""

from __future__ import annotations

import os
from pathlib import Path

from gpulab.workspace.records import Volume

MOUNTS = Path("/proc/self/mountinfo")
IN_MEMORY = frozenset({"tmpfs", "ramfs"})
CONTAINER_MARKS = ("/.dockerenv", "/run/.containerenv")
"""Files that Docker and Podman make in every container."""
POD_VARIABLES = ("RUNPOD_POD_ID", "VAST_CONTAINERLABEL", "KUBERNETES_SERVICE_HOST")
"""Set inside rented pods, some of which remove the marks."""


def volume_of(root: Path, *, locks: bool) -> Volume:
    """What is known about the volume under `root`, which need not exist yet."""
    there = nearest_existing(root)
    mount, kind = _mount_of(there)
    return Volume(mount, kind, os.access(there, os.W_OK), locks, free_bytes(there), _is_lost(mount, kind))


def nearest_existing(path: Path) -> Path:
    """`path` or its nearest ancestor that exists."""
    return next(place for place in (path, *path.parents) if place.exists())


def _mount_of(path: Path) -> tuple[Path, str]:
    """Mount point and file system of an existing path (proc(5), 'mountinfo'); kind "" where there is no /proc."""
    mounts = dict(_mounts())
    real = path.resolve()
    mount = next((place for place in (real, *real.parents) if place in mounts), Path(real.anchor))
    return mount, mounts.get(mount, "")


def _mounts() -> list[tuple[Path, str]]:
    """(mount point, file system), in order of mounting: of two at one point the later one shows."""
    try:
        lines = MOUNTS.read_text().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        before, _, after = line.partition(" - ")
        fields = before.split()
        if len(fields) > 4 and after:
            found.append((Path(_unescaped(fields[4])), after.split()[0]))
    return found


def _unescaped(text: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        text = text.replace(code, character)
    return text


def free_bytes(path: Path) -> int | None:
    """What a learner may still write there; None if it cannot be asked."""
    try:
        disk = os.statvfs(path)
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize


def _is_lost(mount: Path, kind: str) -> bool:
    """Memory, and a container's own disk: the layer at `/` that goes with the container."""
    return kind in IN_MEMORY or (mount == Path("/") and (kind == "overlay" or _in_a_container()))


def _in_a_container() -> bool:
    return any(map(os.path.exists, CONTAINER_MARKS)) or any(name in os.environ for name in POD_VARIABLES)
