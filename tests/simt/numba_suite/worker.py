"""Run test modules of numba-cuda's under pytest and print an outcome per test, as JSON lines.

    python -m tests.simt.numba_suite.worker numba.cuda.tests.cudapy.test_matmul ... [--gpu]

The simulator is put under numba.cuda before the module is imported; every test has a session of its own.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import time
import types
import unittest
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path

import pytest

SECONDS = 20
"""Of processor time, for one test."""


class TooSlow(BaseException):
    """A test took more than `SECONDS`."""


@dataclass
class Outcome:
    """What came of one test: "passed", "failed", "skipped", "unsupported" or "too slow".

    `why` names the construct or the error; `findings` are the simulator's.
    """

    module: str
    test: str
    outcome: str = "passed"
    why: str = ""
    seconds: float = 0.0
    launches: int = 0
    findings: list[str] = field(default_factory=list)


class Plugin:
    """Hooks that run each test in a session and write its outcome to `out`."""

    def __init__(self, out, simulated: bool) -> None:
        self.out = out
        self.simulated = simulated
        self.current: Outcome | None = None

    @pytest.fixture
    def initialize_from_pytest_config(self, request) -> None:
        """What the conftest of numba-cuda's repository, which is not in the wheel, gives its test classes."""
        if request.cls is not None:
            request.cls._dump_failed_filechecks = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item) -> Iterator[None]:
        self.current = Outcome(_module(item.path), item.nodeid.split("::", 1)[1])
        started = time.perf_counter()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            with self._session() as session:
                result = yield
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        self.current.seconds = round(time.perf_counter() - started, 2)
        if session is not None:
            self._look_at(session)
        self._print(self.current)
        return result

    def _session(self):
        if not self.simulated:
            return contextlib.nullcontext()
        from gpulab.engines.simt import host

        return host.session(time_limit=3 * SECONDS)

    def _look_at(self, session) -> None:
        """A test that hid a refusal failed because of it; findings in tests that pass would be false alarms."""
        outcome = self.current
        outcome.launches = len(session.runs)
        outcome.findings = [f"{f.kind}: {f.message}" for run in session.runs for f in run.findings][:5]
        refusal = next((e for e in session.refused if type(e).__name__ == "Unsupported"), None)
        if session.stopped:
            outcome.outcome, outcome.why = "too slow", "a kernel took too long"
        elif refusal is not None and outcome.outcome == "failed":
            outcome.outcome, outcome.why = "unsupported", refusal.construct

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self, item, call) -> Iterator[None]:
        report = yield
        if call.excinfo is not None and self.current.outcome == "passed":
            self._sort(call.excinfo, report)
        return report

    def _sort(self, excinfo, report) -> None:
        error, outcome = excinfo.value, self.current
        if report.outcome == "skipped" or isinstance(error, unittest.SkipTest):
            outcome.outcome, outcome.why = "skipped", str(getattr(error, "msg", error))
        elif isinstance(error, TooSlow):
            outcome.outcome, outcome.why = "too slow", f"over {SECONDS} s"
        elif type(error).__name__ == "Unsupported":
            outcome.outcome, outcome.why = "unsupported", error.construct
        elif report.outcome == "failed":
            crash = excinfo._getreprcrash()
            place = f" ({os.path.basename(crash.path)}:{crash.lineno})" if crash else ""
            words = " ".join(str(error).split())[:300]
            outcome.outcome, outcome.why = "failed", f"{type(error).__name__}: {words}{place}"

    @pytest.hookimpl
    def pytest_collectreport(self, report) -> None:
        if report.failed or report.skipped:
            last = str(report.longrepr).strip().splitlines()[-1]
            module = _module(Path(report.nodeid))
            self._print(Outcome(module, module, report.outcome, f"import: {last[:300]}"))

    def _print(self, outcome: Outcome) -> None:
        print(json.dumps(asdict(outcome)), file=self.out, flush=True)


def _module(file: Path) -> str:
    """Like "cudapy.test_matmul"."""
    return f"{file.parent.name}.{file.stem}"


def stand_in(name: str, why: str, modules: dict[str, tuple[str, ...]]) -> None:
    """Where a package is missing that a whole test module imports, skip only the tests that use it."""

    class Skips:
        def __init__(self, *args, **kwargs) -> None:
            """Made freely, also while the module is imported; used only to skip."""

        def __getattr__(self, attribute: str) -> None:
            raise unittest.SkipTest(why)

        def __iter__(self) -> None:
            raise unittest.SkipTest(why)

    if find_spec(name) is None:
        for part, attributes in modules.items():
            module = types.ModuleType(part)
            vars(module).update(dict.fromkeys(attributes, Skips))
            sys.modules[part] = module


def without_cuda_libraries() -> None:
    """Compilers for GPUs are not to be found, whatever this machine has: the simulator must not need them."""
    from cuda import pathfinder

    load = pathfinder.load_nvidia_dynamic_lib

    def find(name: str) -> object:
        if name in ("nvrtc", "nvvm", "nvJitLink"):
            raise pathfinder.DynamicLibNotFoundError(f"no {name} here")
        return load(name)

    pathfinder.load_nvidia_dynamic_lib = find


def without_cuda_headers() -> None:
    """Say so in the way that numba-cuda's tests expect, and let those of grid sync run: it needs no library here."""
    from numba.cuda import testing
    from numba.cuda.cudadrv import libs

    def missing() -> None:
        raise FileNotFoundError("no CUDA headers here")

    libs.get_cuda_include_dir = missing
    testing.cudadevrt_missing = lambda: False


def too_slow(*_) -> None:
    raise TooSlow


def main(modules: list[str], simulated: bool) -> int:
    """Pytest's exit status. Outcomes go to standard output; what pytest and the tests print goes nowhere."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    signal.signal(signal.SIGPROF, too_slow)
    if simulated:
        without_cuda_libraries()
        from gpulab.engines.simt import host, warm

        warm()
        host.install(time_limit=3 * SECONDS)
    import numba.cuda  # noqa: F401  (it looks for cffi, and must not find the stand-in)

    stand_in("cffi", "needs cffi", {"cffi": ("FFI",)})
    stand_in("filecheck", "reads machine code with FileCheck", {
        "filecheck": (), "filecheck.matcher": ("Matcher",), "filecheck.options": ("Options",),
        "filecheck.parser": ("Parser", "pattern_for_opts"), "filecheck.finput": ("FInput",)})
    if simulated:
        without_cuda_headers()
    options = ["-q", "--tb=native", "-p", "no:cacheprovider", "-p", "no:asyncio", "-c", os.devnull, "--rootdir", os.sep,
               "-Wignore", "--import-mode=importlib", "--pyargs", *modules]
    return pytest.main(options, plugins=[Plugin(out, simulated)])


if __name__ == "__main__":
    sys.exit(main([name for name in sys.argv[1:] if name != "--gpu"], "--gpu" not in sys.argv))
