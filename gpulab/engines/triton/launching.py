"""One launch: all programs at once, parted where they go different ways, looked at for faults."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.triton.counting import Counter
from gpulab.engines.triton.errors import Diverged, Stopped, TimeLimit
from gpulab.engines.triton.findings import Findings
from gpulab.engines.triton.internals import Language, language
from gpulab.engines.triton.machine import Machine
from gpulab.engines.triton.numbers import BY_DTYPE, kind_of
from gpulab.engines.triton.space import Array, Space
from gpulab.trace import Coordinates, Counting, Element, Run, ValueTrace

MOST_TOGETHER = 1024
"""Programs that run at once: more need more memory than they save time."""

FILLS = (-1.7e3, 3.1e3, float("nan"), 3e38, -3e38)
"""What lanes that a mask left out hold in further runs: a maximum passes over small numbers and NaN, a minimum over
large ones, a sum over none. A comparison with a threshold passes over all that lie on one side of it."""


@dataclass
class _Launch:
    """A launch under way."""

    kernel: Any
    arguments: dict[str, Any]
    machine: Machine
    language: Language
    function: Callable[..., Any] = field(init=False)

    def __post_init__(self) -> None:
        self.function = self.language.body(self.kernel.fn)

    def run(self, programs: np.ndarray[Any, np.dtype[np.int32]]) -> None:
        """Run these programs, in their order. Raises `Stopped`, `TimeLimit`, `Unsupported`."""
        for start in range(0, len(programs), MOST_TOGETHER):
            self._together(programs[start:start + MOST_TOGETHER])

    def _together(self, programs: np.ndarray[Any, np.dtype[np.int32]]) -> None:
        """Run them as one; where they part, undo all and run each group alone."""
        waiting = [programs]
        while waiting:
            group = waiting.pop(0)
            before = _State(self.machine) if len(group) > 1 else None
            self.machine.programs = group
            try:
                self._call()
            except Diverged as parting:
                assert before is not None
                before.restore(self.machine)
                waiting[:0] = _groups(group, parting.values)

    def _call(self) -> None:
        try:
            self.function(**self.arguments)
        except (Diverged, TimeLimit, Unsupported):
            raise
        except DoesNotCompile as error:
            raise DoesNotCompile(error.message, self._line(error)) from error
        except RecursionError as error:
            raise Stopped("RecursionError: the kernel calls itself", self._line(error)) from error
        except Exception as error:
            raise Stopped(_one_line(error), self._line(error)) from error

    def _line(self, error: BaseException) -> int | None:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
                 if frame.filename == self.machine.file]
        return lines[-1] if lines else None


def _groups(programs: np.ndarray[Any, Any], values: np.ndarray[Any, Any]) -> list[np.ndarray[Any, Any]]:
    """The programs by their value; the group of the first program first."""
    _, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    return [programs[inverse.reshape(-1) == at] for at in np.argsort(first)]


class _State:
    """All that a run changes, as it was."""

    def __init__(self, machine: Machine) -> None:
        self._memory = machine.space.contents()
        self._findings, self._counter = machine.findings.copy(), machine.counter.copy()
        self._order = machine.order.copy()
        self._shadows = {number: shadow.copy() for number, shadow in machine.shadows.items()}
        self._left_open = dict(machine.left_open)
        self._values = {element: list(writes) for element, writes in machine.values.writes.items()}

    def restore(self, machine: Machine) -> None:
        machine.space.restore(self._memory)
        machine.findings, machine.counter = self._findings, self._counter
        machine.shadows, machine.left_open, machine.order = self._shadows, self._left_open, self._order
        machine.values.writes = self._values


def launch(
    kernel: Any,
    grid: Sequence[int],
    arguments: dict[str, Any],
    *,
    names: dict[str, str] | None = None,
    findings: bool = True,
    counters: Counting = True,
    values: bool | Collection[Element] = False,
    order: int | None = None,
    time_limit: float | None = None,
) -> Run:
    """Run a Triton kernel; NumPy arrays and torch tensors (on the CPU) among `arguments` are updated in place.

    `names` says what a parameter's tensor is called, where not as the parameter. The other words are those of
    `gpulab.simulate`; of `values` only an element's stores are kept. Raises `Unsupported`, `DoesNotCompile`, `Stopped`.
    """
    words = language()
    extent = _grid(grid)
    space = Space()
    constants = words.constants(kernel)
    given = {name: _argument(words, space, (names or {}).get(name, name), value, name in constants)
             for name, value in arguments.items()}
    programs = _programs(extent, order)
    deadline = time.monotonic() + time_limit if time_limit is not None else float("inf")
    wanted = values if isinstance(values, Collection) else ()
    machine = Machine(space, extent, kernel.fn.__code__.co_filename, Findings(extent), Counter(counters), findings,
                      deadline, wanted=wanted)
    before = space.contents() if findings else []
    one = _Launch(kernel, given, machine, words)
    start = time.perf_counter()
    words.enter()
    words.builder.machine = machine
    try:
        with np.errstate(all="ignore"):
            _run(one, programs)
            if findings and machine.left_open and machine.leaks and not machine.findings.found:
                _look_behind_masks(one, programs, before)
    finally:
        words.builder.machine = None
        words.leave()
    return Run(kernel.fn.__name__, extent, (1, 1, 1), machine.findings.found, machine.findings.notes,
               machine.counter.counters(), seconds=time.perf_counter() - start,
               values=machine.values if values else None, unit="program")


def _run(one: _Launch, programs: Any) -> None:
    try:
        one.run(programs)
    except TimeLimit as limit:
        one.machine.findings.timed_out(int(one.machine.programs[0]), limit.line)


def _look_behind_masks(one: _Launch, programs: Any, before: list[Array]) -> None:
    """Run again with other values where loads left lanes without one: no element of any tensor may change."""
    machine = one.machine
    after, kept = machine.space.contents(), (machine.findings, machine.counter, machine.look, machine.values,
                                             machine.wanted)
    lines = sorted(machine.left_open)
    machine.look, machine.counter, machine.wanted = False, Counter(False), ()
    try:
        found = _first_change(one, programs, before, after, None)
        if found is not None:
            told = ((line, _first_change(one, programs, before, after, line)) for line in lines)
            line, found = next(((line, place) for line, place in told if place is not None), (lines[0], found))
            _tell(one, programs, before, line, found, kept[0])
    except (Stopped, TimeLimit):
        pass  # with values that no GPU has there: nobody's fault
    finally:
        machine.findings, machine.counter, machine.look, machine.values, machine.wanted = kept
        machine.fill, machine.filled = 0.0, None
        machine.space.restore(after)


def _first_change(one: _Launch, programs: Any, before: list[Array], after: list[Array],
                  line: int | None) -> tuple[int, int, float] | None:
    """(tensor's place, byte, fill) of the first difference that a fill makes, of the loads on `line` alone."""
    machine = one.machine
    machine.filled = None if line is None else frozenset((line,))
    for fill in FILLS:
        machine.space.restore(before)
        machine.fill = fill
        one.run(programs)
        for place, (tensor, memory) in enumerate(zip(machine.space.tensors, after, strict=True)):
            differs = tensor.memory != memory
            if differs.any():
                return place, int(np.argmax(differs)), fill
    return None


def _tell(one: _Launch, programs: Any, before: list[Array], line: int, found: tuple[int, int, float],
          findings: Findings) -> None:
    """Say which element it is, and who stores it where."""
    machine = one.machine
    place, byte, machine.fill = found
    tensor = machine.space.tensors[place]
    index = tensor.index(byte // tensor.itemsize * tensor.itemsize + tensor.low)
    machine.wanted, machine.values, machine.look = [(tensor.name, index)], ValueTrace(), False
    machine.space.restore(before)
    one.run(programs)
    write = machine.values.writer(tensor.name, index)
    program = write.block if write else (0, 0, 0)
    x, y, _ = machine.grid
    findings.masked_out(line, tensor.name, index, program[0] + x * (program[1] + y * program[2]),
                        write.line if write else line)


def _grid(grid: Sequence[int]) -> Coordinates:
    x, y, z = (*(int(extent) for extent in grid), 1, 1)[:3]
    return x, y, z


def _programs(grid: Coordinates, order: int | None) -> Any:
    count = grid[0] * grid[1] * grid[2]
    if order is None:
        return np.arange(count, dtype=np.int32)
    return np.random.Generator(np.random.PCG64(order)).permutation(count).astype(np.int32)


def _argument(words: Language, space: Space, name: str, value: Any, constant: bool) -> Any:
    """The argument as the kernel gets it; an array becomes a pointer."""
    if isinstance(value, np.ndarray):
        kind = kind_of(value.dtype)
        tensor = space.add(name, kind, value.shape, value.strides, value.__array_interface__["data"][0], value)
        return words.pointer(tensor.base, kind)
    if hasattr(value, "data_ptr"):
        kind = _KINDS[str(value.dtype)]
        size = value.element_size()
        strides = tuple(stride * size for stride in value.stride())
        tensor = space.add(name, kind, tuple(value.shape), strides, value.data_ptr(), value)
        return words.pointer(tensor.base, kind)
    return words.argument(value, constant)


_KINDS = {f"torch.{name}": kind for name, kind in BY_DTYPE.items()} | {"torch.bfloat16": "bf16"}


def _one_line(error: BaseException) -> str:
    return " ".join(traceback.format_exception_only(type(error), error)[-1].split())
