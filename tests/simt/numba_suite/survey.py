"""Run every test module that numba-cuda ships, and say what came of each test.

    python -m tests.simt.numba_suite.survey [--gpu] [--jobs N] [--seconds S] out.json [module ...]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from importlib.util import find_spec
from pathlib import Path

FOLDERS = ("cudapy", "cudadrv", "doc_examples")
"""Of numba.cuda.tests: kernels, the host API, the manual's examples. (The rest tests what no kernel sees.)"""


def modules() -> list[str]:
    """Every test module in the wheel, like "cudapy.test_matmul"."""
    root = Path(find_spec("numba_cuda").submodule_search_locations[0]) / "numba" / "cuda" / "tests"
    return sorted(f"{folder}.{file.stem}" for folder in FOLDERS for file in (root / folder).glob("test_*.py"))


def outcomes(module: str, *, gpu: bool = False, seconds: float = 900) -> list[dict]:
    """One record per test of a module, and one for the module itself where it dies."""
    command = [sys.executable, "-m", "tests.simt.numba_suite.worker", f"numba.cuda.tests.{module}"]
    died = ""
    try:
        done = subprocess.run(command + ["--gpu"] * gpu, capture_output=True, text=True, timeout=seconds)
        text = done.stdout
        if done.returncode not in (0, 1, 2, 5):  # pytest's: passed, failed, not collected, no tests
            died = f"the process ended with status {done.returncode}: {done.stderr[-200:]}"
    except subprocess.TimeoutExpired as late:
        text, died = (late.stdout or b"").decode(), f"over {seconds} s"
    rows = [json.loads(line) for line in text.splitlines() if line.startswith('{"module"')]
    if died:
        rows.append({"module": module, "test": module, "outcome": "died", "why": died,
                     "seconds": 0, "launches": 0, "findings": []})
    return rows


def survey(chosen: Iterable[str], out: Path, *, gpu: bool, jobs: int, seconds: float) -> None:
    """All outcomes of these modules, written after each module."""
    rows: list[dict] = []
    with ThreadPoolExecutor(jobs) as pool:
        for done in as_completed([pool.submit(outcomes, module, gpu=gpu, seconds=seconds) for module in chosen]):
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
