"""The `prim` dialect as xDSL registers it: structural ops, operators of the table, TorchScript's types."""

from __future__ import annotations

from collections.abc import Iterator

from xdsl.ir import Attribute, Dialect, Operation

from torchscript_dialect.dialects.attributes import (
    ComplexAttr,
    EnumMemberAttr,
    GeneratorAttr,
    PackedAttr,
    TensorAttr,
)
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.dialects.prim import STRUCTURAL_OPS, TYPES, kind_class
from torchscript_dialect.dialects.prim.constants import PrimConstants
from torchscript_dialect.ops import registry


class PrimDialect(Dialect):
    """The structural ops, and the `prim` operators of the table that have rules."""

    @property
    def operations(self) -> Iterator[type[Operation]]:
        yield from STRUCTURAL_OPS
        for qualified_name, _ in registry.attached():
            if qualified_name.startswith("prim::") and kind_class(qualified_name) is None:
                yield operator_class(qualified_name)

    @property
    def attributes(self) -> Iterator[type[Attribute]]:
        yield from (*TYPES, TensorAttr, ComplexAttr, EnumMemberAttr, GeneratorAttr, PackedAttr)


Prim = PrimDialect("prim", [], [], [PrimConstants()])
