"""Runs the iterations of an inner loop in the lanes of vectors.

Of each nest: the innermost parallel loop, if it walks every buffer with stride one or not at
all (a reduction inside it then keeps one running value per lane); else an innermost reduction
loop, whose lanes are combined at the end. What lies apart is gathered first, if the loop computes
enough (gathers.py). Lanes are as many as fit `width` f32s, of the widest
type in the loop. Other loops stay as they are.

A reduction that computes little waits for its running value: as long as there are elements for `UNROLLED` vectors, each iteration takes
so many, with a running value for each.

The last partial vector, with `tail=branch`: every iteration asks whether it is whole, and loads
with or without a mask; the arithmetic is there once, and stores are always masked. (Masked loads
throughout would halve the bandwidth of large operands: processors do not prefetch for them.) Whole
vectors of huge operands bypass the caches where streaming.py says so. With
`tail=scalar`, for targets where masks are slow, the original loop does the rest. Integer division,
which could trap in an idle lane, always gets `scalar`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from xdsl.context import Context
from xdsl.dialects import arith, builtin, memref, scf, vector
from xdsl.dialects.builtin import (
    BoolAttr,
    IndexType,
    VectorType,
    i1,
)
from xdsl.dialects.utils.fast_math import FastMathFlag
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass

from lowering.cost import FUNCTION, picoseconds
from lowering.dialects.arith_ext import VECTOR_FORMS, SelectOp
from lowering.dialects.kernel import entry_of
from lowering.interpreter.rounding import SUMS
from lowering.kernel import LoweringError
from lowering.kernel_functions import loop_functions
from lowering.loops.flat import byte_size
from lowering.loops.gathers import gather, is_worth_gathering
from lowering.loops.index_builder import INDEX, index_constant, index_op
from lowering.loops.nest import TRAPPING
from lowering.loops.streaming import Streaming
from lowering.shaped import (
    constant_number,
    dense_of,
    element_type,
    is_integer,
    is_memref,
    is_vector,
    reads_as_element,
    vector_of,
)

Loop = scf.ForOp | scf.ParallelOp

F32_BYTES = 4
TRUE = BoolAttr.from_bool(True)
NO_FLAGS = arith.FastMathFlagsAttr("none")
REASSOCIATE = arith.FastMathFlagsAttr([FastMathFlag.REASSOC])
"""The lanes of a reduction are added as a tree, which is what the vector form is about."""

COMBINING = {
    arith.AddfOp: ("add", 0.0),
    arith.AddiOp: ("add", 0),
    arith.MulfOp: ("mul", 1.0),
    arith.MuliOp: ("mul", 1),
    arith.MaximumfOp: ("maximumf", None),
    arith.MinimumfOp: ("minimumf", None),
    arith.MaxSIOp: ("maxsi", None),
    arith.MinSIOp: ("minsi", None),
    arith.AndIOp: ("and", None),
    arith.OrIOp: ("or", None),
}
"""Reduction kinds and what a lane starts from; None: the initial value, as max(x, x) is x."""
UNROLLED = 4
"""Vectors of an iteration of a reduction: as many as additions take cycles."""
LITTLE = FUNCTION
"""Picoseconds of an iteration that waits for the one before."""
IN_ORDER = (arith.AddfOp, arith.MulfOp)
"""What rounds, and so may be done in another order only where it says so."""


@dataclass(frozen=True)
class VectorizeLoopsPass(ModulePass):
    """See the module's docstring."""

    name = "ts-vectorize-loops"
    ROUNDS_OTHERWISE: ClassVar = frozenset({SUMS})
    """Each lane has a sum of its own."""

    width: int = 16
    tail: str = "branch"

    def apply(self, ctx: Context, op: builtin.ModuleOp) -> None:
        if self.tail not in ("branch", "scalar"):
            raise LoweringError(f"tail={self.tail} is neither branch nor scalar")
        for func in loop_functions(op, self.name):
            if func.sym_visibility is None:
                self._block(func.body.block, Streaming(func, entry_of(func)))

    def _block(self, block: Block, streaming: Streaming) -> None:
        for op in list(block.ops):
            if isinstance(op, scf.ForOp | scf.ParallelOp):
                self._loop(op, streaming)

    def _loop(self, loop: Loop, streaming: Streaming) -> None:
        inner = [op for op in loop.body.block.ops if isinstance(op, scf.ForOp | scf.ParallelOp)]
        if not any(isinstance(op, scf.ParallelOp) for op in inner):
            candidate = LoopVectorizer(loop, self.width, self.tail)
            if (isinstance(loop, scf.ParallelOp) or not inner) and candidate.analyze():
                if not candidate.gathers:
                    candidate.emit(streaming)
                    return
                if isinstance(loop, scf.ParallelOp) and is_worth_gathering(loop.body.block):
                    gather(loop, candidate.gathers)
                    self._loop(loop, streaming)
                    return
        if inner:
            self._block(loop.body.block, streaming)


@dataclass
class Reduction:
    """How a running value changes: `op` combines it with one new value per iteration."""

    op: Operation
    other: int
    kind: str
    start: float | int | None


@dataclass
class Lanes:
    """One copy of the loop body in the making."""

    mapping: dict[SSAValue, SSAValue]
    mask: SSAValue | None
    broadcasts: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])
    whole: SSAValue | None = None
    """Whether the mask has every lane, where that is known."""


class LoopVectorizer:
    """Vectorises one loop: `analyze` says whether it can be, `emit` replaces it."""

    def __init__(self, loop: Loop, width: int, tail: str) -> None:
        self.loop = loop
        self.initial = loop.operands[3:]
        self.bytes = width * F32_BYTES
        self.tail = tail
        self.widest = 1
        self.strides: dict[SSAValue, int] = {loop.body.block.args[0]: 1}
        self.varying: set[SSAValue] = set()
        self.reductions: list[Reduction] = []
        self.gathers: list[memref.LoadOp] = []
        """Loads of elements that lie apart: vectors need these gathered."""
        self.outside: dict[SSAValue, SSAValue] = {}
        self.constants: dict[tuple[Attribute, int], SSAValue] = {}
        self.streams: SSAValue | None = None
        """Whether whole vectors are stored past the caches."""

    # What depends on the loop, and how

    def analyze(self) -> bool:
        """Whether the loop can be vectorised; fills in lanes and reductions."""
        block = self.loop.body.block
        if isinstance(self.loop, scf.ForOp) and not self._only_reduces(self.loop):
            return False
        for argument in block.args[1:]:
            self._vary(argument)
        if not self._analyze(block):
            return False
        self.lanes = max(1, self.bytes // self.widest)
        return True

    def _only_reduces(self, loop: scf.ForOp) -> bool:
        """Whether all that iterations pass on is the outcome of reductions in any order."""
        body = loop.body.block
        if not loop.iter_args or any(isinstance(op, memref.StoreOp) for op in body.ops):
            return False
        for position, argument in enumerate(body.args[1:]):
            reduction = self._reduction(position, argument)
            if reduction is None:
                return False
            self.reductions.append(reduction)
        return True

    def _vary(self, value: SSAValue) -> None:
        self.varying.add(value)
        self.widest = max(self.widest, byte_size(value.type))

    def _analyze(self, block: Block) -> bool:
        return all(self._visit(op) for op in block.ops)

    def _visit(self, op: Operation) -> bool:
        strides = self.strides
        if isinstance(op, memref.LoadOp):
            stride = strides.get(op.indices[0], 0)
            if stride:
                self._vary(op.results[0])
            if 0 <= stride <= 1:
                return True
            self.gathers.append(op)
            return op.parent is self.loop.body.block
        if isinstance(op, memref.StoreOp):
            assert is_memref(op.memref.type)
            self.widest = max(self.widest, byte_size(element_type(op.memref.type)))
            return strides.get(op.indices[0], 0) == 1
        if isinstance(op, scf.ForOp):
            return self._visit_loop(op)
        if op.regions:
            return False
        if op.results and isinstance(op.results[0].type, IndexType):
            return self._visit_index(op)
        if any(operand in strides for operand in op.operands):
            return False
        if isinstance(op, TRAPPING):
            self.tail = "scalar"
        if any(operand in self.varying for operand in op.operands):
            for result in op.results:
                self._vary(result)
            return isinstance(op, scf.YieldOp) or op.name.startswith(("arith.", "math."))
        return True

    def _visit_loop(self, op: scf.ForOp) -> bool:
        if any(value in self.strides for value in op.operands):
            return False
        for value in (*op.body.block.args[1:], *op.results):
            if isinstance(value.type, IndexType):
                return False
            self._vary(value)
        return self._analyze(op.body.block)

    def _visit_index(self, op: Operation) -> bool:
        found = [self.strides.get(operand, 0) for operand in op.operands]
        if any(operand in self.varying for operand in op.operands):
            return False
        if not any(found):
            return True
        if isinstance(op, arith.AddiOp):
            stride = sum(found)
        elif isinstance(op, arith.SubiOp):
            stride = found[0] - found[1]
        else:
            stride = 2  # not known; no access may use it
        if stride:
            self.strides[op.results[0]] = stride
        return True

    def _reduction(self, position: int, argument: SSAValue) -> Reduction | None:
        terminator = self.loop.body.block.last_op
        assert terminator is not None
        value = terminator.operands[position]
        op = value.owner
        use = argument.get_unique_use()
        if use is None or use.operation is not op or not value.has_one_use():
            return None
        combining = COMBINING.get(type(op))  # pyright: ignore[reportArgumentType]
        if combining is None or not isinstance(op, Operation) or is_vector(value.type):
            return None
        if isinstance(op, IN_ORDER) and op.properties.get("fastmath") != REASSOCIATE:
            return None
        return Reduction(op, 1 - use.index, *combining)

    # The new loops

    def emit(self, streaming: Streaming) -> None:
        """Replaces the loop by its vector form."""
        loop = self.loop
        self.streams = streaming.flag(loop, self.lanes, self._before)
        lower, upper, _ = loop.operands[:3]
        step = self._before(index_constant(self.lanes))
        values = [
            self._start(value, reduction)
            for value, reduction in zip(self.initial, self.reductions, strict=True)
        ]
        if isinstance(loop, scf.ForOp) and picoseconds(loop.body.block.ops) < LITTLE:
            lower, values = self._unrolled_loop(lower, upper, values)
        if self.tail == "branch":
            results = self._combine(self._vector_loop(lower, upper, step, values))
            for old, new in zip(loop.results, results, strict=True):
                old.replace_all_uses_with(new)
            loop.detach()
            loop.erase(safe_erase=False)
            return
        count = self._before(index_op(arith.SubiOp, upper, lower))
        rest = arith.RemSIOp.create(operands=[count, step], result_types=[INDEX])
        middle = self._before(index_op(arith.SubiOp, upper, self._before(rest)))
        results = self._combine(self._vector_loop(lower, middle, step, values))
        loop.operands[0] = middle
        for position, value in enumerate(results):
            loop.operands[3 + position] = value

    def _before(self, op: Operation) -> SSAValue:
        self._insert(op)
        return op.results[0]

    def _insert(self, op: Operation) -> None:
        block = self.loop.parent
        assert block is not None
        block.insert_op_before(op, self.loop)

    def _vector(self, type_: Attribute) -> VectorType[Attribute]:
        return vector_of(type_, self.lanes)

    def _start(self, value: SSAValue, reduction: Reduction) -> SSAValue:
        if reduction.start is None:
            return self._broadcast_before(value)
        return self._before(splat(self._vector(value.type), reduction.start))

    def _combine(self, values: list[SSAValue]) -> list[SSAValue]:
        """The lanes of each running value together with the value the loop started from."""
        results: list[SSAValue] = []
        for value, start, reduction in zip(values, self.initial, self.reductions, strict=True):
            combined = self._before(horizontal(value, reduction.kind))
            op = reduction.op
            results.append(
                self._before(
                    type(op).create(
                        operands=[start, combined],
                        result_types=[start.type],
                        properties=without_order(op),
                    )
                )
            )
        return results

    def _unrolled_loop(
        self, lower: SSAValue, upper: SSAValue, values: list[SSAValue]
    ) -> tuple[SSAValue, list[SSAValue]]:
        """A loop of `UNROLLED` whole vectors an iteration; where it ends, and its running values."""
        source = self.loop.body.block
        number = len(values)
        block = Block(arg_types=[INDEX, *(value.type for value in values * UNROLLED)])
        outcomes: list[SSAValue] = []
        for copy in range(UNROLLED):
            index = block.args[0]
            if copy:
                offset = self._before(index_constant(copy * self.lanes))
                moved = index_op(arith.AddiOp, index, offset)
                block.add_op(moved)
                index = moved.results[0]
            running = block.args[1 + copy * number :][:number]
            lanes = Lanes(dict(zip(source.args, (index, *running), strict=True)), None)
            *body, end = source.ops
            for op in body:
                self._emit(op, block, lanes)
            outcomes += [self._operand(value, block, lanes) for value in end.operands]
        block.add_op(scf.YieldOp.create(operands=outcomes))
        step = self._before(index_constant(UNROLLED * self.lanes))
        count = self._before(index_op(arith.SubiOp, upper, lower))
        rest = self._before(arith.RemSIOp.create(operands=[count, step], result_types=[INDEX]))
        middle = self._before(index_op(arith.SubiOp, upper, rest))
        starts = [
            self._start(value, reduction)
            for value, reduction in zip(self.initial, self.reductions, strict=True)
        ]
        loop = scf.ForOp.create(
            operands=[lower, middle, step, *values, *(starts * (UNROLLED - 1))],
            result_types=[value.type for value in block.args[1:]],
            regions=[Region(block)],
        )
        self._insert(loop)
        return middle, [
            self._tree(loop.results[place::number], reduction)
            for place, reduction in enumerate(self.reductions)
        ]

    def _tree(self, values: Sequence[SSAValue], reduction: Reduction) -> SSAValue:
        """Running values combined in pairs."""
        if len(values) == 1:
            return values[0]
        half = len(values) // 2
        pair = [self._tree(part, reduction) for part in (values[:half], values[half:])]
        op = reduction.op
        return self._before(
            type(op).create(
                operands=pair, result_types=[pair[0].type], properties=without_order(op)
            )
        )

    def _vector_loop(
        self, lower: SSAValue, upper: SSAValue, step: SSAValue, values: list[SSAValue]
    ) -> list[SSAValue]:
        source = self.loop.body.block
        block = Block(arg_types=[INDEX, *(value.type for value in values)])
        lanes = Lanes(dict(zip(source.args, block.args, strict=True)), None)
        scalar, loads, rest = self._parts(source)
        for op in scalar:
            self._emit_scalar(op, block, lanes)
        if self.tail == "branch":
            self._emit_guarded(loads, upper, step, block, lanes)
        else:
            for op in loads:
                lanes.mapping[op.results[0]] = self._emit_load(op, block, lanes)
        for op in rest:
            self._emit(op, block, lanes)
        new = scf.ForOp.create(
            operands=[lower, upper, step, *values],
            result_types=[value.type for value in values],
            regions=[Region(block)],
        )
        self._insert(new)
        return list(new.results)

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
        inner = Lanes({**lanes.mapping}, lanes.mask, dict(lanes.broadcasts), lanes.whole)
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
        index = lanes.mapping.get(op.indices[0], op.indices[0])
        type_ = self._vector(op.results[0].type)
        if lanes.mask is None:
            new: Operation = vector.LoadOp.create(operands=[op.memref, index], result_types=[type_])
        else:
            idle = self._constant(type_, 0)
            new = vector.MaskedLoadOp.create(
                operands=[op.memref, index, lanes.mask, idle], result_types=[type_]
            )
        target.add_op(new)
        return new.results[0]

    def _constant(self, type_: VectorType[Attribute], value: int) -> SSAValue:
        found = self.constants.get((type_, value))
        if found is None:
            integral = is_integer(type_.element_type)
            found = self._before(splat(type_, value if integral else float(value)))
            self.constants[type_, value] = found
        return found

    def _emit_store(self, op: memref.StoreOp, target: Block, lanes: Lanes) -> None:
        index = lanes.mapping.get(op.indices[0], op.indices[0])
        value = self._operand(op.value, target, lanes)
        if lanes.mask is None:
            store: Operation = vector.StoreOp.create(operands=[value, op.memref, index])
        else:
            operands = [op.memref, index, lanes.mask, value]
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


def without_order(op: Operation) -> Mapping[str, Attribute]:
    """The properties of `op`, less the permission to reorder a reduction, of which all use has been made."""
    flags = op.properties.get("fastmath")
    if not isinstance(flags, arith.FastMathFlagsAttr) or not flags.data or flags != REASSOCIATE:
        return op.properties
    return {**op.properties, "fastmath": NO_FLAGS}


def splat(type_: VectorType[Attribute], value: float | int) -> Operation:
    """`arith.constant dense<value> : type_`."""
    attribute = dense_of(type_, [value])
    return arith.ConstantOp.create(result_types=[type_], properties={"value": attribute})


def horizontal(value: SSAValue, kind: str) -> Operation:
    """The lanes of `value` combined, in any order."""
    assert is_vector(value.type)
    element = element_type(value.type)
    floating = not is_integer(element)
    return vector.ReductionOp.create(
        operands=[value],
        result_types=[element],
        properties={
            "kind": vector.CombiningKindAttr(vector.CombiningKindFlag(kind)),
            "fastmath": REASSOCIATE if floating else NO_FLAGS,
        },
    )
