"""Numba's own simulator on the same kernels, one sample each: a process of its own, with NUMBA_ENABLE_CUDASIM=1."""

from __future__ import annotations

import json
import time

import numpy as np

from kernels import launches


def main() -> None:
    seconds = {}
    for name, (kernel, blocks, threads, arguments, expected) in launches().items():
        started = time.perf_counter()
        kernel[blocks, threads](*arguments)
        seconds[name] = time.perf_counter() - started
        assert np.allclose(arguments[0], expected, atol=1e-4), name
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
