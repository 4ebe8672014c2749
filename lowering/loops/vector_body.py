"""The body of a loop in the lanes of vectors: a copy in which what varies is a vector, and the rest as it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from xdsl.dialects import arith, memref, scf, vector
from xdsl.dialects.builtin import BoolAttr, VectorType, i1
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from lowering.dialects.arith_ext import VECTOR_FORMS, SelectOp
from lowering.loops.index_builder import INDEX, index_op
from lowering.loops.vector_analysis import Loop, LoopAnalysis
from lowering.loops.vector_reductions import without_order
from lowering.shaped import (
    constant_number,
    dense_of,
    element_type,
    i64_array,
    is_integer,
    reads_as_element,
    vector_of,
)

TRUE = BoolAttr.from_bool(True)


@dataclass
class Lanes:
    """One copy of the loop body in the making."""

    mapping: dict[SSAValue, SSAValue]
    mask: SSAValue | None
    broadcasts: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    whole: SSAValue | None = None
    """Whether the mask has every lane, where that is known."""
    both: SSAValue | None = None
    """The mask of pairs, which are twice as many lanes, where any are loaded or stored."""


class VectorBody(LoopAnalysis):
    """Emits copies of the body of a loop that was analyzed."""

    def __init__(self, loop: Loop, width: int, tail: str) -> None:
        super().__init__(loop, width, tail)
        self.outside: dict[SSAValue, SSAValue] = {}
        self.constants: dict[tuple[Attribute, int], SSAValue] = {}
        self.loaded: dict[tuple[SSAValue, SSAValue, Block], SSAValue] = {}
        """What a block has loaded of pairs."""
        self.stored: dict[tuple[SSAValue, SSAValue, Block], SSAValue] = {}
        """The one part that is to be stored with the other."""
        self.streams: SSAValue | None = None
        """Whether whole vectors are stored past the caches."""

    def _before(self, op: Operation) -> SSAValue:
        self._insert(op)
        return op.results[0]

    def _insert(self, op: Operation) -> None:
        block = self.loop.parent
        assert block is not None
        block.insert_op_before(op, self.loop)

    def _vector(self, type_: Attribute) -> VectorType[Attribute]:
        return vector_of(type_, self.lanes)

    def _parts(self, source: Block) -> tuple[list[Operation], list[memref.LoadOp], list[Operation]]:
        """The body's scalar operations (addresses among them), vector loads, and the rest.

        No scalar operation needs a vector, so this order is as good as the original.
        """
        scalar: list[Operation] = []
        loads: list[memref.LoadOp] = []
        rest: list[Operation] = []
        for op in source.ops:
            if isinstance(op, memref.LoadOp) and op.results[0] in self.varying:
                loads.append(op)
            elif self._is_scalar(op):
                scalar.append(op)
            else:
                rest.append(op)
        return scalar, loads, rest

    def _is_scalar(self, op: Operation) -> bool:
        if isinstance(op, scf.ForOp | scf.YieldOp | scf.ReduceOp | memref.StoreOp):
            return False
        return not any(operand in self.varying for operand in op.operands)

    def _emit_guarded(
        self,
        loads: list[memref.LoadOp],
        upper: SSAValue,
        step: SSAValue,
        target: Block,
        lanes: Lanes,
    ) -> None:
        """The mask of the iteration and its loads, which need none where the vector is whole."""
        left = index_op(arith.SubiOp, upper, target.args[0])
        mask_type = self._vector(i1)
        create = vector.CreateMaskOp.create(operands=left.results, result_types=[mask_type])
        target.add_op(left)
        if self.pairs:
            twice = index_op(arith.AddiOp, left.results[0], left.results[0])
            pairs_type = vector_of(i1, 2 * self.lanes)
            both = vector.CreateMaskOp.create(operands=twice.results, result_types=[pairs_type])
            target.add_ops([twice, both])
            lanes.both = both.results[0]
        if not loads:
            target.add_op(create)
            lanes.mask = create.results[0]
            return
        whole = arith.CmpiOp(left.results[0], step, "sge")
        lanes.whole = whole.result
        every = self._constant(mask_type, -1)
        full, partial = Block(), Block([create])
        values = [self._emit_load(op, full, lanes) for op in loads]
        full.add_op(scf.YieldOp.create(operands=[*values, every]))
        lanes.mask = create.results[0]
        values = [self._emit_load(op, partial, lanes) for op in loads]
        partial.add_op(scf.YieldOp.create(operands=[*values, lanes.mask]))
        choice = scf.IfOp.create(
            operands=[whole.result],
            result_types=[*(value.type for value in values), mask_type],
            regions=[Region(full), Region(partial)],
        )
        target.add_ops([whole, choice])
        *results, lanes.mask = choice.results
        lanes.mapping.update(zip((op.results[0] for op in loads), results, strict=True))

    def _emit(self, op: Operation, target: Block, lanes: Lanes) -> None:
        if isinstance(op, scf.ForOp):
            self._emit_loop(op, target, lanes)
        elif isinstance(op, memref.LoadOp) and op.results[0] in self.varying:
            lanes.mapping[op.results[0]] = self._emit_load(op, target, lanes)
        elif isinstance(op, memref.StoreOp):
            self._emit_store(op, target, lanes)
        elif isinstance(op, scf.YieldOp | scf.ReduceOp):
            operands = [self._operand(v, target, lanes) for v in op.operands]
            if op.parent is self.loop.body.block and lanes.mask is not None:
                operands = [
                    self._keep_idle(new, old, target, lanes.mask)
                    for new, old in zip(operands, target.args[1:], strict=True)
                ]
            target.add_op(scf.YieldOp.create(operands=operands))
        elif self._is_scalar(op):
            self._emit_scalar(op, target, lanes)
        else:
            self._emit_elementwise(op, target, lanes)

    def _emit_scalar(self, op: Operation, target: Block, lanes: Lanes) -> None:
        copy = op.clone(lanes.mapping)
        target.add_op(copy)
        lanes.mapping.update(zip(op.results, copy.results, strict=True))

    @staticmethod
    def _keep_idle(new: SSAValue, old: SSAValue, target: Block, mask: SSAValue) -> SSAValue:
        op = SelectOp.create(operands=[mask, new, old], result_types=[new.type])
        target.add_op(op)
        return op.res

    def _emit_loop(self, op: scf.ForOp, target: Block, lanes: Lanes) -> None:
        initial = [self._operand(value, target, lanes) for value in op.iter_args]
        bounds = [lanes.mapping.get(value, value) for value in op.operands[:3]]
        block = Block(arg_types=[INDEX, *(value.type for value in initial)])
        known = {**lanes.mapping}, lanes.mask, dict(lanes.broadcasts)
        inner = Lanes(*known, lanes.whole, lanes.both)
        inner.mapping.update(zip(op.body.block.args, block.args, strict=True))
        for nested in op.body.block.ops:
            self._emit(nested, block, inner)
        new = scf.ForOp.create(
            operands=[*bounds, *initial],
            result_types=[value.type for value in initial],
            regions=[Region(block)],
        )
        target.add_op(new)
        lanes.mapping.update(zip(op.results, new.results, strict=True))

    def _emit_load(self, op: memref.LoadOp, target: Block, lanes: Lanes) -> SSAValue:
        pair = self.pairs.get(op)
        if pair is None:
            index = lanes.mapping.get(op.indices[0], op.indices[0])
            return self._load(op.memref, index, self.lanes, lanes.mask, target)
        start, is_second = pair
        index = lanes.mapping.get(start, start)
        key = op.memref, index, target
        if key not in self.loaded:
            mask = None if lanes.mask is None else lanes.both
            self.loaded[key] = self._load(op.memref, index, 2 * self.lanes, mask, target)
        both = self.loaded[key]
        return self._shuffled(both, both, range(is_second, 2 * self.lanes, 2), target)

    def _load(
        self, buffer: SSAValue, index: SSAValue, lanes: int, mask: SSAValue | None, target: Block
    ) -> SSAValue:
        type_ = vector_of(element_type(buffer.type), lanes)
        if mask is None:
            new: Operation = vector.LoadOp.create(operands=[buffer, index], result_types=[type_])
        else:
            idle = self._constant(type_, 0)
            new = vector.MaskedLoadOp.create(
                operands=[buffer, index, mask, idle], result_types=[type_]
            )
        target.add_op(new)
        return new.results[0]

    def _shuffled(
        self, left: SSAValue, right: SSAValue, numbers: Sequence[int], target: Block
    ) -> SSAValue:
        """Lanes of two vectors, by number."""
        op = vector.ShuffleOp.create(
            operands=[left, right],
            result_types=[vector_of(element_type(left.type), len(numbers))],
            properties={"mask": i64_array(tuple(numbers))},
        )
        target.add_op(op)
        return op.results[0]

    def _constant(self, type_: VectorType[Attribute], value: int) -> SSAValue:
        found = self.constants.get((type_, value))
        if found is None:
            integral = is_integer(type_.element_type)
            found = self._before(splat(type_, value if integral else float(value)))
            self.constants[type_, value] = found
        return found

    def _emit_store(self, op: memref.StoreOp, target: Block, lanes: Lanes) -> None:
        place, mask = op.indices[0], lanes.mask
        value = self._operand(op.value, target, lanes)
        if op in self.pairs:
            place, is_second = self.pairs[op]
            key = op.memref, lanes.mapping.get(place, place), target
            other = self.stored.pop(key, None)
            if other is None:
                self.stored[key] = value
                return
            parts = (other, value) if is_second else (value, other)
            numbers = chain(*zip(range(self.lanes), range(self.lanes, 2 * self.lanes), strict=True))
            value, mask = self._shuffled(*parts, [*numbers], target), mask and lanes.both
        index = lanes.mapping.get(place, place)
        if mask is None:
            store: Operation = vector.StoreOp.create(operands=[value, op.memref, index])
        else:
            operands = [op.memref, index, mask, value]
            store = vector.MaskedStoreOp.create(operands=operands)
        if self.streams is None or (lanes.mask is not None and lanes.whole is None):
            target.add_op(store)
            return
        past = self.streams
        if lanes.whole is not None:
            both = arith.AndIOp(past, lanes.whole)
            target.add_op(both)
            past = both.result
        stream = vector.StoreOp.create(
            operands=[value, op.memref, index], properties={"nontemporal": TRUE}
        )
        regions = [Region(Block([one, scf.YieldOp()])) for one in (stream, store)]
        target.add_op(scf.IfOp.create(operands=[past], regions=regions))

    def _emit_elementwise(self, op: Operation, target: Block, lanes: Lanes) -> None:
        uniform_choice = isinstance(op, arith.SelectOp) and op.cond not in self.varying
        op_class = type(op) if uniform_choice else VECTOR_FORMS.get(type(op), type(op))
        operands = [self._operand(value, target, lanes) for value in op.operands[uniform_choice:]]
        if uniform_choice:
            operands.insert(0, lanes.mapping.get(op.operands[0], op.operands[0]))
        new = op_class.create(
            operands=operands,
            result_types=[self._vector(result.type) for result in op.results],
            properties=without_order(op),
            attributes=op.attributes,
        )
        target.add_op(new)
        lanes.mapping.update(zip(op.results, new.results, strict=True))

    def _operand(self, value: SSAValue, target: Block, lanes: Lanes) -> SSAValue:
        """The vector that stands for `value` inside the new loop."""
        mapped = lanes.mapping.get(value)
        if value in self.varying:
            assert mapped is not None
            return mapped
        if mapped is None:
            return self._broadcast_before(value)
        found = lanes.broadcasts.get(mapped)
        if found is None:
            op = vector.BroadcastOp.create(
                operands=[mapped], result_types=[self._vector(value.type)]
            )
            target.add_op(op)
            found = lanes.broadcasts[mapped] = op.results[0]
        return found

    def _broadcast_before(self, value: SSAValue) -> SSAValue:
        """`value`, which is defined outside of the loop, in every lane."""
        found = self.outside.get(value)
        if found is None:
            type_ = self._vector(value.type)
            owner = value.owner
            number = constant_number(owner)
            if number is None or (isinstance(number, float) and not reads_as_element(number)):
                op: Operation = vector.BroadcastOp.create(operands=[value], result_types=[type_])
            else:
                op = splat(type_, number)
            found = self.outside[value] = self._before(op)
        return found


def splat(type_: VectorType[Attribute], value: float | int) -> Operation:
    """`arith.constant dense<value> : type_`."""
    attribute = dense_of(type_, [value])
    return arith.ConstantOp.create(result_types=[type_], properties={"value": attribute})
