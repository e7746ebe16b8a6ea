"""Random kernels whose threads meet in memory, and a brute-force account of what they do.

Every thread runs the same statements: stores, loads and atomics on one shared and one global array, under conditions
on its number, with barriers and warp syncs between. Indices do not depend on values, so each thread's accesses can be
listed without running anything; two of them race when nothing orders them. Every store writes a number of its own, so
no two of them are accidentally the same.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Any

import numpy as np
from numba import cuda, int64

WARP = 32
INDICES = ("t", "(t + 1) % T", "(t + 31) % T", "(t + 32) % T", "T - 1 - t", "t // 2", "t ^ 1 if t ^ 1 < T else t", "0",
           "T - 1", "t // 32 * 32", "(t * 3) % T", "t % 4")
HEAD = """
@cuda.jit
def kernel(g, out):
    s = cuda.shared.array(T, int64)
    t = cuda.threadIdx.x
    b = cuda.blockIdx.x
    i = cuda.grid(1)
    s[t] = i
    cuda.syncthreads()
    x = 0
"""
CONDITIONS = ("", "", "", "", "t < 32", "t % 2 == 0", "t == 0", "t >= 5", "b == 0", "t < T // 2", "t % 32 == 0")


@dataclass(frozen=True)
class Step:
    """One statement: "store", "load", "atomic", "barrier" or "syncwarp"."""

    kind: str
    array: str = ""
    index: str = ""
    condition: str = ""

    def text(self, number: int) -> str:
        code = {
            "store": f"{self.array}[{self.index}] = {number} * 100000 + i",
            "load": f"x += {self.array}[{self.index}]",
            "atomic": f"cuda.atomic.add({self.array}, {self.index}, {number})",
            "barrier": "cuda.syncthreads()",
            "syncwarp": "cuda.syncwarp()",
        }[self.kind]
        return f"if {self.condition}: {code}" if self.condition else code


@dataclass(frozen=True)
class Event:
    """An access of one lane. `interval` counts its block's barriers, `turn` also its warp's syncs."""

    kind: str
    array: str
    cell: int
    lane: int
    line: int
    interval: int
    turn: int
    number: int
    order: int


@dataclass
class BarrierKernel:
    """A program for `blocks` blocks of `threads`."""

    seed: int
    blocks: int
    threads: int
    steps: list[Step]
    lines: list[int] = field(default_factory=list)

    def text(self) -> str:
        """The kernel; `lines` becomes the line of each step."""
        head = HEAD.strip().split("\n")
        self.lines = [len(head) + 1 + k for k in range(len(self.steps))]
        body = [f"    {step.text(number)}" for number, step in enumerate(self.steps, 1)]
        return "\n".join([*head, *body, "    out[i] = x", ""])

    def kernel(self) -> Any:
        names = {"cuda": cuda, "int64": int64, "T": self.threads}
        exec(compile(self.text(), f"<barriers {self.seed}>", "exec"), names)
        return names["kernel"]

    def cells(self) -> int:
        """Elements of the global array: one part for each block, and one that all share."""
        return self.threads * (self.blocks + 1)

    # ---- the account ------------------------------------------------------------------------------------------------

    def events(self) -> list[Event]:
        """Every access of every lane, lane by lane."""
        self.text()
        found = []
        for lane in range(self.blocks * self.threads):
            b, t = divmod(lane, self.threads)
            names = {"t": t, "b": b, "T": self.threads, "i": lane}
            interval = turn = 0
            for number, (step, line) in enumerate(zip(self.steps, self.lines, strict=True), 1):
                if step.kind == "barrier":
                    interval, turn = interval + 1, turn + 1
                elif step.kind == "syncwarp":
                    turn += 1
                elif not step.condition or eval(step.condition, names):
                    cell = int(eval(step.index, names))
                    where = cell + b * self.threads if step.array == "s" else cell
                    found.append(Event(step.kind, step.array, where, lane, line, interval, turn, number, len(found)))
        return found

    def races(self) -> dict[str, set[tuple[int, int]]]:
        """Array -> pairs of lines that race."""
        by_cell: defaultdict[tuple[str, int], list[Event]] = defaultdict(list)
        for event in self.events():
            by_cell[event.array, event.cell].append(event)
        found: dict[str, set[tuple[int, int]]] = {"s": set(), "g": set()}
        for (array, _), events in by_cell.items():
            for one, other in combinations(events, 2):
                if self._races(one, other):
                    found[array].add((min(one.line, other.line), max(one.line, other.line)))
        return found

    def _races(self, one: Event, other: Event) -> bool:
        if one.lane == other.lane or one.kind == other.kind != "store":
            return False
        if one.lane // self.threads != other.lane // self.threads:
            return True
        if one.interval != other.interval:
            return False
        same_warp = one.lane % self.threads // WARP == other.lane % self.threads // WARP
        return not (same_warp and one.turn != other.turn)

    def result(self) -> tuple[np.ndarray, np.ndarray]:
        """What a kernel without races leaves in `g` and `out`: its accesses one after another, in an allowed order."""
        memory = {"s": np.arange(self.blocks * self.threads), "g": np.zeros(self.cells(), np.int64)}
        out = np.zeros(self.blocks * self.threads, np.int64)
        for event in sorted(self.events(), key=lambda event: (event.interval, event.turn, event.lane, event.order)):
            if event.kind == "store":
                memory[event.array][event.cell] = event.number * 100000 + event.lane
            elif event.kind == "load":
                out[event.lane] += memory[event.array][event.cell]
            else:
                memory[event.array][event.cell] += event.number
        return memory["g"], out


def barrier_kernel(seed: int) -> BarrierKernel:
    """The kernel of a seed: about half of them race."""
    random = Random(seed)
    orderly = random.random()
    steps = []
    for _ in range(random.randint(2, 7)):
        array = random.choice("ssg")
        index = random.choice(INDICES)
        if array == "g":
            index = random.choice((f"b * T + ({index})", f"b * T + ({index})", f"T + ({index})"))
        steps.append(Step(random.choice(("store", "store", "load", "load", "load", "atomic")), array, index,
                          random.choice(CONDITIONS)))
        if random.random() < orderly:
            steps.append(Step("barrier" if random.random() < 0.75 else "syncwarp"))
    return BarrierKernel(seed, random.choice((1, 2, 3)), random.choice((32, 33, 64, 96)), steps)


def without(kernel: BarrierKernel, position: int) -> BarrierKernel:
    """The kernel with one step taken away."""
    steps = [step for place, step in enumerate(kernel.steps) if place != position]
    return BarrierKernel(kernel.seed, kernel.blocks, kernel.threads, steps)
