"""Every save is seen, by whatever editor, and only saves."""

from __future__ import annotations

import os
import queue
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpulab.workspace.watch import Save, watch


class Watcher:
    """`watch` in a thread of its own; `seen` are the contents it reported."""

    def __init__(self, file: Path, *, slow: float = 0.0, poll_seconds: float = 1.0, since: bytes | None = None) -> None:
        self.seen: list[bytes] = []
        self._slow = slow
        self._news = threading.Condition()
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=watch, args=(file, self._note, self._stop), kwargs={"poll_seconds": poll_seconds, "since": since})
        self._thread.start()
        time.sleep(0.3)  # for the kernel's watch to stand; a save before that is seen by the poll

    def _note(self, save: Save) -> None:
        with self._news:
            self.seen.append(save.source)
            self._news.notify_all()
        time.sleep(self._slow)

    def waits_for(self, content: bytes, seconds: float = 5.0) -> bool:
        with self._news:
            return self._news.wait_for(lambda: bool(self.seen) and self.seen[-1] == content, seconds)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(5)
        assert not self._thread.is_alive(), "it stops when told"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "map.py"
    path.write_bytes(b"one = 1\n")
    return path


@pytest.fixture
def watcher(file: Path) -> Iterator[Watcher]:
    watcher = Watcher(file)
    yield watcher
    watcher.stop()


def write_in_place(file: Path, content: bytes) -> None:
    file.write_bytes(content)


def rename_over(file: Path, content: bytes) -> None:
    temporary = file.with_name("map.py.tmp~")
    temporary.write_bytes(content)
    os.replace(temporary, file)


def backup_then_write(file: Path, content: bytes) -> None:
    """As vim does with `backupcopy=no`: the old file becomes `map.py~`, a new one is written and the backup removed."""
    backup = file.with_name("map.py~")
    os.rename(file, backup)
    file.write_bytes(content)
    backup.unlink()


def truncate_wait_write(file: Path, content: bytes) -> None:
    with open(file, "wb", buffering=0) as handle:
        time.sleep(0.15)
        handle.write(content)


def write_in_pieces(file: Path, content: bytes) -> None:
    with open(file, "wb", buffering=0) as handle:
        for byte in content:
            handle.write(bytes([byte]))


@pytest.mark.parametrize("save", [write_in_place, rename_over, backup_then_write, truncate_wait_write, write_in_pieces])
def test_every_way_to_save_is_seen_once(file: Path, watcher: Watcher, save: object) -> None:
    for content in (b"two = 2  # longer than before\n", b"3\n"):
        save(file, content)  # type: ignore[operator]
        assert watcher.waits_for(content)
    assert watcher.seen == [b"two = 2  # longer than before\n", b"3\n"]


def test_vim_itself_is_seen(file: Path, watcher: Watcher) -> None:
    try:
        subprocess.run(["vim", "-N", "-u", "NONE", "-es", "-c", "%s/one/two/", "-c", "wq", str(file)], check=True,
                       stdin=subprocess.DEVNULL, timeout=20)
    except FileNotFoundError:
        pytest.skip("vim is not installed here")
    assert watcher.waits_for(b"two = 1\n")


def test_a_save_is_seen_within_a_blink(file: Path, watcher: Watcher) -> None:
    started = time.monotonic()
    file.write_bytes(b"two = 2\n")
    assert watcher.waits_for(b"two = 2\n")
    assert time.monotonic() - started < 0.3


def test_the_same_content_again_is_no_change(file: Path, watcher: Watcher) -> None:
    for save in (write_in_place, rename_over, backup_then_write):
        save(file, b"one = 1\n")
    file.touch()
    file.with_name("other.py").write_bytes(b"x")
    time.sleep(0.3)
    assert watcher.seen == []


@pytest.mark.slow
def test_fifty_saves_in_five_seconds_gather_and_the_last_is_not_missed(file: Path) -> None:
    watcher = Watcher(file, slow=0.4)
    for n in range(50):
        (write_in_place if n % 2 else rename_over)(file, b"n = %d\n" % n)
        time.sleep(0.1)
    assert watcher.waits_for(b"n = 49\n")
    watcher.stop()
    assert 5 < len(watcher.seen) < 20
    assert watcher.seen == sorted(watcher.seen, key=lambda content: int(content[4:])), "never back to an older one"


def test_a_volume_that_says_nothing_is_polled(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a network volume behaves when another machine writes: no word from the kernel at all."""
    monkeypatch.setattr("watchfiles.main._prep_changes", lambda *arguments: set())
    watcher = Watcher(file, poll_seconds=0.2)
    rename_over(file, b"two = 2\n")
    assert watcher.waits_for(b"two = 2\n", 2)
    watcher.stop()


def test_the_kernels_refusal_to_watch_is_met_by_polling(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments: object) -> None:
        raise OSError(28, "OS file watch limit reached")

    monkeypatch.setattr("watchfiles.main.RustNotify", refuse)
    watcher = Watcher(file, poll_seconds=0.1)
    write_in_place(file, b"two = 2\n")
    assert watcher.waits_for(b"two = 2\n", 2)
    watcher.stop()


def test_a_change_of_one_letter_in_one_tick_of_the_clock_is_seen_by_polling(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("watchfiles.main._prep_changes", lambda *arguments: set())
    watcher = Watcher(file, poll_seconds=0.1)
    before = file.stat()
    file.write_bytes(b"one = 2\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert watcher.waits_for(b"one = 2\n", 2)
    watcher.stop()


def test_a_file_that_is_emptied_for_good_is_a_change(file: Path, watcher: Watcher) -> None:
    file.write_bytes(b"")
    assert watcher.waits_for(b"", 4)


def test_a_file_that_goes_and_comes_back_changed(file: Path, watcher: Watcher) -> None:
    file.unlink()
    time.sleep(0.2)
    assert watcher.seen == []
    file.write_bytes(b"two = 2\n")
    assert watcher.waits_for(b"two = 2\n")


def test_a_file_and_folder_that_do_not_exist_yet(tmp_path: Path) -> None:
    file = tmp_path / "threads/map.py"
    watcher = Watcher(file, poll_seconds=0.1)
    file.parent.mkdir()
    file.write_bytes(b"one = 1\n")
    assert watcher.waits_for(b"one = 1\n")
    time.sleep(0.3)
    file.write_bytes(b"two = 2\n")
    assert watcher.waits_for(b"two = 2\n")
    watcher.stop()


def test_a_save_since_the_caller_looked_is_reported_at_once(file: Path) -> None:
    watcher = Watcher(file, since=b"zero = 0\n")
    assert watcher.waits_for(b"one = 1\n", 1)
    watcher.stop()


def test_a_file_that_goes_is_told_once_and_its_return_is_a_save(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rename leaves no file for a moment, and that is not told: see the editors above."""
    monkeypatch.setattr("gpulab.workspace.watch.GONE_SECONDS", 0.1)
    file, stop, seen, gone = tmp_path / "a.py", threading.Event(), queue.Queue[bytes](), queue.Queue[bool]()
    file.write_bytes(b"x = 1\n")
    watcher = threading.Thread(target=watch, args=(file, lambda save: seen.put(save.source), stop), daemon=True,
                               kwargs={"poll_seconds": 0.05, "since": b"x = 1\n", "on_gone": lambda: gone.put(True)})
    watcher.start()
    try:
        file.unlink()
        assert gone.get(timeout=10)
        with pytest.raises(queue.Empty):
            gone.get(timeout=0.3)
        file.write_bytes(b"x = 1\n")
        assert seen.get(timeout=10) == b"x = 1\n"
    finally:
        stop.set()
        watcher.join(5)
