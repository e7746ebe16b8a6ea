"""The starter as it came: the learner has not begun, and is told what to write instead of what is wrong."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Puzzle
from gpulab.catalog.text import read_text
from gpulab.judge.report import Diagnosis
from gpulab.judge.source import Source

_NOTHING_YET = ("not written", "wrong answer")
"""What a starter earns in which something is missing; one that is to be made faster, or mended, has begun."""


def is_unbegun(puzzle: Puzzle, source: Source, found: Diagnosis) -> bool:
    """Whether the file is still the starter, and that fails for want of code."""
    if puzzle.hunt or found.kind not in _NOTHING_YET:
        return False
    try:
        return source.text.split() == read_text(puzzle.starter).split()
    except CatalogError:
        return False


def in_words(puzzle: Puzzle, source: Source, found: Diagnosis) -> Diagnosis:
    """The diagnosis of a starter: which function, and the line where it is to be written."""
    line = line_to_write(source)
    where = f"Line {line} says what belongs there." if line else "The task says what belongs there."
    return replace(
        found, message="You have not begun: this is the starter, as it came.",
        detail=f"Nothing in it fills {found.array} yet." if found.array else "It runs, and does nothing yet.",
        next=f"Write {puzzle.write}. {where}", line=line, array=None, index=None, sizes={},
        mismatch=None,
    )


def line_to_write(source: Source) -> int | None:
    """The comment beneath a function's head that says what is to come: "# 1. ...", else where the last one begins."""
    heads = [node.lineno for node in ast.walk(source.tree) if isinstance(node, ast.FunctionDef)] if source.tree else []
    if not heads:
        return None
    lines = source.text.splitlines()
    comments = [number for number, text in enumerate(lines, 1)
                if number > min(heads) and text[:1] == " " and text.strip().startswith("#")]
    first = next((number for number in comments if lines[number - 1].strip().startswith("# 1.")), None)
    begins = [number for number in comments if number - 1 not in comments]
    return first or (begins[-1] if begins else None)
