"""Before anything runs: is the asked-for function there, and does the file keep the puzzle's rules?"""

from __future__ import annotations

from gpulab.catalog.spec import NumbaPuzzle
from gpulab.judge import sentences, stopped
from gpulab.judge.report import Diagnosis
from gpulab.judge.session import Function, Loaded
from gpulab.judge.source import Source as Source


def _takes(function: Function, given: int) -> bool:
    """Whether it can be called so. A launch gives a kernel every argument: numba-cuda knows no defaults there."""
    most = len(function.parameters)
    least = most if function.kind == "kernel" or function.required is None else function.required
    return least <= given and (given <= most or (function.rest and function.kind == "function"))


def refuse(puzzle: NumbaPuzzle, loaded: Loaded, source: Source) -> Diagnosis | None:
    """Why no case can run: the file does not load, the function is missing or of another kind, a rule is broken."""
    if loaded.problem is not None:
        return stopped.problem(loaded.problem, source)
    wanted = puzzle.kernel or puzzle.host or ""
    call = f"{wanted}({', '.join(puzzle.parameters)})"
    function = loaded.functions.get(wanted)
    if function is None:
        return sentences.missing_function(call, list(loaded.functions), source.decorator_of(wanted),
                                          kernel=puzzle.kernel is not None, makes=puzzle.decorator)
    if (function.kind == "kernel") != (puzzle.kernel is not None) or function.kind == "device function":
        return sentences.wrong_kind(function, call, source.decorator_of(wanted), kernel=puzzle.kernel is not None,
                                    makes=puzzle.decorator)
    if not _takes(function, len(puzzle.parameters)):
        return sentences.wrong_parameters(function, puzzle.parameters)
    used = source.use_of(puzzle.forbidden)
    return sentences.forbidden(*used) if used else None
