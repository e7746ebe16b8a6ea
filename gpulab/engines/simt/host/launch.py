"""One launch of a host program: copy arguments in, run the simulator, record what it did, copy back."""

from __future__ import annotations

import sys
from dataclasses import asdict
from sys import audit
from typing import TYPE_CHECKING, Any

import numpy as np

from gpulab.engines.simt.host.arguments import Arguments
from gpulab.engines.simt.host.captures import numbers
from gpulab.engines.simt.host.kernel import (
    Extents,
    check_argument_types,
    check_configuration,
)
from gpulab.engines.simt.host.refusals import kept
from gpulab.engines.simt.host.session import LAUNCH_EVENT, LaunchSite, Session, Stopped, find_caller, is_library
from gpulab.trace import Run

if TYPE_CHECKING:
    from gpulab.engines.simt.host.install import Installation
    from gpulab.engines.simt.host.kernel import SimulatedKernel


def launch(kernel: SimulatedKernel, args: tuple[Any, ...], griddim: Extents, blockdim: Extents, stream: Any,
           shared_bytes: int) -> None:
    """Launch on the simulated device of the current session. Raises what numba-cuda and the driver would."""
    from gpulab.engines.simt.host.install import current

    audit(LAUNCH_EVENT)
    installation = current()
    with installation.lock, kept(installation.session):
        _launch(installation, kernel, args, griddim, blockdim, stream, shared_bytes)


def _launch(installation: Installation, kernel: SimulatedKernel, args: tuple[Any, ...], griddim: Extents,
            blockdim: Extents, stream: Any, shared_bytes: int) -> None:
    session = installation.session
    kernel.check_argument_count(len(args))
    if kernel.dispatcher.specialized:
        check_argument_types(kernel, args)
    griddim, blockdim = _integers(griddim), _integers(blockdim)
    with session.launching():
        arguments = Arguments(session, installation.driver, int(getattr(stream, "handle", stream)))
        values = tuple(arguments.convert(*_extended(kernel, type_, value, stream))
                       for type_, value in zip(kernel.argument_types, args, strict=True))
        check_configuration(kernel, griddim, blockdim, int(shared_bytes))
        _note_values(session, args)
        session.look_for_tampering()
        _note_shared(session, arguments, "shared")
        run = _run(session, kernel, values, griddim, blockdim, int(shared_bytes), arguments)
        _note_shared(session, arguments, "visible")
        arguments.write_back()
    _record(session, kernel, run)


def _note_values(session: Session, args: tuple[Any, ...]) -> None:
    """Floats and tuples go to the device with the launch; lone integers are sizes and offsets, and not noted."""
    values = numbers([arg for arg in args if isinstance(arg, (float, np.floating, tuple))])
    if values.size:
        session.record("argument", values.size, crossing=values)


def _note_shared(session: Session, arguments: Arguments, kind: str) -> None:
    """Memory that host and device share needs no copy: "shared" before a launch, "visible" after it.

    What the host changes in memory of the simulator's own is seen by its checksums already.
    """
    for allocation in {id(allocation): allocation for _, allocation in arguments.given}.values():
        if allocation.kind != "device" and not (allocation.owned and kind == "shared"):
            session.record(kind, allocation.data.size, crossing=allocation.data)


def _integers(extents: Any) -> Extents:
    x, y, z = (int(extent) for extent in extents)
    return x, y, z


def _extended(kernel: SimulatedKernel, type_: Any, value: Any, stream: Any) -> tuple[Any, Any]:
    """The argument after the kernel's `extensions=` have had their say."""
    for extension in reversed(kernel.extensions):
        type_, value = extension.prepare_args(type_, value, stream=stream, retr=[])
    return type_, value


def _run(session: Session, kernel: SimulatedKernel, values: tuple[Any, ...], griddim: Extents, blockdim: Extents,
         shared_bytes: int, arguments: Arguments) -> Run:
    from gpulab.engines.simt.machine import launch

    options = asdict(session.options)
    if is_library(kernel.py_func.__code__.co_filename):
        options["findings"] = False  # numba-cuda's: `cuda.reduce` has a syncwarp that 30 lanes of a warp never reach
    unsure = {allocation: allocation.data.copy() for _, allocation in arguments.given
              if allocation.uninitialised is not None}
    try:
        return launch(kernel.dispatcher, griddim, blockdim, values, shared_bytes=shared_bytes,
                      uninitialised=arguments.unwritten(), **options)
    finally:
        for allocation, before in unsure.items():
            allocation.initialise_changed(before)
        for allocation in session.memory:
            allocation.seal()


def _record(session: Session, kernel: SimulatedKernel, run: Run) -> None:
    caller = find_caller()
    session.runs.append(run)
    session.sites.append(LaunchSite(kernel.py_func.__name__, caller.line, caller.file,
                                    is_library(kernel.py_func.__code__.co_filename)))
    if run.printed:
        sys.stdout.write(run.printed)
    if any(finding.kind == "timed out" for finding in run.findings):
        session.stopped = True
        raise Stopped(f"{run.kernel} does not end: on a GPU the host would wait for it for ever")
