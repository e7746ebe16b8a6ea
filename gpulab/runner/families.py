"""What a zygote imports before it forks: one family of engines each."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Iterator

from gpulab.runner.messages import Broken

NUMPY_TRAP = "numpy.row_stack"
"""numba-cuda 0.30.4 uses it at import, NumPy 2.5 has dropped it; pip allows the pair."""


class Unfit(Exception):
    """This machine cannot run the family's puzzles. `cure` is what to do about it."""

    def __init__(self, message: str, cure: str) -> None:
        super().__init__(message)
        self.message = message
        self.cure = cure


_SIMULATOR = tuple(f"gpulab.engines.simt.{name}"
                   for name in ("host", "host.launch", "machine", "programs", "simulate", "statements"))
"""All that a launch runs is there before the learner's code is, which could else change it unseen."""


def warm_numba() -> None:
    """Import numba.cuda and the simulator, without touching CUDA. Raises `Unfit`."""
    _import_numba()
    for module in ("gpulab.judge.judging", "gpulab.runner.judging", "gpulab.runner.simulator", *_SIMULATOR):
        importlib.import_module(module)
    importlib.import_module("gpulab.engines.simt.frontend").load_registries()
    importlib.import_module("gpulab.runner.simulator").prepare()


def warm_cuda() -> None:
    """Import what the GPU's workers need and warm the compilers, without touching CUDA. Raises `Unfit`."""
    _import_numba()
    for module in ("gpulab.judge.on_gpu", "gpulab.judge.timing", "gpulab.runner.judging", "gpulab.runner.gpu",
                   "gpulab.engines.gpu.worker", "gpulab.timing.protocol"):
        importlib.import_module(module)
    importlib.import_module("gpulab.engines.gpu.warming").warm_compilers()


_INTERPRETER = tuple(f"gpulab.engines.triton.{name}" for name in ("launching", "compiling", "practice"))

FIRST_TRITON = (3, 3)
"""The release that torch 2.7 brought."""


def warm_triton() -> None:
    """Import Triton and the interpreter, and let them do something once. Raises `Unfit`.

    torch, whose import takes longer than all of that, comes when nothing else is to be done: no kernel needs it.
    """
    _import_triton()
    for module in ("gpulab.judge.judging", "gpulab.runner.judging", "gpulab.runner.interpreter", *_INTERPRETER):
        importlib.import_module(module)
    importlib.import_module("gpulab.engines.triton.practice").warm()


def _import_triton() -> None:
    """Raises `Unfit` with the cure for each way this is known to fail. The one that torch brought is taken."""
    try:
        triton = importlib.import_module("triton")
    except ImportError as error:
        raise Unfit(f"Triton cannot be imported: {error}.", "Type: gpulab doctor. It says which Triton fits your torch."
                    ) from error
    found = tuple(int(number) for number in re.findall(r"\d+", triton.__version__)[:2])
    if found < FIRST_TRITON:
        raise Unfit(f"Triton {triton.__version__} is too old: gpulab needs 3.3, which comes with torch 2.7.",
                    "Type: gpulab doctor. It says how to get a newer torch, with the Triton that it brings.")


WARM: dict[str, Callable[[], None]] = {"numba": warm_numba, "cuda": warm_cuda, "triton": warm_triton}

ENGINES = {"numba": "gpulab.runner.simulator", "cuda": "gpulab.runner.gpu", "triton": "gpulab.runner.interpreter"}
"""Family -> the module that a learner's process gets ready with, before it has a job."""

SPARES = {"numba": 1, "cuda": 2, "triton": 1}
"""Family -> how many judges with their learner's processes wait for a job: on a GPU each holds a context."""


def kind_of(family: str) -> str:
    """`cuda` of `cuda:some.module`, a family of which tests replace the engine."""
    return family.partition(":")[0]


def engine_of(family: str) -> str:
    """The module that the family's learner processes get ready with."""
    return family.partition(":")[2] or ENGINES[family]


def practise_numba() -> Iterator[None]:
    """Type and run kernels, a step at a time, while nothing else is to be done: a job that waits needs only its own."""
    importlib.import_module("gpulab.engines.simt").warm()
    yield
    yield from importlib.import_module("gpulab.engines.simt.practice").practise()


def practise_triton() -> Iterator[None]:
    """Import torch, which files may import too; where it is missing, host functions say so."""
    importlib.import_module("torch")
    yield


PRACTISE: dict[str, Callable[[], Iterator[None]]] = {"numba": practise_numba, "cuda": lambda: iter(()),
                                                      "triton": practise_triton}


def _import_numba() -> None:
    """Raises `Unfit` with the cure for each way this is known to fail."""
    try:
        cuda = importlib.import_module("numba.cuda")
    except AttributeError as error:
        if "row_stack" in str(error):
            raise Unfit(f"numba-cuda {_version('numba-cuda')} does not work with NumPy {_version('numpy')}.",
                        'Type: pip install "numpy<2.5"') from error
        raise
    except ImportError as error:
        raise Unfit(f"Numba cannot be imported: {error}.", "Type: pip install numba numba-cuda") from error
    if "numba_cuda" not in (cuda.__file__ or ""):
        raise Unfit(f"numba.cuda is Numba's own old copy ({cuda.__file__}), not the package numba-cuda.",
                    "Type: pip install --force-reinstall --no-deps numba-cuda")


def _version(package: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(package)
    except PackageNotFoundError:
        return "(not installed)"


def broken(error: Exception, traceback: str) -> Broken:
    """What to tell a caller when warming failed."""
    if isinstance(error, Unfit):
        return Broken(error.message, error.cure, traceback)
    cure = "In a clone of gpulab type: ./lab env. Otherwise: pip install --force-reinstall numba numba-cuda"
    return Broken("The worker could not start.", cure, traceback)
