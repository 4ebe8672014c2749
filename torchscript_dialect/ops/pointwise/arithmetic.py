"""Pointwise arithmetic: sums, products, quotients, remainders, powers, magnitudes."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.ops.pointwise.numpy_math import complex_logaddexp
from torchscript_dialect.ops.pointwise.pointwise import pointwise
from torchscript_dialect.ops.pointwise.pointwise_declaration import (
    BOOL_TO_INT,
    COMPLEX_TO_FLOAT,
    DEFAULT,
    INT_TO_FLOAT,
)
from torchscript_dialect.ops.pointwise.scalar_math import ScalarMath
from torchscript_dialect.ops.pointwise.steps import in_steps
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import check_fits
from torchscript_dialect.tensor.dtype import bool_, dtype
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import opmath

_C_NAMES = {
    "float32": "float",
    "float64": "double",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
    "int64": "long int",
    "int32": "int",
    "int16": "short int",
    "int8": "signed char",
    "uint8": "unsigned char",
    "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}


def c_name(element: dtype) -> str:
    """The dtype's name in C++, as messages have it."""
    return _C_NAMES.get(element.name, element.name)


def _is_exact(x: Tensor) -> bool:
    return not (x.dtype.is_floating_point or x.dtype.is_complex)


def _is_bool(operand: Any) -> bool:
    return operand.dtype is bool_ if isinstance(operand, Tensor) else isinstance(operand, bool)


def refuse_bool_subtraction(x: Any, y: Any, _alpha: Any) -> None:
    if _is_bool(x) and _is_bool(y):
        raise RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. "
            "Use the `^` or `logical_xor()` operator instead."
        )
    if _is_bool(x) or _is_bool(y):
        raise RuntimeError(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying "
            "to invert a mask, use the `~` or `logical_not()` operator instead."
        )


def refuse_powers(x: Any, y: Any) -> None:
    """Integers have no negative powers, and none by a number that their dtype cannot hold."""
    if not isinstance(y, int) or isinstance(y, bool) or not _is_exact(x):
        return
    if y < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    if isinstance(x, Tensor) and x.dtype.is_integral:
        check_fits(x.dtype, y)


def _if_short(common: dtype) -> dtype | None:
    """Floats of 16 bits have powers by numbers that they have room for."""
    return common if common.is_floating_point and opmath(common) is not common else None


def require_one_dtype(x: Any, end: Any, weight: Any) -> None:
    """`lerp` does not promote, but a weight without dimensions may have any dtype."""
    for name, other in (("end", end), ("weight", weight)):
        if name == "weight" and isinstance(other, Tensor) and not other.ndim:
            continue
        if isinstance(other, Tensor) and other.dtype is not x.dtype:
            raise RuntimeError(
                f"expected dtype {c_name(x.dtype)} for `{name}` but got dtype {c_name(other.dtype)}"
            )


def refuse_bool_negation(common: dtype) -> None:
    if common is bool_:
        raise RuntimeError(
            "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to "
            "invert a mask, use the `~` or `logical_not()` operator instead."
        )


def not_implemented_for(kernel: str, *kinds: str) -> Any:
    """A check that refuses dtypes in PyTorch's words: kinds are `bool`, `int`, `float`, `half` (16 bits), `complex`."""

    def check(common: dtype) -> None:
        refused = (
            ("bool" in kinds and common is bool_)
            or ("int" in kinds and common.is_integral)
            or ("float" in kinds and common.is_floating_point)
            or ("half" in kinds and common.is_floating_point and common.itemsize < 4)
            or ("complex" in kinds and common.is_complex)
        )
        if refused:
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{common.type_name}'")

    return check


def _add_negated(m: ScalarMath, x: Any, y: Any, alpha: Any) -> Any:
    """The difference of complex numbers, which PyTorch has by a negated factor: signs of zeros follow from products with it."""
    return m.add(x, m.mul(m.sub(m.constant(0, x), alpha), y))


pointwise(
    "add.Tensor add.Scalar",
    DEFAULT,
    lambda m, x, y, alpha: m.add(x, m.mul(alpha, y)),
)
pointwise(
    "sub.Tensor sub.Scalar subtract.Tensor subtract.Scalar",
    DEFAULT,
    lambda m, x, y, alpha: m.sub(x, m.mul(alpha, y)),
    check_operands=refuse_bool_subtraction,
    floats_pass=True,
    negated="alpha",
    bodies=dict.fromkeys((dtypes.complex64, dtypes.complex128), _add_negated),
)
pointwise(
    "rsub.Tensor rsub.Scalar",
    DEFAULT,
    lambda m, x, y, alpha: m.sub(y, m.mul(alpha, x)),
    bodies=dict.fromkeys(
        (dtypes.complex64, dtypes.complex128),
        lambda m, x, y, alpha: _add_negated(m, y, x, alpha),
    ),
    reverse_operands=True,
    check_operands=refuse_bool_subtraction,
    floats_pass=True,
    negated="alpha",
)
pointwise(
    "mul.Tensor mul.Scalar multiply.Tensor multiply.Scalar",
    DEFAULT,
    lambda m, x, y: m.mul(x, y),
    wide_other=True,
)
pointwise(
    "div.Tensor div.Scalar divide.Tensor divide.Scalar true_divide.Tensor true_divide.Scalar",
    INT_TO_FLOAT,
    lambda m, x, y: m.div(x, y),
    wide_other=True,
)


def divide_with_rounding(m: ScalarMath, x: Any, y: Any, rounding_mode: str | None) -> Any:
    """The quotient, exact, rounded to zero (`trunc`) or rounded down (`floor`)."""
    match rounding_mode:
        case None:
            return m.div(x, y)
        case "trunc":
            return m.trunc(m.div(x, y)) if m.kind(x) == "f" else m.trunc_div(x, y)
        case "floor":
            return floor_divide(m, x, y)
        case _:
            raise RuntimeError(
                "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
                f"'{rounding_mode}'"
            )


def floor_divide(m: ScalarMath, x: Any, y: Any) -> Any:
    """The quotient rounded down; for floats by way of the remainder, as Python computes `//`."""
    if m.kind(x) != "f":
        return m.floor_div(x, y)
    rest = m.fmod(x, y)
    quotient = m.div(m.sub(x, rest), y)
    differ = m.bit_and(m.ne(rest, 0), m.ne(m.lt(y, 0), m.lt(rest, 0)))
    quotient = m.where(differ, m.sub(quotient, 1), quotient)
    down = m.floor(quotient)
    down = m.where(m.gt(m.sub(quotient, down), 0.5), m.add(down, 1), down)
    exact = m.div(x, y)
    down = m.where(m.eq(quotient, 0), m.copysign(m.constant(0, x), exact), down)
    return m.where(m.eq(y, 0), exact, down)


def remainder(m: ScalarMath, x: Any, y: Any) -> Any:
    """The remainder with the sign of y."""
    rest = m.fmod(x, y)
    if m.kind(x) == "u":
        return rest
    differ = m.bit_and(m.ne(rest, 0), m.ne(m.lt(rest, 0), m.lt(y, 0)))
    return m.where(differ, m.add(rest, y), rest)


def power(m: ScalarMath, x: Any, y: Any) -> Any:
    """x to the y; an integer to a negative power is 0 unless it is 1 or -1."""
    if m.kind(x) != "i":
        return m.pow(x, y)
    odd = m.ne(m.bit_and(y, 1), 0)
    inverse = m.where(m.eq(x, -1), m.where(odd, m.constant(-1, x), 1), m.constant(0, x))
    inverse = m.where(m.eq(x, 1), m.constant(1, x), inverse)
    return m.where(m.lt(y, 0), inverse, m.pow(x, m.maximum(y, 0)))


def power_of_number(m: ScalarMath, x: Any, y: Any) -> Any:
    return power(m, x, y) if m.kind(x) == "i" else m.pow_number(x, y)


def power_of_bfloat16(m: ScalarMath, x: Any, y: Any) -> Any:
    """PyTorch rounds the square that a cube or the inverse of a square is made of."""
    return m.pow_number(x, y, squares="bfloat16")


def power_of_half(m: ScalarMath, x: Any, y: Any) -> Any:
    """PyTorch takes no roots of float16."""
    return m.pow_number(x, y, roots=False)


def sign(m: ScalarMath, x: Any) -> Any:
    """-1, 0 or 1; 0 for NaN. A complex number divided by its magnitude."""
    if m.kind(x) in "bu":
        return m.where(m.ne(x, 0), m.constant(1, x), m.constant(0, x))
    return m.where(
        m.gt(x, 0), m.constant(1, x), m.where(m.lt(x, 0), m.constant(-1, x), m.constant(0, x))
    )


def lerp(m: ScalarMath, start: Any, end: Any, weight: Any) -> Any:
    """start + weight * (end - start), from whichever side is nearer."""
    span = m.sub(end, start)
    from_start = m.add(start, m.mul(weight, span))
    from_end = m.sub(end, m.mul(span, m.sub(m.constant(1, start), weight)))
    return m.where(m.lt(m.abs(m.add(weight, m.constant(0, start))), 0.5), from_start, from_end)


def fmax(m: ScalarMath, x: Any, y: Any) -> Any:
    return m.where(m.ne(x, x), y, m.where(m.ne(y, y), x, m.maximum(x, y)))


def fmin(m: ScalarMath, x: Any, y: Any) -> Any:
    return m.where(m.ne(x, x), y, m.where(m.ne(y, y), x, m.minimum(x, y)))


def clamp(m: ScalarMath, x: Any, low: Any, high: Any) -> Any:
    """x held between two bounds, either of which may be None."""
    if low is None and high is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    if low is not None:
        x = m.maximum(x, low)
    return x if high is None else m.minimum(x, high)


def xlogy(m: ScalarMath, x: Any, y: Any) -> Any:
    """x log(y), 0 where x is 0; NaN where y is."""
    product = m.where(m.eq(x, 0), m.constant(0, m.log(y)), m.mul(x, m.log(y)))
    return m.where(m.ne(y, y), y, product)


def logaddexp(m: ScalarMath, x: Any, y: Any) -> Any:
    """log(e^x + e^y)."""
    if m.kind(x) == "c":
        return complex_logaddexp(x, y)
    correction = m.log1p(m.exp(m.neg(m.abs(m.sub(x, y)))))
    same_infinity = m.bit_and(m.eq(x, y), m.isinf(x))
    return m.where(same_infinity, x, m.add(m.maximum(x, y), correction))


def hypot(m: ScalarMath, x: Any, y: Any) -> Any:
    """The length of (x, y), without overflow on the way."""
    x, y = m.abs(x), m.abs(y)
    long = m.maximum(x, y)
    ratio = m.div(m.minimum(x, y), m.where(m.eq(long, 0), m.constant(1, x), long))
    length = m.mul(long, m.sqrt(m.add(m.mul(ratio, ratio), 1)))
    infinite = m.bit_or(m.isinf(x), m.isinf(y))
    return m.where(infinite, m.constant(float("inf"), x), length)


def refuse_complex(message: str, error: type[RuntimeError] = RuntimeError) -> Any:
    """A check that refuses complex dtypes with this message."""

    def check(common: dtype) -> None:
        if common.is_complex:
            raise error(message)

    return check


def refuse_integer_addcdiv(_x: Tensor, a: Tensor, b: Tensor, _value: Any) -> None:
    if _is_exact(a) and _is_exact(b):
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv "
            "will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can "
            "be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for "
            "integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future "
            "addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), "
            "for all dtypes."
        )


pointwise(
    "div.Tensor_mode div.Scalar_mode divide.Tensor_mode divide.Scalar_mode",
    INT_TO_FLOAT,
    divide_with_rounding,
    rounding="rounding_mode",
    check=not_implemented_for("div_trunc_cpu", "bool"),
    wide_other=True,
    bodies=in_steps(divide_with_rounding),
)
pointwise(
    "floor_divide floor_divide.Scalar floor_divide_.Tensor",
    DEFAULT,
    floor_divide,
    check=not_implemented_for("div_floor_cpu", "bool", "complex"),
    wide_other=True,
    bodies=in_steps(floor_divide),
)
pointwise(
    "remainder.Tensor remainder.Scalar remainder.Scalar_Tensor",
    DEFAULT,
    remainder,
    check=not_implemented_for("remainder_cpu", "bool", "complex"),
)
pointwise(
    "fmod.Tensor fmod.Scalar",
    DEFAULT,
    lambda m, x, y: m.fmod(x, y),
    check=not_implemented_for("fmod_cpu", "bool", "complex"),
)
for _names, _body, _bodies in (
    ("pow.Tensor_Tensor pow_.Tensor", power, {}),
    (
        "pow.Tensor_Scalar pow_.Scalar",
        power_of_number,
        {dtypes.float16: power_of_half, dtypes.bfloat16: power_of_bfloat16},
    ),
):
    pointwise(
        _names,
        DEFAULT,
        _body,
        check=not_implemented_for("pow", "bool"),
        check_operands=refuse_powers,
        floats_pass=True,
        bodies=_bodies,
        limits={"exponent": _if_short},
    )
pointwise("pow.Scalar", DEFAULT, power, check=not_implemented_for("pow", "bool"), contiguous=True)
pointwise("neg negative", DEFAULT, lambda m, x: m.neg(x), check=refuse_bool_negation)
pointwise(
    "abs absolute",
    COMPLEX_TO_FLOAT,
    lambda m, x: m.abs(x),
    check=not_implemented_for("abs_cpu", "bool"),
)
pointwise(
    "sign",
    DEFAULT,
    sign,
    check=refuse_complex(
        "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn "
        "instead.",
        NotImplementedError,
    ),
)
pointwise(
    "sgn",
    DEFAULT,
    lambda m, x: (
        sign(m, x)
        if m.kind(x) != "c"
        else m.where(m.eq(x, 0), m.constant(0, x), m.div(x, m.abs(x)))
    ),
)
pointwise("reciprocal", INT_TO_FLOAT, lambda m, x: m.div(m.constant(1, x), x))
pointwise("square", BOOL_TO_INT, lambda m, x: m.mul(x, x))
pointwise(
    "lerp.Scalar",
    DEFAULT,
    lerp,
    promotes=frozenset(("self", "end")),
    check=not_implemented_for("lerp_kernel_scalar", "bool", "int"),
    check_operands=require_one_dtype,
    floats_pass=True,
)
pointwise(
    "lerp.Tensor",
    DEFAULT,
    lerp,
    promotes=frozenset(("self", "end")),
    check=not_implemented_for("lerp_kernel_tensor", "bool", "int"),
    check_operands=require_one_dtype,
    floats_pass=True,
)
pointwise(
    "addcmul",
    DEFAULT,
    lambda m, x, a, b, value: m.add(x, m.mul(m.mul(value, a), b)),
    check=not_implemented_for("addcmul_cpu_out", "bool"),
)
pointwise(
    "addcdiv",
    DEFAULT,
    lambda m, x, a, b, value: m.add(x, m.div(m.mul(value, a), b)),
    check_operands=refuse_integer_addcdiv,
    floats_pass=True,
)
pointwise(
    "maximum max.other",
    DEFAULT,
    lambda m, x, y: m.maximum(x, y),
    check=refuse_complex("maximum not implemented for complex tensors."),
)
pointwise(
    "minimum min.other",
    DEFAULT,
    lambda m, x, y: m.minimum(x, y),
    check=refuse_complex("minimum not implemented for complex tensors."),
)
pointwise("fmax", DEFAULT, fmax, check=refuse_complex("fmax not implemented for complex tensors."))
pointwise("fmin", DEFAULT, fmin, check=refuse_complex("fmin not implemented for complex tensors."))
pointwise(
    "clamp clamp.Tensor clip clip.Tensor",
    DEFAULT,
    clamp,
    check=refuse_complex("clamp is not supported for complex types", NotImplementedError),
)
pointwise(
    "clamp_min clamp_min.Tensor",
    DEFAULT,
    lambda m, x, low: m.maximum(x, low),
    check=refuse_complex("clamp is not supported for complex types", NotImplementedError),
)
pointwise(
    "clamp_max clamp_max.Tensor",
    DEFAULT,
    lambda m, x, high: m.minimum(x, high),
    check=refuse_complex("clamp is not supported for complex types", NotImplementedError),
)
pointwise(
    "xlogy.Tensor xlogy.Scalar_Other xlogy.Scalar_Self special_xlogy special_xlogy.other_scalar "
    "special_xlogy.self_scalar",
    INT_TO_FLOAT,
    xlogy,
    check=not_implemented_for("xlogy_cpu", "complex"),
    bodies=in_steps(xlogy),
)
pointwise(
    "copysign.Tensor copysign.Scalar",
    INT_TO_FLOAT,
    lambda m, x, y: m.copysign(x, y),
    check=not_implemented_for("copysign_cpu", "complex"),
)
pointwise("hypot", DEFAULT, hypot, check=not_implemented_for("hypot_cpu", "bool", "int", "complex"))
pointwise(
    "atan2 arctan2",
    INT_TO_FLOAT,
    lambda m, y, x: m.atan2(y, x),
    check=not_implemented_for("atan2_cpu", "complex"),
)
pointwise(
    "logaddexp",
    DEFAULT,
    logaddexp,
    check=not_implemented_for("logaddexp_cpu", "bool", "int"),
)
