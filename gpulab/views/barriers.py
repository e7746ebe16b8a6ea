"""A block's shared memory in time: a column for each barrier interval, a row for each cell, arrows between threads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rich.style import Style

from gpulab.trace.intervals import Interval
from gpulab.trace.model import Finding
from gpulab.views import arrows, figures, gutter
from gpulab.views.fit import EXPLAINS, STRETCH, Part, fit, space
from gpulab.views.gutter import Column
from gpulab.views.look import Look
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, apart, padded, paragraph, row
from gpulab.views.scene import Scene
from gpulab.views.steps import chosen_rule, fitting
from gpulab.views.tallies import Tally, of_block
from gpulab.views.time import MOST_CELLS, Time, loop_of, shared_arrays, time_of, what_happens

LABEL = 8
"""Cells of the column of cell names."""
NARROW, BROAD = 14, 22
"""Cells of a column of time."""
MOST_LINES, FEWER_LINES, FEWEST_LINES = 9, 4, 3
LEAST_CELLS = 4
"""However low the screen."""
LOW = 26
"""Below so many rows the source gives one to the cells."""


def page(scene: Scene, width: int, look: Look, *, first_cell: int | None = None, height: int | None = None) -> Page:
    """Columns of time, around the chosen interval. In words only where the kernel has no shared array."""
    if not shared_arrays(scene):
        words = "This kernel has no shared memory: its barriers, if any, order nothing that could be drawn here."
        return Page(paragraph(words, width, look)).finished(look)
    drawn = time_of(scene, first_cell=first_cell)
    above = [*_lines(drawn, width, look, height), chosen_rule(
        f"interval {drawn.chosen + 1} of {len(drawn.intervals)}", _sentences(drawn, width, look), width, look)]
    faults = _faults(drawn, width, look)
    if height is not None:
        around = len(_columns(replace(drawn, most_cells=0), width, look))
        room = height - len(above) - around - len(faults) - 1
        drawn = replace(drawn, most_cells=max(LEAST_CELLS, min(MOST_CELLS, room)))
    parts = [Part(above), Part(_columns(drawn, width, look)), STRETCH, *_legend(drawn, width, look), Part(faults)]
    return Page(fit(parts, height)).finished(look)


def _sentences(time: Time, width: int, look: Look) -> list[Row]:
    """What happens in the chosen interval, in the first place with all that tells where."""
    loop = [loop_of(time.now)] if time.now.variables else []
    block = time.scene.picture.block_at(time.scene.warp.block)
    where = [f"block {figures.coordinates(block)}"] if time.scene.picture.block_count > 1 else []
    wordings = [row((f"{', '.join(lead)}: " if lead else "", look.muted), (what_happens(time), look.bright))
                for lead in ([*where, *loop], loop, [])]
    bar = ("  a bar ┃ is a barrier", look.muted)
    return [row(wordings[0], bar), *wordings] if width >= WIDE else wordings


# ---- the lines at the top -------------------------------------------------------------------------------------------


def _lines(time: Time, width: int, look: Look, height: int | None) -> list[Row]:
    """The lines from the first that touches the array to the last, with what the block does on each."""
    scene = time.scene
    tallies = of_block(scene.picture, scene.warp.block)
    barriers: dict[int, int] = {}
    for barrier in scene.picture.barriers:
        if barrier.block == scene.warp.block:
            barriers[barrier.line] = barriers.get(barrier.line, 0) + 1
    wide = width >= WIDE
    columns = [
        Column("wavefronts/request" if wide else "waves/req", 21 if wide else 11,
               lambda line: _waves(tallies.get(line))),
        Column("threads on", 14 if wide else 12, lambda line: (_threads_on(time, line), False)),
        Column("barriers", 11 if wide else 10, lambda line: (str(barriers.get(line, "")), False)),
    ]
    if wide:
        columns = [
            Column("shared loads", 16, lambda line: (_figure(tallies.get(line), "shared_loads"), False)),
            Column("stores", 9, lambda line: (_figure(tallies.get(line), "shared_stores"), False)),
            *columns,
        ]
    low = height is not None and height < LOW
    lines = _shown(time, barriers, FEWEST_LINES if low else MOST_LINES if wide else FEWER_LINES)
    faults = [finding.line for finding in scene.findings]
    chosen = next((line for line in reversed(time.now.lines)), None)
    return gutter.table(scene.source, lines, columns, width, look, chosen=chosen, faults=faults)


def _figure(tally: Tally | None, name: str) -> str:
    return str(getattr(tally, name)) if tally is not None and getattr(tally, name) else ""


def _waves(tally: Tally | None) -> tuple[str, bool]:
    if tally is None or not tally.shared_requests:
        return "", False
    return f"{tally.wavefronts / tally.shared_requests:.1f}", tally.wavefronts > tally.least_wavefronts


def _threads_on(time: Time, line: int) -> str:
    """How many of the block's threads are on a line: in the chosen interval, else where there were most."""
    counts: dict[int, set[int]] = {}
    for warp in time.scene.picture.warps:
        if warp.block == time.scene.warp.block:
            for step in warp.steps:
                if step.line == line and step.array == time.array:
                    counts.setdefault(step.interval, set()).update(warp.number * 32 + lane for lane in step.lanes)
    if not counts:
        return ""
    threads = counts.get(time.chosen) or max(counts.values(), key=len)
    return f"{len(threads)} of {time.scene.picture.block_size}"


def _shown(time: Time, barriers: dict[int, int], most: int) -> list[int]:
    """Lines of the source around the chosen interval's, barriers among them."""
    touched = {line for interval in time.intervals for line in interval.lines}
    wanted = sorted(touched | set(barriers))
    if not wanted:
        return []
    every = list(range(wanted[0], wanted[-1] + 1))
    here = time.now.lines[-1] if time.now.lines else wanted[0]
    first = max(0, min(every.index(here) - (most - 1) // 2, len(every) - most))
    return every[first:first + most]


# ---- columns of time ------------------------------------------------------------------------------------------------


def _columns(time: Time, width: int, look: Look) -> list[Row]:
    each = BROAD if width >= WIDE else NARROW
    shown = _around(time, (width - LABEL - 1) // each)
    cells = time.drawn
    beside = {number: _arrows(time, time.intervals[number], cells, each) for number in shown
              if width >= WIDE or number == time.chosen}
    rows = [_titles(time, shown, each, look)]
    if width >= WIDE:
        rows.append(_bars(time, shown, each, look))
    for place, cell in enumerate(cells):
        rows.append(_cell_row(time, cell, place, shown, each, beside, look))
    if width >= WIDE:
        rows += [_bars(time, shown, each, look), *_threads_rows(time, shown, each, look)]
    return [padded(line, min(line.cell_len, width)) for line in rows]


def _around(time: Time, most: int) -> list[int]:
    """Numbers of the intervals drawn: the chosen one among as many as fit."""
    count = len(time.intervals)
    first = max(0, min(time.chosen - most // 2, count - most))
    return list(range(first, min(count, first + most)))


def _titles(time: Time, shown: Sequence[int], each: int, look: Look) -> Row:
    line = row(("  cell".ljust(LABEL), look.muted))
    for place, number in enumerate(shown):
        chosen = number == time.chosen
        text = _title(time, number, each) + (" ▼" if chosen else "")
        line.append_text(_bar(place, look))
        line.append(f"{text[:each - 2]:<{each - 2}}", look.accent + look.bold if chosen else look.muted)
    line.rstrip()
    return line


def _title(time: Time, number: int, each: int) -> str:
    """`load a`, `s = 8`, else the lines at work."""
    interval = time.intervals[number]
    name = loop_of(interval)
    if name:
        return name
    if interval.written and not interval.read:
        source = f" {interval.fed_by[0]}" if interval.fed_by and each > NARROW else ""
        return f"load{source}" if interval.fed_by else "fill"
    lines = interval.lines
    if not lines:
        return "·"
    return f"line {lines[0]}" if len(lines) == 1 else f"lines {min(lines)}-{max(lines)}"


def _bar(place: int, look: Look) -> Row:
    """Before a column: the barrier that ends the one before it."""
    return row(("┃ ", look.faint)) if place else row("  ")


def _bars(time: Time, shown: Sequence[int], each: int, look: Look) -> Row:
    line = row(" " * LABEL)
    for place in range(len(shown)):
        line.append_text(_bar(place, look))
        line.append(" " * (each - 2))
    line.rstrip()
    return line


def _cell_row(time: Time, cell: int, place: int, shown: Sequence[int], each: int, beside: dict[int, list[str]],
              look: Look) -> Row:
    raced = cell in time.raced
    line = row((f"{_cell_name(time, cell):>{LABEL - 1}} ", look.muted))
    if raced:
        line = row(("×", look.fault + look.bold), line[1:])
    for order, number in enumerate(shown):
        interval = time.intervals[number]
        text, hue = _content(time, interval, cell, number, look)
        drawn = beside.get(number)
        arrow = f" {drawn[place]}" if drawn else ""
        line.append_text(_bar(order, look))
        line.append_text(row((f"{text:>5}", hue)))
        line.append(f"{arrow:<{each - 7}}"[:each - 7], hue if number == time.chosen else look.faint)
    line.rstrip()
    return line


def _cell_name(time: Time, cell: int) -> str:
    index = time.shape.index(cell)
    return str(index[0]) if len(index) == 1 else ",".join(map(str, index))


def _content(time: Time, interval: Interval, cell: int, number: int, look: Look) -> tuple[str, Style]:
    """What a cell shows, and its style: written, only read, waiting, no longer used."""
    text = figures.brief(interval.contents[cell]) if cell in interval.contents else "?"
    chosen = number == time.chosen
    if cell in interval.written:
        return text, look.data[0] + look.bold if chosen else look.text
    if cell in interval.read:
        return text, look.data[1] if chosen else look.muted
    later = any(cell in other.read or cell in other.written for other in time.intervals[number + 1:])
    return (text if later and text != "?" else "·"), look.muted if later else look.faint


def _arrows(time: Time, interval: Interval, cells: Sequence[int], each: int) -> list[str]:
    """Beside each cell its piece of the arrows."""
    place = {cell: number for number, cell in enumerate(cells)}
    edges = [(place[arrow.source], place[arrow.target]) for arrow in interval.arrows
             if arrow.source in place and arrow.target in place]
    tracks = each - 10
    texts, left_out = arrows.draw(edges, len(cells), tracks)
    return texts if left_out <= len(edges) // 2 else [" " * (tracks + 2)] * len(cells)


def fits(time: Time, interval: Interval) -> bool:
    """Whether the interval's arrows can be drawn: they are few, and between cells that are."""
    cells = set(time.drawn)
    inside = {(arrow.source, arrow.target) for arrow in interval.arrows} & {(a, b) for a in cells for b in cells}
    return bool(inside) and len(inside) == len(interval.arrows) and len(inside) <= NARROW - 9


def _threads_rows(time: Time, shown: Sequence[int], each: int, look: Look) -> list[Row]:
    """Who is at work in each interval: a mark for each thread, or for several."""
    size = time.scene.picture.block_size
    room = min(16, each - 5)
    step = -(-size // room)
    marks, counts = row(("  threads", look.muted)), row(("  at work", look.muted))
    marks.pad_right(max(0, LABEL - marks.cell_len))
    lead = max(0, LABEL + 2 - marks.cell_len)
    marks.append(" " * lead)
    counts.append(" " * lead)
    for place, number in enumerate(shown):
        threads = time.intervals[number].threads
        text = "".join("■" if any(thread in threads for thread in range(start, min(start + step, size))) else "·"
                       for start in range(0, size, step))
        hue = look.accent if number == time.chosen else look.muted
        if place:
            marks.append_text(_bar(place, look))
            counts.append("  ")
        said = f"{len(threads)} of {size}"
        marks.append(f"{text:<{each - 2}}", hue)
        counts.append(f"{said:<{each - 2}}", look.strong if number == time.chosen else look.muted)
    marks.rstrip()
    counts.rstrip()
    return [marks, counts]


def _legend(time: Time, width: int, look: Look) -> list[Part]:
    """What the hues mean and which cells these are; who waits; and that nothing is amiss."""
    line = fitting([_key(words, look) for words in (("written in this interval", "only read", "no longer used"),
                                                    ("written", "only read", "left alone"))], width)
    drawn, touched = time.drawn, time.touched
    if len(drawn) < len(touched):
        which = row((f"{len(drawn)} of {figures.plural(time.cells, 'cell')}", look.muted))
        line = apart(line, which, width) if line.cell_len + which.cell_len + 3 < width else line
    parts = [space()] if width >= WIDE else []
    parts.append(Part([line]))
    barrier = time.now.barrier
    if barrier is not None:
        said = f"┃ on line {barrier.line}: {barrier.threads} threads wait for each other there."
        parts.append(Part(paragraph(said, width, look, style=look.muted), EXPLAINS))
    if not _found(time):
        said = "Between two bars, nobody reads what another writes."
        parts.append(Part(paragraph(said, width, look, style=look.text), EXPLAINS))
    return parts


def _key(words: tuple[str, str, str], look: Look) -> Row:
    marks = zip(("■ ", "■ ", "· "), (look.data[0], look.data[1], look.faint), words, strict=True)
    return row(*(piece for mark, hue, word in marks for piece in ("  ", (mark, hue), (word, look.muted), " ")))


def _found(time: Time) -> list[Finding]:
    """The faults that this view shows."""
    return [finding for finding in time.scene.findings if finding.kind == "barrier divergence"
            or (finding.kind == "race" and finding.array == time.shape.name)]


def _faults(time: Time, width: int, look: Look) -> list[Row]:
    """The first of them in a sentence."""
    return [line for finding in _found(time)[:1]
            for line in paragraph(f"× line {finding.line}: {finding.message}", width, look, style=look.fault)]
