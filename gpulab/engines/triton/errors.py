"""What ends a launch, or a part of it, before its last line."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class Stopped(Exception):
    """The kernel raised. `message` is Python's own, one line; `line` the learner's."""

    def __init__(self, message: str, line: int | None) -> None:
        self.message = message
        self.line = line
        super().__init__(message)


class TimeLimit(Exception):
    """The launch took too long; it was on `line` then."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(f"line {line}")


class Diverged(Exception):
    """Programs that run together have to go on apart: `values` [programs] tells which of them go together."""

    def __init__(self, values: npt.NDArray[Any]) -> None:
        self.values = np.asarray(values)
        super().__init__("programs part here")
