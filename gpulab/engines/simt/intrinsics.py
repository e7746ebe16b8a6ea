"""How calls are written into a lane program: `cuda.*`, `math.*`, built-ins, casts, device functions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda
from numba.cuda import types

from gpulab.engines.simt import allocations, arithmetic, atomics, mathematics, operators, python_builtins, synchronising
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.frontend import overload_of, plain
from gpulab.engines.simt.indexing import index_items, refuse_whole_arrays
from gpulab.engines.simt.methods import write_method
from gpulab.engines.simt.spelling import Writer, spelled, tuple_of
from gpulab.engines.simt.variables import SILENT

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def write_call(low: Lowering, target: Any, value: Any, held: Any) -> str | None:
    """Write a call; the expression of its result, or None where it has none."""
    callee = low.type_of(value.func)
    signature = low.function.calls.get(value)
    if value.vararg is not None:
        raise Unsupported("a call with *arguments", low.line)
    if isinstance(callee, types.Dispatcher):
        return _device_call(low, target, value, signature, callee.dispatcher)
    if isinstance(callee, types.NumberClass):
        return low.value(value.args[0], held)
    if isinstance(callee, types.ExceptionClass):
        return None  # what is raised is known where it is raised
    if isinstance(callee, types.BoundFunction):
        return write_method(low, target, value, held)
    if isinstance(callee, types.NamedTupleClass):
        return _named_tuple(low, value, held)
    function = low.static(value.func)
    if function is None and isinstance(callee, types.Function):
        function = callee.typing_key
    if "mark_try_block" in str(function):
        raise DoesNotCompile("Numba cannot compile try for a GPU.", low.line)
    writer = _CALLS.get(_key(function))
    if writer is not None:
        return writer(low, target, value, held, signature)
    if isinstance(function, np.ufunc) or _key(function) in _MATH:
        return _elementwise(low, value, held, signature, function)
    found = _program_of(low, callee, function, signature) if signature is not None and not value.kws else None
    if found is not None:
        program, kinds = found
        taken = [low.value(argument, kind) for argument, kind in zip(value.args, kinds, strict=True)]
        return _call_program(low, target, program, taken)
    raise Unsupported(f"the call {spelled(function)}()", low.line)


def _program_of(low: Lowering, callee: Any, function: Any, signature: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """The program of a function of Numba's own and what it takes; what is wrong in it is wrong with the call."""
    try:
        overload = overload_of(callee, tuple(signature.args))
        return None if overload is None else (low.program_for(*overload), overload[1])
    except DoesNotCompile as error:
        raise DoesNotCompile(f"Numba cannot compile {spelled(function)}() here: {error}", low.line) from error
    except Unsupported as error:
        raise Unsupported(f"the call {spelled(function)}()", low.line) from error


def _key(function: Any) -> Any:
    try:
        hash(function)
    except TypeError:
        return None
    return function


_MATH = mathematics.FUNCTIONS


def _elementwise(low: Lowering, value: Any, held: Any, signature: Any, function: Any) -> str:
    """A function of numbers: one call of its NumPy counterpart."""
    if isinstance(function, np.ufunc) and len(value.args) > function.nin:
        raise Unsupported(f"{function.__name__} with an array for its results", low.line)
    ours = _MATH.get(_key(function))
    if isinstance(ours, np.ufunc) and len(value.args) > ours.nin:
        raise Unsupported(f"the call {spelled(function)}() with {len(value.args)} arguments", low.line)
    refuse_whole_arrays(low, list(value.args))
    operation = function if isinstance(function, np.ufunc) else _MATH[function]
    kinds = [plain(kind) for kind in signature.args]
    low.work.add(low.line, arithmetic.of_function(function, low.dtype(kinds[0])))
    arguments = [low.value(argument, kind) for argument, kind in zip(value.args, signature.args, strict=True)]
    text = f"{low.bind(operation)}({', '.join(arguments)})"
    if isinstance(held, types.BaseTuple) and function in (math.frexp, math.modf):
        low.write(f"r = {text}")
        return f"({', '.join(f'cast(r[{i}], {low.bind(low.dtype(kind))})' for i, kind in enumerate(held))})"
    if not isinstance(held, (types.Number, types.Boolean)):
        raise Unsupported(f"{function} with a result of type {held}", low.line)
    return f"cast({text}, {low.bind(low.dtype(held))})"


def _device_call(low: Lowering, target: Any, value: Any, signature: Any, dispatcher: Any) -> str | None:
    guessed = low.guesses.calls.get(id(value))
    program = low.program_for(dispatcher.py_func, tuple(signature.args), guessed=guessed)
    low.notes.extend(note for note in program.notes if note not in low.notes)
    names = _parameter_names(dispatcher)
    given = [*value.args[:len(names)], *[None] * (len(names) - len(value.args))]
    for name, variable in value.kws:
        given[names.index(name)] = variable
    arguments = []
    for variable, kind in zip(given, signature.args, strict=False):
        known = variable is None or isinstance(plain(kind), (types.Omitted, *SILENT))  # the callee's types say it all
        arguments.append("None" if known else low.value(variable, kind))
    if len(signature.args) > len(names):  # the rest, which `*rest` takes as a tuple
        rest = [low.value(variable) for variable in value.args[len(names):]]
        arguments.append(f"({''.join(f'{item}, ' for item in rest)})")
    return _call_program(low, target, program, arguments)


def _call_program(low: Lowering, target: Any, program: Any, arguments: list[str]) -> str | None:
    low.waits |= program.waits
    low.callees.append(program)
    text = f"yield from {low.bind(program.run, 'f')}(ctx, m{''.join(', ' + a for a in arguments)})"
    if isinstance(plain(low.type_of(target)), types.NoneType):
        low.write(text)
        return None
    low.write(f"r = {text}")
    return "r"


def _parameter_names(dispatcher: Any) -> tuple[str, ...]:
    code = dispatcher.py_func.__code__
    return tuple(code.co_varnames[: code.co_argcount])


def _named_tuple(low: Lowering, value: Any, held: Any) -> str:
    given = dict(zip(held.fields, value.args, strict=False)) | dict(value.kws)
    if len(given) < len(held.fields):
        raise Unsupported("a named tuple with defaults", low.line)
    return tuple_of([low.value(given[name], kind) for name, kind in zip(held.fields, held, strict=True)])



def _axes(low: Lowering, value: Any) -> int:
    count = low.static(value.args[0])
    if count not in (1, 2, 3):
        raise Unsupported("cuda.grid() of anything but 1, 2 or 3", low.line)
    return int(count)


def _grid(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    count = _axes(low, value)
    parts = [f"ctx.geometry.grid_position({axis})" for axis in range(count)]
    return parts[0] if count == 1 else f"({', '.join(parts)})"


def _this_grid(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return low.bind_scalar(0, np.dtype(np.int64))  # the group carries nothing: its only method is sync()


def _grid_size(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    count = _axes(low, value)
    parts = [f"np.int64(ctx.geometry.grid[{axis}] * ctx.geometry.block[{axis}])" for axis in range(count)]
    return parts[0] if count == 1 else f"({', '.join(parts)})"




def _atomic(operation: str) -> Writer:
    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str | None:
        array = value.args[0]
        owner = plain(low.type_of(array))
        if not isinstance(owner, types.Array):
            raise Unsupported("an atomic on something that is not an array", low.line)
        source = low.name(array.name)
        if operation == "compare_and_swap":
            items, rest = [low.bind_scalar(0, np.dtype(np.int64))], value.args[1:]
        else:
            items, rest = index_items(low, value.args[1], owner, source), value.args[2:]
        values = [low.value(argument, owner.dtype) for argument in rest]
        compare = ""
        if operation in ("cas", "compare_and_swap"):
            compare = f", compare={values[0]}"
            values = values[1:]
        wanted = low.uses.get(target.name, 0) > 0
        text = (
            f"{low.bind(atomics.atomic)}(ctx, {operation!r}, {source}, {tuple_of(items)}, {values[0]}, m, "
            f"{low.line}, {wanted}{compare})"
        )
        if not wanted:
            low.write(text)
            return None
        return text

    return write



def _bits(function: Any) -> Writer:
    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
        text = f"{low.bind(function)}({low.value(value.args[0], signature.args[0])})"
        kind = low.dtype(signature.args[0])
        low.work.add(low.line, arithmetic.of_function(function, kind) if kind.kind == "f" else ("integer_ops", 1))
        return f"cast({text}, {low.bind(low.dtype(held))})"

    return write


def _selp(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    condition, yes, no = value.args
    return f"np.where({low.value(condition, types.boolean)}, {low.value(yes, held)}, {low.value(no, held)})[()]"


def _fma(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    low.work.add(low.line, arithmetic.of_fma(low.dtype(held)))
    a, b, c = (low.value(argument, held) for argument in value.args)
    return f"{low.bind(mathematics.fused_multiply_add)}({a}, {b}, {c})"


_CALLS: dict[Any, Writer] = {
    **allocations.CALLS,
    **synchronising.CALLS,
    **python_builtins.CALLS,
    cuda.grid: _grid,
    cuda.cg.this_grid: _this_grid,
    cuda.gridsize: _grid_size,
    cuda.popc: _bits(operators.popc),
    cuda.clz: _bits(operators.clz),
    cuda.ffs: _bits(operators.ffs),
    cuda.brev: _bits(operators.brev),
    cuda.cbrt: _bits(np.cbrt),
    cuda.fma: _fma,
    cuda.selp: _selp,
}
for _name in (
    "add",
    "sub",
    "and_",
    "or_",
    "xor",
    "inc",
    "dec",
    "exch",
    "max",
    "min",
    "nanmax",
    "nanmin",
    "cas",
    "compare_and_swap",
):
    _CALLS[getattr(cuda.atomic, _name)] = _atomic(_name)
