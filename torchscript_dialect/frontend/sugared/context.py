"""What names and calls need of the function that is being built."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from xdsl.ir import SSAValue

from torchscript_dialect.frontend.sugared.function_builder import FunctionBuilder
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.frontend.unit.type_resolver import TypeResolver
from torchscript_dialect.ir.edit import ValueMap, body_ops, clone_nodes, outputs
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import EnumType
from torchscript_dialect.utils.source_range import SourceRange


class Overloads(Sequence[FunctionSchema]):
    """The schemas of the operators of a name, then of the builtin functions of that name.

    A schema is asked for when it is tried: it is parsed then, and a function is compiled.
    """

    def __init__(self, operators: Sequence[Operator], functions: Sequence[Function]) -> None:
        self.operators = operators
        self.functions = functions
        self._all: tuple[Operator | Function, ...] = (*operators, *functions)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: int) -> FunctionSchema:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._all[index].schema


class Context:
    """A function that is being built: its graph, the unit that it is in, and what names mean as types."""

    def __init__(self, function: Function, unit: CompilationUnit, resolver: TypeResolver) -> None:
        self.function = function
        self.unit = unit
        self.type_resolver = resolver
        self.graph = FunctionBuilder(function.symbol)
        self._overloads: dict[str, Overloads] = {}

    def is_at_top_level(self) -> bool:
        """Whether new ops go to the function's own block."""
        return self.graph.point.parent is self.graph.block

    def overloads(self, name: str) -> Overloads:
        """What a call of a builtin may mean: operators, then functions that are written in TorchScript."""
        known = self._overloads.get(name)
        if known is None:
            functions = self.type_resolver.builtin_functions(name)
            known = self._overloads[name] = Overloads(registry.lookup(name), functions)
        return known

    def declare_foreign(self, name: str) -> bool:
        """Add the operators of a name that PyTorch has to the table, without kernels; whether there are any."""
        torch = pytorch_state.loaded()
        schemas: list[Any] = [] if torch is None else torch._C._jit_get_schemas_for_operator(name)
        for schema in schemas:
            registry.register(str(schema))
        self._overloads.pop(name, None)
        return bool(schemas)

    def enum_constant(self, type_: EnumType, name: str, range: SourceRange) -> SSAValue:
        """The constant for a member of an enum."""
        member = self.unit.enums[type_.qualified_name.data].member(name)
        return self.graph.constant(member, range, type_)

    def inline(self, function: Function, inputs: Sequence[SSAValue]) -> SSAValue:
        """The body of a function at the insertion point, on these inputs."""
        block = function.op.body.block
        values: ValueMap = dict(zip(block.args, inputs, strict=True))
        clone_nodes(body_ops(block), values, self.graph.insert)
        (result,) = outputs(block)
        return values.get(result, result)
