"""Draw every screen of the app as SVG into `docs/screens`: the real app, over real puzzles, checked by the simulator.
And list its keys in `docs/keys.md`.

    ./lab pictures            all of them
    ./lab pictures timing     one

Times need a GPU. The picture of Timing is drawn from the figures that docs/gpu.md has of an NVIDIA H200.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import os
import re
import sys
import tempfile
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
FOLDER = ROOT / "docs" / "screens"
NOW = datetime(2026, 11, 30, 14, 9, 12)
SEED = 71
WIDE = ("home", "result", "memory", "timing", "solved")
"""Drawn at 120x40 too."""


class Stage:
    """A learner in the middle of `shared`: what is solved is the reference, checked for real."""

    def __init__(self, home: Path) -> None:
        from gpulab import catalog
        from gpulab.workspace import Workspace

        self.catalog = catalog.load()
        self.workspace = Workspace.open(home / "gpulab-work", self.catalog)
        self.days = 20

    def puzzle(self, id: str) -> Any:
        return next(puzzle for puzzle in self.catalog.puzzles if puzzle.id == id)

    def check(self, puzzle: Any, file: Path, **options: Any) -> Any:
        """As the app checks, with numbers that are the same each time, on the day that is on stage."""
        from gpulab.check import check

        return replace(check(puzzle, file, seed=SEED, engine="sim", **options), when=f"{NOW.astimezone().isoformat()}")

    def write(self, id: str, source: Path) -> Path:
        """The learner's file holds what `source` holds."""
        file = self.workspace.start(self.puzzle(id))
        file.write_text(_without_verdict(source.read_text("utf-8")), "utf-8")
        os.utime(file, (NOW.timestamp(), NOW.timestamp()))
        return file

    def solve(self, *ids: str) -> None:
        """Check the reference as if it were the learner's, a day after the one before."""
        for id in ids:
            puzzle = self.puzzle(id)
            report = self.check(puzzle, self.write(id, puzzle.reference))
            self.days -= 1
            when = (NOW - timedelta(days=self.days)).astimezone().isoformat()
            self.workspace.progress.record(replace(report, when=when))

    def app(self, id: str | None, **options: Any) -> Any:
        from gpulab.tui.app import LabApp
        from gpulab.tui.terminal import Terminal

        puzzle = self.puzzle(id) if id else None
        return LabApp(self.workspace, self.catalog, terminal=Terminal(), puzzle=puzzle, check=self.check,
                      theme="gpulab-dark", **options)


def _without_verdict(source: str) -> str:
    """A wrong solution without the line that names its verdict."""
    return source.split("\n", 1)[1].lstrip("\n") if source.startswith("# verdict:") else source


def tight(svg: str) -> str:
    """Each piece of text from its first character to its last: some programs drop the blanks around it."""
    def cut(found: re.Match[str]) -> str:
        before, x, between, length, after, text = found.groups()
        bare = text
        while bare.endswith(BLANK):
            bare = bare[:-len(BLANK)]
        start = 0
        while bare.startswith(BLANK, start):
            start += len(BLANK)
        if not bare[start:]:
            return ""
        shown = len(html.unescape(text))
        cell = float(length) / shown
        lead, kept = start // len(BLANK), len(html.unescape(bare[start:]))
        return (f'<text{before} x="{float(x) + lead * cell:.1f}"{between} textLength="{kept * cell:.1f}"{after}>'
                f"{bare[start:]}</text>")

    return re.sub(r'<text([^>]*?) x="([\d.]+)"([^>]*?) textLength="([\d.]+)"([^>]*)>([^<]*)</text>', cut, svg)


BLANK = "&#160;"


async def draw(stage: Stage, name: str, id: str | None, keys: list[str], size: tuple[int, int],
               ready: Callable[[Any], bool] | None = None, **options: Any) -> None:
    """Open the app, press keys, and draw what is seen once it is `ready`."""
    app = stage.app(id, **options)
    async with app.run_test(size=size) as pilot:
        await pilot.pause(0.3)
        for key in ("", *keys):  # a file that was never checked is checked when it is opened
            if key:
                await pilot.press(key)
            await pilot.pause(0.3)
            await until(pilot, settled)
        await until(pilot, ready or settled)
        await pilot.pause(0.3)
        columns = f"-{size[0]}x{size[1]}" if size != (80, 24) else ""
        path = FOLDER / f"{name}{columns}.svg"
        path.write_text(tight(app.export_screenshot(title=f"gpulab: {name}")), "utf-8")
        print(path.relative_to(ROOT))


async def until(pilot: Any, holds: Callable[[Any], bool], seconds: float = 40.0) -> None:
    """Wait until the app is as it should be; draw it as it is if that takes too long."""
    for _ in range(int(seconds / 0.1)):
        if holds(pilot.app):
            return
        await pilot.pause(0.1)


def settled(app: Any) -> bool:
    """Whether no check goes on, and what is counted of the reference is there."""
    state, checks = getattr(app.screen, "state", None), getattr(app.screen, "checks", None)
    drawings = getattr(app.screen, "drawings", None)
    if drawings is not None and drawings.running is not None:
        return False
    return checks is None or (checks.running is None and not (state is not None and state.counting_reference))


def measured() -> dict[str, dict[str, Any]]:
    """Times of references on an NVIDIA H200, as docs/gpu.md has them, held against the card as every time is."""
    from gpulab.judge.report import Report, Stars
    from gpulab.timing.cards import Card
    from gpulab.timing.worth import complete

    card = Card("GPU", "580.159.04", "NVIDIA H200", copy=4.19e12, matmul=50.7e12)
    device = {"name": card.name, "uuid": card.uuid, "capability": (9, 0), "memory": 0, "free": 0,
              "multiprocessors": 132, "l2": 0, "clock": 0, "memory_clock": 0, "memory_bus": 0, "cuda": (13, 0),
              "driver": card.driver}
    found = {}
    for name, ms, spread, copy, runs in (("naive", 13.345, .002, .017, 55), ("coalesced", 13.486, .002, .017, 55),
                                         ("tiled", 17.358, .007, .052, 60), ("register-tile", 4.135, .003, .051, 100)):
        side = 2048 if name in ("naive", "coalesced") else 4096
        timing = {
            "yours_ms": ms, "low_ms": ms, "high_ms": ms, "runs": runs, "spread": spread, "baselines": {"copy": copy},
            "baseline_spreads": {}, "limit": "float32", "limit_ms": None, "percent_of_limit": None, "fast_asked": None,
            "sizes": {"m": side, "n": side, "k": side}, "elements": side**2, "bytes": 12 * side**2,
            "flops": 2 * side**3, "bytes_per_second": None, "flops_per_second": 2 * side**3 / ms * 1000,
            "warm_runs": 0, "input_sets": 3, "flushed_bytes": 0, "host_ms": 0.0, "device": device, "card": None,
            "resources": None, "flags": [], "rejected": "",
        }
        report = complete(Report(f"matmul/{name}", "", "passed", Stars(True), SEED, timing=timing), card)
        found[f"matmul/{name}"] = dict(report.timing or {})
    found["matmul/tiled"] |= {"fast_asked": 0.12, "fast": True, "reference": dict(found["matmul/tiled"])}
    return found


def with_times(stage: Stage) -> str:
    """Record them as the learner's; the puzzle whose Timing is drawn."""
    from gpulab.timing.worth import device_of

    found = measured()
    for id, timing in sorted(found.items(), key=lambda item: item[0] == "matmul/tiled"):
        puzzle = stage.puzzle(id)
        report = stage.check(puzzle, stage.write(id, puzzle.reference))
        on_gpu = replace(report.engines["sim"], counters={}, budget=[], device=device_of(timing))
        stage.workspace.progress.record(replace(report, timing=timing, stars=replace(report.stars, fast=True),
                                                engines={**report.engines, "gpu": on_gpu}))
    return "matmul/tiled"


def examine(home: Path, waiting: Callable[[tuple[str, ...]], object]) -> Any:
    """This machine, but for what is another on each."""
    from gpulab.doctor.examination import examine
    from gpulab.doctor.machine import Machine

    found = examine(Machine(environ={**os.environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"}), home, waiting)
    return replace(found, sections=tuple(section for section in found.sections if section.title != "workspace"))


def pictures(stage: Stage) -> dict[str, Callable[[tuple[int, int]], Awaitable[None]]]:
    """Each screen by name."""
    from gpulab.tui.keymap import TABS

    pooling, wrong = "shared/pooling", stage.puzzle("shared/pooling").folder / "wrong"

    def shows(name: str, *keys: str, file: Path | None = None, id: str | None = pooling,
              ready: Callable[[Any], bool] = settled, **options: Any) -> Callable[[tuple[int, int]], Awaitable[None]]:
        async def work(size: tuple[int, int]) -> None:
            if file is not None and id is not None:
                stage.write(id, file)
            await draw(stage, name, id, list(keys), size, ready, **options)

        return work

    tab = {name: str(number) for number, name in enumerate(TABS, start=1)}
    reference = stage.puzzle(pooling).reference

    async def timing(size: tuple[int, int]) -> None:
        from gpulab.tui.timing import Timer

        played = Timer(lambda *_, **__: None, lambda *_: None, True)  # type: ignore[arg-type,return-value]
        id = with_times(stage) if not stage.workspace.progress.timings("matmul/tiled") else "matmul/tiled"
        await draw(stage, "timing", id, [tab["timing"]], size, settled, timer=played)

    found = {
        "home": shows("home", id=None),
        "brief": shows("brief", file=stage.puzzle(pooling).starter),
        "result": shows("result", file=wrong / "missing_barrier.py"),
        "wrong-answer": shows("wrong-answer", file=wrong / "halo_always_zero.py"),
        "code": shows("code", tab["code"], file=wrong / "missing_barrier.py"),
        "hints": shows("hints", "h", "h", file=wrong / "missing_barrier.py"),
        "doctor": shows("doctor", "d", id=None, examine=examine,
                        ready=lambda app: getattr(app.screen, "found", None) is not None),
        "help": shows("help", "question_mark", id=None),
        "whole-track": shows("whole-track", "c", id=None,
                             ready=lambda app: getattr(app.screen, "_current", None) is None),
        "solved": shows("solved", file=reference),
        "not-measured": shows("not-measured", tab["timing"], file=reference,
                              ready=lambda app: app.screen.state.timing is not None
                              and not app.screen.state.timing.asking),
        "timing": timing,
    }
    conflicts = stage.puzzle("memory/bank-conflicts")
    found["memory"] = shows("memory", tab["memory"], "b", id=conflicts.id, file=conflicts.folder / "wrong/as_it_was.py",
                            ready=lambda app: settled(app) and app.screen.drawings.running is None)
    return found


def write_keys() -> None:
    """`docs/keys.md`: every key by its id."""
    from gpulab.tui.own_keys import documented

    (ROOT / "docs" / "keys.md").write_text(documented(), "utf-8")
    print("docs/keys.md")


async def main(names: list[str]) -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"HOME": folder, "XDG_CONFIG_HOME": f"{folder}/config", "XDG_STATE_HOME": f"{folder}/state"}
        for name in ("NO_COLOR", "TMUX", "ZELLIJ", "GPULAB_THEME", "GPULAB_HOME", "VISUAL", "EDITOR"):
            os.environ.pop(name, None)
        from gpulab.tui import clock
        from gpulab.workspace import Workspace

        clock.now = lambda: NOW
        Workspace.problems = property(lambda self: [])  # type: ignore[method-assign,assignment]
        stage = Stage(Path(folder))
        stage.solve(*(f"threads/{name}" for name in ("map", "zip", "guard", "map-2d", "broadcast", "blocks")),
                    "shared/stage")
        if not names or "keys" in names:
            write_keys()
        for name, picture in pictures(stage).items():
            if names and name not in names:
                continue
            await picture((80, 24))
            if name in WIDE:
                await picture((120, 40))
    from gpulab.runner import stop

    stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="./lab pictures", description=__doc__)
    parser.add_argument("names", nargs="*", help="which (none: all)")
    asyncio.run(main(parser.parse_args().names))
