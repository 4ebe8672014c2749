"""What driver functions return (CUDA driver API, `CUresult`)."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """A `CUresult`."""

    SUCCESS = 0
    INVALID_VALUE = 1
    OUT_OF_MEMORY = 2
    NOT_INITIALIZED = 3
    DEINITIALIZED = 4
    NO_DEVICE = 100
    INVALID_DEVICE = 101
    INVALID_CONTEXT = 201
    NO_BINARY_FOR_GPU = 209
    INVALID_PTX = 218
    UNSUPPORTED_PTX_VERSION = 222
    INVALID_HANDLE = 400
    NOT_FOUND = 500
    NOT_READY = 600
    ILLEGAL_ADDRESS = 700
    LAUNCH_OUT_OF_RESOURCES = 701
    LAUNCH_FAILED = 719
    NOT_SUPPORTED = 801
    SYSTEM_DRIVER_MISMATCH = 803


class Failed(Exception):
    """A driver function does not succeed."""

    def __init__(self, status: Status) -> None:
        super().__init__(status.name)
        self.status = status
