"""What went wrong in one case, in a sentence: from what its own run showed, without running it again."""

from __future__ import annotations

import numpy as np

from gpulab.judge import races, sentences, stopped
from gpulab.judge.faults import Fault
from gpulab.judge.source import Source
from gpulab.judge.trial import Trial
from gpulab.judge.wording import Naming, plain, sentence


def told(trial: Trial, source: Source) -> str:
    """The first thing wrong with this case; "" where nothing is. The report's diagnosis tells more, of one case."""
    fault = trial.faults.first
    if fault is None:
        return ""
    if fault.problem is not None:
        return stopped.problem(fault.problem, source).message
    if fault.finding is not None:
        run = fault.run
        naming = Naming(run.blocks, run.threads) if run is not None else Naming()
        return races.message(fault.finding, naming) if fault.kind == "race" else sentence(fault.finding.message)
    if fault.words is not None:
        return fault.words[0]
    return _of_array(trial, fault)


def _of_array(trial: Trial, fault: Fault) -> str:
    name, index = fault.array or "", fault.index
    if index is None or (fault.kind != "input modified" and name not in trial.got):
        return sentences.stray_write(name)[0]
    if fault.kind == "input modified":
        before, now = trial.sent[name].view()[index], trial.run.arrays[name].view()[index]
        return sentences.changed_input(name, index, plain(before), plain(now), "")[0]
    got = trial.got[name][index]
    if fault.kind == "not written":
        return sentences.unwritten(name, index, bool(trial.unwritten[name].all()))
    if fault.kind == "race" and name in trial.shuffled:
        return sentences.depends_on_order(name, index, plain(got), plain(trial.shuffled[name][index]))[0]
    if fault.kind == "uninitialised read":
        return sentences.stale_output(name, index, None)[0]
    return sentences.wrong(name, index, plain(np.asarray(trial.expected[name])[index]), plain(got))
