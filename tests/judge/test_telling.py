"""Each case says for itself what went wrong there."""

from __future__ import annotations

import pytest

from gpulab import catalog
from gpulab.check import check


@pytest.mark.parametrize(("was", "now", "kind", "words"), [
    ("cuda.syncthreads()", "pass", "race", "Thread"), ("out[i] =", "out[i] = 0 *", "wrong answer", "should be"),
])
def test_every_failing_case_has_a_sentence_and_no_other(tmp_path, was, now, kind, words):
    pooling = catalog.find(catalog.load(), "shared/pooling")
    file = tmp_path / "pooling.py"
    file.write_text(pooling.reference.read_text("utf-8").replace(was, now), "utf-8")
    report = check(pooling, file, engine="sim", seed=7)
    cases = report.engines["sim"].cases
    assert all(bool(case.message) == (case.verdict not in ("passed", "not run")) for case in cases)
    assert any(case.verdict == kind and words in case.message for case in cases)
    assert report.engines["sim"].elements > 0
