"""What a host program did: its launches, and every time it touched device memory itself."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from types import FrameType
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.host.captures import content
from gpulab.trace import Counting, Element, Note, Run

if TYPE_CHECKING:
    from gpulab.engines.simt.host.memory import Allocation, Bytes, DeviceMemory

TRANSFER_KINDS = (
    "to device",
    "to host",
    "within device",
    "fill",
    "library",
    "shared",
    "visible",
    "captured",
    "argument",
)
"""Host to device, device to host, device to device, a memset, work numba-cuda does with a kernel of its own
(`d[1:5] = x`, `d.T`); a change that the host made in managed or mapped memory, and what a kernel left there; arrays and
tuples that a kernel took over from its file when it was compiled; floats and tuples given to a launch by value."""


LAUNCH_EVENT = "gpulab.launch"
"""The audit event of every launch: whoever watches a host program may look first, and raise to refuse it."""


class Stopped(BaseException):
    """A kernel did not end, so the host program cannot go on. No `Exception`: a learner's `except` must not see it."""


@dataclass(frozen=True)
class Caller:
    """The learner's line, and the function of numba-cuda (or NumPy) that it called: `copy_to_host`, `__getitem__`."""

    file: str | None
    line: int | None
    function: str


@dataclass(frozen=True)
class Transfer:
    """One time that the host read or wrote device memory, outside any kernel.

    `for_launch` marks the copies that numba-cuda makes of NumPy arrays passed straight to a kernel: the host
    program asked for a launch, not for a copy. `uninitialised` counts the bytes read that nobody had written.
    `after_launches` is how many launches the session had seen. `new_bytes` is how much the receiving side learns:
    nothing where the same bytes went between host and device before, in either direction, or are all zero;
    one value where it is repeated throughout.
    """

    kind: str
    call: str
    bytes: int
    line: int | None
    file: str | None = None
    for_launch: bool = False
    uninitialised: int = 0
    after_launches: int = 0
    new_bytes: int = 0


@dataclass(frozen=True)
class Tampering:
    """Device memory that changed without a launch or a call of `numba.cuda`, seen before launch `before_launch`.

    `start` and `stop` bound the bytes changed within an allocation of `size` bytes.
    """

    start: int
    stop: int
    size: int
    before_launch: int


@dataclass(frozen=True)
class LaunchSite:
    """Where a launch was asked for. `library` says that the kernel is numba-cuda's own (`cuda.reduce`, a ufunc)."""

    kernel: str
    line: int | None
    file: str | None
    library: bool = False


@dataclass(frozen=True)
class Options:
    """How launches are simulated: the keywords of `gpulab.simulate`."""

    findings: bool = True
    counters: Counting = True
    values: bool | Collection[Element] = False
    order: int | None = None
    time_limit: float | None = None
    picture: bool = False


@dataclass
class Session:
    """One host program's record. `runs[i]` was launched from `sites[i]`; `refused` holds what a launch raised."""

    options: Options
    memory: DeviceMemory
    runs: list[Run] = field(default_factory=list)
    sites: list[LaunchSite] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    tampered: list[Tampering] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    refused: list[Exception] = field(default_factory=list)
    stopped: bool = False
    """Whether a kernel that does not end stopped the host program."""
    _quiet: int = 0
    _launching: bool = False
    _known: set[tuple[int, int]] = field(default_factory=set)
    """Size and checksum of what has gone between host and device."""

    def to_device(self, host: npt.NDArray[Any], *, initialised: bool = True) -> Any:
        """A `DeviceNDArray` with the contents of `host`, not counted as the learner's transfer.

        With `initialised=False` a kernel that reads it before it is written is reported.
        """
        from numba import cuda

        with self.unrecorded():
            array = cuda.to_device(host)
            if not initialised and array.size:
                allocation = self.memory.find(array.device_ctypes_pointer.value)[0]
                allocation.uninitialised = np.ones(allocation.data.size, np.bool_)
        return array

    def contents(self, device_array: Any) -> npt.NDArray[Any]:
        """What a device array holds, not counted as the learner's transfer."""
        with self.unrecorded():
            host: npt.NDArray[Any] = device_array.copy_to_host()
        return host

    @contextmanager
    def unrecorded(self) -> Iterator[None]:
        """Transfers in this block are the judge's, not the learner's."""
        self._quiet += 1
        try:
            yield
        finally:
            self._quiet -= 1

    @contextmanager
    def launching(self) -> Iterator[None]:
        """Transfers in this block are part of a launch."""
        before, self._launching = self._launching, True
        try:
            yield
        finally:
            self._launching = before

    def record(self, kind: str, size: int, uninitialised: int = 0, crossing: Bytes | None = None) -> None:
        """Note a transfer of `size` bytes by whoever is on the stack; `crossing` go between host and device."""
        if self._quiet:
            return
        caller = find_caller()
        self.transfers.append(Transfer(kind, caller.function, size, caller.line, caller.file, self._launching,
                                       uninitialised, len(self.runs), self._learned(crossing)))

    def note(self, kind: str, message: str) -> None:
        """Say something, once, of the learner's line that is on the stack."""
        line = find_caller().line
        said = Note(kind, message, line or 0)
        if line is not None and not self._quiet and said not in self.notes:
            self.notes.append(said)

    def know(self, values: Iterable[Any]) -> None:
        """Arrays and tuples among these were there before the host program began: nothing of this run is in them."""
        for value in values:
            if isinstance(value, (np.ndarray, tuple)):
                self._learned(content(value))

    def _learned(self, crossing: Bytes | None) -> int:
        """How many of these bytes say something new to the side that gets them; from now on both sides know them."""
        if crossing is None or not crossing.size:
            return 0
        mark = (crossing.size, crc32(np.ascontiguousarray(crossing).data))
        if mark in self._known:
            return 0
        self._known.add(mark)
        return _information(crossing)

    def look_for_tampering(self) -> None:
        """Compare device memory with what the last launch or call left there."""
        for allocation in self.memory:
            for start, stop in allocation.changes():
                self._changed(allocation, start, stop)
                allocation.seal(start, stop)

    def _changed(self, allocation: Allocation, start: int, stop: int) -> None:
        if allocation.kind == "device":
            self.tampered.append(Tampering(start, stop, allocation.data.size, len(self.runs)))
        elif not self._quiet:
            reaches_device = allocation.kind != "pinned"
            self.transfers.append(Transfer(
                "shared", allocation.kind, stop - start, None, after_launches=len(self.runs),
                new_bytes=self._learned(allocation.data[start:stop]) if reaches_device else 0))


def _information(crossing: Bytes) -> int:
    """How many bytes; of one value repeated throughout only its own, and none of zeros."""
    for width in (1, 2, 4, 8):
        if crossing.size % width == 0:
            values = crossing.reshape(-1, width)
            if (values == values[0]).all():
                return width if values[0].any() else 0
    return crossing.size


def find_caller() -> Caller:
    """The nearest line on the stack that is no library's, and the library function that it called.

    Libraries are numba, NumPy, this package, the standard library and whatever else is installed.
    """
    frame: FrameType | None = sys._getframe(1)
    function = ""
    while frame is not None:
        if not is_library(frame.f_code.co_filename):
            return Caller(frame.f_code.co_filename, frame.f_lineno, function)
        if not _is_ours(frame.f_code.co_filename) and frame.f_code.co_name not in _WRAPPERS:
            function = frame.f_code.co_name
        frame = frame.f_back
    return Caller(None, None, function)


@cache
def is_library(file: str) -> bool:
    """Whether a source file is installed code, not the learner's. Files that never were on disk are the learner's.

    Puzzles and references lie inside the installed package, and count as the learner's.
    """
    return file.startswith((*_library_folders(), "<frozen", "<__array_function__")) and not file.startswith(_CONTENT)


def _is_ours(file: str) -> bool:
    return file.startswith(_OURS)


_OURS = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))) + os.sep
"""The folder of the package `gpulab`."""

_WRAPPERS = ("_require_cuda_context", "__enter__", "__exit__", "inner")
"""Functions of numba-cuda and contextlib that only stand around the one that was called."""

_CONTENT = os.path.join(_OURS, "content", "")


@cache
def _library_folders() -> tuple[str, ...]:
    paths = sysconfig.get_paths()
    folders = {paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    packages = (_package_folder(name) for name in ("numba", "numba_cuda", "numpy"))
    return (_OURS, *(folder + os.sep for folder in folders), *packages)


def _package_folder(name: str) -> str:
    """Where an imported package lies: a parent environment's is not under this one's site-packages."""
    file = getattr(sys.modules.get(name), "__file__", None) or name
    return os.path.dirname(os.path.abspath(file)) + os.sep
