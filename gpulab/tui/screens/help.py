"""Help: how a session goes, every key, and what the words and marks mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gpulab.tui import keymap
from gpulab.tui.paths import with_tilde
from gpulab.tui.screens.framed import Framed
from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.rows import Row, blank, heading, labelled, paragraph, row, wrapped
from gpulab.workspace import Workspace

COURSE = (
    "Open a puzzle, write its kernel in your own editor, and save: the check runs by itself and says which thread, "
    "which element and which line is wrong. Hints cost nothing. When it is solved, n goes on."
)

MARKS = (
    ("● × ○", "passed, failed, not run or not measured"),
    ("★ ☆", "a star earned, a star open"),
    ("▂ ▅ ▇ ·", "a puzzle solved with one, two, three stars; a puzzle that is open"),
    ("▌ ▶", "chosen; the current line or puzzle"),
    ("◀ ▲", "what is said of this line; over budget"),
    ("█ ·", "a wrong element, a right one"),
    ("█ ░ ·", "in Memory: asked for, moved for nothing, left alone"),
    ("┃", "a barrier; at a fault, the end of an array"),
)

WORDS = (
    ("kernel", "a function that the GPU runs many times at once, once in each thread"),
    ("thread", "one run of the kernel; threadIdx is its number within its block"),
    ("block", "threads that start together, share memory and can wait for each other; blockIdx is its number"),
    ("grid", "all blocks of one launch; blocks run in any order"),
    ("launch", "kernel[blocks, threads](...): the host starts the grid"),
    ("warp", "32 threads of a block that go through the code together; warps run in any order"),
    ("global memory", "the GPU's large, slow memory: the arrays that a kernel is given"),
    ("load, store", "a read of an element from memory, a write of one to it"),
    ("shared memory", "a small, fast memory that the threads of one block have in common; it begins with anything"),
    ("barrier", "cuda.syncthreads(): no thread of the block goes on before all have come"),
    ("race", "two threads touch one element, at least one writes, and nothing says who is first"),
    ("atomic", "a read, a change and a write in one step, which no other thread comes between"),
    ("sound", "no race, nothing out of bounds, nothing read before it was written, no thread left at a barrier"),
    ("guard", "the if that keeps threads without an element of their own from touching memory"),
    ("request", "one load or store of a whole warp"),
    ("sector", "32 bytes of global memory, the least that a request moves"),
    ("bank", "one of the 32 parts of shared memory; each gives one 4-byte word at a time"),
    ("wavefront", "one turn at shared memory; lanes that want other words of one bank wait for the next"),
    ("lane", "a thread's place in its warp, 0 to 31"),
    ("interval", "what a block does from one barrier to the next"),
    ("coalesced", "neighbouring threads touch neighbouring elements, so that a request needs few sectors"),
    ("tile, halo", "the part of an array that a block holds in shared memory, and the border it needs around it"),
)
"""What statements and verdicts take for known."""

STARS = (
    ("correct", "right numbers in every case, and sound: no race, nothing out of bounds, nothing read unwritten"),
    ("efficient", "within the puzzle's budget, counted: loads per output, barriers, launches"),
    ("fast", "on a GPU: close to what this very card can do"),
)


class HelpScreen(Framed[None]):
    """One page; it scrolls."""

    KEYS = keymap.PAGE
    BINDINGS = keymap.bindings([*keymap.PAGE, keymap.Key("question_mark,f1", "?", "close", "back")])

    def __init__(self, workspace: Workspace, screen: str = "Lab") -> None:
        super().__init__()
        self.workspace, self.screen_name = workspace, screen

    def draw(self, top: int | None) -> None:
        look, width = self.look, self.size.width
        self.draw_title(row(("gpulab", look.strong), ("  help", look.muted)), row(("gpulab --help", look.muted)))
        rows = page_rows(self.workspace, width, look, self.screen_name, self.lab_app.own_keys)
        self.view.show_page(Page(rows).finished(look))
        self.draw_keys()

    def now(self) -> dict[str, str | None]:
        return {"close": None, **({"scroll": None} if self.view.overflow else {})}


def page_rows(workspace: Workspace, width: int, look: Look, screen: str = "Lab",
              own: Mapping[str, str] = keymap.NONE) -> list[Row]:
    """The whole help, the keys of the screen that it was opened from first."""
    rows = [blank(), *paragraph(COURSE, width, look), blank()]
    rows += labelled(row(("Your files", look.muted)), [row((with_tilde(workspace.root), look.bright))], 14)
    for problem in workspace.problems:
        rows += labelled(row(("▲", look.accent)), wrapped(problem, width - 5, look), 4)
    for name in dict.fromkeys([screen, "Lab", "Memory", "Home"]):
        rows += [blank(), heading(f"Keys: {name}", width, look), *_keys(keymap.SCREENS[name], width, look, own)]
    rows += [blank(), *paragraph("To have other keys: p, then Change the keys.", width, look, style=look.muted)]
    rows += [blank(), heading("Words", width, look), *_pairs(WORDS, width, look)]
    rows += [blank(), heading("Marks", width, look), *_pairs(MARKS, width, look)]
    rows += [blank(), heading("Stars", width, look), *_pairs(STARS, width, look)]
    return [*rows, blank()]


def _keys(keys: Sequence[keymap.Key], width: int, look: Look, own: Mapping[str, str]) -> list[Row]:
    rows: list[Row] = []
    for shown, words in keymap.explained(keys, own):
        rows += labelled(row((shown, look.accent + look.bold)), wrapped(words, width - 19, look), 18)
    return rows


def _pairs(pairs: tuple[tuple[str, str], ...], width: int, look: Look) -> list[Row]:
    rows: list[Row] = []
    for name, words in pairs:
        rows += labelled(row((name, look.bright)), wrapped(words, width - 17, look), 16)
    return rows
