"""Zygote, judge and caller: cancelled, killed, raced, starved, and the next check works."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from gpulab import runner
from gpulab.check import Cancelled, Progress
from gpulab.runner.limits import Limits
from gpulab.runner.pool import POOL
from tests.runner.conftest import DOUBLE, RIGHT, Check, workers_left, zygote_pid
from tests.runner.test_verdicts import diagnosis

HANG = "while True: pass\n"
ROOT = Path(__file__).resolve().parents[2]


def test_progress_is_passed_on(check: Check) -> None:
    runner.stop()
    seen: list[Progress] = []
    check(RIGHT, on_progress=seen.append)
    check(RIGHT, on_progress=seen.append)
    case = Progress("case 1 of 2", 1, 2)
    assert seen == [Progress("starting"), case, case]


@pytest.mark.parametrize("judge", ["judge", "judge_that_hangs"])
def test_cancelling_ends_a_job_at_once_and_the_next_starts_clean(check: Check, judge: str) -> None:
    check(RIGHT)
    cancel = threading.Event()
    started: list[float] = []

    def on_progress(progress: Progress) -> None:
        started.append(time.monotonic())
        threading.Timer(0.2, cancel.set).start()

    with pytest.raises(Cancelled):
        check(HANG, judge=judge, cancel=cancel, on_progress=on_progress)
    assert time.monotonic() - started[0] - 0.2 < 0.25  # 50 ms on a quiet machine
    assert not workers_left()
    assert check(RIGHT).verdict == "passed"


def test_a_check_cancelled_before_it_begins_leaves_nothing(check: Check) -> None:
    cancel = threading.Event()
    cancel.set()
    runner.stop()
    with pytest.raises(Cancelled):
        check(HANG, cancel=cancel)
    assert check(RIGHT).verdict == "passed"


def test_a_caller_that_raises_ends_its_job(check: Check) -> None:
    def on_progress(progress: Progress) -> None:
        if progress.stage != "starting":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check(HANG, on_progress=on_progress)
    assert not workers_left()


def test_checks_run_at_the_same_time_from_several_threads(check: Check, puzzle: object) -> None:
    check(RIGHT)
    with ThreadPoolExecutor(4) as threads:
        reports = list(threads.map(lambda n: check(RIGHT, seed=n), range(8)))
    assert [report.diagnosis for report in reports] == [None] * 8
    assert [report.seed for report in reports] == [*range(8)]


def test_cancelling_one_check_leaves_the_other_alone(check: Check) -> None:
    cancel = threading.Event()
    slow = "import time\ntime.sleep(0.5)\ndef host(out, a, n): out[...] = a + 1\n"
    with ThreadPoolExecutor(2) as threads:
        kept = threads.submit(check, slow)
        time.sleep(0.2)
        dropped = threads.submit(check, slow, cancel=cancel)
        time.sleep(0.2)
        cancel.set()
        with pytest.raises(Cancelled):
            dropped.result()
        assert kept.result().verdict == "passed"


def test_a_judge_that_raises_is_our_fault_with_its_traceback(check: Check) -> None:
    found = diagnosis(check(RIGHT, judge="judge_that_raises"))
    assert (found.kind, "the judge is broken" in found.message) == ("environment", True)
    assert "judge_that_raises" in found.traceback
    assert "report it" in found.next


def test_a_judge_that_does_not_exist_is_our_fault(check: Check) -> None:
    assert check(RIGHT, judge="no_such_judge").verdict == "environment"


def test_a_report_that_cannot_be_written_down_says_why(check: Check) -> None:
    found = diagnosis(check(RIGHT, judge="judge_of_the_unwritable"))
    assert found.kind == "environment" and "TypeError" in found.traceback


def test_a_killed_judge_is_our_fault_and_the_next_check_works(check: Check) -> None:
    found = diagnosis(check(RIGHT, judge="judge_that_dies"))
    assert (found.kind, "SIGKILL" in found.message) == ("environment", True)
    assert check(RIGHT).verdict == "passed"


def test_what_a_learner_started_ends_with_a_killed_judge(check: Check) -> None:
    text = """
        import os, time
        from multiprocessing.util import spawnv_passfds
        os.environ.clear()
        os.fork() or (os.setsid(), spawnv_passfds(b"/bin/sleep", ["sleep", "79"], []), os._exit(0))
        os.waitpid(-1, 0)
        time.sleep(60)
    """
    with ThreadPoolExecutor(1) as threads:
        killed = threads.submit(_kill_judge)
        report = check(text)
        assert killed.result()
    assert (report.verdict, "SIGKILL" in diagnosis(report).message) == ("environment", True)
    from tests.runner.test_verdicts import assert_no_process_called

    assert_no_process_called("sleep 79")


def _kill_judge() -> bool:
    """Kill the judge half a second after it has its job; False where there is none."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        for child in psutil.Process(zygote_pid()).children():
            if child.name() == "gpulab-judge":
                time.sleep(0.5)
                child.kill()
                return True
        time.sleep(0.05)
    return False


def test_a_killed_zygote_is_our_fault_and_the_next_check_starts_a_new_one(check: Check) -> None:
    check(RIGHT)
    old = zygote_pid()
    report = check(RIGHT, judge="judge_that_kills_the_zygote")
    assert report.verdict == "environment"
    assert "SIGKILL" in diagnosis(report).message
    assert check(RIGHT).verdict == "passed"
    assert zygote_pid() != old


def test_what_runs_ends_with_a_killed_zygote(check: Check) -> None:
    def kill(progress: Progress) -> None:
        if progress.stage != "starting":
            threading.Timer(0.5, lambda: os.kill(zygote_pid(), signal.SIGKILL)).start()

    text = "import os, time\nif not os.fork(): os.setsid()\ntime.sleep(60)\n"
    assert check(text, on_progress=kill).verdict == "environment"
    assert check(RIGHT).verdict == "passed"


def test_an_idle_zygote_that_was_killed_is_replaced_unseen(check: Check) -> None:
    check(RIGHT)
    os.kill(zygote_pid(), signal.SIGKILL)
    assert check(RIGHT).verdict == "passed"


def spare_pair() -> list[psutil.Process]:
    """The judge and the learner's process that wait for a job, once they are there: the zygote practises first."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        for judge in psutil.Process(zygote_pid()).children():
            with suppress(psutil.Error):  # the judge of the check before, which ends
                if judge.name() == "gpulab-spare" and (learners := judge.children()):
                    return [judge, *learners]
        time.sleep(0.05)
    raise AssertionError("no spare was made")


def test_a_killed_spare_is_replaced_unseen(check: Check) -> None:
    runner.stop()
    POOL.get("numba", prepares=False)  # as a one-shot command starts it: it makes no spare
    runner.stop()
    check(RIGHT)
    spare = spare_pair()
    for process in spare:
        process.kill()
    psutil.wait_procs(spare, timeout=5)
    assert check(RIGHT).verdict == "passed"


def test_a_killed_spare_learner_is_replaced_unseen(check: Check) -> None:
    runner.stop()
    check(RIGHT)
    spare = spare_pair()[1]
    spare.kill()
    psutil.wait_procs([spare], timeout=1)  # it stays a zombie until its judge looks
    assert check(RIGHT).verdict == "passed"


def test_the_whole_check_has_a_limit_too(check: Check, limits: Limits) -> None:
    found = diagnosis(check(RIGHT, judge="judge_that_hangs", limits=replace(limits, job=1.0)))
    assert (found.kind, "1 s" in found.message) == ("timed out", True)


def test_a_zygote_goes_when_nothing_is_asked_of_it(puzzle: object) -> None:
    from gpulab.runner.pool import start_zygote

    zygote = start_zygote("numba", 0.3)
    try:
        psutil.Process(zygote.process.pid).wait(30)  # gone, and not a zombie, though nobody asks for its status
    finally:
        zygote.stop()
    assert zygote.process.returncode == 0


def test_stop_ends_everything(check: Check) -> None:
    check(RIGHT)
    zygote = psutil.Process(zygote_pid())
    started = [zygote, *zygote.children(recursive=True)]
    runner.stop()
    assert not [process for process in started if process.is_running()]


def test_stop_while_a_check_runs_cancels_it(check: Check) -> None:
    with ThreadPoolExecutor(1) as threads:
        running = threads.submit(check, HANG)
        time.sleep(1)
        runner.stop()
        with pytest.raises(Cancelled):
            running.result()


SCRIPT = f"""
import os, signal, sys, threading, time
from pathlib import Path
from gpulab import runner
from gpulab.catalog.model import Puzzle, StarTexts
folder, file, how = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3]
puzzle = Puzzle("track/puzzle", "P", "s", "numba", 5, "w", "l", StarTexts("r"), folder, folder / "reference.py")

def on_progress(progress):
    if progress.stage != "starting" and how != "exit":
        threading.Timer(0.5, lambda: os.kill(os.getpid(), getattr(signal, how))).start()

report = runner.run(puzzle, file, judge="{DOUBLE}:judge", engine_module="{DOUBLE}", on_progress=on_progress)
print(report.verdict, runner.pool.POOL.get("numba").process.pid)
"""


@pytest.mark.parametrize("how", ["SIGKILL", "SIGTERM", "SIGINT"])
def test_nothing_is_left_of_a_caller_that_was_killed(tmp_path: Path, how: str) -> None:
    file = tmp_path / "file.py"
    file.write_text("from multiprocessing.util import spawnv_passfds\nimport os\n"
                    "os.fork() or (os.setsid(), spawnv_passfds(b'/bin/sleep', ['sleep', '80'], []), os._exit(0))\n"
                    + HANG)
    caller = subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path), str(file), how], cwd=ROOT,
                              stderr=subprocess.DEVNULL)
    seen = _watch_tree(caller)
    assert seen
    assert "sleep" in {name for _, name in seen}
    _, left = psutil.wait_procs([process for process, _ in seen], timeout=5)
    assert not left


def test_a_one_shot_caller_leaves_no_zygote_behind(tmp_path: Path) -> None:
    file = tmp_path / "file.py"
    file.write_text("def host(out, a, n): out[...] = a + 1\n")
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(tmp_path), str(file), "exit"], cwd=ROOT, text=True,
                          capture_output=True, check=True)
    verdict, zygote = done.stdout.split()
    assert verdict == "passed"
    assert not psutil.pid_exists(int(zygote))


def _watch_tree(caller: subprocess.Popen[bytes]) -> set[tuple[psutil.Process, str]]:
    """All that the caller ever started."""
    seen: dict[psutil.Process, str] = {}
    while caller.poll() is None:
        for process in psutil.Process(caller.pid).children(recursive=True):
            try:
                seen[process] = process.name()
            except psutil.Error:
                continue
        time.sleep(0.02)
    return set(seen.items())


def test_burying_one_job_never_hits_another_that_is_just_starting(check: Check) -> None:
    """A judge that forks its learner while the zygote looks for what a dead one left."""
    check(RIGHT)
    with ThreadPoolExecutor(3) as threads:
        dying = [threads.submit(check, RIGHT, judge="judge_that_dies") for _ in range(6)]
        living = [threads.submit(check, RIGHT) for _ in range(6)]
        assert {future.result().verdict for future in living} == {"passed"}
        assert {future.result().verdict for future in dying} == {"environment"}
