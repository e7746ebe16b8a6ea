"""Machines that do not exist: folders for /proc and /sys, fake programs, a fake driver, fake packages.

The doctor asks them as it asks a real one: by processes of their own.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path

from gpulab.doctor.machine import Machine
from gpulab.doctor.model import Check

UUID = "GPU-00010203-0405-0607-0809-0a0b0c0d0e0f"

DRIVER = r"""
/* A driver that does what variables say: CUDA Driver API and the version calls of NVRTC and nvJitLink. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static int number(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}
int cuDriverGetVersion(int *version) { *version = number("FAKE_CUDA", 13000); return 0; }
int cuInit(unsigned flags) {
    const char *does = getenv("FAKE_DRIVER");
    if (does && !strcmp(does, "hangs")) for (;;) sleep(1);
    if (does && !strcmp(does, "crashes")) *(volatile int *)0 = 1;
    return number("FAKE_INIT", 0);
}
int cuGetErrorName(int status, const char **name) { *name = getenv("FAKE_ERROR"); return *name ? 0 : 1; }
int cuDeviceGetCount(int *count) { *count = number("FAKE_GPUS", 1); return 0; }
int cuDeviceGet(int *device, int place) { *device = place; return 0; }
int cuDeviceGetName(char *name, int length, int device) { strncpy(name, "NVIDIA H200", length); return 0; }
int cuDeviceTotalMem_v2(size_t *size, int device) { *size = 150110011392UL; return 0; }
int cuDeviceGetUuid(unsigned char *uuid, int device) { for (int i = 0; i < 16; i++) uuid[i] = i + device; return 0; }
int cuDeviceGetAttribute(int *value, int which, int device) {
    int capability = number("FAKE_CAPABILITY", 90);
    *value = which == 75 ? capability / 10 : which == 76 ? capability % 10 : 132;
    return 0;
}
int nvrtcVersion(int *major, int *minor) { *major = number("FAKE_NVRTC", 13); *minor = 0; return 0; }
int nvJitLinkVersion(int *major, int *minor) { return nvrtcVersion(major, minor); }
"""


@dataclass(frozen=True)
class Imagined:
    """A machine being put together: `tool`, `file` and `package` add to it, `machine` is what the doctor gets."""

    folder: Path
    environ: dict[str, str] = field(default_factory=dict)
    bare: bool = True
    """Whether its Python sees no packages but those given."""
    admin: bool = True

    @property
    def root(self) -> Path:
        return self.folder / "root"

    def tool(self, name: str, script: str) -> Path:
        """A program on its PATH, in sh."""
        path = self.folder / "tools" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
        return path

    def borrow(self, name: str) -> None:
        """A real program, put on its PATH."""
        real = shutil.which(name)
        assert real is not None
        (self.folder / "tools").mkdir(parents=True, exist_ok=True)
        (self.folder / "tools" / name).symlink_to(real)

    def file(self, place: str, text: str) -> None:
        """Below /proc, /sys and so on."""
        path = self.root / place.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def package(self, name: str, version: str, modules: dict[str, str], more: Iterable[str] = ()) -> None:
        """An installed distribution; `modules` are its files, `more` further lines of its metadata."""
        site = self.folder / "site"
        info = site / f"{name.replace('-', '_')}-{version}.dist-info"
        info.mkdir(parents=True)
        head = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *more]
        (info / "METADATA").write_text("\n".join(head))
        for path, text in modules.items():
            (site / path).parent.mkdir(parents=True, exist_ok=True)
            (site / path).write_text(text)

    @property
    def machine(self) -> Machine:
        self.root.mkdir(exist_ok=True)
        return Machine(
            environ={"PATH": str(self.folder / "tools"), "PYTHONPATH": str(self.folder / "site"), **self.environ},
            root=self.root, python=str(self._python()), pip=".venv/bin/python -m pip install", admin=self.admin,
            disk=os.statvfs, window=lambda: (80, 24), patience=20.0,
        )

    def impatient(self, seconds: float = 1.5) -> Machine:
        return replace(self.machine, patience=seconds)

    def _python(self) -> Path:
        if not self.bare:
            return Path(sys.executable)
        wrapper = self.folder / "python"
        wrapper.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n')
        wrapper.chmod(0o755)
        return wrapper


def build_driver(folder: Path) -> Path:
    """Compile the fake driver; its folder is for LD_LIBRARY_PATH."""
    (folder / "driver.c").write_text(DRIVER)
    subprocess.run(["gcc", "-w", "-shared", "-fPIC", "-o", str(folder / "libcuda.so.1"), str(folder / "driver.c")],
                   check=True)
    return folder


def smi(*rows: str, mode: str = "Default", used: int = 500) -> str:
    """A script that answers as nvidia-smi does."""
    lines = rows or (f"{UUID}, 580.159.04, {used} MiB, {mode}, Disabled",)
    return "\n".join(f"echo '{line}'" for line in lines)


def named(checks: Iterable[Check], name: str) -> Check:
    """The check of this name; there must be exactly one, and a shell must be able to read its cure."""
    found = [check for check in checks if check.name == name]
    assert len(found) == 1, found
    subprocess.run(["sh", "-n", "-c", found[0].cure], check=True)
    return found[0]
