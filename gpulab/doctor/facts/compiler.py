"""The C compiler: Triton builds a small library with it before its first kernel."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path

from gpulab.doctor.asking import Ran, run
from gpulab.doctor.machine import Machine

SOURCE = "#include <Python.h>\n#include <stdlib.h>\nint one(void) { return Py_REFCNT(Py_None) > 0; }\n"


@dataclass(frozen=True)
class Compiler:
    """What Triton would call."""

    name: str = ""
    """As it is found: `gcc`, `clang`, or what CC says; "" where there is none."""
    path: str | None = None
    """None where it is not there."""
    works: bool | None = None
    """Whether it built a library against Python.h; None where that could not be tried."""
    error: str = ""


def find_compiler(machine: Machine) -> Compiler:
    """Choose as Triton does (triton/runtime/build.py: CC, else gcc, else clang) and build something."""
    names = [machine.environ["CC"]] if machine.environ.get("CC") else ["gcc", "clang"]
    name = next((name for name in names if machine.which(name)), "")
    if not name:
        return Compiler(names[0] if machine.environ.get("CC") else "")
    path = machine.which(name)
    assert path is not None
    try:
        with tempfile.TemporaryDirectory(prefix="gpulab-doctor-") as folder:
            ran = _build(machine, path, Path(folder))
    except OSError as error:
        return Compiler(name, path, None, error.strerror or str(error))
    return Compiler(name, path, ran.well, "" if ran.well else _first_error(ran))


def _build(machine: Machine, compiler: str, folder: Path) -> Ran:
    source = folder / "one.c"
    source.write_text(SOURCE)
    command = [compiler, str(source), "-shared", "-fPIC", f"-I{machine.headers}", "-o", str(folder / "one.so")]
    return run(command, machine.patience, machine.environ, folder=str(folder))


def _first_error(ran: Ran) -> str:
    """The first error is the cause; what follows often is not."""
    if ran.status is None:
        return "it did not answer"
    lines = [line for line in ran.err.splitlines() if line.strip()]
    first = next((line for line in lines if "error" in line), lines[0] if lines else f"it ended with {ran.status}")
    return first.partition("error:")[2].strip() or first.strip()
