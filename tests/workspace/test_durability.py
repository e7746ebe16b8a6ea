"""Nothing is lost: not by kill -9, not by two at once, a full disk, a read-only one, a damaged file, missing locks."""

from __future__ import annotations

import errno
import os
import random
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest

from gpulab.workspace import Workspace, database
from gpulab.workspace.lockfile import LockFile
from tests.workspace.conftest import report_of
from tests.workspace.volumes import fill, python, remount, small_volume

RECORD_FOREVER = """
import sys
from pathlib import Path
from gpulab.workspace import Workspace
from tests.workspace.conftest import report_of
workspace = Workspace.open(Path(sys.argv[1]))
n = int(sys.argv[2])
while True:
    workspace.progress.record(report_of(f"threads/{n}", "wrong answer", source="x" * 50_000))
    assert workspace.progress.recording, workspace.problems
    print(n, flush=True)   # what is printed was recorded
    n += 1
"""

RECORD_MANY = """
import sys
from pathlib import Path
from gpulab.workspace import Workspace
from tests.workspace.conftest import report_of
from tests.workspace.volumes import forbid_file_locks
root, name, count, locks = sys.argv[1:]
if locks == "no locks":
    try:
        forbid_file_locks()
    except OSError as error:
        sys.exit(f"skip: {error}")
workspace = Workspace.open(Path(root))
assert workspace.volume.locks == (locks == "locks") or not (workspace.root / "progress.db").exists()
for n in range(int(count)):
    workspace.progress.record(report_of(f"{name}/{n}"))
    workspace.progress.read_hint("shared/pooling")
    assert workspace.progress.recording, workspace.problems
assert workspace.volume.locks == (locks == "locks")
"""


def finished(process: subprocess.Popen[str]) -> None:
    _, errors = process.communicate(timeout=120)
    if errors.startswith("skip: "):
        pytest.skip(errors)
    assert process.returncode == 0, errors


def is_sound(path: Path) -> bool:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def killed_after(process: subprocess.Popen[str], seconds: float) -> list[int]:
    """The numbers it printed before it was killed, at a random moment after the first."""
    assert process.stdout
    first = process.stdout.readline()
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    rest, errors = process.communicate(timeout=30)
    assert first, errors
    return [int(line) for line in (first + rest).split()]


@pytest.mark.slow
def test_kill_9_while_recording_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    chance, n, recorded = random.Random(7), 0, []
    for _ in range(12):
        numbers = killed_after(python(RECORD_FOREVER, str(tmp_path / "work"), str(n)), chance.uniform(0, 0.08))
        recorded += numbers
        n = recorded[-1] + 2  # the one after the last printed may or may not be there
    progress = Workspace.open(tmp_path / "work").progress
    assert {f"threads/{n}" for n in recorded} <= set(progress.standings())
    assert progress.last(f"threads/{recorded[-1]}") == report_of(
        f"threads/{recorded[-1]}", "wrong answer", source="x" * 50_000)
    assert not progress.problems
    assert is_sound(tmp_path / "work/progress.db")


@pytest.mark.parametrize("locks", ["locks", "no locks"])
def test_three_at_once_record_everything(tmp_path: Path, locks: str) -> None:
    root, count = tmp_path / "work", 15
    processes = [python(RECORD_MANY, str(root), f"app{n}", str(count), locks) for n in range(3)]
    for process in processes:
        finished(process)
    progress = Workspace.open(root).progress
    assert len(progress.standings()) == 3 * count + 1
    assert count <= progress.hints_read("shared/pooling") <= 3 * count
    assert is_sound(root / "progress.db")
    assert not list(root.glob("*.lock*"))


KILLED_WITHOUT_LOCKS = """
from tests.workspace.volumes import forbid_file_locks
import sys
try:
    forbid_file_locks()
except OSError as error:
    sys.exit(f"skip: {error}")
""" + RECORD_FOREVER


@pytest.mark.slow
def test_kill_9_without_file_locks_neither_loses_nor_blocks(tmp_path: Path) -> None:
    root, chance, n, recorded = tmp_path / "work", random.Random(11), 0, []
    for _ in range(8):
        process = python(KILLED_WITHOUT_LOCKS, str(root), str(n))
        assert process.stdout
        first = process.stdout.readline()
        if not first:
            finished(process)
        time.sleep(chance.uniform(0, 0.08))
        process.kill()
        rest, _ = process.communicate(timeout=30)
        recorded += [int(line) for line in (first + rest).split()]
        n = recorded[-1] + 2
    finished(python(RECORD_MANY, str(root), "after", "1", "no locks"))
    progress = Workspace.open(root).progress
    assert {*(f"threads/{n}" for n in recorded), "after/0"} <= set(progress.standings())
    assert is_sound(root / "progress.db")


def test_locks_that_fail_with_another_error_are_noticed_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(errno.ENOSYS, "Function not implemented")

    monkeypatch.setattr(database.fcntl, "lockf", refuse)
    workspace = Workspace.open(tmp_path / "work")
    workspace.progress.record(report_of("threads/map"))
    assert not workspace.volume.locks
    assert workspace.progress.recording
    assert Workspace.open(tmp_path / "work").progress.solved("threads/map")


def test_a_locking_error_on_a_volume_with_locks_does_not_switch_them_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One gpulab with locks and one without would write over each other."""
    workspace = Workspace.open(tmp_path / "work")
    workspace.progress.record(report_of("threads/map"))

    def protocol(*arguments: object, **more: object) -> None:
        raise sqlite3.OperationalError("locking protocol")

    with monkeypatch.context() as patch:
        patch.setattr(database.sqlite3, "connect", lambda name, **more: protocol() if ":memory:" not in name
                      else sqlite3.Connection(name, **more))
        workspace.progress.record(report_of("threads/zip"))
        assert "locking protocol" in workspace.problems[0]
        assert workspace.volume.locks
    workspace.progress.touch("threads/zip")
    assert Workspace.open(tmp_path / "work").progress.solved("threads/zip"), "kept in memory until it could be written"


def test_a_lock_left_by_a_dead_process_is_removed_at_once(tmp_path: Path) -> None:
    path = tmp_path / "progress.db.lock"
    process = python("import sys, os; from pathlib import Path; from gpulab.workspace.lockfile import LockFile\n"
                     "LockFile(Path(sys.argv[1])).__enter__(); os._exit(0)", str(path))
    process.communicate(timeout=30)
    assert path.exists()
    started = time.monotonic()
    with LockFile(path):
        assert time.monotonic() - started < 1
    assert not path.exists()


def test_a_lock_of_a_machine_that_is_gone_is_removed_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "progress.db.lock"
    path.write_text("another-host 1 token")
    monkeypatch.setattr("gpulab.workspace.lockfile.DEAD", 0.3)
    with LockFile(path):
        pass
    assert not path.exists()


def test_a_lock_that_a_living_process_keeps_is_respected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gpulab.workspace.lockfile.GIVE_UP", 0.2)
    with LockFile(tmp_path / "lock"), pytest.raises(TimeoutError), LockFile(tmp_path / "lock"):
        pass


def test_a_full_disk_is_said_and_what_is_missing_is_recorded_later(tmp_path: Path) -> None:
    with small_volume(tmp_path / "volume", 400) as root:
        workspace = Workspace.open(root)
        workspace.progress.record(report_of("threads/map"))
        ballast = fill(root)
        noise = "".join(random.Random(1).choices("abcdefghijklmnopqrstuvwxyz0123456789", k=300_000))
        workspace.progress.record(report_of("threads/zip", source=noise))
        assert f"The disk of {root} is full, so progress is not being recorded." in workspace.problems[0]
        assert workspace.progress.solved("threads/zip"), "this session knows it"
        assert workspace.progress.solved("threads/map"), "and what was there before"
        assert not Workspace.open(root).progress.solved("threads/zip")
        assert Workspace.open(root).progress.solved("threads/map")
        ballast.unlink()
        workspace.progress.touch("threads/guard")
        assert workspace.progress.recording
        assert Workspace.open(root).progress.solved("threads/zip")


def test_a_read_only_disk_is_said_and_can_be_read(tmp_path: Path) -> None:
    with small_volume(tmp_path / "volume", 4000) as root:
        Workspace.open(root).progress.record(report_of("threads/map"))
        remount(root, "ro")
        workspace = Workspace.open(root)
        assert workspace.progress.solved("threads/map")
        assert "cannot be written" in workspace.problems[0]
        workspace.progress.record(report_of("threads/zip"))
        assert sum("cannot be written" in problem for problem in workspace.problems) == 1
        assert workspace.progress.solved("threads/zip")
        remount(root, "rw")
        workspace.progress.touch("threads/zip")
        assert Workspace.open(root).progress.solved("threads/zip")


def test_a_read_only_disk_without_a_workspace_yet_is_said(tmp_path: Path) -> None:
    with small_volume(tmp_path / "volume", 400) as mount:
        remount(mount, "ro")
        workspace = Workspace.open(mount / "work")
        workspace.progress.record(report_of("threads/map"))
        assert "cannot be written" in workspace.problems[0]
        assert workspace.progress.solved("threads/map")


def test_a_busy_database_is_said_and_caught_up_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.1)
    workspace = Workspace.open(tmp_path / "work")
    workspace.progress.record(report_of("threads/map"))
    with closing(sqlite3.connect(tmp_path / "work/progress.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        workspace.progress.record(report_of("threads/zip"))
        assert "Another program keeps progress.db busy" in workspace.problems[0]
        assert (tmp_path / "work/progress.db").exists(), "busy is not damaged"
    workspace.progress.touch("threads/zip")
    assert not [problem for problem in workspace.problems if "keeps progress.db" in problem]
    assert Workspace.open(tmp_path / "work").progress.solved("threads/zip")


class TestDamagedFile:
    def test_rubbish_is_set_aside_and_told(self, tmp_path: Path) -> None:
        path = tmp_path / "progress.db"
        path.write_bytes(b"not a database at all, " * 500)
        workspace = Workspace.open(tmp_path)
        workspace.progress.record(report_of("threads/map"))
        aside, = tmp_path.glob("progress.db.corrupt-*")
        assert aside.read_bytes().startswith(b"not a database")
        assert f"progress.db was damaged. It is set aside as {aside}; nothing could be read." in workspace.problems
        assert Workspace.open(tmp_path).progress.solved("threads/map")

    def test_what_can_still_be_read_is_kept(self, tmp_path: Path) -> None:
        progress = Workspace.open(tmp_path).progress
        for n in range(120):
            progress.record(report_of(f"threads/{n}"))
        path = tmp_path / "progress.db"
        content = bytearray(path.read_bytes())
        middle = len(content) // 2 // 4096 * 4096
        content[middle:middle + 4 * 4096] = os.urandom(4 * 4096)
        path.write_bytes(content)
        workspace = Workspace.open(tmp_path)
        found = workspace.progress.standings()
        for n in range(3):
            workspace.progress.record(report_of(f"after/{n}"))
        workspace.progress.everything()
        assert is_sound(path)
        assert [problem for problem in workspace.problems if "was damaged" in problem]
        kept = [id for id in workspace.progress.standings() if id.startswith("threads/")]
        assert len(kept) >= 20, (len(found), workspace.problems)

    def test_a_truncated_file_is_set_aside(self, tmp_path: Path) -> None:
        progress = Workspace.open(tmp_path).progress
        for n in range(50):
            progress.record(report_of(f"threads/{n}"))
        path = tmp_path / "progress.db"
        os.truncate(path, path.stat().st_size // 2 + 100)
        workspace = Workspace.open(tmp_path)
        workspace.progress.record(report_of("after/0"))
        assert workspace.progress.recording, workspace.problems
        assert Workspace.open(tmp_path).progress.solved("after/0")
        assert is_sound(path)

    def test_a_sound_file_that_another_gpulab_put_there_is_not_set_aside(self, tmp_path: Path) -> None:
        """Both saw the damage; the second must not set aside what the first has made."""
        path = tmp_path / "progress.db"
        path.write_bytes(b"rubbish " * 1000)
        slow, quick = database.Database(path), Workspace.open(tmp_path)
        quick.progress.record(report_of("threads/map"))
        slow._set_aside()
        assert len(list(tmp_path.glob("progress.db.corrupt-*"))) == 1
        assert Workspace.open(tmp_path).progress.solved("threads/map")

    def test_a_database_of_another_program_is_not_written_into(self, tmp_path: Path) -> None:
        with closing(sqlite3.connect(tmp_path / "progress.db")) as connection:
            connection.execute("CREATE TABLE recipes (name)")
        Workspace.open(tmp_path).progress.touch("threads/map")
        aside, = tmp_path.glob("progress.db.corrupt-*")
        with closing(sqlite3.connect(aside)) as connection:
            assert connection.execute("SELECT name FROM sqlite_master").fetchall() == [("recipes",)]


def test_progress_may_be_used_from_many_threads(workspace: Workspace) -> None:
    from concurrent.futures import ThreadPoolExecutor

    def work(n: int) -> None:
        workspace.progress.record(report_of(f"threads/{n}"))
        workspace.progress.read_hint("threads/0")
        workspace.progress.standings()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(24)))
    standings = workspace.progress.standings()
    assert len(standings) == 24
    assert all(standing.solved for standing in standings.values())
    assert not workspace.progress.problems
