"""Derivatives of arithmetic, of parts of complex numbers, and of what chooses between numbers."""

from torchscript_dialect.ops.derivatives.declaring import derivative, not_differentiable

derivative("add.Tensor", self="grad", other="times(grad, alpha)")
derivative("add.Scalar", self="grad")
derivative("sub.Tensor subtract.Tensor", self="grad", other="times(-grad, alpha)")
derivative("sub.Scalar subtract.Scalar", self="grad")
derivative("rsub.Tensor", self="times(-grad, alpha)", other="grad")
derivative("rsub.Scalar", self="times(-grad, alpha)")
derivative("mul.Tensor multiply.Tensor", self="grad * other.conj()", other="grad * self.conj()")
derivative("mul.Scalar multiply.Scalar", self="times(grad, other)")
derivative(
    "div.Tensor divide.Tensor true_divide.Tensor",
    self="grad / other.conj()",
    other="-grad * (self / other / other).conj()",
)
derivative("div.Scalar divide.Scalar true_divide.Scalar", self="over(grad, other)")
derivative(
    "div.Tensor_mode divide.Tensor_mode",
    self="torch.zeros_like(grad) if rounding_mode is not None else grad / other.conj()",
    other="torch.zeros_like(grad) if rounding_mode is not None else -grad * (self / other / other).conj()",
)
derivative(
    "div.Scalar_mode divide.Scalar_mode",
    self="torch.zeros_like(grad) if rounding_mode is not None else over(grad, other)",
)
derivative(
    "remainder.Tensor", self="grad", other="-grad * torch.div(self, other, rounding_mode='floor')"
)
derivative("remainder.Scalar", self="grad")
derivative(
    "remainder.Scalar_Tensor",
    other="-grad * torch.floor(torch.reciprocal(other) * self)",
)
derivative(
    "fmod.Tensor", self="grad", other="-grad * torch.div(self, other, rounding_mode='trunc')"
)
derivative("fmod.Scalar", self="grad")
derivative("neg negative", self="-grad")
derivative("positive", self="grad")
derivative("reciprocal", self="-grad * (result * result).conj()")
derivative("square", self="grad * (2 * self).conj()")
derivative("sqrt", self="grad / (2 * result.conj())")
derivative("rsqrt", self="-0.5 * grad * result.pow(3).conj()")

# Powers

derivative("pow.Tensor_Scalar", self="power_of_number(grad, self, exponent)")
derivative(
    "pow.Tensor_Tensor",
    self="power_of_base(grad, self, exponent)",
    exponent="power_of_exponent(grad, self, exponent, result)",
)
derivative(
    "pow.Scalar",
    exponent="power_of_exponent(grad, torch.scalar_tensor(self, dtype=result.dtype), exponent, result)",
)
derivative("hypot", self="grad * self / result", other="grad * other / result")
derivative(
    "atan2 arctan2",
    self="grad * other * inverse_square(self, other)",
    other="grad * -self * inverse_square(self, other)",
)
derivative(
    "logaddexp",
    self="grad / (1 + torch.exp(other - self)).conj()",
    other="grad / (1 + torch.exp(self - other)).conj()",
)
derivative(
    "logaddexp2",
    self="grad / (1 + torch.exp2(other - self))",
    other="grad / (1 + torch.exp2(self - other))",
)
derivative(
    "addcmul",
    self="grad",
    tensor1="grad * times(tensor2.conj(), value)",
    tensor2="grad * times(tensor1.conj(), value)",
)
derivative(
    "addcdiv",
    self="grad",
    tensor1="grad * times(torch.reciprocal(tensor2.conj()), value)",
    tensor2="-grad * (times(tensor1.conj(), value) / (tensor2 * tensor2).conj())",
)
derivative("lerp.Scalar", self="times(grad, one_minus(weight))", end="times(grad, weight)")
derivative(
    "lerp.Tensor",
    self="grad * (1 - weight).conj()",
    end="grad * weight.conj()",
    weight="grad * (end - self).conj()",
)

# Signs, and parts of complex numbers

derivative("abs absolute", self="grad * self.sgn()")
derivative("sign", self="torch.zeros_like(grad)")
derivative("sgn", self="sign_of(grad, self, result)")
derivative("conj _conj conj_physical _conj_physical", self="grad.conj()")
derivative("resolve_conj resolve_neg", self="grad")
derivative("real", self="grad")
derivative("imag", self="grad * 1j")
derivative("angle", self="angle_of(grad, self)")
derivative("complex", real="torch.real(grad)", imag="torch.imag(grad)")
derivative(
    "polar",
    abs="torch.real(grad.conj() * torch.sgn(result))",
    angle="-torch.imag(grad.conj() * result)",
)
derivative("view_as_real", self="torch.view_as_complex(grad.contiguous())")
derivative("view_as_complex", self="torch.view_as_real(grad)")
derivative(
    "copysign.Tensor",
    self="copied_sign(grad, self, result)",
    other="torch.zeros_like(grad)",
)
derivative("copysign.Scalar", self="copied_sign(grad, self, result)")
derivative("deg2rad", self="grad * 0.017453292519943295")
derivative("rad2deg", self="grad * 57.29577951308232")

# Rounding

derivative("floor ceil round round.decimals special_round trunc fix", self="torch.zeros_like(grad)")
derivative("frac", self="grad")
not_differentiable("signbit logical_not logical_and logical_or logical_xor isnan isinf isfinite")

# Choices

derivative("clamp clip", self="clamped(grad, self, min, max)")
derivative(
    "clamp.Tensor clip.Tensor",
    self="clamped_by(grad, self, min, max)",
    min="clamped_below(grad, self, min, max)",
    max="clamped_above(grad, self, min, max)",
)
derivative("clamp_min", self="torch.where(self >= min, grad, 0.0)")
derivative("clamp_max", self="torch.where(self <= max, grad, 0.0)")
derivative(
    "clamp_min.Tensor",
    self="torch.where(self >= min, grad, 0.0)",
    min="torch.where(self < min, grad, 0.0)",
)
derivative(
    "clamp_max.Tensor",
    self="torch.where(self <= max, grad, 0.0)",
    max="torch.where(self > max, grad, 0.0)",
)
for _names, _comparison in (("maximum max.other", "<"), ("minimum min.other", ">")):
    derivative(
        _names,
        self=f"(grad / 2).masked_fill(self {_comparison} other, 0.0) + (grad / 2).masked_fill(self {_comparison}= other, 0.0)",
        other=f"(grad / 2).masked_fill(other {_comparison} self, 0.0) + (grad / 2).masked_fill(other {_comparison}= self, 0.0)",
    )
for _names, _comparison in (("fmax", ">="), ("fmin", "<=")):
    derivative(
        _names,
        self=f"grad.masked_fill(torch.logical_not(torch.logical_or(self {_comparison} other, other.isnan())), 0.0)",
        other=f"grad.masked_fill(torch.logical_or(self {_comparison} other, other.isnan()), 0.0)",
    )
derivative(
    "where.self",
    self="torch.where(condition, grad, torch.zeros_like(grad))",
    other="torch.where(condition, torch.zeros_like(grad), grad)",
)
derivative("where.ScalarOther", self="torch.where(condition, grad, torch.zeros_like(grad))")
derivative("where.ScalarSelf", other="torch.where(condition, torch.zeros_like(grad), grad)")
derivative(
    "nan_to_num",
    self="grad * torch.logical_not(torch.logical_or(torch.isinf(self), torch.isnan(self)))",
)
derivative("frexp.Tensor", self="grad / torch.exp2(exponent)", exponent="not_differentiable")
