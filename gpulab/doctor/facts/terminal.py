"""The terminal, as far as variables and tmux tell: nothing is written to it."""

from __future__ import annotations

from dataclasses import dataclass

from gpulab.doctor.asking import run
from gpulab.doctor.machine import Machine

TMUX_PATIENCE = 3.0


@dataclass(frozen=True)
class Tmux:
    """What tmux says of itself and of its client."""

    utf8: bool | None = None
    """None where it does not answer."""
    clipboard: str = ""
    """Its option set-clipboard: `on`, `external`, `off`; "" where it does not answer."""


@dataclass(frozen=True)
class Terminal:
    """What is known of it."""

    kind: str
    """TERM."""
    window: tuple[int, int] | None
    """(columns, rows); None where there is no terminal."""
    colours: str
    """`24-bit`, `256`, `16` or `none`."""
    ssh: bool
    program: str
    """TERM_PROGRAM, or what SSH lets through of it."""
    inside: str
    """`tmux`, `screen`, `Zellij`; "" where it is none of them."""
    tmux: Tmux | None
    """Inside tmux only."""
    tmux_installed: bool


def find_terminal(machine: Machine) -> Terminal:
    """Read the variables and ask tmux."""
    environ = machine.environ
    inside = next((name for variable, name in (("TMUX", "tmux"), ("STY", "screen"), ("ZELLIJ", "Zellij"))
                   if environ.get(variable)), "")
    return Terminal(
        kind=environ.get("TERM", ""), window=machine.window(), colours=_colours(machine),
        ssh=any(environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT")),
        program=environ.get("TERM_PROGRAM") or environ.get("LC_TERMINAL") or "", inside=inside,
        tmux=_ask_tmux(machine) if inside == "tmux" else None, tmux_installed=machine.which("tmux") is not None,
    )


def _colours(machine: Machine) -> str:
    kind = machine.environ.get("TERM", "")
    if machine.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit"):
        return "24-bit"
    return "none" if kind in ("", "dumb") else "256" if "256color" in kind else "16"


def _ask_tmux(machine: Machine) -> Tmux:
    program = machine.which("tmux")
    if program is None:
        return Tmux()
    ran = run([program, "display", "-p", "#{client_utf8}", ";", "show", "-sv", "set-clipboard"], TMUX_PATIENCE,
              machine.environ)
    utf8, _, clipboard = ran.out.partition("\n")
    return Tmux({"0": False, "1": True}.get(utf8.strip()), clipboard.strip())
