"""The whole kernel with what every line did in the launch: the source and a gutter of figures."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from gpulab.trace.picture import WARP
from gpulab.views import figures, gutter
from gpulab.views.gutter import Column, Counts
from gpulab.views.look import Look
from gpulab.views.page import WIDE, Page
from gpulab.views.rows import Row, blank, paragraph, row
from gpulab.views.scene import Scene

_NONE: Counts = {}

LOADS = ("global_load_requests", "shared_load_requests")
STORES = ("global_store_requests", "shared_store_requests")
LOCAL = ("local_loads", "local_stores")


def page(scene: Scene, width: int, look: Look, *, chosen: int | None = None) -> Page:
    """Requests, sectors, conflicts and active lanes by line, all warps of the launch together; `chosen` is marked."""
    counts = scene.counts
    faults = sorted({finding.line for finding in scene.findings})
    shown = gutter.kernel_lines(counts, scene.findings, scene.source)
    table = gutter.table(scene.source, shown, _columns(counts, width, look), width, look, chosen=chosen, faults=faults)
    rows = [*table, _totals(scene, width, look), *_legend(width, look), *_faults(scene, width, look)]
    rows += _compiled(scene, width, look)
    return Page(rows).finished(look)


def _columns(counts: Mapping[int, Counts], width: int, look: Look) -> list[Column]:
    def column(title: str, room: int, figure: Callable[[Counts], tuple[str, bool]]) -> Column:
        return Column(title, room, lambda line: figure(counts.get(line, _NONE)))

    columns = [
        column("loads", 7, lambda line: (_sum(line, LOADS), False)),
        column("stores", 7, lambda line: (_sum(line, STORES), False)),
        column("sect/req", 10, sectors_per_request),
        column("best", 6, lambda line: (_best(line), False)),
        column("conflicts", 10, conflicts),
        column("lanes", 7, lambda line: (lanes(line), False)),
    ]
    if width < WIDE:
        return columns
    return [
        *columns[:2], column("atomics", 9, lambda line: (gutter.number(line, "atomics"), False)), *columns[2:4],
        column("waves/req", 11, _wavefronts), *columns[4:],
        column("barriers", 10, lambda line: (gutter.number(line, "barriers"), False)),
    ]


def _sum(counts: Counts, names: tuple[str, ...]) -> str:
    total = sum(counts.get(name, 0) for name in names)
    return f"{total:,.0f}" if total else ""


def sectors_per_request(counts: Counts) -> tuple[str, bool]:
    """Sectors of a global request, loads and stores together; whether fewer would do."""
    requests = counts.get("global_load_requests", 0) + counts.get("global_store_requests", 0)
    if not requests:
        return "", False
    sectors = counts.get("global_load_sectors", 0) + counts.get("global_store_sectors", 0)
    ideal = _ideal(counts)
    return f"{sectors / requests:.1f}", ideal is not None and sectors > ideal


def _ideal(counts: Counts) -> float | None:
    names = ("global_load_sectors_ideal", "global_store_sectors_ideal")
    return sum(counts.get(name, 0) for name in names) if any(name in counts for name in names) else None


def _best(counts: Counts) -> str:
    ideal = _ideal(counts)
    requests = counts.get("global_load_requests", 0) + counts.get("global_store_requests", 0)
    return f"{ideal / requests:.1f}" if ideal is not None and requests else ""


def conflicts(counts: Counts) -> tuple[str, bool]:
    """Bank conflicts of a line that is on shared memory: wavefronts beyond the least."""
    if not any(counts.get(f"shared_{kind}_requests") for kind in ("load", "store")):
        return "", False
    total = sum(counts.get(f"shared_{kind}_bank_conflicts", 0) for kind in ("load", "store"))
    return f"{total:,.0f}", total > 0


def _wavefronts(counts: Counts) -> tuple[str, bool]:
    requests = sum(counts.get(f"shared_{kind}_requests", 0) for kind in ("load", "store"))
    waves = sum(counts.get(f"shared_{kind}_wavefronts", 0) for kind in ("load", "store"))
    return (f"{waves / requests:.1f}", conflicts(counts)[1]) if requests and waves else ("", False)


def lanes(counts: Counts) -> str:
    """Active lanes of 32, on average over the warps that ran the line."""
    percent = counts.get("active_lanes_percent")
    return f"{percent * WARP / 100:.1f}".removesuffix(".0") if percent else ""


def _totals(scene: Scene, width: int, look: Look) -> Row:
    """The sums, in the columns' places."""
    totals = scene.run.counters.totals
    figures_of = row()
    for column in gutter.fitting(_columns({0: totals}, width, look), width):
        text, over = column.figure(0)
        text = f"{gutter.OVER} {text}" if over else text
        figures_of.append(f"{text:>{column.width}}", look.accent if over else look.text)
    line = row("  ", ("in all", look.muted))
    line.pad_right(max(0, width - 1 - line.cell_len - figures_of.cell_len))
    return row(line, figures_of)


def _legend(width: int, look: Look) -> list[Row]:
    said = ("Loads and stores are requests: one for each warp. A sector is 32 bytes; conflicts are extra turns at a "
            "bank of shared memory; lanes is how many of 32 are active, on average.")
    return [blank(), *paragraph(said, width, look, style=look.muted)]


def _faults(scene: Scene, width: int, look: Look) -> list[Row]:
    """Each fault in a sentence, under the source that it marks."""
    rows: list[Row] = []
    for finding in scene.findings:
        lead = f"× line {finding.line}: {finding.kind}. "
        said = row((lead, look.fault + look.bold), (finding.message, look.text))
        rows += paragraph(said, width, look)
    return [blank(), *rows] if rows else []


def _compiled(scene: Scene, width: int, look: Look) -> list[Row]:
    """What the compiler is known to drop or merge, by line."""
    compiled = scene.run.counters.compiled
    rows: list[Row] = []
    for line, reasons in sorted(compiled.why.items()):
        changed = compiled.lines.get(line, {})
        names = [name for name in (*LOADS, *STORES) if name in changed]
        counts = [figures.counted(changed[name], name) for name in names]
        lead = f"Line {line} as compiled, an estimate: {figures.listed(counts)}." if counts else f"Line {line}:"
        rows += paragraph(f"{lead} {' '.join(reasons)}", width, look, style=look.muted)
    return [blank(), *rows] if rows else []
