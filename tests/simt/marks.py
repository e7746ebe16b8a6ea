"""Names for lines of a kernel: a comment `# <- name` marks one."""

from __future__ import annotations

import inspect
from typing import Any

from gpulab.trace import Finding, Run


def line(kernel: Any, mark: str) -> int:
    """The number in its file of the line marked `# <- mark`."""
    lines, first = inspect.getsourcelines(kernel.py_func)
    found = [first + offset for offset, text in enumerate(lines) if text.rstrip().endswith(f"# <- {mark}")]
    assert len(found) == 1, f"{mark!r} marks {len(found)} lines"
    return found[0]


def only(run: Run, kind: str) -> Finding:
    """The run's one finding, which is of this kind."""
    assert [finding.kind for finding in run.findings] == [kind], run.findings
    return run.findings[0]


def lines(finding: Finding) -> set[int]:
    """The line or lines a finding names."""
    return {finding.line} | ({finding.other.line} if finding.other else set())
