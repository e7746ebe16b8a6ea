"""What a terminal can show is measured before the app starts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from gpulab.tui import terminal
from tests.tui.terminal import ROOT, Terminal


def test_a_locale_without_utf8_means_ascii_and_none_means_nothing():
    assert terminal.named_encoding({"LANG": "de_DE.ISO-8859-1"}) == "de_DE.ISO-8859-1"
    assert terminal.named_encoding({"LC_ALL": "C", "LANG": "en_US.UTF-8"}) == "C"
    assert terminal.named_encoding({"LC_CTYPE": "C.UTF-8", "LANG": "C"}) is None
    assert terminal.named_encoding({"LANG": "ja_JP.utf8"}) is None
    assert terminal.named_encoding({}) is None


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
                          stdin=subprocess.DEVNULL)  # fmt: skip
    assert done.stdout == "width None\n"
