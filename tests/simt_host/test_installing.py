"""The simulator under `numba.cuda` comes and goes without a trace."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from numba import cuda
from numba.cuda import dispatcher
from numba.cuda.core import config
from numba.cuda.cudadrv import devicearray, devices, driver, runtime
from numba.cuda.kernels import transpose

from gpulab.engines.simt import host

PLACES = (cuda, dispatcher, dispatcher.CUDADispatcher, dispatcher._Kernel, config, devicearray, devices,
          devices._runtime, driver, driver.driver, driver._ActiveContext, runtime.Runtime, transpose)


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


def ones(n=8):
    return np.ones(n, np.float32)


def use_everything():
    d = cuda.to_device(ones())
    double[1, 8](d)
    double.forall(8)(d)
    stream, event = cuda.stream(), cuda.event()
    event.record(stream)
    m = cuda.mapped_array(4)
    m[:] = 0
    d[1] = 3
    return d, stream, event, m


def _state():
    """Everything in the places that are patched, but for submodules imported and a logger made meanwhile."""
    return {f"{place}.{name}": id(value) for place in PLACES for name, value in vars(place).items()
            if name != "_logger" and not isinstance(value, ModuleType)}


def _changes(before):
    after = _state()
    return sorted(name for name in before.keys() | after.keys() if before.get(name) != after.get(name))


def test_everything_is_put_back():
    before = _state()
    with host.session():
        use_everything()
    assert _changes(before) == []


def test_everything_is_put_back_after_an_error():
    before = _state()
    with pytest.raises(KeyError), host.session():
        use_everything()
        raise KeyError
    assert _changes(before) == []


def test_what_outlives_the_session_dies_quietly():
    with host.session():
        held = use_everything()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        del held
        gc.collect()


def test_a_kernel_used_in_a_session_forgets_it():
    with host.session():
        double[1, 8](ones())
        assert len(double.overloads) == 1
    assert not double.overloads and not double.specializations


@pytest.mark.skipif(Path("/dev/nvidia0").exists(), reason="this machine has a GPU")
def test_without_the_simulator_there_is_no_device_here():
    with host.session():
        assert cuda.is_available()
        double[1, 8](ones())
    assert not cuda.is_available()
    with pytest.raises(cuda.CudaSupportError):
        double[1, 8](ones())


def test_sessions_nest_and_share_the_device():
    with host.session() as outer:
        d = cuda.to_device(ones())
        with host.session() as inner:
            double[1, 8](d)
        double[1, 8](d)
        assert d.copy_to_host().tolist() == [4.0] * 8
    assert len(inner.runs) == 1 and len(outer.runs) == 1


def test_launches_between_sessions_go_to_the_installations_own():
    installation = host.install()
    try:
        with host.session() as session:
            double[1, 8](ones())
        double[1, 8](ones())
        assert len(session.runs) == 1 and len(installation.session.runs) == 1
        assert host.install() is installation
    finally:
        installation.uninstall()


def test_the_device_is_named_for_what_it_is(session):
    device = cuda.get_current_device()
    assert device.name == "gpulab simulator"
    assert (device.compute_capability, device.WARP_SIZE, device.MAX_THREADS_PER_BLOCK) == ((9, 0), 32, 1024)


def test_detect_prints_the_simulator(session, capsys):
    assert cuda.detect() is True
    assert "gpulab simulator" in capsys.readouterr().out


def test_the_device_is_as_large_as_it_was_made():
    with host.session(device_bytes=1 << 20):
        assert cuda.current_context().get_memory_info() == (1 << 20, 1 << 20)
        held = cuda.device_array(1 << 18, np.float32)
        assert cuda.current_context().get_memory_info().free == 0
        with pytest.raises(driver.CudaAPIError, match=r"OUT_OF_MEMORY.*the simulator's device is small"):
            cuda.device_array(1)
        del held
        assert cuda.device_array(1 << 18, np.float32).size == 1 << 18


def test_what_is_not_simulated_says_so(session):
    from gpulab import Unsupported

    with pytest.raises(Unsupported, match="the CUDA driver call cuIpcGetMemHandle"):
        cuda.to_device(ones()).get_ipc_handle()
    with pytest.raises(Unsupported, match="loading machine code into a context"):
        cuda.current_context().create_module_ptx(".version 7.0")
    double[1, 8](ones())
    kernel = next(iter(double.overloads.values()))
    with pytest.raises(Unsupported, match="regs_per_thread, which looks at machine code"):
        double.get_regs_per_thread(kernel.signature)
    with pytest.raises(Unsupported, match="inspect_asm"):
        double.inspect_asm(kernel.argument_types)


def test_threads_of_the_host_may_launch(session):
    arrays = [cuda.to_device(ones()) for _ in range(4)]
    threads = [threading.Thread(target=double[1, 8], args=(a,)) for a in arrays]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(a.copy_to_host().tolist() == [2.0] * 8 for a in arrays)
    assert len(session.runs) == 4


LEARNER = '''
import numpy as np
from numba import cuda, float32, int32

@cuda.jit("float32(float32)", device=True)
def twice(x):
    return x * 2

@cuda.jit("void(float32[:], float32[:], int32)", fastmath=True, cache=True)
def double_all(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] + a[i]

@cuda.jit((float32[::1],), debug=True, opt=False)
def add_one(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] += 1

def solve(a):
    stream = cuda.stream()
    start, end = cuda.event(), cuda.event()
    d = cuda.to_device(a, stream=stream)
    out = cuda.device_array_like(d)
    threads = 128
    start.record(stream)
    double_all[(a.size + threads - 1) // threads, threads, stream](out, d, a.size)
    add_one.forall(a.size, stream=stream)(out)
    end.record(stream)
    end.synchronize()
    assert cuda.event_elapsed_time(start, end) >= 0
    return out.copy_to_host(stream=stream)
'''

WORKER = '''
import importlib.util, sys
import numpy as np
from gpulab.engines.simt import host
host.install()
spec = importlib.util.spec_from_file_location("learner", sys.argv[1])
learner = importlib.util.module_from_spec(spec)
spec.loader.exec_module(learner)
a = np.arange(1000, dtype=np.float32)
with host.session() as session:
    result = learner.solve(a)
assert (result == 2 * a + 1).all(), result
print([(run.kernel, run.blocks[0], run.threads[0]) for run in session.runs])
print([(t.kind, t.call, t.line) for t in session.transfers])
'''


def test_a_learners_file_runs_unmodified_in_a_worker(tmp_path):
    file = tmp_path / "solution.py"
    file.write_text(LEARNER)
    done = subprocess.run([sys.executable, "-c", WORKER, str(file)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    runs, transfers = done.stdout.splitlines()
    assert runs == "[('double_all', 8, 128), ('add_one', 1, 1024)]"
    assert transfers == "[('to device', 'to_device', 24), ('to host', 'copy_to_host', 33)]"
    assert done.stderr == ""


def test_a_forked_child_cannot_use_the_parents_device(session):
    cuda.to_device(ones())
    child = os.fork()
    if not child:
        try:
            cuda.to_device(ones())
        except Exception as error:
            os._exit(3 if "NOT_INITIALIZED" in str(error) else 4)
        os._exit(5)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 3


def test_numbas_own_simulator_is_refused():
    code = "from gpulab.engines.simt import host\ntry:\n host.install()\nexcept host.CannotInstall as e:\n print(e)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60,
                          env={"NUMBA_ENABLE_CUDASIM": "1", "PATH": ""})
    assert "NUMBA_ENABLE_CUDASIM is set" in done.stdout, done.stderr


def test_another_numba_cuda_is_named_not_guessed_at(monkeypatch):
    monkeypatch.delattr(driver, "_to_core_stream")
    with pytest.raises(host.CannotInstall, match=r"has no numba\.cuda\.cudadrv\.driver\._to_core_stream"):
        host.install()
    monkeypatch.undo()
    with host.session():
        double[1, 8](ones())


def test_importing_the_host_side_does_not_import_numba():
    code = "import sys, gpulab.engines.simt.host; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.stdout.strip() == "False"
