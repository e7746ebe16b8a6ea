"""A step in words: who, which line, what; and what it costs."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gpulab.trace.picture import PictureArray, PictureStep
from gpulab.trace.traffic import BANKS, SECTOR, WORD, BankUse, Traffic, bank_use, traffic
from gpulab.views import figures
from gpulab.views.look import Look
from gpulab.views.rows import Row, padded, row
from gpulab.views.scene import Scene

VERBS = {"load": ("loads", "load"), "store": ("stores", "store"), "atomic": ("updates", "update")}


def heading(scene: Scene, width: int, look: Look) -> Row:
    """`─┤ step 1 of 3 ├─ warp 0, line 10: each lane loads p[i, 3] ───`: the chosen step."""
    number = f"step {scene.position.step + 1} of {len(scene.warp.steps)}"
    return chosen_rule(number, sentences(scene, look), width, look)


def chosen_rule(number: str, wordings: Sequence[Row], width: int, look: Look) -> Row:
    """A rule with a chosen part, and what it is about, in the first wording for which there is room."""
    lead = row(("─", look.faint), ("┤ ", look.accent), (number, look.accent + look.bold), (" ├", look.accent),
               ("─ ", look.faint))
    words = fitting(wordings, width - lead.cell_len - 1)
    words = padded(words, min(words.cell_len, max(0, width - lead.cell_len - 1)))
    rest = width - lead.cell_len - words.cell_len - 1
    return row(lead, words, " ", ("─" * max(0, rest), look.faint))


def fitting(wordings: Sequence[Row], room: int) -> Row:
    """The first wording that fits into `room` cells, else the last."""
    return next((words for words in wordings if words.cell_len <= room), wordings[-1])


def sentences(scene: Scene, look: Look) -> list[Row]:
    """`warp 0, line 15, k = 0: lane t loads tile[t, 0]`, and shorter: the line is marked in the source, the variables
    stand in the index."""
    loop = [f"{name} = {value}" for name, value in scene.variables]
    leads = [[who(scene), f"line {scene.step.line}", *loop], [who(scene), *loop], [who(scene)], []]
    return [row((f"{', '.join(lead)}: " if lead else "", look.muted), (what(scene), look.bright)) for lead in leads]


def whose(scene: Scene) -> str:
    """`warp 0, line 15, k = 0`."""
    parts = [who(scene), f"line {scene.step.line}", *(f"{name} = {value}" for name, value in scene.variables)]
    return ", ".join(parts)


def who(scene: Scene) -> str:
    """The warp: by its block where there are several, by its number where the block has several."""
    picture, warp = scene.picture, scene.warp
    block = f"block {figures.coordinates(picture.block_at(warp.block), figures.dimensions(_last(picture.blocks)))}"
    if picture.block_count == 1:
        return f"warp {warp.number}"
    return block if picture.warps_per_block == 1 else f"{block}, warp {warp.number}"


def what(scene: Scene) -> str:
    """`each lane loads p[i, 3]`, `its 32 threads store out[y, x]`, `lanes 0 to 7 load tile[t + 8]`."""
    step, lanes = scene.step, scene.step.lanes
    one, many = VERBS[step.kind]
    if not lanes:
        return f"no lane {one} {scene.touched}"
    if len(lanes) == 1:
        return f"lane {lanes[0]} {one} {figures.element(scene.array.name, index_of(scene.array, step, lanes[0]))}"
    if len(lanes) < scene.warp.threads:
        return f"{lanes_in_words(lanes)} {many} {scene.touched}"
    if scene.picture.warps_per_block == 1 and scene.picture.block_count > 1:
        return f"its {len(lanes)} threads {many} {scene.touched}"
    return f"{_each(scene)} {one} {scene.touched}"


def _each(scene: Scene) -> str:
    """`thread t` (of the first warp `lane t`) where the index has the thread's number by name, else `each lane`."""
    subscript, step, array = scene.subscript, scene.step, scene.array
    if subscript is None or len(subscript.index) != len(array.shape):
        return "each lane"
    for axis, part in enumerate(subscript.index):
        name = getattr(part, "id", None)
        if name and re.search(rf"\b{name}\b.*=.*threadIdx", scene.source) and all(
            array.index(cell)[axis] == scene.first_thread + lane
            for lane, cell in enumerate(step.cells) if cell is not None
        ):
            return f"{'thread' if scene.warp.number else 'lane'} {name}"
    return "each lane"


def index_of(array: PictureArray, step: PictureStep, lane: int) -> tuple[int, ...] | None:
    """The index that a lane touches."""
    cell = step.cells[lane]
    return None if cell is None else array.index(cell)


def lanes_in_words(lanes: Sequence[int]) -> str:
    """`lanes 0 to 7`, or `17 lanes` where they are no row."""
    if lanes[-1] - lanes[0] + 1 == len(lanes):
        return f"lanes {lanes[0]} to {lanes[-1]}" if len(lanes) > 2 else f"lanes {lanes[0]} and {lanes[-1]}"
    return f"{len(lanes)} lanes"


def of_thread(scene: Scene, width: int, look: Look, indent: int = 2) -> Row | None:
    """`thread 35, lane 3: loads a[35] = 0.42, in sector 4`: what the chosen thread does; None where none is chosen."""
    lane = scene.position.lane
    if lane is None:
        return None
    step, array = scene.step, scene.array
    dims = figures.dimensions(_last(scene.picture.threads))
    name = figures.coordinates(scene.picture.thread_at(scene.warp, lane), dims)
    lead = row(" " * indent, (f"thread {name}", look.accent + look.bold))
    by_lane = row(lead, (f", lane {lane}", look.muted))
    cell, value = step.cells[lane], step.values[lane]
    if cell is None or value is None:
        asked_for = next((index for other, index in step.outside if other == lane), None)
        said = (f": {VERBS[step.kind][0]} {figures.element(array.name, asked_for)}, which is not there"
                if asked_for is not None else ": takes no part in this step")
        return padded(row(by_lane, (said, look.text)), width)
    does = row((": ", look.muted), (f"{VERBS[step.kind][0]} ", look.text),
               (figures.element(array.name, array.index(cell)), look.bright))
    worth = (f" = {figures.value(value, 2, exact=False)}", look.text)
    where = (_where(step, array, lane, cell), look.text)
    return padded(fitting([row(by_lane, does, worth, where), row(lead, does, worth, where), row(lead, does, where),
                          row(lead, where)],
                          width), width)


def _where(step: PictureStep, array: PictureArray, lane: int, cell: int) -> str:
    """`, in sector 4` of the array; `, word 35: bank 3, wavefront 1 of 1`."""
    if array.space == "global":
        return f", in sector {array.byte(cell) // SECTOR - array.first_byte // SECTOR}"
    if array.space != "shared":
        return ""
    word = cell * array.itemsize // WORD
    where = f", word {word}: bank {word % BANKS}"
    if step.kind == "atomic":
        return where
    use = bank_use(step, array)
    turn = next(number for number, wave in enumerate(use.waves, 1) if lane in wave)
    return f"{where}, wavefront {turn} of {use.wavefronts}"


def cost(scene: Scene) -> str:
    """The sentence that says what the step costs."""
    step, array = scene.step, scene.array
    if not step.lanes:
        return "Nothing moves: nobody asks for an element that is there."
    if step.kind == "atomic":
        return _atomic_cost(step, array)
    if array.space == "global":
        return global_cost(step, array)
    if array.space == "shared":
        return shared_cost(bank_use(step, array))
    if array.space == "local":
        return "Each thread has an array of its own: nobody else sees it."
    return "A constant: the array was frozen when the kernel was compiled."


def global_cost(step: PictureStep, array: PictureArray) -> str:
    """`32 lanes ask for 128 bytes; 32 sectors = 1024 bytes move. 12.5 % is used.`"""
    moves = traffic(step, array)
    rows = runs(step, array)
    if len(moves.sectors) > moves.best and len(array.shape) == 2 and _are_rows(rows):
        length = (rows[0][1] - rows[0][0]) * array.itemsize
        return f"{len(rows)} rows of {length} bytes touch {len(moves.sectors)} sectors, where {moves.best} would do."
    return f"{asked(step, moves)}; {moved(moves)}. {moves.used:.3g} % is used."


def asked(step: PictureStep, moves: Traffic) -> str:
    """`32 lanes ask for 128 bytes`."""
    who = figures.plural(moves.lanes, "lane")
    verb = ("asks for" if moves.lanes == 1 else "ask for") if step.kind == "load" else (
        "writes" if moves.lanes == 1 else "write")
    if moves.different == moves.asked:
        return f"{who} {verb} {figures.plural(moves.asked, 'byte')}"
    if moves.different * moves.lanes == moves.asked:
        return f"{who} {verb} the same {moves.different} bytes"
    verb = "want" if step.kind == "load" else verb
    return f"{who} {verb} {moves.different} different bytes"


def moved(moves: Traffic) -> str:
    """`32 sectors = 1024 bytes move`."""
    count = len(moves.sectors)
    return f"{figures.plural(count, 'sector')} = {moves.moved} bytes {'moves' if count == 1 else 'move'}"


def shared_cost(use: BankUse) -> str:
    """`8 lanes queue at each of 4 banks: 8 wavefronts where 1 would do.`"""
    lanes = len({lane for who in use.words.values() for lane in who})
    least = f"{use.least} would do"
    if use.conflicts:
        crowded = [count for count in use.queues if count > 1]
        even = len(set(crowded)) == 1 and use.per_bank.count(0) == 32 - len(crowded) and lanes == sum(use.per_bank)
        who = (f"{crowded[0]} lanes queue at each of {len(crowded)} banks" if even and len(crowded) > 1
               else f"{crowded[0]} lanes queue at one bank" if even
               else f"Up to {max(crowded)} words are wanted of one bank")
        return f"{who}: {use.wavefronts} wavefronts where {least}."
    waves = figures.plural(use.wavefronts, "wavefront")
    if len(use.words) == 1:
        return f"All {lanes} lanes want one word: {waves}." if lanes > 1 else f"One lane wants one word: {waves}."
    if len(use.words) < lanes:
        return f"{lanes} lanes want {len(use.words)} words, no two of one bank: {waves}."
    return f"Every lane finds a bank of its own: {waves}."


def _atomic_cost(step: PictureStep, array: PictureArray) -> str:
    cells = [cell for cell in step.cells if cell is not None]
    crowd = max(map(cells.count, cells))
    who = figures.plural(len(cells), "lane")
    verb = "updates" if len(cells) == 1 else "update"
    if crowd == 1:
        return f"{who} {verb} {figures.plural(len(cells), 'cell')}: nobody waits for another."
    where = "one cell" if len(set(cells)) == 1 else f"{len(set(cells))} cells"
    return f"{who} {verb} {where}: up to {crowd} of them take turns at one."


def runs(step: PictureStep, array: PictureArray) -> list[tuple[int, int]]:
    """Neighbouring cells in memory that the step touches, as [first, end)."""
    found: list[tuple[int, int]] = []
    for cell in sorted({cell for cell in step.cells if cell is not None}):
        if found and found[-1][1] == cell:
            found[-1] = (found[-1][0], cell + 1)
        else:
            found.append((cell, cell + 1))
    return found


def _are_rows(found: Sequence[tuple[int, int]]) -> bool:
    return len(found) > 1 and len({end - first for first, end in found}) == 1 and found[0][1] - found[0][0] > 1


def broken_rows(step: PictureStep, array: PictureArray) -> str:
    """`rows 5 and 7 begin in the middle of one`: why rows touch more sectors than they need; "" where they do not."""
    found = runs(step, array)
    if len(array.shape) != 2 or not _are_rows(found):
        return ""
    broken = [str(array.index(first)[0]) for first, _ in found if array.byte(first) % SECTOR]
    if not broken or len(broken) == len(found):
        return "each row begins in the middle of one" if broken else ""
    noun, verb = ("rows", "begin") if len(broken) > 1 else ("row", "begins")
    return f"{noun} {figures.listed(broken)} {verb} in the middle of one"


def row_length(array: PictureArray) -> str:
    """`A row of out is 20 x 4 = 80 bytes, two and a half sectors.`"""
    size = array.strides[0] * array.itemsize
    whole, half = divmod(size * 2 // SECTOR, 2) if size * 2 % SECTOR == 0 else (0, -1)
    count = f"{size / SECTOR:.3g}" if half < 0 else figures.in_words(whole) + (" and a half" if half else "")
    if size < SECTOR // 2:
        return f"A row of {array.name} is {array.strides[0]} x {array.itemsize} = {size} bytes, less than a sector."
    count = "half a sector" if (whole, half) == (0, 1) else f"{count} {'sector' if count == 'one' else 'sectors'}"
    return f"A row of {array.name} is {array.strides[0]} x {array.itemsize} = {size} bytes, {count}."


def refused(scene: Scene) -> str | None:
    """`Lane 31 asks for a[200], which is not there.`: of the lanes that were not let through."""
    outside = scene.step.outside
    if not outside:
        return None
    lane, index = outside[0]
    verb = {"load": "asks for", "store": "writes", "atomic": "updates"}[scene.step.kind]
    shape = (f"has {figures.plural(scene.array.shape[0], 'element')}" if len(scene.array.shape) == 1
             else f"is {' x '.join(map(str, scene.array.shape))}")
    more = f" So do {len(outside) - 1} more lanes." if len(outside) > 2 else " So does one more." if outside[1:] else ""
    return f"Lane {lane} {verb} {figures.element(scene.array.name, index)}, but {scene.array.name} {shape}.{more}"


def _last(extents: tuple[int, int, int]) -> tuple[int, int, int]:
    x, y, z = extents
    return x - 1, y - 1, z - 1
