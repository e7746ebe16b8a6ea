"""Compiled lane programs, cached by function and argument types."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from dis import opmap
from typing import Any
from weakref import WeakKeyDictionary

from gpulab.engines.simt.errors import DoesNotCompile, Unsupported, failed
from gpulab.engines.simt.frontend import TypedFunction, infer, plain, types
from gpulab.engines.simt.lane_program import LaneProgram
from gpulab.engines.simt.lower import Lowering

_programs: WeakKeyDictionary[Any, dict[tuple[Any, ...], LaneProgram]] = WeakKeyDictionary()
_in_progress: list[Any] = []


def program_for(
    py_func: Any, arguments: tuple[Any, ...], kernel: bool = False, guessed: int | None = None
) -> LaneProgram:
    """The lane program of a function. Raises `DoesNotCompile` or `Unsupported`.

    `guessed` is the array parameter whose elements, where they are returned, are only guesses (see `guesses`).
    """
    known = _programs.setdefault(py_func, {})
    key = (kernel, guessed, *arguments)
    if key not in known:
        if py_func in _in_progress:
            raise Unsupported("recursion", py_func.__code__.co_firstlineno)
        _in_progress.append(py_func)
        try:
            with _no_collection():
                known[key] = _compiled(py_func, arguments, kernel, guessed)
        finally:
            _in_progress.remove(py_func)
    return known[key]


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Typing makes objects by the ten thousand, none of them garbage yet: looking for some is a tenth of its time."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def _compiled(py_func: Any, arguments: tuple[Any, ...], kernel: bool, guessed: int | None) -> LaneProgram:
    function = infer(py_func, arguments)
    refuse_del(py_func)
    if function.ir.is_generator:
        raise DoesNotCompile("A kernel cannot yield: nobody is there to take it.", _line_of_yield(function.ir))
    if kernel:
        _check_returns_nothing(function)
    return _lowered(function, kernel, guessed)


def _lowered(function: TypedFunction, kernel: bool, guessed: int | None) -> LaneProgram:
    """Written and compiled. A construct that nobody thought of is unsupported, on the line it is written for."""
    lowering = Lowering(function, kernel, program_for, guessed)
    try:
        return lowering.program()
    except (DoesNotCompile, Unsupported, MemoryError):
        raise
    except Exception as error:
        raise Unsupported(f"this line: {failed(error)}", lowering.line) from error


def _line_of_yield(ir: Any) -> int | None:
    statements = (statement for block in ir.blocks.values() for statement in block.body)
    lines = [s.loc.line for s in statements if type(getattr(s, "value", None)).__name__ == "Yield"]
    return min(lines, default=None)


_DELETES = opmap["DELETE_FAST"]


def refuse_del(py_func: Any) -> None:
    """Numba takes `del x` for its own bookkeeping gone wrong: "Illegal IR, del found". Found in the bytecode."""
    code = py_func.__code__
    if _DELETES in code.co_code[::2]:
        at = code.co_code[::2].index(_DELETES) * 2
        line = next((line for start, end, line in code.co_lines() if start <= at < end), None)
        raise DoesNotCompile("Numba cannot compile del. A variable ends with its kernel anyway.", line)


def _check_returns_nothing(function: TypedFunction) -> None:
    returns = plain(function.returns)
    if isinstance(returns, types.NoneType):
        return
    statements = [statement for block in function.ir.blocks.values() for statement in block.body]
    casts = {s.target.name: s.value.value for s in statements if getattr(getattr(s, "value", None), "op", "") == "cast"}
    ends = [(s.loc.line, casts.get(s.value.name, s.value)) for s in statements if type(s).__name__ == "Return"]
    lines = [line for line, value in ends if str(function.types[value.name]) != "none"]
    returned = returns.type if isinstance(returns, types.Optional) else returns
    raise DoesNotCompile(
        f"A kernel returns nothing, but this one returns {returned}.", min(lines, default=function.line)
    )
