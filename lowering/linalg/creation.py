"""Tensors from nothing: of one number, which stand in kernels as what reads them computes it anew, and of numbers that count, which are
lowered for other compilers.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from xdsl.ir import SSAValue

from lowering.linalg.operands import constant, is_dense
from lowering.linalg.operator_lowering import OperatorLowering
from lowering.linalg.properties import options_are_known
from lowering.linalg.sizes import are_in_kernel, is_list_of_sizes, named_size, named_sizes
from lowering.linalg.symbolic_shapes import Shape, fixed
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.tensor.dtype import bool_, float64, from_name, int64
from torchscript_dialect.types.core import BOOL, FLOAT, INT
from torchscript_dialect.types.tensor_type import TensorType

if TYPE_CHECKING:
    from lowering.export.export_builder import ExportBuilder, Places
    from lowering.linalg.scalar_builder import Scalar, ScalarBuilder

_NUMBERS = {"zeros": 0, "ones": 1, "empty": 0}


def _base(op: OperatorOp) -> str:
    """`full` of `aten::new_full` and `aten::full_like`."""
    return op.KIND.removeprefix("aten::").removeprefix("new_").removesuffix("_like")


class Fill(OperatorLowering):
    """`aten::full([2, 3], %number, ...)`, `aten::zeros_like(%x, ...)` and their like become `linalg.fill`; in kernels, where the number
    and the sizes are constants, a `linalg.generic` that reads nothing, and fuses into its users.
    """

    takes_properties = True

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        place = _number_place(op)
        if place is None:
            return True
        found = constant(op.operands[place])
        if found is not None:
            return isinstance(found.value, int | float)
        return type_of(op.operands[place]) in (INT, FLOAT, BOOL)

    @classmethod
    def suits_kernel(cls, op: OperatorOp) -> bool:
        place, (result,) = _number_place(op), op.results
        if not is_dense(result) or not (op.KIND.endswith("_like") or _are_known(_sizes_of(op))):
            return False
        if not options_are_known(op):
            return False
        found = None if place is None else constant(op.operands[place])
        return place is None or (found is not None and fits(found.value, result))

    @classmethod
    def weight(cls, op: OperatorOp) -> int:
        return 0

    def shapes(self, b: ExportBuilder, op: OperatorOp) -> Sequence[Shape]:
        if op.KIND.endswith("_like"):
            return [b.shapes[op.operands[0]]]
        return [named_sizes(b, _sizes_of(op), cast(TensorType, op.results[0].type).sizes or ())]

    def lower(self, b: ExportBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        place = _number_place(op)
        if place is None:
            return [b.full(_NUMBERS[_base(op)], shape, of, like=op)]
        value = op.operands[place]
        if constant(value) is not None:
            return [b.full(b.constant(value), shape, of, like=op)]

        def body(math: ScalarBuilder, elements: list[Scalar]) -> Scalar:
            return math.cast(math.wrap(value, b.scalars[value]), of.name)

        return [b.generic(shape, of, [], body, like=op)]


def _are_known(sizes: SSAValue) -> bool:
    return is_list_of_sizes(sizes) and are_in_kernel(sizes)


def _sizes_of(op: OperatorOp) -> SSAValue:
    return op.operands[1 if ".new_" in op.name else 0]


def fits(number: float, value: SSAValue) -> bool:
    """Whether a tensor holds the number as it is, or rounded: PyTorch raises for others."""
    of = from_name(cast(str, cast(TensorType, value.type).dtype))
    if of.is_floating_point:
        return of is float64 or not math.isfinite(number) or abs(number) < 3e38
    if not math.isfinite(number):
        return False
    bits = 8 * of.itemsize - 1
    return (
        number in (0, 1)
        if of is bool_
        else (int(number) == number and -(1 << bits) <= number < 1 << bits)
    )


def _number_place(op: OperatorOp) -> int | None:
    """Which operand is the number that the tensor is filled with."""
    if _base(op) != "full":
        return None
    return 2 if ".new_" in op.name else 1


class Range(OperatorLowering):
    """`aten::arange(%start, %end, %step, ...)` becomes a `linalg.generic` of `linalg.index`."""

    joins_groups = False

    @classmethod
    def takes(cls, op: OperatorOp) -> bool:
        start, end, step = _bounds(op)
        return all(one is None or constant(one) is not None for one in (start, step)) and (
            constant(end) is not None or (start is None and step is None)
        )

    def shapes(self, b: ExportBuilder, op: OperatorOp) -> Sequence[Shape]:
        _, end, _ = _bounds(op)
        if constant(end) is None:
            size = named_size(b, end, None)
            assert size is not None
            return [(size,)]
        return [(fixed(cast(Any, op.results[0].type).sizes[0]),)]

    def lower(self, b: ExportBuilder, op: OperatorOp) -> Sequence[SSAValue]:
        shape, of = b.shapes[op.results[0]], b.dtype_of(op.results[0])
        start, _, step = _bounds(op)
        first: Any = 0 if start is None else b.constant(start)
        factor: Any = 1 if step is None else b.constant(step)
        wide = float64 if of.is_floating_point else int64

        def body(places: Places, elements: list[Scalar]) -> Scalar:
            math = places.math
            place = math.cast(places.place(0), wide.name)
            number = math.mul(place, math.number(factor, wide))
            return math.cast(math.add(number, math.number(first, wide)), of.name)

        return [b.indexed(shape, of, [], body, like=op)]


def _bounds(op: OperatorOp) -> tuple[SSAValue | None, SSAValue, SSAValue | None]:
    """Start, end and step; None where the overload has none."""
    first, second, third, *_ = op.operands
    if op.name.endswith(".start_step"):
        return first, second, third
    return (first, second, None) if op.name.endswith(".start") else (None, first, None)
