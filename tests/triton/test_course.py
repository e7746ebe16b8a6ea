"""Kernels of the kinds that the course asks for: right here, without fault, and taken by Triton's front end."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

from gpulab.engines.triton.compiling import compile_front
from gpulab.engines.triton.launching import launch
from gpulab.trace import Run
from tests.triton import course

RNG = np.random.default_rng(11)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


def sound(kernel: Any, grid: tuple[int, ...], /, **arguments: Any) -> Run:
    """Compiled by the front end, run, and no fault found."""
    compile_front(kernel, arguments)
    run = launch(kernel, grid, arguments)
    assert not run.findings, run.findings
    return run


@pytest.mark.parametrize(("kernel", "form"), [(course.gelu, "tanh"), (course.exact_gelu, "none")])
def test_gelu(kernel: Any, form: str) -> None:
    x, out = normal(200), np.zeros(200, np.float32)
    sound(kernel, (4,), out=out, x=x, n=200, BLOCK=64)
    assert np.allclose(out, torch.nn.functional.gelu(torch.from_numpy(x), approximate=form).numpy(), atol=1e-6)


def test_seeded_dropout_keeps_what_the_seed_says() -> None:
    x, out, again = normal(4000), np.zeros(4000, np.float32), np.zeros(4000, np.float32)
    for target in (out, again):
        sound(course.dropout, (63,), out=target, x=x, n=4000, p=0.25, seed=123, BLOCK=64)
    kept = out != 0
    assert np.array_equal(out, again) and abs(kept.mean() - 0.75) < 0.03
    assert np.allclose(out[kept], x[kept] / 0.75, rtol=1e-6)


def test_outer_sum() -> None:
    x, y, out = normal(45), normal(37), np.zeros((45, 37), np.float32)
    run = sound(course.outer, (3, 3), out=out, x=x, y=y, rows=45, columns=37, M=16, N=16)
    assert np.array_equal(out, x[:, None] + y[None, :]) and run.blocks == (3, 3, 1)


def test_online_softmax_of_long_rows() -> None:
    x, out = normal(3, 1000) * 50, np.zeros((3, 1000), np.float32)
    sound(course.online_softmax, (3,), out=out, x=x, n=1000, BLOCK=128)
    assert np.allclose(out, torch.softmax(torch.from_numpy(x), 1).numpy(), atol=1e-6)


def test_layer_norm_of_a_mean_far_from_zero() -> None:
    x, weight, bias, out = normal(4, 100) + 100, normal(100), normal(100), np.zeros((4, 100), np.float32)
    sound(course.layer_norm, (4,), out=out, x=x, weight=weight, bias=bias, n=100, eps=1e-5, BLOCK=128)
    exact = torch.nn.functional.layer_norm(*(torch.from_numpy(value).double() for value in (x,)), (100,),
                                           torch.from_numpy(weight).double(), torch.from_numpy(bias).double())
    assert np.allclose(out, exact.numpy(), atol=1e-4)


def test_cross_entropy_with_its_gradient_in_place() -> None:
    logits, loss = normal(5, 77), np.zeros(5, np.float32)
    targets = RNG.integers(0, 77, 5)
    given = torch.from_numpy(logits.copy()).double().requires_grad_()
    exact = torch.nn.functional.cross_entropy(given, torch.from_numpy(targets), reduction="none")
    exact.sum().backward()
    sound(course.cross_entropy, (5,), loss=loss, logits=logits, targets=targets, classes=77, BLOCK=128)
    assert np.allclose(loss, exact.detach().numpy(), atol=1e-5) and given.grad is not None
    assert np.allclose(logits, given.grad.numpy(), atol=1e-6)


def test_an_embeddings_gradient_is_scattered_by_atomics() -> None:
    tokens, rows, gradient = RNG.integers(0, 4, 50).astype(np.int32), normal(50, 20), np.zeros((4, 20), np.float32)
    sound(course.embedding_gradient, (50,), gradient=gradient, rows=rows, tokens=tokens, width=20, BLOCK=32)
    exact = np.zeros((4, 20))
    np.add.at(exact, tokens, rows)
    assert np.allclose(gradient, exact, atol=1e-5)


def test_a_grouped_product_in_half_precision() -> None:
    a, b = normal(70, 45).astype(np.float16), normal(45, 50).astype(np.float16)
    out = np.zeros((70, 50), np.float16)
    run = sound(course.grouped_matmul, (5 * 4,), out=out, a=a, b=b, rows=70, columns=50, depth=45, stride_am=45,
                stride_bk=50, M=16, N=16, K=16, GROUP=2)
    exact = a.astype(np.float64) @ b.astype(np.float64)
    assert np.allclose(out, exact, rtol=2e-3, atol=2e-2)
    assert run.counters.totals["dot_flops"] == 20 * 3 * 2 * 16**3


def test_persistent_programs_take_the_tiles_in_turn() -> None:
    x, out = normal(7 * 32), np.zeros(7 * 32, np.float32)
    run = sound(course.persistent, (3,), out=out, x=x, tiles=7, PROGRAMS=3, BLOCK=32)
    assert np.array_equal(out, 2 * x) and run.counters.totals["loop_trips"] == 7


def test_a_convolution_with_loops_that_are_unrolled() -> None:
    x, kernel, out = normal(20, 30), normal(3, 3), np.zeros((20, 30), np.float32)
    sound(course.convolution, (3, 2), out=out, x=x, kernel=kernel, height=20, width=30, SIZE=3, H=8, W=16)
    padded = np.pad(x, ((0, 2), (0, 2))).astype(np.float64)
    exact = sum(kernel[i, j] * padded[i:i + 20, j:j + 30] for i in range(3) for j in range(3))
    assert np.allclose(out, exact, atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_attention_of_a_ragged_length(causal: bool) -> None:
    q, k, v = (normal(75, 16) for _ in range(3))
    out = np.zeros((75, 16), np.float32)
    sound(course.attention, (3,), out=out, q=q, k=k, v=v, length=75, scale=0.25, CAUSAL=causal, HEAD=16, M=32, N=16)
    scores = q.astype(np.float64) @ k.T.astype(np.float64) * 0.25
    if causal:
        scores[np.triu_indices(75, 1)] = -math.inf
    weights = np.exp(scores - scores.max(1, keepdims=True))
    assert np.allclose(out, weights / weights.sum(1, keepdims=True) @ v, atol=1e-5)
