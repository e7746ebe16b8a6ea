"""The app over the real catalogue, workspace and simulator: nothing stands in for anything."""

from __future__ import annotations

import pytest

from gpulab import catalog
from gpulab.tui.app import LabApp
from gpulab.tui.messages import CheckEnded, CheckMoved
from gpulab.tui.screens.lab import LabScreen
from gpulab.tui.terminal import Terminal
from gpulab.workspace import Workspace
from tests.tui.conftest import lab, screen_text, until

pytestmark = pytest.mark.slow


@pytest.fixture
def real(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    found = catalog.load()
    return Workspace.open(tmp_path / "gpulab-work", found), found


async def test_a_real_kernel_fails_with_its_lines_passes_and_is_resumed(real):
    workspace, found = real
    pooling = catalog.find(found, "shared/pooling")
    seen: list[CheckEnded] = []

    def hear(message: object) -> None:
        if isinstance(message, CheckEnded):
            seen.append(message)

    app = LabApp(workspace, found, terminal=Terminal(), puzzle=pooling, theme="gpulab-dark")
    async with app.run_test(size=(80, 24), message_hook=hear) as pilot:
        file = workspace.file_for(pooling)
        await until(pilot, file.exists)
        file.write_text((pooling.folder / "wrong" / "missing_barrier.py").read_text("utf-8"), "utf-8")
        await until(pilot, lambda: len(seen) == 1, 60)
        await pilot.pause()
        rows = screen_text(pilot)
        assert rows[2].startswith("▌ RACE   Thread ") and "tile[" in rows[2]
        assert sum(" thread " in row and ("◀" in row or "▲" in row) for row in rows) == 2
        file.write_text(pooling.reference.read_text("utf-8"), "utf-8")
        await until(pilot, lambda: len(seen) == 2, 60)
        await until(pilot, lambda: lab(pilot).state.of_reference is not None, 60)
        await pilot.pause()
        text = "\n".join(screen_text(pilot))
        assert "▌ SOLVED" in text and "the reference is the same, line for line" in text
        await pilot.press("n")
        await pilot.pause()
        assert lab(pilot).state.puzzle.id == "shared/dot"
    again = LabApp(workspace, found, terminal=Terminal(), puzzle=pooling, theme="gpulab-dark")
    async with again.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: isinstance(pilot.app.screen, LabScreen))
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ SOLVED")


async def test_a_race_is_still_there_after_a_restart(real):
    workspace, found = real
    pooling = catalog.find(found, "shared/pooling")
    from gpulab.check import check

    file = workspace.start(pooling)
    file.write_text((pooling.folder / "wrong" / "missing_barrier.py").read_text("utf-8"), "utf-8")
    workspace.progress.record(check(pooling, file))
    app = LabApp(workspace, found, terminal=Terminal(), puzzle=pooling, theme="gpulab-dark")
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ RACE")


async def test_a_bug_hunt_keeps_its_bug_until_it_is_named(real):
    workspace, found = real
    hunted = catalog.find(found, "bughunt/missing-barrier")
    seen: list[CheckEnded] = []
    verdicts: set[str] = set()

    def hear(message: object) -> None:
        if isinstance(message, CheckEnded):
            seen.append(message)
        if isinstance(message, CheckMoved):
            verdicts.add(message.progress.verdict)

    app = LabApp(workspace, found, terminal=Terminal(), puzzle=hunted, theme="gpulab-dark")
    async with app.run_test(size=(80, 24), message_hook=hear) as pilot:
        file = workspace.file_for(hunted)
        await until(pilot, file.exists)
        await pilot.pause()
        assert any(row.startswith(" 15 │             tile[t] = max(") for row in screen_text(pilot))
        await pilot.press("r")
        await until(pilot, lambda: len(seen) == 1, 60)
        await pilot.pause()
        rows = screen_text(pilot)
        assert rows[2].startswith("▌ WRONG ANSWER   The code does not pass yet; ANSWER is not set.")
        assert not any(clue in "\n".join(rows[2:]) for clue in ("RACE", "thread", "tile[", "sound"))
        assert verdicts == {""}
        file.write_text(file.read_text("utf-8") + '\nANSWER = (12, "race")\n', "utf-8")
        await until(pilot, lambda: len(seen) == 2, 60)
        await pilot.pause()
        rows = screen_text(pilot)
        assert rows[2].startswith("▌ RACE   Thread 0 reads tile[64]")
        assert any("ANSWER is right." in row for row in rows)
        file.write_text(hunted.reference.read_text("utf-8"), "utf-8")
        await until(pilot, lambda: len(seen) == 3, 60)
        await pilot.pause()
        assert screen_text(pilot)[2].startswith("▌ SOLVED")
