"""One step on memory, in two columns: the source and the figures of its line, and the picture beside them."""

from __future__ import annotations

from dataclasses import replace

from gpulab.trace.picture import PictureArray
from gpulab.trace.traffic import SECTOR, traffic
from gpulab.views import bars, figures, gutter, sectors, steps
from gpulab.views.fit import EXPLAINS, PICTURE, STRETCH, Part, below, fit, space
from gpulab.views.gutter import Column
from gpulab.views.look import Look
from gpulab.views.memory import comparison, cost, per_request, plain_rule, shown_lines, values
from gpulab.views.rows import Row, apart, blank, columns, heading, row, wrapped
from gpulab.views.scene import Scene
from gpulab.views.tallies import of_all, of_warp

LEFT = 42
"""Cells of the left column."""


FEWER_LINES = 10
"""Of a kernel that does not fit, those around the chosen one."""


def rows(scene: Scene, width: int, look: Look, height: int | None = None) -> list[Row]:
    """The page, at `WIDE` columns and more."""
    left, right = fit(_left(scene, LEFT, look), height), fit(_right(scene, width - LEFT - 1, look), height)
    return columns(left, right, LEFT, width, look, height or 0)


def source(scene: Scene, width: int, look: Look) -> Part:
    """The whole kernel, with sectors per request of the chosen warp at the right edge."""
    tallies = of_warp(scene.picture, scene.warp)
    figure = [Column("sectors/request", 8, lambda line: per_request(tallies.get(line)))]
    shown = gutter.kernel_lines(scene.counts, (), scene.source, [step.line for step in scene.warp.steps])
    faults = [finding.line for finding in scene.findings]
    whole, around = (gutter.table(scene.source, lines, figure, width, look, chosen=scene.step.line, faults=faults,
                                  title="") for lines in (shown, shown_lines(scene, FEWER_LINES)))
    return Part(whole, short=around if len(around) < len(whole) else None)


def _left(scene: Scene, width: int, look: Look) -> list[Part]:
    parts = [source(scene, width, look), space(), Part([heading(f"Line {scene.step.line}, all warps", width, look)]),
             space(), Part(facts(scene, width, look), PICTURE)]
    moved = bars.moved(scene, width, look, tall=True)
    if moved:
        parts += [STRETCH, space(), Part([heading("Bytes moved per output", width, look), *moved], PICTURE)]
    return parts


def facts(scene: Scene, width: int, look: Look) -> list[Row]:
    """The figures of the chosen line, over all warps of the picture."""
    tally = of_all(scene.picture)[scene.step.line]
    entries: list[tuple[str, str, bool]] = [("executed by", figures.plural(tally.warps, "warp"), False),
                                            ("lanes on", f"{len(scene.step.lanes)} of 32", False)]
    for name, count in (("global loads", tally.global_loads), ("global stores", tally.global_stores),
                        ("shared loads", tally.shared_loads), ("shared stores", tally.shared_stores),
                        ("atomics", tally.atomics)):
        if count:
            entries.append((name, figures.plural(count, "request"), False))
    if tally.global_requests:
        over = tally.sectors > tally.best_sectors
        entries += [("sectors", str(tally.sectors), False), ("best possible", str(tally.best_sectors), False),
                    ("sectors/request", f"{tally.sectors / tally.global_requests:.1f}", over),
                    ("bytes asked", str(tally.asked), False), ("bytes moved", str(tally.sectors * SECTOR), False)]
    if tally.shared_requests:
        over = tally.wavefronts > tally.least_wavefronts
        entries += [("wavefronts", str(tally.wavefronts), over), ("best possible", str(tally.least_wavefronts), False),
                    ("bank conflicts", str(tally.wavefronts - tally.least_wavefronts), over)]
    elif not scene.run.shared_arrays:
        entries.append(("bank conflicts", "no shared memory", False))
    return table(entries, width, look)


def table(entries: list[tuple[str, str, bool]], width: int, look: Look) -> list[Row]:
    """Names at the left, figures at the right; those that could be less stand out."""
    rows = []
    for name, figure, over in entries:
        text = row((f"{gutter.OVER} {figure}", look.accent + look.bold)) if over else row((figure, look.text))
        rows.append(apart(row("  ", (name, look.muted)), text, width))
    return rows


def title(scene: Scene, width: int, look: Look) -> list[Row]:
    """`Step 1 of 3  warp 0, line 10: each lane loads p[i, 3]`."""
    lead = row(" ", (f"Step {scene.position.step + 1} of {len(scene.warp.steps)}", look.accent + look.bold), "  ")
    return [row(lead, steps.fitting(steps.sentences(scene, look), width - lead.cell_len))]


def _right(scene: Scene, width: int, look: Look) -> list[Part]:
    rows = [*title(scene, width, look), *cost_row(scene, width, look)]
    refused = steps.refused(scene)
    if refused is not None:
        rows += [row(" ", line) for line in wrapped(refused, width - 2, look, style=look.fault)]
    parts = [Part(rows), space(), Part(_numbered(scene, width, look))]
    other = comparison(scene)
    if other is not None:
        parts += [space(), Part(_beside(scene, other, width, look), PICTURE)]
    return [*parts, *below(_warps(scene, width, look), PICTURE), *below(_same_sectors(scene, width, look), EXPLAINS),
            STRETCH, *below(_steps(scene, width, look), EXPLAINS)]


def cost_row(scene: Scene, width: int, look: Look) -> list[Row]:
    """The cost, and at the right how much of what moves is used."""
    text = cost(scene, width)
    if scene.array.space != "global" or not scene.step.lanes or scene.step.kind == "atomic":
        return [row(" ", line) for line in wrapped(text, width - 2, look, style=look.strong)]
    moves = traffic(scene.step, scene.array)
    text = text.replace(f" {moves.used:.3g} % is used.", "")
    hue = look.accent if len(moves.sectors) > moves.best else look.data[0]
    used = row((f"{moves.used:.3g} % used", hue + look.bold))
    lines = wrapped(text, width - 2, look, style=look.strong)
    if lines[0].cell_len + used.cell_len + 4 > width:
        return [row(" ", line) for line in lines]
    return [apart(row(" ", lines[0]), used, width), *(row(" ", line) for line in lines[1:])]


def _numbered(scene: Scene, width: int, look: Look) -> list[Row]:
    step, array = scene.step, scene.array
    if array.space != "global" or not step.lanes:
        return values(scene, width, look, steps.of_thread(scene, width, look, 1))
    drawn = sectors.strip(step, array, width, 5)
    axis = row((f" {sectors.axis(drawn):>3}", look.muted))
    return [axis, *sectors.picture(drawn, look, chosen=scene.position.lane, numbered=True),
            sectors.legend(step, array, 0, 5, look),
            steps.of_thread(scene, width, look, 1) or row("     ", (_whole_sectors(array), look.muted))]


def _whole_sectors(array: PictureArray) -> str:
    return f"Memory moves whole sectors: {SECTOR // array.itemsize} {array.dtype}, 32 bytes, between the bars."


def _beside(scene: Scene, place: int, width: int, look: Look) -> list[Row]:
    other = scene.at(replace(scene.position, step=place, lane=None))
    name = row((f"Step {place + 1} of {len(scene.warp.steps)}  {steps.whose(other)}: ", look.muted),
               (steps.what(other), look.bright))
    drawn = sectors.strip(other.step, other.array, width, 5)
    return [plain_rule(name, width, look), *cost_row(other, width, look),
            *sectors.picture(drawn, look, numbered=True)]


def _warps(scene: Scene, width: int, look: Look) -> list[Row]:
    """Which warp of the block touches which sector, 32 sectors a row."""
    block = [(warp, step) for warp, step in scene.together if warp.block == scene.warp.block and step.lanes]
    if scene.array.space != "global" or len(block) < 2:
        return []
    owner: dict[int, int] = {}
    for warp, step in block:
        for sector in traffic(step, scene.array).sectors:
            owner.setdefault(sector, warp.number)
    origin = scene.array.first_byte // SECTOR
    owner = {sector - origin: number for sector, number in owner.items()}
    first, last = min(owner) // 32 * 32, max(owner) // 32 * 32 + 32
    if last - first > 8 * 32:
        return []
    threads = scene.picture.block_size
    rows = [blank(), plain_rule(row((f"The block's {threads} threads: which warp touches which sector", look.muted)),
                                 width, look)]
    for start in range(first, last, 32):
        rows.append(_sector_row(scene, owner, start, look))
    return rows


def _sector_row(scene: Scene, owner: dict[int, int], start: int, look: Look) -> Row:
    name = scene.array.name if not start else str(start)
    line = row(f" {name[:5]:<6}")
    there = range(start, start + 32)
    place = start
    while place < start + 32:
        end = place
        while end < start + 32 and owner.get(end) == owner.get(place):
            end += 1
        number = owner.get(place)
        hue = look.faint if number is None else look.data[number % 4]
        line.append(("· " if number is None else "■ ") * (end - place), hue)
        place = end
    warps = sorted({owner[sector] for sector in there if sector in owner})
    said = f"w{warps[0]}-{warps[-1]}" if len(warps) > 1 else f"w{warps[0]}" if warps else ""
    return row(line, (said, look.muted))


def _same_sectors(scene: Scene, width: int, look: Look) -> list[Row]:
    """Another line of this warp that asks for the same sectors."""
    if scene.array.space != "global" or scene.step.kind != "load" or not scene.step.lanes:
        return []
    mine = traffic(scene.step, scene.array).sectors
    for step in scene.warp.steps:
        if step.line != scene.step.line and step.array == scene.step.array and step.kind == "load" \
                and traffic(step, scene.array).sectors == mine:
            one, two = sorted((step.line, scene.step.line))
            words = (f"Both touch the same {figures.plural(len(mine), 'sector')}. The second request may find them in "
                     "the cache, but it asks for all of them again: the counter counts requests.")
            return [blank(), plain_rule(row((f"Lines {one} and {two}", look.muted)), width, look),
                    *(row(" ", line) for line in wrapped(words, width - 3, look, style=look.muted))]
    return []


def _steps(scene: Scene, width: int, look: Look) -> list[Row]:
    """All steps of the warp, where they are few."""
    count = len(scene.warp.steps)
    if not 1 < count <= 8:
        return []
    names = []
    dots = row(" ", ("step  ", look.muted))
    for place in range(count):
        other = scene.at(replace(scene.position, step=place))
        names.append(f"{other.step.line} {other.step.kind} {other.touched}")
        if place:
            dots.append("───", look.faint)
        here = place == scene.position.step
        dots.append("●" if here else "○", look.accent + look.bold if here else look.text)
    words = row((_fitting(names, width - dots.cell_len - 5), look.muted))
    return [blank(), row(("─" * width, look.faint)), row(dots, "     ", words)]


def _fitting(names: list[str], width: int) -> str:
    text = "   ".join(names)
    while len(text) > width and names:
        names = names[:-1]
        text = "   ".join([*names, "…"])
    return text
