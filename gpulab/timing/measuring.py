"""What this machine's GPU can do, measured: in a process of its own, which prints a line of JSON for each figure."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from datetime import datetime
from typing import Any

from gpulab.timing.model import Summary, summary_of

COPY_BYTES = 1 << 30
"""Read and written again; less where the card has little free memory."""
SIDE = 4096
"""Of the matrices that are multiplied."""
RUNS = 25
WARM = 0.3
"""Seconds of runs before the first that counts: an idle card's clocks take long to rise (seen on an H200, where a few
milliseconds of runs left the multiply-adds at half of their rate)."""

_CHAINS = 8
"""As many as the kernel below has."""
_ROUNDS = 16384
_THREADS = 256
_BLOCKS_EACH = 16


def main() -> None:
    """Print what is measured as soon as it is."""
    say(when=datetime.now().astimezone().isoformat(timespec="seconds"))
    copied, size = copying()
    say(copy=2 * size / copied.median * 1000, spread=copied.spread)
    times, operations = multiply_adding()
    say(fma=operations / times.median * 1000)
    product = multiplying()
    if product is not None:
        say(matmul=2 * SIDE**3 / product.median * 1000)


def say(**facts: Any) -> None:
    print(json.dumps(facts), flush=True)


def timed(run: Callable[[], object]) -> Summary:
    """Milliseconds of one run, by CUDA events."""
    from numba import cuda

    begin, end = cuda.event(), cuda.event()

    def once() -> float:
        begin.record()
        run()
        end.record()
        end.synchronize()
        return float(cuda.event_elapsed_time(begin, end))

    return warmed(once)


def warmed(once: Callable[[], float]) -> Summary:
    """Run and time for as long as the card needs to wake up, then for good."""
    start = time.monotonic()
    while time.monotonic() - start < WARM:
        once()
    return summary_of([once() for _ in range(RUNS)])


def copying() -> tuple[Summary, int]:
    """A copy within the device, and how many bytes it copies."""
    from numba import cuda
    from numba.cuda.cudadrv.driver import device_to_device

    size = min(COPY_BYTES, int(cuda.current_context().get_memory_info()[0]) // 4)
    source, target = (cuda.device_array(size, "uint8") for _ in range(2))
    return timed(lambda: device_to_device(target.gpu_data, source.gpu_data, size)), size


def multiply_adding() -> tuple[Summary, float]:
    """Independent multiply-adds in registers on every multiprocessor, and how many operations those are."""
    from numba import cuda

    blocks = _BLOCKS_EACH * int(cuda.get_current_device().MULTIPROCESSOR_COUNT)
    out = cuda.device_array(blocks * _THREADS, "float32")
    kernel = _kernel()[blocks, _THREADS]
    return timed(lambda: kernel(out, 1.000001, 0.000001)), 2.0 * _CHAINS * _ROUNDS * blocks * _THREADS


def _kernel() -> Any:
    """Chains that do not wait for each other hide the cycles that each step takes."""
    from numba import cuda, float32

    @cuda.jit("void(float32[::1], float32, float32)")
    def steps(out, factor, term):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        a = b = c = d = e = f = g = h = float32(i)
        b += term
        c -= term
        d += factor
        e -= factor
        f *= factor
        g *= term
        h = -h
        for _ in range(16384):
            a = a * factor + term
            b = b * factor + term
            c = c * factor + term
            d = d * factor + term
            e = e * factor + term
            f = f * factor + term
            g = g * factor + term
            h = h * factor + term
        out[i] = a + b + c + d + e + f + g + h

    return steps


def multiplying() -> Summary | None:
    """torch's float32 matrix product with TF32 off; None where torch has no GPU."""
    try:
        import torch
    except Exception:  # a broken torch is no reason to know nothing
        return None
    if not torch.cuda.is_available():
        return None
    torch.backends.cuda.matmul.allow_tf32 = False
    a, b = (torch.randn(SIDE, SIDE, device="cuda") for _ in range(2))
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))

    def once() -> float:
        begin.record()
        torch.matmul(a, b)
        end.record()
        end.synchronize()
        return float(begin.elapsed_time(end))

    return warmed(once)
