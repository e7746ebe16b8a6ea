"""What zygote and judge tell the caller of a check, decoded by type."""

from __future__ import annotations

from typing import Any

import msgspec

from gpulab.judge.drawing import Drawing
from gpulab.judge.report import Report

RELEASE = b"."
"""Caller to zygote, on the status line, when it has its report: the job may end by itself."""


class Stage(msgspec.Struct, tag="stage", frozen=True):
    """Judge to caller: what the check is doing now."""

    stage: str
    done: int = 0
    of: int = 0
    verdict: str = ""


class Finished(msgspec.Struct, tag="finished", frozen=True):
    """Judge to caller: the report."""

    report: Report


class Drawn(msgspec.Struct, tag="drawn", frozen=True):
    """Judge to caller: the report on one case, and the picture of it."""

    drawing: Drawing


class Failed(msgspec.Struct, tag="failed", frozen=True):
    """Judge to caller: our own code raised."""

    traceback: str


class Forked(msgspec.Struct, tag="forked", frozen=True):
    """Zygote to caller: the job runs."""

    pid: int


class Ended(msgspec.Struct, tag="ended", frozen=True):
    """Zygote to caller: the judge process is gone and so is all that it started.

    `reason` is "" when it ended by itself, else "time". `status` is its exit status, or minus the signal's number.
    """

    status: int
    reason: str = ""


class Broken(msgspec.Struct, tag="broken", frozen=True):
    """Zygote to caller: this machine cannot run such a job. `cure` says what to do."""

    message: str
    cure: str
    traceback: str


FromJudge = Stage | Finished | Drawn | Failed
FromZygote = Forked | Ended | Broken

read_from_judge = msgspec.msgpack.Decoder(FromJudge).decode
"""Each of these raises `msgspec.ValidationError` or `msgspec.DecodeError` for anything else."""
read_from_zygote = msgspec.msgpack.Decoder(FromZygote).decode


def plain(value: Any) -> object:
    """A NumPy scalar as Python's, for msgspec."""
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return value.item()
    raise TypeError(f"{type(value).__name__} cannot cross to another process")


_encoder = msgspec.msgpack.Encoder(enc_hook=plain)


def encode(message: FromJudge | FromZygote) -> bytes:
    """The message as msgpack; NumPy scalars in it become Python's."""
    return _encoder.encode(message)
