"""One step on an array drawn as cells: which thread of which block touches which."""

from __future__ import annotations

from dataclasses import replace

from gpulab.trace.traffic import SECTOR, traffic
from gpulab.views import grid, memory_wide, sectors, steps
from gpulab.views.fit import EXPLAINS, PICTURE, STRETCH, Part, fit, space
from gpulab.views.grid import Grid
from gpulab.views.look import Look
from gpulab.views.memory import FEWER_LINES, cost, lines, plain_rule
from gpulab.views.page import WIDE
from gpulab.views.rows import Row, blank, columns, heading, padded, paragraph, row, wrapped
from gpulab.views.scene import Scene

BESIDE = 21
"""Cells of what stands to the right of the grid."""
LEFT = 40
LEAST_ROWS = 4
"""Of the grid, however low the screen."""
LEFT_OVER = 18
"""Rows of two columns that are not the grid's."""


def rows(scene: Scene, width: int, look: Look, height: int | None = None) -> list[Row] | None:
    """The page, with the first thread chosen if none is; None where the array is no small grid."""
    lanes = scene.step.lanes
    if not lanes:
        return None
    if scene.position.lane is None:
        scene = scene.at(replace(scene.position, lane=lanes[0]))
    drawn = grid.grid_of(scene)
    if drawn is None:
        return None
    return _wide(drawn, width, look, height) if width >= WIDE else _narrow(drawn, width, look, height)


def _narrow(drawn: Grid, width: int, look: Look, height: int | None) -> list[Row] | None:
    scene = drawn.scene
    above = [*lines(scene, width, look, FEWER_LINES), steps.heading(scene, width, look)]
    below = _cost(scene, width, look)
    thread = grid.thread_facts(drawn, look)
    facts = [*thread, blank(), *grid.legend(drawn, look)]
    room = grid.MOST_ROWS if height is None else height - len(above) - len(below) - 1
    if room < len(facts):  # a low screen keeps the thread, and leaves out what the marks mean and why
        facts, below = [fact for fact in thread if fact.plain], below[:1]
        room = max(LEAST_ROWS, (height or 0) - len(above) - len(below) - 1)
    cells = grid.picture(drawn, width - BESIDE, look, most_rows=min(room - 1, grid.MOST_ROWS))
    if cells is not None:
        picture = _side_by_side(cells, facts, width - BESIDE)
    else:
        room = max(LEAST_ROWS, room - 1 - len(facts))
        cells = grid.picture(drawn, width, look, most_rows=min(room, grid.MOST_ROWS))
        if cells is None:
            return None
        picture = [*cells, *(row("  ", line) for line in facts)]
    spare = 0 if height is None else max(0, height - len(above) - len(picture) - len(below))
    return [*above, *picture, *[blank()] * spare, *below]


def _side_by_side(left: list[Row], right: list[Row], column: int) -> list[Row]:
    """The facts beside the grid, from its second row."""
    right = [blank(), *right]
    rows = []
    for place in range(max(len(left), len(right))):
        line = left[place] if place < len(left) else blank()
        rows.append(row(padded(line, column), right[place]) if place < len(right) and right[place].plain else line)
    return rows


def _cost(scene: Scene, width: int, look: Look) -> list[Row]:
    said = paragraph(cost(scene, width), width, look, style=look.strong)
    refused = steps.refused(scene)
    if refused is not None:
        said += paragraph(refused, width, look, style=look.fault)
    reason = _reason(scene)
    return said + (paragraph(reason, width, look, style=look.muted) if reason else [])


def _reason(scene: Scene) -> str:
    """How long a row of the array is, where that is why more sectors move than need be."""
    array = scene.array
    if array.space != "global" or len(array.shape) != 2 or array.strides[1] != 1 or scene.step.kind == "atomic":
        return ""
    moves = traffic(scene.step, array)
    uneven = len(moves.sectors) > moves.best and array.strides[0] * array.itemsize % SECTOR
    return steps.row_length(array) if uneven else ""


# ---- two columns ----------------------------------------------------------------------------------------------------


def _wide(drawn: Grid, width: int, look: Look, height: int | None) -> list[Row] | None:
    right_width = width - LEFT - 1
    most = grid.MOST_ROWS if height is None else max(LEAST_ROWS, min(grid.MOST_ROWS, height - LEFT_OVER))
    cells = (grid.picture(drawn, right_width, look, spacing=3, most_rows=most)
             or grid.picture(drawn, right_width, look, most_rows=most))
    if cells is None:
        return None
    left, right = fit(_left(drawn, LEFT, look), height), fit(_right(drawn, cells, right_width, look), height)
    return columns(left, right, LEFT, width, look, height or 0)


def _left(drawn: Grid, width: int, look: Look) -> list[Part]:
    scene = drawn.scene
    parts = [memory_wide.source(scene, width, look), space(), Part([heading("The launch", width, look)]), space(),
             Part(memory_wide.table(grid.launch_facts(drawn), width, look), EXPLAINS)]
    facts = grid.thread_facts(drawn, look, long=True)
    if facts:
        parts += [space(), Part([heading("The chosen thread", width, look)]), space(),
                  Part([row("  ", line) for line in facts])]
    words = "Blocks may run in any order, so no thread here may count on another."
    if scene.picture.block_count > 1:
        parts += [STRETCH, Part([row(("─" * width, look.faint)), *paragraph(words, width, look, style=look.muted)],
                                EXPLAINS)]
    return parts


def _right(drawn: Grid, cells: list[Row], width: int, look: Look) -> list[Part]:
    scene = drawn.scene
    rows = [*memory_wide.title(scene, width, look), *memory_wide.cost_row(scene, width, look)]
    refused = steps.refused(scene)
    if refused is not None:
        rows += [row(" ", line) for line in wrapped(refused, width - 2, look, style=look.fault)]
    parts = [Part(rows), space(), Part(cells), space(), Part([row(" ", (_key(drawn), look.muted))], EXPLAINS)]
    if scene.array.space != "global" or scene.step.kind == "atomic":
        return parts
    verb = {"load": "load", "store": "store"}[scene.step.kind]
    title = row((f"The same {verb} in memory: {sectors.unit(scene.array).split('; ')[1]}", look.muted))
    strip = sectors.strip(scene.step, scene.array, width, 5)
    below = [plain_rule(title, width, look), row((f" {sectors.axis(strip):>3}", look.muted)),
             *sectors.picture(strip, look, chosen=scene.position.lane, numbered=True),
             sectors.legend(scene.step, scene.array, 0, 5, look)]
    parts += [space(), Part(below, PICTURE)]
    reason = _reason(scene)
    if reason:
        why = steps.broken_rows(scene.step, scene.array)
        text = f"{reason} {why[0].upper()}{why[1:]}." if why else reason
        parts += [Part([row(("─" * width, look.faint)),
                        *(row(" ", line) for line in wrapped(text, width - 3, look, style=look.text))], EXPLAINS)]
    return parts


def _key(drawn: Grid) -> str:
    chosen = "block" if drawn.scene.picture.warps_per_block == 1 else "warp"
    return f"Numbers: lanes of the chosen {chosen}.   ■ other {chosen}s   · no element"
