"""A machine that cannot run checks is told so in a sentence with the cure, and is asked again next time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gpulab import runner
from gpulab.catalog.model import Puzzle
from tests.runner.conftest import RIGHT, Check
from tests.runner.test_verdicts import diagnosis

ROOT = Path(__file__).resolve().parents[2]


def hide(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, content: str) -> None:
    """Put a package that fails to import before the real one, for new zygotes."""
    folder = tmp_path / "broken"
    folder.mkdir()
    (folder / f"{package}.py").write_text(content)
    monkeypatch.setenv("PYTHONPATH", str(folder))
    runner.stop()


@pytest.mark.parametrize(("package", "content", "message", "cure"), [
    ("numba", "raise ImportError('No module named numba')", "Numba cannot be imported: No module named numba.",
     "pip install numba numba-cuda"),
    ("numba", "raise AttributeError(\"module 'numpy' has no attribute 'row_stack'\")", "does not work with NumPy 2.",
     'pip install "numpy<2.5"'),
    ("numba", "cuda = None\nimport sys, types\nsys.modules['numba.cuda'] = types.ModuleType('numba.cuda')\n"
     "sys.modules['numba.cuda'].__file__ = '/numba/cuda/__init__.py'", "not the package numba-cuda", "pip install"),
], ids=["no numba", "numpy 2.5", "numba's own cuda"])
def test_a_numba_that_cannot_run_is_named_with_the_cure(check: Check, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
                                                        package: str, content: str, message: str, cure: str) -> None:
    hide(tmp_path, monkeypatch, package, content)
    found = diagnosis(check(RIGHT))
    assert found.kind == "environment"
    assert message in found.message
    assert cure in found.next
    monkeypatch.delenv("PYTHONPATH")
    assert check(RIGHT).verdict == "passed"


def test_a_zygote_that_dies_while_it_starts_is_told_with_its_last_words(check: Check, tmp_path: Path,
                                                                        monkeypatch: pytest.MonkeyPatch) -> None:
    hide(tmp_path, monkeypatch, "numba", "import os\nos.write(2, b'something terrible')\nos._exit(9)")
    found = diagnosis(check(RIGHT))
    assert (found.kind, found.traceback) == ("environment", "something terrible")
    assert "exit status 9" in found.message
    runner.stop()


def test_a_file_that_is_not_there_is_said(puzzle: Puzzle, tmp_path: Path) -> None:
    found = diagnosis(runner.run(puzzle, tmp_path / "no.py"))
    assert (found.kind, "No such file" in found.message) == ("environment", True)


def test_an_engine_that_is_not_there_is_said(check: Check) -> None:
    assert check(RIGHT, engine="gpu").verdict == "environment"


@pytest.mark.parametrize("name", ["NUMBA_ENABLE_CUDASIM", "NUMBA_DISABLE_JIT"])
def test_a_learners_numba_settings_do_not_reach_the_check(check: Check, monkeypatch: pytest.MonkeyPatch,
                                                          name: str) -> None:
    monkeypatch.setenv(name, "1")
    runner.stop()
    text = "from numba import cuda\n@cuda.jit\ndef kernel(out, a, n): out[...] = a + 1\n"
    assert check(text).verdict == "passed"
    runner.stop()


def test_a_workspace_with_a_folder_named_like_a_library_shadows_nothing(check: Check, tmp_path: Path,
                                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("numba", "triton", "numpy"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("raise ImportError('shadowed')")
    monkeypatch.chdir(tmp_path)
    runner.stop()
    assert check("import numpy, numba\n" + "def host(out, a, n): out[...] = a + 1\n").verdict == "passed"


def test_the_caller_imports_neither_numpy_nor_numba() -> None:
    script = "import sys, gpulab.runner; print({'numpy', 'numba', 'torch', 'textual'} & {*sys.modules})"
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True,
                          env=environment)
    assert done.stdout.strip() == "set()"
