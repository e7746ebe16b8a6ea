"""What the public door's own documentation shows is true."""

from __future__ import annotations

import doctest
from pathlib import Path

import gpulab.engines.simt.simulate as door
from gpulab.catalog.budgets import SUMS
from gpulab.trace.counters import COUNTERS


def test_the_example_of_simulate():
    failed, tried = doctest.testmod(door)
    assert (failed, tried > 5) == (0, True)


def test_every_counter_and_every_sum_is_defined_in_the_documentation():
    text = (Path(__file__).parents[2] / "docs" / "counters.md").read_text()
    for name in (*COUNTERS, *SUMS):
        assert f"`{name}`" in text or f"`{name.replace('_store', '_load')}`" in text, name
