"""What the machine is, as plain data, without judging it.

    nvidia.py     driver and GPUs
    libraries.py  numba.cuda and its compiler libraries, torch, Triton
    compiler.py   the C compiler that Triton needs
    limits.py     cores, memory and processes, as the machine has them and as its container allows them
    disk.py       room on a disk, and whether it can be written
    terminal.py   window, colours, SSH, tmux
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpulab.doctor.facts.compiler import Compiler
    from gpulab.doctor.facts.disk import Disk
    from gpulab.doctor.facts.libraries import Numba, Torch
    from gpulab.doctor.facts.limits import Limits
    from gpulab.doctor.facts.nvidia import Nvidia
    from gpulab.doctor.facts.terminal import Terminal
    from gpulab.doctor.workplace import Workplace


@dataclass(frozen=True)
class Facts:
    """All of them."""

    nvidia: Nvidia
    numba: Numba
    torch: Torch
    compiler: Compiler
    limits: Limits
    shared_memory: Disk
    """/dev/shm"""
    temporary: Disk
    """The folder for temporary files."""
    workplace: Workplace
    terminal: Terminal
