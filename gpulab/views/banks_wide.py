"""The banks in two columns: source, figures and the arithmetic of the bank; the words now and padded."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from gpulab.trace.picture import WARP
from gpulab.trace.traffic import BANKS, BankUse, bank_use, padded
from gpulab.views import figures, gutter, memory_wide, steps
from gpulab.views.banks import LEAST_ROWS, MOST_ROWS, Field, fields, per_request, wide_field
from gpulab.views.fit import BLANK, EXPLAINS, Part, fit, space
from gpulab.views.gutter import Column
from gpulab.views.look import Look
from gpulab.views.memory import plain_rule, shown_lines
from gpulab.views.rows import Row, apart, columns, heading, row, wrapped
from gpulab.views.scene import Scene
from gpulab.views.tallies import Tally, of_warp

LEFT = 48
MOST_WAVES = 8


def rows(scene: Scene, width: int, look: Look, height: int | None = None) -> list[Row]:
    """The page, at `WIDE` columns and more."""
    left = fit(_left(scene, LEFT, look), height)
    right = _right(scene, width - LEFT - 1, look, MOST_ROWS)
    if height is not None:
        fewer = (_right(scene, width - LEFT - 1, look, most) for most in range(MOST_ROWS - 1, LEAST_ROWS - 1, -1))
        while sum(len(part.rows) for part in right if part.gives != BLANK) > height:
            right = next(fewer, [])  # as many rows of both pictures as let the rest stay
    return columns(left, fit(right, height), LEFT, width, look, height or 0)


def _left(scene: Scene, width: int, look: Look) -> list[Part]:
    tallies = of_warp(scene.picture, scene.warp)
    figure = [Column("per request", 8, lambda line: per_request(tallies.get(line)))]
    shown = gutter.kernel_lines(scene.counts, (), scene.source, [step.line for step in scene.warp.steps])
    faults = [finding.line for finding in scene.findings]
    whole, around = (gutter.table(scene.source, lines, figure, width, look, chosen=scene.step.line, faults=faults,
                                  title="") for lines in (shown, shown_lines(scene, memory_wide.FEWER_LINES)))
    return [
        Part(whole, short=around if len(around) < len(whole) else None), space(),
        Part([heading(f"Line {scene.step.line}, all steps", width, look)]), space(),
        Part(memory_wide.table(_facts(scene, tallies[scene.step.line]), width, look), EXPLAINS), space(),
        Part([heading("Which bank", width, look)]), space(), Part(_which_bank(scene, width, look)),
    ]


def _facts(scene: Scene, tally: Tally) -> list[tuple[str, str, bool]]:
    """What the chosen warp does on the chosen line."""
    over = tally.wavefronts > tally.least_wavefronts
    entries = [("lanes on", f"{tally.lanes} of {WARP}", False)]
    for name, count in (("shared loads", tally.shared_loads), ("shared stores", tally.shared_stores)):
        if count:
            entries.append((name, figures.plural(count, "request"), False))
    return [*entries, ("wavefronts", str(tally.wavefronts), over),
            ("best possible", str(tally.least_wavefronts), False),
            ("bank conflicts", str(tally.wavefronts - tally.least_wavefronts), over)]


def _which_bank(scene: Scene, width: int, look: Look) -> list[Row]:
    """How the index becomes a word and the word a bank, and the banks with the longest queues."""
    array = scene.array
    rows = [apart(row("  ", ("bank = word % 32", look.text)), row(("a word is 4 bytes", look.muted)), width)]
    formula = word_formula(scene)
    if formula:
        shape = f"{array.name}[{', '.join(_index_texts(scene))}]"
        said = f"{shape}, {array.shape[-1]} wide" if len(array.shape) > 1 else shape
        left = row("  ", (f"word = {formula}", look.text))
        right = row((said, look.muted))
        rows += [apart(left, right, width)] if left.cell_len + right.cell_len + 3 < width else [left]
    use = bank_use(scene.step, array)
    crowded = sorted(range(BANKS), key=lambda bank: -use.queues[bank])[:4]
    for bank in sorted(bank for bank in crowded if use.per_bank[bank]):
        rows.append(_bank_row(use, bank, look))
    rows += [row("  ", line) for line in wrapped(_elsewhere(scene), width - 3, look, style=look.muted)]
    return rows


def _bank_row(use: BankUse, bank: int, look: Look) -> Row:
    lanes = sorted({lane for word, who in use.words.items() if word % BANKS == bank for lane in who})
    names = ", ".join(map(str, lanes[:3])) + (" ..." if len(lanes) > 3 else "")
    over = use.queues[bank] > 1
    return row("  ", (f"{'lanes' if len(lanes) > 1 else 'lane'} {names:<14}bank {bank:>2}  ", look.text),
               (figures.plural(use.queues[bank], "word"), look.accent if over else look.text))


def _index_texts(scene: Scene) -> list[str]:
    """The parts of the index as the source has them."""
    subscript = scene.subscript
    return [] if subscript is None else [ast.unparse(part) for part in subscript.index]


def word_formula(scene: Scene) -> str:
    """`t * 8 + k`: the word of an element of 4 bytes, from the index as the source has it; "" where it is not told."""
    parts, array = _index_texts(scene), scene.array
    if len(parts) != len(array.shape) or array.itemsize != 4:
        return ""
    terms = []
    for part, stride in zip(parts, array.strides, strict=True):
        simple = part.isidentifier() or part.isdigit()
        terms.append(part if stride == 1 else f"{part if simple else f'({part})'} * {stride}")
    return " + ".join(terms)


def _elsewhere(scene: Scene) -> str:
    """What longer rows would do to the other lines on the same array."""
    _, other = fields_of(scene)
    if other is None:
        return ""
    changes = []
    for line in sorted({step.line for step in scene.warp.steps if step.array == scene.step.array} - {scene.step.line}):
        before, after, kind = _worst(scene, line)
        if before != after:
            changes.append(f"the {kind} of line {line} then takes {after}, not {before}")
    wide = f"Rows of {other} end the queues here"
    return f"{wide}; {figures.listed(changes)}." if changes else f"{wide}, and lengthen none elsewhere."


def fields_of(scene: Scene) -> tuple[int, int | None]:
    """The length of the array's rows, and the padded one where it helps."""
    length = scene.array.shape[-1]
    other = padded(scene.step, scene.array)
    helps = other is not None and bank_use(*other).wavefronts < bank_use(scene.step, scene.array).wavefronts
    return length, length + 1 if helps else None


def _worst(scene: Scene, line: int) -> tuple[int, int, str]:
    """Most wavefronts of a request of this line, now and padded, and what it does."""
    now, then, kind = 0, 0, "load"
    for step in scene.warp.steps:
        other = padded(step, scene.array) if (step.line, step.array) == (line, scene.step.array) else None
        if other is not None and step.lanes:
            now = max(now, bank_use(step, scene.array).wavefronts)
            then = max(then, bank_use(*other).wavefronts)
            kind = step.kind
    return now, then, kind


def _right(scene: Scene, width: int, look: Look, most: int) -> list[Part]:
    own = steps.of_thread(scene, width, look, 1)
    rows = [*memory_wide.title(scene, width, look),
            *(row(" ", line) for line in wrapped(steps.cost(scene), width - 2, look, style=look.strong))]
    refused = steps.refused(scene)
    if refused is not None:
        rows += [row(" ", line) for line in wrapped(refused, width - 2, look, style=look.fault)]
    parts = [Part(rows), space() if own is None else Part([own])]
    if not scene.step.lanes:
        return parts
    now, other = fields(scene, look, most)
    parts.append(Part(_titled(now, "numbers are lanes, 0 to 31", width, look)))
    if other is not None:
        said = "every lane finds a bank of its own" if not other.use.conflicts else "shorter queues"
        parts += [space(), Part([row(("─" * width, look.faint)), *_titled(other, said, width, look)])]
    title = plain_rule(row(("Time on the shared memory, one request", look.muted)), width, look)
    time = _time([field for field in (now, other) if field is not None], look)
    said = "A column is a bank: one word each per wavefront. A row is 128 bytes."
    return [*parts, space(), Part([title]), space(), Part(time), space(), Part([row(" ", (said, look.muted))])]


def _titled(field: Field, said: str, width: int, look: Look) -> list[Row]:
    title = row(" ", (field.name, field.hue + look.bold), "  ", (field.title, look.bright), "   ", (said, look.muted))
    count = row((figures.plural(field.use.wavefronts, "wavefront"), field.hue + look.bold))
    if title.cell_len + count.cell_len + 3 > width:
        title = row(" ", (field.name, field.hue + look.bold), "  ", (field.title, look.bright))
    return [apart(title, count, width), *wide_field(field, look)]


def _time(shown: Sequence[Field], look: Look) -> list[Row]:
    """The wavefronts of a request one after another, and the lanes each serves."""
    rows = []
    most = max(field.use.wavefronts for field in shown)
    for field in shown:
        line = row(f" {field.name[:3]:<7}")
        for number, wave in enumerate(field.use.waves[:MOST_WAVES]):
            last = number == MOST_WAVES - 1 and field.use.wavefronts > MOST_WAVES
            text = f"+{field.use.wavefronts - number}" if last else _lanes(wave)
            line.append_text(row((f"{text:^6}", field.cell), "  "))
        line.rstrip()
        rows.append(line)
    numbers = "".join(f"{number + 1:^6}  " for number in range(min(most, MOST_WAVES)))
    return [*rows, row((f" wave   {numbers}".rstrip(), look.muted))]


def _lanes(wave: Sequence[int]) -> str:
    if not wave:
        return "·"
    if len(wave) > 1 and wave[-1] - wave[0] + 1 == len(wave):
        return f"{wave[0]}-{wave[-1]}"
    return str(wave[0]) if len(wave) == 1 else f"{len(wave)} of"
