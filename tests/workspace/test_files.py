"""`start` and `reset` never lose work."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path

import pytest

from gpulab.catalog.model import Catalog
from gpulab.workspace import Workspace, WorkspaceError, files
from tests.workspace.conftest import STARTER
from tests.workspace.volumes import fill, python, small_volume


@pytest.fixture(params=["with hard links", "without hard links"])
def any_volume(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    if request.param == "without hard links":
        monkeypatch.setattr(files.os, "link", refuse)


@pytest.mark.usefixtures("any_volume")
class TestStart:
    def test_it_copies_the_starter(self, workspace: Workspace, catalog: Catalog) -> None:
        path = workspace.start(catalog.puzzles[0])
        assert path == workspace.root / "threads/map.py"
        assert path.read_text() == STARTER
        assert os.listdir(path.parent) == ["map.py"], "nothing else is left there"

    def test_it_never_writes_over_work(self, workspace: Workspace, catalog: Catalog) -> None:
        path = workspace.start(catalog.puzzles[0])
        path.write_text("mine = 1\n")
        assert workspace.start(catalog.puzzles[0]) == path
        assert path.read_text() == "mine = 1\n"

    def test_an_empty_file_is_not_work(self, workspace: Workspace, catalog: Catalog) -> None:
        path = workspace.file_for(catalog.puzzles[0])
        path.parent.mkdir(parents=True)
        path.touch()
        workspace.start(catalog.puzzles[0])
        assert path.read_text() == STARTER

    def test_it_counts_as_a_touch(self, workspace: Workspace, catalog: Catalog) -> None:
        workspace.start(catalog.puzzles[1])
        assert workspace.progress.last_touched() == "threads/zip"


@pytest.mark.usefixtures("any_volume")
class TestReset:
    def test_the_work_is_moved_to_a_backup(self, workspace: Workspace, catalog: Catalog) -> None:
        path = workspace.start(catalog.puzzles[0])
        path.write_text("mine = 1\n")
        backup = workspace.reset(catalog.puzzles[0])
        assert backup and backup.parent == workspace.root / "backups/threads"
        assert backup.read_text() == "mine = 1\n"
        assert path.read_text() == STARTER

    def test_two_in_one_second_are_two_backups(self, workspace: Workspace, catalog: Catalog) -> None:
        backups = set()
        for n in range(5):
            workspace.file_for(catalog.puzzles[0]).parent.mkdir(parents=True, exist_ok=True)
            workspace.file_for(catalog.puzzles[0]).write_text(f"mine = {n}\n")
            backups.add(workspace.reset(catalog.puzzles[0]))
        assert sorted(path.read_text() for path in backups if path) == [f"mine = {n}\n" for n in range(5)]

    def test_an_untouched_starter_needs_no_backup(self, workspace: Workspace, catalog: Catalog) -> None:
        path = workspace.start(catalog.puzzles[0])
        assert workspace.reset(catalog.puzzles[0]) is None
        assert path.read_text() == STARTER

    def test_without_a_file_it_starts(self, workspace: Workspace, catalog: Catalog) -> None:
        assert workspace.reset(catalog.puzzles[0]) is None
        assert workspace.file_for(catalog.puzzles[0]).read_text() == STARTER

    def test_a_save_in_the_middle_wins(
        self, workspace: Workspace, catalog: Catalog, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        path = workspace.start(catalog.puzzles[0])
        path.write_text("first = 1\n")
        real = files._set_aside

        def and_save(*arguments: Path) -> Path:
            backup = real(*arguments)
            path.write_text("second = 2\n")
            return backup

        monkeypatch.setattr(files, "_set_aside", and_save)
        with pytest.raises(WorkspaceError, match="was saved again while it was reset") as error:
            workspace.reset(catalog.puzzles[0])
        assert path.read_text() == "second = 2\n"
        assert Path(str(error.value).rpartition("The earlier one: ")[2]).read_text() == "first = 1\n"


RESET_FOREVER = """
import sys
from pathlib import Path
from gpulab.catalog.model import Catalog
from gpulab.workspace import Workspace
from tests.workspace.conftest import puzzle_in
folder = Path(sys.argv[1])
puzzle = puzzle_in(folder, "threads/map")
workspace = Workspace.open(folder / "work")
n = int(sys.argv[2])
workspace.reset(puzzle)  # or the save below would replace what the killed process had saved, as a learner's would
while True:
    path = workspace.start(puzzle)
    save = path.with_name("save")
    save.write_text(f"mine = {n}\\n" * 3000)
    save.replace(path)
    print(n, flush=True)
    workspace.reset(puzzle)
    n += 1
"""


@pytest.mark.slow
def test_kill_9_while_resetting_loses_no_work(tmp_path: Path) -> None:
    chance, saved = random.Random(3), [-1]
    for _ in range(8):
        process = python(RESET_FOREVER, str(tmp_path), str(saved[-1] + 1))
        assert process.stdout
        first = process.stdout.readline()
        time.sleep(chance.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        rest, errors = process.communicate(timeout=30)
        assert first, errors
        saved += [int(line) for line in (first + rest).split()]
    found = {path.read_text() for path in (tmp_path / "work").rglob("*.py")}
    assert {f"mine = {n}\n" * 3000 for n in saved[1:]} <= found
    assert found <= {f"mine = {n}\n" * 3000 for n in range(saved[-1] + 2)} | {STARTER, ""}, "no half files"


def test_on_a_full_disk_the_work_stays(tmp_path: Path, catalog: Catalog) -> None:
    with small_volume(tmp_path / "volume", 400) as root:
        workspace = Workspace.open(root, catalog)
        path = workspace.start(catalog.puzzles[0])
        path.write_text("mine = 1\n" * 1000)
        ballast = fill(root)
        with pytest.raises(WorkspaceError, match="cannot be written"):
            workspace.start(catalog.puzzles[1])
        assert not workspace.file_for(catalog.puzzles[1]).exists()
        with pytest.raises(WorkspaceError, match="Your files are as they were"):
            workspace.reset(catalog.puzzles[0])
        assert path.read_text() == "mine = 1\n" * 1000
        ballast.unlink()
        backup = workspace.reset(catalog.puzzles[0])
        assert backup and backup.read_text() == "mine = 1\n" * 1000


def test_what_a_killed_process_left_is_cleared_away(workspace: Workspace, catalog: Catalog) -> None:
    folder = workspace.file_for(catalog.puzzles[0]).parent
    folder.mkdir(parents=True)
    old, fresh = folder / ".gpulab-1.tmp", folder / ".gpulab-2.tmp"
    old.touch()
    fresh.touch()
    os.utime(old, (0, 0))
    workspace.start(catalog.puzzles[0])
    assert not old.exists()
    assert fresh.exists(), "another process may be writing it"


def test_a_folder_named_like_a_module_hinders_nothing(workspace: Workspace, tmp_path: Path) -> None:
    """A workspace has folders named `triton` and `collectives`; they are never on sys.path."""
    from tests.workspace.conftest import puzzle_in

    assert workspace.start(puzzle_in(tmp_path, "triton/add")).exists()
