"""What ./lab installs where there is no torch, and that it does so once, whole, and one at a time."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from tests.ground.machines import Machine, packages_of, put_package, quick_python

pytestmark = pytest.mark.slow

TORCH = "import torch; print(torch.__version__)"

CUDA_LIBRARIES = """
from importlib.util import find_spec
print(*[name for name in ("cuda_twelve", "cuda_thirteen") if find_spec(name)])
"""


@pytest.fixture
def plain(machine: Machine) -> Machine:
    """A machine with a Python that has no torch."""
    machine.path = [str(quick_python(machine.home / "usr"))]
    return machine


def test_without_a_driver_and_a_torch_that_imports_the_cpu_build_is_taken(plain: Machine) -> None:
    broken = "raise ImportError('libcudart.so.12: cannot open shared object file')"
    put_package(packages_of(Path(plain.path[0])), "torch", "2.9.1", broken)
    told = plain.lab("env")
    assert told.status == 0, told.text
    assert plain.ask(TORCH) == "2.13.0+cpu"
    assert plain.ask(CUDA_LIBRARIES) == ""
    assert plain.ask("import numpy; print(numpy.__version__)") == "2.4.0"


def test_a_cuda_build_is_not_fetched_for_a_machine_without_a_gpu(plain: Machine, tmp_path: Path) -> None:
    index = tmp_path / "index"
    index.mkdir()
    for wheel in plain.wheels.iterdir():
        if "+cpu" not in wheel.name:
            (index / wheel.name).symlink_to(wheel)
    plain.wheels = index
    told = plain.lab("env")
    assert told.status == 0, told.text
    assert "torch is left out" in told.text
    assert plain.ask("from importlib.util import find_spec as f; print(f('torch'), f('triton'))") == "None None"
    assert plain.lab("list").text == f"gpulab list in {plain.home}\n"


@pytest.mark.parametrize(
    ("header", "libraries", "torch"),
    [("CUDA Version: 12.4", "cuda_twelve", "2.10.0"), ("CUDA UMD Version: 13.1", "cuda_thirteen", "2.15.0")],
)
def test_the_driver_decides_the_cuda_libraries_and_the_torch(
    plain: Machine, header: str, libraries: str, torch: str
) -> None:
    plain.put_driver(header)
    told = plain.lab("env")
    assert told.status == 0, told.text
    assert plain.ask(CUDA_LIBRARIES) == libraries
    assert plain.ask(TORCH) == torch


def test_what_is_made_is_kept_and_what_changed_is_brought_up_to_date(plain: Machine) -> None:
    assert plain.lab("env").status == 0
    where = plain.home / "somewhere"
    where.mkdir()
    plain.variables = {"PIP_FIND_LINKS": "/nowhere"}  # from here on pip can fetch nothing
    started = time.monotonic()
    told = plain.lab("check", "a/b", "--file", "mine.py", cwd=where)
    assert told.text == f"gpulab check a/b --file mine.py in {where}\n"
    assert time.monotonic() - started < 3
    assert "up to date" in plain.lab("env").text
    told = plain.lab()
    assert "No terminal here, and the app needs one" in told.text
    assert f"gpulab next in {plain.home}\n" in told.text
    assert f"gpulab check shared/pooling --file {plain.checkout}/kernels/shared/pooling.py in" in told.text

    (plain.checkout / "pyproject.toml").open("a").write("# changed\n")
    told = plain.lab("list")
    assert told.status == 3, told.text
    assert "pip could not install what gpulab needs" in told.text
    plain.variables = {}
    told = plain.lab("list")
    assert told.text.endswith(f"gpulab list in {plain.home}\n"), told.text

    # cron, or ssh HOST ./lab: another PATH, without the Python it was made by.
    plain.path = []
    assert plain.lab("list").text == f"gpulab list in {plain.home}\n"

    # Our own environment may be the active one.
    plain.path = [str(plain.venv / "bin"), str(plain.home / "usr" / "bin")]
    assert "up to date" in plain.lab("env").text


def test_after_a_kill_it_is_begun_anew_and_of_two_at_once_by_one(plain: Machine) -> None:
    lab = str(plain.checkout / "lab")
    killed = plain.start(lab, "env")
    wait_until(lambda: bool(list(plain.venv.glob("lib/python*/site-packages/pip"))))
    os.killpg(killed.pid, signal.SIGKILL)
    killed.communicate()
    assert not (plain.venv / "gpulab-stamp.json").exists()

    first = plain.start(lab, "list")
    time.sleep(0.3)
    second = plain.start(lab, "list")
    told = [process.communicate(timeout=200)[0] for process in (first, second)]
    assert (first.returncode, second.returncode) == (0, 0), told
    assert all(text.endswith(f"gpulab list in {plain.home}\n") for text in told), told
    both = "".join(told)
    assert both.count("the last run was interrupted") == 1
    assert both.count("another ./lab is making .venv: waiting for it") == 1
    assert both.count("is ready") == 1
    assert plain.ask(TORCH) == "2.13.0+cpu"


def test_an_environment_made_by_hand_is_adopted(plain: Machine) -> None:
    python = plain.path[0] + "/python3"
    assert plain.start(python, "-m", "venv", str(plain.venv)).wait(60) == 0
    packages = next(plain.venv.glob("lib/python*/site-packages"))
    (packages / "mine.py").touch()
    told = plain.lab("env")
    assert told.status == 0, told.text
    assert "anew" not in told.text
    assert (packages / "mine.py").exists()


def wait_until(happened: object, seconds: float = 60) -> None:
    """Wait for a condition, looking every 20 ms."""
    assert callable(happened)
    end = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)
