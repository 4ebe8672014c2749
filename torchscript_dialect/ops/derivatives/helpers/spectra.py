"""What derivatives of Fourier transforms call."""

SOURCE = """
def adjoint_norm(norm: Optional[str]) -> str:
    if norm is None or norm == "backward":
        return "forward"
    if norm == "forward":
        return "backward"
    if norm != "ortho":
        raise RuntimeError(f'Invalid normalization mode: "{norm}"')
    return "ortho"

def fitted(x: Tensor, dim: int, size: int) -> Tensor:
    if x.size(dim) >= size:
        return x.narrow(dim, 0, size)
    sizes = x.size()
    sizes[dim] = size - x.size(dim)
    return torch.cat([x, x.new_zeros(sizes)], dim)

def axes_of(x: Tensor, s: Optional[List[int]], dim: Optional[List[int]]) -> List[int]:
    if s is not None and dim is not None and len(s) != len(dim):
        raise RuntimeError("When given, dim and shape arguments must have the same length")
    if s is not None and len(s) > x.dim():
        raise RuntimeError(
            f"Got shape with {len(s)} values but input tensor only has {x.dim()} dimensions.")
    if dim is None:
        count = x.dim() if s is None else len(s)
        return [axis + x.dim() - count for axis in range(count)]
    found: List[int] = []
    for axis in dim:
        if axis >= x.dim() or axis < -x.dim():
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-x.dim()}, {x.dim() - 1}], but got {axis})")
        if axis % x.dim() in found:
            raise RuntimeError("FFT dims must be unique")
        found.append(axis % x.dim())
    return found

def last_of(axes: List[int], name: str) -> int:
    if len(axes) == 0:
        raise RuntimeError(f"{name} must transform at least one axis")
    return axes[-1]

def sizes_of(x: Tensor, axes: List[int], s: Optional[List[int]]) -> List[int]:
    sizes = [x.size(axis) for axis in axes]
    if s is not None:
        sizes = [sizes[place] if s[place] == -1 else s[place] for place in range(len(s))]
    for size in sizes:
        if size < 1:
            raise RuntimeError(f"Invalid number of data points ({size}) specified")
    return sizes

def fitted_to(x: Tensor, axes: List[int], sizes: List[int]) -> Tensor:
    pad = [0 for _ in range(2 * x.dim())]
    for place in range(len(axes)):
        axis = axes[place]
        if x.size(axis) > sizes[place]:
            x = x.narrow(axis, 0, sizes[place])
        pad[2 * (x.dim() - 1 - axis) + 1] = sizes[place] - x.size(axis)
    return torch.constant_pad_nd(x, pad) if sum(pad) > 0 else x

def as_complex(x: Tensor) -> Tensor:
    if x.is_complex():
        return x
    return x.to(torch.complex128 if x.dtype == torch.double else torch.complex64)

def normalization(norm: Optional[str], forward: bool) -> int:
    mode = "backward" if norm is None else norm
    if mode == "ortho":
        return 1
    if mode != "backward" and mode != "forward":
        raise RuntimeError(f'Invalid normalization mode: "{mode}"')
    return 2 if forward == (mode == "forward") else 0

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
