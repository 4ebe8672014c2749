"""The names that pickles of archives may use, and what each makes: Note [Pickles are data] in pickle_machine.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from torchscript_dialect.serialization.archive import sparse_tensors
from torchscript_dialect.serialization.archive.pickle_machine import ClassName, PickleError
from torchscript_dialect.serialization.archive.storages import Scheme, Storages, StorageType
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.quantizer import SCHEMES
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor


def finder(
    storages: Storages, tensors: Callable[[int], Any], tags: dict[int, str] | None = None
) -> Callable[[str, str], Any]:
    """What finds the meaning of a name in a pickle; `tensors` gives those of archives that kept them in a table, `tags` gets the types
    that the pickle tells of containers, by id.
    """
    table: dict[tuple[str, str], Any] = {
        **_containers({} if tags is None else tags),
        ("collections", "OrderedDict"): _ordered_dict,
        ("torch", "device"): _device,
        ("builtins", "complex"): _complex,
        ("torch._utils", "_rebuild_tensor_v2"): storages.rebuild,
        ("torch._utils", "_rebuild_qtensor"): storages.rebuild_quantized,
        ("torch._utils", "_rebuild_sparse_tensor"): sparse_tensors.rebuild,
        ("torch._utils", "_rebuild_parameter"): _parameter,
        ("torch.jit._pickle", "build_tensor_from_id"): tensors,
        ("__main__", "TensorID"): tensors,
        ("__main__", "IntList"): _list_of(int),
    }

    def find(module: str, name: str) -> Any:
        found = table.get((module, name)) or _FIXED.get((module, name))
        if found is not None:
            return found
        if module == "torch" and name.endswith("Storage"):
            return _storage_type(name)
        if module == "__torch__" or module.startswith("__torch__."):
            return class_name(f"{module}.{name}")
        raise PickleError(f"the name {module}.{name} is none that pickles of archives use")

    return find


def only_numbers(module: str, name: str) -> Any:
    """What the names in a pickle without tensors and objects mean: lists of numbers."""
    if (module, name) == ("torch.jit._pickle", "build_intlist"):
        return _list_of(int)
    raise PickleError(f"the name {module}.{name} is none of a pickle without tensors")


def _storage_type(name: str) -> StorageType:
    element = name.removesuffix("Storage")
    try:
        return StorageType(dtypes.from_name(element))
    except TypeError:
        raise PickleError(f"torch.{name} holds elements of a type that is none here") from None


def class_name(name: str) -> ClassName:
    """A name that an archive gives to a class."""
    if not all(part.isidentifier() for part in name.split(".")):
        raise PickleError(f"{name!r} is no name of a class")
    return ClassName(name)


def _ordered_dict(*args: Any) -> dict[Any, Any]:
    if args:
        raise PickleError("an OrderedDict is made empty")
    return {}


def _device(*args: Any) -> device:
    match args:
        case (str(kind),):
            index = None
        case (str(kind), int(index)):
            pass
        case _:
            raise PickleError("a device is made of its name")
    try:
        return device(kind, index)
    except RuntimeError as error:
        raise PickleError(f"{kind!r} is no device: {error}") from None


def _complex(*args: Any) -> complex:
    match args:
        case (float(real), float(imag)):
            return complex(real, imag)
        case _:
            raise PickleError("a complex number is made of two floats")


def _parameter(*args: Any) -> Tensor:
    match args:
        case (Tensor() as data, bool(), dict()):
            return data
        case _:
            raise PickleError("a parameter is made of a tensor")


def _containers(tags: dict[int, str]) -> dict[tuple[str, str], Any]:
    """What makes containers of which the pickle tells the type."""

    def restore_type_tag(*args: Any) -> Any:
        if len(args) == 2 and type(args[0]) in (list, dict) and type(args[1]) is str:
            tags[id(args[0])] = args[1]
            return args[0]
        raise PickleError("a type is given to what is neither list nor dictionary")

    def list_of(element: type[Any], name: str) -> Callable[..., Any]:
        make = _list_of(element)

        def build(*args: Any) -> list[Any]:
            made = make(*args)
            tags[id(made)] = f"List[{name}]"
            return made

        return build

    home = "torch.jit._pickle"
    return {
        (home, "restore_type_tag"): restore_type_tag,
        (home, "build_intlist"): list_of(int, "int"),
        (home, "build_doublelist"): list_of(float, "float"),
        (home, "build_boollist"): list_of(bool, "bool"),
        (home, "build_tensorlist"): list_of(Tensor, "Tensor"),
    }


def _list_of(element: type[Any]) -> Callable[..., list[Any]]:
    def build(*args: Any) -> list[Any]:
        if len(args) == 1 and type(args[0]) is list:
            items = cast("list[Any]", args[0])
            classes = set(map(type, items))  # `True` is no int here
            if classes <= ({Tensor, TrackedTensor} if element is Tensor else {element}):
                return items
        raise PickleError(f"a list of {element.__name__} holds something else")

    return build


_FIXED: dict[tuple[str, str], Any] = {
    ("torch", name): Scheme(number) for number, name in SCHEMES.items()
}
