"""Goes back through the nodes of a block, last first: the nodes that compute gradients, behind those that they are the gradients of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Block, Operation, OpResult, Region, SSAValue

from torchscript_dialect.autodiff.derivatives import Derivative, Formula, result_name
from torchscript_dialect.autodiff.differentiability import (
    REAL,
    TENSORS,
    Requirements,
    formulas_of,
    is_copied,
    is_differentiable_result,
    is_list_of_tensors,
)
from torchscript_dialect.autodiff.extents import Extents
from torchscript_dialect.autodiff.loops import LoopBody, places_of_gradients
from torchscript_dialect.autodiff.reach import reach_of_trip, reach_of_trips
from torchscript_dialect.dialects import aten, prim, prim_operators
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.types.containers import ListType, OptionalType
from torchscript_dialect.types.core import BOOL, INT, NONE, TorchScriptType
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.errors import PassError

# pyright: reportPrivateUsage=false

SIZES = ListType(INT)
SIZES_OR_NONE = OptionalType(SIZES)
LEAST_TRIPS = "df_least_trips"
"""An attribute of a loop, while it is differentiated: how many trips it has to make, where one is not enough."""
Place = int
Found = dict[Place, SSAValue]
"""The gradients of operands, by their places."""


def gradient_type(value: SSAValue) -> TorchScriptType:
    """The type of the gradient of a value: its dtype and sizes, with any strides."""
    type_ = value.type
    if not isinstance(type_, TensorType):
        return TENSORS
    sizes = type_.sizes
    strides = None if sizes is None else (None,) * len(sizes)
    return type_.replace(requires_grad=False, strides=strides)


class Reverse:
    """Appends the nodes to a block that ends with no terminator. `given` gives the gradients of the values that have one from outside;
    `extra` makes, for a tensor that the nodes compute, the gradient that may come from outside besides, if any. `differentiate` gives
    the body of a loop, as a graph, its reverse graph.
    """

    def __init__(
        self,
        block: Block,
        requirements: Requirements,
        extents: Extents,
        extra: Callable[[SSAValue], SSAValue | None],
        differentiate: Callable[[prim.DifferentiableGraphOp, Extents], None],
    ) -> None:
        self.block = block
        self.requirements = requirements
        self.extents = extents
        self.extra = extra
        self.differentiate = differentiate
        self.gradients: dict[SSAValue, SSAValue] = {}
        self.into = block
        """Where nodes are put now."""

    def run(self) -> None:
        """Go back through all nodes that are in the block now."""
        nodes = edit.all_ops(self.block)
        for op in reversed(nodes):
            self.node(op)

    def node(self, op: Operation) -> None:
        """Go back through one node, if a gradient of one of its results is known."""
        for result in op.results if not is_copied(op) else ():
            if result in self.gradients and isinstance(result.type, TensorType):
                more = self.extra(result)
                if more is not None:
                    self.add(result, more)
        grads = [
            self.gradients.get(result) if is_differentiable_result(op, number) else None
            for number, result in enumerate(op.results)
        ]
        operands = places_of_gradients(op)
        wanted = [place for place, value in enumerate(operands) if self.requirements.may(value)]
        if not wanted or all(grad is None for grad in grads):
            return
        body = Block()
        self.into = body
        found = self.gradients_of(op, wanted, grads)
        values = [self.fitted(found[place], op, operands[place], place) for place in found]
        self.put(prim.YieldOp.create(operands=values))
        self.into = self.block
        known = [grad for grad in grads if grad is not None]
        node = prim.GradOfOp.create(
            operands=known,
            result_types=[gradient_type(operands[place]) for place in found],
            attributes={"name": StringAttr(op.KIND if isinstance(op, TorchScriptOp) else op.name)},
            regions=[Region(body)],
        )
        self.put(node)
        for place, result in zip(found, node.results, strict=True):
            value = operands[place]
            name = value.name_hint
            result.name_hint = f"grad_{name}" if name is not None else None
            self.add(value, result)

    def put(self, op: Operation) -> Sequence[SSAValue]:
        """Append a node."""
        self.into.add_op(op)
        self.extents.learn(op)
        return op.results

    def op(self, class_: Any, operands: Iterable[SSAValue], type_: TorchScriptType) -> SSAValue:
        """Append a node with one result."""
        return self.put(class_.create(operands=list(operands), result_types=[type_]))[0]

    def constant(self, value: Any, type_: TorchScriptType) -> SSAValue:
        """Append a constant."""
        return self.put(prim.ConstantOp.of(value, type_))[0]

    def add(self, value: SSAValue, gradient: SSAValue) -> None:
        """Add to the gradient of a value."""
        before = self.gradients.get(value)
        if before is not None:
            if is_list_of_tensors(value.type):
                raise PassError("a list of tensors that several nodes take is not differentiated")
            gradient = self.op(
                prim_operators.AutogradAddOp, [before, gradient], gradient_type(value)
            )
        self.gradients[value] = gradient
        self.extents.same(gradient, value)

    def gradients_of(
        self, op: Operation, wanted: list[Place], grads: Sequence[SSAValue | None]
    ) -> Found:
        """The nodes of one step back."""
        match op:
            case prim.ListConstructOp():
                types = [gradient_type(value) for value in op.operands]
                (whole,) = grads
                assert whole is not None
                unpack = prim.ListUnpackOp.create(operands=[whole], result_types=types)
                parts = self.put(unpack)
                return {place: parts[place] for place in wanted}
            case prim.ListUnpackOp():
                return {0: self.listed(op, grads)}
            case prim.ConstantChunkOp():
                dim = self.constant(op.dim, INT)
                return {0: self.op(aten.CatOp, [self.listed(op, grads), dim], TENSOR)}
            case aten.TOp() if (product := _product(grads[0])) is not None:
                a, b = product
                return {0: self.op(aten.MmOp, [self.transposed(b), self.transposed(a)], TENSOR)}
            case prim.LoopOp():
                return self.loop(op, wanted, grads)
            case _:
                assert isinstance(op, OperatorOp)
                return self.operator(op, wanted, grads)

    def loop(self, op: prim.LoopOp, wanted: list[Place], grads: Sequence[SSAValue | None]) -> Found:
        """The loop that goes back through the trips: Note [Gradients of loops]."""
        body = LoopBody.of(op, self.requirements.may)
        self.differentiate(body.graph, self.extents.inside(body.graph.operands, body.free))
        outside = places_of_gradients(op)
        places: Sequence[int] = body.graph.differentiated
        first = body.carried + 1
        gradients = {
            place - 1: self.defined(grads[place - 1], op.results[place - 1])
            for place in places
            if place < first
        }
        zeros = {place: self.zeros(outside[place + 1]) for place in places if place >= first}
        known = frozenset(number for number, grad in enumerate(grads) if grad is not None)
        trips = edit.constant_value(op.max_trip_count)
        reach, least = reach_of_trips(reach_of_trip(body.graph), body.carried, known, trips)
        if least > 1:
            op.attributes[LEAST_TRIPS] = to_attribute(least)
        nodes, found = body.reversed(body.keep(), gradients, zeros)
        for node in nodes:
            self.put(node)
        return {
            place + 1: self.reached(
                value, [grads[number] for number in sorted(reach[place])], known
            )
            for place, value in found.items()
            if place + 1 in wanted and reach[place]
        }

    def reached(
        self, gradient: SSAValue, of: Sequence[SSAValue | None], known: frozenset[int]
    ) -> SSAValue:
        """A gradient that is undefined where those are that it is made of, if these are fewer than the known ones of its node."""
        if len(of) == len(known):
            return gradient
        node = prim.GradOfOp.create(
            operands=[one for one in of if one is not None],
            result_types=[gradient.type],
            attributes={"name": StringAttr("Loop")},
            regions=[Region(Block([prim.YieldOp.create(operands=[gradient])]))],
        )
        (found,) = self.put(node)
        self.extents.same(found, gradient)
        return found

    def listed(self, op: Operation, grads: Sequence[SSAValue | None]) -> SSAValue:
        """The gradients of all results in a list."""
        values = [
            self.defined(grad, result) for grad, result in zip(grads, op.results, strict=True)
        ]
        return self.op(prim.ListConstructOp, values, TENSORS)

    def transposed(self, matrix: SSAValue) -> SSAValue:
        """A matrix transposed; what was transposed is the matrix itself."""
        if isinstance(matrix.owner, aten.TOp):
            return matrix.owner.operands[0]
        return self.op(aten.TOp, [matrix], gradient_type(matrix))

    def defined(self, grad: SSAValue | None, value: SSAValue) -> SSAValue:
        """The gradient of a value, zeros where it is undefined."""
        if grad is None:
            return self.zeros(value)
        outer, type_ = self.into, gradient_type(value)
        is_any = self.op(prim_operators.AutogradAnyNonZeroOp, [grad], BOOL)
        branches = [Block([prim.YieldOp.create(operands=[grad])]), Block()]
        self.into = branches[1]
        self.put(prim.YieldOp.create(operands=[self.zeros(value)]))
        self.into = outer
        choice = prim.IfOp.create(
            operands=[is_any], result_types=[type_], regions=[Region(one) for one in branches]
        )
        return self.put(choice)[0]

    def zeros(self, value: SSAValue) -> SSAValue:
        none = self.constant(None, NONE)
        return self.op(aten.ZerosLikeOp, [value, *[none] * 5], TENSOR)

    def operator(
        self, op: OperatorOp, wanted: list[Place], grads: Sequence[SSAValue | None]
    ) -> Found:
        """What the formulas of an operator say."""
        derivative = formulas_of(op)
        assert derivative is not None and op.OPERATOR is not None
        arguments = [argument.name for argument in op.OPERATOR.schema.arguments]
        names = {arguments[place]: place for place in wanted}
        known: dict[str, SSAValue] = dict(zip(arguments, op.operands, strict=True))
        found: Found = {}
        for formula in derivative.formulas:
            if not any(name in names for name in formula.inputs):
                continue
            values = self.values_of(formula, derivative, op, known, grads, names)
            results = self.inlined(formula, values)
            for name, result in zip(formula.inputs, results, strict=True):
                if name in names:
                    found[names[name]] = result
        return found

    def values_of(
        self,
        formula: Formula,
        derivative: Derivative,
        op: OperatorOp,
        known: dict[str, SSAValue],
        grads: Sequence[SSAValue | None],
        wanted: dict[str, Place],
    ) -> list[SSAValue]:
        """What the parameters of a formula stand for; `known` has those that were asked for already."""
        schema = derivative.operator.schema
        for number, (grad, result) in enumerate(zip(grads, op.results, strict=True)):
            name = result_name(schema, number)
            known.setdefault(name, result)
            known.setdefault(f"result{number}", result)
            takes = {f"grad_{name}", f"grad{number}", *(("grad", "grads") if not number else ())}
            asked = takes & formula.parameters.keys()
            if asked - known.keys():
                is_only = len(op.results) == 1
                value = grad if is_only and grad is not None else self.defined(grad, result)
                known.update(dict.fromkeys(takes, value))
        known.setdefault("result", op.results[0])
        if "needs" in formula.parameters:
            needs = [name in wanted for name in formula.inputs]
            known["needs"] = self.constant(needs, ListType(BOOL))
        return [known[name] for name in formula.parameters]

    def inlined(self, formula: Formula, values: Sequence[SSAValue]) -> Sequence[SSAValue]:
        """Append the nodes of a formula; the gradients that it gives."""
        body = formula.real_function.body.block
        copies: dict[SSAValue, SSAValue] = dict(zip(body.args, values, strict=True))
        for op in edit.body_ops(body):
            if isinstance(op, aten.MulScalarOp) and _is_one(copies[op.operands[1]]):
                copies[op.results[0]] = copies[op.operands[0]]
            else:
                self.put(edit.clone(op, copies))
        (result,) = (copies[value] for value in edit.terminator(body).operands)
        if len(formula.inputs) == 1:
            return [result]
        if isinstance(result.owner, prim.TupleConstructOp):
            return list(result.owner.operands)
        types = result.type.contained if isinstance(result.type, TorchScriptType) else ()
        return self.put(prim.TupleUnpackOp.create(operands=[result], result_types=types))

    def fitted(self, gradient: SSAValue, op: Operation, value: SSAValue, place: Place) -> SSAValue:
        """The gradient of an operand as it has to be: summed where the operand was broadcast, and of its dtype."""
        type_ = value.type
        if not isinstance(type_, TensorType) or not isinstance(op, OperatorOp):
            return gradient
        if not _fits(op, place) and not self.extents.are_equal(gradient, value):
            sizes = [self.op(aten.SizeOp, [one], SIZES) for one in (value, gradient)]
            size = self.op(aten._SizeIfNotEqualOp, sizes, SIZES_OR_NONE)
            gradient = self.op(aten._GradSumToSizeOp, [gradient, size], TENSOR)
        types = [
            one.type for one in (*op.operands, *op.results) if isinstance(one.type, TensorType)
        ]
        if any(one.dtype in REAL and one.dtype != type_.dtype for one in types):
            code = self.dtype_of(value, type_)
            no, none = self.constant(False, BOOL), self.constant(None, NONE)
            gradient = self.op(aten.ToDtypeOp, [gradient, code, no, no, none], TENSOR)
        return gradient

    def dtype_of(self, value: SSAValue, type_: TensorType) -> SSAValue:
        """The dtype of a tensor of a type, asked for at run time where the type does not tell it."""
        if type_.dtype is None:
            return self.op(prim_operators.DtypeOp, [value], INT)
        return self.constant(from_name(type_.dtype).scalar_type, INT)


NEVER_BROADCAST = (
    aten.MmOp,
    aten.TOp,
    aten.LayerNormOp,
    aten.GroupNormOp,
    aten._BatchNormImplIndexOp,
    aten.Conv1dOp,
    aten.Conv2dOp,
    aten.Conv3dOp,
    aten.EmbeddingOp,
)
"""Operators whose operands have the gradients that formulas give, as they are."""


def _fits(op: Operation, place: Place) -> bool:
    """Whether the formula of an operand gives a gradient of its size."""
    if isinstance(op, aten.LinearOp):
        weight = op.operands[1].type
        return place < 2 and isinstance(weight, TensorType) and weight.dim == 2
    return isinstance(op, NEVER_BROADCAST)


def _product(grad: SSAValue | None) -> Sequence[SSAValue] | None:
    """The matrices of which a gradient is the product: that of a transposed matrix is the product turned round, and contiguous. None
    where the matrices are not known but in the block that computes the gradient.
    """
    if not isinstance(grad, OpResult) or not isinstance(grad.owner, prim.GradOfOp):
        return None
    product = prim.yielded(grad.owner.regions[0])[grad.index].owner
    if not isinstance(product, aten.MmOp):
        return None
    inner = [one.owner for one in product.operands if one.owner in edit.all_ops(grad.owner.body)]
    return list(product.operands) if all(isinstance(one, aten.TOp) for one in inner) else None


def _is_one(value: SSAValue) -> bool:
    """Whether a number is the int 1, with which a product is the gradient itself."""
    return edit.constant_value(value) == 1 and value.type == INT
