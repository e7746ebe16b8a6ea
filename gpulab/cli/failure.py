"""A command that cannot do its work."""

from __future__ import annotations

NOT_PASSED = 1
USAGE = 2
ENVIRONMENT = 3


class Failure(Exception):
    """Ends the command: `message` is one line that says what to do."""

    def __init__(self, message: str, status: int = USAGE) -> None:
        super().__init__(message)
        self.message = message
        self.status = status
