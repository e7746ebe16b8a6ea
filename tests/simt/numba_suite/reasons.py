"""Why a test of numba-cuda's that passes on a GPU does not pass in the simulator, in few words.

    python -m tests.simt.numba_suite.reasons out.json [--keep]

prints the count for the README from what `survey` wrote; `--keep` makes it what the tests expect.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
ON_A_GPU: dict[str, list[str]] = json.loads((HERE / "h200.json").read_text())
"""Module -> its tests that pass on an NVIDIA H200 (numba-cuda 0.30.4)."""

EXPECTED = HERE / "outcomes.json"
"""Module -> test -> "passed", or why not, in the simulator; tests of `ON_A_GPU` only."""

NOT_OF_KERNELS = (
    ("machine code", r"machine code|FileCheck|nvrtc|nvvm|Nvvm|NVRTC|nvJitLink|nvdisasm|inspect_|[Ll]ink|cache_config|"
                     r"shared_memory_carveout|create_module|ptx|PTX|cubin|cudadevrt|libdevice|module_callbacks|"
                     r"ExternFunction|launch_config_sensitive|fndesc"),
    ("another package", r"cupy|cffi|torch|ml_dtypes|cuda\.core|\"cuda\" is an NVIDIA driver library|CUDARuntimeError"),
    ("another process or GPU", r"BrokenProcessPool|CalledProcessError|process failed|subprocess|IPC|Ipc|multigpu|"
                               r"NOT_INITIALIZED"),
    ("CUDA beyond the simulator", r"CUDA driver call|NRT|rtsys|a pointer as an argument"),
)
"""Kinds of reason that say nothing of a kernel, and the words that tell them."""


def reason(row: dict) -> str:
    """Why a test did not pass: of `NOT_OF_KERNELS`, "skipped", "too slow", "unsupported: ..." or "differs: ..."."""
    text = f"{row['module']} {row['test']} {row['why']}"
    for kind, words in NOT_OF_KERNELS:
        if re.search(words, text):
            return kind
    if row["outcome"] == "unsupported":
        return f"unsupported: {construct(row['why'])}"
    return row["outcome"] if row["outcome"] in ("skipped", "too slow") else f"differs: {construct(row['why'])}"


def construct(why: str) -> str:
    """What a message speaks of, without the names and numbers of one test."""
    return re.sub(r"'[^']*'|`[^`]*`|\x1b\[\d*m|0x[0-9a-f]+|\b\d+\b", "...", why)[:90]


def sort(rows: list[dict]) -> dict[str, dict[str, str]]:
    """Module -> test -> "passed" or the reason; tests that pass on a GPU only."""
    sorted_: dict[str, dict[str, str]] = {}
    for row in sorted(rows, key=lambda row: (row["module"], row["test"])):
        if row["test"] in ON_A_GPU.get(row["module"], ()):
            came = "passed" if row["outcome"] == "passed" else reason(row)
            sorted_.setdefault(row["module"], {})[row["test"]] = came
    return sorted_


def main() -> None:
    rows = json.loads(Path(sys.argv[1]).read_text())
    outcomes = sort(rows)
    counts = Counter(came for tests in outcomes.values() for came in tests.values())
    of_kernels = sum(counts.values()) - sum(counts[kind] for kind, _ in NOT_OF_KERNELS)
    print(f"{counts['passed']} of {of_kernels} (of {sum(map(len, ON_A_GPU.values()))} that pass on an H200)")
    for came, count in counts.most_common():
        print(f"{count:5d}  {came}")
    for row in rows:
        if row["findings"] and row["outcome"] == "passed":
            print(f"finding  {row['module']} {row['test']}: {row['findings'][0]}")
    if "--keep" in sys.argv:
        EXPECTED.write_text(json.dumps(outcomes, indent=0))


if __name__ == "__main__":
    main()
