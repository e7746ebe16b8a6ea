"""A race: the two threads on their two lines, and two orders with two answers."""

from __future__ import annotations

from rich.style import Style

from gpulab.judge.report import Diagnosis
from gpulab.trace.coordinates import NO_THREAD
from gpulab.trace.model import Coordinates, Outcome, Site
from gpulab.views import figures
from gpulab.views.code import Mark
from gpulab.views.look import Look
from gpulab.views.naming import thread_dims
from gpulab.views.rows import Row, blank, padded, paragraph, row

WARP = 32

Step = tuple[Coordinates, Coordinates, int, str]


def marks(diagnosis: Diagnosis, look: Look) -> list[Mark]:
    """What each of the two threads did, for the source's margin; the line that comes first has hue 1."""
    cell, index = figures.element(diagnosis.array, diagnosis.index), figures.place(diagnosis.index)
    apart = diagnosis.other is not None and diagnosis.other.block != diagnosis.block
    dims = thread_dims(diagnosis)
    marks = []
    for (site, access), hue in zip(_sides(diagnosis), look.data, strict=False):
        alone, verb = figures.alone(site.thread, site.block, dims), access or "touches"
        who = figures.thread(site.thread, site.block, dims) if apart else alone
        marks.append(Mark(site.line, who, f"{verb} {cell}", hue, (who, f"{verb} {index}"), (alone, verb)))
    return marks


def _sides(diagnosis: Diagnosis) -> list[tuple[Site, str | None]]:
    """The two accesses, by their lines: the first has data hue 1."""
    sides: list[tuple[Site, str | None]] = []
    if diagnosis.line is not None and diagnosis.block is not None and diagnosis.thread is not None:
        sides.append((Site(diagnosis.line, diagnosis.block, diagnosis.thread), diagnosis.access))
    if diagnosis.other is not None:
        sides.append((diagnosis.other, diagnosis.other_access))
    return sorted(sides, key=lambda side: side[0].line)


def hue_of(step: Step, diagnosis: Diagnosis) -> int:
    """Which data hue (0 or 1) a step has: that of its thread in the source's margin."""
    sides = [site for site, _ in _sides(diagnosis)]
    exact = [n for n, site in enumerate(sides) if (site.line, site.block, site.thread) == (step[2], *step[:2])]
    by_line = [n for n, site in enumerate(sides) if site.line == step[2]]
    return next(iter([*exact, *by_line]), 0) % 2


def why_order_is_free(diagnosis: Diagnosis) -> str:
    """Which hardware rule leaves the order open: of blocks, of warps, of lanes."""
    other = diagnosis.other
    if other is None or diagnosis.thread is None:
        return "The order is free, and here it decides"
    if other.thread == NO_THREAD:
        return "Programs run in any order, and here the order decides"
    if other.block != diagnosis.block:
        return "Blocks run in any order, and here the order decides"
    if diagnosis.thread[1:] == other.thread[1:] and diagnosis.thread[0] // WARP == other.thread[0] // WARP:
        return "Threads of a warp need not keep step, and here the order decides"
    return "Warps of 32 threads run in any order, and here the order decides"


def orders(diagnosis: Diagnosis, width: int, look: Look) -> list[Row]:
    """A row per order: what happens first, what then, and the answer it gives."""
    if len(diagnosis.outcomes) < 2:
        return []
    where = f" ({figures.sizes(diagnosis.sizes, figures.TOGETHER)}):" if diagnosis.sizes else ":"
    intro = row((why_order_is_free(diagnosis), look.text), (where, look.muted))
    names = max(len(outcome.order) for outcome in diagnosis.outcomes)
    answers = _answers(diagnosis.outcomes)
    rows = paragraph(intro, width, look)
    for cell in (_cells(diagnosis), ""):  # at 60 columns the element is left out: the source's margin names it
        lines = [_order(outcome, answer, names, cell, diagnosis, look)
                 for outcome, answer in zip(diagnosis.outcomes, answers, strict=True)]
        if all(line.cell_len <= width for line in lines):
            break
    return [*rows, *(padded(line, min(width, line.cell_len)) for line in lines)]


def _cells(diagnosis: Diagnosis) -> str:
    return figures.element(diagnosis.array, diagnosis.index)


def _step(step: Step, cell: str, diagnosis: Diagnosis) -> str:
    """` reads tile[33] `; where both do the same, who does it."""
    alike = diagnosis.access == diagnosis.other_access
    words = f"{figures.thread(step[1], dims=thread_dims(diagnosis))} {step[3]}" if alike else f"{step[3]} {cell}"
    return f" {words.strip()} "


def _order(outcome: Outcome, answer: tuple[str, str], names: int, cell: str, diagnosis: Diagnosis,
           look: Look) -> Row:
    wide = max(len(_step(step, cell, diagnosis)) for each in diagnosis.outcomes for step in each.steps)
    line = row("  ", (outcome.order.ljust(names), look.text), "  ")
    for place, step in enumerate(outcome.steps[:2]):
        if place:
            line.append(" then ", look.muted)
        text = _step(step, cell, diagnosis).ljust(wide)
        line.append(text, look.data_cell[hue_of(step, diagnosis)])
    return row(line, "  ", _result(outcome, answer, look))


def _answers(outcomes: list[Outcome]) -> list[tuple[str, str]]:
    """(value, "right" | "wrong" | "") of each order, values as wide as each other."""
    pairs = [(outcomes[0].value, outcome.value) for outcome in outcomes[1:]]
    values = figures.values([outcome.value for outcome in outcomes], pairs)
    wide = max(map(len, values))
    verdicts = {True: "right", False: "wrong", None: ""}
    return [
        (text.rjust(wide), verdicts[outcome.right])
        for text, outcome in zip(values, outcomes, strict=True)
    ]


def _result(outcome: Outcome, answer: tuple[str, str], look: Look) -> Row:
    value, verdict = answer
    hue: Style = {"right": look.good, "wrong": look.fault}.get(verdict, look.bright)
    return row((f"{figures.element(outcome.array, outcome.index)} = ", look.muted), (value, hue + look.bold),
               (f" {verdict}" if verdict else "", hue))


def timelines(diagnosis: Diagnosis, width: int, look: Look) -> list[Row]:
    """For 120 columns: each order as two lanes of time, one per side of the race."""
    if len(diagnosis.outcomes) < 2:
        return []
    rows: list[Row] = []
    answers = _answers(diagnosis.outcomes)
    for outcome, answer in zip(diagnosis.outcomes, answers, strict=True):
        result = _result(outcome, answer, look)
        gap = max(1, width - 3 - len(outcome.order) - result.cell_len)
        rows.append(row("  ", (outcome.order, look.bright), " " * gap, result))
        rows.extend(_lanes(outcome, diagnosis, width, look))
        rows.append(blank())
    arrow = "─" * max(4, width - 14) + "▶"
    rows.append(row(("  time    ", look.muted), (arrow, look.faint)))
    return rows


def _lanes(outcome: Outcome, diagnosis: Diagnosis, width: int, look: Look) -> list[Row]:
    """One row for each thread; its access stands where it happens, dots where it waits."""
    lanes = sorted({(step[0], step[1]) for step in outcome.steps})
    names = [_lane_name(block, thread, diagnosis) for block, thread in lanes]
    label = max(8, *(len(name) + 2 for name in names))
    slot = max(12, (width - label - 3) // max(2, len(outcome.steps)))
    rows = []
    for (block, thread), name in zip(lanes, names, strict=True):
        hue = next(hue_of(step, diagnosis) for step in outcome.steps if step[:2] == (block, thread))
        line = row("  ", (name.ljust(label), look.data[hue]))
        for step in outcome.steps:
            if step[:2] == (block, thread):
                text = f" {step[2]} {step[3]} {_cells(diagnosis)}"
                line.append_text(row((padded(row(text), slot - 1).plain, look.data_cell[hue]), " "))
            else:
                line.append("·" * (slot - 1) + " ", look.faint)
        rows.append(line)
    return rows


def _lane_name(block: Coordinates, thread: Coordinates, diagnosis: Diagnosis) -> str:
    apart = diagnosis.other is not None and diagnosis.other.block != diagnosis.block
    return figures.thread(thread, block if apart else None, thread_dims(diagnosis))


def shared_cell(diagnosis: Diagnosis, width: int, look: Look) -> list[Row]:
    """The element both threads touch, among its neighbours: one from above, one from below."""
    if not diagnosis.index or diagnosis.other is None or diagnosis.line is None:
        return []
    first, second = marks(diagnosis, look)[:2]
    middle = diagnosis.index[-1]
    cells = list(range(max(0, middle - 3), max(0, middle - 3) + 7))
    label, step = 14, max(6, len(str(cells[-1])) + 3)
    if label + step * len(cells) > width - 2:
        return []
    column = label + step * cells.index(middle)
    name = diagnosis.array or ""
    lead = figures.place(diagnosis.index[:-1]) if len(diagnosis.index) > 1 else ""
    row_of_cells = row("  ", ((name + lead)[:label - 3].ljust(label - 2), look.bright))
    for cell in cells:
        style = look.fault_cell if cell == middle else look.muted
        row_of_cells.append_text(row((f"{cell:^{step - 1}}", style), " "))
    centre = column + (step - 1) // 2
    return [
        _above(f"line {first.line}", first, centre, look),
        row(" " * centre, ("▼", first.hue)),
        row_of_cells,
        row(" " * centre, ("▲", second.hue)),
        _above(f"line {second.line}", second, centre, look),
    ]


def _above(label: str, mark: Mark, centre: int, look: Look) -> Row:
    """The thread's name centred over (or under) the cell, its line at the margin."""
    text = f"{mark.who} {mark.what.split()[0]}"
    start = max(len(label) + 4, centre - len(mark.who) // 2)
    line = row("  ", (label, look.muted))
    line.pad_right(max(0, start - line.cell_len))
    return row(line, (mark.who, mark.hue + look.bold), (text[len(mark.who):], look.muted))
