"""A question in the last row: enter does it, escape does not."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from gpulab.tui import keymap
from gpulab.tui.widgets.rows import RowsView
from gpulab.views import frame
from gpulab.views.look import Look
from gpulab.views.rows import row


class Confirm(ModalScreen[bool]):
    """Asks before anything that cannot be unseen or is not easily undone."""

    CSS_PATH = "confirm.tcss"
    BINDINGS = keymap.bindings(keymap.CONFIRM)

    def __init__(self, question: str, yes: str, look: Look) -> None:
        super().__init__()
        self.question, self.yes, self.look = question, yes, look

    def compose(self) -> ComposeResult:
        yield RowsView(id="question")
        yield RowsView(id="keys")

    def on_mount(self) -> None:
        self.call_after_refresh(self._draw)

    def on_resize(self, event: events.Resize) -> None:
        self.call_after_refresh(self._draw)

    def _draw(self) -> None:
        width, look = self.size.width, self.look
        asked = row(("▌ ", look.accent), (self.question, look.strong), style=look.accent_band)
        self.query_one("#question", RowsView).show([frame.finished(asked, width, look)])
        hints = keymap.footer(keymap.CONFIRM, {"yes": self.yes, "no": "no, go back"})
        self.query_one("#keys", RowsView).show([frame.keys(hints, width, look)])

    def action_yes(self) -> None:
        """Do it."""
        self.dismiss(True)

    def action_no(self) -> None:
        """Leave everything as it is."""
        self.dismiss(False)
