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
_TURNED = """
    turned = "forward"
    if norm is not None:
        turned = "ortho"
        if norm != "ortho":
            turned = "forward" if norm == "backward" else "backward"
"""
parts("fft_hfft", _ONE, f"{_TURNED}    return torch.fft_irfft(self.conj(), n, dim, turned)")
parts("fft_ihfft", _ONE, f"{_TURNED}    return torch.fft_rfft(self, n, dim, turned).conj()")
for _name in ("fft_fft", "fft_ifft"):
    _many = f"""
    axes = [axis for axis in range(self.dim())]
    if dim is not None:
        axes = dim
    elif s is not None:
        axes = [axis + self.dim() - len(s) for axis in range(len(s))]
    result = self
    for place in range(len(axes)):
        size = result.size(axes[place])
        if s is not None and s[place] != -1:
            size = s[place]
        result = torch.{_name}(result, size, axes[place], norm)
    return result
"""
    parts(
        f"{_name}n",
        "self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]",
        _many,
    )
    parts(
        f"{_name}2",
        "self: Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]",
        f"return torch.{_name}n(self, s, dim, norm)",
    )
_LAST = """
    axes = [axis for axis in range(self.dim())]
    if dim is not None:
        axes = [axis for axis in dim]
    elif s is not None:
        axes = [axis + self.dim() - len(s) for axis in range(len(s))]
    last = axes[len(axes) - 1]
    size: Optional[int] = None
    front: Optional[List[int]] = None
    if s is not None:
        front = s[:-1]
        if s[len(s) - 1] != -1:
            size = s[len(s) - 1]
"""
_MANY = "self: Tensor, s: Optional[List[int]], dim: Optional[List[int]], norm: Optional[str]"
parts(
    "fft_hfftn",
    _MANY,
    f"{_LAST}    return torch.fft_hfft(torch.fft_fftn(self, front, axes[:-1], norm), size, last, norm)",
)
parts(
    "fft_ihfftn",
    _MANY,
    f"{_LAST}    return torch.fft_ifftn(torch.fft_ihfft(self, size, last, norm), front, axes[:-1], norm)",
)
for _name in ("fft_hfft", "fft_ihfft"):
    parts(
        f"{_name}2",
        "self: Tensor, s: Optional[List[int]], dim: List[int], norm: Optional[str]",
        f"return torch.{_name}n(self, s, dim, norm)",
    )
