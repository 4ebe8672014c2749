"""The record `bytecode.pkl` of a mobile archive (PyTorch: jit/mobile/import.cpp): code of methods for a machine with a stack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn, cast

from torchscript_dialect.serialization.archive.errors import ArchiveError

RECORD = "bytecode.pkl"
OLDEST, NEWEST = 4, 10


@dataclass(frozen=True)
class Instruction:
    """An instruction and its two numbers, whose meaning is that of its name."""

    name: str
    x: int
    n: int


@dataclass(frozen=True)
class CalledOperator:
    """An operator; `count` is how many of its arguments are on the stack, None for all and -1 where the instruction says so."""

    name: str
    overload: str
    count: int | None


@dataclass(frozen=True)
class Parameter:
    """An argument or a result of a method, with the text of its type; `default` is None where it has none."""

    name: str
    type: str
    default: Any


@dataclass(frozen=True)
class BytecodeMethod:
    """A method, with the tables to which its instructions refer."""

    qualified_name: str
    instructions: Sequence[Instruction]
    operators: Sequence[CalledOperator]
    constants: Sequence[Any]
    types: Sequence[str]
    arguments: Sequence[Parameter]
    returns: Sequence[Parameter]


def read_bytecode(value: Any) -> list[BytecodeMethod]:
    """The methods of an unpickled record.

    Raises:
        ArchiveError: it is not what PyTorch writes, or of a version that is not known.
    """
    items = _tuple(value)
    if not items or type(items[0]) is not int or not OLDEST <= items[0] <= NEWEST:
        raise ArchiveError(
            f"its version is {str(items[:1])[:40]}; {OLDEST} to {NEWEST} are known", RECORD
        )
    return [_method(item) for item in items[1:]]


def _method(value: Any) -> BytecodeMethod:
    match _tuple(value):
        case (str(name), code, schema):
            pass
        case _:
            _malformed()
    tables, signature = _table(code), _table(schema)
    return BytecodeMethod(
        name,
        [_instruction(item) for item in _entry(tables, "instructions")],
        [_operator(item) for item in _entry(tables, "operators")],
        _entry(tables, "constants"),
        [_text(item) for item in _entry(tables, "types")],
        [_parameter(item) for item in _entry(signature, "arguments")],
        [_parameter(item) for item in _entry(signature, "returns")],
    )


def _instruction(value: Any) -> Instruction:
    match _tuple(value):
        case (str(name), int(x), int(n)):
            return Instruction(name, x, n)
        case _:
            _malformed()


def _operator(value: Any) -> CalledOperator:
    match _tuple(value):
        case (str(name), str(overload)):
            return CalledOperator(name, overload, None)
        case (str(name), str(overload), int(count)):
            return CalledOperator(name, overload, count)
        case _:
            _malformed()


def _parameter(value: Any) -> Parameter:
    table = _table(value)
    return Parameter(_text(table.get("name")), _text(table.get("type")), table.get("default_value"))


def _table(value: Any) -> dict[str, Any]:
    """Pairs of a name and a value."""
    found: dict[str, Any] = {}
    for item in _tuple(value):
        match _tuple(item):
            case (str(name), entry):
                found[name] = entry
            case _:
                _malformed()
    return found


def _entry(table: dict[str, Any], name: str) -> tuple[Any, ...]:
    return _tuple(table.get(name))


def _tuple(value: Any) -> tuple[Any, ...]:
    return cast("tuple[Any, ...]", value) if isinstance(value, tuple) else _malformed()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _malformed()


def _malformed() -> NoReturn:
    raise ArchiveError("it does not have the form of bytecode", RECORD)


def index(table: Sequence[Any], at: int, what: Callable[[], str]) -> Any:
    """An entry of a table of a method.

    Raises:
        ArchiveError: it has no such entry.
    """
    if not 0 <= at < len(table):
        raise ArchiveError(f"{what()} refers to entry {at} of a table of {len(table)}", RECORD)
    return table[at]
