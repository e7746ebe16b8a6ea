"""Which editor the learner uses, and where it opens: beside the app in tmux or Zellij, in a tab of VS Code, else in its
place."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

KNOWN = ("nano", "micro", "hx", "nvim", "vim", "vi", "emacs")
"""Looked for on PATH where no editor is set."""
IN_TABS = frozenset({"code", "codium", "code-insiders", "code-server", "cursor", "windsurf", "subl", "zed"})
"""Editors that open a window or a tab of their own and leave the terminal alone."""
TAKES_GOTO = IN_TABS - {"subl", "zed"}
"""Of these, who want `--goto file:17`; the others take `file:17` as it is."""
TAKES_PLUS_LINE = frozenset({"vi", "vim", "nvim", "nano", "emacs", "emacsclient", "micro", "kak", "ne", "joe", "ex"})
"""Editors that open at a line with `+17`."""

SIDE_BY_SIDE = 150
"""Columns from which the editor stands beside the app: it keeps 60 and more."""
EDITOR_SHARE = "62%"
"""What the editor gets of the height when it stands above the app; the verdict keeps its rows below."""


@dataclass(frozen=True)
class Editor:
    """A command to which the file's path is added."""

    command: tuple[str, ...]

    @property
    def name(self) -> str:
        return Path(self.command[0]).name

    @property
    def in_tab(self) -> bool:
        """Whether it opens beside the terminal, in a window or tab of its own."""
        return self.name in IN_TABS

    def on(self, file: Path, line: int | None) -> list[str]:
        """The command line that opens `file`, at `line` where the editor is known to take one."""
        if self.in_tab:
            where = f"{file}:{line}" if line else str(file)
            return [*self.command, *(["--goto"] if line and self.name in TAKES_GOTO else []), where]
        at = [f"+{line}"] if line and self.name in TAKES_PLUS_LINE else []
        return [*self.command, *at, str(file)]


def chosen(environ: Mapping[str, str] = os.environ) -> Editor | None:
    """`$VISUAL`, else `$EDITOR`, read now and not at import; where neither names a program that is there, in VS Code's
    terminal VS Code itself, else None."""
    for name in ("VISUAL", "EDITOR"):
        try:
            command = shlex.split(environ.get(name, ""))
        except ValueError:
            continue
        if command and shutil.which(command[0]):
            return Editor(tuple(command))
    return _of_this_terminal(environ)


def _of_this_terminal(environ: Mapping[str, str]) -> Editor | None:
    """In VS Code's terminal, and its like, the command that opens a tab above it."""
    if environ.get("TERM_PROGRAM") != "vscode" or environ.get("TMUX"):
        return None
    name = next((name for name in ("code", "cursor", "windsurf", "codium", "code-server", "code-insiders")
                 if shutil.which(name)), None)
    return Editor((name,)) if name else None


def named(environ: Mapping[str, str] = os.environ) -> str:
    """What `$VISUAL` or `$EDITOR` says, whether it is there or not."""
    return environ.get("VISUAL") or environ.get("EDITOR") or ""


def found() -> list[Editor]:
    """Editors on PATH, friendliest first."""
    return [Editor((name,)) for name in KNOWN if shutil.which(name)]


def pane_command(command: list[str], folder: Path, width: int, height: int,
                 environ: Mapping[str, str] = os.environ) -> list[str] | None:
    """The command that opens a pane with the editor in tmux or Zellij; None outside of both."""
    beside = width >= SIDE_BY_SIDE
    if environ.get("TMUX") and shutil.which("tmux"):
        where = ["-h"] if beside else ["-v", "-b", "-l", EDITOR_SHARE]
        return ["tmux", "split-window", *where, "-P", "-F", "#{pane_id}", "-c", str(folder), shlex.join(command)]
    if environ.get("ZELLIJ") is not None and shutil.which("zellij"):
        direction = "right" if beside else "down"
        return ["zellij", "run", "--close-on-exit", "--direction", direction, "--cwd", str(folder), "--", *command]
    return None


@dataclass(frozen=True)
class Pane:
    """What came of opening a pane: its name for tmux ("" in Zellij, which gives none), or what went wrong."""

    id: str = ""
    trouble: str | None = None


def open_pane(command: list[str]) -> Pane:
    """Run a pane command."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return Pane(trouble=str(error))
    if done.returncode == 0:
        return Pane(done.stdout.strip() if command[0] == "tmux" else "")
    said = (done.stderr or done.stdout).strip().splitlines()
    return Pane(trouble=said[-1] if said else f"status {done.returncode}")


def go_to_pane(pane: Pane) -> bool:
    """Put the cursor into a pane of tmux, wherever it is now; False where it is not open any more."""
    if not pane.id:
        return False
    try:
        for verb in ("select-window", "select-pane"):
            done = subprocess.run(["tmux", verb, "-t", pane.id], capture_output=True, timeout=5,
                                  stdin=subprocess.DEVNULL)
            if done.returncode:
                return False
    except (OSError, subprocess.TimeoutExpired):
        return False
    return True


def open_in_tab(command: list[str]) -> str | None:
    """Run a command that opens a tab elsewhere and ends at once; what went wrong, if it did."""
    quick = [part for part in command if part not in ("-w", "--wait")]
    return open_pane(quick).trouble


def is_open(command: list[str]) -> bool:
    """Whether a program runs that was started like this: Zellij does not say which panes it has."""
    import psutil

    wanted = [Path(command[0]).name, command[-1]]
    for process in psutil.process_iter(["cmdline"]):
        started = process.info["cmdline"] or []
        if len(started) > 1 and [Path(started[0]).name, started[-1]] == wanted:
            return True
    return False


def text_of(file: Path) -> str | None:
    """What the file holds now, line ends as the editor has them; None where there is none."""
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None


def save_atomically(file: Path, text: str) -> None:
    """Replace the file's content at once: a reader sees the old or the new, never half. Raises OSError."""
    partial = file.with_name(f".{file.name}.{os.getpid()}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="") as stream:
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
        if file.exists():
            shutil.copymode(file, partial)
        os.replace(partial, file)
    finally:
        partial.unlink(missing_ok=True)
