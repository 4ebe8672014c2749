"""Which nodes of a graph the differentiator takes, and which values require gradients."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.effects import (
    aliasing_of,
    has_side_effects,
    is_nondeterministic,
)
from torchscript_dialect.analysis.location_sets import Locations
from torchscript_dialect.autodiff.derivatives import Derivative, derivative, is_tensor
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.ops.aliasing import Origin
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

REAL = frozenset(("Float", "Double", "Half", "BFloat16"))
"""The dtypes of tensors that the differentiator takes gradients of."""
TENSORS = ListType(TENSOR)


def formulas_of(op: Operation) -> Derivative | None:
    """The formulas of an operator; None where the table has none, or what the operator is made of instead."""
    if not isinstance(op, OperatorOp) or op.OPERATOR is None:
        return None
    found = derivative(op.OPERATOR)
    return None if found is None or found.parts is not None else found


def is_list_of_tensors(type_: Attribute) -> bool:
    """Whether values of a type are lists of tensors."""
    return isinstance(type_, ListType) and isinstance(type_.element, TensorType)


def requires_gradient(value: SSAValue) -> bool | None:
    """What the type of a value says; None where that is not known."""
    type_ = value.type
    if isinstance(value.owner, prim.ConstantOp) or not may_require_gradient(type_):
        return False
    return type_.data.requires_grad if isinstance(type_, TensorType) else None


def may_require_gradient(type_: Attribute) -> bool:
    """Whether values of a type may: tensors that do not have integers, and what may hold them."""
    if isinstance(type_, TensorType):
        return type_.dtype is None or type_.dtype in REAL or _is_complex(type_)
    return isinstance(type_, TorchScriptType) and _may_hold_tensors(type_)


def _is_complex(type_: TensorType) -> bool:
    return type_.dtype is not None and type_.dtype.startswith("Complex")


def _may_hold_tensors(type_: TorchScriptType) -> bool:
    return is_tensor(type_) or any(map(_may_hold_tensors, type_.contained))


class Requirements:
    """Whether values require gradients: what types say of arguments, followed through nodes. What types say of the results of operators
    may be that of another run, and is not asked. What may require a gradient is treated as what does: nothing goes on from there at run
    time where it does not.
    """

    def __init__(self, aliases: AliasDb | None = None, written: Locations = 0) -> None:
        self.known: dict[SSAValue, bool | None] = {}
        self.aliases = aliases
        self.written = written
        """Memory that may begin to require gradients: Note [Writes of gradients] in analysis/gradient_writes.py."""

    def of(self, value: SSAValue) -> bool | None:
        """Whether a value requires a gradient; None where that is not known."""
        found = self.known[value] if value in self.known else requires_gradient(value)
        return None if found is False and self.may_begin(value) else found

    def may_begin(self, value: SSAValue) -> bool:
        """Whether a value that requires no gradient when it is made may do so later."""
        if not self.written or self.aliases is None or not may_require_gradient(value.type):
            return False
        return bool(self.aliases.locations(value) & self.written)

    def may(self, value: SSAValue) -> bool:
        """Whether a value may require a gradient."""
        return self.of(value) is not False

    def any_of(self, values: Iterable[SSAValue]) -> bool | None:
        """Whether one of several values does."""
        found = set(map(self.of, values))
        return True if True in found else None if None in found else False

    def block(self, block: Block) -> None:
        """Follow all nodes of a block."""
        for op in block.ops:
            self.learn(op)

    def learn(self, op: Operation) -> None:
        """Follow a node, and those of its blocks."""
        if isinstance(op, prim.IfOp):
            for region in op.regions:
                self.block(region.block)
            yielded = [prim.yielded(region) for region in op.regions]
            for result, *values in zip(op.results, *yielded, strict=True):
                self._join(result, values)
        elif isinstance(op, prim.LoopOp):
            self._loop(op)
        elif isinstance(op, prim.TensorExprGroupOp):
            for argument, value in zip(op.body.args, op.operands, strict=True):
                self.known[argument] = self.of(value)
            self.block(op.body)
            for result, value in zip(op.results, prim.yielded(op.regions[0]), strict=True):
                self.known[result] = self.of(value)
        elif isinstance(op, OperatorOp | _LISTS):
            needs = self.any_of(differentiable_operands(op))
            for number, result in enumerate(op.results):
                goes_on = may_require_gradient(result.type) and is_differentiable_result(op, number)
                self.known[result] = needs if goes_on else False

    def _join(self, value: SSAValue, others: Sequence[SSAValue]) -> bool:
        """Learn that a value is one of others; whether that is new."""
        found = set(map(self.of, others))
        joined = found.pop() if len(found) == 1 else None
        changed = value not in self.known or self.known[value] is not joined
        self.known[value] = joined
        return changed

    def _loop(self, op: prim.LoopOp) -> None:
        arguments = op.body.block.args[1:]
        for argument, value in zip(arguments, op.carried, strict=True):
            self.known[argument] = self.of(value)
        changed = True
        while changed:
            self.block(op.body.block)
            carried = zip(arguments, op.carried, prim.yielded(op.body)[1:], strict=True)
            joined = [self._join(argument, values) for argument, *values in carried]
            changed = any(joined)
        for result, argument in zip(op.results, arguments, strict=True):
            self.known[result] = self.of(argument)

    def takes(self, op: Operation) -> bool:
        """Whether the differentiator can go back through a node: it has a formula for all that may require a gradient."""
        given = [v for place, v in enumerate(op.results) if is_differentiable_result(op, place)]
        if not all(map(_is_real, (*op.operands, *given))):
            return False
        wanted = [place for place, value in enumerate(op.operands) if self.may(value)]
        if not wanted or isinstance(op, prim.ConstantChunkOp | prim.ListUnpackOp):
            return True
        if not any(may_require_gradient(value.type) for value in given):
            return True
        if isinstance(op, prim.ListConstructOp):
            return is_list_of_tensors(op.results[0].type)
        found = formulas_of(op)
        if found is None or not isinstance(op, OperatorOp) or op.OPERATOR is None:
            return False
        if _may_have_sparse_gradient(op, op.OPERATOR):
            return False
        names = [op.OPERATOR.schema.arguments[place].name for place in wanted]
        return all(name in found.inputs or name in found.ignored for name in names)


def _may_have_sparse_gradient(op: OperatorOp, operator: Operator) -> bool:
    """Whether the table of an embedding may be given a sparse gradient, for which there are no kernels."""
    place = operator.schema.argument_index("sparse")
    if place is None:
        return False
    owner = op.operands[place].owner
    return not (isinstance(owner, prim.ConstantOp) and owner.value is False)


_LISTS = prim.ConstantChunkOp | prim.ListConstructOp | prim.ListUnpackOp


def _is_real(value: SSAValue) -> bool:
    """Whether all is known of a tensor that the differentiator asks: its dtype is no complex one."""
    type_ = value.type
    if isinstance(value.owner, prim.ConstantOp) or not isinstance(type_, TensorType):
        return True
    return type_.dtype is not None and not _is_complex(type_)


def differentiable_operands(op: Operation) -> Sequence[SSAValue]:
    """The operands that gradients go through: all but those that an operator only asks for their dtype."""
    found = formulas_of(op)
    if found is None or not found.ignored or not isinstance(op, OperatorOp) or op.OPERATOR is None:
        return op.operands
    arguments = op.OPERATOR.schema.arguments
    return [
        value
        for value, argument in zip(op.operands, arguments, strict=True)
        if argument.name not in found.ignored
    ]


def is_differentiable_result(op: Operation, number: int) -> bool:
    """Whether gradients go through a result."""
    found = formulas_of(op)
    return found is None or found.gives_gradient(number)


def sources(node: prim.DifferentiableGraphOp, results: Sequence[int]) -> dict[int, list[int]]:
    """For those of some results of a sub-graph, by place, that no operand goes to which is known to require a gradient: the numbers,
    among the operands that are differentiated, of those that go there.
    """
    operands: list[int] = list(node.differentiated)
    known = [place for place in operands if requires_gradient(node.operands[place])]
    if len(known) == len(operands):
        return {}
    always = _reached(node.body, results, known)
    found: dict[int, list[int]] = {place: [] for place in results if place not in always}
    for number, place in enumerate(operands if found else ()):
        for result in _reached(node.body, found, [place]):
            found[result].append(number)
    return found


def _reached(block: Block, results: Iterable[int], operands: Iterable[int]) -> list[int]:
    """Those of some results of a block, by place, that may require a gradient if these of its arguments do, and no others."""
    requirements = requiring(block, [block.args[place] for place in operands])
    yielded = edit.terminator(block).operands
    return [
        place
        for place in results
        if yielded[place] not in requirements.known or requirements.may(yielded[place])
    ]


def requiring(block: Block, wanted: Iterable[SSAValue]) -> Requirements:
    """What in a block requires gradients if these of its arguments do, and no others."""
    requirements = Requirements()
    given = set(wanted)
    for argument in block.args:
        requirements.known[argument] = argument in given
    requirements.block(block)
    return requirements


def is_check(op: Operation) -> bool:
    """Whether a node does nothing but raise an error if something is so, whose message is of no tensors."""
    if not isinstance(op, prim.IfOp) or op.results:
        return False
    inner = [one for one in op.walk() if one is not op and not isinstance(one, prim.YieldOp)]
    raises = [one for one in inner if isinstance(one, prim.RaiseExceptionOp)]
    others = [one for one in inner if one not in raises]
    if len(raises) != 1 or any(map(has_side_effects, others)):
        return False
    values = (value for one in inner for value in (*one.operands, *one.results))
    return not any(may_hold_tensors(prim.type_of(value)) for value in values)


def is_copied(op: Operation) -> bool:
    """Whether a node gives views, lists or numbers, which are made both inside and outside where both use them."""
    if isinstance(op, prim.ListConstructOp | prim.ListUnpackOp | prim.ConstantChunkOp):
        return True
    if not any(isinstance(result.type, TensorType) for result in op.results):
        return True
    return isinstance(op, OperatorOp) and _gives_view(op) and not is_nondeterministic(op)


def is_copied_tensor(op: Operation) -> bool:
    """Whether these are tensors."""
    return is_copied(op) and any(isinstance(one.type, TensorType) for one in op.results)


def is_all_of_function(nodes: Sequence[Operation]) -> bool:
    """Whether a function has nodes, and no others than these: constants and what packs results do nothing."""
    block = nodes[0].parent_block() if nodes else None
    if block is None or not isinstance(block.parent_op(), FuncOp):
        return False
    known = {*nodes}
    return all(
        op in known or isinstance(op, prim.ConstantOp | prim.TupleConstructOp)
        for op in edit.body_ops(block)
    )


def _gives_view(op: OperatorOp) -> bool:
    aliasing = aliasing_of(type(op))
    return aliasing is not None and (bool(aliasing.views) or aliasing.results is not Origin.FRESH)
