"""`check` and `watch`: statuses, JSON, what is recorded, and the real thing from end to end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from gpulab.catalog import load
from gpulab.catalog.model import Puzzle
from gpulab.judge.report import VERDICTS
from gpulab.workspace import Workspace
from tests.cli.conftest import ROOT, Gpulab, command, process
from tests.workspace.volumes import remount, small_volume

WRONG = ROOT / "puzzles/shared/pooling/wrong"
KEYS = ("version", "puzzle", "file", "verdict", "stars", "seed", "engines", "diagnosis", "notes", "timing", "output",
        "seconds")
"""Of `check --json`, as documented."""


class TestStatus:
    @pytest.mark.parametrize("verdict", VERDICTS)
    def test_it_says_passed_not_passed_or_the_machines_fault(
        self, gpulab: Gpulab, checks_give: Callable[[str], None], verdict: str
    ) -> None:
        gpulab("start", "pooling")
        checks_give(verdict)
        said = gpulab("check", "pooling", "--json")
        assert said.status == {"passed": 0, "environment": 3}.get(verdict, 1)
        assert said.data["verdict"] == verdict
        assert list(said.data)[:2] == ["puzzle", "file"] and set(KEYS) <= set(said.data)
        assert gpulab("check", "pooling").status == said.status

    def test_a_puzzle_that_is_not_begun_is_a_wrong_call(self, gpulab: Gpulab, work: Path) -> None:
        said = gpulab("check", "pooling")
        assert (said.status, said.out) == (2, "")
        assert said.err == (f"gpulab: shared/pooling is not begun: there is no {work / 'shared/pooling.py'}. "
                            "Begin: gpulab start shared/pooling\n")

    def test_a_file_that_is_not_there_is_a_wrong_call(self, gpulab: Gpulab) -> None:
        said = gpulab("check", "pooling", "--file", "/no/such/file.py")
        assert (said.status, said.err) == (2, "gpulab: There is no file /no/such/file.py: check the path.\n")

    def test_a_gpu_that_is_not_there_is_no_fault_of_the_learner(
            self, gpulab: Gpulab, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
        gpulab("start", "pooling")
        said = gpulab("check", "pooling", "--engine", "gpu", "--json")
        assert said.status == 3
        assert said.data["verdict"] == "environment"
        assert said.data["diagnosis"]["message"] == "This machine has no GPU that CUDA could use."


class TestRecord:
    def test_a_check_is_recorded_and_the_next_one_needs_no_id(
        self, gpulab: Gpulab, checks_give: Callable[..., None], workspace: Workspace
    ) -> None:
        gpulab("start", "pooling")
        checks_give("race", line=18)
        gpulab("check")
        assert [(attempt.puzzle, attempt.verdict, attempt.line)
                for attempt in workspace.progress.lately()] == [("shared/pooling", "race", 18)]

    def test_a_file_from_elsewhere_changes_no_state(
        self, gpulab: Gpulab, checks_give: Callable[..., None], workspace: Workspace, tmp_path: Path
    ) -> None:
        gpulab("start", "pooling")
        checks_give("race", line=18)
        gpulab("check", "pooling")
        before = gpulab("list").out
        (tmp_path / "mine.py").write_text("x = 1\n")
        for verdict in ("passed", "wrong answer"):
            checks_give(verdict)
            said = gpulab("check", "pooling", "--file", str(tmp_path / "mine.py"))
            assert "Not recorded: your file of shared/pooling is" in said.err
            assert gpulab("list").out == before

    def test_ones_own_file_counts_by_any_path_to_it(
        self, gpulab: Gpulab, checks_give: Callable[..., None], workspace: Workspace, tmp_path: Path
    ) -> None:
        file = Path(gpulab("start", "pooling").out.strip())
        (tmp_path / "link.py").symlink_to(file)
        checks_give("passed")
        assert not gpulab("check", "pooling", "--file", str(tmp_path / "link.py")).err
        assert workspace.progress.solved("shared/pooling")

    def test_a_passed_check_shows_the_references_figures(
        self, gpulab: Gpulab, checks_give: Callable[..., None]
    ) -> None:
        gpulab("start", "pooling")
        checks_give("passed")
        lines = gpulab("check", "pooling").out.splitlines()
        assert any(line.split() == ["yours", "reference", "asked"] for line in lines)

    def test_gpulabs_own_files_earn_nothing(
        self, gpulab: Gpulab, checks_give: Callable[..., None], workspace: Workspace, puzzle: Puzzle
    ) -> None:
        checks_give("passed")
        said = gpulab("check", "pooling", "--file", str(puzzle.reference))
        assert said.status == 0
        assert "Not recorded" in said.err
        assert not workspace.progress.solved("shared/pooling")

    def test_on_a_disk_that_refuses_it_checks_unrecorded_and_says_so(
        self, gpulab: Gpulab, checks_give: Callable[..., None], tmp_path: Path
    ) -> None:
        with small_volume(tmp_path / "volume", 4000) as mount:
            gpulab("start", "pooling", "--home", str(mount))
            remount(mount, "ro")
            checks_give("race")
            said = gpulab("check", "--home", str(mount), "--json")
        assert (said.status, said.data["verdict"]) == (1, "race")
        assert "so progress is not being recorded" in said.err


class TestForReal:
    """No stand-ins: the worker, the simulator and the judge."""

    def test_a_missing_barrier_is_a_race_with_both_lines(self) -> None:
        said = process("check", "shared/pooling", "--file", str(WRONG / "missing_barrier.py"), "--json")
        assert said.status == 1, said.err
        diagnosis = said.data["diagnosis"]
        source = (WRONG / "missing_barrier.py").read_text().splitlines()
        assert said.data["verdict"] == diagnosis["kind"] == "race"
        touched = [source[diagnosis["line"] - 1], source[diagnosis["other"]["line"] - 1]]
        assert all("tile[" in line for line in touched)
        assert touched[0] != touched[1]
        assert said.data["engines"]["sim"]["cases"]

    @pytest.mark.slow
    def test_a_learner_goes_from_starter_to_solved(self, gpulab: Gpulab, work: Path, puzzle: Puzzle) -> None:
        file = Path(gpulab("start", "pooling").out.strip())
        assert file == work / "shared/pooling.py"
        failed = process("check")
        assert failed.status == 1
        assert "NOT BEGUN" in failed.out
        file.write_text(puzzle.reference.read_text())
        solved = process("check")
        assert solved.status == 0, solved.out
        assert "SOLVED" in solved.out
        assert "Next: " in solved.out
        assert "★★☆  shared/pooling" in gpulab("list").out
        assert gpulab("solution", "pooling").status == 0, "solved: it does not ask any more"

    def test_a_seed_repeats_the_numbers(self, gpulab: Gpulab) -> None:
        arguments = ("check", "pooling", "--file", str(WRONG / "halo_always_zero.py"), "--json", "--seed", "71")
        first, second = gpulab(*arguments).data, gpulab(*arguments).data
        assert first["seed"] == 71
        assert first["diagnosis"]["mismatch"] == second["diagnosis"]["mismatch"]

    def test_nothing_is_left_running(self, work: Path) -> None:
        said = process("check", "pooling", "--file", str(WRONG / "three_loads.py"))
        assert said.status == 1
        # Its processes are known by the environment they inherit, whatever else runs on this machine.
        ours = [found for found in psutil.process_iter(["environ", "cmdline"])
                if (found.info["environ"] or {}).get("GPULAB_HOME") == str(work) and found.pid != os.getpid()]
        assert not [found.info["cmdline"] for found in ours]


ENDLESS = """from numba import cuda


@cuda.jit
def add_ten(out, a, n):
    i = cuda.threadIdx.x
    x = 0
    while x >= 0:
        x = (x * 5 + i) % 7
    out[i] = x
"""


class Watching:
    """`gpulab watch --json` in a process of its own."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self._process = subprocess.Popen(command("watch", "guard", "--json"), stdout=subprocess.PIPE, text=True,
                                         stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, cwd="/")

    def next_verdict(self) -> str:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, self._process.stderr and self._process.stderr.read()
        return str(json.loads(line)["verdict"])

    def end(self) -> tuple[int, str]:
        """Ctrl-c: the status, and what else was printed."""
        self._process.send_signal(signal.SIGINT)
        rest, _ = self._process.communicate(timeout=30)
        return self._process.returncode, rest

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


class TestWatch:
    @pytest.fixture
    def watching(self, gpulab: Gpulab) -> Iterator[Watching]:
        watching = Watching(Path(gpulab("start", "guard").out.strip()))
        yield watching
        watching.kill()

    @pytest.fixture
    def reference(self) -> str:
        return next(puzzle for puzzle in load().puzzles if puzzle.id == "threads/guard").reference.read_text()

    def test_it_checks_at_once_and_on_every_save(self, watching: Watching, reference: str, work: Path) -> None:
        assert watching.next_verdict() == "not written"
        watching.file.write_text(reference.replace("if i < n", "if i <= n"))
        assert watching.next_verdict() == "out of bounds"
        new = watching.file.with_suffix(".new")
        new.write_text(reference)
        os.replace(new, watching.file)
        assert watching.next_verdict() == "passed"
        assert watching.end() == (0, "")
        attempts = Workspace.open(work).progress.attempts("threads/guard")
        assert [attempt.verdict for attempt in attempts] == ["not written", "out of bounds", "passed"]

    def test_a_save_during_a_check_cancels_it(self, watching: Watching, reference: str) -> None:
        assert watching.next_verdict() == "not written"
        watching.file.write_text(ENDLESS)
        time.sleep(1.5)
        watching.file.write_text(reference)
        assert watching.next_verdict() == "passed", "the endless one was given up, not timed out"
        assert watching.end() == (0, "")


def test_the_result_that_the_readme_begins_with_is_what_a_check_prints(
    gpulab: Gpulab, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    shown = (ROOT / "README.md").read_text("utf-8").split("```")[1].strip("\n")
    printed = gpulab("check", "pooling", "--file", str(WRONG / "barrier_in_branch.py")).out
    assert shown in "\n".join(line.rstrip() for line in printed.splitlines())
