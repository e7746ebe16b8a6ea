"""The kernel tests that numba-cuda ships in its own wheel, run under the simulator.

`worker` runs one of its test modules, on the simulator or on a GPU; `survey` runs them all and sorts the outcomes.
"""
