"""What reaches the terminal: fewer bytes, and the same picture."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console
from rich.style import Style

from gpulab.tui.painting import shortened
from gpulab.tui.widgets.rows import spans

COLOURS = st.sampled_from([None, "#C8CFD6", "#F0716A", "#0F1317", "red", "bright_black", "color(208)"])
STYLES = st.builds(Style, color=COLOURS, bgcolor=COLOURS, bold=st.booleans(), dim=st.booleans(), italic=st.booleans(),
                   underline=st.booleans(), reverse=st.booleans(), strike=st.booleans())
PIECES = st.lists(st.tuples(STYLES, st.sampled_from(["warp 0", "   ", "█░·", " a ", "\x1b[2;3H", "\n", ""])),
                  max_size=12)
CONSOLE = Console(color_system="truecolor", force_terminal=True)


def drawn(data: str) -> tuple[list[object], object]:
    """Every cell as pyte has it; of a blank only what is seen."""
    screen = pyte.Screen(30, 5)
    pyte.Stream(screen).feed(data)
    cells = [cell if cell.data != " " else _blank(cell) for row in range(5)
             for cell in (screen.buffer[row][x] for x in range(30))]
    return cells, screen.cursor.attrs


def _blank(cell: pyte.screens.Char) -> tuple[object, ...]:
    marks = cell.reverse, cell.underscore, cell.strikethrough
    return (cell.bg, *marks, cell.fg if any(marks) else "")


@settings(max_examples=150, deadline=None)
@given(PIECES)
def test_a_terminal_draws_the_same_from_fewer_bytes(pieces):
    data = "".join(style.render(text, color_system=CONSOLE._color_system) for style, text in pieces)
    short = shortened(data)
    assert drawn(short) == drawn(data)
    assert len(short) <= len(data)


def test_a_style_is_told_by_what_differs():
    data = "\x1b[38;2;1;2;3;48;2;9;9;9mone\x1b[0m\x1b[48;2;9;9;9m   \x1b[0m\x1b[1;38;2;1;2;3;48;2;9;9;9mtwo\x1b[0m"
    assert shortened(data) == "\x1b[38;2;1;2;3;48;2;9;9;9mone   \x1b[1mtwo\x1b[0m"


@pytest.mark.parametrize("data", ["\x1b[21mdouble underline\x1b[0m", "\x1b[1mnever ended", "\x1b[?2026h", "plain",
                                  "\x1b]52;c;Z3B1bGFi\x07"])
def test_what_is_not_known_is_left_as_it_is(data):
    assert shortened(data) == data


A, B = Style(color="red"), Style(color="blue")


@pytest.mark.parametrize(("old", "new", "expected"), [
    ("same", "same", []),
    ("step 1 of 9", "step 2 of 9", [(5, 6)]),
    ("x" + "." * 60 + "x", "y" + "." * 60 + "y", [(0, 1), (61, 62)]),
    ("x....x", "y....y", [(0, 6)]),
])
def test_what_lies_close_together_is_sent_at_once(old, new, expected):
    assert spans([(char, A) for char in old], [(char, A) for char in new]) == expected


def test_another_style_between_two_spans_is_jumped_over():
    old = [(char, B if x == 2 else A) for x, char in enumerate("x....x")]
    new = [(char, B if x == 2 else A) for x, char in enumerate("y....y")]
    assert spans(old, new) == [(0, 1), (5, 6)]


def test_a_wide_character_is_never_cut():
    assert spans([("a", A), ("書", A), ("", A), ("b", A)], [("a", A), ("字", A), ("", A), ("b", A)]) == [(1, 3)]


async def test_textuals_updates_of_spans_are_cut(stage):
    """If Textual's object is another one day, rows are sent from their left end again: this says so."""
    painted = []
    async with stage.open(puzzle="shared/pooling") as pilot:
        display = pilot.app._display
        pilot.app._display = lambda screen, update: (painted.append(update), display(screen, update))
        await pilot.press("2")
        await pilot.pause(0.2)
    assert any("render_segments" in vars(update) for update in painted if update is not None)
