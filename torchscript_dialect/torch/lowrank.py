"""`torch.svd_lowrank` and `torch.pca_lowrank`: functions of PyTorch's that are written over its operators
(torch/_lowrank.py; Halko et al., 2009).
"""

from __future__ import annotations

from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor


def _basis(a: Tensor, columns: int, rounds: int, mean: Tensor | None) -> Tensor:
    """Orthonormal columns that span most of what `a - mean` maps to (algorithm 4.4)."""

    def times(x: Tensor, y: Tensor, of_mean: Tensor | None) -> Tensor:
        product = torch.matmul(x, y)
        return product if of_mean is None else product - torch.matmul(of_mean, y)

    dtype = a.dtype if a.is_floating_point() or a.is_complex() else torch.float32
    found = times(a, torch.randn(a.shape[-1], columns, dtype=dtype, device=a.device), mean)
    found = torch.linalg.qr(found)[0]
    for _ in range(rounds):
        found = torch.linalg.qr(times(a.mH, found, None if mean is None else mean.mH))[0]
        found = torch.linalg.qr(times(a, found, mean))[0]
    return found


def svd_lowrank(
    A: Tensor, q: int | None = 6, niter: int | None = 2, M: Tensor | None = None
) -> tuple[Tensor, Tensor, Tensor]:
    """The `q` largest singular values of `A - M` and their vectors, nearly: (U, S, V). It draws random numbers (algorithm 5.1)."""
    columns, rounds = 6 if q is None else q, 2 if niter is None else niter
    mean = None if M is None else M.broadcast_to(A.shape)
    is_wide = A.shape[-2] < A.shape[-1]
    tall = A.mH if is_wide else A
    mean = mean.mH if is_wide and mean is not None else mean
    basis = _basis(tall, columns, rounds, mean)
    inner = torch.matmul(basis.mH, tall)
    if mean is not None:
        inner = inner - torch.matmul(basis.mH, mean)
    u, s, vh = torch.linalg.svd(inner, full_matrices=False)
    u, v = torch.matmul(basis, u), vh.mH
    return (v, s, u) if is_wide else (u, s, v)


def pca_lowrank(
    A: Tensor, q: int | None = None, center: bool = True, niter: int = 2
) -> tuple[Tensor, Tensor, Tensor]:
    """`svd_lowrank` of the rows less their mean, or as they are where `center` is false.

    Raises:
        ValueError: `q` is negative or larger than a side of the matrix, or `niter` is negative.
    """
    m, n = A.shape[-2:]
    if q is None:
        q = min(6, m, n)
    elif not 0 <= q <= min(m, n):
        raise ValueError(
            f"q(={q}) must be non-negative integer and not greater than min(m, n)={min(m, n)}"
        )
    if niter < 0:
        raise ValueError(f"niter(={niter}) must be non-negative integer")
    return svd_lowrank(A - A.mean(dim=(-2,), keepdim=True) if center else A, q, niter)
