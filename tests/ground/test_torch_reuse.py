"""The torch that is there is used, wherever it lives, and never fetched again."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.ground.machines import PYTHON, Machine, base_python, packages_of, put_package, quick_python

pytestmark = pytest.mark.slow

WHERE_FROM = """
import numpy, torch, triton
print(torch.__file__, triton.__file__, numpy.__file__, numpy.__version__, sep="\\n")
"""


def put_torch(folder: Path) -> None:
    """A torch that brought its Triton, older than any we would fetch, and a numpy that numba-cuda cannot use."""
    put_package(folder, "torch", "2.9.1", "import triton, numpy")
    put_package(folder, "triton", "3.5.1")
    put_package(folder, "numpy", "2.5.0")


def assert_reused(machine: Machine, packages: Path) -> None:
    """torch and Triton come from `packages`, numpy from the environment and in its version; nothing was fetched."""
    torch, triton, numpy, version = machine.ask(WHERE_FROM).splitlines()
    assert torch == str(packages / "torch" / "__init__.py")
    assert triton == str(packages / "triton" / "__init__.py")
    assert numpy.startswith(str(machine.venv))
    assert version == "2.4.0"
    own = [entry.name for entry in (machine.venv / "lib" / PYTHON / "site-packages").iterdir()]
    assert not [name for name in own if name.startswith(("torch", "triton"))]


def test_the_torch_of_the_system_python_is_reused(machine: Machine) -> None:
    system = base_python(machine.home / "usr")
    put_torch(packages_of(system))
    machine.path = [str(system)]
    told = machine.lab("env")
    assert told.status == 0, told.text
    assert f"using the torch of {system}/python3" in told.text
    assert_reused(machine, packages_of(system))


def test_the_torch_of_conda_is_reused(machine: Machine) -> None:
    system = quick_python(machine.home / "usr")
    conda = quick_python(machine.home / "conda")
    (machine.home / "conda" / "conda-meta").mkdir()
    put_torch(packages_of(conda))
    machine.path = [str(conda), str(system)]
    machine.variables = {"CONDA_PREFIX": str(machine.home / "conda"), "CONDA_DEFAULT_ENV": "base"}
    told = machine.lab("env")
    assert told.status == 0, told.text
    assert_reused(machine, packages_of(conda))


def test_the_torch_of_an_active_environment_is_reused(machine: Machine) -> None:
    system = quick_python(machine.home / "usr")
    active = machine.home / "active"
    subprocess.run([system / "python3", "-m", "venv", "--without-pip", active], check=True)
    packages = packages_of(active / "bin")
    put_torch(packages)
    machine.path = [str(active / "bin"), str(system)]
    machine.variables = {"VIRTUAL_ENV": str(active)}
    told = machine.lab("env")
    assert told.status == 0, told.text
    assert_reused(machine, packages)


def test_a_torch_installed_for_the_user_is_reused(machine: Machine) -> None:
    system = quick_python(machine.home / "usr")
    packages = machine.home / ".local" / "lib" / PYTHON / "site-packages"
    put_torch(packages)
    machine.path = [str(system)]
    told = machine.lab("env")
    assert told.status == 0, told.text
    assert_reused(machine, packages)


def test_packages_that_the_parent_links_are_seen_too(machine: Machine) -> None:
    """A .pth file of the parent, as editable installs and some images use, is followed."""
    system = quick_python(machine.home / "usr")
    elsewhere = machine.home / "elsewhere"
    put_torch(elsewhere)
    (packages_of(system) / "elsewhere.pth").write_text(f"{elsewhere}\n")
    machine.path = [str(system)]
    told = machine.lab("env")
    assert told.status == 0, told.text
    assert_reused(machine, elsewhere)


def test_a_torch_that_goes_away_or_comes_back_is_noticed(machine: Machine) -> None:
    system = quick_python(machine.home / "usr")
    put_torch(packages_of(system))
    machine.path = [str(system)]
    assert machine.lab("env").status == 0
    shutil.move(packages_of(system) / "torch", machine.home / "torch-set-aside")
    told = machine.lab("list")
    assert told.status == 0, told.text
    assert "torch was parent and is now cpu" in told.text
    assert machine.ask("import torch; print(torch.__version__)") == "2.13.0+cpu"
    shutil.move(machine.home / "torch-set-aside", packages_of(system) / "torch")
    assert "gpulab: " not in machine.lab("list").text  # what works is left alone ...
    assert machine.lab("env").status == 0  # ... until asked
    assert_reused(machine, packages_of(system))
