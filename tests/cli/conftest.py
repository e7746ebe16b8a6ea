"""What the command-line tests share: a home of their own, and `gpulab` in this process or in one of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from gpulab.catalog import load
from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Report
from gpulab.workspace import Workspace
from tests.workspace.conftest import report_of

Gpulab = Callable[..., "Called"]
ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The workspace of the test; its home and terminal are not the developer's either."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("GPULAB_HOME", str(tmp_path / "work"))
    monkeypatch.setenv("COLUMNS", "80")
    for name in ("NO_COLOR", "FORCE_COLOR", "PYTHONIOENCODING", "GPULAB_CONTENT", "LC_ALL", "LC_CTYPE", "LANG"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "work"


@dataclass(frozen=True)
class Called:
    """What a call of `gpulab` said and ended with."""

    status: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        return dict(json.loads(self.out))


@pytest.fixture
def gpulab(capsys: pytest.CaptureFixture[str]) -> Callable[..., Called]:
    """`gpulab` in this process."""
    from gpulab.cli.group import run

    def call(*arguments: str) -> Called:
        capsys.readouterr()
        status = run(list(arguments))
        said = capsys.readouterr()
        return Called(status, said.out, said.err)

    return call


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "gpulab", *arguments]


def process(*arguments: str, **environment: str) -> Called:
    """`gpulab` in a process of its own, in a folder that is not the checkout, without a terminal."""
    done = subprocess.run(command(*arguments), capture_output=True, stdin=subprocess.DEVNULL, timeout=240, cwd="/",
                          env={**os.environ, **environment})
    return Called(done.returncode, done.stdout.decode(), done.stderr.decode())


@pytest.fixture(scope="session")
def puzzle() -> Puzzle:
    return next(puzzle for puzzle in load().puzzles if puzzle.id == "shared/pooling")


@pytest.fixture
def checks_give(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Make every check give a report with this verdict, without running anything: for formats and statuses."""

    def give(verdict: str, **more: Any) -> None:
        def check(puzzle: Puzzle, file: Path, **options: Any) -> Report:
            return replace(report_of(puzzle.id, verdict, source=file.read_text(), **more), file=str(file))

        monkeypatch.setattr("gpulab.check.check", check)

    return give


@pytest.fixture
def workspace(work: Path) -> Workspace:
    return Workspace.open(work)
