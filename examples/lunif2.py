"""The uniformity loss without `pdist`: norm, a product, `exp`, `tril` and a sum, with indexing by `None`."""

import numpy as np

from examples._torch import show, torch


def lunif2(x, t: int = 2):
    t = 2
    xnorm = torch.norm(x, p=2, dim=1).pow(2)
    sq_pdist = xnorm[None] + xnorm[:, None] - 2 * torch.mm(x, x.t())
    exp = sq_pdist.mul(-t).exp().tril(diagonal=-1)
    N = x.size(0)
    res = exp.sum().mul(2 / (N * N - N)).log()
    return res


if __name__ == "__main__":
    show(lunif2, np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32))
