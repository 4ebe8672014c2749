"""Memory of a device that is shared with others, by DLPack and `__cuda_array_interface__`; streams and events."""

from __future__ import annotations

import gc
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

VALUES = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.mark.parametrize(
    "dtype",
    [
        np.float32,
        np.float64,
        np.int8,
        np.uint8,
        np.int64,
        np.bool_,
        np.complex64,
        ml_dtypes.bfloat16,
    ],
)
def test_dlpack_shares_memory(on_device: Device, dtype: Any) -> None:
    x = torch.tensor(VALUES.astype(dtype), device="cuda")
    for one in (x, x.t(), x[:, 1::2], x[0, 0], x[:0]):
        again = torch.from_dlpack(one)
        assert (again.device, again.dtype, again.shape, again.stride()) == (
            x.device,
            x.dtype,
            one.shape,
            one.stride(),
        )
        assert again.data_ptr() == one.data_ptr()
        np.testing.assert_array_equal(again.cpu().numpy(), one.cpu().numpy())
    assert x.__dlpack_device__() == (2, 0)


def test_memory_lives_as_long_as_somebody_has_it(on_device: Device) -> None:
    before = torch.cuda.memory_allocated()
    x = torch.tensor(VALUES, device="cuda")
    again = torch.from_dlpack(x)
    unused = x.__dlpack__()
    del x
    gc.collect()
    np.testing.assert_array_equal(again.cpu().numpy(), VALUES)
    assert torch.cuda.memory_allocated() == before + 512
    del again, unused
    gc.collect()
    assert torch.cuda.memory_allocated() == before


def test_capsules_are_used_once(on_device: Device) -> None:
    x = torch.tensor(VALUES, device="cuda")
    capsule = x.__dlpack__()

    class Other:
        def __dlpack__(self, stream: int) -> Any:
            assert stream == 1
            return capsule

        def __dlpack_device__(self) -> tuple[int, int]:
            return (2, 0)

    assert torch.from_dlpack(Other()).data_ptr() == x.data_ptr()
    with pytest.raises(BufferError, match="used before"):
        torch.from_dlpack(Other())
    with pytest.raises(BufferError, match="copy it before"):
        x.__dlpack__(copy=True)
    with pytest.raises(BufferError, match="copy it before"):
        x.__dlpack__(dl_device=(1, 0))


def test_the_array_interface_shares_memory(on_device: Device) -> None:
    x = torch.tensor(VALUES, device="cuda")

    class Other:
        def __init__(self, interface: dict[str, Any]) -> None:
            self.__cuda_array_interface__ = interface

    assert x.__cuda_array_interface__ == {
        "shape": (3, 4), "typestr": "<f4", "data": (x.data_ptr(), False), "strides": None, "version": 3, "stream": 1,
    }  # fmt: skip
    for one in (x, x.t(), x[1:, 2]):
        again = torch.as_tensor(Other(one.__cuda_array_interface__))
        assert (again.shape, again.stride(), again.data_ptr()) == (
            one.shape,
            one.stride(),
            one.data_ptr(),
        )
    again.fill_(9)
    assert x[2, 2].item() == 9
    assert not hasattr(torch.tensor(VALUES), "__cuda_array_interface__")
    half = torch.tensor(VALUES.astype(ml_dtypes.bfloat16), device="cuda")
    with pytest.raises(TypeError, match=r"has no elements of torch\.bfloat16"):
        half.__cuda_array_interface__  # noqa: B018


def test_streams(on_device: Device) -> None:
    x = torch.tensor(VALUES, device="cuda")
    stream = torch.cuda.Stream()
    assert torch.cuda.current_stream() == torch.cuda.default_stream()
    with torch.cuda.stream(stream):
        assert torch.cuda.current_stream() is stream
        y = x * 2 + 1
        assert y.__cuda_array_interface__["stream"] == stream.cuda_stream
        event = stream.record_event()
    event.synchronize()
    assert event.query()
    stream.wait_stream(None)
    event.wait()
    with torch.cuda.stream(stream):
        np.testing.assert_array_equal(y.cpu().numpy(), VALUES * 2 + 1)
        torch.from_dlpack(Lender(y))
    stream.synchronize()
    assert stream.query()
    assert torch.cuda.current_stream() == torch.cuda.default_stream()


class Lender:
    """Another library's array, which hears in which stream it will be used."""

    def __init__(self, tensor: Tensor) -> None:
        self.tensor = tensor

    def __dlpack__(self, stream: int) -> Any:
        assert stream == torch.cuda.current_stream().cuda_stream
        return self.tensor.__dlpack__(stream=stream)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (2, 0)


def test_blocks_stay_in_their_stream(on_device: Device) -> None:
    torch.cuda.empty_cache()
    stream = torch.cuda.Stream()
    with torch.cuda.stream(stream):
        first = torch.empty(100, device="cuda").data_ptr()
    with torch.cuda.stream(stream):
        again = torch.empty(100, device="cuda").data_ptr()
    other = torch.empty(100, device="cuda").data_ptr()
    assert first == again != other


def test_events_tell_time(on_device: Device) -> None:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    end.record()
    torch.cuda.synchronize()
    assert begin.elapsed_time(end) >= 0


def test_what_the_module_tells(on_device: Device) -> None:
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    assert (
        torch.cuda.is_available()
        and torch.cuda.device_count() == 1
        and torch.cuda.current_device() == 0
    )
    assert (torch.cuda.get_device_name(0), torch.cuda.get_device_capability("cuda:0")) == (
        "Interpreted device",
        (8, 0),
    )
    before = torch.cuda.memory_allocated()
    x = torch.empty(1000, device="cuda")
    assert (
        torch.cuda.memory_allocated("cuda") - before
        == 4096
        <= torch.cuda.max_memory_allocated()
        <= torch.cuda.memory_reserved()
    )
    del x
    with pytest.raises(RuntimeError, match="there is no device 1"):
        torch.cuda.synchronize(1)


@pytest.mark.parametrize("is_told", [True, False])
def test_a_block_that_another_stream_uses(on_device: Device, is_told: bool) -> None:
    """It waits for that stream if the allocator knows; otherwise what comes next overwrites it, as in PyTorch."""
    x = torch.tensor(VALUES, device="cuda")
    one, other = torch.cuda.Stream(), torch.cuda.Stream()
    for stream in (one, other):  # kernels are loaded, which waits
        with torch.cuda.stream(stream):
            assert (x * 2 + 1).cpu()[0, 0] == VALUES[0, 0] * 2 + 1
    with torch.cuda.stream(one):
        y = x * 2
    other.wait_stream(one)
    with torch.cuda.stream(other):
        z = y + 1
    if is_told:
        y.record_stream(other)
        y.record_stream(one)
    address = y.data_ptr()
    del y
    with torch.cuda.stream(one):
        w = x * 2 if is_told else x * -2
        assert (w.data_ptr() == address) is not is_told
    wanted = VALUES * 2 + 1 if is_told else VALUES * -2 + 1
    np.testing.assert_array_equal(z.cpu().numpy(), wanted)
    with torch.cuda.stream(one):
        assert ((x * 2).data_ptr() == address) is is_told
    with pytest.raises(NotImplementedError, match="record_stream"):
        torch.tensor(VALUES).record_stream(one)


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"strides": (16, -4), "data": (12, False)}, "negative"),
        ({"strides": (16, 6)}, "not a multiple"),
        ({"data": (2, False)}, "no elements of float32"),
        ({"data": (0, True)}, "read only flag"),
        ({"typestr": ">f4"}, "byte order"),
        ({"mask": object()}, "no masks"),
    ],
)
def test_what_no_tensor_is(on_device: Device, changed: dict[str, Any], words: str) -> None:
    x = torch.tensor(VALUES, device="cuda")
    interface = {**x.__cuda_array_interface__, **changed}
    offset, is_read_only = changed.get("data", (0, False))
    interface["data"] = (x.data_ptr() + offset, is_read_only)

    class Other:
        __cuda_array_interface__ = interface

    with pytest.raises((TypeError, ValueError), match=words):
        torch.as_tensor(Other())


def test_what_requires_grad_is_not_shared(on_device: Device) -> None:
    x = torch.tensor(VALUES, device="cuda", requires_grad=True)
    with pytest.raises(RuntimeError, match=r"var\.detach\(\)"):
        x.__cuda_array_interface__  # noqa: B018
