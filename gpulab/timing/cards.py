"""What a card cannot pass, from its driver's figures, and what it was measured to do, kept by UUID and driver.

Copy bandwidth is no physical limit: honest kernels reach 1.06 of it on an H200. So a time is disbelieved only when it
beats the memory's or the multiprocessors' own rate.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Event

import msgspec
from platformdirs import user_cache_path

from gpulab.trace.device import Device

FILE = "cards.json"
VERSION = 2
"""Of how cards are measured: what another version measured is measured again."""
PATIENCE = 90.0
"""Seconds that measuring may take: importing torch from a slow disk is most of it."""

_LOOK = 0.05
"""Seconds between looks at whether it is still wanted."""

MARGIN = 1.02
"""An event is good to about half a microsecond, a clock may boost: a time this close to the rate is let pass."""

OVER_COPY = 1.12
"""Where the driver tells no memory clock: nothing honest is this much faster than a copy."""

_CORES = {(7, 0): 64, (7, 2): 64, (7, 5): 64, (8, 0): 64, (8, 6): 128, (8, 7): 128, (8, 9): 128, (9, 0): 128}
"""float32 units of a multiprocessor (CUDA C++ Programming Guide, "Arithmetic Instructions")."""
_NEWER = 128


@dataclass(frozen=True)
class Card:
    """What one card was measured to do. None where it could not be measured."""

    uuid: str
    driver: str
    name: str
    copy: float | None = None
    """Bytes per second that a large copy within the device reads and writes."""
    fma: float | None = None
    """float32 operations per second of independent multiply-adds in registers."""
    matmul: float | None = None
    """float32 operations per second of the vendor's own matrix product (torch, TF32 off)."""
    when: str = ""
    spread: float = 0.0
    """Of the copy, as a fraction."""

    def rate(self, limit: str) -> float | None:
        """The limit a spec names: bytes per second for "copy", operations per second for "float32"."""
        return self.copy if limit == "copy" else (self.matmul or self.fma)


def bandwidth(device: Device) -> float | None:
    """Bytes per second that the memory can move at most: two transfers a clock over the whole bus; None if unknown."""
    moved = 2 * device.memory_clock * 1000 * device.memory_bus / 8
    return moved or None


def float32_rate(device: Device) -> float | None:
    """float32 operations per second: a multiply-add is two, on each unit, each clock; None if unknown."""
    cores = _CORES.get(device.capability, _NEWER)
    return 2.0 * cores * device.multiprocessors * device.clock * 1000 or None


def shortest(device: Device, card: Card | None, bytes_moved: int, flops: int) -> float:
    """Milliseconds below which no time can be true: 0 where nothing is known.

    What fits into the L2 cache may still be there, unwritten, when the kernel ends, so that much is not counted.
    """
    rate = bandwidth(device) or (card.copy * OVER_COPY if card and card.copy else None)
    moving = max(0, bytes_moved - device.l2) / (rate * MARGIN) if rate else 0.0
    computing = float32_rate(device)
    return 1000 * max(moving, flops / (computing * MARGIN) if computing else 0.0)


class Cards:
    """The file that keeps them; in the workspace, or where a user's caches lie."""

    def __init__(self, folder: Path | None = None) -> None:
        self._file = (folder or user_cache_path("gpulab")) / FILE

    def get(self, uuid: str, driver: str) -> Card | None:
        """The card as it was measured with this driver."""
        return next((card for card in self._read() if (card.uuid, card.driver) == (uuid, driver)), None)

    def keep(self, card: Card) -> None:
        """Remember a card; where the disk refuses it is measured again next time."""
        others = [other for other in self._read() if other.uuid != card.uuid or other.driver != card.driver]
        content = json.dumps({"version": VERSION, "cards": [asdict(one) for one in (*others, card)]}, indent=2) + "\n"
        new = self._file.with_name(f"{self._file.name}.{os.getpid()}.new")
        with suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(content)
            new.replace(self._file)

    def of(self, device: Device, cancel: Event | None = None) -> Card | None:
        """The card's measured limits, measured now if they are not known; None where that fails or is cancelled. Takes
        seconds then."""
        known = self.get(device.uuid, device.driver)
        if known is None and (known := measure(device, cancel or Event())) is not None:
            self.keep(known)
        return known

    def _read(self) -> list[Card]:
        try:
            kept = json.loads(self._file.read_text())
            return msgspec.convert(kept["cards"], list[Card]) if kept["version"] == VERSION else []
        except (OSError, ValueError, KeyError, TypeError):
            return []


def measure(device: Device, cancel: Event) -> Card | None:
    """Measure this machine's first visible GPU in a process of its own; None where nothing came of it."""
    command = [sys.executable, "-c", "from gpulab.timing.measuring import main; main()"]
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (os.environ.get("PYTHONPATH"), root)))
    try:
        # Not in the current folder: a workspace has folders named as libraries are.
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL,
                              text=True, env=os.environ | {"PYTHONPATH": path}, cwd=root) as process:
            told = _listen(process, cancel)
    except OSError:
        return None
    return None if cancel.is_set() else card_of(device, told)


def _listen(process: subprocess.Popen[str], cancel: Event) -> str:
    """All that it says until it ends, is late or is not wanted any more."""
    late = time.monotonic() + PATIENCE
    while not cancel.is_set() and time.monotonic() < late:
        with suppress(subprocess.TimeoutExpired):
            return process.communicate(timeout=_LOOK)[0]
    process.kill()
    return process.communicate()[0]


def card_of(device: Device, told: str) -> Card | None:
    """What the process said, line by line: what it had measured before it hung or died counts."""
    facts: dict[str, object] = {}
    for line in told.splitlines():
        with suppress(ValueError, TypeError):
            facts.update(json.loads(line))
    try:
        card = msgspec.convert({**facts, "uuid": device.uuid, "driver": device.driver, "name": device.name}, Card)
    except msgspec.ValidationError:
        return None
    return card if card.copy else None
