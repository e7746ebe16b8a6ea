"""Every key of the app. A screen says which of its actions work now; the footer and the bindings follow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

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
    id: str = ""
    """By which a learner's own keys name it: `lab.run`, `lab.tab.brief`, `home.move.up`."""


def named(screen: str, *keys: Key) -> tuple[Key, ...]:
    """The keys of a screen, each with its id; those of another screen among them keep theirs."""
    return tuple(key if key.id or not key.keys else replace(key, id=f"{screen}.{slug(key.action)}") for key in keys)


def slug(action: str) -> str:
    """`run`, `tab.brief`, `move.back`, `page.first`: the action and which way."""
    name, _, argument = action.rstrip(")").partition("(")
    if not argument:
        return name
    if argument.lstrip("-").isdigit():
        far = abs(int(argument)) > 50
        return f"{name}.{('first' if far else 'back') if argument.startswith('-') else ('last' if far else 'on')}"
    return f"{name}.{argument.strip(chr(39)) or 'none'}"


NONE: Mapping[str, str] = {}
"""No keys of one's own."""

TABS = ("brief", "code", "result", "memory", "timing", "hints")
"""The Lab's tabs; digits open them in this order."""

_TABS = {
    "brief": "Brief: what to write, and what counts as done",
    "code": "Code: your file, with what is said of its lines",
    "result": "Result: what the last check found",
    "memory": "Memory: what it does to memory, step by step",
    "timing": "Timing: how fast, against what, and why",
    "hints": "Hints",
}

HOME = named(
    "home",
    Key("enter,space", "enter", "open", "continue", "open the puzzle under Next or under the cursor"),
    Key("up,k", "↑↓", "move(-1)", "track", "another track, or another puzzle"),
    Key("down,j", "↑↓", "move(1)", "track"),
    Key("right,tab", "→", "puzzles", "puzzles", "into the puzzles of the chosen track"),
    Key("left,escape,shift+tab", "←", "tracks", "tracks", "back to the tracks"),
    Key("slash,f", "/", "find", "find", "find a puzzle by some letters"),
    Key("c", "c", "check_track", "check all", "check every file of the chosen track"),
    Key("p,colon", "p", "commands", "commands", "commands by name; themes too"),
    Key("d", "d", "doctor", "doctor", "what this machine can do, and what cures what it cannot"),
    Key("question_mark,f1", "?", "help", "help", "this page: keys, words, marks"),
    Key("q,ctrl+d", "q", "quit", "quit", "leave; everything is kept"),
)

LAB = named(
    "lab",
    Key("r,f9", "r", "run", "run", "check the file now; a save does that too"),
    Key("escape,ctrl+c", "escape", "cancel", "cancel the run", "give up the check that is running; nothing else"),
    Key("e,f4", "e", "edit", "edit", "open the file in your editor ($VISUAL, $EDITOR)"),
    *(Key(str(number), str(number), f"tab('{tab}')", tab, _TABS[tab]) for number, tab in enumerate(TABS, start=1)),
    Key("tab", "tab", "next_tab(1)", "next tab", "the next tab; shift-tab, the one before"),
    Key("shift+tab", "shift-tab", "next_tab(-1)", "tab before"),
    Key("h,f3", "h", "hint", "hint", "hints; there, one more hint"),
    Key("b", "b", "time", "time it", "time your file and the reference on this machine's GPU"),
    Key("s", "s", "solution", "solution", "the reference solution; asks first while the puzzle is open"),
    Key("y", "y", "copy", "copy", "copy the report, and write it to a file"),
    Key("n,f7", "n", "next", "next", "the next puzzle, once this one is solved"),
    Key("up,k", "↑↓", "scroll(-1)", "more", "scroll what does not fit; page up, page down, home, end too"),
    Key("down,j", "↑↓", "scroll(1)", "more"),
    Key("pagedown,space", "space", "page(1)", "more"),
    Key("pageup", "page up", "page(-1)", "more"),
    Key("home", "home", "page(-99)", "top"),
    Key("end", "end", "page(99)", "end"),
    Key("left", "←→", "pan(-8)", "long lines", "in Result, another case; in Code, long lines sideways"),
    Key("right", "←→", "pan(8)", "long lines"),
    Key("l,backspace", "l", "list", "list", "back to the list of puzzles"),
    Key("slash,f", "/", "find", "find", "find a puzzle by some letters"),
    Key("p,colon", "p", "commands", "commands", "commands by name: put the starter back, themes"),
    Key("d", "d", "doctor", "doctor", "what this machine can do, and what cures what it cannot"),
    Key("question_mark,f1", "?", "help", "help", "this page"),
    Key("q,ctrl+d", "q", "quit", "quit", "leave; everything is kept"),
)

MEMORY = named(
    "memory",
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

PAGE = named(
    "page",
    Key("escape,q,l", "escape", "close", "back", "back to where you were"),
    Key("up,k", "↑↓", "scroll(-1)", "scroll", "scroll; page up and page down too"),
    Key("down,j", "↑↓", "scroll(1)", "scroll"),
    Key("pageup", "page up", "page(-1)", "scroll"),
    Key("pagedown,space", "page down", "page(1)", "scroll"),
    Key("home", "home", "page(-99)", "top"),
    Key("end", "end", "page(99)", "end"),
)
"""A page that is only read: help, the reference."""

WHOLE = named(
    "whole",
    Key("escape,ctrl+c", "escape", "cancel", "back", "give up what is not checked yet; then, back"),
    Key("r", "r", "run", "check again", "check every file again"),
    Key("enter", "enter", "open", "open", "open the puzzle under the cursor"),
    Key("up,k", "↑↓", "move(-1)", "puzzle", "another puzzle"),
    Key("down,j", "↑↓", "move(1)", "puzzle"),
    Key("l,q", "l", "close", "list", "back to the list; what is checked is kept"),
    Key("question_mark,f1", "?", "help", "help", "this page"),
)
"""Every file of a track checked."""

DOCTOR = named(
    "doctor",
    Key("r", "r", "look", "look again", "look at everything again"),
    Key("n,tab", "n", "choose(1)", "next cure", "the next thing that can be cured"),
    Key("shift+tab", "shift-tab", "choose(-1)", "cure before"),
    Key("y", "y", "copy", "copy the cure", "copy the command that cures it"),
    *PAGE,
    Key("question_mark,f1", "?", "help", "help", "this page"),
)

REFERENCE = named(
    "reference",
    *PAGE,
    Key("s", "s", "close", "back"),
    Key("y", "y", "copy", "copy"),
    Key("slash,f", "/", "find", "find"),
)

CONFIRM = named("confirm", Key("enter,y", "enter", "yes", "yes"), Key("escape,n", "escape", "no", "no"))
CONFLICT = named("conflict", Key("k", "k", "answer('mine')", "keep yours"),
                 Key("o", "o", "answer('other')", "take the other"),
                 Key("escape", "escape", "answer('')", "go on editing"))
"""The file was saved by two."""

EDITOR = named("editor", Key("f2,ctrl+s", "f2", "save", "save"), Key("escape", "escape", "close", "back"))


def bindings(keys: Sequence[Key], *, priority: bool = False) -> list[BindingType]:
    """Textual bindings of these keys; the footer is ours, so none is shown by Textual.

    With `priority` they come before those of the widget that has the focus.
    """
    return [Binding(key.keys, key.action, key.does, show=False, priority=priority, id=key.id)
            for key in keys if key.keys]


def footer(keys: Sequence[Key], now: Mapping[str, str | None], own: Mapping[str, str] = NONE) -> list[KeyHint]:
    """The keys whose action works now, in the order of `now`; None there means the keymap's own words.

    `own` are the learner's own keys, by id.
    """
    by_action = {_name(key.action): key for key in reversed(keys)}
    return [KeyHint(shown(by_action[action], own), words or by_action[action].does) for action, words in now.items()]


def _name(action: str) -> str:
    """`scroll(-1)` is the action `scroll`; tabs, views and answers keep what they say."""
    return action if action.startswith(("tab(", "answer(", "look(")) else action.split("(")[0]


def explained(keys: Sequence[Key], own: Mapping[str, str] = NONE) -> list[tuple[str, str]]:
    """(keys, what they do in words), for the help."""
    return [(all_shown(key, own), key.explained) for key in keys if key.explained]


def explanation(action: str) -> str:
    """What an action of the Lab does, without the name that stands before a colon."""
    return next(key.explained for key in LAB if key.action == action).partition(": ")[2]


def shown(key: Key, own: Mapping[str, str] = NONE) -> str:
    """The key as the footer writes it; of the learner's own ones the first."""
    return written(own[key.id].split(",")[0]) if key.id in own else key.shown


def all_shown(key: Key, own: Mapping[str, str] = NONE) -> str:
    """`r, f9`: every key that does it; of arrows and the like what the footer writes."""
    if key.id not in own and len(key.shown.split()) == 1 and key.shown == key.shown.strip("↑↓←→"):
        return ", ".join(dict.fromkeys([key.shown, *map(written, key.keys.split(","))]))
    return ", ".join(map(written, own[key.id].split(","))) if key.id in own else key.shown


WRITTEN = {"question_mark": "?", "slash": "/", "colon": ":", "up": "↑", "down": "↓", "left": "←", "right": "→",
           "pageup": "page up", "pagedown": "page down", "shift+tab": "shift-tab"}


def written(name: str) -> str:
    """A key as Textual names it, as people write it."""
    return WRITTEN.get(name, name.replace("ctrl+", "ctrl-"))


def every_key() -> Iterator[Key]:
    """Each key of each screen once, by id."""
    seen: set[str] = set()
    for keys in SCREENS.values():
        for key in keys:
            if key.keys and key.id not in seen:
                seen.add(key.id)
                yield key


SCREENS: Mapping[str, Sequence[Key]] = {
    "Home": HOME, "Lab": LAB, "Memory": MEMORY, "Doctor": DOCTOR, "Whole track": WHOLE, "The reference": REFERENCE,
    "Help": PAGE, "A question": CONFIRM, "Two versions": CONFLICT, "Built-in editor": EDITOR,
}
"""What can be pressed where."""
