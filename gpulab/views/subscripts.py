"""What an access is called in the learner's source: `tile[t, k]`, and with the loop at `k` = 3, `tile[t, 3]`."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from gpulab.trace.picture import PictureArray, PictureStep


@dataclass(frozen=True)
class Subscript:
    """One `array[index]` of the source."""

    line: int
    kind: str
    """As `PictureStep.kind`."""
    array: str
    index: tuple[ast.expr, ...]
    operator: str | None = None
    """The verb of an augmented assignment that it is the target of: "add" for `+=`."""

    def text(self, values: dict[str, int]) -> str:
        """The source, with these variables replaced by their values."""
        return f"{self.array}[{', '.join(ast.unparse(_Replaced(values).visit(_copy(part))) for part in self.index)}]"

    def fits(self, step: PictureStep, array: PictureArray) -> bool:
        """Whether the constants and the agreed variables of the index are those of the step's cells."""
        known = dict(step.variables)
        cells = [array.index(cell) for cell in step.cells if cell is not None]
        if len(self.index) != len(array.shape):
            return not cells or len(self.index) < 2
        for axis, part in enumerate(self.index):
            wanted = part.value if isinstance(part, ast.Constant) else known.get(getattr(part, "id", ""))
            if isinstance(wanted, int) and any(index[axis] != wanted for index in cells):
                return False
        return True


def subscript_of(source: str, steps: Sequence[PictureStep], place: int, array: PictureArray) -> Subscript | None:
    """The subscript that step number `place` of a warp was made by; None where the source does not tell."""
    step = steps[place]
    there = [found for found in _subscripts(source) if (found.line, found.kind) == (step.line, step.kind)]
    named = [found for found in there if found.array == array.name]
    candidates = named or (there if len({found.array for found in there}) == 1 else [])
    if not candidates:
        return None
    before = 0
    for number in range(place - 1, -1, -1):
        if steps[number].line != step.line:
            break
        before += (steps[number].kind, steps[number].array) == (step.kind, step.array)
    ordered = candidates[before % len(candidates):] + candidates[:before % len(candidates)]
    return next((found for found in ordered if found.fits(step, array)), ordered[0])


def operator_on(source: str, line: int) -> str | None:
    """The verb of a line that updates an element in place: "add" for `tile[t] += ...`."""
    return next((found.operator for found in _subscripts(source) if found.line == line and found.operator), None)


def sent_home(source: str, line: int) -> int | None:
    """The line of the nearest `if` around `line`, whose condition left the other threads out."""
    around = [node.lineno for node in ast.walk(_tree(source)) if isinstance(node, ast.If) and _holds(node.body, line)]
    return max(around, default=None)


def _holds(body: list[ast.stmt], line: int) -> bool:
    return any(getattr(node, "lineno", 0) == line for statement in body for node in ast.walk(statement))


_VERBS = {ast.Add: "add", ast.Sub: "subtract", ast.Mult: "multiply by", ast.Div: "divide by"}


@lru_cache(maxsize=8)
def _subscripts(source: str) -> tuple[Subscript, ...]:
    return tuple(_found(_tree(source)))


@lru_cache(maxsize=8)
def _tree(source: str) -> ast.Module:
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def _found(node: ast.AST) -> Iterator[Subscript]:
    """Accesses in the order in which Python evaluates them."""
    if isinstance(node, ast.Assign):
        yield from _found(node.value)
        for target in node.targets:
            yield from _found(target)
    elif isinstance(node, ast.AugAssign):
        verb = _VERBS.get(type(node.op), "change")
        own = list(_of(node.target, "load", verb)) if isinstance(node.target, ast.Subscript) else []
        yield from own
        yield from _found(node.value)
        yield from (Subscript(found.line, "store", found.array, found.index, verb) for found in own)
    elif isinstance(node, ast.IfExp):
        for part in (node.test, node.body, node.orelse):
            yield from _found(part)
    elif isinstance(node, ast.Subscript):
        yield from _found(node.slice)
        yield from _of(node, "store" if isinstance(node.ctx, ast.Store) else "load")
    elif isinstance(node, ast.Call) and _is_atomic(node):
        array, index = node.args[:2]
        for part in node.args[1:]:
            yield from _found(part)
        yield Subscript(node.lineno, "atomic", ast.unparse(array), _parts(index))
    else:
        for child in ast.iter_child_nodes(node):
            yield from _found(child)


def _of(node: ast.Subscript, kind: str, operator: str | None = None) -> Iterator[Subscript]:
    """The access of `a[i]` or `a[i][j]`."""
    index: tuple[ast.expr, ...] = ()
    base: ast.expr = node
    while isinstance(base, ast.Subscript):
        index = (*_parts(base.slice), *index)
        base = base.value
    if isinstance(base, ast.Name):
        yield Subscript(node.lineno, kind, base.id, index, operator)


def _parts(index: ast.expr) -> tuple[ast.expr, ...]:
    return tuple(index.elts) if isinstance(index, ast.Tuple) else (index,)


def _is_atomic(node: ast.Call) -> bool:
    function = node.func
    return (isinstance(function, ast.Attribute) and len(node.args) >= 2
            and ast.unparse(function.value).split(".")[-1] == "atomic")


def _copy(node: ast.expr) -> ast.expr:
    return ast.parse(ast.unparse(node), mode="eval").body


class _Replaced(ast.NodeTransformer):
    """Names replaced by numbers."""

    def __init__(self, values: dict[str, int]) -> None:
        self._values = values

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Constant(self._values[node.id]) if node.id in self._values else node
