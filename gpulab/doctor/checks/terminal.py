"""Locale, window, tmux, clipboard."""

from __future__ import annotations

from collections.abc import Iterator

from gpulab.doctor.cures import packages
from gpulab.doctor.facts.terminal import Terminal, Tmux
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check
from gpulab.views import charset

LEAST = (80, 24)
"""Columns and rows that the screens are drawn for."""

TMUX = dict.fromkeys(("apt-get", "dnf", "apk"), "tmux")


def checks(terminal: Terminal, machine: Machine) -> Iterator[Check]:
    """What the learner looks at."""
    yield locale(machine)
    yield window(terminal)
    yield multiplexer(terminal, machine)
    yield clipboard(terminal)


def locale(machine: Machine) -> Check:
    """gpulab draws in UTF-8, and in ASCII where the locale has none."""
    without = charset.without_utf8(machine.environ)
    if without is not None:
        variable, value = without
        return Check("locale", "warning", f"{variable}={value} has no UTF-8, so gpulab draws in ASCII.",
                     charset.cure(variable))
    name = next((name for name in charset.VARIABLES if machine.environ.get(name)), None)
    if name is None:
        return Check("locale", "warning", "None is set. gpulab takes UTF-8, but tmux would draw _ for its marks.",
                     "export LANG=C.UTF-8")
    return Check("locale", "ok", f"{name}={machine.environ[name]}")


def window(terminal: Terminal) -> Check:
    """TERM, colours and size."""
    if terminal.window is None:
        return Check("terminal", "absent", "None: this goes to a file or a pipe. The app needs one (over SSH: ssh -t).")
    if terminal.kind in ("", "dumb"):
        what = "is not set" if not terminal.kind else "says that this terminal is dumb"
        return Check("terminal", "problem", f"TERM {what}, so the app cannot draw.", "export TERM=xterm-256color")
    columns, rows = terminal.window
    over = ", over SSH" if terminal.ssh else ""
    what = f"{terminal.kind}, {columns}x{rows}, {terminal.colours} colours{over}"
    if columns < LEAST[0] or rows < LEAST[1]:
        return Check("terminal", "warning", f"{what}: the app is drawn for {LEAST[0]}x{LEAST[1]} and more. "
                     "Make the window larger, or its letters smaller.")
    return Check("terminal", "ok", what)


def multiplexer(terminal: Terminal, machine: Machine) -> Check:
    """tmux keeps the app when the line drops, if it was told to draw UTF-8."""
    if terminal.tmux is not None:
        return _inside(terminal.tmux)
    if terminal.inside:
        return Check("tmux", "ok", f"Inside {terminal.inside}.")
    if not terminal.ssh:
        return Check("tmux", "absent", "Not inside tmux; over SSH it keeps the app when the line drops.")
    begin = "tmux -u new -A -s gpulab"
    if terminal.tmux_installed:
        return Check("tmux", "absent", "Not inside it. When the line drops, it would keep the app:", begin)
    install = packages(machine, TMUX)
    return Check("tmux", "absent", "Not installed. When the line drops, it would keep the app.",
                 f"{install} && {begin}" if install else "")


def _inside(tmux: Tmux) -> Check:
    if tmux.utf8 is False:
        return Check("tmux", "warning", "tmux was attached without UTF-8 and draws _ for our marks, so gpulab draws in "
                     "ASCII.", "tmux detach-client -E 'tmux -u attach'")
    if tmux.utf8 is None:
        return Check("tmux", "warning", "Inside tmux, but it does not answer (TMUX is set).", "unset TMUX")
    return Check("tmux", "ok", "Inside tmux, attached with UTF-8.")


def clipboard(terminal: Terminal) -> Check:
    """`y` copies a report by OSC 52, which the terminal may ignore; it writes a file too."""
    if terminal.window is None:
        return Check("clipboard", "absent", "None without a terminal.")
    if terminal.tmux is not None and terminal.tmux.clipboard in ("off", "external"):
        return Check("clipboard", "warning", f"tmux keeps the app from the clipboard (set-clipboard is "
                     f"{terminal.tmux.clipboard}), so y copies to a file only.", "tmux set -s set-clipboard on")
    if terminal.inside == "screen" or terminal.program == "Apple_Terminal":
        who = "screen" if terminal.inside == "screen" else "Apple's Terminal"
        return Check("clipboard", "absent", f"{who} lets no program copy (OSC 52): y copies to a file only.")
    return Check("clipboard", "ok", "y copies a report, if your terminal lets it (OSC 52); a file has it too.")
