"""For who writes puzzles: a first version of one, and the proof that all of them hold.

    proof.py      wrong files fail for their reason, right ones pass, the reference earns every star
    texts.py      statement, hints and explanation are there, finished, and their links lead somewhere
    coverage.py   the cases contain the sizes that find faults (a process of its own: it executes specs)
    scaffold.py   the files of a new puzzle
"""
