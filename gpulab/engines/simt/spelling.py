"""How things are written: parts of a program, and what a learner reads of types and functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from numba.cuda import types

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering

Writer = Callable[["Lowering", Any, Any, Any, Any], "str | None"]
"""Writes a call: (lowering, target, call, type of the result, signature) -> the expression of its result, if any."""


def tuple_of(items: list[str]) -> str:
    """The text of a tuple of expressions."""
    return f"({', '.join(items)},)" if items else "()"


def kind_in_words(held: Any) -> str:
    """A type in a few words."""
    if isinstance(held, types.Array):
        return "an array"
    return "a tuple" if isinstance(held, types.BaseTuple) else f"a value of type {held}"


def spelled(function: Any) -> str:
    """A function as a learner writes it: cuda.float32x4, np.sum."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__name__", function)
    known = {"builtins": "", "": "", "numpy": "np.", "numba.cuda.stubs": "cuda.", "numba.cuda": "cuda."}
    return f"{known.get(module, f'{module}.')}{name}"
