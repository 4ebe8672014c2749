"""Arguments of calls, before they are matched to a schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.sugared.function_builder import FunctionBuilder
from torchscript_dialect.ir.edit import type_of
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import EnumType
from torchscript_dialect.types.tensor_type import INFERRED_TENSOR
from torchscript_dialect.utils.source_range import SourceRange


def describe(type_: TorchScriptType) -> str:
    """A type as messages show it."""
    if type_ is INFERRED_TENSOR:
        return "Tensor (inferred)"
    return type_.repr_str if isinstance(type_, EnumType) else type_.annotation_str


class NamedValue:
    """An argument: a value of the graph, or a Python constant that becomes one, at `range`, when it is asked for."""

    __slots__ = ("constant", "name", "range", "value")

    def __init__(
        self,
        value: SSAValue | None = None,
        range: SourceRange | None = None,
        name: str = "",
        constant: Any = None,
    ) -> None:
        self.value = value
        self.range = range
        self.name = name
        self.constant = constant

    @property
    def type(self) -> TorchScriptType:
        return type_of_constant(self.constant) if self.value is None else type_of(self.value)

    def emit(self, graph: FunctionBuilder) -> SSAValue:
        """The value in the graph."""
        if self.value is None:
            return graph.constant(self.constant, self.range)
        return self.value


Arguments = Sequence[NamedValue]
