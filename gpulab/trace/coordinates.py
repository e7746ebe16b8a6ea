"""Where a block or a thread is."""

Coordinates = tuple[int, int, int]
"""An (x, y, z) position: of a block in its grid or of a thread in its block."""

NO_THREAD: Coordinates = (-1, -1, -1)
"""The thread of whatever a Triton program does, which has none that could be named: its `block` says which program."""


def program_name(at: Coordinates, grid: Coordinates) -> str:
    """ "program 3", "program (1, 2)": as many numbers as the grid of a Triton launch has axes."""
    axes = 3 if grid[2] > 1 else 2 if grid[1] > 1 else 1
    return f"program {at[0]}" if axes == 1 else f"program ({', '.join(map(str, at[:axes]))})"
