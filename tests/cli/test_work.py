"""`start`, `reset`, `hint`, `solution`, `export`, `import`."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest

from gpulab.catalog.model import Puzzle
from gpulab.workspace import Workspace
from tests.cli.conftest import Gpulab
from tests.workspace.conftest import report_of
from tests.workspace.volumes import remount, small_volume


class TestStart:
    def test_it_prints_the_path_and_nothing_else_on_stdout(self, gpulab: Gpulab, work: Path, puzzle: Puzzle) -> None:
        said = gpulab("start", "pooling")
        assert (said.status, said.out) == (0, f"{work / 'shared/pooling.py'}\n")
        assert (work / "shared/pooling.py").read_text() == puzzle.starter.read_text()
        assert "gpulab check shared/pooling" in said.err

    def test_a_second_start_leaves_the_work_alone_and_says_so(self, gpulab: Gpulab, work: Path) -> None:
        gpulab("start", "pooling")
        (work / "shared/pooling.py").write_text("mine = 1\n")
        said = gpulab("start", "pooling", "--json")
        assert said.data == {"version": 1, "puzzle": "shared/pooling", "file": str(work / "shared/pooling.py"),
                             "created": False, "workspace": str(work)}
        assert "as you left it" in gpulab("start", "pooling").err
        assert (work / "shared/pooling.py").read_text() == "mine = 1\n"

    def test_a_disk_that_refuses_is_the_machines_fault(self, gpulab: Gpulab, tmp_path: Path) -> None:
        with small_volume(tmp_path / "volume", 400) as mount:
            remount(mount, "ro")
            said = gpulab("start", "pooling", "--home", str(mount / "work"))
        assert said.status == 3
        assert said.err.count("\n") == 1
        assert "cannot be written (Read-only file system)" in said.err


class TestReset:
    def test_without_a_terminal_it_asks_for_yes(self, gpulab: Gpulab, work: Path) -> None:
        gpulab("start", "pooling")
        (work / "shared/pooling.py").write_text("mine = 1\n")
        said = gpulab("reset", "pooling")
        assert (said.status, said.out) == (2, "")
        assert said.err.endswith("There is no terminal to ask at: add --yes to say so.\n")
        assert (work / "shared/pooling.py").read_text() == "mine = 1\n"

    def test_the_backup_is_printed(self, gpulab: Gpulab, work: Path, puzzle: Puzzle) -> None:
        gpulab("start", "pooling")
        (work / "shared/pooling.py").write_text("mine = 1\n")
        said = gpulab("reset", "pooling", "--yes")
        assert (said.status, said.out) == (0, f"{work / 'shared/pooling.py'}\n")
        backup, = (work / "backups/shared").iterdir()
        assert str(backup) in said.err
        assert backup.read_text() == "mine = 1\n"
        assert (work / "shared/pooling.py").read_text() == puzzle.starter.read_text()

    def test_where_nothing_can_be_lost_it_does_not_ask(self, gpulab: Gpulab, work: Path) -> None:
        gpulab("start", "pooling")
        assert gpulab("reset", "pooling", "--json").data["backup"] is None


class TestHints:
    def test_one_more_each_time_and_what_the_next_tells(self, gpulab: Gpulab) -> None:
        first = gpulab("hint", "pooling", "--json").data
        assert (first["read"], first["of"], len(first["hints"])) == (1, 4, 1)
        assert first["hints"][0]["title"] == "Which cell, which threads?"
        second = gpulab("hint", "pooling")
        for words in ("Which cell, which threads?", "Who waits for whom?", "Tells who fetches the halo",
                      "2 of 4 read"):
            assert words in second.out
        assert "Nearly the code" not in second.out

    def test_those_read_can_be_read_again(self, gpulab: Gpulab) -> None:
        gpulab("hint", "pooling")
        assert gpulab("hint", "pooling", "--read", "--json").data["read"] == 1
        assert gpulab("hint", "pooling", "--read", "--json").data["read"] == 1

    def test_after_the_last_there_is_no_more(self, gpulab: Gpulab) -> None:
        for _ in range(6):
            data = gpulab("hint", "pooling", "--json").data
        assert (data["read"], data["next"]) == (4, None)

    def test_once_solved_all_are_shown(self, gpulab: Gpulab, workspace: Workspace) -> None:
        workspace.progress.record(report_of("shared/pooling"))
        assert len(gpulab("hint", "pooling", "--json").data["hints"]) == 4
        assert workspace.progress.hints_read("shared/pooling") == 0


class TestSolution:
    def test_before_it_is_solved_it_asks(self, gpulab: Gpulab) -> None:
        said = gpulab("solution", "pooling")
        assert (said.status, said.out) == (2, "")
        assert said.err.startswith("gpulab: shared/pooling is not solved yet. Show the reference all the same?")

    def test_confirmed_or_solved_it_is_the_reference_and_why(
        self, gpulab: Gpulab, workspace: Workspace, puzzle: Puzzle
    ) -> None:
        confirmed = gpulab("solution", "pooling", "--yes")
        workspace.progress.record(report_of("shared/pooling"))
        solved = gpulab("solution", "pooling")
        assert confirmed.out == solved.out
        assert solved.out.startswith(puzzle.reference.read_text())
        assert "why it works" in solved.out
        assert gpulab("solution", "pooling", "--json").data["source"] == puzzle.reference.read_text()


class TestArchive:
    def test_a_workspace_goes_to_another_machine(self, gpulab: Gpulab, work: Path, tmp_path: Path) -> None:
        gpulab("start", "pooling")
        (work / "shared/pooling.py").write_text("mine = 1\n")
        Workspace.open(work).progress.record(report_of("shared/pooling"))
        file = tmp_path / "out.json"
        assert str(file) in gpulab("export", "--output", str(file)).out
        there = tmp_path / "there"
        said = gpulab("import", str(file), "--home", str(there))
        assert said.out == f"1 new checks and 1 new files are now in {there}.\n"
        assert (there / "shared/pooling.py").read_text() == "mine = 1\n"
        assert gpulab("import", str(file), "--home", str(there), "--json").data["attempts"] == 0

    def test_it_goes_through_a_pipe(
        self, gpulab: Gpulab, workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        workspace.progress.record(report_of("shared/pooling"))
        archive = gpulab("export").out
        assert json.loads(archive)["format"] == "gpulab workspace"
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(archive.encode())))
        assert gpulab("import", "-", "--home", str(tmp_path / "there"), "--json").data["attempts"] == 1

    def test_what_is_no_archive_is_a_wrong_call(self, gpulab: Gpulab, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("{}")
        said = gpulab("import", str(tmp_path / "file"))
        assert said.status == 2
        assert "Nothing was imported." in said.err
        assert gpulab("import", str(tmp_path / "none")).status == 2

    def test_a_disk_that_refuses_is_the_machines_fault(
        self, gpulab: Gpulab, workspace: Workspace, tmp_path: Path
    ) -> None:
        workspace.progress.record(report_of("shared/pooling"))
        (tmp_path / "out.json").write_text(gpulab("export").out)
        with small_volume(tmp_path / "volume", 400) as mount:
            remount(mount, "ro")
            said = gpulab("import", str(tmp_path / "out.json"), "--home", str(mount / "work"))
        assert said.status == 3
        assert said.err.startswith("gpulab: Nothing was imported.")


def test_every_command_has_help_with_the_common_options(gpulab: Gpulab) -> None:
    from gpulab.cli.group import COMMANDS

    for name in COMMANDS:
        said = gpulab(name, "--help")
        assert said.status == 0
        assert said.out.startswith(f"Usage: gpulab {name}")
        assert all(option in said.out for option in ("--home", "--ascii", "--json"))
