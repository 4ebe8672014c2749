"""What `out` becomes: strides where it is resized, and what must not be written to. PyTorch 2.13's, by a sweep of its database."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from torchscript_dialect import torch

X = torch.arange(30.0).reshape(5, 6) + torch.eye(5, 6) * 40


@pytest.mark.parametrize(
    "run",
    [
        lambda out: torch.addmm(X, X[:, :5], X, out=out),
        lambda out: torch.cumsum(X, 0, out=out),
        lambda out: torch.nn.functional.linear(X, X[:, :6], out=out[:, :5]),
        lambda out: torch.fft.rfft(X, n=10, out=out.to(torch.complex64)[:1].expand(5, 6)),
        lambda out: torch.stack([X[0]] * 5, out=out),
        lambda out: torch.conj_physical(X, out=out),
        lambda out: torch.sort(X, out=(out, torch.zeros(5, 6, dtype=torch.int64))),
    ],
)
def test_memory_that_elements_share_is_not_written_to(run: Callable[[Any], Any]) -> None:
    out = torch.zeros(1, 6).expand(5, 6)
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        run(out)
    assert out.sum() == 0


@pytest.mark.parametrize("sizes", [(0,), (2, 3, 5)])
@pytest.mark.parametrize(
    ("run", "strides"),
    [
        (lambda out: torch.fft.rfft(X, dim=0, out=out.to(torch.complex64)), (6, 1)),
        (lambda out: torch.fft.ifft(X, dim=0, out=out.to(torch.complex64)), (1, 5)),
        (lambda out: torch.linalg.cholesky(X[:, :5] @ X[:, :5].t(), out=out), (1, 5)),
        (lambda out: torch.cholesky(X[:, :5] @ X[:, :5].t(), out=out), (5, 1)),
        (lambda out: torch.exp(X.t(), out=out), (1, 6)),
    ],
)
def test_strides_of_what_is_resized(
    run: Callable[[Any], Any], strides: tuple[int, ...], sizes: tuple[int, ...]
) -> None:
    assert run(torch.zeros(sizes)).stride() == strides


def test_what_is_resized_stays_where_it_has_room() -> None:
    base = torch.arange(6.0)
    for run in (torch.exp, torch.neg, lambda x, out: torch.add(x, 1, out=out)):
        run(torch.zeros(3), out=base[:2])
        assert base.tolist() == [*run(torch.zeros(3), out=torch.zeros(3)).tolist(), 3, 4, 5]


def test_an_operand_is_not_resized() -> None:
    x = torch.zeros(3, 1)
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        torch.add(x, torch.ones(3, 4), out=x)
    assert x.shape == (3, 1)


def test_columns_where_there_were_none() -> None:
    """What had elements has rows."""
    assert torch.geqrf(X, out=(torch.zeros(0), torch.zeros(0)))[0].stride() == (1, 5)
    assert torch.geqrf(X, out=(torch.zeros(3), torch.zeros(0)))[0].stride() == (6, 1)


@pytest.mark.parametrize("x", [X[:, :3], X[:, :3].t(), X[:1].expand(5, 6)])
def test_copies_of_which_a_part_is_replaced_keep_strides(x: Any) -> None:
    strides = x.stride() if 0 not in x.stride() else (6, 1)
    for _ in range(3):
        found = torch.diagonal_scatter(x, torch.zeros(3 if 3 in x.shape else 5))
        assert found.stride() == strides and found.diagonal().sum() == 0
        place = x.storage_offset() + x.stride(1)
        found = torch.as_strided_scatter(x, torch.zeros(1), [1], [1], place)
        assert found.stride() == strides
        if x.stride(0):
            assert found[0, 1] == 0 and (found != x).sum() == 1


def test_counts_of_nothing_are_integers() -> None:
    nothing = torch.zeros(0, dtype=torch.int64)
    assert torch.bincount(nothing, torch.zeros(0), 2).dtype is torch.int64


@pytest.mark.parametrize(
    "run",
    [
        lambda out: torch.mm(X[:, :5], X, out=out),
        lambda out: torch.abs(X, out=out),
        lambda out: torch.sort(X, out=(out, torch.zeros(0, dtype=torch.int64))),
        lambda out: torch.unbind_copy(X, out=[out.clone() for _ in range(5)]),
        lambda out: torch.signbit(X, out=out),
    ],
)
def test_many_have_no_out_of_a_wider_dtype(run: Callable[[Any], Any]) -> None:
    """It was taken; that of others, which promote, is."""
    with pytest.raises(RuntimeError, match="Expected out tensor to have dtype"):
        run(torch.zeros(0, dtype=torch.float64))


@pytest.mark.parametrize(
    "run",
    [
        lambda out: torch.cat([X, X], out=out),
        lambda out: torch.add(X, X, out=out),
        lambda out: torch.bernoulli(X * 0, out=out),
        lambda out: torch.sum(X, 0, out=out),
    ],
)
def test_an_out_of_a_wider_dtype_is_taken(run: Callable[[Any], Any]) -> None:
    out = torch.zeros(0, dtype=torch.float64)
    assert run(out) is out
