"""What a terminal can show is measured before the app starts."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from gpulab.tui import terminal
from gpulab.views import charset
from tests.tui.terminal import ROOT, Terminal


def test_a_locale_without_utf8_means_ascii_and_none_means_nothing():
    assert charset.without_utf8({"LANG": "de_DE.ISO-8859-1"}) == ("LANG", "de_DE.ISO-8859-1")
    assert charset.without_utf8({"LC_ALL": "C", "LANG": "en_US.UTF-8"}) == ("LC_ALL", "C")
    assert charset.without_utf8({"LC_CTYPE": "C.UTF-8", "LANG": "C"}) is None
    assert charset.without_utf8({"LANG": "ja_JP.utf8"}) is None
    assert charset.without_utf8({}) is None


@pytest.mark.parametrize("variable", ["LC_ALL", "LC_CTYPE", "LANG"])
def test_the_cure_names_the_variable_that_rules(variable):
    """Python itself puts a UTF-8 locale into LC_CTYPE when it starts in the C locale; that is not what was set."""
    environ = {name: value for name, value in os.environ.items() if name not in charset.VARIABLES}
    program = "from gpulab.tui.terminal import examine; print(examine())"
    said = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True,
                          env=environ | {variable: "C"}).stdout
    assert f"{variable}=C has no UTF-8" in said and f"export {variable}=C.UTF-8" in said


def test_asked_for_ascii_nothing_is_measured():
    assert terminal.examine(ascii=True) == terminal.Terminal(ascii=True)


@pytest.mark.parametrize(("client", "expected"), [("0", True), ("1", False), ("", False)])
def test_tmux_is_asked_whether_its_client_takes_utf8(client, expected, monkeypatch, tmp_path):
    fake = tmp_path / "tmux"
    fake.write_text(f"#!/bin/sh\necho '{client}'\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("TMUX", "/tmp/x,1,0")
    monkeypatch.setenv("LANG", "C.UTF-8")
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_CTYPE", raising=False)
    found = terminal.examine()
    assert found.ascii is expected
    assert ("tmux -u attach" in found.notice) is expected


PROBE = "from gpulab.tui.terminal import glyph_width; print('width', glyph_width())"


def test_a_glyph_is_measured_on_a_real_pty():
    child = Terminal([sys.executable, "-c", PROBE])
    child.until("width")
    assert "width 1" in child.text
    child.close()


def test_a_terminal_that_draws_wide_glyphs_is_noticed():
    child = Terminal([sys.executable, "-c", PROBE])
    child.width_of_star = 2
    child.until("width")
    assert "width 2" in child.text
    child.close()


def test_a_terminal_that_never_answers_costs_no_more_than_patience():
    child = Terminal([sys.executable, "-c", PROBE])
    child.answers = False
    child.until("width")
    assert "width None" in child.text
    child.close()


def test_a_pipe_is_not_measured():
    done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, cwd=ROOT,
                          stdin=subprocess.DEVNULL)
    assert done.stdout == "width None\n"
