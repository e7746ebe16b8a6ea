"""Numba's typed IR of a kernel, without a GPU, NVVM or any lowering.

Everything that leans on Numba's internals for *compiling* is in this file and in `passes`. It runs numba-cuda's
own untyped passes and type inference, so typing, promotion and refusals are Numba's own, message included.
Importing this module imports numba; the rest of gpulab imports it when a kernel is run.
"""

from __future__ import annotations

import contextlib
import operator
import threading
import types as python_types
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from numba import cuda
from numba.cuda import types, typing, utils
from numba.cuda.compiler import compile_extra
from numba.cuda.descriptor import cuda_target
from numba.cuda.dispatcher import CUDADispatcher
from numba.cuda.flags import CUDAFlags
from numba.cuda.target import CUDATargetContext
from numba.cuda.typing.typeof import Purpose, typeof, typeof_impl

from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.passes import TypeOnly, lifetimes_when_asked_for
from gpulab.engines.simt.refusals import in_the_learners_file, refusal

_LOCK = threading.RLock()
_typing = threading.Event()
COMPUTE_CAPABILITY = (9, 0)


@dataclass(frozen=True)
class TypedFunction:
    """A function in SSA form with the type of each variable and of each operation's operands."""

    py_func: python_types.FunctionType
    ir: Any
    types: dict[str, Any]
    calls: dict[Any, Any]
    arguments: tuple[Any, ...]
    returns: Any

    @property
    def name(self) -> str:
        return self.py_func.__name__

    @property
    def file(self) -> str:
        return self.py_func.__code__.co_filename

    @property
    def line(self) -> int:
        return self.py_func.__code__.co_firstlineno


class _Flags(CUDAFlags):  # type: ignore[misc]
    """The flags every function is typed with; Numba hashes and compares them at each call, option by option."""

    def __hash__(self) -> int:
        return hash(_Flags)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags)


_TYPES_OF = {kind: typeof_impl.dispatch(kind) for kind in (np.ndarray, bool, int, float)}
"""What tells the type of the commonest arguments: a file may register others with Numba, which would be called here."""

_inferred: WeakKeyDictionary[Any, dict[tuple[Any, ...], TypedFunction]] = WeakKeyDictionary()


_typings: list[str] = []


def typings() -> int:
    """How often Numba was asked to type a function so far: extensions of Numba's run then, in Python."""
    return len(_typings)


def infer(py_func: Any, arguments: tuple[Any, ...]) -> TypedFunction:
    """Type `py_func` for these argument types.

    Raises `DoesNotCompile` with Numba's own message where Numba refuses the function.
    """
    known = _inferred.setdefault(py_func, {})
    if arguments not in known:
        with _LOCK, _type_only():
            try:
                _typings.append(py_func.__name__)
                known[arguments] = _infer(py_func, arguments)
            except Unsupported:
                raise
            except DoesNotCompile as error:  # of a function that this one calls
                raise in_the_learners_file(error, py_func.__code__) from error
            except Exception as error:
                raise refusal(error, py_func.__code__) from error
    return known[arguments]


@contextlib.contextmanager
def _type_only() -> Iterator[None]:
    """Numba as a typist: nothing is compiled or lowered. Typing a call types the callee, in the same state."""
    if _typing.is_set():
        yield
        return
    _typing.set()
    try:
        with contextlib.ExitStack() as patches:
            for patch in (_device_calls_are_typed_only, _calls_are_resolved_once, _nothing_is_lowered,
                          lifetimes_when_asked_for):
                patches.enter_context(patch())
            patches.enter_context(utils.numba_target_override())
            yield
    finally:
        _typing.clear()


def _infer(py_func: Any, arguments: tuple[Any, ...]) -> TypedFunction:
    flags = _Flags()
    flags.no_compile = True
    flags.error_model = "numpy"
    flags.compute_capability = COMPUTE_CAPABILITY
    ir, typemap, calltypes, returns = compile_extra(
        typingctx=cuda_target.typing_context,
        targetctx=cuda_target.target_context,
        func=py_func,
        args=arguments,
        return_type=None,
        flags=flags,
        locals={},
        pipeline_class=TypeOnly,
    )
    return TypedFunction(py_func, ir, dict(typemap), dict(calltypes), arguments, returns)


def _typed_call_template(self: Any, args: Any, kws: Any) -> Any:
    """Stands in for `CUDADispatcher.get_call_template`, which compiles for the card in the machine."""
    signature, args = self.fold_argument_types(args, kws)
    signatures = list(getattr(self, "_gpulab_signatures", ()))
    if self._can_compile:  # else the declared signatures are all there are, and arguments are cast to one of them
        signatures.append(typing.signature(infer(self.py_func, tuple(args)).returns, *args))
    template = typing.make_concrete_template(
        f"CallTemplate({self.py_func.__name__})", key=self.py_func.__name__, signatures=signatures
    )
    return template, signature, args, {}


def _typed_overload(self: Any, args: Any) -> Any:
    """Stands in for `CUDADispatcher.get_overload`: Numba's `@overload` functions ask for what was compiled."""
    compiled = self.overloads.get(tuple(args))
    return f"gpulab typed {self.py_func.__name__}" if compiled is None else compiled.entry_point


_OPERATORS = frozenset(
    function
    for name, function in vars(operator).items()
    if name.rstrip("_").removeprefix("i")
    in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor")
    or name in ("neg", "pos", "invert", "not_", "lt", "le", "gt", "ge", "eq", "ne")
)
"""Arithmetic, shifts, bits and comparisons, in place or not."""
_ITEMS = (operator.getitem, operator.setitem)
_PLAIN = (types.Number, types.Boolean, types.Array, types.BaseTuple, types.Literal, types.NumberClass, types.NoneType)
_resolved: dict[tuple[Any, tuple[Any, ...]], Any] = {}


@contextlib.contextmanager
def _calls_are_resolved_once() -> Iterator[None]:
    """Remember the signature of an operator or intrinsic for its operands' types.

    Half of the time of inference goes there, and what a warm process has seen the next learner's kernel will ask for.
    """
    context = cuda_target.typing_context
    stock = context.resolve_function_type

    def resolve(function: Any, args: Any, kws: Any) -> Any:
        callee = function.typing_key if isinstance(function, types.Function) else function
        known = isinstance(function, (types.Function, types.NumberClass)) or callee in _ITEMS
        if kws or not known or not all(isinstance(kind, _PLAIN) for kind in args):
            return stock(function, args, kws)
        if _takes_any_number(callee, args):
            args = tuple(types.unliteral(kind) for kind in args)
        key = (callee, tuple(args))
        if key not in _resolved:
            _resolved[key] = stock(function, args, kws)
        return _resolved[key]

    context.resolve_function_type = resolve
    try:
        yield
    finally:
        del context.resolve_function_type


def _takes_any_number(callee: Any, args: Any) -> bool:
    """Whether a literal is typed like any other number of its type: not, say, as the index of a tuple."""
    if callee in _ITEMS:
        return isinstance(args[0], types.Array)
    return callee in _OPERATORS and all(isinstance(types.unliteral(kind), (types.Number, types.Boolean))
                                        for kind in args)


@cache
def load_registries() -> None:
    """Once, for real: typing looks intrinsics up in them."""
    cuda_target.typing_context.refresh()
    cuda_target.target_context.refresh()


@contextlib.contextmanager
def _nothing_is_lowered() -> Iterator[None]:
    """Spare the target's registries of implementations, which each intrinsic's typing refreshes and never uses."""
    load_registries()
    stock = CUDATargetContext.refresh
    CUDATargetContext.refresh = lambda self: None
    try:
        yield
    finally:
        CUDATargetContext.refresh = stock


@contextlib.contextmanager
def _device_calls_are_typed_only() -> Iterator[None]:
    names = ("get_call_template", "get_overload")
    before = {name: vars(CUDADispatcher).get(name) for name in names}
    CUDADispatcher.get_call_template, CUDADispatcher.get_overload = _typed_call_template, _typed_overload
    try:
        yield
    finally:
        for name, stock in before.items():
            if stock is None:
                delattr(CUDADispatcher, name)  # inherited
            else:
                setattr(CUDADispatcher, name, stock)


def overload_of(callee: Any, arguments: tuple[Any, ...]) -> tuple[Any, tuple[Any, ...]] | None:
    """The Python function behind one of Numba's `@overload` functions and the types it takes, or None."""
    for template in getattr(callee, "templates", ()):
        if hasattr(template, "_get_impl"):
            implementation = None
            with _LOCK, _type_only(), contextlib.suppress(DoesNotCompile):  # one for the CPU, which others brought in
                implementation, folded = template(cuda_target.typing_context)._get_impl(arguments, {})
            if implementation is not None:
                return implementation.py_func, tuple(folded)
    return None


def type_of(value: Any) -> Any:
    """Numba's type of a launch argument. Raises `TypeError` for what a kernel cannot take."""
    with utils.numba_target_override():
        try:
            tell: Any = _TYPES_OF.get(type(value))
            found = tell(value, None) if tell else typeof(value, Purpose.argument)
        except ValueError as error:
            raise TypeError(f"a kernel takes arrays and numbers, not a {type(value).__name__}") from error
    if isinstance(found, (types.List, types.Set, types.DictType)):
        raise TypeError(f"a kernel takes arrays and numbers, not a {type(value).__name__}")
    return found


def operator_signature(operator: Any, operands: tuple[Any, ...]) -> Any:
    """The signature Numba resolves for an operator: the types its operands are cast to, and the result's."""
    with utils.numba_target_override():
        return cuda_target.typing_context.resolve_function_type(operator, operands, {})


def unified(one: Any, other: Any) -> Any:
    """The type Numba gives a variable that is `one` here and `other` there."""
    with utils.numba_target_override():
        return cuda_target.typing_context.unify_types(one, other)


def is_dispatcher(value: Any) -> bool:
    """Whether `value` came out of `@cuda.jit`."""
    return isinstance(value, CUDADispatcher)


def plain(type_: Any) -> Any:
    """The type without a literal's value."""
    return types.unliteral(type_)


__all__ = [
    "COMPUTE_CAPABILITY",
    "CUDADispatcher",
    "TypedFunction",
    "cuda",
    "infer",
    "is_dispatcher",
    "operator_signature",
    "overload_of",
    "plain",
    "type_of",
    "types",
    "unified",
]
