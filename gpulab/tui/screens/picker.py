"""One of several: puzzles to open, commands to run. Typing narrows them down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual import events

from gpulab.tui import keymap
from gpulab.tui.keymap import Key
from gpulab.tui.screens.framed import Framed
from gpulab.views.page import Page
from gpulab.views.rows import Row, apart, blank, padded, paragraph, row

Value = TypeVar("Value")

KEYS = keymap.named(
    "picker",
    Key("enter", "enter", "pick", "choose"),
    Key("up", "↑↓", "move(-1)", "move"),
    Key("down", "↑↓", "move(1)", "move"),
    Key("escape", "escape", "close", "back"),
)
"""Letters are typed here, so only these are keys."""


@dataclass(frozen=True)
class Choice(Generic[Value]):
    """What is chosen, how it is called, and a few words about it."""

    value: Value
    name: str
    about: str = ""
    search: str = ""
    """What typed words are looked for in, beside the name."""

    def matches(self, words: Sequence[str]) -> bool:
        """Whether every typed word occurs."""
        text = f"{self.name} {self.about} {self.search}".lower()
        return all(word in text for word in words)


class Picker(Framed[Value | None]):
    """Shows choices and gives back the one that was chosen, or None."""

    KEYS = KEYS
    BINDINGS = keymap.bindings(KEYS)

    def __init__(self, heading: str, choices: Sequence[Choice[Value]], *, words: str = "") -> None:
        super().__init__()
        self.heading, self.choices, self.words = heading, list(choices), words
        self.typed = ""
        self.at = 0

    @property
    def found(self) -> list[Choice[Value]]:
        """The choices that match what is typed, those whose name begins with it first."""
        words = self.typed.lower().replace("/", " ").split()
        found = [choice for choice in self.choices if choice.matches(words)]
        return sorted(found, key=lambda choice: not _begins(choice.name, words)) if words else found

    def draw(self, top: int | None) -> None:
        look, width = self.look, self.size.width
        found = self.found
        self.draw_title(row((self.heading, look.strong)), row((f"{len(found)} of {len(self.choices)}", look.muted)))
        band: list[Row] = [blank()]
        if self.words:
            band += [*paragraph(self.words, width, look), blank()]
        typed = row(("  / ", look.accent + look.bold), (self.typed, look.bright), ("▌", look.accent))
        if not self.typed:
            typed.append(" type to narrow down", look.muted)
        body = [self._row(choice, place == self.at) for place, choice in enumerate(found)]
        page = Page(body or paragraph(f'Nothing matches "{self.typed}".', width, look), band=[*band, typed, blank()])
        self.view.show_page(page.finished(look), top=self._top(len(body), len(page.band)))
        self.draw_keys()

    def _top(self, count: int, band: int) -> int:
        room = max(1, self.view.size.height - band)
        return max(0, min(self.at - room // 2, count - room))

    def _row(self, choice: Choice[Value], chosen: bool) -> Row:
        look, width = self.look, self.size.width
        name = look.strong if chosen else look.text
        line = row(("▌ " if chosen else "  ", look.accent), (f"{choice.name:<30}", name))
        room = width - line.cell_len - 3
        about = padded(row((choice.about, look.muted)), room) if len(choice.about) > room else choice.about
        line = row(line, "  ", about if isinstance(about, Row) else (about, look.muted))
        return row(padded(apart(line, row(), width), width), style=look.chosen if chosen else "")

    def now(self) -> Mapping[str, str | None]:
        return {"pick": None, "move": None, "close": None}

    def on_key(self, event: events.Key) -> None:
        if event.key == "backspace":
            self._type(self.typed[:-1])
        elif event.character is not None and event.is_printable:
            self._type(self.typed + event.character)
        else:
            return
        event.stop()

    def _type(self, text: str) -> None:
        self.typed, self.at = text, 0
        self.redraw()

    def action_move(self, step: int) -> None:
        """The cursor up or down."""
        self.at = max(0, min(self.at + step, len(self.found) - 1))
        self.redraw()

    def action_pick(self) -> None:
        """Choose what is under the cursor."""
        found = self.found
        self.dismiss(found[self.at].value if found else None)

    def action_close(self) -> None:
        """Choose nothing."""
        self.dismiss(None)


def _begins(name: str, words: Sequence[str]) -> bool:
    parts = name.lower().replace("/", " ").split()
    return any(part.startswith(words[0]) for part in parts)
