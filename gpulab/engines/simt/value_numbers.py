"""What each value of a function is computed from, and which place of which memory a load or store means.

Two values with one number are equal as long as the variables they hang on are not given another value, as happens to
the counter of a loop. This is what a compiler's global value numbering sees too.
"""

from __future__ import annotations

import builtins
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda
from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.frontend import plain

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering

Number = tuple[Any, ...]
"""What a value is computed from, so that equal numbers mean equal values."""

_PURE = {cuda.grid, cuda.gridsize, cuda.popc, cuda.clz, cuda.ffs, cuda.brev, cuda.fma, cuda.selp, cuda.cbrt}
_MATH = {function for function in vars(math).values() if callable(function)}
_ARRAYS = {cuda.shared.array: "shared", cuda.local.array: "local", cuda.const.array_like: "const"}


class ValueNumbers:
    """The numbers of one function's variables."""

    def __init__(self, low: Lowering) -> None:
        self.low = low
        self._numbers: dict[str, tuple[Number, frozenset[str]]] = {}

    def number(self, variable: Any) -> tuple[Number, frozenset[str]]:
        """The number of a variable, and the variables it hangs on that may be given another value."""
        name = variable.name
        if name not in self._numbers:
            self._numbers[name] = ("variable", name), frozenset((name,))  # also while its own definition is looked at
            self._numbers[name] = self._number_of(name, self.low.definitions.get(name))
        return self._numbers[name]

    def _number_of(self, name: str, value: Any) -> tuple[Number, frozenset[str]]:
        if isinstance(value, numba_ir.Var):
            return self.number(value)
        if isinstance(value, numba_ir.Arg):
            return ("argument", value.index), frozenset()
        if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return ("constant", repr(value.value)), frozenset()
        parts = self._operands(value)
        if parts is None:
            return ("variable", name), frozenset((name,))
        operation, operands = parts
        numbers = [self.number(operand) for operand in operands]
        leaves = frozenset().union(*(leaves for _, leaves in numbers))
        return (*operation, str(self.low.function.types.get(name)), *(number for number, _ in numbers)), leaves

    def _operands(self, value: Any) -> tuple[Number, list[Any]] | None:
        """The operation and operands of an expression that always gives the same for the same; None for others."""
        op = getattr(value, "op", None)
        if op in ("binop", "inplace_binop"):
            return ("binary", str(value.fn if op == "binop" else value.immutable_fn)), [value.lhs, value.rhs]
        if op in ("unary", "cast"):
            return (op, str(value.fn) if op == "unary" else ""), [value.value]
        if op == "getattr":
            return ("attribute", value.attr), [value.value]
        if op == "build_tuple":
            return ("tuple",), list(value.items)
        if op == "exhaust_iter":
            return ("tuple of",), [value.value]
        if op == "static_getitem" and isinstance(plain(self.low.type_of(value.value)), types.BaseTuple):
            return ("item", repr(value.index)), [value.value]
        if op == "call" and isinstance(self.low.type_of(value.func), types.NumberClass):
            return ("cast", ""), list(value.args)
        if op == "call" and self._is_pure(value):
            return ("call", str(self.low.static(value.func) or self.low.type_of(value.func))), list(value.args)
        return None

    def _is_pure(self, call: Any) -> bool:
        callee = self.low.type_of(call.func)
        if isinstance(callee, types.NumberClass):
            return True
        function = self.low.static(call.func)
        try:
            known = function in _PURE or function in _MATH or isinstance(function, np.ufunc)
        except TypeError:
            return False
        return bool(known) or (getattr(function, "__module__", "") == "builtins" and function is not builtins.print)

    def element(self, array: Any, index: Any) -> tuple[Number, frozenset[str]]:
        """The number of `array[index]` as a place."""
        place, leaves = self.number(array)
        if isinstance(index, numba_ir.Var):
            where, more = self.number(index)
            return (place, where), leaves | more
        return (place, ("constant", repr(index))), leaves

    def is_load(self, statement: Any) -> bool:
        value = getattr(statement, "value", None)
        return (
            isinstance(statement, numba_ir.Assign)
            and isinstance(value, numba_ir.Expr)
            and value.op in ("getitem", "static_getitem", "typed_getitem")
            and isinstance(plain(self.low.type_of(value.value)), types.Array)
            and not isinstance(plain(self.low.type_of(statement.target)), types.Array)
        )

    def space(self, array: Any) -> str:
        """ "global", "shared", "local" or "const"; "" where it cannot be told."""
        definition = self.low.definitions.get(array.name)
        if isinstance(definition, numba_ir.Arg):
            return "global" if self.low.kernel else ""
        if isinstance(definition, numba_ir.Var):
            return self.space(definition)
        if isinstance(definition, numba_ir.Expr):
            if definition.op in ("getitem", "static_getitem", "getattr", "cast"):
                return self.space(definition.value)
            if definition.op == "call":
                return _ARRAYS.get(self.low.static(definition.func), "")
        return ""

    def changes_memory(self, statement: Any) -> bool:
        """Whether others, or something this analysis does not know, may change memory here."""
        value = getattr(statement, "value", None)
        if not (isinstance(value, numba_ir.Expr) and value.op == "call"):
            return False
        return not self._is_pure(value) and self.low.static(value.func) not in _ARRAYS

    def statements(self) -> Iterator[Any]:
        """All statements, in the order of the blocks."""
        blocks = self.low.function.ir.blocks
        return (statement for label in self.low.flow.order for statement in blocks[label].body)


def index_of(access: Any) -> Any:
    """The index of a load or store: a variable, or what Numba knows of it."""
    static = not (isinstance(access, numba_ir.Expr) and access.op in ("getitem", "typed_getitem"))
    variable = access.index_var if static and not isinstance(access, numba_ir.SetItem) else None
    return variable if variable is not None else access.index
