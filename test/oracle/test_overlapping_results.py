"""Results that share memory with what is read: refused as by PyTorch, and with its values where it has any."""

from __future__ import annotations

from typing import Any

import pytest

from torchscript_dialect import torch as ours

pytorch = pytest.importorskip("torch")

STATEMENTS = """
torch.add(a, 1, out=b); a.add_(b); torch.clamp(a, 1, 3, out=b); torch.cumsum(a, 0, out=b); torch.diff(a, out=b[:7]); torch.sort(a, out=(b, i))
torch.topk(a, 8, out=(b, i)); torch.stack([m[0], m[1]], out=n)
torch.cat([a[:4], b[:4]], out=b); torch.hstack([a[:4], a[4:]], out=b); torch.gather(a, 0, j, out=b); torch.take_along_dim(a, j, 0, out=b)
torch.outer(a[:2], a[:4], out=n); torch.renorm(m, 2, 0, 1, out=n); torch.cross(m[:, :3], m[:, :3], dim=1, out=m[:, :3])
torch.scatter(a, 0, j, b, out=b); torch.index_copy(a, 0, j, a, out=b); torch.ldexp(a, b, out=b); torch.logcumsumexp(a, 0, out=b)
torch.frexp(a, out=(b, i.int())); torch.angle(a, out=b); torch.kron(a[:2], a[:4], out=b); torch.mode(m, 0, out=(b[:4], i[:4]))
b.copy_(a); b[:] = a; torch.add(a, 1, out=a); torch.cumsum(a, 0, out=a); torch.sort(a, out=(a, i)); x.mul_(x)
m.copy_(n); a[j] = b; torch.where(a > 2, a, a, out=a); torch.nan_to_num(a, out=a); torch.special.ndtr(a, out=a); torch.logcumsumexp(a, 0, out=a)
""".replace("\n", ";").split(";")  # fmt: skip


def told(torch: Any, statement: str) -> Any:
    """The memory after a statement, or what it is refused with. `a` and `b` lie one element apart in `x`, `m` and `n` are matrices there."""
    x = torch.arange(9.0)
    names = {"torch": torch, "x": x, "a": x[:8], "b": x[1:], "i": torch.zeros(8, dtype=torch.long)}
    names |= {"m": x[:8].view(2, 4), "n": x[1:].view(2, 4), "j": torch.arange(8).flip(0)}
    try:
        exec(statement.strip(), names)
    except RuntimeError as error:
        return str(error)
    return x.tolist()


@pytest.mark.parametrize("statement", [one for one in STATEMENTS if one.strip()])
def test_same(statement: str) -> None:
    given, wanted = told(ours, statement), told(pytorch, statement)
    assert given == (wanted if isinstance(wanted, str) else pytest.approx(wanted, rel=1e-5))
