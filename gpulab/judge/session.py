"""What the judge asks of the process that runs the learner's code, and what comes back.

The session itself (`gpulab.runner.learner`) talks to the learner process; a test may put plain Python in its place.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from gpulab.trace.counters import Counting
from gpulab.trace.model import Note, Run
from gpulab.trace.values import Element

if TYPE_CHECKING:
    from gpulab.catalog.spec import Launch
    from gpulab.engines.simt.host.session import LaunchSite, Tampering, Transfer
    from gpulab.judge.memory import Placed
    from gpulab.timing.model import Measured, Plan
    from gpulab.trace.device import Device


@dataclass(frozen=True)
class Problem:
    """What stopped the learner's code. `kind` is a verdict word.

    Of a file: "does not compile", "raised", "crashed", "timed out". Of a run, also "unsupported" (`construct`
    says what) and "environment". `message` is Python's or Numba's own, one line; `line` the learner's line.
    """

    kind: str
    message: str
    line: int | None = None
    traceback: str = ""
    """Python's, cut to the learner's own frames."""
    construct: str = ""
    of_all_cases: bool = False
    """Of "timed out": the time for all cases together is spent; this one need not have taken much of it."""


@dataclass(frozen=True)
class Function:
    """One top-level name of the learner's file that can be called.

    `kind` is "kernel" (a `@cuda.jit` dispatcher), "device function" or "function" (plain Python).
    """

    name: str
    kind: str
    parameters: tuple[str, ...]
    line: int | None = None
    required: int | None = None
    """How many of the parameters have no default value; None where all are required."""
    rest: bool = False
    """Whether it takes any number of arguments beyond these: `*args`."""


@dataclass(frozen=True)
class Answered:
    """`ANSWER = (line, kind)` as the learner's file sets it, or in `amiss` what it is instead ("a list")."""

    line: int = 0
    kind: str = ""
    amiss: str = ""


@dataclass(frozen=True)
class Loaded:
    """The learner's file, imported: its functions by name, or what stopped it."""

    functions: Mapping[str, Function] = field(default_factory=dict)
    problem: Problem | None = None
    seconds: float = 0.0
    answer: Answered | None = None
    """None where the file sets no ANSWER, or sets it to None."""
    device: Device | None = None
    """The GPU that it will run on, of an engine that has one."""


@dataclass
class HostRecord:
    """What a host function did: its launches in order, and every time it touched device memory itself."""

    runs: list[Run] = field(default_factory=list)
    sites: list[LaunchSite] = field(default_factory=list)
    """Where each launch was asked for."""
    transfers: list[Transfer] = field(default_factory=list)
    tampered: list[Tampering] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


@dataclass
class CaseRun:
    """One run of one case. `arrays` holds the memory of each array argument as it was left, guard bands included."""

    arrays: dict[str, Placed] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    """A `Run` for each launch, in order."""
    problem: Problem | None = None
    seconds: float = 0.0
    host: HostRecord | None = None
    """Of a host function only."""
    measured: Measured | None = None
    """Of a timed run only."""


@dataclass(frozen=True)
class Step:
    """What the judge is doing now; the caller sees it as `gpulab.check.Progress`, which has the same fields."""

    stage: str
    done: int = 0
    of: int = 0
    verdict: str = ""


class Started(Protocol):
    """A run that was asked for."""

    @property
    def result(self) -> Callable[[], CaseRun]:
        """Wait for it. Runs may be waited for in any order."""
        ...


@dataclass(frozen=True)
class Done:
    """One that needs no waiting."""

    run: CaseRun

    def result(self) -> CaseRun:
        """What came of it."""
        return self.run


class Learner(Protocol):
    """The learner's file in a process of its own."""

    def load(self) -> Loaded:
        """Import the file, or wait until it is imported."""
        ...

    def start(
        self,
        function: str,
        arguments: Mapping[str, Placed | Any],
        launch: Launch | None,
        *,
        findings: bool = True,
        counters: Counting = True,
        values: bool | Collection[Element] = False,
        order: int | None = None,
        time_limit: float | None = None,
        plan: Plan | None = None,
    ) -> Started:
        """Call `function` with `arguments` in this order: arrays as `Placed`, all else scalars.

        With a `launch` the function is a kernel and is launched so; without, it is called on the host with device
        arrays.
        `order` seeds the order of blocks. Never raises for what the learner's code does: that is the `problem`.
        """
        ...

    def run(self, function: str, arguments: Mapping[str, Placed | Any], launch: Launch | None,
            **options: Any) -> CaseRun:
        """`start`, and wait for the result."""
        ...
