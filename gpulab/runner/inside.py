"""The learner's process: it imports the learner's file and runs it, case after case, as the judge asks."""

from __future__ import annotations

import faulthandler
import gc
import os
import pickle
import resource
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from traceback import format_exc
from typing import Any, NoReturn

import numpy as np

from gpulab.engines.gpu.faults import GpuFault
from gpulab.judge.memory import Placed
from gpulab.judge.session import Problem
from gpulab.runner import prctl
from gpulab.runner.answers import (
    Answer,
    Aside,
    HostRecord,
    Layout,
    LoadAnswer,
    LoadRequest,
    RunAnswer,
    RunRequest,
    encode_answer,
)
from gpulab.runner.guard import Guard
from gpulab.runner.hooks import Hook, Hooks
from gpulab.runner.jobs import Job
from gpulab.runner.limits import KB
from gpulab.runner.loading import answer_of, functions_of, load, problem_of
from gpulab.runner.output import open_standard_streams
from gpulab.runner.surroundings import Surroundings
from gpulab.runner.tampering import Snapshot, line_that_calls, line_that_reaches_in, line_that_replaces
from gpulab.runner.watch import TRACE_SIGNAL
from gpulab.runner.wire import Closed, Wire
from gpulab.timing.model import Measured

_FIRST_FREE = 3
_FAR = 1 << 16
"""No descriptor is higher: the kernel gives the lowest free one (macOS may name no limit at all)."""

_PACKAGE = Path(__file__).resolve().parent.parent
"""An installed package holds the puzzles, and the folder it lies in must stay importable."""

_PROMPT_OUTPUT = 64 * KB


@dataclass(frozen=True)
class Ends:
    """The learner's ends of what connects it to the judge."""

    wire: Wire
    output: int
    dumps: int
    token: bytes


@dataclass
class _Learner:
    """The state of this process."""

    job: Job
    ends: Ends
    snapshot: Snapshot
    hooks: Hooks
    engine: Any
    flush: Callable[[], None]
    guard: Guard
    surroundings: Surroundings
    typings: int = 0
    """See `_has_typed`."""
    home: int = field(default_factory=os.getpid)
    names: dict[str, Any] = field(default_factory=dict)
    """What the loaded file has defined."""

    def answer(self, answer: Answer, *payload: memoryview) -> None:
        """Answer the judge; a child that the learner's code forked has nobody to answer and ends here."""
        if os.getpid() != self.home:
            os._exit(0)
        self.flush()
        self.ends.wire.send(encode_answer(answer), *payload)

    def load(self, request: LoadRequest) -> None:
        """Import the file."""
        start = time.perf_counter()
        module, problem = load(self.job.file)
        self.surroundings.restore()
        gc.freeze()  # what the file leaves is never collected: no finalizer of its objects runs beside a kernel
        tampering = self._tampering()
        functions = functions_of(module) if module else {}
        self.names.update(vars(module) if module else {})
        describe = getattr(self.engine, "describe", None)
        self.answer(LoadAnswer(self.ends.token, request.number, functions, tampering or problem,
                               time.perf_counter() - start, answer_of(module) if module else None,
                               describe() if describe else None))

    def run(self, request: RunRequest, payload: memoryview) -> None:
        """Run one case."""
        start = time.perf_counter()
        thread = request.launch and self.hooks.thread()
        if thread:
            self.answer(RunAnswer(self.ends.token, request.number, problem=self._left(thread)))
            return
        placed = _unpack(request.arguments, payload)
        whole = getattr(self.engine, "TAKES_MEMORY", False)
        arguments = [value.view() if isinstance(value, Placed) and not whole else value
                     for value in (placed.get(name, value) for name, value in request.arguments.items())]
        function = self.names[request.function]
        record, measured = HostRecord(), list[Measured]()
        problem = problem_of(lambda: self._call(function, arguments, request, record, measured), self.job.file.path,
                             ours=request.launch is not None)
        if problem is not None and problem.kind == "environment":
            problem = self.lowered() or problem
        if request.launch is None or self._has_typed():
            self.surroundings.restore()
            gc.freeze()
            problem = self._tampering() or problem or (self._reaching() if record.sites else None)
        changed = _changed(placed, request.arguments, payload)
        self.answer(
            RunAnswer(self.ends.token, request.number, changed, record, problem, time.perf_counter() - start,
                      measured[0] if measured else None),
            *(placed[name].memory.data for name in changed),
        )

    def _call(self, function: Any, arguments: list[Any], request: RunRequest, record: HostRecord,
              measured: list[Measured]) -> None:
        if request.plan is not None:
            measured.append(self.engine.time(function, request.launch, arguments, request.plan))
        elif request.launch is None:
            self.engine.call(function, arguments, request.options, record)
        else:
            with self._nothing_else():
                record.runs.append(self.engine.launch(function, request.launch, arguments, request.options))

    @contextmanager
    def _nothing_else(self) -> Iterator[None]:
        """Whoever runs meanwhile, by a way we do not know, finds no arrays."""
        self.guard.launching = True
        try:
            yield
        finally:
            self.guard.launching = False

    def _has_typed(self) -> bool:
        """Whether Numba typed functions since the last look: else a kernel's launch runs no Python of the learner's."""
        typings = getattr(self.engine, "typings", int)()
        before, self.typings = self.typings, typings
        return bool(typings != before)

    def _tampering(self) -> Problem | None:
        """What the learner's code replaced, or left to be called later; both are undone."""
        hook = self.hooks.clear()  # first, so that nothing of it runs any more
        name = self.snapshot.undo_changes()
        if name is not None:
            return _replacement(name, self.job)
        return self._left(hook) if hook else None

    def lowered(self) -> Problem | None:
        """A limit of the process that the learner's code has lowered for good."""
        name = self.surroundings.restore()
        if name is None:
            return None
        line = line_that_calls(("setrlimit", "prlimit"), self.job.file.source)
        return Problem("not allowed", f"Your code lowered {name} of its process, which its own check needs.", line)

    def _reaching(self) -> Problem | None:
        """What a host program could do to the simulator while it launches, without replacing anything."""
        line = line_that_reaches_in(self.job.file.source)
        if line is None:
            return None
        return Problem("not allowed", "Your code reaches into gpulab, which is what checks it.", line)

    def _left(self, hook: Hook) -> Problem:
        message = f"Your code left {hook.what}, which would run beside its own check."
        line = line_that_calls(hook.calls, self.job.file.source) or hook.line
        return Problem("not allowed", message, line)


def live(ends: Ends, snapshot: Snapshot, engine: str) -> NoReturn:
    """Be the learner's process, from fork to end. It gets its job first, then requests."""
    learner = None
    try:
        flush = _settle(ends)
        ready = import_module(engine)
        if ready.prepare():
            snapshot.accept()
        if not _is_awaited(ends):  # touch, hence copy, the pages that a check writes to while nobody waits
            snapshot.undo_changes()
            ready.rehearse()
        job: Job = pickle.loads(ends.wire.receive().body)
        runs = import_module(job.engine)
        guard = Guard(job.file.path, job.puzzle.folder, job.puzzle.reference, lambda problem: _tell(ends, problem),
                      snapshot.note_attribute, lambda: _replaced_at_launch(snapshot, job))
        learner = _Learner(job, ends, snapshot, Hooks(job.file.path), runs, flush, guard,
                           Surroundings())
        prctl.name_process("gpulab-learner")
        _forget_places(job)
        guard.stand()
        snapshot.watch(learner.hooks, learner.surroundings, ends, ends.wire, job, job.file, runs)
        snapshot.watch(learner, but=("typings",))
        snapshot.distrust()
        gc.freeze()  # what holds this process together is not found by asking the collector for all objects
        while True:
            frame = ends.wire.receive()
            request = pickle.loads(frame.body)  # from the judge, which runs nobody's code but ours
            if isinstance(request, LoadRequest):
                learner.load(request)
            else:
                learner.run(request, frame.payload)
    except Closed:
        os._exit(0)
    except GpuFault as fault:  # there is no GPU to get ready with
        _tell(ends, Problem(fault.kind, fault.message))
        os._exit(1)
    except BaseException:
        failed = Problem("environment", "The process that runs your code failed.", traceback=format_exc())
        _tell(ends, (learner.lowered() if learner else None) or failed)
        os._exit(1)


def _replaced_at_launch(snapshot: Snapshot, job: Job) -> Problem | None:
    name = snapshot.replaced_at_launch()
    return _replacement(name, job) if name is not None else None


def _replacement(name: str, job: Job) -> Problem:
    return Problem("not allowed", f"Your code replaced {name}, which its own check relies on.",
                   line_that_replaces(name, job.file.source))


def _is_awaited(ends: Ends) -> bool:
    """Whether the job is there already."""
    return bool(select.select([ends.wire.socket], [], [], 0)[0])


def _settle(ends: Ends) -> Callable[[], None]:
    """Leave everything of the zygote and the judge behind but `ends`."""
    os.setsid()
    prctl.die_with_parent()
    _keep_only(ends)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _be_first_to_go()
    np.random.seed()  # Python's own generator seeds itself anew after a fork, NumPy's does not
    faulthandler.enable(ends.dumps, all_threads=False)
    faulthandler.register(TRACE_SIGNAL, ends.dumps, all_threads=False)
    _note_hard_exits(ends)
    os.register_at_fork(after_in_child=lambda: _disown(ends))
    return open_standard_streams(_PROMPT_OUTPUT)


def _keep_only(ends: Ends) -> None:
    """Descriptors: nothing to read, both streams into the pipe, the wire, the dumps, no more."""
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(ends.output, 1)
    os.dup2(ends.output, 2)
    kept = sorted((ends.wire.socket.fileno(), ends.dumps))
    edges = [_FIRST_FREE - 1, *kept, min(os.sysconf("SC_OPEN_MAX"), _FAR)]
    for low, high in pairwise(edges):
        os.closerange(low + 1, high)


def _be_first_to_go() -> None:
    """When the machine runs out of memory, Linux shall end this process and no other."""
    try:
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
    except OSError:
        pass


def _forget_places(job: Job) -> None:
    """No import may find puzzles, kernels or the workspace: these have folders named `triton` and `collectives`."""
    places = [str(place) for place in job.places if not place.is_relative_to(_PACKAGE)]
    sys.path[:] = [entry for entry in sys.path if entry and not _holds(entry, places)]
    sys.argv = [str(job.file.path)]
    try:
        os.chdir(job.file.path.parent)
    except OSError:
        os.chdir("/")


def _holds(entry: str, places: list[str]) -> bool:
    return any(os.path.commonpath((os.path.abspath(entry), place)) == os.path.abspath(entry) for place in places)


def _note_hard_exits(ends: Ends) -> None:
    """`os._exit` leaves no trace; have it say where it was called."""
    leave, home = os._exit, os.getpid()

    def _exit(status: int) -> NoReturn:
        if os.getpid() == home:  # children share the file
            faulthandler.dump_traceback(ends.dumps, all_threads=False)
        leave(status)

    os._exit = _exit


def _disown(ends: Ends) -> None:
    """In a child that the learner's code forked: it has nobody to answer."""
    ends.wire.close()
    faulthandler.disable()


def _tell(ends: Ends, problem: Problem) -> None:
    """Tell the judge without being asked."""
    with suppress(Closed):
        ends.wire.send(encode_answer(Aside(ends.token, problem)))


def _unpack(arguments: dict[str, Any], payload: memoryview) -> dict[str, Placed]:
    """The array arguments, each in memory of its own."""
    placed = {}
    start = 0
    for name, layout in arguments.items():
        if isinstance(layout, Layout):
            memory = np.frombuffer(payload[start:start + layout.size], np.uint8).copy()
            placed[name] = Placed(memory, layout.shape, layout.dtype, layout.strides, layout.offset)
            start += layout.size
    return placed


def _changed(placed: dict[str, Placed], arguments: dict[str, Any], payload: memoryview) -> list[str]:
    """Names of the arrays whose memory differs from what came."""
    names = []
    start = 0
    for name, array in placed.items():
        size = arguments[name].size
        if not np.array_equal(array.memory, np.frombuffer(payload[start:start + size], np.uint8)):
            names.append(name)
        start += size
    return names
