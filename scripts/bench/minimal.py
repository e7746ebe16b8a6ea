"""The least Textual app there can be: what a first paint is held against."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.widgets import Footer, Header, Static


class Minimal(App[None]):
    """A header, a footer, one Static."""

    def compose(self) -> ComposeResult:
        yield Header()
        yield Static("least there can be")
        yield Footer()


if __name__ == "__main__":
    Minimal().run(mouse=False)
