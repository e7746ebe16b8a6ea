"""The kernels behind the drawn screens, and how they are launched there."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import numpy as np

import gpulab
from gpulab.trace.walking import Position
from gpulab.views.look import look
from gpulab.views.page import Page
from gpulab.views.scene import Scene

FILES = Path(__file__).parent / "files"
DARK = look("dark")
rng = np.random.default_rng(71)


def module(name: str) -> ModuleType:
    """The kernel's file, imported."""
    from importlib import import_module

    return import_module(f"tests.pictures.files.{name}")


def source(name: str) -> str:
    return (FILES / f"{name}.py").read_text()


def coalescing() -> Scene:
    """128 records of 8 float32, two columns of them read: the first load of warp 0."""
    p, out = rng.standard_normal((128, 8)).astype(np.float32), np.zeros(128, np.float32)
    run = gpulab.simulate(module("layout").speed2, 1, 128, out, p, 128, picture=True)
    return Scene(run, source("layout"), Position(0, 0), 128)


def grid() -> Scene:
    """10 x 20 cells, blocks of 8 x 4: the store of block (1, 1), thread (3, 2) chosen."""
    a, out = rng.standard_normal((10, 20)).astype(np.float32), np.zeros((10, 20), np.float32)
    run = gpulab.simulate(module("map_2d").map2d, (3, 3), (8, 4), out, a, picture=True)
    return Scene(run, source("map_2d"), Position(4, 1, 19), 200)


def banks() -> Scene:
    """Four warps, each with a tile of 32 x 8: the first load of a column."""
    p, out = rng.standard_normal(1024).astype(np.float32), np.zeros(128, np.float32)
    run = gpulab.simulate(module("staging").total, 4, 32, out, p, 128, picture=True)
    return Scene(run, source("staging"), Position(0, 16), 128)


def barriers() -> Scene:
    """Sixteen digits of pi, summed: the step of s = 4."""
    a = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3], np.float32)
    out = np.zeros(1, np.float32)
    run = gpulab.simulate(module("block_sum").block_sum, 1, 16, out, a, picture=True)
    assert out[0] == 80
    return Scene(run, source("block_sum"), Position(0, 5), 1)


def text(page: Page) -> list[str]:
    """Its rows without styles, nothing at their right ends."""
    return [line.plain.rstrip() for line in page.rows]


def lines(drawn: str) -> list[str]:
    """The rows of a drawing in a test."""
    return [line.rstrip() for line in drawn.strip("\n").split("\n")]
