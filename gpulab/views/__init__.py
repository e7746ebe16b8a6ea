"""Reports, puzzles and progress as rows of text: Rich only, no Textual, used by the CLI and by the app.

    look.py      the styles a row is made of, in four looks: dark, light, ansi, plain
    glyphs.py    the ASCII stand-in of every glyph; charset.py, whether the locale asks for it
    rows.py      rows, rules, columns: what every view is laid out with
    fit.py       what goes first when a screen is too low
    prose.py     Markdown of statements, hints and explanations
    code.py      source with line numbers, and who did what on which line
    band.py      the diagnosis: the two rows that are read first
    race.py mismatch.py writes.py budget.py faults.py cases.py stars.py solved.py notes.py    the parts of a result
    evidence.py    which parts back up which verdict; naming.py, how its threads are called
    result.py    the whole of a result; brief.py hints.py source.py home.py are the other pages
    instrument.py   what a launch did to memory, four views of a scene.py: lines.py memory.py banks.py barriers.py,
                 made of gutter.py steps.py subscripts.py sectors.py grid.py time.py arrows.py bars.py tallies.py
    frame.py     title, tabs and keys around a page

A row is a `rich.text.Text` of one line. `render(...)` of each page gives a renderable for the CLI.
"""
