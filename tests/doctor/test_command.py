"""`gpulab doctor`: statuses, JSON, and that it touches nothing."""

from __future__ import annotations

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from gpulab.doctor.asking import Ran, ask, run
from gpulab.doctor.examination import examine
from gpulab.doctor.machine import Machine
from tests.cli.conftest import Called, process
from tests.doctor.machines import Imagined, named, smi
from tests.doctor.test_torch import install


@pytest.fixture
def quick(tmp_path: Path) -> dict[str, str]:
    """A learner's surroundings, with a torch that needs no seconds."""
    imagined = Imagined(tmp_path)
    install(imagined, "2.13.0+cpu", None, available=False)
    return {"HOME": str(tmp_path / "home"), "XDG_STATE_HOME": str(tmp_path / "state"), "COLUMNS": "80",
            "PYTHONPATH": str(tmp_path / "site"), "GPULAB_HOME": str(tmp_path / "work"), "LC_ALL": "C.UTF-8"}


def states(called: Called) -> dict[str, str]:
    return {check["name"]: check["state"] for section in called.data["sections"] for check in section["checks"]}


def test_json_has_the_checks_and_the_facts(quick: dict[str, str]) -> None:
    called = process("doctor", "--json", **quick)
    data = called.data
    assert data["version"] == 1
    assert [section["title"] for section in data["sections"]] == [
        "GPU", "Numba", "torch and Triton", "machine", "workspace", "terminal"]
    assert all(set(check) == {"name", "state", "sentence", "cure"} for section in data["sections"]
               for check in section["checks"])
    assert data["facts"]["torch"]["torch"] == "2.13.0+cpu"
    assert data["facts"]["numba"]["numba_cuda"]
    assert data["facts"]["workplace"]["root"] == quick["GPULAB_HOME"]
    assert called.status == (0 if data["well"] else 1)
    assert data["well"] is ("problem" not in states(called).values())


@pytest.mark.skipif(not Path("/proc/self").exists(), reason="/proc is not here")
def test_a_problem_is_status_1_and_said_last(quick: dict[str, str]) -> None:
    called = process("doctor", **{**quick, "GPULAB_HOME": "/proc/gpulab-work"})
    assert called.status == 1
    assert called.err == ""
    rows = called.out.splitlines()
    assert max(map(len, rows)) <= 80
    assert any(row.startswith("× folder") for row in rows)
    assert "  $ gpulab --home ~/gpulab-work" in rows
    assert "gpulab doctor" in " ".join(rows[-2:])


def test_in_ascii_every_row_is(quick: dict[str, str]) -> None:
    assert process("doctor", "--ascii", **quick).out.isascii()
    assert process("doctor", **{**quick, "LC_ALL": "C"}).out.isascii()


def test_patience_must_be_a_time(quick: dict[str, str]) -> None:
    called = process("doctor", "--patience", "0", **quick)
    assert called.status == 2
    assert "--patience" in called.err


def test_nothing_is_left_and_no_cure_is_run(imagined: Imagined) -> None:
    """Every program that a cure would call writes down that it was called."""
    log = imagined.folder / "called"
    for program in ("apt-get", "sudo", "pip", "docker", "mount", "uv", "mv", "reboot", "modprobe"):
        imagined.tool(program, f"echo {program} $* >>{log}")
    imagined.tool("nvidia-smi", f"echo nvidia-smi $* >>{log}\n" + smi())
    home = imagined.folder / "work"
    found = examine(imagined.machine, home)
    assert len(found.of("problem")) >= 3
    assert all(check.cure for check in found.of("problem") if check.name != "numba.cuda")
    assert {line.split()[0] for line in log.read_text().splitlines()} == {"nvidia-smi"}
    assert not home.exists()
    assert os.listdir(imagined.folder / "root") == []


def test_all_that_hangs_is_waited_for_together(imagined: Imagined, driver: Path) -> None:
    """A driver, numba and torch that never answer cost one patience, not three."""
    sleeps = "import time\ntime.sleep(60)\n"
    imagined.environ.update(LD_LIBRARY_PATH=str(driver), FAKE_DRIVER="hangs")
    imagined.package("numpy", "2.4.6", {"numpy/__init__.py": sleeps})
    imagined.package("torch", "2.11.0", {"torch/__init__.py": sleeps})
    started = time.monotonic()
    found = examine(imagined.impatient(3.0), imagined.folder / "work")
    assert time.monotonic() - started < 8
    assert found.facts.nvidia.hung and found.facts.numba.hung and found.facts.torch.hung
    assert not found.well


def test_the_callers_process_imports_nothing_it_asks_about(tmp_path: Path) -> None:
    code = ("import sys; from pathlib import Path; from gpulab.doctor.examination import examine; from "
            f"gpulab.doctor.machine import Machine; examine(Machine(patience=1), Path({str(tmp_path / 'work')!r})); "
            "print([name for name in ('numpy', 'numba', 'torch', 'triton', 'cuda', 'textual') if name in sys.modules])")
    ran = run([Machine().python, "-c", code], 60, os.environ)
    assert ran.out.strip() == "[]", ran


class TestAProgram:
    def test_that_leaves_a_child_with_its_pipes_is_not_waited_for(self) -> None:
        started = time.monotonic()
        ran = run(["sh", "-c", "echo said; sleep 30 &"], 20, os.environ)
        assert time.monotonic() - started < 5
        assert (ran.out, ran.status) == ("said\n", 0)

    def test_that_floods_is_cut(self) -> None:
        ran = run(["sh", "-c", "yes | head -c 5000000"], 20, os.environ)
        assert len(ran.out) == 1 << 20
        assert ran.well

    def test_that_is_not_there_is_told(self) -> None:
        assert run(["/no/such/program"], 5, os.environ) == Ran(err="No such file or directory", there=False)

    def test_whose_end_is_its_own_fault_tells_its_last_words(self, imagined: Imagined) -> None:
        broken = imagined.tool("python", "echo 'python: cannot run' >&2; exit 3")
        answer = ask(replace(imagined.machine, python=str(broken)), "cuda")
        assert answer.trouble == "it ended with status 3: python: cannot run"
        assert not answer.hung


def test_a_machine_with_everything_fails_nothing(imagined: Imagined, driver: Path) -> None:
    """A driver, a GPU and a torch that computes on it; Numba's real packages are not imagined here."""
    imagined.environ["LD_LIBRARY_PATH"] = str(driver)
    imagined.tool("nvidia-smi", smi())
    install(imagined)
    found = examine(imagined.machine, imagined.folder / "work")
    checks = [check for section in found.sections if section.title in ("GPU", "torch and Triton")
              for check in section.checks if check.name != "C compiler"]
    assert {check.state for check in checks} <= {"ok", "absent"}
    assert named(checks, "torch").sentence.endswith("computes on the GPU")
