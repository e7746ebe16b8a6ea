"""What the simulator leans on inside numba-cuda is there, and does what it did: else this fails, loudly and first."""

from __future__ import annotations

import inspect
from importlib.metadata import version

import numpy as np
import pytest
from numba import cuda, types

from gpulab.engines.simt import frontend


def test_the_release_is_one_the_simulator_was_written_for():
    assert version("numba-cuda").split(".")[:2] == ["0", "30"]


def typed(function, *arguments):
    return frontend.infer(function, arguments)


def test_typed_ir_is_in_ssa_form_with_phis():
    def function(out, n):
        x = 1
        for k in range(n):
            x = x * 2.5 + k
        out[0] = x

    found = typed(function, types.Array(types.float64, 1, "C"), types.int64)
    assigned = [s.target.name for block in found.ir.blocks.values() for s in block.body if hasattr(s, "target")
                and type(s).__name__ == "Assign"]
    assert len(assigned) == len(set(assigned)) or any("iter" in name for name in assigned)
    phis = [s.value for block in found.ir.blocks.values() for s in block.body
            if getattr(getattr(s, "value", None), "op", "") == "phi"]
    assert phis
    assert all(len(phi.incoming_values) == len(phi.incoming_blocks) for phi in phis)
    assert str(found.types["x.2"]) == "float64"


def test_operators_are_resolved_by_numba_s_own_typing():
    import operator

    assert str(frontend.operator_signature(operator.sub, (types.uint8, types.uint8)).return_type) == "uint64"
    assert str(frontend.operator_signature(operator.add, (types.int8, types.float32)).return_type) == "float32"
    assert str(frontend.operator_signature(operator.pow, (types.float32, types.int64)).return_type) == "float32"


def test_statements_carry_the_learner_s_lines():
    def function(out):
        out[0] = 1
        out[1] = 2

    first = inspect.getsourcelines(function)[1]
    found = typed(function, types.Array(types.float64, 1, "C"))
    stores = [s.loc.line for block in found.ir.blocks.values() for s in block.body if "SetItem" in type(s).__name__]
    assert stores == [first + 1, first + 2]


def test_nothing_asks_for_a_driver():
    @cuda.jit(device=True)
    def helper(x):
        return x * 2

    def function(out):
        out[0] = helper(3)

    assert str(typed(function, types.Array(types.float64, 1, "C")).returns) == "none"


def test_typing_leaves_numba_s_dispatcher_as_it_was():
    before = frontend.CUDADispatcher.get_call_template
    typed(lambda out: None, types.Array(types.float64, 1, "C"))
    assert frontend.CUDADispatcher.get_call_template is before


def test_integer_true_division_in_place_is_still_mistyped():
    """The bug of numba-cuda 0.30 for whose sake `/=` of integers is refused: when it is gone, so may the refusal be."""
    import operator

    signature = frontend.operator_signature(operator.itruediv, (types.int64, types.int64))
    assert isinstance(signature.return_type, types.Integer)


@pytest.mark.parametrize("value, name", [(np.float32(1), "float32"), (3, "int64"), (2.5, "float64"), (True, "bool"),
                                         (np.zeros((2, 3), np.int8), "array(int8, 2d, C)"),
                                         (np.zeros((2, 3)).T, "array(float64, 2d, F)"),
                                         (np.zeros(9)[::2], "array(float64, 1d, A)")])
def test_arguments_have_the_types_a_launch_gives_them(value, name):
    assert str(frontend.type_of(value)) == name
