"""Has the learner's code replaced a function that its own check relies on: a timer, NumPy, Numba or gpulab itself?"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from types import FunctionType, ModuleType
from typing import Any

_PACKAGES = ("builtins", "time", "math", "operator", "numpy", "numba", "gpulab")

_CLASSES_OF = ("gpulab", "numba.cuda.dispatcher", "numba.cuda.compiler", "numba.cuda.cudadrv")
"""Modules whose classes are watched method by method, by prefix."""


class Snapshot:
    """Every function and class of the packages above, as they are now. Taking it costs 15 ms, looking again 2."""

    def __init__(self) -> None:
        self._modules = [(name, module) for name, module in list(sys.modules.items())
                         if isinstance(module, ModuleType) and name.split(".")[0] in _PACKAGES]
        self._names = [entry for name, module in self._modules for entry in _names(name, module)]
        functions = {id(value): (owner, key, value) for owner, _, key, value in self._names
                     if isinstance(value, FunctionType)}
        self._codes = [(owner, key, function, function.__code__, function.__defaults__)
                       for owner, key, function in functions.values()]

    def first_change(self) -> str | None:
        """The full name of something that was replaced, or None."""
        for owner, names, key, value in self._names:
            if names.get(key) is not value:
                return f"{owner}.{key}"
        for owner, key, function, code, defaults in self._codes:
            if function.__code__ is not code or function.__defaults__ is not defaults:
                return f"{owner}.{key}"
        for name, module in self._modules:
            if sys.modules.get(name) is not module:
                return name
        return None

    def accept(self) -> None:
        """Take what our own code replaced since as what it is."""
        self._names = [(owner, names, key, names.get(key)) for owner, names, key, _ in self._names]


Entry = tuple[str, Mapping[str, Any], str, Any]


def _names(name: str, module: ModuleType) -> Iterator[Entry]:
    """(owner, its names, key, value) for the callables of a module, and for the methods of its watched classes."""
    for key, value in list(vars(module).items()):
        if not callable(value):
            continue
        yield name, vars(module), key, value
        if isinstance(value, type) and value.__module__ == name and name.startswith(_CLASSES_OF):
            for method, function in list(vars(value).items()):
                if callable(function) or isinstance(function, (property, classmethod, staticmethod)):
                    yield f"{name}.{key}", vars(value), method, function


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
