"""Driver and GPUs, asked of the driver's own library in a process of its own, and of `nvidia-smi` where it is.

Neither makes a CUDA context. No Python package is needed, and either may be missing: a container may be given the
library without `nvidia-smi` (NVIDIA_DRIVER_CAPABILITIES=compute), or the other way round (utility).
"""

from __future__ import annotations

import re
from concurrent.futures import Future
from dataclasses import dataclass, field
from threading import Thread

from gpulab.doctor.asking import Answer, Ran, ask, last_line, run
from gpulab.doctor.machine import Machine

QUERY = "uuid,driver_version,memory.used,compute_mode,mig.mode.current"
"""Fields that every nvidia-smi of the last ten years knows (`nvidia-smi --help-query-gpu`)."""
VERSION_FILE = "/proc/driver/nvidia/version"
PARAMETERS = "/proc/driver/nvidia/params"
NVIDIA = "0x10de"
"""PCI vendor."""
DISPLAY_CLASSES = ("0x0300", "0x0302")
"""PCI classes "VGA" and "3D controller"; an NVIDIA card's sound device has another."""
CAP_SYS_ADMIN = 21
"""Bit number, <linux/capability.h>."""


@dataclass(frozen=True)
class Gpu:
    """One GPU that CUDA can use."""

    name: str
    uuid: str
    """As nvidia-smi writes it: `GPU-...`."""
    capability: tuple[int, int]
    """Compute capability."""
    memory: int
    """Bytes."""
    multiprocessors: int
    used: int | None = None
    """Bytes of its memory in use by all programs; None where nvidia-smi does not tell."""
    compute_mode: str = ""
    """As nvidia-smi writes it: `Default`, `Exclusive_Process`, `Prohibited`; "" where it does not tell."""
    mig: bool = False
    """Whether it is divided into instances."""


@dataclass(frozen=True)
class Nvidia:
    """What is known of driver and GPUs."""

    gpus: tuple[Gpu, ...] = ()
    driver: str = ""
    """Its version; "" where nothing tells."""
    cuda: tuple[int, int] | None = None
    """The newest CUDA that the driver supports."""
    library: bool = False
    """Whether its library, libcuda.so.1, could be loaded."""
    status: int = 0
    """What cuInit answered; 0 also where it was not asked."""
    status_name: str = ""
    trouble: str = ""
    """Why the library said no more: it hung, it crashed."""
    hung: bool = False
    tool: bool = False
    """Whether nvidia-smi is here."""
    tool_sees: tuple[str, ...] = ()
    """UUIDs of the GPUs that nvidia-smi lists."""
    tool_trouble: str = ""
    """What nvidia-smi says where it fails."""
    module: bool = False
    """Whether the kernel has the driver's module loaded; a container sees its host's."""
    on_bus: int = 0
    """How many NVIDIA GPUs are on the PCI bus; a container sees its host's."""
    counters: bool | None = None
    """Whether this user may read hardware counters; None where it is unknown."""

    @property
    def works(self) -> bool:
        """Whether CUDA has a GPU to run on."""
        return bool(self.gpus)

    @property
    def absent(self) -> bool:
        """Whether nothing here hints at an NVIDIA GPU."""
        return not (self.library or self.module or self.on_bus or self.tool_sees or self.trouble)


@dataclass(frozen=True)
class _Tool:
    """What nvidia-smi says."""

    there: bool = False
    trouble: str = ""
    driver: str = ""
    rows: dict[str, list[str]] = field(default_factory=dict)
    """UUID -> the other fields of QUERY."""


def find_nvidia(machine: Machine) -> Nvidia:
    """Ask the library and nvidia-smi, both at once: either may hang with a broken driver."""
    asked: Future[_Tool] = Future()
    Thread(target=lambda: asked.set_result(_ask_tool(machine)), daemon=True).start()
    answer = ask(machine, "cuda")
    tool = asked.result()
    cuda = answer.get("cuda")
    return Nvidia(
        gpus=_gpus(answer, tool), driver=tool.driver or _driver_of_module(machine), cuda=tuple(cuda) if cuda else None,
        library=bool(answer.get("library")), status=answer.get("init", 0), status_name=answer.get("name", ""),
        trouble=answer.trouble, hung=answer.hung, tool=tool.there, tool_sees=tuple(tool.rows),
        tool_trouble=tool.trouble, module=machine.has(VERSION_FILE), on_bus=_on_bus(machine),
        counters=_counters(machine),
    )


def _gpus(answer: Answer, tool: _Tool) -> tuple[Gpu, ...]:
    found: list[Gpu] = []
    while (told := answer.get(f"gpu{len(found)}")) is not None:
        used, mode, mig = tool.rows.get(told["uuid"], ["", "", ""])
        major, minor = told["capability"]
        found.append(Gpu(told["name"], told["uuid"], (major, minor), told["memory"], told["multiprocessors"],
                         _bytes(used), mode, mig == "Enabled"))
    return tuple(found)


def _bytes(text: str) -> int | None:
    """`1234 MiB`."""
    number = re.match(r"(\d+) MiB", text)
    return int(number[1]) << 20 if number else None


def _ask_tool(machine: Machine) -> _Tool:
    program = machine.which("nvidia-smi")
    if program is None:
        return _Tool()
    ran = run([program, f"--query-gpu={QUERY}", "--format=csv,noheader"], machine.patience, machine.environ)
    if not ran.well:
        return _Tool(there=True, trouble=_refusal(ran))
    lines = [[cell.strip() for cell in line.split(",")] for line in ran.out.splitlines() if line.count(",") == 4]
    return _Tool(True, "", lines[0][1] if lines else "", {line[0]: line[2:] for line in lines})


def _refusal(ran: Ran) -> str:
    """nvidia-smi writes its errors to stdout."""
    if ran.there and ran.status is None:
        return "it did not answer"
    return last_line(ran.out if ran.out.strip() else ran.err)


def _driver_of_module(machine: Machine) -> str:
    """The version that the kernel's module has, of `NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.159.04 ...`."""
    found = re.search(r"\s(\d{3}\.\d+(?:\.\d+)?)\s", machine.text(VERSION_FILE) or "")
    return found[1] if found else ""


def _on_bus(machine: Machine) -> int:
    devices = machine.path("/sys/bus/pci/devices")
    try:
        names = sorted(entry.name for entry in devices.iterdir())
    except OSError:
        return 0
    kinds = [(machine.text(f"/sys/bus/pci/devices/{name}/vendor") or "",
              machine.text(f"/sys/bus/pci/devices/{name}/class") or "") for name in names]
    return sum(vendor.strip() == NVIDIA and kind.startswith(DISPLAY_CLASSES) for vendor, kind in kinds)


def _counters(machine: Machine) -> bool | None:
    """By the driver's parameter (developer.nvidia.com/ERR_NVGPUCTRPERM): else only CAP_SYS_ADMIN may read them."""
    found = re.search(r"RmProfilingAdminOnly:\s*(\d)", machine.text(PARAMETERS) or "")
    if found is None:
        return None
    return found[1] == "0" or capable(machine, CAP_SYS_ADMIN)


def capable(machine: Machine, capability: int) -> bool:
    """Whether this process has a capability (proc(5), CapEff)."""
    found = re.search(r"CapEff:\s*([0-9a-fA-F]+)", machine.text("/proc/self/status") or "")
    return found is not None and bool(int(found[1], 16) >> capability & 1)
