"""Every answer of the host API that was asked of an H200 is asked of the simulator.

`probe.py` holds the questions, `h200.json` the GPU's answers (its `versions` say of what).
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gpulab.engines.simt import host
from gpulab.engines.simt.host.device import ATTRIBUTES

GPU = json.loads((Path(__file__).parent / "h200.json").read_text())

DECLARED = "TypeError: `out` of store_eager is declared"

KINDER = {
    "too_many_arguments": "TypeError: Signature mismatch: 2 argument types given, but function takes 1",
    "eager_array_type('float64')": f"{DECLARED} as float32[:], and gets float64[::1]: a GPU would not notice",
    "eager_array_type('int32')": f"{DECLARED} as float32[:], and gets int32[::1]: a GPU would not notice",
    "eager_signature('void(float32[:,:], int32)')": f"{DECLARED} as float32[:, :], and gets float32[::1]",
    "eager_strided_for_contiguous": f"{DECLARED} as float32[::1], and gets float32[:]",
    "a_torch_cpu_tensor": "CudaAPIError: [<CUresult.CUDA_ERROR_ILLEGAL_ADDRESS: 700>] Call to cuLaunchKernel results "
                          "in CUDA_ERROR_ILLEGAL_ADDRESS: this Tensor is in host memory",
    "device('cuda.get_current_device().reset()')": "None",
    "close_and_use_again": "float32[2.0",
    "use_after_close": "CudaAPIError: [<CUresult.CUDA_ERROR_INVALID_VALUE: 1>] Call to cuMemcpyDtoH",
}
"""Where a GPU computes garbage, crashes or loses its context, and the simulator says what is wrong (or, after
`cuda.close()`, goes on)."""

OTHERWISE = {
    "launch((1, (32, 32)))": "float32[",
    "launch((1, (1, 1, 64)))": "float32[",
    "launch((1, (1, 1, 65)))": "CUDAError",
    "launch(((1, 65535), 1))": "float32[",
    "launch(((1, 1, 65535), 1))": "float32[",
    "copy_to_device('a[:0]')": "(None, float32[nan",
    "assign_1d('d[1] = 1j')": "TypingError",
    "assign_1d(\"d[1] = 'x'\")": "TypingError",
    "assign_1d('d[1] = None')": "TypingError",
    "forall_odd(0.5)": "TypeError",
}
"""Where only the beginning is compared: races, memory nobody wrote."""

UNSUPPORTED = ("array_of('datetime64[s]')", "a_structured_array", "a_structured_scalar")
"""What runs on a GPU and is refused by the simulator, in words."""

AWAITED = (
    "tuple_of_arrays", "a_zero_dimensional_array", "an_exception_in_a_debug_kernel", "an_exception_in_a_kernel",
    "an_assertion_in_a_debug_kernel", "a_division_by_zero_in_a_debug_kernel",
    "a_captured_device_array", "writing_to_a_captured_device_array",
)
"""What the simulator must still learn."""

SLOW = ("65535", "torch", "random_states")
"""65,535 blocks; an import of torch; Numba compiling for the CPU."""


def _ask(wanted):
    from tests.simt_host import probe

    installation = host.install()
    try:
        return {name: probe.answer(ask) for name, ask in probe.PROBES.items() if wanted(name) and name not in AWAITED}
    finally:
        installation.uninstall()


def _slow(name):
    return any(part in name for part in SLOW)


@pytest.fixture(scope="module")
def answers():
    return _ask(lambda name: not _slow(name))


def test_every_probe_has_an_answer_of_the_gpu():
    from tests.simt_host import probe

    assert set(probe.PROBES) == set(GPU["answers"])


def test_answers_are_those_of_an_h200(answers):
    assert not _different(answers)


@pytest.mark.slow
def test_slow_answers_are_those_of_an_h200():
    answers = _ask(_slow)
    assert not _different(answers)
    assert answers["a_torch_cpu_tensor"].startswith(KINDER["a_torch_cpu_tensor"])


def _different(answers):
    return [f"{name}\n   H200 {GPU['answers'][name]!r}\n   ours {answer!r}" for name, answer in answers.items()
            if name not in KINDER and not _agree(name, answer)]


def _agree(name, ours):
    """Ours may add a sentence to the GPU's message; a refusal to compile has less boilerplate."""
    gpu = GPU["answers"][name]
    if ours.startswith("TypingError: ") and name not in OTHERWISE:
        reason = ours.removeprefix("TypingError: ").split("\n")[0].split(":")[0]
        return gpu.startswith("TypingError: ") and reason in gpu
    if name in UNSUPPORTED:
        return ours.startswith("Unsupported: the simulator does not support ")
    begins = next((start for prefix, start in OTHERWISE.items() if name.startswith(prefix)), gpu)
    return ours.startswith(begins)


@pytest.mark.parametrize("name", [name for name in KINDER if not _slow(name)])
def test_where_a_gpu_fails_silently_the_simulator_says_why(answers, name):
    assert answers[name].startswith(KINDER[name])
    assert answers[name] != GPU["answers"][name]


def test_device_attributes_are_an_h200s():
    of_the_machine = {"PCI_BUS_ID", "PCI_DEVICE_ID"}
    assert {name: GPU["attributes"][name] for name in ATTRIBUTES if name not in of_the_machine} == \
        {name: value for name, value in ATTRIBUTES.items() if name not in of_the_machine}
