"""The local time, from one place, so that a test can stop it."""

from __future__ import annotations

from datetime import datetime


def now() -> datetime:
    """Local time without a zone, as files and reports are shown."""
    return datetime.now()
