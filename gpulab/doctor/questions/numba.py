"""Which `numba.cuda` is imported, whether the compiler libraries are found, and whether a kernel runs on the GPU."""

from __future__ import annotations

import ctypes
import re
import time
from importlib import import_module
from typing import Any

from gpulab.doctor.questions.saying import described, say, version

LIBRARIES = {
    "nvvm": ("nvidia-nvvm", "nvidia-cuda-nvcc", "nvidia-cuda-nvcc-cu12"),
    "nvrtc": ("nvidia-cuda-nvrtc", "nvidia-cuda-nvrtc-cu12"),
    "nvJitLink": ("nvidia-nvjitlink", "nvidia-nvjitlink-cu12"),
}
"""As cuda-pathfinder names them -> the distributions on PyPI that bring them."""


kernels: Any = None
"""`numba.cuda` under a name that a kernel sees."""


def main() -> None:
    say(numpy=version("numpy"), numba=version("numba"), numba_cuda=version("numba-cuda"))
    try:
        say(numpy=import_module("numpy").__version__)
        say(numba=import_module("numba").__version__)
        cuda = import_module("numba.cuda")
    except BaseException as error:
        say(error=described(error))
        return
    say(file=getattr(cuda, "__file__", None), imported=True)
    libraries()
    kernel(cuda)


def libraries() -> None:
    """Where the three libraries are found, as numba-cuda looks for them: it asks cuda-pathfinder too."""
    try:
        pathfinder = import_module("cuda.pathfinder")
    except ImportError:
        return
    for name, distributions in LIBRARIES.items():
        try:
            found = pathfinder.load_nvidia_dynamic_lib(name)
        except Exception:
            say(**{name: None})
        else:
            say(**{name: {"path": found.abs_path, "version": library_version(name, found.abs_path, distributions)}})


def library_version(name: str, path: str, distributions: tuple[str, ...]) -> str:
    """The CUDA version it belongs to: asked of itself, else from its folder, else from pip; "" if nothing tells."""
    asked = {"nvrtc": "nvrtcVersion", "nvJitLink": "nvJitLinkVersion"}.get(name)
    if asked:
        major, minor = ctypes.c_int(), ctypes.c_int()
        try:
            status = getattr(ctypes.CDLL(path), asked)(ctypes.byref(major), ctypes.byref(minor))
        except (OSError, AttributeError):
            return ""
        return f"{major.value}.{minor.value}" if status == 0 else ""
    folder = re.search(r"/cuda-(\d+\.\d+)/", path)
    if folder:
        return folder[1]
    in_pip = [found for found in map(version, distributions) if found] if "site-packages" in path else []
    return ".".join(in_pip[0].split(".")[:2]) if in_pip else ""


def kernel(cuda: Any) -> None:
    """Compile and run one kernel, if there is a GPU: what no list of versions can promise."""
    global kernels
    kernels = cuda
    numpy = import_module("numpy")
    say(kernel="begun")
    try:
        if not cuda.is_available():
            say(kernel="no GPU")
            return
        started = time.perf_counter()
        given = numpy.arange(256, dtype=numpy.float32)
        out = cuda.to_device(numpy.zeros_like(given))
        cuda.jit(double)[4, 64](cuda.to_device(given), out)
        right = bool((out.copy_to_host() == 2 * given).all())
    except BaseException as error:
        say(kernel="failed", kernel_error=described(error))
    else:
        say(kernel="ran" if right else "wrong", kernel_seconds=time.perf_counter() - started)


def double(given: Any, out: Any) -> None:
    i = kernels.grid(1)
    if i < out.size:
        out[i] = 2 * given[i]
