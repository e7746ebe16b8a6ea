"""The pieces that need no process: limits, frames, kept output, endings in words."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

import msgspec
import pytest

from gpulab.runner.answers import Aside, RunAnswer, decode_answer, encode_answer
from gpulab.runner.endings import Ending, describe, from_wait_status, signal_in_words
from gpulab.runner.limits import GB, MB, Limits, cgroup_limits, default_limits
from gpulab.runner.output import KeptOutput, drain
from gpulab.runner.tampering import line_that_replaces
from gpulab.runner.wire import Closed, Frame, Garbled, Wire
from gpulab.trace import Finding, Operand, Run, ValueTrace, Write


def test_memory_is_limited_to_4_gb_at_most() -> None:
    assert 0 < default_limits().memory <= 4 * GB


def test_a_container_limits_memory_under_either_kind_of_cgroup(tmp_path: Path) -> None:
    (tmp_path / "memory" / "docker" / "abc").mkdir(parents=True)
    (tmp_path / "memory" / "docker" / "abc" / "memory.limit_in_bytes").write_text("1000000\n")
    (tmp_path / "user").mkdir()
    (tmp_path / "user" / "memory.max").write_text("2000000\n")
    (tmp_path / "memory.max").write_text("max\n")
    membership = tmp_path / "membership"
    membership.write_text("5:cpu:/\n4:memory,pids:/docker/abc\n0::/user\n")
    assert sorted(cgroup_limits(tmp_path, membership)) == [1_000_000, 2_000_000]


def test_no_cgroup_sets_no_limit(tmp_path: Path) -> None:
    assert list(cgroup_limits(tmp_path / "none", tmp_path / "nothing")) == []


def test_a_frame_arrives_as_it_was_sent() -> None:
    one, other = (Wire(end) for end in socket.socketpair())
    one.send(b"body", b"pay", memoryview(b"load"))
    frame = other.receive()
    assert (frame.body, bytes(frame.payload)) == (b"body", b"payload")


def test_a_frame_carries_open_files() -> None:
    one, other = (Wire(end) for end in socket.socketpair())
    reading, writing = os.pipe()
    one.send_with_descriptors(b"x" * 100_000, [writing])
    frame, descriptors = other.receive_with_descriptors(1)
    assert len(frame.body) == 100_000
    os.write(descriptors[0], b"through")
    assert os.read(reading, 10) == b"through"
    for descriptor in (reading, writing, *descriptors):
        os.close(descriptor)


@pytest.mark.parametrize("noise", [b"x" * 16, b"gpl\x02" + bytes(12), b"gpl\x01" + b"\xff" * 12],
                         ids=["nonsense", "another version", "endless"])
def test_noise_is_no_frame(noise: bytes) -> None:
    one, other = socket.socketpair()
    one.sendall(noise)
    with pytest.raises(Garbled):
        Wire(other).receive()


def test_a_frame_that_breaks_off_is_a_closed_line() -> None:
    one, other = socket.socketpair()
    one.sendall(b"gpl\x01")
    one.close()
    with pytest.raises(Closed):
        Wire(other).receive()


def test_what_has_arrived_can_be_read_after_a_line_is_shut() -> None:
    one, other = (Wire(end) for end in socket.socketpair())
    one.send(b"last")
    other.shut()
    assert other.receive() == Frame(b"last")
    with pytest.raises(Closed):
        other.receive()


def test_a_run_with_values_and_numpy_scalars_comes_through_whole() -> None:
    np = pytest.importorskip("numpy")
    load = Operand("tile", (np.int64(3),), float("inf"), 7, "shared")
    write = Write("out", (1, 2), np.float32(2.5), 8, (0, 0, 0), (1, 0, 0), (load,))
    run = Run("pool", (2, 1, 1), (64, 1, 1), findings=[Finding("race", "m", np.int32(4))],
              values=ValueTrace({("out", (1, 2)): [write]}))
    answer = RunAnswer(b"token", 3)
    answer.record.runs.append(run)
    again = decode_answer(encode_answer(answer))
    assert isinstance(again, RunAnswer)
    assert again.record.runs == [run]
    assert type(again.record.runs[0].findings[0].line) is int


@pytest.mark.parametrize("body", [b"", b"\x93\x01\x02\x03", msgspec.msgpack.encode({"type": "ran", "token": 3}),
                                  msgspec.msgpack.encode({"type": "exec", "code": "1"})])
def test_what_is_no_answer_is_refused(body: bytes) -> None:
    with pytest.raises(msgspec.MsgspecError):
        decode_answer(body)


def test_an_aside_comes_through() -> None:
    from gpulab.judge.session import Problem

    aside = Aside(b"t", Problem("not allowed", "m", 3))
    assert decode_answer(encode_answer(aside)) == aside


def test_output_is_kept_up_to_its_limit_and_counted_beyond() -> None:
    kept = KeptOutput(10)
    kept.add(b"12345678")
    assert kept.text == "12345678"
    kept.add(b"90abc")
    assert kept.text == "1234567890\n[output cut here: 13 bytes were printed, the first 10 are kept]\n"


def test_draining_an_empty_pipe_does_not_wait() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    kept = KeptOutput(100)
    assert drain(reading, kept)
    os.write(writing, b"x")
    os.close(writing)
    assert not drain(reading, kept)
    assert kept.text == "x"
    os.close(reading)


DUMP = """Fatal Python error: Segmentation fault

Current thread 0x00007f0000000000 (most recent call first):
  File "/usr/lib/python3/ctypes/__init__.py", line 517 in string_at
  File "/home/me/map.py", line 2 in crash
  File "/home/me/map.py", line 4 in <module>
  File "/gpulab/runner/inside.py", line 10 in load
"""


def test_a_crash_is_told_with_the_learners_frames() -> None:
    problem = describe(from_wait_status(-11, DUMP), "loading your file", 10, Limits(), "/home/me/map.py",
                       "def crash():\n    boom()\n\ncrash()\n")
    assert (problem.kind, problem.line) == ("crashed", 2)
    assert problem.message == ("The process died while loading your file: it touched memory that is not its own "
                               "(a segmentation fault).")
    assert problem.traceback == (
        'Traceback (most recent call last):\n  File "/home/me/map.py", line 4, in <module>\n    crash()\n'
        '  File "/home/me/map.py", line 2, in crash\n    boom()\n')


@pytest.mark.parametrize(("ending", "kind", "words"), [
    (Ending("exit", 3), "crashed", "ended itself while running pool, with exit status 3."),
    (Ending("time"), "timed out", "running pool took more than 2 s."),
    (Ending("memory"), "crashed", "used more than 512 MB of memory while running pool"),
    (Ending("output"), "crashed", "printed more than 256 MB"),
    (Ending("processes"), "crashed", "started more than 64 others"),
])
def test_every_ending_is_one_sentence(ending: Ending, kind: str, words: str) -> None:
    problem = describe(ending, "running pool", 2, Limits(memory=512 * MB), "f.py", "")
    assert problem.kind == kind
    assert words in problem.message
    assert problem.message.endswith(".")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGRTMIN + 3, 63])
def test_a_signal_without_a_sentence_is_named(number: int) -> None:
    assert signal_in_words(number).startswith("it was ended by ")


@pytest.mark.parametrize(("source", "line"), [
    ("import time\ntime.sleep = 3", 2), ("x = 1\nsetattr(m, 'sleep', 3)", 2), ("sleep = 3", None), ("(", None),
])
def test_the_line_that_replaces_a_name_is_found(source: str, line: int | None) -> None:
    assert line_that_replaces("time.sleep", source) == line
