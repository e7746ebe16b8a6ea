"""A learner's kernel or host function on the GPU of this machine, through the real `numba.cuda`.

    presence    does this machine look as if it had a GPU: asked before any process is started for it
    warming     the compilers, warmed without a context, for what is forked later
    worker      one process's context: opened, rehearsed, described
    arrays      arrays with their guard bands in device memory, and back
    running     a launch, a host function
    faults      the driver's errors as verdicts

All but `presence` are for a process that runs one job and ends: a context that met an illegal address is never used
again.
"""
