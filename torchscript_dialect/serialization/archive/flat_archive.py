"""Mobile archives in FlatBuffers (PyTorch: serialization/mobile_bytecode.fbs, jit/mobile/flatbuffer_loader.cpp).

Such a file holds what others hold in records: the bytes of storages, the source of methods, and values by number where others have
pickles. It has no checksums: of a damaged one its places are checked and not its bytes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.serialization.archive import bytecode
from torchscript_dialect.serialization.archive.errors import ArchiveError
from torchscript_dialect.serialization.archive.flat_buffer import FlatBuffer, FlatTable
from torchscript_dialect.serialization.archive.pickle_globals import class_name
from torchscript_dialect.serialization.archive.pickle_machine import (
    PickledEnum,
    PickledObject,
    PickleError,
)
from torchscript_dialect.serialization.archive.storages import Scheme, Storages, StorageType
from torchscript_dialect.serialization.archive.value_archive import ValueArchive
from torchscript_dialect.serialization.archive.zip_directory import Record
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.tensor import Tensor

IDENTIFIER = b"PTMF"
"""The bytes 4 to 8 of a file."""
MAX_DEPTH = 100
"""How deep values are nested."""
_VERSION, _EXTRA, _METHODS, _STATE, _VALUES, _, _STORAGES, _CLASSES, _SOURCES, _CONSTANTS = range(
    10
)
_OPERATORS = 10
"""The fields of the table that all others are in."""
_OPCODES = (
    "OP OPN LOAD MOVE STOREN STORE DROP DROPR LOADC JF JMP LOOP RET WAIT CALL GUARD TYPECHECK FAIL_GUARD PROFILE_OP TAIL_CALL"
    " INTERFACE_CALL GET_ATTR SET_ATTR LIST_UNPACK TUPLE_CONSTRUCT NAMED_TUPLE_CONSTRUCT LIST_CONSTRUCT DICT_CONSTRUCT CREATE_OBJECT"
    " ISINSTANCE TUPLE_SLICE TUPLE_INDEX RAISE_EXCEPTION DICT_INDEX UNCHECKED_CAST __IS__ UN_INITIALIZED __ISNOT__ FORMAT DEVICE DTYPE"
    " DIM __NOT__ TO_LIST NUM_TO_TENSOR IS_CUDA FORK WARN ENTER EXIT AWAITABLE"
).split()
"""The instructions by their numbers (runtime/instruction.h)."""
_WITH_FIELDS = 1
"""The kind of a class whose objects hold attributes; others hold a state."""


class FlatArchive(ValueArchive):
    """A mobile archive, with names for its parts that those of others have as records."""

    def __init__(self, data: memoryview, name: str) -> None:
        self._hold(data, name, {})
        self._root = FlatBuffer(data).root()
        for place, storage in enumerate(self._root.tables(_STORAGES)):
            self._enter(f"data/{place}", storage.span(0))
        for file in self._root.tables(_EXTRA):
            self._enter(f"extra/{file.text(0)}", file.span(1))
        sources = self._root.tables(_SOURCES)
        for file in sources:
            self._enter(f"code/{file.text(0).replace('.', '/')}.py", file.span(1))
        for record in ("version", "data.pkl", "constants.pkl"):
            self._enter(record, (0, 0))
        if not sources:
            self._enter(bytecode.RECORD, (0, 0))

    def _enter(self, name: str, span: tuple[int, int]) -> None:
        if name in self.records:
            raise ArchiveError("there are two of them", name)
        self.records[name] = Record(name, span[0], span[1], span[1], 0, 0)

    def read(self, name: str) -> bytes:
        """The bytes of a part."""
        if name == "version":
            return str(self._root.number(_OPERATORS, "I")).encode()
        record = self[name]
        return bytes(self.data[record.start : record.start + record.size])

    def map(self, name: str) -> NDArray[np.uint8]:
        """The bytes of a part, those of the file itself where they may be written to."""
        record = self[name]
        found = np.frombuffer(self.data, np.uint8, record.size, record.start)
        return found if found.flags.writeable else found.copy()

    def value(self, name: str, storages: Storages, tags: dict[int, str]) -> Any:
        values = _Values(self._root, storages, tags)
        try:
            match name:
                case "data.pkl":
                    return values.at(self._root.number(_STATE, "I"))
                case "constants.pkl":
                    return tuple(map(values.at, self._root.numbers(_CONSTANTS, "I")))
                case _:
                    methods = map(values.at, self._root.numbers(_METHODS, "I"))
                    return (self._root.number(_VERSION, "I"), *methods)
        except PickleError as error:
            raise ArchiveError(str(error), name) from None


class _Values:
    """The values of a file by their numbers, each made once."""

    def __init__(self, root: FlatTable, storages: Storages, tags: dict[int, str]) -> None:
        self._tables = root.tables(_VALUES)
        self._classes = root.tables(_CLASSES)
        self._storages = storages
        self._load = storages.loader("data")
        self._container = storages.container
        self._tags = tags
        self._made: dict[int, Any] = {}
        self._making: set[int] = set()

    def at(self, number: int) -> Any:
        """The value of a number."""
        if number in self._made:
            return self._made[number]
        if number >= len(self._tables) or number in self._making or len(self._making) > MAX_DEPTH:
            raise PickleError(f"there is no value {number}, it is in itself, or nested too deeply")
        self._making.add(number)
        table = self._tables[number]
        kind: int = table.number(0, "B")
        if kind >= len(_READERS):
            raise PickleError(f"value {number} is of the unknown kind {kind}")
        value: Any = None if not kind else _READERS[kind](self, table)
        self._made[number] = value
        self._making.remove(number)
        return value

    def _all(self, numbers: tuple[int, ...]) -> list[Any]:
        return list(map(self.at, numbers))

    @staticmethod
    def _inner(table: FlatTable) -> FlatTable:
        found = table.table(1)
        if found is None:
            raise PickleError("a value is missing")
        return found

    def integer(self, table: FlatTable) -> int:
        return table.structure(1, "<q")[0]

    def boolean(self, table: FlatTable) -> bool:
        return table.structure(1, "<?")[0]

    def real(self, table: FlatTable) -> float:
        return table.structure(1, "<d")[0]

    def complex_number(self, table: FlatTable) -> complex:
        return complex(*table.structure(1, "<dd"))

    def text(self, table: FlatTable) -> str:
        return self._inner(table).text(0)

    def device_of(self, table: FlatTable) -> device:
        name = self._inner(table).text(0)
        try:
            return device(name)
        except RuntimeError as error:
            raise PickleError(f"{name[:40]!r} is no device: {error}") from None

    def tensor(self, table: FlatTable) -> Tensor:
        return self._tensor(self._inner(table))

    def _tensor(self, table: FlatTable) -> Tensor:
        key = f"data/{table.number(0, 'I')}"
        try:
            element = dtypes.from_scalar_type(table.number(1, "b"))
        except TypeError as error:
            raise PickleError(str(error)) from None
        count = self._container[key].size // element.itemsize
        storage = self._load(("storage", StorageType(element), key[5:], "cpu", count))
        where = (table.number(2, "i"), table.numbers(3, "i"), table.numbers(4, "i"))
        quantized = table.table(6)
        if quantized is None:
            return self._storages.rebuild(storage, *where, table.number(5, "?", False))
        scales, points = quantized.table(3), quantized.table(4)
        scheme = Scheme(quantized.number(0, "b"))
        parameters: tuple[Any, ...] = (quantized.number(1, "d"), quantized.number(2, "i"))
        if scales is not None and points is not None:
            parameters = (self._tensor(scales), self._tensor(points), quantized.number(5, "i"))
        return self._storages.rebuild_quantized(storage, *where, (scheme, *parameters))

    def _typed(self, made: Any, annotation: str) -> Any:
        self._tags[id(made)] = annotation
        return made

    def items_of(self, table: FlatTable) -> list[Any]:
        inner = self._inner(table)
        return self._typed(self._all(inner.numbers(0, "I")), inner.text(1))

    def table_of(self, table: FlatTable) -> dict[Any, Any]:
        inner = self._inner(table)
        keys, values = self._all(inner.numbers(0, "I")), self._all(inner.numbers(1, "I"))
        if len(keys) != len(values) or not all(isinstance(k, _KEYS) for k in keys):
            raise PickleError("the keys of a dictionary are not as many as its values, or no keys")
        return self._typed(dict(zip(keys, values)), inner.text(2))

    def row_of(self, table: FlatTable) -> tuple[Any, ...]:
        return tuple(self._all(self._inner(table).numbers(0, "I")))

    def integers(self, table: FlatTable) -> list[int]:
        return self._typed([*self._inner(table).numbers(0, "q")], "List[int]")

    def reals(self, table: FlatTable) -> list[float]:
        return self._typed([*self._inner(table).numbers(0, "d")], "List[float]")

    def booleans(self, table: FlatTable) -> list[bool]:
        return self._typed([*self._inner(table).numbers(0, "?")], "List[bool]")

    def instance_of(self, table: FlatTable) -> PickledObject:
        inner = self._inner(table)
        number: int = inner.number(0, "I")
        if number >= len(self._classes):
            raise PickleError(f"there is no class {number}")
        class_ = self._classes[number]
        made = PickledObject(class_name(class_.text(0)))
        if class_.number(1, "B") == _WITH_FIELDS:
            names, values = class_.texts(2), self._all(inner.numbers(2, "I"))
            if len(names) != len(values):
                raise PickleError(f"an object of {made.class_name} has not all attributes")
            made.state = dict(zip(names, values))
        else:
            made.state = self.at(inner.number(1, "I"))
        made.has_state = True
        return made

    def member(self, table: FlatTable) -> PickledEnum:
        inner = self._inner(table)
        return PickledEnum(class_name(inner.text(0)), self.at(inner.number(1, "I")))

    def method(self, table: FlatTable) -> Any:
        """A method in the form of `bytecode.pkl`."""
        inner = self._inner(table)
        schema = inner.table(6)
        if schema is None:
            raise PickleError("a method has no schema")
        tables = {
            "instructions": tuple(map(_instruction, inner.structures(1, "<BxHi"))),
            "operators": tuple(map(_operator, inner.tables(2))),
            "constants": tuple(self._all(inner.numbers(3, "I"))),
            "types": tuple(inner.texts(4)),
            "register_size": inner.number(5, "i"),
        }
        signature = {
            "arguments": tuple(map(self._parameter, schema.tables(0))),
            "returns": tuple(map(self._parameter, schema.tables(1))),
        }
        return inner.text(0), tuple(tables.items()), tuple(signature.items())

    def _parameter(self, table: FlatTable) -> Any:
        default = self.at(table.number(2, "I"))
        return ("name", table.text(0)), ("type", table.text(1)), ("default_value", default)


_KEYS = (str, int, float, bool, complex, Tensor)
_READERS: tuple[Callable[[_Values, FlatTable], Any], ...] = (
    *(_Values.integer, _Values.integer, _Values.boolean, _Values.real, _Values.complex_number),
    *(
        _Values.tensor,
        _Values.text,
        _Values.items_of,
        _Values.row_of,
        _Values.table_of,
        _Values.instance_of,
    ),
    *(_Values.integers, _Values.reals, _Values.booleans, _Values.device_of, _Values.member),
    _Values.method,
)
"""What reads a value, by its kind; 0 is None."""


def _instruction(given: tuple[Any, ...]) -> tuple[str, int, int]:
    number: int = given[0]
    if number >= len(_OPCODES):
        raise PickleError(f"there is no instruction {number}")
    return _OPCODES[number], given[2], given[1]


def _operator(table: FlatTable) -> tuple[Any, ...]:
    count = table.number(2, "i", -1)
    name = (table.text(0), table.text(1))
    return name if count < 0 else (*name, count)
