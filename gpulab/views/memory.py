"""One step on memory: which lanes ask for what, and what moves for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from gpulab.trace.traffic import traffic
from gpulab.views import bars, figures, grid, gutter, sectors, steps
from gpulab.views.fit import EXPLAINS, PICTURE, STRETCH, Part, fit
from gpulab.views.gutter import Column
from gpulab.views.look import Look
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, heading, paragraph, row
from gpulab.views.scene import Scene
from gpulab.views.tallies import Tally, of_warp

MOST_LINES, FEWER_LINES = 5, 3


def page(scene: Scene, width: int, look: Look, *, cells: bool | None = None, height: int | None = None) -> Page:
    """The chosen step: its line, a sentence, its cost, and the sectors it touches.

    With `cells` the array is drawn as a grid coloured by block, without it as sectors; None decides by its shape. In
    `height` rows what explains gives way to the picture.
    """
    from gpulab.views import memory_cells, memory_wide

    if cells or (cells is None and grid.is_telling(scene)):
        drawn = memory_cells.rows(scene, width, look, height)
        if drawn is not None:
            return Page(drawn).finished(look)
    drawn = memory_wide.rows(scene, width, look, height) if width >= WIDE else fit(_narrow(scene, width, look), height)
    return Page(drawn).finished(look)


def _narrow(scene: Scene, width: int, look: Look) -> list[Part]:
    """What is the same at every step stands last, and stays where it is."""
    source = Part(lines(scene, width, look), short=lines(scene, width, look, FEWER_LINES))
    parts = [source, Part([steps.heading(scene, width, look), *words(scene, width, look)])]
    parts += picture(scene, width, look)
    other = comparison(scene)
    if other is not None:
        parts.append(Part(_beside(scene, other, width, look), PICTURE))
    moved = bars.moved(scene, width, look)
    bottom = [heading("bytes moved per output, all warps", width, look), *moved] if moved else []
    return [*parts, STRETCH, Part(bottom, PICTURE)]


def lines(scene: Scene, width: int, look: Look, most: int = MOST_LINES) -> list[Row]:
    """The lines around the chosen one, with what this warp does on each."""
    tallies = of_warp(scene.picture, scene.warp)
    columns = [
        Column("loads", 8, lambda line: (_count(tallies.get(line), "loads"), False)),
        Column("stores", 7, lambda line: (_count(tallies.get(line), "stores"), False)),
        Column("sectors/req", 13, lambda line: per_request(tallies.get(line))),
        Column("best", 6, lambda line: _best(tallies.get(line))),
        Column("lanes", 10, lambda line: (_lanes(scene, line, tallies.get(line)), False)),
    ]
    faults = [finding.line for finding in scene.findings]
    return gutter.table(scene.source, shown_lines(scene, most), columns, width, look, chosen=scene.step.line,
                        faults=faults)


def shown_lines(scene: Scene, most: int) -> list[int]:
    """Lines around the chosen one, in at most so many rows, those of gaps counted.

    Lines with steps come first, as many together as fit, so that the source stands still while one steps; then those
    that ran before them, between them and after them.
    """
    touched = sorted({step.line for step in scene.warp.steps})
    shown = [touched[0]]
    for line in touched[1:]:
        if _height([*shown, line]) > most:
            if line > scene.step.line:
                break
            shown = []
        shown.append(line)
    ran = sorted({*scene.counts, *touched})
    last = shown[-1]
    for line in [*reversed([line for line in ran if line < last]), *(line for line in ran if line > last)]:
        if line not in shown and _height(sorted([*shown, line])) <= most:
            shown = sorted([*shown, line])
    return shown


def _height(lines: Sequence[int]) -> int:
    """Rows that these lines take: one each, and one for each gap."""
    return len(lines) + sum(later > line + 1 for line, later in pairwise(lines))


def _count(tally: Tally | None, what: str) -> str:
    if tally is None:
        return ""
    count = (tally.global_loads + tally.shared_loads if what == "loads"
             else tally.global_stores + tally.shared_stores + tally.atomics)
    return str(count) if count else ""


def per_request(tally: Tally | None) -> tuple[str, bool]:
    if tally is None or not tally.global_requests:
        return "", False
    return f"{tally.sectors / tally.global_requests:.1f}", tally.sectors > tally.best_sectors


def _best(tally: Tally | None) -> tuple[str, bool]:
    if tally is None or not tally.global_requests:
        return "", False
    return f"{tally.best_sectors / tally.global_requests:.1f}", False


def _lanes(scene: Scene, line: int, tally: Tally | None) -> str:
    if tally is not None:
        return f"{tally.lanes}/32"
    counts = scene.counts.get(line, {})
    warps = counts.get("warp_executions", 0)
    return f"{counts.get('executions', 0) / warps:.1f}".removesuffix(".0") + "/32" if warps else ""


def words(scene: Scene, width: int, look: Look) -> list[Row]:
    """What the step costs, and who was not let through."""
    rows = paragraph(cost(scene, width), width, look, style=look.strong)
    refused = steps.refused(scene)
    if refused is not None:
        rows += paragraph(refused, width, look, style=look.fault)
    return rows


def cost(scene: Scene, width: int) -> str:
    """The cost in a sentence, with the reason where it is that rows begin within a sector."""
    text = steps.cost(scene)
    if scene.array.space != "global" or "rows of" not in text:
        return text
    why = steps.broken_rows(scene.step, scene.array)
    return f"{text.split(',')[0]}: {why}." if why else text


def picture(scene: Scene, width: int, look: Look) -> list[Part]:
    """The memory that a step touches, in sectors; where nobody else sees the values, these too."""
    step, array = scene.step, scene.array
    own = steps.of_thread(scene, width, look)
    first = [] if own is None else [Part([own])]
    if array.space not in ("global", "shared") or not step.lanes:
        return [*first, Part(few_values(scene, width, look))]
    drawn = sectors.strip(step, array, width, 8)
    if own is None:
        first = [Part([row(("  lanes ", look.muted), (sectors.unit(array), look.muted))], EXPLAINS)]
    parts = [*first, Part(sectors.picture(drawn, look, chosen=scene.position.lane)),
             Part([sectors.legend(step, array, width, 8, look)], EXPLAINS)]
    return parts if array.space == "global" else [*parts, Part(few_values(scene, width, look), EXPLAINS)]


ACROSS = 8
"""Values in a row."""


def few_values(scene: Scene, width: int, look: Look) -> list[Row]:
    """What each lane reads or writes, eight lanes to a row, in five cells each."""
    step = scene.step
    if not step.lanes:
        return []
    word = {"load": "values read", "store": "values stored", "atomic": "values left there"}[step.kind]
    rows = [row((f"  lanes {word}", look.muted))]
    size = min(9, (width - 9) // ACROSS)
    for first in range(0, len(step.cells), ACROSS):
        if any(value is not None for value in step.values[first:first + ACROSS]):
            line = row((f"{f'{first}-{first + ACROSS - 1}':>7} ", look.muted))
            for lane in range(first, first + ACROSS):
                text = "·" if (value := step.values[lane]) is None else figures.brief(value)
                line.append(f"{text:<{size}}", look.accent + look.bold if lane == scene.position.lane else look.text)
            line.rstrip()
            rows.append(line)
    return rows


def values(scene: Scene, width: int, look: Look, top: Row | None = None) -> list[Row]:
    """What each lane reads or writes, and where: as many lanes to a row as fit, below `top` or a heading."""
    step, array = scene.step, scene.array
    entries = [(lane, f"{lane:>2}  {figures.element(array.name, array.index(cell))} = "
                      f"{figures.value(value, 2, exact=False)}")
               for lane, (cell, value) in enumerate(zip(step.cells, step.values, strict=True))
               if cell is not None and value is not None]
    if not entries:
        return [top] if top is not None else []
    across = max(1, min(4, (width - 2) // (max(len(text) for _, text in entries) + 3)))
    size = (width - 2) // across
    down = -(-len(entries) // across)
    rows = [top or row(("  lane", look.muted))]
    for place in range(down):
        line = row("  ")
        for lane, text in entries[place::down]:
            line.append(f"{text:<{size}}", look.accent + look.bold if lane == scene.position.lane else look.text)
        line.rstrip()
        rows.append(line)
    return rows


def comparison(scene: Scene) -> int | None:
    """Another global step of this warp that wastes nothing, where the chosen one does: what good looks like."""
    if scene.array.space != "global" or not scene.step.lanes or traffic(scene.step, scene.array).used > 99:
        return None
    for place, step in enumerate(scene.warp.steps):
        array = scene.picture.arrays[step.array]
        if array.space == "global" and step.kind != "atomic" and len(step.lanes) == len(scene.step.lanes) \
                and traffic(step, array).used == 100:
            return place
    return None


def _beside(scene: Scene, place: int, width: int, look: Look) -> list[Row]:
    other = scene.at(replace(scene.position, step=place, lane=None))
    title = row((f"step {place + 1} of {len(scene.warp.steps)}   {steps.whose(other)}: ", look.muted),
                (steps.what(other), look.bright))
    drawn = sectors.strip(other.step, other.array, width, 8)
    return [plain_rule(title, width, look), *paragraph(steps.cost(other), width, look),
            *sectors.picture(drawn, look)]


def plain_rule(title: Row, width: int, look: Look) -> Row:
    """`─ words ─────`: a heading that begins at the margin of the chosen one."""
    line = row(("─ ", look.faint), title, " ")
    return row(line, ("─" * max(0, width - line.cell_len), look.faint))
