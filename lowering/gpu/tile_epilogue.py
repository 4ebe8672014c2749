"""What a launch does that multiplies matrices: the product, and what is computed of each element of it.

All of that is done for one element after the other, so nothing may look at another element of what the launch writes. That is shown
with polynomials: the index of an access is a sum of products of loop variables and sizes, and so is the number of the element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from xdsl.dialects import arith, memref, scf
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from lowering.dialects.kernel_launch import LaunchOp
from lowering.gpu.polynomials import ONE, ZERO, Polynomial, Polynomials
from lowering.gpu.vectorize_accesses import LANES, MOST, align_lane, are_aligned, cost_of
from lowering.kernel import LoweringError
from lowering.loops.code import Code, copied
from lowering.loops.outline_kernel import constant_of
from lowering.loops.product import Matrix, Number, Placed, placed, zero_fill_before
from torchscript_dialect.utils.properties import cached_property

Element = Sequence[SSAValue]
"""The number of a matrix in its batch, where there is one, a row and a column."""


@dataclass
class Elements:
    """A nest of loops over the elements of the result: their indices, how many there are of each, and what is done."""

    variables: list[SSAValue]
    sizes: list[SSAValue]
    body: Block
    polynomial: Polynomials

    @property
    def number(self) -> Polynomial:
        """How many elements come before one."""
        total = ZERO
        for variable, size in zip(self.variables, self.sizes, strict=True):
            total = total * self.polynomial(size) + self.polynomial(variable)
        return total

    @property
    def count(self) -> Polynomial:
        """How many elements there are."""
        total = ONE
        for size in self.sizes:
            total = total * self.polynomial(size)
        return total

    def at(self, code: Code, element: Element, sizes: Sequence[Number]) -> list[SSAValue]:
        """The values of the variables for an element of a result of such sizes."""
        left: list[tuple[SSAValue, Number]] = list(zip(element, sizes, strict=True))
        found: list[SSAValue] = []
        for size in reversed(self.sizes[1:]):
            of_last = self.polynomial(left[-1][1])
            if self.polynomial(size) == of_last and len(left) > 1:
                found.append(left.pop()[0])
                continue
            row, column = code.divided(_number(code, left), size)
            found.append(column)
            left = [(row, 1)]
        return [_number(code, left), *reversed(found)]


def _number(code: Code, places: Sequence[tuple[SSAValue, Number]]) -> SSAValue:
    """How many elements come before one, of which these are the indices and sizes."""
    (total, _), *rest = places
    for index, size in rest:
        total = code.plus(code.times(total, code.value(size)), index)
    return total


@dataclass
class ProductLaunch:
    """What a launch does: a product, perhaps for each matrix of a batch, and loops over the elements of the result."""

    launch: LaunchOp
    a: Placed
    b: Placed
    c: Placed
    accumulates: bool
    batch: tuple[SSAValue, SSAValue] | None
    """The variable of the loop over a batch, and how many matrices there are; None where it is one."""
    nests: list[Elements]
    polynomial: Polynomials

    @classmethod
    def of(cls, launch: LaunchOp, polynomial: Polynomials) -> ProductLaunch:
        """What a launch does.

        Raises:
            LoweringError: it does something else.
        """
        ops = _effects(launch.body.block)
        batch = None
        inner = ops
        if ops and isinstance(ops[0], scf.ParallelOp) and _holds_product(ops[0]):
            loop = ops[0]
            batch = loop.body.block.args[0], _size(loop)
            inner = [*_effects(loop.body.block), *ops[1:]]
        is_filled = bool(inner) and isinstance(inner[0], linalg.FillOp)
        op, *following = inner[is_filled:]
        if not isinstance(op, linalg.MatmulOp):
            raise LoweringError("a kernel of a GPU that holds a product begins with it")
        accumulates = zero_fill_before(op, op.outputs[0]) is None
        a, b, c = (placed(value) for value in (*op.inputs, *op.outputs))
        nests = [_elements(one, polynomial) for one in following]
        found = cls(launch, a, b, c, accumulates, batch, nests, polynomial)
        found.check()
        return found

    @property
    def sizes(self) -> list[Number]:
        """How many matrices there are in the batch, where there is one, and how many rows and columns these have."""
        return [*([] if self.batch is None else self.batch[1:]), *self.c.sizes]

    @property
    def number(self) -> Polynomial:
        """Of the first element of a matrix."""
        polynomial = self.polynomial
        total = ZERO if self.batch is None else polynomial(self.batch[0])
        for size in self.c.sizes:
            total = total * polynomial(size)
        return total

    def check(self) -> None:
        """Let every loop go over the elements of the result, and look at nothing else that is written.

        Raises:
            LoweringError: one does not.
        """
        count, polynomial = ONE, self.polynomial
        for size in self.sizes:
            count = count * polynomial(size)
        rows = [polynomial(one) for one in self.c.strides]
        if polynomial(self.c.offset) != self.number or rows != [polynomial(self.c.sizes[1]), ONE]:
            raise LoweringError("the result of a product is not contiguous")
        accesses = [(one, op) for one in self.nests for op in one.body.ops if _is_access(op)]
        stored = {op.operands[1] for _, op in accesses if isinstance(op, memref.StoreOp)}
        written = {*stored, self.c.base}
        loaded = {op.operands[0] for _, op in accesses if isinstance(op, memref.LoadOp)}
        both = (loaded & written) | {self.c.base}
        if written & {self.a.base, self.b.base}:
            raise LoweringError("a product is written over a factor of it")
        for nest in self.nests:
            if nest.count != count:
                raise LoweringError("a loop behind a product goes over something else")
        for nest, op in accesses:
            *_, base, index = op.operands
            if base in both and polynomial(index) != nest.number:
                raise LoweringError("a loop behind a product looks at other elements of it")

    def matrices(self, code: Code, batch: Sequence[SSAValue]) -> list[Matrix]:
        """The factors and the result, for a matrix of the batch, if there is one."""
        values = {} if self.batch is None else dict(zip(self.batch[:1], batch, strict=True))
        found = [Matrix.of(code, place) for place in (self.a, self.b, self.c)]
        for one in found:
            one.offset = copied(code, one.offset, values, self.launch)
        return found

    @cached_property
    def walked(self) -> set[memref.LoadOp | memref.StoreOp]:
        """Loads and stores of what lies in memory as the elements do, but for the result of the product itself."""
        return {
            op
            for nest in self.nests
            for op in nest.body.ops
            if isinstance(op, memref.LoadOp | memref.StoreOp)
            and isinstance(op.memref, BlockArgument)
            and self.polynomial(op.indices[0]) == nest.number
        }

    def can_write_lanes(self, code: Code, c: Matrix) -> SSAValue | None:
        """Whether rows begin where `LANES` elements are loaded and stored at once; None where that is not worth it."""
        buffers = [op.memref for op in self.walked]
        if isinstance(self.c.base, BlockArgument):
            buffers.append(self.c.base)
        cost = sum(cost_of(op) for nest in self.nests for op in nest.body.ops)
        if not buffers or cost > MOST:
            return None
        is_whole = code.equal(code.remainder(c.sizes[1], LANES), code.constant(0))
        return code.add(arith.AndIOp(is_whole, are_aligned(code, buffers)))

    def write(self, code: Code, element: Element, values: Sequence[SSAValue]) -> None:
        """Do for neighbouring elements of a row, of which the product is known, what the loops do, and write what is left of them:
        for one, or for `LANES` at once.
        """
        *rest, column = element
        are_together = len(values) == LANES
        written: dict[SSAValue, list[tuple[SSAValue, SSAValue, bool]]] = {}
        for lane, value in enumerate(values):
            at = [*rest, code.plus(column, lane)]
            for target, one in self._computed(
                code, at, value, lane if are_together else None
            ).items():
                written.setdefault(target, []).append(one)
        for target, lanes in written.items():
            if not isinstance(target, BlockArgument):
                continue
            for lane, (value, place, is_walked) in enumerate(lanes):
                store = memref.StoreOp.get(value, target, [place])
                code.insert(store)
                if are_together and is_walked:
                    align_lane(store, target, lane)

    def _computed(
        self, code: Code, element: Element, value: SSAValue, lane: int | None
    ) -> dict[SSAValue, tuple[SSAValue, SSAValue, bool]]:
        """What is written to each buffer, where, and whether that lies in memory as the elements do. Loads are aligned for a lane."""
        base, walked = self.c.base, self.walked
        first = _number(code, list(zip(element, self.sizes, strict=True)))
        if self.accumulates:
            value = code.add_floats(code.element(base, first), value)
        known: dict[SSAValue, tuple[SSAValue, SSAValue, bool]] = {base: (value, first, True)}
        for nest in self.nests:
            places = nest.at(code, element, self.sizes)
            values: dict[SSAValue, SSAValue] = dict(zip(nest.variables, places, strict=True))
            for op in nest.body.ops:
                if isinstance(op, memref.LoadOp) and op.memref in known:
                    values[op.res] = known[op.memref][0]
                elif isinstance(op, memref.StoreOp):
                    stored, at = (
                        copied(code, one, values, self.launch) for one in (op.value, op.indices[0])
                    )
                    known[op.memref] = stored, at, op in walked
                elif not isinstance(op, scf.ReduceOp):
                    for one in op.operands:
                        values.setdefault(one, copied(code, one, values, self.launch))
                    made = op.clone(values)
                    code.insert(made)
                    if isinstance(made, memref.LoadOp) and lane is not None and op in walked:
                        align_lane(made, made.memref, lane)
                    values.update(zip(op.results, made.results, strict=True))
        return known


def _effects(block: Block) -> list[Operation]:
    """What a block does, without what computes indices."""
    return [
        op
        for op in block.ops
        if not isinstance(op, scf.ReduceOp | scf.YieldOp) and not is_side_effect_free(op)
    ]


def _holds_product(op: Operation) -> bool:
    return any(isinstance(inner, linalg.MatmulOp) for inner in op.walk())


def _is_access(op: Operation) -> bool:
    return isinstance(op, memref.LoadOp | memref.StoreOp)


def _size(loop: scf.ParallelOp) -> SSAValue:
    lower, upper, step = loop.operands
    if constant_of(lower) != 0 or constant_of(step) != 1:
        raise LoweringError("a loop behind a product does not go over elements one by one")
    return upper


def _elements(op: Operation, polynomial: Polynomials) -> Elements:
    """A nest of loops with nothing between them but what computes indices, which is taken along."""
    variables: list[SSAValue] = []
    sizes: list[SSAValue] = []
    outer: list[Operation] = []
    while isinstance(op, scf.ParallelOp) and not op.results:
        sizes.append(_size(op))
        block = op.body.block
        variables += block.args
        inner = [one for one in block.ops if isinstance(one, scf.ParallelOp)]
        if not inner:
            if any(one.regions for one in block.ops if not isinstance(one, scf.ReduceOp)):
                break
            for one in outer:
                one.detach()
                assert block.first_op is not None
                block.insert_op_before(one, block.first_op)
            return Elements(variables, sizes, block, polynomial)
        between = [one for one in block.ops if not isinstance(one, scf.ReduceOp | scf.ParallelOp)]
        if len(inner) > 1 or not all(map(is_side_effect_free, between)):
            break
        outer = [*reversed(between), *outer]
        op = inner[0]
    raise LoweringError(f"'{op.name}' behind a product is no loop over the elements of it")
