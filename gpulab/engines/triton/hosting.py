"""A host program's launches of Triton kernels, on tensors of torch that lie in ordinary memory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpulab.catalog.bfloat16 import is_bfloat16
from gpulab.engines.simt.host.session import LAUNCH_EVENT, LaunchSite
from gpulab.engines.simt.host.session import Stopped as HostStopped
from gpulab.engines.triton.compiling import compile_front
from gpulab.engines.triton.internals import take_launches
from gpulab.engines.triton.launching import launch
from gpulab.trace import Counting, Element, Run

ALLOWED = frozenset((
    "__contains__", "__get__", "__getitem__", "__len__", "__repr__", "arange", "as_strided", "clone", "contiguous",
    "data_ptr", "detach", "dim", "element_size", "empty", "empty_like", "empty_strided", "expand", "fill_", "flatten",
    "full", "full_like", "is_contiguous", "is_floating_point", "movedim", "narrow", "ndimension", "nelement",
    "new_empty", "new_full", "new_ones", "new_zeros", "numel", "ones", "ones_like", "permute", "ravel", "reshape",
    "select", "size", "split", "squeeze", "storage_offset", "stride", "swapaxes", "t", "transpose", "unbind",
    "unflatten", "unsqueeze", "untyped_storage", "view", "view_as", "zero_", "zeros", "zeros_like",
))
"""What a host program may ask of torch: memory, shapes and views. What computes is for kernels."""


class NotByTorch(PermissionError):
    """torch was to do what a kernel should."""


@dataclass
class Host:
    """One call of a host function. `runs[i]` was launched from `sites[i]`."""

    file: str
    findings: bool = True
    counters: Counting = True
    values: bool | Collection[Element] = False
    order: int | None = None
    time_limit: float | None = None
    names: dict[tuple[int, tuple[int, ...]], str] = field(default_factory=dict)
    """(address, shape) of each tensor that the function was given -> its name in the puzzle."""
    runs: list[Run] = field(default_factory=list)
    sites: list[LaunchSite] = field(default_factory=list)
    refused: list[Exception] = field(default_factory=list)

    def line(self) -> int | None:
        """The host function's line, or one of its file's, that runs now."""
        frame = sys._getframe(1)
        while frame is not None and frame.f_code.co_filename != self.file:
            frame = frame.f_back  # type: ignore[assignment]  # None ends the loop
        return frame.f_lineno if frame is not None else None

    def launched(self, kernel: Any, grid: Any, arguments: dict[str, Any]) -> None:
        """Run a kernel that the host function launches. Raises what refuses it, and `HostStopped` if it never ends."""
        sys.audit(LAUNCH_EVENT)
        self.sites.append(LaunchSite(kernel.fn.__name__, self.line(), self.file))
        try:
            extent = _checked(grid)
            compile_front(kernel, arguments)
            run = launch(kernel, extent, arguments, names=self._named(arguments), findings=self.findings,
                         counters=self.counters, values=self.values, order=self.order, time_limit=self.time_limit)
        except Exception as error:
            self.refused.append(error)
            raise
        self.runs.append(run)
        if any(found.kind == "timed out" for found in run.findings):
            raise HostStopped

    def _named(self, arguments: dict[str, Any]) -> dict[str, str]:
        """Parameter of the kernel -> name of the puzzle's tensor that it gets."""
        tensors = {name: value for name, value in arguments.items() if hasattr(value, "data_ptr")}
        known = {name: self.names.get((value.data_ptr(), tuple(value.shape))) for name, value in tensors.items()}
        return {name: told for name, told in known.items() if told is not None}


_now: list[Host] = []


def _launched(kernel: Any, grid: Any, arguments: dict[str, Any]) -> None:
    if not _now:
        raise RuntimeError(f"{kernel.fn.__name__} is launched while the file is imported, where nothing is checked")
    _now[-1].launched(kernel, grid, arguments)


def prepare() -> None:
    """Once in a process: launches come here from now on."""
    take_launches(_launched)


@contextmanager
def hosting(host: Host) -> Iterator[Host]:
    """Launches are this host's, and torch computes nothing."""
    from torch.overrides import TorchFunctionMode

    class Watched(TorchFunctionMode):  # type: ignore[misc]  # torch is Any
        """Refuses what is not `ALLOWED`."""

        def __torch_function__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            name = getattr(function, "__name__", str(function))
            if name not in ALLOWED and not _looks_only(function):
                refusal = NotByTorch(f"has torch do the work: {name}")
                host.refused.append(refusal)
                raise refusal
            return function(*args, **(kwargs or {}))

    _now.append(host)
    try:
        with Watched():
            yield host
    except HostStopped:
        pass
    finally:
        _now.pop()


def _looks_only(function: Any) -> bool:
    """Whether it reads an attribute of a tensor (`x.shape`), which torch passes on as a property's getter."""
    return getattr(function, "__name__", "") == "__get__"


def _checked(grid: Any) -> tuple[int, ...]:
    """The grid as ints. Raises `ValueError` for what no GPU would take."""
    extent = tuple(grid) if isinstance(grid, (tuple, list)) else (grid,)
    if not 1 <= len(extent) <= 3 or not all(isinstance(one, (int, np.integer)) for one in extent):
        raise ValueError(f"the grid must be one to three whole numbers, and it is {grid!r}")
    if min(extent) < 1:
        raise ValueError(f"the grid must have at least one program along each axis, and it is {grid!r}")
    return tuple(int(one) for one in extent)


def _tensor(array: Any) -> Any:
    """A tensor over the array's memory."""
    import torch

    if is_bfloat16(array.dtype):
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def call(function: Callable[..., object], arguments: list[Any], host: Host) -> None:
    """Call a host function with tensors in place of the arrays, which it updates. What a launch refused is raised."""
    given = [_tensor(value) if isinstance(value, np.ndarray) else value for value in arguments]
    with hosting(host):
        function(*given)
    if host.refused:  # by a launch or by us, and swallowed by the function
        raise host.refused[0]
