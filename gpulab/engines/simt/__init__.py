"""Our simulator of Numba CUDA kernels: a lockstep SIMT machine vectorised over lanes with NumPy."""
