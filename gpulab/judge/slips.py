"""Slips of the pen: lines that Python takes and that do nothing, where the learner meant them to."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpulab.judge.source import Source

BARRIERS = ("syncthreads", "syncwarp")


def cure(source: Source, kind: str) -> str:
    """What to do about a line that does nothing and may well be why the verdict is of this kind; "" without one."""
    if kind == "race":
        named = next(((node.lineno, ast.unparse(node)) for node in _idle(source) if _is_barrier(node)), None)
        return f"Line {named[0]} names the barrier but does not call it: {named[1]}()" if named else ""
    if kind in ("not written", "wrong answer", "uninitialised read"):
        compared = next((node.lineno for node in _idle(source) if _is_comparison(node)), None)
        return f"Line {compared} compares and stores nothing: == asks, = stores." if compared else ""
    return ""


def _idle(source: Source) -> Iterator[ast.expr]:
    """Expressions that stand alone on a line, in the order of the file."""
    statements = [node for node in ast.walk(source.tree) if isinstance(node, ast.Expr)] if source.tree else []
    return (node.value for node in sorted(statements, key=lambda node: node.lineno))


def _is_barrier(node: ast.expr) -> bool:
    name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
    return name in BARRIERS


def _is_comparison(node: ast.expr) -> bool:
    """Whether it is `element == value`."""
    return isinstance(node, ast.Compare) and isinstance(node.left, ast.Subscript) and isinstance(node.ops[0], ast.Eq)
