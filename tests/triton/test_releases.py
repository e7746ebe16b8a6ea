"""The same tests with other releases of Triton, where folders with them are named in GPULAB_TRITONS."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FOLDERS = [folder for folder in os.environ.get("GPULAB_TRITONS", "").split(os.pathsep) if folder]
HERE = Path(__file__).resolve().parent
AGAIN = ("test_counters.py", "test_course.py", "test_findings.py", "test_front_end.py", "test_hosts.py",
         "test_judging.py", "test_resources.py", "test_values.py")


@pytest.mark.slow
@pytest.mark.skipif(not FOLDERS, reason="set GPULAB_TRITONS to folders with other releases (docs/triton.md)")
@pytest.mark.parametrize("folder", FOLDERS)
def test_the_engine_works_with_this_release(folder: str) -> None:
    path = os.pathsep.join([folder, str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider",
                           *(str(HERE / name) for name in AGAIN)], env={**os.environ, "PYTHONPATH": path},
                          cwd=HERE.parents[1], capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stdout[-3000:]
