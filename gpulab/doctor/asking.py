"""Programs in processes of their own: what hangs is ended, what crashes is named, and the caller goes on."""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gpulab.doctor.machine import Machine

_ROOT = Path(__file__).resolve().parents[2]
"""The folder that the package `gpulab` lies in."""

_BOOT = """
import sys
sys.path[:] = [entry for entry in sys.path if entry]
if sys.argv[1] not in sys.path: sys.path.append(sys.argv[1])
from importlib import import_module
import_module("gpulab.doctor.questions." + sys.argv[2]).main()
"""
"""Not `-m`, which would put the current folder before the libraries: it may be a workspace with a folder `triton`."""

MARK = "gpulab-doctor:"
"""Begins every line of an answer: importing a library may print lines of its own."""
MOST_OUTPUT = 1 << 20
LAST_RITES = 1.0
"""Seconds to wait for a killed process: one that is stuck in the driver does not die, and is left behind."""
UNWANTED = ("NUMBA_ENABLE_CUDASIM", "NUMBA_DISABLE_JIT", "NUMBA_DISABLE_CUDA", "TRITON_INTERPRET", "PYTHONINSPECT",
            "PYTHONSTARTUP")
"""Variables that would make something else of numba.cuda or Triton; gpulab's workers leave them out too."""


@dataclass(frozen=True)
class Ran:
    """How a program ended. `status` is None where it was ended for its time; below 0 it is a signal's."""

    out: str = ""
    err: str = ""
    status: int | None = None
    there: bool = True
    """False where the program could not even be started."""

    @property
    def well(self) -> bool:
        return self.status == 0


@dataclass(frozen=True)
class Answer:
    """What a question brought to light before it ended, and how it ended."""

    facts: Mapping[str, Any]
    trouble: str = ""
    """Why there is no more: "it hung for 20 s", "it crashed (SIGSEGV)"; "" where it ended well."""
    hung: bool = False
    seconds: float = 0.0

    def get(self, name: str, default: Any = None) -> Any:
        """One of the facts."""
        return self.facts.get(name, default)


def ask(machine: Machine, question: str) -> Answer:
    """Put `questions/<question>.py` to the machine's Python. What it told before it hung or crashed counts."""
    started = time.monotonic()
    environ = {name: value for name, value in machine.environ.items() if name not in UNWANTED}
    environ |= {"PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    ran = run([machine.python, "-B", "-c", _BOOT, str(_ROOT), question], machine.patience, environ)
    facts: dict[str, Any] = {}
    for line in ran.out.splitlines():
        if line.startswith(MARK):
            with contextlib.suppress(ValueError):  # its last line may be half a line
                facts |= json.loads(line[len(MARK):])
    return Answer(facts, _trouble(ran, machine.patience), ran.there and ran.status is None, time.monotonic() - started)


def _trouble(ran: Ran, patience: float) -> str:
    if not ran.there:
        return f"it could not be started ({ran.err})"
    if ran.status is None:
        return f"it did not answer within {patience:g} s"
    if ran.status < 0:
        return f"it crashed ({_name_of(-ran.status)})"
    return f"it ended with status {ran.status}: {last_line(ran.err)}" if ran.status else ""


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def last_line(text: str) -> str:
    """What a program said last, which is what a traceback means."""
    return next((line.strip() for line in reversed(text.splitlines()) if line.strip()), "no message")


def run(command: Sequence[str], seconds: float, environ: Mapping[str, str], folder: str = "/") -> Ran:
    """Run a program for at most so long and read what it prints. Never raises, never waits for what does not die."""
    try:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   env=dict(environ), cwd=folder, start_new_session=True)
    except (OSError, ValueError) as error:
        return Ran(err=getattr(error, "strerror", None) or str(error), there=False)
    try:
        out, err, ended = _read(process, time.monotonic() + seconds)
    finally:
        status = _end(process)
    return Ran(out, err, status if ended else None)


def _read(process: subprocess.Popen[bytes], until: float) -> tuple[str, str, bool]:
    """(stdout, stderr, whether the program ended by itself in time)."""
    assert process.stdout is not None and process.stderr is not None
    said = {process.stdout: bytearray(), process.stderr: bytearray()}
    with selectors.DefaultSelector() as waiting:
        for stream in said:
            waiting.register(stream, selectors.EVENT_READ)
        while waiting.get_map() and (left := until - time.monotonic()) > 0:
            for key, _ in waiting.select(min(left, 0.1)):
                chunk = os.read(key.fd, 65536)
                if chunk:
                    said[key.fileobj] += chunk[: MOST_OUTPUT - len(said[key.fileobj])]  # type: ignore[index]
                else:
                    waiting.unregister(key.fileobj)
            if process.poll() is not None and not waiting.select(0):
                break  # a child of its own may keep the pipes open
    out, err = (bytes(part).decode(errors="replace") for part in said.values())
    return out, err, _ended(process, until)


def _ended(process: subprocess.Popen[bytes], until: float) -> bool:
    try:
        process.wait(max(0.0, until - time.monotonic()))
    except subprocess.TimeoutExpired:
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> int | None:
    """Kill what is left of it, its children too; its status, None where it does not die."""
    with contextlib.suppress(OSError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdout, process.stderr):
        if stream is not None:
            stream.close()
    try:
        return process.wait(LAST_RITES)
    except subprocess.TimeoutExpired:
        return None
