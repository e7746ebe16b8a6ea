"""Brief, hints, source and Home as pages."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from gpulab.catalog.text import parse_hints
from gpulab.judge.report import Stars
from gpulab.views import brief, frame, hints, home, source
from gpulab.views.look import look
from gpulab.views.rows import row
from tests.views import reports
from tests.views.catalogs import HINTS, STATEMENT, catalog, standings

CATALOG = catalog(Path("/nowhere"))
POOLING = CATALOG.tracks[1].puzzles[1]
TODAY = date(2026, 11, 30)
HOME = home.Home(CATALOG, standings(), POOLING, hints_of_card=4, track=1, today=TODAY, folder="~/gpulab-work")


@pytest.fixture
def four_hints(tmp_path):
    (tmp_path / "hints.md").write_text(HINTS, "utf-8")
    return parse_hints(tmp_path / "hints.md")


def lines(page) -> list[str]:
    return [line.plain.rstrip() for line in page.rows]


def test_a_brief_of_a_screen_fits_a_screen():
    page = brief.page(brief.Brief(POOLING, STATEMENT, "~/gpulab-work/shared/pooling.py"), 80, 21, look())
    assert len(page.rows) == 21
    assert lines(page)[-1].startswith("  ☆ fast")


def test_a_brief_says_task_signature_launch_file_and_stars():
    words = "\n".join(lines(brief.page(brief.Brief(POOLING, STATEMENT, "~/w/pooling.py"), 80, 21, look())))
    for part in ("Sum each element", "pool(out, a, n)", "pool[blocks, 64]", "~/w/pooling.py", "(needed to pass)",
                 "(needs a GPU)", "numba  10 min"):
        assert part in words


def test_a_wide_brief_puts_the_drawing_beside_the_text_and_shows_the_starter():
    page = brief.page(brief.Brief(POOLING, STATEMENT, "f", reports.HEAD), 120, 37, look())
    drawing = next(line for line in lines(page) if "│ 3 │ 1 │" in line)
    assert drawing.index("│ 3 │ 1 │") > 40
    words = "\n".join(lines(page))
    assert "Starter" in words and "def pool(out, a, n):" in words


def test_a_drawings_notes_stand_below_it_where_they_do_not_fit_beside_it():
    page = lines(brief.page(brief.Brief(POOLING, STATEMENT), 60, None, look()))
    assert not any("…" in line for line in page)
    note = next(place for place, line in enumerate(page) if line.endswith("4 + 1 + 5 = 10"))
    assert page[note - 1].endswith("│17 │") and page[note].lstrip() == "4 + 1 + 5 = 10"


def test_the_legend_of_home_explains_what_can_be_seen():
    fresh = home.Home(CATALOG, {}, CATALOG.puzzles[0], today=TODAY)
    words = "\n".join(lines(home.page(fresh, 80, 22, look())))
    assert "· a puzzle to solve" in words and "▶ the next" in words and "▂" not in words
    ascii = "\n".join(lines(home.page(HOME, 80, 22, look(ascii=True))))
    assert "a digit is a puzzle, and its stars:  1 2 3 stars  . open" in ascii


def test_earned_stars_are_filled_in_the_brief():
    page = brief.page(brief.Brief(POOLING, STATEMENT, stars=Stars(True, False, None)), 80, 21, look())
    assert any(line.startswith("  ★ correct") for line in lines(page))
    assert any(line.startswith("  ☆ efficient") for line in lines(page))


def test_only_read_hints_are_shown_and_the_others_say_what_they_tell(four_hints):
    page = hints.page(hints.Hints(POOLING, four_hints, 1, report=reports.race()), 80, 21, look())
    words = "\n".join(lines(page))
    assert "Which cell, which threads?" in words and "Take tile[33]." in words
    assert "Who waits for whom?" not in words and "Nobody may add" not in words
    assert "Says what must hold before the first thread may read." in words
    assert "1 of 4 read" in words and "race, line 17 reads what line 13 writes" in words


def test_h_is_offered_for_the_next_hint_only(four_hints):
    page = hints.page(hints.Hints(POOLING, four_hints, 1), 80, 21, look())
    assert sum("h show it" in line for line in lines(page)) == 1
    assert next(line for line in lines(page) if "h show it" in line).startswith("  2  ")


def test_all_hints_are_open_once_solved(four_hints):
    words = "\n".join(lines(hints.page(hints.Hints(POOLING, four_hints, 0, solved=True), 80, None, look())))
    assert "Nearly the code" in words and "tile[t + 2] = a[i]" in words and "show it" not in words


def test_wide_hints_stand_beside_the_marked_source(four_hints):
    report = reports.race()
    page = hints.page(hints.Hints(POOLING, four_hints, 2, report=report, source=report.source), 120, 37, look())
    assert any("▲ thread 31 writes tile[33]" in line for line in lines(page))


def test_marks_vanish_from_a_file_that_has_changed():
    report = reports.race()
    same = source.page(source.Source("f.py", report.source, report), 80, look())
    assert any("▲ thread 31" in line for line in lines(same))
    changed = source.page(source.Source("f.py", report.source + "\n", report), 80, look())
    assert not any("▲" in line for line in lines(changed))
    assert "changed since the last check" in lines(changed)[0]


def test_long_lines_are_cut_at_the_edge_and_can_be_panned():
    text = "x = '" + "a" * 100 + "Z'\n"
    assert lines(source.page(source.Source("f.py", text), 80, look()))[2].endswith("…")
    assert lines(source.page(source.Source("f.py", text, pan=40), 80, look()))[2].endswith("Z'")


@pytest.mark.parametrize(("width", "height"), [(60, 18), (80, 22), (100, 28), (120, 38), (200, 58)])
@pytest.mark.parametrize("cursor", [None, 0, 9])
def test_home_fits_every_screen(width, height, cursor):
    trouble = ["The folder is on a disk that a stopped pod loses. Move it with gpulab export."]
    page = home.page(replace(HOME, puzzle=cursor, problems=trouble), width, height, look())
    assert len(page.rows) <= height
    assert all(line.cell_len <= width for line in page.rows)


def test_home_leads_with_the_puzzle_to_go_on_with():
    page = lines(home.page(HOME, 80, 22, look()))
    assert page[1].strip() == "Next"
    assert page[2].startswith("▌ shared / pooling  2 of 10")
    assert "× last check 14:02: race on line 17, 1 of 4 hints read" in page[5]
    assert page[5].endswith("enter continue")


def test_a_bar_is_as_high_as_the_puzzle_has_stars():
    threads = next(line for line in lines(home.page(HOME, 80, 22, look())) if line.startswith("  threads"))
    assert threads.split("7 of 10")[0].split()[1:] == list("▇▇▇▂▅▅▅···")


def test_prerequisites_advise_and_lock_nothing():
    page = "\n".join(lines(home.page(replace(HOME, track=2), 80, 22, look())))
    assert "best after 3 of shared" in page
    wide = "\n".join(lines(home.page(HOME, 120, 38, look())))
    assert "Best after" in wide and "locked" not in wide


def test_home_says_what_the_workspace_has_to_say():
    page = "\n".join(lines(home.page(replace(HOME, problems=["The disk is read-only."]), 80, 22, look())))
    assert "▲ The disk is read-only." in page


def test_a_track_too_long_for_the_rows_left_is_listed_around_the_next_puzzle():
    last = CATALOG.tracks[0].puzzles[-1]
    fresh = home.Home(CATALOG, {}, last, today=TODAY, problems=["The disk is full."])
    page = lines(home.page(fresh, 80, 18, look()))
    assert len(page) == 18 and page[-1] == "  ▲ The disk is full."
    assert any(line.startswith("── threads: 10 puzzles") and line.endswith("→ all of them ─") for line in page)
    assert page[-2].startswith(f"▶  10  {last.name}")


@pytest.mark.parametrize("height", range(18, 31))
def test_what_the_workspace_says_is_whole_or_says_where_the_rest_is(height):
    said = "/tmp/w is lost when this machine is stopped. To keep it: mv /tmp/w /root/gpulab-work && gpulab --home /root"
    fresh = home.Home(CATALOG, {}, CATALOG.puzzles[0], today=TODAY, problems=[said])
    page = lines(home.page(fresh, 80, height, look()))
    assert len(page) <= height
    whole = [page[-2].strip("▲ "), page[-1].strip()]
    assert "▶   1  map" in "\n".join(page)
    assert page[-1] == "  ▲ /tmp/w is lost when this machine is stopped. ? says more" or " ".join(whole) == said


def test_home_without_progress_starts_at_the_first_puzzle():
    fresh = home.Home(CATALOG, {}, CATALOG.puzzles[0], today=TODAY)
    page = lines(home.page(fresh, 80, 22, look()))
    assert page[2].startswith("▌ threads / map  1 of 10") and any(line.endswith("enter start") for line in page)


def test_a_long_list_of_puzzles_scrolls_to_the_chosen_one():
    page = lines(home.page(replace(HOME, puzzle=9), 80, 16, look()))
    assert any(line.startswith("▌  10  histogram") for line in page)


def test_the_footer_keeps_help_and_quit_when_room_is_short():
    hints_shown = [frame.KeyHint(key, "does something") for key in "rehyl"] + [
        frame.KeyHint("?", "help"), frame.KeyHint("q", "quit")]
    line = frame.keys(hints_shown, 60, look()).plain
    assert "? help" in line and "q quit" in line and len(line) == 60 and "r does" in line


def test_a_key_loses_its_words_before_its_place():
    shown = [frame.KeyHint("r", "run"), frame.KeyHint("p", "commands"), frame.KeyHint("?", "help"),
             frame.KeyHint("q", "quit")]
    assert frame.keys(shown, 36, look()).plain.rstrip() == " r run  p commands  ? help  q quit"
    assert frame.keys(shown, 26, look()).plain.rstrip() == " r run  p  ? help  q quit"
    assert frame.keys(shown, 23, look()).plain.rstrip() == " r run  ? help  q quit"


def test_the_active_tab_stands_between_its_posts():
    line = frame.tabs(["1 Brief", "2 Code"], "2 Code", "14:02:31", 60, look()).plain
    assert "┤ 2 Code ├" in line and line.endswith(" 14:02:31 ─") and len(line) == 60


def test_the_title_is_as_wide_as_the_screen():
    assert frame.title(row("shared / pooling"), row("simulated"), 80, look()).cell_len == 80


def test_hints_say_which_text_the_verdict_is_of(four_hints):
    report = reports.race()
    shown = hints.Hints(POOLING, four_hints, 1, report=report, source=report.source)
    assert "× Now: race" in lines(hints.page(shown, 80, 22, look()))[0]
    edited = replace(shown, source=report.source + "#")
    assert "× Before the last change: race" in lines(hints.page(edited, 80, 22, look()))[0]


def test_the_way_to_the_reference_is_a_key_in_the_app_and_a_command_elsewhere(four_hints):
    shown = hints.Hints(POOLING, four_hints, 1)
    assert lines(hints.page(shown, 80, 22, look()))[-1] == "  Stuck for good? s shows the reference, once confirmed."
    assert "gpulab solution shared/pooling shows" in lines(hints.page(shown, 80, None, look(), keys=False))[-1]


def test_time_spent_and_days_in_a_row_stand_where_there_is_room_for_them():
    from tests.views.catalogs import attempt

    busy = replace(HOME, lately=[attempt("shared/stage")], spent=9660.0, streak=3)
    wide = lines(home.page(busy, 120, 38, look()))
    assert any("── Lately" in line and "2 h 41 min in all, 3 days in a row" in line for line in wide)
    assert not any("in a row" in line for line in lines(home.page(busy, 80, 22, look())))
    assert home.spent_words(59, 1) == "" and home.spent_words(130, 0) == "2 min in all"
