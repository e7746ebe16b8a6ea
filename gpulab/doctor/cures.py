"""The commands that cure: as this machine needs them, and never run unasked."""

from __future__ import annotations

import shlex
import sys
from importlib import metadata

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.version import InvalidVersion, Version

from gpulab.doctor.machine import Machine

PYTHON = f"python{sys.version_info[0]}.{sys.version_info[1]}"
COMPILER = {
    "apt-get": f"gcc libc6-dev {PYTHON}-dev",
    "dnf": f"gcc glibc-devel {PYTHON}-devel",
    "apk": "gcc musl-dev python3-dev",
}
"""Package tool -> what makes a C compiler that can build for Python."""

INSTALL = {
    "apt-get": "{sudo}apt-get update && {sudo}apt-get install -y {packages}",
    "dnf": "{sudo}dnf install -y {packages}",
    "apk": "{sudo}apk add {packages}",
}


def pip(machine: Machine, *requirements: str) -> str:
    """Install these into gpulab's environment."""
    return " ".join([machine.pip, *map(_quoted, requirements)])


def packages(machine: Machine, names: dict[str, str]) -> str:
    """Install system packages, `names` by package tool; "" where no tool that we know is here."""
    tool = next((tool for tool in INSTALL if tool in names and machine.which(tool)), None)
    return INSTALL[tool].format(sudo=sudo(machine), packages=names[tool]) if tool else ""


def sudo(machine: Machine) -> str:
    """`sudo ` where it takes that."""
    return "" if machine.admin else "sudo "


def requirement(name: str, extra: str = "") -> str:
    """What gpulab asks for: `numpy<2.5,>=2.1`; the bare name where gpulab was never installed."""
    asked = allowed(name)
    return f"{name}[{extra}]{asked}" if extra else f"{name}{asked}"


def allowed(name: str) -> SpecifierSet:
    """The versions of a library that gpulab takes; all of them where it was never installed."""
    try:
        needs = [Requirement(need) for need in metadata.requires("gpulab") or []]
    except metadata.PackageNotFoundError:
        needs = []
    return next((need.specifier for need in needs if need.name == name and not need.extras), SpecifierSet())


def fits(version: str | None, name: str) -> bool:
    """Whether gpulab takes this version of a library; pre-releases and builds of one too."""
    try:
        return version is not None and Version(Version(version).base_version) in allowed(name)
    except InvalidVersion:
        return True  # a build of one's own: what it can do is tried


def release(version: str | None) -> tuple[int, ...]:
    """`2.11.0+cu130` -> (2, 11, 0); () where there is none."""
    try:
        return Version(version or "").release
    except InvalidVersion:
        return ()


def _quoted(word: str) -> str:
    """As people quote: only what the shell would take for something else."""
    return word if word.startswith("--") else shlex.quote(word)
