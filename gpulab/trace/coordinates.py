"""Where a block or a thread is."""

Coordinates = tuple[int, int, int]
"""An (x, y, z) position: of a block in its grid or of a thread in its block."""
