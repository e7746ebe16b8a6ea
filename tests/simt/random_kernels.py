"""Random kernels as source text, with the arrays they run on.

A kernel is a tree of statements, so that a failing one can be made smaller. Every thread writes only its own row of
the output arrays (and adds to counters by atomics), so that the order of threads cannot matter; every index is in
range, every variable assigned before it is read. So a simulator that finds a fault in one is wrong, too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from tests.simt.expressions import (
    ARITHMETIC,
    SCALARS,
    Expressions,
    Function,
    Scope,
    Typed,
    is_float,
    is_integer,
    name_of,
    named,
    unified,
)

LAYOUTS = ("C", "C", "F", "reversed", "strided", "transposed")


@dataclass
class Statement:
    """A line, or with `bodies` a compound: (header, statements) of each part."""

    text: str = ""
    bodies: list[tuple[str, list[Statement]]] = field(default_factory=list)

    def lines(self, indent: int) -> list[str]:
        if not self.bodies:
            return [" " * indent + line for line in self.text.split("\n")]
        lines = []
        for header, body in self.bodies:
            lines.append(" " * indent + header)
            inner = [line for statement in body for line in statement.lines(indent + 4)]
            lines += inner or [" " * (indent + 4) + "pass"]
        return lines


@dataclass
class RandomKernel:
    """A program and its data. `arrays` maps parameters to [threads, width] (or [threads]) arrays."""

    seed: int
    threads: int
    prelude: str
    body: list[Statement]
    arrays: dict[str, np.ndarray]
    constants: dict[str, np.ndarray]

    def text(self) -> str:
        return "\n".join(line for statement in self.body for line in statement.lines(4))


def random_kernel(seed: int, size: int = 5) -> RandomKernel:
    """The kernel of a seed: about `size` statements at the top level."""
    return _Writer(Random(seed), seed).kernel(size)


def array(random: np.random.Generator, shape: tuple[int, ...], dtype: str, layout: str) -> np.ndarray:
    """Values that are ordinary, small, or at the edge of their type, in memory laid out as asked."""
    kind = np.dtype(dtype)
    if kind.kind == "b":
        values = random.integers(0, 2, shape).astype(bool)
    elif kind.kind == "f":
        values = (random.standard_normal(shape) * random.choice([0.5, 4.0, 300.0], shape)).astype(kind)
        special = np.array([0.0, -0.0, 1.0, np.inf, -np.inf, np.nan, np.finfo(kind).max, np.finfo(kind).tiny], kind)
        values = np.where(random.random(shape) < 0.15, random.choice(special, shape), values)
    else:
        limits = np.iinfo(kind)
        small = random.integers(0 if kind.kind == "u" else -9, 10, shape).astype(kind)
        wide = random.integers(limits.min, limits.max, shape, kind, endpoint=True)
        edge = random.choice(np.array([limits.min, limits.max, 0, 1], kind), shape)
        values = np.choose(random.choice(3, shape, p=[0.6, 0.25, 0.15]), [small, wide, edge])
    return laid_out(values, layout)


def laid_out(values: np.ndarray, layout: str) -> np.ndarray:
    """The same values in another layout of memory."""
    if layout == "F":
        return np.asfortranarray(values)
    if layout == "reversed":
        return np.ascontiguousarray(values[::-1])[::-1]
    if layout == "strided":
        wide = np.zeros((*values.shape[:-1], 2 * values.shape[-1] + 1), values.dtype)
        wide[..., 1::2] = values
        return wide[..., 1::2]
    if layout == "transposed":
        return np.ascontiguousarray(values.T).T
    return np.ascontiguousarray(values)


class _Writer:
    """Writes one kernel."""

    def __init__(self, random: Random, seed: int) -> None:
        self.random = random
        self.seed = seed
        self.data = np.random.default_rng(seed)
        self.scope = Scope(width=random.randint(3, 6))
        self.names = 0
        self.outputs: dict[str, Any] = {}
        self.depth = 0
        self.loops = 0
        self.carried: set[str] = set()
        """Variables of outer blocks that the loop being written may assign."""
        self.fixed: dict[str, Any] = {}
        """Those variables' types in the loop."""
        self.returns: list[Any] | None = None

    # ---- the whole --------------------------------------------------------------------------------------------------

    def kernel(self, size: int) -> RandomKernel:
        random, width = self.random, self.scope.width
        threads = random.choice((37, 61, 96, 131))
        arrays: dict[str, np.ndarray] = {}
        for name in ("a", "b", "c"):
            dtype = random.choice(SCALARS)
            arrays[name] = array(self.data, (threads, width), dtype, random.choice(LAYOUTS))
            self.scope.loads += [Typed(f"{name}[i, {{}}]", named(dtype))]
        arrays["d"] = array(self.data, (threads,), random.choice(SCALARS), random.choice(LAYOUTS[:4]))
        self.scope.loads.append(Typed("d[i]", named(str(arrays["d"].dtype))))
        for name in ("p", "q", "r"):
            dtype = random.choice(SCALARS)
            arrays[name] = laid_out(np.zeros((threads, width), dtype), random.choice(LAYOUTS))
            self.outputs[name] = named(dtype)
        arrays["counts"] = np.zeros(5, random.choice(("int32", "int64", "uint32", "uint64")))
        constants = {"TABLE": array(self.data, (3,), random.choice(SCALARS), "C")}
        prelude = self._constants(constants)
        for _ in range(random.randint(0, 3)):
            prelude += self._function()
        self.scope.variables["i"] = named("int64")
        self._row_functions(arrays)
        body = self._views(arrays)
        body += self._block(size)
        body += [self._store() for _ in range(3)]
        return RandomKernel(self.seed, threads, prelude, body, arrays, constants)

    def _constants(self, constants: dict[str, np.ndarray]) -> str:
        random = self.random
        self.scope.constants = [
            Typed("TABLE[{}]", named(str(constants["TABLE"].dtype))),
            Typed("STEP", named("int64")),
            Typed("RATIO", named("float64")),
            Typed("NARROW", named("float32")),
            Typed("PAIR[1]", named("int64")),
        ]
        return (f"STEP = {random.choice((2, 3, 10))}\nRATIO = {random.choice((0.25, 1.5))}\n"
                f"NARROW = np.float32({random.choice((0.1, 2.0))})\nPAIR = ({random.randint(1, 9)}, 7)\n")

    def _views(self, arrays: dict[str, np.ndarray]) -> list[Statement]:
        """Rows, slices and transposes of the arrays, to load from."""
        width, found = self.scope.width, []
        for name in self.random.sample(("a", "b", "c"), 2):
            type_ = named(str(arrays[name].dtype))
            view = f"view_{name}"
            text, load = self.random.choice((
                (f"{name}[i]", f"{view}[{{}}]"),
                (f"{name}[i, ::-1]", f"{view}[{{}}]"),
                (f"{name}.T", f"{view}[{{}}, i]"),
                (f"{name}[:, {self.random.randrange(width)}]", f"{view}[i]"),
                (f"{name}[i][1:]", f"{view}[({{}}) % {width - 1}]"),
                (f"{name}[i, ::2]", f"{view}[({{}}) % {(width + 1) // 2}]"),
                (f"{name}[i:]", f"{view}[0, {{}}]"),
                (f"{name}[i:i + 1, 1:{width}]", f"{view}[0, ({{}}) % {width - 1}]"),
                (f"{name}[::-1]", f"{view}[{view}.shape[0] - 1 - i, {{}}]"),
                (f"{name}[..., 1]", f"{view}[i]"),
            ))
            found.append(Statement(f"{view} = {text}"))
            self.scope.loads.append(Typed(load, type_))
            if "[i" in text and text.count(":") < 3 and "i:" not in text:
                self.scope.constants.append(Typed(f"len({view})", named("int64")))
        return found

    # ---- device functions -------------------------------------------------------------------------------------------

    def _function(self) -> str:
        """A device function of one to three scalars, with loops and early returns of its own."""
        random = self.random
        name = f"f{len(self.scope.functions)}"
        parameters = [(f"x{k}", named(random.choice(SCALARS))) for k in range(random.randint(1, 3))]
        optional = random.randint(0, len(parameters) - 1)
        header = []
        for position, (parameter, _) in enumerate(parameters):
            if position >= len(parameters) - optional:
                default, kind = random.choice((("3", "int64"), ("0.5", "float64"), ("True", "bool")))
                parameters[position] = (parameter, named(kind))
                header.append(f"{parameter}={default}")
            else:
                header.append(parameter)
        inner = _Writer(random, self.seed)
        inner.scope = Scope(dict(parameters), {}, [], list(self.scope.constants), list(self.scope.functions))
        inner.returns = []
        body = inner._block(random.randint(1, 4))
        last = self._returned(inner)
        lines = [line for statement in [*body, last] for line in statement.lines(4)]
        kinds = inner.returns
        if any(isinstance(kind, tuple) for kind in kinds):
            returns: Any = kinds[-1]
        else:
            returns = kinds[0]
            for kind in kinds[1:]:
                returns = unified(returns, kind)
        if returns is None:
            return ""
        self.scope.functions.append(Function(name, tuple(parameters), returns, optional))
        return f"\n@device\ndef {name}({', '.join(header)}):\n" + "\n".join(lines) + "\n"

    def _returned(self, inner: _Writer) -> Statement:
        assert inner.returns is not None
        value = inner._expressions().number(2)
        if not inner.returns and self.random.random() < 0.3:
            other = inner._expressions().number(1)
            inner.returns.append((value.type, other.type))
            return Statement(f"return {value.text}, {other.text}")
        inner.returns.append(value.type)
        return Statement(f"return {value.text}")

    def _row_functions(self, arrays: dict[str, np.ndarray]) -> None:
        """Calls that hand a row to a device function: their parameters' "type" is the text of the argument."""
        name = self.random.choice(("a", "b"))
        type_ = named(str(arrays[name].dtype))
        if is_integer(type_) or is_float(type_):
            self.scope.loads.append(Typed(f"row_sum({name}[i], {{}})", named("float64")))

    # ---- blocks and statements --------------------------------------------------------------------------------------

    def _expressions(self) -> Expressions:
        return Expressions(self.random, self.scope)

    def _fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def _block(self, size: int) -> list[Statement]:
        return [self._statement() for _ in range(size)]

    def _statement(self) -> Statement:
        simple = [self._assign] * 5 + [self._augment] * 3 + [self._tuple, self._unpack, self._swap]
        if self.outputs:
            simple += [self._store] * 3 + [self._store_by_view, self._count, self._local_array]
        compound: list[Callable[[], Statement]] = []
        if self.depth < 3:
            compound = [self._if] * 3 + [self._for] * 2 + [self._while]
        leave: list[Callable[[], Statement]] = []
        if self.depth and self.random.random() < 0.15:
            leave = [self._leave] * 6
        return self.random.choice(simple + compound + leave)()

    def _assign(self) -> Statement:
        value = self._expressions().number(self.random.randint(1, 3))
        name = self._target(value)
        return Statement(f"{name} = {value.text}")

    def _target(self, value: Typed) -> str:
        """A new variable, or one that may hold this type here."""
        known = [name for name in sorted(self.scope.variables) if self._assignable(name, value.type)]
        name = self.random.choice(known) if known and self.random.random() < 0.5 else self._fresh("v")
        self.scope.variables[name] = self.fixed.get(name, value.type)
        return name

    def _assignable(self, name: str, type_: Any) -> bool:
        if name == "i" or name.startswith("k"):
            return False
        if name in self.fixed:
            return unified(self.fixed[name], type_) == self.fixed[name]
        return not self.loops or name not in self.outer

    outer: frozenset[str] = frozenset()
    """Variables from before the loop being written: only those in `fixed` may be assigned."""

    def _augment(self) -> Statement:
        names = [n for n in sorted(self.scope.variables) if n != "i" and not n.startswith("k")]
        if not names:
            return self._assign()
        name = self.random.choice(names)
        value = self._expressions().number(2)
        sign = self.random.choice(("+", "-", "*", "//", "%", "/"))
        if is_float(value.type) or is_float(self.scope.variables[name]):
            sign = self.random.choice(("+", "-", "*", "/"))
        result = self._expressions()._binary(sign, ARITHMETIC[sign], Typed(name, self.scope.variables[name]), value)
        if result is None or not self._assignable(name, result.type):
            return self._assign()
        self.scope.variables[name] = self.fixed.get(name, result.type)
        if sign == "/":
            return Statement(f"{name} = {name} / {value.text}")  # numba-cuda cannot compile `/=` of integers
        return Statement(f"{name} {sign}= {value.text}")

    def _tuple(self) -> Statement:
        items = [self._expressions().number(2) for _ in range(self.random.randint(1, 3))]
        if self.random.random() < 0.4:
            items = [Typed(f"float32({item.text})", named("float32")) for item in items]
        name = self._fresh("t")
        self.scope.tuples[name] = tuple(item.type for item in items)
        return Statement(f"{name} = ({', '.join(item.text for item in items)},)")

    def _unpack(self) -> Statement:
        pairs = [f for f in self.scope.functions if isinstance(f.returns, tuple)]
        names = [self._fresh("v"), self._fresh("v")]
        if pairs and self.random.random() < 0.7:
            function = self.random.choice(pairs)
            text, kinds = self._expressions().call(function, 2), function.returns
        else:
            whole = self._expressions().number(2), self._expressions().number(2)
            text, kinds = f"{whole[0].text}, {whole[1].text}", (whole[0].type, whole[1].type)
        self.scope.variables.update(zip(names, kinds, strict=True))
        return Statement(f"{names[0]}, {names[1]} = {text}")

    def _swap(self) -> Statement:
        """Two variables of one type change places: phi copies must happen at once."""
        free = [n for n in sorted(self.scope.variables) if self._assignable(n, self.scope.variables[n])]
        pairs = [(m, n) for m in free for n in free if m < n and self.scope.variables[m] == self.scope.variables[n]]
        if not pairs:
            return self._assign()
        one, other = self.random.choice(pairs)
        return Statement(f"{one}, {other} = {other}, {one}")

    def _output(self) -> tuple[str, Any, str]:
        name = self.random.choice(sorted(self.outputs))
        return name, self.outputs[name], self._expressions().index(self.scope.width)

    def _store(self) -> Statement:
        name, type_, column = self._output()
        value = self._stored(self._expressions().number(2), type_)
        sign = self.random.choice(("=", "=", "=", "+=", "-=")) if not is_float(type_) else "="
        if sign != "=" and (type_ == named("bool") or "float64(" in value or "/" in value):
            sign = "="
        if sign != "=":
            value = self._expressions().cast(self._expressions().integer(2), "int64").text
        return Statement(f"{name}[i, {column}] {sign} {value}")

    def _stored(self, value: Typed, type_: Any) -> str:
        """Floats on their way into integers are tamed: out of range CPU and GPU differ."""
        return f"int64(tame({value.text}))" if is_integer(type_) and is_float(value.type) else value.text

    def _store_by_view(self) -> Statement:
        name, type_, _ = self._output()
        width = self.scope.width
        view = self._fresh("w")
        text, index = self.random.choice((
            (f"{name}[i]", f"{view}[{self._expressions().index(width)}]"),
            (f"{name}[i, 1:]", f"{view}[{self._expressions().index(width - 1)}]"),
            (f"{name}[i, ::-1]", f"{view}[{self._expressions().index(width)}]"),
            (f"{name}.T", f"{view}[{self._expressions().index(width)}, i]"),
            (f"{name}[i:, ::2]", f"{view}[0, {self._expressions().index((width + 1) // 2)}]"),
        ))
        value = self._stored(self._expressions().number(2), type_)
        return Statement(f"{view} = {text}\n{index} = {value}")

    def _count(self) -> Statement:
        """Integer atomics whose order does not matter."""
        value = self._expressions().below(1000)
        return Statement(f"atomic_add(counts, {self._expressions().below(5)}, {value})")

    def _local_array(self) -> Statement:
        """A local array, filled in a loop, then loaded from."""
        name, dtype = self._fresh("l"), self.random.choice(SCALARS[:10])
        size = self.random.randint(2, 5)
        index = self._fresh("k")
        outside = dict(self.scope.variables)
        self.scope.variables[index] = named("int64")
        value = self._stored(self._expressions().number(2), named(dtype))
        self.scope.variables = outside
        self.scope.loads.append(Typed(f"{name}[({{}}) % {size}]", named(dtype)))
        return Statement(f"{name} = local_array({size}, {dtype})\nfor {index} in range({size}):\n"
                         f"    {name}[{index}] = {value}")

    # ---- control flow -----------------------------------------------------------------------------------------------

    def _inner(self, size: int, variables: dict[str, Any] | None = None) -> tuple[list[Statement], Scope]:
        """A nested block and the scope at its end; the scope here is left as it was."""
        before = self.scope
        self.scope = before.copy()
        self.scope.variables.update(variables or {})
        self.depth += 1
        body = self._block(size)
        self.depth -= 1
        after, self.scope = self.scope, before
        return body, after

    def _if(self) -> Statement:
        statement, ends = Statement(), []
        words = ["if"] + ["elif"] * self.random.choice((0, 0, 0, 1, 2)) + ["else"] * self.random.choice((0, 1))
        for word in words:
            condition = "" if word == "else" else f" {self._expressions().condition(2).text}"
            body, end = self._inner(self.random.randint(1, 3))
            statement.bodies.append((f"{word}{condition}:", body))
            ends.append(end.variables)
        if words[-1] != "else":
            ends.append(dict(self.scope.variables))
        self._meet(ends)
        return statement

    def _meet(self, ends: list[dict[str, Any]]) -> None:
        """The variables every path has assigned, at the type that holds them all."""
        for name in sorted(set.intersection(*(set(end) for end in ends))):
            kind = ends[0][name]
            for end in ends[1:]:
                kind = unified(kind, end[name]) if kind is not None else None
            if kind is None:
                self.scope.variables.pop(name, None)
            else:
                self.scope.variables[name] = kind
        for name in set(self.scope.variables) - set.intersection(*(set(end) for end in ends)):
            del self.scope.variables[name]

    def _loop_body(self, variables: dict[str, Any], size: int) -> list[Statement]:
        """The body of a loop. Up to three variables from outside change in it, some to a wider type."""
        kept = self.outer, self.fixed, self.loops
        free = [n for n in sorted(self.scope.variables) if self._assignable(n, self.scope.variables[n])]
        carried: dict[str, Any] = {}
        for name in self.random.sample(free, min(3, len(free))):
            wider = unified(self.scope.variables[name], named(self.random.choice(SCALARS)))
            current = self.scope.variables[name]
            carried[name] = wider if wider is not None and name not in self.fixed else current
        inherited = {name: type_ for name, type_ in self.fixed.items() if self.random.random() < 0.5}
        self.scope.variables.update(carried)
        self.outer = frozenset(self.scope.variables)
        self.fixed = {**inherited, **carried}
        self.loops += 1
        body, _ = self._inner(size, variables)
        for name, type_ in carried.items():
            if self.random.random() < 0.7:
                value = self._widening(name, type_)
                body.insert(self.random.randint(0, len(body)), Statement(f"{name} = {value}"))
        self.outer, self.fixed, self.loops = kept
        return body

    def _widening(self, name: str, type_: Any) -> str:
        value = self._expressions().number(1)
        cast = self._expressions().cast(value, name_of(type_))
        return cast.text if cast.type == type_ else f"{name_of(type_)}({cast.text})"

    def _for(self) -> Statement:
        name = self._fresh("k")
        bounds = self._bounds()
        variables = {name: named("int64")}
        body = self._loop_body(variables, self.random.randint(1, 3))
        statement = Statement(bodies=[(f"for {name} in range({bounds}):", body)])
        self._maybe_else(statement)
        return statement

    def _bounds(self) -> str:
        expressions, random = self._expressions(), self.random
        if random.random() < 0.3:
            return str(random.randint(0, 5))
        if random.random() < 0.4:
            return f"int64({expressions.below(6)})"
        start, stop = f"int64({expressions.below(7)})", f"int64({expressions.below(7)})"
        step = random.choice(("1", "2", "3", "-1", "-2", "", f"1 - int64({expressions.below(2)}) * 2"))
        return f"{start}, {stop}, {step}" if step else f"{start}, {stop}"

    def _while(self) -> Statement:
        """A loop that counts down, so that it ends whatever its body does."""
        name = self._fresh("k")
        start = f"{name} = int64({self._expressions().below(6)})"
        condition = f"{name} > 0"
        variables = {name: named("int64")}
        body = self._loop_body(variables, self.random.randint(1, 3))
        form = self.random.randrange(3)
        if form == 0:
            condition = f"{name} > 0 and {self._expressions().condition(1).text}"
        head: list[Statement] = [Statement(f"{name} -= 1")]
        if form == 1:
            condition = "True"
            head.insert(0, Statement(bodies=[(f"if {name} <= 0:", [Statement("break")])]))
        statement = Statement(bodies=[(f"while {condition}:", [*head, *body])])
        if form != 1:
            self._maybe_else(statement)
        return _Pair(start, statement)

    def _maybe_else(self, statement: Statement) -> None:
        if self.random.random() < 0.2:
            body, end = self._inner(1)
            statement.bodies.append(("else:", body))
            self._meet([dict(self.scope.variables), end.variables])

    def _leave(self) -> Statement:
        """`break`, `continue` or an early return, under a condition."""
        condition = self._expressions().condition(2).text
        if self.loops and self.random.random() < 0.7:
            return Statement(bodies=[(f"if {condition}:", [Statement(self.random.choice(("break", "continue")))])])
        if self.returns is None:
            return Statement(bodies=[(f"if {condition}:", [self._store(), Statement("return")])])
        if any(isinstance(kind, tuple) for kind in self.returns):
            return self._assign()
        value = self._expressions().number(1)
        self.returns.append(value.type)
        return Statement(bodies=[(f"if {condition}:", [Statement(f"return {value.text}")])])


class _Pair(Statement):
    """A line and the compound after it, kept together."""

    def __init__(self, first: str, then: Statement) -> None:
        super().__init__(bodies=then.bodies)
        self.first = first

    def lines(self, indent: int) -> list[str]:
        return [" " * indent + self.first, *super().lines(indent)]
