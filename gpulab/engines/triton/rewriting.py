"""A kernel's Python as Triton's compiler reads it, where Python itself would read it otherwise.

`x = 3` makes a tensor, `and` and `or` of tensors are taken element by element, a chain of comparisons is an `and`, and
`range`, `min`, `max` and `print` take tensors. Line numbers stay: whatever happens is told of the learner's line.
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import FunctionType
from typing import Any

PREFIX = "_gpulab_"
"""Before the names of what the rewritten code calls: to_tensor, both, either, opposite, range, min, max, print."""

_CALLED = frozenset(("range", "min", "max", "print"))


def rewritten(function: FunctionType, called: Mapping[str, Any], replace: Callable[[Any], Any]) -> FunctionType:
    """The function in that reading. `called` holds what it calls instead, by name; `replace` says what a global stands
    for. A function whose source cannot be found is taken as it is."""
    tree = _definition(function)
    if tree is None:
        return function
    names = {name: replace(value) for name, value in function.__globals__.items()}
    names.update(_enclosed(function))
    names.update({PREFIX + name: value for name, value in called.items()})
    module = ast.fix_missing_locations(ast.Module([_Reading(_CALLED - names.keys()).rewrite(tree)], []))
    namespace: dict[str, Any] = {}
    exec(compile(module, function.__code__.co_filename, "exec"), names, namespace)
    made: FunctionType = namespace[function.__name__]
    made.__defaults__, made.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
    return made


def _enclosed(function: FunctionType) -> dict[str, Any]:
    """What a function within another one takes from there."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return {name: cell.cell_contents for name, cell in cells}


def _definition(function: FunctionType) -> ast.FunctionDef | None:
    code = function.__code__
    for node in _functions(code.co_filename):
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if node.name == function.__name__ and first <= code.co_firstlineno <= node.lineno:
            return node
    return None


@lru_cache(maxsize=64)
def _functions(file: str) -> tuple[ast.FunctionDef, ...]:
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
    except (SyntaxError, ValueError):
        return ()
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))


class _Reading(ast.NodeTransformer):
    """The changes, one by one. `called` are the functions of Python that others stand in for."""

    def __init__(self, called: frozenset[str]) -> None:
        self._called = called

    def rewrite(self, function: ast.FunctionDef) -> ast.FunctionDef:
        """The function without decorators, annotations and defaults, which are not evaluated again."""
        arguments = function.args
        plain = ast.arguments(
            posonlyargs=[ast.arg(one.arg) for one in arguments.posonlyargs],
            args=[ast.arg(one.arg) for one in arguments.args],
            vararg=ast.arg(arguments.vararg.arg) if arguments.vararg else None,
            kwonlyargs=[ast.arg(one.arg) for one in arguments.kwonlyargs], kw_defaults=[None] * len(
                arguments.kwonlyargs),
            kwarg=ast.arg(arguments.kwarg.arg) if arguments.kwarg else None, defaults=[])
        body = [self.visit(_copy(statement)) for statement in function.body]
        made = ast.FunctionDef(name=function.name, args=plain, body=body, decorator_list=[], returns=None)
        made.type_params = []  # type: ignore[attr-defined,unused-ignore]  # from Python 3.12 on
        return ast.copy_location(made, function)

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        node.value = _call("to_tensor", self.visit(node.value))
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        """`x: tl.constexpr = 3` stays a number; the annotation itself is not evaluated."""
        if node.value is None or not isinstance(node.target, ast.Name):
            return node
        value = self.visit(node.value)
        constant = "constexpr" in ast.unparse(node.annotation)
        return ast.copy_location(ast.Assign([node.target], value if constant else _call("to_tensor", value)), node)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        values: list[ast.expr] = [self.visit(value) for value in node.values]
        name = "both" if isinstance(node.op, ast.And) else "either"
        made = values[-1]
        for value in reversed(values[:-1]):
            made = _call(name, value, _later(made))
        return ast.copy_location(made, node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if len(node.ops) == 1:
            return node
        operands = [node.left, *node.comparators]
        parts = [ast.Compare(_copy(left), [op], [_copy(right)])
                 for left, op, right in zip(operands, node.ops, operands[1:], strict=False)]
        made: ast.expr = parts[-1]
        for part in reversed(parts[:-1]):
            made = _call("both", part, _later(made))
        return ast.copy_location(made, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        return ast.copy_location(_call("opposite", node.operand), node) if isinstance(node.op, ast.Not) else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id in self._called:
            node.func = ast.copy_location(ast.Name(f"{PREFIX}{node.func.id}", ast.Load()), node.func)
        return node


def _copy(node: Any) -> Any:
    """A tree of its own: the file's is kept for the next function."""
    return copy.deepcopy(node)


def _call(name: str, *arguments: ast.expr) -> ast.Call:
    return ast.copy_location(ast.Call(ast.Name(PREFIX + name, ast.Load()), list(arguments), []), arguments[0])


def _later(value: ast.expr) -> ast.Lambda:
    """`lambda: value`: looked at only if it counts."""
    nothing = ast.arguments(posonlyargs=[], args=[], kwonlyargs=[], kw_defaults=[], defaults=[])
    return ast.copy_location(ast.Lambda(nothing, value), value)
