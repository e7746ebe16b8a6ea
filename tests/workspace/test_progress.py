"""What is recorded comes back, and stays."""

from __future__ import annotations

import sqlite3
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest

from gpulab.catalog.model import Catalog, Puzzle, Track
from gpulab.judge.report import Stars
from gpulab.workspace import Workspace, progress, schema
from tests.workspace.conftest import puzzle_in, report_of


def test_a_recorded_check_comes_back_whole(workspace: Workspace) -> None:
    attempt = workspace.progress.record(report_of("shared/pooling", "race", line=16))
    again = Workspace.open(workspace.root).progress
    assert again.last("shared/pooling") == report_of("shared/pooling", "race", line=16)
    assert again.attempts("shared/pooling") == [attempt]
    assert (attempt.verdict, attempt.line, attempt.seconds) == ("race", 16, 0.08)
    assert len(attempt.source_hash) == 64


def test_a_star_once_earned_is_kept(workspace: Workspace) -> None:
    record = workspace.progress.record
    record(report_of("shared/pooling", "over budget", stars=Stars(True, False)))
    record(report_of("shared/pooling", "passed", stars=Stars(True, True)))
    record(report_of("shared/pooling", "wrong answer", stars=Stars(False, None)))
    assert workspace.progress.stars("shared/pooling") == Stars(True, True, None)
    assert workspace.progress.solved("shared/pooling")
    assert workspace.progress.standing("shared/pooling").verdict == "wrong answer"


def test_a_star_never_tried_is_not_a_star_refused(workspace: Workspace) -> None:
    assert workspace.progress.stars("threads/map") == Stars()
    workspace.progress.record(report_of("threads/map", "wrong answer", stars=Stars(False, None)))
    assert workspace.progress.stars("threads/map") == Stars(False, None, None)


def test_a_fault_of_the_machine_is_not_an_attempt(workspace: Workspace) -> None:
    workspace.progress.record(report_of("threads/map", "environment"))
    assert workspace.progress.attempts("threads/map") == []


def test_a_renamed_puzzle_keeps_stars_hints_report_and_file(workspace: Workspace, tmp_path: Path) -> None:
    workspace.progress.record(report_of("shared/window", "passed"))
    workspace.progress.read_hint("shared/window")
    (workspace.root / "shared").mkdir()
    (workspace.root / "shared/window.py").write_text("mine = 1\n")
    renamed = puzzle_in(tmp_path, "shared/pooling", aliases=("shared/window",))
    catalog = Catalog((Track("shared", "Shared", "", "", (renamed,)),), tmp_path)
    later = Workspace.open(workspace.root, catalog)
    for puzzle in (renamed, "shared/pooling", "shared/window"):
        assert later.progress.solved(puzzle)
        assert later.progress.hints_read(puzzle) == 1
        assert later.progress.last(puzzle) is not None
    later.progress.record(report_of("shared/pooling", "race"))
    assert later.progress.standings()["shared/pooling"].attempts == 2
    assert later.progress.stars("shared/pooling").correct
    assert later.progress.last_touched() == "shared/pooling"
    assert later.source(renamed) == "mine = 1\n"
    assert later.start(renamed).read_text() == "mine = 1\n"


def test_an_id_this_gpulab_does_not_know_is_kept(workspace: Workspace) -> None:
    workspace.progress.record(report_of("future/warp-drive"))
    assert Workspace.open(workspace.root).progress.standings()["future/warp-drive"].solved


def test_hints_are_read_one_by_one_up_to_the_last(workspace: Workspace) -> None:
    assert [workspace.progress.read_hint("threads/map", of=2) for _ in range(4)] == [1, 2, 2, 2]
    attempt = workspace.progress.record(report_of("threads/map"))
    assert attempt.hints == workspace.progress.hints_read("threads/map") == 2


def test_time_away_is_not_counted(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [1_000_000.0]
    monkeypatch.setattr(progress.time, "time", lambda: clock[0])
    for pause in (0, 60, 30, 4000, 10):
        clock[0] += pause
        workspace.progress.touch("threads/map")
    assert workspace.progress.standing("threads/map").seconds == pytest.approx(100)


def test_days_in_a_row_end_with_a_day_that_had_none(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    noon = datetime(2026, 11, 20, 12)
    for days, minutes in ((0, 0), (3, 0), (4, 0), (4, 5), (5, 0)):
        at = (noon + timedelta(days=days, minutes=minutes)).timestamp()
        monkeypatch.setattr(progress.time, "time", lambda at=at: at)
        workspace.progress.touch("threads/map")
    spent = [workspace.progress.spent(date(2026, 11, 20) + timedelta(days=days)) for days in (5, 6, 7)]
    assert [one.days for one in spent] == [3, 3, 0] and spent[0].seconds == pytest.approx(300)


def test_times_are_read_back_with_the_check_that_took_them(workspace: Workspace) -> None:
    workspace.progress.record(report_of("threads/map", when="2026-01-01T10:00:00+00:00"))
    timed = replace(report_of("threads/map", when="2026-01-01T11:00:00+00:00"), stars=Stars(True, True, False),
                    timing={"yours_ms": 2.5, "resources": None})
    workspace.progress.record(timed)
    kept = workspace.progress.timings("threads/map")
    assert [one.timing and one.timing["yours_ms"] for one in kept] == [None, 2.5]
    assert list(workspace.progress.timed_puzzles()) == ["threads/map"]
    assert [one.timing for one in workspace.progress.timings("threads/zip")] == []


def test_the_puzzle_touched_last_is_known_in_the_next_session(workspace: Workspace) -> None:
    workspace.progress.touch("threads/map")
    workspace.progress.touch("threads/zip")
    assert Workspace.open(workspace.root).progress.last_touched() == "threads/zip"


def test_lately_is_newest_first_over_all_puzzles(workspace: Workspace) -> None:
    for minute, id in enumerate(("threads/map", "threads/zip", "threads/map")):
        workspace.progress.record(report_of(id, when=f"2026-01-01T10:0{minute}:00+00:00"))
    assert [attempt.puzzle for attempt in workspace.progress.lately(2)] == ["threads/map", "threads/zip"]


class TestNextPuzzle:
    def test_the_first_puzzle_comes_first(self, workspace: Workspace, catalog: Catalog) -> None:
        puzzle, why = workspace.progress.next_puzzle(catalog)
        assert (puzzle.id, why) == ("threads/map", "It is the first puzzle.")

    def test_what_was_left_unsolved_is_resumed(self, workspace: Workspace, catalog: Catalog) -> None:
        workspace.progress.record(report_of("shared/pooling", "race", line=16))
        assert workspace.progress.next_puzzle(catalog) == (
            catalog.tracks[1].puzzles[1], "You were at it: last check race on line 16.")

    def test_solved_leads_to_the_one_after(self, workspace: Workspace, catalog: Catalog) -> None:
        workspace.progress.record(report_of("threads/map"))
        puzzle, why = workspace.progress.next_puzzle(catalog)
        assert (puzzle.id, why) == ("threads/zip", "It follows threads/map, which you solved.")

    def test_a_gap_in_the_track_is_filled(self, workspace: Workspace, catalog: Catalog) -> None:
        for id in ("threads/map", "threads/guard"):
            workspace.progress.record(report_of(id))
        assert workspace.progress.next_puzzle(catalog).puzzle.id == "threads/zip"

    def test_a_track_whose_prerequisites_are_open_waits(self, workspace: Workspace, catalog: Catalog) -> None:
        workspace.progress.record(report_of("matmul/naive"))
        assert workspace.progress.next_puzzle(catalog).puzzle.id == "threads/map"

    def test_a_finished_track_opens_the_next(self, workspace: Workspace, catalog: Catalog) -> None:
        for puzzle in catalog.tracks[0].puzzles:
            workspace.progress.record(report_of(puzzle.id))
        assert workspace.progress.next_puzzle(catalog) == (
            catalog.tracks[1].puzzles[0], "It opens the track shared.")

    def test_when_all_is_solved_an_open_star_is_next(self, workspace: Workspace, catalog: Catalog) -> None:
        for puzzle in catalog.puzzles:
            workspace.progress.record(report_of(puzzle.id, stars=Stars(True, puzzle.id != "shared/pooling")))
        puzzle, why = workspace.progress.next_puzzle(catalog)
        assert (puzzle.id, why) == ("shared/pooling", "Every puzzle is solved; here a star is open.")


class TestSchema:
    def test_an_older_file_is_brought_up_to_date_with_its_rows(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        workspace.progress.record(report_of("threads/map"))
        newer = (*schema.STEPS, ("ALTER TABLE visits ADD COLUMN host TEXT",))
        monkeypatch.setattr(schema, "STEPS", newer)
        later = Workspace.open(workspace.root).progress
        assert later.solved("threads/map"), "reading an old file needs no write"
        later.touch("threads/zip")
        with sqlite3.connect(workspace.root / "progress.db") as connection:
            assert connection.execute("PRAGMA user_version").fetchone() == (2,)
            assert connection.execute("SELECT count(host) FROM visits").fetchone() == (0,)
        assert later.solved("threads/map")

    def test_a_step_that_fails_leaves_the_file_as_it_was(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        for id in ("threads/map", "threads/zip"):
            workspace.progress.record(report_of(id))
        before = (workspace.root / "progress.db").read_bytes()
        one_a_verdict = "CREATE UNIQUE INDEX one_a_verdict ON attempts (verdict)"  # two passed: it cannot be made
        with monkeypatch.context() as patch:
            patch.setattr(schema, "STEPS", (*schema.STEPS, ("CREATE TABLE more (a)", one_a_verdict)))
            later = Workspace.open(workspace.root)
            later.progress.touch("threads/zip")
            assert later.problems
        assert (workspace.root / "progress.db").read_bytes() == before
        assert Workspace.open(workspace.root).progress.solved("threads/map")

    def test_a_newer_file_is_refused_and_left_alone(
        self, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        workspace.progress.record(report_of("threads/map"))
        with monkeypatch.context() as patch:
            patch.setattr(schema, "STEPS", (*schema.STEPS, ("CREATE TABLE more (a)",)))
            Workspace.open(workspace.root).progress.touch("threads/map")
        before = (workspace.root / "progress.db").read_bytes()
        old = Workspace.open(workspace.root)
        old.progress.record(report_of("threads/zip"))
        assert "written by a newer gpulab (format 2, this one knows 1)" in old.problems[0]
        assert "Nothing is lost: update gpulab." in old.problems[0]
        assert (workspace.root / "progress.db").read_bytes() == before
        assert old.progress.solved("threads/zip"), "this session still knows what it did"


def test_a_puzzle_object_and_its_id_mean_the_same(workspace: Workspace, catalog: Catalog) -> None:
    puzzle: Puzzle = catalog.puzzles[0]
    workspace.progress.touch(puzzle)
    workspace.progress.read_hint(puzzle)
    assert workspace.progress.hints_read(puzzle.id) == workspace.progress.hints_read(puzzle) == 1
