"""What is known of a function's variables before its program is written."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.cuda import types
from numba.cuda.core import ir as numba_ir

SILENT = (
    types.Module,
    types.Function,
    types.NumberClass,
    types.Dispatcher,
    types.BoundFunction,
    types.DType,
    types.StringLiteral,
    types.NoneType,
    types.ExceptionClass,
    types.UnicodeType,
    types.NamedTupleClass,
)
"""Types whose values the program never holds: they are known when it is written."""


YES, NO = np.bool_(True), np.bool_(False)
"""Whether a variable has a value, in all lanes alike."""


def is_set(variable: str) -> str:
    """The companion of a variable that some lanes may never have assigned."""
    return f"{variable}?"


def maybe_unassigned(ir: Any) -> frozenset[str]:
    """Variables that are merged from a path on which they were never assigned, directly or through others."""
    merged: dict[str, list[Any]] = {}
    for block in ir.blocks.values():
        for statement in block.body:
            if not isinstance(statement, numba_ir.Assign):
                continue
            value = statement.value
            if isinstance(value, numba_ir.Expr) and value.op == "phi":
                merged[statement.target.name] = list(value.incoming_values)
            elif isinstance(value, numba_ir.Var) and statement.target.name.startswith("$"):
                merged[statement.target.name] = [value]
    found = {name for name, sources in merged.items() if any(not isinstance(s, numba_ir.Var) for s in sources)}
    growing = True
    while growing:
        more = {name for name, sources in merged.items() if any(getattr(s, "name", None) in found for s in sources)}
        growing = not more <= found
        found |= more
    return frozenset(found)


def definitions_of(ir: Any) -> dict[str, Any]:
    """Variable -> the one value it is ever assigned; variables assigned more than once are left out."""
    found: dict[str, Any] = {}
    twice = set()
    for block in ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, numba_ir.Assign):
                if statement.target.name in found:
                    twice.add(statement.target.name)
                found[statement.target.name] = statement.value
    return {name: value for name, value in found.items() if name not in twice}


def use_counts(ir: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for block in ir.blocks.values():
        for statement in block.body:
            if isinstance(statement, numba_ir.Del):
                continue
            target = statement.target.name if isinstance(statement, numba_ir.Assign) else None
            for variable in statement.list_vars():
                if variable.name != target:
                    counts[variable.name] = counts.get(variable.name, 0) + 1
    return counts
