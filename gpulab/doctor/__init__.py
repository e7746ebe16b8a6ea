"""What this machine can do, and what to type where it cannot.

    model.py         Check, Section, Examination: what is found, as plain data
    machine.py       Machine: where to look, so that a test can put another machine in its place
    asking.py        programs and questions run in processes of their own, with a time limit
    questions/       what such a process is asked: each file runs by itself, and may hang or crash
    facts/           what the machine is, without judging it: driver and GPUs, libraries, limits, terminal
    checks/          what the facts mean for gpulab: one sentence each, and the one command that cures it
    cures.py         those commands: pip, apt, docker, a variable, as this machine needs them
    examination.py   all of it, at the same time

The facts know nothing else of gpulab, so that whoever has to choose an engine can ask for them. CUDA, Numba, torch
and Triton are never touched in the caller's process: a broken driver may hang it, and a fork after CUDA began fails.
"""
