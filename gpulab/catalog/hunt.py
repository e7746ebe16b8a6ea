"""Bug hunts: puzzles that begin with a broken kernel, whose bug the learner names in `ANSWER`.

Nothing is imported here that the Brief could not afford.
"""

from __future__ import annotations

import ast

NAME = "ANSWER"
"""What the learner's file calls it: `ANSWER = (line, "kind")`."""

KINDS = (
    "out of bounds",
    "race",
    "barrier divergence",
    "uninitialised read",
    "not written",
    "wrong answer",
    "over budget",
)
"""Verdict words that a hunt may ask for: what code that runs to its end can be wrong by."""

NAMED_BY_LINE = ("out of bounds", "race", "barrier divergence", "uninitialised read")
"""Kinds whose diagnosis names the line at fault; that of the others names where it shows."""


def code_lines(source: str) -> list[int]:
    """The lines of `source` that a bug can be on: all but blank ones, comments, docstrings, imports and `ANSWER`."""
    skipped: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if _says_nothing(node):
            assert isinstance(node, ast.stmt)
            skipped.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    lines = enumerate(source.splitlines(), start=1)
    return [number for number, line in lines
            if number not in skipped and line.strip() and not line.lstrip().startswith("#")]


def shown_lines(source: str) -> list[int]:
    """What the Brief shows of a starter: from the first line that may hold the bug to the last, without blank ones."""
    lines, holding = source.splitlines(), code_lines(source)
    return [number for number in range(holding[0], holding[-1] + 1) if lines[number - 1].strip()] if holding else []


def _says_nothing(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign):
        return any(isinstance(target, ast.Name) and target.id == NAME for target in node.targets)
    text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    return text or isinstance(node, (ast.Import, ast.ImportFrom))


def answer_line(source: str) -> int | None:
    """The line on which `source` sets `ANSWER`, the last one; None where it does not, or is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = [node.lineno for node in tree.body if isinstance(node, (ast.Assign, ast.AnnAssign)) and _sets(node)]
    return lines[-1] if lines else None


def _sets(node: ast.Assign | ast.AnnAssign) -> bool:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return any(isinstance(target, ast.Name) and target.id == NAME for target in targets)
