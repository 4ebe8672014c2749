"""Pickles of tensors and plain data, as `torch.save` writes them (PyTorch: torch/serialization.py, torch/_weights_only_unpickler.py).

What is read is what PyTorch reads with `weights_only`: tensors, numbers, texts, bytes, and containers of them; and besides, arrays and
numbers of NumPy's (numpy_data.py). No other name means anything: Note [Pickles are data] in pickle_machine.py.
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Iterable
from enum import IntEnum
from typing import Any, cast

from torchscript_dialect.serialization.archive import numpy_data, sparse_tensors
from torchscript_dialect.serialization.archive.pickle_globals import finder
from torchscript_dialect.serialization.archive.pickle_machine import KEYS, PickleError
from torchscript_dialect.serialization.archive.pickler import PickleWriter
from torchscript_dialect.serialization.archive.storages import Storage, Storages, StorageType
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.layout import layout
from torchscript_dialect.tensor.storages import TypedStorage, UntypedStorage
from torchscript_dialect.tensor.tensor import Size, Tensor, tensor_of
from torchscript_dialect.tensor.unstrided import SparseTensor, UnstridedTensor
from torchscript_dialect.utils.errors import TorchScriptError

MAX_DEPTH = 200
_INT64 = range(-(1 << 63), 1 << 63)
WITHOUT_STORAGE_CLASS = frozenset(
    element
    for element in dtypes.all_dtypes()
    if element.is_float8 or element.name in ("uint16", "uint32", "uint64")
)
"""Elements that came after PyTorch's classes of storages: the tensor tells its dtype, and its storage is of bytes."""
_STORED_ALONE = frozenset(dtypes.all_dtypes()) - WITHOUT_STORAGE_CLASS
_DTYPES = (*dtypes.all_dtypes(), dtypes.qint8, dtypes.quint8, dtypes.qint32)


_CLASSES_OF_TENSORS = frozenset(
    {("torch", "Tensor"), ("torch._tensor", "Tensor"), ("torch.nn.parameter", "Parameter")}
)


class _ClassOfTensors:
    """`torch.Tensor`, which pickles of tensors with attributes name."""


def plain_finder(
    storages: Storages, parameter: Callable[[Tensor, bool], Tensor]
) -> Callable[[str, str], Any]:
    """What finds the meaning of a name in a pickle of plain data; `parameter` makes a parameter of a tensor."""

    def rebuild_v2(storage: Any, *rest: Any) -> Tensor:
        return storages.rebuild(_memory(storage), *rest)

    def rebuild_quantized(storage: Any, *rest: Any) -> Tensor:
        return storages.rebuild_quantized(_memory(storage), *rest)

    def rebuild_v3(storage: Any, offset: Any, sizes: Any, strides: Any, *rest: Any) -> Tensor:
        match rest:
            case (bool() as requires_grad, hooks, dtypes.dtype() as element, *metadata):
                elements = storages.of_elements(_memory(storage), element)
                given = (requires_grad, hooks, *metadata)
                return storages.rebuild(elements, offset, sizes, strides, *given)
            case _:
                raise PickleError("a tensor without a class of storages tells no dtype")

    def rebuild_parameter(*args: Any) -> Tensor:
        match args:
            case (Tensor() as data, bool() as requires_grad, dict()):
                if requires_grad and not (data.is_floating_point() or data.is_complex()):
                    raise PickleError(f"a parameter of {data.dtype.name} requires a gradient")
                return parameter(data, requires_grad)
            case _:
                raise PickleError("a parameter is made of a tensor")

    def rebuild_parameter_with_state(
        data: Any, requires_grad: Any, hooks: Any, state: Any
    ) -> Tensor:
        return _with(state, rebuild_parameter(data, requires_grad, hooks))

    def rebuild_from_type(*args: Any) -> Tensor:
        match args:
            case (function, _ClassOfTensors(), tuple(), state) if function in makers:
                return _with(state, function(*cast("tuple[Any, ...]", args[2])))
            case _:
                raise PickleError("a tensor with attributes is made of a tensor")

    def rebuild_v1(storage: Any, offset: Any, sizes: Any, strides: Any) -> Tensor:
        """Before tensors required gradients; sizes are a `Size`."""
        sizes = tuple(sizes) if isinstance(sizes, Size) else sizes
        return storages.rebuild(_memory(storage), offset, sizes, strides)

    makers = (rebuild_v2, rebuild_v3, rebuild_parameter, rebuild_quantized, _sparse)
    of_tensors = finder(storages, _no_table)
    table: dict[tuple[str, str], Any] = {
        ("collections", "OrderedDict"): _ordered_dict,
        ("collections", "Counter"): _counter,
        ("_codecs", "encode"): _bytes,
        ("torch", "Size"): _size,
        ("torch", "UntypedStorage"): StorageType(dtypes.uint8),
        ("torch.storage", "UntypedStorage"): StorageType(dtypes.uint8),
        ("torch.serialization", "_get_layout"): _layout,
        ("torch._utils", "_rebuild_sparse_tensor"): _sparse,
        ("torch._utils", "_rebuild_tensor"): rebuild_v1,
        ("torch._utils", "_rebuild_tensor_v2"): rebuild_v2,
        ("torch._utils", "_rebuild_tensor_v3"): rebuild_v3,
        ("torch._utils", "_rebuild_qtensor"): rebuild_quantized,
        ("torch._utils", "_rebuild_parameter"): rebuild_parameter,
        ("torch._utils", "_rebuild_parameter_with_state"): rebuild_parameter_with_state,
        ("torch._tensor", "_rebuild_from_type_v2"): rebuild_from_type,
        **dict.fromkeys(_CLASSES_OF_TENSORS, _ClassOfTensors()),
        ("builtins", "set"): _set,
        ("builtins", "bytes"): _no_bytes,
        **numpy_data.NAMES,
        **{("torch", element.name): element for element in _DTYPES},
    }

    def find(module: str, name: str) -> Any:
        module = "builtins" if module == "__builtin__" else module  # Python 2's
        found = table.get((module, name))
        if found is not None:
            return found
        if module.startswith(("__torch__", "torch.jit", "__main__")):
            raise PickleError(f"the name {module}.{name} is none of plain data")
        return of_tensors(module, name)

    return find


def _memory(storage: Any) -> Any:
    """A storage as tensors are made of it."""
    if isinstance(storage, TypedStorage):
        return Storage(storage.dtype, storage.untyped().memory)
    return storage


def typed_loader(
    load: Callable[[tuple[Any, ...]], Storage],
) -> Callable[[tuple[Any, ...]], TypedStorage]:
    """What makes a storage of a persistent id, as a program sees it."""

    def load_typed(given: tuple[Any, ...]) -> TypedStorage:
        found = load(given)
        whole = found.memory.size // found.element.itemsize * found.element.itemsize
        return TypedStorage(UntypedStorage(found.memory[:whole]), found.element)

    return load_typed


def _with(state: Any, tensor: Tensor) -> Tensor:
    """A tensor, with the attributes that a program gave to it; none of them hides what tensors have."""
    parts = cast("tuple[Any, ...]", state) if isinstance(state, tuple) else (state,)
    if len(parts) > 2:
        raise PickleError("the attributes of a tensor are a dictionary, or two of them")
    for part in parts:
        match part:
            case None:
                continue
            case dict():
                attributes = cast("dict[Any, Any]", part)
            case _:
                raise PickleError("the attributes of a tensor are no dictionary")
        for name, value in attributes.items():
            if not isinstance(name, str) or name.startswith("__") or hasattr(Tensor, name):
                raise PickleError(f"a tensor cannot be given the attribute {name!r}")
            setattr(tensor, name, value)
    return tensor


def _no_table(*_: Any) -> Any:
    raise PickleError("it refers to a table of tensors")


def _ordered_dict(*args: Any) -> OrderedDict[Any, Any]:
    match args:
        case ():
            return OrderedDict()
        case (list(),):  # Python 2's
            made: OrderedDict[Any, Any] = OrderedDict()
            for pair in cast("list[Any]", args[0]):
                if type(pair) not in (list, tuple) or len(pair) != 2:
                    break
                made[_key(pair[0])] = pair[1]
            else:
                return made
        case _:
            pass
    raise PickleError("an OrderedDict is made empty, or of pairs")


def _key(value: Any) -> Any:
    if type(value) not in KEYS:
        raise PickleError(f"a key of a dictionary is a {type(value).__name__}")
    return value


def _counter(*args: Any) -> Counter[Any]:
    match args:
        case (dict(),):
            counts = cast("dict[Any, Any]", args[0])
            if all(type(count) is int for count in counts.values()):
                return Counter(cast("dict[Any, int]", counts))
        case _:
            pass
    raise PickleError("a Counter is made of a dictionary of numbers")


def _set(*args: Any) -> set[Any]:
    match args:
        case (list(),):
            return set(map(_key, cast("list[Any]", args[0])))
        case _:
            raise PickleError("a set is made of a list")


def _bytes(*args: Any) -> bytes:
    match args:
        case (str(text), "latin1"):
            try:
                return text.encode("latin1")
            except UnicodeEncodeError:
                pass
        case _:
            pass
    raise PickleError("bytes are made of a text in which each letter is one")


def _no_bytes(*args: Any) -> bytes:
    """Python's pickle has no other way to write `b""`."""
    if args:
        raise PickleError("bytes are made empty, or of a text")
    return b""


def _size(*args: Any) -> Size:
    match args:
        case (tuple(),):
            sizes = cast("tuple[Any, ...]", args[0])
            if all(type(size) is int for size in sizes):
                return Size(sizes)
        case _:
            pass
    raise PickleError("a Size is made of numbers")


def _layout(*args: Any) -> layout:
    match args:
        case (str(name),) if name.removeprefix("torch.") in layout.__members__:
            return layout[name.removeprefix("torch.")]
        case _:
            raise PickleError("a layout is made of its name")


def _sparse(*args: Any) -> Tensor:
    match args:
        case (layout.sparse_coo, (Tensor() as places, Tensor() as elements, sizes, *rest)):
            return sparse_tensors.of_coordinates(_plain(sizes), places, elements, rest == [True])
        case (
            layout.sparse_csr | layout.sparse_csc | layout.sparse_bsr | layout.sparse_bsc as kind,
            (Tensor() as bounds, Tensor() as places, Tensor() as elements, sizes, *_),
        ):
            return sparse_tensors.of_compressed(kind, _plain(sizes), bounds, places, elements)
        case _:
            raise PickleError("a sparse tensor is made of its layout, indices, elements and sizes")


def _plain(sizes: Any) -> Any:
    is_list = isinstance(sizes, (Size, list))
    return tuple(cast("Iterable[Any]", sizes)) if is_list else sizes


class PlainDataWriter:
    """Writes tensors and plain data to a pickle; `is_parameter` tells parameters from other tensors."""

    def __init__(self, pickle: PickleWriter, is_parameter: Callable[[Tensor], bool]) -> None:
        self.pickle = pickle
        self._is_parameter = is_parameter
        self._kept: list[Any] = []
        """What was written and is remembered by its id."""

    def write(self, value: Any, path: str = "", depth: int = 0) -> None:
        """Write a value; `path` says where it is.

        Raises:
            TorchScriptError: it is no plain data.
        """
        if depth > MAX_DEPTH:
            raise TorchScriptError(f"{path[:200]} is nested too deeply, or holds itself")
        pickle = self.pickle
        match value:
            case None:
                pickle.none()
            case bool():
                pickle.boolean(value)
            case layout():
                self._layout(value)
            case int() if not isinstance(value, IntEnum):
                if value not in _INT64:
                    raise TorchScriptError(
                        f"{path or 'the value'} is a number of more than 64 bits"
                    )
                pickle.integer(value)
            case float():
                pickle.real(float(value))
            case complex():
                pickle.complex(value)
            case str():
                pickle.text(str(value))
            case Tensor():
                self._tensor(value, path, depth + 3)  # attributes take more frames than items
            case TypedStorage() if value.dtype in _STORED_ALONE:
                elements = value.untyped().memory.view(value.dtype.numpy_dtype)
                pickle.storage(tensor_of(elements))
            case device():
                pickle.device(value)
            case dtypes.dtype():
                pickle.name("torch", value.name)
            case _:
                self._container(value, path, depth + 1)

    def _container(self, value: Any, path: str, depth: int) -> None:
        pickle = self.pickle
        key = ("value", id(value))
        if pickle.get(key):
            return

        def item(one: Any) -> None:
            self.write(one, f"{path}[...]", depth)

        def pair(one: tuple[Any, Any]) -> None:
            if not isinstance(one[0], KEYS):
                raise TorchScriptError(
                    f"a key of {path or 'the value'} is a {type(one[0]).__name__}"
                )
            self.write(one[0], path, depth)
            self.write(one[1], f"{path}[{one[0]!r}]", depth)

        match value:
            case Size():
                pickle.made("torch", "Size", lambda: pickle.tuple_of(value, item))
            case tuple():
                pickle.tuple_of(cast("tuple[Any, ...]", value), item)
            case list():
                pickle.items(cast("list[Any]", value), item)
            case OrderedDict():
                self._ordered(cast("OrderedDict[Any, Any]", value), pair, path, depth)
            case Counter():
                pickle.made(
                    "collections",
                    "Counter",
                    lambda: pickle.pairs(dict(cast("Counter[Any]", value)).items(), pair),
                )
            case dict():
                pickle.pairs(cast("dict[Any, Any]", value).items(), pair)
            case set():
                pickle.made(
                    "__builtin__", "set", lambda: pickle.items(cast("set[Any]", value), item)
                )
            case bytes():
                pickle.made(
                    "_codecs",
                    "encode",
                    lambda: pickle.text(value.decode("latin1")),
                    lambda: pickle.text("latin1"),
                )
            case _:
                raise TorchScriptError(
                    f"{path or 'the value'} is a {type(value).__name__}: only tensors and plain data can be saved"
                )
        pickle.remember(key)
        self._kept.append(value)

    def _ordered(
        self, value: OrderedDict[Any, Any], pair: Callable[[Any], None], path: str, depth: int
    ) -> None:
        """What a state dict knows of the versions of its modules comes after the items."""
        self.pickle.made("collections", "OrderedDict")
        self.pickle.set_items(value.items(), pair)
        metadata = getattr(value, "_metadata", None)
        if metadata is not None:
            self.write({"_metadata": metadata}, path, depth)
            self.pickle.end_object()

    def _layout(self, value: layout) -> None:
        self.pickle.made(
            "torch.serialization", "_get_layout", lambda: self.pickle.text(f"torch.{value.name}")
        )

    def _tensor(self, value: Tensor, path: str, depth: int) -> None:
        pickle = self.pickle
        key = ("parameter", id(value))
        if pickle.get(key):
            return
        attributes = self._attributes(value, path, depth)
        if isinstance(value, UnstridedTensor):
            self._sparse(value, path, attributes)
        elif self._is_parameter(value):
            plain = tensor_of(value.array)
            self._kept.append(plain)
            pickle.made(
                "torch._utils",
                "_rebuild_parameter" if attributes is None else "_rebuild_parameter_with_state",
                lambda: self._strided(plain, False, None),
                lambda: pickle.boolean(value.requires_grad),
                lambda: pickle.made("collections", "OrderedDict"),
                *(() if attributes is None else (attributes,)),
            )
        else:
            self._strided(value, value.requires_grad, attributes)
        pickle.remember(key)
        self._kept.append(value)

    def _attributes(self, value: Tensor, path: str, depth: int) -> Callable[[], None] | None:
        """What writes the attributes that a program has given to a tensor."""
        given = dict(vars(value))
        if not given:
            return None

        def pair(one: tuple[str, Any]) -> None:
            self.pickle.text(one[0])
            self.write(one[1], f"{path}.{one[0]}", depth)

        return lambda: self.pickle.pairs(given.items(), pair)

    def _strided(
        self, value: Tensor, requires_grad: bool, attributes: Callable[[], None] | None
    ) -> None:
        if value.device.type != "cpu":
            value = value.cpu()
        if value.dtype in WITHOUT_STORAGE_CLASS:
            self.pickle.tensor_of_bytes(value, requires_grad, attributes)
        else:
            self.pickle.tensor(value, requires_grad, attributes)

    def _sparse(
        self, value: UnstridedTensor, path: str, attributes: Callable[[], None] | None
    ) -> None:
        try:
            number, tensors = sparse_tensors.parts(value)
        except RuntimeError as error:
            raise TorchScriptError(f"{path or 'the value'}: {error}") from None
        pickle = self.pickle
        sizes = Size(value.shape)
        last: Iterable[Any] = (
            (sizes, value.is_coalesced()) if isinstance(value, SparseTensor) else (sizes,)
        )
        parts = [*tensors, *last]
        self._kept.append(parts)

        def arguments() -> None:
            self._layout(layout(number))
            pickle.tuple_of(parts, lambda one: self.write(one, path))

        pickle.rebuilt("_rebuild_sparse_tensor", arguments, attributes)
