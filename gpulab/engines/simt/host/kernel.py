"""A kernel compiled for one set of argument types, in place of numba-cuda's `_Kernel`: typed, never lowered."""

from __future__ import annotations

import inspect
from math import prod
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.host.device import ATTRIBUTES, MAX_DYNAMIC_SHARED_BYTES

if TYPE_CHECKING:
    from gpulab.engines.simt.frontend import TypedFunction

WARPS_PER_MULTIPROCESSOR = 64

Extents = tuple[int, int, int]


class SimulatedKernel:
    """What a dispatcher keeps for one signature. `dispatcher` is set when it is added there.

    Raises `DoesNotCompile` where Numba refuses the kernel for these types, and `TypeError` when their number is wrong.
    """

    objectmode = False
    entry_point = None
    launch_config_sensitive = False
    lifted = ()

    def __init__(self, py_func: Any, argtypes: tuple[Any, ...], *, device: bool = False, extensions: Any = None,
                 launch_bounds: Any = None, **options: Any) -> None:
        if device:
            raise RuntimeError("Cannot compile a device function as a kernel")
        from numba.cuda import types, typing

        from gpulab.engines.simt.frontend import infer

        self.parameters = tuple(inspect.signature(py_func).parameters)
        self.check_argument_count(len(argtypes))
        function = infer(py_func, argtypes)
        _check_returns_nothing(function)
        self.py_func = py_func
        self.argtypes = argtypes
        self.argument_types = argtypes
        self.signature = typing.signature(types.void, *argtypes)
        self.extensions = extensions or []
        self.max_threads = _largest_block(launch_bounds) or ATTRIBUTES["MAX_THREADS_PER_BLOCK"]
        self.cooperative = "this_grid" in py_func.__code__.co_names
        """Whether the kernel speaks of its whole grid (Numba launches it so that all blocks run at once)."""
        self.dispatcher: Any = None
        self._type_annotation = SimpleNamespace(typemap=function.types)
        self._codelibrary = SimpleNamespace(get_cufunc=self._function)

    def bind(self) -> None:
        """Nothing to load: there is no machine code."""

    def launch(self, args: tuple[Any, ...], griddim: Extents, blockdim: Extents, stream: Any = 0, sharedmem: int = 0,
               ) -> None:
        """Run in the simulator and record the run in the current session."""
        from gpulab.engines.simt.host.launch import launch

        launch(self, args, griddim, blockdim, stream, sharedmem)

    def check_argument_count(self, given: int) -> None:
        """Raise the error numba-cuda raises for a wrong number of arguments."""
        if given != (wanted := len(self.parameters)):
            raise TypeError(f"Signature mismatch: {given} argument types given, but function takes {wanted} arguments")

    def max_cooperative_grid_blocks(self, blockdim: int | tuple[int, ...], dynsmemsize: int = 0) -> int:
        """How many blocks an H200 can hold at once, as far as threads and blocks limit it (not registers)."""
        threads = blockdim if isinstance(blockdim, int) else prod(blockdim)
        warps = max(1, -(-threads // ATTRIBUTES["WARP_SIZE"]))
        resident = min(ATTRIBUTES["MAX_BLOCKS_PER_MULTIPROCESSOR"], WARPS_PER_MULTIPROCESSOR // warps)
        return resident * ATTRIBUTES["MULTIPROCESSOR_COUNT"]

    def _function(self) -> Any:
        """The driver's function, as far as `forall` asks for it."""
        return SimpleNamespace(kernel=SimpleNamespace(attributes=_KernelAttributes(self.max_threads)))

    def __getattr__(self, name: str) -> Any:
        if name in _NEEDS_MACHINE_CODE:
            raise Unsupported(f"kernel.{name}, which looks at machine code")
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


_NEEDS_MACHINE_CODE = (
    "regs_per_thread", "const_mem_size", "shared_mem_per_block", "max_threads_per_block", "local_mem_per_thread",
    "inspect_llvm", "inspect_asm", "inspect_lto_ptx", "inspect_sass", "inspect_sass_cfg", "inspect_types", "library",
    "type_annotation", "metadata",
)


class _CallableInt(int):
    """cuda-core 1.0 made a method of this attribute a property: this is both."""

    def __call__(self) -> int:
        return int(self)


class _KernelAttributes:
    def __init__(self, max_threads: int) -> None:
        self.max_threads_per_block = _CallableInt(max_threads)


def _check_returns_nothing(function: TypedFunction) -> None:
    """Numba types a kernel as returning nothing; as a device function the same code may return a value."""
    from numba.cuda import types
    from numba.cuda.core import ir
    from numba.cuda.core.errors import TypingError

    if function.returns in (types.none, types.void):
        return
    ends = [block.terminator for block in function.ir.blocks.values()]
    lines = [end.loc.line for end in ends if isinstance(end, ir.Return)]
    message = (f"No conversion from {function.returns} to none: a kernel returns nothing, it stores its results in "
               "arrays")
    raise DoesNotCompile(message, lines[-1]) from TypingError(message)


def check_argument_types(kernel: SimulatedKernel, args: tuple[Any, ...]) -> None:
    """Refuse arrays of another element type, rank or layout than the kernel was compiled for.

    A kernel with one explicit signature is launched on a GPU without any check, and reads the bytes as if they were of
    the declared type: garbage, or a crash of the process (seen on an H200). Signed for unsigned is let pass, as there.
    """
    from numba.cuda import types

    from gpulab.engines.simt.frontend import type_of

    for name, declared, value in zip(kernel.parameters, kernel.argument_types, args, strict=True):
        if isinstance(declared, types.Array) and (wrong := _misfit(declared, type_of(value))):
            raise TypeError(f"`{name}` of {kernel.py_func.__name__} is declared as {spelled(declared)}, and {wrong}")


def _misfit(declared: Any, given: Any) -> str:
    """What is wrong with an argument for an array parameter, or nothing."""
    from numba.cuda import types

    if not isinstance(given, types.Array):
        return f"gets {given}"
    if given.ndim != declared.ndim or not same_bits(given.dtype, declared.dtype):
        return f"gets {spelled(given)}: a GPU would not notice, and take its bytes for something they are not"
    if declared.mutable and not given.mutable:
        return "gets a read-only array"
    if declared.layout not in ("A", given.layout):
        return f"gets {spelled(given)}: a GPU would not notice, and read the wrong elements"
    return ""


def same_bits(one: Any, other: Any) -> bool:
    """Whether two element types are the same, or integers of one width."""
    from numba.cuda import types

    both_integers = isinstance(one, types.Integer) and isinstance(other, types.Integer)
    return bool(one == other or (both_integers and one.bitwidth == other.bitwidth))


def spelled(kind: Any) -> str:
    """An array type as a signature spells it: float32[:, ::1]."""
    axes = [":"] * kind.ndim
    if kind.ndim and kind.layout in "CF":
        axes[-1 if kind.layout == "C" else 0] = "::1"
    return f"{kind.dtype}[{', '.join(axes)}]"


def check_configuration(kernel: SimulatedKernel, griddim: Extents, blockdim: Extents, shared_bytes: int) -> None:
    """Raise what a launch of this shape raises on an H200, and say which limit it passes.

    Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
    """
    for what, extents in (("grid", griddim), ("block", blockdim)):
        if min(extents) < 1:
            raise ValueError(f"LaunchConfig.{what} values must be >= 1 (got {tuple(extents)})")
        if max(extents) >= 2**32:
            raise OverflowError("value too large to convert to unsigned int")
    if prod(blockdim) > kernel.max_threads:
        _invalid_value(f"a block has at most {kernel.max_threads} threads, this launch asks for {_product(blockdim)}")
    _check_limits(griddim, blockdim, shared_bytes)
    if kernel.cooperative and prod(griddim) > (most := kernel.max_cooperative_grid_blocks(blockdim)):
        x, y, z = griddim
        raise ValueError(f"The specified grid size ({x} * {y} * {z}) exceeds the limit ({most}) (where a grid waits "
                         "for all of its blocks, all must be on the GPU at once)")


def _check_limits(griddim: Extents, blockdim: Extents, shared_bytes: int) -> None:
    for what, extents, kind in (("grid", griddim, "GRID"), ("block", blockdim, "BLOCK")):
        for axis, extent in zip("XYZ", extents, strict=True):
            if extent > (limit := ATTRIBUTES[f"MAX_{kind}_DIM_{axis}"]):
                _invalid_value(f"a {what} has at most {limit} in {axis.lower()}, this launch asks for {extent}")
    if not 0 <= shared_bytes <= MAX_DYNAMIC_SHARED_BYTES:
        _invalid_value(f"dynamic shared memory is 0 to {MAX_DYNAMIC_SHARED_BYTES} bytes, "
                       f"this launch asks for {shared_bytes}")


def _product(extents: Extents) -> str:
    used = [extent for extent in extents if extent != 1] or [1]
    return " x ".join(map(str, used)) + (f" = {prod(extents)}" if len(used) > 1 else "")


def _invalid_value(why: str) -> NoReturn:
    from cuda.core._utils.cuda_utils import CUDAError

    raise CUDAError("CUDA_ERROR_INVALID_VALUE: This indicates that one or more of the parameters passed to the API "
                    f"call is not within an acceptable range of values. ({why})")


def _largest_block(bounds: Any) -> int | None:
    """The largest block of `launch_bounds=`, an int or a tuple that begins with it."""
    if not isinstance(bounds, tuple):
        largest: int | None = bounds
        return largest
    if len(bounds) > 3:
        raise ValueError(f"Got {len(bounds)} launch bounds: {bounds}. A maximum of three are supported: "
                         "(max_threads_per_block, min_blocks_per_sm, max_blocks_per_cluster)")
    return int(bounds[0])
