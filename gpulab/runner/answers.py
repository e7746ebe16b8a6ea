"""What the judge asks a learner's process for, and what that may answer.

Answers come from a process that runs a learner's code, so they are decoded by type, never
unpickled: a pickle can name any function to call. Requests go the safe way.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec

from gpulab.engines.simt.host.session import LaunchSite, Tampering, Transfer
from gpulab.judge.session import Answered, Function, Problem
from gpulab.runner.messages import plain
from gpulab.timing.model import Measured, Plan
from gpulab.trace.counters import Counting
from gpulab.trace.device import Device
from gpulab.trace.model import Note, Run
from gpulab.trace.values import Element

if TYPE_CHECKING:
    from gpulab.catalog.spec import Launch


@dataclass(frozen=True)
class LoadRequest:
    """Import the file."""

    number: int


@dataclass(frozen=True)
class Options:
    """How a run is simulated: the keywords of `gpulab.simulate`."""

    findings: bool = True
    counters: Counting = True
    values: bool | Collection[Element] = False
    order: int | None = None
    time_limit: float | None = None
    picture: bool = False


@dataclass
class HostRecord:
    """`gpulab.judge.session.HostRecord` with types that can be decoded; for a kernel it holds one run and no more."""

    runs: list[Run] = field(default_factory=list)
    sites: list[LaunchSite] = field(default_factory=list)
    transfers: list[Transfer] = field(default_factory=list)
    tampered: list[Tampering] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)


@dataclass(frozen=True)
class RunRequest:
    """Call `function`: with a `launch` as a kernel, without on the host.

    `arguments` holds a scalar or, for an array, the `Layout` of its memory; their bytes follow end to end.
    """

    number: int
    function: str
    arguments: dict[str, Any]
    launch: Launch | None
    options: Options
    plan: Plan | None = None
    """With one, the run is timed (engines with a `time` only)."""


@dataclass(frozen=True)
class Layout:
    """A `Placed` without its memory, which is `size` bytes."""

    size: int
    shape: tuple[int, ...]
    dtype: Any
    strides: tuple[int, ...]
    offset: int


class LoadAnswer(msgspec.Struct, tag="loaded", frozen=True):
    """The file is imported, or what stopped it."""

    token: bytes
    number: int
    functions: dict[str, Function]
    problem: Problem | None
    seconds: float
    answer: Answered | None = None
    device: Device | None = None
    """The GPU, of an engine that has one."""


class RunAnswer(msgspec.Struct, tag="ran", frozen=True):
    """One run is over.

    `changed` names each array argument whose memory differs from what was sent; their bytes follow
    end to end, in this order.
    """

    token: bytes
    number: int
    changed: list[str] = []
    record: HostRecord = msgspec.field(default_factory=HostRecord)
    problem: Problem | None = None
    seconds: float = 0.0
    measured: Measured | None = None


class Aside(msgspec.Struct, tag="aside", frozen=True):
    """Sent at any time: a forbidden act, or our own failure. Whatever is answered later, this stands."""

    token: bytes
    problem: Problem


Answer = LoadAnswer | RunAnswer | Aside

_encoder = msgspec.msgpack.Encoder(enc_hook=plain)
_decoder = msgspec.msgpack.Decoder(Answer)


def encode_answer(answer: Answer) -> bytes:
    """The answer as msgpack; NumPy scalars in it become Python's."""
    return _encoder.encode(answer)


def decode_answer(body: bytes) -> Answer:
    """Raises `msgspec.MsgspecError` for anything that is no answer."""
    return _decoder.decode(body)
