"""What opens at once stays light: no compiler, no tensor library and no NumPy before a puzzle is run."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

HEAVY = ("numba", "numpy", "torch", "triton")

SHOW = """
import json, sys
print(json.dumps([name for name in HEAVY if name in sys.modules]), file=sys.stderr)
"""


def imported_by(code: str, home: Path) -> list[str]:
    """Which heavy packages a fresh interpreter holds after `code`."""
    end = SHOW.replace("HEAVY", repr((*HEAVY, "textual")))
    environment = {**os.environ, "GPULAB_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", code + end], capture_output=True, text=True, env=environment, cwd=home, check=False
    )
    assert done.returncode == 0, done.stderr
    names: list[str] = json.loads(done.stderr.splitlines()[-1])
    return names


def needs(*modules: str) -> pytest.MarkDecorator:
    """Skip where a module is not written yet."""
    missing = [module for module in modules if find_spec(module) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} not written yet")


def test_the_package(tmp_path: Path) -> None:
    assert imported_by("import gpulab", tmp_path) == []


@needs("gpulab.cli")
@pytest.mark.parametrize("words", [["list"], ["next"], ["show", "shared/pooling"], ["--help"]])
def test_commands_that_only_read(words: list[str], tmp_path: Path) -> None:
    code = f"""
import gpulab.cli, sys
sys.argv = ["gpulab", *{words!r}]
try:
    gpulab.cli.main()
except SystemExit as end:
    assert not end.code, end.code
"""
    assert imported_by(code, tmp_path) == []


@needs("gpulab.tui.app")
def test_the_app(tmp_path: Path) -> None:
    assert imported_by("import gpulab.tui, gpulab.tui.app", tmp_path) == ["textual"]


@needs("gpulab.tui.screens.lab")
def test_all_of_the_app(tmp_path: Path) -> None:
    """Every screen and every view, Memory too: what is drawn was counted in another process."""
    code = """
import importlib, pkgutil, gpulab.tui, gpulab.views
for package in (gpulab.tui, gpulab.views):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
"""
    assert imported_by(code, tmp_path) == ["textual"]


def test_every_module_keeps_numba_torch_and_triton_out(tmp_path: Path) -> None:
    """But for the simulator's inside, whose compiler is made of Numba's classes: `simulate` imports it when called; and
    the kernel that a Triton worker practises on, which Triton wants to read from a file."""
    code = """
import importlib, pkgutil, gpulab
inside = "gpulab.engines.simt.", "gpulab.engines.triton.practice"
for module in pkgutil.walk_packages(gpulab.__path__, "gpulab."):
    if not module.name.endswith("__main__") and not module.name.startswith(inside):
        importlib.import_module(module.name)
from gpulab import Unsupported, simulate
"""
    assert set(imported_by(code, tmp_path)) <= {"numpy", "textual"}


def test_numpy_is_imported_where_it_is_said_to_be(tmp_path: Path) -> None:
    """The data that front ends read (reports, traces, the catalogue) comes without NumPy."""
    code = "import gpulab.catalog.loading, gpulab.judge.report, gpulab.trace, gpulab.views, gpulab.workspace\n"
    assert imported_by(code, tmp_path) == []
