"""Where the wrong elements lie: at an end, in every block, in whole rows, at the edge."""

from __future__ import annotations

import numpy as np

from gpulab.judge.patterns.model import ENOUGH, Array, Mask, Pattern, Wrong
from gpulab.judge.patterns.values import alike, close
from gpulab.judge.wording import in_words, ordinal

WHICH_THREADS = "Which threads write these elements?"


def in_line(found: Wrong) -> Pattern | None:
    """Places in an array of one dimension."""
    if found.wrong.ndim != 1:
        return None
    for finder in (_everywhere, _in_every_block, _one_run, _every_nth, _later_blocks):
        pattern = finder(found)
        if pattern is not None:
            return pattern
    return None


def in_matrix(found: Wrong) -> Pattern | None:
    """Places in an array of two dimensions."""
    if found.wrong.ndim != 2:
        return None
    return _everywhere(found) or _lines(found) or _edges(found) or _diagonal(found)


def _everywhere(found: Wrong) -> Pattern | None:
    if not found.all:
        return None
    look = "Follow the first thread by hand with these numbers."
    same = (alike(found) or close(found)) if found.word == "wrong" else None
    if same is not None:
        return Pattern(same.sentence, same.next)
    return Pattern(f"Every element is {found.word}.", look, vague=2)


# Arrays of one dimension


def _one_run(found: Wrong) -> Pattern | None:
    """Wrong elements side by side."""
    places = np.flatnonzero(found.wrong)
    first, last = int(places[0]), int(places[-1])
    if last - first + 1 != found.many or (found.many == 1 and 0 < first < found.wrong.size - 1):
        return None
    if first == 0:
        return _run_at_the_start(found)
    if last == found.wrong.size - 1:
        return _run_at_the_end(found, first)
    if found.row and first % found.row == 0 and found.many == found.row:
        return Pattern(f"Only block {first // found.row} is {found.word}.", "What differs for a thread of this block?")
    return Pattern(f"Only elements {first} to {last} are {found.word}.", WHICH_THREADS, vague=1)


def _single(found: Wrong, which: str, look: str) -> Pattern:
    """One wrong element at an end; in a block of its own it may be the first or the last of the block."""
    alone = found.row is not None and (found.wrong.size - 1) % found.row == 0
    return Pattern(f"Only the {which} element is {found.word}.", look, vague=int(found.wrong.size < ENOUGH or alone))


def _run_at_the_start(found: Wrong) -> Pattern:
    if found.many == 1:
        return _single(found, "first", "What is special about the first thread?")
    if found.row == found.many:
        return Pattern(f"Only block 0 is {found.word}.", "What differs for a thread of block 0?")
    return Pattern(f"Only the first {in_words(found.many)} elements are {found.word}.",
                   "What is special about the first threads?", vague=int(found.many < ENOUGH))


def _run_at_the_end(found: Wrong, first: int) -> Pattern:
    row, size, word = found.row, found.wrong.size, found.word
    if found.many == 1:
        return _single(found, "last", "What does the last thread do?")
    blocks = -(-size // row) if row else 1
    if row and first % row == 0 and first + row >= size:
        few = int(blocks < 3)
        if size % row:
            return Pattern(f"Only the last block is {word}, the one that is not full.",
                           "What do the threads of the last block do?", vague=few)
        return Pattern(f"Only the last block is {word}.", "What differs for a thread of the last block?", vague=few)
    if row == first:
        return Pattern(f"Block 0 is fine, every later block is {word}.", "What differs for a thread of block 1?")
    if found.many <= 10:
        return Pattern(f"Only the last {in_words(found.many)} elements are {word}.", "What do the last threads do?",
                       vague=int(found.many < ENOUGH))
    there = f"{found.name}[{first}]"
    return Pattern(f"Everything from {there} on is {word}.", f"Which thread should write {there}?")


def _in_every_block(found: Wrong) -> Pattern | None:
    """The same places in every block, but for the first or the last."""
    if not found.row or found.wrong.size <= found.row:
        return None
    rows = [found.wrong[start:start + found.row] for start in range(0, found.wrong.size, found.row)]
    for first, last, but in ((0, 0, ""), (1, 0, ", except in block 0"), (0, 1, ", except in the last")):
        chosen = rows[first:len(rows) - last]
        skipped = rows[:first] + rows[len(rows) - last:]
        if sum(bool(row.any()) for row in chosen) < 2 or any(row.any() for row in skipped):
            continue
        places = max(chosen, key=len)
        whole = bool(places.all())
        if places.any() and not whole and all(np.array_equal(row, places[: len(row)]) for row in chosen):
            return _of_every_block(found, places, but)
    return None


def _of_every_block(found: Wrong, places: Mask, but: str) -> Pattern:
    """The sentence for one block's wrong `places`."""
    at = np.flatnonzero(places)
    many, row = len(at), len(places)
    look = "Which threads of a block write these elements?"
    if many == row // 2 and np.all(np.diff(at) == 2):
        return Pattern(f"Every other element is {found.word}, from {found.name}[{at[0]}] on.", look)
    if at[-1] == many - 1:
        subject, look = _first(many), "What lies left of a block's first element?"
    elif at[0] == row - many:
        subject, look = _last(many), "What lies right of a block's last element?"
    elif many == 1:
        subject = f"Element {at[0]}"
    elif at[-1] - at[0] == many - 1:
        subject = f"Elements {at[0]} to {at[-1]}"
    else:
        subject = f"The same {in_words(many)} elements"
    return Pattern(f"{subject} of every block {'is' if many == 1 else 'are'} {found.word}{but}.", look)


def _first(many: int) -> str:
    return "The first element" if many == 1 else f"The first {in_words(many)} elements"


def _last(many: int) -> str:
    return "The last element" if many == 1 else f"The last {in_words(many)} elements"


def _every_nth(found: Wrong) -> Pattern | None:
    if found.many < ENOUGH:
        return None
    places = np.flatnonzero(found.wrong)
    step = int(places[1] - places[0])
    regular = np.arange(places[0], found.wrong.size, step)
    if step < 2 or places[0] >= step or not np.array_equal(places, regular):
        return None
    what = "other" if step == 2 else ordinal(step)
    return Pattern(f"Every {what} element is {found.word}, from {found.name}[{places[0]}] on.",
                   WHICH_THREADS)


def _later_blocks(found: Wrong) -> Pattern | None:
    first = int(np.flatnonzero(found.wrong)[0])
    if not found.row or first < found.row:
        return None
    clean = first // found.row
    look = f"What differs for a thread of block {clean}?"
    if clean == 1:
        return Pattern("Block 0 is fine, the faults are in later blocks.", look)
    return Pattern(f"The first {in_words(clean)} blocks are fine, the faults come later.", look)


# Arrays of two dimensions


def _lines(found: Wrong) -> Pattern | None:
    """Whole rows or whole columns."""
    for axis, word in ((1, "row"), (0, "column")):
        lines = found.wrong.any(axis=axis)
        if lines.size > 1 and np.array_equal(found.wrong.all(axis=axis), lines):
            return _which_lines(np.flatnonzero(lines), lines.size, found.wrong.size // lines.size, word, found.word)
    return None


def _which_lines(at: Array, length: int, across: int, line: str, word: str) -> Pattern | None:
    vague = int(length < ENOUGH or across < ENOUGH)
    look = f"Which threads write {'these ' + line + 's' if len(at) > 1 else 'this ' + line}?"
    if len(at) == 1:
        which = {0: f"the first {line}", length - 1: f"the last {line}"}.get(int(at[0]), f"{line} {at[0]}")
        return Pattern(f"Only {which} is {word}.", look, vague)
    if at[-1] - at[0] == len(at) - 1:
        if at[-1] == length - 1:
            return Pattern(f"All {line}s from {line} {at[0]} on are {word}.", look, vague)
        if at[0] == 0:
            return Pattern(f"Only the first {in_words(len(at))} {line}s are {word}.", look, vague)
        return Pattern(f"Only {line}s {at[0]} to {at[-1]} are {word}.", look, vague)
    if np.all(np.diff(at) == 2) and len(at) >= length // 2:
        return Pattern(f"Every other {line} is {word}.", look)
    return None


def _edges(found: Wrong) -> Pattern | None:
    """Last row and column together, tiles that are not full, or all but the first tile."""
    border = np.zeros_like(found.wrong)
    border[-1], border[:, -1] = True, True
    if np.array_equal(found.wrong, border):
        return Pattern(f"Only the last row and the last column are {found.word}.",
                       "What do the threads at the edge do?")
    if not found.tile:
        return None
    return _ragged_tiles(found, found.tile) or _all_but_first_tile(found, found.tile)


def _ragged_tiles(found: Wrong, tile: tuple[int, int]) -> Pattern | None:
    rows, columns = (extent // per * per for extent, per in zip(found.wrong.shape, tile, strict=True))
    if (rows, columns) == found.wrong.shape or not rows or not columns or found.wrong[:rows, :columns].any():
        return None
    return Pattern(f"Only tiles at the edge are {found.word}, those that are not full.",
                   "What do the threads outside the matrix do?")


def _all_but_first_tile(found: Wrong, tile: tuple[int, int]) -> Pattern | None:
    first = found.wrong[: tile[0], : tile[1]]
    if first.any() or found.many != found.wrong.size - first.size:
        return None
    return Pattern(f"Block (0, 0) is fine, every other block is {found.word}.",
                   "What differs for a thread of another block?")


def _diagonal(found: Wrong) -> Pattern | None:
    rows, columns = np.indices(found.wrong.shape)
    for where, subject in ((rows == columns, "Only the diagonal is"), (rows != columns, "All but the diagonal is"),
                           (columns > rows, "Only elements above the diagonal are"),
                           (columns < rows, "Only elements below the diagonal are")):
        if np.array_equal(found.wrong, where):
            return Pattern(f"{subject} {found.word}.", "What have row and column to do with each other here?")
    return None
