"""The Python that runs this script, and the torch it brings."""

from __future__ import annotations

import hashlib
import json
import os
import site
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ANSWER = "gpulab:torch "

PROBE = """
import json
import torch
try:
    import triton
except Exception:
    triton = None
print("gpulab:torch", json.dumps([torch.__version__, torch.__file__, triton is not None]))
"""


@dataclass(frozen=True)
class ParentTorch:
    """A torch that imports in the parent Python; `triton` says whether Triton does too."""

    version: str
    file: str
    triton: bool


def find_torch() -> ParentTorch | None:
    """Import torch in a process of the parent Python; None where that fails for whatever reason."""
    try:
        done = subprocess.run([sys.executable, "-c", PROBE], capture_output=True, text=True, timeout=300, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    for line in done.stdout.splitlines():  # importing may print lines of its own
        if line.startswith(ANSWER):
            return ParentTorch(*json.loads(line[len(ANSWER) :]))
    return None


def site_folders(torch: ParentTorch) -> tuple[str, ...]:
    """The parent's package folders, in its own order: what a child environment must see to import its torch.

    The same for a system Python, conda and an active virtual environment, whose packages
    `--system-site-packages` would not show.
    """
    folders = site.getsitepackages()
    if site.ENABLE_USER_SITE:
        folders.insert(0, site.getusersitepackages())
    beside_torch = str(Path(torch.file).parent.parent)  # on PYTHONPATH, say
    if beside_torch not in folders:
        folders.append(beside_torch)
    return tuple(folder for folder in dict.fromkeys(folders) if os.path.isdir(folder))


def torch_mark(file: str) -> str:
    """A short hash that changes when the torch at `file` is replaced; empty when it is gone."""
    for name in ("version.py", "__init__.py"):
        try:
            return hashlib.sha256(Path(file).with_name(name).read_bytes()).hexdigest()[:16]
        except OSError:
            continue
    return ""
