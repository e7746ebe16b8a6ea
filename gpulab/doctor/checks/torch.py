"""torch, Triton and the C compiler."""

from __future__ import annotations

from collections.abc import Iterator

from gpulab.doctor.checks.gpu import dotted
from gpulab.doctor.checks.numba import extra, kernel
from gpulab.doctor.cures import COMPILER, fits, packages, pip, release, requirement
from gpulab.doctor.facts.compiler import Compiler
from gpulab.doctor.facts.libraries import Torch
from gpulab.doctor.facts.nvidia import Nvidia
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check, State

CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
LAST_OF_CUDA_12 = "torch<2.11"
"""PyPI's torch is built for CUDA 13 from 2.11 on, for CUDA 12 before."""
FIRST_TRITON = (3, 3)
"""gpulab's oldest."""


def checks(torch: Torch, compiler: Compiler, nvidia: Nvidia, machine: Machine) -> Iterator[Check]:
    """From cause to effect: Triton's kernel needs torch and the compiler."""
    yield of_torch(torch, nvidia, machine)
    yield triton(torch, nvidia, machine)
    yield c_compiler(compiler, nvidia, machine)
    could = compiler.works and torch.works and torch.triton and not torch.triton_error  # else it cannot but fail
    if nvidia.works and (could or torch.kernel.outcome == "ran"):
        yield kernel(torch.kernel, torch.trouble, reinstall(nvidia, machine))


def of_torch(torch: Torch, nvidia: Nvidia, machine: Machine) -> Check:
    """Whether it is here, imports, and goes with driver and GPU."""
    if torch.torch is None:
        return Check("torch", "warning", "torch is not installed. Every Numba puzzle works without it.",
                     install(nvidia, machine))
    if torch.torch_error:
        return Check("torch", "warning", f"torch {torch.torch} cannot be imported: {torch.torch_error}. Every Numba "
                     "puzzle works without it.", reinstall(nvidia, machine))
    if torch.trouble and torch.asking == "torch":
        return _silent("torch", "imported", torch, machine)
    built = f"{torch.torch}, for {'CUDA ' + torch.cuda if torch.cuda else 'the CPU'}"
    if not fits(torch.torch, "torch"):
        return Check("torch", "warning", f"{built}: gpulab needs {requirement('torch')}, for the Triton it brings.",
                     reinstall(nvidia, machine))
    return _on_gpu(torch, built, nvidia, machine) if nvidia.works else Check("torch", "ok", built)


def _on_gpu(torch: Torch, built: str, nvidia: Nvidia, machine: Machine) -> Check:
    """Where there is a GPU, torch should use it."""
    cure = reinstall(nvidia, machine)
    if torch.cuda is None:
        return Check("torch", "problem", f"{built}: this build cannot use the GPU.", cure)
    if torch.trouble and torch.asking == "torch.cuda":
        return _silent("torch", "asked to use the GPU", torch, machine)
    if not torch.sees_gpu and nvidia.cuda and release(torch.cuda)[:1] > nvidia.cuda[:1]:
        return Check("torch", "problem", f"{built}: newer than the driver, which goes up to CUDA "
                     f"{dotted(nvidia.cuda)}.", cure)
    if not torch.sees_gpu:
        return Check("torch", "problem", f"{built}: it does not see the GPU. {torch.warning}".rstrip(), cure)
    if not torch.works:
        return Check("torch", "problem", f"{built}: it cannot compute on the GPU. {torch.gpu_error}".rstrip(), cure)
    return Check("torch", "ok", f"{built}, computes on the GPU")


def _silent(name: str, when: str, torch: Torch, machine: Machine) -> Check:
    """It hung, perhaps only for a slow disk, or crashed."""
    if torch.hung:
        return Check(name, "problem", f"When {when}, {torch.trouble}. On a slow disk it may only need longer:",
                     f"gpulab doctor --patience {machine.patience * 6:g}")
    return Check(name, "problem", f"When {when}, {torch.trouble}.", pip(machine, "--force-reinstall", name))


def triton(torch: Torch, nvidia: Nvidia, machine: Machine) -> Check:
    """Whether it is the one that torch brought, and new enough."""
    cure = pip(machine, f"triton=={torch.triton_wanted}" if torch.triton_wanted else requirement("triton"))
    if torch.triton is None:
        return Check("triton", "warning", "Triton is not installed. Every Numba puzzle works without it.", cure)
    if torch.triton_error:
        return Check("triton", "warning", f"Triton {torch.triton} cannot be imported: {torch.triton_error}.", cure)
    if torch.trouble and torch.asking == "triton":
        return _silent("triton", "imported", torch, machine)
    if release(torch.triton)[:2] < FIRST_TRITON:
        return Check("triton", "warning", f"{torch.triton}: gpulab needs Triton 3.3, which comes with torch 2.7.",
                     reinstall(nvidia, machine) if nvidia.works else pip(machine, requirement("triton")))
    if torch.triton_wanted and release(torch.triton) != release(torch.triton_wanted):
        return Check("triton", "warning", f"{torch.triton}, but torch {torch.torch} was made for "
                     f"{torch.triton_wanted}.", cure)
    return Check("triton", "ok", f"{torch.triton}{', as torch asks for' if torch.triton_wanted else ''}")


def c_compiler(compiler: Compiler, nvidia: Nvidia, machine: Machine) -> Check:
    """Triton builds its launcher with it, so a GPU needs it and the simulator does not."""
    cure = packages(machine, COMPILER)
    by_hand = "" if cure else " Install gcc and Python's headers with this system's package tool."
    if compiler.path is None and compiler.name:
        return Check("C compiler", _needed(nvidia), f"CC={compiler.name} is not on this machine.", "unset CC")
    if compiler.path is None:
        if not nvidia.works:
            return Check("C compiler", "absent", "None; only Triton on a GPU needs one.")
        return Check("C compiler", "problem", f"None here, and Triton needs one for its first kernel.{by_hand}", cure)
    if compiler.works is None:
        return Check("C compiler", _needed(nvidia), f"{compiler.name} could not be tried: {compiler.error}.")
    if not compiler.works:
        return Check("C compiler", _needed(nvidia), f"{compiler.name} cannot build for Python, which Triton needs on a "
                     f"GPU: {compiler.error}.{by_hand}", cure)
    return Check("C compiler", "ok", f"{compiler.name}, finds Python's headers")


def _needed(nvidia: Nvidia) -> State:
    return "problem" if nvidia.works else "warning"


def install(nvidia: Nvidia, machine: Machine) -> str:
    """The build for this machine."""
    if not nvidia.works:
        return pip(machine, "torch", "--index-url", CPU_WHEELS)
    return pip(machine, _for_driver(nvidia))


def reinstall(nvidia: Nvidia, machine: Machine) -> str:
    """The build for this machine in place of the one that is here: for pip alone they are one version."""
    if not nvidia.works:
        return pip(machine, "--force-reinstall", "torch", "--index-url", CPU_WHEELS)
    return pip(machine, "--force-reinstall", _for_driver(nvidia))


def _for_driver(nvidia: Nvidia) -> str:
    return "torch" if extra(nvidia) == "cu13" else LAST_OF_CUDA_12
