"""At a real terminal (a pty): questions, colours, and what the check is doing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pexpect
import pytest

from gpulab.workspace import Workspace
from tests.cli.conftest import Gpulab, command
from tests.workspace.conftest import report_of

Terminal = Callable[..., "pexpect.spawn[str]"]


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    """`gpulab` at a terminal of 80 by 24."""
    opened: list[pexpect.spawn[str]] = []

    def spawn(*arguments: str, cwd: str | None = None, **environment: str) -> pexpect.spawn[str]:
        program, *rest = command(*arguments)
        opened.append(pexpect.spawn(program, rest, encoding="utf-8", timeout=60, dimensions=(24, 80), cwd=cwd,
                                    env={**os.environ, "TERM": "xterm-256color", **environment}))
        return opened[-1]

    yield spawn
    for child in opened:
        child.close(force=True)


def ended(child: pexpect.spawn[str]) -> tuple[int | None, str]:
    """Its status, and what it printed since the last match."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus, child.before or ""


def test_reset_asks_and_no_changes_nothing(terminal: Terminal, gpulab: Gpulab, work: Path) -> None:
    file = Path(gpulab("start", "guard").out.strip())
    file.write_text("mine = 1\n")
    child = terminal("reset", "guard")
    child.expect_exact("Put the starter of threads/guard back? Your file is kept as a backup. [y/N]: ")
    child.sendline("")
    status, said = ended(child)
    assert status == 1
    assert "Nothing was done." in said
    assert file.read_text() == "mine = 1\n"


def test_reset_asks_and_yes_keeps_a_backup(terminal: Terminal, gpulab: Gpulab, work: Path) -> None:
    file = Path(gpulab("start", "guard").out.strip())
    file.write_text("mine = 1\n")
    child = terminal("reset", "guard")
    child.expect_exact("[y/N]: ")
    child.sendline("y")
    assert ended(child)[0] == 0
    backup, = (work / "backups/threads").iterdir()
    assert backup.read_text() == "mine = 1\n"


def test_the_solution_is_shown_once_confirmed(terminal: Terminal) -> None:
    child = terminal("solution", "guard")
    child.expect_exact("threads/guard is not solved yet. Show the reference all the same? [y/N]: ")
    child.sendline("y")
    status, said = ended(child)
    assert status == 0
    assert "def add_ten(out, a, n):" in said


def test_an_export_at_a_terminal_goes_to_a_new_file(terminal: Terminal, gpulab: Gpulab, tmp_path: Path) -> None:
    gpulab("start", "guard")
    for number in ("", "-2"):
        child = terminal("export", cwd=str(tmp_path))
        status, said = ended(child)
        assert status == 0
        assert "Elsewhere: gpulab import gpulab-" in " ".join(said.split())
        assert len(list(tmp_path.glob(f"gpulab-????-??-??{number}.json"))) == 1


def test_ctrl_c_at_a_question_does_nothing(terminal: Terminal) -> None:
    child = terminal("solution", "guard")
    child.expect_exact("[y/N]: ")
    time.sleep(0.5)  # Python loses a ctrl-c that comes between its last look and its read
    child.sendintr()
    status, said = ended(child)
    assert status == 130
    assert "Traceback" not in said


def test_colours_are_the_terminals_own_and_no_color_has_none(terminal: Terminal, work: Path) -> None:
    Workspace.open(work).progress.record(report_of("shared/pooling"))
    coloured = ended(terminal("list"))[1] + ended(terminal("show", "pooling"))[1]
    assert "\x1b[1m" in coloured
    assert "\x1b[38;2" not in coloured, "true colour would vanish on a light background"
    plain = ended(terminal("list", NO_COLOR="1"))[1] + ended(terminal("show", "pooling", NO_COLOR="1"))[1]
    assert "\x1b[3" not in plain


def test_a_check_says_what_it_is_doing_and_clears_that_away(terminal: Terminal, gpulab: Gpulab) -> None:
    gpulab("start", "guard")
    child = terminal("check", "guard")
    child.expect(r"\r\x1b\[K(starting|[a-z]+)[^\r]*…")
    child.expect_exact("\r\x1b[K")
    status, said = ended(child)
    assert status == 1
    assert "NOT BEGUN" in said
    assert "…" not in said.rsplit("\r\x1b[K", 1)[-1]


def test_ctrl_c_during_a_check_ends_it(terminal: Terminal, gpulab: Gpulab) -> None:
    file = Path(gpulab("start", "guard").out.strip())
    file.write_text("while True:\n    pass\n")
    child = terminal("check", "guard")
    child.expect(r"\r\x1b\[K")
    child.sendintr()
    status, said = ended(child)
    assert status == 130
    assert "Traceback" not in said


def test_watch_goes_on_until_ctrl_c(terminal: Terminal, gpulab: Gpulab) -> None:
    file = Path(gpulab("start", "guard").out.strip())
    child = terminal("watch")
    child.expect_exact("Ctrl-c ends.")
    child.expect_exact("NOT BEGUN")
    file.write_text("def add_ten(:\n")
    child.expect_exact("DOES NOT COMPILE")
    child.sendintr()
    status, said = ended(child)
    assert status == 0
    assert "Traceback" not in said


def test_without_a_command_the_app_opens_and_q_leaves_it(terminal: Terminal) -> None:
    child = terminal()
    child.expect_exact("threads")  # a track, on Home
    time.sleep(1)
    child.send("q")
    assert ended(child)[0] == 0
