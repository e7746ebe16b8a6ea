"""From typed IR to a lane program: a generated Python generator that runs a kernel for many lanes at once.

The program keeps `P`, the blocks that lanes wait for ({position: mask}), and always runs the first of them in
the order of
`flow`. Uniform values stay scalars, so uniform control flow costs no array work. Each generated line carries
the learner's line number.
"""

from __future__ import annotations

import operator
import os
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.cuda import types
from numba.cuda.core import ir as numba_ir
from numba.cuda.np.numpy_support import as_dtype

from gpulab.engines.simt import arithmetic, operators
from gpulab.engines.simt.arithmetic import BlockWork
from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.feeding import feeds_of, stored_parameters
from gpulab.engines.simt.flow import Flow, analyse
from gpulab.engines.simt.frontend import TypedFunction, plain
from gpulab.engines.simt.guesses import ThroughCall, guesses_of, through_call
from gpulab.engines.simt.lane_program import LaneProgram
from gpulab.engines.simt.lanes import UNDEFINED, RangeState, join, merge, split
from gpulab.engines.simt.line_numbers import on_lines
from gpulab.engines.simt.naming import index_names
from gpulab.engines.simt.picturing import INDEX_NAMES
from gpulab.engines.simt.printing import only_printed
from gpulab.engines.simt.ranges import next_element, next_in_range, over
from gpulab.engines.simt.rewrites import Rewrites
from gpulab.engines.simt.spelling import tuple_of
from gpulab.engines.simt.value_numbers import ValueNumbers
from gpulab.engines.simt.variables import NO, SILENT, YES, definitions_of, is_set, maybe_unassigned, use_counts
from gpulab.engines.simt.views import subview, transposed, tuple_item
from gpulab.trace import Note

_NUMBA = os.path.dirname(types.__file__)


class Lowering:
    """Writes the program of one function."""

    def __init__(
        self, function: TypedFunction, kernel: bool, program_for: Callable[..., LaneProgram], guessed: int | None = None
    ) -> None:
        """`program_for(py_func, arguments, guessed=None)` gives the program of a function that this one calls;
        `guessed` is an array parameter whose elements, where they are returned, the caller only guesses."""
        self.function = function
        self.kernel = kernel
        self.program_for = program_for
        self.flow: Flow = analyse(function.ir)
        self.lines: list[str] = []
        self.numbers: list[int] = []
        self.line = function.line
        self.depth = 0
        self.namespace: dict[str, Any] = {
            "np": np,
            "U": UNDEFINED,
            "split": split,
            "join": join,
            "merge": merge,
            "RangeState": RangeState,
            "next_in_range": next_in_range,
            "next_element": next_element,
            "over": over,
            "subview": subview,
            "transposed": transposed,
            "tuple_item": tuple_item,
            "cast": operators.cast,
            "ndarray": np.ndarray,
        }
        self.bound: dict[int, str] = {}
        self.names: dict[str, str] = {}
        self.shared_bytes = 0
        self.definitions = definitions_of(function.ir)
        self.notes: list[Note] = []
        self.waits = False
        self.parts_warps = False
        self.callees: list[LaneProgram] = []
        self.temporary = 0
        self.work = BlockWork()
        self.uses = use_counts(function.ir)
        self.unsure = maybe_unassigned(function.ir)
        self.only_printed = only_printed(function.ir, ValueNumbers(self).changes_memory)
        self.rewrites = Rewrites(self)
        self.guesses = guesses_of(self, guessed)
        for variable in self.unsure:
            if variable in self.flow.live_in:
                self.flow.live_in[is_set(variable)] = self.flow.live_in[variable]

    # ---- names and constants ----------------------------------------------------------------------------------------

    def name(self, variable: str) -> str:
        """The Python local that holds a variable of the IR."""
        if variable not in self.names:
            self.names[variable] = f"v{len(self.names)}"
        return self.names[variable]

    def bind(self, value: Any, prefix: str = "k") -> str:
        """A global of the program that holds `value`."""
        known = self.bound.get(id(value))
        if known is None:
            known = self.bound[id(value)] = f"{prefix}{len(self.namespace)}"
            self.namespace[known] = value  # which keeps it alive, and so its id
        return known

    def fresh(self) -> str:
        self.temporary += 1
        return f"t{self.temporary}"

    def type_of(self, variable: Any) -> Any:
        return self.function.types[variable.name if hasattr(variable, "name") else variable]

    def dtype(self, type_: Any) -> np.dtype[Any]:
        """NumPy's type for a scalar type."""
        type_ = plain(type_)
        if isinstance(type_, types.Boolean):
            return np.dtype(np.bool_)
        if isinstance(type_, (types.Integer, types.Float, types.Complex)):
            dtype: np.dtype[Any] = as_dtype(type_)
            return dtype
        raise Unsupported(f"values of type {type_}", self.line)

    def constant(self, value: Any, type_: Any) -> str:
        return self.bind_scalar(value, self.dtype(type_))

    def bind_scalar(self, value: Any, dtype: np.dtype[Any]) -> str:
        if dtype.kind in "iu":
            scalar = np.array(int(value) & (2 ** (8 * dtype.itemsize) - 1), f"u{dtype.itemsize}").view(dtype)[()]
        else:
            scalar = dtype.type(value)
        key = (scalar.tobytes(), dtype.str)
        cache = self.namespace.setdefault("__scalars__", {})
        if key not in cache:
            cache[key] = self.bind(scalar)
        return str(cache[key])

    def static(self, variable: Any) -> Any:
        """The Python object behind a variable that names a module, function or constant; None if it is not known."""
        definition = self.definitions.get(variable.name)
        if isinstance(definition, numba_ir.Var):
            return self.static(definition)
        if isinstance(definition, (numba_ir.Global, numba_ir.FreeVar, numba_ir.Const)):
            return definition.value
        if isinstance(definition, numba_ir.Expr) and definition.op == "getattr":
            owner = self.static(definition.value)
            return getattr(owner, definition.attr, None) if owner is not None else None
        if isinstance(definition, numba_ir.Expr) and definition.op == "build_tuple":
            items = [self.static(item) for item in definition.items]
            return None if any(item is None for item in items) else tuple(items)
        literal = self.function.types.get(variable.name)
        return literal.literal_value if isinstance(literal, types.Literal) else None

    def value(self, variable: Any, type_: Any = None) -> str:
        """An expression for a variable, cast to `type_`."""
        held = self.type_of(variable)
        wanted = plain(held if type_ is None else type_)
        definition = self.definitions.get(variable.name)
        if isinstance(definition, numba_ir.Const) and isinstance(wanted, (types.Number, types.Boolean)):
            return self._constant_of(definition.value, held, wanted)
        if isinstance(wanted, types.BaseTuple) and isinstance(plain(held), types.BaseTuple):
            return self._tuple_cast(self.name(variable.name), held, wanted)
        return self.cast(self.name(variable.name), held, wanted)

    def _constant_of(self, value: Any, held: Any, wanted: Any) -> str:
        dtype, own = self.dtype(wanted), self.dtype(held)
        scalar = own.type(value) if own.kind not in "iu" else np.array(int(value)).astype(own)[()]
        return self.bind_scalar(operators.cast(scalar, dtype).item() if own != dtype else value, dtype)

    def _tuple_cast(self, expression: str, held: Any, wanted: Any) -> str:
        if plain(held) == wanted or len(held) != len(wanted):
            return expression
        items = [self.cast(f"{expression}[{i}]", held[i], wanted[i]) for i in range(len(wanted))]
        return tuple_of(items)

    def cast(self, expression: str, held: Any, wanted: Any) -> str:
        held, wanted = plain(held), plain(wanted)
        if held == wanted or isinstance(
            wanted, (types.Array, types.NoneType, types.RangeType, types.RangeIteratorType)
        ):
            return expression
        if isinstance(wanted, types.Optional) or isinstance(held, types.Optional):
            raise Unsupported("a variable that may be None", self.line)
        if not isinstance(held, (types.Number, types.Boolean)) or not isinstance(wanted, (types.Number, types.Boolean)):
            return expression
        if self.dtype(held) == self.dtype(wanted):
            return expression
        return f"cast({expression}, {self.bind(self.dtype(wanted))})"

    # ---- writing ----------------------------------------------------------------------------------------------------

    def write(self, text: str) -> None:
        self.lines.append("    " * self.depth + text)
        self.numbers.append(self.line)

    def assign(
        self, variable: str, expression: str, mask: str = "m", also_waiting: frozenset[int] = frozenset()
    ) -> None:
        """Set a variable for the lanes of `mask`, keeping the value of lanes that wait where it is still needed."""
        needed = self.flow.live_in.get(variable, frozenset())
        name = self.name(variable)
        if not needed:
            self.write(f"{name} = {expression}")
        elif needed & also_waiting:
            self.write(f"{name} = merge({mask}, {expression}, {name})")
        else:
            self.write(
                f"{name} = {expression} if not P or {self.bind(needed)}.isdisjoint(P) "
                f"else merge({mask}, {expression}, {name})"
                if _is_simple(expression)
                else f"r = {expression}"
            )
            if not _is_simple(expression):
                self.write(f"{name} = r if not P or {self.bind(needed)}.isdisjoint(P) else merge({mask}, r, {name})")

    def program(self) -> LaneProgram:
        function = self.function
        parameters = [f"a{i}" for i in range(len(function.arguments))]
        self.write(f"def program({', '.join(['ctx', 'm', *parameters])}):")
        self.depth = 1
        self.write("if False: yield")
        for text in (
            "load = ctx.load",
            "store = ctx.store",
            "E = ctx.everyone",
            "T = ctx.state.tally is not None",
            "F = ctx.fair",
            "beats = 0",
            "R = U",
        ):
            self.write(text)
        locals_at = len(self.lines)
        self.write("P = {0: m}")
        self.write("while P:")
        self.depth = 2
        self.write("b = min(P) if len(P) > 1 else next(iter(P))")
        self.write("m = P.pop(b)")
        self._dispatch(0, len(self.flow.order))
        self.depth = 1
        self.write("return R")
        merged = [self.names[v] for v in self.names if v in self.flow.live_in]
        if merged:
            self.lines.insert(locals_at, "    " + " = ".join(merged) + " = U")
            self.numbers.insert(locals_at, function.line)
        return self._compiled()

    def _compiled(self) -> LaneProgram:
        source = "\n".join(self.lines)
        self.namespace.pop("__scalars__", None)
        self.namespace[INDEX_NAMES] = index_names(self)
        exec(on_lines(compile(source, self.function.file, "exec"), self.numbers), self.namespace)
        return LaneProgram(
            self.function,
            self.namespace["program"],
            source,
            self.notes,
            stored_parameters(self),
            self.waits,
            feeds_of(self),
            self.shared_bytes + sum(callee.shared_bytes for callee in self.callees),
            self._spins(),
            self.parts_warps or any(callee.parts_warps for callee in self.callees),
            ThroughCall() if self.kernel else through_call(self),
        )

    def _dispatch(self, low: int, high: int) -> None:
        """Find block `b` among positions [low, high) by bisection."""
        if high - low == 1:
            self._block(self.flow.order[low])
            return
        middle = (low + high) // 2
        self.write(f"if b < {middle}:")
        self.depth += 1
        self._dispatch(low, middle)
        self.depth -= 1
        self.write("else:")
        self.depth += 1
        self._dispatch(middle, high)
        self.depth -= 1

    def _block(self, label: int) -> None:
        from gpulab.engines.simt.statements import write_statement

        self.label = label
        self.work = BlockWork()
        before = self._lines_before(label)
        counted: set[int] = set()
        written = len(self.lines)
        self.write("")  # the block's own counts: known once it is written
        for statement in self.function.ir.blocks[label].body:
            if isinstance(statement, numba_ir.Del):
                continue
            self.line = statement.loc.line
            begins = self.line > self.function.line and self.line not in before and not self._silent(statement)
            if begins:
                counted.add(self.line)
            write_statement(self, statement)
        self.work.begins = counted - {self._line_of_loop_ahead(label)}
        counts = self.work and not self.function.file.startswith(_NUMBA)  # of lines that are the learner's
        work = f"if T: ctx.run_block({self.bind(self.work)}, m)" if counts else "pass"
        self.lines[written] = "    " * self.depth + work

    def _line_of_loop_ahead(self, label: int) -> int | None:
        """The line of the `for` whose header comes next: it is counted there, n + 1 times, and not when set up."""
        blocks, position = self.function.ir.blocks, self.flow.position
        for target in blocks[label].terminator.get_targets():
            if target not in self.flow.headers or position[target] <= position[label]:
                continue
            for statement in blocks[target].body:
                if isinstance(getattr(statement, "value", None), numba_ir.Expr) and statement.value.op == "iternext":
                    return int(statement.loc.line)
        return None

    def _silent(self, statement: Any) -> bool:
        """Whether nothing happens on a GPU yet: names, constants, merges, and the setting up of a `range`."""
        value = getattr(statement, "value", None)
        if isinstance(statement, numba_ir.Jump):
            return True
        if not isinstance(statement, numba_ir.Assign):
            return False
        if isinstance(value, numba_ir.Expr):
            ranges = (types.RangeType, types.RangeIteratorType)
            return value.op == "phi" or isinstance(plain(self.type_of(statement.target)), ranges)
        known = isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar))
        return isinstance(value, numba_ir.Arg) or (known and statement.target.name.startswith("$"))

    def _lines_before(self, label: int) -> set[int]:
        """Lines that were already begun in every block that leads here: their execution is counted there."""
        sets = []
        for predecessor in self.flow.predecessors[label]:
            if self.flow.position[predecessor] >= self.flow.position[label]:
                return set()
            body = self.function.ir.blocks[predecessor].body
            sets.append({s.loc.line for s in body if not (isinstance(s, numba_ir.Del) or self._silent(s))})
        return set.intersection(*sets) if sets else set()

    # ---- edges ------------------------------------------------------------------------------------------------------

    def phi_copies(self, target: int) -> list[tuple[str, str]]:
        """(phi variable, source expression) of the edge from the current block to `target`."""
        copies = []
        for statement in self.function.ir.blocks[target].body:
            value = getattr(statement, "value", None)
            if not (isinstance(value, numba_ir.Expr) and value.op == "phi"):
                continue
            target_type = self.type_of(statement.target)
            if isinstance(target_type, SILENT):
                continue
            for source, block in zip(value.incoming_values, value.incoming_blocks, strict=True):
                if block == self.label:
                    copies += self._copies_of(statement.target.name, source, target_type)
        return copies

    def _copies_of(self, to: str, source: Any, held: Any) -> list[tuple[str, str]]:
        """The copy into one phi, and into its companion that says which lanes have a value at all."""
        assigned = isinstance(source, numba_ir.Var)
        copies = []
        if assigned:
            copies.append((to, self.value(source, held)))
        elif isinstance(plain(held), (types.Number, types.Boolean)):
            copies.append((to, self.constant(0, plain(held))))
        if to in self.unsure:
            copies.append((is_set(to), self.set_flag(source) if assigned else self.bind(NO)))
        return copies

    def set_flag(self, variable: Any) -> str:
        """An expression for the lanes in which a variable has a value."""
        return self.name(is_set(variable.name)) if variable.name in self.unsure else self.bind(YES)

    def go(
        self,
        target: int,
        mask: str,
        also_waiting: frozenset[int] = frozenset(),
        copies: list[tuple[str, str]] | None = None,
    ) -> None:
        """Send lanes along an edge: phi copies in parallel, then wait at the target."""
        if copies is None:
            copies = self.phi_copies(target)
        copies = [(to, expression) for to, expression in copies if expression != self.name(to)]
        sources = {}
        if len(copies) > 1:
            for to, expression in copies:
                sources[to] = self.fresh()
                self.write(f"{sources[to]} = {expression}")
        for to, expression in copies:
            self.assign(to, sources.get(to, expression), mask, also_waiting)
        position = self.flow.position[target]
        if position <= self.flow.position[self.label]:
            self.write("beats += 1")
            counts = self._counts(target)
            frame = "None" if counts else "locals()"
            self.write(f"if F or not beats & 63: yield from ctx.heartbeat({self.line}, {mask}, {frame})")
        self.write(f"q = P.get({position})")
        self.write(f"P[{position}] = {mask} if q is None else join(q, {mask}, E)")

    def _spins(self) -> bool:
        return any(callee.spins for callee in self.callees) or any(not self._counts(h) for h in self.flow.headers)

    def _counts(self, header: int) -> bool:
        """Whether the loop at `header` is a `for` over a range, which ends by itself."""
        return any(
            isinstance(getattr(s, "value", None), numba_ir.Expr) and s.value.op == "iternext"
            for s in self.function.ir.blocks[header].body
        )

    def branch(self, condition: str, yes: int, no: int) -> None:
        yes_at, no_at = self.flow.position[yes], self.flow.position[no]
        if yes == no:
            self.go(yes, "m")
            return
        self.write(f"y, n = split(m, {condition})")
        self.write("if n is None:")
        self.depth += 1
        self.go(yes, "m")
        self.depth -= 1
        self.write("elif y is None:")
        self.depth += 1
        self.go(no, "m")
        self.depth -= 1
        self.write("else:")
        self.depth += 1
        kept = self._kept(no) if self.phi_copies(yes) else None
        self.go(yes, "y", frozenset({no_at}))
        self.go(no, "n", frozenset({yes_at}), kept)
        self.depth -= 1

    def _kept(self, target: int) -> list[tuple[str, str]]:
        """The sources of an edge's copies, read before the other edge's copies may overwrite them."""
        kept = []
        for to, expression in self.phi_copies(target):
            kept.append((to, self.fresh()))
            self.write(f"{kept[-1][1]} = {expression}")
        return kept

    # ---- operators --------------------------------------------------------------------------------------------------

    def binary(self, function: Any, signature: Any, left: Any, right: Any) -> str:
        """An expression for `left <function> right` under Numba's signature."""
        result = plain(signature.return_type)
        if function in operators.IN_RESULT_TYPE:
            wanted: tuple[Any, Any] = (result, result)
            if function is operator.pow and isinstance(plain(signature.args[1]), types.Integer):
                wanted = (result, plain(signature.args[1]))  # by repeated squaring, whatever the base
        else:
            wanted = _comparable(plain(signature.args[0]), plain(signature.args[1]))
        if function not in operators.BINARY or not isinstance(result, (types.Number, types.Boolean)):
            raise Unsupported(
                f"the operator {getattr(function, '__name__', function)} on {' and '.join(map(str, signature.args))}",
                self.line,
            )
        self.work.add(self.line, arithmetic.of_operator(function, self.dtype(result)))
        return f"{self.bind(operators.BINARY[function])}({self.value(left, wanted[0])}, {self.value(right, wanted[1])})"


def _comparable(left: Any, right: Any) -> tuple[Any, Any]:
    """Types to compare in: NumPy compares signed with unsigned by value, as Numba does."""
    if isinstance(left, types.Boolean) != isinstance(right, types.Boolean):
        return (types.int64, types.int64)
    return left, right


def _is_simple(expression: str) -> bool:
    return expression.isidentifier()

