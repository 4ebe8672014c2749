"""The nodes of calls whose arguments have been matched: of operators, functions and methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.frontend.sugared.function_builder import FunctionBuilder
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.source_range import SourceRange


@dataclass
class MatchedSchema:
    """The operands of a call and the types of its results."""

    inputs: list[SSAValue]
    return_types: Sequence[TorchScriptType]
    return_names: tuple[str, ...] | None


def emit_operator(
    graph: FunctionBuilder, operator: Operator, matched: MatchedSchema, range: SourceRange | None
) -> SSAValue:
    """A call of a builtin operator; several results, or none, come as a tuple."""
    class_ = _STRUCTURAL.get(operator.qualified_name) or operator_class(operator.qualified_name)
    op = graph.node(class_, matched.inputs, matched.return_types, range)
    return pack_results(graph, op, matched)


_STRUCTURAL = {"prim::RaiseException": prim.RaiseExceptionOp}
"""Structural nodes that the code of archives calls as operators: `ops.prim.RaiseException("no")`."""


def pack_results(graph: FunctionBuilder, op: Operation, matched: MatchedSchema) -> SSAValue:
    """The one result, or a tuple of all; a NamedTuple where the schema names the results."""
    if len(op.results) == 1:
        return op.results[0]
    type_ = None
    if matched.return_names is not None:
        type_ = TupleType.get(matched.return_types, None, matched.return_names)
    return graph.tuple_of(op.results, type_)


def call_function(
    graph: FunctionBuilder, symbol: str, name: str, matched: MatchedSchema, range: SourceRange
) -> SSAValue:
    """A call of a function of the unit: its symbol, and the name that graphs show."""
    constant = prim.ConstantOp.of_function(symbol)
    constant.attributes["name"] = StringAttr(name)
    callee = graph.insert(constant).results[0]
    return graph.value(
        prim.CallFunctionOp, (callee, *matched.inputs), matched.return_types[0], range
    )


def call_method(
    graph: FunctionBuilder, name: str, matched: MatchedSchema, range: SourceRange
) -> SSAValue:
    """A call of a method of the first operand."""
    return graph.value(
        prim.CallMethodOp, matched.inputs, matched.return_types[0], range, name=StringAttr(name)
    )
