"""What all screens share: a title, a page that scrolls, and a last row of keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from gpulab.tui import keymap
from gpulab.tui.keymap import Key
from gpulab.tui.widgets.rows import PageView, RowsView
from gpulab.views import frame
from gpulab.views.look import Look
from gpulab.views.rows import Row, row, wrapped

if TYPE_CHECKING:
    from gpulab.tui.app import LabApp
    from gpulab.tui.screens.picker import Choice

Result = TypeVar("Result")


class Framed(Screen[Result]):
    """Title above, keys below. `redraw` draws all of it; only cells that differ reach the terminal."""

    KEYS: Sequence[Key] = keymap.PAGE
    TABBED = False
    """Whether there is a second row of tabs."""

    def __init__(self) -> None:
        super().__init__()
        self.notice = ""
        """A sentence above the keys, until the next key."""
        self.passing = False
        """Whether something else that happens makes it untrue."""
        self._due = False
        """Whether it will be drawn at the next refresh: a first paint asks for that twice."""

    def compose(self) -> ComposeResult:
        yield RowsView(id="title")
        if self.TABBED:
            yield RowsView(id="tabs")
        yield PageView(id="page")
        yield RowsView(id="keys")

    @property
    def lab_app(self) -> LabApp:
        """The app, as what it is."""
        return cast("LabApp", self.app)

    @property
    def look(self) -> Look:
        """The styles of the theme that is on."""
        return self.lab_app.look

    @property
    def in_keymap(self) -> str:
        """What the keymap calls this screen."""
        return next((name for name, keys in keymap.SCREENS.items() if keys is self.KEYS), "Lab")

    @property
    def view(self) -> PageView:
        """The page between title and keys."""
        return self.query_one("#page", PageView)

    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self.redraw())

    def on_resize(self, event: events.Resize) -> None:
        self.redraw_soon()

    def redraw_soon(self) -> None:
        """Draw all of it once everything is where it belongs."""
        if not self._due:
            self._due = True
            self.call_after_refresh(self._redraw_now)

    def _redraw_now(self) -> None:
        self._due = False
        self.redraw()

    def redraw(self, top: int | None = None) -> None:
        """Draw all of it as it should be now, the page from row `top` where given."""
        if self.is_attached and self.query(RowsView):  # a message may come when the screen is already gone
            self.draw(top)

    def draw(self, top: int | None) -> None:
        """Draw title, page and keys."""
        raise NotImplementedError

    def now(self) -> Mapping[str, str | None]:
        """The actions that work now, most likely first, each with its words for the footer."""
        return {"close": None}

    def commands(self) -> list[Choice[Callable[[], object]]]:
        """What can be done on this screen, by name."""
        return []

    def draw_title(self, left: Row, right: Row) -> None:
        """Row 1."""
        self.query_one("#title", RowsView).show([frame.title(left, right, self.size.width, self.look)])

    def draw_keys(self) -> None:
        """The last row: the keys that work now; above them, at the cost of the page, a notice."""
        width, look = self.size.width, self.look
        keys, lines = frame.keys(keymap.footer(self.KEYS, self.now(), self.lab_app.own_keys), width, look), []
        if self.notice:
            lines = [frame.finished(row("  ", line, style=look.accent_band), width, look)
                     for line in wrapped(self.notice, width - 3, look, style=look.strong)]
        pages = self.query(PageView)
        for page in pages:
            page.cover(lines)
        self.query_one("#keys", RowsView).show([keys] if pages or not lines else lines[-1:])

    def tell(self, sentence: str, seconds: float | None = None) -> None:
        """Say something above the keys until the next key, or for as long as it may be true."""
        self.notice, self.passing = sentence, seconds is not None
        self.draw_keys()
        if seconds is not None:
            self.set_timer(seconds, partial(self.forget, sentence))

    def forget(self, sentence: str | None = None) -> None:
        """Take the notice away, or only this one."""
        if self.notice and sentence in (None, self.notice) and self.is_attached:
            self.notice = ""
            self.draw_keys()

    def on_key(self, event: events.Key) -> None:
        self.forget()

    def action_scroll(self, rows: int) -> None:
        """Move the page by some rows."""
        self.view.scroll_rows(rows)

    def action_page(self, pages: int) -> None:
        """Move the page by whole heights."""
        self.view.scroll_pages(pages)

    def action_close(self) -> None:
        """Back to the screen before."""
        self.dismiss()

    def action_find(self) -> None:
        """Find a puzzle."""
        self.lab_app.action_find()

    def action_commands(self) -> None:
        """What can be done here, by name."""
        self.lab_app.action_commands()

    def action_doctor(self) -> None:
        """What this machine can do."""
        self.lab_app.action_doctor()

    def action_help(self) -> None:
        """Keys and marks."""
        self.lab_app.action_help()

    def action_quit(self) -> None:
        """Leave the app."""
        self.app.exit(0)
