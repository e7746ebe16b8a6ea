"""Two checks of one file, in the simulator and on a GPU, as one report; where they disagree, why."""

from __future__ import annotations

from dataclasses import replace

from gpulab.judge.report import Report, Stars
from gpulab.judge.wording import sentence
from gpulab.trace.model import Note

NO_VERDICT = ("unsupported", "environment")
"""Of the simulator: it says nothing against the file."""

LUCKY = {
    "race": "no thread came at the wrong moment",
    "out of bounds": "what lies beyond the array was memory that nobody missed",
    "uninitialised read": "what lay there happened to do no harm",
    "barrier divergence": "this GPU forgives it; others wait for ever, or go on without the rest",
}
"""Faults that a GPU may let pass, and why it did."""

SEEN_BY_THE_SIMULATOR = ("not allowed", "over budget", "does not compile", "unsupported", "input modified",
                         "timed out", "crashed", "raised")
"""Verdicts that a GPU has no opinion on, or that are a matter of time: no disagreement where it passes."""


def both(sim: Report, gpu: Report) -> Report:
    """One report: the verdict is the simulator's if it found a fault, else the GPU's; both stand in `engines`."""
    if sim.hunt is not None and sim.hunt.answer != "right":
        return sim  # until the bug is named, no engine says more than the other
    if gpu.verdict == "environment":
        return replace(sim, notes=[*sim.notes, _unusable(gpu)], seconds=_seconds(sim, gpu))
    engines = {**sim.engines, **gpu.engines}
    seconds = _seconds(sim, gpu)
    if sim.verdict in NO_VERDICT:
        notes = [*gpu.notes, *([_not_simulated(sim)] if sim.verdict == "unsupported" else [])]
        stars = Stars(correct=gpu.passed) if gpu.passed else gpu.stars
        return replace(gpu, engines=engines, notes=notes, stars=stars, seconds=seconds,
                       efficient_needed=sim.efficient_needed)
    told = explanation(sim, gpu)
    notes = [*([Note("gpu", told, _line(sim))] if told else []), *sim.notes]
    if not _found_right(sim) or gpu.passed:
        return replace(sim, engines=engines, notes=notes, seconds=seconds)
    return replace(sim, verdict=gpu.verdict, stars=replace(sim.stars, correct=False), diagnosis=gpu.diagnosis,
                   engines=engines, notes=notes, seconds=seconds)


def _found_right(sim: Report) -> bool:
    """Whether the simulator found the answer right and sound; what it costs is another question."""
    return sim.verdict in ("passed", "over budget")


def explanation(sim: Report, gpu: Report) -> str:
    """Why the two disagree; "" where they do not."""
    where = f" on line {_line(sim)}" if _line(sim) else ""
    if _found_right(sim):
        return "" if gpu.passed else _only_on_the_gpu(gpu)
    if gpu.passed and sim.verdict in LUCKY:
        return f"Passes on this GPU by luck: {sim.verdict}{where}; {LUCKY[sim.verdict]}."
    if gpu.passed and sim.verdict in SEEN_BY_THE_SIMULATOR:
        return ""
    if gpu.passed:
        return (f"Passes on this GPU, but is {sim.verdict} in the simulator{where}. If your code is right, the "
                "simulator is not: please report it.")
    if gpu.verdict != sim.verdict:
        return f"On this GPU it shows as: {gpu.verdict}."
    return ""


def _only_on_the_gpu(gpu: Report) -> str:
    larger = [case for result in gpu.engines.values() for case in result.cases if case.verdict not in ("passed",
                                                                                                    "not run")]
    if larger and all(case.tags == "larger" for case in larger):
        return f"Right in the simulator at its sizes; {gpu.verdict} on this GPU in a larger case."
    return f"Right in the simulator, but {gpu.verdict} on this GPU."


def _unusable(gpu: Report) -> Note:
    return Note("gpu", sentence(f"Judged in the simulator alone; the GPU was not used: {_reason(gpu)}"), 0)


def _reason(report: Report) -> str:
    """Why a machine was at fault."""
    if report.diagnosis is None:
        return "no reason is known"
    return report.diagnosis.message.removeprefix("The check itself failed: ")


def _not_simulated(sim: Report) -> Note:
    what = sim.diagnosis.message if sim.diagnosis else "The simulator cannot run it."
    return Note("gpu", f"Judged by the GPU alone: races and the like were not looked for. {what}", _line(sim))


def _line(report: Report) -> int:
    return (report.diagnosis.line if report.diagnosis else None) or 0


def _seconds(sim: Report, gpu: Report) -> dict[str, float]:
    return {**sim.seconds, **{f"gpu {stage}": seconds for stage, seconds in gpu.seconds.items() if stage != "total"}}


def timed(report: Report, timing: Report) -> Report:
    """A passed report, and what came of timing the file: its time, or that it is wrong at that size."""
    seconds = {**report.seconds, **{stage: took for stage, took in timing.seconds.items() if stage == "timing"}}
    if timing.passed:
        notes = [*report.notes, *timing.notes]
        return replace(report, timing=timing.timing, stars=replace(report.stars, fast=timing.stars.fast), notes=notes,
                       seconds=seconds)
    if timing.verdict == "environment":
        note = Note("timing", sentence(f"Not timed: {_reason(timing)}"), 0)
        return replace(report, notes=[*report.notes, note], seconds=seconds)
    on_gpu = report.engines.get("gpu") or timing.engines["gpu"]
    engines = {**report.engines, "gpu": replace(on_gpu, verdict=timing.verdict)}
    return replace(report, verdict=timing.verdict, stars=replace(report.stars, correct=False), engines=engines,
                   diagnosis=timing.diagnosis, seconds=seconds)


DOCTOR = "gpulab doctor says what is amiss. Leave --engine out, and the simulator checks."

GPU_ALONE = ("Only the GPU ran this: races and reads out of bounds that do no harm were not looked for. Leave --engine "
             "out for the whole check.")


def alone(gpu: Report) -> Report:
    """A check on the GPU alone: what passes is right there, and nobody has asked whether it is sound."""
    if gpu.verdict == "environment" and gpu.diagnosis is not None:
        said = f"The GPU could not be used: {_reason(gpu)}"
        return replace(gpu, diagnosis=replace(gpu.diagnosis, message=sentence(said), next=DOCTOR))
    if not gpu.passed:
        return gpu
    return replace(gpu, stars=Stars(), notes=[*gpu.notes, Note("gpu", GPU_ALONE, 0)])
