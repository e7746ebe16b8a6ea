"""Reports of checks that no judge could finish."""

from __future__ import annotations

from datetime import datetime

from gpulab.judge.report import Diagnosis, Report, Stars
from gpulab.runner.endings import signal_in_words
from gpulab.runner.jobs import Job
from gpulab.runner.messages import Broken, Ended

_TELL_US = (
    "This is a fault of gpulab, not of your code. Press r (or run the check again); if it comes back, please report it "
    "with your file and with what gpulab check ID --json prints."
)


def report(job: Job, verdict: str, message: str, detail: str = "", cure: str = "", traceback: str = "") -> Report:
    """A report with one diagnosis and no cases."""
    return Report(
        puzzle=job.puzzle.id,
        file=str(job.file.path),
        verdict=verdict,
        stars=Stars(),
        seed=job.seed,
        diagnosis=Diagnosis(verdict, message, detail, cure, traceback=traceback),
        source=job.file.source,
        when=datetime.now().astimezone().isoformat(timespec="seconds"),
    )


def only_interpreted(job: Job) -> Report:
    """A Triton puzzle, asked to be run on a GPU."""
    return report(job, "environment", "Triton puzzles do not run on a GPU yet.",
                  "Their kernels are interpreted here, value for value as on a GPU.",
                  "Leave --engine out, or give it sim.")


def unfit_machine(job: Job, broken: Broken) -> Report:
    """The zygote could not warm up."""
    return report(job, "environment", broken.message, "Checks cannot run here until that is mended.", broken.cure,
                  broken.traceback)


def failed_judge(job: Job, traceback: str) -> Report:
    """Our own code raised."""
    return report(job, "environment", f"The check itself failed: {traceback.strip().splitlines()[-1]}", "", _TELL_US,
                  traceback)


def dead_judge(job: Job, ended: Ended) -> Report:
    """The judge process ended without a report."""
    if ended.reason == "time":
        return report(job, "timed out", f"The whole check took more than {job.limits.job:g} s, so it was ended.",
                      "Every run kept its own limit, but there were too many slow ones.")
    how = signal_in_words(-ended.status) if ended.status < 0 else f"it left with exit status {ended.status}"
    return report(job, "environment", f"The process that judges your code died: {how}.", "", _TELL_US)


def dead_zygote(job: Job, status: int | None, last_words: str) -> Report:
    """The zygote ended while the job ran, or could not start."""
    how = "its connection broke"
    if status is not None:
        how = signal_in_words(-status) if status < 0 else f"it left with exit status {status}"
    return report(job, "environment", f"The worker process died: {how}.", "", _TELL_US, last_words)


def no_worker(job: Job, error: OSError) -> Report:
    """The operating system would not start the zygote."""
    return report(job, "environment", f"The worker process could not be started: {error}.",
                  cure="Free some memory or processes and try again.")


def no_file(job: Job, error: OSError) -> Report:
    """The learner's file cannot be read."""
    return report(job, "environment", f"{job.file.path} cannot be read: {error.strerror or error}.",
                  cure=f"gpulab start {job.puzzle.id} puts the starter there.")


def no_gpu(job: Job) -> Report:
    """Asked for the GPU where there is none."""
    return report(job, "environment", "This machine has no GPU that CUDA could use.",
                  cure="Leave --engine out: the simulator checks everywhere. gpulab doctor says what this machine has.")


def no_engine(job: Job, engine: str) -> Report:
    """Asked for an engine that this version does not have."""
    return report(job, "environment", f'There is no engine "{engine}" in this version: it checks in the simulator.',
                  cure="Leave --engine out, or type --engine sim.")
