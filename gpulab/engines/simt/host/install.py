"""Put the simulator under `numba.cuda`, and take it away again exactly.

Everything that leans on numba-cuda's internals for *host code* is named in this file: the attributes replaced are
those in `_replacements`. It is written against numba-cuda 0.30; a name that another release lacks is said at once.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NoReturn
from weakref import WeakSet

from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.host import library
from gpulab.engines.simt.host.captures import captured
from gpulab.engines.simt.host.device import CoreDevice, CoreStream
from gpulab.engines.simt.host.driver import SimulatedDriver
from gpulab.engines.simt.host.kernel import SimulatedKernel
from gpulab.engines.simt.host.memory import DeviceMemory, IllegalAddress
from gpulab.engines.simt.host.refusals import kept_in
from gpulab.engines.simt.host.session import Options, Session, Stopped
from gpulab.trace import Counting, Element

DEVICE_BYTES = 2 << 30
"""Memory of the simulated device, unless said otherwise: learners' arrays are small, and it is the host's own."""

_installed: list[Installation] = []


class CannotInstall(RuntimeError):
    """This `numba.cuda` is not one the simulator can stand under."""


class Installation:
    """The simulator under `numba.cuda`. `session` is the innermost one; outside any, a record that `install` began."""

    def __init__(self, options: Options, device_bytes: int) -> None:
        self.memory = DeviceMemory(device_bytes)
        self.driver = SimulatedDriver(self.memory, self._moved, lambda kind, message: self.session.note(kind, message))
        self.lock = threading.RLock()
        self.sessions = [Session(options, self.memory)]
        self.dispatchers: WeakSet[Any] = WeakSet()
        self._undo: list[Callable[[], None]] = []

    @property
    def session(self) -> Session:
        return self.sessions[-1]

    def uninstall(self) -> None:
        """Give `numba.cuda` back as it was."""
        if self in _installed:
            _installed.remove(self)
        for dispatcher in list(self.dispatchers):
            _forget_simulated(dispatcher)
        while self._undo:
            self._undo.pop()()
        _clear_caches()

    def move_here(self) -> None:
        """Be this process's own, though its parent installed it: nothing has used CUDA since."""
        from numba.cuda.cudadrv import driver

        self.driver.move_here()
        vars(driver.driver)["pid"] = os.getpid()

    def replace(self, owner: Any, name: str, value: Any) -> None:
        """Set an attribute until `uninstall`."""
        if name not in vars(owner):
            raise CannotInstall(f"this numba-cuda has no {getattr(owner, '__name__', owner)}.{name}: gpulab's "
                                "simulator was written for numba-cuda 0.30")
        before = vars(owner)[name]
        self._undo.append(lambda: setattr(owner, name, before))
        setattr(owner, name, value)

    def replace_contents(self, names: dict[str, Any], contents: dict[str, Any]) -> None:
        """Replace what a dictionary holds until `uninstall`."""
        before = dict(names)

        def put_back() -> None:
            names.clear()
            names.update(before)

        self._undo.append(put_back)
        names.clear()
        names.update(contents)

    def _moved(self, kind: str, address: int, start: int, stop: int) -> None:
        try:
            allocation = self.memory.find(address)[0]
        except IllegalAddress:
            return
        unknown = allocation.uninitialised
        count = int(unknown[start:stop].sum()) if unknown is not None and kind == "to host" else 0
        crosses = kind in ("to device", "to host")
        self.session.record(kind, stop - start, count, allocation.data[start:stop] if crosses else None)


def current() -> Installation:
    """The installation in this process. Raises `RuntimeError` where there is none."""
    if not _installed:
        raise RuntimeError("this kernel was made for gpulab's simulator, which is no longer installed")
    return _installed[-1]


def is_installed() -> bool:
    """Whether the simulator stands in for `numba.cuda` in this process."""
    return bool(_installed)


def install(*, device_bytes: int = DEVICE_BYTES, **options: Any) -> Installation:
    """Simulate `numba.cuda` in this process from now on, or until `uninstall()`; `options` as in `session`.

    Call it before a learner's file is imported: then eager signatures are typed, not compiled for a GPU.
    Raises `CannotInstall` where `numba.cuda` is not numba-cuda, or is Numba's own simulator.
    """
    if _installed:
        return _installed[-1]
    _check_numba_cuda()
    installation = Installation(Options(**options), device_bytes)
    _installed.append(installation)
    try:
        _replacements(installation)
        _clear_caches()
    except BaseException:
        installation.uninstall()
        raise
    return installation


@contextmanager
def session(*, findings: bool = True, counters: Counting = True, values: bool | Collection[Element] = False,
            order: int | None = None,
            time_limit: float | None = None, picture: bool = False,
            device_bytes: int = DEVICE_BYTES) -> Iterator[Session]:
    """Record what a host program does in this block; see `Session`. Options as in `gpulab.simulate`.

    Installs the simulator for the block if it is not installed yet. A kernel that does not end leaves the block early,
    with `stopped` set.
    """
    mine = not _installed
    installation = install(device_bytes=device_bytes)
    record = Session(Options(findings, counters, values, order, time_limit, picture), installation.memory)
    installation.sessions.append(record)
    try:
        yield record
    except Stopped:
        pass
    finally:
        record.look_for_tampering()
        installation.sessions.remove(record)
        if mine:
            installation.uninstall()


def _check_numba_cuda() -> None:
    from numba import cuda
    from numba.cuda.core import config

    if getattr(cuda, "implementation", None) != "NVIDIA":
        raise CannotInstall(f"numba.cuda is {cuda.__file__}, not numba-cuda's: pip install numba-cuda")
    if config.ENABLE_CUDASIM:
        raise CannotInstall("NUMBA_ENABLE_CUDASIM is set, which replaces numba.cuda by Numba's simulator: unset it")


def _replacements(installation: Installation) -> None:
    """Every attribute of numba-cuda that is replaced."""
    from numba import cuda
    from numba.cuda import dispatcher
    from numba.cuda.core import config
    from numba.cuda.cudadrv import devicearray, devices, driver, runtime
    from numba.cuda.kernels import transpose

    replace, simulated = installation.replace, installation.driver
    _replace_driver(installation, driver)
    replace(driver._ActiveContext, "_tls_cache", threading.local())
    replace(driver, "ExperimentalDevice", partial(CoreDevice, primary_context=simulated.primary_context))
    replace(driver, "_to_core_stream", partial(_core_stream, driver))
    replace(driver, "_memory_manager", driver.NumbaCUDAMemoryManager)
    replace(driver, "load_module_image", _machine_code)
    replace(devices._runtime, "_tls", threading.local())
    replace(runtime.Runtime, "get_version", lambda self: (13, 0))
    replace(devicearray, "_assign_kernel", lambda ndim: library.AssignKernel(installation))
    replace(transpose, "transpose", partial(library.transpose, installation))
    replace(cuda, "is_available", lambda: True)
    replace(config, "CUDA_LOW_OCCUPANCY_WARNINGS", 0)
    replace(config, "CUDA_WARN_ON_IMPLICIT_COPY", 0)
    _replace_compiling(installation, dispatcher)


def _replace_driver(installation: Installation, driver: Any) -> None:
    """The calls of the driver API, and the finalizers that would call them after the simulator is gone."""
    simulated = installation.driver
    installation.replace_contents(vars(driver.driver), {
        "devices": {}, "is_initialized": True, "initialization_error": None, "pid": os.getpid(),
        "_cuda_python_wrap_fn": simulated.unknown, **simulated.calls(),
    })
    if "_logger" not in vars(driver):
        driver._logger = driver.make_logger()
    for name, call in (("_alloc_finalizer", "cuMemFree"), ("_hostalloc_finalizer", "cuMemFreeHost")):
        installation.replace(driver, name, partial(_freed_later, getattr(simulated, call)))
    for name, call in (("_event_finalizer", "cuEventDestroy"), ("_stream_finalizer", "cuStreamDestroy")):
        installation.replace(driver, name, partial(_destroyed_later, getattr(simulated, call)))
    installation.replace(driver, "_pin_finalizer", partial(_unpinned_now, simulated.cuMemHostUnregister))


def _freed_later(free: Callable[[Any], None], manager: Any, pointer: Any, key: Any, size: int, mapped: bool = True,
                 ) -> Callable[[], None]:
    """numba-cuda's finalizers ask the module for its driver when they run: these keep the simulated one."""

    def core() -> None:
        manager.allocations.pop(key, None)
        manager.deallocations.add_item(free, pointer, size)

    return core


def _destroyed_later(destroy: Callable[[Any], None], deallocations: Any, handle: Any) -> Callable[[], None]:
    return lambda: deallocations.add_item(destroy, int(handle))


def _unpinned_now(unregister: Callable[[int], None], manager: Any, pointer: int, key: Any, mapped: bool,
                  ) -> Callable[[], None]:
    def core() -> None:
        manager.allocations.pop(key, None)
        unregister(pointer)

    return core


def _core_stream(driver: Any, stream: Any) -> CoreStream:
    """The driver's `_to_core_stream`, which says what a launch takes as its stream."""
    if not stream:
        return CoreStream(0)
    if isinstance(stream, driver.Stream):
        return CoreStream(int(stream.handle or 0))
    if isinstance(stream, CoreStream):
        return stream
    raise TypeError("Expected a Stream object, ExperimentalStream, GraphBuilder, or 0, "
                    f"got {type(stream).__name__}")


def _replace_compiling(installation: Installation, dispatcher: Any) -> None:
    """Kernels and device functions are typed; nothing is lowered, cached on disk or loaded."""
    kind = dispatcher.CUDADispatcher
    stock, stock_add_overload = kind.compile, kind.add_overload

    def compile(self: Any, sig: Any) -> Any:
        with kept_in(installation.session):
            kernel = stock(self, sig)
        installation.dispatchers.add(self)
        for taken in captured(self.py_func):
            installation.session.record("captured", taken.size, crossing=taken)
        return kernel

    def add_overload(self: Any, kernel: Any, argtypes: Any) -> None:
        kernel.dispatcher = self  # before any other thread can launch it
        stock_add_overload(self, kernel, argtypes)

    def compile_device(self: Any, args: Any, return_type: Any = None) -> Any:
        installation.dispatchers.add(self)
        with kept_in(installation.session):
            return _typed_device_function(self, tuple(args), return_type)

    installation.replace(dispatcher._Kernel, "launch", _compiled_for_a_gpu)
    installation.replace(dispatcher, "_Kernel", SimulatedKernel)
    installation.replace(kind, "compile", compile)
    installation.replace(kind, "add_overload", add_overload)
    installation.replace(kind, "compile_device", compile_device)
    installation.replace(kind, "enable_caching", lambda self: None)


def _machine_code(*args: Any, **options: Any) -> NoReturn:
    """Stands in for loading PTX or a cubin, where cuda-core would wait for a driver for ever."""
    raise Unsupported("loading machine code into a context")


def _compiled_for_a_gpu(self: Any, *args: Any, **options: Any) -> NoReturn:
    """Stands in for `_Kernel.launch` of kernels from before the simulator came."""
    raise RuntimeError("this kernel was compiled for a GPU before the simulator was installed: use a fresh process")


class TypedDeviceFunction:
    """What a dispatcher keeps for an eager signature of a device function."""

    objectmode = False
    entry_point = None

    def __init__(self, signature: Any) -> None:
        self.signature = signature


def _typed_device_function(dispatcher: Any, args: tuple[Any, ...], return_type: Any) -> TypedDeviceFunction:
    from numba.cuda import typing

    from gpulab.engines.simt.frontend import infer

    if args not in dispatcher.overloads:
        returns = infer(dispatcher.py_func, args).returns
        signature = typing.signature(return_type or returns, *args)
        dispatcher.overloads[args] = TypedDeviceFunction(signature)
        dispatcher._gpulab_signatures = (*getattr(dispatcher, "_gpulab_signatures", ()), signature)
    function: TypedDeviceFunction = dispatcher.overloads[args]
    return function


def _forget_simulated(dispatcher: Any) -> None:
    """Let a dispatcher that was used in the simulator compile for a GPU."""
    dispatcher._reset_overloads()
    dispatcher._can_compile = True
    dispatcher._specialized = False
    dispatcher.specializations.clear()
    vars(dispatcher).pop("_gpulab_signatures", None)


def _clear_caches() -> None:
    """Caches of numba-cuda that hold devices and configured launches."""
    from numba.cuda.cudadrv import devices
    from numba.cuda.dispatcher import CUDADispatcher

    type(devices.gpus).lst.fget.cache_clear()
    CUDADispatcher.configure.cache_clear()
