"""What workers tell the screens. Workers never touch a widget."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from textual.message import Message

if TYPE_CHECKING:
    from gpulab.check import Progress
    from gpulab.doctor.model import Examination
    from gpulab.judge.drawing import Drawing
    from gpulab.judge.report import Report


@dataclass
class FileSaved(Message, bubble=False):
    """The learner's file has new content, seen at `when`."""

    when: datetime


@dataclass
class FileGone(Message, bubble=False):
    """The learner's file is not there any more."""


@dataclass
class CheckStarted(Message, bubble=False):
    """A check has begun; `number` counts them, so that what an older one says can be told apart."""

    number: int


@dataclass
class CheckMoved(Message, bubble=False):
    """The check has come to another stage."""

    number: int
    progress: Progress

    def can_replace(self, message: Message) -> bool:
        """Only the newest stage matters."""
        return isinstance(message, CheckMoved)


@dataclass
class CheckEnded(Message, bubble=False):
    """The check is over."""

    number: int
    report: Report


@dataclass
class CheckCancelled(Message, bubble=False):
    """The check was given up."""

    number: int


@dataclass
class ReferenceChecked(Message, bubble=False):
    """The reference solution's own report, for the figures beside the learner's."""

    puzzle: str
    report: Report


@dataclass
class DrawStarted(Message, bubble=False):
    """A drawing has begun."""

    number: int


@dataclass
class DrawMoved(Message, bubble=False):
    """The drawing has come to another stage."""

    number: int
    progress: Progress

    def can_replace(self, message: Message) -> bool:
        """Only the newest stage matters."""
        return isinstance(message, DrawMoved)


@dataclass
class DrawEnded(Message, bubble=False):
    """The drawing is there, or says why there is none."""

    number: int
    drawing: Drawing


@dataclass
class DrawCancelled(Message, bubble=False):
    """The drawing was given up."""

    number: int


@dataclass
class TimingPlanned(Message, bubble=False):
    """What a timing would measure, and what the compiler tells of the kernel: a report's `timing`."""

    source: str
    report: Report


@dataclass
class DoctorMoved(Message, bubble=False):
    """The doctor has seen something; `left` names what is still being looked at."""

    number: int
    left: tuple[str, ...]

    def can_replace(self, message: Message) -> bool:
        """Only the newest matters."""
        return isinstance(message, DoctorMoved)


@dataclass
class DoctorEnded(Message, bubble=False):
    """All was looked at."""

    number: int
    found: Examination
