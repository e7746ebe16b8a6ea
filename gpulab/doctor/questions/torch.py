"""Which torch and Triton are imported, and whether each of them gets something done on the GPU."""

from __future__ import annotations

import re
import time
import warnings
from importlib import import_module, metadata
from typing import Any

from gpulab.doctor.questions.saying import described, say, version

tl: Any = None


def main() -> None:
    say(torch=version("torch"), triton=version("triton"), triton_wanted=triton_wanted())
    torch = imported("torch")
    if torch is not None:
        on_gpu(torch)
    triton = imported("triton")
    if triton is not None and torch is not None and torch.cuda.is_available():
        kernel(torch, triton)


def triton_wanted() -> str | None:
    """The release of Triton that the installed torch asks pip for."""
    try:
        needs = metadata.requires("torch") or []
    except metadata.PackageNotFoundError:
        return None
    found = (re.match(r"triton\s*\(?==\s*([\w.]+)", need) for need in needs)
    return next((match[1] for match in found if match), None)


def imported(name: str) -> Any:
    say(asking=name)
    try:
        module = import_module(name)
    except BaseException as error:
        say(**{f"{name}_error": described(error)})
        return None
    say(**{f"{name}_file": getattr(module, "__file__", None), name: getattr(module, "__version__", None)})
    return module


def on_gpu(torch: Any) -> None:
    """The CUDA that torch was built for, and one sum on the GPU."""
    say(torch_cuda=torch.version.cuda, torch_hip=getattr(torch.version, "hip", None), asking="torch.cuda")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        available = torch.cuda.is_available()
    say(torch_gpu=available, torch_warning=str(said[0].message).splitlines()[0] if said else "")
    if not available:
        return
    try:
        right = torch.arange(5, device="cuda").sum().item() == 10
    except BaseException as error:
        say(torch_works=False, torch_gpu_error=described(error))
    else:
        say(torch_works=right)


def kernel(torch: Any, triton: Any) -> None:
    """Compile and run one Triton kernel: that needs a C compiler and Python's headers as well."""
    global tl
    tl = triton.language
    say(asking="a Triton kernel", kernel="begun")
    try:
        started = time.perf_counter()
        given = torch.arange(256, device="cuda", dtype=torch.float32)
        out = torch.zeros_like(given)
        triton.jit(double)[(4,)](given, out, SIZE=64)
        right = bool((out == 2 * given).all().item())
    except BaseException as error:
        say(kernel="failed", kernel_error=described(error))
    else:
        say(kernel="ran" if right else "wrong", kernel_seconds=time.perf_counter() - started)


def double(given, out, SIZE: tl.constexpr):  # type: ignore[no-untyped-def]  # Triton reads annotations as its own
    at = tl.program_id(0) * SIZE + tl.arange(0, SIZE)
    tl.store(out + at, 2 * tl.load(given + at))
