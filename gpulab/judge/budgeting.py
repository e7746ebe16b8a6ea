"""What the largest case cost, held against the puzzle's budget."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from gpulab.catalog.budgets import BudgetName, least_wanted
from gpulab.catalog.spec import Budget, Case
from gpulab.judge.report import BudgetLine
from gpulab.trace.counters import Count, active_percent
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
    if least_wanted(name):
        return _active_lanes(name, limit, counters)
    total = wanted.of(counters.totals)
    figure = total / max(1, _divisor(wanted, case, runs, counters.totals))
    if wanted.per in ("request", "atomic"):
        return _ratio(wanted, name, figure, limit, counters)
    line = _worst(counters, wanted.of)
    share = wanted.of(counters.lines[line]) / total if line is not None else None
    return BudgetLine(name, figure, limit, line, share)


def _ratio(wanted: BudgetName, name: str, figure: float, limit: float, counters: Counters) -> BudgetLine:
    """A ratio is spoilt most by the line that lies furthest above the limit, weighed by how often it runs."""

    def excess(counts: Mapping[str, Count]) -> Count:
        return wanted.of(counts) - limit * _below(wanted, counts)

    line = _worst(counters, excess)
    if line is None:
        line = _worst(counters, wanted.of)
    if line is None:
        return BudgetLine(name, figure, limit)
    counts, total = counters.lines[line], wanted.of(counters.totals)
    return BudgetLine(name, figure, limit, line, wanted.of(counts) / max(1, total),
                      line_figure=wanted.of(counts) / max(1, _below(wanted, counts)))


def _active_lanes(name: str, limit: float, counters: Counters) -> BudgetLine:
    """The line with most idle lanes is the worst."""

    def idle(counts: Mapping[str, Count]) -> Count:
        return 32 * counts.get("warp_executions", 0) - counts.get("executions", 0)

    line, all_idle = _worst(counters, idle), idle(counters.totals)
    figure = float(counters.totals.get(name, 0))
    if line is None:
        return BudgetLine(name, figure, limit, at_least=True)
    counts = counters.lines[line]
    return BudgetLine(name, figure, limit, line, idle(counts) / max(1, all_idle), at_least=True,
                      line_figure=active_percent(counts))


def _divisor(name: BudgetName, case: Case, runs: list[Run], totals: Mapping[str, Count]) -> Count:
    if name.per == "output":
        return case.elements
    if name.per in ("block", "program"):  # Triton's programs are the grid's blocks
        return sum(_product(run.blocks) for run in runs)
    if name.per == "warp":
        return sum(_product(run.blocks) * -(-_product(run.threads) // 32) for run in runs)
    if name.per == "thread":
        return sum(_product(run.blocks) * _product(run.threads) for run in runs)
    return _below(name, totals) if name.per else 1


def _below(name: BudgetName, counts: Mapping[str, Count]) -> Count:
    """What a ratio divides by, in a line or in the totals: requests or atomics."""
    below = ("atomics",) if name.per == "atomic" else name.requests
    return sum(counts.get(counter, 0) for counter in below)


def _product(extent: tuple[int, int, int]) -> int:
    return extent[0] * extent[1] * extent[2]


def _worst(counters: Counters, cost: Callable[[Mapping[str, Count]], Count]) -> int | None:
    """The line with the greatest cost; None where no line has any."""
    costs = {line: cost(counts) for line, counts in counters.lines.items()}
    line = max(costs, key=lambda at: costs[at], default=None)
    return line if line is not None and costs[line] > 0 else None
