"""What puzzle authors write against: cases, launch, budget and bench, as data.

A `spec.py` defines `cases(rng)`, `reference(...)` and `PUZZLE`. It is executed in a
worker only and may import anything; NumPy is imported here and nowhere above.

    TILE = 64

    def cases(rng):
        for n in sizes(TILE):
            yield Case(a=normal(rng, n), out=empty(n), n=n)

    def reference(a, n):
        return sum(np.pad(a.astype(np.float64), (k, 0))[:n] for k in range(3))

    PUZZLE = NumbaPuzzle(kernel="pool", args="out a n", launch=one_thread_per("out", TILE),
                         budget=Budget(global_loads_per_output=1.04, needed=True, idea="..."))
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from gpulab.catalog.bfloat16 import BFLOAT16 as BFLOAT16
from gpulab.catalog.bfloat16 import bfloat16 as bfloat16

Array = npt.NDArray[Any]

CASE_RULES = ("1", "tile - 1", "tile", "tile + 1", "three blocks", "co-prime shapes")
"""What the sizes of every puzzle's cases must contain, unless `exempt` says why not."""


@dataclass(frozen=True)
class Output:
    """An array the kernel must fill. Poisoned before every run unless `initial` says what it holds.

    `order` is the memory layout ("C" or "F"). An output with `initial` counts as written when
    it holds the right values.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    initial: Array | None = None
    order: str = "C"


def empty(shape: int | tuple[int, ...], dtype: npt.DTypeLike = np.float32, order: str = "C") -> Output:
    """An output of this shape; float32 unless said otherwise (`BFLOAT16` for bfloat16)."""
    return Output((shape,) if isinstance(shape, int) else tuple(shape), np.dtype(dtype), order=order)


def starting_as(initial: Array) -> Output:
    """An output the kernel updates: it holds `initial` when the kernel starts (a zeroed histogram, say)."""
    return Output(initial.shape, initial.dtype, initial=initial)


@dataclass(frozen=True)
class Launch:
    """A launch configuration; `shared_bytes` is dynamic shared memory."""

    blocks: tuple[int, ...]
    threads: tuple[int, ...]
    shared_bytes: int = 0


class Case:
    """One input of a puzzle: named arrays, scalars and `Output`s.

    `sizes` is what the learner sees above the case's mark; left out, it is the integer arguments, or where
    there is none the lengths of the first output. `launch` overrides the puzzle's launch for this case. `tags` says
    what an odd case is there for ("Fortran order"). `launches` is the most kernel launches a host puzzle may make in
    this case (0 where there is nothing to do); more is `not allowed`.
    """

    def __init__(self, *, sizes: Mapping[str, int] | None = None, launch: Launch | None = None, tags: str = "",
                 launches: int | None = None, **args: Any) -> None:
        self.args = args
        self.launch = launch
        self.tags = tags
        self.launches = launches
        self.drawn = False
        """Whether its size was drawn: see `drawn`."""
        self.sizes = dict(sizes) if sizes is not None else _sizes_of(args)

    @property
    def inputs(self) -> dict[str, Any]:
        """Arguments that are not outputs: what `reference` is called with."""
        return {name: value for name, value in self.args.items() if not isinstance(value, Output)}

    @property
    def outputs(self) -> dict[str, Output]:
        return {name: value for name, value in self.args.items() if isinstance(value, Output)}

    @property
    def elements(self) -> int:
        """Elements of all outputs together: what budgets "per output" divide by."""
        return sum(int(np.prod(output.shape)) for output in self.outputs.values())


def _sizes_of(args: Mapping[str, Any]) -> dict[str, int]:
    scalars = {name: int(value) for name, value in args.items()
               if isinstance(value, (int, np.integer)) and not isinstance(value, bool)}
    if scalars:
        return scalars
    shape = next((value.shape for value in args.values() if isinstance(value, Output)), ())
    names = ("n",) if len(shape) == 1 else ("rows", "columns", "depth")
    return dict(zip(names, (int(extent) for extent in shape), strict=False))


def sizes(tile: int, *, most: int = 1000) -> tuple[int, ...]:
    """Lengths that find faults at tile edges: 1, 2, 3, tile -1, tile, tile + 1, three blocks, and `most`."""
    wanted = {1, 2, 3, tile - 1, tile, tile + 1, 2 * tile + 1, 3 * tile, most}
    return tuple(sorted(n for n in wanted if 0 < n <= max(most, 3 * tile)))


def larger(rng: np.random.Generator, than: int, most: int | None = None) -> int:
    """A length that no file can have been written for: drawn above `than`, up to half as much again (or to `most`)."""
    return int(rng.integers(than + 1, (than + than // 2 + 1 if most is None else most) + 1))


def drawn(case: Case) -> Case:
    """Mark a case whose size was drawn: it is judged like the others, but budgets are counted on one that stays."""
    case.drawn = True
    return case


def shapes(tile: int | tuple[int, int]) -> tuple[tuple[int, int], ...]:
    """(rows, columns) that find faults at tile edges and swapped axes; the larger are co-prime and not square."""
    rows, columns = (tile, tile) if isinstance(tile, int) else tile
    return (
        (1, 1), (1, 3), (2, 1), (rows - 1, columns + 1), (rows, columns), (rows + 1, columns - 1),
        (2 * rows + 3, columns + 2), (3 * rows, 2 * columns), (3 * rows + 1, 3 * columns + 5),
    )


def normal(rng: np.random.Generator, *shape: int) -> npt.NDArray[np.float32]:
    """Distinct float32 values from a standard normal distribution."""
    return rng.standard_normal(shape, np.float32)


Launcher = Callable[[Mapping[str, Any]], Launch]


def one_program_per(name: str, *tile: str | int) -> Launcher:
    """Of Triton: a program for each tile of argument `name`, axis 0 of the grid along its first axis.

    `tile` has an extent for each axis, or the name of the constant that holds it: `one_program_per("out", "BLOCK")`.
    """

    def launch(args: Mapping[str, Any]) -> Launch:
        extents = tuple(int(args[extent] if isinstance(extent, str) else extent) for extent in tile)
        shape = args[name].shape
        return Launch(tuple(max(1, -(-length // per)) for length, per in zip(shape, extents, strict=False)), extents)

    return launch


def one_program_per_row(name: str) -> Launcher:
    """Of Triton: a program for each row of the two-dimensional argument `name`."""
    return lambda args: Launch((int(args[name].shape[0]),), (1,))


def one_thread_per(name: str, threads: int | tuple[int, ...]) -> Launcher:
    """A thread per element of argument `name`. In two dimensions x runs along the columns."""
    per_block = (threads,) if isinstance(threads, int) else tuple(threads)

    def launch(args: Mapping[str, Any]) -> Launch:
        shape = args[name].shape[::-1]
        return Launch(tuple(max(1, -(-extent // per)) for extent, per in zip(shape, per_block, strict=True)), per_block)

    return launch


def one_block_of(name: str) -> Launcher:
    """A single block with a thread per element of the one-dimensional argument `name` (at most 1024)."""
    return lambda args: Launch((1,), (int(args[name].shape[0]),))


def fixed(blocks: int | tuple[int, ...], threads: int | tuple[int, ...], shared_bytes: int = 0) -> Launcher:
    """The same launch for every case."""
    grid = (blocks,) if isinstance(blocks, int) else tuple(blocks)
    block = (threads,) if isinstance(threads, int) else tuple(threads)
    return lambda args: Launch(grid, block, shared_bytes)


class Budget:
    """Limits on counters for the second star, counted over all blocks of the largest case whose size is not drawn.

    Each keyword is the name of a counter (`gpulab.trace.COUNTERS`) or of a sum of two (`gpulab.catalog.budgets.SUMS`:
    `bank_conflicts`, `global_bytes`...), alone or with `_per_output`, `_per_block`, `_per_program` (of Triton),
    `_per_warp` or `_per_thread`; what requests have also with `_per_request` (`global_load_sectors_per_request=4`),
    `atomic_conflicts` with `_per_atomic`.
    Its value is the most that is allowed, but of `active_lanes_percent` the least. Counts are as written. `launches`
    limits kernel launches, `uses_shared=True` asks for a shared array. `needed` says that the puzzle is not passed
    without this star. `idea` is the cure, said when the budget is passed.
    """

    def __init__(self, *, needed: bool = False, idea: str = "", uses_shared: bool = False,
                 launches: int | None = None, **limits: float) -> None:
        self.needed = needed
        self.idea = idea
        self.uses_shared = uses_shared
        self.launches = launches
        self.limits = limits


@dataclass(frozen=True)
class Bench:
    """What is timed on a GPU for the third star.

    `sizes` are the size arguments of `make(rng, **sizes) -> Case`; `bytes_moved` and `flops` take the same
    and say the least that the problem needs. `fast` is the fraction asked of the limit that binds ("copy" or
    "float32"), or a ratio to `baseline`.
    """

    sizes: Mapping[str, int]
    make: Callable[..., Case]
    bytes_moved: Callable[..., int] | None = None
    flops: Callable[..., int] | None = None
    limit: str = "copy"
    fast: float | None = None
    baselines: Mapping[str, Callable[..., Any]] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """The bug of the starter, where finding it is the puzzle: the learner names one of `lines`, and `kind`.

    `lines` are those of starter.py, every one that a reasonable reader may name; `kind` is one of
    `gpulab.catalog.hunt.KINDS`. Until both are found a check says only whether the code passes.
    """

    lines: tuple[int, ...]
    kind: str


@dataclass(frozen=True)
class Tolerance:
    """`|got - expected| <= absolute + relative * |expected|`; exact for integers whatever is set."""

    relative: float = 1e-5
    absolute: float = 1e-6


def summing(name: str) -> Callable[[Mapping[str, Any]], Tolerance]:
    """The tolerance of float32 sums of as many normal values as argument `name` says (or is long).

    A running sum of n such values has magnitude sqrt(n), each of n additions rounds it by up to 2**-24 of that, and the
    rounding errors add up like a random walk: about 3e-8 n. Six times as much is allowed.
    """

    def tolerance(args: Mapping[str, Any]) -> Tolerance:
        value = args[name]
        length = int(value.shape[-1]) if isinstance(value, (np.ndarray, Output)) else int(value)
        return Tolerance(relative=1e-5, absolute=max(1e-6, 2e-7 * length))

    return tolerance


@dataclass(frozen=True)
class NumbaPuzzle:
    """A puzzle solved by a Numba CUDA kernel, or by a host function that launches the learner's kernels.

    Exactly one of `kernel` and `host` names the function in the learner's file; `args` its parameters in
    order. A `host` function gets device arrays and launches what it likes; a `kernel` is launched with `launch`.
    `threads_must` and `forbidden` are rules beyond the values (names of `cuda` attributes that may not be used).
    """

    args: str
    kernel: str | None = None
    host: str | None = None
    launch: Launcher | None = None
    budget: Budget | None = None
    bench: Bench | None = None
    tolerance: Tolerance | Callable[[Mapping[str, Any]], Tolerance] = Tolerance()
    forbidden: tuple[str, ...] = ()
    answer: Answer | None = None
    """What the learner's ANSWER must name; the statement's front matter then says `hunt: true`."""
    picture: Callable[[np.random.Generator], Case] | None = None
    """The small case that is drawn; left out, the smallest with several blocks (`gpulab.judge.picturing`)."""
    time_limit: float = 10.0
    """Seconds for one case in the simulator before the verdict is `timed out`."""
    tile: int | tuple[int, ...] | None = None
    """Threads of a block, x first, where no `launch` says so: what `gpulab verify` holds the cases' sizes against."""
    exempt: Mapping[str, str] = field(default_factory=dict)
    """Case rules that do not apply here ("tile + 1", "three blocks", ...) and why, for `gpulab verify`."""
    decorator: ClassVar[str] = "cuda.jit"
    """What makes a function of the learner's file a kernel."""
    programs: ClassVar[bool] = False
    """Whether programs run it, and not threads."""

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(self.args.split())


@dataclass(frozen=True)
class TritonPuzzle(NumbaPuzzle):
    """A puzzle solved by a Triton kernel. All that is asked of a Numba puzzle is asked of it too, in the same words.

    `args` names the kernel's parameters in order, its constants (`tl.constexpr`) among them: a case gives each of them
    an int. A `Launch` is the grid of programs, and in `threads` the tile of the output that one of them owns, from
    which the judge reads whose elements are wrong. `tile` is what `gpulab verify` holds the sizes against, where that
    is another one.
    """

    decorator: ClassVar[str] = "triton.jit"
    programs: ClassVar[bool] = True


@dataclass(frozen=True)
class Spec:
    """A loaded `spec.py`: the puzzle's data and its two functions."""

    puzzle: NumbaPuzzle
    cases: Callable[[np.random.Generator], Iterator[Case]]
    reference: Callable[..., Any]
