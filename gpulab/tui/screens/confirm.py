"""A question above the last row: enter does it, escape does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from gpulab.tui import keymap
from gpulab.tui.keymap import Key
from gpulab.tui.screens.framed import Result
from gpulab.tui.widgets.rows import RowsView
from gpulab.views import frame
from gpulab.views.look import Look
from gpulab.views.rows import row, wrapped

if TYPE_CHECKING:
    from gpulab.tui.app import LabApp


class Question(ModalScreen[Result]):
    """A question in as many rows as it needs, and the keys that answer it."""

    CSS_PATH = "confirm.tcss"
    KEYS: Sequence[Key] = ()

    def __init__(self, question: str, answers: Mapping[str, str | None], look: Look) -> None:
        super().__init__()
        self.question, self.answers, self.look = question, answers, look

    def compose(self) -> ComposeResult:
        yield RowsView(id="question")
        yield RowsView(id="keys")

    def on_mount(self) -> None:
        self.call_after_refresh(self._draw)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        width, look = self.size.width, self.look
        lines = wrapped(self.question, width - 3, look, style=look.strong)
        asked = self.query_one("#question", RowsView)
        asked.styles.height = len(lines)
        asked.show([frame.finished(row(("▌ ", look.accent), line, style=look.accent_band), width, look)
                    for line in lines])
        hints = keymap.footer(self.KEYS, self.answers, cast("LabApp", self.app).own_keys)
        self.query_one("#keys", RowsView).show([frame.keys(hints, width, look)])


class Confirm(Question[bool]):
    """Asks before anything that cannot be unseen or is not easily undone."""

    KEYS = keymap.CONFIRM
    BINDINGS = keymap.bindings(keymap.CONFIRM)

    def __init__(self, question: str, yes: str, look: Look) -> None:
        super().__init__(question, {"yes": yes, "no": "no, go back"}, look)

    def action_yes(self) -> None:
        """Do it."""
        self.dismiss(True)

    def action_no(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)


class Conflict(Question[str]):
    """Which of two versions of a file stays: "mine", "other", or "" for neither yet."""

    KEYS = keymap.CONFLICT
    BINDINGS = keymap.bindings(keymap.CONFLICT)

    def __init__(self, question: str, look: Look) -> None:
        super().__init__(question, dict.fromkeys(("answer('mine')", "answer('other')", "answer('')")), look)

    def action_answer(self, which: str) -> None:
        """One of the two, or back to the text."""
        self.dismiss(which)
