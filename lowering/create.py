"""Makes ops without the checks of xDSL's constructors, which take four times as long as the op itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from xdsl.dialects.builtin import UNKNOWN_LOC
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import IRDLOperation, OptionalDef

from torchscript_dialect.ir.edit import new_op

NONE: Mapping[str, Attribute] = MappingProxyType({})


def create(
    op_class: type[Operation],
    operands: Sequence[SSAValue],
    result_types: Sequence[Attribute],
    properties: Mapping[str, Attribute] = NONE,
) -> Operation:
    """An op without regions and successors, in no block; properties that are not given have the defaults of the class."""
    defaults = _defaults(op_class)
    if defaults:
        properties = {**defaults, **properties}
    return new_op(op_class, operands, result_types, {}, UNKNOWN_LOC, properties)


@lru_cache(maxsize=1 << 14)
def _defaults(op_class: type[Operation]) -> Mapping[str, Attribute]:
    if not issubclass(op_class, IRDLOperation):
        return NONE
    definition = op_class.get_irdl_definition()
    return {
        name: known.default_value
        for name, known in definition.properties.items()
        if not isinstance(known, OptionalDef) and known.default_value is not None
    }
