"""Run every test module that numba-cuda ships, and say what came of each test.

    python -m tests.simt.numba_suite.survey [--gpu] [--jobs N] [--seconds S] out.json [module ...]
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path

FOLDERS = ("cudapy", "cudadrv", "doc_examples")
"""Of numba.cuda.tests: kernels, the host API, the manual's examples. (The rest tests what no kernel sees.)"""

BATCH = 4
"""Modules in one process: starting one costs as much as a module."""


def modules() -> list[str]:
    """Every test module in the wheel, like "cudapy.test_matmul"."""
    root = Path(find_spec("numba_cuda").submodule_search_locations[0]) / "numba" / "cuda" / "tests"
    return sorted(f"{folder}.{file.stem}" for folder in FOLDERS for file in (root / folder).glob("test_*.py"))


def outcomes(chosen: list[str], *, gpu: bool = False, seconds: float = 900) -> list[dict]:
    """One record per test of these modules, run in one process, or as many as its deaths need."""
    rows: list[dict] = []
    left = list(chosen)
    while left:
        found, died = _run(left, gpu, seconds)
        rows.extend(found)
        if not died:
            return rows
        seen = [row["module"] for row in found]
        guilty = seen[-1] if seen else left[0]
        rows.append({"module": guilty, "test": guilty, "outcome": "died", "why": died,
                     "seconds": 0, "launches": 0, "findings": []})
        left = [module for module in left if module not in seen and module != guilty]
    return rows


def _run(chosen: list[str], gpu: bool, seconds: float) -> tuple[list[dict], str]:
    command = [sys.executable, "-m", "tests.simt.numba_suite.worker", *(f"numba.cuda.tests.{name}" for name in chosen)]
    environment = {**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    died = ""
    try:
        done = subprocess.run(command + ["--gpu"] * gpu, capture_output=True, text=True, timeout=seconds * len(chosen),
                              env=environment)
        text = done.stdout
        if done.returncode not in (0, 1, 2, 5):  # pytest's: passed, failed, not collected, no tests
            died = f"the process ended with status {done.returncode}: {done.stderr[-200:]}"
    except subprocess.TimeoutExpired as late:
        text, died = (late.stdout or b"").decode(), f"over {seconds * len(chosen)} s"
    return [json.loads(line) for line in text.splitlines() if line.startswith('{"module"')], died


def survey(chosen: list[str], out: Path, *, gpu: bool, jobs: int, seconds: float) -> None:
    """All outcomes of these modules, written after each batch."""
    rows: list[dict] = []
    batches = [chosen[start:start + BATCH] for start in range(0, len(chosen), BATCH)]
    with ThreadPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(outcomes, batch, gpu=gpu, seconds=seconds) for batch in batches]):
            rows.extend(done.result())
            out.write_text(json.dumps(rows, indent=0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--gpu", action="store_true", help="on the GPU of this machine instead of the simulator")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=900, help="for one module")
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    survey(options.modules or modules(), options.out, gpu=options.gpu, jobs=options.jobs, seconds=options.seconds)


if __name__ == "__main__":
    main()
