"""Machines to set up on: Pythons with and without torch, venv and pip; tools that only note that they were called."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from pathlib import Path

import pip

from tests.ground.wheelhouse import ROOT

PYTHON = f"python{sys.version_info[0]}.{sys.version_info[1]}"

PIP = str(Path(pip.__file__).parent)

SHELL_TOOLS = ("sh", "dirname", "id", "sed", "cat", "env")

SET_UP_BY = ("lab", "scripts", "pyproject.toml", "constraints-cpu.txt", "README.md", "LICENSE", "tracks.yaml")

A_CLI_THAT_ECHOES = """
import os, sys

def main():
    print("gpulab", *sys.argv[1:], "in", os.getcwd())
"""


@dataclass
class Machine:
    """A checkout of gpulab on a machine that has only what the test puts there."""

    home: Path
    wheels: Path
    path: list[str] = field(default_factory=list)
    variables: dict[str, str] = field(default_factory=dict)

    @property
    def checkout(self) -> Path:
        return self.home / "gpulab"

    @property
    def venv(self) -> Path:
        return self.checkout / ".venv"

    def environment(self) -> dict[str, str]:
        """Nothing of the developer's own settings: no locale either."""
        return {
            "HOME": str(self.home),
            "PATH": os.pathsep.join([*self.path, str(self.home / "tools")]),
            "PIP_CONFIG_FILE": os.devnull,
            "PIP_FIND_LINKS": str(self.wheels),
            "PIP_NO_INDEX": "1",
            "PIP_NO_COMPILE": "1",  # halves the time of a set-up
            **self.variables,
        }

    def start(self, *command: str, cwd: Path | None = None) -> subprocess.Popen[str]:
        """Start a command in a session of its own, with no terminal; stdout and stderr come as one."""
        return subprocess.Popen(
            command,
            cwd=cwd or self.home,
            env=self.environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def lab(self, *words: str, cwd: Path | None = None) -> Told:
        """Run ./lab to its end."""
        process = self.start(str(self.checkout / "lab"), *words, cwd=cwd)
        try:
            output, _ = process.communicate(timeout=240)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
        return Told(output, process.returncode)

    def ask(self, code: str) -> str:
        """What Python code prints in the environment that ./lab made."""
        command = [str(self.venv / "bin" / "python"), "-c", code]
        return subprocess.check_output(command, env=self.environment(), text=True).strip()

    def put_tool(self, name: str, script: str) -> None:
        """A tool on PATH, as shell script."""
        tool = self.home / "tools" / name
        tool.unlink(missing_ok=True)
        tool.write_text(f"#!/bin/sh\n{script}\n")
        tool.chmod(0o755)

    def put_noting_tool(self, name: str) -> None:
        """A tool that does nothing but write down how it was called."""
        self.put_tool(name, f'echo "{name} $*" >> "{self.home}/calls"')

    def calls(self) -> str:
        """What noting tools were called with."""
        log = self.home / "calls"
        return log.read_text() if log.exists() else ""

    def put_driver(self, header: str) -> None:
        """An nvidia-smi whose header says `header`."""
        self.put_tool("nvidia-smi", f"echo '| NVIDIA-SMI 580.65.06     Driver Version: 580.65.06    {header}     |'")


@dataclass(frozen=True)
class Told:
    """What ./lab printed, stdout and stderr, and its exit status."""

    text: str
    status: int


def new_machine(home: Path, wheels: Path) -> Machine:
    """A machine with a shell, a checkout and nothing else; add Pythons to its `path`."""
    tools = home / "tools"
    tools.mkdir(parents=True)
    for tool in SHELL_TOOLS:
        (tools / tool).symlink_to(str(shutil.which(tool)))
    machine = Machine(home, wheels)
    machine.checkout.mkdir()
    for name in SET_UP_BY:
        source, target = ROOT / name, machine.checkout / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, target)
    package = machine.checkout / "gpulab"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "cli.py").write_text(A_CLI_THAT_ECHOES)
    for folder in ("puzzles", "kernels"):
        (machine.checkout / folder).mkdir()
    return machine


def base_python(prefix: Path, without: tuple[str, ...] = (), with_pip: bool = False) -> Path:
    """A Python installation of its own at `prefix`, as a system's or conda's: real, but its packages are its own.

    The standard library is linked, less what `without` names. Returns its folder of executables.
    """
    library = prefix / "lib" / PYTHON
    library.mkdir(parents=True)
    for entry in Path(sysconfig.get_path("stdlib")).iterdir():
        if entry.name not in ("site-packages", "dist-packages", *without):
            (library / entry.name).symlink_to(entry)
    packages = library / "site-packages"
    packages.mkdir()
    if with_pip:
        (packages / "pip").symlink_to(PIP)
    executables = prefix / "bin"
    executables.mkdir()
    real = os.path.realpath(getattr(sys, "_base_executable", sys.executable))
    shutil.copy2(real, executables / PYTHON)
    (executables / "python3").symlink_to(PYTHON)
    return executables


def quick_python(prefix: Path) -> Path:
    """The same with an ensurepip that links pip where the real one installs it: half the time of a set-up."""
    executables = base_python(prefix, without=("ensurepip",))
    ensurepip = prefix / "lib" / PYTHON / "ensurepip"
    ensurepip.mkdir()
    (ensurepip / "__init__.py").touch()
    link = f"import os, sysconfig\nos.symlink({PIP!r}, os.path.join(sysconfig.get_path('purelib'), 'pip'))\n"
    (ensurepip / "__main__.py").write_text(link)
    return executables


def packages_of(executables: Path) -> Path:
    """Where the Python of `executables` keeps its packages."""
    code = "import site; print(site.getsitepackages()[0])"
    folder = subprocess.run([executables / "python3", "-c", code], capture_output=True, text=True, check=True)
    return Path(folder.stdout.strip())


def put_package(folder: Path, name: str, version: str, code: str = "") -> None:
    """Install a tiny package straight into a folder of packages."""
    package = folder / name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(f"__version__ = {version!r}\n{code}\n")
    (package / "version.py").write_text(f"text = {version!r}\n")
    info = folder / f"{name}-{version}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "RECORD").write_text("")
    (info / "INSTALLER").write_text("tests")
