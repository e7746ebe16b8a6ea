"""The occupancy puzzle against NVIDIA's own arithmetic, `cuda_occupancy.h`, for a GPU of compute capability 9.0."""

from __future__ import annotations

import shutil
import subprocess
import sysconfig
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from gpulab.catalog.root import content_root
from gpulab.catalog.specs import load_spec

SPEC = content_root() / "puzzles" / "memory" / "occupancy" / "spec.py"

PROGRAM = r"""
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include "cuda_occupancy.h"

int main(void) {
    cudaOccDeviceProp gpu;
    memset(&gpu, 0, sizeof gpu);
    gpu.computeMajor = 9;
    gpu.maxThreadsPerBlock = 1024;
    gpu.maxThreadsPerMultiprocessor = 2048;
    gpu.regsPerBlock = gpu.regsPerMultiprocessor = 65536;
    gpu.warpSize = 32;
    gpu.sharedMemPerBlock = 48 * 1024;
    gpu.sharedMemPerMultiprocessor = 228 * 1024;
    gpu.numSms = 132;
    gpu.sharedMemPerBlockOptin = 227 * 1024;
    gpu.reservedSharedMemPerBlock = 1024;
    int threads, registers, shared;
    while (scanf("%d %d %d", &threads, &registers, &shared) == 3) {
        cudaOccFuncAttributes kernel;
        memset(&kernel, 0, sizeof kernel);
        kernel.maxThreadsPerBlock = 1024;
        kernel.numRegs = registers;
        kernel.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
        kernel.maxDynamicSharedSizeBytes = 227 * 1024;
        cudaOccDeviceState state;
        memset(&state, 0, sizeof state);
        state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
        cudaOccResult result;
        if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &gpu, &kernel, &state, threads, shared))
            return 1;
        printf("%d\n", result.activeBlocksPerMultiprocessor * ((threads + 31) / 32));
    }
    return 0;
}
"""

KNOWN = (  # threads, registers, shared -> warps, as cuda_occupancy.h of CUDA 13.0 says
    (256, 40, 0, 48), (96, 40, 0, 48), (32, 32, 0, 32), (1024, 32, 0, 64), (1024, 33, 0, 32), (1024, 65, 0, 0),
    (33, 24, 0, 64), (1, 16, 0, 32), (256, 33, 0, 48), (64, 255, 0, 8), (256, 64, 116736, 8), (256, 16, 115712, 16),
    (256, 16, 115713, 8), (512, 64, 232448, 16), (320, 72, 6144, 20), (64, 31, 22272, 20), (64, 31, 22323, 18),
    (992, 72, 0, 0), (160, 168, 0, 10), (1023, 16, 1, 64), (1024, 64, 0, 32), (256, 255, 0, 8), (128, 168, 0, 12),
    (384, 56, 65536, 36), (768, 80, 0, 24),
)


def header() -> Path | None:
    """The folder with `cuda_occupancy.h`: of a CUDA toolkit, or of Triton, which brings a copy."""
    packages = Path(sysconfig.get_path("purelib"))
    toolkit = shutil.which("nvcc")
    folders = [packages / "triton" / "backends" / "nvidia" / "include", Path("/usr/local/cuda/include")]
    folders += [Path(toolkit).resolve().parents[1] / "include"] if toolkit else []
    return next((folder for folder in folders if (folder / "cuda_occupancy.h").is_file()), None)


def ours(launches: npt.NDArray[np.int32]) -> list[int]:
    threads, registers, shared = launches
    spec = load_spec(SPEC)
    return [int(warps) for warps in spec.reference(threads, registers, shared, launches.shape[1])]


def test_known_launches_have_the_warps_that_nvidia_says() -> None:
    launches = np.array([known[:3] for known in KNOWN], np.int32).T
    assert ours(launches) == [known[3] for known in KNOWN]


def test_thousands_of_launches_agree_with_cuda_occupancy_h(tmp_path: Path) -> None:
    folder, compiler = header(), shutil.which("cc")
    if folder is None or compiler is None:
        pytest.skip("no cuda_occupancy.h, or no C compiler")
    (tmp_path / "occupancy.c").write_text(PROGRAM)
    program = tmp_path / "occupancy"
    subprocess.run([compiler, "-I", str(folder), "-o", str(program), str(tmp_path / "occupancy.c")], check=True)
    launches = drawn(20_000)
    rows = "\n".join(" ".join(map(str, row)) for row in launches.T)
    told = subprocess.run([program], input=rows, capture_output=True, text=True, check=True).stdout
    assert ours(launches) == [int(line) for line in told.split()]


def drawn(many: int) -> npt.NDArray[np.int32]:
    """(3, many) launches, drawn as the puzzle draws its own."""
    import runpy

    launches: npt.NDArray[np.int32] = runpy.run_path(str(SPEC))["draw"](np.random.default_rng(7), many)
    return launches
