"""Rows, folding and fitting: the shapes under every page."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from rich.text import Text

from gpulab.views import code, figures, prose
from gpulab.views.fit import EXPLAINS, PICTURE, STRETCH, Part, fit, space
from gpulab.views.glyphs import ASCII, ascii_rows, to_ascii
from gpulab.views.look import look
from gpulab.views.rows import apart, columns, fold, heading, padded, row


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab /漢é\n", max_size=120), st.integers(2, 30))
def test_folding_keeps_every_letter_and_no_row_is_too_wide(text, width):
    rows = fold(Text(text), width)
    assert all(line.cell_len <= width for line in rows)
    kept = "".join("".join(line.plain.split()) for line in rows)
    assert kept == "".join(text.split())


def test_a_path_folds_at_its_slashes():
    folded = [line.plain for line in fold(Text("/home/ada/gpulab-work/x.py"), 12)]
    assert folded == ["/home/ada/", "gpulab-work/", "x.py"]


def test_code_within_a_sentence_is_never_torn():
    rows = prose.prose("A block needs `a[i - 2]` now", 18, look())
    assert [line.plain for line in rows] == ["A block needs", "a[i - 2] now"]


def test_padded_fills_and_cuts():
    assert padded(row("abc"), 5).plain == "abc  "
    assert padded(row("abcdef"), 5).plain == "abcd…"


def test_apart_keeps_the_right_and_cuts_the_left():
    assert apart(row("left"), row("right"), 12).plain == "left  right "
    assert apart(row("a long left"), row("right"), 12).plain.endswith("right ")


def test_rules_meet_the_border_between_columns():
    lk = look()
    rows = columns([heading("a", 10, lk), row("x"), row("y")], [row("p"), heading("b", 9, lk), row("q")], 10, 20, lk)
    assert [line.plain[10] for line in rows] == ["┐", "├", "│"]


def test_blank_rows_go_first_then_explanations_then_pictures():
    parts = [Part([row("must")]), space(), Part([row("why")], EXPLAINS), Part([row("picture")], PICTURE), space()]
    assert [line.plain for line in fit(parts, 3)] == ["must", "why", "picture"]
    assert [line.plain for line in fit(parts, 2)] == ["must", "picture"]
    assert [line.plain for line in fit(parts, 1)] == ["must"]
    assert [line.plain for line in fit(parts, 0)] == ["must"]


def test_a_stretching_part_takes_what_is_left():
    assert [line.plain for line in fit([Part([row("a")]), STRETCH, Part([row("z")])], 4)] == ["a", "", "", "z"]


def test_every_ascii_stand_in_is_one_cell():
    assert all(len(stand_in) == 1 and stand_in.isascii() for stand_in in ASCII.values())


def test_a_wide_character_becomes_as_many_question_marks():
    assert to_ascii("漢a→") == "??a>"
    assert ascii_rows([row("漢a")])[0].plain == "??a"


def test_keywords_and_comments_are_muted_and_an_unfinished_file_is_still_read():
    lk = look()
    lines = code.highlighted("if x:  # why\n    y = (\n", lk)
    assert [line.plain for line in lines] == ["if x:  # why", "    y = ("]
    muted = [line.plain[span.start:span.end] for line in lines for span in line.spans if span.style == lk.muted]
    assert muted == ["if", "# why"]


def test_lines_far_apart_are_shown_with_a_gap():
    shown = code.lines_to_show([3, 40], 60, 8)
    assert 3 in shown and 40 in shown and len(shown) <= 8


@settings(max_examples=100, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False, width=32))
def test_numbers_are_never_absurdly_long(number):
    assert len(figures.value(number)) <= 12


def test_close_numbers_get_the_places_that_tell_them_apart():
    assert figures.values([1.0001, 1.0002], [(1.0001, 1.0002)]) == ["1.0001", "1.0002"]
    assert figures.difference(float("nan"), 1.0) == "nan"
    assert figures.difference(1.5, 1.0) == "+0.50"
    assert figures.difference(True, True) == "·"


def test_lists_and_drawings_keep_their_shape():
    rows = [line.plain for line in prose.prose("- one\n- two\n\n```\n a │ b\n   ╰\n```\n", 40, look())]
    assert rows == ["- one", "- two", "", " a │ b", "   ╰"]
