"""What the NVIDIA driver says, without CUDA and without a context."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from pathlib import Path

PROC = Path("/proc/driver/nvidia/version")

# Drivers from 2026 on write "CUDA UMD Version" where older ones wrote "CUDA Version".
HEADER = re.compile(r"CUDA (?:UMD )?Version\s*:\s*(\d+)\.(\d+)")


def mark() -> str:
    """What is cheap to see of the driver: changes when it is installed, updated or removed."""
    try:
        return PROC.read_text().splitlines()[0]
    except (OSError, IndexError):  # WSL has no such file
        return shutil.which("nvidia-smi") or ""


def cuda_version() -> tuple[int, int] | None:
    """The newest CUDA the driver supports, as (major, minor); None where there is no working driver."""
    return from_nvidia_smi() or from_libcuda()


def from_nvidia_smi() -> tuple[int, int] | None:
    """Read the header that `nvidia-smi` prints; it is the one thing every image with a GPU has."""
    if shutil.which("nvidia-smi") is None:
        return None
    try:
        done = subprocess.run(["nvidia-smi"], capture_output=True, text=True, errors="replace", timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = HEADER.search(done.stdout) if done.returncode == 0 else None
    return (int(found[1]), int(found[2])) if found else None


def from_libcuda() -> tuple[int, int] | None:
    """Ask the driver's library, which needs no initialisation for this ("CUDA Driver API", cuDriverGetVersion)."""
    version = ctypes.c_int(0)
    try:
        status = ctypes.CDLL("libcuda.so.1").cuDriverGetVersion(ctypes.byref(version))
    except (OSError, AttributeError):
        return None
    return (version.value // 1000, version.value % 1000 // 10) if status == 0 and version.value else None
