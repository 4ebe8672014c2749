"""What derivatives of Fourier transforms call."""

SOURCE = """
def adjoint_norm(norm: Optional[str]) -> str:
    if norm is None or norm == "backward":
        return "forward"
    if norm == "forward":
        return "backward"
    return "ortho"

def fitted(x: Tensor, dim: int, size: int) -> Tensor:
    if x.size(dim) >= size:
        return x.narrow(dim, 0, size)
    sizes = x.size()
    sizes[dim] = size - x.size(dim)
    return torch.cat([x, x.new_zeros(sizes)], dim)

def of_forward(grad: Tensor, x: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    return fitted(torch.fft_ifft(grad, None, dim, adjoint_norm(norm)), dim, x.size(dim))

def of_backward(grad: Tensor, x: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    return fitted(torch.fft_fft(grad, None, dim, adjoint_norm(norm)), dim, x.size(dim))

def of_real_forward(grad: Tensor, x: Tensor, n: Optional[int], dim: int, norm: Optional[str]) -> Tensor:
    size = x.size(dim) if n is None else n
    whole = torch.fft_ifft(fitted(grad, dim, size), None, dim, adjoint_norm(norm))
    return fitted(torch.real(whole), dim, x.size(dim))

def of_real_backward(grad: Tensor, x: Tensor, dim: int, norm: Optional[str]) -> Tensor:
    size = grad.size(dim)
    half = torch.fft_rfft(grad, None, dim, adjoint_norm(norm))
    last = (size - 1) // 2
    parts = [half.narrow(dim, 0, 1), half.narrow(dim, 1, last) * 2]
    if half.size(dim) > last + 1:
        parts.append(half.narrow(dim, last + 1, half.size(dim) - last - 1))
    return fitted(torch.cat(parts, dim), dim, x.size(dim))

def of_real_to_complex(grad: Tensor, x: Tensor, dim: List[int], normalization: int, onesided: bool) -> Tensor:
    whole = grad
    if onesided:
        last = dim[len(dim) - 1]
        whole = fitted(grad, last, x.size(last))
    return torch.real(torch._fft_c2c(whole, dim, normalization, False))

def of_complex_to_real(grad: Tensor, dim: List[int], normalization: int) -> Tensor:
    half = torch._fft_r2c(grad, dim, normalization, True)
    last = dim[len(dim) - 1]
    twice = grad.size(last) - half.size(last)
    if twice <= 0:
        return half
    parts = [half.narrow(last, 0, 1), half.narrow(last, 1, twice) * 2]
    rest = half.size(last) - 1 - twice
    if rest > 0:
        parts.append(half.narrow(last, 1 + twice, rest))
    return torch.cat(parts, last)
"""
