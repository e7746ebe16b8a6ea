"""Opening the app is quick because it brings in little."""

from __future__ import annotations

import subprocess
import sys

from tests.tui.terminal import ROOT

HEAVY = ("numpy", "numba", "torch", "triton", "gpulab.catalog.spec", "gpulab.engines")


def test_the_app_and_its_screens_bring_in_nothing_heavy():
    code = ("import sys\nimport gpulab.tui.app, gpulab.tui.lab_pages, gpulab.views.result\n"
            "from gpulab import catalog\ncatalog.load()\n"
            f"print([name for name in {HEAVY!r} if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "[]"


def test_importing_the_package_alone_does_not_bring_in_textual():
    code = "import sys, gpulab.tui; print('textual' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "False"
