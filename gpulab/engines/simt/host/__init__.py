"""A learner's host code without a GPU: `kernel[grid, block](...)`, device arrays, streams and events.

    from gpulab.engines.simt import host

    with host.session() as session:
        solve(a, out)                    # the learner's function, unmodified, with the real `from numba import cuda`
    session.runs                         # what each launch did, in order
    session.transfers                    # every time the host itself touched device memory

The seam is the CUDA driver: below `numba.cuda` stands a driver in host memory (`driver`, `memory`, `device`), so that
device arrays, streams and their errors are numba-cuda's own; kernels are typed and handed to the simulator (`kernel`,
`launch`, `arguments`). `install` puts it in place, `session` records. The tests compare its answers with an H200's.
"""

from gpulab.engines.simt.host.install import CannotInstall, Installation, install, is_installed, session
from gpulab.engines.simt.host.session import (
    TRANSFER_KINDS,
    LaunchSite,
    Options,
    Session,
    Stopped,
    Tampering,
    Transfer,
)

__all__ = [
    "TRANSFER_KINDS",
    "CannotInstall",
    "Installation",
    "LaunchSite",
    "Options",
    "Session",
    "Stopped",
    "Tampering",
    "Transfer",
    "install",
    "is_installed",
    "session",
]
