"""The opcodes of an archive's pickles, interpreted over a closed table (PyTorch: serialization/unpickler.cpp).

Note [Pickles are data]
Python's `pickle` imports and calls whatever a file names. Here a name is looked up in a table of what TorchScript's pickler writes
(pickle_globals.py), and there is nothing else that could be called; names below `__torch__` are names of classes and stay names. Work
and memory grow with the length of the record and with nothing that stands in it.
"""

from __future__ import annotations

import struct
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, cast

from torchscript_dialect.serialization.archive import numpy_data
from torchscript_dialect.serialization.archive.errors import ArchiveError

PersistentLoader = Callable[[tuple[Any, ...]], Any]
GlobalFinder = Callable[[str, str], Any]

_MARK: Any = object()
_INT64 = range(-(1 << 63), 1 << 63)


class PickleError(Exception):
    """What is wrong with a pickle; it becomes an ArchiveError that names record and place."""


class PickledObject:
    """An object of a class of the program: its class by name, and what was pickled of it.

    `attributes` are set before `__setstate__` gets the state, in archives that hold both (`model_archive.py`).
    """

    __slots__ = ("attributes", "class_name", "has_state", "state")

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.state: Any = None
        self.has_state = False
        self.attributes: dict[str, Any] = {}


class PickledEnum:
    """A member of an enum of the program, by its value."""

    __slots__ = ("class_name", "value")

    def __init__(self, class_name: str, value: Any) -> None:
        self.class_name = class_name
        self.value = value


class ClassName(str):
    """The qualified name of a class of the program, as it stands in a pickle."""

    __slots__ = ()


class PickleMachine:
    """Reads one pickle: all of the bytes, or what begins at `start`."""

    def __init__(
        self,
        data: bytes,
        find_global: GlobalFinder,
        load_persistent: PersistentLoader,
        start: int | None = None,
    ) -> None:
        self.data = data
        self.at = start or 0
        self._is_alone = start is None
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self._find_global = find_global
        self._load_persistent = load_persistent

    def run(self) -> Any:
        """What the pickle holds.

        Raises:
            PickleError: the pickle is damaged, or does what pickles of archives do not.
        """
        data, opcodes = self.data, _OPCODES
        while True:
            if self.at >= len(data):
                raise PickleError("it ends too early")
            code = data[self.at]
            self.at += 1
            if code == _STOP:
                return self._finish()
            opcode = opcodes.get(code)
            if opcode is None:
                raise PickleError(f"opcode {code:#04x} is none of an archive's pickles")
            opcode(self)

    def _finish(self) -> Any:
        if self._is_alone and self.at != len(self.data):
            raise PickleError("bytes follow its end")
        if len(self.stack) != 1 or self.marks:
            raise PickleError("it ends with more or less than one value")
        return self.stack[0]

    # What opcodes are made of.

    def take(self, count: int) -> bytes:
        """The next bytes."""
        end = self.at + count
        if end > len(self.data):
            raise PickleError("it ends too early")
        found = self.data[self.at : end]
        self.at = end
        return found

    def number(self, width: int) -> int:
        """The next bytes as a number without sign."""
        return int.from_bytes(self.take(width), "little")

    def line(self) -> str:
        end = self.data.find(b"\n", self.at)
        if end < 0:
            raise PickleError("it ends too early")
        return self.text(self.take(end + 1 - self.at)[:-1])

    def text(self, raw: bytes) -> str:
        try:
            return raw.decode()
        except UnicodeDecodeError:
            raise PickleError("a text in it is no UTF-8") from None

    def pop(self) -> Any:
        if len(self.stack) <= (self.marks[-1] if self.marks else 0):
            raise PickleError("it takes a value where there is none")
        return self.stack.pop()

    def pop_mark(self) -> list[Any]:
        """The values since the last mark."""
        if not self.marks:
            raise PickleError("it looks for a mark where there is none")
        start = self.marks.pop()
        found = self.stack[start:]
        del self.stack[start:]
        return found

    def top(self) -> Any:
        if len(self.stack) <= (self.marks[-1] if self.marks else 0):
            raise PickleError("it takes a value where there is none")
        return self.stack[-1]

    # The opcodes.

    def proto(self) -> None:
        version = self.number(1)
        if version != 2:
            raise PickleError(f"its protocol is {version}, not 2")

    def mark(self) -> None:
        self.marks.append(len(self.stack))

    def put(self, width: int) -> None:
        self.memo[self.number(width)] = self.top()

    def get(self, width: int) -> None:
        index = self.number(width)
        if index not in self.memo:
            raise PickleError(f"it refers to value {index}, which it has not made")
        self.stack.append(self.memo[index])

    def find_global(self) -> None:
        module, name = self.line(), self.line()
        self.stack.append(self._find_global(module, name))

    def unicode(self) -> None:
        self.stack.append(self.text(self.take(self.number(4))))

    def short_text(self) -> None:
        """A `str` of Python 2."""
        self.stack.append(self.text(self.take(self.number(1))))

    def signed(self) -> None:
        self.stack.append(int.from_bytes(self.take(4), "little", signed=True))

    def long1(self) -> None:
        value = int.from_bytes(self.take(self.number(1)), "little", signed=True)
        if value not in _INT64:
            raise PickleError("a number in it has more than 64 bits")
        self.stack.append(value)

    def float64(self) -> None:
        self.stack.append(struct.unpack(">d", self.take(8))[0])

    def tuple_of(self, count: int) -> None:
        parts = [self.pop() for _ in range(count)]
        self.stack.append(tuple(reversed(parts)))

    def tuple_since_mark(self) -> None:
        self.stack.append(tuple(self.pop_mark()))

    def append(self) -> None:
        value = self.pop()
        self._list().append(value)

    def appends(self) -> None:
        values = self.pop_mark()
        self._list().extend(values)

    def _list(self) -> list[Any]:
        target = self.top()
        if type(target) is not list:
            raise PickleError("it appends to what is no list")
        return cast("list[Any]", target)

    def set_item(self) -> None:
        value, key = self.pop(), self.pop()
        self._set_items([key, value])

    def set_items(self) -> None:
        self._set_items(self.pop_mark())

    def _set_items(self, items: list[Any]) -> None:
        target = self.top()
        if type(target) not in (dict, OrderedDict) or len(items) % 2:
            raise PickleError("it sets items of what is no dictionary")
        found = cast("dict[Any, Any]", target)
        for key, value in zip(items[::2], items[1::2], strict=True):
            if type(key) not in KEYS:
                raise PickleError(f"a key of a dictionary is a {type(key).__name__}")
            found[key] = value

    def persistent(self) -> None:
        given = self.pop()
        if type(given) is not tuple:
            raise PickleError("what it refers to outside of it is no storage")
        self.stack.append(self._load_persistent(cast("tuple[Any, ...]", given)))

    def reduce(self) -> None:
        args, function = self.pop(), self.pop()
        if isinstance(function, ClassName):
            made: Any = PickledEnum(str(function), args)
        elif callable(function):
            if type(args) is not tuple:
                raise PickleError("it calls something without a tuple of arguments")
            try:
                made = function(*args)
            except TypeError as error:
                raise PickleError(
                    f"it calls something with arguments that misfit: {error}"
                ) from None
        else:
            raise PickleError(f"it calls a {type(function).__name__}")
        self.stack.append(made)

    def new_object(self) -> None:
        args, class_ = self.pop(), self.pop()
        if args == () and isinstance(class_, ClassName):
            self.stack.append(PickledObject(str(class_)))
        elif isinstance(class_, ClassName) or not callable(class_):
            raise PickleError("it makes an object of what is no class of the program")
        else:  # a `torch.Size`, before PyTorch 1.2
            self.stack += [class_, args]
            self.reduce()

    def build(self) -> None:
        state, target = self.pop(), self.top()
        if type(target) is OrderedDict and type(state) is dict and state.keys() == {"_metadata"}:
            target._metadata = state["_metadata"]  # type: ignore[attr-defined]  # of the state dict of a module
            return
        try:
            if numpy_data.set_state(target, state):
                return
        except TypeError as error:
            raise PickleError(str(error)) from None
        if not isinstance(target, PickledObject) or target.has_state:
            raise PickleError("it gives a state to what takes none")
        target.state, target.has_state = state, True


KEYS = (str, int, float, bool, complex)
"""What keys of dictionaries are."""


def _width(method: Callable[[PickleMachine, int], None], width: int) -> Callable[..., None]:
    def opcode(machine: PickleMachine) -> None:
        method(machine, width)

    return opcode


def _value(make: Callable[[], Any]) -> Callable[[PickleMachine], None]:
    def opcode(machine: PickleMachine) -> None:
        machine.stack.append(make())

    return opcode


_STOP = ord(".")
_OPCODES: dict[int, Callable[[PickleMachine], None]] = {
    0x80: PickleMachine.proto,
    ord("("): PickleMachine.mark,
    ord("c"): PickleMachine.find_global,
    ord("q"): _width(PickleMachine.put, 1),
    ord("r"): _width(PickleMachine.put, 4),
    ord("h"): _width(PickleMachine.get, 1),
    ord("j"): _width(PickleMachine.get, 4),
    ord(")"): _value(tuple),
    ord("]"): _value(list),
    ord("}"): _value(dict),
    ord("t"): PickleMachine.tuple_since_mark,
    0x85: _width(PickleMachine.tuple_of, 1),
    0x86: _width(PickleMachine.tuple_of, 2),
    0x87: _width(PickleMachine.tuple_of, 3),
    ord("a"): PickleMachine.append,
    ord("e"): PickleMachine.appends,
    ord("s"): PickleMachine.set_item,
    ord("u"): PickleMachine.set_items,
    ord("X"): PickleMachine.unicode,
    ord("U"): PickleMachine.short_text,
    ord("J"): PickleMachine.signed,
    ord("K"): lambda machine: machine.stack.append(machine.number(1)),
    ord("M"): lambda machine: machine.stack.append(machine.number(2)),
    0x8A: PickleMachine.long1,
    ord("G"): PickleMachine.float64,
    ord("N"): _value(lambda: None),
    0x88: _value(lambda: True),
    0x89: _value(lambda: False),
    ord("Q"): PickleMachine.persistent,
    ord("R"): PickleMachine.reduce,
    0x81: PickleMachine.new_object,
    ord("b"): PickleMachine.build,
}


def read_pickle(
    data: bytes, record: str, find_global: GlobalFinder, load_persistent: PersistentLoader
) -> Any:
    """What the pickle in a record holds.

    Raises:
        ArchiveError: it is damaged, or does what pickles of archives do not.
    """
    machine = PickleMachine(data, find_global, load_persistent)
    try:
        return machine.run()
    except PickleError as error:
        raise ArchiveError(f"the pickle is wrong at byte {machine.at}: {error}", record) from None
