"""How calls are written into a lane program: `cuda.*`, `math.*`, built-ins, casts, device functions."""

from __future__ import annotations

import builtins
import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda
from numba.cuda import types
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt import arithmetic, atomics, mathematics, operators, warps
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.frontend import overload_of, plain, unified
from gpulab.engines.simt.methods import write_method
from gpulab.engines.simt.ranges import Enumerated, Zipped, range_length
from gpulab.engines.simt.views import total

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering

Writer = Callable[["Lowering", Any, Any, Any, Any], "str | None"]


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
    raise Unsupported(f"the call {_spelled(function)}()", low.line)


def _program_of(low: Lowering, callee: Any, function: Any, signature: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """The program of a function of Numba's own and what it takes; what is wrong in it is wrong with the call."""
    try:
        overload = overload_of(callee, tuple(signature.args))
        return None if overload is None else (low.program_for(*overload), overload[1])
    except DoesNotCompile as error:
        raise DoesNotCompile(f"Numba cannot compile {_spelled(function)}() here: {error}", low.line) from error
    except Unsupported as error:
        raise Unsupported(f"the call {_spelled(function)}()", low.line) from error


def _spelled(function: Any) -> str:
    """A function as a learner writes it: cuda.float32x4, np.sum."""
    module, name = getattr(function, "__module__", ""), getattr(function, "__name__", function)
    known = {"builtins": "", "": "", "numpy": "np.", "numba.cuda.stubs": "cuda.", "numba.cuda": "cuda."}
    return f"{known.get(module, f'{module}.')}{name}"


def _key(function: Any) -> Any:
    try:
        hash(function)
    except TypeError:
        return None
    return function


_MATH = mathematics.FUNCTIONS


def _elementwise(low: Lowering, value: Any, held: Any, signature: Any, function: Any) -> str:
    """A function of numbers: one call of its NumPy counterpart."""
    from gpulab.engines.simt.statements import refuse_whole_arrays

    if isinstance(function, np.ufunc) and len(value.args) > function.nin:
        raise Unsupported(f"{function.__name__} with an array for its results", low.line)
    ours = _MATH.get(_key(function))
    if isinstance(ours, np.ufunc) and len(value.args) > ours.nin:
        raise Unsupported(f"the call {_spelled(function)}() with {len(value.args)} arguments", low.line)
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
    from gpulab.engines.simt.lower import SILENT

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
    from gpulab.engines.simt.lower import tuple_of

    given = dict(zip(held.fields, value.args, strict=False)) | dict(value.kws)
    if len(given) < len(held.fields):
        raise Unsupported("a named tuple with defaults", low.line)
    return tuple_of([low.value(given[name], kind) for name, kind in zip(held.fields, held, strict=True)])


# ---- indices and allocation -----------------------------------------------------------------------------------------


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


def _array_call(space: str) -> Writer:
    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
        arguments = {"shape": value.args[0] if value.args else None}
        arguments.update(dict(value.kws))
        shape = low.static(arguments["shape"])
        if not isinstance(shape, (int, tuple)):
            raise Unsupported("an array whose shape is not a constant", low.line)
        extents = (shape,) if isinstance(shape, int) else tuple(int(extent) for extent in shape)
        dtype = low.bind(low.dtype(held.dtype))
        name = _array_name(low, target)
        _check_size(low, space, int(np.prod(extents)) * low.dtype(held.dtype).itemsize)
        if space == "shared" and extents == (0,):
            return f"ctx.dynamic_shared_array({name!r}, {dtype})"
        key = low.bind((low.function.py_func, target.name), "key")
        mask = ", m" if space == "local" else ""
        return f"ctx.{space}_array({key}, {name!r}, {extents!r}, {dtype}{mask})"

    return write


MOST_SHARED = 48 * 1024
MOST_LOCAL = 512 * 1024
"""Bytes of static shared memory of a block and of local memory of a thread.

CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
"""


def _check_size(low: Lowering, space: str, size: int) -> None:
    """Refuse what the GPU's assembler refuses: more memory than a block or a thread can have."""
    if space == "shared":
        low.shared_bytes += size
        size = low.shared_bytes + sum(callee.shared_bytes for callee in low.callees)
    most, owner = (MOST_SHARED, "a block's shared arrays") if space == "shared" else (MOST_LOCAL, "a local array")
    if size > most:
        raise DoesNotCompile(f"Too large: {owner} can have {most} bytes, this needs {size}.", low.line)


def _array_name(low: Lowering, target: Any) -> str:
    """The learner's variable an array is assigned to."""
    if not target.name.startswith("$"):
        return str(target.name).split(".")[0]
    for name, definition in low.definitions.items():
        if isinstance(definition, numba_ir.Var) and definition.name == target.name and not name.startswith("$"):
            return name.split(".")[0]
    return "array"


def _const_array(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    array = low.static(value.args[0])
    if not isinstance(array, np.ndarray):
        return low.name(value.args[0].name)
    return f"ctx.constant_array({_array_name(low, target)!r}, {low.bind(array)})"


# ---- barriers and fences --------------------------------------------------------------------------------------------


def _sync_threads(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> None:
    low.waits = True
    low.write(f"yield from ctx.collective('barrier', m, {low.line})")


def _sync_vote(mode: str) -> Writer:
    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
        low.waits = True
        low.write(f"r = yield from ctx.collective({mode!r}, m, {low.line}, {low.value(value.args[0])})")
        return "r"

    return write


def _warp_collective(name: str, result: np.dtype[Any] | None, pair: bool = False) -> Writer:
    """A warp-level call whose first argument is the member mask."""

    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str | None:
        low.waits = True
        low.parts_warps |= name == "syncwarp" and _names_a_part(low, value.args)
        arguments = [low.value(argument, kind) for argument, kind in zip(value.args, signature.args, strict=True)]
        if not arguments:
            arguments = [low.bind_scalar(0xFFFFFFFF, np.dtype(np.int64))]
        low.write(f"r = yield from ctx.collective({name!r}, m, {low.line}, {', '.join(arguments)})")
        if pair:
            return f"(cast(r[0], {low.bind(low.dtype(held[0]))}), r[1])"
        if result is None and isinstance(held, types.NoneType):
            return None
        return f"cast(r, {low.bind(low.dtype(held))})"

    return write


def _names_a_part(low: Lowering, arguments: Any) -> bool:
    """Whether the mask of a `syncwarp` may be anything but all 32 lanes."""
    mask = low.static(arguments[0]) if arguments else -1
    return not isinstance(mask, int) or mask & 0xFFFFFFFF != 0xFFFFFFFF


def _fence(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> None:
    low.write("ctx.fence(m)")


def _fence_block(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> None:
    low.write("pass")


def _active_mask(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return f"cast({low.bind(warps.active_mask)}(ctx, m), {low.bind(low.dtype(held))})"


def _lanemask(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return f"((np.int64(1) << ctx.geometry.lane_id.astype(np.int64)) - np.int64(1)).astype({low.bind(low.dtype(held))})"


def _nanosleep(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> None:
    low.write("pass")


# ---- atomics --------------------------------------------------------------------------------------------------------


def _atomic(operation: str) -> Writer:
    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str | None:
        from gpulab.engines.simt.lower import tuple_of
        from gpulab.engines.simt.statements import index_items

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


# ---- scalars --------------------------------------------------------------------------------------------------------


def _converted(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    text = low.static(value.args[0])
    if isinstance(text, str):  # float("inf")
        return low.constant(float(text), held)
    if isinstance(plain(held), types.Boolean) and not isinstance(plain(low.type_of(value.args[0])), types.Boolean):
        return f"({low.value(value.args[0])} != 0)"
    return low.value(value.args[0], held)


def _complex(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    if len(value.args) < 2:
        return _converted(low, target, value, held, signature)
    part = types.float32 if held is types.complex64 else types.float64
    real, imaginary = (low.value(argument, part) for argument in value.args)
    return f"{low.bind(operators.complex_of)}({real}, {imaginary})"


def _range(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    kind = held.dtype
    zero, one = low.constant(0, kind), low.constant(1, kind)
    arguments = [low.value(argument, kind) for argument in value.args]
    start, stop, step = {1: (zero, *arguments, one), 2: (*arguments, one), 3: arguments}[len(arguments)]
    return f"RangeState({start}, {stop}, {step})"


def _extreme(of_two: Any, of_floats: Any) -> Writer:
    """`min` or `max`. Of exactly two floats the GPU's own, which ignores NaN; else Python's rule, one after another."""

    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
        arguments = value.args
        if len(arguments) == 1 and isinstance(plain(low.type_of(arguments[0])), types.BaseTuple):
            kinds = [plain(kind) for kind in low.type_of(arguments[0])]
            texts = [f"{low.name(arguments[0].name)}[{i}]" for i in range(len(kinds))]
        else:
            kinds = [plain(low.type_of(argument)) for argument in arguments]
            texts = [low.value(argument) for argument in arguments]
        floats = len(arguments) == 2 and all(isinstance(kind, types.Float) for kind in kinds)
        function = low.bind(of_floats if floats else of_two)
        text, kind = texts[0], kinds[0]
        for other, other_kind in zip(texts[1:], kinds[1:], strict=True):
            both = unified(kind, other_kind)
            text = f"{function}({low.cast(text, kind, both)}, {low.cast(other, other_kind, both)})"
            kind = both
        return low.cast(text, kind, held)

    return write


def _len(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    owner, known = plain(low.type_of(value.args[0])), low.static(value.args[0])
    if isinstance(owner, types.BaseTuple) or isinstance(known, (str, bytes)):
        return low.bind_scalar(len(owner if known is None else known), np.dtype(np.int64))
    if isinstance(owner, types.RangeType):
        return f"{low.bind(range_length)}({low.name(value.args[0].name)})"
    if not isinstance(owner, types.Array):
        raise Unsupported(f"len() of a value of type {owner}", low.line)
    return f"{low.name(value.args[0].name)}.shape[0]"


def _iter(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    from gpulab.engines.simt.statements import iterator

    return iterator(low, value.args[0])


def _zip(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    from gpulab.engines.simt.statements import iterator

    parts = ", ".join(iterator(low, argument) for argument in value.args)
    return f"{low.bind(Zipped)}(({parts},))" if parts else f"{low.bind(Zipped)}((over(()),))"


def _enumerate(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    from gpulab.engines.simt.statements import iterator

    given = [*value.args[1:], *dict(value.kws).values()]
    count = low.value(given[0], types.int64) if given else low.bind_scalar(0, np.dtype(np.int64))
    return f"{low.bind(Enumerated)}({count}, {iterator(low, value.args[0])})"


def _sum(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    """`sum` of a tuple or an array, each step in the type of the result."""
    owner = plain(low.type_of(value.args[0]))
    given = [*value.args[1:], *dict(value.kws).values()]
    start = low.value(given[0], held) if given else low.constant(0, held)
    if isinstance(owner, types.Array):
        return f"{low.bind(total)}(ctx, {low.name(value.args[0].name)}, {start}, m, {low.line})"
    if not isinstance(owner, types.BaseTuple):
        raise Unsupported(f"sum() of a value of type {owner}", low.line)
    text, add = start, low.bind(operators.BINARY[operator.add])
    for position, kind in enumerate(owner):
        item = low.cast(f"{low.name(value.args[0].name)}[{position}]", kind, held)
        text = f"{add}({text}, {item})"
        low.work.add(low.line, arithmetic.of_operator(operator.add, low.dtype(held)))
    return text


def _array_sum(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    if len(value.args) != 1 or value.kws:
        raise Unsupported("np.sum() with an axis or a type", low.line)
    return f"{low.bind(total)}(ctx, {low.name(value.args[0].name)}, {low.constant(0, held)}, m, {low.line})"


def _tuple(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    if not value.args:
        return "()"
    if not isinstance(plain(low.type_of(value.args[0])), types.BaseTuple):
        raise Unsupported("tuple() of anything but a tuple", low.line)
    return low.name(value.args[0].name)


def _abs(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return f"np.abs({low.value(value.args[0], held)})"


def _round(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    number = low.value(value.args[0], signature.args[0])
    if len(value.args) > 1:
        digits = low.value(value.args[1], signature.args[1])
        return low.cast(f"{low.bind(mathematics.round_to)}({number}, {digits})", signature.args[0], held)
    return low.cast(f"np.rint({low.cast(number, signature.args[0], types.float64)})", types.float64, held)


def _pow(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    return low.cast(low.binary(operator.pow, signature, *value.args[:2]), signature.return_type, held)


def _divmod(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    kind = held[0]
    for function in (operator.floordiv, operator.mod):
        low.work.add(low.line, arithmetic.of_operator(function, low.dtype(kind)))
    left, right = low.value(value.args[0], kind), low.value(value.args[1], kind)
    return f"({low.bind(operators.floor_divide)}({left}, {right}), {low.bind(operators.remainder)}({left}, {right}))"


def _slice(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    items = ["None" if isinstance(plain(low.type_of(a)), types.NoneType) else low.value(a) for a in value.args]
    return f"slice({', '.join(items)})"


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


def _isinstance(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    raise Unsupported("isinstance() in a kernel", low.line)


_CALLS: dict[Any, Writer] = {
    cuda.grid: _grid,
    cuda.cg.this_grid: _this_grid,
    cuda.gridsize: _grid_size,
    cuda.shared.array: _array_call("shared"),
    cuda.local.array: _array_call("local"),
    cuda.const.array_like: _const_array,
    cuda.syncthreads: _sync_threads,
    cuda.syncthreads_count: _sync_vote("count"),
    cuda.syncthreads_and: _sync_vote("and"),
    cuda.syncthreads_or: _sync_vote("or"),
    cuda.syncwarp: _warp_collective("syncwarp", None),
    cuda.shfl_sync: _warp_collective("idx", np.dtype(np.int32)),
    cuda.shfl_up_sync: _warp_collective("up", np.dtype(np.int32)),
    cuda.shfl_down_sync: _warp_collective("down", np.dtype(np.int32)),
    cuda.shfl_xor_sync: _warp_collective("xor", np.dtype(np.int32)),
    cuda.all_sync: _warp_collective("all", np.dtype(np.bool_)),
    cuda.any_sync: _warp_collective("any", np.dtype(np.bool_)),
    cuda.eq_sync: _warp_collective("eq", np.dtype(np.bool_)),
    cuda.ballot_sync: _warp_collective("ballot", np.dtype(np.int32)),
    cuda.match_any_sync: _warp_collective("match_any", np.dtype(np.int32)),
    cuda.match_all_sync: _warp_collective("match_all", None, pair=True),
    cuda.threadfence: _fence,
    cuda.threadfence_system: _fence,
    cuda.threadfence_block: _fence_block,
    cuda.activemask: _active_mask,
    cuda.lanemask_lt: _lanemask,
    cuda.nanosleep: _nanosleep,
    cuda.popc: _bits(operators.popc),
    cuda.clz: _bits(operators.clz),
    cuda.ffs: _bits(operators.ffs),
    cuda.brev: _bits(operators.brev),
    cuda.cbrt: _bits(np.cbrt),
    cuda.fma: _fma,
    cuda.selp: _selp,
    builtins.range: _range,
    builtins.slice: _slice,
    builtins.bool: _converted,
    builtins.int: _converted,
    builtins.float: _converted,
    builtins.complex: _complex,
    builtins.min: _extreme(operators.lesser, operators.lesser_float),
    builtins.max: _extreme(operators.greater, operators.greater_float),
    builtins.len: _len,
    builtins.abs: _abs,
    builtins.round: _round,
    builtins.pow: _pow,
    builtins.divmod: _divmod,
    builtins.isinstance: _isinstance,
    builtins.iter: _iter,
    builtins.zip: _zip,
    builtins.enumerate: _enumerate,
    builtins.sum: _sum,
    builtins.tuple: _tuple,
    np.sum: _array_sum,
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
