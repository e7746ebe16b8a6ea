"""The app: Textual screens over `gpulab.views`.

    app.py         LabApp: themes, signals, the first screen
    terminal.py    what this terminal can show: measured before the app starts
    themes.py      the three themes with our own variables, and the look of each
    keymap.py      every key, in one place
    messages.py    what workers tell the screens
    checking.py    a check in a thread: start, cancel, progress
    watching.py    saves of the learner's file, from a thread
    editor.py      which editor, and where it opens
    report_file.py the report as text: clipboard and file
    lab_state.py   everything the Lab shows; lab_pages.py turns it into rows
    widgets/       rows.py: rows by the Line API, repainting only the cells that differ
    screens/       home, lab, reference, help, picker, confirm, editor, each with its .tcss

Nothing repaints unless a key is pressed, a save is seen or a check moves on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpulab.catalog.model import Catalog, Puzzle
    from gpulab.workspace import Workspace


def run(workspace: Workspace, catalog: Catalog, *, ascii: bool = False, puzzle: Puzzle | None = None) -> int:
    """Open the app on this terminal and return its exit status. `puzzle` is opened at once; `ascii` forces ASCII."""
    from gpulab.tui.app import open_app

    return open_app(workspace, catalog, ascii=ascii, puzzle=puzzle)
