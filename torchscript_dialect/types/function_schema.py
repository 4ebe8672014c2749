"""Function schemas: what an operator or function is called with and gives back.

`FunctionSchema.parse("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")`. Follows
aten/src/ATen/core/function_schema.h and torch/csrc/jit/frontend/function_schema_parser.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, cast

from torchscript_dialect.types.containers import ListType, OptionalType, TupleType
from torchscript_dialect.types.core import DEVICE, FLOAT, NUMBER, TorchScriptType
from torchscript_dialect.types.named import EnumType
from torchscript_dialect.types.subtyping import (
    TypeEnv,
    evaluate_type_variables,
    is_subtype,
    match_type_variables,
)
from torchscript_dialect.types.tensor_type import INFERRED_TENSOR
from torchscript_dialect.types.text import AliasInfo, Scanner, parse_declared_type
from torchscript_dialect.utils.properties import cached_property


class _NoDefault:
    def __repr__(self) -> str:
        return "NO_DEFAULT"


NO_DEFAULT: Final = _NoDefault()
"""The default of an argument that must be given (None is a default like any other)."""

_REDUCTIONS = {"Mean": 1, "Sum": 2}
_NAMED_DEFAULTS: dict[str, Any] = {
    "True": True,
    "true": True,
    "False": False,
    "false": False,
    "None": None,
    "none": None,
    "contiguous_format": 0,
    "preserve_format": 1,
    "strided": 0,
    "long": 4,
    "float": 6,
    **_REDUCTIONS,
}


@dataclass(frozen=True)
class Argument:
    """One argument or result. `spelling` is the type as the schema's text has it, aliases included."""

    name: str
    type: TorchScriptType
    default: Any = NO_DEFAULT
    kwarg_only: bool = False
    alias: AliasInfo | None = None
    list_size: int | None = None
    spelling: str = ""

    @property
    def is_inferred_type(self) -> bool:
        """Whether the argument is a tensor because the program does not say what it is."""
        return self.type is INFERRED_TENSOR

    def __str__(self) -> str:
        text = self.spelling or self.type.schema_str
        if self.list_size is not None and not self.spelling:
            element, _, optional = text.rpartition("[]")
            text = f"{element}[{self.list_size}]{optional}"
        if self.name:
            text += f" {self.name}"
        if self.default is NO_DEFAULT:
            return text
        return f"{text}={format_default(self.default, self.type)}"


@dataclass(frozen=True)
class FunctionSchema:
    """A name, an overload name, arguments and results."""

    name: str
    overload_name: str = ""
    arguments: tuple[Argument, ...] = ()
    returns: tuple[Argument, ...] = ()
    is_vararg: bool = False
    is_varret: bool = False
    _index: dict[str, int] = field(default_factory=dict[str, int], compare=False, repr=False)

    def __post_init__(self) -> None:
        self._index.update({argument.name: i for i, argument in enumerate(self.arguments)})

    @staticmethod
    def parse(text: str) -> FunctionSchema:
        """The schema that a text declares.

        Raises:
            TextError: the text is not a schema.
        """
        return parse_schema(text)

    @cached_property
    def qualified_name(self) -> str:
        """The name with its overload: `aten::add.Tensor`."""
        return f"{self.name}.{self.overload_name}" if self.overload_name else self.name

    @cached_property
    def is_mutable(self) -> bool:
        """Whether it writes to an argument."""
        return any(argument.alias and argument.alias.is_write for argument in self.arguments)

    def argument_index(self, name: str) -> int | None:
        """The number of the argument of that name, None where there is none."""
        return self._index.get(name)

    def matches(
        self,
        types: Sequence[TorchScriptType],
        named: Mapping[str, TorchScriptType] = MappingProxyType({}),
    ) -> bool:
        """Whether arguments of these types, by position and by name, are a call of it; what has a default may be left out.

        Types are matched as graphs' nodes match them, without the conversions of a frontend.
        """
        if self.is_vararg:
            return not named
        if len(types) > sum(not argument.kwarg_only for argument in self.arguments):
            return False
        taken = {argument.name for argument in self.arguments[: len(types)]}
        if not taken.isdisjoint(named) or not named.keys() <= self._index.keys():
            return False
        env: TypeEnv = {}
        for index, argument in enumerate(self.arguments):
            actual = types[index] if index < len(types) else named.get(argument.name)
            if actual is None and argument.default is NO_DEFAULT:
                return False
            if actual is not None and not _fits(argument.type, actual, env):
                return False
        return True

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        parts: list[str] = []
        star = False
        for argument in self.arguments:
            if argument.kwarg_only and not star:
                parts.append("*")
                star = True
            parts.append(str(argument))
        if self.is_vararg:
            parts.append("...")
        return f"{self.qualified_name}({', '.join(parts)}) -> {self._returns_text()}"

    def _returns_text(self) -> str:
        if self.is_varret:
            return "..."
        if len(self.returns) == 1:
            only = str(self.returns[0])
            if not only.startswith("("):
                return only
        return f"({', '.join(map(str, self.returns))})"

    def result_types(
        self, operand_types: Sequence[TorchScriptType]
    ) -> list[TorchScriptType] | None:
        """The types of the results for operands in positional order, all explicit; None where they do not fit."""
        if len(operand_types) != len(self.arguments) and not self.is_vararg:
            return None
        env: TypeEnv = {}
        for argument, actual in zip(self.arguments, operand_types, strict=False):
            if not _fits(argument.type, actual, env):
                return None
        results = [evaluate_type_variables(result.type, env) for result in self.returns]
        return [result for result in results if result is not None]


def _fits(formal: TorchScriptType, actual: TorchScriptType, env: TypeEnv) -> bool:
    """Whether a value of type `actual` can be the argument; binds the type variables of `formal` in `env`."""
    if match_type_variables(formal, actual, env) is not None:
        return False
    concrete = evaluate_type_variables(formal, env)
    return concrete is None or is_subtype(actual, concrete)


def format_default(value: Any, type_: TorchScriptType) -> str:
    """A default value as PyTorch writes it in a schema."""
    if isinstance(type_, OptionalType) and isinstance(type_.element, (EnumType, ListType)):
        type_ = type_.element
    if isinstance(value, str):
        return value if type_ == DEVICE else quote(value)
    if isinstance(type_, EnumType):
        return f"Enum<{type_.base_name}.{value.name}>"
    if isinstance(value, (list, tuple)):
        if isinstance(type_, TupleType) and type_.field_names:
            return field_default_text(value)
        element = type_.element if isinstance(type_, ListType) else type_
        inside = ", ".join(format_default(item, element) for item in value)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    if isinstance(value, complex):
        return format_complex(value)
    if isinstance(value, float):
        return format_number(value)
    if isinstance(value, int) and not isinstance(value, bool) and type_ == FLOAT:
        return format_number(float(value))
    return str(value)


def field_default_text(value: Any) -> str:
    """The default value of a NamedTuple's field as its type shows it: strings without quotes."""
    if isinstance(value, str):
        return value
    if isinstance(value, dict):
        entries = cast(dict[Any, Any], value).items()
        return f"{{{', '.join(f'{field_default_text(k)}: {field_default_text(v)}' for k, v in entries)}}}"
    if isinstance(value, (list, tuple)):
        inside = ", ".join(map(field_default_text, value))  # pyright: ignore[reportUnknownArgumentType]
        return f"[{inside}]" if isinstance(value, list) else f"({inside})"
    return format_number(value) if isinstance(value, float) else str(value)


_ESCAPES = str.maketrans(
    {
        "\\": "\\\\",
        '"': '\\"',
        "'": "\\'",
        "\n": "\\n",
        "\t": "\\t",
        "\r": "\\r",
        "\f": "\\f",
        "\v": "\\v",
        "\a": "\\a",
        "\b": "\\b",
    }
)


def quote(text: str) -> str:
    """A string as graphs, code and schemas show it (c10's `printQuotedString`)."""
    escaped = text.translate(_ESCAPES)
    if escaped.isprintable() and escaped.isascii():
        return f'"{escaped}"'
    shown = (c if " " <= c <= "~" else _octal(c) for c in escaped)
    return f'"{"".join(shown)}"'


def name_text(text: str) -> str:
    """A name as texts show it: between quotes where it could be taken for something else than a name."""
    return text if _NAME.fullmatch(text) else quote(text)


def line_text(text: str) -> str:
    """A text that others share a line with: without line ends and what terminals take for commands."""
    return text if text.isprintable() else quote(text)[1:-1]


_NAME = re.compile(r"[\w.<>$-]+")


def _octal(character: str) -> str:
    return "".join(f"\\{byte:03o}" for byte in character.encode())


_ESCAPED = re.compile(rb"\\([0-7]{1,3}|.)", re.DOTALL)
_UNESCAPES = {b"\n": b"\n"} | {
    bytes((ord(escape[1]),)): chr(code).encode() for code, escape in _ESCAPES.items()
}


def unquote(literal: str) -> str:
    """The text that a string literal of a graph or schema stands for, the inverse of `quote`.

    Raises:
        ValueError: an escape that is none, or bytes that are no UTF-8.
    """

    def unescape(match: re.Match[bytes]) -> bytes:
        escape = match[1]
        if escape not in _UNESCAPES and not (escape.isdigit() and int(escape, 8) < 256):
            raise ValueError(f"unknown escape \\{escape.decode(errors='replace')} in a string")
        return _UNESCAPES.get(escape) or bytes((int(escape, 8),))

    return _ESCAPED.sub(unescape, literal[1:-1].encode()).decode()


def format_float(value: float) -> str:
    """A float as graphs and schemas show it: 17 digits, and `0.` for a whole number.

    Follows printMaybeAnnotatedConstant's use of `std::setprecision(max_digits10)` in aten/src/ATen/core/ivalue.cpp.
    """
    if value != value:
        return "nan"
    if value in (float("inf"), float("-inf")):
        return "inf" if value > 0 else "-inf"
    if value == int(value) and abs(value) < 1e10:
        return f"{int(value) if value or str(value)[0] != '-' else '-0'}."
    return f"{value:.17g}"


def format_number(value: float) -> str:
    """A float as schemas and complex numbers show it: any whole one that fits an int ends with a dot, zero has no sign."""
    if abs(value) < 2.0**63 and value == int(value):
        return f"{int(value)}."
    return format_float(value)


def format_complex(value: complex) -> str:
    """A complex number as graphs and schemas show it: `0.+1.j`."""
    sign = "+" if value.imag >= 0 else "-"
    return f"{format_number(value.real)}{sign}{format_number(abs(value.imag))}j"


def parse_schema(text: str) -> FunctionSchema:
    """See `FunctionSchema.parse`."""
    scanner = Scanner(text)
    name, overload = _parse_name(scanner)
    scanner.expect("(")
    arguments: list[Argument] = []
    is_vararg = kwarg_only = False
    while not scanner.next_if(")"):
        if scanner.next_if("*"):
            kwarg_only = True
        elif scanner.next_if("..."):
            is_vararg = True
        else:
            arguments.append(_parse_argument(scanner, kwarg_only=kwarg_only))
        if not scanner.next_if(","):
            scanner.expect(")")
            break
    scanner.expect("->")
    returns: list[Argument] = []
    is_varret = scanner.next_if("...")
    if not is_varret and scanner.next_if("("):
        while not scanner.next_if(")"):
            returns.append(_parse_argument(scanner, kwarg_only=False, is_return=True))
            if not scanner.next_if(","):
                scanner.expect(")")
                break
    elif not is_varret:
        returns.append(_parse_argument(scanner, kwarg_only=False, is_return=True))
    if scanner.kind != "end":
        raise scanner.error(f"unexpected '{scanner.token}' after a schema")
    return FunctionSchema(name, overload, tuple(arguments), tuple(returns), is_vararg, is_varret)


def _parse_name(scanner: Scanner) -> tuple[str, str]:
    qualified = scanner.expect_kind("name")
    head, colons, tail = qualified.rpartition("::")
    base, _, overload = tail.partition(".")
    return f"{head}{colons}{base}", overload


def _parse_argument(scanner: Scanner, *, kwarg_only: bool, is_return: bool = False) -> Argument:
    declared = parse_declared_type(scanner, schema=True)
    type_, list_size, spelling = declared.type, declared.list_size, declared.spelling
    name = scanner.advance() if scanner.kind == "name" else ""
    if not name and not is_return:
        raise scanner.error("expected the name of an argument here")
    default: Any = NO_DEFAULT
    if scanner.next_if("="):
        default = _parse_default(scanner, type_)
    return Argument(name, type_, default, kwarg_only, declared.alias, list_size, spelling)


def _parse_default(scanner: Scanner, type_: TorchScriptType) -> Any:
    if scanner.token in ("[", "(") and scanner.kind == "mark":
        close = "]" if scanner.advance() == "[" else ")"
        items: list[Any] = []
        while not scanner.next_if(close):
            items.append(_parse_default(scanner, type_))
            if not scanner.next_if(","):
                scanner.expect(close)
                break
        return items if close == "]" else tuple(items)
    if scanner.kind == "string":
        return unquote(scanner.advance())
    if scanner.kind == "number":
        text = scanner.advance()
        if text.endswith("j"):
            return complex(text)
        is_float = any(mark in text for mark in ".eE") or type_ == FLOAT
        return float(text) if is_float else int(text)
    if scanner.next_if("-"):
        return -_parse_default(scanner, type_)
    name = scanner.expect_kind("name")
    if name in ("inf", "nan") and type_ in (FLOAT, NUMBER):
        return float(name)
    if name not in _NAMED_DEFAULTS:
        return name
    return _NAMED_DEFAULTS[name]
