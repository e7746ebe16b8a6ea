"""Whose line is blamed: a learner's, or one of a puzzle's own files; never installed code."""

from __future__ import annotations

import os
import sysconfig

import numba
import numpy
import pytest

import gpulab
from gpulab.engines.simt.host.session import is_library

_PACKAGE = os.path.dirname(os.path.abspath(gpulab.__file__))


@pytest.mark.parametrize("file", [numpy.__file__, numba.__file__, gpulab.__file__, os.__file__, "<frozen importlib>",
                                  os.path.join(sysconfig.get_path("purelib"), "torch", "x.py")])
def test_installed_code_is_a_library(file: str) -> None:
    assert is_library(os.path.abspath(file) if os.sep in file else file)


@pytest.mark.parametrize("file", [os.path.join(_PACKAGE, "content", "kernels", "threads", "map.py"),
                                  os.path.join(_PACKAGE, "content", "puzzles", "threads", "map", "wrong", "one.py"),
                                  "/home/me/gpulab/threads/map.py", "<string>"])
def test_puzzles_files_in_a_wheel_and_learners_files_are_not(file: str) -> None:
    assert not is_library(file)
