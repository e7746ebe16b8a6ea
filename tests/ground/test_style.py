"""The house style holds: the same three commands as `./lab check`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ground.wheelhouse import ROOT

BIN = Path(sys.executable).parent


def run(*command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "200"}
    return subprocess.run(
        [str(BIN / command[0]), *command[1:]], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


def test_ruff_finds_nothing() -> None:
    done = run("ruff", "check", "--output-format=concise", ".")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_types_are_sound() -> None:
    done = run("mypy")
    assert done.returncode == 0, done.stdout + done.stderr


def test_packages_depend_on_each_other_in_order() -> None:
    done = run("lint-imports", "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr
