"""How a run is to be timed, and what came of it: plain data that crosses between processes."""

from __future__ import annotations

from dataclasses import dataclass, field
from statistics import median, quantiles

from gpulab.timing.resources import Resources


@dataclass(frozen=True)
class Plan:
    """How to time one function. Times are in seconds, sizes in bytes."""

    copy_bytes: int = 0
    """Bytes that a copy within the device reads and writes, both together, to be timed in turn with the function; 0 for
    none. It is what the card can move at this moment."""
    warm: float = 0.15
    """Runs before the first that counts: clocks rise and caches fill."""
    budget: float = 1.0
    """All runs that count, in turn with the copy; more than `least` are made only within it."""
    least: int = 20
    most: int = 100
    rotations: int = 3
    """Sets of inputs that runs take in turn, so that none finds its own in a cache."""
    compile_for: tuple[int, int] | None = None
    """Run and time nothing: compile the kernel for this compute capability."""
    longest: float = 20.0
    """After this long even `least` runs are cut short, and the result says so."""


@dataclass(frozen=True)
class Measured:
    """Times of single runs by CUDA events, in milliseconds, in the order they were made."""

    yours: list[float] = field(default_factory=list)
    copies: list[float] = field(default_factory=list)
    warm_runs: int = 0
    flushed: int = 0
    """Bytes written before each run to empty the L2 cache, and to hide the time that a launch takes the host."""
    sets: int = 1
    """Sets of inputs that were rotated."""
    host: float = 0.0
    """Milliseconds that asking for one run took the host: a run shorter than this was only timed because the flush
    before it took longer."""
    resources: Resources | None = None
    """Of a kernel that was timed, where the compiler's libraries are found."""


@dataclass(frozen=True)
class Summary:
    """Times of one thing, in milliseconds."""

    median: float
    low: float
    """First quartile."""
    high: float
    """Third quartile."""
    runs: int

    @property
    def spread(self) -> float:
        """The interquartile range as a fraction of the median."""
        return (self.high - self.low) / self.median if self.median else 0.0


def summary_of(times: list[float]) -> Summary:
    """The median and quartiles of at least one time."""
    if len(times) < 2:
        return Summary(times[0], times[0], times[0], len(times))
    low, _, high = quantiles(times, n=4, method="inclusive")
    return Summary(median(times), low, high, len(times))
