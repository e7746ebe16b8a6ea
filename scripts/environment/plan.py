"""What `.venv` should hold, decided from the machine; stored in it as its stamp."""

from __future__ import annotations

import hashlib
import json
import sys
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import driver
import parent

ROOT = Path(__file__).resolve().parents[2]
OURS = Path(__file__).resolve().parent
STAMP = "gpulab-stamp.json"


@dataclass(frozen=True)
class Plan:
    """How the environment is made. Two equal plans give the same environment."""

    python: str
    """Its version, as in "3.11"."""
    made_by: str
    """Path of the parent Python."""
    torch: str
    """One of "parent" (reused), "cpu", "cuda 12" or "cuda 13" (what such a driver runs), "none" (could not be had)."""
    torch_file: str
    """Of a reused torch, else empty."""
    torch_mark: str
    triton: str
    """One of "parent", "own", or "none" without torch, which it needs."""
    sites: tuple[str, ...]
    """The parent's package folders, linked after our own."""
    extras: tuple[str, ...]
    driver: str
    """The driver's mark when this was planned."""
    project: str
    """Hash of what says how to install gpulab."""


def project_mark() -> str:
    """A hash of pyproject.toml, the constraints and these scripts."""
    digest = hashlib.sha256()
    for file in [ROOT / "pyproject.toml", ROOT / "constraints-cpu.txt", *sorted(OURS.glob("*.py"))]:
        digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


def python_version() -> str:
    """The version of the Python that runs this, as in "3.11"."""
    return f"{sys.version_info[0]}.{sys.version_info[1]}"


def decide(extras: tuple[str, ...]) -> Plan:
    """Look at the machine: its torch (imported, a few seconds) and its driver."""
    cuda = driver.cuda_version()
    extra = cuda_extra(cuda)
    torch = parent.find_torch()
    return Plan(
        python=python_version(),
        made_by=sys.executable,
        torch="parent" if torch else torch_build(cuda),
        torch_file=torch.file if torch else "",
        torch_mark=parent.torch_mark(torch.file) if torch else "",
        triton="parent" if torch and torch.triton else "own",
        sites=parent.site_folders(torch) if torch else (),
        extras=tuple(sorted({*extras, *extra})),
        driver=driver.mark(),
        project=project_mark(),
    )


def cuda_extra(cuda: tuple[int, int] | None) -> tuple[str, ...]:
    """The extra with Numba's compiler libraries for the driver: ("cu12",), ("cu13",) or none.

    A driver runs code of its own major version and older: a CUDA 14 driver takes cu13.
    """
    if cuda is None or cuda[0] < 12:
        return ()
    return ("cu12",) if cuda[0] == 12 else ("cu13",)


def torch_build(cuda: tuple[int, int] | None) -> str:
    """Which build to install where the parent has none."""
    extra = cuda_extra(cuda)
    return {(): "cpu", ("cu12",): "cuda 12", ("cu13",): "cuda 13"}[extra]


def read_stamp(venv: Path) -> Plan | None:
    """The plan by which `venv` was made; None where it was never finished, or by another version of this script."""
    try:
        stored = json.loads((venv / STAMP).read_text())
        return Plan(**{**stored, "sites": tuple(stored["sites"]), "extras": tuple(stored["extras"])})
    except (OSError, ValueError, TypeError, KeyError):
        return None


def write_stamp(venv: Path, plan: Plan) -> None:
    """Say that `venv` is finished: the last thing done to it, in one rename."""
    unfinished = venv / (STAMP + ".new")
    unfinished.write_text(json.dumps(asdict(plan), indent=2) + "\n")
    unfinished.replace(venv / STAMP)


def still_holds(plan: Plan, extras: tuple[str, ...]) -> bool:
    """True if nothing that `plan` was decided from has changed, seen without starting a process."""
    return (
        plan.python == python_version()
        and plan.project == project_mark()
        and set(extras) <= set(plan.extras)
        and plan.driver == driver.mark()
        and (plan.torch != "parent" or plan.torch_mark == parent.torch_mark(plan.torch_file))
    )


def without_torch(plan: Plan) -> Plan:
    """The plan that is left when no torch can be had."""
    return replace(plan, torch="none", triton="none")
