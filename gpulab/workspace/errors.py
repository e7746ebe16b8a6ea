"""What a workspace refuses to do, and what keeps its database from being used."""

from __future__ import annotations


class WorkspaceError(Exception):
    """A sentence for the learner: what cannot be done and what to do instead."""


class StoreError(Exception):
    """The database cannot be used now; the text is a sentence for the learner."""


class Corrupt(StoreError):
    """The file is not a database of ours, or it is damaged."""


class LocksFail(StoreError):
    """The volume refused a file lock."""
