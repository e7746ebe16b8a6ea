"""Everything that is looked at, at the same time."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from typing import Any, TypeVar

from gpulab.doctor.checks import gpu, numba, terminal, torch, workplace
from gpulab.doctor.checks import machine as of_machine
from gpulab.doctor.facts import Facts
from gpulab.doctor.facts.compiler import find_compiler
from gpulab.doctor.facts.disk import find_disk, temporary
from gpulab.doctor.facts.libraries import find_numba, find_torch
from gpulab.doctor.facts.limits import find_limits
from gpulab.doctor.facts.nvidia import find_nvidia
from gpulab.doctor.facts.terminal import find_terminal
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Examination, Section
from gpulab.doctor.workplace import examine_workplace

T = TypeVar("T")


Waiting = Callable[[tuple[str, ...]], object]
"""Told what is still being looked at, each time that it gets less; from any thread."""


def examine(machine: Machine | None = None, home: Path | None = None, waiting: Waiting | None = None) -> Examination:
    """Look at everything. Takes seconds, at most a little more than the machine's patience; changes nothing."""
    started = time.monotonic()
    machine = machine or Machine()
    facts = find(machine, home, waiting)
    sections = judge(facts, machine)
    return Examination(sections, facts, time.monotonic() - started)


def find(machine: Machine, home: Path | None = None, waiting: Waiting | None = None) -> Facts:
    """The facts, each kind in a thread of its own: most of them wait for another process."""
    torch, numba = _later(lambda: find_torch(machine)), _later(lambda: find_numba(machine))
    nvidia, compiler = _later(lambda: find_nvidia(machine)), _later(lambda: find_compiler(machine))
    workplace, terminal = _later(lambda: examine_workplace(home)), _later(lambda: find_terminal(machine))
    if waiting is not None:
        _tell({"GPU": nvidia, "Numba": numba, "torch and Triton": torch, "C compiler": compiler, "workspace": workplace,
               "terminal": terminal}, waiting)
    return Facts(
        limits=find_limits(machine), shared_memory=find_disk(machine, "/dev/shm"),
        temporary=find_disk(machine, temporary(machine)), nvidia=nvidia.result(), numba=numba.result(),
        torch=torch.result(), compiler=compiler.result(), workplace=workplace.result(), terminal=terminal.result(),
    )


def judge(facts: Facts, machine: Machine) -> tuple[Section, ...]:
    """The facts in sentences."""
    return (
        Section("GPU", tuple(gpu.checks(facts.nvidia, machine))),
        Section("Numba", tuple(numba.checks(facts.numba, facts.nvidia, machine))),
        Section("torch and Triton", tuple(torch.checks(facts.torch, facts.compiler, facts.nvidia, machine))),
        Section("machine", tuple(of_machine.checks(facts.limits, facts.shared_memory, facts.temporary, facts.nvidia,
                                                   machine))),
        Section("workspace", tuple(workplace.checks(facts.workplace))),
        Section("terminal", tuple(terminal.checks(facts.terminal, machine))),
    )


def _later(find: Callable[[], T]) -> Future[T]:
    """In a thread that the end of the program does not wait for."""
    found: Future[T] = Future()

    def work() -> None:
        try:
            found.set_result(find())
        except BaseException as error:
            found.set_exception(error)

    Thread(target=work, daemon=True).start()
    return found


def _tell(looked_at: dict[str, Future[Any]], waiting: Waiting) -> None:
    """Say what is left whenever one of them is done."""
    def tell(_: Future[Any]) -> None:
        waiting(tuple(name for name, future in looked_at.items() if not future.done()))

    for future in looked_at.values():
        future.add_done_callback(tell)
