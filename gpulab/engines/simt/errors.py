"""What the simulator says when it will not run a kernel."""

from __future__ import annotations


class Unsupported(Exception):
    """A construct that works on a GPU, or might, but not in the simulator. Never held against the learner."""

    def __init__(self, construct: str, line: int | None = None) -> None:
        self.construct = construct
        self.line = line
        where = f" (line {line})" if line else ""
        super().__init__(f"the simulator does not support {construct}{where}")


class DoesNotCompile(Exception):
    """Numba refused the kernel. `message` is Numba's own, freed of its boilerplate."""

    def __init__(self, message: str, line: int | None = None, file: str | None = None) -> None:
        self.message = message
        self.line = line
        self.file = file
        """The file the line is in, where it is not the kernel's own for certain."""
        super().__init__(message)


def failed(error: Exception) -> str:
    """That our own code raised, in words, for a report that a learner can pass on."""
    return f"it failed there with {type(error).__name__}: {error}. Please report it with your file"
