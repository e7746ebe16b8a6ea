"""In a terminal what pip says takes one row, which is empty again in the end; what it complains of stays."""

from __future__ import annotations

import importlib.util
import os
import pty
import sys
from types import ModuleType

import pytest

from tests.ground.wheelhouse import ROOT

SAYS = "import sys; print('Requirement one'); print('Requirement two'); print('bad', file=sys.stderr); sys.exit(3)"


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    folder = ROOT / "scripts/environment"
    monkeypatch.syspath_prepend(str(folder))
    spec = importlib.util.spec_from_file_location("environment_of_lab", folder / "environment.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_each_line_replaces_the_one_before(environment: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        assert environment.run([sys.executable, "-c", SAYS], in_one_line=True) == 3
        terminal.flush()
        said = os.read(master, 4096).decode()
        monkeypatch.undo()
    assert "bad\r\n" in said
    assert "\r\x1b[K  Requirement one\r\x1b[K  Requirement two\r\x1b[K" in said.replace("bad\r\n", "")
    assert said.replace("bad\r\n", "").endswith("\r\x1b[K")
