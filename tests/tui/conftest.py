"""An app on a stage, with the clock stopped and the home folder elsewhere, so that screens are the same everywhere."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from textual.message import Message
from textual.pilot import Pilot

from gpulab.catalog.model import Catalog, Puzzle
from gpulab.tui import clock
from gpulab.tui.app import LabApp
from gpulab.tui.screens.lab import LabScreen
from gpulab.tui.terminal import Terminal
from gpulab.tui.widgets.rows import RowsView
from gpulab.workspace import Workspace
from tests.tui.drawings import PlayedDraw
from tests.tui.stage import PlayedCheck, PlayedTimer, build, played

NOON = datetime(2026, 11, 30, 14, 2, 31)


@dataclass
class Stage:
    """Everything a test needs of the app."""

    workspace: Workspace
    catalog: Catalog
    check: PlayedCheck = field(default_factory=PlayedCheck)
    draw: PlayedDraw = field(default_factory=PlayedDraw)
    messages: list[Message] = field(default_factory=list)
    timer: PlayedTimer = field(default_factory=PlayedTimer)
    gpu: bool = False

    def puzzle(self, id: str) -> Puzzle:
        return next(puzzle for puzzle in self.catalog.puzzles if puzzle.id == id)

    def app(self, **options: Any) -> LabApp:
        options.setdefault("theme", "gpulab-dark")
        options.setdefault("terminal", Terminal())
        if isinstance(options.get("puzzle"), str):
            options["puzzle"] = self.puzzle(options["puzzle"])
        options.setdefault("timer", self.timer.timer(gpu=self.gpu))
        return LabApp(self.workspace, self.catalog, check=self.check, draw=self.draw, **options)

    def write(self, id: str, name: str, *, after: float = 0.0, draws: str = "") -> Path:
        """The learner saves a file that plays a report, and where it says so another drawing."""
        file = self.workspace.file_for(self.puzzle(id))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(played(name, after=after) + (f"# draws: {draws}\n" if draws else ""), "utf-8")
        os.utime(file, (NOON.timestamp(), NOON.timestamp()))
        return file

    def checked(self, id: str, name: str, *, draws: str = "") -> None:
        """A file was saved and checked in an earlier session."""
        file = self.write(id, name, draws=draws)
        report = self.check(self.puzzle(id), file)
        self.workspace.progress.record(report)

    @asynccontextmanager
    async def open(self, size: tuple[int, int] = (80, 24), **options: Any):
        """The app under a Pilot; every message is kept."""
        app = self.app(**options)
        async with app.run_test(size=size, message_hook=self.messages.append) as pilot:
            await pilot.pause()
            yield pilot

    def said(self, kind: type[Message]) -> list[Message]:
        """The messages of one kind, in order."""
        return [message for message in self.messages if isinstance(message, kind)]


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    for name in ("NO_COLOR", "TMUX", "ZELLIJ", "VISUAL", "EDITOR", "GPULAB_THEME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setattr(clock, "now", lambda: NOON)
    monkeypatch.setattr(Workspace, "problems", property(lambda self: []))
    yield Stage(*build(tmp_path))


def screen_text(pilot: Pilot[Any]) -> list[str]:
    """The rows of the screen as text."""
    rows: list[str] = []
    for view in pilot.app.screen.query(RowsView):
        rows += [view.render_line(y).text for y in range(view.size.height)]
    return rows


def lab(pilot: Pilot[Any]) -> LabScreen:
    """The Lab, which must be what is shown."""
    assert isinstance(pilot.app.screen, LabScreen), pilot.app.screen
    return pilot.app.screen


async def until(pilot: Pilot[Any], holds: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait until something holds, or fail."""
    import asyncio
    import time

    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "\n".join(screen_text(pilot))
        await asyncio.sleep(0.02)
        await pilot.pause()
