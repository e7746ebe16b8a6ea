"""Whether it is worth starting a process for the GPU. Imports nothing and asks no driver: commands wait for it."""

from __future__ import annotations

import os

DEVICES = ("/dev/nvidiactl", "/dev/nvidia0", "/proc/driver/nvidia/version", "/dev/dxg")
"""What the driver's kernel module makes; the last is WSL's."""

_HIDDEN = ("", "-1", "NoDevFiles", "none")
"""Values of CUDA_VISIBLE_DEVICES that hide every GPU."""


def looks_present() -> bool:
    """Whether there is a GPU to be tried: a driver's device, not hidden from CUDA."""
    if os.environ.get("CUDA_VISIBLE_DEVICES", "0").strip() in _HIDDEN:
        return False
    return any(os.path.exists(device) for device in DEVICES)
