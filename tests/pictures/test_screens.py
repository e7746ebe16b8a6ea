"""The drawn screens carry computed numbers: the kernels behind them give the same rows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpulab.trace.intervals import intervals
from gpulab.trace.traffic import bank_use, padded, traffic
from gpulab.views import instrument
from gpulab.views.banks import Field, _numbered
from gpulab.views.scene import Scene
from tests.pictures import launches
from tests.pictures.launches import DARK, lines, text


@pytest.fixture(scope="module")
def coalescing() -> Scene:
    return launches.coalescing()


@pytest.fixture(scope="module")
def grid() -> Scene:
    return launches.grid()


@pytest.fixture(scope="module")
def banks() -> Scene:
    return launches.banks()


@pytest.fixture(scope="module")
def barriers() -> Scene:
    return launches.barriers()


class TestCoalescing:
    def test_the_step_at_80_columns_is_as_drawn(self, coalescing: Scene) -> None:
        drawn = lines("""
  line                                loads stores  sectors/req  best     lanes
  8 │     i = cuda.grid(1)                                                32/32
  9 │     if i < n:                                                       32/32
▶10 │         vx = p[i, 3]                1              ▲ 32.0   4.0     32/32
 11 │         vy = p[i, 4]                1              ▲ 32.0   4.0     32/32
 12 │         out[i] = vx * vx + vy * vy         1          4.0   4.0     32/32
─┤ step 1 of 3 ├─ warp 0, line 10: each lane loads p[i, 3] ─────────────────────
  32 lanes ask for 128 bytes; 32 sectors = 1024 bytes move. 12.5 % is used.
  lanes a cell is one float32, 4 bytes; 8 cells are one sector, 32 bytes
    0-7 ░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░
   8-15 ░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░
  16-23 ░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░
  24-31 ░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░│░░░█░░░░
        █ asked for   ░ moved for nothing   · left alone     p, in memory order
─ step 3 of 3   warp 0, line 12: each lane stores out[i] ───────────────────────
  32 lanes write 128 bytes; 4 sectors = 128 bytes move. 100 % is used.
   0-31 ████████│████████│████████│████████│········│········│········│········
── bytes moved per output, all warps ───────────────────────────────────────────
  yours ━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━   68  64 load, 4 store
  best  ━━━━━━━━                                           12   8 load, 4 store
""")
        assert text(instrument.page("memory", coalescing, 80, DARK)) == drawn

    def test_the_counters_of_its_lines_are_those_of_the_screen(self, coalescing: Scene) -> None:
        counts = coalescing.counts
        for line in (10, 11):
            assert counts[line]["global_load_requests"] == 4
            assert counts[line]["global_load_sectors"] == 128
            assert counts[line]["global_load_sectors_ideal"] == 16
        assert counts[12]["global_store_sectors"] == 16

    def test_two_columns_hold_the_lanes_the_figures_and_the_block(self, coalescing: Scene) -> None:
        drawn = "\n".join(text(instrument.page("memory", coalescing, 120, DARK)))
        for piece in ("Step 1 of 3  warp 0, line 10: each lane loads p[i, 3]", "12.5 % used", "100 % used",
                      "  16 ░░░█░░░░│░░░█░░░░│░░░█░░░░", "executed by                     4 warps",
                      "sectors                             128", "best possible                        16",
                      "bytes asked                         512", "bytes moved                        4096",
                      "     0 to 7   8 to 15  16 to 23 24 to 31", "Both touch the same 32 sectors.",
                      "step  ●───○───○     10 load p[i, 3]   11 load p[i, 4]   12 store out[i]"):
            assert piece in drawn

    def test_all_four_warps_cost_the_same(self, coalescing: Scene) -> None:
        picture = coalescing.picture
        costs = [[len(traffic(step, picture.arrays[step.array]).sectors) for step in warp.steps]
                 for warp in picture.warps]
        assert costs == [[32, 32, 4]] * 4


class TestGrid:
    def test_cells_by_block_and_the_chosen_thread_are_as_drawn(self, grid: Scene) -> None:
        drawn = lines("""
─┤ step 2 of 2 ├─ block (1, 1), line 10: its 32 threads store out[y, x] ────────
 y\\x 0 to 7            8 to 15           16 to 23
   0 ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ · · · ·   thread (3, 2)
   1 ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ · · · ·   x = 1 * 8 + 3 = 11
   2 ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ · · · ·   y = 1 * 4 + 2 = 6
   3 ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ · · · ·   lane 2 * 8 + 3 = 19

   4 ■ ■ ■ ■ ■ ■ ■ ■ 0 □ □ □ □ □ □ □ □   ■ ■ ■ ■ · · · ·   writes out[6, 11]
   5 ■ ■ ■ ■ ■ ■ ■ ■ 8 □ □ □ □ □ □ □ □   ■ ■ ■ ■ · · · ·   reads  a[6, 11]
   6 ■ ■ ■ ■ ■ ■ ■ ■ 16□ □ □ 19□ □ □ □   ■ ■ ■ ■ · · · ·
   7 ■ ■ ■ ■ ■ ■ ■ ■ 24□ □ □ □ □ □ □ □   ■ ■ ■ ■ · · · ·   □ chosen block, its
                                                             first lane at left
   8 ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ · · · ·   ■ other blocks
   9 ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ ■ ■ ■ ■   ■ ■ ■ ■ · · · ·   · 88 threads sent
  10 · · · · · · · ·   · · · · · · · ·   · · · · · · · ·     home by line 9
  11 · · · · · · · ·   · · · · · · · ·   · · · · · · · ·
  4 rows of 32 bytes touch 6 sectors: rows 5 and 7 begin in the middle of one.
  A row of out is 20 x 4 = 80 bytes, two and a half sectors.
""")
        assert text(instrument.page("memory", grid, 80, DARK))[4:] == drawn

    def test_its_line_takes_six_sectors_a_request_where_four_would_do(self, grid: Scene) -> None:
        assert "▲ 6.0   4.0     32/32" in text(instrument.page("memory", grid, 80, DARK))[3]

    def test_two_columns_hold_lanes_launch_and_sectors(self, grid: Scene) -> None:
        drawn = "\n".join(text(instrument.page("memory", grid, 120, DARK)))
        for piece in ("   6 ■  ■  ■  ■  ■  ■  ■  ■   16 17 18 19 20 21 22 23  ■  ■  ■  ■  ·  ·  ·  ·",
                      "array                         10 x 20", "block                   8 x 4 threads",
                      "grid                     3 x 3 blocks", "threads                           288",
                      "at work                           200", "sent home, line 9                  88",
                      "x = blockIdx.x * blockDim.x + ...", "  = 1 * 8 + 3 = 11", "lane = 2 * 8 + 3 = 19",
                      "████████│········│░░░░████│████░░░░"):
            assert piece in drawn, piece

    def test_the_sectors_of_the_store_are_those_drawn(self, grid: Scene) -> None:
        assert traffic(grid.step, grid.array).sectors == (11, 13, 14, 16, 18, 19)


class TestBanks:
    def test_now_and_padded_at_80_columns_are_as_drawn(self, banks: Scene) -> None:
        drawn = lines("""
  8 lanes queue at each of 4 banks: 8 wavefronts where 1 would do.

       now     tile[32, 8]                    padded  tile[32, 9]
  bank 0       8       16      24    31  bank 0       8       16      24    31
     0 ■·······■·······■·······■·······     0 ■········■········■········■····
    32 ■·······■·······■·······■·······    32 ····■········■········■········■
    64 ■·······■·······■·······■·······    64 ········■········■········■·····
    96 ■·······■·······■·······■·······    96 ···■········■········■········■·
   128 ■·······■·······■·······■·······   128 ·······■········■········■······
   160 ■·······■·······■·······■·······   160 ··■········■········■········■··
   192 ■·······■·······■·······■·······   192 ······■········■········■·······
   224 ■·······■·······■·······■·······   224 ·■········■········■········■···
                                          256 ·····■········■········■········
 lanes 8·······8·······8·······8······· lanes 11111111111111111111111111111111
       8 wavefronts, 4 lanes each             1 wavefront, 32 lanes at once
  A column is a bank and gives one 4-byte word at a time; a row is 128 bytes.
""")
        assert text(instrument.page("banks", banks, 80, DARK))[5:] == drawn

    def test_it_is_step_17_of_25_with_k_at_0(self, banks: Scene) -> None:
        heading = text(instrument.page("banks", banks, 80, DARK))[4]
        assert heading.startswith("─┤ step 17 of 25 ├─ block 0, line 15, k = 0: ")
        assert "load tile[t, 0]" in heading

    def test_the_figures_of_its_line_are_those_of_the_screen(self, banks: Scene) -> None:
        drawn = "\n".join(text(instrument.page("banks", banks, 120, DARK)))
        for piece in ("shared loads                       8 requests", "wavefronts                               ▲ 64",
                      "best possible                               8", "bank conflicts                           ▲ 56",
                      "word = t * 8 + k           tile[t, k], 8 wide",
                      "Rows of 9 end the queues here; the store of",
                      "  28· · · · · · · 29· · · · · · · 30· · · · · · · 31·",
                      "line 11 then takes 2, not 1."):
            assert piece.strip() in drawn, piece
        assert banks.counts[15]["shared_load_wavefronts"] == 4 * 64
        assert banks.counts[15]["shared_load_bank_conflicts"] == 4 * 56

    def test_padding_ends_the_queue_here_and_makes_one_at_the_store(self, banks: Scene) -> None:
        store = next(step for step in banks.warp.steps if step.kind == "store" and step.array == banks.step.array)
        for step, now, then in ((banks.step, 8, 1), (store, 1, 2)):
            wider = padded(step, banks.array)
            assert wider is not None
            assert (bank_use(step, banks.array).wavefronts, bank_use(*wider).wavefronts) == (now, then)

    def test_each_wavefront_serves_four_lanes_in_their_order(self, banks: Scene) -> None:
        assert bank_use(banks.step, banks.array).waves[:2] == ((0, 1, 2, 3), (4, 5, 6, 7))


class TestBarriers:
    def test_columns_of_time_at_80_columns_are_as_drawn(self, barriers: Scene) -> None:
        drawn = lines("""
─┤ interval 3 of 5 ├─ s = 4: threads 0 to 3 add the cell 4 further on ──────────
  cell    load        ┃ s = 8       ┃ s = 4 ▼     ┃ s = 2       ┃ s = 1
      0       3       ┃     8       ┃    22 ◀───┐ ┃    42       ┃    80
      1       1       ┃     4       ┃    20 ◀──┐│ ┃    38       ┃    38
      2       4       ┃     9       ┃    20 ◀─┐││ ┃    20       ┃     ·
      3       1       ┃     9       ┃    18 ◀┐│││ ┃    18       ┃     ·
      4       5       ┃    14       ┃    14 ─┼┼┼┘ ┃     ·       ┃     ·
      5       9       ┃    16       ┃    16 ─┼┼┘  ┃     ·       ┃     ·
      6       2       ┃    11       ┃    11 ─┼┘   ┃     ·       ┃     ·
      7       6       ┃     9       ┃     9 ─┘    ┃     ·       ┃     ·
      8       5       ┃     5       ┃     ·       ┃     ·       ┃     ·
      9       3       ┃     3       ┃     ·       ┃     ·       ┃     ·
     10       5       ┃     5       ┃     ·       ┃     ·       ┃     ·
     11       8       ┃     8       ┃     ·       ┃     ·       ┃     ·
     12       9       ┃     9       ┃     ·       ┃     ·       ┃     ·
     13       7       ┃     7       ┃     ·       ┃     ·       ┃     ·
     14       9       ┃     9       ┃     ·       ┃     ·       ┃     ·
     15       3       ┃     3       ┃     ·       ┃     ·       ┃     ·
""")
        assert text(instrument.page("barriers", barriers, 80, DARK))[5:23] == drawn

    def test_the_threads_at_work_are_halved_from_interval_to_interval(self, barriers: Scene) -> None:
        found = intervals(barriers.picture, 0, barriers.step.array)
        assert [len(interval.threads) for interval in found] == [16, 8, 4, 2, 1]
        assert [dict(interval.variables).get("s") for interval in found] == [None, 8, 4, 2, 1]
        assert [len(interval.arrows) for interval in found] == [0, 8, 4, 2, 1]

    def test_five_waits_one_of_line_11_and_four_of_line_16(self, barriers: Scene) -> None:
        assert [(wait.line, wait.threads) for wait in barriers.picture.barriers] == [(11, 16)] + [(16, 16)] * 4

    def test_120_columns_add_requests_arrows_of_every_interval_and_who_is_at_work(self, barriers: Scene) -> None:
        drawn = "\n".join(text(instrument.page("barriers", barriers, 120, DARK)))
        for piece in ("load a ", "     8 ◀───────┐ ", "    42 ◀─┐ ", "■■■■············", "4 of 16",
                      "▶15 │             tile[t] += tile[t + s]                       8        4"):
            assert piece in drawn, piece

    def test_moving_in_time_moves_the_chosen_column(self, barriers: Scene) -> None:
        later = barriers.at(replace(barriers.position, step=8))
        heading, titles = text(instrument.page("barriers", later, 80, DARK))[5:7]
        assert "interval 4 of 5 ├─ s = 2: threads 0 and 1 add the cell 2 further on" in heading
        assert "┃ s = 4       ┃ s = 2 ▼     ┃" in titles


def test_numbers_of_lanes_do_not_touch() -> None:
    used = [*range(9, 15), None, 3, 12, None, 31]
    field = Field("now", None, None, DARK.accent, DARK.accent_band)
    tens, units = _numbered(64, used, field, DARK)
    assert units.plain == "    64 9 0 1 2 3 4 · 3 2 · 1"
    assert tens.plain == "         1 1 1 1 1     1   3"
    alone, = _numbered(0, [None, 12, None, 31], field, DARK)
    assert alone.plain == "     0 · 12· 31"
