"""Timing that can be trusted: how runs are timed, what this card can do, and what a time is worth.

    model       a plan and what was measured: plain data
    protocol    the timing itself, in the worker that holds the context
    cards       what a card cannot pass (from its driver) and what it was measured to do, kept by UUID and driver
    measuring   a process of its own that measures the latter
    smi         what nvidia-smi knows meanwhile: busy, throttled, shared with others
    worth       a time held against the limit: the fraction, the star, and whether it can be true
    resources   what a kernel needs, as the compiler tells, without a GPU too
    occupancy   blocks a multiprocessor can hold, from a kernel's resources
"""
