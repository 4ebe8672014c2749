"""Single numbers and their forms: NaN replaced, neighbours, signs, common divisors, powers in float64."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from math import inf, log
from typing import Any, cast

import ml_dtypes
import numpy as np

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.pointwise.arithmetic import not_implemented_for
from torchscript_dialect.ops.pointwise.pointwise import pointwise
from torchscript_dialect.ops.pointwise.pointwise_declaration import (
    COMPARISON,
    DEFAULT,
    INT_TO_FLOAT,
)
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.ops.pointwise.steps import in_steps
from torchscript_dialect.ops.reduction.reduction import computed
from torchscript_dialect.ops.shapes import Fact, broadcast, dtype_of, fresh, preserved, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import empty_like, empty_like_operands
from torchscript_dialect.tensor.tensor import Tensor, tensor_of


def xlog1py(m: ScalarMath, x: Any, y: Any) -> Any:
    """x log(1 + y), 0 where x is 0; NaN where y is."""
    logarithm = m.log1p(y)
    product = m.where(m.eq(x, 0), m.constant(0, logarithm), m.mul(x, logarithm))
    return m.where(m.ne(y, y), y, product)


pointwise(
    "special_xlog1py special_xlog1py.other_scalar special_xlog1py.self_scalar",
    INT_TO_FLOAT,
    xlog1py,
    check=not_implemented_for("xlog1py_cpu", "complex"),
    bodies=in_steps(xlog1py),
)


def logaddexp2(m: ScalarMath, x: Any, y: Any) -> Any:
    """log2(2^x + 2^y)."""
    gap = m.neg(m.abs(m.sub(x, y)))
    correction = m.mul(m.log1p(m.exp2(gap)), 1 / log(2))
    same_infinity = m.bit_and(m.eq(x, y), m.isinf(x))
    return m.where(same_infinity, x, m.add(m.maximum(x, y), correction))


pointwise(
    "logaddexp2",
    DEFAULT,
    logaddexp2,
    check=not_implemented_for("logaddexp2_cpu", "bool", "int", "complex"),
)


def _frexp_shape(facts: Sequence[Fact]) -> Fact:
    x = facts[0]
    return preserved(dtype_of(x), x), preserved(dtypes.int32, x)


@registry.kernel("frexp.Tensor", shape=_frexp_shape)
def frexp(x: Tensor) -> tuple[Tensor, Tensor]:
    """Mantissas from 0.5 to 1 and exponents of 2 of floats; exponent 0 where a number is not finite."""
    array = x.array
    if not x.dtype.is_floating_point:
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    mantissa, exponent = empty_like(array), empty_like(array, np.dtype(np.int32))
    mantissas, exponents = np.frexp(computed(array))
    mantissa[...] = mantissas
    exponent[...] = np.where(np.isfinite(mantissas), exponents, 0)
    return tensor_of(mantissa), tensor_of(exponent)


def _nan_to_num(m: ScalarMath, x: Any, nan: Any, above: Any, below: Any, of: dtype | None) -> Any:
    """What stands for NaN and the infinities; 0 and the largest numbers of the dtype where nothing is given."""
    if m.kind(x) == "c":
        result = np.empty_like(x)
        result.real = _nan_to_num(m, x.real, nan, above, below, of)
        result.imag = _nan_to_num(m, x.imag, nan, above, below, of)
        return result
    if m.kind(x) != "f":
        return x
    element = dtypes.from_name(f"float{m.bits(x)}") if of is None else of
    largest = float(cast("Any", ml_dtypes).finfo(element.numpy_dtype).max)
    above = largest if above is None else above
    below = -largest if below is None else below
    result = m.where(m.eq(x, inf), above, m.where(m.eq(x, -inf), below, x))
    return m.where(m.isnan(x), 0.0 if nan is None else nan, result)


def _nextafter(_m: ScalarMath, x: Any, y: Any, narrow: Any) -> Any:
    """The neighbour among 16-bit floats, of which bodies are given float32 ones."""
    found = np.nextafter(x.astype(narrow), y.astype(narrow)).astype(x.dtype)
    return cast("Any", np).where(x == y, y, found)


def _signbit(m: ScalarMath, x: Any) -> Any:
    """Of NaN and zeros, too."""
    if m.kind(x) == "f":
        return m.lt(m.copysign(1.0, x), 0.0)
    return m.lt(x, 0) if m.kind(x) == "i" else m.ne(x, x)


_NARROW = (dtypes.float16, dtypes.bfloat16)
pointwise(
    "nan_to_num",
    DEFAULT,
    partial(_nan_to_num, of=None),
    shares="biu",
    bodies={element: partial(_nan_to_num, of=element) for element in _NARROW},
)


def heaviside(m: ScalarMath, x: Any, values: Any) -> Any:
    """0 below 0 (and where x is NaN), 1 above, and `values` at 0."""
    step = m.where(m.gt(x, 0), m.constant(1, x), m.constant(0, x))
    return m.where(m.eq(x, 0), values, step)


def _same_dtype(name: str, message: str) -> Any:
    def check(x: Tensor, y: Tensor, *_: Any) -> None:
        if x.dtype is not y.dtype:
            raise RuntimeError(message)
        if x.dtype.is_complex:
            raise RuntimeError(f"{name} is not yet implemented for complex tensors.")

    return check


pointwise(
    "heaviside",
    DEFAULT,
    heaviside,
    check_operands=_same_dtype(
        "heaviside", "heaviside is not yet implemented for tensors with different dtypes."
    ),
)
pointwise(
    "nextafter",
    DEFAULT,
    lambda _, x, y: np.nextafter(x, y),
    check=not_implemented_for("nextafter_cpu", "bool", "int", "complex"),
    numpy_only=True,
    bodies={element: partial(_nextafter, narrow=element.numpy_dtype) for element in _NARROW},
)
pointwise(
    "signbit",
    COMPARISON,
    _signbit,
    check=not_implemented_for("signbit_cpu", "complex"),
)
pointwise(
    "gcd",
    DEFAULT,
    lambda m, x, y: m.gcd(x, y),
    check=not_implemented_for("gcd_cpu", "bool", "float", "complex"),
)
pointwise(
    "lcm",
    DEFAULT,
    lambda m, x, y: m.lcm(x, y),
    check=not_implemented_for("lcm_cpu", "bool", "float", "complex"),
)

# Powers of 2


def _ldexp_shape(facts: Sequence[Fact]) -> Fact:
    x, other = facts
    sizes = rank_known(x), rank_known(other)
    shape = None if None in sizes else broadcast(sizes)
    return replace(fresh(None, shape, x, other), strides=None)


@ignores_float_errors
def ldexp(x: Tensor, other: Tensor) -> Tensor:
    """`x * 2 ** other`, with one rounding where floats have exponents that are ints."""
    if x.dtype.is_floating_point and other.dtype is dtypes.bool_:
        raise NotImplementedError("\"ldexp_cpu_exp\" not implemented for 'Bool'")
    if not (x.dtype.is_floating_point and other.dtype.is_integral):
        has_own_base = x.dtype.is_complex or (
            x.dtype.is_floating_point and x.dtype is not dtypes.float32
        )
        base = tensor_of(np.array(2.0, x.array.dtype)) if has_own_base else 2.0
        return call("aten::mul", (x, call("aten::pow", (base, other))))
    operands = [x.array, other.array]
    result = empty_like_operands(operands, x.array.dtype, x.array.dtype)
    result[...] = np.ldexp(computed(x.array), other.array.astype(np.int32))
    return tensor_of(result)


composite(
    "aten::ldexp.Tensor",
    "def ldexp(self: Tensor, other: Tensor) -> Tensor:\n    return self * torch.pow(2.0, other)\n",
    kernel=ldexp,
    shape=_ldexp_shape,
)
composite(
    "aten::ldexp_",
    """
def ldexp_(self: Tensor, other: Tensor) -> Tensor:
    result = torch.ldexp(self, other)
    if not torch.can_cast(result.dtype, self.dtype):
        raise RuntimeError("the result of ldexp_ can't be cast to the dtype of its input")
    return self.copy_(result)
""",
)

# Decompositions

_POWER = """
    wide = torch.complex128 if {is_complex} else torch.float64
    return torch.pow({base}, {exponent})
"""
composite(
    "aten::float_power.Tensor_Tensor",
    "def float_power(self: Tensor, exponent: Tensor) -> Tensor:"
    + _POWER.format(
        is_complex="self.is_complex() or exponent.is_complex()",
        base="self.to(wide)",
        exponent="exponent.to(wide)",
    ),
)
composite(
    "aten::float_power.Tensor_Scalar",
    "def float_power(self: Tensor, exponent: number) -> Tensor:"
    + _POWER.format(
        is_complex="self.is_complex() or isinstance(exponent, complex)",
        base="self.to(wide)",
        exponent="exponent",
    ),
)
composite(
    "aten::float_power.Scalar",
    "def float_power(self: number, exponent: Tensor) -> Tensor:"
    + _POWER.format(
        is_complex="isinstance(self, complex) or exponent.is_complex()",
        base="self",
        exponent="exponent.to(wide)",
    ),
)
_IN_PLACE = """
    wide = torch.complex128 if {is_complex} else torch.float64
    if self.dtype != wide:
        names = ["Byte", "Char", "Short", "Int", "Long", "Half", "Float", "Double", "", "ComplexFloat", "ComplexDouble", "Bool"]
        name = names[self.dtype] if self.dtype < len(names) else "BFloat16"
        raise RuntimeError("the base given to float_power_ has dtype " + name
            + " but the operation's result requires dtype " + names[wide])
    return self.pow_({exponent})
"""
composite(
    "aten::float_power_.Tensor",
    "def float_power_(self: Tensor, exponent: Tensor) -> Tensor:"
    + _IN_PLACE.format(
        is_complex="self.is_complex() or exponent.is_complex()", exponent="exponent.to(wide)"
    ),
)
composite(
    "aten::float_power_.Scalar",
    "def float_power_(self: Tensor, exponent: number) -> Tensor:"
    + _IN_PLACE.format(
        is_complex="self.is_complex() or isinstance(exponent, complex)", exponent="exponent"
    ),
)
