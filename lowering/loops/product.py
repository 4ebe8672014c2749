"""A matrix product of which loops are made: its three matrices, and how their elements are addressed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from xdsl.dialects import arith, builtin, memref
from xdsl.dialects.builtin import DYNAMIC_INDEX, FloatAttr, IntegerAttr, VectorType
from xdsl.dialects.linalg import ops as linalg
from xdsl.ir import Attribute, Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.loops.code import Code
from lowering.loops.flat import byte_size
from lowering.shaped import element_type, is_memref, is_vector, vector_of

WIDE = 16
"""From this width on there are 32 vector registers, below it 16."""
F32_BYTES = 4

Number = SSAValue | int


class Placed(NamedTuple):
    """Where in a flat buffer a matrix is, as a `memref.reinterpret_cast` says."""

    cast: memref.ReinterpretCastOp
    offset: Number
    sizes: tuple[Number, Number]
    strides: tuple[Number, Number]

    @property
    def base(self) -> SSAValue:
        """The flat buffer."""
        return self.cast.source


def placed(value: SSAValue) -> Placed:
    """Where a matrix is.

    Raises:
        LoweringError: no cast says it.
    """
    cast = value.owner
    if not isinstance(cast, memref.ReinterpretCastOp):
        raise LoweringError("linalg.matmul needs memref.reinterpret_cast operands here")
    (offset,) = _mixed(cast.static_offsets.get_values(), cast.offsets)
    rows, columns = _mixed(cast.static_sizes.get_values(), cast.sizes)
    down, along = _mixed(cast.static_strides.get_values(), cast.strides)
    return Placed(cast, offset, (rows, columns), (down, along))


def _mixed(static: tuple[int, ...], dynamic: Sequence[SSAValue]) -> list[Number]:
    """A static/dynamic pair of lists as one."""
    rest = iter(dynamic)
    return [next(rest) if item == DYNAMIC_INDEX else item for item in static]


def zero_fill_before(op: Operation, result: SSAValue) -> linalg.FillOp | None:
    """What sets the result of a product to zero just before it; None of a product that is added to what is there.

    Raises:
        LoweringError: the result is set to something else.
    """
    fill = op.prev_op
    while isinstance(fill, arith.ConstantOp):
        fill = fill.prev_op
    if not isinstance(fill, linalg.FillOp) or fill.outputs[0] is not result:
        return None
    zero = fill.inputs[0].owner
    if not isinstance(zero, arith.ConstantOp) or not _is_zero(zero.value):
        raise LoweringError("a matrix product starts from zero or from a tensor")
    return fill


def erase_unused(ops: Iterable[Operation]) -> None:
    """Erase what nothing uses; what fills a result has no results."""
    for old in ops:
        if old.parent is not None and not any(result.uses for result in old.results):
            old.parent.erase_op(old)


def _is_zero(value: Attribute) -> bool:
    return isinstance(value, FloatAttr | IntegerAttr) and value.value.data == 0


@dataclass
class Matrix:
    """A matrix in a flat buffer; strides are constants where the type shows them."""

    base: SSAValue
    offset: SSAValue
    sizes: tuple[SSAValue, SSAValue]
    strides: tuple[Number, Number]

    @classmethod
    def of(cls, code: Code, place: Placed) -> Matrix:
        """The matrix there, whose constants `code` makes."""
        rows, columns = map(code.value, place.sizes)
        return cls(place.base, code.value(place.offset), (rows, columns), place.strides)

    @property
    def element_type(self) -> Attribute:
        """The type of an element."""
        assert is_memref(self.base.type)
        return element_type(self.base.type)

    def unit(self, axis: int) -> bool:
        """Whether elements next to each other along `axis` are neighbours in memory."""
        return self.strides[axis] == 1

    def values(self) -> list[SSAValue]:
        """The values that describe it, constants left out."""
        mixed = (self.base, self.offset, *self.sizes, *self.strides)
        return [v for v in mixed if not isinstance(v, int) and constant_value(v) is None]

    def with_values(self, code: Code, values: Mapping[SSAValue, SSAValue]) -> Matrix:
        """It with `values` in their places, and constants made by `code`."""

        def value(old: SSAValue) -> SSAValue:
            known = constant_value(old)
            return values[old] if known is None else code.constant(known)

        rows, columns = map(value, self.sizes)
        down, along = (s if isinstance(s, int) else value(s) for s in self.strides)
        return Matrix(value(self.base), value(self.offset), (rows, columns), (down, along))


class Product:
    """One product `c[m, n] (+)= sum over k of a[m, k] * b[k, n]`, and where its code goes."""

    def __init__(self, code: Code, a: Matrix, b: Matrix, c: Matrix, width: int) -> None:
        self.code = code
        self.width = width
        self.a, self.b, self.c = a, b, c
        self.m, self.k = a.sizes
        self.n = b.sizes[1]
        self.lanes = width * F32_BYTES // byte_size(c.element_type)
        self.vector = VectorType(c.element_type, [self.lanes])
        self.accumulates = True

    @property
    def widens(self) -> bool:
        """Whether factors are of fewer bits than what is added up."""
        return self.b.element_type != self.c.element_type

    @property
    def masks_whole_vectors(self) -> bool:
        """Whether masks cost nothing where all lanes are taken: AVX2 has none for lanes of 16 bits."""
        return not self.widens or self.width >= WIDE

    @property
    def has_one_row(self) -> bool:
        """Whether there is one row, whatever the sizes."""
        return constant_value(self.m) == 1

    @property
    def arguments(self) -> list[SSAValue]:
        """The values that the code for the product depends on."""
        return list(dict.fromkeys((*self.a.values(), *self.b.values(), *self.c.values())))

    def at(self, matrix: Matrix, axis: int, index: SSAValue, base: SSAValue) -> SSAValue:
        """The linear index `base` moved on by `index` along `axis`."""
        return self.code.plus(base, self.along(matrix, axis, index))

    def along(self, matrix: Matrix, axis: int, index: SSAValue) -> SSAValue:
        """How far element `index` along `axis` lies from element 0."""
        stride = matrix.strides[axis]
        return index if stride == 1 else self.code.times(index, self.code.value(stride))

    def load(
        self, base: SSAValue, index: SSAValue, lanes: int, mask: SSAValue | None = None
    ) -> SSAValue:
        """A vector of a factor, in the type that is added up; lanes that `mask` leaves out are zero."""
        assert is_memref(base.type)
        value = self.code.load(base, index, vector_of(element_type(base.type), lanes), mask)
        return self.code.widened(value, vector_of(self.c.element_type, lanes))

    def element(self, base: SSAValue, index: SSAValue) -> SSAValue:
        """An element of a factor, in the type that is added up."""
        return self.code.widened(self.code.element(base, index), self.c.element_type)

    def ends(self, count: SSAValue, lanes: int) -> list[tuple[SSAValue, bool]]:
        """Where loops end that go through `count` elements of a factor by vectors, and whether vectors need a mask there."""
        whole = [] if self.masks_whole_vectors else [(self.code.whole(count, lanes), False)]
        return [*whole, (count, True)]

    def masks(self, first: SSAValue, count: int) -> list[SSAValue]:
        """Which columns from `first` on there are, in `count` vectors."""
        code = self.code
        left = code.minus(self.n, first)
        return [code.mask(code.minus(left, v * self.lanes), self.lanes) for v in range(count)]

    def rows(self, first: SSAValue, count: int, end: SSAValue) -> list[SSAValue]:
        """`count` rows from `first` on; the last one before `end` stands in for those beyond it."""
        code = self.code
        last = code.minus(end, 1)
        return [first, *(code.smaller(code.plus(first, i), last) for i in range(1, count))]

    def store(self, parts: Sequence[tuple[SSAValue, SSAValue, SSAValue, SSAValue]]) -> None:
        """Writes sums, or adds them to what is there. Each part has the sums, their row and first column, and a mask.

        All is read before anything is written, as a row may stand there twice.
        """
        code, c = self.code, self.c
        indices = [code.plus(self.at(c, 0, row, c.offset), column) for _, row, column, _ in parts]
        values = [value for value, *_ in parts]
        if self.accumulates:
            old = [
                code.load(c.base, index, vector_type(value), mask)
                for index, (value, *_, mask) in zip(indices, parts, strict=True)
            ]
            values = [code.add_floats(x, y) for x, y in zip(values, old, strict=True)]
        for value, index, (*_, mask) in zip(values, indices, parts, strict=True):
            code.store(value, c.base, index, mask)


def vector_type(value: SSAValue) -> VectorType[Attribute]:
    """The type of a vector."""
    assert is_vector(value.type)
    return value.type


def constant_value(value: SSAValue) -> int | None:
    """The value of an index constant."""
    owner = value.owner
    if isinstance(owner, arith.ConstantOp) and isinstance(owner.value, builtin.IntegerAttr):
        return owner.value.value.data
    return None
