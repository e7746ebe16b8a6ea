"""What reaches the terminal, in fewer bytes: only cells that changed, and of styles only what differs.

Textual 8.2 sends a row from its left end up to the last cell that changed, and every piece of it with its whole style
and a reset: 42 bytes in true colour, for each word. Over SSH that is most of a screen. Both are put right here, behind
Textual's back, on the text that it writes: a terminal draws the same.
"""

from __future__ import annotations

import re
from functools import partial
from typing import Any

from rich.console import Console
from rich.control import Control
from textual.driver import Driver

_SGR = re.compile(r"\x1b\[([0-9;]*)m")
_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")

_ON_BLANKS = {"4", "7", "9"}
"""Underline, reverse and strike show on a blank; no colour of the text does."""
_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "9": "29"}

State = tuple[str, str, frozenset[str]]
"""Colour of the text, colour behind it, and attributes, each as its own parameters; "" is the terminal's own."""
_PLAIN: State = ("", "", frozenset())


def cut(update: Any) -> Any:
    """The same update of the screen without the cells to the left of what changed.

    It is Textual's own object for such updates, told by what it has; whatever else there is stays as it is, in a
    Textual that has another one too.
    """
    if all(hasattr(update, name) for name in ("spans", "chops", "chop_ends", "render_segments")):
        update.render_segments = partial(_spans, update)
    return update


def _spans(update: Any, console: Console) -> str:
    """The text for the terminal: each span cut to its own cells."""
    pieces: list[str] = []
    for y, first, end in update.spans:
        for chop_end, (x, strip) in zip(update.chop_ends[y], update.chops[y].items(), strict=False):
            if strip is None or x >= end or chop_end <= first:
                continue
            start = max(x, first)
            pieces += [Control.move_to(start, y).segment.text,
                       strip.crop(start - x, min(chop_end, end) - x).render(console)]
    return "".join(pieces)


def thrifty(driver: type[Driver]) -> type[Driver]:
    """A driver that writes as this one, styles shortened."""

    class Thrifty(driver):  # type: ignore[misc, valid-type]
        def write(self, data: str) -> None:
            super().write(shortened(data))

    return Thrifty


def shortened(data: str) -> str:
    """The same text for the terminal: a style is told by what differs from the one before, on blanks by what is seen.

    It begins and ends in the terminal's own style, as `data` must; else, and where it has a parameter that is not
    known here, `data` comes back as it is.
    """
    parts = _SGR.split(data)
    if len(parts) == 1:
        return data
    wanted = sent = _PLAIN
    out = [parts[0]]
    for parameters, text in zip(parts[1::2], parts[2::2], strict=True):
        state = _after(wanted, parameters)
        if state is None:
            return data
        wanted = state
        drawn = _ESCAPE.sub("", text).strip("\r\n")
        if drawn:
            goal = _on_blanks(wanted, sent) if not drawn.strip(" ") else wanted
            out.append(_change(sent, goal))
            sent = goal
        out.append(text)
    if wanted != _PLAIN:
        return data
    return "".join(out) + _change(sent, _PLAIN)


def _on_blanks(wanted: State, sent: State) -> State:
    """The least change of `sent` with which blanks look as wanted."""
    attributes = (sent[2] - _ON_BLANKS) | (wanted[2] & _ON_BLANKS)
    colour = wanted[0] if attributes & _ON_BLANKS else sent[0]
    return colour, wanted[1], attributes


def _after(state: State, parameters: str) -> State | None:
    """The state behind an escape sequence; None for what is not known."""
    colour, behind, attributes = state
    left = parameters.split(";")
    while left:
        code = left.pop(0)
        if code in ("", "0"):
            colour, behind, attributes = _PLAIN
        elif code in _OFF:
            attributes |= {code}
        elif code in ("38", "48"):
            count = {"5": 2, "2": 4}.get(left[0] if left else "", 0)
            if not count or len(left) < count:
                return None
            value = ";".join([code, *left[:count]])
            left = left[count:]
            colour, behind = (value, behind) if code == "38" else (colour, value)
        elif re.fullmatch(r"3[0-7]|9[0-7]", code):
            colour = code
        elif re.fullmatch(r"4[0-7]|10[0-7]", code):
            behind = code
        elif code in ("39", "49"):
            colour, behind = ("", behind) if code == "39" else (colour, "")
        else:
            return None
    return colour, behind, attributes


def _change(old: State, new: State) -> str:
    """The escape sequence that leads from one style to another; "" where they are the same."""
    if old == new:
        return ""
    if new == _PLAIN:
        return "\x1b[0m"
    gone = {_OFF[attribute] for attribute in old[2] - new[2]}
    kept = {attribute for attribute in old[2] & new[2] if _OFF[attribute] not in gone}
    codes = [*sorted(gone), *sorted(new[2] - kept)]
    for before, after, none in ((old[0], new[0], "39"), (old[1], new[1], "49")):
        if before != after:
            codes.append(after or none)
    anew = ["0", *sorted(new[2]), *filter(None, new[:2])]
    return f"\x1b[{min(';'.join(codes), ';'.join(anew), key=len)}m"
