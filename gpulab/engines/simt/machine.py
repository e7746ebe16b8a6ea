"""Running a launch: typed program, memories, batches of blocks, and what came of it."""

from __future__ import annotations

import contextlib
import time as clock
import traceback
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpulab.engines.simt.clocks import Clocks
from gpulab.engines.simt.context import Context, LaunchState
from gpulab.engines.simt.counting import LaneTally, Tally
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported, failed
from gpulab.engines.simt.findings import Findings
from gpulab.engines.simt.geometry import Geometry, extent
from gpulab.engines.simt.memory import ArrayView, global_views
from gpulab.engines.simt.outcomes import restore, snapshot, with_outcomes
from gpulab.engines.simt.picturing import PictureRecorder
from gpulab.engines.simt.recording import Recorder
from gpulab.engines.simt.schedule import Schedule
from gpulab.engines.simt.shadow import Shadow
from gpulab.engines.simt.stops import Stuck, TimeLimit, UnsupportedHere
from gpulab.trace import Counters, Counting, Element, Finding, Run

LANES_AT_ONCE = 32768
"""Lanes of a batch: measured as the sweet spot between NumPy's call overhead and the caches."""

MOST_THREADS = 1024
"""Threads of a block (CUDA C++ Programming Guide, "Compute Capabilities")."""


@dataclass(frozen=True)
class Prepared:
    """A launch that can be run, and run again: the program and its arguments as the program takes them."""

    program: Any
    names: tuple[str, ...]
    arguments: tuple[Any, ...]
    views: dict[str, ArrayView]
    grid: tuple[int, int, int]
    block: tuple[int, int, int]


def launch(
    kernel: Any,
    blocks: Any,
    threads: Any,
    args: Sequence[Any],
    *,
    shared_bytes: int = 0,
    findings: bool = True,
    counters: Counting = True,
    values: bool | Collection[Element] = False,
    order: int | None = None,
    time_limit: float | None = None,
    uninitialised: Sequence[Any] = (),
    picture: bool = False,
) -> Run:
    """Run one launch. Array arguments are updated in place; `uninitialised` ones count as never written.

    `order` is a seed that shuffles the order of blocks. Raises `DoesNotCompile`, `Unsupported`, and `ValueError` or
    `TypeError` for a launch no GPU would take.
    """
    started = clock.perf_counter()
    prepared = prepare(kernel, blocks, threads, args)
    options = Options(
        shared_bytes,
        findings,
        counters,
        bool(values),
        order,
        None if time_limit is None else clock.monotonic() + time_limit,
        tuple(uninitialised),
        picture,
    )
    before = snapshot(prepared.views) if values or prepared.program.spins else None
    try:
        state = _in_lockstep(prepared, options)
    except Stuck:
        assert before is not None
        restore(prepared.views, before)
        state = _with_fair_turns(prepared, options)
    found = state.findings.found if findings else []
    if values and before is not None:
        found = with_outcomes(prepared, found, before, shared_bytes)
    return Run(
        prepared.program.function.name,
        prepared.grid,
        prepared.block,
        found,
        state.findings.notes,
        state.tally.result() if state.tally else Counters(),
        len(state.shared_names),
        sum(state.shared_names.values()),
        clock.perf_counter() - started,
        "".join(f"{line}\n" for line in state.printed),
        state.recorder.trace(prepared.views, values) if isinstance(state.recorder, Recorder) else None,
        state.recorder.picture() if isinstance(state.recorder, PictureRecorder) else None,
    )


_TALLIES: dict[Counting, Callable[[], Tally | None]] = {True: Tally, "lanes": LaneTally, False: lambda: None}


@dataclass(frozen=True)
class Options:
    """How a launch is watched. `deadline` is on the monotonic clock."""

    shared_bytes: int
    findings: bool
    counters: Counting
    values: bool
    order: int | None
    deadline: float | None
    uninitialised: tuple[Any, ...]
    picture: bool = False


def _state(prepared: Prepared, options: Options) -> LaunchState:
    grid, block = prepared.grid, prepared.block
    state = LaunchState(
        Findings(grid, block),
        _TALLIES[options.counters](),
        _clocks(grid, block, prepared.program.parts_warps),
        options.findings,
        options.shared_bytes,
        options.deadline,
        spins=prepared.program.spins,
    )
    _watch(prepared, state, options.uninitialised if options.findings else ())
    for note in prepared.program.notes:
        state.findings.note(note.kind, note.message, note.line)
    return state


def _recorder(prepared: Prepared, options: Options) -> Any:
    """Who listens: to draw everything, to trace values, or nobody."""
    if options.picture:
        return PictureRecorder(prepared.grid, prepared.block, prepared.views)
    return Recorder(prepared.program.feeds) if options.values else None


def _in_lockstep(prepared: Prepared, options: Options) -> LaunchState:
    state = _state(prepared, options)
    state.recorder = _recorder(prepared, options)
    with _limits(state, prepared):
        run_lockstep(prepared, state, options.order)
    return state


def _with_fair_turns(prepared: Prepared, options: Options) -> LaunchState:
    """Warp by warp, each a turn at a time: for kernels that wait for other threads."""
    state = _state(prepared, options)
    state.recorder = _recorder(prepared, options)
    schedule = Schedule(prepared, state, fair=True)
    with _limits(state, prepared):
        schedule.run()
    group = schedule.stuck_group
    if schedule.hung is not None and group is not None:
        lane = group.context.geometry.lane[schedule.hung.mask.lanes(group.context.geometry.count)[0]]
        state.findings.never_ends(group.context.geometry, schedule.hung.line, int(lane))
    return state


@contextlib.contextmanager
def _limits(state: LaunchState, prepared: Prepared) -> Iterator[None]:
    """What ends a run early, as a finding or a refusal; that our own code failed is a refusal too, with its line."""
    try:
        yield
    except (Stuck, Unsupported, DoesNotCompile, MemoryError):
        raise
    except TimeLimit as limit:
        state.findings.add(
            Finding("timed out", f"The kernel was still running on line {limit.line} when its time was up.", limit.line)
        )
    except UnsupportedHere as refusal:
        raise Unsupported(str(refusal)) from None
    except Exception as error:
        raise Unsupported(f"this line: {failed(error)}", _line_of(error, prepared)) from error


def _line_of(error: Exception, prepared: Prepared) -> int | None:
    """The kernel's line that was running."""
    lines = [line for frame, line in traceback.walk_tb(error.__traceback__)
             if frame.f_code.co_filename == prepared.program.function.file]
    return lines[-1] if lines else None


def prepare(kernel: Any, blocks: Any, threads: Any, args: Sequence[Any]) -> Prepared:
    """Compile for these arguments and wrap them."""
    from gpulab.engines.simt.frontend import is_dispatcher, plain, type_of
    from gpulab.engines.simt.programs import program_for

    if not is_dispatcher(kernel):
        raise TypeError(f"{getattr(kernel, '__name__', kernel)!r} is not a kernel: decorate it with @cuda.jit")
    grid, block = extent(blocks), extent(threads)
    if block[0] * block[1] * block[2] > MOST_THREADS:
        raise ValueError(f"a block has at most {MOST_THREADS} threads, not {block[0] * block[1] * block[2]}")
    code = kernel.py_func.__code__
    names = code.co_varnames[: code.co_argcount]
    if len(args) != len(names):
        raise TypeError(f"{kernel.py_func.__name__} takes {len(names)} arguments, not {len(args)}")
    kinds = _declared(kernel, names, tuple(plain(type_of(value)) for value in args))
    program = program_for(kernel.py_func, kinds, kernel=True)
    views = global_views(
        [(name, value) for name, value in zip(names, args, strict=True) if isinstance(value, np.ndarray)]
    )
    wrapped = tuple(
        views[name] if name in views else _scalar(value, kind)
        for name, value, kind in zip(names, args, kinds, strict=True)
    )
    return Prepared(program, names, wrapped, views, grid, block)


def _declared(kernel: Any, names: tuple[str, ...], given: tuple[Any, ...]) -> tuple[Any, ...]:
    """The types to compile for: where the kernel has explicit signatures, numbers are converted to those of one.

    Raises `DoesNotCompile` where no signature takes the arrays given: on a GPU their bytes would be misread.
    """
    if kernel._can_compile or not kernel.overloads:
        return given
    for signature in sorted(kernel.overloads, key=lambda signature: not _same_numbers(signature, given)):
        if len(signature) == len(given) and all(map(_takes, signature, given)):
            return tuple(
                kind if hasattr(kind, "ndim") else wanted for wanted, kind in zip(signature, given, strict=True)
            )
    signature = next(iter(kernel.overloads))
    wrong = next((i for i, pair in enumerate(zip(signature, given, strict=False)) if not _takes(*pair)), 0)
    raise DoesNotCompile(
        f"The signature declares {names[wrong]} as {_spelled(signature[wrong])}, but it gets {_spelled(given[wrong])}.",
        kernel.py_func.__code__.co_firstlineno,
    )


def _same_numbers(signature: tuple[Any, ...], given: tuple[Any, ...]) -> bool:
    """Whether a signature declares exactly the numbers given: it goes before one that would convert them."""
    return all(hasattr(wanted, "ndim") or wanted == kind for wanted, kind in zip(signature, given, strict=False))


def _takes(declared: Any, given: Any) -> bool:
    """Whether an argument of type `given` may be handed to a parameter of type `declared`."""
    if hasattr(declared, "ndim") != hasattr(given, "ndim"):
        return False
    return not hasattr(declared, "ndim") or (declared.ndim, declared.dtype) == (given.ndim, given.dtype)


def _spelled(kind: Any) -> str:
    """A type as a signature spells it: float32[:, :]."""
    return f"{kind.dtype}[{', '.join(':' * kind.ndim)}]" if hasattr(kind, "ndim") else str(kind)


def _scalar(value: Any, kind: Any) -> Any:
    if isinstance(value, tuple):  # first: a UniTuple has a dtype, too
        return tuple(_scalar(item, item_kind) for item, item_kind in zip(value, kind, strict=True))
    if value is None or (
        not hasattr(kind, "bitwidth")
        and not hasattr(kind, "dtype")
        and not isinstance(value, (bool, int, float, complex, np.generic))
    ):
        return value
    return np.dtype(str(kind) if str(kind) != "bool" else "bool").type(value)


def _clocks(grid: tuple[int, int, int], block: tuple[int, int, int], parts_warps: bool = False) -> Clocks:
    threads = block[0] * block[1] * block[2]
    return Clocks(grid[0] * grid[1] * grid[2], -(-threads // 32), threads, parts_warps)


def _watch(prepared: Prepared, state: LaunchState, uninitialised: Sequence[Any]) -> None:
    """Give fresh shadow cells to the memories the kernel may write to."""
    for view in prepared.views.values():
        view.memory.shadow = view.memory.initialised = None
    if not state.check:
        return
    stored = prepared.program.stores_to
    fresh = {id(array) for array in uninitialised}
    for position, name in enumerate(prepared.names):
        if name not in prepared.views:
            continue
        memory = prepared.views[name].memory
        if (stored is None or position in stored) and memory.shadow is None:
            memory.shadow = Shadow(len(memory.cells), state.clocks, across_blocks=True)
        if any(id(array) in fresh for array in memory.keep_alive):
            memory.initialised = np.zeros(len(memory.cells), np.bool_)


def run_lockstep(prepared: Prepared, state: LaunchState, order: int | None) -> None:
    """All blocks, as many at a time as fit a batch."""
    threads = prepared.block[0] * prepared.block[1] * prepared.block[2]
    total = prepared.grid[0] * prepared.grid[1] * prepared.grid[2]
    numbers = np.arange(total)
    if order is not None:
        np.random.default_rng(order).shuffle(numbers)
    per_batch = max(1, LANES_AT_ONCE // threads)
    with np.errstate(all="ignore"):
        for start in range(0, total, per_batch):
            batch = numbers[start : start + per_batch]
            lane = (batch[:, None] * threads + np.arange(threads)).reshape(-1)
            context = Context(state, Geometry(prepared.grid, prepared.block, lane, batch))
            for _ in prepared.program.run(context, context.everyone, *prepared.arguments):
                raise AssertionError("a program in lockstep waits for nobody")
