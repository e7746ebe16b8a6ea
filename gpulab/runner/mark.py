"""How a zygote and all that it starts are known, whoever their parents are by then."""

from __future__ import annotations

MARK = "GPULAB_WORKER"
"""An environment variable that they all carry, unless they clear their environment."""
