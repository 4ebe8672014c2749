"""Types in differentiable graphs of functions whose types a run observed.

What runs such a graph asks its operands for their dtypes and how many dimensions they have, and nothing of what is inside. So no other
observed type may decide how gradients are taken.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.autodiff.differentiability import is_list_of_tensors
from torchscript_dialect.dialects import prim, prim_operators
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.ops.shapes import NOTHING, Unknown, of_any_sizes, with_dtypes
from torchscript_dialect.transforms.propagate_shapes import PARTS, PropagateShapes
from torchscript_dialect.types.subtyping import is_subtype
from torchscript_dialect.types.tensor_type import TENSOR, TensorProperties, TensorType


class Dtypes:
    """Which dtypes of a graph follow from those of its operands; see `follow`. `aliases` is None where nothing is written."""

    def __init__(self, aliases: AliasDb | None) -> None:
        self.aliases = aliases
        self.open: set[SSAValue] = set()
        """Tensors made in graphs whose dtypes do not, and lists of such."""

    def follow(self, op: Operation, inside: Collection[SSAValue]) -> bool:
        """Whether the dtypes of the tensors that a node gives follow from those of its operands, which is remembered. `inside` are
        values of the graph that it joins.
        """
        if isinstance(op, OperatorOp) and any(map(_has_tensors, op.results)):
            facts = [self.fact(one, inside) for one in op.operands]
            found = _typed(op, facts)
        else:
            found = [not any(one in self.open for one in op.operands)] * len(op.results)
        self.open.update(value for value, known in zip(op.results, found) if not known)
        return all(found)

    def fact(self, value: SSAValue, inside: Collection[SSAValue]) -> Any:
        """What a shape rule is told of an operand."""
        owner, type_ = value.owner, edit.type_of(value)
        if isinstance(type_, TensorType):
            return NOTHING if value in self.open else of_any_sizes(type_.data)
        if isinstance(owner, prim.ConstantOp) and owner.function_symbol is None:
            return owner.value
        is_written = self.aliases is not None and self.aliases.has_writers(value)
        if isinstance(owner, prim.ListConstructOp) and not is_written:
            return [self.fact(one, inside) for one in owner.operands]
        if isinstance(owner, prim_operators.DtypeOp) and value in inside:
            assert owner.OPERATOR is not None and owner.OPERATOR.shape is not None
            return owner.OPERATOR.shape([self.fact(owner.operands[0], inside)])
        return Unknown(type_)


def _typed(op: OperatorOp, facts: Sequence[Any]) -> list[bool]:
    """Of each result, whether it is no tensor or its dtype is known where such is known of operands."""
    count, said = len(op.results), _said(op, facts)
    outcomes: Sequence[Any] = (said,) if count == 1 else said or (None,) * count
    return [
        not _has_tensors(result) or _have_dtypes(one) for result, one in zip(op.results, outcomes)
    ]


def _said(op: OperatorOp, facts: Sequence[Any]) -> Any:
    """What the shape rule of an operator says of its result or results; None where it has none."""
    rule = None if op.OPERATOR is None else op.OPERATOR.shape
    if rule is None or op.schema is None:
        return None
    said = with_dtypes(op.schema, rule, facts)
    if op.KIND in PARTS and not isinstance(said, list):
        return facts[0]
    return cast("Any", said)


def _have_dtypes(said: Any) -> bool:
    """Whether the dtype of a tensor, or of all in a list, is known."""
    each = cast("list[Any]", said) if isinstance(said, list) else [said]
    return all(isinstance(one, TensorProperties) and one.dtype is not None for one in each)


def _has_tensors(value: SSAValue) -> bool:
    return isinstance(value.type, TensorType) or is_list_of_tensors(value.type)


def forget_observed(block: Block) -> dict[SSAValue, TensorType]:
    """Leave of the types of tensors in a graph what its operands are asked for, and what follows from that. Types that were observed
    are of use for kernels, which ask again.
    """
    observed: dict[SSAValue, TensorType] = {}
    for argument in block.args:
        if isinstance(argument.type, TensorType):
            edit.set_type(argument, TensorType(of_any_sizes(argument.type.data)))
    for op in edit.nested_ops(block):
        for value in (*op.results, *(one for region in op.regions for one in region.block.args)):
            if isinstance(value.type, TensorType):
                observed[value] = value.type
                edit.set_type(value, TENSOR)
    region = Region(block)
    function = FuncOp("graph", (block.arg_types, []), region)
    PropagateShapes(ranks=True).run(function, Analyses())
    region.detach_block(block)
    return observed


def recall(observed: Mapping[SSAValue, TensorType], values: Mapping[SSAValue, SSAValue]) -> None:
    """Give what now stands for `values` the types that were observed of them, where they are of the types that followed."""
    for old, new in values.items():
        type_ = new.type
        if old in observed and isinstance(type_, TensorType):
            found = observed[old].replace(requires_grad=type_.requires_grad)
            if is_subtype(found, type_):
                edit.set_type(new, found)
