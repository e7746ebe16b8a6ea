"""Locale, window, tmux, clipboard: variables, a fake tmux, and the real one where it is here."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pexpect
import pytest

from gpulab.doctor.checks.terminal import checks
from gpulab.doctor.facts.terminal import Tmux, find_terminal
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check
from tests.doctor.machines import Imagined, named


def seen(machine: Machine) -> list[Check]:
    return list(checks(find_terminal(machine), machine))


@pytest.fixture
def well(imagined: Imagined) -> Imagined:
    """A terminal as most people have it."""
    imagined.environ.update(LANG="en_US.UTF-8", TERM="xterm-256color", COLORTERM="truecolor")
    return imagined


def inside_tmux(imagined: Imagined, utf8: str, clipboard: str) -> Imagined:
    """A tmux that answers what it is asked."""
    imagined.environ["TMUX"] = "/tmp/tmux-0/default,1,0"
    imagined.tool("tmux", f'[ "$*" = "display -p #{{client_utf8}} ; show -sv set-clipboard" ] || exit 1\n'
                  f"echo {utf8}; echo {clipboard}")
    return imagined


def test_a_good_terminal_is_all_well(well: Imagined) -> None:
    found = seen(well.machine)
    assert named(found, "locale") == Check("locale", "ok", "LANG=en_US.UTF-8")
    assert named(found, "terminal") == Check("terminal", "ok", "xterm-256color, 80x24, 24-bit colours")
    assert named(found, "clipboard").state == "ok"


@pytest.mark.parametrize("variable", ["LANG", "LC_CTYPE", "LC_ALL"])
def test_a_locale_without_utf8_names_the_variable_that_rules(imagined: Imagined, variable: str) -> None:
    imagined.environ[variable] = "C"
    check = named(seen(imagined.machine), "locale")
    assert check == Check("locale", "warning", f"{variable}=C has no UTF-8, so gpulab draws in ASCII.",
                          f"export {variable}=C.UTF-8")


def test_no_locale_is_a_warning_for_tmux(imagined: Imagined) -> None:
    check = named(seen(imagined.machine), "locale")
    assert (check.state, check.cure) == ("warning", "export LANG=C.UTF-8")
    assert "tmux would draw _" in check.sentence


@pytest.mark.parametrize("kind, said", [("", "is not set"), ("dumb", "says that this terminal is dumb")])
def test_a_terminal_that_cannot_draw_is_a_problem(well: Imagined, kind: str, said: str) -> None:
    well.environ["TERM"] = kind
    check = named(seen(well.machine), "terminal")
    assert check == Check("terminal", "problem", f"TERM {said}, so the app cannot draw.", "export TERM=xterm-256color")


def test_a_small_window_is_a_warning(well: Imagined) -> None:
    check = named(seen(replace(well.machine, window=lambda: (72, 24))), "terminal")
    assert check.state == "warning"
    assert "72x24" in check.sentence and "drawn for 80x24" in check.sentence


@pytest.mark.parametrize("kind, truecolour, colours", [
    ("xterm", "", "16"), ("xterm-256color", "", "256"), ("xterm", "truecolor", "24-bit"),
])
def test_colours_are_told_by_the_variables(well: Imagined, kind: str, truecolour: str, colours: str) -> None:
    well.environ.update(TERM=kind, COLORTERM=truecolour)
    assert named(seen(well.machine), "terminal").sentence == f"{kind}, 80x24, {colours} colours"


def test_a_pipe_is_no_terminal_and_no_failure(well: Imagined) -> None:
    found = seen(replace(well.machine, window=lambda: None))
    assert named(found, "terminal").state == "absent"
    assert named(found, "clipboard").state == "absent"


def test_over_ssh_tmux_is_recommended_with_how_to_get_it(well: Imagined) -> None:
    well.environ["SSH_CONNECTION"] = "10.0.0.1 22 10.0.0.2 22"
    well.tool("apt-get", "exit 1")
    found = seen(well.machine)
    assert named(found, "terminal").sentence.endswith(", over SSH")
    check = named(found, "tmux")
    assert check.state == "absent"
    assert check.cure == "apt-get update && apt-get install -y tmux && tmux -u new -A -s gpulab"
    well.tool("tmux", "exit 1")
    assert named(seen(well.machine), "tmux").cure == "tmux -u new -A -s gpulab"


def test_a_tmux_client_without_utf8_is_attached_again(well: Imagined) -> None:
    check = named(seen(inside_tmux(well, "0", "on").machine), "tmux")
    assert check.state == "warning"
    assert "attached without UTF-8" in check.sentence
    assert check.cure == "tmux detach-client -E 'tmux -u attach'"


@pytest.mark.parametrize("setting, state, cure", [
    ("on", "ok", ""), ("external", "warning", "tmux set -s set-clipboard on"),
    ("off", "warning", "tmux set -s set-clipboard on"),
])
def test_tmux_must_let_the_app_reach_the_clipboard(well: Imagined, setting: str, state: str, cure: str) -> None:
    found = seen(inside_tmux(well, "1", setting).machine)
    assert named(found, "tmux").state == "ok"
    check = named(found, "clipboard")
    assert (check.state, check.cure) == (state, cure)


def test_a_tmux_that_does_not_answer_is_said(well: Imagined) -> None:
    well.environ["TMUX"] = "/tmp/gone,1,0"
    well.tool("tmux", "echo 'no server running' >&2; exit 1")
    check = named(seen(well.machine), "tmux")
    assert (check.state, check.cure) == ("warning", "unset TMUX")


def test_apples_terminal_has_no_clipboard_for_programs(well: Imagined) -> None:
    well.environ["TERM_PROGRAM"] = "Apple_Terminal"
    check = named(seen(well.machine), "clipboard")
    assert check.state == "absent"
    assert "y copies to a file only" in check.sentence


@pytest.mark.skipif(shutil.which("tmux") is None, reason="tmux is not here")
class TestTheRealTmux:
    @pytest.fixture
    def environ(self, tmp_path: Path) -> Iterator[dict[str, str]]:
        """A server of its own, which ends with the test."""
        environ = {"PATH": os.environ["PATH"], "TMUX_TMPDIR": str(tmp_path), "TERM": "xterm-256color", "LC_ALL": "C",
                   "HOME": str(tmp_path), "SHELL": "/bin/sh"}
        yield environ
        subprocess.run(["tmux", "kill-server"], env=environ, capture_output=True)

    def ask(self, environ: dict[str, str]) -> Tmux | None:
        """As from within a pane."""
        return find_terminal(Machine(environ={**environ, "TMUX": self.socket(environ)})).tmux

    def socket(self, environ: dict[str, str]) -> str:
        asked = subprocess.run(["tmux", "display", "-p", "#{socket_path},#{pid},0"], env=environ, capture_output=True,
                               text=True)
        return asked.stdout.strip()

    def test_a_client_without_utf8_is_seen_and_the_cure_cures_it(self, environ: dict[str, str]) -> None:
        client = pexpect.spawn("tmux", ["new", "-s", "lab"], env=environ, dimensions=(24, 80))  # type: ignore[arg-type]
        try:
            assert self.until(environ, False)
            check, = [check for check in seen(Machine(environ={**environ, "TMUX": self.socket(environ)},
                                                      window=lambda: (80, 24))) if check.name == "tmux"]
            client.sendline(check.cure)
            assert self.until(environ, True)
        finally:
            client.close(force=True)

    def until(self, environ: dict[str, str], utf8: bool) -> bool:
        """Whether tmux says so within ten seconds."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            told = self.ask(environ)
            if told is not None and told.utf8 is utf8:
                return True
            time.sleep(0.1)
        return False
