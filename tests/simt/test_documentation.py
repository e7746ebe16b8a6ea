"""What the public door's own documentation shows is true."""

from __future__ import annotations

import doctest

import gpulab.engines.simt.simulate as door


def test_the_example_of_simulate():
    failed, tried = doctest.testmod(door)
    assert (failed, tried > 5) == (0, True)
