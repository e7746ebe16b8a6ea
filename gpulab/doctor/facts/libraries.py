"""What the processes that imported them say of numba.cuda, torch and Triton."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gpulab.doctor.asking import Answer, ask
from gpulab.doctor.machine import Machine


@dataclass(frozen=True)
class Kernel:
    """What came of compiling and running a kernel on the GPU."""

    outcome: str = ""
    """`ran`; `wrong` (ran, with wrong numbers); `failed`; `no GPU`; `begun`: it hung or crashed; "": not tried."""
    error: str = ""
    seconds: float | None = None


@dataclass(frozen=True)
class Library:
    """A compiler library that Numba needs for a GPU."""

    name: str
    path: str | None
    """None where it is not found."""
    version: str = ""
    """The CUDA version it belongs to, as `13.0`; "" where nothing tells."""

    @property
    def found(self) -> bool:
        return self.path is not None


@dataclass(frozen=True)
class Numba:
    """`numba.cuda`, whichever it is."""

    numba: str | None
    """Version; None where it is not installed."""
    numba_cuda: str | None
    numpy: str | None
    file: str | None = None
    """`numba.cuda.__file__`; None where it cannot be imported."""
    error: str = ""
    """What importing it raised."""
    libraries: tuple[Library, ...] = ()
    """NVVM, NVRTC and nvJitLink; empty where they could not be looked for."""
    kernel: Kernel = Kernel()
    trouble: str = ""
    """Why the process said no more: it hung, it crashed."""
    hung: bool = False

    @property
    def redirected(self) -> bool:
        """Whether `numba.cuda` is numba-cuda's and not the older one that Numba itself brings."""
        return self.file is not None and "numba_cuda" in Path(self.file).parts


@dataclass(frozen=True)
class Torch:
    """torch and the Triton beside it."""

    torch: str | None
    triton: str | None
    triton_wanted: str | None = None
    """The release that the installed torch asks for."""
    torch_error: str = ""
    """What importing it raised."""
    triton_error: str = ""
    cuda: str | None = None
    """The CUDA it was built for; None for a CPU build."""
    sees_gpu: bool = False
    warning: str = ""
    """What torch said while it looked for a GPU."""
    works: bool | None = None
    """Whether a sum on the GPU was right; None where it was not tried."""
    gpu_error: str = ""
    kernel: Kernel = Kernel()
    """Of Triton."""
    asking: str = ""
    """What it was asked when it said no more."""
    trouble: str = ""
    hung: bool = False


NAMES = {"nvvm": "NVVM", "nvrtc": "NVRTC", "nvJitLink": "nvJitLink"}


def find_numba(machine: Machine) -> Numba:
    """Import it, look for its libraries, and run a kernel where there is a GPU. Takes seconds."""
    answer = ask(machine, "numba")
    return Numba(
        numba=answer.get("numba"), numba_cuda=answer.get("numba_cuda"), numpy=answer.get("numpy"),
        file=answer.get("file"), error=answer.get("error", ""), libraries=_libraries(answer), kernel=_kernel(answer),
        trouble=answer.trouble, hung=answer.hung,
    )


def find_torch(machine: Machine) -> Torch:
    """Import torch and Triton, and let both do something where there is a GPU. Takes seconds."""
    answer = ask(machine, "torch")
    return Torch(
        torch=answer.get("torch"), triton=answer.get("triton"), triton_wanted=answer.get("triton_wanted"),
        torch_error=answer.get("torch_error", ""), triton_error=answer.get("triton_error", ""),
        cuda=answer.get("torch_cuda"), sees_gpu=bool(answer.get("torch_gpu")), warning=answer.get("torch_warning", ""),
        works=answer.get("torch_works"), gpu_error=answer.get("torch_gpu_error", ""), kernel=_kernel(answer),
        asking=answer.get("asking", ""), trouble=answer.trouble, hung=answer.hung,
    )


def _libraries(answer: Answer) -> tuple[Library, ...]:
    found = []
    for key, name in NAMES.items():
        if key in answer.facts:
            told = answer.get(key) or {"path": None, "version": ""}
            found.append(Library(name, told["path"], told["version"]))
    return tuple(found)


def _kernel(answer: Answer) -> Kernel:
    return Kernel(answer.get("kernel", ""), answer.get("kernel_error", ""), answer.get("kernel_seconds"))
