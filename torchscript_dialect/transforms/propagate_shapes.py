"""Propagates what is known of tensors from a function's arguments to its values (PyTorch:
passes/shape_analysis.cpp).

Types of values are set in place, from the shape rules of operators (Note [Shape rules] in
ops/shapes.py). After it every type is at least as refined as before, and what a value's type says
holds whenever the types of the arguments do. Results of `prim::If` join what the blocks give;
values that a loop carries keep what all of its trips agree on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from torchscript_dialect.analysis.alias_analysis import AliasDb
from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import may_write
from torchscript_dialect.analysis.gradient_writes import WITHOUT, written_by_others
from torchscript_dialect.analysis.location_sets import Locations
from torchscript_dialect.dialects import aten, prim, prim_operators
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.ir import edit
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import Unknown, said_of
from torchscript_dialect.tensor.strides import contiguous_strides, element_strides
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.transforms._pass import RECORDED, FunctionPass, dump
from torchscript_dialect.types.containers import ListType, OptionalType, TupleType, UnionType
from torchscript_dialect.types.core import AnyType, TorchScriptType
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.types.subtyping import is_subtype, unify_all, unify_types
from torchscript_dialect.types.tensor_type import TENSOR, Dims, TensorProperties, TensorType
from torchscript_dialect.utils.background import breathe
from torchscript_dialect.utils.jit_log import Log
from torchscript_dialect.utils.properties import cached_property

# pyright: reportPrivateUsage=false

LOG = Log(__name__)

_WIDE = (AnyType, OptionalType, UnionType)


@dataclass(frozen=True)
class PropagateShapes(FunctionPass):
    name = "ts-propagate-shapes"
    preserves = (AliasDb,)
    settles = True

    numbers: bool = False
    """Take what the sizes of tensors are for known wherever the program asks for them and makes tensors of such sizes."""

    ranks: bool = False
    """Take the dtype and the number of dimensions of a view or part for known where its sizes are not."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        before = _types(function)
        _Propagation(function, analyses, self.numbers, self.ranks).run()
        dump(LOG, "After PropagateShapes: ", function)
        return _types(function) != before


def _types(function: FuncOp) -> list[Attribute]:
    """The types of all values that a function makes."""
    found: list[Attribute] = []
    for op in edit.nested_ops(function.body.block):
        for result in op.results:
            found.append(result.type)
        for region in op.regions:
            for argument in region.block.args:
                found.append(argument.type)
    return found


def _with_rank(fact: Any, sizes: Any) -> Any:
    """What is known of a tensor whose sizes stand in a list of which some elements are not known."""
    if (
        not isinstance(fact, TensorProperties)
        or fact.sizes is not None
        or not isinstance(sizes, list)
    ):
        return fact
    listed = cast(list[Any], sizes)
    known = tuple(one if isinstance(one, int) and one >= 0 else None for one in listed)
    return replace(fact, sizes=known, strides=(None,) * len(known))


_SIZES_AT = {"aten::view": 1, "aten::reshape": 1, "aten::expand": 1}
"""Which operand is the list of the result's sizes."""
_MORE_DIMENSIONS = {
    "aten::slice": 0,
    "aten::narrow": 0,
    "aten::permute": 0,
    "aten::transpose": 0,
    "aten::flip": 0,
    "aten::roll": 0,
    "aten::pad": 0,
    "aten::constant_pad_nd": 0,
    "aten::select": -1,
    "aten::unsqueeze": 1,
}
"""How many dimensions more than its first operand the result of an operator has, whatever numbers it is given."""
PARTS = {
    "aten::split": 0,
    "aten::split_with_sizes": 0,
    "aten::unsafe_split": 0,
    "aten::unsafe_split_with_sizes": 0,
    "aten::chunk": 0,
    "aten::unsafe_chunk": 0,
    "aten::tensor_split": 0,
    "aten::unbind": -1,
}
"""The same of operators that give a list of parts of their first operand, of its dtype."""


def _with_rank_of(fact: Any, of: Any, more: int) -> Any:
    """What is known of a tensor that has so many dimensions more than another."""
    if not isinstance(fact, TensorProperties) or not isinstance(of, TensorProperties):
        return fact
    if fact.sizes is not None or of.sizes is None or len(of.sizes) + more < 0:
        return fact
    unknown = (None,) * (len(of.sizes) + more)
    return replace(fact, sizes=unknown, strides=unknown)


def _known_strides(sizes: Dims) -> Dims:
    """The strides of a contiguous tensor, as far as sizes tell them."""
    whole = tuple(size for size in sizes if size is not None)
    return contiguous_strides(whole) if len(whole) == len(sizes) else (None,) * len(sizes)


def _of_some_size(fact: TensorProperties, dim: int) -> TensorProperties:
    """What is known of a part of a tensor, cut along one of its dimensions."""
    sizes = list(fact.sizes or ())
    if not -len(sizes) <= dim < len(sizes):
        return replace(fact, sizes=None, strides=None)
    sizes[dim] = None
    return replace(fact, sizes=tuple(sizes), strides=(None,) * len(sizes))


def _properties(tensor: Tensor) -> TensorProperties:
    """What is known of a constant."""
    strides = element_strides(tensor.array)
    return TensorProperties(
        tensor.dtype.type_name, tensor.array.shape, strides, str(tensor.device), False
    )


class _Propagation:
    """`facts` holds what is known of lists that nothing writes to, and of numbers, beyond their types."""

    def __init__(
        self, function: FuncOp, analyses: Analyses, follows_numbers: bool, follows_ranks: bool
    ) -> None:
        self.function = function
        self.follows_ranks = follows_numbers or follows_ranks
        self.follows_numbers = follows_numbers
        self.analyses = analyses
        self.has_writers = may_write(function.body.block)
        """Where nothing is written, what aliases what does not matter."""
        self.facts: dict[SSAValue, Any] = {}
        self.reshaped: Locations = 0
        """The memory of tensors whose sizes or strides change while the function runs."""
        self.written: Locations = 0
        """The memory that may begin to require gradients: Note [Writes of gradients] in analysis/gradient_writes.py."""
        self.given: dict[SSAValue, TensorType] = {}
        """Types that were known before: what runs observed, or an earlier pass found."""

    @cached_property
    def aliases(self) -> AliasDb:
        return self.analyses.aliases(self.function)

    def run(self) -> None:
        if RECORDED in self.function.attributes and self.has_writers:
            self.written = written_by_others(self.function.body.block, self.aliases)
        for op in edit.nested_ops(self.function.body.block):
            if isinstance(op, OperatorOp) and op.OPERATOR is not None and op.OPERATOR.reshapes:
                self.reshaped |= self.aliases.writes(op)
            for result in op.results:
                if isinstance(result.type, TensorType) and result.type.is_refined:
                    self.doubt(result)
                    self.given[result] = result.type
        block = self.function.body.block
        for argument in block.args:
            if isinstance(argument.type, TensorType):
                self.learn(argument, argument.type.data)
                self.doubt(argument)
        self.block(block)

    def doubt(self, value: SSAValue) -> None:
        """Forget that a tensor requires no gradient where others are written to its memory."""
        type_ = value.type
        if (
            self.written
            and isinstance(type_, TensorType)
            and type_.requires_grad is False
            and self.aliases.locations(value) & self.written
        ):
            edit.set_type(value, type_.replace(requires_grad=None))

    def fact(self, value: SSAValue) -> Any:
        if value in self.facts:
            return self.facts[value]
        owner = value.owner
        if isinstance(owner, prim.ConstantOp) and owner.function_symbol is None:
            return _properties(owner.value) if isinstance(owner.value, Tensor) else owner.value
        type_ = type_of(value)
        return type_.data if isinstance(type_, TensorType) else Unknown(type_)

    def block(self, block: Block) -> None:
        for op in block.ops:
            breathe()
            self.node(op)

    def node(self, op: Operation) -> None:
        match op:
            case OperatorOp():  # most nodes are
                self.operator(op)
            case prim.IfOp():
                self.if_node(op)
            case prim.LoopOp():
                self.loop_node(op)
            case prim.ListConstructOp():
                self.learn(op.results[0], [self.fact(value) for value in op.operands])
            case prim.ListUnpackOp() | prim.TupleUnpackOp():
                self.unpack(op)
            case prim.TupleConstructOp():
                elements = tuple(type_of(value) for value in op.operands)
                edit.set_type(op.results[0], type_of(op.results[0]).with_contained(elements))
            case prim.ConstantChunkOp():
                self.constant_chunk(op)
            case prim.GradOfOp():
                self.block(op.body)
            case prim.DifferentiableGraphOp():
                self.differentiable_graph(op)
            case _:
                pass

    def operator(self, op: OperatorOp) -> None:
        if op.KIND == "aten::__getitem__" and op.operands[0] in self.facts:
            self.element(op, self.facts[op.operands[0]])
            return
        if op.KIND == "aten::_grad_sum_to_size":
            self.summed(op)
            return
        self.narrow(op)
        operator = op.OPERATOR
        rule = None if operator is None else operator.shape
        if operator is None or rule is None:
            return
        facts = [self.fact(value) for value in op.operands]
        outcome = said_of(operator, rule, facts, follows_ranks=self.follows_ranks)
        if self.follows_ranks and op.KIND in _SIZES_AT:
            outcome = _with_rank(outcome, facts[_SIZES_AT[op.KIND]])
        elif self.follows_ranks and op.KIND in _MORE_DIMENSIONS:
            outcome = _with_rank_of(outcome, facts[0], _MORE_DIMENSIONS[op.KIND])
        outcomes = outcome if len(op.results) > 1 else (outcome,)
        for result, fact in zip(op.results, outcomes, strict=False):
            self.learn(result, self.with_gradient(fact, op))

    def with_gradient(self, fact: Any, op: Operation) -> Any:
        """What a rule says of a result, and that no gradient is asked of it where none is asked of the operands."""
        if isinstance(fact, list):
            return [self.with_gradient(item, op) for item in cast(list[Any], fact)]
        if not isinstance(fact, TensorProperties):
            return fact
        if not any(map(self.may_require_gradient, op.operands)):
            return replace(fact, requires_grad=False)
        is_of_operand = fact.requires_grad is False and fact.dtype not in WITHOUT
        return replace(fact, requires_grad=None) if is_of_operand else fact

    def may_require_gradient(self, value: SSAValue) -> bool:
        """Whether a gradient may be asked of an operand, or of what it holds."""
        type_ = type_of(value)
        if isinstance(type_, TensorType):
            return type_.requires_grad is not False
        if isinstance(value.owner, prim.ListConstructOp) and not self.is_written(value):
            return any(map(self.may_require_gradient, value.owner.operands))
        return may_hold_tensors(type_) and not isinstance(value.owner, prim.ConstantOp)

    def is_written(self, value: SSAValue) -> bool:
        """Whether any node may write to a value."""
        return self.has_writers and self.aliases.has_writers(value)

    def narrow(self, op: OperatorOp) -> None:
        """A result has the type that the schema gives, where the program asked for a wider one: `List[Optional[Tensor]]`."""
        schema = op.schema
        if schema is None or not any(isinstance(type_of(value), _WIDE) for value in op.results):
            return
        if [type_of(value) for value in op.results] == [one.type for one in schema.returns]:
            return
        given = schema.result_types([type_of(value) for value in op.operands])
        for result, type_ in zip(op.results, given or (), strict=False):
            if type_ != type_of(result) and is_subtype(type_, type_of(result)):
                edit.set_type(result, type_)

    def summed(self, op: OperatorOp) -> None:
        """A gradient summed to the sizes of another tensor, or itself where these are its own."""
        gradient, size = op.operands
        if isinstance(size.owner, aten._SizeIfNotEqualOp):
            size = size.owner.operands[0]
        owner = size.owner
        fact, like, known = self.fact(gradient), None, edit.constant_value(size)
        if isinstance(owner, aten.SizeOp):
            like = self.fact(owner.operands[0])
        elif known is not None:
            like = TensorProperties(sizes=tuple(known))
        if not isinstance(fact, TensorProperties):
            return
        sizes = like.sizes if isinstance(like, TensorProperties) else None
        if fact.sizes is None or sizes != fact.sizes or None in fact.sizes:
            strides = None if sizes is None else _known_strides(sizes)
            fact = replace(fact, sizes=sizes, strides=strides)
        self.learn(op.results[0], self.with_gradient(fact, op))

    def element(self, op: OperatorOp, facts: list[Any]) -> None:
        """An element of a list has the type that all elements share."""
        types = [TensorType(fact) for fact in facts if isinstance(fact, TensorProperties)]
        shared = unify_all(types)
        if shared is not None and len(types) == len(facts):
            edit.set_type(op.results[0], shared)

    def learn(self, value: SSAValue, fact: Any) -> None:
        """Set what a rule says of a value. What it said before, when less of a loop was known, is forgotten; but where sizes are those
        of a run, which kernels check (`numbers`), the first trip's stay as long as the number of dimensions does.
        """
        type_ = type_of(value)
        if isinstance(type_, TensorType) and isinstance(fact, TensorProperties):
            if self.reshaped and self.aliases.locations(value) & self.reshaped:
                fact = replace(fact, sizes=None, strides=None)
            given = self.given.get(value)
            if given is not None and type_ is given and fact == given.data:
                self.doubt(value)
                return
            said = TensorType(fact)
            keeps = self.follows_numbers and given is not None and said.sizes is not None
            if not (keeps and is_subtype(type_, said)):
                edit.set_type(
                    value, said if given is None or not is_subtype(given, said) else given
                )
            self.doubt(value)
        elif isinstance(type_, TensorType):
            if type_.is_refined:
                edit.set_type(value, self.given.get(value, TENSOR))
        elif self.may_keep(type_, value, fact):
            self.facts[value] = fact
        else:
            self.facts.pop(value, None)

    def may_keep(self, type_: TorchScriptType, value: SSAValue, fact: Any) -> bool:
        """Whether a fact about a list or a number holds as long as the value is used."""
        if isinstance(type_, ListType) and isinstance(fact, list):
            return not self.is_written(value)
        names_dtype = self.follows_ranks and isinstance(value.owner, prim_operators.DtypeOp)
        return (self.follows_numbers or names_dtype) and isinstance(fact, int)

    def unpack(self, op: prim.ListUnpackOp | prim.TupleUnpackOp) -> None:
        source = op.operands[0]
        known = self.facts.get(source)
        if isinstance(known, list):
            facts = cast(list[Any], known)
            for result, fact in zip(op.results, facts, strict=False):
                self.learn(result, fact)
            return
        owner = source.owner
        if self.follows_ranks and isinstance(owner, OperatorOp) and owner.KIND in PARTS:
            whole = self.fact(owner.operands[0])
            if not isinstance(whole, TensorProperties):
                return
            part = replace(whole, sizes=None, strides=None)
            part = _with_rank_of(part, whole, PARTS[owner.KIND])
            for result in op.results:
                self.learn(result, self.with_gradient(part, owner))
            return
        type_ = type_of(source)
        if isinstance(type_, TupleType):
            for result, element in zip(op.results, type_.elements, strict=True):
                edit.set_type(result, element)

    def constant_chunk(self, op: prim.ConstantChunkOp) -> None:
        chunk = registry.find("aten::chunk")
        assert chunk is not None
        if chunk.shape is None:
            return
        count, dim = (from_attribute(op.attributes[name]) for name in ("chunks", "dim"))
        whole = self.fact(op.operands[0])
        parts = self.with_gradient(chunk.shape([whole, count, dim]), op)
        if not isinstance(parts, list):
            if not isinstance(whole, TensorProperties):
                return
            parts = [self.with_gradient(_of_some_size(whole, dim), op)] * count
        facts = cast(list[Any], parts)
        for result, fact in zip(op.results, facts, strict=False):
            self.learn(result, fact)

    def differentiable_graph(self, op: prim.DifferentiableGraphOp) -> None:
        """Tensors in the sub-graph require no gradients: their history is the node's."""
        for argument, value in zip(op.body.args, op.operands, strict=True):
            type_ = type_of(value)
            if isinstance(type_, TensorType):
                self.given[argument] = type_.replace(requires_grad=False)
                edit.set_type(argument, self.given[argument])
        self.block(op.body)
        for result, value in zip(op.results, edit.terminator(op.body).operands):
            type_, before = type_of(value), type_of(result)
            if isinstance(type_, TensorType) and isinstance(before, TensorType):
                data = replace(type_.data, requires_grad=before.data.requires_grad)
                edit.set_type(result, TensorType(data))

    def if_node(self, op: prim.IfOp) -> None:
        for region in op.regions:
            self.block(region.block)
        yielded = [prim.yielded(region) for region in op.regions]
        for result, *values in zip(op.results, *yielded, strict=True):
            # Where a branch leaves a variable uninitialized, it raises or leaves, and nobody reads the variable.
            given = [value for value in values if not isinstance(value.owner, prim.UninitializedOp)]
            self.join(result, *[type_of(value) for value in given or values])

    def join(self, value: SSAValue, *types: TorchScriptType) -> None:
        """A value is of one of these types, two at most."""
        if isinstance(type_of(value), (TensorType, TupleType)):
            joined = types[0] if len(types) == 1 else unify_types(*types)
            if joined is not None and type(joined) is type(type_of(value)):
                edit.set_type(value, joined)

    def loop_node(self, op: prim.LoopOp) -> None:
        """Begin with what is known before the loop, and forget what a trip changes until nothing
        does.
        """
        body = op.body.block
        arguments = body.args[1:]
        for argument, value in zip(arguments, op.carried, strict=True):
            if isinstance(type_of(argument), (TensorType, TupleType)):
                edit.set_type(argument, type_of(value))
        changed = True
        while changed:
            self.block(body)
            changed = False
            for argument, value in zip(arguments, prim.yielded(op.body)[1:], strict=True):
                before = type_of(argument)
                self.join(argument, before, type_of(value))
                changed |= type_of(argument) != before
        for result, argument in zip(op.results, arguments, strict=True):
            if isinstance(type_of(result), (TensorType, TupleType)):
                edit.set_type(result, type_of(argument))
