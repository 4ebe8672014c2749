"""Default values and constants in the source of archives that are more than literals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torchscript_dialect.frontend.archive.definitions import NUMBERS, Definitions, constant_number
from torchscript_dialect.frontend.source.tree_views import Apply, Expr, Select, StringLiteral, Var
from torchscript_dialect.frontend.unit.annotations import qualified_name
from torchscript_dialect.frontend.unit.definitions import EnumDefinition
from torchscript_dialect.tensor.device import device
from torchscript_dialect.utils.errors import FrontendError

Literal = Callable[[Expr], Any]
"""The value of an expression inside another."""


def value_of(expr: Expr, definitions: Definitions, literal: Literal) -> Any:
    """The value of an expression that the Python Printer writes for a constant: numbers that have names, members of enums, devices,
    NamedTuples, `CONSTANTS.c0`, `annotate(List[int], [])`.

    Raises:
        FrontendError: it is no such expression.
    """
    match expr:
        case Var() if expr.name.name in NUMBERS:
            return NUMBERS[expr.name.name]
        case Select():
            return _selected(expr, definitions)
        case Apply():
            return _called(expr, definitions, literal)
        case _:
            raise FrontendError("this is no constant of an archive", expr.range)


def _selected(expr: Select, definitions: Definitions) -> Any:
    owner, name = qualified_name(expr.value), expr.selector.name
    if owner == "CONSTANTS":
        return definitions.constant(constant_number(name, expr.range))
    found = None if owner is None else definitions.find(owner)
    if isinstance(found, EnumDefinition) and name in found.members:
        return found.member(name)
    raise FrontendError("this is no constant of an archive", expr.range)


def _called(expr: Apply, definitions: Definitions, literal: Literal) -> Any:
    callee, inputs = qualified_name(expr.callee), list(expr.inputs)
    if callee == "annotate" and len(inputs) == 2:
        return literal(inputs[1])
    if callee == "torch.device" and len(inputs) == 1 and isinstance(inputs[0], StringLiteral):
        return device(inputs[0].text)
    if callee is not None and isinstance(definitions.find(callee), tuple):
        return tuple(map(literal, inputs))
    raise FrontendError("this is no constant of an archive", expr.range)
