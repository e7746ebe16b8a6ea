"""An array as cells, each marked by the block whose thread touches it; and the chosen thread's arithmetic."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from rich.style import Style

from gpulab.trace.picture import WARP, PictureArray
from gpulab.views import figures
from gpulab.views.look import Look
from gpulab.views.rows import Row, row
from gpulab.views.scene import Scene
from gpulab.views.subscripts import sent_home

MOST_ROWS = 24
CELL, CHOSEN, NOBODY = "■", "□", "·"


@dataclass(frozen=True)
class Owner:
    """The thread that touches a cell in this step."""

    block: int
    warp: int
    lane: int


@dataclass(frozen=True)
class Grid:
    """An array in two dimensions (of one dimension: one row), cut into tiles.

    Tiles have the size of a block where each thread touches the element at its own place in the grid.
    """

    scene: Scene
    owners: dict[tuple[int, int], Owner]
    rows: int
    columns: int
    tile: tuple[int, int]
    """Rows and columns that stand together."""
    own_place: bool
    """Whether every thread touches the element at its own (y, x)."""

    @property
    def absent(self) -> int:
        """Threads of the launch that take no part in this step."""
        picture = self.scene.picture
        return picture.block_count * picture.block_size - sum(len(step.lanes) for _, step in self.scene.together)

    @property
    def sent_home(self) -> int | None:
        """The line of the `if` that left these out, where they do nothing else either; None where they do."""
        picture = self.scene.picture
        at_work = sum(len({lane for step in warp.steps for lane in step.lanes}) for warp in picture.warps)
        idle = picture.block_count * picture.block_size - at_work
        return sent_home(self.scene.source, self.scene.step.line) if idle == self.absent else None


def grid_of(scene: Scene) -> Grid | None:
    """The grid of the chosen step over all warps; None where the array is no small grid."""
    array = scene.array
    if not 1 <= len(array.shape) <= 2 or array.space not in ("global", "shared") or 0 in array.shape:
        return None
    if array.space == "shared" and scene.picture.block_count > 1:
        return None
    owners: dict[tuple[int, int], Owner] = {}
    own_place = True
    for warp, step in scene.together:
        for lane in step.lanes:
            cell = step.cells[lane]
            assert cell is not None
            place = _place(array, cell)
            owners.setdefault(place, Owner(warp.block, warp.number, lane))
            x, y, _ = scene.picture.position_of(warp, lane)
            own_place = own_place and place == (y, x)
    rows, columns = _place_shape(array)
    if own_place:
        block, grid = scene.picture.threads, scene.picture.blocks
        return Grid(scene, owners, max(rows, grid[1] * block[1]), max(columns, grid[0] * block[0]),
                    (block[1], block[0]), True)
    return Grid(scene, owners, rows, columns, (4, 8), False)


def is_telling(scene: Scene) -> bool:
    """Whether a grid tells more than sectors: launch and array are flat, and every thread has its own element."""
    if len(scene.array.shape) != 2 or max(scene.picture.threads[1], scene.picture.blocks[1]) < 2:
        return False
    drawn = grid_of(scene)
    return drawn is not None and drawn.own_place and not scene.step.outside


def _place(array: PictureArray, cell: int) -> tuple[int, int]:
    index = array.index(cell)
    return (0, index[0]) if len(index) == 1 else (index[0], index[1])


def _place_shape(array: PictureArray) -> tuple[int, int]:
    return (1, array.shape[0]) if len(array.shape) == 1 else (array.shape[0], array.shape[1])


def picture(grid: Grid, width: int, look: Look, *, spacing: int = 2, most_rows: int = MOST_ROWS) -> list[Row] | None:
    """Tiles of cells around the chosen warp's; None where not even one tile fits into the width."""
    down = (_around([place[0] for place in _mine(grid)], grid.rows, grid.tile[0], most_rows, 1, 1)
            or _part_of_tile(grid, most_rows))
    across = _around([place[1] for place in _mine(grid)], grid.columns, grid.tile[1], width - 5, spacing, _gap(spacing))
    if across is None:
        return None
    rows = [_axis(grid, across, spacing, look)]
    for number, tile_row in enumerate(down):
        if number:
            rows.append(row())
        rows += [_row(grid, y, across, spacing, look) for y in tile_row]
    hidden = _hidden(grid, down, across)
    return [*rows, row("     ", (hidden, look.muted))] if hidden else rows


def _mine(grid: Grid) -> list[tuple[int, int]]:
    """Cells that the chosen warp touches."""
    array, step = grid.scene.array, grid.scene.step
    return [_place(array, cell) for cell in step.cells if cell is not None] or [(0, 0)]


def _around(mine: list[int], extent: int, tile: int, room: int, cell: int, gap: int) -> list[range] | None:
    """Ranges of whole tiles, as many as fit into `room`, the chosen warp's first one among them."""
    tiles = [range(start, min(start + tile, extent)) for start in range(0, extent, tile)]
    each = tile * cell + gap
    count = (room + gap) // each
    if count < 1:
        return None
    first = max(0, min(min(mine) // tile - count // 2, len(tiles) - count))
    return tiles[first:first + count]


def _part_of_tile(grid: Grid, most_rows: int) -> list[range]:
    """As many rows of the chosen warp's tile as there is room for, its own first among them."""
    first = min(place[0] for place in _mine(grid))
    tile = first // grid.tile[0] * grid.tile[0]
    start = max(tile, min(first, tile + grid.tile[0] - most_rows))
    return [range(start, min(start + most_rows, grid.rows))]


def _gap(spacing: int) -> int:
    """Cells between two tiles."""
    return 2 if spacing == 2 else 1


def _axis(grid: Grid, across: list[range], spacing: int, look: Look) -> Row:
    line = row((" y\\x " if len(grid.scene.array.shape) > 1 else "   x ", look.muted))
    mine = {place[1] for place in _mine(grid)}
    for number, columns in enumerate(across):
        if number:
            line.append(" " * _gap(spacing))
        room = len(columns) * spacing
        label = f"{columns[0]} to {columns[-1]}"
        text = label if len(label) <= room else str(columns[0])
        line.append(f"{text:<{room}}", look.accent + look.bold if mine & set(columns) else look.muted)
    return row(line)


def _row(grid: Grid, y: int, across: list[range], spacing: int, look: Look) -> Row:
    """One row of cells; each tile's part of it in one style."""
    there = any((y, x) in grid.owners for columns in across for x in columns)
    line = row((f"{y if len(grid.scene.array.shape) > 1 else '':>4} ", look.text if there else look.faint))
    for number, columns in enumerate(across):
        first = grid.owners.get((y, columns[0]))
        chosen = first is not None and _is_chosen(grid, first)
        if number:
            lane = f"{first.lane:<2}" if chosen and first is not None and spacing == 2 else " " * _gap(spacing)
            line.append(lane, look.accent)
        _append_tile(line, grid, y, columns, spacing, look)
    return line


def _append_tile(line: Row, grid: Grid, y: int, columns: range, spacing: int, look: Look) -> None:
    start = columns[0]
    while start < columns[-1] + 1:
        key = _kind(grid, y, start)
        end = start
        while end < columns[-1] + 1 and _kind(grid, y, end) == key:
            end += 1
        hue = _hue(grid, y, start, look)
        for x in range(start, end):
            owner = grid.owners.get((y, x))
            mine = owner is not None and _is_chosen_lane(grid, owner)
            text = _cell(owner, grid, spacing)
            line.append(text, look.accent + look.bold + Style(reverse=True) if mine else hue)
        start = end


def _cell(owner: Owner | None, grid: Grid, spacing: int) -> str:
    if owner is None:
        return NOBODY.ljust(spacing)
    if not _is_chosen(grid, owner):
        return CELL.ljust(spacing)
    if spacing > 2:
        return f"{owner.lane:>2} "
    return f"{owner.lane:<2}" if _is_chosen_lane(grid, owner) else CHOSEN.ljust(spacing)


def _kind(grid: Grid, y: int, x: int) -> tuple[int, bool] | None:
    owner = grid.owners.get((y, x))
    return None if owner is None else (owner.block, _is_chosen(grid, owner))


def _hue(grid: Grid, y: int, x: int, look: Look) -> Style:
    owner = grid.owners.get((y, x))
    if owner is None:
        return look.faint
    if _is_chosen(grid, owner):
        return look.data_cell[3]
    where = grid.scene.picture.block_at(owner.block)
    return look.data[(where[0] + 2 * where[1]) % 3]


def _is_chosen(grid: Grid, owner: Owner) -> bool:
    return (owner.block, owner.warp) == (grid.scene.warp.block, grid.scene.warp.number)


def _is_chosen_lane(grid: Grid, owner: Owner) -> bool:
    return _is_chosen(grid, owner) and owner.lane == grid.scene.position.lane


def _hidden(grid: Grid, down: Iterable[range], across: Iterable[range]) -> str:
    """What of the array is not in view."""
    parts = []
    for name, shown, extent in (("rows", list(down), grid.rows), ("columns", list(across), grid.columns)):
        first, last = shown[0][0], shown[-1][-1]
        if last - first + 1 < extent:
            parts.append(f"{name} {first} to {last} of {extent}")
    return ", ".join(parts)


def legend(grid: Grid, look: Look) -> list[Row]:
    """What the marks mean, a row each."""
    chosen = "block" if grid.scene.picture.warps_per_block == 1 else "warp"
    several = grid.columns > grid.tile[1]
    rows = [row((f"{CHOSEN} ", look.data_cell[3]), (f"chosen {chosen}" + (", its" if several else ""), look.muted))]
    if several:
        rows.append(row(("  first lane at left", look.muted)))
    if grid.scene.picture.block_count * grid.scene.picture.warps_per_block > 1:
        rows.append(row((f"{CELL} ", look.data[0]), (f"other {chosen}s", look.muted)))
    if not grid.own_place or not grid.absent:
        return [*rows, row((f"{NOBODY} ", look.faint), ("left alone", look.muted))]
    line = grid.sent_home
    said = (f"{grid.absent} threads sent", f"  home by line {line}") if line else (
        f"{grid.absent} threads are", "  not in this step")
    return [*rows, row((f"{NOBODY} ", look.faint), (said[0], look.muted)), row((said[1], look.muted))]


def thread_facts(grid: Grid, look: Look, *, long: bool = False) -> list[Row]:
    """The chosen thread, how its indices come about, and what it touches on this line."""
    scene = grid.scene
    lane = scene.position.lane
    if lane is None:
        return []
    warp = scene.warp
    block, thread = scene.picture.block_at(warp.block), scene.picture.thread_at(warp, lane)
    dims = 2 if max(scene.picture.threads[1], scene.picture.blocks[1]) > 1 else 1
    name = f"thread {figures.coordinates(thread, dims)}"
    place = (f" of block {figures.coordinates(block, dims)}", look.muted) if long else ("", look.muted)
    rows = [row((name, look.accent + look.bold), place)]
    if long:
        rows.append(row())
    if grid.own_place:
        for axis in range(dims):
            rows += _sum("xy"[axis], block[axis], scene.picture.threads[axis], thread[axis], look, long)
    if dims == 2 and scene.picture.warps_per_block == 1:
        width = scene.picture.threads[0]
        rows.append(row((f"lane {'= ' if long else ''}{thread[1]} * {width} + {thread[0]} = ", look.muted),
                        (str(lane), look.bright)))
    elif not grid.own_place or scene.picture.warps_per_block > 1:
        rows.append(row((f"warp {warp.number}, lane {lane}", look.muted)))
    return [*rows, row(), *_touched(scene, lane, look)]


def _sum(axis: str, block: int, size: int, thread: int, look: Look, long: bool) -> list[Row]:
    result = (str(block * size + thread), look.strong if long else look.bright)
    sum_of = f"{block} * {size} + {thread} = "
    if not long:
        return [row((f"{axis} = {sum_of}", look.muted), result)]
    return [row((f"{axis} = blockIdx.{axis} * blockDim.{axis} + ...", look.muted)),
            row((f"  = {sum_of}", look.text), result)]


def _touched(scene: Scene, lane: int, look: Look) -> list[Row]:
    """`writes out[6, 11]`, `reads a[6, 11]`: the thread's accesses on the chosen line, the chosen step's own first."""
    verbs = {"load": "reads ", "store": "writes", "atomic": "updates"}
    rows: list[Row] = []
    line = [step for step in scene.warp.steps
            if (step.line, step.interval, step.variables)
            == (scene.step.line, scene.step.interval, scene.step.variables)]
    for step in [scene.step, *(step for step in line if step is not scene.step)][:3]:
        cell = step.cells[lane] if lane < WARP else None
        if cell is not None:
            array: PictureArray = scene.picture.arrays[step.array]
            own = step is scene.step
            rows.append(row((f"{verbs[step.kind]} ", look.text if own else look.muted),
                            (figures.element(array.name, array.index(cell)), _own(own, look))))
    return rows


def _own(own: bool, look: Look) -> Style:
    return look.accent + look.bold if own else look.text


def launch_facts(grid: Grid) -> list[tuple[str, str, bool]]:
    """The shape of the launch, and how many of its threads are at work in this step."""
    scene = grid.scene
    array, picture = scene.array, scene.picture
    total = picture.block_count * picture.block_size
    at_work = sum(len(step.lanes) for _, step in scene.together)
    entries = [("array", " x ".join(map(str, array.shape)), False),
               ("block", f"{_extent(picture.threads)} threads", False),
               ("grid", f"{_extent(picture.blocks)} {'block' if picture.block_count == 1 else 'blocks'}", False),
               ("threads", str(total), False), ("at work", str(at_work), False)]
    line = grid.sent_home
    if at_work < total:
        entries.append((f"sent home, line {line}" if line else "not in this step", str(total - at_work), False))
    return entries


def _extent(size: tuple[int, int, int]) -> str:
    count = 3 if size[2] > 1 else 2 if size[1] > 1 else 1
    return " x ".join(map(str, size[:count]))
