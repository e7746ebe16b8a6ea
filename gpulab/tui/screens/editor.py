"""A small editor for those who have none: the file, saved only by its key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.widgets import TextArea

from gpulab.tui import keymap
from gpulab.tui.editor import save_atomically, text_of
from gpulab.tui.paths import with_tilde
from gpulab.tui.screens.confirm import Confirm, Conflict
from gpulab.tui.screens.framed import Framed
from gpulab.tui.widgets.rows import RowsView
from gpulab.views.code import highlighted
from gpulab.views.look import Look
from gpulab.views.rows import row
from gpulab.workspace.files import keep, replace_keeping


class PythonArea(TextArea):
    """Code with keywords and comments muted; no blinking, which would send bytes for ever."""

    def __init__(self, text: str, look: Look) -> None:
        super().__init__(text, id="code", show_line_numbers=True, tab_behavior="indent", soft_wrap=False,
                         highlight_cursor_line=True)
        self.cursor_blink = False
        self._look = look
        self._highlighted: tuple[str, list[Text]] = ("", [])

    def get_line(self, line_index: int) -> Text:
        """The line as TextArea wants it, muted words included."""
        if self._highlighted[0] != self.text:
            self._highlighted = (self.text, highlighted(self.text, self._look))
        plain = super().get_line(line_index)
        lines = self._highlighted[1]
        if line_index < len(lines) and lines[line_index].plain == plain.plain:
            plain.spans = [span for span in lines[line_index].spans if span.style == self._look.muted]
        return plain


class EditorScreen(Framed[None]):
    """Title, the file, keys."""

    CSS_PATH = "editor.tcss"
    KEYS = keymap.EDITOR
    BINDINGS = keymap.bindings(keymap.EDITOR, priority=True)

    def __init__(self, file: Path, text: str, line: int | None, backups: Path) -> None:
        super().__init__()
        self.file, self.saved, self.line, self.backups = file, text, line, backups

    def compose(self) -> ComposeResult:
        yield RowsView(id="title")
        yield PythonArea(self.saved, self.look)
        yield RowsView(id="keys")

    @property
    def area(self) -> PythonArea:
        """Where the learner types."""
        return self.query_one("#code", PythonArea)

    def on_mount(self) -> None:
        super().on_mount()
        self.area.focus()
        if self.line is not None:
            self.area.move_cursor((self.line - 1, 0), center=True)

    @on(TextArea.Changed)
    def text_changed(self) -> None:
        """The title says whether there is something to save."""
        self._draw_title()

    def _draw_title(self) -> None:
        look = self.look
        state = "not saved" if self.area.text != self.saved else "saved"
        hue = look.accent if state == "not saved" else look.muted
        self.draw_title(row((with_tilde(self.file), look.strong)), row((state, hue)))

    def draw(self, top: int | None) -> None:
        self._draw_title()
        self.draw_keys()

    def now(self) -> dict[str, str | None]:
        return {"save": "save, and the check runs", "close": None}

    def action_save(self) -> None:
        """Write the file once the area has taken what was typed before this key."""
        self.area.call_later(self._save)

    def _save(self) -> None:
        if (there := text_of(self.file)) is not None and there != self.saved and there != self._content:
            question = f"{self.file.name} was saved by something else since it was opened here. Keep yours, or take " \
                       "the other? The one that goes is kept in backups/."
            self.app.push_screen(Conflict(question, self.look), self._settle)
            return
        self._write(lambda: save_atomically(self.file, self._content))

    @property
    def _content(self) -> str:
        text = self.area.text
        return text if text.endswith("\n") else f"{text}\n"

    def _settle(self, which: str | None) -> None:
        """Keep one of the two versions in the file, the other in the backups."""
        if which == "mine":
            self._write(lambda: replace_keeping(self.file, self._content.encode(), self.backups))
        elif which == "other":
            self._write(lambda: keep(self._content.encode(), self.backups, self.file.name))

    def _write(self, action: Callable[[], object]) -> None:
        try:
            action()
        except OSError as error:
            self.tell(f"Not saved: {error.strerror}. Nothing is lost while this stays open.")
            return
        self.dismiss()

    def action_close(self) -> None:
        """Back; what is not saved is asked for first."""
        self.area.call_later(self._close)

    def _close(self) -> None:
        if self.area.text == self.saved:
            self.dismiss()
            return
        question = "Leave without saving? What you changed here is lost."
        self.app.push_screen(Confirm(question, "leave", self.look), self._leave)

    def _leave(self, sure: bool | None) -> None:
        if sure:
            self.dismiss()
