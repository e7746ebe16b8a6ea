"""What the simulated device says of itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

NAME = "gpulab simulator"
UUID = "00000000-0000-0000-0000-000000000000"
COMPUTE_CAPABILITY = (9, 0)
DRIVER_VERSION = 13000
"""1000 * major + 10 * minor, as the driver counts."""

MAX_DYNAMIC_SHARED_BYTES = 48 * 1024
"""Of one launch: more needs an opt-in that Numba does not make."""

ATTRIBUTES = {
    "MAX_THREADS_PER_BLOCK": 1024,
    "MAX_BLOCK_DIM_X": 1024,
    "MAX_BLOCK_DIM_Y": 1024,
    "MAX_BLOCK_DIM_Z": 64,
    "MAX_GRID_DIM_X": 2147483647,
    "MAX_GRID_DIM_Y": 65535,
    "MAX_GRID_DIM_Z": 65535,
    "MAX_SHARED_MEMORY_PER_BLOCK": 49152,
    "SHARED_MEMORY_PER_BLOCK": 49152,
    "TOTAL_CONSTANT_MEMORY": 65536,
    "WARP_SIZE": 32,
    "MAX_PITCH": 2147483647,
    "MAX_REGISTERS_PER_BLOCK": 65536,
    "REGISTERS_PER_BLOCK": 65536,
    "CLOCK_RATE": 1980000,
    "GPU_OVERLAP": 1,
    "MULTIPROCESSOR_COUNT": 132,
    "KERNEL_EXEC_TIMEOUT": 0,
    "INTEGRATED": 0,
    "CAN_MAP_HOST_MEMORY": 1,
    "COMPUTE_MODE": 0,
    "CONCURRENT_KERNELS": 1,
    "ECC_ENABLED": 1,
    "PCI_BUS_ID": 0,
    "PCI_DEVICE_ID": 0,
    "TCC_DRIVER": 0,
    "MEMORY_CLOCK_RATE": 3201000,
    "GLOBAL_MEMORY_BUS_WIDTH": 6016,
    "L2_CACHE_SIZE": 62914560,
    "MAX_THREADS_PER_MULTIPROCESSOR": 2048,
    "ASYNC_ENGINE_COUNT": 3,
    "UNIFIED_ADDRESSING": 1,
    "PCI_DOMAIN_ID": 0,
    "COMPUTE_CAPABILITY_MAJOR": 9,
    "COMPUTE_CAPABILITY_MINOR": 0,
    "STREAM_PRIORITIES_SUPPORTED": 1,
    "GLOBAL_L1_CACHE_SUPPORTED": 1,
    "LOCAL_L1_CACHE_SUPPORTED": 1,
    "MAX_SHARED_MEMORY_PER_MULTIPROCESSOR": 233472,
    "MAX_REGISTERS_PER_MULTIPROCESSOR": 65536,
    "MANAGED_MEMORY": 1,
    "MULTI_GPU_BOARD": 0,
    "MULTI_GPU_BOARD_GROUP_ID": 0,
    "HOST_NATIVE_ATOMIC_SUPPORTED": 0,
    "SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO": 2,
    "PAGEABLE_MEMORY_ACCESS": 0,
    "CONCURRENT_MANAGED_ACCESS": 1,
    "COMPUTE_PREEMPTION_SUPPORTED": 1,
    "CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM": 1,
    "COOPERATIVE_LAUNCH": 1,
    "COOPERATIVE_MULTI_DEVICE_LAUNCH": 1,
    "MAX_SHARED_MEMORY_PER_BLOCK_OPTIN": 232448,
    "CAN_FLUSH_REMOTE_WRITES": 0,
    "HOST_REGISTER_SUPPORTED": 1,
    "PAGEABLE_MEMORY_ACCESS_USES_HOST_PAGE_TABLES": 0,
    "DIRECT_MANAGED_MEM_ACCESS_FROM_HOST": 0,
    "VIRTUAL_ADDRESS_MANAGEMENT_SUPPORTED": 1,
    "VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED": 1,
    "MAX_BLOCKS_PER_MULTIPROCESSOR": 32,
    "GENERIC_COMPRESSION_SUPPORTED": 1,
    "MAX_PERSISTING_L2_CACHE_SIZE": 39321600,
    "MAX_ACCESS_POLICY_WINDOW_SIZE": 134217728,
    "GPU_DIRECT_RDMA_WITH_CUDA_VMM_SUPPORTED": 1,
    "RESERVED_SHARED_MEMORY_PER_BLOCK": 1024,
    "SPARSE_CUDA_ARRAY_SUPPORTED": 1,
    "READ_ONLY_HOST_REGISTER_SUPPORTED": 1,
    "TIMELINE_SEMAPHORE_INTEROP_SUPPORTED": 1,
    "MEMORY_POOLS_SUPPORTED": 1,
    "GPU_DIRECT_RDMA_SUPPORTED": 1,
    "GPU_DIRECT_RDMA_FLUSH_WRITES_OPTIONS": 1,
    "GPU_DIRECT_RDMA_WRITES_ORDERING": 100,
    "MEMPOOL_SUPPORTED_HANDLE_TYPES": 9,
    "CLUSTER_LAUNCH": 1,
    "DEFERRED_MAPPING_CUDA_ARRAY_SUPPORTED": 1,
    "DMA_BUF_SUPPORTED": 1,
    "IPC_EVENT_SUPPORTED": 1,
    "MEM_SYNC_DOMAIN_COUNT": 4,
    "TENSOR_MAP_ACCESS_SUPPORTED": 1,
    "UNIFIED_FUNCTION_POINTERS": 1,
    "MULTICAST_SUPPORTED": 0,
    "HOST_MEMORY_POOLS_SUPPORTED": 1,
    "HOST_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED": 1,
    "HOST_ALLOC_DMA_BUF_SUPPORTED": 0,
    "ONLY_PARTIAL_HOST_NATIVE_ATOMIC_SUPPORTED": 0,
}
"""Device attributes as an H200 gives them (driver 580), without those of textures and of the machine around it."""


@dataclass(frozen=True)
class CoreContext:
    """The part of `cuda.core.Context` that numba-cuda reads: the driver's handle."""

    handle: Any

    @property
    def _handle(self) -> Any:
        """The name in cuda-core up to 0.6."""
        return self.handle


@dataclass(frozen=True)
class CoreDevice:
    """Stands in for `cuda.core.Device`, of which there is only device 0.

    `primary_context` gives the handle of its context.
    """

    number: int
    primary_context: Callable[[], Any]
    name: str = NAME
    uuid: str = UUID
    compute_capability: tuple[int, int] = COMPUTE_CAPABILITY
    device_id: int = field(init=False, default=0)

    def set_current(self) -> None:
        """Nothing to do: numba-cuda pushes the context itself."""

    @property
    def context(self) -> CoreContext:
        return CoreContext(self.primary_context())


@dataclass(frozen=True)
class CoreStream:
    """Stands in for `cuda.core.Stream`: a launch configuration keeps only its handle."""

    handle: int
