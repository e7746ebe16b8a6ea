"""What the largest case cost, held against the puzzle's budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gpulab.catalog.budgets import BudgetName
from gpulab.catalog.spec import Budget, Case
from gpulab.judge.report import BudgetLine
from gpulab.trace.counters import Count
from gpulab.trace.counters import add_counters as added
from gpulab.trace.model import Counters, Run


def add_counters(runs: Iterable[Run]) -> Counters:
    """The counters of several launches of one file, added up."""
    return added(run.counters for run in runs)


def as_json(totals: Mapping[str, Count], lines: Mapping[int, Mapping[str, Count]]) -> dict[str, dict[str, Count]]:
    """Counters as reports hold them: "totals" and each line as a string; nothing where nothing was counted."""
    if not totals and not lines:
        return {}
    return {"totals": dict(totals)} | {str(line): dict(counts) for line, counts in lines.items()}


def budget_lines(budget: Budget, case: Case, runs: list[Run], counters: Counters, launches: int) -> list[BudgetLine]:
    """Each limit with what was counted over all runs of `case`; `launches` are those that the learner asked for."""
    lines = [_counted(name, limit, case, runs, counters) for name, limit in budget.limits.items()]
    if budget.launches is not None:
        lines.append(BudgetLine("launches", launches, budget.launches))
    if budget.uses_shared:
        most = max((run.shared_arrays for run in runs), default=0)
        lines.append(BudgetLine("shared_arrays", most, 1, at_least=True))
    return lines


def _counted(name: str, limit: float, case: Case, runs: list[Run], counters: Counters) -> BudgetLine:
    wanted = BudgetName.parse(name)
    total = counters.totals.get(wanted.counter, 0)
    figure = total / max(1, _divisor(wanted, case, runs, counters.totals))
    line, share = _most_costly(wanted.counter, total, counters)
    return BudgetLine(name, figure, limit, line, share)


def _divisor(name: BudgetName, case: Case, runs: list[Run], totals: Mapping[str, Count]) -> Count:
    if name.per == "output":
        return case.elements
    if name.per == "block":
        return sum(_product(run.blocks) for run in runs)
    if name.per == "thread":
        return sum(_product(run.blocks) * _product(run.threads) for run in runs)
    if name.per == "request":
        return totals.get(name.requests, 0)
    return 1


def _product(extent: tuple[int, int, int]) -> int:
    return extent[0] * extent[1] * extent[2]


def _most_costly(counter: str, total: Count, counters: Counters) -> tuple[int | None, float | None]:
    costs = {line: counts.get(counter, 0) for line, counts in counters.lines.items()}
    if not total or not costs:
        return None, None
    line = max(costs, key=lambda at: costs[at])
    return (line, costs[line] / total) if costs[line] else (None, None)
