"""The functions of the driver, on their arguments: integers and pointers of 64 bits (CUDA driver API)."""

from __future__ import annotations

import ctypes
import math
import re
import struct
from collections.abc import Callable
from typing import Any

from support.simt.driver.device import Context, Device, Event, Function, Loaded, Pinned, Stream
from support.simt.driver.status import Failed, Status
from support.simt.faults import Fault
from support.simt.launching import launch
from support.simt.module import load, unload

DriverFunction = Callable[[Device, Any], None]

FUNCTIONS: dict[str, DriverFunction] = {}


def driver(*names: str) -> Callable[[DriverFunction], DriverFunction]:
    """What a driver function of some names does."""

    def register(function: DriverFunction) -> DriverFunction:
        FUNCTIONS.update(dict.fromkeys(names, function))
        return function

    return register


def put(address: int, value: int, type_: Any = ctypes.c_uint64) -> None:
    """Write a result through a pointer."""
    if address:
        type_.from_address(address).value = value


def int32(value: int) -> int:
    """The lower half of an argument."""
    return value & 0xFFFFFFFF


def unsupported(device: Device, a: Any) -> None:
    """A function that the stand-in does not have."""
    raise Failed(Status.NOT_SUPPORTED)


@driver("cuInit")
def _init(device: Device, a: Any) -> None:
    if device.count == 0:
        raise Failed(Status.NO_DEVICE)
    device.is_initialized = True


@driver("cuDriverGetVersion")
def _version(device: Device, a: Any) -> None:
    put(a[0], device.version, ctypes.c_int)


@driver("cuDeviceGetCount")
def _count(device: Device, a: Any) -> None:
    put(a[0], device.count, ctypes.c_int)


@driver("cuDeviceGet")
def _device(device: Device, a: Any) -> None:
    if int32(a[1]) >= device.count:
        raise Failed(Status.INVALID_DEVICE)
    put(a[0], int32(a[1]), ctypes.c_int)


@driver("cuDeviceGetName")
def _name(device: Device, a: Any) -> None:
    text = b"Interpreted device\0"[: int32(a[1])]
    ctypes.memmove(a[0], text, len(text))


@driver("cuDeviceGetPCIBusId")
def _bus(device: Device, a: Any) -> None:
    text = b"0000:00:00.0\0"[: int32(a[1])]
    ctypes.memmove(a[0], text, len(text))


@driver("cuDeviceTotalMem_v2")
def _total(device: Device, a: Any) -> None:
    put(a[0], device.capacity)


# CUdevice_attribute: threads a block, block and grid extents, shared memory, warp, registers, threads a processor
_ATTRIBUTES = {
    1: 1024,
    2: 1024,
    3: 1024,
    4: 64,
    5: 2**31 - 1,
    6: 65535,
    7: 65535,
    8: 49152,
    10: 32,
    12: 65536,
    39: 2048,
    97: 166912,
}


@driver("cuDeviceGetAttribute")
def _attribute(device: Device, a: Any) -> None:
    attribute = int32(a[1])
    own = {16: device.processors, 75: device.capability[0], 76: device.capability[1]}
    put(a[0], own.get(attribute, _ATTRIBUTES.get(attribute, 0)), ctypes.c_int)


@driver("cuDeviceComputeCapability")
def _capability(device: Device, a: Any) -> None:
    put(a[0], device.capability[0], ctypes.c_int)
    put(a[1], device.capability[1], ctypes.c_int)


@driver("cuDevicePrimaryCtxRetain", "cuCtxCreate_v2", "cuCtxCreate_v4")
def _context(device: Device, a: Any) -> None:
    handle = next((h for h, v in device.objects.items() if isinstance(v, Context)), None)
    put(a[0], handle or device.new(Context()))


@driver(
    "cuDevicePrimaryCtxRelease_v2",
    "cuDevicePrimaryCtxRelease",
    "cuCtxDestroy_v2",
    "cuCtxSetCacheConfig",
    "cuCtxDetach",
    "cuFuncSetCacheConfig",
    "cuFuncSetBlockShape",
)
def _ignored(device: Device, a: Any) -> None:
    pass


@driver("cuCtxPushCurrent_v2", "cuCtxSetCurrent")
def _push(device: Device, a: Any) -> None:
    device.find(a[0], Context)
    device.current.append(a[0])


@driver("cuCtxPopCurrent_v2")
def _pop(device: Device, a: Any) -> None:
    if not device.current:
        raise Failed(Status.INVALID_CONTEXT)
    put(a[0], device.current.pop())


@driver("cuCtxGetCurrent")
def _current(device: Device, a: Any) -> None:
    put(a[0], device.current[-1] if device.current else 0)


@driver("cuCtxGetDevice")
def _context_device(device: Device, a: Any) -> None:
    if not device.current:
        raise Failed(Status.INVALID_CONTEXT)
    put(a[0], 0, ctypes.c_int)


@driver("cuCtxSynchronize")
def _synchronize(device: Device, a: Any) -> None:
    device.drain()


# Memory


@driver("cuMemGetInfo_v2")
def _info(device: Device, a: Any) -> None:
    put(a[0], device.capacity - device.memory.used)
    put(a[1], device.capacity)


@driver("cuMemAlloc_v2")
def _allocate(device: Device, a: Any) -> None:
    if a[1] == 0:
        raise Failed(Status.INVALID_VALUE)
    device.check()
    put(a[0], device.memory.allocate(a[1]))


@driver("cuMemFree_v2")
def _free(device: Device, a: Any) -> None:
    device.drain()
    device.memory.free(a[0])


@driver("cuMemAllocHost_v2", "cuMemHostAlloc")
def _allocate_host(device: Device, a: Any) -> None:
    buffer = ctypes.create_string_buffer(max(a[1], 1))
    address = ctypes.addressof(buffer)
    device.objects[address] = Pinned(buffer)
    put(a[0], address)


@driver("cuMemFreeHost")
def _free_host(device: Device, a: Any) -> None:
    device.drain()
    device.find(a[0], Pinned)
    del device.objects[a[0]]


@driver("cuMemcpyHtoD_v2")
def _to_device(device: Device, a: Any) -> None:
    device.drain()
    device.memory.write(a[0], ctypes.string_at(a[1], a[2]))


@driver("cuMemcpyDtoH_v2")
def _to_host(device: Device, a: Any) -> None:
    device.drain()
    ctypes.memmove(a[0], device.memory.read(a[1], a[2]), a[2])


@driver("cuMemcpyDtoD_v2")
def _on_device(device: Device, a: Any) -> None:
    device.drain()
    device.memory.write(a[0], device.memory.read(a[1], a[2]))


@driver("cuMemcpyHtoDAsync_v2")
def _to_device_later(device: Device, a: Any) -> None:
    to, source, size, stream = a[0], a[1], a[2], a[3]
    # Of memory that is not pinned the driver takes a copy before it returns.
    data = (
        None
        if any(
            h <= source < h + len(v.buffer)
            for h, v in device.objects.items()
            if isinstance(v, Pinned)
        )
        else ctypes.string_at(source, size)
    )
    device.later(
        stream,
        lambda: device.memory.write(to, ctypes.string_at(source, size) if data is None else data),
    )


def _fill(address: int, data: bytes) -> None:
    """Put bytes into memory of the host."""
    ctypes.memmove(address, data, len(data))


@driver("cuMemcpyDtoHAsync_v2")
def _to_host_later(device: Device, a: Any) -> None:
    to, source, size, stream = a[0], a[1], a[2], a[3]
    device.later(stream, lambda: _fill(to, device.memory.read(source, size)))


@driver("cuMemcpyDtoDAsync_v2")
def _on_device_later(device: Device, a: Any) -> None:
    to, source, size, stream = a[0], a[1], a[2], a[3]
    device.later(stream, lambda: device.memory.write(to, device.memory.read(source, size)))


def _set(device: Device, a: Any, format_: str, stream: int) -> None:
    to, count = a[0], a[2]
    data = struct.pack(format_, a[1] & (256 ** struct.calcsize(format_) - 1)) * count
    device.later(stream, lambda: device.memory.write(to, data))


for _format, _suffix in (("<B", "D8"), ("<H", "D16"), ("<I", "D32")):

    @driver(f"cuMemset{_suffix}_v2")
    def _set_now(device: Device, a: Any, format_: str = _format) -> None:
        _set(device, a, format_, 0)

    @driver(f"cuMemset{_suffix}Async")
    def _set_later(device: Device, a: Any, format_: str = _format) -> None:
        _set(device, a, format_, a[3])


# Modules and launches


BINARY = b"\x7fELF of PTX\n"
"""How a cubin of the stand-in begins; PTX follows."""
_ERROR_LOG = 5
"""CU_JIT_ERROR_LOG_BUFFER"""
_LOG_SIZES = (4, 6)
"""CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES and CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES"""


def clear_logs(a: Any) -> None:
    """Say that no log of `cuModuleLoadDataEx` has been written."""
    for i in range(int32(a[2])):
        if ctypes.c_uint32.from_address(a[3] + 4 * i).value in _LOG_SIZES:
            put(a[4] + 8 * i, 0)


def write_log(a: Any, text: bytes) -> None:
    """Write the log of errors of `cuModuleLoadDataEx`."""
    for i in range(int32(a[2])):
        if ctypes.c_uint32.from_address(a[3] + 4 * i).value == _ERROR_LOG:
            ctypes.memmove(
                ctypes.c_uint64.from_address(a[4] + 8 * i).value, text + b"\0", len(text) + 1
            )


@driver("cuModuleLoadData", "cuModuleLoadDataEx", "cuModuleLoadFatBinary")
def _load(device: Device, a: Any) -> None:
    if device.log:
        write_log(a, device.log.encode())
        raise Failed(Status.INVALID_PTX)
    text = ctypes.string_at(a[1])
    if text.startswith(BINARY):  # what the tests have in the place of machine code
        text = text.removeprefix(BINARY)
    elif text.startswith(b"\x7fELF"):
        raise Failed(Status.NO_BINARY_FOR_GPU)
    target = re.search(rb"\.target\s+sm_(\d+)", text)
    if target is None:
        raise Failed(Status.INVALID_PTX)
    if divmod(int(target[1]), 10) > device.capability:
        raise Failed(Status.NO_BINARY_FOR_GPU)
    try:
        module = load(text.decode(), device.memory)
    except Fault as fault:
        device.faults.append(str(fault))
        raise Failed(Status.INVALID_PTX) from None
    put(a[0], device.new(Loaded(module)))


@driver("cuModuleUnload")
def _unload(device: Device, a: Any) -> None:
    device.drain()
    unload(device.find(a[0], Loaded).module, device.memory)
    del device.objects[a[0]]


@driver("cuModuleGetFunction")
def _function(device: Device, a: Any) -> None:
    module = device.find(a[1], Loaded).module
    name = ctypes.string_at(a[2]).decode()
    if name not in module.kernels:
        raise Failed(Status.NOT_FOUND)
    put(a[0], device.new(Function(module, name)))


@driver("cuFuncGetAttribute")
def _function_attribute(device: Device, a: Any) -> None:
    kernel = device.find(a[2], Function)
    values = {0: kernel.module.kernels[kernel.name].max_threads or 1024, 4: 32}
    put(a[0], values.get(int32(a[1]), 0), ctypes.c_int)


@driver("cuLaunchKernel")
def _launch(device: Device, a: Any) -> None:
    function: Function = device.find(a[0], Function)
    extents = [int32(a[i]) for i in range(1, 8)]
    kernel = function.module.kernels[function.name]
    if 0 in extents[:6] or extents[3] * extents[4] * extents[5] > 1024:
        raise Failed(Status.INVALID_VALUE)
    if sum(v.size for v in (*kernel.shared, *function.module.shared)) + extents[6] > 49152:
        raise Failed(Status.INVALID_VALUE)
    parameters = _parameters(kernel.parameters, kernel.parameter_bytes, a[9], a[10])
    grid, block = tuple(extents[:3]), tuple(extents[3:6])

    def run() -> None:
        device.launches.append(function.name)
        device.threads = math.prod(grid) * math.prod(block)
        launch(function.module, function.name, grid, block, parameters, device.memory, extents[6])  # pyright: ignore[reportArgumentType]

    device.later(a[8], run)


def _parameters(places: dict[str, tuple[int, int]], size: int, pointers: int, extra: int) -> bytes:
    """The block of parameters: from a pointer to each, or from a buffer that holds them as they are."""
    if not extra:
        block = bytearray(size)
        for i, (start, length) in enumerate(places.values()):
            address = ctypes.c_uint64.from_address(pointers + 8 * i).value
            block[start : start + length] = ctypes.string_at(address, length)
        return bytes(block)
    words = (ctypes.c_uint64 * 5).from_address(extra)
    options = dict(zip(words[0:4:2], words[1:4:2], strict=True))
    given = ctypes.c_uint64.from_address(options[2]).value
    if given != size:
        raise Failed(Status.INVALID_VALUE)
    return ctypes.string_at(options[1], given)


# Streams and events


@driver("cuStreamCreate", "cuStreamCreateWithPriority")
def _stream(device: Device, a: Any) -> None:
    put(a[0], device.new(Stream()))


@driver("cuEventCreate")
def _event(device: Device, a: Any) -> None:
    put(a[0], device.new(Event()))


@driver("cuStreamDestroy_v2", "cuEventDestroy_v2")
def _destroy(device: Device, a: Any) -> None:
    device.find(a[0], object)
    del device.objects[a[0]]


@driver("cuStreamSynchronize")
def _stream_synchronize(device: Device, a: Any) -> None:
    device.drain(a[0])


@driver("cuStreamQuery")
def _stream_query(device: Device, a: Any) -> None:
    if device.pending(a[0]):
        raise Failed(Status.NOT_READY)


@driver("cuEventRecord")
def _record(device: Device, a: Any) -> None:
    device.find(a[0], Event).after = device.pending(a[1])


@driver("cuStreamWaitEvent")
def _wait(device: Device, a: Any) -> None:
    device.order(a[0], device.find(a[1], Event))


@driver("cuEventSynchronize")
def _event_synchronize(device: Device, a: Any) -> None:
    device.run(device.find(a[0], Event).after)


@driver("cuEventQuery")
def _event_query(device: Device, a: Any) -> None:
    if not all(one.is_done for one in device.find(a[0], Event).after):
        raise Failed(Status.NOT_READY)


@driver("cuEventElapsedTime", "cuEventElapsedTime_v2")
def _elapsed(device: Device, a: Any) -> None:
    ctypes.c_float.from_address(a[0]).value = 0.001


_TEXTS: dict[int, Any] = {}


@driver("cuGetErrorString", "cuGetErrorName")
def _error_text(device: Device, a: Any) -> None:
    code = int32(a[0])
    name = Status(code).name if code in list(Status) else f"error {code}"
    put(
        a[1],
        ctypes.addressof(
            _TEXTS.setdefault(
                code, ctypes.create_string_buffer(name.lower().replace("_", " ").encode())
            )
        ),
    )
