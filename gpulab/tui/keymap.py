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


TABS = ("brief", "code", "result", "hints")
"""The Lab's tabs; digits open them in this order."""

HOME = (
    Key("enter", "enter", "open", "continue"),
    Key("up,k", "↑↓", "move(-1)", "track"),
    Key("down,j", "↑↓", "move(1)", "track"),
    Key("right,tab", "→", "puzzles", "puzzles"),
    Key("left,escape,shift+tab", "←", "tracks", "tracks"),
    Key("slash", "/", "find", "find"),
    Key("p", "p", "commands", "commands"),
    Key("question_mark,f1", "?", "help", "help"),
    Key("q", "q", "quit", "quit"),
)

LAB = (
    Key("n", "n", "next", "next"),
    Key("r", "r", "run", "run"),
    Key("escape", "escape", "cancel", "cancel the run"),
    Key("e", "e", "edit", "edit"),
    Key("1", "1", "tab('brief')", "brief"),
    Key("2", "2", "tab('code')", "code"),
    Key("3", "3", "tab('result')", "result"),
    Key("4", "4", "tab('hints')", "hints"),
    Key("tab", "tab", "next_tab", "next tab"),
    Key("h", "h", "hint", "hint"),
    Key("s", "s", "solution", "solution"),
    Key("y", "y", "copy", "copy"),
    Key("up,k", "↑↓", "scroll(-1)", "more"),
    Key("down,j", "↑↓", "scroll(1)", "more"),
    Key("pageup", "page up", "page(-1)", "more"),
    Key("pagedown,space", "page down", "page(1)", "more"),
    Key("home", "home", "page(-99)", "top"),
    Key("end", "end", "page(99)", "end"),
    Key("left", "←→", "pan(-8)", "long lines"),
    Key("right", "←→", "pan(8)", "long lines"),
    Key("l", "l", "list", "list"),
    Key("slash", "/", "find", "find"),
    Key("p", "p", "commands", "commands"),
    Key("question_mark,f1", "?", "help", "help"),
    Key("q", "q", "quit", "quit"),
)

PAGE = (
    Key("escape,q,l", "escape", "close", "back"),
    Key("up,k", "↑↓", "scroll(-1)", "scroll"),
    Key("down,j", "↑↓", "scroll(1)", "scroll"),
    Key("pageup", "page up", "page(-1)", "scroll"),
    Key("pagedown,space", "page down", "page(1)", "scroll"),
)
"""A page that is only read: help, the reference."""

CONFIRM = (Key("enter,y", "enter", "yes", "yes"), Key("escape,n", "escape", "no", "no"))

EDITOR = (Key("f2,ctrl+s", "f2", "save", "save"), Key("escape", "escape", "close", "back"))


def bindings(keys: Sequence[Key]) -> list[BindingType]:
    """Textual bindings of these keys; the footer is ours, so none is shown by Textual."""
    return [Binding(key.keys, key.action, key.does, show=False) for key in keys]


def footer(keys: Sequence[Key], now: Mapping[str, str | None]) -> list[KeyHint]:
    """The keys whose action works now, in the order of `now`; None there means the keymap's own words."""
    by_action = {_name(key.action): key for key in reversed(keys)}
    return [KeyHint(by_action[action].shown, words or by_action[action].does) for action, words in now.items()]


def _name(action: str) -> str:
    """`scroll(-1)` is the action `scroll`; tabs keep what they open."""
    return action if action.startswith("tab(") else action.split("(")[0]


def words(keys: Sequence[Key]) -> list[tuple[str, str]]:
    """(key, what it does) once for each, for the help."""
    return list(dict.fromkeys((key.shown, key.does) for key in keys))
