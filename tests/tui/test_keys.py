"""Keys: every one has an id, vital ones have two, none is a terminal's own, and a learner may have others."""

from __future__ import annotations

from collections import Counter

import pytest

from gpulab.tui import keymap, own_keys
from gpulab.tui.messages import CheckEnded
from tests.tui.conftest import lab, screen_text, until
from tests.tui.terminal import ROOT

POOLING = "shared/pooling"
VITAL = {
    "Home": ("home.open", "home.find", "home.commands", "home.help", "home.quit", "home.tracks", "home.puzzles"),
    "Lab": ("lab.run", "lab.cancel", "lab.edit", "lab.hint", "lab.next", "lab.list", "lab.commands", "lab.find",
            "lab.help", "lab.quit"),
    "Doctor": ("page.close",), "Whole track": ("whole.cancel", "whole.close"), "Help": ("page.close",),
    "A question": ("confirm.yes", "confirm.no"), "Built-in editor": ("editor.save",),
}
TAKEN = {"ctrl+b": "tmux", "ctrl+a": "screen", "ctrl+g": "Zellij", "ctrl+p": "Zellij, VS Code", "ctrl+q": "VS Code",
         "ctrl+w": "VS Code", "ctrl+n": "VS Code", "f5": "VS Code", "f6": "VS Code", "f10": "VS Code", "f11": "VS Code",
         "ctrl+z": "the shell", "ctrl+t": "VS Code", "ctrl+o": "Zellij"}


def test_every_binding_has_an_id_of_its_own():
    for keys in keymap.SCREENS.values():
        counts = Counter(key.id for key in keys if key.keys)
        assert all(counts) and max(counts.values()) == 1


def test_what_is_vital_has_two_keys_and_none_is_taken_by_what_the_terminal_runs_in():
    for screen, ids in VITAL.items():
        by_id = {key.id: key.keys.split(",") for key in keymap.SCREENS[screen]}
        for id in ids:
            assert len(by_id[id]) >= 2, id
    for key in keymap.every_key():
        assert not set(key.keys.split(",")) & TAKEN.keys(), key


def test_nothing_needs_shift_ctrl_or_alt():
    for key in keymap.every_key():
        plain = [name for name in key.keys.split(",") if "+" not in name]
        assert plain or key.action.startswith(("next_tab(-1", "choose(-1")), key


async def test_own_keys_do_it_and_are_what_the_footer_says(stage):
    stage.checked(POOLING, "race")
    own, problems = own_keys._checked({"lab.run": "x, f12", "lab.hint": "ctrl+h"})
    assert own == {"lab.run": "x,f12", "lab.hint": "ctrl+h"} and problems == []
    async with stage.open(puzzle=POOLING, own_keys=own) as pilot:
        assert screen_text(pilot)[-1].startswith(" x run")
        await pilot.press("x")
        await until(pilot, lambda: bool(stage.said(CheckEnded)))
        await pilot.press("r", "f9", "h")
        await pilot.pause()
        assert len(stage.said(CheckEnded)) == 1 and lab(pilot).state.tab == "result"
        await pilot.press("question_mark")
        await pilot.pause()
        assert any(row.startswith("  x, f12 ") for row in screen_text(pilot))


@pytest.mark.parametrize(("text", "said"), [
    ("lab.rum: r", "there is no key called lab.rum. Did you mean lab.run?"),
    ("lab.run: banana", "lab.run cannot be 'banana': no key is called so."),
    ("lab.run: [", "line 2: this is no YAML"),
    ("- r", "is no list of  id: keys"),
    ("lab.run: e", "on Lab, e is lab.run now, no longer lab.edit."),
])
def test_what_is_wrong_with_the_file_is_said_and_harms_nothing(tmp_path, text, said):
    (tmp_path / "keys.yaml").write_text(f"{text}\n")
    found, problems = own_keys.read(tmp_path)
    assert said in problems[0] and (found == {} or text == "lab.run: e")


def test_the_template_lists_every_key_and_changes_nothing_until_a_line_is_freed(tmp_path):
    file = own_keys.write_template(tmp_path)
    text = file.read_text()
    assert own_keys.read(tmp_path) == ({}, [])
    assert all(f"# {key.id}: " in text for key in keymap.every_key())
    ids = {key.id for key in keymap.every_key()}
    freed = "".join(line.removeprefix("# ") if line[2:].partition(":")[0] in ids else line
                    for line in text.splitlines(keepends=True))
    file.write_text(freed)
    found, problems = own_keys.read(tmp_path)
    assert problems == [] and len(found) == len(list(keymap.every_key()))
    own_keys.write_template(tmp_path)
    assert file.read_text() == freed


async def test_help_begins_with_the_keys_of_the_screen_it_was_opened_from(stage):
    async with stage.open((100, 80)) as pilot:
        for opens, name in (("", "Home"), ("c", "Whole track")):
            await pilot.press(*opens, "question_mark")
            await pilot.pause()
            headings = [row for row in screen_text(pilot) if row.startswith("── Keys: ")]
            assert headings[0].startswith(f"── Keys: {name}")
            for shown, _ in keymap.explained(keymap.SCREENS[name]):
                assert any(row.startswith(f"  {shown} ") for row in screen_text(pilot)), shown
            await pilot.press("escape")


async def test_the_commands_offer_what_keys_do(stage):
    """By name, for who does not know the key."""
    stage.checked(POOLING, "passed")
    async with stage.open((100, 60), puzzle=POOLING) as pilot:
        names = {choice.name for choice in pilot.app._commands()}
        for word in ("Run", "Edit", "Brief", "Code", "Result", "Timing", "Hints", "hint", "Next", "reference", "Copy",
                     "List", "starter", "Find", "Doctor", "Help", "Quit", "keys", "Time it"):
            assert any(word.lower() in name.lower() for name in names), word


def test_the_page_about_keys_lists_them_all():
    """`./lab pictures keys` writes it anew."""
    assert (ROOT / "docs" / "keys.md").read_text("utf-8") == own_keys.documented()
