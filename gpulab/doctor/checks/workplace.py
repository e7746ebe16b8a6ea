"""The workspace: where it is, whether it lasts, whether progress is kept and saves are noticed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gpulab.doctor.checks.sizes import gigabytes
from gpulab.doctor.machine import nearby, whole
from gpulab.doctor.model import Check
from gpulab.doctor.workplace import Workplace
from gpulab.workspace.records import Volume
from gpulab.workspace.workspace import SCARCE

ELSEWHERE = "gpulab --home ~/gpulab-work"


def checks(work: Workplace) -> Iterator[Check]:
    """Nothing about a folder that cannot be used."""
    if work.root is None or work.volume is None:
        yield Check("folder", "problem", work.refusal.partition(" Choose ")[0], ELSEWHERE)
        return
    yield folder(work.root, work.volume, work.error)
    yield lasting(work.root, work.volume, work.keep)
    if not work.error:
        yield progress(work)
        yield saves(work)


def folder(root: Path, volume: Volume, error: str) -> Check:
    """Which one, and how much fits in."""
    if error:
        return Check("folder", "problem", f"{whole(root)} cannot be written ({error}), so your work cannot be kept.",
                     ELSEWHERE)
    if volume.free is not None and volume.free < SCARCE:
        return Check("folder", "warning", f"{whole(root)}: only {gigabytes(volume.free)} are free. What takes room:",
                     f"du -xsh {nearby(volume.mount).rstrip('/')}/* | sort -h")
    room = f", {gigabytes(volume.free)} free" if volume.free is not None else ""
    return Check("folder", "ok", f"{whole(root)}{room}")


def lasting(root: Path, volume: Volume, keep: str) -> Check:
    """Rented pods keep one volume, and lose the rest when they are stopped."""
    if volume.lost_when_stopped:
        to = "take a copy with you" if keep.startswith("gpulab export") else "keep it"
        return Check("disk", "warning", f"Your work is lost when this machine is stopped. To {to}:", keep)
    kind = f" ({volume.kind} at {volume.mount})" if volume.kind else ""
    return Check("disk", "ok", f"It stays when this machine is stopped{kind}.")


def progress(work: Workplace) -> Check:
    """SQLite, with file locks or with ours."""
    if work.database:
        return Check("progress", "problem", f"Progress cannot be kept: {work.database.partition(', so ')[0]}.",
                     ELSEWHERE)
    if not work.locks:
        return Check("progress", "ok", "This volume has no file locks; a lock file stands in for them.")
    return Check("progress", "ok", "File locks and SQLite work.")


def saves(work: Workplace) -> Check:
    """By the kernel's word, or by reading the file every second."""
    if work.noticed is not None:
        return Check("saves", "ok", f"Noticed after {work.noticed:.2f} s.")
    if work.polled is not None:
        return Check("saves", "ok", f"Noticed after {work.polled:.1f} s, by reading the file every second: this volume "
                     "tells of no changes.")
    return Check("saves", "problem", "A save was not noticed. In the app, r checks; or choose another folder:",
                 ELSEWHERE)
