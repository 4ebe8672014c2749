"""The tensors of an archive: views of records (PyTorch: torch/_utils.py, `_rebuild_tensor_v2`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_machine import PickleError
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.quantizer import PerTensor, of_ints, per_channel
from torchscript_dialect.tensor.storage import data_pointer
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

MAX_DIMS = 64
DeviceMap = Callable[[str], str]
"""From the device that a tensor was saved on to the one that it is to be on."""


@dataclass(frozen=True, slots=True)
class StorageType:
    """A class of storages in a pickle: `torch.FloatStorage`."""

    element: dtype


@dataclass(frozen=True, slots=True)
class Scheme:
    """How a tensor is quantized, by PyTorch's number: `torch.per_tensor_affine`."""

    number: int


@dataclass(frozen=True, slots=True)
class Storage:
    """The memory of tensors that share it."""

    element: dtype
    memory: NDArray[np.uint8]


class Storages:
    """The storages of an archive by their keys, each mapped once."""

    def __init__(self, container: Container, map_device: DeviceMap) -> None:
        self.container = container
        self._map_device = map_device
        self._memory: dict[tuple[str, int], NDArray[np.uint8]] = {}
        self._swaps = byte_order(container) == "big"

    def loader(self, folder: str) -> Callable[[tuple[Any, ...]], Storage]:
        """What makes a storage of a persistent id; its records are in that folder."""

        def load(given: tuple[Any, ...]) -> Storage:
            match given:
                case ("storage", StorageType(element), str(key), str(device), int(count), *rest):
                    if rest not in ([], [None]):  # PyTorch 1.3 and 1.4 wrote `None` there
                        raise PickleError("a storage is a view of another")
                case _:
                    raise PickleError("what it refers to outside of it is no storage")
            mapped = self._map_device(device)
            if mapped != "cpu":
                raise PickleError(
                    f"a tensor is on the device {device!r}, and there is none but cpu here:"
                    " map_location='cpu' takes it there"
                )
            return Storage(element, self._map(f"{folder}/{key}", element, count))

        return load

    def _map(self, name: str, element: dtype, count: int) -> NDArray[np.uint8]:
        width = element.itemsize
        found = self._memory.get((name, width if self._swaps else 1))
        if found is None:
            found = self.container.map(name)
            if self._swaps:
                found = _swapped(found, element)
            elif found.size and data_pointer(found) % width:
                found = found.copy()
            self._memory[name, width if self._swaps else 1] = found
            if element is dtypes.bool_ and found.size and int(found.max()) > 1:
                raise ArchiveError("it holds bytes that are no truth values", name)
        if not 0 <= count * width <= found.size < (count + 1) * width:
            raise ArchiveError(
                f"it has {found.size} bytes, and {count} elements of {element.name} are"
                f" {count * width}",
                name,
            )
        return found

    def rebuild(self, storage: Any, offset: Any, sizes: Any, strides: Any, *rest: Any) -> Tensor:
        """`_rebuild_tensor_v2`: a view of a storage, all of it inside."""
        if isinstance(storage, Storage) and storage.element.is_quantized:
            raise PickleError(f"a tensor of {storage.element.name} has no scale")
        return self._view(storage, offset, sizes, strides, *rest)

    def _view(self, storage: Any, offset: Any, sizes: Any, strides: Any, *rest: Any) -> Tensor:
        if not isinstance(storage, Storage) or not _is_count(offset):
            raise PickleError("a tensor has no storage")
        shape, steps = counts(sizes), counts(strides)
        if len(shape) != len(steps) or len(shape) > MAX_DIMS:
            raise PickleError("the sizes and strides of a tensor are not as many")
        element = storage.element
        span = 0 if 0 in shape else 1 + sum((n - 1) * s for n, s in zip(shape, steps, strict=True))
        if (offset + span) * element.itemsize > storage.memory.size or np.prod(
            shape, dtype=object
        ) >= 1 << 63:
            raise PickleError("a tensor reaches beyond its storage")
        byte_steps = tuple(step * element.itemsize for step in steps)
        try:
            array = np.ndarray(
                shape, element.numpy_dtype, storage.memory, offset * element.itemsize, byte_steps
            )
        except (ValueError, OverflowError) as error:
            raise PickleError(f"a tensor cannot be made: {error}") from None
        made = tensor_of(_of_bits(array, rest[2]) if len(rest) > 2 else array)
        if rest and rest[0] is True:
            if not (element.is_floating_point or element.is_complex):
                raise PickleError(f"a tensor of {element.name} requires a gradient")
            made.requires_grad_()
        return made

    def of_elements(self, storage: Any, element: dtype) -> Storage:
        """A storage of bytes as one of elements; PickleError where there is none."""
        if not isinstance(storage, Storage) or storage.element is not dtypes.uint8:
            raise PickleError("a tensor has no storage of bytes")
        memory = storage.memory
        if self._swaps:
            memory = _swapped(memory, element)
        elif memory.size and data_pointer(memory) % element.itemsize:
            memory = memory.copy()
        return Storage(element, memory)

    def rebuild_quantized(
        self, storage: Any, offset: Any, sizes: Any, strides: Any, parameters: Any, *_: Any
    ) -> Tensor:
        """`_rebuild_qtensor`: a view of a storage of integers, with its scale and zero point, or those of its channels."""
        if not isinstance(storage, Storage) or not storage.element.is_quantized:
            raise PickleError("a quantized tensor has no storage of quantized elements")
        array = self._view(storage, offset, sizes, strides).array
        integers = array.view(storage.element.integers)
        match parameters:
            case (Scheme(), float(scale), int(zero_point)):
                quantizer = PerTensor(scale, zero_point)
            case (Scheme(), scales, zero_points, int(axis)):
                count = array.shape[axis] if 0 <= axis < array.ndim else -1
                scales, zero_points = _of_channels(scales, float), _of_channels(zero_points, int)
                if not scales.shape == zero_points.shape == (count,):
                    raise PickleError("the scales of a tensor are not as many as its channels")
                quantizer = per_channel(integers, scales, zero_points, axis)
            case _:
                raise PickleError("a quantized tensor has no scale")
        return tensor_of(of_ints(integers, quantizer, storage.element))


def _of_channels(given: Any, kind: type[float]) -> NDArray[Any]:
    """The scales or zero points of channels: a tensor, or the list that PyTorch 1.3 wrote."""
    if isinstance(given, Tensor):
        return given.array
    if type(given) is list and all(type(one) is kind for one in cast("list[Any]", given)):
        try:
            return np.array(given, np.float64 if kind is float else np.int64)
        except OverflowError:
            pass
    raise PickleError("a quantized tensor has no scale")


def _of_bits(array: NDArray[Any], metadata: Any) -> NDArray[Any]:
    """What a tensor is that PyTorch keeps as the conjugate or the opposite of its storage (`_get_tensor_metadata`)."""
    match metadata:
        case None:
            return array
        case dict():
            bits = cast("dict[Any, Any]", metadata)
        case _:
            raise PickleError("what a tensor is of its storage is told by a dictionary")
    for bit, is_set in bits.items():
        if bit not in ("conj", "neg") or type(is_set) is not bool:
            raise PickleError(f"a tensor is {str(bit)[:20]!r} of its storage")
    if bits.get("conj"):
        array = array.conj()
    if bits.get("neg") and array.dtype.kind == "b":
        raise PickleError("a tensor of truth values is the opposite of its storage")
    return np.negative(array) if bits.get("neg") else array


def byte_order(container: Container) -> str:
    """`little` or `big`: the order of the bytes of numbers in the archive's tensors.

    Raises:
        ArchiveError: the record says something else.
    """
    if "byteorder" not in container:
        return "little"
    order = container.read("byteorder").strip()
    if order not in (b"little", b"big"):
        raise ArchiveError(f"the byte order {order[:20]!r} is neither little nor big", "byteorder")
    return order.decode()


def _swapped(memory: NDArray[np.uint8], element: dtype) -> NDArray[np.uint8]:
    width = element.itemsize // 2 if element.is_complex else element.itemsize
    whole = memory.size // width * width
    swapped = memory[:whole].view(f"u{width}").byteswap().view(np.uint8)
    return np.concatenate([swapped, memory[whole:]])


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << 63


def counts(values: Any) -> tuple[int, ...]:
    """Sizes or strides that a pickle gives."""
    if type(values) is not tuple or not all(map(_is_count, cast("Sequence[Any]", values))):
        raise PickleError("the sizes or strides of a tensor are no numbers from 0 on")
    return cast("tuple[int, ...]", values)
