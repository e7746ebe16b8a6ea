"""A folder of tiny wheels that stands in for the package index: set-up runs for real, offline and in seconds."""

from __future__ import annotations

import re
import zipfile
from importlib import metadata
from pathlib import Path

try:
    import tomllib
except ModuleNotFoundError:  # Python 3.10
    from pip._vendor import tomli as tomllib

ROOT = Path(__file__).resolve().parents[2]

# What hatchling writes for `pip install --editable`, without its five dependencies: each set-up builds once.
A_BUILD_BACKEND = """
import pathlib, zipfile

def build_editable(folder, config_settings=None, metadata_directory=None):
    info = "gpulab-0.1.0.dist-info"
    files = {
        "_gpulab.pth": str(pathlib.Path.cwd()),
        f"{info}/METADATA": "Metadata-Version: 2.1\\nName: gpulab\\nVersion: 0.1.0\\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n",
        f"{info}/entry_points.txt": "[console_scripts]\\ngpulab = gpulab.cli:main\\n",
    }
    files[f"{info}/RECORD"] = "".join(f"{path},,\\n" for path in [*files, f"{info}/RECORD"])
    wheel = "gpulab-0.1.0-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(folder, wheel), "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return wheel
"""


def write_wheel(folder: Path, name: str, version: str, files: dict[str, str], more: tuple[str, ...] = ()) -> Path:
    """Write `name`-`version`, holding `files` (path: text); `more` are further lines of its metadata."""
    escaped = re.sub(r"[-.]", "_", name)
    info = f"{escaped}-{version}.dist-info"
    head = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", *more]
    contents = {
        **files,
        f"{info}/METADATA": "\n".join(head) + "\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = [f"{path},," for path in (*contents, f"{info}/RECORD")]
    contents[f"{info}/RECORD"] = "\n".join(record) + "\n"
    wheel = folder / f"{escaped}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for path, text in contents.items():
            archive.writestr(path, text)
    return wheel


def write_module(folder: Path, name: str, version: str, more: tuple[str, ...] = ()) -> Path:
    """A wheel with one module that knows its version."""
    module = name.replace("-", "_")
    files = {f"{module}/__init__.py": f"__version__ = {version!r}\n", f"{module}/version.py": f"text = {version!r}\n"}
    return write_wheel(folder, name, version, files, more)


def repack(folder: Path, name: str) -> None:
    """Write a wheel of a pure-Python distribution that is installed here; nothing if it is not."""
    try:
        installed = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return
    files = {}
    info = ""
    for path in installed.files or []:
        if path.parts[0] == ".." or path.suffix == ".pyc" or path.name in ("RECORD", "INSTALLER", "REQUESTED"):
            continue
        files[str(path)] = Path(str(path.locate())).read_text(encoding="utf-8", errors="surrogateescape")
        info = path.parts[0] if path.parts[0].endswith(".dist-info") else info
    files[f"{info}/RECORD"] = "".join(f"{path},,\n" for path in (*files, f"{info}/RECORD"))
    with zipfile.ZipFile(folder / f"{info.removesuffix('.dist-info')}-py3-none-any.whl", "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text.encode("utf-8", errors="surrogateescape"))


def fill(folder: Path) -> None:
    """The real pip, a tiny stand-in for every dependency in pyproject.toml, and several torches."""
    repack(folder, "pip")
    backend = {"hatchling/__init__.py": "", "hatchling/build.py": A_BUILD_BACKEND}
    write_wheel(folder, "hatchling", "1.26", backend)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for line in [*project["dependencies"], *project["optional-dependencies"]["dev"]]:
        name = re.split(r"[\[<>=!~; ]", line)[0]
        if name not in ("hatchling", "numba-cuda", "numpy", "torch"):
            lowest = re.search(r">=\s*([\d.]+)", line)
            write_module(folder, name, lowest[1] if lowest else "1.0")
    write_module(folder, "numpy", "2.4.0")
    write_module(folder, "numpy", "2.5.0")
    write_module(folder, "cuda-twelve", "12.0")
    write_module(folder, "cuda-thirteen", "13.0")
    cuda_libraries = (
        "Provides-Extra: cu12",
        'Requires-Dist: cuda-twelve; extra == "cu12"',
        "Provides-Extra: cu13",
        'Requires-Dist: cuda-thirteen; extra == "cu13"',
    )
    write_module(folder, "numba-cuda", "0.30.4", cuda_libraries)
    for version in ("2.10.0", "2.13.0", "2.15.0"):  # as on PyPI: CUDA builds, of CUDA 12 and then 13
        write_module(folder, "torch", version)
    write_module(folder, "torch", "2.13.0+cpu")
