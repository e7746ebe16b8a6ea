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


TABS = ("brief", "code", "result", "memory", "hints")
"""The Lab's tabs; digits open them in this order."""

HOME = (
    Key("enter", "enter", "open", "continue", "open the puzzle under Next or under the cursor"),
    Key("up,k", "↑↓", "move(-1)", "track", "another track, or another puzzle"),
    Key("down,j", "↑↓", "move(1)", "track"),
    Key("right,tab", "→", "puzzles", "puzzles", "into the puzzles of the chosen track"),
    Key("left,escape,shift+tab", "←", "tracks", "tracks", "back to the tracks"),
    Key("slash", "/", "find", "find", "find a puzzle by some letters"),
    Key("p", "p", "commands", "commands", "commands by name; themes too"),
    Key("question_mark,f1", "?", "help", "help", "this page: keys, words, marks"),
    Key("q", "q", "quit", "quit", "leave; everything is kept"),
)

LAB = (
    Key("r", "r", "run", "run", "check the file now; a save does that too"),
    Key("escape", "escape", "cancel", "cancel the run", "give up the check that is running; nothing else"),
    Key("e", "e", "edit", "edit", "open the file in your editor ($VISUAL, $EDITOR)"),
    Key("1", "1", "tab('brief')", "brief", "Brief: what to write, and what counts as done"),
    Key("2", "2", "tab('code')", "code", "Code: your file, with what is said of its lines"),
    Key("3", "3", "tab('result')", "result", "Result: what the last check found"),
    Key("4", "4", "tab('memory')", "memory", "Memory: what your kernel does to memory, step by step"),
    Key("5", "5", "tab('hints')", "hints", "Hints"),
    Key("tab", "tab", "next_tab(1)", "next tab", "the next tab; shift-tab, the one before"),
    Key("shift+tab", "shift-tab", "next_tab(-1)", "tab before"),
    Key("h", "h", "hint", "hint", "hints; there, one more hint"),
    Key("s", "s", "solution", "solution", "the reference solution; asks first while the puzzle is open"),
    Key("y", "y", "copy", "copy", "copy the report, and write it to a file"),
    Key("n", "n", "next", "next", "the next puzzle, once this one is solved"),
    Key("up,k", "↑↓", "scroll(-1)", "more", "scroll what does not fit; page up, page down, home, end too"),
    Key("down,j", "↑↓", "scroll(1)", "more"),
    Key("pagedown,space", "space", "page(1)", "more"),
    Key("pageup", "page up", "page(-1)", "more"),
    Key("home", "home", "page(-99)", "top"),
    Key("end", "end", "page(99)", "end"),
    Key("left", "←→", "pan(-8)", "long lines", "move long lines of code sideways"),
    Key("right", "←→", "pan(8)", "long lines"),
    Key("l", "l", "list", "list", "back to the list of puzzles"),
    Key("slash", "/", "find", "find", "find a puzzle by some letters"),
    Key("p", "p", "commands", "commands", "commands by name: put the starter back, themes"),
    Key("question_mark,f1", "?", "help", "help", "this page"),
    Key("q", "q", "quit", "quit", "leave; everything is kept"),
)

MEMORY = (
    Key("m", "m", "memory", "memory", "Memory; from a result, at its fault and the two threads of it"),
    Key("", "←→", "pan", "step", "in time: the next step of the warp, the next interval, the next fault"),
    Key("", "↑↓", "scroll", "line", "in the source: the next line that did something; of time, other cells"),
    Key("w", "w", "warp(1)", "warp", "the next warp or block, at the same moment"),
    Key("W", "W", "warp(-1)", "warp"),
    Key("x", "x", "thread(1)", "thread", "the next thread of the step; of a race, the other one"),
    Key("X", "X", "thread(-1)", "thread"),
    Key("a", "a", "look('memory')", "sectors", "the step over memory: which sectors move, and what of them is used"),
    Key("b", "b", "look('banks')", "banks", "the step over the banks of shared memory: who queues where"),
    Key("t", "t", "look('barriers')", "time", "shared memory in time: a column from barrier to barrier"),
    Key("c", "c", "look('source')", "counts", "every line with its loads, stores, sectors and conflicts"),
    Key("o", "o", "owner", "owners", "colour memory by the thread that owns a cell, or by what was asked for"),
    Key("v", "v", "launch", "launch", "the next launch, where a function launches several kernels"),
)
"""Keys of the Memory tab, beside the Lab's; home and end are the first step and the last."""

PAGE = (
    Key("escape,q,l", "escape", "close", "back"),
    Key("up,k", "↑↓", "scroll(-1)", "scroll"),
    Key("down,j", "↑↓", "scroll(1)", "scroll"),
    Key("pageup", "page up", "page(-1)", "scroll"),
    Key("pagedown,space", "page down", "page(1)", "scroll"),
)
"""A page that is only read: help, the reference."""

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
    return [Binding(key.keys, key.action, key.does, show=False, priority=priority) for key in keys if key.keys]


def footer(keys: Sequence[Key], now: Mapping[str, str | None]) -> list[KeyHint]:
    """The keys whose action works now, in the order of `now`; None there means the keymap's own words."""
    by_action = {_name(key.action): key for key in reversed(keys)}
    return [KeyHint(by_action[action].shown, words or by_action[action].does) for action, words in now.items()]


def _name(action: str) -> str:
    """`scroll(-1)` is the action `scroll`; tabs, views and answers keep what they say."""
    return action if action.startswith(("tab(", "answer(", "look(")) else action.split("(")[0]


def explained(keys: Sequence[Key]) -> list[tuple[str, str]]:
    """(key, what it does in words), for the help."""
    return [(key.shown, key.explained) for key in keys if key.explained]
