"""Runs the bodies of pointwise operators on runtime values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.pointwise.numpy_math import NUMPY
from torchscript_dialect.ops.pointwise.pointwise_declaration import (
    PROMOTING_NUMBERS,
    Pointwise,
    Role,
    roles,
)
from torchscript_dialect.ops.refused_dtypes import refusals_of
from torchscript_dialect.ops.registry import Operator, computing_form
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float8 import converted
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import (
    broadcast_shapes,
    empty_like_operands,
)
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath, result_type

_TOLERANCES = frozenset(("rtol", "atol"))
"""Numbers that stay floats beside integers."""
_STRIDE_NUMBERS = frozenset(("self", "other"))


class Evaluator:
    """Runs the body of one operator on runtime values."""

    def __init__(self, operator: Operator) -> None:
        self.operator = operator
        schema = operator.schema
        declared = operator.rules.pointwise
        assert isinstance(declared, Pointwise)
        self.name = operator.qualified_name
        self.pointwise = declared
        self.body: Callable[..., Any] = declared.body
        self.roles = roles(schema)
        names = [argument.name for argument in schema.arguments][: len(self.roles)]
        self.names = names
        self.promotes = [_promotes(declared, name, role) for name, role in zip(names, self.roles)]
        self.keeps = [name in declared.keeps for name in names]
        self.refusals = refusals_of(computing_form(operator))
        places = () if self.refusals is None else self.refusals.places
        self.refuses_common = all(self.promotes[place] for place in places)
        self.rounded_numbers = declared.rounded_numbers(schema)
        self.kept = frozenset(place for place, keeps in enumerate(self.keeps) if keeps)
        self.has_strides = [
            role is Role.TENSOR or (role is Role.NUMBER and name in _STRIDE_NUMBERS)
            for name, role in zip(names, self.roles)
        ]

    def dtypes(self, operands: Sequence[Any]) -> tuple[dtype, dtype]:
        """The dtypes of the computation and of the result."""
        promoting = [
            operand
            for operand, promotes in zip(operands, self.promotes)
            if promotes and operand is not None
        ]
        common = result_type(promoting)
        if self.refusals is not None and self.refuses_common:
            self.refusals.check(common)
        elif self.refusals is not None:
            self.refusals.check_operands(operands)
        if self.pointwise.check_operands is not None:
            self.pointwise.check_operands(*operands)
        return self.pointwise.dtypes(common, rounded=self.is_rounded(operands))

    def bounded_places(self) -> list[int]:
        """Which operands are numbers that a dtype must have room for."""
        pairs = enumerate(zip(self.roles, self.names, strict=True))
        limits = self.pointwise.limits
        return [at for at, (role, name) in pairs if role is Role.NUMBER and name in limits]

    def is_rounded(self, operands: Sequence[Any]) -> bool:
        """Whether the rounding argument is given."""
        rounding = self.pointwise.rounding
        return rounding is not None and operands[self.names.index(rounding)] is not None

    @ignores_float_errors
    def run(self, operands: Sequence[Any], common: dtype) -> Any:
        """The body's result: an array or NumPy scalar, in the compute dtype, of any layout."""
        if self.pointwise.check is not None:
            self.pointwise.check(common)
        compute = opmath(common)
        values = [
            operand
            if operand is None or role is Role.STATIC
            else self._value(operand, name, keeps, common, compute)
            for operand, role, name, keeps in zip(operands, self.roles, self.names, self.keeps)
        ]
        try:
            by_one = common is not compute and self._is_by_one(operands)
            raw = self.pointwise.body_for(common, by_one=by_one)(NUMPY, *values)
        except TypeError as error:
            raise NotImplementedError(
                f"{self.name} is not implemented for '{common.type_name}'"
            ) from error
        if raw.__class__ is np.ndarray and (raw.base is not None or is_one_of(raw, values)):
            return raw.copy()
        return raw

    def _is_by_one(self, operands: Sequence[Any]) -> bool:
        if "other" not in self.names:
            return False
        other = operands[self.names.index("other")]
        return not isinstance(other, Tensor) or other.array.size == 1

    def _value(self, operand: Any, name: str, keeps: bool, common: dtype, compute: dtype) -> Any:
        is_wide = name == "other" and self.pointwise.wide_other
        if isinstance(operand, Tensor):
            array = operand.array
            if keeps:
                return array
            if array.dtype != common.numpy_dtype and (array.shape or not is_wide):
                array = array.astype(common.numpy_dtype)
            same = array.dtype == compute.numpy_dtype
            return array if same else array.astype(compute.numpy_dtype)
        return self.number(operand, name, common)

    def number(self, number: Any, name: str, common: dtype) -> Any:
        """What the body gets for a number, which is the operand of that name."""
        compute = opmath(common)
        self.pointwise.check_number(name, number, common)
        if name in _TOLERANCES and compute.is_integral:
            compute = dtypes.get_default_dtype()
        made = np.asarray(self.pointwise.factor(name, number, common))
        if compute is not common and name in self.rounded_numbers:
            made = converted(common.numpy_dtype, made)
        return made.astype(compute.numpy_dtype)

    def fresh(self, operands: Sequence[Any], common: dtype, result: dtype) -> NDArray[Any]:
        """An array for the result, with the strides that PyTorch gives it."""
        if self.pointwise.contiguous:
            shapes = [x.array.shape for x in operands if isinstance(x, Tensor)]
            return np.empty(broadcast_shapes(*shapes), result.numpy_dtype)
        if self.pointwise.reverse_operands:
            operands = operands[1::-1]
        described = [
            operand.array if isinstance(operand, Tensor) else operand
            for operand, has_strides in zip(operands, self.has_strides)
            if has_strides and operand is not None
        ]
        return empty_like_operands(described, result.numpy_dtype, common.numpy_dtype, self.kept)


def _promotes(declared: Pointwise, name: str, role: Role) -> bool:
    if declared.promotes is not None:
        return name in declared.promotes
    if role is Role.TENSOR:
        return name not in declared.keeps
    return role is Role.NUMBER and name in PROMOTING_NUMBERS


def is_one_of(raw: object, values: Sequence[object]) -> bool:
    return any(raw is value for value in values)
