"""What a kernel reads only to print it. Looking costs nothing: such loads and sums are in no counter and no budget."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.cuda.core import ir as numba_ir

_PASSED_ON = ("getitem", "static_getitem", "typed_getitem", "binop", "unary", "cast", "build_tuple", "exhaust_iter",
              "getattr", "call")
"""Expressions that do nothing but give a value."""


def only_printed(ir: Any, does_more: Callable[[Any], bool]) -> frozenset[str]:
    """The variables whose values reach a `print`, and nothing else.

    `does_more` says of a statement that it calls something which does more than compute.
    """
    blocks = [block.body for block in ir.blocks.values()]
    if not any(isinstance(statement, numba_ir.Print) for body in blocks for statement in body):
        return frozenset()
    uses: dict[str, list[Any]] = {}
    for statement in (statement for body in blocks for statement in body if not isinstance(statement, numba_ir.Del)):
        target = statement.target if isinstance(statement, numba_ir.Assign) else None
        for variable in statement.list_vars():
            if variable is not target:
                uses.setdefault(variable.name, []).append(statement)
    known: dict[str, bool] = {}

    def is_only_printed(name: str) -> bool:
        if name not in known:
            known[name] = False  # of a loop that feeds itself
            known[name] = name in uses and all(map(reaches_print_alone, uses[name]))
        return known[name]

    def reaches_print_alone(user: Any) -> bool:
        if isinstance(user, numba_ir.Print):
            return True
        return _passes_on(user) and not does_more(user) and is_only_printed(user.target.name)

    return frozenset(filter(is_only_printed, uses))


def _passes_on(statement: Any) -> bool:
    value = getattr(statement, "value", None)
    return isinstance(statement, numba_ir.Assign) and (
        isinstance(value, numba_ir.Var) or (isinstance(value, numba_ir.Expr) and value.op in _PASSED_ON))
