"""Before anything runs: is the asked-for function there, and does the file keep the puzzle's rules?"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, replace
from functools import cached_property

from gpulab.catalog.spec import NumbaPuzzle
from gpulab.judge import sentences
from gpulab.judge.report import Diagnosis
from gpulab.judge.session import Function, Loaded, Problem


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

    def own_line(self, problem: Problem) -> Problem:
        """The problem with the right line: Numba may name one of its own files', or the kernel's for an attribute."""
        attribute = re.search(r"module 'numba\.cuda' has no attribute '(\w+)'", problem.message)
        name = re.search(r"name '(\w+)' is not defined", problem.message)
        used = self.use_of((attribute[1],)) if attribute else self._first_use(name[1]) if name else None
        if used is not None and problem.kind == "does not compile":
            return replace(problem, line=used[1])
        if problem.line is None or problem.line <= self.text.count("\n") + 1:
            return problem
        return replace(problem, line=None)

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


def _takes(function: Function, given: int) -> bool:
    """Whether it can be called so. A launch gives a kernel every argument: numba-cuda knows no defaults there."""
    most = len(function.parameters)
    least = most if function.kind == "kernel" or function.required is None else function.required
    return least <= given <= most


def refuse(puzzle: NumbaPuzzle, loaded: Loaded, source: Source) -> Diagnosis | None:
    """Why no case can run: the file does not load, the function is missing or of another kind, a rule is broken."""
    if loaded.problem is not None:
        return sentences.problem(source.own_line(loaded.problem))
    wanted = puzzle.kernel or puzzle.host or ""
    call = f"{wanted}({', '.join(puzzle.parameters)})"
    function = loaded.functions.get(wanted)
    if function is None:
        return sentences.missing_function(call, list(loaded.functions), kernel=puzzle.kernel is not None)
    if (function.kind == "kernel") != (puzzle.kernel is not None) or function.kind == "device function":
        return sentences.wrong_kind(function, call, kernel=puzzle.kernel is not None)
    if not _takes(function, len(puzzle.parameters)):
        return sentences.wrong_parameters(function, puzzle.parameters)
    used = source.use_of(puzzle.forbidden)
    return sentences.forbidden(*used) if used else None
