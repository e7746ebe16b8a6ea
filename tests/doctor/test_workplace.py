"""The workspace's folder, tried for real: read-only, silent, without locks, lost when stopped."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gpulab.doctor.checks.workplace import checks
from gpulab.doctor.model import Check
from gpulab.doctor.workplace import NEVER, examine_workplace, seconds_to_notice
from gpulab.workspace import database, place, volume
from tests.doctor.machines import named
from tests.workspace.volumes import remount, small_volume

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the developer's home, and a disk that stays."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(volume, "_is_lost", lambda mount, kind: False)


def seen(home: Path) -> list[Check]:
    return list(checks(examine_workplace(home)))


def test_a_good_folder_is_tried_and_left_as_it_was(tmp_path: Path) -> None:
    work = tmp_path / "work"
    work.mkdir()
    (work / "mine.py").write_text("mine = 1\n")
    found = seen(work)
    assert [check.state for check in found] == ["ok"] * 4
    assert named(found, "folder").sentence.startswith(str(work))
    assert named(found, "progress").sentence == "File locks and SQLite work."
    assert os.listdir(work) == ["mine.py"]


def test_a_folder_that_is_not_made_yet_is_not_made(tmp_path: Path) -> None:
    found = seen(tmp_path / "later")
    assert named(found, "folder").state == "ok"
    assert os.listdir(tmp_path) == []


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="/proc is not here")
def test_a_folder_that_cannot_be_written_is_a_problem_even_for_root() -> None:
    found = seen(Path("/proc/gpulab-work"))
    check = named(found, "folder")
    assert check.state == "problem"
    assert check.sentence.startswith("/proc/gpulab-work cannot be written (")
    assert check.cure == "gpulab --home ~/gpulab-work"
    assert [other.name for other in found] == ["folder", "disk"]


def test_a_volume_mounted_read_only_is_a_problem(tmp_path: Path) -> None:
    with small_volume(tmp_path / "volume", 400) as mount:
        remount(mount, "ro")
        check = named(seen(mount / "work"), "folder")
    assert check.state == "problem"
    assert "cannot be written (Read-only file system), so your work cannot be kept." in check.sentence


def test_a_folder_inside_a_checkout_is_refused_with_another(tmp_path: Path) -> None:
    check, = seen(ROOT / "work")
    assert check.state == "problem"
    assert "is inside a checkout of gpulab" in check.sentence
    assert check.cure == "gpulab --home ~/gpulab-work"


def test_a_disk_that_a_stopped_machine_loses_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volume, "_is_lost", lambda mount, kind: True)
    check = named(seen(tmp_path / "work"), "disk")
    assert check == Check("disk", "warning", "Your work is lost when this machine is stopped. To take a copy with "
                          "you:", "gpulab export --output FILE")


def test_where_a_volume_stays_the_cure_moves_the_work_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pod = tmp_path / "pod"
    pod.mkdir()
    work = tmp_path / "my work"
    work.mkdir()
    monkeypatch.setattr(place, "POD_VOLUME", pod)
    monkeypatch.setattr(os.path, "ismount", lambda path: path == pod)
    monkeypatch.setattr(volume, "_is_lost", lambda mount, kind: mount != pod)
    monkeypatch.setattr(volume, "_mount_of", lambda path: (
        (pod, "ext4") if pod in (path, *path.parents) else (Path("/"), "overlay")))
    check = named(seen(work), "disk")
    assert check.sentence == "Your work is lost when this machine is stopped. To keep it:"
    assert check.cure == f"mv '{work}' {pod}/gpulab-work && gpulab --home {pod}/gpulab-work"


def test_a_full_disk_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(volume, "free_bytes", lambda path: 5 << 20)
    check = named(seen(tmp_path), "folder")
    assert check.state == "warning"
    assert "only 5 MB are free" in check.sentence
    assert check.cure.startswith("du -xsh ")


def test_saves_are_told_by_the_kernel_here(tmp_path: Path) -> None:
    seconds = seconds_to_notice(tmp_path / "saved.py", NEVER, 3.0)
    assert seconds is not None
    assert seconds < 1


def test_on_a_silent_volume_saves_are_seen_by_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def silent(*paths: Any, stop_event: Any, **options: Any) -> Iterator[Any]:
        stop_event.wait(options["rust_timeout"] / 1000)
        yield set()

    monkeypatch.setattr("watchfiles.watch", silent)
    work = examine_workplace(tmp_path)
    assert work.noticed is None
    assert work.polled is not None and 0 < work.polled < 2.5
    check = named(checks(work), "saves")
    assert check.state == "ok"
    assert "by reading the file every second" in check.sentence


def test_a_volume_without_file_locks_is_said_and_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("gpulab.doctor.workplace", "gpulab.workspace.database"):
        monkeypatch.setattr(f"{module}.file_locks_work", lambda path: False)
    check = named(seen(tmp_path), "progress")
    assert check == Check("progress", "ok", "This volume has no file locks; a lock file stands in for them.")


def test_a_database_that_cannot_be_written_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*arguments: Any, **options: Any) -> Any:
        raise database.sqlite3.OperationalError("database or disk is full")

    monkeypatch.setattr(database.sqlite3, "connect", full)
    check = named(seen(tmp_path), "progress")
    assert check.state == "problem"
    assert "Progress cannot be kept: The disk of " in check.sentence
    assert check.sentence.endswith(" is full.")
