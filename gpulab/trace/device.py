"""The GPU that something ran on, as plain data."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Device:
    """A GPU, as its driver describes it. What the driver does not tell is 0 or "".

    `memory`, `free` and `l2` are in bytes, clocks in kHz, `memory_bus` in bits; `cuda` is the newest CUDA that the
    driver knows.
    """

    name: str
    uuid: str
    """As nvidia-smi writes it: `GPU-...`."""
    capability: tuple[int, int]
    memory: int = 0
    free: int = 0
    """Of its memory when the check looked, with this check's own context taken off."""
    multiprocessors: int = 0
    l2: int = 0
    clock: int = 0
    memory_clock: int = 0
    memory_bus: int = 0
    cuda: tuple[int, int] = (0, 0)
    driver: str = ""
    """The driver's version, which nvidia-smi tells."""
