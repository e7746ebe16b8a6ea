"""What a workspace refuses to do."""

from __future__ import annotations


class WorkspaceError(Exception):
    """A sentence for the learner: what cannot be done and what to do instead."""
