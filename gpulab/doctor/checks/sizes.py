"""Sizes as people say them."""

from __future__ import annotations

GB = 1 << 30


def gigabytes(size: int) -> str:
    """`140 GB`, `1.5 GB`, `64 MB`; of 1024 each, as nvidia-smi and cgroups count."""
    if size < GB:
        return f"{round(size / (1 << 20))} MB"
    whole = size / GB
    return f"{whole:.1f} GB".replace(".0 GB", " GB") if whole < 10 else f"{round(whole)} GB"
