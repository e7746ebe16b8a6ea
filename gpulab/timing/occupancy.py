"""How many blocks of a kernel a multiprocessor holds at once, and what limits it: from its resources alone.

Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"; granularities as in NVIDIA's
occupancy calculator (cuda_occupancy.h).
"""

from __future__ import annotations

from dataclasses import dataclass

WARP = 32
REGISTERS = 65536
"""Of a multiprocessor, since compute capability 5.0."""
REGISTER_UNIT = 256
"""Registers are given to a warp in units of so many."""
PARTS = 4
"""A multiprocessor's registers lie in so many files, and a warp's all in one."""
SHARED_UNIT = 128


@dataclass(frozen=True)
class Multiprocessor:
    """What one multiprocessor can hold; `shared` is in bytes, `reserved` what the system takes of it for each block."""

    threads: int
    blocks: int
    shared: int
    reserved: int = 1024


_KNOWN = {
    (7, 0): Multiprocessor(2048, 32, 96 << 10, 0),
    (7, 5): Multiprocessor(1024, 16, 64 << 10, 0),
    (8, 0): Multiprocessor(2048, 32, 164 << 10),
    (8, 6): Multiprocessor(1536, 16, 100 << 10),
    (8, 7): Multiprocessor(1536, 16, 164 << 10),
    (8, 9): Multiprocessor(1536, 24, 100 << 10),
    (9, 0): Multiprocessor(2048, 32, 228 << 10),
    (10, 0): Multiprocessor(2048, 32, 228 << 10),
    (12, 0): Multiprocessor(1536, 24, 100 << 10),
}


@dataclass(frozen=True)
class Occupancy:
    """`blocks` fit at once; `part` is the share of the multiprocessor's threads that they are, 0 to 1."""

    blocks: int
    part: float
    limits: dict[str, int]
    """What would fit if nothing else counted: "threads", "blocks", "registers", "shared memory"."""

    @property
    def limited_by(self) -> tuple[str, ...]:
        """What is used up first."""
        return tuple(name for name, fit in self.limits.items() if fit == self.blocks)


def occupancy(capability: tuple[int, int], threads: int, registers: int, shared: int) -> Occupancy | None:
    """Of blocks of `threads` threads with so many registers each and `shared` bytes a block, dynamic ones included.

    None for a compute capability that is not known here.
    """
    holds = _KNOWN.get(capability)
    if holds is None:
        return None
    warps = -(-threads // WARP)
    limits = {
        "threads": holds.threads // WARP // warps,
        "blocks": holds.blocks,
        "registers": _by_registers(registers, warps, holds),
        "shared memory": holds.shared // _rounded(shared + holds.reserved, SHARED_UNIT) if shared or holds.reserved
        else holds.blocks,
    }
    blocks = min(limits.values())
    return Occupancy(blocks, blocks * warps * WARP / holds.threads, limits)


def _by_registers(registers: int, warps: int, holds: Multiprocessor) -> int:
    if registers == 0:
        return holds.blocks
    a_warp = _rounded(registers * WARP, REGISTER_UNIT)
    return REGISTERS // PARTS // a_warp * PARTS // warps


def _rounded(size: int, unit: int) -> int:
    return -(-size // unit) * unit
