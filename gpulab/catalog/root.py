"""Where the content lies: tracks.yaml, puzzles/ and kernels/ share one folder."""

from __future__ import annotations

import os
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent


def content_root() -> Path:
    """The folder that holds tracks.yaml.

    `GPULAB_CONTENT` where it is set (for authors and tests), else `gpulab/content` of an installed wheel, else the
    checkout that the package stands in.
    """
    chosen = os.environ.get("GPULAB_CONTENT")
    if chosen:
        return Path(chosen).expanduser().resolve()
    packaged = _PACKAGE / "content"
    return packaged if packaged.is_dir() else _PACKAGE.parent
