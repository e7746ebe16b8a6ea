"""A `Report` as JSON and back, and as it is kept: JSON, compressed."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gpulab.judge.report import Report


def to_json(report: Report) -> bytes:
    """The report as one line of JSON, keys as in `gpulab.judge.report`."""
    import msgspec

    return msgspec.json.encode(report)


def from_json(text: bytes) -> Report | None:
    """The report, or None if another version of gpulab wrote one that this one cannot read."""
    import msgspec

    from gpulab.judge.report import Report

    try:
        return msgspec.json.decode(text, type=Report)
    except msgspec.DecodeError:
        return None


def packed(report: Report) -> bytes:
    """For the database; a report of 10 KB becomes about 2."""
    return zlib.compress(to_json(report))


def unpacked(data: bytes) -> bytes | None:
    """The JSON in `data`, or None if it is damaged."""
    try:
        return zlib.decompress(data)
    except zlib.error:
        return None


def timing_in(data: bytes) -> dict[str, Any] | None:
    """`Report.timing` of a report as it is kept, the rest left unread; None where there is none."""
    import msgspec

    text = unpacked(data)
    try:
        kept = msgspec.json.decode(text, type=dict[str, msgspec.Raw]) if text else {}
        found = msgspec.json.decode(kept.get("timing", b"null"))
    except msgspec.DecodeError:
        return None
    return found if isinstance(found, dict) and "yours_ms" in found else None
