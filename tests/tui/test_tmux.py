"""The app in a real tmux: a whole first session, an editor in a pane, a resize, and a client without UTF-8."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tui.stage import played
from tests.tui.terminal import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not installed")]


class Tmux:
    """A tmux server of its own, with one session that runs the app on a stage."""

    def __init__(self, home: Path, columns: int = 80, rows: int = 24, **environ: str) -> None:
        self.name = f"gpulab-test-{home.name}"
        self.home = home
        settings = {"HOME": str(home), "TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "", "VISUAL": "",
                    "EDITOR": "", "NO_COLOR": "", "PYTHONPATH": str(ROOT)} | environ
        unset = [f"-u {name}" for name, value in settings.items() if not value]
        kept = [f"{name}='{value}'" for name, value in settings.items() if value]
        app = f"'{sys.executable}' -m tests.tui.stage '{home}' --real-terminal shared/pooling"
        command = f"cd '{ROOT}' && env {' '.join([*unset, *kept])} {app}; echo left with $?; sleep 60"
        size = ("-x", str(columns), "-y", str(rows))
        self.run("-u", "-f", "/dev/null", "new-session", "-d", *size, "-s", "main", command)

    def run(self, *arguments: str) -> str:
        done = subprocess.run(["tmux", "-L", self.name, *arguments], capture_output=True, text=True, timeout=20)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def press(self, *keys: str) -> None:
        self.run("send-keys", "-t", "main", *keys)

    def text(self, pane: str = "main") -> str:
        return self.run("capture-pane", "-p", "-t", pane)

    def until(self, words: str, seconds: float = 30, pane: str = "main") -> str:
        end = time.monotonic() + seconds
        while words not in (text := self.text(pane)):
            assert time.monotonic() < end, f"not seen: {words}\n{text}"
            time.sleep(0.1)
        return text

    def save(self, name: str) -> None:
        (self.home / "gpulab-work/shared/pooling.py").write_text(played(name), "utf-8")

    def close(self) -> None:
        subprocess.run(["tmux", "-L", self.name, "kill-server"], capture_output=True, timeout=20)


@pytest.fixture
def tmux(tmp_path: Path) -> Iterator[Tmux]:
    session = Tmux(tmp_path)
    yield session
    session.close()


def test_a_first_session_in_tmux_at_80_by_24(tmux):
    tmux.until("element from global memory only once.")
    tmux.until("q quit")
    tmux.save("race")
    text = tmux.until("▌ RACE")
    assert "◀ thread 31 writes [33]" in text and len(text.rstrip("\n").split("\n")) == 24
    tmux.press("h")
    tmux.until("Points at one cell")
    tmux.press("h")
    tmux.until("Take tile[33]")
    tmux.save("passed")
    tmux.until("▌ SOLVED")
    tmux.press("n")
    tmux.until("shared / dot")
    tmux.press("l")
    assert "1 of 24 solved" in tmux.until("gpulab ")
    tmux.press("q")
    tmux.until("left with 0")


def test_at_120_by_40_source_and_evidence_stand_side_by_side(tmp_path):
    session = Tmux(tmp_path, 120, 40)
    try:
        session.until("q quit")
        session.save("wrong_answer")
        text = session.until("▌ WRONG ANSWER")
        row = next(line for line in text.splitlines() if "── pooling.py" in line)
        assert "┬── Around the first wrong element" in row
    finally:
        session.close()


def test_resizing_in_tmux_draws_the_other_layout(tmux):
    tmux.until("q quit")
    tmux.save("race")
    tmux.until("▌ RACE")
    tmux.run("resize-window", "-t", "main", "-x", "120", "-y", "40")
    tmux.until("Both orders are allowed")
    tmux.run("resize-window", "-t", "main", "-x", "50", "-y", "15")
    tmux.until("gpulab needs 60 columns")
    tmux.run("resize-window", "-t", "main", "-x", "80", "-y", "24")
    tmux.until("◀ thread 31 writes [33]")


def test_the_editor_opens_in_a_pane_above_and_its_save_is_checked(tmp_path):
    editor = tmp_path / "ed"
    editor.write_text(f"#!/bin/sh\nprintf '%s\\n' \"$@\" > {tmp_path}/asked\nread line\n")
    editor.chmod(0o755)
    session = Tmux(tmp_path, EDITOR=str(editor))
    try:
        session.until("q quit")
        session.press("e")
        session.until("is open in its own pane", pane="main.{bottom}")
        panes = session.run("list-panes", "-t", "main", "-F", "#{pane_top} #{pane_height}").split("\n")
        assert panes[0].startswith("0 ") and len(panes) == 3
        assert (tmp_path / "asked").read_text().strip().endswith("gpulab-work/shared/pooling.py")
        session.save("race")
        text = session.until("▌ RACE", pane="main.{bottom}")
        assert "still be writing it on line 13." in text
    finally:
        session.close()


def test_a_tmux_client_without_utf8_gets_ascii_and_is_told_how_to_change_that(tmp_path):
    """`#{client_utf8}` needs an attached client: a pty attaches one whose locale has no UTF-8."""
    import pexpect

    session = Tmux(tmp_path)
    try:
        session.until("q quit")
        session.press("q")
        session.until("left with 0")
        client = {"TERM": "xterm-256color", "LC_ALL": "C", "PATH": "/usr/bin:/bin", "HOME": "/"}
        attached = pexpect.spawn("tmux", ["-L", session.name, "attach", "-t", "main"], dimensions=(24, 80), env=client)
        time.sleep(1)
        assert session.run("display", "-p", "-t", "main", "#{client_utf8}").strip() == "0"
        command = f"cd '{ROOT}' && env HOME='{tmp_path}' LANG=C.UTF-8 '{sys.executable}' -m tests.tui.stage " \
                  f"'{tmp_path}' --real-terminal"
        session.run("respawn-pane", "-k", "-t", "main", command)
        text = " ".join(session.until("attached without UTF-8").split())
        assert text.isascii() and "tmux -u attach, or export LANG=C.UTF-8" in text
        attached.close(force=True)
    finally:
        session.close()
