"""How a command prints: text and Rich to people, JSON to programs, problems to stderr."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gpulab.catalog.model import Puzzle
    from gpulab.judge.stars import Stars
    from gpulab.views.look import Look

MOST_COLUMNS = 100
"""Lines longer than this are hard to read, however wide the window is."""


@dataclass(frozen=True)
class Output:
    """Where and how to print. `ascii` is what was asked for; an output that is not UTF-8 asks for it too."""

    ascii: bool = False
    json: bool = False

    def line(self, text: str = "", **style: Any) -> None:
        """A line on stdout; `style` as in `click.style`, left out where colours are not wanted."""
        _echo(_fitting(text, sys.stdout, self.ascii), sys.stdout, style)

    def note(self, text: str) -> None:
        """A line on stderr that is no error: where a file is, what was not recorded."""
        _echo(_fitting(text, sys.stderr, self.ascii), sys.stderr, {})

    def show(self, renderable: RenderableType, width: int | None = None) -> None:
        """Something of `gpulab.views` on stdout, laid out for `width` columns."""
        from rich.console import Console

        Console(highlight=False, soft_wrap=True, width=width or self.width, legacy_windows=False).print(renderable)

    def data(self, value: Any) -> None:
        """A JSON document on stdout, in UTF-8."""
        import msgspec

        self.raw(msgspec.json.format(msgspec.json.encode(value), indent=2) + b"\n")

    def data_line(self, value: Any) -> None:
        """A JSON document in one line, for output that goes on."""
        import msgspec

        self.raw(msgspec.json.encode(value) + b"\n")

    def raw(self, content: bytes) -> None:
        """Bytes on stdout as they are."""
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        sys.stdout.flush()

    @property
    def width(self) -> int:
        """Columns to print in: the terminal's, within reason; 80 in a pipe."""
        return min(MOST_COLUMNS, shutil.get_terminal_size((80, 24)).columns)

    @property
    def look(self) -> Look:
        """The terminal's own colours: its background is not known here."""
        from gpulab.views.look import look

        return look("plain" if "NO_COLOR" in os.environ else "ansi", ascii=self.ascii or not speaks_utf8(sys.stdout))

    def stars(self, stars: Stars, puzzle: Puzzle) -> str:
        """`★★☆`, or `**.` in ASCII: as many as the puzzle has."""
        earned = [getattr(stars, name) is True for name in puzzle.stars.names]
        full, open = ("*", ".") if self.ascii or not speaks_utf8(sys.stdout) else ("★", "☆")
        return "".join(full if star else open for star in earned)


def speaks_utf8(stream: TextIO) -> bool:
    """Whether our glyphs can be written there, and the locale says that they are understood."""
    from gpulab.views.charset import encodes_utf8, without_utf8

    return encodes_utf8(stream) and without_utf8() is None


def short(path: Path) -> str:
    """A path as people write it, with `~` for the home."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except (ValueError, RuntimeError):
        return str(path)


def error(message: str) -> None:
    """An error on stderr: one line."""
    text = " ".join(message.split())
    _echo(_fitting(f"gpulab: {text}", sys.stderr, False), sys.stderr, {})


def _echo(text: str, stream: TextIO, style: dict[str, Any]) -> None:
    colour = False if "NO_COLOR" in os.environ or not stream.isatty() else None
    click.secho(text, file=stream, color=colour, **style)


def _fitting(text: str, stream: TextIO, ascii: bool) -> str:
    """The text, in ASCII where the stream can take no more."""
    if text.isascii() or (speaks_utf8(stream) and not ascii):
        return text
    from gpulab.views.glyphs import to_ascii

    return to_ascii(text)
