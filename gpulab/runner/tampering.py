"""Has the learner's code replaced a function that its own check relies on: a timer, NumPy, Numba or gpulab itself?"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

_MODULES = ("builtins", "math", "numpy", "numba.cuda", "operator", "time")
_PACKAGES = ("gpulab.engines", "gpulab.judge.memory", "gpulab.runner", "gpulab.trace", "numba.cuda.cudadrv",
             "numba.cuda.dispatcher")
"""Whole packages, and in them the classes too, method by method. Not all of numba: looking at its 15,000 names in a
fresh fork copies the pages they lie in, 30 ms."""


class Snapshot:
    """Every function and class of the modules above, as they are now."""

    def __init__(self) -> None:
        self._modules = [(name, module) for name, module in list(sys.modules.items())
                         if isinstance(module, ModuleType) and (name in _MODULES or name.startswith(_PACKAGES))]
        self._names = [entry for name, module in self._modules for entry in _names(name, module)]
        functions = {id(value): value for *_, value in self._names if isinstance(value, FunctionType)}
        self._codes = [(function, function.__code__, function.__defaults__) for function in functions.values()]

    def undo_changes(self) -> str | None:
        """Put back what was replaced, so that we can rely on it to tell; the full name of one such thing, or None."""
        found = None
        for name, module in self._modules:
            if sys.modules.get(name) is not module:
                sys.modules[name] = module
                found = name
        for owner, names, key, value in self._names:
            if names.get(key) is not value:
                setattr(owner, key, value)
                found = f"{_name_of(owner)}.{key}"
        for function, code, defaults in self._codes:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                function.__code__, function.__defaults__ = code, defaults
                found = f"{function.__module__}.{function.__qualname__}"
        return found

    def accept(self) -> None:
        """Take what our own code replaced since as what it is."""
        self._names = [(owner, names, key, names.get(key)) for owner, names, key, _ in self._names]


Owner = ModuleType | type


def _names(name: str, module: ModuleType) -> Iterator[tuple[Owner, Mapping[str, Any], str, Any]]:
    """(owner, its names, key, value) for the callables of a module, and for the methods of its watched classes."""
    for key, value in list(vars(module).items()):
        if not callable(value):
            continue
        yield module, vars(module), key, value
        if isinstance(value, type) and value.__module__ == name and name.startswith(_PACKAGES):
            for method, function in list(vars(value).items()):
                if callable(function) or isinstance(function, (property, classmethod, staticmethod)):
                    yield value, vars(value), method, function


def _name_of(owner: Owner) -> str:
    return f"{owner.__module__}.{owner.__qualname__}" if isinstance(owner, type) else owner.__name__


def line_that_replaces(name: str, source: str) -> int | None:
    """Where `source` assigns to an attribute of this name, or calls `setattr` with it."""
    short = name.rpartition(".")[2]
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == short and isinstance(node.ctx, ast.Store):
            return node.lineno
        if isinstance(node, ast.Call) and short in _constants(node.args):
            return node.lineno
    return None


def _constants(nodes: list[ast.expr]) -> list[object]:
    return [node.value for node in nodes if isinstance(node, ast.Constant)]
