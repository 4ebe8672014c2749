"""Writes the pickles of archives, as PyTorch's pickler does (serialization/pickler.cpp)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from torchscript_dialect.serialization.archive import sparse_tensors
from torchscript_dialect.serialization.archive.storage_writer import StoredTensor, StoredTensors
from torchscript_dialect.tensor.quantizer import SCHEMES, PerTensor, Quantizer, quantizer_of
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import UnstridedTensor
from torchscript_dialect.types.core import BOOL, FLOAT, INT, TorchScriptType
from torchscript_dialect.types.tensor_type import TensorType

_BUILDERS: dict[TorchScriptType, str] = {
    INT: "build_intlist",
    FLOAT: "build_doublelist",
    BOOL: "build_boollist",
}
_PICKLE = "torch.jit._pickle"


class PickleWriter:
    """Writes the opcodes of one pickle; what a value is made of is said by whoever calls."""

    def __init__(self, tensors: StoredTensors) -> None:
        self._tensors = tensors
        self._out: list[bytes] = [b"\x80\x02"]
        self._memo: dict[Any, int] = {}
        self._kept: list[Tensor] = []
        """The tensors that were written: their ids are keys."""

    def bytes(self) -> bytes:
        """The finished pickle."""
        return b"".join([*self._out, b"."])

    def _put(self, key: Any) -> None:
        number = len(self._memo)
        self._memo[key] = number
        short = number < 256
        self._out.append(b"q" + bytes([number]) if short else b"r" + struct.pack("<L", number))

    def get(self, key: Any) -> bool:
        """Refer to a value that was written before; whether there is one."""
        number = self._memo.get(key)
        if number is None:
            return False
        short = number < 256
        self._out.append(b"h" + bytes([number]) if short else b"j" + struct.pack("<L", number))
        return True

    def remember(self, key: Any) -> None:
        """Let the value on top be referred to by a key."""
        self._put(key)

    def name(self, module: str, name: str) -> None:
        """A global."""
        key = ("global", module, name)
        if not self.get(key):
            self._out.append(f"c{module}\n{name}\n".encode())
            self._put(key)

    def none(self) -> None:
        self._out.append(b"N")

    def boolean(self, value: bool) -> None:
        self._out.append(b"\x88" if value else b"\x89")

    def integer(self, value: int) -> None:
        if 0 <= value < 1 << 8:
            self._out.append(b"K" + bytes([value]))
        elif 0 <= value < 1 << 16:
            self._out.append(b"M" + struct.pack("<H", value))
        elif -(1 << 31) <= value < 1 << 31:
            self._out.append(b"J" + struct.pack("<l", value))
        else:
            self._out.append(b"\x8a\x08" + struct.pack("<q", value))

    def real(self, value: float) -> None:
        self._out.append(b"G" + struct.pack(">d", value))

    def text(self, value: str) -> None:
        key = ("text", value)
        if not self.get(key):
            encoded = value.encode()
            self._out.append(b"X" + struct.pack("<L", len(encoded)) + encoded)
            self._put(key)

    def made(self, module: str, name: str, *parts: Callable[[], None]) -> None:
        """What a global gives for arguments, each of which a function writes."""
        self.name(module, name)
        self.tuple_of(parts, lambda write: write())
        self._out.append(b"R")

    def items(self, values: Iterable[Any], write: Callable[[Any], None]) -> None:
        """A list of no told type."""
        self._out.append(b"](")
        for value in values:
            write(value)
        self._out.append(b"e")

    def pairs(self, values: Iterable[Any], write: Callable[[Any], None]) -> None:
        """A dictionary of no told type; `write` writes key and value."""
        self._out.append(b"}")
        self.set_items(values, write)

    def set_items(self, values: Iterable[Any], write: Callable[[Any], None]) -> None:
        """The items of the dictionary on top."""
        self._out.append(b"(")
        for value in values:
            write(value)
        self._out.append(b"u")

    def complex(self, value: complex) -> None:
        self.name("builtins", "complex")
        self.real(value.real)
        self.real(value.imag)
        self._out.append(b"\x86R")

    def device(self, value: Any) -> None:
        key = ("device", str(value))
        if not self.get(key):
            self.name("torch", "device")
            self.text(str(value))
            self._out.append(b"\x85R")
            self._put(key)

    def tuple_of(self, items: Iterable[Any], write: Callable[[Any], None]) -> None:
        """A tuple, each item of which `write` writes."""
        values = list(items)
        if not values:
            self._out.append(b")")
            return
        if len(values) > 3:
            self._out.append(b"(")
        for value in values:
            write(value)
        if len(values) > 3:
            self._out.append(b"t")
        else:
            self.close_tuple(len(values))

    def close_tuple(self, count: int) -> None:
        """Make a tuple of the last values; there are one to three of them."""
        self._out.append(bytes([0x84 + count]))

    def sizes(self, values: Iterable[int]) -> None:
        """A tuple of numbers as tensors have it."""
        self._out.append(b"(")
        for value in values:
            self.integer(value)
        self._out.append(b"t")

    def list_of(
        self,
        items: Iterable[Any],
        write: Callable[[Any], None],
        element: TorchScriptType,
        annotation: str,
    ) -> None:
        """A list; the annotation is the type of the whole list."""
        special = "build_tensorlist" if isinstance(element, TensorType) else _BUILDERS.get(element)
        self.name(_PICKLE, special or "restore_type_tag")
        self._out.append(b"(]" if special else b"]")
        self._out.append(b"(")
        for item in items:
            write(item)
        self._out.append(b"e")
        if special:
            self._out.append(b"tR")
        else:
            self.text(annotation)
            self._out.append(b"\x86R")

    def dict_of(
        self,
        items: Mapping[Any, Any],
        write_key: Callable[[Any], None],
        write_value: Callable[[Any], None],
        annotation: str,
    ) -> None:
        """A dictionary; the annotation is its type."""
        self.name(_PICKLE, "restore_type_tag")
        self._out.append(b"}(")
        for key, value in items.items():
            write_key(key)
            write_value(value)
        self._out.append(b"u")
        self.text(annotation)
        self._out.append(b"\x86R")

    def begin_object(self, class_name: str) -> None:
        """An object of a class; its state follows, and `end_object`."""
        module, _, name = class_name.rpartition(".")
        self.name(module, name)
        self._out.append(b")\x81")

    def begin_fields(self) -> None:
        """The state of an object is its attributes: names and values follow, and `end_fields`."""
        self._out.append(b"}(")

    def end_fields(self) -> None:
        self._out.append(b"u")

    def end_object(self) -> None:
        self._out.append(b"b")

    def member(self, class_name: str, write_value: Callable[[], None]) -> None:
        """A member of an enum."""
        module, _, name = class_name.rpartition(".")
        self.name(module, name)
        write_value()
        self._out.append(b"R")

    def _quantizer(self, quantizer: Quantizer) -> None:
        """The scheme, and scale and zero point, or tensors of these and their dimension."""
        self._out.append(b"(")
        self.name("torch", SCHEMES[quantizer.scheme])
        if isinstance(quantizer, PerTensor):
            self.real(quantizer.scale)
            self.integer(quantizer.zero_point)
        else:
            self.tensor(tensor_of(quantizer.scales), False)
            self.tensor(tensor_of(quantizer.zero_points), False)
            self.integer(quantizer.axis)
        self._out.append(b"t")

    def _sparse(self, value: UnstridedTensor, requires_grad: bool) -> None:
        """The layout, sizes, and tensors of indices and elements."""
        number, tensors = sparse_tensors.parts(value)
        if number not in sparse_tensors.OF_PROGRAMS:
            raise RuntimeError(f"a tensor of layout {value.layout} cannot be saved in an archive")
        self.name("torch._utils", "_rebuild_sparse_tensor")
        self._out.append(b"(")
        self.integer(number)
        self.sizes(value.shape)
        self.boolean(requires_grad)
        for tensor in tensors:
            self.tensor(tensor, False)
        self.name("collections", "OrderedDict")
        self._out.append(b")RtR")

    def rebuilt(
        self,
        function: str,
        write_arguments: Callable[[], None],
        write_attributes: Callable[[], None] | None = None,
    ) -> None:
        """The tensor that a function of `torch._utils` makes of arguments, with the attributes that it has beside."""
        if write_attributes is not None:
            self.name("torch._tensor", "_rebuild_from_type_v2")
            self._out.append(b"(")
        self.name("torch._utils", function)
        if write_attributes is not None:
            self.name("torch", "Tensor")
        self._out.append(b"(")
        write_arguments()
        self._out.append(b"t")
        if write_attributes is not None:
            write_attributes()
            self._out.append(b"t")
        self._out.append(b"R")

    def tensor(
        self,
        value: Tensor,
        requires_grad: bool,
        write_attributes: Callable[[], None] | None = None,
    ) -> None:
        key = ("tensor", id(value))
        if self.get(key):
            return
        self._kept.append(value)
        if isinstance(value, UnstridedTensor):
            self._sparse(value, requires_grad)
            self._put(key)
            return
        stored = self._tensors.store(value)
        quantizer = quantizer_of(value.array)

        def arguments() -> None:
            self._storage(stored, "torch", f"{stored.element}Storage", stored.count)
            self.integer(stored.offset)
            self.sizes(value.shape)
            self.sizes(value.stride())
            if quantizer is not None:
                self._quantizer(quantizer)
            self.boolean(requires_grad)
            self.made("collections", "OrderedDict")

        function = "_rebuild_tensor_v2" if quantizer is None else "_rebuild_qtensor"
        self.rebuilt(function, arguments, write_attributes)
        self._put(key)

    def tensor_of_bytes(
        self,
        value: Tensor,
        requires_grad: bool,
        write_attributes: Callable[[], None] | None = None,
    ) -> None:
        """A tensor whose storage is of bytes, and that tells its dtype itself."""
        key = ("tensor", id(value))
        if self.get(key):
            return
        self._kept.append(value)
        stored = self._tensors.store(value)

        def arguments() -> None:
            self._storage(stored, "torch.storage", "UntypedStorage", stored.count * value.itemsize)
            self.integer(stored.offset)
            self.sizes(value.shape)
            self.sizes(value.stride())
            self.boolean(requires_grad)
            self.made("collections", "OrderedDict")
            self.name("torch", value.dtype.name)

        self.rebuilt("_rebuild_tensor_v3", arguments, write_attributes)
        self._put(key)

    def storage(self, value: Tensor) -> None:
        """The storage that a tensor has all of."""
        self._kept.append(value)
        stored = self._tensors.store(value)
        self._storage(stored, "torch", f"{stored.element}Storage", stored.count)

    def _storage(self, stored: StoredTensor, module: str, name: str, count: int) -> None:
        key = ("storage", stored.key, name)
        if self.get(key):
            return
        self._out.append(b"(")
        self.text("storage")
        self.name(module, name)
        self.text(stored.key)
        self.text("cpu")
        self.integer(count)
        self._out.append(b"tQ")
        self._put(key)
