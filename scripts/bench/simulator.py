"""How fast the simulator runs: against Numba's own in the same run, and whether its cost is linear."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np

import gpulab
from kernels import launches, scale

MODES = {
    "values": {"findings": False, "counters": False},
    "and findings": {"findings": True, "counters": False},
    "and counters": {"findings": True, "counters": True},
}
ROUNDS = 3
SAMPLES = 7


def against_numba() -> dict[str, Any]:
    """Seconds per launch of both simulators, sampled in turns."""
    ours: dict[str, dict[str, list[float]]] = {}
    theirs: dict[str, list[float]] = {}
    for _ in range(ROUNDS):
        for name, (kernel, blocks, threads, arguments, expected) in launches().items():
            for mode, options in MODES.items():
                gpulab.simulate(kernel, blocks, threads, *arguments, **options)  # compiled from here on
                for _ in range(SAMPLES):
                    started = time.perf_counter()
                    run = gpulab.simulate(kernel, blocks, threads, *arguments, **options)
                    ours.setdefault(name, {}).setdefault(mode, []).append(time.perf_counter() - started)
                    assert run.findings == [], run.findings
            assert np.allclose(arguments[0], expected, atol=1e-4), name
        for name, seconds in _numba_once().items():
            theirs.setdefault(name, []).append(seconds)
    return {"ours": ours, "numba": theirs}


def _numba_once() -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, str(Path(__file__).with_name("other_simulator.py"))],
        env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"},
        capture_output=True,
        text=True,
        check=True,
    )
    seconds: dict[str, float] = json.loads(done.stdout)
    return seconds


def ratio(result: dict[str, Any], name: str, mode: str) -> float:
    """How many times faster ours is, medians."""
    return statistics.median(result["numba"][name]) / statistics.median(result["ours"][name][mode])


def linear() -> dict[str, Any]:
    """Seconds of an elementwise launch with everything on, by number of threads, and resident memory after it."""
    seconds: dict[str, list[float]] = {}
    for exponent in (17, 18, 19, 20):
        n = 2**exponent
        a, out = np.arange(n, dtype=np.float32), np.zeros(n, np.float32)
        for _ in range(5):
            started = time.perf_counter()
            gpulab.simulate(scale, -(-n // 256), 256, out, a, n)
            seconds.setdefault(str(n), []).append(time.perf_counter() - started)
    megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)
    return {"seconds": seconds, "resident_megabytes": megabytes}
