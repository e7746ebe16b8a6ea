"""The learner's file as text, and questions about its lines."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeVar

from gpulab.judge.session import Problem

Node = TypeVar("Node", bound=ast.stmt | ast.expr)
Loop = ast.For | ast.While


@dataclass(frozen=True)
class Source:
    """The learner's file as text; questions about its lines. A file that is no Python has no answers."""

    text: str

    @cached_property
    def tree(self) -> ast.Module | None:
        """Its syntax tree, or None."""
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    def line(self, number: int | None) -> str:
        """The code on a line, without its indentation and comment; "" where there is none."""
        lines = self.text.splitlines()
        text = lines[number - 1] if number is not None and 0 < number <= len(lines) else ""
        return re.split(r"\s#", text)[0].strip()

    def own_line(self, problem: Problem) -> Problem:
        """The problem with the right line: Numba may name one of its own files', or the kernel's for an attribute."""
        attribute = re.search(r"module 'numba\.cuda' has no attribute '(\w+)'", problem.message)
        name = re.search(r"name '(\w+)' is not defined", problem.message)
        used = self.use_of((attribute[1],)) if attribute else self._first_use(name[1]) if name else None
        if "unknown location" in problem.message:  # seen with := within a conditional expression
            named = next(self._nodes(ast.NamedExpr), None)
            return replace(problem, line=named.lineno if named else problem.line)
        if used is not None and problem.kind == "does not compile":
            return replace(problem, line=used[1])
        if sys.version_info < (3, 11):  # which names the line of the def for what a decorator raised
            problem = replace(problem, line=self._decorator_above(problem.line) or problem.line)
        if problem.line is None or problem.line <= self.text.count("\n") + 1:
            return problem
        return replace(problem, line=None)

    def _decorator_above(self, line: int | None) -> int | None:
        """The line of the innermost decorator of the function that begins on `line`."""
        return next((node.decorator_list[-1].lineno for node in self._nodes(ast.FunctionDef)
                     if node.lineno == line and node.decorator_list), None)

    def _first_use(self, name: str) -> tuple[str, int] | None:
        nodes = ast.walk(self.tree) if self.tree else ()
        uses = [node.lineno for node in nodes if isinstance(node, ast.Name) and node.id == name]
        return (name, min(uses)) if uses else None

    def in_one_loop(self, line: int, other: int) -> bool:
        """Whether a `for` or `while` holds both lines."""
        loops = (node for node in ast.walk(self.tree) if isinstance(node, (ast.For, ast.While))) if self.tree else ()
        return any(loop.lineno < min(line, other) and max(line, other) <= (loop.end_lineno or 0) for loop in loops)

    def use_of(self, names: tuple[str, ...]) -> tuple[str, int] | None:
        """The first use of one of these attributes of `numba.cuda`: (as written, line)."""
        if not names or self.tree is None:
            return None
        modules, imported = self._cuda_names(names)
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.expr):
                written = ast.unparse(node)
                if any(written == f"{module}.{name}" for module in modules for name in names):
                    return written, node.lineno
            if isinstance(node, ast.Name) and node.id in imported:
                return node.id, node.lineno
        return None

    def _cuda_names(self, names: tuple[str, ...]) -> tuple[set[str], set[str]]:
        """What the file calls the module `numba.cuda`, and what it imported from it under which name."""
        modules, imported = {"cuda", "numba.cuda"}, set()
        for node in ast.walk(self.tree) if self.tree else ():
            for alias in node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
                origin = getattr(node, "module", None)
                if (origin, alias.name) in (("numba", "cuda"), (None, "numba.cuda")) and alias.asname:
                    modules.add(alias.asname)
                if origin == "numba.cuda" and alias.name in {name.split(".")[0] for name in names}:
                    imported.add(alias.asname or alias.name)
        return modules, imported

    def decorator_of(self, name: str) -> str | None:
        """The decorator nearest to `def name`, without its arguments: `njit`, `cuda.jit`; None where there is none."""
        for node in self.tree.body if self.tree else ():
            if isinstance(node, ast.FunctionDef) and node.name == name and node.decorator_list:
                last = node.decorator_list[-1]
                return ast.unparse(last.func if isinstance(last, ast.Call) else last)
        return None

    def parameters_of(self, name: str) -> list[str]:
        """The parameters of the function of this name; none where there is no such function."""
        return next((_parameters(function) for function in self._functions() if function.name == name), [])

    def kernel_called_on(self, line: int) -> str | None:
        """The kernel of this file that is called or launched on `line`."""
        kernels = {function.name for function in self._functions() if function.decorator_list}
        for node in self._at(line, ast.Call):
            called = node.func.value if isinstance(node.func, ast.Subscript) else node.func
            if isinstance(called, ast.Name) and called.id in kernels:
                return called.id
        return None

    def computed_shape_on(self, line: int) -> str | None:
        """The part of an array's shape on `line` that is computed there: `TPB + 2`."""
        for call in self._at(line, ast.Call):
            shapes = [call.args[0]] if call.args else [word.value for word in call.keywords if word.arg == "shape"]
            if ast.unparse(call.func).endswith("array") and shapes:
                parts = shapes[0].elts if isinstance(shapes[0], ast.Tuple) else shapes
                return next((ast.unparse(part) for part in parts if isinstance(part, ast.BinOp)), None)
        return None

    def uses_neighbours(self, line: int, array: str) -> bool:
        """Whether a statement on `line` changes an element of `array` and uses another one of it."""
        changes = [(node.targets, node.value) for node in self._at(line, ast.Assign)]
        changes += [([node.target], node.value) for node in self._at(line, ast.AugAssign)]
        for targets, value in changes:
            changed = {ast.unparse(part) for target in targets for part in ast.walk(target) if _is_element(part, array)}
            used = {ast.unparse(part) for part in ast.walk(value) if _is_element(part, array)}
            if changed and used - changed:
                return True
        return False

    def waits_each_round(self, line: int) -> bool:
        """Whether the innermost loop around `line` has a barrier for the whole block in every round."""
        loops: list[Loop] = [*self._at(line, ast.For), *self._at(line, ast.While)]
        inner = max((loop for loop in loops if loop.lineno < line), key=lambda loop: loop.lineno, default=None)
        steps = [step for step in inner.body if isinstance(step, ast.Expr)] if inner is not None else []
        return any("syncthreads" in ast.unparse(step) for step in steps)

    def _functions(self) -> Iterator[ast.FunctionDef]:
        return self._nodes(ast.FunctionDef)

    def _at(self, line: int, kind: type[Node]) -> list[Node]:
        return [node for node in self._nodes(kind) if node.lineno <= line <= (node.end_lineno or node.lineno)]

    def _nodes(self, kind: type[Node]) -> Iterator[Node]:
        return (node for node in (ast.walk(self.tree) if self.tree else ()) if isinstance(node, kind))


def _parameters(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in (*function.args.posonlyargs, *function.args.args)]


def _is_element(node: ast.AST, array: str) -> bool:
    return isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id == array
