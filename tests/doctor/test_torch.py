"""torch, Triton and the C compiler: fake packages imported for real, and a real compiler where one is here."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from gpulab.doctor.checks.torch import c_compiler, checks
from gpulab.doctor.cures import PYTHON
from gpulab.doctor.facts.compiler import Compiler, find_compiler
from gpulab.doctor.facts.libraries import find_torch
from gpulab.doctor.facts.nvidia import Nvidia
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check
from tests.doctor.machines import Imagined, named
from tests.doctor.test_numba import CUDA_12, CUDA_13, NO_GPU, PIP

GCC = Compiler("gcc", "/usr/bin/gcc", True)

TORCH = """
import types
__version__ = {version!r}
version = types.SimpleNamespace(cuda={cuda!r}, hip=None)
float32 = "float32"
class Tensor(list):
    def sum(self): return Number(sum(self))
    def all(self): return Number(all(self))
    def __eq__(self, other): return Tensor(one == two for one, two in zip(self, other))
    def __rmul__(self, times): return Tensor(times * one for one in self)
class Number(int):
    def item(self): return self
def arange(count, **options):
    {work}
    return Tensor(range(count))
def zeros_like(given): return Tensor(0 for _ in given)
def is_available():
    {look}
    return {available}
cuda = types.SimpleNamespace(is_available=is_available)
"""

TRITON = """
__version__ = {version!r}
from triton import language
def jit(function):
    class Kernel:
        def __getitem__(self, grid):
            def launch(given, out, SIZE):
                {work}
                out[:] = [2 * one for one in given]
            return launch
    return Kernel()
"""


def install(imagined: Imagined, version: str = "2.11.0+cu130", cuda: str | None = "13.0", *, available: bool = True,
            work: str = "pass", look: str = "pass", triton: str | None = "3.6.0", wanted: str = "3.6.0",
            kernel: str = "pass", before: str = "") -> None:
    source = before + TORCH.format(version=version, cuda=cuda, available=available, work=work, look=look)
    imagined.package("torch", version, {"torch/__init__.py": source}, [f"Requires-Dist: triton=={wanted}"])
    if triton:
        imagined.package("triton", triton, {"triton/__init__.py": TRITON.format(version=triton, work=kernel),
                                            "triton/language.py": "constexpr = int\n"})


def seen(machine: Machine, nvidia: Nvidia = NO_GPU) -> list[Check]:
    return list(checks(find_torch(machine), GCC, nvidia, machine))


def test_all_well_on_a_gpu(imagined: Imagined) -> None:
    install(imagined)
    found = seen(imagined.machine, CUDA_13)
    assert named(found, "torch") == Check("torch", "ok", "2.11.0+cu130, for CUDA 13.0, computes on the GPU")
    assert named(found, "triton") == Check("triton", "ok", "3.6.0, as torch asks for")
    assert named(found, "kernel").sentence.startswith("Compiled and ran on the GPU in ")


def test_all_well_without_a_gpu(imagined: Imagined) -> None:
    install(imagined, "2.13.0+cpu", None, available=False)
    found = seen(imagined.machine)
    assert [check.state for check in found] == ["ok"] * 3
    assert named(found, "torch").sentence == "2.13.0+cpu, for the CPU"


def test_without_torch_the_numba_puzzles_work_and_the_build_fits_the_machine(imagined: Imagined) -> None:
    check = named(seen(imagined.machine), "torch")
    assert check.state == "warning"
    assert check.sentence == "torch is not installed. Every Numba puzzle works without it."
    assert check.cure == f"{PIP} torch --index-url https://download.pytorch.org/whl/cpu"
    assert named(seen(imagined.machine, CUDA_13), "torch").cure == f"{PIP} torch"
    assert named(seen(imagined.machine, CUDA_12), "torch").cure == f"{PIP} 'torch<2.11'"


def test_a_cpu_build_beside_a_gpu_is_a_problem(imagined: Imagined) -> None:
    install(imagined, "2.13.0+cpu", None, available=False)
    check = named(seen(imagined.machine, CUDA_13), "torch")
    assert check == Check("torch", "problem", "2.13.0+cpu, for the CPU: this build cannot use the GPU.",
                          f"{PIP} --force-reinstall torch")


def test_a_build_for_a_newer_cuda_than_the_drivers_is_a_problem(imagined: Imagined) -> None:
    install(imagined, available=False)
    check = named(seen(imagined.machine, CUDA_12), "torch")
    assert check == Check("torch", "problem", "2.11.0+cu130, for CUDA 13.0: newer than the driver, which goes up to "
                          "CUDA 12.4.", f"{PIP} --force-reinstall 'torch<2.11'")


def test_what_torch_says_when_it_sees_no_gpu_is_passed_on(imagined: Imagined) -> None:
    install(imagined, available=False, look="import warnings; warnings.warn('CUDA initialization: out of luck')")
    check = named(seen(imagined.machine, CUDA_13), "torch")
    assert check.state == "problem"
    assert check.sentence.endswith("it does not see the GPU. CUDA initialization: out of luck")


def test_a_build_without_this_gpu_is_a_problem(imagined: Imagined) -> None:
    install(imagined, work="raise RuntimeError('CUDA error: no kernel image is available\\nmore')")
    found = seen(imagined.machine, CUDA_13)
    check = named(found, "torch")
    assert check.state == "problem"
    assert "it cannot compute on the GPU. RuntimeError: CUDA error: no kernel image is available" in check.sentence
    assert "more" not in check.sentence
    assert "kernel" not in [check.name for check in found]


def test_a_torch_that_cannot_be_imported_is_no_reason_not_to_start(imagined: Imagined) -> None:
    install(imagined, before="raise ImportError('libcudnn.so.9: cannot open shared object file')\n")
    check = named(seen(imagined.machine, CUDA_13), "torch")
    assert check.state == "warning"
    assert "ImportError: libcudnn.so.9: cannot open shared object file" in check.sentence
    assert "Every Numba puzzle works without it." in check.sentence


def test_a_torch_that_hangs_is_ended_and_may_only_be_slow(imagined: Imagined) -> None:
    install(imagined, before="import time\ntime.sleep(60)\n")
    check = named(seen(imagined.impatient()), "torch")
    assert check.state == "problem"
    assert "When imported, it did not answer within 1.5 s." in check.sentence
    assert check.cure == "gpulab doctor --patience 9"


def test_a_torch_that_crashes_on_the_gpu_is_named(imagined: Imagined) -> None:
    install(imagined, look="import ctypes; ctypes.string_at(0)")
    check = named(seen(imagined.machine, CUDA_13), "torch")
    assert check.state == "problem"
    assert "When asked to use the GPU, it crashed (SIGSEGV)." in check.sentence


def test_an_old_torch_is_a_warning(imagined: Imagined) -> None:
    install(imagined, "2.4.0", "12.1", triton="3.0.0", wanted="3.0.0")
    found = seen(imagined.machine)
    assert "gpulab needs torch>=2.7" in named(found, "torch").sentence
    check = named(found, "triton")
    assert check.sentence == "3.0.0: gpulab needs Triton 3.3, which comes with torch 2.7."
    assert check.cure == f"{PIP} 'triton>=3.3'"
    assert named(seen(imagined.machine, CUDA_12), "triton").cure == f"{PIP} --force-reinstall 'torch<2.11'"


def test_missing_triton_is_the_one_that_torch_asks_for(imagined: Imagined) -> None:
    install(imagined, triton=None)
    check = named(seen(imagined.machine), "triton")
    assert (check.state, check.cure) == ("warning", f"{PIP} triton==3.6.0")


def test_another_triton_than_torchs_is_a_warning(imagined: Imagined) -> None:
    install(imagined, triton="3.7.0")
    check = named(seen(imagined.machine), "triton")
    assert check == Check("triton", "warning", "3.7.0, but torch 2.11.0+cu130 was made for 3.6.0.",
                          f"{PIP} triton==3.6.0")


def test_a_triton_kernel_that_fails_says_why(imagined: Imagined) -> None:
    install(imagined, kernel="raise RuntimeError('Failed to find C compiler.')")
    check = named(seen(imagined.machine, CUDA_13), "kernel")
    assert check.state == "problem"
    assert "RuntimeError: Failed to find C compiler." in check.sentence


class TestTheCompiler:
    def test_none_is_a_problem_only_beside_a_gpu(self, imagined: Imagined) -> None:
        imagined.tool("apt-get", "exit 1")
        compiler = find_compiler(imagined.machine)
        assert c_compiler(compiler, NO_GPU, imagined.machine) == Check(
            "C compiler", "absent", "None; only Triton on a GPU needs one.")
        assert c_compiler(compiler, CUDA_13, imagined.machine) == Check(
            "C compiler", "problem", "None here, and Triton needs one for its first kernel.",
            f"apt-get update && apt-get install -y gcc libc6-dev {PYTHON}-dev")

    def test_who_is_not_root_is_given_sudo_and_fedora_its_own_names(self, imagined: Imagined) -> None:
        imagined.tool("dnf", "exit 1")
        machine = replace(imagined, admin=False).machine
        check = c_compiler(find_compiler(machine), CUDA_13, machine)
        assert check.cure == f"sudo dnf install -y gcc glibc-devel {PYTHON}-devel"

    def test_without_a_package_tool_it_is_said_in_words(self, imagined: Imagined) -> None:
        check = c_compiler(find_compiler(imagined.machine), CUDA_13, imagined.machine)
        assert check.sentence.endswith("Install gcc and Python's headers with this system's package tool.")
        assert check.cure == ""

    def test_a_wrong_cc_is_unset(self, imagined: Imagined) -> None:
        imagined.environ["CC"] = "icc"
        check = c_compiler(find_compiler(imagined.machine), CUDA_13, imagined.machine)
        assert check == Check("C compiler", "problem", "CC=icc is not on this machine.", "unset CC")

    def test_one_that_fails_is_a_problem_and_its_first_error_is_told(self, imagined: Imagined) -> None:
        imagined.tool("gcc", "echo 'one.c:2:10: fatal error: stdlib.h: No such file or directory' >&2\n"
                      "echo compilation terminated. >&2\nexit 1")
        check = c_compiler(find_compiler(imagined.machine), CUDA_13, imagined.machine)
        assert check.state == "problem"
        assert "stdlib.h: No such file or directory." in check.sentence
        assert "terminated" not in check.sentence

    @pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not here")
    def test_a_real_one_without_pythons_headers_is_found_out(self, tmp_path: Path) -> None:
        machine = replace(Machine(), headers=tmp_path, environ={"PATH": str(Path(shutil.which("gcc") or "").parent)})
        compiler = find_compiler(machine)
        assert compiler.works is False
        assert compiler.error.startswith("Python.h: No such file")
