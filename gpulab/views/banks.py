"""32 lanes over the 32 banks of shared memory: who queues where, and what a padded row would change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from rich.style import Style

from gpulab.trace.picture import PictureArray, PictureStep
from gpulab.trace.traffic import BANKS, BankUse, bank_use, padded
from gpulab.views import figures, gutter, steps
from gpulab.views.fit import EXPLAINS, STRETCH, Part, fit, space
from gpulab.views.gutter import Column
from gpulab.views.look import Look
from gpulab.views.memory import shown_lines
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, blank, paragraph, row
from gpulab.views.rows import padded as filled
from gpulab.views.scene import Scene
from gpulab.views.tallies import Tally, of_warp

LABEL = 7
"""Cells before bank 0."""
MOST_ROWS = 12
"""Rows of 32 words that are drawn."""
FEWER_ROWS, LEAST_ROWS = 5, 4
"""Where not all fit into a screen: enough to see the pattern, and little to send; and however low the screen."""


@dataclass(frozen=True)
class Field:
    """The words of an array over the banks, as one request uses them."""

    name: str
    """"now" or "padded"."""
    step: PictureStep
    array: PictureArray
    hue: Style
    cell: Style
    """Behind a lane's number."""
    most: int = MOST_ROWS
    """Rows of words that are drawn."""
    lane: int | None = None
    """The chosen one."""

    @property
    def use(self) -> BankUse:
        return bank_use(self.step, self.array)

    @property
    def title(self) -> str:
        """`tile[32, 8]`."""
        return figures.element(self.array.name, self.array.shape)

    @property
    def rows(self) -> list[int]:
        """First words of the rows drawn: from the first touched to the last, or only touched ones if they lie apart."""
        touched = sorted({word // BANKS for word in self.use.words})
        if not touched:
            return []
        every = list(range(touched[0], touched[-1] + 1))
        shown = every if len(every) <= self.most else touched[:self.most]
        return [number * BANKS for number in shown]

    @property
    def hidden(self) -> str:
        """`and 20 more rows of 32 words`, where not all that are touched are drawn."""
        hidden = len({word // BANKS for word in self.use.words}) - len(self.rows)
        return f"and {figures.plural(hidden, 'more row')} of 32 words" if hidden > 0 else ""


def fields(scene: Scene, look: Look, most: int = MOST_ROWS) -> tuple[Field, Field | None]:
    """The request as it is, and with rows one element longer where that takes fewer wavefronts."""
    step, array = scene.step, scene.array
    hue = look.accent if bank_use(step, array).conflicts else look.data[0]
    now = Field("now", step, array, hue, look.accent_band, most, scene.position.lane)
    other = padded(step, array)
    if other is None or bank_use(*other).wavefronts >= now.use.wavefronts:
        return now, None
    return now, Field("padded", *other, look.data[0], look.data_cell[0], most, scene.position.lane)


def page(scene: Scene, width: int, look: Look, *, height: int | None = None) -> Page:
    """The chosen step over the banks; in words only where it is not on shared memory."""
    from gpulab.views import banks_wide

    if scene.array.space != "shared":
        return Page(_elsewhere(scene, width, look)).finished(look)
    drawn = banks_wide.rows(scene, width, look, height) if width >= WIDE else _narrow(scene, width, look, height)
    return Page(drawn).finished(look)


def _elsewhere(scene: Scene, width: int, look: Look) -> list[Row]:
    """Of a step on other memory: what it costs there."""
    words = f"That is {scene.array.space} memory, which has no banks: its sectors say what this costs."
    return [*lines(scene, width, look), steps.heading(scene, width, look),
            *paragraph(steps.cost(scene), width, look, style=look.strong),
            *paragraph(words, width, look, style=look.muted)]


def lines(scene: Scene, width: int, look: Look, most: int = 3) -> list[Row]:
    """The lines around the chosen one, with what this warp does to shared memory on each."""
    tallies = of_warp(scene.picture, scene.warp)
    columns = [
        Column("shared loads", 14, lambda line: (_count(tallies.get(line), "shared_loads"), False)),
        Column("stores", 8, lambda line: (_count(tallies.get(line), "shared_stores"), False)),
        Column("wavefronts", 12, lambda line: (_count(tallies.get(line), "wavefronts"), False)),
        Column("per request", 13, lambda line: per_request(tallies.get(line))),
    ]
    faults = [finding.line for finding in scene.findings]
    return gutter.table(scene.source, shown_lines(scene, most), columns, width, look, chosen=scene.step.line,
                        faults=faults)


def per_request(tally: Tally | None) -> tuple[str, bool]:
    """Wavefronts per request, and whether that is more than need be."""
    if tally is None or not tally.shared_requests:
        return "", False
    return f"{tally.wavefronts / tally.shared_requests:.1f}", tally.wavefronts > tally.least_wavefronts


def _count(tally: Tally | None, name: str) -> str:
    return str(getattr(tally, name)) if tally is not None and getattr(tally, name) else ""


def _narrow(scene: Scene, width: int, look: Look, height: int | None) -> list[Row]:
    above = [*lines(scene, width, look), steps.heading(scene, width, look),
             *paragraph(steps.cost(scene), width, look, style=look.strong)]
    refused = steps.refused(scene)
    if refused is not None:
        above += paragraph(refused, width, look, style=look.fault)
    if not scene.step.lanes:
        return above
    said = "A column is a bank and gives one 4-byte word at a time; a row is 128 bytes."
    legend = paragraph(said, width, look, style=look.muted)
    own = steps.of_thread(scene, width, look)
    room = MOST_ROWS if height is None else height - len(above) - len(legend) - (own is not None)
    picture = _pictures(scene, width, look, room, height is None)
    between = space() if own is None else Part([own])
    return fit([Part(above), between, Part(picture), STRETCH, Part(legend, EXPLAINS)], height)


def _pictures(scene: Scene, width: int, look: Look, room: int, all_rows: bool) -> list[Row]:
    """The words over the banks, now and padded where that helps, in `room` rows or with as many words as are drawn."""
    most = MOST_ROWS if all_rows else room
    while True:
        now, other = fields(scene, look, most)
        if not all_rows and now.hidden and most > FEWER_ROWS:
            most = FEWER_ROWS
            continue
        drawn = _drawn(scene, now, other, width, look)
        if all_rows or len(drawn) <= room or most <= LEAST_ROWS:
            return drawn
        most -= 1


def _drawn(scene: Scene, now: Field, other: Field | None, width: int, look: Look) -> list[Row]:
    if other is not None:
        pair = _field(now, look), _field(other, look, counted=False)
        beside = width >= 2 * (LABEL + BANKS)
        return _side_by_side(*pair) if beside else [*pair[0], blank(), *pair[1]]
    if width < LABEL + 2 * BANKS:
        return _field(now, look)
    waves = [row(" " * LABEL, *_waves(now, look))] if scene.step.kind != "atomic" else []
    return [*wide_field(now, look), *waves]  # what an update costs its counters say, not wavefronts


def _side_by_side(left: list[Row], right: list[Row]) -> list[Row]:
    """Two fields, their last two rows (lanes, wavefronts) beside each other."""
    height = max(len(left), len(right))
    left, right = (part[:-2] + [blank()] * (height - len(part)) + part[-2:] for part in (left, right))
    return [row(filled(a, LABEL + BANKS), b) for a, b in zip(left, right, strict=True)]


def _field(field: Field, look: Look, *, counted: bool = True) -> list[Row]:
    """One cell a bank: a row of words in one style; if `counted`, how many rows are not drawn."""
    rows = [row(" " * LABEL, (f"{field.name:<8}", field.hue + look.bold), (field.title, look.bright)),
            row((f"{'bank':>6} ", look.muted), (_axis(1), look.muted))]
    words = field.use.words
    for first in field.rows:
        glyphs = "".join("■" if first + bank in words else "·" for bank in range(BANKS))
        line = row((f"{first:>6} ", look.muted), (glyphs, field.hue))
        for bank in range(BANKS):
            if field.lane is not None and field.lane in words.get(first + bank, ()):
                line.stylize(look.strong + Style(reverse=True), LABEL + bank, LABEL + bank + 1)
        rows.append(line)
    if field.hidden and counted:
        rows.append(row(" " * LABEL, (field.hidden, look.muted)))
    counts = "".join(_digit(count) for count in field.use.per_bank)
    rows.append(row((f"{'lanes':>6} ", look.muted), (counts, field.hue)))
    rows.append(row(" " * LABEL, *_waves(field, look)))
    return rows


def _digit(count: int) -> str:
    return "·" if not count else str(count) if count < 10 else "+"


def _axis(cell: int) -> str:
    """Bank numbers over the columns."""
    line = ""
    for bank in (0, 8, 16, 24):
        line = line.ljust(bank * cell) + str(bank)
    return line.ljust((BANKS - 1) * cell - (cell == 1)) + "31"


def _waves(field: Field, look: Look) -> list[tuple[str, Style]]:
    """`8 wavefronts, 4 lanes each`."""
    waves = field.use.waves
    sizes = {len(wave) for wave in waves}
    count = (figures.plural(len(waves), "wavefront"), field.hue + look.bold)
    if len(waves) == 1:
        lanes = figures.plural(len(waves[0]), "lane")
        return [count, (f", {lanes} at once" if len(waves[0]) > 1 else f", {lanes}", look.text)]
    if len(sizes) == 1:
        return [count, (f", {figures.plural(sizes.pop(), 'lane')} each", look.text)]
    return [count, (f", {min(sizes)} to {max(sizes)} lanes each", look.text)]


def _shown(lanes: Sequence[int] | None, field: Field) -> int | None:
    """The lane that a word is numbered with: the chosen one where it is there, else the first."""
    if lanes is None:
        return None
    return field.lane if field.lane is not None and field.lane in lanes else lanes[0]


def _numbered(first: int, lanes: list[int | None], field: Field, look: Look) -> list[Row]:
    """A row of words with the lane at each; where numbers would touch, their tens stand above them."""
    tight = any(lane is not None and lane > 9 and after is not None for lane, after in pairwise(lanes))
    tens, units = row(" " * LABEL), row((f"{first:>6} ", look.muted))
    for lane in lanes:
        chosen = lane is not None and lane == field.lane
        style = look.faint if lane is None else look.strong + Style(reverse=True) if chosen else field.cell + look.bold
        units.append("· " if lane is None else f"{lane % 10 if tight else lane:<2}", style)
        tens.append("  " if lane is None or lane < 10 else f"{lane // 10:<2}", style if (lane or 0) > 9 else "")
    for line in (tens, units):
        line.rstrip()
    return [tens, units] if tight else [units]


def wide_field(field: Field, look: Look) -> list[Row]:
    """Two cells a bank: numbers are lanes. The rows of words, and the lanes at each bank."""
    rows = [row((f"{'bank':>6} ", look.muted), (_axis(2), look.muted))]
    words = field.use.words
    previous = None
    for first in field.rows:
        if previous is not None and first != previous + BANKS:
            rows.append(row(" " * (LABEL - 2), ("┊", look.faint)))
        rows += _numbered(first, [_shown(words.get(first + bank), field) for bank in range(BANKS)], field, look)
        previous = first
    if field.hidden:
        rows.append(row(" " * LABEL, (field.hidden, look.muted)))
    counts = "".join(f"{count or '·':<2}" for count in field.use.per_bank)
    rows.append(row((f"{'lanes':>6} ", look.muted), (counts.rstrip(), field.hue)))
    return rows
