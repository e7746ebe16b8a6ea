"""The doctor's page: within its width, in ASCII where asked, and with commands that a shell takes as they stand."""

from __future__ import annotations

import io
import shlex
import subprocess
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from gpulab.doctor.facts.libraries import Kernel, Numba
from gpulab.doctor.model import Check, Examination, Section, State
from gpulab.views.doctor import folded, render, verdict
from gpulab.views.look import look
from tests.doctor.test_numba import CUDA_13, NO_GPU

LONG = ("mv /root/gpulab-work /workspace/a-volume-with-a-long-name/gpulab-work && gpulab --home "
        "/workspace/a-volume-with-a-long-name/gpulab-work")
WELL = (Check("numpy", "ok", "2.4.6"), Check("driver", "absent", "No NVIDIA GPU: everything runs in the simulator."))
BROKEN = Check("numpy", "problem", "2.5.2: numba-cuda needs numpy.row_stack, which NumPy 2.5 removed.",
               ".venv/bin/python -m pip install 'numpy<2.5,>=2.1'")
UNSURE = Check("disk", "warning", "Your work is lost when this machine is stopped. To keep it:", LONG)


SAYING = """mv() { printf 'mv<%s>' "$@"; }; gpulab() { printf 'gpulab<%s>' "$@"; }"""
"""Makes the two commands of LONG say what they were given."""


def shell(script: str) -> str:
    return subprocess.run(["sh", "-c", script], capture_output=True, check=True).stdout.decode()


class Facts:
    """What a page asks of the facts."""

    def __init__(self, gpu: bool = False) -> None:
        self.nvidia = CUDA_13 if gpu else NO_GPU
        self.numba = Numba("0.68.1", "0.30.4", "2.4.6", kernel=Kernel("ran", "", 0.5) if gpu else Kernel())


def examined(*checks: Check, gpu: bool = False) -> Examination:
    facts: Any = Facts(gpu)
    return Examination((Section("all", checks),), facts, 1.0)


def printed(found: Examination, width: int = 80, *, ascii: bool = False, colour: bool = False) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width, force_terminal=colour, color_system="256" if colour else None,
                      soft_wrap=True, highlight=False)
    console.print(render(found, width=width, look=look("ansi" if colour else "plain", ascii=ascii)))
    return stream.getvalue()


@pytest.mark.parametrize("width", [40, 60, 80, 100])
@pytest.mark.parametrize("ascii", [False, True])
def test_no_row_is_wider_than_the_window(width: int, ascii: bool) -> None:
    short = replace(UNSURE, cure="gpulab export --output FILE")
    said = printed(examined(*WELL, replace(BROKEN, cure="pip install numpy"), short), width, ascii=ascii)
    assert max(map(len, said.splitlines())) <= width
    assert said.isascii() is ascii


def test_marks_tell_the_states_without_colour() -> None:
    rows = printed(examined(*WELL, BROKEN, UNSURE), ascii=True).splitlines()
    assert {row.split()[1]: row[0] for row in rows if row[:1] in "+^xo" and row[1:2] == " "} == {
        "numpy": "x", "driver": "o", "disk": "^"} | {"numpy": "x"}
    assert rows[1] == "+ numpy       2.4.6"


def test_no_colour_means_no_escape_codes_and_colour_means_some() -> None:
    assert "\x1b" not in printed(examined(BROKEN))
    assert "\x1b[31m" in printed(examined(BROKEN), colour=True)


def test_each_problem_stands_above_its_one_command() -> None:
    rows = printed(examined(BROKEN)).splitlines()
    at = next(at for at, row in enumerate(rows) if row.startswith("× numpy"))
    arrows = [row for row in rows if row.strip().startswith("$")]
    assert arrows == ["  $ .venv/bin/python -m pip install 'numpy<2.5,>=2.1'"]
    assert rows.index(arrows[0]) == at + 1


def test_a_long_command_is_broken_so_that_it_can_be_pasted() -> None:
    rows = printed(examined(UNSURE)).splitlines()
    at = next(at for at, row in enumerate(rows) if "$ " in row)
    command = [rows[at].replace("$", " ", 1), *rows[at + 1:rows.index("", at)]]
    assert all(row.endswith("\\") for row in command[:-1])
    assert len(command) > 1
    assert shell(f"{SAYING}\n" + "\n".join(command)) == shell(f"{SAYING}\n{LONG}") != ""


WORDS = st.text(st.characters(categories=["L", "N", "P", "S"]) | st.just(" "), min_size=1, max_size=30)


@settings(max_examples=40)
@given(st.lists(WORDS, min_size=1, max_size=12), st.integers(20, 90))
def test_folding_changes_nothing_for_the_shell(words: list[str], width: int) -> None:
    command = "printf '%s\\n' " + shlex.join(words)
    assert shell("\n".join(folded(command, width))) == "".join(f"{word}\n" for word in words)


@pytest.mark.parametrize("checks, said", [
    (WELL, "All is well. Every Numba puzzle is checked in the simulator."),
    ((*WELL, UNSURE), "Nothing is broken; 1 warning (disk). Every Numba puzzle is checked in the simulator."),
    ((BROKEN, UNSURE, replace(UNSURE, name="locale")), "1 problem (numpy) and 2 warnings (disk, locale). Type what "
     "stands after the $, then look again: gpulab doctor"),
])
def test_the_last_sentence_says_what_it_comes_to(checks: tuple[Check, ...], said: str) -> None:
    assert verdict(examined(*checks)) == said


def test_with_a_kernel_that_ran_the_gpu_is_named() -> None:
    assert verdict(examined(*WELL, gpu=True)) == "All is well. Numba puzzles can run on the GPU."


@pytest.mark.parametrize("state, well", [("ok", True), ("absent", True), ("warning", True), ("problem", False)])
def test_only_a_problem_is_a_failure(state: State, well: bool) -> None:
    assert examined(Check("x", state, "y")).well is well
