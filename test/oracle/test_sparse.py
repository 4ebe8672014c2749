"""Sparse tensors: expressions give what PyTorch gives, and raise where it raises."""

import warnings
from functools import cache
from typing import Any

import pytest
import torch

from support.sparse import difference
from torchscript_dialect import torch as stand_in

SETUP = """
i = torch.tensor([[0, 1, 1, 0], [2, 0, 2, 2]])
v = torch.tensor([3.0, 4.0, 5.0, -1.5])
s = torch.sparse_coo_tensor(i, v, (2, 4))
k = s.coalesce()
h = torch.sparse_coo_tensor(torch.tensor([[0, 2, 0]]), torch.tensor([[1.0, -2.0], [3.0, 4.0], [5.0, 0.5]]), (3, 2))
n = torch.sparse_coo_tensor(i, torch.tensor([3, 4, 5, -1]), (2, 4))
z = torch.sparse_coo_tensor((2, 4))
c = torch.sparse_csr_tensor(torch.tensor([0, 1, 3]), torch.tensor([2, 0, 2]), torch.tensor([3.0, 4.0, -5.0]), (2, 4))
e = torch.sparse_csc_tensor(torch.tensor([0, 1, 1, 3, 3]), torch.tensor([1, 0, 1]), torch.tensor([4.0, 3.0, -5.0]), (2, 4))
d = torch.tensor([[1.0, 0.0, 2.0, 0.0], [0.0, 0.0, -3.0, 4.0]])
w = torch.tensor([[1.0, 2.0, -3.0], [0.5, -1.0, 2.0], [3.0, 0.0, 1.0], [-2.0, 1.5, 0.25]])
b = d.to_sparse_bsr((1, 2))
a = torch.ops.aten
u = torch.tensor([1.0, -2.0, 3.0, 4.0])
"""
"""What expressions are over: coordinates that are not coalesced, that are, hybrid ones, of ints, without elements; compressed rows,
columns and blocks; strided ones."""

EXPRESSIONS = """
s; k; h; n; z; c; e; b; h.coalesce(); n.coalesce()
s.to_dense(); h.to_dense(); n.to_dense(); z.to_dense(); c.to_dense(); e.to_dense(); b.to_dense(); d.to_dense()
s._indices(); s._values(); k.indices(); k.values(); s._nnz(); h._nnz(); c._nnz(); z._nnz()
s.sparse_dim(); s.dense_dim(); h.sparse_dim(); h.dense_dim(); c.sparse_dim(); c.dense_dim(); d.sparse_dim(); d.dense_dim()
a._dimI(h); a._dimV(h); s.is_coalesced(); k.is_coalesced(); s.shape; h.size(1); s.dim(); s.numel(); c.numel(); s.dtype
s.layout; c.layout; e.layout; b.layout; s.is_sparse; c.is_sparse_csr; c.is_sparse; d.is_sparse
c.crow_indices(); c.col_indices(); c.values(); e.ccol_indices(); e.row_indices(); b.crow_indices(); b.values()
s.indices(); s.values(); d.values(); d.indices(); d.coalesce(); d.is_coalesced(); c.indices(); s.crow_indices(); e.crow_indices()
c.ccol_indices(); c._indices(); c._values(); d._nnz(); c.coalesce(); a._coalesced(k, False).is_coalesced()
a.crow_indices_copy(c); a.col_indices_copy(c)
a.ccol_indices_copy(e); a.row_indices_copy(e); a.values_copy(c); a._coalesce(s)
torch.sparse_coo_tensor(i, v); torch.sparse_coo_tensor(i, v[:2], (2, 4)); torch.sparse_coo_tensor(i, v, (2,))
torch.sparse_coo_tensor(i, v, (2, 4), dtype=torch.float64); torch.sparse_coo_tensor(i, v.int(), (2, 4))
torch.sparse_coo_tensor(torch.zeros(0, 3).long(), v[:3], ()); torch.sparse_coo_tensor(torch.zeros(2, 0).long(), v[:0])
torch.sparse_coo_tensor(i, torch.ones(4, 2), (2, 4, 3)); torch.sparse_coo_tensor(i, torch.ones(4, 2), (2, 4, 2))
a._sparse_coo_tensor_with_dims(1, 1, [2, 3]); a._sparse_coo_tensor_with_dims_and_tensors(2, 0, [2, 4], i, v)
a._sparse_coo_tensor_unsafe(i, v, [2, 4])
torch.sparse_csr_tensor(torch.tensor([0, 1, 3]), torch.tensor([2, 0, 2]), v[:3])
torch.sparse_compressed_tensor(torch.tensor([0, 1, 3]), torch.tensor([2, 0, 2]), v[:3], (2, 4), layout=torch.sparse_csr)
torch.sparse_bsr_tensor(torch.tensor([0, 1]), torch.tensor([1]), torch.ones(1, 2, 2), (2, 4))
torch.sparse_bsc_tensor(torch.tensor([0, 0, 1]), torch.tensor([0]), torch.ones(1, 2, 2))
torch.sparse_csr_tensor(torch.tensor([0, 1, 3], dtype=torch.int32), torch.tensor([2, 0, 2], dtype=torch.int32), v[:3])
a._validate_sparse_coo_tensor_args(i, v, [2, 4]); a._validate_sparse_coo_tensor_args(i, v, [2, 2])
a._validate_sparse_csr_tensor_args(torch.tensor([0, 1, 3]), torch.tensor([2, 0, 2]), v[:3], [2, 4])
a._validate_sparse_csr_tensor_args(torch.tensor([0, 1, 3]), torch.tensor([2, 2, 0]), v[:3], [2, 4])
a._validate_sparse_csr_tensor_args(torch.tensor([0, 1, 2]), torch.tensor([2, 0, 2]), v[:3], [2, 4])
a._validate_sparse_csc_tensor_args(torch.tensor([0, 1, 1, 3, 3]), torch.tensor([1, 0, 1]), v[:3], [2, 4])
a._validate_sparse_csr_tensor_args(torch.tensor([0, 1, 3]), torch.tensor([2, 0, 7]), v[:3], [2, 4])
a._validate_compressed_sparse_indices(True, torch.tensor([0, 1, 3]), torch.tensor([2, 0, 2]), 2, 4, 3)
d.to_sparse(); d.to_sparse(1); d.to_sparse(0); d.to_sparse(3); s.to_sparse(2); s.to_sparse(1); c.to_sparse(); c.to_sparse(2); b.to_sparse()
d.to_sparse_csr(); d.to_sparse_csc(); d.to_sparse_bsr((1, 2)); d.to_sparse_bsc((2, 2)); s.to_sparse_csr(); s.to_sparse_csc()
c.to_sparse_csc(); e.to_sparse_csr(); c.to_sparse_bsr((1, 2)); c.to_sparse_bsc((2, 2)); b.to_sparse_csr(); e.to_sparse()
torch.ones(2, 3, 4).to_sparse_csr(); torch.ones(2, 3, 4).to_sparse_csr(dense_dim=1); torch.ones(2, 3, 4).to_sparse(2)
d.to_sparse(layout=torch.sparse_csr); d.to_sparse(layout=torch.sparse_bsr, blocksize=(2, 2)); u.to_sparse(); u.to_sparse_csr()
d.to_sparse_bsr((2, 3)); torch.tensor(2.0).to_sparse(); torch.ones(2, 2, 2).to_sparse_csr().to_sparse()
s.clone(); h.detach(); c.clone(); s.double(); s.long(); c.double(); c.to(torch.int64); s.to(torch.float64); n.float()
s.t(); s.transpose(0, 1); s.transpose(0, 5); c.t(); e.t(); b.t(); c.transpose(0, 1); s.permute(1, 0); h.permute(1, 0); h.t()
s.unsqueeze(0); s.unsqueeze(-1); h.unsqueeze(2); h.unsqueeze(1); s.select(0, 1); s.select(1, 2); s[0]; s[:, 2]; h[0]; h[:, 1]; c[0]; c.select(1, 2)
s.index_select(1, torch.tensor([2, 0])); h.index_select(0, torch.tensor([0, 0, 1])); h.index_select(1, torch.tensor([1]))
s.narrow_copy(1, 1, 2); s.narrow_copy(0, 0, 1); h.narrow_copy(1, 0, 1); s.unbind(0); torch.cat([s, s]); torch.cat([s, s], 1)
torch.stack([s, k]); torch.cat([h, h], 1); torch.cat([s, n]); s.reshape(8); s.view(8); s.expand(3, 2, 4); s.stride(); s.storage_offset()
torch.zeros_like(s); torch.empty_like(s); torch.zeros_like(c); torch.ones_like(s); s.is_floating_point(); s.is_contiguous()
a._sparse_broadcast_to(k, [3, 2, 4]); a._sparse_broadcast_to_copy(k, [3, 2, 4]); a._sparse_broadcast_to(h.coalesce(), [2, 3, 2])
s + s; s + k; s + n; n + n; s + z; z + z; s - k; s + d; d + s; d - s; s * s; s * d; d * s; s * 2; 2 * s; s * u; n * 2; n * 2.5; s * torch.tensor(3.0)
s.add(s, alpha=2); s.sub(k, alpha=3); n.add(n, alpha=2); s / 2; s / torch.tensor(2.0); s / d; s / s; n / 2; s // 2; s.floor_divide(2.0)
torch.div(s, 2, rounding_mode='trunc'); h + h; h * 3; h * h; h - h; s + 2; s ** 2; s ** 0; s ** -1; n ** 2
c + c; c + d; d + c; c * d; c * c; c * 2; c / 2; c - c; c.add(c, alpha=2); b + b; e + e; e * 2; c * torch.tensor(2.0)
s.abs(); s.neg(); s.relu(); s.sin(); s.sqrt(); s.sign(); s.sgn(); s.round(); s.floor(); s.ceil(); s.trunc(); s.frac(); s.tan(); s.tanh()
s.sinh(); s.asin(); s.asinh(); s.atan(); s.atanh(); s.erf(); s.erfinv(); s.expm1(); s.log1p(); s.rad2deg(); s.deg2rad(); s.isnan(); s.isinf()
s.isposinf(); s.isneginf(); s.signbit(); s.nan_to_num(); n.sin(); n.abs(); n.neg(); n.sqrt(); h.abs(); h.sin(); s.exp(); s.cos(); s.log()
c.abs(); c.neg(); c.relu(); c.sin(); c.sqrt(); c.sign(); c.tanh(); c.isnan(); c.erf(); c.angle(); c.exp(); e.sin(); b.relu(); c.conj_physical()
k.clone().abs_(); s.clone().abs_(); k.clone().sin_(); c.clone().neg_(); k.clone().mul_(2); k.clone().add_(k); d.clone().add_(s); k.clone().div_(2)
k.clone().zero_(); c.clone().zero_(); s.clone().copy_(k); z.clone().copy_(s); d.clone().copy_(s); c.clone().copy_(c * 2)
(s.to(torch.complex64) * 1j).conj(); s.to(torch.complex64).t(); (s.to(torch.complex64) * 1j).to_dense(); s == s; s > 1; s.equal(k); s.clone().fill_(1); torch.where(d > 0, d, s)
s.sum(); h.sum(); n.sum(); z.sum(); c.sum(); s.sum(0); s.sum(1); s.sum(0, keepdim=True); h.sum(0); h.sum(1); n.sum(0); s.sum(dtype=torch.float64)
torch.sparse.sum(s); torch.sparse.sum(s, 0); torch.sparse.sum(s, [0, 1]); torch.sparse.sum(h, 0); torch.sparse.sum(h, 1); torch.sparse.sum(n, 0)
torch.sparse.sum(s, 1, dtype=torch.float64); torch.sparse.sum(n); a._sparse_sum(n, dtype=torch.float32); torch.sparse.sum(h, [0, 1])
c.sum(0); c.sum(1, keepdim=True); a._sparse_csr_sum(c, [1], True); a._sparse_csr_sum(c, [0], True); a._sparse_csr_sum(c, [0, 1], True)
a._sparse_csr_prod(c, [1], True); a._sparse_csr_prod(c, [0], True); a._sparse_csr_sum(c, [1], False); a._sparse_csr_sum(s, [1], True)
s.norm(); s.norm(1); h.norm(3); torch.native_norm(s); a.native_norm(s, 2, [0, 1], False, None); a.native_norm(s, 2, [0], False, None); s.any(); z.any()
s @ w; s.mm(w); torch.mm(w.t(), s.t()); torch.mm(d, s.t()); s @ s.t(); torch.sparse.mm(s, w); torch.sparse.mm(s, s.t()); s.mv(u); s @ u; u @ s.t()
c @ w; c @ u; c.mm(w); torch.mm(d, c.t()); c.mm(c.t()).to_dense(); e @ w; e.mm(w); torch.sparse.mm(c, w); torch.mm(d, e.t()); torch.mm(c, s.t())
torch.addmm(torch.ones(2, 3), s, w); torch.addmm(torch.ones(2, 3), s, w, beta=2, alpha=3); torch.addmm(torch.ones(2, 3), c, w, beta=0.5)
torch.addmm(torch.ones(3), c, w); torch.addmm(torch.full((2, 3), float('nan')), s, w, beta=0); torch.sparse.addmm(torch.ones(2, 3), s, w, beta=2)
torch.hspmm(s, w); torch.smm(s, w); torch.sspaddmm(torch.sparse_coo_tensor((2, 3)), s, w); torch.sspaddmm(w[:2].to_sparse(), s, w, beta=2, alpha=3)
torch.bmm(torch.stack([s, k]), torch.stack([w, 2 * w])); a._sparse_sparse_matmul(s, s.t()); a._sparse_sparse_matmul(d, d.t()); n @ n.t()
s @ w.double(); s @ u[:2]; s.mm(d); torch.nn.functional.linear(d, s); torch.nn.functional.linear(d, c); torch.matmul(c, w)
torch.sparse.softmax(s, 1); torch.sparse.softmax(s, 0); torch.sparse.log_softmax(s, 1); torch.sparse.softmax(h, 0); torch.sparse.softmax(h, 1)
torch.sparse.log_softmax(h, 0); torch.sparse.softmax(s, 1, dtype=torch.float64); torch.sparse.softmax(d, 1); torch.sparse.softmax(z, 1)
torch.sparse.sampled_addmm(c, torch.ones(2, 3), w.t()); torch.sparse.sampled_addmm(c, d[:, :3], w.t(), beta=0.5, alpha=2.0); torch.sparse.sampled_addmm(s, d, w)
torch.sparse.mm(c, w, reduce='sum'); torch.sparse.mm(c, w, reduce='mean'); torch.sparse.mm(c, w, reduce='amax'); torch.sparse.mm(c, w, reduce='amin')
torch.sparse.mm(s, w, reduce='mean'); a._sparse_mm_reduce_impl(c, w, 'mean')
d.sparse_mask(k); s.sparse_mask(k); k.sparse_mask(s.t().coalesce()); d.sparse_mask(s); d.sparse_mask(c); torch.sparse.spdiags(d[:, :3], torch.tensor([0, 1]), (3, 3))
a._sparse_mask_projection(k, d.to_sparse()); torch.sparse.spdiags(d[:, :3], torch.tensor([-1, 2]), (3, 4)); d.sparse_mask(d)
torch.sparse.spdiags(u, torch.tensor([1]), (4, 4), torch.sparse_csr); torch.sparse.spdiags(d, torch.tensor([1, 1]), (4, 4))
a._convert_indices_from_coo_to_csr(torch.tensor([0, 0, 2]), 4); a._convert_indices_from_coo_to_csr(torch.tensor([0, 0, 2]), 4, out_int32=True)
a._convert_indices_from_csr_to_coo(torch.tensor([0, 2, 3]), torch.tensor([1, 2, 0]))
a._convert_indices_from_csr_to_coo(torch.tensor([0, 2, 3]), torch.tensor([1, 2, 0]), out_int32=True, transpose=True)
a.sparse_resize_(s.clone(), [3, 5], 2, 0); a.sparse_resize_(s.clone(), [1, 4], 2, 0); a.sparse_resize_and_clear_(s.clone(), [1, 4], 2, 0)
a.resize_as_sparse_(s.clone(), torch.ones(3, 4).to_sparse()); a.sparse_resize(s, [3, 5], 2, 0); a.sparse_resize_and_clear(s, [3, 3], 1, 1)
a.resize_as_sparse(s, torch.ones(3, 4).to_sparse()); a.copy_sparse_to_sparse(s, k); a.copy_sparse_to_sparse_(s.clone(), k); a.sparse_resize_(d, [3, 5], 2, 0)
torch.triangular_solve(torch.ones(2, 1), torch.tensor([[2.0, 1.0], [0.0, 4.0]]).to_sparse_csr())
torch.relu(s); torch.nn.functional.relu(s); torch.is_nonzero(s); len(s); s.is_same_size(k); s.numpy(); torch.sparse.mm(d, w)
(s * True); (s > 0)
a.threshold_backward(k, k, 0.5); a.threshold_backward(c, c, 0.5)
"""
"""One by one; `;` and ends of lines separate them."""

LINES = EXPRESSIONS.strip().splitlines()


@cache
def names(namespace: Any) -> dict[str, Any]:
    """What expressions are over, in PyTorch's namespace or ours; they write to copies only."""
    found = {"torch": namespace}
    exec(SETUP, found)
    return found


def evaluate(namespace: Any, text: str) -> Any:
    """The value of an expression, or the error that it raises."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return eval(text, names(namespace))
        except Exception as error:
            return error


def disagreement(text: str) -> str | None:
    """How an expression disagrees with PyTorch's; None where it does not."""
    theirs, mine = evaluate(torch, text), evaluate(stand_in, text)
    if isinstance(theirs, NotImplementedError):
        return None  # which may be a gap of theirs
    if isinstance(theirs, Exception):
        if not isinstance(mine, Exception):
            return f"{text} gives {mine}, PyTorch raises {theirs!r}"
        is_of_kind = isinstance(mine, (RuntimeError, type(theirs)))
        return None if is_of_kind else f"{text}: {mine!r} where PyTorch raises {theirs!r}"
    if isinstance(mine, Exception):
        return f"{text}: {mine!r}, where PyTorch gives {theirs}"
    found = difference(mine, theirs)
    return None if found is None else f"{text}: {found}"


@pytest.mark.parametrize("line", LINES)
def test_expressions_are_pytorchs(line: str) -> None:
    texts = [text.strip() for text in line.split(";")]
    assert [found for text in texts if (found := disagreement(text)) is not None] == []
