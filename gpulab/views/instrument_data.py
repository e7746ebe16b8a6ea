"""The views' figures as plain data, for `gpulab view --json`."""

from __future__ import annotations

from typing import Any

from gpulab.trace.intervals import Interval
from gpulab.trace.traffic import bank_use, padded, traffic
from gpulab.views import steps
from gpulab.views.scene import Scene
from gpulab.views.time import time_of


def data(what: str, scene: Scene) -> dict[str, Any]:
    """`what`, the launch's shape, and the figures that the view draws."""
    run = scene.run
    shown: dict[str, Any] = {"what": what, "kernel": run.kernel, "blocks": run.blocks, "threads": run.threads,
                             "arrays": scene.picture.arrays, "findings": run.findings}
    if what == "source":
        return shown | {"totals": run.counters.totals,
                        "lines": {str(line): counts for line, counts in run.counters.lines.items()}}
    if what == "barriers":
        return shown | _barriers(scene)
    return shown | _step(scene)


def _step(scene: Scene) -> dict[str, Any]:
    step, warp, array = scene.step, scene.warp, scene.array
    shown: dict[str, Any] = {
             "block": warp.block, "warp": warp.number, "step": scene.position.step + 1, "of": len(warp.steps),
             "thread": None if scene.position.lane is None else scene.first_thread + scene.position.lane,
             "says": f"{steps.whose(scene)}: {steps.what(scene)}", "costs": steps.cost(scene),
             "line": step.line, "kind": step.kind, "array": array.name,
             "indices": [None if cell is None else array.index(cell) for cell in step.cells],
             "values": list(step.values), "variables": dict(step.variables), "outside": step.outside}
    if array.space == "global" and step.lanes:
        moves = traffic(step, array)
        shown["sectors"] = {"touched": moves.sectors, "asked_bytes": moves.asked, "moved_bytes": moves.moved,
                            "used_percent": round(moves.used, 2), "best": moves.best}
    if array.space == "shared" and step.lanes:
        use = bank_use(step, array)
        wider = padded(step, array)
        shown["banks"] = {"lanes": use.per_bank, "wavefronts": use.wavefronts, "best": use.least,
                          "waves": use.waves, "padded": bank_use(*wider).wavefronts if wider else None}
    return shown


def _barriers(scene: Scene) -> dict[str, Any]:
    time = time_of(scene)
    return {"block": scene.warp.block, "array": time.shape.name, "interval": time.chosen + 1,
            "intervals": [_interval(found) for found in time.intervals]}


def _interval(found: Interval) -> dict[str, Any]:
    return {"lines": found.lines, "variables": dict(found.variables), "threads": len(found.threads),
            "written": sorted(found.written), "read": sorted(found.read),
            "contents": {str(cell): value for cell, value in sorted(found.contents.items())},
            "arrows": [{"from": arrow.source, "to": arrow.target, "thread": arrow.thread} for arrow in found.arrows],
            "barrier": found.barrier}
