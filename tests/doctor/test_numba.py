"""numba.cuda and what it needs: fake packages, imported for real by a Python of their own."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib import metadata
from pathlib import Path

import pytest

from gpulab.doctor.checks.numba import checks
from gpulab.doctor.facts.libraries import Numba, find_numba
from gpulab.doctor.facts.nvidia import Gpu, Nvidia
from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check
from tests.doctor.machines import Imagined, named

PIP = ".venv/bin/python -m pip install"
NO_GPU = Nvidia()
H200 = Gpu("NVIDIA H200", "GPU-1", (9, 0), 141 << 30, 132)
V100 = Gpu("Tesla V100", "GPU-2", (7, 0), 16 << 30, 80)
CUDA_13 = Nvidia(gpus=(H200,), driver="580.95.05", cuda=(13, 0), library=True)
CUDA_12 = Nvidia(gpus=(H200,), driver="550.54.14", cuda=(12, 4), library=True)

PATHFINDER = """
import os
class Found:
    def __init__(self, path): self.abs_path = path
def load_nvidia_dynamic_lib(name):
    path = os.environ.get("FAKE_" + name.upper() + "_PATH")
    if not path: raise RuntimeError("not found")
    return Found(path)
"""

REDIRECTED = "import os; __path__.insert(0, os.path.join(os.path.dirname(__file__), '../numba_cuda/numba'))"
"""What numba-cuda's .pth file comes to: its folder is looked in first."""

RUNS_LOOPS = """
import numpy
class Dispatcher:
    def __init__(self, function): self.function = function
    def __getitem__(self, shape):
        def launch(*arguments):
            for i in range(shape[0] * shape[1]):
                state["i"] = i
                self.function(*arguments)
        return launch
class Copied(numpy.ndarray):
    def copy_to_host(self): return numpy.asarray(self)
state = {}
def is_available(): return True
def to_device(array): return array.copy().view(Copied)
def grid(dimensions): return state["i"]
jit = Dispatcher
"""


def seen(machine: Machine, nvidia: Nvidia = NO_GPU) -> list[Check]:
    return list(checks(find_numba(machine), nvidia, machine))


def install(imagined: Imagined, *, numpy: str = "2.4.6", numba_cuda: str = "0.30.4", cuda: str = "") -> None:
    """numba and numba-cuda, where `numba.cuda` is numba-cuda's, and holds `cuda` besides what every one does."""
    imagined.package("numpy", numpy, {"numpy/__init__.py": f"__version__ = {numpy!r}\n"})
    imagined.package("numba", "0.68.1", {"numba/__init__.py": f"__version__ = '0.68.1'\n{REDIRECTED}\n"})
    imagined.package("numba-cuda", numba_cuda, {
        "numba_cuda/numba/cuda/__init__.py": cuda or "def is_available(): return False\n",
    })
    imagined.package("cuda-pathfinder", "1.9.1", {"cuda/pathfinder/__init__.py": PATHFINDER})


def test_what_is_installed_here_is_what_pip_says() -> None:
    facts = find_numba(Machine())
    assert facts.numba == metadata.version("numba")
    assert facts.numba_cuda == metadata.version("numba-cuda")
    assert facts.numpy == metadata.version("numpy")
    assert facts.redirected
    assert [library.name for library in facts.libraries] == ["NVVM", "NVRTC", "nvJitLink"]


def test_all_well_without_a_gpu(imagined: Imagined) -> None:
    install(imagined)
    assert seen(imagined.machine) == [
        Check("numpy", "ok", "2.4.6"),
        Check("numba.cuda", "ok", "numba-cuda 0.30.4 with Numba 0.68.1"),
        Check("compilers", "absent", "Only a GPU needs NVVM, NVRTC and nvJitLink."),
    ]


def test_numpy_2_5_is_named_as_the_cause_with_the_cure_once(imagined: Imagined) -> None:
    install(imagined, numpy="2.5.2", cuda="import numpy\nnumpy.row_stack\n")
    numpy, numba_cuda = seen(imagined.machine)
    assert numpy == Check("numpy", "problem", "2.5.2: numba-cuda needs numpy.row_stack, which NumPy 2.5 removed.",
                          f"{PIP} 'numpy<2.5,>=2.1'")
    assert numba_cuda.state == "problem"
    assert "AttributeError: module 'numpy' has no attribute 'row_stack'" in numba_cuda.sentence
    assert numba_cuda.sentence.endswith("NumPy is the cause, see above.")
    assert numba_cuda.cure == ""


def test_a_numpy_that_is_too_old_is_said(imagined: Imagined) -> None:
    install(imagined, numpy="1.26.4")
    numpy = named(seen(imagined.machine), "numpy")
    assert (numpy.state, numpy.sentence) == ("problem", "1.26.4: gpulab needs numpy<2.5,>=2.1.")


def test_numbas_own_cuda_is_told_from_numba_cudas(imagined: Imagined) -> None:
    """As on a plain PYTHONPATH, where no .pth file is read."""
    imagined.package("numpy", "2.4.6", {"numpy/__init__.py": "__version__ = '2.4.6'\n"})
    imagined.package("numba", "0.61.0", {
        "numba/__init__.py": "__version__ = '0.61.0'\n", "numba/cuda/__init__.py": "def is_available(): return False\n",
    })
    imagined.package("numba-cuda", "0.30.4", {"numba_cuda/numba/cuda/__init__.py": ""})
    check = named(seen(imagined.machine), "numba.cuda")
    assert check.state == "problem"
    assert "It is Numba's own old one" in check.sentence
    assert str(imagined.folder / "site/numba/cuda/__init__.py") in check.sentence
    assert check.cure == f"{PIP} --force-reinstall --no-deps 'numba-cuda<0.31,>=0.30.4'"


@pytest.mark.parametrize("missing, said", [("numba", "Numba is not"), ("numba-cuda", "numba-cuda is not")])
def test_what_is_not_installed_is_named(imagined: Imagined, missing: str, said: str) -> None:
    imagined.package("numpy", "2.4.6", {"numpy/__init__.py": "__version__ = '2.4.6'\n"})
    if missing == "numba-cuda":
        imagined.package("numba", "0.68.1", {"numba/__init__.py": "__version__ = '0.68.1'\n"})
    check = named(seen(imagined.machine), "numba.cuda")
    assert check.state == "problem"
    assert check.sentence.startswith(said)
    assert check.cure == f"{PIP} 'numba>=0.61' 'numba-cuda<0.31,>=0.30.4'"


def test_a_numba_that_crashes_while_imported_is_named(imagined: Imagined) -> None:
    install(imagined, cuda="import ctypes\nctypes.string_at(0)\n")
    check = named(seen(imagined.machine), "numba.cuda")
    assert check.state == "problem"
    assert "it crashed (SIGSEGV)" in check.sentence
    assert check.cure.startswith(f"{PIP} --force-reinstall --no-deps numba ")


def test_a_numba_that_hangs_while_imported_is_named(imagined: Imagined) -> None:
    install(imagined, cuda="import time\ntime.sleep(60)\n")
    check = named(seen(imagined.impatient()), "numba.cuda")
    assert check.state == "problem"
    assert "it did not answer within 1.5 s" in check.sentence


def test_a_newer_numba_cuda_than_tested_is_a_warning(imagined: Imagined) -> None:
    install(imagined, numba_cuda="0.31.0")
    check = named(seen(imagined.machine), "numba.cuda")
    assert check.state == "warning"
    assert check.cure == f"{PIP} 'numba-cuda<0.31,>=0.30.4'"


@pytest.mark.parametrize("nvidia, extra", [
    (CUDA_13, "cu13"), (CUDA_12, "cu12"), (replace(CUDA_13, gpus=(V100,)), "cu12"),
])
def test_missing_compiler_libraries_are_named_and_chosen_for_driver_and_gpu(
    imagined: Imagined, nvidia: Nvidia, extra: str
) -> None:
    install(imagined)
    check = named(seen(imagined.machine, nvidia), "compilers")
    assert check == Check("compilers", "problem", "Numba cannot compile for the GPU without NVVM, NVRTC and nvJitLink.",
                          f"{PIP} 'numba-cuda[{extra}]<0.31,>=0.30.4'")


def found(imagined: Imagined, driver: Path, nvrtc: int) -> Imagined:
    """The three libraries, NVRTC and nvJitLink of this major version of CUDA."""
    install(imagined)
    folder = imagined.folder / "cuda-13.0" / "lib64"
    folder.mkdir(parents=True)
    (folder / "libnvvm.so.4").symlink_to(driver / "libcuda.so.1")
    other = str(driver / "libcuda.so.1")
    imagined.environ.update(FAKE_NVVM_PATH=str(folder / "libnvvm.so.4"), FAKE_NVRTC_PATH=other,
                            FAKE_NVJITLINK_PATH=other, FAKE_NVRTC=str(nvrtc))
    return imagined


def test_the_libraries_tell_their_versions(imagined: Imagined, driver: Path) -> None:
    check = named(seen(found(imagined, driver, 13).machine, CUDA_13), "compilers")
    assert check == Check("compilers", "ok", "NVVM 13.0, NVRTC 13.0, nvJitLink 13.0")


def test_one_missing_library_is_named_beside_those_that_are_here(imagined: Imagined, driver: Path) -> None:
    del found(imagined, driver, 13).environ["FAKE_NVRTC_PATH"]
    check = named(seen(imagined.machine, CUDA_13), "compilers")
    assert check.sentence == ("Numba cannot compile for the GPU without NVRTC; here: NVVM 13.0, nvJitLink 13.0.")


def test_libraries_newer_than_the_driver_are_a_problem(imagined: Imagined, driver: Path) -> None:
    check = named(seen(found(imagined, driver, 13).machine, CUDA_12), "compilers")
    assert check.state == "problem"
    assert check.sentence.endswith("newer than the driver, which goes up to CUDA 12.4.")
    assert "[cu12]" in check.cure


def test_a_gpu_too_old_for_cuda_13_is_a_problem(imagined: Imagined, driver: Path) -> None:
    check = named(seen(found(imagined, driver, 13).machine, replace(CUDA_13, gpus=(V100,))), "compilers")
    assert check.state == "problem"
    assert "CUDA 13 does not compile for the Tesla V100 (compute capability 7.0)" in check.sentence
    assert "[cu12]" in check.cure


class TestAKernel:
    """A `numba.cuda` that runs kernels as loops stands in for a GPU; NumPy is the real one."""

    @pytest.fixture(autouse=True)
    def libraries(self, imagined: Imagined, driver: Path) -> None:
        imagined.package("cuda-pathfinder", "1.9.1", {
            "cuda/pathfinder/__init__.py": PATHFINDER, "cuda/__init__.py": "",
        })
        library = str(driver / "libcuda.so.1")
        imagined.environ.update(FAKE_NVVM_PATH=library, FAKE_NVRTC_PATH=library, FAKE_NVJITLINK_PATH=library)

    def seen(self, imagined: Imagined, cuda: str, patience: float = 20.0) -> Check:
        imagined = replace(imagined, bare=False)
        imagined.package("numba", "0.68.1", {"numba/__init__.py": f"__version__ = '0.68.1'\n{REDIRECTED}\n"})
        imagined.package("numba-cuda", "0.30.4", {
            "numba_cuda/__init__.py": "", "numba_cuda/numba/cuda/__init__.py": cuda,
        })
        machine = replace(imagined.machine, python=sys.executable, patience=patience)
        return named(seen(machine, CUDA_13), "kernel")

    def test_that_runs_is_said(self, imagined: Imagined) -> None:
        check = self.seen(imagined, RUNS_LOOPS)
        assert check.state == "ok"
        assert check.sentence.startswith("Compiled and ran on the GPU in 0.")

    def test_that_computes_wrongly_is_a_problem(self, imagined: Imagined) -> None:
        check = self.seen(imagined, RUNS_LOOPS.replace('state["i"] = i', 'state["i"] = 0'))
        assert check.sentence == "A small kernel ran on the GPU, with wrong numbers."
        assert check.state == "problem"

    def test_that_fails_says_why(self, imagined: Imagined) -> None:
        check = self.seen(imagined, RUNS_LOOPS.replace("self.function(*arguments)", "raise OSError('no libdevice')"))
        assert check.sentence == "A small kernel did not run: OSError: no libdevice."
        assert check.cure == f"{PIP} --force-reinstall 'numba-cuda[cu13]<0.31,>=0.30.4' 'numpy<2.5,>=2.1'"

    def test_is_not_blamed_for_missing_libraries(self, imagined: Imagined) -> None:
        del imagined.environ["FAKE_NVRTC_PATH"]
        with pytest.raises(AssertionError, match=r"\[\]"):
            self.seen(imagined, RUNS_LOOPS.replace("self.function(*arguments)", "raise OSError('no NVRTC')"))

    def test_whose_gpu_cannot_even_be_asked_for_says_why(self, imagined: Imagined) -> None:
        check = self.seen(imagined, RUNS_LOOPS.replace("return True", "raise RuntimeError('cuGetProcAddress')"))
        assert check.sentence == "A small kernel did not run: RuntimeError: cuGetProcAddress."

    def test_that_kills_the_process_says_how(self, imagined: Imagined) -> None:
        check = self.seen(imagined, RUNS_LOOPS.replace("self.function(*arguments)", "import os; os.abort()"))
        assert check.sentence == "A small kernel did not end: it crashed (SIGABRT)."

    def test_that_never_ends_is_ended(self, imagined: Imagined) -> None:
        check = self.seen(imagined, RUNS_LOOPS.replace("self.function(*arguments)", "import time; time.sleep(99)"), 3.0)
        assert check.sentence == "A small kernel did not end: it did not answer within 3 s."


def test_the_facts_are_plain_data() -> None:
    assert Numba("0.68.1", "0.30.4", "2.4.6", file="/x/numba_cuda/numba/cuda/__init__.py").redirected
    assert not Numba("0.68.1", "0.30.4", "2.4.6", file="/x/numba/cuda/__init__.py").redirected
