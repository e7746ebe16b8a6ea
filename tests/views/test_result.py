"""What the result of a check says, for every verdict, at every width."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from gpulab.judge.report import VERDICTS, BudgetLine, EngineResult, Report
from gpulab.trace.model import Site
from gpulab.views import result
from gpulab.views.look import look
from gpulab.views.result import Shown
from gpulab.views.solved import Solved
from tests.views import reports, timings
from tests.views.catalogs import AFTER_TEXT, catalog

POOLING = catalog(Path("/nowhere")).tracks[1].puzzles[1]

SIZES = [(60, 17), (80, 21), (100, 27), (120, 37), (160, 47)]
MAKERS = list(reports.ALL.values())


def text(report: Report, width: int = 80, height: int | None = 21, **more: object) -> list[str]:
    shown = Shown(report, **more)  # type: ignore[arg-type]
    return [row.plain for row in result.page(shown, width, height, look()).rows]


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
@pytest.mark.parametrize(("width", "height"), SIZES)
def test_no_row_is_wider_than_the_screen(make, width, height):
    solved = Solved(AFTER_TEXT, reports.REFERENCE) if make().passed else None
    for row in result.page(Shown(make(), solved=solved), width, height, look()).rows:
        assert row.cell_len <= width, row.plain


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
@pytest.mark.parametrize("width", [80, 120])
def test_the_diagnosis_is_in_the_first_two_rows(make, width):
    report = make()
    word = "SOLVED" if report.passed else report.verdict.upper()
    page = result.page(Shown(report), width, 21 if width == 80 else 37, look())
    assert len(page.band) <= 2
    assert page.band[0].plain.startswith(f"▌ {word}   ")


@pytest.mark.parametrize("make", [make for make in MAKERS if not make().passed], ids=lambda make: make.__name__)
@pytest.mark.parametrize(("width", "height"), [(80, 21), (120, 37)])
def test_the_page_of_a_failed_check_fits_the_screen_and_ends_with_next(make, width, height):
    lines = text(make(), width, height)
    assert len(lines) <= height
    assert any("Next  " in line for line in lines[-6:])


@pytest.mark.parametrize("make", MAKERS, ids=lambda make: make.__name__)
def test_the_whole_message_and_detail_can_be_read(make):
    report = make()
    words = " ".join(" ".join(text(report)).replace("▌", " ").split())
    if report.diagnosis is not None:
        for sentence in (report.diagnosis.message, report.diagnosis.detail):
            assert " ".join(sentence.split()) in words


def test_every_verdict_of_a_numba_puzzle_has_a_report_here():
    seen = {make().verdict for make in MAKERS}
    assert set(VERDICTS) - seen == {"deadlock", "input modified", "not allowed"}


@pytest.mark.parametrize("verdict", VERDICTS)
def test_any_verdict_is_drawn_even_without_a_diagnosis(verdict):
    bare = Report("shared/pooling", "/x/pooling.py", verdict, replace(reports.race().stars, correct=False), seed=1)
    for width in (80, 120):
        assert text(bare, width, None)


def test_a_race_names_both_lines_and_both_threads():
    lines = text(reports.race())
    assert any(line.startswith(" 13 │") and line.rstrip().endswith("◀ thread 31 writes [33]") for line in lines)
    assert any(line.startswith(" 17 │") and line.rstrip().endswith("◀ thread 32 reads [33]") for line in lines)


def test_a_race_shows_two_orders_with_two_answers():
    lines = text(reports.race())
    first = next(line for line in lines if line.startswith("  warp 0 first"))
    second = next(line for line in lines if line.startswith("  warp 1 first"))
    assert first.index("writes tile[33]") < first.index("reads tile[33]") and first.rstrip().endswith("0.75 right")
    assert second.index("reads tile[33]") < second.index("writes tile[33]") and second.rstrip().endswith("nan wrong")


def test_a_race_says_that_the_numbers_were_right_by_luck():
    assert any("right, by luck of order" in line for line in text(reports.race()))


def test_a_race_on_one_line_names_both_threads_below_it():
    lines = text(reports.race_of_blocks())
    place = next(n for n, line in enumerate(lines) if line.startswith(" 13 │"))
    assert "▲ thread 3 of block 1 writes counts[7]" in lines[place + 1]
    assert "▲ thread 9 of block 0 reads counts[7]" in lines[place + 2]


def test_on_80x24_sizes_go_before_explanations_and_marks_stars_and_next_stay():
    """Three rows of sizes for three dimensions once took the place of the marks."""
    report = reports.wrong_matrix()
    found = [replace(case, sizes={**case.sizes, "depth": 3}) for case in report.engines["sim"].cases]
    deep = replace(report, engines={"sim": replace(report.engines["sim"], cases=found)})
    lines = text(deep)
    starts = [line.split()[0] for line in lines if line.split()]
    assert "depth" not in starts and "numbers" in starts and len(lines) == 21
    assert any("was written by thread" in line for line in lines)
    assert "☆ correct" in lines[-2] and lines[-1].startswith("  Next")
    assert "depth" in [line.split()[0] for line in text(deep, 80, 40) if line.split()]


def test_the_cases_say_that_all_fail_and_name_no_elements_of_what_never_ran():
    report = reports.uninitialised()
    assert any(line.rstrip().endswith("all fail") for line in text(report) if line.startswith("  numbers"))
    broken = [replace(case, verdict="does not compile" if not place else "not run", wrong=0 if place else 1)
              for place, case in enumerate(reports.cases())]
    stopped = replace(reports.does_not_compile(), engines={"sim": EngineResult("does not compile", broken)})
    numbers = next(line for line in text(stopped) if line.startswith("  numbers"))
    assert numbers.split() == ["numbers", "×", *"○" * 7]
    many = reports.cases("wrong answer", dict.fromkeys(reports.SIZES[3:], 2), reports.SIZES[3:])
    wrong = replace(reports.wrong_answer(), engines={"sim": EngineResult("wrong answer", many)})
    assert any(line.rstrip().endswith("5 of 8 fail") for line in text(wrong))


def test_numbas_list_of_what_it_tried_is_folded_away():
    report = reports.does_not_compile()
    said = ("No implementation of function Function(<built-in function add>) found for signature:\n"
            " >>> add(Literal[str](x), float32)\nThere are 28 candidate implementations:\n"
            " - Of which 22 did not match due to:\n Overload of function 'add': File: <numerous>: Line N/A.\n")
    words = "\n".join(text(replace(report, diagnosis=replace(report.diagnosis, traceback=said)), 80, None))
    assert "add(Literal[str](x), float32)" in words and "--json has it" in words
    assert "Overload" not in words and "candidate" not in words


@pytest.mark.parametrize(("code", "marks"), [("    out[i] = -a[i", "               ^"),
                                             ("            if i = n:", "               ^^^^^"),
                                             ("x = $", "    ^")])
def test_what_python_underlines_stays_underlined(code, marks):
    report = reports.does_not_compile()
    said = f'  File "pooling.py", line 7\n{code}\n{marks}\nSyntaxError: invalid syntax\n'
    shown = text(replace(report, diagnosis=replace(report.diagnosis, traceback=said)), 80, None)
    place = next(place for place, line in enumerate(shown) if line.strip() == code.strip())
    drawn, lines = shown[place + 1], shown[place]
    marked = code[marks.index("^"):len(marks)]
    assert drawn.strip() == marks.strip() and lines[drawn.index("^"):len(drawn.rstrip())] == marked


def test_what_nobody_wrote_is_off_by_nothing():
    report = reports.wrong_answer()
    assert "  off by " in "\n".join(text(report))
    shown = report.diagnosis.mismatch
    window = [replace(cell, got="not written") if cell.wrong else cell for cell in shown.window]
    unwritten = replace(report.diagnosis, mismatch=replace(shown, window=window))
    words = "\n".join(text(replace(report, diagnosis=unwritten)))
    assert "not written" in words and "  off by " not in words


def test_a_puzzle_without_a_third_star_shows_two_when_solved():
    two = replace(POOLING, stars=replace(POOLING.stars, fast=None))
    assert text(reports.passed(), puzzle=two)[0].startswith("▌ SOLVED   ★★  All eight")
    assert not any("fast" in line for line in text(reports.race(), puzzle=two))


def test_next_after_solving_is_never_cut():
    long = replace(POOLING, summary="Subtract b from a, element by element, a thread for each, and more than fits.")
    for width in (60, 80, 100):
        foot = text(reports.passed(), width, puzzle=POOLING,
                    solved=Solved(AFTER_TEXT, reports.REFERENCE, next=long))[-1]
        assert "shared / pooling" in foot and "…" not in foot and foot.rstrip().endswith("n go on")


def test_a_wrong_answer_shows_expected_got_and_off_by_around_the_element():
    lines = text(reports.wrong_answer())
    by_label = {line.split()[0]: line for line in lines if line.split()}
    assert by_label["i"].split()[1:] == ["61", "62", "63", "│", "64", "65", "66", "67"] or "64" in by_label["i"]
    assert "-4.25" in by_label["expected"] and "-0.98" in by_label["got"]
    assert any(line.strip().startswith("off by") and "+3.27" in line and "+3.98" in line for line in lines)


def test_a_wrong_answer_draws_a_row_for_each_block_with_its_wrong_elements():
    lines = [line.rstrip() for line in text(reports.wrong_answer())]
    assert "  block 0  " + "·" * 64 in lines
    assert "  block 1  ██" + "·" * 62 in lines
    assert "  block 2  █" in lines


def test_a_wrong_answer_says_who_wrote_the_operands():
    lines = [line.rstrip() for line in text(reports.wrong_answer())]
    assert any(line.endswith("◀ wrote tile[0] and tile[1]") for line in lines)
    assert any(line.split() == ["from", "line", "15", "line", "15", "a[64],", "line", "13"] for line in lines)


def test_a_wrong_matrix_is_labelled_by_its_last_index_and_drawn_by_rows():
    lines = text(reports.wrong_matrix())
    assert any(line.startswith("  [0, j]") for line in lines)
    assert any(line.startswith("  row 0") and "█" in line for line in lines)


def test_numbers_that_differ_late_are_shown_with_enough_places():
    report = reports.wrong_answer()
    wrong = report.diagnosis.mismatch
    cells = [replace(cell, expected=1.00001, got=1.00002) if cell.wrong else cell for cell in wrong.window]
    close = replace(report, diagnosis=replace(report.diagnosis, mismatch=replace(wrong, window=cells)))
    lines = text(close)
    assert any("1.00001" in line for line in lines) and any("1.00002" in line for line in lines)


def test_cases_are_marked_under_their_sizes():
    lines = text(reports.wrong_answer())
    sizes = next(line for line in lines if line.split()[:3] == ["n", "1", "2"])
    marks = next(line for line in lines if line.startswith("  numbers"))
    for size, mark in zip(reports.SIZES, "●●●●●×××", strict=True):
        end = sizes.index(f" {size} ") + len(str(size)) if size != 1000 else sizes.index("1000") + 3
        assert marks[end] == mark


def test_more_cases_than_fit_go_on_in_further_rows():
    report = reports.wrong_matrix()
    many = [replace(case, sizes={"rows": 1000 + n, "columns": 2000 + n}) for n, case in
            enumerate(report.engines["sim"].cases * 6)]
    crowded = replace(report, engines={"sim": replace(report.engines["sim"], cases=many)})
    page = [line for line in text(crowded, 80, None) if line.startswith("  numbers")]
    assert len(page) > 1 and sum(line.count("●") + line.count("×") for line in page) == 36


def test_without_a_gpu_the_third_star_says_so_and_is_never_faked():
    lines = text(reports.race(), 120, 37)
    assert any("not measured: no GPU on this machine" in line for line in lines)
    lines = text(reports.race(), 120, 37, gpu=True)
    assert any("timed on the GPU once it is correct" in line for line in lines)


def test_threads_are_named_as_in_the_message():
    report = reports.race()
    square = replace(report.diagnosis, message="Thread (0, 2) and thread (0, 0) both write out[0, 0].",
                     thread=(0, 2, 0), other=replace(report.diagnosis.other, thread=(0, 0, 0)), access="writes",
                     outcomes=[])
    lines = text(replace(report, diagnosis=square))
    assert any("thread (0, 0) writes" in line for line in lines) and not any("thread 0 " in line for line in lines)


def test_a_barrier_names_who_waits_and_who_never_comes():
    report = reports.barrier_divergence()
    both = replace(report.diagnosis, thread=(2, 0, 0), other=Site(16, (0, 0, 0), (0, 0, 0)))
    lines = text(replace(report, diagnosis=both))
    assert any("thread 0 waits here" in line for line in lines)
    assert any("thread 2 never comes here" in line for line in lines)


def test_a_warp_level_call_names_who_is_left_out_of_the_mask():
    report = reports.barrier_divergence()
    message = "The mask of the shuffle leaves out thread 16, which takes part."
    alone = replace(report.diagnosis, message=message, thread=(16, 0, 0), other=None,
                    access="is here, but not in the mask")
    lines = text(replace(report, diagnosis=alone))
    assert any("thread 16 is here, but not in the mask" in line for line in lines)
    assert not any("never comes" in line for line in lines)


def test_a_long_name_stands_apart_from_the_picture_of_its_elements():
    report = reports.wrong_answer()
    flat = replace(report.diagnosis.mismatch, array="length", shape=(7,), row=None, wrong_cells=[0, 2])
    lines = [line.rstrip() for line in text(replace(report, diagnosis=replace(report.diagnosis, mismatch=flat)))]
    assert "  length  █·█····" in lines


def test_a_limit_from_below_is_said_so():
    lines = BudgetLine("shared_arrays", 0, 1, at_least=True)
    report = reports.over_budget()
    short = replace(report, engines={"sim": replace(report.engines["sim"], budget=[lines])})
    words = "\n".join(text(short, 120, 37))
    assert "at least 1" in words and "0 shared arrays" in words


def test_not_allowed_is_a_row_of_its_own():
    report = replace(reports.over_budget(), verdict="not allowed")
    cases = [replace(case, verdict="not allowed") for case in report.engines["sim"].cases]
    lines = text(replace(report, engines={"sim": replace(report.engines["sim"], verdict="not allowed", cases=cases)}))
    assert any(line.split() == ["allowed", *"×" * 8] for line in lines)


def test_over_budget_shows_the_figure_the_limit_and_the_line_that_costs_most():
    lines = text(reports.over_budget())
    assert any("3.00" in line and "at most 1.04" in line and "▲" in line for line in lines)
    assert any(line.startswith(" 11 │") and "33% of the" in line for line in lines)


def test_what_the_file_printed_is_shown_without_control_characters():
    noisy = replace(reports.raised(), output="one\n\x1b[2Jtwo\x07\n")
    words = "\n".join(text(noisy, 80, 40))
    assert "one" in words and "two" in words and "\x1b" not in words and "\x07" not in words


def test_solved_shows_yours_the_reference_and_what_was_asked():
    mine, theirs = reports.passed(), replace(reports.passed(), source=reports.REFERENCE)
    lines = text(mine, solved=Solved(AFTER_TEXT, reports.REFERENCE, of_reference=theirs))
    assert any(line.split() == ["yours", "reference", "asked"] for line in lines)
    assert any(line.split()[-3:] == ["1.03", "1.03", "1.04"] for line in lines)


def test_solved_shows_where_the_reference_differs_but_not_in_spacing():
    lines = text(reports.passed(), solved=Solved(AFTER_TEXT, reports.REFERENCE))
    assert any("the reference differs in one place" in line for line in lines)
    assert any("float32(0)" in line for line in lines)
    assert not any("tile[t + 1]" in line for line in lines)


def test_solved_with_the_reference_itself_says_it_is_the_same():
    mine = replace(reports.passed(), source=reports.REFERENCE)
    lines = text(mine, solved=Solved(AFTER_TEXT, reports.REFERENCE))
    assert any("line for line" in line for line in lines)


def test_ascii_has_no_other_characters_and_moves_nothing():
    for make in MAKERS:
        glyphs = result.page(Shown(make()), 80, 21, look()).rows
        plain = result.page(Shown(make()), 80, 21, look(ascii=True)).rows
        for a, b in zip(glyphs, plain, strict=True):
            assert b.plain.isascii(), b.plain
            assert a.cell_len == b.cell_len


@pytest.mark.parametrize("width", [80, 120])
def test_without_colour_only_bold_and_reverse_are_written(width):
    console = Console(width=width, force_terminal=True, color_system="truecolor", record=True, file=None, quiet=False)
    with console.capture() as capture:
        console.print(result.render(reports.race(), width=width, look=look("plain")))
    codes = {part.split("m")[0] for part in capture.get().split("\x1b[")[1:]}
    assert codes <= {"0", "1", "7", "1;7"}


def test_render_goes_through_a_pipe_as_plain_text():
    console = Console(width=80, force_terminal=False)
    with console.capture() as capture:
        console.print(result.render(reports.wrong_answer(), width=80, ascii=True))
    assert "\x1b" not in capture.get()
    assert "WRONG ANSWER   out[64] should be -4.25 and is -0.98." in capture.get()


def test_views_bring_in_neither_textual_nor_numpy():
    code = ("import sys\nfrom gpulab.views import brief, hints, home, result, source\n"
            "print([name for name in ('textual', 'numpy', 'numba', 'torch', 'triton') if name in sys.modules])")
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_a_size_is_never_parted_from_its_name_at_the_end_of_a_row():
    report = reports.race()
    deep = replace(report, diagnosis=replace(report.diagnosis, sizes={"m": 32, "n": 16, "k": 48}))
    for width in range(60, 100):
        lines = text(deep, width, None)
        assert not any(line.rstrip().endswith("=") for line in lines)
        assert not any("\u00a0" in line for line in lines)


def test_a_chosen_case_shows_its_sizes_seed_and_what_went_wrong_there():
    page = text(reports.wrong_answer(), case=6)
    at = next(place for place, row in enumerate(page) if row.startswith("▌ case 7 of 8"))
    assert page[at].split("  ")[1:4] == ["n = 129", "seed 71", "3 of 129 wrong"]
    assert page[at + 1].startswith("▌ out[64] should be -4.25 and is -0.98.")
    right = text(reports.wrong_answer(), case=0)
    assert any(row.startswith("▌ Right and sound.") for row in right)


def test_a_case_that_was_not_run_says_why():
    cut = reports.wrong_answer()
    cases = [replace(case, verdict="not run", wrong=0, message="") for case in cut.engines["sim"].cases]
    cut = replace(cut, engines={"sim": replace(cut.engines["sim"], cases=cases)})
    assert any("An earlier case ended the check." in row for row in text(cut, case=3))


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("case", [None, 0, 7])
def test_with_both_engines_every_row_fits(width, height, case):
    for made in (timings.passed(0.95), replace(reports.race(), engines={**reports.race().engines,
                                                                        "gpu": timings.passed().engines["gpu"]})):
        solved = Solved(AFTER_TEXT, reports.REFERENCE) if made.passed else None
        for row in result.page(Shown(made, POOLING, solved, case=case), width, height, look()).rows:
            assert row.cell_len <= width, row.plain


def test_simulator_and_gpu_stand_side_by_side():
    both = replace(reports.race(), engines={**reports.race().engines, "gpu": timings.passed().engines["gpu"]})
    page = text(both, 80, 30)
    numbers, gpu = (next(row for row in page if row.startswith(f"  {name}")) for name in ("sound", "on the GPU"))
    assert numbers.count("×") == 8 and gpu.count("●") == 8 and "a larger one too" in gpu
    assert "  on the GPU: passed" in next(row for row in text(both, 80, 30, case=2) if "case 3 of 8" in row)


def test_the_next_star_says_what_it_needs():
    page = " ".join(" ".join(text(reports.passed(), puzzle=POOLING)).split())
    assert "☆ fast: at least 80 % of this card's copy bandwidth (not measured: no GPU on this machine)" in page
    timed = text(timings.passed(0.95), puzzle=POOLING, solved=Solved(AFTER_TEXT, reports.REFERENCE))
    assert next(row for row in timed if "of the copy rate" in row).split()[-6:] == ["13", "%", "20", "%", "15", "%"]
    assert not any("☆ fast:" in row for row in timed)
