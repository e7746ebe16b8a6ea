"""The names of budgets: a counter or a sum of counters, and what it is divided by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from gpulab.catalog.errors import did_you_mean
from gpulab.trace.counters import COUNTERS, PERCENT, Count

SUMS = {
    "bank_conflicts": ("shared_load_bank_conflicts", "shared_store_bank_conflicts"),
    "global_accesses": ("global_loads", "global_stores"),
    "shared_accesses": ("shared_loads", "shared_stores"),
    "global_requests": ("global_load_requests", "global_store_requests"),
    "shared_requests": ("shared_load_requests", "shared_store_requests"),
    "global_sectors": ("global_load_sectors", "global_store_sectors"),
    "global_bytes": ("global_load_bytes", "global_store_bytes"),
    "global_bytes_asked": ("global_load_bytes_asked", "global_store_bytes_asked"),
    "global_bytes_least": ("global_load_bytes_least", "global_store_bytes_least"),
    "shared_wavefronts": ("shared_load_wavefronts", "shared_store_wavefronts"),
    "flops": ("flops_float32", "flops_float64"),
}
"""Sums of counters that have a name of their own in budgets: loads and stores together."""

PER = ("output", "block", "program", "warp", "thread", "request", "atomic")

_REQUESTED = ("sectors", "sectors_ideal", "bytes", "bytes_asked", "wavefronts", "bank_conflicts")


def least_wanted(name: str) -> bool:
    """Whether a budget's limit is the least that is asked for, not the most: active lanes."""
    return name == PERCENT


@dataclass(frozen=True)
class BudgetName:
    """`global_loads_per_output`, taken apart: the counter or sum, and its divisor ("" for the plain count)."""

    counter: str
    per: str = ""

    @classmethod
    def parse(cls, name: str) -> BudgetName:
        """Take `name` apart. Raises `ValueError` with what may have been meant, and the names there are."""
        counter, _, per = name.partition("_per_")
        if counter not in COUNTERS and counter not in SUMS:
            raise ValueError(_unknown(counter))
        if "_per_" in name and per not in PER:
            raise ValueError(f"A counter can stand per {', '.join(PER[:-1])} or {PER[-1]}.")
        found = cls(counter, per)
        if per and counter == PERCENT:
            raise ValueError(f"{PERCENT} is a share already and stands alone.")
        if per == "request" and not found.requests:
            raise ValueError("Per request stand sectors, bytes, wavefronts and bank_conflicts, of loads or of stores.")
        if per == "atomic" and counter != "atomic_conflicts":
            raise ValueError("Only atomic_conflicts are counted per atomic.")
        return found

    @property
    def parts(self) -> tuple[str, ...]:
        """The counters that are added up."""
        return SUMS.get(self.counter, (self.counter,))

    @property
    def requests(self) -> tuple[str, ...]:
        """The counters of requests that belong to it; none where it is nothing that a request has."""
        found = []
        for part in self.parts:
            kind, _, what = part.partition("_load_" if "_load_" in part else "_store_")
            if what not in _REQUESTED:
                return ()
            found.append(f"{part[: len(part) - len(what)]}requests" if kind else "")
        return tuple(found)

    def of(self, counts: Mapping[str, Count]) -> Count:
        """The count in a line or in the totals."""
        return sum(counts.get(part, 0) for part in self.parts)

    @property
    def words(self) -> str:
        """As a learner reads it: "global loads per output"."""
        counter = self.counter.replace("_", " ")
        return f"{counter} per {self.per}" if self.per else counter


def _unknown(counter: str) -> str:
    """What may have been meant, and all names."""
    known = [*COUNTERS, *SUMS]
    meant = did_you_mean(counter, known)
    if meant.startswith("Known"):
        return meant
    return f"{meant} Known are: {', '.join(known)}."


__all__ = ["PER", "SUMS", "BudgetName", "least_wanted"]
