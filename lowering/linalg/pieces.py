"""Lists of parts of a tensor that are unpacked at once: each part becomes a `tensor.extract_slice`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from xdsl.ir import Operation, SSAValue

from lowering.kernel import LoweringError
from lowering.linalg.operands import constant, has_elements, is_known
from lowering.linalg.operator_lowering import OperatorLowering, lowering_of
from lowering.linalg.symbolic_shapes import Definition, Shape, Symbol, fixed
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder


class Pieces(OperatorLowering):
    """The operator becomes nothing: what unpacks the list looks at it."""

    is_view = True
    vanishes = True
    drops_dimension: ClassVar[bool] = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        source, *others = op.operands
        users = [use.operation for use in op.results[0].uses]
        is_unpacked = len(users) == 1 and isinstance(users[0], prim.ListUnpackOp)
        if not (is_unpacked and is_known(source) and all(map(constant, others))):
            return False
        rank = len(cast(TensorType, source.type).sizes or ())
        return (
            -rank <= cast(prim.ConstantOp, others[-1].owner).value < rank
        )  # else it fails when it runs

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return has_elements(op.operands[0])

    @classmethod
    @abstractmethod
    def sizes(cls, b: LinalgBuilder, op: OperatorOp, whole: Symbol, count: int) -> list[Symbol]:
        """The sizes of the parts, of which there are `count`, in the dimension that is cut.

        Raises:
            LoweringError: there are more of them, or fewer.
        """

    @staticmethod
    def axis(b: LinalgBuilder, op: OperatorOp) -> int:
        """The dimension that is cut."""
        return b.constant(op.operands[-1]) % len(b.shapes[op.operands[0]])

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[None]:
        return [None]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        return ()


class Split(Pieces):
    """`aten::split(%x, %size, %dim)`: the last part may be smaller than the others."""

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        size = constant(op.operands[1])
        return super().takes(op) and size is not None and size.value > 0

    @classmethod
    def sizes(cls, b: LinalgBuilder, op: OperatorOp, whole: Symbol, count: int) -> list[Symbol]:
        size: int = b.constant(op.operands[1])
        before = size * (count - 1)
        b.require(whole, before + 1, before + size)
        last = Symbol(whole.size - before)
        last.definitions.append(Definition("span", (whole,), 1, -before))
        return [*(fixed(size) for _ in range(count - 1)), last if before else whole]


class SplitBySizes(Pieces):
    """`aten::split_with_sizes(%x, [2, 3], %dim)`."""

    @classmethod
    def sizes(cls, b: LinalgBuilder, op: OperatorOp, whole: Symbol, count: int) -> list[Symbol]:
        sizes: list[int] = b.constant(op.operands[1])
        if len(sizes) != count or sum(sizes) != whole.size:
            raise LoweringError("a tensor is split into parts that it does not have")
        whole.unite(fixed(whole.size))
        return [fixed(size) for size in sizes]


class Unbinding(Pieces):
    """`aten::unbind(%x, %dim)`: parts without the dimension."""

    drops_dimension = True

    @classmethod
    def sizes(cls, b: LinalgBuilder, op: OperatorOp, whole: Symbol, count: int) -> list[Symbol]:
        whole.unite(fixed(count))
        return [Symbol(1, is_static=True) for _ in range(count)]


class Unpacking(OperatorLowering):
    """`%a, %b = prim::ListUnpack(%parts)` of such a list becomes a `tensor.extract_slice` for each part."""

    is_view = True

    @classmethod
    def takes(cls, op: prim.ListUnpackOp) -> bool:
        maker = op.list.owner
        if not isinstance(maker, OperatorOp):
            return False
        lowering = lowering_of(type(maker))
        is_cut = lowering is not None and issubclass(lowering, Pieces) and lowering.takes(maker)
        return is_cut and all(isinstance(result.type, TensorType) for result in op.results)

    @classmethod
    def suits_kernel(cls, op: prim.ListUnpackOp) -> bool:
        source = cast(Operation, op.list.owner).operands[0]
        return has_elements(source) and all(map(has_elements, op.results))

    def shapes(self, b: LinalgBuilder, op: prim.ListUnpackOp) -> Sequence[Shape]:
        cut, source, axis, whole = _cut(b, op)
        sizes = cut.sizes(b, source, whole[axis], len(op.results))
        kept = [() if cut.drops_dimension else (size,) for size in sizes]
        return [(*whole[:axis], *size, *whole[axis + 1 :]) for size in kept]

    def lower(self, b: LinalgBuilder, op: prim.ListUnpackOp) -> Sequence[SSAValue]:
        cut, maker, axis, whole = _cut(b, op)
        source, parts = maker.operands[0], list[SSAValue]()
        offset: int | SSAValue = 0
        for number, result in enumerate(op.results):
            shape = b.shapes[result]
            size = Symbol(1, is_static=True) if cut.drops_dimension else shape[axis]
            sizes = (*whole[:axis], size, *whole[axis + 1 :])
            start = number if cut.drops_dimension else offset
            parts.append(b.extract_part(source, sizes, axis, start, 1, shape, b.dtype_of(result)))
            if number + 1 < len(op.results) and not cut.drops_dimension:
                extent = b.extent(size)
                offset = extent if number == 0 else b.plus(cast(SSAValue, offset), extent)
        return parts


def _cut(b: LinalgBuilder, op: prim.ListUnpackOp) -> tuple[type[Pieces], OperatorOp, int, Shape]:
    """What cuts the list's parts, and how: its class, the node, the dimension, and the sizes of the whole."""
    maker = op.list.owner
    lowering = lowering_of(type(maker)) if isinstance(maker, OperatorOp) else None
    if lowering is None or not issubclass(lowering, Pieces) or not isinstance(maker, OperatorOp):
        raise LoweringError("a list that is unpacked is not one of parts of a tensor")
    return lowering, maker, lowering.axis(b, maker), b.shapes[maker.operands[0]]
