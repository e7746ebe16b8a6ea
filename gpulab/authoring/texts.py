"""The texts of a puzzle: there, finished, and with links that lead somewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from gpulab.authoring.problem import Problem
from gpulab.catalog import hunt
from gpulab.catalog.errors import CatalogError
from gpulab.catalog.text import after, hints, statement

if TYPE_CHECKING:
    from pathlib import Path

    from gpulab.catalog.model import Puzzle

LEAST_HINTS = 3
MOST_ROWS = 18
"""Rows of a statement's text, its drawing included."""

MOST_HUNT_ROWS = 16
"""Of a bug hunt: rows of the text, of the code below it, and beyond the first of task and stars; blank ones go."""

TASK = 60
"""Columns of the task in a terminal of 80, beside language and minutes."""

WIDEST = 76
"""Columns of a drawing in a terminal of 80, between its margins."""

WIDEST_CODE = 72
"""Columns of code in a terminal of 80, beside the line numbers: the starter, and the code in hints and explanation."""

CODE_INDENT = 4
"""Spaces that make a line of Markdown code; they are not drawn."""

UNFINISHED = "TODO"
"""What the scaffold leaves where an author has to write."""

LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)\s]+)\)")
CODE = re.compile(r"`[^`]*`")


def problems_of(puzzle: Puzzle) -> list[Problem]:
    """Everything to do in statement.md, hints.md, after.md and the sources."""
    return [*_readable(puzzle), *_unfinished(puzzle), *_links(puzzle), *_screen(puzzle), *_drawings(puzzle),
            *_starter(puzzle), *_indented_code(puzzle)]


def _readable(puzzle: Puzzle) -> Iterator[Problem]:
    for read in (statement, after, hints):
        try:
            read(puzzle)
        except CatalogError as error:
            yield Problem(error.file, error.line, error.problem, error.cure)
        else:
            if read is hints and len(hints(puzzle)) < LEAST_HINTS:
                said = f"Of hints there are {len(hints(puzzle))}, and {LEAST_HINTS} are due."
                yield Problem(puzzle.folder / "hints.md", None, said, "Lead from the idea to nearly the code.")


def _unfinished(puzzle: Puzzle) -> Iterator[Problem]:
    for file in sorted((*puzzle.folder.rglob("*.md"), *puzzle.folder.rglob("*.py"), puzzle.reference)):
        for number, line in _lines(file):
            if UNFINISHED in line:
                said = line.partition(UNFINISHED)[2].strip(": ")
                yield Problem(file, number, "Here something is still to be written.", said)


def _links(puzzle: Puzzle) -> Iterator[Problem]:
    """Links to files must lead to one; addresses on the web are not tried."""
    for file in sorted(puzzle.folder.glob("*.md")):
        for number, line in _prose(file):
            for found in LINK.finditer(CODE.sub("", line)):
                target = found["target"].partition("#")[0]
                if target and "://" not in target and not (file.parent / target).exists():
                    yield Problem(file, number, f"The link leads to {target}, which is not there.", "Correct it.")


def _screen(puzzle: Puzzle) -> Iterator[Problem]:
    """The Brief's text must fit a terminal of 80 x 24 beside what else stands there."""
    try:
        rows = [line for line in statement(puzzle).splitlines() if not line.startswith("```")]
    except CatalogError:
        return  # said already
    most = MOST_ROWS
    if puzzle.hunt:
        more = [*wrap(puzzle.summary, TASK)[1:], *puzzle.stars.names[1:]]
        most, rows = MOST_HUNT_ROWS, [line for line in rows if line.strip()] + _code(puzzle) + more
    if len(rows) > most:
        said = f"The text is {len(rows)} rows long{' with the code' if puzzle.hunt else ''}, and {most} fit a screen."
        yield Problem(puzzle.folder / "statement.md", None, said, "Shorten it: what is left out can become a hint.")


def _code(puzzle: Puzzle) -> list[str]:
    """The starter's lines that the Brief shows of a bug hunt."""
    lines = [line for _, line in _lines(puzzle.starter)]
    try:
        return [lines[number - 1] for number in hunt.shown_lines("\n".join(lines))]
    except SyntaxError:
        return []  # said by what runs the starter


def _drawings(puzzle: Puzzle) -> Iterator[Problem]:
    """A drawing is not reflowed, so it must fit."""
    file, fenced = puzzle.folder / "statement.md", False
    for number, line in _lines(file):
        fenced ^= line.startswith("```")
        if fenced and len(line) > WIDEST:
            said = f"The drawing is {len(line)} columns wide here, and {WIDEST} fit."
            yield Problem(file, number, said, "Draw it narrower.")


def _starter(puzzle: Puzzle) -> Iterator[Problem]:
    """The steps stand in the starter's comments: one that is cut at the edge of the screen is a step not read."""
    for number, line in _lines(puzzle.starter):
        if len(line) > WIDEST_CODE:
            said = f"The line is {len(line)} columns wide, and {WIDEST_CODE} fit the screen."
            yield Problem(puzzle.starter, number, said, "Break it: a comment can stand on lines of its own, above.")


def _indented_code(puzzle: Puzzle) -> Iterator[Problem]:
    """Code in a hint or in the explanation is not reflowed either."""
    for file in (puzzle.folder / "hints.md", puzzle.folder / "after.md"):
        for number, line in _lines(file):
            width = len(line) - CODE_INDENT
            if line.startswith(" " * CODE_INDENT) and width > WIDEST_CODE:
                said = f"The code is {width} columns wide here, and {WIDEST_CODE} fit the screen."
                yield Problem(file, number, said, "Shorten or break the line.")


def _prose(file: Path) -> Iterator[tuple[int, str]]:
    """Lines outside of code, fenced or indented."""
    fenced = False
    for number, line in _lines(file):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced and not line.startswith("    "):
            yield number, line


def _lines(file: Path) -> list[tuple[int, str]]:
    try:
        return list(enumerate(file.read_text(encoding="utf-8").splitlines(), start=1))
    except (OSError, UnicodeDecodeError):
        return []  # said already, with the cure
