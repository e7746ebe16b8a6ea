"""`list`, `next` and `show` say what there is and where the learner stands."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from gpulab.catalog import load
from gpulab.judge.report import Stars
from gpulab.workspace import Workspace
from tests.cli.conftest import ROOT, Gpulab, process
from tests.workspace.conftest import report_of


def test_list_names_every_puzzle_by_its_id(gpulab: Gpulab) -> None:
    said = gpulab("list")
    assert said.status == 0
    for puzzle in load().puzzles:
        assert f"  {puzzle.id}" in said.out


def test_list_as_json_has_the_documented_shape(gpulab: Gpulab, workspace: Workspace) -> None:
    workspace.progress.record(report_of("shared/pooling", "over budget", stars=Stars(True, False)))
    data = gpulab("list", "--json").data
    assert data["version"] == 1
    assert [track["id"] for track in data["tracks"]] == [track.id for track in load().tracks]
    shared = next(track for track in data["tracks"] if track["id"] == "shared")
    pooling = next(puzzle for puzzle in shared["puzzles"] if puzzle["id"] == "shared/pooling")
    assert pooling["title"] == "Pooling"
    assert pooling["stars"] == {"correct": True, "efficient": False, "fast": None}
    assert pooling["verdict"] == "over budget"
    guard = next(puzzle for track in data["tracks"] for puzzle in track["puzzles"] if puzzle["id"] == "threads/guard")
    assert guard["verdict"] is None
    assert guard["stars"] == {"correct": None, "efficient": None, "fast": None}


def test_list_shows_stars_and_the_last_verdict(gpulab: Gpulab, workspace: Workspace, work: Path) -> None:
    workspace.progress.record(report_of("threads/guard", "passed"))
    workspace.progress.record(report_of("shared/pooling", "race", line=16))
    lines = gpulab("list").out.splitlines()
    guard = next(line for line in lines if "threads/guard" in line)
    assert guard.split() == ["★★", "threads/guard", "solved"]
    pooling = next(line for line in lines if "shared/pooling" in line)
    assert pooling.split(maxsplit=2) == ["☆☆☆", "shared/pooling", "race on line 16"]
    assert next(line for line in lines if line.startswith("threads")).split(maxsplit=1)[1].startswith("1 of ")
    assert lines[-1] == f"Workspace: {work}"


def test_a_puzzle_has_as_many_stars_everywhere_as_it_asks_for(gpulab: Gpulab) -> None:
    """threads/map has no third one: nothing to be fast at."""
    row = next(line for line in gpulab("list").out.splitlines() if line.split()[1:2] == ["threads/map"])
    assert row.split()[0] == "☆☆"
    assert gpulab("show", "threads/map").out.splitlines()[0].split()[-1] == "☆☆"
    assert gpulab("next").out.splitlines()[0].split()[-1] == "☆☆"


def test_a_locale_without_utf8_gets_ascii(gpulab: Gpulab) -> None:
    for name in ("LC_ALL", "LANG"):
        assert process("list", **{name: "C"}).out.isascii()
    assert not gpulab("list").out.isascii()


def test_list_makes_no_workspace(gpulab: Gpulab, work: Path) -> None:
    gpulab("list")
    gpulab("next")
    gpulab("show", "threads/guard")
    assert not work.exists()


def test_next_says_which_and_why_and_how_to_begin(gpulab: Gpulab) -> None:
    first = load().puzzles[0]
    said = gpulab("next")
    assert said.out.splitlines()[0] == f"{first.id}  {first.title}  ☆☆"
    assert "It is the first puzzle." in said.out
    assert f"gpulab start {first.id}" in said.out


def test_next_resumes(gpulab: Gpulab, workspace: Workspace, work: Path) -> None:
    gpulab("start", "shared/pooling")
    workspace.progress.record(report_of("shared/pooling", "race", line=16))
    said = gpulab("next")
    assert "You were at it: last check race on line 16." in said.out
    assert "gpulab check shared/pooling" in said.out
    data = gpulab("next", "--json").data
    assert (data["puzzle"]["id"], data["file"]) == ("shared/pooling", str(work / "shared/pooling.py"))


def test_show_has_the_statement_the_stars_and_the_file(gpulab: Gpulab, work: Path) -> None:
    said = gpulab("show", "shared/pooling")
    assert said.status == 0
    for words in ("Sum each element with its two left neighbours", "pool(out, a, n)", "☆ correct", "☆ efficient",
                  "a   global │ 3 │", "Begin: gpulab start shared/pooling"):
        assert words in said.out
    assert str(work / "shared/pooling.py") in said.out.replace("\n", "")
    data = gpulab("show", "shared/pooling", "--json").data
    assert data["statement"].startswith("Three loads per output")
    assert (data["write"], data["language"], data["started"]) == ("pool(out, a, n)", "numba", False)
    assert data["asked"]["efficient"] == "at most 1.04 global loads per output"


class TestIds:
    def test_a_name_that_only_one_puzzle_has_is_enough(self, gpulab: Gpulab) -> None:
        assert gpulab("show", "pooling").out.startswith("shared/pooling  Pooling")

    def test_a_typing_error_is_answered_with_what_was_meant(self, gpulab: Gpulab) -> None:
        said = gpulab("show", "shared/poling")
        assert (said.status, said.out) == (2, "")
        assert said.err == "gpulab: There is no puzzle shared/poling. Did you mean shared/pooling?\n"

    def test_without_an_id_it_is_the_puzzle_touched_last(self, gpulab: Gpulab) -> None:
        gpulab("start", "shared/pooling")
        gpulab("start", "threads/guard")
        assert gpulab("show").out.startswith("threads/guard")

    def test_without_an_id_and_before_any_puzzle_one_is_proposed(self, gpulab: Gpulab) -> None:
        said = gpulab("check")
        assert said.status == 2
        assert said.err == f"gpulab: No puzzle was opened yet, so name one: gpulab check {load().puzzles[0].id}\n"


class TestWrongCalls:
    @pytest.mark.parametrize(("arguments", "told"), [
        (["lst"], 'There is no command lst. Did you mean "list"?'),
        (["list", "--jsn"], "No such option"),
        (["list", "a", "b"], "There is more than the command takes: a b. Type gpulab list --help."),
        (["check", "guard", "--engine", "cuda"], "'cuda' is not one of 'auto', 'sim', 'gpu'"),
        (["check", "guard", "--seed", "x"], "'x' is not a valid integer range"),
        (["import"], "Missing argument 'FILE'"),
    ])
    def test_they_end_with_2_and_one_line(self, gpulab: Gpulab, arguments: list[str], told: str) -> None:
        said = gpulab(*arguments)
        assert (said.status, said.out) == (2, "")
        assert told in said.err
        assert said.err.count("\n") == 1

    def test_a_workspace_in_a_checkout_is_refused(self, gpulab: Gpulab) -> None:
        said = gpulab("list", "--home", str(ROOT / "work"))
        assert said.status == 2
        assert "is inside a checkout of gpulab" in said.err
        assert said.err.count("\n") == 1

    def test_a_broken_catalogue_is_named_by_file_and_line(
        self, gpulab: Gpulab, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "tracks.yaml").write_text("format_version: 1\ntracks: 3\n")
        monkeypatch.setenv("GPULAB_CONTENT", str(tmp_path))
        said = gpulab("list")
        assert said.status == 3
        assert f"{tmp_path / 'tracks.yaml'}, line 2" in said.err

    def test_a_fault_of_our_own_says_so(self, gpulab: Gpulab, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("gpulab.catalog.loading.load", lambda: 1 / 0)
        said = gpulab("list")
        assert said.status == 3
        assert "ZeroDivisionError" in said.err
        assert said.err.endswith("gpulab: This is a fault of gpulab, not of yours. "
                                 "Please report it with the text above.\n")


def test_the_home_may_stand_before_or_after_the_command(gpulab: Gpulab, tmp_path: Path) -> None:
    for arguments in (["--home", str(tmp_path / "a"), "list"], ["list", "--home", str(tmp_path / "a")]):
        assert gpulab(*arguments).out.endswith(f"Workspace: {tmp_path / 'a'}\n")


HEAVY = ("numpy", "numba", "torch", "triton", "textual", "watchfiles", "asyncio")


@pytest.mark.parametrize("arguments", [["list"], ["list", "--json"], ["next"], ["show", "pooling"], ["--help"]])
def test_looking_around_imports_nothing_heavy(arguments: list[str]) -> None:
    code = (f"import sys\nfrom gpulab.cli.group import run\nassert run({arguments!r}) == 0\n"
            f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "[]\n"


class TestOutputs:
    @pytest.mark.parametrize("arguments", [["list"], ["next"], ["show", "pooling"], ["hint", "pooling"]])
    def test_a_pipe_gets_no_colours(self, arguments: list[str]) -> None:
        assert "\x1b" not in process(*arguments).out

    @pytest.mark.parametrize("arguments", [["list"], ["show", "pooling"], ["hint", "pooling"],
                                           ["solution", "pooling", "--yes"]])
    @pytest.mark.parametrize("way", ["asked", "locale"])
    def test_ascii_is_ascii(self, gpulab: Gpulab, arguments: list[str], way: str) -> None:
        asked = way == "asked"
        said = gpulab(*arguments, "--ascii") if asked else process(*arguments, PYTHONIOENCODING="ascii")
        assert said.status == 0, said.err
        assert said.out.isascii()
        assert said.out.strip()

    def test_json_is_utf8_whatever_the_locale(self) -> None:
        data = json.loads(process("show", "pooling", "--json", PYTHONIOENCODING="ascii").out)
        assert "│" in data["statement"]

    def test_a_reader_that_has_enough_ends_it_quietly(self) -> None:
        line = f"{sys.executable} -m gpulab list | head -1"
        done = subprocess.run(line, shell=True, capture_output=True, text=True, cwd="/")
        assert done.stdout.startswith("threads")
        assert done.stderr == ""


def test_without_a_terminal_the_app_says_so_and_shows_the_next_puzzle() -> None:
    said = process()
    assert said.status == 0
    assert said.out.startswith("The app needs a terminal, and this is none.")
    assert f"gpulab start {load().puzzles[0].id}" in said.out


def test_the_version_is_the_packages() -> None:
    from gpulab import __version__

    assert process("--version").out == f"gpulab {__version__}\n"
