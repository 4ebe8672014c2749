"""Derivatives of Fourier transforms."""

from torchscript_dialect.ops.derivatives.declaring import derivative, parts

derivative("fft_fft", self="of_forward(grad, self, dim, norm)")
derivative("fft_ifft", self="of_backward(grad, self, dim, norm)")
derivative("fft_rfft", self="of_real_forward(grad, self, n, dim, norm)")
derivative("fft_irfft", self="of_real_backward(grad, self, dim, norm)")
derivative("_fft_c2c", self="torch._fft_c2c(grad, dim, normalization, not forward)")
derivative("_fft_r2c", self="of_real_to_complex(grad, self, dim, normalization, onesided)")
derivative("_fft_c2r", self="of_complex_to_real(grad, dim, normalization)")
derivative("fft_fftshift", self="torch.fft_ifftshift(grad, dim)")
derivative("fft_ifftshift", self="torch.fft_fftshift(grad, dim)")

_ONE = "self: Tensor, n: Optional[int], dim: int, norm: Optional[str]"
parts("fft_hfft", _ONE, "return torch.fft_irfft(self.conj(), n, dim, adjoint_norm(norm))")
parts("fft_ihfft", _ONE, "return torch.fft_rfft(self, n, dim, adjoint_norm(norm)).conj()")

# Over several dimensions: one transform over all of them, which decides the strides of what it gives

_MANY = "self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]"
_AXES = """
    axes = axes_of(self, s, dim)
    sizes = sizes_of(self, axes, s)
"""
for _name, _forward in (("fft_fftn", True), ("fft_ifftn", False)):
    parts(
        _name,
        _MANY,
        f"""
    {_AXES.strip()}
    return torch._fft_c2c(fitted_to(as_complex(self), axes, sizes), axes, normalization(norm, {_forward}), {_forward})
""",
    )
parts(
    "fft_rfftn",
    _MANY,
    f"""
    {_AXES.strip()}
    last_of(axes, "rfftn")
    return torch._fft_r2c(fitted_to(self, axes, sizes), axes, normalization(norm, True), True)
""",
)
parts(
    "fft_irfftn",
    _MANY,
    f"""
    {_AXES.strip()}
    size = 2 * (self.size(last_of(axes, "irfftn")) - 1)
    if s is not None and s[-1] != -1:
        size = s[-1]
    sizes[-1] = size // 2 + 1
    return torch._fft_c2r(fitted_to(as_complex(self), axes, sizes), axes, normalization(norm, False), size)
""",
)
_LAST = """
    axes = axes_of(self, s, dim)
    last = last_of(axes, "{name}")
    size: Optional[int] = None
    front: Optional[List[int]] = None
    if s is not None:
        front = s[:-1]
        if s[-1] != -1:
            size = s[-1]
"""
parts(
    "fft_hfftn",
    _MANY,
    f"{_LAST.format(name='hfftn')}    return torch.fft_hfft(torch.fft_fftn(self, front, axes[:-1], norm), size, last, norm)",
)
parts(
    "fft_ihfftn",
    _MANY,
    f"{_LAST.format(name='ihfftn')}    return torch.fft_ifftn(torch.fft_ihfft(self, size, last, norm), front, axes[:-1], norm)",
)
for _name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft"):
    parts(
        f"fft_{_name}2",
        "self: Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]",
        f"return torch.fft_{_name}n(self, s, dim, norm)",
    )
