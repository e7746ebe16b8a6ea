"""Which folder the workspace is."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path

from gpulab.workspace.errors import WorkspaceError
from gpulab.workspace.files import write_atomically

FOLDER = "gpulab-work"
POD_VOLUME = Path("/workspace")
"""Where rented pods mount the volume that outlives them."""


@dataclass(frozen=True)
class Place:
    """A chosen folder. `gone` is the folder used last, where that exists no more and another was taken."""

    root: Path
    gone: Path | None = None


def choose(home: Path | None = None) -> Place:
    """`home`, else GPULAB_HOME, else the folder used last, else one on the pod's volume, else one in the user's home.

    Raises `WorkspaceError` for a folder inside a checkout of gpulab, and for one that is a file.
    """
    asked = home or (Path(os.environ["GPULAB_HOME"]) if os.environ.get("GPULAB_HOME") else None)
    if asked:
        return Place(_checked(_absolute(asked)))
    last = used_last()
    if last and last.is_dir() and not checkout_around(last):
        return Place(last)
    return Place(_checked(default()), gone=last)


def default() -> Path:
    """The folder for a learner who has none yet."""
    on_volume = POD_VOLUME / FOLDER
    if os.path.ismount(POD_VOLUME) and not checkout_around(on_volume):
        return on_volume
    return Path.home() / FOLDER


def used_last() -> Path | None:
    """The folder that was used last on this machine."""
    try:
        text = _pointer().read_text().strip()
    except (OSError, ValueError):
        return None
    return Path(text) if text else None


def remember(root: Path) -> None:
    """Make `root` the folder used last. Where that cannot be written it is not remembered, and nothing is lost."""
    if used_last() == root:
        return
    try:
        _pointer().parent.mkdir(parents=True, exist_ok=True)
        write_atomically(_pointer(), f"{root}\n".encode())
    except OSError:
        return


def checkout_around(path: Path) -> Path | None:
    """The checkout of gpulab that `path` is in, if it is in one."""
    real = path.resolve()
    return next((folder for folder in (real, *real.parents) if _is_checkout(folder)), None)


def _is_checkout(folder: Path) -> bool:
    try:
        project = (folder / "pyproject.toml").read_text()
    except (OSError, ValueError):
        return False
    return re.search(r"""^name\s*=\s*["']gpulab["']""", project, re.MULTILINE) is not None


def _checked(root: Path) -> Path:
    checkout = checkout_around(root)
    if checkout:
        raise WorkspaceError(
            f"{root} is inside a checkout of gpulab ({checkout}), where your files would mix with its own. "
            f"Choose another folder: gpulab --home {Path.home() / FOLDER}"
        )
    if root.exists() and not root.is_dir():
        raise WorkspaceError(f"{root} is a file, not a folder. Choose a folder: gpulab --home DIR")
    return root


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path.expanduser()))


def _pointer() -> Path:
    from platformdirs import user_state_path

    return user_state_path("gpulab") / "workspace"
