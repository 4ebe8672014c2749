"""Computes what a reduction alone uses where that is reduced.

A `linalg.generic` that is pointwise and whose only result nothing else uses than one that reduces joins that one, so that it is not
stored. For devices, where a value costs less than a way through memory; on the host both loops are vectorized by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import builtin
from xdsl.dialects.builtin import AffineMapAttr, ArrayAttr
from xdsl.dialects.linalg import ops as linalg
from xdsl.dialects.linalg.attrs import IteratorType
from xdsl.ir import Block, Region, SSAValue
from xdsl.ir.affine import AffineDimExpr
from xdsl.passes import ModulePass

from lowering.kernel_functions import input_kernels
from lowering.loops.fuse_elementwise import Pointwise
from lowering.shaped import is_tensor


class FuseReductionsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-fuse-reductions"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        for function, _ in input_kernels(op, self.name):
            for inner in list(function.body.block.ops):
                if isinstance(inner, linalg.GenericOp) and _reduces(inner):
                    _fuse(inner)


def _reduces(op: linalg.GenericOp) -> bool:
    kinds = [one.data for one in op.iterator_types]
    return IteratorType.REDUCTION in kinds and not any(
        isinstance(inner, linalg.IndexOp) for inner in op.body.block.ops
    )


def _fuse(op: linalg.GenericOp) -> None:
    """Let what `op` alone uses join it, one after the other."""
    joined: linalg.GenericOp | None = op
    while joined is not None:
        op = joined
        inputs = zip(op.inputs, op.indexing_maps.data, strict=False)
        candidates = (_merged(op, value, attr) for value, attr in dict.fromkeys(inputs))
        joined = next((one for one in candidates if one is not None), None)


def _producer(value: SSAValue, user: linalg.GenericOp) -> Pointwise | None:
    """What computes the elements of a tensor, if nothing but one op uses them."""
    owner = value.owner
    if isinstance(owner, Block) or any(use.operation is not user for use in value.uses):
        return None
    found = Pointwise.of(owner)
    if found is None or len(owner.results) != 1:
        return None
    is_plain = not any(isinstance(one, linalg.IndexOp) for one in found.op.body.block.ops)
    return found if is_plain else None


def _merged(op: linalg.GenericOp, value: SSAValue, attr: AffineMapAttr) -> linalg.GenericOp | None:
    """`op` with what computes an input of it in its body; None where that is nothing, or the size of a loop would be lost."""
    producer = _producer(value, op)
    if producer is None:
        return None
    of_op = list(zip(op.inputs, op.indexing_maps.data, strict=False))
    if any(one is value and other != attr for one, other in of_op):
        return None
    of_producer = [
        (one, AffineMapAttr(inner.data.compose(attr.data))) for one, inner in producer.inputs
    ]
    kept = [one for one in of_op if one[0] is not value]
    inputs = list(dict.fromkeys([*kept, *of_producer]))
    maps = [*(one for _, one in inputs), *op.indexing_maps.data[len(of_op) :]]
    if not _sizes_are_known([one for one, _ in inputs] + list(op.outputs), maps):
        return None
    body, inner_block = op.body.block, producer.op.body.block
    types = {
        one: argument.type
        for pairs in (zip(of_op, body.args), zip(of_producer, inner_block.args))
        for one, argument in pairs
    }
    merged = Block(arg_types=[types[one] for one in inputs])
    arguments = dict(zip(inputs, merged.args, strict=True))
    values: dict[SSAValue, SSAValue] = {}
    for argument, one in zip(inner_block.args, of_producer, strict=False):
        values[argument] = arguments[one]
    *computing, terminator = inner_block.ops
    for inner in computing:
        made = inner.clone(values)
        merged.add_op(made)
        values.update(zip(inner.results, made.results, strict=True))
    result = values.get(terminator.operands[0], terminator.operands[0])
    for argument, one in zip(body.args, of_op, strict=False):
        argument.replace_all_uses_with(result if one[0] is value else arguments[one])
    for argument in body.args[len(of_op) :]:
        argument.replace_all_uses_with(merged.insert_arg(argument.type, len(merged.args)))
    for inner in list(body.ops):
        inner.detach()
        merged.add_op(inner)
    made = linalg.GenericOp(
        [one for one, _ in inputs],
        list(op.outputs),
        Region(merged),
        ArrayAttr(maps),
        op.iterator_types,
        list(op.result_types),
    )
    block = op.parent
    assert block is not None
    block.insert_op_before(made, op)
    for old, new in zip(op.results, made.results, strict=True):
        new.name_hint = old.name_hint
        old.replace_all_uses_with(new)
    block.erase_op(op)
    block.erase_op(producer.op)
    return made


def _sizes_are_known(operands: Sequence[SSAValue], maps: Sequence[AffineMapAttr]) -> bool:
    """Whether each loop walks a dimension of an operand."""
    walked = {
        expr.position
        for value, attr in zip(operands, maps, strict=True)
        if is_tensor(value.type)
        for expr in attr.data.results
        if isinstance(expr, AffineDimExpr)
    }
    return walked == set(range(maps[0].data.num_dims))
