"""Types from the expressions that annotate them (PyTorch: frontend/script_type_parser.cpp)."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from xdsl.dialects.builtin import StringAttr

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.expr_parser import ExprParser
from torchscript_dialect.frontend.source.tree_views import (
    Const,
    Expr,
    ListLiteral,
    Select,
    StringLiteral,
    Subscript,
    TupleLiteral,
    UnaryOp,
    Var,
    pep604_union_to_union,
)
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.type_resolver import TypeResolver
from torchscript_dialect.ops import registry
from torchscript_dialect.types import core
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
from torchscript_dialect.types.named import FOREIGN, ClassType
from torchscript_dialect.types.tensor_type import INFERRED_TENSOR, TENSOR, TensorType
from torchscript_dialect.utils.errors import FrontendError, suggestion
from torchscript_dialect.utils.source_range import Source, SourceRange

_NAMES: dict[str, TorchScriptType] = {
    "Tensor": TENSOR,
    "int": core.INT,
    "float": core.FLOAT,
    "complex": core.COMPLEX,
    "bool": core.BOOL,
    "str": core.STR,
    "number": core.NUMBER,
    "None": core.NONE,
    "NoneType": core.NONE,
    "Any": core.ANY,
    "Device": core.DEVICE,
    "Stream": core.STREAM,
    "Generator": core.GENERATOR,
    "Capsule": core.CAPSULE,
    "list": core.ANY_LIST,
    "tuple": core.ANY_TUPLE,
}
_TORCH_NAMES: dict[str, TorchScriptType] = {
    "device": core.DEVICE,
    "dtype": core.INT,
    "SymInt": core.INT,
    "SymFloat": core.FLOAT,
    "SymBool": core.BOOL,
    "layout": core.INT,
    "memory_format": core.INT,
    "Generator": core.GENERATOR,
    "Stream": core.STREAM,
    **dict.fromkeys(
        (
            "Tensor", "LongTensor", "FloatTensor", "DoubleTensor", "IntTensor", "ShortTensor",
            "HalfTensor", "CharTensor", "ByteTensor", "BoolTensor",
        ),
        TENSOR,
    ),
}  # fmt: skip
_BROADCASTING = re.compile(r"BroadcastingList(\d+)")
_SIZES = re.compile(r"_size_(\d+)_t")
"""The names of `torch.nn.common_types`: whole numbers, or one for all."""


class TypeParser:
    """Makes types of expressions; names that are no types of the language go to the resolver."""

    def __init__(self, resolver: TypeResolver, unit: CompilationUnit) -> None:
        self.resolver = resolver
        self.unit = unit

    def unannotated(self) -> TorchScriptType:
        """The type of a parameter without annotation."""
        return INFERRED_TENSOR

    def parse_parameter(self, expr: Expr) -> tuple[TorchScriptType, int | None]:
        """The type of a parameter, and the length of a list for which one element may stand."""
        inner = _without_none(expr)
        sizes = _SIZES.fullmatch((qualified_name(inner) or "").rpartition(".")[2])
        if sizes is not None:
            list_type: TorchScriptType = ListType(core.INT)
            return (list_type if inner is expr else optional_of(list_type)), int(sizes[1])
        while isinstance(inner, Subscript):
            match = _BROADCASTING.fullmatch((qualified_name(inner.value) or "").rpartition(".")[2])
            if match is not None:
                return self.parse(expr), int(match[1])
            if qualified_name(inner.value) not in ("Optional", "typing.Optional"):
                break
            inner = inner.subscript_exprs[0]
        return self.parse(expr), None

    def parse_attribute(self, expr: Expr) -> TorchScriptType:
        """As `parse`, in the body of a class, where `Final[T]` is the type of a constant."""
        if isinstance(expr, Subscript) and len(expr.subscript_exprs) == 1:
            name = qualified_name(expr.value) or ""
            if name.rpartition(".")[2] == "Final" and self.resolver.has_generic(name):
                return self.parse(expr.subscript_exprs[0])
        return self.parse(expr)

    def parse(self, expr: Expr) -> TorchScriptType:
        """The type that an expression names.

        Raises:
            FrontendError: it names none.
        """
        if expr.kind == "|":
            expr = pep604_union_to_union(expr)
        if isinstance(expr, Subscript):
            return self._generic(expr)
        if isinstance(expr, StringLiteral):
            return self._quoted(expr)
        if expr.kind == tk.TK_NONE:
            return core.NONE
        if isinstance(expr, TupleLiteral):
            return TupleType.get(self.parse(part) for part in expr.inputs)
        name = qualified_name(expr)
        found = self._named(name, expr)
        if found is not None:
            return found
        if name is None:
            raise FrontendError(
                f"Expression of type {expr.kind} cannot be used in a type expression", expr.range
            )
        last = name.rpartition(".")[2]
        if last in _EXAMPLES:
            what = "contained types" if last == "Dict" else "a contained type"
            example = "contained type" if last == "Dict" else what
            raise FrontendError(
                f"Attempted to use {last} without {what}. Please add {example}, e.g."
                f" {_EXAMPLES[last]}",
                expr.range,
            )
        raise FrontendError(f"Unknown type name '{name}'{self._suggestion(name)}", expr.range)

    def _suggestion(self, name: str) -> str:
        known = [*_NAMES, *_GENERICS, *(f"torch.{each}" for each in _TORCH_NAMES)]
        return suggestion(name, [*known, *self.resolver.names()])

    def _quoted(self, expr: StringLiteral) -> TorchScriptType:
        """The type in a string; what is wrong with it is shown at the string."""
        try:
            return self.parse(parse_type_text(expr.text, expr.range))
        except FrontendError as error:
            place = error.source_range
            if place is not None and place.source.text != expr.text:
                raise  # of a class that the text names
            why = "".join(error.message.partition(". Did you mean")[1:])
            if not why and not expr.text.isidentifier():
                why = f". {error.message.strip()}"
            raise FrontendError(f"Unknown type name '{expr.text}'{why}", expr.range) from None

    def _named(self, name: str | None, expr: Expr) -> TorchScriptType | None:
        if name is None or name.rpartition(".")[2] in _EXAMPLES:
            return None
        resolved = self.resolver.resolve_type(name, self.unit, expr.range)
        if resolved is not None:
            return resolved
        if name in _NAMES:
            return _NAMES[name]
        head, _, last = name.rpartition(".")
        if head == "torch" and last in _TORCH_NAMES:
            return _TORCH_NAMES[last]
        foreign = f"__torch__.{name}"
        if foreign.startswith(FOREIGN) and any(
            foreign in text for text in registry.texts().values()
        ):
            return ClassType(StringAttr(foreign))
        if head in ("typing", "types", "t") and last in ("Any", "NoneType"):
            return _NAMES[last]
        return None

    def _generic(self, expr: Subscript) -> TorchScriptType:
        name = qualified_name(expr.value)
        if name is None:
            raise FrontendError("Subscripted type must be a type identifier", expr.value.range)
        base = name.rpartition(".")[2]
        if not self.resolver.has_generic(name):
            raise FrontendError(f"Unknown type name '{expr.range.text}'", expr.range)
        if base not in _GENERICS:
            base = "List" if _BROADCASTING.fullmatch(base) else self.resolver.generic_of(name)
        make = _GENERICS.get(base)
        if make is None:
            raise FrontendError(
                f"Unknown type constructor {name}{suggestion(base, _GENERICS)}", expr.range
            )
        inputs = list(expr.subscript_exprs)
        if base in ("Tuple", "tuple"):
            if len(inputs) == 1 and isinstance(inputs[0], TupleLiteral):
                inputs = list(inputs[0].inputs)
            return TupleType.get(self.parse(part) for part in inputs)
        if len(inputs) == 1 and isinstance(inputs[0], TupleLiteral) and base not in ("List",):
            inputs = list(inputs[0].inputs)
        expected, build = make
        if expected is not None and len(inputs) != expected:
            wanted = "one element type" if expected == 1 else f"{expected} element types"
            raise FrontendError(
                f" expected exactly {wanted} but found {len(inputs)}",
                expr.subscript_exprs.range,
            )
        types = [self.parse(part) for part in inputs]
        if base in ("Dict", "dict"):
            check_key(inputs[0].range, types[0])
        return build(types)

    def literal(self, expr: Expr) -> Any:
        """The Python value of the literal that a parameter's default is.

        Raises:
            FrontendError: the default is no literal.
        """
        if isinstance(expr, Const):
            if expr.is_integral:
                return expr.as_integral()
            return expr.as_complex() if expr.is_complex else expr.as_floating_point()
        if isinstance(expr, StringLiteral):
            return expr.text
        if expr.kind in (tk.TK_TRUE, tk.TK_FALSE, tk.TK_NONE):
            return {tk.TK_TRUE: True, tk.TK_FALSE: False, tk.TK_NONE: None}[expr.kind]
        if isinstance(expr, UnaryOp) and expr.kind == tk.TK_UNARY_MINUS:
            return -self.literal(expr.expr)
        if isinstance(expr, ListLiteral):
            return [self.literal(part) for part in expr.inputs]
        if isinstance(expr, TupleLiteral):
            return tuple(self.literal(part) for part in expr.inputs)
        return self.resolver.constant(expr, self.literal)


_EXAMPLES = {
    "List": "List[int]",
    "Dict": "Dict[int, int]",
    "Optional": "Optional[int]",
    "Tuple": "Tuple[int]",
    "Union": "Union[int]",
}
_Builder = Callable[[list[TorchScriptType]], TorchScriptType]
_GENERICS: dict[str, tuple[int | None, _Builder]] = {
    "Optional": (1, lambda types: optional_of(types[0])),
    "Union": (None, union_of),
    "List": (1, lambda types: ListType(types[0])),
    "list": (1, lambda types: ListType(types[0])),
    "Dict": (2, lambda types: DictType(types[0], types[1])),
    "dict": (2, lambda types: DictType(types[0], types[1])),
    "Tuple": (None, TupleType.get),
    "tuple": (None, TupleType.get),
    "Future": (1, lambda types: FutureType(types[0])),
    "Await": (1, lambda types: AwaitType(types[0])),
    "RRef": (1, lambda types: RRefType(types[0])),
}
"""The generics by name: how many arguments they take, and the type they make."""


def check_key(range: SourceRange, key: TorchScriptType) -> None:
    """Raise if dictionaries cannot have keys of this type."""
    simple = (core.INT, core.STR, core.FLOAT, core.BOOL, core.COMPLEX, core.DEVICE)
    if key not in simple and not isinstance(key, TensorType):
        raise FrontendError(
            "Cannot create dict for key type"
            f" '{key.repr_str}', only int, float, complex, Tensor, device and string keys are"
            " supported",
            range,
        )


def parse_type_text(text: str, range: SourceRange) -> Expr:
    """The expression in an annotation that is a string; errors name the place in the string."""
    parser = ExprParser(Source(text, range.filename, range.line))
    parsed = parser.expression_or_tuple()
    parser.end()
    return parsed


def _without_none(expr: Expr) -> Expr:
    """The type `X` of `X | None`; other types as they are."""
    if expr.kind != "|":
        return expr
    union = pep604_union_to_union(expr)
    assert isinstance(union, Subscript)
    parts = [part for part in union.subscript_exprs if part.kind != tk.TK_NONE]
    return parts[0] if len(parts) == 1 else expr


def qualified_name(expr: Expr) -> str | None:
    """`a.b.c` of selections of a variable, None for any other expression."""
    parts: list[str] = []
    while isinstance(expr, Select):
        parts.append(expr.selector.name)
        expr = expr.value
    if not isinstance(expr, Var):
        return None
    return ".".join((expr.name.name, *reversed(parts)))
