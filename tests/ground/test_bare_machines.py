"""What a machine lacks is named with the command that brings it, and nothing is run unasked."""

from __future__ import annotations

import sys

import pexpect
import pytest

from tests.ground.machines import PYTHON, Machine, base_python

VERSION = PYTHON.removeprefix("python")


@pytest.fixture
def rented(machine: Machine) -> Machine:
    """A bare machine with apt-get, where one is root."""
    machine.put_tool("id", "echo 0")
    machine.put_noting_tool("apt-get")
    return machine


def test_no_python_at_all(rented: Machine) -> None:
    rented.put_tool("apt-cache", '[ "$2" = python3.12-venv ]')
    told = rented.lab("list")
    assert told.status == 3
    assert "gpulab needs Python 3.10, 3.11, 3.12 or 3.13; no Python is what this machine has." in told.text
    assert "\n    apt-get update && apt-get install -y python3.12 python3.12-venv\n" in told.text
    assert rented.calls() == ""


def test_a_python_too_old_is_named_and_another_on_path_is_found(rented: Machine) -> None:
    rented.put_tool("python3", '[ "$1" = --version ] && echo Python 3.8.10')
    told = rented.lab("list")
    assert told.status == 3
    assert "Python 3.8.10 is what this machine has" in told.text
    assert "python3 python3-venv" in told.text  # apt's lists are not here yet
    usr = base_python(rented.home / "usr", without=("ensurepip",))
    (usr / "python3").unlink()
    rented.path = [str(usr)]
    assert f"{usr}/{PYTHON} has neither" in rented.lab("list").text


def test_a_python_without_ensurepip_and_pip(rented: Machine) -> None:
    rented.path = [str(base_python(rented.home / "usr", without=("ensurepip",)))]
    told = rented.lab("list")
    assert told.status == 3
    assert "gpulab needs Python's venv module with ensurepip" in told.text
    assert f"\n    apt-get update && apt-get install -y python{VERSION}-venv\n" in told.text
    assert rented.calls() == ""


@pytest.mark.parametrize(
    ("tools", "user", "command"),
    [
        (["apt-get"], "1000", "sudo apt-get update && sudo apt-get install -y python3 python3-venv"),
        (["dnf"], "0", "dnf install -y python3.12"),
        (["apk"], "1000", "sudo apk add python3 py3-pip"),
        (["uv"], "0", "uv python install 3.12"),
        (["conda", "apt-get"], "0", "conda create -y -n gpulab python=3.12 && conda activate gpulab"),
        ([], "0", None),
    ],
)
def test_the_command_is_the_machine_s_own(machine: Machine, tools: list[str], user: str, command: str | None) -> None:
    machine.put_tool("id", f"echo {user}")
    for tool in tools:
        machine.put_noting_tool(tool)
    machine.variables = {"CONDA_PREFIX": "/opt/conda"} if "conda" in tools else {}
    told = machine.lab("list")
    assert told.status == 3
    assert machine.calls() == ""
    if command:
        assert f"\n    {command}\n" in told.text
    else:
        assert "please install it by hand" in told.text


@pytest.mark.parametrize(("answer", "run"), [("n", False), ("", False), ("y", True)])
def test_root_at_a_terminal_is_asked(rented: Machine, answer: str, run: bool) -> None:
    lab = str(rented.checkout / "lab")
    terminal = pexpect.spawn(lab, ["list"], env=rented.environment(), encoding="utf-8", timeout=20)
    terminal.expect_exact("Run it now? [y/N] ")
    terminal.sendline(answer)
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 3
    assert bool(rented.calls()) == run


@pytest.mark.slow
def test_a_venv_without_ensurepip_and_settings_meant_for_others_do_no_harm(machine: Machine) -> None:
    """As Debian's python3 with python3-pip, without python3-venv; pip refuses system installs there (PEP 668)."""
    usr = base_python(machine.home / "usr", without=("ensurepip",), with_pip=True)
    (machine.home / "usr" / "lib" / PYTHON / "EXTERNALLY-MANAGED").write_text("[externally-managed]\nError=Use apt.\n")
    machine.path = [str(usr)]
    machine.variables = {
        "PIP_USER": "1",
        "PIP_TARGET": str(machine.home / "elsewhere"),
        "PIP_REQUIRE_VIRTUALENV": "1",
        "PYTHONPATH": str(machine.home / "nowhere"),
        "CDPATH": str(machine.home),
    }
    told = machine.lab("list")
    assert told.status == 0, told.text
    assert machine.ask("import pip, sys; print(pip.__file__.startswith(sys.prefix))") == "True"
    assert not (machine.home / "elsewhere").exists()


def test_the_checkout_may_lie_anywhere(machine: Machine) -> None:
    """A path with blanks: the command is found, and what is missing is still named."""
    odd = machine.home / "my checkouts"
    odd.mkdir()
    machine.checkout.rename(odd / "gpu lab")
    process = machine.start(str(odd / "gpu lab" / "lab"), "help")
    told, _ = process.communicate(timeout=20)
    assert process.returncode == 0
    assert told.startswith("./lab "), told


def test_this_python_is_one_that_is_supported() -> None:
    assert (3, 10) <= sys.version_info[:2] <= (3, 13)
