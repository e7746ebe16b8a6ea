"""The names of budgets: a counter, and what it is divided by."""

from __future__ import annotations

from dataclasses import dataclass

from gpulab.catalog.errors import did_you_mean
from gpulab.trace.model import COUNTERS

PER = ("output", "block", "thread", "request")


@dataclass(frozen=True)
class BudgetName:
    """`global_loads_per_output`, taken apart: the counter and its divisor ("" for the plain count)."""

    counter: str
    per: str = ""

    @classmethod
    def parse(cls, name: str) -> BudgetName:
        """Take `name` apart. Raises `ValueError` with what may have been meant."""
        counter, _, per = name.partition("_per_")
        if counter not in COUNTERS:
            raise ValueError(did_you_mean(counter, COUNTERS))
        if "_per_" in name and per not in PER:
            raise ValueError(f"A counter can stand per {', '.join(PER[:-1])} or {PER[-1]}.")
        if per == "request" and not counter.endswith("_sectors"):
            raise ValueError("Only sectors are counted per request.")
        return cls(counter, per)

    @property
    def requests(self) -> str:
        """The counter of requests that belongs to a counter of sectors."""
        return self.counter.replace("_sectors", "_requests")

    @property
    def words(self) -> str:
        """As a learner reads it: "global loads per output"."""
        counter = self.counter.replace("_", " ")
        return f"{counter} per {self.per}" if self.per else counter
