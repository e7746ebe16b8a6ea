"""Which editor opens, where, and what the built-in one does to the file."""

from __future__ import annotations

import os
import stat

import pytest

from gpulab.tui import editor
from gpulab.tui.messages import CheckEnded
from gpulab.tui.screens.confirm import Confirm
from gpulab.tui.screens.editor import EditorScreen
from gpulab.tui.screens.lab import LabScreen
from gpulab.tui.screens.picker import Picker
from tests.tui.conftest import lab, screen_text, until

POOLING = "shared/pooling"


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A PATH that holds only what the test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def make(name: str, script: str = "exit 0") -> str:
        file = folder / name
        file.write_text(f"#!/bin/sh\n{script}\n")
        file.chmod(file.stat().st_mode | stat.S_IXUSR)
        return str(file)

    return make


def test_visual_comes_before_editor_and_a_missing_one_is_passed_over(programs):
    programs("nano")
    programs("hx")
    assert editor.chosen({"VISUAL": "hx", "EDITOR": "nano"}) == editor.Editor(("hx",))
    assert editor.chosen({"VISUAL": "nowhere", "EDITOR": "nano -l"}) == editor.Editor(("nano", "-l"))
    assert editor.chosen({"EDITOR": "nowhere"}) is None
    assert editor.chosen({"EDITOR": "broken 'quote"}) is None
    assert editor.chosen({}) is None


def test_the_line_is_given_only_to_editors_that_take_one(tmp_path):
    file = tmp_path / "a.py"
    assert editor.Editor(("vim",)).on(file, 17) == ["vim", "+17", str(file)]
    assert editor.Editor(("code", "-w")).on(file, 17) == ["code", "-w", "--goto", f"{file}:17"]
    assert editor.Editor(("subl",)).on(file, 17) == ["subl", f"{file}:17"]
    assert editor.Editor(("/usr/bin/nano",)).on(file, None) == ["/usr/bin/nano", str(file)]


def test_a_pane_stands_above_on_a_small_screen_and_beside_on_a_wide_one(tmp_path, programs):
    programs("tmux")
    low = editor.pane_command(["vim", "a b.py"], tmp_path, 80, 24, {"TMUX": "/tmp/x"})
    assert low is not None and low[:3] == ["tmux", "split-window", "-v"] and low[-1] == "vim 'a b.py'"
    wide = editor.pane_command(["vim", "a.py"], tmp_path, 200, 50, {"TMUX": "/tmp/x"})
    assert wide is not None and wide[2] == "-h"


def test_zellij_runs_a_pane_too_and_elsewhere_there_is_none(tmp_path, programs):
    programs("zellij")
    command = editor.pane_command(["vim", "a.py"], tmp_path, 80, 24, {"ZELLIJ": "0"})
    assert command is not None and command[:2] == ["zellij", "run"] and command[-2:] == ["vim", "a.py"]
    assert editor.pane_command(["vim", "a.py"], tmp_path, 80, 24, {}) is None
    assert editor.pane_command(["vim", "a.py"], tmp_path, 80, 24, {"TMUX": "/tmp/x"}) is None


def test_saving_replaces_the_file_at_once_and_keeps_its_mode(tmp_path):
    file = tmp_path / "a.py"
    file.write_text("old\n")
    file.chmod(0o640)
    inode = file.stat().st_ino
    editor.save_atomically(file, "new\n")
    assert file.read_text() == "new\n" and file.stat().st_ino != inode
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["a.py"]


async def test_the_editor_to_set_is_one_that_is_there(stage, programs, monkeypatch):
    monkeypatch.setattr(editor, "found", lambda: [editor.Editor(("vim",)), editor.Editor(("vi",))])
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "export EDITOR=vim." in " ".join(" ".join(screen_text(pilot)).split())


async def test_without_an_editor_it_says_what_to_type_and_offers_its_own(stage, programs):
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Picker)
        text = " ".join(" ".join(screen_text(pilot)).split())
        assert "No editor is set." in text and "export EDITOR=nano" in text and "built-in editor" in text
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, EditorScreen)


async def test_a_named_editor_that_is_not_there_is_named(stage, programs, monkeypatch):
    monkeypatch.setenv("EDITOR", "emacsclient")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "$EDITOR is emacsclient, which is not on this machine." in " ".join(screen_text(pilot))


async def test_the_built_in_editor_saves_only_by_its_key_and_the_save_is_checked(stage, programs):
    before = stage.puzzle(POOLING).starter.read_text()
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("e")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        await pilot.press(*"# plays", "colon", "space", *"race", "enter")
        assert "not saved" in screen_text(pilot)[0]
        assert stage.workspace.source(stage.puzzle(POOLING)) == before
        await pilot.press("f2")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        assert stage.workspace.source(stage.puzzle(POOLING)) == f"# plays: race\n{before}"
        await until(pilot, lambda: isinstance(pilot.app.screen, LabScreen))
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ RACE")


async def test_leaving_the_built_in_editor_with_changes_asks_first(stage, programs):
    async with stage.open(puzzle=POOLING) as pilot:
        pilot.app.edit_here(lab(pilot).state)
        await pilot.pause()
        await pilot.press("x", "escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, Confirm)
        await pilot.press("escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, EditorScreen) and pilot.app.screen.area.text.startswith("x")
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert lab(pilot)
    assert not (stage.workspace.source(stage.puzzle(POOLING)) or "").startswith("x")


async def test_leaving_without_changes_asks_nothing(stage):
    async with stage.open(puzzle=POOLING) as pilot:
        pilot.app.edit_here(lab(pilot).state)
        await pilot.pause()
        await pilot.press("escape")
        await pilot.pause()
        assert lab(pilot)


async def test_in_tmux_the_editor_opens_in_a_pane_and_the_app_goes_on(stage, programs, monkeypatch, tmp_path):
    programs("tmux", f'[ "$1" = split-window ] && echo "$@" > {tmp_path}/asked')
    programs("vim")
    monkeypatch.setenv("TMUX", "/tmp/tmux,1,0")
    monkeypatch.setenv("EDITOR", "vim")
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "vim is open in its own pane" in screen_text(pilot)[-2] and "r run" in screen_text(pilot)[-1]
        asked = (tmp_path / "asked").read_text()
        assert f"vim +17 {stage.workspace.file_for(stage.puzzle(POOLING))}" in asked


def test_in_vs_codes_terminal_vs_code_is_the_editor_unless_one_is_set(programs):
    programs("code")
    programs("vim")
    assert editor.chosen({"TERM_PROGRAM": "vscode"}) == editor.Editor(("code",))
    assert editor.chosen({"TERM_PROGRAM": "vscode", "EDITOR": "vim"}) == editor.Editor(("vim",))
    assert editor.chosen({"TERM_PROGRAM": "vscode", "TMUX": "/tmp/x"}) is None
    assert editor.chosen({}) is None


async def test_vs_code_opens_a_tab_and_the_app_stays(stage, programs, tmp_path, monkeypatch):
    programs("code", f'printf "%s\\n" "$@" > {tmp_path}/asked')
    monkeypatch.setenv("TERM_PROGRAM", "vscode")
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "pooling.py is open in code. Save there" in screen_text(pilot)[-2]
    asked = (tmp_path / "asked").read_text().split()
    assert asked == ["--goto", f"{stage.workspace.file_for(stage.puzzle(POOLING))}:17"]


async def test_an_editor_of_tabs_that_fails_is_told(stage, programs, monkeypatch):
    programs("code", "echo no display >&2; exit 1")
    monkeypatch.setenv("EDITOR", "code --wait")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "code could not open it: no display" in screen_text(pilot)[-2]


async def test_zellij_opens_a_pane_beside_or_below(stage, programs, tmp_path, monkeypatch):
    programs("zellij", f'printf "%s\\n" "$@" > {tmp_path}/asked')
    programs("vim")
    monkeypatch.setenv("ZELLIJ", "0")
    monkeypatch.setenv("EDITOR", "vim")
    stage.checked(POOLING, "race")
    async with stage.open(puzzle=POOLING) as pilot:
        await pilot.press("e")
        await pilot.pause()
        assert "vim is open in its own pane" in screen_text(pilot)[-2]
    asked = (tmp_path / "asked").read_text().split()
    assert asked[:4] == ["run", "--close-on-exit", "--direction", "down"] and asked[-2] == "+17"
