"""What nvidia-smi tells about a GPU while something is timed: driver, clocks held back, other programs.

It is asked in a process of its own: NVML in a process that forks harms its children. Where it is missing or knows less,
the answers are "" and None, which mean unknown.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Collection
from dataclasses import dataclass

PATIENCE = 10.0

_SLOWED = {
    0x0000_0000_0000_0008: "the card slows itself down (hardware slowdown)",
    0x0000_0000_0000_0020: "it is too hot (software thermal slowdown)",
    0x0000_0000_0000_0040: "it is too hot (hardware thermal slowdown)",
    0x0000_0000_0000_0080: "its power supply asks for it (power brake)",
    0x0000_0000_0000_0004: "its power limit is reached",
}
"""Bits of clocks_throttle_reasons.active that make a time slower than the card could be (nvml.h). Idle, and clocks set
by an administrator, are not among them."""


@dataclass(frozen=True)
class Seen:
    """One look at a GPU."""

    driver: str = ""
    slowed: str = ""
    """Why its clocks are held back; "" where they are not, or nobody tells."""
    others: int | None = None
    """Programs on the GPU that are not ours; None where the list of them lacks our own too, as in a container."""
    clock: int | None = None
    """Of the multiprocessors, in MHz."""
    power: float | None = None
    """Watts."""


def look(uuid: str, ours: Collection[int]) -> Seen:
    """Ask about the GPU with this UUID; `ours` are the processes that use it for us."""
    row = _ask(["--query-gpu=uuid,driver_version,clocks_throttle_reasons.active,clocks.sm,power.draw"], uuid)
    if not row:
        return Seen()
    _, driver, reasons, clock, power = row[0]
    return Seen(driver, _slowed(reasons), _others(uuid, ours), _whole(clock), _number(power))


def _others(uuid: str, ours: Collection[int]) -> int | None:
    rows = _ask(["--query-compute-apps=gpu_uuid,pid"], uuid)
    listed = {int(pid) for _, pid in rows if pid.isdigit()}
    return len(listed - set(ours)) if listed & set(ours) else None


def _ask(query: list[str], uuid: str) -> list[list[str]]:
    """The rows about this GPU, its UUID first in each; the only row where it is named otherwise."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return []
    try:
        ran = subprocess.run([program, *query, "--format=csv,noheader,nounits"], capture_output=True, text=True,
                             timeout=PATIENCE, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired):
        return []
    if ran.returncode:
        return []
    width = query[0].count(",") + 1
    rows = [[cell.strip() for cell in line.split(",")] for line in ran.stdout.splitlines()]
    rows = [row for row in rows if len(row) == width]
    mine = [row for row in rows if row[0] == uuid]
    return mine or (rows if len({row[0] for row in rows}) == 1 else [])


def _slowed(reasons: str) -> str:
    try:
        bits = int(reasons, 16)
    except ValueError:
        return ""
    return next((why for bit, why in _SLOWED.items() if bits & bit), "")


def _whole(text: str) -> int | None:
    return int(text) if text.isdigit() else None


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
