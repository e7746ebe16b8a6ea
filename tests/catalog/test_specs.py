"""spec.py: what is executed, how, and what is said when it is wrong."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from gpulab.catalog import CatalogError
from gpulab.catalog.budgets import SUMS, BudgetName
from gpulab.catalog.spec import Tolerance, summing
from gpulab.catalog.specs import cases_of, expected_of, load_spec
from gpulab.trace.counters import COUNTERS

SPEC = """\
import numpy as np
from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, empty, normal, one_thread_per, sizes, starting_as

TILE = 64


def cases(rng):
    for n in sizes(TILE):
        yield Case(a=normal(rng, n), out=empty(n), n=n)


def reference(a, n):
    return a.astype(np.float64) + 10


PUZZLE = NumbaPuzzle(
    kernel="f",
    args="out a n",
    launch=one_thread_per("out", TILE),
    budget=Budget(
        global_loads_per_output=1.04,
        idea="Load once."),
    bench=Bench(sizes={"n": 2**20}, make=lambda rng, n: None,
                bytes_moved=lambda n: 8 * n),
)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "shared" / "map-two" / "spec.py"
    file.parent.mkdir(parents=True)
    file.write_text(SPEC)
    return file


def refusal(path: Path, old: str, new: str) -> CatalogError:
    assert old in SPEC
    path.write_text(SPEC.replace(old, new, 1))
    with pytest.raises(CatalogError) as caught:
        load_spec(path)
    return caught.value


def test_a_spec_is_loaded_without_a_trace_on_the_path(path: Path) -> None:
    before = list(sys.path)
    spec = load_spec(path)
    assert spec.puzzle.parameters == ("out", "a", "n")
    assert sys.path == before
    assert "spec" not in sys.modules
    assert "_gpulab_spec_shared_map_two" in sys.modules


@pytest.mark.parametrize(("old", "new", "line", "said"), [
    ("def cases(rng):", "def cases(rng:", 7, "This is not Python"),
    ("TILE = 64", "TILE = 64 // 0", 4, "ZeroDivisionError"),
    ("TILE = 64", "import nosuchmodule", 4, "ModuleNotFoundError"),
    ("PUZZLE = NumbaPuzzle", "PUZLE = NumbaPuzzle", None, "There is no PUZZLE. End the file with"),
    ("def reference", "def referenz", None, "There is no reference."),
    ("def cases", "def case", None, "There is no cases."),
    ("def cases(rng)", "def cases()", 7, "cases takes one argument"),
    ('kernel="f",', "", 16, "Exactly one of kernel and host"),
    ('kernel="f",', 'kernel="f", host="g",', 16, "Exactly one of kernel and host"),
    ('    kernel="f"', '    host="f"', 19, "A host function chooses its own launch. Remove launch."),
    ('    launch=one_thread_per("out", TILE),\n', "", 17, "A kernel needs a launch"),
    ('"out a n"', '"out, a n"', 18, '"out," in args is no name'),
    ('"out a n"', '"out a a"', 18, "a name twice"),
    ('"out a n"', '""', 18, "args names no parameter"),
    ("global_loads_per_output=1.04", "global_load_per_output=1.04", 21, 'Did you mean "global_loads"?'),
    ("global_loads_per_output=1.04", "global_loads_per_outputs=1.04", 21, "per output, block, program, warp, thread"),
    ("global_loads_per_output=1.04", "global_loads_per_request=1.04", 21, "Per request stand sectors"),
    ("global_loads_per_output=1.04", "global_loads=True", 21, "must be a number"),
    ("global_loads_per_output=1.04,", "", 20, "The budget asks for nothing"),
    ("budget=Budget(", "budget=dict(", 20, "budget is no Budget"),
    ("    bench=Bench(", "    exempt={'tile+1': 'no'},\n    bench=Bench(", 23, 'Did you mean "tile + 1"?'),
    ("bytes_moved=lambda n", "bytes_moved=lambda m", 24, "bench.bytes_moved does not take the bench's sizes"),
    ("PUZZLE = NumbaPuzzle(", "PUZZLE = dict(", 16, "PUZZLE is a dict"),
    ("a=normal(rng, n), ", "", 7, "A case has out, n, but args says out a n. Add a."),
    ("a=normal(rng, n), ", "a=normal(rng, n), b=1, ", 7, "Remove b."),
    ("out=empty(n)", "out=n", 7, "A case has no output"),
    ("normal(rng, n)", "normal(rng, -n)", 9, "cases raised ValueError"),
    ("yield Case(a=normal(rng, n), out=empty(n), n=n)", "yield 3", 7, "cases yields a int"),
    ("for n in sizes(TILE)", "for n in ()", 7, "cases yields nothing"),
    ("return a.astype", "return b.astype", 13, "reference raised NameError"),
    ("return a.astype(np.float64) + 10", "return a[1:]", 12, "shape (0,), but the case's is (1,)"),
    ("return a.astype(np.float64) + 10", "return a, a", 12, "2 arrays for 1 outputs"),
    ("return a.astype(np.float64) + 10", "return {'o': a}", 12, "returns o. Return out"),
    ("def reference(a, n)", "def reference(a, m)", 12, "missing 1 required positional argument: 'm'"),
])
def test_a_malformed_spec_is_named_by_line(path: Path, old: str, new: str, line: int | None, said: str) -> None:
    error = refusal(path, old, new)
    assert said in str(error)
    assert (error.file, error.line) == (path, line)
    assert error.cure


def test_the_same_seed_gives_the_same_cases_and_another_seed_others(path: Path) -> None:
    spec = load_spec(path)
    first, again, other = (list(cases_of(spec, path, seed)) for seed in (71, 71, 72))
    for one, two, three in zip(first, again, other, strict=True):
        np.testing.assert_array_equal(one.args["a"], two.args["a"])
        assert not np.array_equal(one.args["a"], three.args["a"])


def test_a_case_does_not_change_when_an_earlier_one_draws_more(path: Path) -> None:
    before = list(cases_of(load_spec(path), path, 71))
    more = "    normal(rng, 5)\n    yield Case(a=normal(rng, 9), out=empty(9), n=9)\n    for n in"
    path.write_text(SPEC.replace("    for n in", more).replace("sizes(TILE)", "sizes(TILE)[1:]"))
    after = list(cases_of(load_spec(path), path, 71))
    np.testing.assert_array_equal(before[3].args["a"], after[3].args["a"])


def test_the_reference_gets_what_it_names_and_copies_only(path: Path) -> None:
    path.write_text(SPEC.replace("def reference(a, n):\n    return a.astype(np.float64) + 10",
                                 "def reference(a):\n    a += 10\n    return {'out': a}"))
    spec = load_spec(path)
    case = next(cases_of(spec, path, 1))
    kept = case.args["a"].copy()
    np.testing.assert_array_equal(expected_of(spec, path, case)["out"], kept + 10)
    np.testing.assert_array_equal(case.args["a"], kept)


def test_the_reference_of_an_update_gets_what_the_output_starts_as(path: Path) -> None:
    path.write_text(SPEC.replace("out=empty(n)", "out=starting_as(np.arange(n))").replace(
        "def reference(a, n):\n    return a.astype(np.float64) + 10", "def reference(out, a):\n    return out + a"))
    spec = load_spec(path)
    case = next(cases_of(spec, path, 1))
    np.testing.assert_array_equal(expected_of(spec, path, case)["out"], case.args["a"])


def test_several_outputs_come_as_a_tuple_in_the_order_of_the_arguments(path: Path) -> None:
    path.write_text(SPEC.replace('"out a n"', '"low a high n"').replace("out=empty(n)", "high=empty(n), low=empty(n)")
                    .replace("a.astype(np.float64) + 10", "a - 1, a + 1").replace('"out", TILE', '"low", TILE'))
    spec = load_spec(path)
    case = next(cases_of(spec, path, 1))
    found = expected_of(spec, path, case)
    np.testing.assert_array_equal(found["low"] + 2, found["high"])


@pytest.mark.parametrize(("name", "words"), [
    ("global_loads_per_output", "global loads per output"), ("barriers_per_block", "barriers per block"),
    ("atomics", "atomics"), ("global_load_sectors_per_request", "global load sectors per request"),
    ("bank_conflicts", "bank conflicts"), ("global_bytes_per_output", "global bytes per output"),
])
def test_a_budget_name_reads_as_words(name: str, words: str) -> None:
    assert BudgetName.parse(name).words == words


def test_a_budget_can_name_every_counter_and_every_sum() -> None:
    for name in (*COUNTERS, *SUMS):
        assert BudgetName.parse(name).parts == SUMS.get(name, (name,))
        assert set(BudgetName.parse(name).parts) <= set(COUNTERS)


@pytest.mark.parametrize(("name", "requests"), [
    ("global_load_sectors", ("global_load_requests",)), ("global_store_bytes", ("global_store_requests",)),
    ("shared_store_bank_conflicts", ("shared_store_requests",)), ("global_load_requests", ()), ("barriers", ()),
    ("bank_conflicts", ("shared_load_requests", "shared_store_requests")), ("flops", ()), ("atomics", ()),
])
def test_what_a_request_has_is_counted_per_request(name: str, requests: tuple[str, ...]) -> None:
    assert BudgetName.parse(name).requests == requests
    if requests:
        assert BudgetName.parse(f"{name}_per_request").words.endswith(" per request")
    else:
        with pytest.raises(ValueError, match="Per request stand sectors"):
            BudgetName.parse(f"{name}_per_request")


@pytest.mark.parametrize(("name", "said"), [
    ("global_laods_per_output", 'Did you mean "global_loads"? Known are: global_loads, global_stores, '),
    ("zzz", "Known are: global_loads, global_stores, "),
    ("global_loads_per_moon", "A counter can stand per output, block, program, warp, thread, request or atomic."),
    ("active_lanes_percent_per_output", "active_lanes_percent is a share already and stands alone."),
    ("barriers_per_atomic", "Only atomic_conflicts are counted per atomic."),
])
def test_a_malformed_budget_name_is_told_the_names_there_are(name: str, said: str) -> None:
    with pytest.raises(ValueError) as refused:
        BudgetName.parse(name)
    assert str(refused.value).startswith(said)
    if "Known" in said:
        assert all(known in str(refused.value) for known in (*COUNTERS, *SUMS))


def test_the_tolerance_of_a_sum_holds_for_float32_sums() -> None:
    rng = np.random.default_rng(5)
    for n in (3, 100, 1000, 30_000):
        values = rng.standard_normal((40, n), np.float32)
        exact = values.astype(np.float64).sum(axis=1)
        running = np.cumsum(values, axis=1, dtype=np.float32)[:, -1]
        allowed: Tolerance = summing("n")({"n": n})
        assert (np.abs(running - exact) <= allowed.absolute + allowed.relative * np.abs(exact)).all(), n
