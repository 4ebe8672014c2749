"""Makes new tensors instead of writing to old ones, where nobody can tell (PyTorch: passes/remove_mutation.cpp).

Works on typed graphs. `aten::relu_(%x)` becomes `aten::relu(%x)`, of which all later uses of `%x` are made uses, if `%x` is made by
a node of the same block, or carried by its loop, the new tensor has the dtype, sizes and layout of the old one, and nothing that was
made before the node and may be the same memory, or hold it, is used after it. What a caller gave, or another block, stays as it is.
Where an operator's first operand alone decides what its result is like, as that of `scatter_add` does, no types are asked for.

Note [Operands that fit]
`x.add_(y)` is an error where `x + y` has other sizes than `x`. Where that is not known, `aten::copy(%x, %y)` may take the place of
`%y`: a tensor of the sizes of `%x`, or the same error. Its dtype is that of `%x`, so `%y` has to have it. Its `%x` is detached, as no
gradient goes there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.analysis.location_sets import numbers
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.operators import OperatorOp, operator_class
from torchscript_dialect.ir import edit
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.ops.shapes import Unknown
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.tensor_type import TENSOR, TensorProperties, TensorType
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.jit_opt_limit import OptLimit

LOG = Log(__name__)
LIMIT = OptLimit(__name__)


class RemoveTensorMutation(FunctionPass):
    """In the lists that make other compilers' functions, whose tensors are values."""

    name = "ts-remove-tensor-mutation"

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        changed = remove_mutations(function, analyses)
        dump(LOG, "After RemoveTensorMutation: ", function)
        return changed


def remove_mutations(
    function: FuncOp,
    analyses: Analyses,
    may_go: Callable[[Operation, Memory], bool] = lambda op, memory: True,
    *,
    fits: bool = False,
) -> bool:
    """Make new tensors instead of the writes that `may_go` allows, where nobody can tell; whether there were any. With `fits`, operands
    that may be too large are held to the sizes of what is written to (Note [Operands that fit]).
    """
    found = [(op, base) for op in edit.nested_ops(function.body.block) if (base := _base(op))]
    if not found:
        return False
    memory = Memory(function, analyses)
    changed = False
    for op, base in found:
        is_like = _is_like(op.operands[0], op, base) or _is_made_like(op.operands[0], base)
        if not (is_like or (fits and _may_fit(op, base))):
            continue
        if not may_go(op, memory) or not memory.may_be_new(op):
            continue
        if not LIMIT.allows():
            break
        if not is_like:
            memory.fit(op)
        memory.make_new(op, base)
        changed = True
    return changed


def _base(op: Operation) -> Operator | None:
    """The operator that gives what this one writes into its first operand."""
    if not isinstance(op, OperatorOp) or op.OPERATOR is None or not op.KIND.endswith("_"):
        return None
    if isinstance(op, (aten.Resize_Op, aten.ResizeAs_Op)):
        return None  # a tensor with a history refuses it when it runs
    own = [(argument.name, argument.type) for argument in op.OPERATOR.schema.arguments]
    for base in registry.lookup(op.KIND[:-1]):
        arguments = [(argument.name, argument.type) for argument in base.schema.arguments]
        if arguments == own and not base.schema.is_mutable and len(op.results) == 1:
            return base
    return None


def _is_like(target: SSAValue, op: Operation, base: Operator) -> bool:
    """Whether the new tensor has the dtype, sizes and layout of the old one, as far as these are known."""
    known = target.type
    if base.shape is None or not isinstance(known, TensorType):
        return False
    made = base.shape([_fact(value) for value in op.operands])
    if not isinstance(made, TensorProperties) or known.dtype is None or known.sizes is None:
        return False
    if made.dtype != known.dtype or made.sizes != known.sizes:
        return False
    if _keeps_layout(base) is False and not _is_contiguous(target):
        return False
    return None not in known.sizes or not any(map(_may_broadcast, op.operands[1:]))


_PROBES = tuple(TensorProperties(dtype, (5, 7), (1, 5)) for dtype in ("Float", "Long"))


@lru_cache(maxsize=1024)
def _keeps_layout(base: Operator) -> bool | None:
    """Whether results of an operator have the strides of its first operand, or are contiguous; None where it is not that operand alone
    which decides dtype and sizes, as it is of `scatter_add` and its like.
    """
    if base.shape is None:
        return None
    others = [
        TensorProperties() if argument.type == TENSOR else Unknown(argument.type)
        for argument in base.schema.arguments[1:]
    ]
    found: set[Any] = set()
    for probe in _PROBES:
        made = base.shape([probe, *others])
        if not isinstance(made, TensorProperties) or made.dtype != probe.dtype:
            return None
        found.add((made.sizes, made.strides))
    if len(found) != 1:
        return None
    (shape,) = found
    return {((5, 7), (1, 5)): True, ((5, 7), (7, 1)): False}.get(shape)


def _is_made_like(target: SSAValue, base: Operator) -> bool:
    """Whether the new tensor has the dtype, sizes and layout of the old one, whatever these are."""
    keeps = _keeps_layout(base)
    return keeps is not None and (_is_dense(target) if keeps else _is_contiguous(target))


def _is_dense(value: SSAValue) -> bool:
    """Whether a tensor is known to be new, and so without gaps between its elements."""
    maker = value.owner
    if not isinstance(maker, OperatorOp) or maker.OPERATOR is None:
        return False
    return not any(argument.alias for argument in maker.OPERATOR.schema.arguments)


def _is_contiguous(value: SSAValue) -> bool:
    """Whether a tensor is known to be contiguous."""
    type_, maker = value.type, value.owner
    if isinstance(type_, TensorType) and type_.sizes is not None and type_.strides is not None:
        known = [size for size in type_.sizes if size is not None]
        return len(known) == len(type_.sizes) and type_.strides == contiguous_strides(known)
    if not isinstance(maker, OperatorOp) or maker.OPERATOR is None:
        return False
    return _keeps_layout(maker.OPERATOR) is False or _fills(maker, maker.OPERATOR)


def _fills(op: OperatorOp, operator: Operator) -> bool:
    """Whether an op makes a contiguous tensor of the sizes that it is given, as `new_zeros` does."""
    names = [argument.name for argument in operator.schema.arguments]
    if operator.shape is None or "size" not in names:
        return False
    facts: list[Any] = [
        _PROBES[0] if isinstance(value.type, TensorType) else _fact(value) for value in op.operands
    ]
    facts[names.index("size")] = [5, 7]
    made = operator.shape(facts)
    return isinstance(made, TensorProperties) and made.strides == (7, 1)


def _may_broadcast(value: SSAValue) -> bool:
    """Whether an operand besides what is written to may be a tensor, which decides the sizes of a result."""
    return not isinstance(value.owner, prim.ConstantOp) and isinstance(value.type, TensorType)


def _may_fit(op: Operation, base: Operator) -> bool:
    """Whether the new tensor is like the old one if all operands have its sizes."""
    known = op.operands[0].type
    if base.shape is None or base.rules.pointwise is None or not isinstance(known, TensorType):
        return False
    others = [value for value in op.operands[1:] if _may_broadcast(value)]
    types = [value.type for value in others]
    if not all(isinstance(one, TensorType) and one.dtype == known.dtype for one in types):
        return False
    made = base.shape([_fact(value) for value in op.operands])
    return isinstance(made, TensorProperties) and made.dtype == known.dtype is not None


def _fact(value: SSAValue) -> Any:
    """What shape rules are told of a value."""
    type_ = edit.type_of(value)
    if isinstance(type_, TensorType):
        return type_.data
    if isinstance(value.owner, prim.ConstantOp) and value.owner.function_symbol is None:
        return value.owner.value
    return Unknown(type_)


class Memory:
    """What the values of a function may be or hold, and where its nodes stand. New tensors are taken for what was written to, as are
    those that use them.
    """

    def __init__(self, function: FuncOp, analyses: Analyses) -> None:
        self.aliases = analyses.aliases(function)
        self.places: dict[Operation, int] = {}
        self.holders: dict[int, list[SSAValue]] = {}
        """By location, the values that may be it or hold it."""
        self.origins: dict[SSAValue, SSAValue] = {}
        """What the new tensors stand for: the first tensor that was written to."""
        values: list[SSAValue] = [*function.body.block.args]
        for op in edit.nested_ops(function.body.block):
            self.places[op] = len(self.places)
            values += op.results
            for inner in blocks_of(op):
                values += inner.args
        for value in values:
            for location in numbers(self.aliases.all_locations((value,))):
                self.holders.setdefault(location, []).append(value)

    def may_be_new(self, op: Operation) -> bool:
        """Whether nobody can tell if an op that writes makes a new tensor instead, which is like the old one."""
        target = op.operands[0]
        maker, block = target.owner, op.parent
        if block is None or (maker.parent if isinstance(maker, Operation) else maker) is not block:
            return False
        if isinstance(maker, Block) and not isinstance(maker.parent_op(), prim.LoopOp):
            return False
        return self.is_alone(op)

    def is_alone(self, op: Operation) -> bool:
        """Whether nothing made before an op is the memory that it writes to, or holds it, and is used after it."""
        target = op.operands[0]
        origin = self.origins.get(target, target)
        for value in self.sharing(target) - {target, origin, op.results[0]}:
            if self.is_carried_as(origin, value):
                continue
            maker = value.owner
            if isinstance(maker, Block):
                if maker.is_ancestor(op):
                    return False
                maker = maker.parent_op()
            if maker is not None and self.is_before(op, maker):
                continue
            if not self.are_before(users(value), op):
                return False
        return True

    def sharing(self, target: SSAValue) -> set[SSAValue]:
        """The values that may be the memory of a tensor or hold it, itself among them."""
        where = self.aliases.all_locations((target,))
        return {value for one in numbers(where) for value in self.holders.get(one, ())}

    def are_before(self, users: Iterable[Operation], op: Operation) -> bool:
        """Whether nodes run before an op, each time that it does."""
        return all(self.is_before(user, op) for user in users)

    def is_before(self, user: Operation, op: Operation) -> bool:
        """Whether a node runs before an op, each time that this does: in the innermost block around both."""
        around: Operation | None = op
        while around is not None and around.parent is not None:
            found = around.parent.find_ancestor_op_in_block(user)
            if found is not None:
                return self.places[found] < self.places[around]
            around = around.parent_op()
        return False

    def is_carried_as(self, target: SSAValue, value: SSAValue) -> bool:
        """Whether a value is what a loop carries as the target: what it ends as, or what it begins with, where nothing else sees that
        when the loop runs and after it.
        """
        if not isinstance(target, BlockArgument) or target.index == 0:
            return False
        loop = target.block.parent_op()
        assert isinstance(loop, prim.LoopOp)
        if value is loop.results[target.index - 1]:
            return True
        if value is not loop.carried[target.index - 1] or loop.parent is None:
            return False
        found = users(value)
        others = [one for one in found if one is not loop]
        return found.count(loop) == 1 and self.are_before(others, loop)

    def fit(self, op: Operation) -> None:
        """Hold the operands of an op to the sizes of the first one: Note [Operands that fit]."""
        target = op.operands[0]
        apart = self.put_before(
            op, aten.DetachOp.create(operands=[target], result_types=[target.type])
        )
        for place, value in enumerate(op.operands):
            if place and _may_broadcast(value):
                blocking = edit.insert_constant(op, False, BOOL)
                copy = aten.CopyOp.create(
                    operands=[apart, value, blocking], result_types=[target.type]
                )
                op.operands[place] = self.put_before(op, copy)

    def put_before(self, op: Operation, made: OperatorOp) -> SSAValue:
        """The result of a new node, which stands where an op stands."""
        made.location = op.location
        edit.insert_before(op, made)
        self.places[made] = self.places[op]
        return made.results[0]

    def make_new(self, op: Operation, base: Operator) -> None:
        """Put the operator that makes a new tensor in the place of one that writes."""
        target, result = op.operands[0], op.results[0]
        made = operator_class(base.qualified_name).create(
            operands=op.operands, result_types=[result.type]
        )
        new = self.put_before(op, made)
        for location in numbers(self.aliases.all_locations((result,))):
            self.holders[location].remove(result)
        self.aliases.copy_value(target, new)
        for location in numbers(self.aliases.all_locations((new,))):
            self.holders.setdefault(location, []).append(new)
        self.origins[new] = self.origins.get(target, target)
        edit.replace_uses(result, new)
        block = op.parent
        assert block is not None
        for use in list(target.uses):
            user = block.find_ancestor_op_in_block(use.operation)
            if user is not None and self.places[user] > self.places[op]:
                use.operation.operands[use.index] = new
        edit.set_name(new, result.name_hint or target.name_hint)
        edit.erase(op)


def users(value: SSAValue) -> list[Operation]:
    """The nodes that use a value, as often as they do."""
    return [use.operation for use in value.uses]
