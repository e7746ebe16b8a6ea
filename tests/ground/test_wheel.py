"""The learner's way without a checkout: the built wheel, in an environment of its own, from any folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.ground.wheelhouse import ROOT

pytestmark = pytest.mark.slow

CLI = find_spec("gpulab.cli") is not None


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the source archive and the wheel that was built from it."""
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment's folder of executables, with the wheel installed by pip.

    What the wheel depends on is linked from the environment that runs the tests, so that nothing is fetched; pip
    looks at it all the same, and would refuse a version that the wheel does not allow.
    """
    venv = tmp_path_factory.mktemp("learner") / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", venv], check=True)
    packages = Path(subprocess.check_output([venv / "bin" / "python", "-c", PACKAGES], text=True).strip())
    ours = next(entry for entry in sys.path if (Path(entry) / "pip").is_dir())
    (packages / "dependencies.pth").write_text(f"import site; site.addsitedir({ours!r})\n")
    pip = [venv / "bin" / "python", "-I", "-m", "pip", "-q", "install", "--no-index"]
    subprocess.run([*pip, "--no-deps", "--ignore-installed", next(dist.glob("*.whl"))], check=True)
    if find_spec("torch"):
        subprocess.run([*pip, "gpulab"], check=True)
    return venv / "bin"


PACKAGES = "import sysconfig; print(sysconfig.get_path('purelib'))"


def test_the_wheel_installs_one_name_and_carries_the_content(dist: Path) -> None:
    names = zipfile.ZipFile(next(dist.glob("*.whl"))).namelist()
    assert {name.split("/")[0] for name in names} == {"gpulab", "gpulab-0.1.0.dist-info"}
    assert "gpulab/content/tracks.yaml" in names
    for folder in ("puzzles", "kernels"):
        tracked = subprocess.check_output(["git", "ls-files", folder], cwd=ROOT, text=True).split()
        assert tracked
        assert {f"gpulab/content/{file}" for file in tracked} <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".pyc")]


def test_the_source_archive_builds_the_same_wheel(dist: Path) -> None:
    """`build` makes the wheel from the source archive: what is missing in one is missing in both."""
    with tarfile.open(next(dist.glob("*.tar.gz"))) as archive:
        names = archive.getnames()
    top = {name.split("/")[1] for name in names if "/" in name}
    assert {"gpulab", "puzzles", "kernels", "tracks.yaml", "tests", "lab", "LICENSE", "README.md"} <= top


def run(executables: Path, home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.defpath, "HOME": str(home), "GPULAB_HOME": str(home / "work")}
    command = [str(executables / "gpulab"), *words]
    return subprocess.run(command, cwd=home, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.skipif(not CLI, reason="gpulab.cli is not written yet")
def test_the_installed_gpulab_lists_its_own_puzzles_from_any_folder(installed: Path, tmp_path: Path) -> None:
    done = run(installed, tmp_path, "list", "--json")
    assert done.returncode == 0, done.stderr
    listed = {puzzle["id"] for track in json.loads(done.stdout)["tracks"] for puzzle in track["puzzles"]}
    written = {str(file.parent.relative_to(ROOT / "puzzles")) for file in ROOT.glob("puzzles/*/*/statement.md")}
    assert listed == written
    where = subprocess.check_output([installed / "python", "-c", "import gpulab; print(gpulab.__file__)"], cwd=tmp_path)
    assert str(installed.parent) in where.decode()


@pytest.mark.skipif(not CLI, reason="gpulab.cli is not written yet")
def test_a_learner_starts_and_checks_a_puzzle_without_a_checkout(installed: Path, tmp_path: Path) -> None:
    started = run(installed, tmp_path, "start", "shared/pooling")
    assert started.returncode == 0, started.stderr
    assert (tmp_path / "work" / "shared" / "pooling.py").exists()
    untouched = run(installed, tmp_path, "check", "shared/pooling", "--json")
    assert untouched.returncode == 1, untouched.stderr
    assert json.loads(untouched.stdout)["verdict"] != "passed"
    reference = ROOT / "kernels" / "shared" / "pooling.py"
    solved = run(installed, tmp_path, "check", "shared/pooling", "--file", str(reference), "--json")
    assert solved.returncode == 0, solved.stdout + solved.stderr
    assert json.loads(solved.stdout)["verdict"] == "passed"
