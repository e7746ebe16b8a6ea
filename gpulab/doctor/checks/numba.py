"""NumPy, numba.cuda, its compiler libraries, and a kernel."""

from __future__ import annotations

from collections.abc import Iterator

from gpulab.doctor.checks.gpu import dotted
from gpulab.doctor.cures import allowed, fits, pip, release, requirement
from gpulab.doctor.facts.libraries import Kernel, Library, Numba
from gpulab.doctor.facts.nvidia import Nvidia
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check

ROW_STACK_GONE = (2, 5)
"""The NumPy that lacks numpy.row_stack, which numba-cuda 0.30 imports; pip allows the pair."""

OLDEST_OF_CUDA_13 = (7, 5)
"""Compute capability: CUDA 13 compiles for nothing older ("CUDA Toolkit 13.0 Release Notes")."""


def checks(numba: Numba, nvidia: Nvidia, machine: Machine) -> Iterator[Check]:
    """From cause to effect: a wrong NumPy keeps numba.cuda from being imported."""
    yield numpy(numba, machine)
    yield numba_cuda(numba, machine)
    if numba.file is not None:
        compilers = libraries(numba, nvidia, machine)
        yield compilers
        if nvidia.works and (compilers.state == "ok" or numba.kernel.outcome == "ran"):  # else it cannot but fail
            yield kernel(numba.kernel, numba.trouble, _all_anew(nvidia, machine))


def numpy(numba: Numba, machine: Machine) -> Check:
    """Its version, of which pip allows some that do not work."""
    if numba.numpy is None:
        return Check("numpy", "problem", "NumPy is not installed.", pip(machine, requirement("numpy")))
    if fits(numba.numpy, "numpy") and not too_new(numba):
        return Check("numpy", "ok", numba.numpy)
    why = "numba-cuda needs numpy.row_stack, which NumPy 2.5 removed" if too_new(numba) else (
        f"gpulab needs numpy{allowed('numpy')}")
    return Check("numpy", "problem", f"{numba.numpy}: {why}.", pip(machine, requirement("numpy")))


def too_new(numba: Numba) -> bool:
    """The trap: pip installs the pair, and `import numba.cuda` fails."""
    return release(numba.numpy)[:2] >= ROW_STACK_GONE and not fits(numba.numpy, "numpy")


def numba_cuda(numba: Numba, machine: Machine) -> Check:
    """Which `numba.cuda` it is."""
    whole = pip(machine, requirement("numba"), requirement("numba-cuda"))
    if numba.numba is None or numba.numba_cuda is None:
        missing = "Numba" if numba.numba is None else "numba-cuda"
        return Check("numba.cuda", "problem", f"{missing} is not installed.", whole)
    if numba.error:
        sentence = f"numba-cuda {numba.numba_cuda} with Numba {numba.numba} cannot be imported: {numba.error}."
        cure = "" if too_new(numba) else pip(machine, "--force-reinstall", "--no-deps", "numba", "numba-cuda")
        return Check("numba.cuda", "problem", sentence + (" NumPy is the cause, see above." if not cure else ""), cure)
    if numba.file is None:
        return Check("numba.cuda", "problem", f"It cannot be imported: {numba.trouble or 'no word why'}.",
                     pip(machine, "--force-reinstall", "--no-deps", "numba", "numba-cuda", "llvmlite"))
    if not numba.redirected:
        return Check("numba.cuda", "problem", f"It is Numba's own old one ({numba.file}): numba-cuda "
                     f"{numba.numba_cuda} is installed, but its .pth file was not read.",
                     pip(machine, "--force-reinstall", "--no-deps", requirement("numba-cuda")))
    if not fits(numba.numba_cuda, "numba-cuda"):
        return Check("numba.cuda", "warning", f"numba-cuda {numba.numba_cuda}: gpulab is tested with "
                     f"{allowed('numba-cuda')}.", pip(machine, requirement("numba-cuda")))
    return Check("numba.cuda", "ok", f"numba-cuda {numba.numba_cuda} with Numba {numba.numba}")


def libraries(numba: Numba, nvidia: Nvidia, machine: Machine) -> Check:
    """The three that compile for a GPU, all from one CUDA that driver and GPU take."""
    found = [library for library in numba.libraries if library.found]
    missing = [library.name for library in numba.libraries if not library.found]
    listed = ", ".join(map(_named, found))
    if not numba.libraries:
        return Check("compilers", "warning" if nvidia.works else "absent", "NVVM, NVRTC and nvJitLink were not found: "
                     "cuda-pathfinder is missing.", pip(machine, "cuda-pathfinder"))
    cure = pip(machine, requirement("numba-cuda", extra(nvidia)))
    if missing and not nvidia.works:
        here = f"; {listed} {'are' if len(found) > 1 else 'is'} here" if found else ""
        return Check("compilers", "absent", f"Only a GPU needs NVVM, NVRTC and nvJitLink{here}.")
    if missing:
        has = f"; here: {listed}" if found else ""
        return Check("compilers", "problem", f"Numba cannot compile for the GPU without {_and(missing)}{has}.", cure)
    return _compatible(found, listed, nvidia, cure)


def _compatible(found: list[Library], listed: str, nvidia: Nvidia, cure: str) -> Check:
    """A newer major CUDA than the driver's does not load; CUDA 13 does not compile for what is older than Turing."""
    newest = max((release(library.version) for library in found), default=())
    if nvidia.cuda and newest[:1] > nvidia.cuda[:1]:
        return Check("compilers", "problem", f"{listed}: newer than the driver, which goes up to CUDA "
                     f"{dotted(nvidia.cuda)}.", cure)
    old = [gpu for gpu in nvidia.gpus if gpu.capability < OLDEST_OF_CUDA_13]
    if old and newest[:1] >= (13,):
        return Check("compilers", "problem", f"{listed}: CUDA 13 does not compile for the {old[0].name} (compute "
                     f"capability {dotted(old[0].capability)}).", cure)
    return Check("compilers", "ok", listed)


def extra(nvidia: Nvidia) -> str:
    """`cu12` or `cu13`: what the driver runs and the GPU is compiled for."""
    old = any(gpu.capability < OLDEST_OF_CUDA_13 for gpu in nvidia.gpus)
    return "cu13" if nvidia.cuda and nvidia.cuda[0] >= 13 and not old else "cu12"


def kernel(kernel: Kernel, trouble: str, cure: str) -> Check:
    """Whether one ran on the GPU."""
    if kernel.outcome == "ran":
        return Check("kernel", "ok", f"Compiled and ran on the GPU in {kernel.seconds:.1f} s.")
    why = {
        "wrong": "ran on the GPU, with wrong numbers", "failed": f"did not run: {kernel.error}",
        "no GPU": "did not run: it is given no GPU", "begun": f"did not end: {trouble or 'no word why'}",
    }.get(kernel.outcome, f"was not tried: {trouble or 'no word why'}")
    return Check("kernel", "problem", f"A small kernel {why}.", cure)


def _all_anew(nvidia: Nvidia, machine: Machine) -> str:
    """numba-cuda and its libraries, whatever is wrong with them; NumPy is named, or pip would bring its newest."""
    return pip(machine, "--force-reinstall", requirement("numba-cuda", extra(nvidia)), requirement("numpy"))


def _named(library: Library) -> str:
    return f"{library.name} {library.version}".rstrip()


def _and(names: list[str]) -> str:
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
