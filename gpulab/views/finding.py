"""A fault where it happens: its lines, its threads, and the cells around the one they should not have touched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from rich.style import Style
from rich.text import Text

from gpulab.judge.report import Diagnosis, Report
from gpulab.trace.meeting import Side, linear, sides
from gpulab.trace.model import Finding
from gpulab.trace.picture import WARP, PictureArray, PictureStep
from gpulab.views import code, faults, figures, race
from gpulab.views.fit import EXPLAINS, PICTURE, STRETCH, Part, fit, space
from gpulab.views.look import Look
from gpulab.views.naming import thread_dims
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, columns, heading, paragraph, row
from gpulab.views.scene import Scene
from gpulab.views.steps import chosen_rule

LABEL = 18
"""Cells before the first element."""
MOST_ELEMENTS = 8
LEFT = 56

Touch = tuple[int, int]
"""(lane, warp number)."""


@dataclass(frozen=True)
class Fault:
    """One finding of a launch, and which of its threads is chosen."""

    scene: Scene
    number: int
    side: int = 0

    @property
    def finding(self) -> Finding:
        return self.scene.findings[self.number]

    @cached_property
    def sides(self) -> list[Side]:
        """Its threads at their steps, the one whose line comes first at the front; none of a barrier."""
        found = sides(self.scene.picture, self.finding)
        return sorted(found, key=lambda side: side.line) if len(found) > 1 else found

    @property
    def chosen(self) -> Side | None:
        return self.sides[self.side % len(self.sides)] if self.sides else None

    @property
    def diagnosis(self) -> Diagnosis:
        """The report's own where it speaks of this finding: it knows why, and both orders of a race."""
        finding, report = self.finding, self.scene.report
        told = report.diagnosis if report is not None else None
        if told is not None and (told.kind, told.line, told.thread, told.index) == (
                finding.kind, finding.line, finding.thread, finding.index):
            return told
        return Diagnosis(finding.kind, finding.message, line=finding.line, block=finding.block, thread=finding.thread,
                         array=finding.array, index=finding.index, other=finding.other, access=finding.access,
                         other_access=finding.other_access, outcomes=list(finding.outcomes))

    @property
    def array(self) -> PictureArray | None:
        return next((array for array in self.scene.picture.arrays if array.name == self.finding.array), None)


def number_of(findings: Sequence[Finding], report: Report | None) -> int | None:
    """Which of these findings a report speaks of: the same line, else the same kind; None where there is none."""
    told = report.diagnosis if report is not None else None
    if told is None:
        return None
    ranks = [(finding.kind == told.kind, finding.line == told.line, finding.index == told.index)
             for finding in findings]
    best = max(ranks, default=(False, False, False))
    return ranks.index(best) if best[0] else None


def page(fault: Fault, width: int, look: Look, height: int | None = None) -> Page:
    """The finding's lines, who is who, and the cells around the one they meet at."""
    drawn = _wide(fault, width, look, height) if width >= WIDE else fit(_narrow(fault, width, look), height)
    return Page(drawn).finished(look)


def _narrow(fault: Fault, width: int, look: Look) -> list[Part]:
    marks = faults.of_lines(fault.diagnosis, look)
    excerpt = code.excerpt(fault.scene.source, marks, width, look, most=6)
    short = code.excerpt(fault.scene.source, marks, width, look, most=2, around=0, gaps=False)
    return [Part(excerpt, short=short), *_below(fault, width, look)]


def _wide(fault: Fault, width: int, look: Look, height: int | None) -> list[Row]:
    marks = faults.of_lines(fault.diagnosis, look)
    left = code.listing(fault.scene.source, marks, LEFT, look, height)
    right = fit(_below(fault, width - LEFT - 1, look), height)
    return columns(left, right, LEFT, width, look, height or 0)


def _below(fault: Fault, width: int, look: Look) -> list[Part]:
    """What does not stand in the source."""
    findings = fault.scene.findings
    number = f"fault {fault.number + 1} of {len(findings)}"
    parts = [Part([chosen_rule(number, _headings(fault, look), width, look),
                   *paragraph(_why(fault), width, look, style=look.strong)]), space()]
    drawn = _elements(fault, width, look)
    if drawn:
        parts += [Part(drawn), Part(_warps(fault, width, look), EXPLAINS), space()]
    orders = race.orders(fault.diagnosis, width, look) if fault.finding.kind == "race" else []
    if orders:
        parts += [Part([heading("Two orders, two answers", width, look)], EXPLAINS), Part(orders, PICTURE)]
    return [*parts, STRETCH, Part(_count(fault, width, look), EXPLAINS)]


def _headings(fault: Fault, look: Look) -> list[Row]:
    """What happens, in a sentence, and shorter."""
    diagnosis = fault.diagnosis
    dims = thread_dims(diagnosis)
    cell = figures.element(diagnosis.array, diagnosis.index)
    who = figures.thread(diagnosis.thread, diagnosis.block, dims)
    if diagnosis.kind == "race" and diagnosis.other is not None:
        apart = diagnosis.other.block != diagnosis.block
        names = [figures.thread(where.thread, where.block if apart else None, dims)
                 for where in fault.sides] or [figures.thread(diagnosis.thread, None, dims)]
        both = " and ".join(names)
        return [row(("race: ", look.fault + look.bold), (f"{both} meet at {cell}", look.bright)),
                row((f"{both} meet at {cell}", look.bright)), row((f"a race for {cell}", look.bright))]
    does = f"{diagnosis.access or 'touches'} {cell}".strip() if cell else "is missing"
    return [row((f"{diagnosis.kind}: ", look.fault + look.bold), (f"{who} {does}", look.bright)),
            row((f"{who} {does}", look.bright)), row((does, look.bright))]


def _why(fault: Fault) -> str:
    """The second sentence of the report, or the finding's own first."""
    return fault.diagnosis.detail or fault.diagnosis.message


def _count(fault: Fault, width: int, look: Look) -> list[Row]:
    count = fault.finding.count
    if count < 2:
        return []
    where = "these lines" if len({side.line for side in fault.sides}) > 1 else "this line"
    return paragraph(f"The same is found {count} times on {where}; this is the first.", width, look, style=look.muted)


# ---- the cells around it --------------------------------------------------------------------------------------------


def _elements(fault: Fault, width: int, look: Look) -> list[Row]:
    """A column for each element around the one of the finding: who touches it on either line."""
    array, index, chosen = fault.array, fault.finding.index, fault.chosen
    if array is None or index is None or chosen is None or len(index) != len(array.shape):
        return []
    axis = next((axis for axis, place in enumerate(index) if not 0 <= place < array.shape[axis]), len(index) - 1)
    shown, each = _window(array, index, axis, width)
    names = [figures.place((*index[:axis], place, *index[axis + 1:])).replace(" ", "") for place in shown]
    here = shown.index(index[axis])
    above, below = _lines(fault, look)
    rows: list[Row] = []
    for line, glyph in ((above, "▼"), (below, "▲")):
        if line is None:
            rows.append(_names(array, names, here, shown, axis, each, look))
            continue
        who, arrows = _touched_row(fault, line, index, axis, shown, here, each, glyph, look)
        rows += [who, arrows] if glyph == "▼" else [_names(array, names, here, shown, axis, each, look), arrows, who]
    return rows


@dataclass(frozen=True)
class _Line:
    """A row of threads: those of one side, or before a read of what nobody wrote those who write at all."""

    label: str
    hue: Style
    chosen: bool
    touches: dict[int, Touch]
    """Cell -> who touches it."""
    outside: dict[tuple[int, ...], Touch]


def _lines(fault: Fault, look: Look) -> tuple[_Line | None, _Line | None]:
    """What stands above the elements and what below."""
    found = fault.sides
    rows = [_of_side(fault, side, number, look) for number, side in enumerate(found)]
    if len(rows) == 2:
        return rows[0], rows[1]
    if fault.finding.kind == "uninitialised read":
        return _writers(fault, found[0], look), rows[0]
    return rows[0], None


def _of_side(fault: Fault, side: Side, number: int, look: Look) -> _Line:
    """Who does the same on the same line at the same visit, in the block of the finding's thread."""
    scene = fault.scene.at(side.position)
    touches: dict[int, Touch] = {}
    outside: dict[tuple[int, ...], Touch] = {}
    for warp, step in scene.together:
        if warp.block == scene.warp.block:
            _note(step, warp.number, touches, outside)
    lane = side.position.lane or 0
    own = scene.step.cells[lane]
    if own is not None:
        touches[own] = (lane, scene.warp.number)
    return _Line(f"line {side.line} {side.access}", look.data[number % 2] if len(fault.sides) > 1 else look.fault,
                 side is fault.chosen, touches, outside)


def _writers(fault: Fault, side: Side, look: Look) -> _Line:
    """Who has written each element before the read."""
    scene = fault.scene.at(side.position)
    touches: dict[int, Touch] = {}
    for warp in scene.picture.warps:
        if warp.block == scene.warp.block or scene.array.space == "global":
            for step in warp.steps:
                if step.array == scene.step.array and step.kind != "load" and step.when < scene.step.when:
                    _note(step, warp.number, touches, {})
    return _Line("written by", look.muted, False, touches, {})


def _note(step: PictureStep, warp: int, touches: dict[int, Touch], outside: dict[tuple[int, ...], Touch]) -> None:
    for lane, cell in enumerate(step.cells):
        if cell is not None:
            touches.setdefault(cell, (lane, warp))
    for lane, index in step.outside:
        outside.setdefault(index, (lane, warp))


def _window(array: PictureArray, index: tuple[int, ...], axis: int, width: int) -> tuple[list[int], int]:
    """Places along an axis around the finding's, and the cells that each takes."""
    longest = len(figures.place(tuple(max(abs(place) + 4, 10) for place in index)).replace(" ", ""))
    each = max(7, longest + 2)
    count = max(1, min(MOST_ELEMENTS, (width - LABEL - 1) // each))
    place, extent = index[axis], array.shape[axis]
    start = place - count // 2
    if 0 <= place < extent:
        start = max(0, min(start, extent - count))
        count = min(count, extent)
    elif place < 0:
        start = place - 1
    return list(range(start, start + count)), each


def _names(array: PictureArray, names: Sequence[str], here: int, shown: Sequence[int], axis: int, each: int,
           look: Look) -> Row:
    line = row((f"  {array.name[:LABEL - 4]}".ljust(LABEL), look.bright))
    for number, name in enumerate(names):
        inside = 0 <= shown[number] < array.shape[axis]
        hue = look.fault_cell if number == here else look.text if inside else look.faint
        pad = (each - 1 - len(name)) // 2
        line.append(" " * pad)
        line.append(name, hue)
        line.append(" " * (each - 1 - pad - len(name)))
        edge = number + 1 < len(shown) and inside != (0 <= shown[number + 1] < array.shape[axis])
        line.append("┃" if edge else " ", look.fault)
    line.rstrip()
    return row(line)


def _touched_row(fault: Fault, line: _Line, index: tuple[int, ...], axis: int, shown: Sequence[int], here: int,
                 each: int, glyph: str, look: Look) -> tuple[Row, Row]:
    array = fault.array
    assert array is not None
    mark = "▶" if line.chosen and len(fault.sides) > 1 else " "
    who = row((mark, look.accent), " ", (line.label.ljust(LABEL - 2)[:LABEL - 2], line.hue))
    arrows = row(" " * LABEL)
    for number, place in enumerate(shown):
        at = (*index[:axis], place, *index[axis + 1:])
        inside = all(0 <= p < size for p, size in zip(at, array.shape, strict=True))
        touch = line.touches.get(array.cell(at)) if inside else line.outside.get(at)
        hue = look.faint if touch is None else look.data[touch[1] % 4]
        if touch is not None and (number == here or not inside):
            hue = (hue if inside else look.fault) + look.bold
        nobody = "nobody" if number == here else "·"
        name = nobody if touch is None else _thread(fault, touch)
        who.append(f"{name:^{each - 1}} ", look.fault + look.bold if number == here and touch is None else hue)
        arrows.append(f"{glyph if touch is not None else '':^{each - 1}} ", hue)
    who.rstrip()
    arrows.rstrip()
    return who, arrows


def _thread(fault: Fault, touch: Touch) -> str:
    """`t32`, or `3,2` of a flat block."""
    picture = fault.scene.picture
    lane, warp = touch
    if picture.threads[1] == picture.threads[2] == 1:
        return f"t{warp * WARP + lane}"
    number = warp * WARP + lane
    return f"{number % picture.threads[0]},{number // picture.threads[0]}"


def _warps(fault: Fault, width: int, look: Look) -> list[Row]:
    """Which hue is which warp: those of the threads, and the one behind them where there is room."""
    picture = fault.scene.picture
    if picture.warps_per_block < 2 or not fault.sides:
        return []
    numbers = sorted({linear(side.thread, picture.threads) // WARP for side in fault.sides})
    around = sorted({*numbers, *(number + 1 for number in numbers if number + 1 < picture.warps_per_block)})[:3]
    entries = []
    for number in around:
        last = min(picture.block_size, number * WARP + WARP) - 1
        entries.append(row(("■ ", look.data[number % 4]), (f"warp {number}, threads {number * WARP} to {last}",
                                                            look.muted)))
    indent = LABEL if width >= LABEL + sum(entry.cell_len + 3 for entry in entries[:2]) else 2
    while len(entries) > 1 and indent + sum(entry.cell_len + 3 for entry in entries) - 3 > width:
        entries.pop()
    return [row(" " * indent, Text("   ").join(entries))]


def moved(fault: Fault, by: int) -> Fault:
    """The next finding, or the one before; at the end it stays."""
    number = max(0, min(len(fault.scene.findings) - 1, fault.number + by))
    return replace(fault, number=number, side=0) if number != fault.number else fault
