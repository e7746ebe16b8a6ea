"""What a check found, as plain data: JSON both ways, and nothing of any front end."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from gpulab.judge.stars import Stars as Stars
from gpulab.trace.device import Device
from gpulab.trace.model import Coordinates, Finding, Note, Outcome, Site
from gpulab.trace.values import Value, Write

REPORT_VERSION = 1

VERDICTS = (
    "passed",
    "does not compile",
    "raised",
    "crashed",
    "timed out",
    "deadlock",
    "out of bounds",
    "barrier divergence",
    "uninitialised read",
    "race",
    "input modified",
    "not written",
    "not allowed",
    "wrong answer",
    "over budget",
    "unsupported",
    "environment",
)


@dataclass(frozen=True)
class CaseResult:
    """One case: its sizes and seed, its own verdict, and how many of its elements are wrong.

    `verdict` is one of `VERDICTS`, or "not run" where an earlier case ended the check.
    """

    sizes: dict[str, int]
    seed: int
    verdict: str
    wrong: int = 0
    of: int = 0
    tags: str = ""
    message: str = ""
    """What went wrong there, a sentence; "" where nothing did."""


@dataclass(frozen=True)
class Cell:
    """One element near a wrong one."""

    index: tuple[int, ...]
    expected: Value
    got: Value
    wrong: bool
    block: Coordinates | None = None
    """The block whose thread owns the element, where the launch says so."""


@dataclass(frozen=True)
class Mismatch:
    """A wrong answer, in detail: the window around the first wrong element, the pattern and the writer."""

    array: str
    shape: tuple[int, ...]
    index: tuple[int, ...]
    expected: Value
    got: Value
    window: list[Cell]
    wrong: int
    wrong_cells: list[int] = field(default_factory=list)
    """Flat C-order indices of wrong elements, at most 4096."""
    row: int | None = None
    """Elements per block, where each block owns a contiguous run: the row length of the picture."""
    pattern: str | None = None
    """"The first two elements of every block are wrong, except in block 0."."""
    write: Write | None = None
    also: list[str] = field(default_factory=list)
    """Other outputs that are wrong too."""


@dataclass(frozen=True)
class BudgetLine:
    """One limit of the puzzle's budget and what was counted: `figure` of at most `limit`."""

    name: str
    figure: float
    limit: float
    line: int | None = None
    """The source line that costs most."""
    line_share: float | None = None
    """That line's part of the figure, 0 to 1."""
    at_least: bool = False
    """True where the limit is the least that is asked for ("shared_arrays": 1)."""
    line_figure: float | None = None
    """For a ratio (per request) or a percentage: what it is on that line alone."""

    @property
    def kept(self) -> bool:
        """Whether the limit is kept."""
        return self.figure >= self.limit if self.at_least else self.figure <= self.limit


def limit_to_tell(lines: Iterable[BudgetLine]) -> BudgetLine | None:
    """Of the limits that are not kept the one to tell: launches first, as one too many is in the other counts too."""
    over = [line for line in lines if not line.kept]
    return next((line for line in over if line.name == "launches"), over[0] if over else None)


@dataclass(frozen=True)
class Diagnosis:
    """The first thing to fix. `message` is a full sentence with line and thread where they are known."""

    kind: str
    message: str
    detail: str = ""
    """A second sentence: why, or the pattern."""
    next: str = ""
    """What to do, never how."""
    line: int | None = None
    block: Coordinates | None = None
    thread: Coordinates | None = None
    array: str | None = None
    index: tuple[int, ...] | None = None
    other: Site | None = None
    access: str | None = None
    other_access: str | None = None
    engine: str = "sim"
    sizes: dict[str, int] = field(default_factory=dict)
    """Of the case that shows it."""
    outcomes: list[Outcome] = field(default_factory=list)
    mismatch: Mismatch | None = None
    traceback: str = ""


@dataclass(frozen=True)
class EngineResult:
    """What one engine ("sim" or "gpu") found."""

    verdict: str
    cases: list[CaseResult] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    counters: dict[str, dict[str, int | float]] = field(default_factory=dict)
    """"totals" and each line (as a string) of the largest case -> counter -> count."""
    compiled: dict[str, dict[str, int | float]] = field(default_factory=dict)
    """The same as the compiler is known to leave it, an estimate: only what differs from `counters`."""
    rewrites: dict[str, list[str]] = field(default_factory=dict)
    """Line (as a string) -> what the compiler does there, in sentences."""
    budget: list[BudgetLine] = field(default_factory=list)
    seconds: float = 0.0
    elements: int = 0
    """Outputs of the case that `counters` are of: what "per output" divides by; 0 where nothing was counted."""
    device: Device | None = None
    """Of "gpu": which one."""


@dataclass(frozen=True)
class Hunt:
    """Of a puzzle whose bug the learner names in ANSWER: what came of it.

    `answer` is "right", "missing", "malformed", "wrong line" or "wrong kind". Unless it is right, the report holds
    no findings, counters, cases or notes, and its diagnosis speaks of ANSWER.
    """

    answer: str
    code_passes: bool | None = None
    """None where the code did not run to its end."""
    lines: list[int] = field(default_factory=list)
    """All lines of the starter that are right; told once one of them is found, with its kind."""
    kind: str = ""

    @property
    def found(self) -> bool:
        """Whether ANSWER names the bug."""
        return self.answer == "right"


@dataclass(frozen=True)
class Report:
    """The whole result of one check."""

    puzzle: str
    file: str
    verdict: str
    stars: Stars
    seed: int
    engines: dict[str, EngineResult] = field(default_factory=dict)
    diagnosis: Diagnosis | None = None
    notes: list[Note] = field(default_factory=list)
    timing: dict[str, object] | None = None
    output: str = ""
    """What the learner's file printed, cut at the output limit."""
    seconds: dict[str, float] = field(default_factory=dict)
    """Stage -> seconds: "load", "run", "judge", "total"."""
    source: str = ""
    """The learner's file as it was checked."""
    when: str = ""
    """ISO 8601, local time with offset."""
    efficient_needed: bool = False
    hunt: Hunt | None = None
    """Only of a bug hunt."""
    begun: bool = True
    """False where the file is still the starter, and does nothing."""
    version: int = REPORT_VERSION

    @property
    def passed(self) -> bool:
        return self.verdict == "passed"
