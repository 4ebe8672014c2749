"""Writes nested `scf` loops with vector bodies top down, for passes that make whole kernels."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING

from xdsl.dialects import arith, memref, scf, vector
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    AnyFloat,
    ArrayAttr,
    FloatAttr,
    IntegerAttr,
    MemRefType,
    StridedLayoutAttr,
    StringAttr,
    VectorType,
    i1,
    i64,
)
from xdsl.dialects.func import CallOp
from xdsl.ir import Block, Region

from lowering.create import create
from lowering.dialects.memref_ext import PrefetchOp
from lowering.loops.flat import ALIGNMENT
from lowering.loops.index_builder import INDEX, index_constant, index_op
from lowering.loops.vector_body import splat
from lowering.shaped import (
    element_type,
    i32_array,
    i64_array,
    integer_attribute,
    is_memref,
    is_vector,
    vector_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, Sequence

    from xdsl.dialects.func import FuncOp
    from xdsl.ir import Attribute, Operation, SSAValue

NO_FAST_MATH = arith.FastMathFlagsAttr("none")
AT_LEAST = {"predicate": integer_attribute(arith.CMPI_COMPARISON_OPERATIONS.index("sge"), i64)}
EQUAL = {"predicate": integer_attribute(arith.CMPI_COMPARISON_OPERATIONS.index("eq"), i64)}
LESS = {"predicate": integer_attribute(arith.CMPI_COMPARISON_OPERATIONS.index("slt"), i64)}
LARGER = {"predicate": integer_attribute(arith.CMPI_COMPARISON_OPERATIONS.index("sgt"), i64)}
PROBES_STACK = ArrayAttr([ArrayAttr([StringAttr("probe-stack"), StringAttr("inline-asm")])])
"""The stack is entered page by page, so that none is skipped that guards its end."""
SHIFT: dict[str, Attribute] = {
    "static_offsets": i64_array((DYNAMIC_INDEX,)),
    "static_sizes": i64_array((DYNAMIC_INDEX,)),
    "static_strides": i64_array((1,)),
    "operandSegmentSizes": i32_array((1, 1, 1, 0)),
}


@lru_cache(maxsize=64)
def shifted_type(element: Attribute) -> MemRefType[Attribute]:
    """The type of flat buffers that start somewhere within another."""
    return MemRefType(element, [DYNAMIC_INDEX], StridedLayoutAttr([1], None))


class Code:
    """Appends operations to the innermost open block; constants go before `anchor`."""

    def __init__(self, block: Block, anchor: Operation) -> None:
        self.anchor = anchor
        self.outer = block
        self.blocks: list[Block] = []
        self.constants: dict[object, SSAValue] = {}

    def add(self, op: Operation) -> SSAValue:
        """Appends `op`; gives its first result."""
        self.insert(op)
        return op.results[0]

    def insert(self, op: Operation) -> None:
        """Appends `op`."""
        if self.blocks:
            self.blocks[-1].add_op(op)
        else:
            self.outer.insert_op_before(op, self.anchor)

    def constant(self, value: int) -> SSAValue:
        """An index constant."""
        return self._once(value, lambda: index_constant(value))

    def splat(self, value: float | int, type_: VectorType[Attribute]) -> SSAValue:
        """A vector constant."""
        return self._once((value, type_), lambda: splat(type_, value))

    def zero(self, type_: Attribute) -> SSAValue:
        """0 of a type of elements."""
        value = (
            FloatAttr(0.0, type_) if isinstance(type_, AnyFloat) else integer_attribute(0, type_)
        )
        return self._once(
            ("zero", type_), lambda: create(arith.ConstantOp, (), (type_,), {"value": value})
        )

    def _once(self, key: object, make: Callable[[], Operation]) -> SSAValue:
        found = self.constants.get(key)
        if found is None:
            op = make()
            self.outer.insert_op_before(op, self.anchor)
            found = self.constants[key] = op.results[0]
        return found

    def plus(self, left: SSAValue, right: SSAValue | int) -> SSAValue:
        """The sum of two indices."""
        if isinstance(right, int):
            if right == 0:
                return left
            right = self.constant(right)
        return self.add(index_op(arith.AddiOp, left, right))

    def minus(self, left: SSAValue, right: SSAValue | int) -> SSAValue:
        """The difference of two indices."""
        if isinstance(right, int):
            right = self.constant(right)
        return self.add(index_op(arith.SubiOp, left, right))

    def times(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The product of two indices."""
        return self.add(index_op(arith.MuliOp, left, right))

    def larger(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The larger of two indices."""
        return self.add(create(arith.MaxSIOp, [left, right], [INDEX]))

    def at_least(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Whether an index is not smaller than another."""
        operands = [left, right]
        return self.add(create(arith.CmpiOp, operands, [i1], AT_LEAST))

    def select(self, condition: SSAValue, then: SSAValue, otherwise: SSAValue) -> SSAValue:
        """`then` where `condition` holds."""
        operands = [condition, then, otherwise]
        return self.add(create(arith.SelectOp, operands, [then.type]))

    def value(self, number: SSAValue | int) -> SSAValue:
        """An index that may be a constant."""
        return self.constant(number) if isinstance(number, int) else number

    def smaller(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The smaller of two indices."""
        return self.add(create(arith.MinSIOp, [left, right], [INDEX]))

    def select_larger(
        self, value: SSAValue, bound: int, then: SSAValue, otherwise: SSAValue
    ) -> SSAValue:
        """`then` where an index is larger than `bound`."""
        operands = [value, self.constant(bound)]
        larger = create(arith.CmpiOp, operands, [i1], LARGER)
        operands = [self.add(larger), then, otherwise]
        return self.add(create(arith.SelectOp, operands, [INDEX]))

    def shifted(self, base: SSAValue, start: SSAValue) -> SSAValue:
        """The flat buffer that starts at element `start` of another."""
        assert is_memref(base.type)
        size = self.constant(0)  # not looked at
        cast = create(
            memref.ReinterpretCastOp,
            [base, start, size],
            [shifted_type(element_type(base.type))],
            SHIFT,
        )
        return self.add(cast)

    def divided(self, number: SSAValue, by: SSAValue) -> tuple[SSAValue, SSAValue]:
        """The quotient of two indices, neither negative, and what is left."""
        kinds = (arith.DivUIOp, arith.RemUIOp)
        quotient, rest = (self.add(index_op(kind, number, by)) for kind in kinds)
        return quotient, rest

    def less(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Whether an index is smaller than another."""
        return self.add(create(arith.CmpiOp, [left, right], [i1], LESS))

    def equal(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """Whether two indices are equal."""
        return self.add(create(arith.CmpiOp, [left, right], [i1], EQUAL))

    def remainder(self, count: SSAValue, step: int) -> SSAValue:
        """What `count` is over a multiple of `step`."""
        operands = [count, self.constant(step)]
        return self.add(create(arith.RemSIOp, operands, [INDEX]))

    def whole(self, count: SSAValue, step: int) -> SSAValue:
        """`count` rounded down to a multiple of `step`."""
        return self.minus(count, self.remainder(count, step))

    def divided_up(self, count: SSAValue, by: SSAValue | int) -> SSAValue:
        """The quotient of two indices, rounded up; 1 where `count` is 0."""
        divisor = self.value(by)
        above = self.minus(self.larger(count, self.constant(1)), 1)
        operands = [above, divisor]
        return self.plus(self.add(create(arith.DivUIOp, operands, [INDEX])), 1)

    def rounded_up(self, count: SSAValue, step: int) -> SSAValue:
        """`count` rounded up to a multiple of `step`."""
        return self.whole(self.plus(count, step - 1), step)

    def call(self, function: FuncOp, arguments: Sequence[SSAValue]) -> None:
        """Calls a function that gives nothing."""
        self.insert(CallOp(function.sym_name.data, arguments, []))

    def stack(self, count: SSAValue, element: Attribute) -> SSAValue:
        """A buffer of `count` elements that is gone when the function returns."""
        function = self.outer.parent_op()
        assert function is not None
        function.attributes["passthrough"] = PROBES_STACK
        op = create(
            memref.AllocaOp,
            [count],
            [MemRefType(element, [DYNAMIC_INDEX])],
            {
                "alignment": integer_attribute(ALIGNMENT, i64),
                "operandSegmentSizes": i32_array((1, 0)),
            },
        )
        return self.add(op)

    @contextmanager
    def branch(self, condition: SSAValue) -> Generator[Branch]:
        """What runs where `condition` holds; `otherwise` of what it gives is for what runs else."""
        branch = Branch(self)
        self.blocks.append(branch.then)
        yield branch
        self.blocks.pop()
        branch.then.add_op(scf.YieldOp.create())
        regions = [Region(branch.then), Region(branch.other or ())]
        self.insert(scf.IfOp.create(operands=[condition], regions=regions))

    @contextmanager
    def loop(
        self,
        lower: SSAValue,
        upper: SSAValue,
        step: SSAValue | int,
        initial: Sequence[SSAValue] = (),
    ) -> Generator[Loop]:
        """A loop; `yields` of what it gives must be set inside if there are running values."""
        block = Block(arg_types=[INDEX, *(value.type for value in initial)])
        loop = Loop(block.args[0], list(block.args[1:]))
        step_value = self.value(step)
        self.blocks.append(block)
        yield loop
        block.add_op(create(scf.YieldOp, loop.yields, ()))
        self.blocks.pop()
        op = scf.ForOp.create(
            operands=[lower, upper, step_value, *initial],
            result_types=[value.type for value in initial],
            regions=[Region(block)],
        )
        self.insert(op)
        loop.results = list(op.results)

    def mask(self, count: SSAValue, lanes: int) -> SSAValue:
        """The first `count` of `lanes`; none if negative."""
        type_ = vector_of(i1, lanes)
        return self.add(create(vector.CreateMaskOp, [count], [type_]))

    def load(
        self,
        base: SSAValue,
        index: SSAValue,
        type_: VectorType[Attribute],
        mask: SSAValue | None = None,
    ) -> SSAValue:
        """A vector; lanes that `mask` leaves out are zero."""
        if mask is None:
            return self.add(create(vector.LoadOp, [base, index], [type_]))
        operands = [base, index, mask, self.splat(0.0, type_)]
        return self.add(create(vector.MaskedLoadOp, operands, [type_]))

    def store(self, value: SSAValue, base: SSAValue, index: SSAValue, mask: SSAValue) -> None:
        """Writes the lanes of `mask`."""
        self.insert(create(vector.MaskedStoreOp, [base, index, mask, value], ()))

    def element(self, base: SSAValue, index: SSAValue) -> SSAValue:
        """One scalar."""
        assert is_memref(base.type)
        type_ = element_type(base.type)
        return self.add(create(memref.LoadOp, [base, index], [type_]))

    def put_vector(self, value: SSAValue, base: SSAValue, index: SSAValue) -> None:
        """Writes a vector."""
        self.insert(create(vector.StoreOp, [value, base, index], ()))

    def prefetch(self, base: SSAValue, index: SSAValue, *, writes: bool) -> None:
        """Asks for the cache line of an element, which may lie beyond the buffer."""
        operands = [self.shifted(base, index), self.constant(0)]
        properties = {"isWrite": IntegerAttr.from_bool(writes)}
        self.insert(create(PrefetchOp, operands, (), properties))

    def put(self, value: SSAValue, base: SSAValue, index: SSAValue) -> None:
        """Writes one scalar."""
        self.insert(create(memref.StoreOp, [value, base, index], ()))

    def spread(self, value: SSAValue, type_: VectorType[Attribute]) -> SSAValue:
        """A scalar in every lane."""
        return self.add(create(vector.BroadcastOp, [value], [type_]))

    def widened(self, value: SSAValue, type_: Attribute) -> SSAValue:
        """A float, or a vector of them, in a type that has all its values."""
        return value if value.type == type_ else self.add(arith.ExtFOp(value, type_))

    def fma(self, left: SSAValue, right: SSAValue, total: SSAValue) -> SSAValue:
        """`left * right + total`, rounded once."""
        operands = [left, right, total]
        return self.add(create(vector.FMAOp, operands, [total.type]))

    def add_floats(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The sum of two floats or vectors of floats."""
        op = create(arith.AddfOp, [left, right], [left.type], {"fastmath": NO_FAST_MATH})
        return self.add(op)

    def multiply_floats(self, left: SSAValue, right: SSAValue) -> SSAValue:
        """The product of two floats."""
        op = create(arith.MulfOp, [left, right], [left.type], {"fastmath": NO_FAST_MATH})
        return self.add(op)

    def shuffle(self, left: SSAValue, right: SSAValue, lanes: Sequence[int]) -> SSAValue:
        """Lanes of two vectors, by number."""
        assert is_vector(left.type)
        op = create(
            vector.ShuffleOp,
            [left, right],
            [vector_of(left.type.element_type, len(lanes))],
            {"mask": i64_array(tuple(lanes))},
        )
        return self.add(op)


class Loop:
    """A loop under construction."""

    def __init__(self, variable: SSAValue, values: list[SSAValue]) -> None:
        self.variable = variable
        self.values = values
        self.yields: list[SSAValue] = []
        self.results: list[SSAValue] = []


class Branch:
    """An `scf.if` under construction."""

    def __init__(self, code: Code) -> None:
        self.code = code
        self.then = Block()
        self.other: Block | None = None

    @contextmanager
    def otherwise(self) -> Generator[None]:
        """What runs where the condition does not hold."""
        self.other = Block()
        self.code.blocks.append(self.other)
        yield
        self.code.blocks.pop()
        self.other.add_op(scf.YieldOp.create())


def copied(
    code: Code, value: SSAValue, values: Mapping[SSAValue, SSAValue], within: Operation
) -> SSAValue:
    """A value that is computed within an operation, computed once more, with others in the place of some that it follows from."""
    owner = value.owner
    if value in values or isinstance(owner, Block) or not within.is_ancestor(owner):
        return values.get(value, value)
    return code.add(owner.clone({one: copied(code, one, values, within) for one in owner.operands}))
