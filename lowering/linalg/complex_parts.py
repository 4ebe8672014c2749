"""Parts of complex numbers, and their conjugates: views, as PyTorch has them, which become pointwise ops that fuse into their users."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from xdsl.ir import SSAValue

from lowering.linalg.complex_scalars import ScalarPairs
from lowering.linalg.element import Element
from lowering.linalg.operands import is_complex, is_dense, is_known
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.symbolic_shapes import Shape
from torchscript_dialect.dialects.operators import OperatorOp

if TYPE_CHECKING:
    from lowering.linalg.linalg_builder import LinalgBuilder
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder


class OfComplex(OperatorLowering):
    """What is made of each complex number by itself; a real operand is its own real part, and conjugate, which no group needs."""

    takes_complex = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        (source,) = op.operands
        return is_complex(source) and is_known(source, takes_complex=True)

    @classmethod
    def weight(cls, op: OperatorOp) -> int:
        return 1

    def shapes(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[Shape]:
        return [b.shapes[op.operands[0]]]

    def lower(self, b: LinalgBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        (source,) = op.operands
        shape, of = b.shapes[source], b.dtype_of(op.results[0])
        whole = Element(source, b.dtype_of(source), tuple(range(len(shape))))

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return self.made_of(math, elements[0])

        return [b.generic(shape, of, [whole], body, like=op)]

    @abstractmethod
    def made_of(self, math: ScalarBuilder, element: Scalar) -> Scalar:
        """What is made of one number."""


class RealPart(OfComplex):
    """`aten::real(%x)` becomes a `linalg.generic` with `complex.re`."""

    is_view = True

    def made_of(self, math: ScalarBuilder, element: Scalar) -> Scalar:
        return math.parts(element)[0]


class ImaginaryPart(OfComplex):
    """`aten::imag(%x)` becomes a `linalg.generic` with `complex.im`."""

    is_view = True

    def made_of(self, math: ScalarBuilder, element: Scalar) -> Scalar:
        return math.parts(element)[1]


class Conjugate(OfComplex):
    """`aten::conj(%x)` becomes a `linalg.generic` with `complex.create` of the parts, the second of them negated."""

    is_view = True

    def made_of(self, math: ScalarBuilder, element: Scalar) -> Scalar:
        pairs = ScalarPairs(math)
        return pairs.recorded(pairs.conj(pairs.element(element)))


class PhysicalConjugate(Conjugate):
    """`aten::conj_physical(%x)`, which is no view."""

    is_view = False

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return is_dense(op.results[0])


class Angle(OfComplex):
    """`aten::angle(%x)` becomes a `linalg.generic` with `math.atan2`."""

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        return is_dense(op.results[0])

    @classmethod
    def weight(cls, op: OperatorOp) -> int:
        return 24

    def made_of(self, math: ScalarBuilder, element: Scalar) -> Scalar:
        real, imag = math.parts(element)
        return math.atan2(imag, real)
