"""Editing the learner's file: their own editor in a pane, a tab or the app's place, or the built-in one."""

from __future__ import annotations

import subprocess
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from gpulab.tui import editor
from gpulab.tui.lab_state import LabState
from gpulab.tui.screens.editor import EditorScreen
from gpulab.tui.screens.picker import Choice, Picker

if TYPE_CHECKING:
    from gpulab.tui.app import LabApp

PANE_SECONDS = 6.0
"""How long it is said that an editor opened in a pane: it is there to see."""


class Editing:
    """Which editor was chosen in this session, and where one is open for which file."""

    def __init__(self, app: LabApp) -> None:
        self._app = app
        self._chosen: editor.Editor | None = None
        """Chosen here for this session, where the environment names none."""
        self._panes: dict[Path, editor.Pane] = {}
        """By file: where an editor was opened for it."""

    def edit(self, state: LabState) -> None:
        """Open the learner's file in their editor, or ask which one that is."""
        chosen = editor.chosen() or self._chosen
        if chosen is not None:
            self._edit_with(chosen, state)
            return
        named = editor.named()
        words = f"$EDITOR is {named}, which is not on this machine. " if named else "No editor is set. "
        found = editor.found()
        to_set = found[0].name if found else "nano"
        words += f"To set one for always, type: export EDITOR={to_set}. Any editor will do: the file is "
        words += state.shown_file
        choices = [Choice(_HERE, "built-in editor", "a small one, in the app itself")]
        choices += [Choice(one, one.name, "for this session") for one in found]
        self._app.push_screen(Picker("Edit with", choices, words=words), partial(self._edit_choice, state))

    def _edit_choice(self, state: LabState, choice: editor.Editor | None) -> None:
        if choice is _HERE:
            self.edit_here(state)
        elif choice is not None:
            self._chosen = choice
            self._edit_with(choice, state)

    def edit_here(self, state: LabState) -> None:
        """The built-in editor."""
        state.refresh()
        text, backups = editor.text_of(state.file) or "", self._app.workspace.root / "backups" / state.puzzle.track
        self._app.push_screen(EditorScreen(state.file, text, _line_of(state), backups))

    def _edit_with(self, chosen: editor.Editor, state: LabState) -> None:
        """In a pane of tmux or Zellij where there is one, else in the app's place until it ends."""
        command = chosen.on(state.file, _line_of(state))
        if chosen.in_tab:
            trouble = editor.open_in_tab(command)
            well = f"{state.file.name} is open in {chosen.name}. Save there, and the check runs here."
            self._app.tell(f"{chosen.name} could not open it: {trouble}" if trouble else well, PANE_SECONDS)
            return
        pane = editor.pane_command(command, state.file.parent, self._app.size.width, self._app.size.height)
        if pane is not None:
            if self._in_open_pane(pane[0], command, state):
                return
            opened = self._panes[state.file] = editor.open_pane(pane)
            if opened.trouble is None:
                well = f"{chosen.name} is open in its own pane. Save there, and the check runs here."
                self._app.tell(well, PANE_SECONDS)
                return
            self._app.tell(f"No pane could be opened: {opened.trouble}")
        with self._app.suspend():
            ended = subprocess.run(command, check=False)
        self._app.refresh(layout=True)
        if ended.returncode:
            self._app.tell(f"{chosen.name} ended with status {ended.returncode}.")

    def _in_open_pane(self, host: str, command: list[str], state: LabState) -> bool:
        """Go to the pane in which this file is open already, or say that it is; two editors on a file lose work."""
        pane = self._panes.get(state.file)
        if pane is None:
            return False
        if editor.go_to_pane(pane):
            return True
        if host == "zellij" and pane.trouble is None and editor.is_open(command):
            self._app.tell(f"{state.file.name} is open in another pane already.", PANE_SECONDS)
            return True
        return False


_HERE = editor.Editor(("here",))
"""Stands for the built-in editor among the choices."""


def _line_of(state: LabState) -> int | None:
    """The line that the last diagnosis names, while the file is the one it speaks of."""
    report = state.report
    if report is None or report.diagnosis is None or report.source != state.source:
        return None
    return report.diagnosis.line
