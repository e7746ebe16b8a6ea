"""What the largest case cost, held against the puzzle's budget."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping

from gpulab.catalog.budgets import BudgetName
from gpulab.catalog.spec import Budget, Case
from gpulab.judge.report import BudgetLine
from gpulab.trace.model import Counters, Run


def add_counters(runs: Iterable[Run]) -> Counters:
    """The counters of several launches of one file, added up."""
    totals: Counter[str] = Counter()
    lines: defaultdict[int, Counter[str]] = defaultdict(Counter)
    for run in runs:
        totals.update(run.counters.totals)
        for line, counts in run.counters.lines.items():
            lines[line].update(counts)
    return Counters(dict(totals), {line: dict(lines[line]) for line in sorted(lines)})


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


def _divisor(name: BudgetName, case: Case, runs: list[Run], totals: Mapping[str, int]) -> int:
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


def _most_costly(counter: str, total: int, counters: Counters) -> tuple[int | None, float | None]:
    costs = {line: counts.get(counter, 0) for line, counts in counters.lines.items()}
    if not total or not costs:
        return None, None
    line = max(costs, key=lambda at: costs[at])
    return (line, costs[line] / total) if costs[line] else (None, None)
