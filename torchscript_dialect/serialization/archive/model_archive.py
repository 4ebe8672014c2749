"""Archives of PyTorch 1.0 to 1.2, which describe their module in `model.json` (PyTorch: caffe2/proto/torch.proto,
serialization/import_legacy.cpp). PyTorch has no reader for them any more.

Such an archive has a tree of modules, each with a file of methods, a table of tensors, and the values of attributes in one
pickle. Later ones have a class for each module. So each module gets a class here, named by its path, whose source is made of its
attributes and methods.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, cast

from torchscript_dialect.serialization.archive.class_text import module_head, record_of
from torchscript_dialect.serialization.archive.container import Container
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.pickle_globals import finder
from torchscript_dialect.serialization.archive.pickle_machine import (
    PickledObject,
    PickleError,
    read_pickle,
)
from torchscript_dialect.serialization.archive.storages import Scheme, Storages, StorageType
from torchscript_dialect.serialization.archive.value_archive import ValueArchive
from torchscript_dialect.serialization.archive.zip_directory import Record
from torchscript_dialect.serialization.python_printer_tables import is_identifier
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.quantizer import SCHEMES
from torchscript_dialect.tensor.tensor import Tensor

RECORD = "model.json"
ATTRIBUTES = "attributes.pkl"
_ROOT = "__torch__"
_HEAD = re.compile(r"\s*(?:op_version_set *= *(\d+)\n)?(?:\s*import [\w. ]+\n)*\s*")
_DEFINITION = re.compile(r"^(?=class |def )", re.MULTILINE)
_UNDEFINED = re.compile(r'"(?:[^"\\]|\\.)*"|annotate\(Tensor, None\)')
"""A text, or what PyTorch 1.0 wrote for an optional tensor that is not there."""
_ELEMENTS: dict[str, dtype] = {
    "FLOAT": dtypes.float32,
    "DOUBLE": dtypes.float64,
    "FLOAT16": dtypes.float16,
    "INT64": dtypes.int64,
    "INT32": dtypes.int32,
    "INT16": dtypes.int16,
    "INT8": dtypes.int8,
    "UINT8": dtypes.uint8,
    "BYTE": dtypes.uint8,
    "BOOL": dtypes.bool_,
}
"""By `caffe2.TensorProto.DataType`."""
_QUANTIZED = {
    dtypes.int8: dtypes.from_name("qint8"),
    dtypes.uint8: dtypes.from_name("quint8"),
    dtypes.int32: dtypes.from_name("qint32"),
}
_PER_TENSOR = next(number for number, name in SCHEMES.items() if name == "per_tensor_affine")


class ModelArchive(ValueArchive):
    """An archive with `model.json`, with the names that the parts of later archives have."""

    def __init__(self, archive: Container) -> None:
        """Read the description of the module, and write the source of its classes.

        Raises:
            ArchiveError: it is malformed.
        """
        self._hold(archive.data, archive.name, dict(archive.records))
        self._archive = archive
        self._model = _Message(_parsed(archive.read_text(RECORD)), RECORD)
        self._texts: dict[str, str] = {}
        self._move_libraries()
        self._modules: dict[str, _Message] = {}
        """By the names of their classes."""
        self._classes: dict[int, str] = {}
        self._mangled: Counter[str] = Counter()
        self._tensors: list[Tensor] | None = None
        self._write_sources()
        for record in ("data.pkl", "constants.pkl"):
            self._enter(record, 0)

    def read(self, name: str) -> bytes:
        """The bytes of a record."""
        text = self._texts.get(name)
        return super().read(name) if text is None else text.encode()

    def value(self, name: str, storages: Storages, tags: dict[int, str]) -> Any:
        tensors = self._table(storages)
        if name == "constants.pkl":
            return tuple(tensors)
        attributes: Sequence[Any] = ()
        if ATTRIBUTES in self:

            def of_table(number: int) -> Tensor:
                return _at(tensors, number, "tensor")

            find = finder(storages, of_table, tags)
            found = read_pickle(self.read(ATTRIBUTES), ATTRIBUTES, find, _no_storage)
            if not isinstance(found, (tuple, list)):
                raise ArchiveError("it holds no table of attributes", ATTRIBUTES)
            attributes = cast("Sequence[Any]", found)
        return self._object(self._model.message("mainModule"), tensors, attributes)

    def _table(self, storages: Storages) -> list[Tensor]:
        """The tensors by their numbers."""
        if self._tensors is None:
            try:
                self._tensors = [_tensor(one, storages) for one in self._model.messages("tensors")]
            except PickleError as error:
                raise ArchiveError(str(error), RECORD) from None
        return self._tensors

    def _enter(self, name: str, size: int) -> None:
        if name in self.records:
            raise ArchiveError("there are two of them", name)
        self.records[name] = Record(name, 0, size, size, 0, 0)

    def _move_libraries(self) -> None:
        """Give the source of classes and functions the names that it has in later archives. The source of modules goes into classes."""
        for name in [name for name in self.records if name.startswith("code/")]:
            del self.records[name]
        for name in [name for name in self.records if name.startswith("libs/")]:
            record = self.records.pop(name)
            moved = "code/" + name.removeprefix("libs/")
            self.records[moved] = record
            if name.endswith(".py"):
                self._texts[moved] = _without_copies(self._archive.read_text(name))

    def _write_sources(self) -> None:
        self._name(self._model.message("mainModule"), _ROOT)
        files: dict[str, list[str]] = {}
        versions: dict[str, str] = {}
        for name, module in self._modules.items():
            record = record_of(name)
            version, methods = self._methods(module)
            if version and versions.setdefault(record, version) != version:
                raise ArchiveError("its modules are of several versions", RECORD)
            files.setdefault(record, []).extend([*self._head(name, module), *methods])
        for record, lines in files.items():
            version = f"op_version_set = {versions[record]}\n" if record in versions else ""
            self._texts[record] = version + "\n".join(lines) + "\n"
            self._enter(record, len(self._texts[record]))

    def _name(self, module: _Message, path: str) -> None:
        """Name the class of a module and those of its children."""
        atoms = [f"_{atom}" if atom.isdigit() else atom for atom in module.text("name").split(".")]
        if not all(map(is_identifier, atoms)):
            raise ArchiveError(f"{module.text('name')[:60]!r} is no name of a module", RECORD)
        wanted = name = ".".join([path, *atoms])
        while name in self._modules or record_of(name) in self.records:
            home, _, own = wanted.rpartition(".")
            name = f"{home}.___torch_mangle_{self._mangled[wanted]}.{own}"
            self._mangled[wanted] += 1
        self._modules[name] = module
        self._classes[id(module.fields)] = name
        for child in module.messages("submodules"):
            self._name(child, name)

    def _head(self, name: str, module: _Message) -> list[str]:
        """The class of a module without its methods. Each attribute is entered once, the first time."""
        parameters: list[str] = []
        buffers: list[str] = []
        types: dict[str, str] = {}
        for child in module.messages("submodules"):
            types.setdefault(child.text("name"), self._classes[id(child.fields)])
        for one in module.messages("parameters"):
            types.setdefault(one.text("name"), "Tensor")
            (buffers if one.flag("isBuffer") else parameters).append(one.text("name"))
        for one in module.messages("attributes"):
            types.setdefault(one.text("name"), one.text("type"))
        for field, type_ in types.items():
            if "\n" in type_:
                raise ArchiveError(f"the type of {field!r} has several lines", RECORD)
        return module_head(name, parameters, buffers, types)

    def _methods(self, module: _Message) -> tuple[str, list[str]]:
        """The version that the methods of a module were written for, and their lines, as they stand in a class."""
        arena = module.message("torchscriptArena") if "torchscriptArena" in module.fields else None
        if arena is None:
            return "", []
        record = arena.text("key")
        text = _UNDEFINED.sub(_optional, self._archive.read_text(record))
        head = _HEAD.match(text)
        assert head is not None
        lines = text[head.end() :].split("\n")
        if lines != [""] and not lines[0].startswith("def "):
            raise ArchiveError("it begins with something else than methods", record)
        return head[1] or "", [f"  {line}" if line else "" for line in lines]

    def _object(
        self, module: _Message, tensors: Sequence[Tensor], attributes: Sequence[Any]
    ) -> PickledObject:
        made = PickledObject(self._classes[id(module.fields)])
        state: dict[str, Any] = {}
        for child in module.messages("submodules"):
            state[child.text("name")] = self._object(child, tensors, attributes)
        for one in module.messages("parameters"):
            state[one.text("name")] = _at(tensors, one.number("tensorId"), "tensor")
        for one in module.messages("attributes"):
            number = one.number("id")
            value = None if number < 0 else _at(attributes, number, "attribute")
            state.setdefault(one.text("name"), value)
        made.state, made.has_state = state, True
        if "getStateAttributeId" in module.fields:
            made.attributes = state
            made.state = _at(attributes, module.number("getStateAttributeId"), "attribute")
        return made


class _Message:
    """A message of Protocol Buffers in JSON; fields that are not there have the value that is nothing."""

    def __init__(self, fields: Any, place: str) -> None:
        if type(fields) is not dict:
            raise ArchiveError(f"{place} is no object", RECORD)
        self.fields = cast("Mapping[str, Any]", fields)
        self._place = place

    def text(self, name: str) -> str:
        return self._of(name, str, "")

    def flag(self, name: str) -> bool:
        return self._of(name, bool, False)

    def number(self, name: str) -> int:
        """An integer, of 64 bits as a text."""
        return self._integer(name, self.fields.get(name, 0))

    def real(self, name: str) -> float:
        value = self.fields.get(name, 0.0)
        if type(value) not in (int, float):
            raise ArchiveError(f"{name} of {self._place} is no number", RECORD)
        return float(value)

    def numbers(self, name: str) -> tuple[int, ...]:
        return tuple(self._integer(name, one) for one in self._list(name))

    def message(self, name: str) -> _Message:
        return _Message(self.fields.get(name), name)

    def messages(self, name: str) -> list[_Message]:
        return [_Message(one, name) for one in self._list(name)]

    def _list(self, name: str) -> list[Any]:
        return self._of(name, list, [])

    def _of(self, name: str, kind: type[Any], default: Any) -> Any:
        value = self.fields.get(name, default)
        if type(value) is not kind:
            raise ArchiveError(f"{name} of {self._place} is no {kind.__name__}", RECORD)
        return value

    def _integer(self, name: str, value: Any) -> int:
        if type(value) is str and re.fullmatch(r"-?\d{1,19}", value):
            return int(value)
        if type(value) is not int:
            raise ArchiveError(f"{name} of {self._place} is no integer", RECORD)
        return value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_unique)
    except ValueError as error:
        raise ArchiveError(f"it is no JSON: {error}", RECORD) from None


def _optional(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else "annotate(Optional[Tensor], None)"


def _without_copies(text: str) -> str:
    """A source file where each definition stands once; PyTorch 1.2 wrote named tuples for each use."""
    return "".join(dict.fromkeys(_DEFINITION.split(text)))


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ArchiveError("an object has two fields of one name", RECORD)
    return found


def _at(table: Sequence[Any], number: Any, kind: str) -> Any:
    if type(number) is not int or not 0 <= number < len(table):
        raise ArchiveError(f"there is no {kind} {number!r}", RECORD)
    return table[number]


def _no_storage(_: Any) -> Any:
    raise PickleError("an attribute refers to a storage outside of the table of tensors")


def _tensor(given: _Message, storages: Storages) -> Tensor:
    """A tensor of the table.

    Raises:
        PickleError: it is not one, or not all of it is there.
    """
    kind = given.text("dataType")
    element = _ELEMENTS.get(kind)
    if element is None:
        raise PickleError(f"a tensor has elements of the unknown type {kind[:20]!r}")
    folder, _, key = given.message("data").text("key").rpartition("/")
    size = storages.container[f"{folder}/{key}"].size
    is_quantized = given.flag("isQuantized")
    if is_quantized and element not in _QUANTIZED:
        raise PickleError(f"a quantized tensor has elements of {element.name}")
    element = _QUANTIZED[element] if is_quantized else element
    saved = (
        "storage",
        StorageType(element),
        key,
        given.text("device"),
        size // element.itemsize,
    )
    storage = storages.loader(folder)(saved)
    where = (given.number("offset"), given.numbers("dims"), given.numbers("strides"))
    if is_quantized:
        parameters = (Scheme(_PER_TENSOR), given.real("scale"), given.number("zeroPoint"))
        return storages.rebuild_quantized(storage, *where, parameters)
    return storages.rebuild(storage, *where, given.flag("requiresGrad"))
