"""The caller's side of a zygote: started when first needed, one for each family of engines.

A command starts the zygote before anything else, which is why this module imports so little.
"""

from __future__ import annotations

import atexit
import os
import pickle
import secrets
import socket
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Lock, Thread
from typing import IO, TYPE_CHECKING

from gpulab.runner.mark import MARK
from gpulab.runner.wire import Closed, Wire

if TYPE_CHECKING:
    from gpulab.runner.jobs import Job

IDLE = 600.0
"""Seconds without a check after which a zygote ends."""

_ROOT = Path(__file__).resolve().parents[2]
"""The folder that the package `gpulab` lies in."""

_BOOT = """
import gc, sys
gc.disable()
sys.path[:] = [entry for entry in sys.path if entry]
if sys.argv[1] not in sys.path: sys.path.append(sys.argv[1])
from gpulab.runner.zygote import main
main(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), float(sys.argv[5]), sys.argv[6] == "1")
"""
"""Importing makes no garbage worth collecting: without the collector it takes a tenth less. Not `-m`, which would put
the current folder, perhaps a workspace with a folder `triton`, before the libraries."""

_ONE_THREAD = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1")

_UNWANTED = ("TRITON_INTERPRET", "TRITON_DEBUG", "NUMBA_ENABLE_CUDASIM", "NUMBA_DISABLE_JIT", "NUMBA_DISABLE_CUDA",
             "PYTHONINSPECT", "PYTHONSTARTUP")
"""Variables that would make another numba.cuda or Triton of it, or keep the process from ending."""


class ZygoteGone(Exception):
    """It ended before it took the job."""


@dataclass
class Lines:
    """The caller's ends of one job. Closing `status` ends the job."""

    judge: Wire
    status: Wire

    def close(self) -> None:
        """Let go of the job; if it still runs, it ends."""
        self.status.close()
        self.judge.close()


@dataclass
class Zygote:
    """A running zygote process.

    `ready` once it has taken a job; `dismissed` if it was ended because nothing more shall be checked.
    """

    process: subprocess.Popen[bytes]
    control: Wire
    errors: IO[bytes]
    mark: str
    ready: bool = False
    dismissed: bool = False

    def submit(self, job: Job) -> Lines:
        """Hand it a job; a zygote that still starts takes it when it is warm. Raises `ZygoteGone`."""
        judge, its_judge = socket.socketpair()
        status, its_status = socket.socketpair()
        try:
            self.control.send_with_descriptors(pickle.dumps(job), [its_judge.fileno(), its_status.fileno()])
        except Closed as error:
            Lines(Wire(judge), Wire(status)).close()
            raise ZygoteGone from error
        finally:
            its_judge.close()
            its_status.close()
        return Lines(Wire(judge), Wire(status))

    def stop(self) -> None:
        """End it and every job it has, and wait for that."""
        self.control.close()
        if not self.ready:  # it still imports, and would not hear us
            self.process.kill()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.errors.close()

    def end_leftovers(self) -> None:
        """End what a killed zygote left: its judges die with it, but a learner's code may have started more."""
        from gpulab.runner import tree

        tree.end_marked(self.mark)

    def last_words(self) -> str:
        """The end of what it wrote to its standard error."""
        try:
            size = self.errors.seek(0, os.SEEK_END)
            self.errors.seek(max(0, size - 4000))
            return self.errors.read().decode("utf-8", "replace")
        except ValueError:  # closed meanwhile by another thread's `stop`
            return ""


def start_zygote(family: str, idle: float, prepares: bool = True) -> Zygote:
    """Start a zygote. Raises `OSError`."""
    ours, theirs = socket.socketpair()
    mark = secrets.token_hex(8)
    environment = {name: value for name, value in os.environ.items() if name not in _UNWANTED}
    errors = tempfile.TemporaryFile()  # noqa: SIM115  # open as long as the zygote lives
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-c", _BOOT, str(_ROOT), family, str(theirs.fileno()), str(os.getpid()), str(idle),
             str(int(prepares))],
            stdin=subprocess.DEVNULL, stdout=errors, stderr=errors, pass_fds=[theirs.fileno()],
            start_new_session=True,  # a ctrl-c in the terminal is the caller's affair
            env=environment | _ONE_THREAD | {MARK: mark},
        )
    Thread(target=process.wait, name="gpulab-reaper", daemon=True).start()  # when it goes, it leaves no zombie
    return Zygote(process, Wire(ours), errors, mark)


class Pool:
    """The zygotes of this process, by family."""

    def __init__(self, idle: float) -> None:
        self._idle = idle
        self._zygotes: dict[str, Zygote] = {}
        self._lock = Lock()

    def get(self, family: str, prepares: bool = True) -> Zygote:
        """The family's zygote, started if there is none that lives: to make ready for a next check, or for one alone.

        Raises `OSError`.
        """
        with self._lock:
            zygote = self._zygotes.get(family)
            if zygote is None or zygote.process.poll() is not None:
                zygote = self._zygotes[family] = start_zygote(family, self._idle, prepares)
            return zygote

    def drop(self, zygote: Zygote) -> None:
        """End this zygote; the next job gets a new one."""
        with self._lock:
            self._zygotes = {family: other for family, other in self._zygotes.items() if other is not zygote}
        zygote.stop()

    def stop(self) -> None:
        """End all of them."""
        with self._lock:
            zygotes, self._zygotes = list(self._zygotes.values()), {}
        for zygote in zygotes:
            zygote.dismissed = True
            zygote.stop()


POOL = Pool(IDLE)
"""The zygotes of this process."""


@atexit.register
def stop() -> None:
    """End all workers and their jobs, and wait for that."""
    POOL.stop()


def warm(once: bool = False, family: str = "numba") -> None:
    """Start the worker of a family in the background, so that the first check need not wait for it.

    A process that checks `once` and ends has no use for a worker that makes ready for more.
    """
    Thread(target=_start_quietly, args=[not once, family], name="gpulab-warm", daemon=True).start()


def _start_quietly(prepares: bool, family: str) -> None:
    from gpulab.engines.gpu.presence import looks_present

    with suppress(OSError):  # the first check says it
        POOL.get(family, prepares)
        if family != "numba":
            return
        if looks_present():
            POOL.get("cuda", prepares)
