"""The simulator against plain Python, hand-written answers and kernels whose fault is known.

`random_kernels` writes programs, `both_ways` runs one text on the CPU and in the simulator, `fuzz` does so for long.
"""
