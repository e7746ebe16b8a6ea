"""What a session knows of a host program."""

from __future__ import annotations

import ctypes
import gc
import inspect
from types import SimpleNamespace

import numpy as np
import pytest
from numba import cuda

from gpulab.engines.simt import host, machine
from gpulab.trace import Finding, Run


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


def ones(n=8):
    return np.ones(n, np.float32)


def here(below=1):
    """The line of the call."""
    return inspect.currentframe().f_back.f_lineno - below + 1


def test_runs_are_kept_in_launch_order_with_the_line_that_asked(session):
    a = cuda.to_device(ones())
    double[1, 8](a)
    first = here(below=2)
    double[2, 4](a)
    assert [(run.kernel, run.blocks, run.threads) for run in session.runs] == [
        ("double", (1, 1, 1), (8, 1, 1)), ("double", (2, 1, 1), (4, 1, 1))]
    assert [(site.kernel, site.line, site.file, site.library) for site in session.sites] == [
        ("double", first, __file__, False), ("double", first + 2, __file__, False)]
    assert a.copy_to_host().tolist() == [4.0] * 8


def test_a_launch_is_noted_where_a_callers_helper_made_it(session):
    def helper(a):
        double[1, 8](a)

    helper(cuda.to_device(ones()))
    assert session.sites[0].line == helper.__code__.co_firstlineno + 1


def test_what_the_host_reads_and_writes_is_recorded_with_its_line(session):
    d = cuda.to_device(ones())
    line = here(below=2)
    d.copy_to_host()
    d[3]
    d[1:4] = 5
    np.sum(d)
    d.reshape(2, 4).T.copy_to_host()
    cuda.to_device(d)
    d.copy_to_device(cuda.to_device(ones()))
    d.gpu_data.memset(0)
    seen = [(t.kind, t.call, t.bytes, t.line - line) for t in session.transfers]
    assert seen == [
        ("to device", "to_device", 32, 0),
        ("to host", "copy_to_host", 32, 2),
        ("to host", "__getitem__", 4, 3),
        ("to device", "__setitem__", 8, 4),
        ("library", "__setitem__", 12, 4),
        ("to host", "sum", 32, 5),
        ("library", "T", 32, 6),
        ("to host", "copy_to_host", 32, 6),
        ("to device", "to_device", 32, 8),
        ("within device", "copy_to_device", 32, 8),
        ("fill", "memset", 32, 9),
    ]
    assert {t.file for t in session.transfers} == {__file__}
    assert not any(t.for_launch for t in session.transfers)


def test_views_and_questions_move_nothing(session):
    d = cuda.device_array((4, 4), np.float32)
    len(d), d.shape, d.nbytes, d.T.shape, d.reshape(16)[2:5].view(np.int32).dtype, str(d), d == d
    assert [t.kind for t in session.transfers] == ["library"]  # only .T, which a GPU does with a kernel


def test_copies_made_for_a_launch_are_told_from_the_learners(session):
    double[1, 8](ones())
    assert [(t.kind, t.for_launch) for t in session.transfers] == [("to device", True), ("to host", True)]


def test_each_transfer_says_how_many_launches_came_before(session):
    d = cuda.to_device(ones())
    double[1, 8](d)
    d.copy_to_host()
    assert [t.after_launches for t in session.transfers] == [0, 1]


def test_reading_memory_nobody_wrote_is_counted(session):
    d = cuda.device_array(8, np.float32)
    d[:2].copy_to_device(ones(2))
    assert np.isnan(d.copy_to_host()[2:]).all()
    assert session.transfers[-1].uninitialised == 24


def test_the_judges_own_transfers_are_not_recorded(session):
    d = session.to_device(ones())
    double[1, 8](d)
    assert session.contents(d).tolist() == [2.0] * 8
    assert session.transfers == []


def test_device_memory_changed_behind_numbas_back_is_tampering(session):
    d = cuda.to_device(ones(100))
    double[1, 100](d)
    buffer = next(o for o in gc.get_objects() if type(o).__name__ == "Allocation" and o.data.size == 400)
    buffer.data[40:44] = 0
    double[1, 100](d)
    [tampering] = session.tampered
    assert tampering.start <= 40 < tampering.stop <= tampering.size == 400
    assert tampering.before_launch == 1


def test_tampering_after_the_last_launch_is_seen_when_the_session_ends():
    with host.session() as session:
        d = cuda.to_device(ones(100))
        double[1, 100](d)
        session.memory.find(d.device_ctypes_pointer.value)[0].data[0] ^= 1
        assert not session.tampered
    assert len(session.tampered) == 1


def test_allowed_changes_are_not_tampering(session):
    d, m = cuda.to_device(ones()), cuda.managed_array(4, np.float32)
    d[2] = 7
    double[1, 8](d)
    d.copy_to_device(ones())
    d.gpu_data.memset(0)
    d.reshape(2, 4)[:, 1] = 3
    double[1, 8](d)
    del d, m
    double[1, 8](ones())
    assert session.tampered == []


def test_work_on_managed_memory_is_the_hosts(session):
    a = cuda.managed_array(8, np.float32)
    a[:] = 1
    double[1, 8](a)
    a += 1
    double[1, 8](a)
    assert a.tolist() == [6.0] * 8
    assert [t.kind for t in session.transfers] == ["shared", "visible"] * 2
    assert [t.new_bytes for t in session.transfers] == [4, 4, 4, 4]  # one value each time, in every element
    assert session.tampered == []


def test_a_kernel_keeps_the_array_that_was_there_when_it_compiled(session):
    table = np.ones(8, np.float32)

    @cuda.jit
    def fill(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = table[i]

    d = cuda.device_array(8, np.float32)
    fill[1, 8](d)
    table[:] = 2
    fill[1, 8](d)
    assert d.copy_to_host().tolist() == [1.0] * 8


def test_only_what_is_new_to_the_other_side_counts_as_news(session):
    numbers = np.arange(8, dtype=np.float32)
    d = cuda.to_device(numbers)
    numbers = d.copy_to_host()
    double[1, 8](d)
    doubled = d.copy_to_host()
    cuda.to_device(np.zeros(8, np.float32))
    cuda.to_device(doubled)
    cuda.to_device(doubled + numbers)
    assert [t.new_bytes for t in session.transfers] == [32, 0, 32, 0, 0, 32]


def test_arrays_that_a_kernel_takes_from_its_file_are_recorded_when_it_compiles(session):
    table = np.arange(8, dtype=np.float32)
    session.know([table])
    later = table + 1

    @cuda.jit(device=True)
    def look_up(i):
        return later[i]

    @cuda.jit
    def fill(a):
        i = cuda.grid(1)
        if i < a.size:
            a[i] = table[i] + look_up(i)

    fill[1, 8](cuda.device_array(8, np.float32))
    seen = sorted((t.kind, t.bytes, t.new_bytes) for t in session.transfers)
    assert seen == [("captured", 32, 0), ("captured", 32, 32)]


def test_pinned_and_mapped_host_arrays_may_go_before_the_device_forgets_them(session):
    for size in (1 << 20, 1 << 22):
        a = np.ones(size, np.float32)
        with cuda.pinned(a):
            cuda.to_device(a)
        with cuda.mapped(a) as d:
            double[1, 8](d)
        assert a[:9].tolist() == [2.0] * 8 + [1.0]
        del a, d
        double[1, 8](ones())
    session.look_for_tampering()
    assert session.tampered == []


def test_a_device_address_is_not_a_host_address(session):
    d = cuda.to_device(ones())
    address = d.__cuda_array_interface__["data"][0]
    assert address >= 1 << 49
    assert address != session.memory.find(address)[0].data.ctypes.data


def _run(kernel, blocks, threads, findings=()):
    return Run(kernel.py_func.__name__, blocks, threads, list(findings))


def test_the_machine_is_told_which_arrays_nobody_wrote(session, monkeypatch):
    told = []

    def launch(kernel, blocks, threads, args, *, uninitialised, **options):
        told.append([any(a is other for other in uninitialised) for a in args])
        args[0][:4] = 1
        return _run(kernel, blocks, threads)

    monkeypatch.setattr(machine, "launch", launch)
    fresh, given = cuda.device_array(8, np.float32), session.to_device(ones(4), initialised=False)
    kernel = cuda.jit(lambda a, b: None)
    kernel[1, 8](fresh, given)
    kernel[1, 8](fresh, given)
    kernel[1, 8](fresh[:4], given)
    kernel[1, 8](fresh[4:], given)
    assert told == [[True, True], [False, True], [False, True], [True, True]]
    given[1:3] = 3
    kernel[1, 8](given, given[3:])
    assert told[-1] == [False, False]


def test_options_reach_the_machine(monkeypatch):
    asked = []

    def launch(kernel, blocks, threads, args, **options):
        asked.append(options)
        return _run(kernel, blocks, threads)

    monkeypatch.setattr(machine, "launch", launch)
    with host.session(findings=False, counters=False, values=True, order=3, time_limit=2.5):
        double[1, 8, 0, 64](cuda.to_device(ones()))
    assert asked == [{"shared_bytes": 64, "findings": False, "counters": False, "values": True, "order": 3,
                      "time_limit": 2.5, "uninitialised": [], "picture": False}]


def test_a_kernel_that_never_ends_ends_the_host_program(monkeypatch):
    def launch(kernel, blocks, threads, args, **options):
        return _run(kernel, blocks, threads, [Finding("timed out", "never ends", 3)])

    monkeypatch.setattr(machine, "launch", launch)
    with host.session() as session:
        try:
            double[1, 8](ones())
        except Exception:  # as a learner might
            raise AssertionError("the learner's except saw it") from None
        raise AssertionError("the host program went on")
    assert session.stopped and len(session.runs) == 1


def test_what_a_kernel_prints_goes_to_the_learners_output(session, monkeypatch, capsys):
    monkeypatch.setattr(machine, "launch", lambda kernel, *args, **options: SimpleNamespace(
        kernel="k", findings=[], printed="from thread 3\n"))
    double[1, 8](ones())
    assert capsys.readouterr().out == "from thread 3\n"


def test_a_refused_launch_is_kept_even_if_the_learner_hides_it(session, monkeypatch):
    def launch(*args, **options):
        raise RuntimeError("no")

    monkeypatch.setattr(machine, "launch", launch)
    with pytest.raises(RuntimeError):
        double[1, 8](ones())
    assert [str(error) for error in session.refused] == ["no"] and not session.runs


def test_a_segfault_follows_from_a_device_address_on_the_host(session):
    # In this process it would be the test's end: that the page is not mapped is enough.
    d = cuda.to_device(ones())
    libc = ctypes.CDLL(None, use_errno=True)
    page = ctypes.c_void_p(d.device_ctypes_pointer.value & ~4095)
    assert libc.msync(page, 4096, 1) != 0 and ctypes.get_errno() in (12, 22)  # ENOMEM: not mapped; EINVAL


def test_times_of_events_come_with_a_note_that_they_are_the_simulators(session):
    start, end = cuda.event(), cuda.event()
    start.record()
    end.record()
    for _ in range(2):
        start.elapsed_time(end)
    assert [(note.kind, note.line) for note in session.notes] == [("simulated time", here(below=2))]


def test_numba_cudas_own_kernels_are_told_apart_and_not_judged(session):
    assert cuda.reduce(lambda a, b: a + b)(np.arange(1000, dtype=np.float64)) == 499500
    assert all(site.library for site in session.sites) and len(session.runs) == 3
    assert not any(run.findings for run in session.runs)  # its kernel waits with syncwarp in a branch
