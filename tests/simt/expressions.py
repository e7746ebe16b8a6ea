"""Random typed expressions in the Python that Numba compiles.

Every expression is known with the type Numba gives it: the operators ask Numba's own typing context. What CPU and
GPU compile differently is not written at all (see `both_ways`).
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from numba.core import types
from numba.core.registry import cpu_target

SCALARS = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")
INTEGERS = SCALARS[:8]

ARITHMETIC = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
               "//": operator.floordiv, "%": operator.mod}
_BITS = {"&": operator.and_, "|": operator.or_, "^": operator.xor}
_SHIFTS = {"<<": operator.lshift, ">>": operator.rshift}
_COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq,
                "!=": operator.ne}
_UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert}


@dataclass(frozen=True)
class Typed:
    """An expression's text (safe to put beside any operator) and its Numba type."""

    text: str
    type: Any


@dataclass
class Scope:
    """What an expression may use where it stands."""

    variables: dict[str, Any] = field(default_factory=dict)
    tuples: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    loads: list[Typed] = field(default_factory=list)
    """Elements of arrays: the text of an access and its type; `{}` in the text is an index below `width`."""
    constants: list[Typed] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    width: int = 1

    def copy(self) -> Scope:
        return Scope(dict(self.variables), dict(self.tuples), list(self.loads), list(self.constants),
                     list(self.functions), self.width)


@dataclass(frozen=True)
class Function:
    """A device function: what it takes, and the type (or tuple of types) it returns. The last `optional` parameters
    have defaults."""

    name: str
    parameters: tuple[tuple[str, Any], ...]
    returns: Any
    optional: int = 0


def named(name: str) -> Any:
    """Numba's type of a scalar by name."""
    return types.boolean if name == "bool" else getattr(types, name)


def name_of(type_: Any) -> str:
    return "bool" if type_ == types.boolean else str(type_)


def is_integer(type_: Any) -> bool:
    return isinstance(type_, types.Integer)


def is_float(type_: Any) -> bool:
    return isinstance(type_, types.Float)


def unified(one: Any, other: Any) -> Any:
    """The type of a variable that is `one` on one path and `other` on another; None if Numba has none."""
    return cpu_target.typing_context.unify_types(one, other)


def resolved(function: Any, *operands: Any) -> Any:
    """The type of `function(*operands)`; None if Numba refuses it."""
    cpu_target.typing_context.refresh()
    try:
        signature = cpu_target.typing_context.resolve_function_type(function, operands, {})
    except Exception:
        return None
    return signature.return_type if signature is not None else None


class Expressions:
    """Draws expressions from a `Random`."""

    def __init__(self, random: Random, scope: Scope) -> None:
        self.random = random
        self.scope = scope

    # ---- leaves -----------------------------------------------------------------------------------------------------

    def leaf(self) -> Typed:
        choices = [self._literal, self._variable, self._variable, self._variable, self._load, self._constant]
        return self.random.choice(choices)()

    def _literal(self) -> Typed:
        random = self.random
        kind = random.randrange(6)
        if kind < 3:
            value = random.choice((0, 1, 2, 3, 5, 7, 13, 31, 64, 100, 255, 256, 1000, 65535, 2**31, 2**40))
            return Typed(str(value), types.int64)
        if kind == 3:
            return Typed(random.choice(("0.5", "1.0", "2.5", "0.1", "1e3", "3.0")), types.float64)
        if kind == 4:
            name = random.choice(SCALARS[:10])
            return Typed(f"{name}({random.choice((0, 1, 2, 3, 100))})", named(name))
        return Typed(random.choice(("True", "False")), types.boolean)

    def _variable(self) -> Typed:
        if not self.scope.variables:
            return self._literal()
        name = self.random.choice(sorted(self.scope.variables))
        return Typed(name, self.scope.variables[name])

    def _load(self) -> Typed:
        if not self.scope.loads:
            return self._literal()
        load = self.random.choice(self.scope.loads)
        return Typed(load.text.format(self.index(self.scope.width)), load.type)

    def _constant(self) -> Typed:
        if not self.scope.constants:
            return self._literal()
        constant = self.random.choice(self.scope.constants)
        return Typed(constant.text.format(self.index(3)), constant.type)

    def index(self, count: int) -> str:
        """An index in [0, count)."""
        if self.random.random() < 0.5:
            return str(self.random.randrange(count))
        names = [name for name, type_ in sorted(self.scope.variables.items()) if is_integer(type_)]
        if not names:
            return str(self.random.randrange(count))
        return f"{self.random.choice(names)} % {count}"

    # ---- by kind ----------------------------------------------------------------------------------------------------

    def number(self, depth: int) -> Typed:
        """Any scalar."""
        if depth <= 0:
            return self.leaf()
        choices = [self._arithmetic] * 6 + [self._shift, self._bits, self._power, self._unary, self._cast, self._call,
                                            self._ternary, self._either, self.condition, self._extreme, self._math,
                                            self._item]
        found = self.random.choice(choices)(depth - 1)
        return found if found is not None else self.leaf()

    def integer(self, depth: int) -> Typed:
        for _ in range(4):
            found = self.number(depth)
            if is_integer(found.type):
                return found
        return Typed(f"int64({self.tamed(self.number(max(0, depth - 1)))})", types.int64)

    def below(self, limit: int, depth: int = 1) -> str:
        """An integer expression in [0, limit)."""
        return f"({self.integer(depth).text}) % {limit}"

    def condition(self, depth: int) -> Typed:
        """Something true or false: a comparison, a chain, `and`/`or`/`not`."""
        kind = self.random.randrange(8)
        if kind < 4 or depth <= 0:
            left, right = self.number(depth - 1), self.number(depth - 1)
            sign = self.random.choice(list(_COMPARISONS))
            return Typed(f"({left.text} {sign} {right.text})", types.boolean)
        if kind == 4:
            return Typed(f"(not {self.number(depth - 1).text})", types.boolean)
        if kind == 5:
            one, two, three = (self.number(depth - 2).text for _ in range(3))
            signs = [self.random.choice(("<", "<=", ">", "==")) for _ in range(2)]
            return Typed(f"({one} {signs[0]} {two} {signs[1]} {three})", types.boolean)
        word = self.random.choice(("and", "or"))
        return Typed(f"({self.condition(depth - 1).text} {word} {self.condition(depth - 1).text})", types.boolean)

    def tamed(self, value: Typed) -> str:
        """`value` in the range every integer type can hold after a cast to int64; floats out of range become 0.5."""
        return f"tame({value.text})" if is_float(value.type) else value.text

    def cast(self, value: Typed, name: str) -> Typed:
        """`value` as another type, through int64 where a float becomes an integer: out of range CPU and GPU differ."""
        target = named(name)
        if value.type == target and self.random.random() < 0.5:
            return value
        if is_float(value.type) and name in INTEGERS:
            inner = f"int64(tame({value.text}))"
            return Typed(inner if name == "int64" else f"{name}({inner})", target)
        return Typed(f"{name}({value.text})", target)

    # ---- operators --------------------------------------------------------------------------------------------------

    def _arithmetic(self, depth: int) -> Typed | None:
        left, right = self.number(depth), self.number(depth)
        sign = self.random.choice(list(ARITHMETIC))
        if sign in ("//", "%") and (is_float(left.type) or is_float(right.type)):
            left, right = self._dividend(left), Typed(f"divisor({self._wide(right)})", types.float64)
        return self._binary(sign, ARITHMETIC[sign], left, right)

    def _dividend(self, value: Typed) -> Typed:
        return Typed(f"tame({self._wide(value)})", types.float64)

    def _wide(self, value: Typed) -> str:
        return value.text if value.type == types.float64 else f"float64({value.text})"

    def _binary(self, sign: str, function: Any, left: Typed, right: Typed) -> Typed | None:
        type_ = resolved(function, left.type, right.type)
        return None if type_ is None else Typed(f"({left.text} {sign} {right.text})", type_)

    def _bits(self, depth: int) -> Typed | None:
        sign = self.random.choice(list(_BITS))
        if self.random.random() < 0.3:
            return self._binary(sign, _BITS[sign], self.condition(depth), self.condition(depth))
        return self._binary(sign, _BITS[sign], self.integer(depth), self.integer(depth))

    def _shift(self, depth: int) -> Typed | None:
        """Shifts by 0 to 31: beyond the width a CPU and a GPU differ."""
        sign = self.random.choice(list(_SHIFTS))
        amount = self.integer(depth - 1)
        mask = self.random.choice((7, 15, 31))
        kind = resolved(operator.and_, amount.type, types.int64)
        return self._binary(sign, _SHIFTS[sign], self.integer(depth), Typed(f"({amount.text} & {mask})", kind))

    def _power(self, depth: int) -> Typed | None:
        base = self.number(depth)
        if base.type == types.boolean:
            return None
        if self.random.random() < 0.6:
            exponent = self.random.choice((0, 1, 2, 3, 5, -1, -2) if is_integer(base.type) else (0, 1, 2, 3, 4, 7))
            type_ = resolved(operator.pow, base.type, types.literal(exponent)) or resolved(
                operator.pow, base.type, types.int64)
            return Typed(f"({base.text} ** {exponent})", type_)
        amount = self.integer(depth - 1)
        kind = resolved(operator.and_, amount.type, types.int64)
        exponent_text = f"({amount.text} & 3)"
        if kind == types.int64 and is_integer(base.type) and self.random.random() < 0.3:
            exponent_text = f"(1 - {exponent_text})"
        return self._binary("**", operator.pow, base, Typed(exponent_text, kind))

    def _unary(self, depth: int) -> Typed | None:
        sign = self.random.choice(list(_UNARY))
        operand = self.integer(depth) if sign == "~" else self.number(depth)
        type_ = resolved(_UNARY[sign], operand.type)
        return None if type_ is None else Typed(f"({sign}{operand.text})", type_)

    # ---- calls and choices ------------------------------------------------------------------------------------------

    def _cast(self, depth: int) -> Typed:
        return self.cast(self.number(depth), self.random.choice(SCALARS))

    def _ternary(self, depth: int) -> Typed | None:
        yes, no = self.number(depth), self.number(depth)
        type_ = unified(yes.type, no.type)
        return None if type_ is None else Typed(f"({yes.text} if {self.condition(depth).text} else {no.text})", type_)

    def _either(self, depth: int) -> Typed | None:
        """`and` / `or` as a value: the operand that decided."""
        left, right = self.number(depth), self.number(depth)
        type_ = unified(left.type, right.type)
        word = self.random.choice(("and", "or"))
        return None if type_ is None else Typed(f"({left.text} {word} {right.text})", type_)

    def _extreme(self, depth: int) -> Typed | None:
        """`min` and `max` of integers of one signedness, and of floats without NaN: the GPU's ignore NaN."""
        name = self.random.choice(("min", "max"))
        left, right = self.number(depth), self.number(depth)
        if is_float(left.type) or is_float(right.type):
            return Typed(f"{name}(float64(tame({left.text})), float64(tame({right.text})))", types.float64)
        kinds = [self.random.choice(INTEGERS) for _ in range(2)]
        type_ = unified(named(kinds[0]), named(kinds[1]))
        if not is_integer(type_):
            return None
        return Typed(f"{name}({kinds[0]}({left.text}), {kinds[1]}({right.text}))", type_)

    def _math(self, depth: int) -> Typed | None:
        value = self.number(depth)
        kind = self.random.randrange(6)
        if kind == 0 and value.type != types.boolean:
            return Typed(f"abs({value.text})", resolved(abs, value.type))
        if kind == 1:
            return Typed(f"round(tame(float64({value.text})))", types.int64)
        if kind == 2:
            name = self.random.choice(("floor", "ceil", "trunc"))  # a CPU's give integers, a GPU's give floats
            return Typed(f"(float64(math.{name}(tame(float64({value.text})))) + 0.0)", types.float64)
        if kind == 3:
            return Typed(f"math.sqrt(float64({value.text}))", types.float64)
        if kind == 4:
            return Typed(f"math.copysign(float64({value.text}), float64({self.leaf().text}))", types.float64)
        return Typed(f"math.isnan(float64({value.text}))", types.boolean)

    def _call(self, depth: int) -> Typed | None:
        scalar = [f for f in self.scope.functions if not isinstance(f.returns, tuple)]
        if not scalar:
            return None
        function = self.random.choice(scalar)
        return Typed(self.call(function, depth), function.returns)

    def call(self, function: Function, depth: int) -> str:
        """A call with arguments of the declared types, some left to their defaults, some by name."""
        given = len(function.parameters) - self.random.randint(0, function.optional)
        arguments = []
        for position, (name, type_) in enumerate(function.parameters[:given]):
            if isinstance(type_, str):
                arguments.append(type_)
                continue
            value = self.cast(self.number(depth), name_of(type_))
            text = value.text if value.type == type_ else f"{name_of(type_)}({value.text})"
            by_name = position == given - 1 and self.random.random() < 0.2
            arguments.append(f"{name}={text}" if by_name else text)
        return f"{function.name}({', '.join(arguments)})"

    def _item(self, depth: int) -> Typed | None:
        """An item of a tuple, by a number or (where all items are of one type) by an expression."""
        if not self.scope.tuples:
            return None
        name = self.random.choice(sorted(self.scope.tuples))
        kinds = self.scope.tuples[name]
        if len(set(kinds)) == 1 and self.random.random() < 0.5:
            return Typed(f"{name}[{self.below(len(kinds))}]", kinds[0])
        position = self.random.randrange(len(kinds))
        return Typed(f"{name}[{position}]", kinds[position])
