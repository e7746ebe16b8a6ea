"""Triton kernels without a GPU: Triton's own language over NumPy, all programs of a launch at once, each access noted.

    internals   all that depends on Triton's insides: its language over our operations, its front end
    rewriting   a kernel's Python as its compiler reads it
    operations  what the language can do, on values that have an axis of programs in front
    numbers     element types as on a GPU: bfloat16, TF32, integers
    space       tensors and their addresses         machine     loads, stores and atomics of the programs that run
    shadow      who touched which element           findings    faults, in words
    counting    what each line costs                launching   one launch: programs split where they part
    compiling   the front end's refusals            errors      what else ends a launch

Nothing here imports Triton but `internals`, and nothing imports that before a kernel is to run.
"""
