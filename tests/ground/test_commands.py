"""make and CI call ./lab, and ./lab calls what it says."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from tests.ground.wheelhouse import ROOT

COMMANDS = ("env", "test", "check", "verify", "bench", "fuzz", "test-pythons", "wheel")


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize("target", COMMANDS)
def test_make_calls_lab(target: str) -> None:
    planned = subprocess.check_output(["make", "--dry-run", "--no-print-directory", target], cwd=ROOT, text=True)
    assert planned.strip() == f"./lab {target}"


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
def test_make_alone_opens_the_app() -> None:
    assert subprocess.check_output(["make", "--dry-run"], cwd=ROOT, text=True).strip() == "./lab"


def test_help_names_every_command() -> None:
    told = subprocess.check_output([ROOT / "lab", "help"], text=True)
    assert all(f"./lab {command}" in told for command in COMMANDS)


def test_lab_is_plain_posix_shell() -> None:
    """dash refuses what only bash knows, where it can see it without running it."""
    shell = shutil.which("dash") or "sh"
    assert subprocess.run([shell, "-n", ROOT / "lab"], check=False).returncode == 0


def test_ci_runs_the_command_that_readme_gives() -> None:
    assert (ROOT / ".ci" / "run").read_text().rstrip().endswith("exec ./lab test </dev/null")
    assert "    ./lab test" in (ROOT / "README.md").read_text()
