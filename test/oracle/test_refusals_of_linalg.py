"""Products and factorizations refuse what PyTorch refuses, in its words, and give what it gives at the edges."""

import pytest

pytest.importorskip("torch")

import torch

from support.both_sides import disagreements
from torchscript_dialect import torch as stand_in

SETUP = """
from math import inf
L = torch.linalg
x, d, h, i = torch.ones(2, 2), torch.ones(2, 2).double(), torch.ones(2, 2).half(), torch.ones(2, 2).long()
v, b, c = torch.ones(2), torch.ones(3, 2, 2), torch.ones(2) > 0
s = torch.eye(3).repeat(4, 1, 1)
s[2, 1, 1] = 0
lu, pivots = L.lu_factor(torch.eye(2).repeat(3, 1, 1))

def pivoted(value):
    return pivots.clone().fill_(value)

def gradient(f, z):
    z = z.clone().requires_grad_()
    f(z).backward()
    return z.grad

z = torch.tensor([[1 + 2j, 0.5j, 1.0], [2 - 1j, 3, 1j], [0.5, 1 - 1j, -2j]], dtype=torch.complex128)
r = torch.tensor([[1.0, 2.0], [-3.0, 1.0]])
"""

REFUSED = """
torch.addr(x, v, v, beta=True); torch.addr(x, v, v, alpha=True); torch.addr(i, i[0], i[0], beta=True); torch.addr(x > 0, c, c, beta=2.5)
torch.addmm(x, d, x); torch.addmm(x, x, d); torch.addmm(x, d, h); torch.addmm(x, d, d); torch.addbmm(x, b, b.double()); torch.addbmm(x, b.half(), b)
torch.baddbmm(b, b, b.half()); torch.baddbmm(b, b.half(), b.half()); torch.baddbmm(b.double(), b, b); torch.bmm(b, b.double()); torch.matmul(b, b.half())
torch.nn.functional.linear(x, h, v); torch.nn.functional.linear(b, x, v.half()); torch.nn.functional.linear(x, h); torch.addmv(v, x, v.double()); torch.addmv(v, d, v.double()); torch.mv(x, v.double()); torch.chain_matmul(); torch.chain_matmul(v, x); torch.chain_matmul(x, b)
L.multi_dot([]); L.multi_dot([v[0], v]); L.multi_dot([v, b]); L.multi_dot([b, v])
L.cholesky(s); L.cholesky_ex(s, check_errors=True); L.inv(s); L.inv_ex(s, check_errors=True); L.solve(s, s); L.lu_factor(s); L.lu_factor(s[2])
L.lu_factor_ex(s, check_errors=True); L.lu_solve(lu, pivoted(0), b); L.lu_solve(lu, pivoted(3), b, adjoint=True); torch.lu_solve(b, lu, pivoted(-1))
torch.lu_unpack(lu, pivoted(0)); torch.lu_unpack(lu, pivoted(3)); L.lu_solve(lu[:, :, :1], pivots, b)
L.vector_norm(x[:0], -1); L.vector_norm(x[:0], -2, dim=0); L.norm(v[:0], inf); L.vector_norm(x[:, :0], -inf, dim=1); torch.norm(x[:0], -1, dim=0)
L.matrix_norm(x, 1j); L.matrix_norm(v, 5); L.matrix_norm(v, 'w'); L.norm(v, 'fro'); L.cond(x, 5); L.cond(x, 'w'); L.cond(v); L.cond(x[:1], 1)
L.svd(x * torch.nan); L.svdvals(x * torch.nan); L.cond(x * torch.nan); L.matrix_norm(x * torch.nan, 2); L.pinv(x * torch.nan)
L.lstsq(x, v[0]); L.lstsq(v, v); L.lstsq(x, torch.ones(3)); L.lstsq(x, i); L.lstsq(x, v, driver='gelsx')
gradient(lambda x: (L.svd(x)[0] + L.svd(x)[2]).sum().abs(), z); gradient(lambda x: L.eig(x)[1].sum().abs(), z); gradient(lambda x: L.eig(x)[1].sum().abs(), r)
gradient(lambda x: L.eigh(x + x.mH)[1].sum().abs(), z)
"""

TAKEN = """
torch.addr(x, v, v, beta=2, alpha=0.5); torch.addr(x > 0, c, c, beta=True); torch.addr(i, i[0], v, beta=0.5); torch.chain_matmul(x); torch.chain_matmul(x, x, x)
[t.shape for t in L.lu(x[:0])]; [t.shape for t in L.lu_factor(b[:, :0])]; L.lu_factor_ex(b[:, :0, :0])[2]; L.lu(x[:, :0])[0]; torch.lu(b[:0])[1].shape
L.cond(s, 1); L.cond(s, -1); L.cond(s, inf); L.cond(s, 'fro'); L.cond(s, 'nuc'); L.cond(x * torch.nan, 1); L.cond(x * 0, -inf); L.cond(b[:, :0, :0]); L.cond(x[:0], 2)
L.cond(r, 1); L.cond(r, 'fro'); L.norm(v[:0], 1); L.vector_norm(b[:0], -1, dim=1); L.vector_norm(x[:0], inf, dim=1); L.norm(v, -inf)
gradient(lambda x: (L.svd(x)[0] @ L.svd(x)[2]).real.sum(), z); gradient(lambda x: L.eig(x)[1].abs().sum(), z); gradient(lambda x: L.eigh(x + x.mH)[1].abs().sum(), z)
"""


@pytest.mark.parametrize("line", TAKEN.strip().splitlines())
def test_edges(line: str) -> None:
    assert disagreements(SETUP, line) == []


def _refusal(namespace: object, text: str) -> str:
    names = {"torch": namespace}
    exec(SETUP, names)
    with pytest.raises(RuntimeError) as caught:
        eval(text, names)
    return str(caught.value)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("line", REFUSED.strip().splitlines())
def test_refusals(line: str) -> None:
    for text in line.split(";"):
        wanted = _refusal(torch, text.strip()).splitlines()[0].removesuffix(".")
        assert wanted in _refusal(stand_in, text.strip()), text
