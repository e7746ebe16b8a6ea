"""Rules for puzzles whose file launches its own kernels: the work must be done by them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gpulab.catalog.spec import Case
from gpulab.judge import sentences
from gpulab.judge.faults import Fault
from gpulab.judge.session import CaseRun, HostRecord
from gpulab.trace.counters import Count


def launches_of(run: CaseRun) -> int:
    """How many kernels the learner's code launched; what numba-cuda runs for itself (`d[1:5] = x`) does not count."""
    sites = run.host.sites if run.host else []
    return len([site for site in sites if not site.library]) if sites else len(run.runs)


def broken_rules(case: Case, run: CaseRun) -> Iterator[Fault]:
    """The rules that this run of a host function breaks."""
    host = run.host or HostRecord()
    own = [site for site in host.sites if not site.library]
    launched = launches_of(run)
    if case.launches is not None and launched > case.launches:
        where = own[case.launches].line if len(own) > case.launches else None
        yield Fault("not allowed", words=sentences.too_many_launches(launched, case.launches), line=where)
    if case.elements and not launched:
        yield Fault("not allowed", words=sentences.no_launch())
    elif case.elements:
        yield from _too_few_stores(case, run)
    yield from _detour(host)
    if host.tampered:
        yield Fault("not allowed", words=sentences.tampered())


def _too_few_stores(case: Case, run: CaseRun) -> Iterator[Fault]:
    """Every element needs a store or an atomic of some kernel; fewer means that the host filled in the rest."""
    fresh = {name: output for name, output in case.outputs.items() if output.initial is None}
    narrowest = min((output.dtype.itemsize for output in fresh.values()), default=1)
    stores = sum(_elements_stored(one.counters.totals, narrowest) for one in run.runs)
    untouched = [name for name in fresh if name in run.arrays]
    elements = case.elements if len(fresh) == len(case.outputs) else 0
    if elements > stores and untouched and _filled(case, run):
        yield Fault("not allowed", words=sentences.too_few_stores(untouched[0], elements, stores))


def _elements_stored(totals: Mapping[str, Count], width: int) -> int:
    """The most elements of `width` bytes that a launch can have written: a word of a view is several of them."""
    stores = max(totals.get("global_stores", 0), totals.get("global_store_bytes_asked", 0) // width)
    return int(stores + totals.get("atomics", 0))


def _filled(case: Case, run: CaseRun) -> bool:
    """Whether no output still holds poison, which is another fault."""
    from gpulab.judge import poison

    return not any(poison.untouched(run.arrays[name].view(), 0).any() for name in case.outputs if name in run.arrays)


FEW_BYTES = 32
"""What may pass both ways between host and device: a flag, a total or two. More is work done by the host."""

_TO_HOST = ("to host", "visible")
_TO_DEVICE = ("to device", "shared", "captured", "argument", "library")


def _detour(host: HostRecord) -> Iterator[Fault]:
    """Values that the host has read, then new values from the host: what lies between was computed there.

    Only what is new to the other side counts, so printing a copy, sending it back unchanged, zeros, and arrays
    that were there before the call are no detour.
    """
    read = sent = 0
    fetched = None
    for transfer in host.transfers:
        if transfer.kind in _TO_HOST and transfer.new_bytes:
            read += transfer.new_bytes
            fetched = fetched or transfer
        if transfer.kind in _TO_DEVICE and read > FEW_BYTES and fetched is not None:
            sent += transfer.new_bytes
            if sent > FEW_BYTES:
                yield Fault("not allowed", words=sentences.detour(transfer, fetched),
                            line=transfer.line or fetched.line)
                return
