"""Where the doctor looks: this machine, or in a test another one made of folders and fake programs."""

from __future__ import annotations

import importlib.util
import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

PATIENCE = 20.0
"""Seconds that one question may take: importing torch from a network disk takes ten, a hung driver takes for ever."""


@dataclass(frozen=True)
class Machine:
    """What is asked instead of the globals of this process."""

    environ: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))
    root: Path = Path("/")
    """What /proc, /sys, /dev and the marks of containers are below."""
    python: str = sys.executable
    """The interpreter that the questions run in."""
    headers: Path = field(default_factory=lambda: Path(sysconfig.get_path("include")))
    """Where Python.h should be."""
    pip: str = field(default_factory=lambda: pip_install())
    """How packages are installed for that interpreter, up to their names."""
    admin: bool = field(default_factory=lambda: os.geteuid() == 0)
    """Whether commands need no sudo."""
    disk: Callable[[Path], os.statvfs_result] = field(default_factory=lambda: os.statvfs)
    window: Callable[[], tuple[int, int] | None] = field(default_factory=lambda: window_size)
    patience: float = PATIENCE

    def which(self, program: str) -> str | None:
        """Where a program is on this machine's PATH."""
        return shutil.which(program, path=self.environ.get("PATH", os.defpath))

    def path(self, place: str) -> Path:
        """`/proc/...` of this machine."""
        return self.root / place.lstrip("/")

    def text(self, place: str) -> str | None:
        """What a file holds; None where it is not there or may not be read."""
        try:
            return self.path(place).read_text(errors="replace")
        except OSError:
            return None

    def has(self, place: str) -> bool:
        """Whether a file is there."""
        return self.path(place).exists()

    @property
    def container(self) -> bool:
        """Whether this is a container or a rented pod, whose devices and limits somebody chose from outside."""
        marks = ("/.dockerenv", "/run/.containerenv")
        pods = ("RUNPOD_POD_ID", "VAST_CONTAINERLABEL", "KUBERNETES_SERVICE_HOST")
        return any(map(self.has, marks)) or any(name in self.environ for name in pods)


def pip_install() -> str:
    """For the environment that this process runs in: its own pip, uv where it has none, past PEP 668 where it must."""
    python = nearby(Path(sys.executable))
    if importlib.util.find_spec("pip") is None:
        return f"uv pip install --python {python}"
    pinned = "PIP_CONSTRAINT= " if os.environ.get("PIP_CONSTRAINT") else ""  # NVIDIA's images pin what they ship
    own = sys.prefix != sys.base_prefix
    managed = not own and Path(sysconfig.get_path("stdlib"), "EXTERNALLY-MANAGED").exists()
    return f"{pinned}{python} -m pip install{' --break-system-packages' if managed else ''}"


def nearby(path: Path) -> str:
    """A path as one would type it here: from the current folder, or from the home."""
    for base, prefix in ((Path.cwd(), ""), (Path.home(), "~/")):
        if path.is_relative_to(base) and path != base:
            return f"{prefix}{shlex.quote(str(path.relative_to(base)))}"
    return shlex.quote(str(path))


def whole(path: Path) -> str:
    """A path that says where it is, whatever the current folder: from the root, or from the home."""
    home = Path.home()
    if path.is_relative_to(home) and path != home:
        return f"~/{shlex.quote(str(path.relative_to(home)))}"
    return shlex.quote(str(path))


def window_size() -> tuple[int, int] | None:
    """(columns, rows) of the terminal that any of the three streams is; None where none is one."""
    for stream in (1, 2, 0):
        try:
            return tuple(os.get_terminal_size(stream))  # type: ignore[return-value]
        except OSError:
            continue
    return None
