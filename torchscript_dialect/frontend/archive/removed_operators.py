"""Operators and overloads that PyTorch took away, as functions of today's operators. Archives that call them are refused by PyTorch.

Today's operator is asked first: what is here is for calls that it does not take. test/samples/old_programs.py has programs that
versions of PyTorch with these operators ran.
"""

from __future__ import annotations

_NORM = 'norm = "ortho" if normalized else "backward"'
_LAST = "dims = [axis - signal_ndim for axis in range(signal_ndim)]"
_LAST_OF_COMPLEX = "x = torch.view_as_complex(self.contiguous())"

TEXTS: dict[str, str] = {
    # Transforms of pairs of real numbers, before PyTorch had complex ones (until 1.7).
    "fft": f"""
def fft(self: Tensor, signal_ndim: int, normalized: bool=False) -> Tensor:
  {_NORM}
  {_LAST}
  {_LAST_OF_COMPLEX}
  return torch.view_as_real(torch.fft_fftn(x, None, dims, norm))
""",
    "ifft": f"""
def ifft(self: Tensor, signal_ndim: int, normalized: bool=False) -> Tensor:
  {_NORM}
  {_LAST}
  {_LAST_OF_COMPLEX}
  return torch.view_as_real(torch.fft_ifftn(x, None, dims, norm))
""",
    "rfft": f"""
def rfft(self: Tensor, signal_ndim: int, normalized: bool=False, onesided: bool=True) -> Tensor:
  {_NORM}
  {_LAST}
  if onesided:
    return torch.view_as_real(torch.fft_rfftn(self, None, dims, norm))
  return torch.view_as_real(torch.fft_fftn(self, None, dims, norm))
""",
    "irfft": f"""
def irfft(self: Tensor, signal_ndim: int, normalized: bool=False, onesided: bool=True, signal_sizes: List[int]=[]) -> Tensor:
  {_NORM}
  {_LAST}
  {_LAST_OF_COMPLEX}
  sizes: Optional[List[int]] = None
  if len(signal_sizes) > 0:
    sizes = signal_sizes
  if onesided:
    return torch.fft_irfftn(x, sizes, dims, norm)
  return torch.real(torch.fft_ifftn(x, sizes, dims, norm)).contiguous()
""",
    # Linear algebra (until 1.12).
    "eig": """
def eig(self: Tensor, eigenvectors: bool=False) -> Tuple[Tensor, Tensor]:
  values, vectors = torch.linalg_eig(self)
  pairs = torch.view_as_real(values).clone()
  if not eigenvectors:
    return pairs, torch.empty([0], dtype=self.dtype)
  return pairs, torch.where(pairs.select(-1, 1) < 0, -torch.imag(vectors), torch.real(vectors))
""",
    "symeig": """
def symeig(self: Tensor, eigenvectors: bool=False, upper: bool=True) -> Tuple[Tensor, Tensor]:
  half = "U" if upper else "L"
  if eigenvectors:
    return torch.linalg_eigh(self, half)
  return torch.linalg_eigvalsh(self, half), torch.empty([0], dtype=self.dtype)
""",
    "solve": """
def solve(self: Tensor, A: Tensor) -> Tuple[Tensor, Tensor]:
  return torch.linalg_solve(A, self), torch.linalg_lu_factor(A)[0]
""",
    "matrix_rank": """
def matrix_rank(self: Tensor, symmetric: bool=False) -> Tensor:
  return torch.linalg_matrix_rank(self, atol=None, rtol=None, hermitian=symmetric)
def matrix_rank_tol(self: Tensor, tol: float, symmetric: bool=False) -> Tensor:
  return torch.linalg_matrix_rank(self, tol, symmetric)
""",
    "linalg_matrix_rank": """
def linalg_matrix_rank(self: Tensor, tol: Optional[float]=None, hermitian: bool=False) -> Tensor:
  if tol is None:
    return torch.linalg_matrix_rank(self, atol=None, rtol=None, hermitian=hermitian)
  return torch.linalg_matrix_rank(self, tol, hermitian)
""",
    "linalg_svd": """
def linalg_svd(self: Tensor, full_matrices: bool=True, compute_uv: bool=True) -> Tuple[Tensor, Tensor, Tensor]:
  if compute_uv:
    return torch.linalg_svd(self, full_matrices)
  nothing = torch.empty([0], dtype=self.dtype)
  return nothing, torch.linalg_svdvals(self), nothing
""",
    "frobenius_norm": """
def frobenius_norm(self: Tensor) -> Tensor:
  return torch.norm(self)
""",
    # What the corners are was no question until 1.2.
    "grid_sampler": """
def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int) -> Tensor:
  return torch.grid_sampler(input, grid, interpolation_mode, padding_mode, True)
""",
    "grid_sampler_2d": """
def grid_sampler_2d(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int) -> Tensor:
  return torch.grid_sampler_2d(input, grid, interpolation_mode, padding_mode, True)
""",
    "grid_sampler_3d": """
def grid_sampler_3d(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int) -> Tensor:
  return torch.grid_sampler_3d(input, grid, interpolation_mode, padding_mode, True)
""",
    "affine_grid_generator": """
def affine_grid_generator(theta: Tensor, size: List[int]) -> Tensor:
  return torch.affine_grid_generator(theta, size, True)
""",
    # The first name, in 1.2.
    "quantize_linear": """
def quantize_linear(self: Tensor, scale: float, zero_point: int, dtype: int) -> Tensor:
  return torch.quantize_per_tensor(self, scale, zero_point, dtype)
""",
    # Before `scaled_dot_product_attention`, with weights as second result (1.13 and 2.0).
    "_scaled_dot_product_attention": """
def _scaled_dot_product_attention(query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor]=None,
      dropout_p: float=0., need_attn_weights: bool=False, is_causal: bool=False) -> Tuple[Tensor, Tensor]:
  mask = attn_mask
  if attn_mask is not None and attn_mask.dtype == 11:
    zeros = torch.zeros_like(attn_mask, dtype=query.dtype)
    mask = torch.masked_fill(zeros, torch.logical_not(attn_mask), float("-inf"))
  return torch._scaled_dot_product_attention_math(query, key, value, mask, dropout_p, is_causal)
""",
    # With names of dimensions (1.7 to 1.12).
    "unflatten": """
def unflatten(self: Tensor, dim: int, sizes: List[int], names: Optional[List[str]]) -> Tensor:
  assert names is None, "names of dimensions are not supported"
  return torch.unflatten(self, dim, sizes)
""",
    # Parts of operators, in traces.
    "max_values": """
def max_values(self: Tensor, dim: List[int], keepdim: bool=False) -> Tensor:
  return torch.amax(self, dim, keepdim)
""",
    "min_values": """
def min_values(self: Tensor, dim: List[int], keepdim: bool=False) -> Tensor:
  return torch.amin(self, dim, keepdim)
""",
    "_argmax": """
def _argmax(self: Tensor, dim: int, keepdim: bool=False) -> Tensor:
  return torch.argmax(self, dim, keepdim)
""",
    "_argmin": """
def _argmin(self: Tensor, dim: int, keepdim: bool=False) -> Tensor:
  return torch.argmin(self, dim, keepdim)
""",
    "_s_where": """
def _s_where(condition: Tensor, self: Tensor, other: Tensor) -> Tensor:
  return torch.where(condition, self, other)
""",
    "_cat": """
def _cat(tensors: List[Tensor], dim: int=0) -> Tensor:
  return torch.cat(tensors, dim)
""",
    "_bmm": """
def _bmm(self: Tensor, mat2: Tensor, *, deterministic: bool=False) -> Tensor:
  return torch.bmm(self, mat2)
""",
    "_cumsum": """
def _cumsum(self: Tensor, dim: int) -> Tensor:
  return torch.cumsum(self, dim)
""",
    "_cumprod": """
def _cumprod(self: Tensor, dim: int) -> Tensor:
  return torch.cumprod(self, dim)
""",
    "_mode": """
def _mode(self: Tensor, dim: int=-1, keepdim: bool=False) -> Tuple[Tensor, Tensor]:
  return torch.mode(self, dim, keepdim)
""",
    "_std": """
def _std(self: Tensor, unbiased: bool=True) -> Tensor:
  return torch.std(self, unbiased)
""",
    "_var": """
def _var(self: Tensor, unbiased: bool=True) -> Tensor:
  return torch.var(self, unbiased)
""",
}
"""By operator, the functions that take its place; the first that a call fits is called."""
