"""Derivatives of elementary and special functions of one number, and of some of two."""

from torchscript_dialect.ops.derivatives.declaring import derivative, not_differentiable

derivative("exp", self="grad * result.conj()")
derivative("exp2 special_exp2", self="grad * result.conj() * 0.6931471805599453")
derivative("expm1 special_expm1", self="grad * (result.conj() + 1)")
derivative("log", self="grad / self.conj()")
derivative("log2", self="grad / (self.conj() * 0.6931471805599453)")
derivative("log10", self="grad / (self.conj() * 2.302585092994046)")
derivative("log1p special_log1p", self="grad / (self + 1).conj()")
derivative("sin", self="grad * self.cos().conj()")
derivative("cos", self="grad * -self.sin().conj()")
derivative("tan", self="grad * (1 + result * result).conj()")
derivative("asin arcsin", self="grad * torch.rsqrt(1 - self * self).conj()")
derivative("acos arccos", self="grad * -torch.rsqrt(1 - self * self).conj()")
derivative("atan arctan", self="grad / (self * self + 1).conj()")
derivative("sinh", self="grad * self.cosh().conj()")
derivative("cosh", self="grad * self.sinh().conj()")
derivative("tanh", self="torch.tanh_backward(grad, result)")
derivative("asinh arcsinh", self="grad * torch.rsqrt(self * self + 1).conj()")
derivative(
    "acosh arccosh",
    self="grad * (torch.rsqrt(self - 1) * torch.rsqrt(self + 1)).conj() if self.is_complex()"
    " else grad * torch.rsqrt(self * self - 1)",
)
derivative("atanh arctanh", self="grad / (1 - self * self).conj()")
derivative("sigmoid special_expit", self="torch.sigmoid_backward(grad, result)")
derivative("logit special_logit", self="torch.logit_backward(grad, self, eps)")
derivative("sinc special_sinc", self="sinc_of(grad, self)")

_ROOT_PI = 1.7724538509055159
derivative("erf special_erf", self=f"{2 / _ROOT_PI} * torch.exp(-(self * self)) * grad")
derivative("erfc special_erfc", self=f"{-2 / _ROOT_PI} * torch.exp(-(self * self)) * grad")
derivative("erfinv special_erfinv", self=f"{_ROOT_PI / 2} * torch.exp(result * result) * grad")
derivative("special_erfcx", self=f"(2.0 * self * result - {2 / _ROOT_PI}) * grad")
derivative("special_ndtr", self="grad * 0.3989422804014327 * torch.exp(-0.5 * self * self)")
derivative("special_ndtri", self="grad * 2.5066282746310002 * torch.exp(0.5 * result * result)")
derivative(
    "special_log_ndtr",
    self="grad / torch.special_erfcx(self * -0.7071067811865476) * 0.7978845608028654",
)
derivative("lgamma special_gammaln", self="grad * torch.digamma(self)")
derivative("digamma special_digamma special_psi", self="grad * torch.polygamma(1, self)")
derivative("polygamma special_polygamma", self="grad * torch.polygamma(n + 1, self)")
derivative("mvlgamma special_multigammaln", self="multivariate(grad, self, p)")
derivative("i0 special_i0", self="grad * torch.special_i1(self)")
derivative("special_i0e", self="grad * (torch.special_i1e(self) - self.sgn() * result)")
derivative("special_i1", self="grad * bessel_1(self, torch.i0(self), result)")
derivative("special_i1e", self="grad * scaled_bessel_1(self, torch.special_i0e(self), result)")
derivative("special_entr", self="grad * -(self.log() + 1)")
derivative(
    "xlogy.Tensor special_xlogy",
    self="logarithm_beside(grad, self, other, 0.0)",
    other="grad * self / other",
)
derivative("xlogy.Scalar_Self special_xlogy.self_scalar", other="grad * self / other")
derivative(
    "xlogy.Scalar_Other special_xlogy.other_scalar",
    self="logarithm_beside(grad, self, torch.scalar_tensor(other, dtype=self.dtype), 0.0)",
)
derivative(
    "special_xlog1py",
    self="logarithm_beside(grad, self, other, 1.0)",
    other="grad * self / (other + 1)",
)
derivative("special_xlog1py.self_scalar", other="grad * self / (other + 1)")
derivative(
    "special_xlog1py.other_scalar",
    self="logarithm_beside(grad, self, torch.scalar_tensor(other, dtype=self.dtype), 1.0)",
)
derivative(
    "special_zeta",
    other="grad * -self * torch.special_zeta(self + 1.0, other)",
)
derivative("special_zeta.self_scalar", other="grad * -self * torch.special_zeta(self + 1.0, other)")
derivative(
    "igamma special_gammainc",
    other="grad * torch.exp((self - 1) * torch.log(other) - other - torch.lgamma(self))",
)
derivative(
    "igammac special_gammaincc",
    other="-grad * torch.exp((self - 1) * torch.log(other) - other - torch.lgamma(self))",
)
not_differentiable(
    " ".join(
        f"special_{name}"
        for name in (
            *("airy_ai", "bessel_j0", "bessel_j1", "bessel_y0", "bessel_y1", "spherical_bessel_j0"),
            *(
                "modified_bessel_i0",
                "modified_bessel_i1",
                "modified_bessel_k0",
                "modified_bessel_k1",
            ),
            *("scaled_modified_bessel_k0", "scaled_modified_bessel_k1"),
            *(f"chebyshev_polynomial_{kind}" for kind in "tuvw"),
            *(f"shifted_chebyshev_polynomial_{kind}" for kind in "tuvw"),
            *("hermite_polynomial_h", "hermite_polynomial_he"),
            *("laguerre_polynomial_l", "legendre_polynomial_p"),
        )
    )
)
