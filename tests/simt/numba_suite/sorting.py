"""Why a test of numba-cuda's that passes on a GPU does not pass in the simulator, in words for the README."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

REASONS = (
    ("machine code", r"machine code|FileCheck|nvrtc|nvvm|Nvvm|NVRTC|nvJitLink|nvdisasm|inspect_|Linker|cache_config|"
                     r"shared_memory_carveout|create_module|ptx|PTX|cubin|cudadevrt|libdevice|module_callbacks|"
                     r"launch_config_sensitive"),
    ("another package", r"cupy|cffi|torch|ml_dtypes|needs cffi|cuda\.core|\"cuda\" is an NVIDIA driver library"),
    ("another process or GPU", r"BrokenProcessPool|subprocess|IPC|Ipc|multi|NOT_INITIALIZED"),
    ("CUDA's own library calls", r"CUDA driver call|NRT|rtsys"),
)
"""Kinds of reason that say nothing of a kernel, and the words in `why` that tell them."""


def reason(row: dict) -> str:
    """The kind of reason a test did not pass: "unsupported: <construct>", one of `REASONS`, or "differs"."""
    text = f"{row['module']} {row['why']}"
    for kind, words in REASONS:
        if re.search(words, text):
            return kind
    if row["outcome"] == "unsupported":
        return f"unsupported: {construct(row['why'])}"
    return row["outcome"] if row["outcome"] in ("skipped", "too slow") else "differs"


def construct(why: str) -> str:
    """A construct without the names and sizes of one test."""
    return re.sub(r"'[^']*'|\b\d+\b", "...", why)[:80]


def table(rows: Iterable[dict], on_gpu: dict[str, list[str]]) -> Counter[str]:
    """How many of the tests that pass on a GPU pass here, and why the others do not."""
    counts: Counter[str] = Counter()
    for row in rows:
        if row["test"] in on_gpu.get(row["module"], ()):
            counts["passed" if row["outcome"] == "passed" else reason(row)] += 1
    return counts
