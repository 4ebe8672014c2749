"""A scanner over one text, and the parser of types in PyTorch's spelling (`Tensor(a!)[]`, `int?`, `Float(2, 3)`).

Shared by the schema parser and by the parser of graph text. Follows torch/csrc/jit/frontend/schema_type_parser.cpp.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from torchscript_dialect.types import core, tensor_type
from torchscript_dialect.types.containers import (
    AwaitType,
    DictType,
    FutureType,
    ListType,
    RRefType,
    TupleType,
    optional_of,
    union_of,
)
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import (
    ClassType,
    EnumType,
    FunctionType,
    InterfaceType,
    VarType,
)

INT_ALIASES = ("ScalarType", "Layout", "MemoryFormat", "SymInt", "QScheme", "Dimname")
"""Names that schemas use for what is an int at run time."""

_SIMPLE: dict[str, TorchScriptType] = {
    **{simple.repr_str: simple for simple in core.SIMPLE_TYPES},
    "Tensor": tensor_type.TENSOR,
    "number": core.NUMBER,
    "None": core.NONE,
    "none": core.NONE,
    "AnyClassType": core.ANY_CLASS,
    "AnyEnumType": core.ANY_ENUM,
    "SymBool": core.BOOL,
    "SymFloat": core.FLOAT,
    "Function": FunctionType(""),
    **dict.fromkeys(INT_ALIASES, core.INT),
}
_DTYPES = set(tensor_type.DTYPE_NAMES)
_TOKEN = re.compile(
    r"\s*(?:(?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?j?)"
    r"|(?P<name>[A-Za-z_][\w]*(?:(?:\.|::)[\w]+)*)"
    r"""|(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')"""
    r"|(?P<mark>->|\.\.\.|[^\s]))"
)


class TextError(RuntimeError, ValueError):
    """A text that does not parse: what is wrong, and at which offset of the text. A RuntimeError as PyTorch's."""

    def __init__(self, message: str, text: str, offset: int) -> None:
        line_start = text.rfind("\n", 0, offset) + 1
        line_end = text.find("\n", offset)
        line = text[line_start : line_end if line_end >= 0 else len(text)]
        super().__init__(f"{message}:\n{line}\n{' ' * (offset - line_start)}^ HERE")
        self.message = message
        self.text = text
        self.offset = offset


class Scanner:
    """The tokens of a text, one ahead. `kind` is number, name, string, mark or end."""

    def __init__(self, text: str, offset: int = 0) -> None:
        self.text = text
        self.unnamed_sets = 0
        """How many alias sets so far have no name: that of `Tensor!`, which is written to, is `$0`."""
        self.seek(offset)

    def seek(self, offset: int) -> None:
        """Go on with the token at or after an offset of the text."""
        self.end = offset
        self.token = ""
        self.advance()

    def advance(self) -> str:
        """Step over the current token and return its text."""
        previous = self.token
        match = _TOKEN.match(self.text, self.end)
        if match is None:
            self.kind, self.token, self.start = "end", "", len(self.text)
        else:
            assert match.lastgroup is not None
            self.kind, self.token = match.lastgroup, match[match.lastgroup]
            self.start, self.end = match.start(match.lastgroup), match.end()
        return previous

    def next_if(self, token: str) -> bool:
        """Step over the token if it is this mark or name."""
        if self.token != token or self.kind == "string":
            return False
        self.advance()
        return True

    def expect(self, token: str) -> None:
        if not self.next_if(token):
            raise self.error(f"expected '{token}' but found '{self.token or 'end of text'}' here")

    def expect_kind(self, kind: str) -> str:
        if self.kind != kind:
            raise self.error(f"expected a {kind} but found '{self.token or 'end of text'}' here")
        return self.advance()

    def error(self, message: str) -> TextError:
        return TextError(message, self.text, self.start)


@dataclass(frozen=True)
class AliasInfo:
    """The alias annotation of an argument or result: `(a!)`, `(a -> *)`, `(*)`.

    `before` and `after` are the alias sets on entry and on exit; `contained` the annotations of the elements.
    """

    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    is_write: bool = False
    contained: tuple[AliasInfo | None, ...] = ()

    WILDCARD = "*"

    def __str__(self) -> str:
        if not self.before:
            return ""
        head = "|".join(self.before) + ("!" if self.is_write else "")
        return f"({head})" if self.before == self.after else f"({head} -> {'|'.join(self.after)})"


@dataclass(frozen=True)
class DeclaredType:
    """A type as a schema declares it: with alias sets, a fixed list length and the spelling of ints."""

    type: TorchScriptType
    alias: AliasInfo | None = None
    list_size: int | None = None
    spelling: str = ""


def parse_type(text: str) -> TorchScriptType:
    """The type that a text in PyTorch's graph spelling names.

    Raises:
        TextError: the text is not a type.
    """
    scanner = Scanner(text)
    declared = parse_declared_type(scanner)
    if scanner.kind != "end":
        raise scanner.error(f"unexpected '{scanner.token}' after a type")
    return declared.type


def parse_declared_type(scanner: Scanner, *, schema: bool = False) -> DeclaredType:
    """Parse one type. In a schema, `(a!)` annotates aliases and unknown names are type variables."""
    start = scanner.start
    type_ = _parse_base(scanner, schema)
    alias = _parse_alias(scanner) if schema else None
    list_size: int | None = None
    while True:
        if scanner.kind != "string" and scanner.next_if("["):
            if scanner.kind == "number":
                list_size = int(scanner.advance())
            scanner.expect("]")
            type_ = ListType(type_)
            outer = _parse_alias(scanner) if schema else None
            if alias is not None or outer is not None:
                sets = outer or AliasInfo()
                alias = AliasInfo(sets.before, sets.after, sets.is_write, (alias,))
        elif scanner.next_if("?"):
            type_ = optional_of(type_)
        else:
            break
    return DeclaredType(type_, alias, list_size, scanner.text[start : scanner.start].rstrip())


def _parse_base(scanner: Scanner, schema: bool) -> TorchScriptType:
    if scanner.next_if("("):
        elements = _parse_types_until(scanner, ")", schema)
        return TupleType.get(elements)
    place = scanner.start
    name = scanner.expect_kind("name")
    if name in _DTYPES or (name == "Tensor" and not schema and scanner.token == "("):
        return _parse_tensor(scanner, name)
    if name.endswith("Tensor") and name[: -len("Tensor")] in _DTYPES:
        return _parse_tensor(scanner, name[: -len("Tensor")], ranked=False)
    if name in _SIMPLE:
        return _SIMPLE[name]
    if name in ("Dict", "Future", "Await", "RRef", "Union", "Optional", "List", "Tuple"):
        return _parse_generic(scanner, name, schema)
    if name == "NamedTuple":
        return _parse_named_tuple(scanner)
    if name in ("Enum", "InterfaceType"):
        scanner.expect("<")
        named = scanner.expect_kind("name")
        scanner.expect(">")
        return EnumType(named) if name == "Enum" else InterfaceType(named)
    if not schema or "." in name:
        return ClassType(name)
    if not name[0].islower():
        raise TextError(f"unknown type specifier '{name}'", scanner.text, place)
    return VarType(name)


def _parse_types_until(scanner: Scanner, close: str, schema: bool) -> list[TorchScriptType]:
    types: list[TorchScriptType] = []
    while not scanner.next_if(close):
        types.append(parse_declared_type(scanner, schema=schema).type)
        if not scanner.next_if(","):
            scanner.expect(close)
            break
    return types


def _parse_generic(scanner: Scanner, name: str, schema: bool) -> TorchScriptType:
    close = ")" if scanner.next_if("(") else "]"
    if close == "]":
        scanner.expect("[")
    arguments = _parse_types_until(scanner, close, schema)
    if name == "Tuple":
        return TupleType.get(arguments)
    if name == "Union":
        return union_of(arguments)
    expected = 2 if name == "Dict" else 1
    if len(arguments) != expected:
        raise scanner.error(f"{name} takes {expected} type(s) but {len(arguments)} are given")
    if name == "Dict":
        return DictType(*arguments)
    if name == "Optional":
        return optional_of(arguments[0])
    unary = {"Future": FutureType, "Await": AwaitType, "RRef": RRefType, "List": ListType}
    return unary[name](arguments[0])


def _parse_named_tuple(scanner: Scanner) -> TupleType:
    """`NamedTuple(x : Tensor, y : int)`: the text leaves the qualified name out."""
    scanner.expect("(")
    types: list[TorchScriptType] = []
    fields: list[str] = []
    defaults: list[str] = []
    while not scanner.next_if(")"):
        fields.append(scanner.expect_kind("name"))
        scanner.expect(":")
        types.append(parse_declared_type(scanner).type)
        if scanner.token == "=":
            defaults.append(_default_text(scanner))
        if not scanner.next_if(","):
            scanner.expect(")")
            break
    return TupleType.get(types, None, fields, defaults)


_DEFAULT = re.compile(r"((?:\([^()]*\)|\[[^\[\]]*\]|.)*?)(?=,\s*\w+ : |\))", re.DOTALL)


def _default_text(scanner: Scanner) -> str:
    """The text after the `=` of a field, which is written without quotes: it ends before the next field."""
    match = _DEFAULT.match(scanner.text, scanner.end + 1)
    if match is None:
        raise scanner.error("the default value of a field ends nowhere")
    scanner.seek(match.end())
    return match[1]


def _parse_tensor(scanner: Scanner, dtype: str, *, ranked: bool = True) -> TorchScriptType:
    known: dict[str, Any] = {} if dtype == "Tensor" else {"dtype": dtype}
    if not scanner.next_if("("):
        return tensor_type.TensorType.of(**known)
    sizes: list[int | None] = []
    has_sizes = ranked and (dtype != "Tensor" or scanner.token == ")")
    while not scanner.next_if(")"):
        if scanner.kind == "number":
            sizes.append(int(scanner.advance()))
            has_sizes = True
        elif scanner.next_if("*") or _next_if_symbol(scanner):
            sizes.append(None)
            has_sizes = True
        else:
            key = scanner.expect_kind("name")
            scanner.expect("=")
            if key == "strides":
                scanner.expect("[")
                known[key] = tuple(_parse_ints(scanner))
            elif key == "requires_grad":
                known[key] = bool(int(scanner.expect_kind("number")))
            elif key == "device":
                known[key] = scanner.expect_kind("name")
                if scanner.next_if(":"):
                    known[key] += ":" + scanner.expect_kind("number")
            else:
                raise scanner.error(f"a tensor type has no '{key}'")
        if not scanner.next_if(","):
            scanner.expect(")")
            break
    if has_sizes:
        known["sizes"] = tuple(sizes)
        if len(known.get("strides", sizes)) != len(sizes):
            raise scanner.error("strides are given for some dimensions, but not for all")
    return tensor_type.TensorType.of(**known)


def _next_if_symbol(scanner: Scanner) -> bool:
    """Step over a size that is a symbol, `SS(-1)`, if there is one."""
    if not scanner.next_if("SS"):
        return False
    scanner.expect("(")
    scanner.next_if("-")
    scanner.expect_kind("number")
    scanner.expect(")")
    return True


def _parse_ints(scanner: Scanner) -> list[int]:
    ints: list[int] = []
    while not scanner.next_if("]"):
        ints.append(int(scanner.expect_kind("number")))
        if not scanner.next_if(","):
            scanner.expect("]")
            break
    return ints


def _parse_alias(scanner: Scanner) -> AliasInfo | None:
    if scanner.next_if("!"):
        scanner.unnamed_sets += 1
        return AliasInfo((f"${scanner.unnamed_sets - 1}",), (), is_write=True)
    if not scanner.next_if("("):
        return None
    before: list[str] = []
    is_write = False
    while not scanner.next_if("->") and scanner.token != ")":
        before.append(scanner.advance())
        is_write |= scanner.next_if("!")
        scanner.next_if("|")
    after: list[str] = []
    while not scanner.next_if(")"):
        after.append(scanner.advance())
        scanner.next_if("|")
    return AliasInfo(tuple(before), tuple(after or before), is_write)
