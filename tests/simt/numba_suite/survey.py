"""Run every test module that numba-cuda ships, and say what came of each test.

    python -m tests.simt.numba_suite.survey out.json [--gpu] [--jobs N] [module ...]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

FOLDERS = ("cudapy", "cudadrv", "doc_examples")
"""Of numba.cuda.tests: kernels, the host API, the manual's examples. (The rest tests what no kernel sees.)"""

MODULE_SECONDS = 900


def modules() -> list[str]:
    """Every test module in the wheel."""
    root = Path(find_spec("numba_cuda").submodule_search_locations[0]) / "numba" / "cuda" / "tests"
    return sorted(f"numba.cuda.tests.{folder}.{file.stem}"
                  for folder in FOLDERS for file in (root / folder).glob("test_*.py"))


def outcomes(module: str, gpu: bool) -> list[dict]:
    """One record per test, and one for the module itself where it dies."""
    command = [sys.executable, "-m", "tests.simt.numba_suite.worker", module, *(["--gpu"] if gpu else [])]
    died = ""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=MODULE_SECONDS)
        text = done.stdout
        if done.returncode not in (0, 1, 2, 5):  # pytest's: passed, failed, not collected, no tests
            died = f"the process ended with status {done.returncode}: {done.stderr[-200:]}"
    except subprocess.TimeoutExpired as late:
        text, died = (late.stdout or b"").decode(), f"over {MODULE_SECONDS} s"
    rows = [{"module": module} | json.loads(line) for line in text.splitlines() if line.startswith("{\"test\"")]
    if died:
        rows.append({"module": module, "test": module, "outcome": "died", "why": died,
                     "seconds": 0, "launches": 0, "findings": []})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--gpu", action="store_true", help="on the GPU of this machine instead of the simulator")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("modules", nargs="*")
    options = parser.parse_args()
    chosen = [f"numba.cuda.tests.{name}" for name in options.modules] or modules()
    rows: list[dict] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for found in pool.map(lambda module: outcomes(module, options.gpu), chosen):
            rows.extend(found)
            options.out.write_text(json.dumps(rows, indent=0))


if __name__ == "__main__":
    main()
