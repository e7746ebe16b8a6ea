"""gpulab: learn GPU programming by solving puzzles in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    __version__: str
    from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
    from gpulab.engines.simt.simulate import simulate
    from gpulab.trace import Finding, Note, Run, Site

__all__ = ["DoesNotCompile", "Finding", "Note", "Run", "Site", "Unsupported", "__version__", "simulate"]

_HOMES = {
    "simulate": "gpulab.engines.simt.simulate",
    "Unsupported": "gpulab.engines.simt.errors",
    "DoesNotCompile": "gpulab.engines.simt.errors",
    "Finding": "gpulab.trace",
    "Note": "gpulab.trace",
    "Run": "gpulab.trace",
    "Site": "gpulab.trace",
}


def __getattr__(name: str) -> Any:
    """Import the public names when first asked for: `import gpulab` alone stays light."""
    if name == "__version__":
        return _version()
    if name not in _HOMES:
        raise AttributeError(f"module 'gpulab' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # 40 ms, so not at import

    try:
        return version("gpulab")
    except PackageNotFoundError:  # run from a checkout that was never installed
        return "0+unknown"
