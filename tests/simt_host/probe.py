"""What numba.cuda's host side answers: run on a GPU once (`h200.json`), and in the simulator by the tests.

    python tests/simt_host/probe.py > tests/simt_host/h200.json       # on a machine with a GPU

Each probe is a function without arguments. Its answer is the value it returns, as text, or the error it raises.
"""

# ruff: noqa: E501  (tables of expressions, one probe each)
from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
import threading
import warnings
from collections.abc import Callable
from importlib.metadata import version

import numpy as np
from numba import cuda, float32, int32, types
from numba.cuda.core import config

PROBES: dict[str, Callable[[], object]] = {}


def probe(function: Callable[[], object]) -> Callable[[], object]:
    PROBES[function.__name__] = function
    return function


def each(*values: object) -> Callable[[Callable[[object], object]], None]:
    """One probe per value, named by it."""

    def register(function: Callable[[object], object]) -> None:
        for value in values:
            PROBES[f"{function.__name__}({value!r})"] = lambda value=value: function(value)

    return register


@cuda.jit
def double(a):
    i = cuda.grid(1)
    if i < a.size:
        a[i] *= 2


@cuda.jit
def copy_into(out, a):
    i = cuda.grid(1)
    if i < a.size:
        out[i] = a[i]


@cuda.jit
def store(out, value):
    out[0] = value


@cuda.jit
def double_2d(a):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        a[i, j] *= 2


@cuda.jit
def nothing(a):
    pass


@cuda.jit
def sum_pair(out, pair):
    out[0] = pair[0] + pair[1]


@cuda.jit
def use_dynamic(out):
    shared = cuda.shared.array(0, float32)
    shared[cuda.threadIdx.x] = cuda.threadIdx.x
    cuda.syncthreads()
    out[cuda.threadIdx.x] = shared[cuda.blockDim.x - 1 - cuda.threadIdx.x]


def eager(*signature: object) -> object:
    @cuda.jit(*signature)
    def store_eager(out, value):
        out[0] = value

    return store_eager


def ones(n: int = 8) -> np.ndarray:
    return np.ones(n, np.float32)


# -- launch configurations


def _launch(*configuration: object) -> object:
    a = ones()
    double[configuration](a)
    return a


@each(
    (1, 8), ((1,), (8,)), ((1, 1), (8, 1)), ((1, 1, 1), (8, 1, 1)), (np.int64(1), np.int32(8)), (True, 8), (2, 4, 0), (1, 8, 0, 0),
    (0, 8), (1, 0), ((1, 0), 8), (1, (8, 0)), (-1, 8), (1, -8), (1, 1024), (1, 1025), (1, (32, 32)), (1, (32, 33)),
    (1, (1, 1, 64)), (1, (1, 1, 65)), (1, (1, 1025)), ((1, 65535), 1), ((1, 65536), 1), ((1, 1, 65535), 1), ((1, 1, 65536), 1),
    (2**31 - 1, 0), (2**31, 1), (2**32, 1), (2**32 + 1, 8), (1, 2**32 + 8), (1.0, 8), (1, 8.0), (np.float32(1), 8), ("1", 8), (None, 8), (1, None),
    ((1, 1, 1, 1), 8), (1, (8, 1, 1, 1)), ([1], [8]), ((), 8), (1,), (1, 8, 0, 0, 0), (1, 8, 5), (1, 8, "stream"), (1, 8, None),
    (1, 8, 0, 48 * 1024), (1, 8, 0, 48 * 1024 + 1), (1, 8, 0, 200 * 1024), (1, 8, 0, 2**20), (1, 8, 0, -4), (1, 8, 0, 4.0),
    (np.array([1]), 8), (1, np.array([8])),
)
def launch(configuration):
    return _launch(*configuration)


@probe
def launch_without_configuration():
    double(ones())


@probe
def launch_with_one_number():
    double[1](ones())


@probe
def launch_on_a_stream():
    stream = cuda.stream()
    a = ones()
    double[1, 8, stream](a)
    stream.synchronize()
    return a


@probe
def launch_on_the_default_stream():
    a = ones()
    double[1, 8, cuda.default_stream()](a)
    return a


@probe
def launch_with_keywords():
    double[1, 8](a=ones())


@each(0, 8, 5, 2000, -1)
def forall(n):
    a = np.ones(2000, np.float32)
    double.forall(n)(a)
    return a[0], a[-1]


@each(0.5, "3", None)
def forall_odd(n):
    a = np.ones(2000, np.float32)
    double.forall(n)(a)
    return a[0], a[-1]


@probe
def forall_threads_per_block():
    a = ones()
    double.forall(8, tpb=4)(a)
    return a


@probe
def forall_on_an_eager_kernel():
    out = ones()
    eager("void(float32[:], int32)").forall(4)(out, 3)
    return out


@probe
def dynamic_shared():
    out = ones()
    use_dynamic[1, 8, 0, 32](out)
    return out


# -- arguments


def _store(value: object) -> object:
    out = np.zeros(1, np.float64)
    store[1, 1](out, value)
    return out


@each(3, -3, 2.5, True, np.float32(1.5), np.int8(-4), np.uint64(2**63), np.bool_(True), 2**40, 2**63, np.float16(0.5), np.float64(2))
def scalar(value):
    return _store(value)


@each(2**64, -(2**63) - 1, "text", None, 1 + 2j, [1, 2], {1: 2}, {1, 2}, b"x", 1.5j, np.complex64(1j), object, len, slice(1, 2), range(3),
      np.datetime64("2020-01-01"))
def odd_scalar(value):
    return _store(value)


@each((1, 2.5), (1, 2), ((1, 2), 3), (), ("a", 2))
def tuple_argument(pair):
    out = np.zeros(1, np.float64)
    sum_pair[1, 1](out, pair)
    return out


@probe
def tuple_of_arrays():
    out = np.zeros(8, np.float32)

    @cuda.jit
    def kernel(out, pair):
        i = cuda.grid(1)
        out[i] = pair[0][i] + pair[1][i]
        pair[0][i] = 7

    a = ones()
    kernel[1, 8](out, (a, cuda.to_device(ones())))
    return out, a


@probe
def too_few_arguments():
    copy_into[1, 8](ones())


@probe
def too_many_arguments():
    double[1, 8](ones(), ones())


@probe
def a_list_for_an_array():
    double[1, 8]([1.0, 2.0])


@probe
def an_object_array():
    double[1, 8](np.array([1, None], object))


@probe
def a_string_array():
    double[1, 8](np.array(["a", "b"]))


@probe
def a_structured_array():
    a = np.zeros(4, np.dtype([("x", np.float32), ("y", np.int32)]))

    @cuda.jit
    def kernel(a):
        a[cuda.grid(1)].x = 3

    kernel[1, 4](a)
    return a


@probe
def a_structured_scalar():
    a = np.zeros(4, np.dtype([("x", np.float32), ("y", np.int32)]))

    @cuda.jit
    def kernel(r):
        r.x = 3

    kernel[1, 1](a[1])
    return a


@each("float16", "int8", "uint16", "int64", "complex64", "complex128", "bool", ">f4", "datetime64[s]", "float128", "longlong", "uintp")
def array_of(dtype):
    a = np.zeros(4, dtype)

    @cuda.jit
    def kernel(out, a):
        i = cuda.grid(1)
        out[i] = a[i]

    out = np.ones_like(a)
    kernel[1, 4](out, a)
    return out


@probe
def a_read_only_input():
    a = ones()
    a.flags.writeable = False
    out = np.zeros(8, np.float32)
    copy_into[1, 8](out, a)
    return out, a.flags.writeable


@probe
def a_read_only_output():
    a = ones()
    a.flags.writeable = False
    double[1, 8](a)
    return a


@probe
def a_strided_input():
    out = np.zeros(8, np.float32)
    copy_into[1, 8](out, np.arange(16, dtype=np.float32)[::2])
    return out


@probe
def a_strided_output():
    a = np.ones(16, np.float32)
    double[1, 8](a[::2])
    return a


@probe
def a_reversed_input():
    out = np.zeros(8, np.float32)
    copy_into[1, 8](out, np.arange(8, dtype=np.float32)[::-1])
    return out


@probe
def columns_of_a_matrix():
    a = np.ones((4, 6), np.float32)
    double_2d[1, (4, 3)](a[:, :3])
    return a


@probe
def rows_of_a_matrix():
    a = np.ones((4, 6), np.float32)
    double_2d[1, (2, 6)](a[1:3])
    return a


@probe
def a_fortran_matrix():
    a = np.asfortranarray(np.arange(12, dtype=np.float32).reshape(3, 4))
    double_2d[1, (3, 4)](a)
    return a, a.flags.f_contiguous


@probe
def a_transposed_matrix():
    a = np.arange(12, dtype=np.float32).reshape(3, 4)
    double_2d[1, (4, 3)](a.T)
    return a


@probe
def a_broadcast_input():
    out = np.zeros(8, np.float32)
    copy_into[1, 8](out, np.broadcast_to(np.float32(3), (8,)))
    return out


@probe
def a_permuted_3d_array():
    a = np.arange(24, dtype=np.float32).reshape(2, 3, 4).transpose(1, 0, 2)

    @cuda.jit
    def kernel(a):
        i, j, k = cuda.grid(3)
        a[i, j, k] *= 2

    kernel[1, (3, 2, 4)](a)
    return a


@probe
def a_zero_dimensional_array():
    a = np.array(3.0, np.float32)

    @cuda.jit
    def kernel(a):
        a[()] = 4

    kernel[1, 1](a)
    return a


@probe
def an_empty_array():
    a = np.zeros(0, np.float32)
    double[1, 8](a)
    return a


@probe
def an_empty_matrix():
    a = np.zeros((0, 3), np.float32)
    double_2d[1, (4, 4)](a)
    return a


@probe
def the_same_array_twice():
    a = np.arange(8, dtype=np.float32)

    @cuda.jit
    def kernel(x, y):
        i = cuda.grid(1)
        x[i] = 10
        y[i] = y[i] + 1

    kernel[1, 8](a, a)
    return a


@probe
def overlapping_views():
    a = np.arange(8, dtype=np.float32)

    @cuda.jit
    def kernel(x, y):
        i = cuda.grid(1)
        x[i] = 10 + i
        y[i] = 20 + i

    kernel[1, 4](a[:4], a[2:6])
    return a


@probe
def argument_hints():
    a, b, c = ones(), np.zeros(8, np.float32), ones()

    @cuda.jit
    def kernel(a, b, c):
        i = cuda.grid(1)
        b[i] = a[i] + c[i]
        a[i] = 50
        c[i] = 60

    kernel[1, 8](cuda.In(a), cuda.Out(b), cuda.InOut(c))
    return a, b, c


@probe
def hints_around_device_arrays():
    d = cuda.to_device(ones())
    double[1, 8](cuda.In(d))
    return d.copy_to_host()


@probe
def a_subclass_of_ndarray():
    m = np.matrix([[1, 2], [3, 4]], dtype=np.float32)
    double_2d[1, (2, 2)](m)
    return m, type(m).__name__


@probe
def a_masked_array():
    m = np.ma.masked_array(ones(), mask=[0, 1] * 4)
    double[1, 8](m)
    return m.data


@probe
def a_memoryview():
    a = ones()
    double[1, 8](memoryview(a))
    return a


@probe
def a_bytearray():
    a = bytearray(b"\x01\x02\x03\x04")
    double[1, 8](a)
    return bytes(a)


@probe
def a_torch_cpu_tensor():
    import torch

    t = torch.ones(8)
    double[1, 8](t)
    return t


@probe
def a_torch_cpu_tensor_as_cuda_array():
    import torch

    return cuda.as_cuda_array(torch.ones(8))


# -- eager signatures


@each(3, -3, 2.7, True, np.float32(2.7), 2**31, 2**40, -(2**40), np.int64(7), np.uint8(200), "x", None, 1j, np.float16(2))
def eager_int32(value):
    out = np.zeros(1, np.float64)
    eager("void(float64[:], int32)")[1, 1](out, value)
    return out


@each(3, 2.7, 0.1, np.float64(0.1), 2**40, 1e300, True, 1j)
def eager_float32(value):
    out = np.zeros(1, np.float64)
    eager("void(float64[:], float32)")[1, 1](out, value)
    return out


@each("float32", "float64", "int32")
def eager_array_type(dtype):
    out = np.zeros(4, dtype)
    eager("void(float32[:], int32)")[1, 1](out, 3)
    return out


@each("void(float32[::1], int32)", "void(float32[:], int32)", "(float32[:], int32)", "void(float32[:,:], int32)", "int32(float32[:], int32)",
      "void(float23[:], int32)", "void(float32[:])", "void(float32[:], int32", "void(Array(float32, 1, 'A', readonly=True), int32)")
def eager_signature(signature):
    out = np.zeros(4, np.float32)
    eager(signature)[1, 1](out, 3)
    return out


@probe
def eager_signature_of_types():
    out = np.zeros(4, np.float32)
    eager((float32[:], int32))[1, 1](out, 3)
    eager(types.void(float32[:], int32))[1, 1](out[1:], 3)
    return out


@probe
def eager_list_of_signatures():
    kernel = eager(["void(float32[:], int32)", "void(float64[:], float64)"])
    a, b = np.zeros(1, np.float32), np.zeros(1, np.float64)
    kernel[1, 1](a, 3)
    kernel[1, 1](b, 2.5)
    kernel[1, 1](b, 2)
    return a, b, len(kernel.overloads)


@probe
def eager_strided_for_contiguous():
    out = cuda.to_device(np.zeros(8, np.float32))[::2]
    eager("void(float32[::1], int32)")[1, 1](out, 3)


@probe
def eager_device_function():
    @cuda.jit("float32(float32)", device=True)
    def twice(x):
        return x * 2

    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        a[i] = twice(a[i])

    a = ones()
    kernel[1, 8](a)
    b = np.full(8, 3, np.int64)
    kernel[1, 8](b)
    return a, b


@probe
def eager_device_function_without_return_type():
    @cuda.jit((float32,), device=True)
    def twice(x):
        return x * 2

    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        a[i] = twice(a[i])

    a = ones()
    kernel[1, 8](a)
    return a


@probe
def an_eager_kernel_that_does_not_type():
    @cuda.jit("void(float32[:])")
    def kernel(a):
        a[0] = undefined_name  # noqa: F821


@probe
def options_of_jit():
    @cuda.jit(fastmath=True, opt=True, lineinfo=True, max_registers=32, launch_bounds=128, inline="never", lto=False)
    def kernel(a):
        a[cuda.grid(1)] *= 2

    a = ones()
    kernel[1, 8](a)
    return a


@probe
def options_of_jit_debug():
    @cuda.jit(debug=True, opt=False)
    def kernel(a):
        a[cuda.grid(1)] *= 2

    a = ones()
    kernel[1, 8](a)
    return a


@probe
def boundscheck_option():
    @cuda.jit(boundscheck=True)
    def kernel(a):
        a[cuda.grid(1)] *= 2


@probe
def a_kernel_that_returns_a_value():
    @cuda.jit
    def kernel(a):
        return a[0]

    kernel[1, 1](ones())


@probe
def calling_a_device_function_from_the_host():
    @cuda.jit(device=True)
    def twice(x):
        return x * 2

    return twice(2)


@probe
def launching_a_device_function():
    @cuda.jit(device=True)
    def twice(x):
        x[0] = 2

    a = ones()
    twice[1, 1](a)
    return a


@probe
def launching_a_plain_function():
    def plain(a):
        pass

    plain[1, 8](ones())


@probe
def specialized_kernel():
    kernel = double.specialize(ones())
    a = ones()
    kernel[1, 8](a)
    return a, kernel.specialized, double.specialized, len(kernel.overloads)


@probe
def compiled_by_hand():
    @cuda.jit
    def kernel(a):
        a[cuda.grid(1)] *= 2

    kernel.compile("void(float32[:])")
    a = ones()
    kernel[1, 8](a)
    return a, list(kernel.overloads)


@probe
def a_method_as_a_kernel():
    class Holder:
        @staticmethod
        @cuda.jit
        def kernel(a):
            a[cuda.grid(1)] *= 2

    a = ones()
    Holder.kernel[1, 8](a)
    return a


# -- device arrays


def _arange(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape)


@each("d", "d[1]", "d[-1]", "d[8]", "d[-9]", "d[1:5]", "d[::2]", "d[5:1]", "d[:]", "d[...]", "d[None]", "d[1, 1]", "d[1.5]", "d[[1, 2]]", "d['x']",
      "d[np.int64(2)]", "d[True]", "d[()]", "d[::-1]", "d[6:100]")
def index_1d(expression):
    d = cuda.to_device(_arange(8))
    return _host(eval(expression, {"d": d, "np": np}))


@each("d[1]", "d[1, 2]", "d[:, 1]", "d[1:, 2:]", "d[::2, ::2]", "d[-1]", "d[-1, -1]", "d[3]", "d[0, 4]", "d[:, ::2]", "d[1:2, :]", "d[..., 1]", "d[1][2]",
      "d[:, 1:3][1]")
def index_2d(expression):
    d = cuda.to_device(_arange(3, 4))
    return _host(eval(expression, {"d": d, "np": np}))


def _host(value: object) -> object:
    if hasattr(value, "copy_to_host"):
        flags = {name: bool(held) for name, held in value.flags.items()}
        return value.copy_to_host(), value.shape, value.strides, flags
    return value, type(value).__name__


@each("d[1] = 5", "d[-1] = 5", "d[1:4] = 5", "d[:] = 5", "d[::2] = 5", "d[1:4] = np.arange(3, dtype=np.float32)", "d[1:4] = np.arange(3)",
      "d[1:4] = np.arange(4)", "d[1:4] = [7, 8, 9]", "d[8] = 1", "d[1] = 2.7", "d[1] = 1j", "d[1] = 'x'", "d[...] = 1", "d[1:3] = d[4:6]",
      "d[:4] = np.ones((2, 2))", "d[()] = 1", "d[5:1] = 1", "d[1:4] = np.float64(0.1)", "d[0] = d[3]", "d[1] = None", "d += 1", "d[1] += 1", "d[::-1] = 1")
def assign_1d(statement):
    d = cuda.to_device(_arange(8))
    names = {"d": d, "np": np}
    exec(statement, names)
    return names["d"].copy_to_host()


@each("d[1] = 5", "d[1, 2] = 5", "d[:, 1] = 5", "d[1:, 2:] = 5", "d[:] = np.arange(4, dtype=np.float32)", "d[:, 1] = np.arange(3)", "d[1] = np.arange(3)",
      "d[0:2] = np.ones((2, 4))", "d[0:2] = np.ones((1, 4))", "d[:, :] = np.arange(12).reshape(4, 3).T")
def assign_2d(statement):
    d = cuda.to_device(_arange(3, 4))
    exec(statement, {"d": d, "np": np})
    return d.copy_to_host()


@probe
def assign_into_integers():
    d = cuda.to_device(np.zeros(3, np.int32))
    d[0] = 2.7
    d[1] = -2.7
    d[2] = 2**31 + 5
    return d.copy_to_host()


@each("d.reshape(12)", "d.reshape((2, 6))", "d.reshape(2, -1)", "d.reshape(5)", "d.reshape(-1, -1)", "d.reshape(6, 2, order='F')", "d.ravel()", "d.ravel(order='F')",
      "d.T", "d.transpose()", "d.transpose((0, 1))", "d.transpose((1, 0))", "d.transpose((0, 2))", "d.view(np.int32)", "d.view(np.float64)", "d.view(np.int8)",
      "d[:, 1:].view(np.float64)", "d[:, 1:].reshape(9)", "d[:, 1:].ravel()", "d[1:].ravel()", "d[1:].reshape(8)", "d.squeeze()", "d.flatten()",
      "d.astype(np.int32)", "d.copy()", "d.sum()", "d + 1", "d.tolist()", "d.fill(3)", "d.bind(cuda.stream())", "d[:, 1].bind()")
def reshape_2d(expression):
    d = cuda.to_device(_arange(3, 4))
    return _host(eval(expression, {"d": d, "np": np, "cuda": cuda}))


@each("len(d)", "d.shape", "d.strides", "d.dtype", "d.ndim", "d.size", "d.nbytes", "d.alloc_size", "d.is_c_contiguous()", "d.is_f_contiguous()",
      "d.flags", "bool(d)", "float(d)", "int(d)", "d == d", "list(d)", "sorted(d.__cuda_array_interface__)", "d.__cuda_array_interface__['shape']",
      "d.__cuda_array_interface__['strides']", "d.__cuda_array_interface__['typestr']", "d.__cuda_array_interface__['version']", "d.stream", "type(d).__name__",
      "hasattr(d, '__dlpack__')", "cuda.is_cuda_array(d)", "cuda.is_cuda_array(np.ones(2))", "np.asarray(d)", "np.sum(d)", "np.array(d, dtype=int)", "np.asarray(d, copy=False)",
      "d.max()", "d.T.shape", "str(d)[:50]", "d in [d]", "hash(d) != 0", "d.item()", "iter(d)", "enumerate(d)", "[x for x in d]", "max(d)", "d @ d",
      "d.size == 8 and isinstance(d, cuda.cudadrv.devicearray.DeviceNDArray)", "d._numba_type_", "d[::2]._numba_type_")
def ask(expression):
    d = cuda.to_device(_arange(8))
    return eval(expression, {"d": d, "np": np, "cuda": cuda})


@each("cuda.to_device([1, 2, 3])", "cuda.to_device(5)", "cuda.to_device(np.float32(5))", "cuda.to_device('x')", "cuda.to_device(None)", "cuda.to_device(np.array(['a']))",
      "cuda.to_device(a[::2])", "cuda.to_device(a.reshape(2, 4).T)", "cuda.to_device(a.reshape(2, 4)[:, :2])", "cuda.to_device(a[::-1])", "cuda.to_device(a[:0])",
      "cuda.to_device(np.broadcast_to(np.float32(2), (3,)))", "cuda.to_device(a, copy=False).shape", "cuda.to_device(cuda.to_device(a))", "cuda.to_device(a, to=cuda.device_array(8, np.float32))",
      "cuda.to_device(a, to=cuda.device_array(8))", "cuda.to_device(a, to=cuda.device_array(7, np.float32))", "cuda.to_device(a, stream=cuda.stream())", "cuda.to_device(a, stream=5)",
      "cuda.to_device(np.array([1, None], object))", "cuda.to_device(range(3))", "cuda.to_device(np.float64(2))", "cuda.to_device((1.5, 2))", "cuda.to_device(np.ones(3, '>f4'))",
      "cuda.to_device(np.datetime64('2020'))", "cuda.to_device(np.ones(3, np.float16))", "cuda.to_device(np.zeros(2, [('x', 'f4')]))", "cuda.to_device(np.zeros(2, [('x', 'f4')])[0])['x']")
def to_device(expression):
    return _host(eval(expression, {"a": _arange(8), "np": np, "cuda": cuda}))


@each("cuda.device_array(3).dtype", "cuda.device_array((2, 3)).strides", "cuda.device_array((2, 3), order='F').strides", "cuda.device_array((2, 3), np.int8).shape", "cuda.device_array(0).shape",
      "cuda.device_array((3, 0)).shape", "cuda.device_array(()).shape", "cuda.device_array(-1).shape", "cuda.device_array(2.0)", "cuda.device_array((2.0, 3))", "cuda.device_array('x')",
      "cuda.device_array(3, 'nonsense')", "cuda.device_array(3, object)", "cuda.device_array((2, 3), strides=(4, 8), dtype=np.float32).strides", "cuda.device_array(np.int64(3)).shape",
      "cuda.device_array([2, 3]).shape", "cuda.device_array(3, order='K')", "cuda.device_array_like(a).shape", "cuda.device_array_like(np.asfortranarray(a)).strides",
      "cuda.device_array_like(a[:, ::2]).strides", "cuda.device_array_like(cuda.to_device(a)).strides", "cuda.device_array_like([1, 2])", "cuda.device_array_like(np.float32(1)).shape",
      "cuda.pinned_array(3).shape", "type(cuda.pinned_array(3)).__name__", "cuda.pinned_array_like(a).strides", "type(cuda.mapped_array(3)).__name__", "cuda.mapped_array(3).shape",
      "cuda.mapped_array_like(a).strides", "type(cuda.managed_array(3)).__name__", "cuda.managed_array((2, 3), np.float32).strides", "cuda.pinned_array(0).shape",
      "cuda.managed_array(0).shape", "cuda.mapped_array(0).shape", "cuda.device_array(2**50)", "cuda.device_array(None)", "cuda.device_array(True).shape")
def allocate(expression):
    return eval(expression, {"a": _arange(3, 4), "np": np, "cuda": cuda})


@each("d.copy_to_host()", "d.copy_to_host(np.zeros(8, np.float32))", "d.copy_to_host(np.zeros(8))", "d.copy_to_host(np.zeros(7, np.float32))", "d.copy_to_host(np.zeros((2, 4), np.float32))",
      "d.copy_to_host(np.zeros(16, np.float32)[::2])", "d.copy_to_host(readonly)", "d.copy_to_host([0] * 8)", "d.copy_to_host(stream=cuda.stream())", "d.copy_to_host(stream=3)",
      "d[::2].copy_to_host()", "d[::2].copy_to_host(np.zeros(4, np.float32))", "d[:0].copy_to_host()", "d[::-1].copy_to_host()", "d.copy_to_host(5)", "d.copy_to_host(None)", "d.copy_to_host(ary=np.zeros((1, 8), np.float32))")
def copy_to_host(expression):
    readonly = np.zeros(8, np.float32)
    readonly.flags.writeable = False
    return eval(expression, {"d": cuda.to_device(_arange(8)), "np": np, "cuda": cuda, "readonly": readonly})


@each("a", "a.astype(np.float64)", "a[:7]", "a.reshape(2, 4)", "a[::-1]", "np.repeat(a, 2)[::2]", "cuda.to_device(a + 1)", "cuda.to_device(np.repeat(a, 2))[::2]", "5", "[1] * 8", "np.float32(3)", "a[:0]",
      "np.broadcast_to(np.float32(2), (8,))", "None")
def copy_to_device(expression):
    a = _arange(8)
    d = cuda.device_array(8, np.float32)
    result = d.copy_to_device(eval(expression, {"a": a, "np": np, "cuda": cuda}))
    return result, d.copy_to_host()


@probe
def copy_to_a_strided_view():
    d = cuda.to_device(_arange(8))
    d[::2].copy_to_device(ones(4))
    return d.copy_to_host()


@probe
def copy_to_a_slice():
    d = cuda.to_device(_arange(8))
    d[2:6].copy_to_device(ones(4))
    return d.copy_to_host()


@each(3, 4, 8, 100, 0, -1, 2.5)
def split(section):
    return [part.copy_to_host() for part in cuda.to_device(_arange(8)).split(section)]


@probe
def split_a_matrix():
    return list(cuda.to_device(_arange(2, 4)).split(2))


@probe
def views_share_memory():
    d = cuda.to_device(_arange(8))
    double[1, 4](d[2:6])
    double_2d[1, (2, 4)](d.reshape(2, 4))
    return d.copy_to_host()


@probe
def a_strided_device_view_as_argument():
    d = cuda.to_device(_arange(8))
    double[1, 4](d[::2])
    m = cuda.to_device(_arange(3, 4))
    double[1, 3](m[:, 1])
    return d.copy_to_host(), m.copy_to_host()


@probe
def a_negative_stride_device_view_as_argument():
    d = cuda.to_device(_arange(8))
    out = cuda.to_device(np.zeros(8, np.float32))
    copy_into[1, 8](out, d[::-1])
    return out.copy_to_host()


@probe
def an_object_with_the_interface():
    class Wrapper:
        def __init__(self, array):
            self.array = array
            self.__cuda_array_interface__ = array.__cuda_array_interface__

    d = cuda.to_device(_arange(8))
    double[1, 8](Wrapper(d))
    seen = cuda.as_cuda_array(Wrapper(d))
    double[1, 8](seen)
    return d.copy_to_host(), cuda.is_cuda_array(Wrapper(d)), type(seen).__name__


@probe
def as_cuda_array_of_a_numpy_array():
    return cuda.as_cuda_array(ones())


@probe
def mapped_memory():
    a = cuda.mapped_array(8, np.float32)
    a[:] = 3
    double[1, 8](a)
    cuda.synchronize()
    return np.array(a)


@probe
def managed_memory():
    a = cuda.managed_array(8, np.float32)
    a[:] = 3
    double[1, 8](a)
    cuda.synchronize()
    return np.array(a)


@probe
def mapped_context():
    a = ones()
    with cuda.mapped(a) as d:
        double[1, 8](d)
        cuda.synchronize()
    return a, type(d).__name__


@probe
def pinned_context():
    a = ones()
    stream = cuda.stream()
    with cuda.pinned(a):
        d = cuda.to_device(a, stream=stream)
        double[1, 8, stream](d)
        d.copy_to_host(a, stream=stream)
        stream.synchronize()
    return a


@probe
def pinned_empty():
    with cuda.pinned(np.zeros(0)):
        return "inside"


@probe
def alignment_of_allocations():
    return [cuda.device_array(n, np.int8).device_ctypes_pointer.value % 256 for n in (1, 3, 100, 513)]


# -- streams and events


@each("cuda.stream()", "cuda.default_stream()", "cuda.legacy_default_stream()", "cuda.per_thread_default_stream()", "cuda.external_stream(0)", "cuda.external_stream('x')", "bool(cuda.stream())",
      "int(cuda.default_stream())", "cuda.stream().synchronize()", "cuda.default_stream().synchronize()", "cuda.synchronize()", "cuda.event()", "cuda.event().query()", "cuda.event(timing=False).query()",
      "cuda.event().synchronize()", "cuda.event().record()", "cuda.event().record(cuda.stream())", "cuda.event().record(5)", "cuda.event().wait()", "cuda.event().wait(cuda.stream())",
      "cuda.event().elapsed_time(cuda.event())", "cuda.current_context()", "cuda.event(3)", "cuda.stream().async_done()")
def stream(expression):
    return eval(expression, {"cuda": cuda})


@probe
def elapsed_time():
    start, end = cuda.event(), cuda.event()
    start.record()
    double[1, 8](cuda.to_device(ones()))
    end.record()
    end.synchronize()
    return cuda.event_elapsed_time(start, end) > 0, type(start.elapsed_time(end)).__name__, end.elapsed_time(start) < 0


@probe
def elapsed_time_without_timing():
    start, end = cuda.event(timing=False), cuda.event()
    start.record()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


@probe
def elapsed_time_without_record():
    start, end = cuda.event(), cuda.event()
    end.record()
    end.synchronize()
    return start.elapsed_time(end)


@probe
def auto_synchronize():
    s = cuda.stream()
    with s.auto_synchronize() as same:
        d = cuda.to_device(ones(), stream=s)
        double[1, 8, s](d)
        a = d.copy_to_host(stream=s)
    return a, same is s


@probe
def stream_callback():
    seen = []
    s = cuda.stream()
    s.add_callback(lambda stream, status, arg: seen.append((status, arg, stream is s)), "arg")
    s.synchronize()
    return seen


# -- the device


@each("cuda.is_available()", "cuda.cuda_error()", "len(cuda.gpus)", "cuda.gpus[0]", "cuda.gpus[1]", "cuda.gpus.current", "cuda.list_devices() is cuda.gpus", "cuda.select_device(0)", "cuda.select_device(7)",
      "cuda.get_current_device()", "cuda.get_current_device().id", "cuda.get_current_device().compute_capability", "cuda.get_current_device().WARP_SIZE", "cuda.get_current_device().nonsense",
      "cuda.get_current_device().supports_float16", "cuda.get_current_device().supports_bfloat16", "cuda.current_context().get_memory_info()._fields", "cuda.current_context().device.id",
      "cuda.runtime.get_version()[0] >= 12", "cuda.is_supported_version()", "cuda.is_float16_supported()", "cuda.is_bfloat16_supported()", "cuda.current_context() == cuda.current_context()",
      "cuda.profile_start()", "cuda.profile_stop()", "cuda.gpus[0].name == cuda.get_current_device().name", "cuda.get_current_device() == cuda.gpus[0]._device",
      "cuda.get_current_device().reset()", "[str(g) for g in cuda.gpus]", "cuda.current_context(0)", "cuda.get_current_device().uuid[:4]")
def device(expression):
    return eval(expression, {"cuda": cuda})


@probe
def device_as_a_context():
    with cuda.gpus[0]:
        d = cuda.to_device(ones())
        double[1, 8](d)
    return d.copy_to_host()


@probe
def defer_cleanup():
    with cuda.defer_cleanup():
        d = cuda.to_device(ones())
        del d
    with cuda.profiling():
        pass
    return "done"


@probe
def close_and_use_again():
    d = cuda.to_device(ones())
    cuda.close()
    a = ones()
    double[1, 8](a)
    del d
    return a


@probe
def use_after_close():
    d = cuda.to_device(ones())
    cuda.close()
    return d.copy_to_host()


@probe
def reduce_with_numba():
    total = cuda.reduce(lambda a, b: a + b)
    return total(np.arange(1000, dtype=np.float64)), total(cuda.to_device(np.arange(10, dtype=np.float64)))


@probe
def vectorize_with_numba():
    from numba import vectorize

    @vectorize(["float32(float32, float32)"], target="cuda")
    def add(a, b):
        return a + b

    return add(ones(), ones())


@probe
def random_states():
    from numba.cuda.random import create_xoroshiro128p_states

    states = create_xoroshiro128p_states(4, seed=1)
    return states.shape, states.copy_to_host()["s0"]

# -- asked later


@probe
def more_threads_than_the_launch_bounds():
    @cuda.jit(launch_bounds=4)
    def kernel(a):
        a[cuda.grid(1)] *= 2

    a = ones()
    kernel[1, 8](a)
    return a


@probe
def too_many_arguments_at_first():
    @cuda.jit
    def kernel(a):
        a[cuda.grid(1)] *= 2

    a = ones()
    kernel[1, 8](a, 3)
    return a


@probe
def a_default_argument_left_out():
    @cuda.jit
    def kernel(a, factor=3):
        a[cuda.grid(1)] *= factor

    a = ones()
    kernel[1, 8](a)
    return a


@each("list", "of", "signatures")
def no_signature_matches(word):
    kernel = eager(["void(float32[:], int32)", "void(float64[:], float64)"])
    out = {"list": np.zeros(1, np.int32), "of": np.zeros((1, 1), np.float32), "signatures": np.zeros(1, np.float32)}[word]
    kernel[1, 1](out, 2.5 if word == "signatures" else 3)
    return out


@probe
def an_exception_in_a_debug_kernel():
    @cuda.jit(debug=True, opt=False)
    def kernel(a):
        if cuda.grid(1) == 3:
            raise ValueError("three")

    kernel[1, 8](ones())


@probe
def an_exception_in_a_kernel():
    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        if i == 3:
            raise ValueError("three")
        a[i] = 5

    a = ones()
    kernel[1, 8](a)
    return a


@probe
def an_assertion_in_a_debug_kernel():
    @cuda.jit(debug=True, opt=False)
    def kernel(a):
        assert a[cuda.grid(1)] == 0

    kernel[1, 8](ones())


@probe
def an_index_error_in_a_debug_kernel():
    @cuda.jit(debug=True, opt=False)
    def kernel(a):
        a[cuda.grid(1) + 100] = 3

    kernel[1, 8](np.ones(1000, np.float32))


@probe
def a_division_by_zero_in_a_debug_kernel():
    @cuda.jit(debug=True, opt=False)
    def kernel(a, n):
        a[0] = 1 // n

    kernel[1, 1](np.ones(4, np.int32), 0)


@each(1, 64, 4096)
def grid_sync(blocks):
    @cuda.jit
    def kernel(a):
        grid = cuda.cg.this_grid()
        i = cuda.grid(1)
        a[i] = i
        grid.sync()
        a[i] += a[(i + 1) % a.size] * 0

    a = np.zeros(blocks * 256, np.float64)
    kernel[blocks, 256](a)
    return float(a[-1]), next(iter(kernel.overloads.values())).cooperative


@probe
def blocks_of_a_cooperative_grid():
    @cuda.jit
    def kernel(a):
        a[0] = 1

    kernel[1, 1](ones())
    compiled = next(iter(kernel.overloads.values()))
    return [compiled.max_cooperative_grid_blocks(threads) for threads in (32, 64, 256, 1024, (16, 16))]


@probe
def a_captured_numpy_array():
    table = np.arange(8, dtype=np.float32)

    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        a[i] = table[i]

    a = ones()
    kernel[1, 8](a)
    return a


@probe
def a_captured_device_array():
    table = cuda.to_device(np.arange(8, dtype=np.float32))

    @cuda.jit
    def kernel(a):
        i = cuda.grid(1)
        a[i] = table[i]

    a = ones()
    kernel[1, 8](a)
    return a


@probe
def writing_to_a_captured_device_array():
    table = cuda.to_device(np.arange(8, dtype=np.float32))

    @cuda.jit
    def kernel(a):
        table[cuda.grid(1)] = 5

    kernel[1, 8](ones())
    return table.copy_to_host()


@probe
def a_lambda_as_a_kernel():
    out = cuda.to_device(ones())
    cuda.jit(lambda a: None)[1, 8](out)
    return out.copy_to_host()


@probe
def a_configured_kernel_used_twice():
    configured = double[1, 8]
    d = cuda.to_device(ones())
    configured(d)
    configured(d)
    return d.copy_to_host()


@each("mapped_array", "managed_array", "pinned_array")
def a_slice_of(kind):
    a = getattr(cuda, kind)(8, np.float32)
    a[:] = 1
    double[1, 4](a[2:6])
    cuda.synchronize()
    return np.array(a)


@probe
def a_pinned_array_as_an_argument():
    a = cuda.pinned_array(8, np.float32)
    a[:] = 3
    double[1, 8](a)
    return a


@probe
def device_arrays_on_a_stream():
    stream = cuda.stream()
    d = cuda.to_device(ones(), stream=stream)
    d.setitem(1, 5, stream=stream)
    double[1, 8, stream](d)
    value = d.getitem(1, stream=stream)
    host = d.bind(stream).copy_to_host()
    stream.synchronize()
    return host, value


@each("np.copyto(d, np.zeros(8))", "np.add(d, 1)", "np.add(d, d)", "d.__array__()[:2]", "np.ascontiguousarray(d)", "np.zeros_like(d)", "np.array([d, d])",
      "np.dot(d, d)", "d.copy_to_host()[::2]", "np.testing.assert_allclose(d, d)", "np.allclose(d, d)", "np.add(np.ones(8), 1, out=d)")
def numpy_of_a_device_array(expression):
    return eval(expression, {"d": cuda.to_device(_arange(8)), "np": np})


@probe
def a_record_of_device_records():
    d = cuda.to_device(np.zeros(4, [("x", np.float32), ("y", np.int32)]))
    d[1]["x"] = 2.5
    record = d[1]
    return type(record).__name__, record["x"], d.copy_to_host()


@probe
def two_kernels_share_a_device_array():
    d, out = cuda.to_device(ones()), cuda.device_array(8, np.float32)
    double[1, 8](d)
    copy_into[1, 8](out, d)
    return out.copy_to_host()


@probe
def an_int_like_configuration():
    import operator

    class Eight:
        def __index__(self):
            return 8

    return operator.index(Eight()), _launch(1, Eight())


def attributes() -> dict[str, int]:
    """Every device attribute the driver tells, by name."""
    from cuda.bindings.driver import CUdevice_attribute

    prefix = "CU_DEVICE_ATTRIBUTE_"
    device, told = cuda.get_current_device(), {}
    for attribute in CUdevice_attribute:
        try:
            told[attribute.name.removeprefix(prefix)] = int(getattr(device, attribute.name.removeprefix(prefix)))
        except Exception as error:
            print(attribute.name, error, file=sys.stderr)
    return told


# -- answers as text


def answer(function: Callable[[], object]) -> str:
    with warnings.catch_warnings(record=True):
        warnings.simplefilter("always")
        try:
            return readable(function())
        except Exception as error:
            return f"{type(error).__name__}: {tidy(str(error))}"


def readable(value: object) -> str:
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{np.asarray(value).tolist()}"
    if isinstance(value, (tuple, list)):
        return "(" + ", ".join(readable(part) for part in value) + ")"
    return tidy(repr(value))


def tidy(text: str) -> str:
    """Without addresses, colours, paths and line numbers."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)
    text = re.sub(r"0x[0-9a-fA-F]+|\b\d{9,}\b", "ADDRESS", text)
    text = re.sub(r'("|\()?/\S*/(\w+\.py)"?', r"\2", text)
    text = re.sub(r"\(\d+\)", "(LINE)", re.sub(r"line \d+", "line LINE", text))
    return text[:600]


def answer_each(names: list[str]) -> None:
    """Print one JSON line per probe; stop after one that leaves the device unusable."""
    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0
    for name in names:
        text = answer(PROBES[name])
        print(json.dumps([name, text]), flush=True)
        if answer(_still_well) != "16.0":
            print(json.dumps([name, f"{text}, and then nothing works"]), flush=True)
            return


def _still_well() -> object:
    a = ones()
    double[1, 8](a)
    cuda.synchronize()
    return float(a.sum())


def ask_all() -> dict[str, str]:
    """Every answer; what comes after a crash, a hang or a lost device is asked in a fresh process."""
    told: dict[str, str] = {}
    while left := [name for name in PROBES if name not in told]:
        process = subprocess.Popen([sys.executable, __file__, *left], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        watch = threading.Timer(300, process.kill)
        watch.start()
        for line in process.stdout:
            with contextlib.suppress(ValueError):  # a probe that prints
                name, text = json.loads(line)
                told[name] = text
        status = process.wait()
        watch.cancel()
        if status and (rest := [name for name in left if name not in told]):
            told[rest[0]] = f"the process ended with status {status}"
    return told


if __name__ == "__main__":
    if sys.argv[1:]:
        answer_each(sys.argv[1:])
    else:
        versions = {name: version(name) for name in ("numpy", "numba", "numba-cuda", "cuda-core")}
        json.dump({"versions": versions, "answers": ask_all(), "attributes": attributes()}, sys.stdout, indent=1)
