"""Every key of the app. A screen says which of its actions work now; the footer and the bindings follow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual.binding import Binding, BindingType

from gpulab.views.frame import KeyHint


@dataclass(frozen=True)
class Key:
    """Keys that do one thing. `keys` as Textual names them, `shown` as the footer writes them."""

    keys: str
    shown: str
    action: str
    does: str
    """For the footer: a word."""
    explained: str = ""
    """For the help; keys that share an action are explained once."""


TABS = ("brief", "code", "result", "timing", "hints")
"""The Lab's tabs; digits open them in this order."""

_TABS = {
    "brief": "Brief: what to write, and what counts as done",
    "code": "Code: your file, with what is said of its lines",
    "result": "Result: what the last check found",
    "timing": "Timing: how fast, against what; without a GPU, what would be measured",
    "hints": "Hints",
}

HOME = (
    Key("enter", "enter", "open", "continue", "open the puzzle under Next or under the cursor"),
    Key("up,k", "↑↓", "move(-1)", "track", "another track, or another puzzle"),
    Key("down,j", "↑↓", "move(1)", "track"),
    Key("right,tab", "→", "puzzles", "puzzles", "into the puzzles of the chosen track"),
    Key("left,escape,shift+tab", "←", "tracks", "tracks", "back to the tracks"),
    Key("slash", "/", "find", "find", "find a puzzle by some letters"),
    Key("c", "c", "check_track", "check all", "check every file of the chosen track"),
    Key("p", "p", "commands", "commands", "commands by name; themes too"),
    Key("d", "d", "doctor", "doctor", "what this machine can do, and what cures what it cannot"),
    Key("question_mark,f1", "?", "help", "help", "this page: keys, words, marks"),
    Key("q", "q", "quit", "quit", "leave; everything is kept"),
)

LAB = (
    Key("r", "r", "run", "run", "check the file now; a save does that too"),
    Key("escape", "escape", "cancel", "cancel the run", "give up the check that is running; nothing else"),
    Key("e", "e", "edit", "edit", "open the file in your editor ($VISUAL, $EDITOR)"),
    *(Key(str(number), str(number), f"tab('{tab}')", tab, _TABS[tab]) for number, tab in enumerate(TABS, start=1)),
    Key("tab", "tab", "next_tab(1)", "next tab", "the next tab; shift-tab, the one before"),
    Key("shift+tab", "shift-tab", "next_tab(-1)", "tab before"),
    Key("h", "h", "hint", "hint", "hints; there, one more hint"),
    Key("b", "b", "time", "time it", "time your file and the reference on this machine's GPU"),
    Key("s", "s", "solution", "solution", "the reference solution; asks first while the puzzle is open"),
    Key("y", "y", "copy", "copy", "copy the report, and write it to a file"),
    Key("n", "n", "next", "next", "the next puzzle, once this one is solved"),
    Key("up,k", "↑↓", "scroll(-1)", "more", "scroll what does not fit; page up, page down, home, end too"),
    Key("down,j", "↑↓", "scroll(1)", "more"),
    Key("pageup", "page up", "page(-1)", "more"),
    Key("pagedown,space", "page down", "page(1)", "more"),
    Key("home", "home", "page(-99)", "top"),
    Key("end", "end", "page(99)", "end"),
    Key("left", "←→", "pan(-8)", "long lines", "in Result, another case; in Code, long lines sideways"),
    Key("right", "←→", "pan(8)", "long lines"),
    Key("l", "l", "list", "list", "back to the list of puzzles"),
    Key("slash", "/", "find", "find", "find a puzzle by some letters"),
    Key("p", "p", "commands", "commands", "commands by name: put the starter back, themes"),
    Key("d", "d", "doctor", "doctor", "what this machine can do, and what cures what it cannot"),
    Key("question_mark,f1", "?", "help", "help", "this page"),
    Key("q", "q", "quit", "quit", "leave; everything is kept"),
)

PAGE = (
    Key("escape,q,l", "escape", "close", "back"),
    Key("up,k", "↑↓", "scroll(-1)", "scroll"),
    Key("down,j", "↑↓", "scroll(1)", "scroll"),
    Key("pageup", "page up", "page(-1)", "scroll"),
    Key("pagedown,space", "page down", "page(1)", "scroll"),
)
"""A page that is only read: help, the reference."""

WHOLE = (
    Key("escape", "escape", "cancel", "back", "give up what is not checked yet; then, back"),
    Key("r", "r", "run", "check again", "check every file again"),
    Key("enter", "enter", "open", "open", "open the puzzle under the cursor"),
    Key("up,k", "↑↓", "move(-1)", "puzzle", "another puzzle"),
    Key("down,j", "↑↓", "move(1)", "puzzle"),
    Key("l,q", "l", "close", "list", "back to the list; what is checked is kept"),
    Key("question_mark,f1", "?", "help", "help", "this page"),
)
"""Every file of a track checked."""

DOCTOR = (
    Key("r", "r", "look", "look again", "look at everything again"),
    Key("n,tab", "n", "choose(1)", "next cure", "the next thing that can be cured"),
    Key("shift+tab", "shift-tab", "choose(-1)", "cure before"),
    Key("y", "y", "copy", "copy the cure", "copy the command that cures it"),
    *PAGE,
    Key("question_mark,f1", "?", "help", "help", "this page"),
)

REFERENCE = (
    *PAGE,
    Key("s", "s", "close", "back"),
    Key("y", "y", "copy", "copy"),
    Key("slash", "/", "find", "find"),
)

CONFIRM = (Key("enter,y", "enter", "yes", "yes"), Key("escape,n", "escape", "no", "no"))
CONFLICT = (Key("k", "k", "answer('mine')", "keep yours"), Key("o", "o", "answer('other')", "take the other"),
            Key("escape", "escape", "answer('')", "go on editing"))
"""The file was saved by two."""

EDITOR = (Key("f2,ctrl+s", "f2", "save", "save"), Key("escape", "escape", "close", "back"))


def bindings(keys: Sequence[Key], *, priority: bool = False) -> list[BindingType]:
    """Textual bindings of these keys; the footer is ours, so none is shown by Textual.

    With `priority` they come before those of the widget that has the focus.
    """
    return [Binding(key.keys, key.action, key.does, show=False, priority=priority) for key in keys]


def footer(keys: Sequence[Key], now: Mapping[str, str | None]) -> list[KeyHint]:
    """The keys whose action works now, in the order of `now`; None there means the keymap's own words."""
    by_action = {_name(key.action): key for key in reversed(keys)}
    return [KeyHint(by_action[action].shown, words or by_action[action].does) for action, words in now.items()]


def _name(action: str) -> str:
    """`scroll(-1)` is the action `scroll`; tabs and answers keep what they say."""
    return action if action.startswith(("tab(", "answer(")) else action.split("(")[0]


def explained(keys: Sequence[Key]) -> list[tuple[str, str]]:
    """(key, what it does in words), for the help."""
    return [(key.shown, key.explained) for key in keys if key.explained]
