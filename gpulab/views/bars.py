"""Two bars: what moves for each output, and the least that could."""

from __future__ import annotations

from gpulab.views.look import Look
from gpulab.views.rows import Row, apart, row
from gpulab.views.scene import Scene
from gpulab.views.tallies import bytes_each, whole


def moved(scene: Scene, width: int, look: Look, *, tall: bool = False) -> list[Row]:
    """Bytes moved per output, yours and the best; nothing where blocks are missing in the picture."""
    if not scene.elements or scene.picture.left_out:
        return []
    tally = whole(scene.picture)
    loads, stores = (bytes_each(count, scene.elements) for count in (tally.load_sectors, tally.store_sectors))
    best_loads, best_stores = (bytes_each(count, scene.elements)
                               for count in (tally.best_load_sectors, tally.best_store_sectors))
    yours, best = loads + stores, best_loads + best_stores
    if not yours:
        return []
    over = yours > best
    parts = [f"{_short(load)} load, {_short(store)} store"
             for load, store in ((loads, stores), (best_loads, best_stores))]
    beside = max(map(len, parts)) + 2
    room = width - 4 if tall else width - 14 - beside
    length = max(1, int(best / yours * room))
    hues = (look.accent if over else look.data[0], look.data[0])
    entries = [("yours", yours, parts[0], room, hues[0]), ("best", best, parts[1], length, hues[1])]
    rows: list[Row] = []
    for name, total, part, bar, hue in entries:
        figure = row((f"{_short(total)}", hue + look.bold))
        if tall:
            rows += [apart(row("  ", (name, look.text)), figure, width), row("  ", ("━" * bar, hue)),
                     row("  ", (part, look.muted)), row()]
        else:
            line = row("  ", (f"{name:<6}", look.text), ("━" * bar, hue))
            line.pad_right(max(0, 8 + room - line.cell_len))
            rows.append(row(line, (f"{_short(total):>5}", hue + look.bold), (f"{part:>{beside}}", look.muted), " "))
    return rows[:-1] if tall else rows


def _short(number: float) -> str:
    return f"{number:.0f}" if number >= 100 or float(number).is_integer() else f"{number:.1f}"
