"""The operators of `prims`, of which PyTorch's references of operators consist (torch/_prims/__init__.py).

Each is a decomposition into operators of `aten`, as there, and those that write are kernels of `aten`. They have no derivatives there.
"""

from __future__ import annotations

from typing import Any

import ml_dtypes

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.composite import composite
from torchscript_dialect.ops.shaping.rearranging_shapes import view_dtype_shape
from torchscript_dialect.ops.views.views import view_dtype
from torchscript_dialect.tensor import dtype as dtypes

_UNARY = """
abs acos acosh asin asinh atan atanh bitwise_not ceil cos cosh digamma erf erfc exp exp2 expm1 floor isfinite lgamma log log10 log1p
log2 neg reciprocal round rsqrt sign signbit sin sinh sqrt tan tanh trunc
bessel_i0=i0 bessel_i0e=special_i0e bessel_i1=special_i1 bessel_i1e=special_i1e bessel_j0=special_bessel_j0 bessel_j1=special_bessel_j1
spherical_bessel_j0=special_spherical_bessel_j0 erf_inv=erfinv erfcx=special_erfcx ndtri=special_ndtri
"""
_BINARY = """
add atan2 bitwise_and bitwise_or bitwise_xor eq fmax fmin fmod gcd ge gt hypot le lt maximum minimum mul ne nextafter pow remainder sub
igamma=special_gammainc igammac=special_gammaincc shift_left=bitwise_left_shift shift_right_arithmetic=bitwise_right_shift
zeta=special_zeta
"""
"""What takes one and two tensors, and the operator of `aten` that it is where that has another name."""


def _is(name: str, parameters: str, body: str, result: str = "Tensor") -> None:
    lines = "\n    ".join(line.removeprefix("    ") for line in body.strip().splitlines())
    composite(f"prims::{name}", f"def prim({parameters}) -> {result}:\n    {lines}\n")


_SAME = """
    if self.dtype != other.dtype:
        raise RuntimeError("Tensors of different dtypes are not the operands of a prim")
    if self.dim() > 0 and other.dim() > 0 and self.size() != other.size():
        raise RuntimeError("Shape " + str(other.size()) + " is not the expected shape " + str(self.size()) + "!")
"""
_COMPLEX = """
    if not torch.is_complex(self):
        raise RuntimeError("Only complex dtype is supported")
"""


def _is_aten(
    pair: str, parameters: str, given: str, check: str = "", result: str = "Tensor"
) -> None:
    """One of the tables."""
    name, _, other = pair.partition("=")
    _is(name, parameters, f"{check}    return torch.{other or name}({given})", result)


for _pair in _UNARY.split():
    _is_aten(_pair, "self: Tensor", "self")
for _pair in _BINARY.split():
    _is_aten(_pair, "self: Tensor, other: Tensor", "self, other", _SAME)
for _pair in ("real", "imag", "conj_physical=_conj_physical"):
    _is_aten(_pair, "self: Tensor", "self", _COMPLEX)
_is_aten("conj", "a: Tensor", "a", _COMPLEX.replace("self", "a"))
_is_aten("clone", "self: Tensor, memory_format: Optional[int]", "self, memory_format=memory_format")
_is_aten("frexp", "self: Tensor", "self", "", "Tuple[Tensor, Tensor]")
_is(
    "cbrt",
    "self: Tensor",
    """
    if self.is_complex():
        raise RuntimeError("cbrt: Complex inputs not supported. Consider calling torch.pow(a, 1.0/3.0)")
    return torch.copysign(torch.pow(torch.abs(self), 1.0 / 3.0), self)
    """,
)
_is(
    "div",
    "self: Tensor, other: Tensor",
    _SAME
    + """    if self.dtype == torch.bool or torch.is_floating_point(self) or torch.is_complex(self):
        return torch.true_divide(self, other)
    return torch.div(self, other, rounding_mode="trunc")
    """,
)
_is("where", "pred: Tensor, a: Tensor, b: Tensor", "return torch.where(pred, a, b)")
_is("fill", "self: Tensor, value: number", "return torch.fill(self, value)")


# Views

_is(
    "broadcast_in_dim",
    "a: Tensor, shape: List[int], broadcast_dimensions: List[int]",
    """
    view = a
    for dim in range(len(shape)):
        if dim not in broadcast_dimensions:
            view = view.unsqueeze(dim)
    return view.expand(shape)
    """,
)
_COLLAPSED = """
    length = 1
    for dim in range(start, end + 1):
        length = length * a.size(dim)
    shape = a.size()[:start] + [length] + a.size()[end + 1:]
"""
_is("collapse_view", "a: Tensor, start: int, end: int", f"{_COLLAPSED}    return a.view(shape)")
_is(
    "collapse",
    "a: Tensor, start: int, end: int",
    f"{_COLLAPSED}    return a.reshape(shape).clone(memory_format=torch.contiguous_format)",
)
_is(
    "split_dim",
    "a: Tensor, dim: int, outer_length: int",
    """
    inner = a.size(dim) // outer_length
    if inner * outer_length != a.size(dim):
        raise RuntimeError("Attempting to split dimension of length " + str(a.size(dim)) + ", but outer length of "
            + str(outer_length) + " divides it with a remainder!")
    return a.view(a.size()[:dim] + [outer_length, inner] + a.size()[dim + 1:])
    """,
)
_is(
    "as_strided",
    "a: Tensor, size: List[int], stride: List[int], storage_offset: int",
    "return torch.as_strided(a, size, stride, storage_offset)",
)
_is("squeeze", "a: Tensor, dimensions: List[int]", "return torch.squeeze(a, dimensions)")
_is("transpose", "a: Tensor, permutation: List[int]", "return torch.permute(a, permutation)")
_is("view_of", "a: Tensor", "return a.view(a.size())")


# Tensors made of others

_is(
    "as_strided_scatter",
    "self: Tensor, src: Tensor, size: List[int], stride: List[int], storage_offset: int",
    "return torch.as_strided_scatter(self, src, size, stride, storage_offset)",
)
_is("cat", "tensors: List[Tensor], dim: int", "return torch.cat(tensors, dim)")
_is("rev", "a: Tensor, dims: List[int]", "return torch.flip(a, dims)")
_is(
    "reshape",
    "a: Tensor, shape: List[int]",
    "return a.reshape(shape).clone(memory_format=torch.contiguous_format)",
)
_is(
    "convert_element_type",
    "a: Tensor, dtype: int",
    "return torch.empty_like(a, dtype=dtype).copy_(a)",
)
_is(
    "copy_strided",
    "a: Tensor, stride: List[int]",
    "return torch.empty_strided(a.size(), stride, dtype=a.dtype).copy_(a)",
)
_is(
    "device_put",
    "a: Tensor, device: Device, non_blocking: bool",
    "return a.to(device, non_blocking=non_blocking, copy=True)",
)


# Reductions

_TAKES = "inp: Tensor, dims: Optional[List[int]], output_dtype: Optional[int]"
_is("sum", _TAKES, "return torch.sum(inp, dims, dtype=output_dtype)")
_is(
    "prod",
    _TAKES,
    """
    if dims is None:
        return torch.prod(inp, dtype=output_dtype)
    if len(dims) == 0:
        return inp.clone()
    result = inp
    for dim in sorted(dims)[::-1]:
        result = torch.prod(result, dim, dtype=output_dtype)
    return result
    """,
)
for _name in ("amax", "amin"):
    _is(
        _name,
        _TAKES,
        f"""
    wanted = [dim for dim in range(0)]
    if dims is not None:
        wanted = dims
    result = torch.{_name}(inp, wanted)
    return result if output_dtype is None else result.to(output_dtype)
    """,
    )
_is(
    "var",
    "inp: Tensor, dims: Optional[List[int]], correction: Optional[float], output_dtype: Optional[int]",
    """
    result = torch.var(inp, dims, correction=correction)
    return result if output_dtype is None else result.to(output_dtype)
    """,
)


# Factories

_OPTIONS = "dtype: int, device: Device, requires_grad: bool"
for _name, _parameters, _call in (
    ("empty", "shape: List[int]", "torch.empty(shape"),
    ("empty_strided", "shape: List[int], strides: List[int]", "torch.empty_strided(shape, strides"),
    (
        "empty_permuted",
        "shape: List[int], physical_layout: List[int]",
        "torch.empty_permuted(shape, physical_layout",
    ),
    ("full", "shape: List[int], fill_value: number", "torch.full(shape, fill_value"),
    ("full_like", "a: Tensor, fill_value: number", "torch.full_like(a, fill_value"),
    (
        "iota",
        "length: int, start: int, step: int",
        "torch.arange(start, start + length * step, step",
    ),
):
    _is(
        _name,
        f"{_parameters}, {_OPTIONS}",
        f"return {_call}, dtype=dtype, device=device).requires_grad_(requires_grad)",
    )
_is(
    "scalar_tensor",
    "s: number, dtype: Optional[int], device: Optional[Device]",
    "return torch.scalar_tensor(s, dtype=dtype, device=device)",
)
_is(
    "normal",
    f"shape: List[int], mean: number, std: number, {_OPTIONS}, generator: Optional[Generator]",
    """
    drawn = torch.empty(shape, dtype=dtype, device=device)
    drawn.normal_(float(mean), float(std), generator=generator)
    return drawn.requires_grad_(requires_grad)
    """,
)
_is(
    "uniform",
    "shape: List[int], low: number, high: number, dtype: int, device: Device, stride: List[int], generator: Optional[Generator]",
    """
    drawn = torch.empty_strided(shape, stride, dtype=dtype, device=device)
    return drawn.uniform_(float(low), float(high), generator=generator)
    """,
)
_is("_make_token", "", "return torch.empty([0])")


# Transforms and factors

_is(
    "fft_c2c",
    "self: Tensor, dim: List[int], forward: bool",
    "return torch._fft_c2c(self, dim, 0, forward)",
)
_is(
    "fft_c2r",
    "self: Tensor, dim: List[int], last_dim_size: int",
    "return torch._fft_c2r(self, dim, 0, last_dim_size)",
)
_is(
    "fft_r2c",
    "self: Tensor, dim: List[int], onesided: bool",
    "return torch._fft_r2c(self, dim, 0, onesided)",
)
_is(
    "svd",
    "A: Tensor, full_matrices: bool",
    "return torch.linalg_svd(A, full_matrices)",
    "Tuple[Tensor, Tensor, Tensor]",
)


# What writes, and what gives no tensor

_is("copy_to", "a: Tensor, b: Tensor", "return a.copy_(b)")
_is("resize", "a: Tensor, shape: List[int]", "return a.resize_(shape)")
_is("item", "a: Tensor", "return a.item()", "number")


def _limit(name: str, of_bool: bool) -> None:
    @registry.kernel(f"prims::{name}imum_value")
    def _(scalar_type: int) -> complex:
        element = dtypes.from_scalar_type(scalar_type).to_real()
        if element is dtypes.bool_:
            return of_bool
        limits: Any = ml_dtypes.iinfo if element.is_integral else getattr(ml_dtypes, "finfo")  # noqa: B009
        found = getattr(limits(element.numpy_dtype), name)
        return int(found) if element.is_integral else float(found)


_limit("max", True)
_limit("min", False)
registry.implement("prims::view_of_dtype", view_dtype, shape=view_dtype_shape)
registry.implement("prims::_sink_tokens", lambda tokens: None)
