"""The reference solution: beside the learner's own file where there is room, its differing lines marked."""

from __future__ import annotations

from gpulab.catalog.model import Puzzle
from gpulab.tui import keymap
from gpulab.tui.screens.framed import Framed
from gpulab.views import code, solved
from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.rows import Row, columns, heading, padded, row

SIDE_BY_SIDE = 100


class ReferenceScreen(Framed[None]):
    """Read-only."""

    KEYS = keymap.REFERENCE
    BINDINGS = keymap.bindings(keymap.REFERENCE)

    def __init__(self, puzzle: Puzzle, mine: str, reference: str) -> None:
        super().__init__()
        self.puzzle, self.mine, self.reference = puzzle, mine, reference

    def draw(self, top: int | None) -> None:
        look, width = self.look, self.size.width
        name = row((f"{self.puzzle.track} / ", look.muted), (self.puzzle.name, look.strong),
                   ("  the reference", look.muted))
        self.draw_title(name, row((self._differences(), look.muted)))
        self.view.show_page(Page(both(self.mine, self.reference, width, look)).finished(look))
        self.draw_keys()

    def _differences(self) -> str:
        places = solved.differences(self.mine, self.reference)
        return solved.difference_title(len(places)).removeprefix("the reference ")

    def now(self) -> dict[str, str | None]:
        return {"close": None, **({"scroll": None} if self.view.overflow else {}), "copy": None, "find": None}

    def action_copy(self) -> None:
        """The source to the clipboard."""
        self.app.copy_to_clipboard(self.reference)
        self.tell("The reference is copied.")


def both(mine: str, reference: str, width: int, look: Look) -> list[Row]:
    """The two sources side by side from 100 columns; below that the reference alone."""
    places = solved.differences(mine, reference)
    theirs = {number for place in places for number, _ in place.theirs}
    if width < SIDE_BY_SIDE:
        return _marked(reference, theirs, width, look)
    left = width // 2 - 1
    ours = {number for place in places for number, _ in place.mine}
    right = width - left - 1
    at_left = [heading("Yours", left, look), *_marked(mine, ours, left, look)]
    at_right = [heading("Reference", right, look), *_marked(reference, theirs, right, look)]
    return columns(at_left, at_right, left, width, look)


def _marked(source: str, changed: set[int], width: int, look: Look) -> list[Row]:
    rows = []
    for number, line in enumerate(code.highlighted(source, look), start=1):
        if number in changed:
            shown = code.numbered(number, line, width, look, look.accent, pointer="▶")
            rows.append(row(padded(shown, width), style=look.chosen))
        else:
            rows.append(code.numbered(number, line, width, look))
    return rows
