"""Sums in Einstein's notation: values are NumPy's, strides those that PyTorch 2.13 gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops.products import einsum

CASES: list[tuple[str, list[tuple[int, ...]], tuple[int, ...]]] = [
    ("bhid,bhjd->bhij", [(2, 3, 4, 5), (2, 3, 6, 5)], (72, 24, 6, 1)),
    ("bnhd,hde->bnhe", [(2, 4, 3, 5), (3, 5, 6)], (24, 6, 48, 1)),
    ("ij,jk->ki", [(3, 4), (4, 5)], (3, 1)),
    ("nchw,cd->ndhw", [(2, 3, 4, 5), (3, 6)], (120, 1, 30, 6)),
    ("bnhv,dhv->bdn", [(2, 3, 4, 5), (6, 4, 5)], (18, 1, 6)),
    ("bi,bi->b", [(6, 7), (6, 7)], (1,)),
    ("...ij,...jk->...ki", [(2, 3, 4), (2, 4, 5)], (15, 3, 1)),
    ("i,j->ji", [(3,), (4,)], (3, 1)),
    ("ij,kj", [(3, 4), (5, 4)], (5, 1)),
    ("abc,cd->db", [(2, 3, 4), (4, 5)], (1, 5)),
    ("ab,bc,cd->da", [(2, 3), (3, 4), (4, 5)], (1, 5)),
    ("ij,jk->ik", [(3, 1), (1, 5)], (5, 1)),
    ("bixy,ioxy->boxy", [(2, 1, 4, 4), (1, 8, 4, 4)], (128, 16, 4, 1)),
]


def operands(shapes: list[tuple[int, ...]]) -> list[np.ndarray]:
    return [np.arange(1.0, 1 + np.prod(sizes), dtype=np.float32).reshape(sizes) for sizes in shapes]


@pytest.mark.parametrize(("equation", "shapes", "strides"), CASES)
def test_values_and_strides(
    equation: str, shapes: list[tuple[int, ...]], strides: tuple[int, ...]
) -> None:
    given = operands(shapes)
    found = torch.einsum(equation, [torch.tensor(one) for one in given])
    np.testing.assert_allclose(np.asarray(found), np.einsum(equation, *given), rtol=1e-6)
    assert found.stride() == strides


def test_two_operands_are_products_of_matrices(monkeypatch: pytest.MonkeyPatch) -> None:
    """What NumPy does with labels takes many times as long."""
    monkeypatch.setattr(einsum.np, "einsum", None)
    for equation, shapes, _ in CASES:
        torch.einsum(equation, [torch.tensor(one) for one in operands(shapes)])


@pytest.mark.parametrize(
    ("equation", "shapes"),
    [
        ("d,adc->a", [(3,), (4, 1, 4)]),  # a dimension of one element is stretched
        ("aab,bc->ac", [(2, 2, 3), (3, 4)]),  # a diagonal
        (",a->", [(), (4,)]),
        ("...c,a...bc->...a", [(2, 3), (4, 2, 5, 3)]),
        ("ij,->i", [(2, 0), ()]),
        ("a,bc->c", [(2,), (0, 3)]),
    ],
)
def test_gradients(equation: str, shapes: list[tuple[int, ...]]) -> None:
    """The gradient along the operand is what the sum of squares is homogeneous in."""
    given = [torch.tensor(one).requires_grad_() for one in operands(shapes)]
    found = torch.einsum(equation, given)
    (found * found).sum().backward()
    for one in given:
        assert one.grad is not None
        assert one.grad.shape == one.shape
        slope = 2 * float((found.detach() * found.detach()).sum())
        assert float((one.grad * one.detach()).sum()) == pytest.approx(slope)


@pytest.mark.parametrize("equation", ["ii->", "ij->ji", "ij->i"])
def test_one_operand_may_be_written_to(equation: str) -> None:
    """Its gradient reads none of it."""
    x = torch.ones(2, 2, requires_grad=True)
    for _ in range(2):
        x.grad = None
        y = x * 2
        total = torch.einsum(equation, [y]).sum()
        y.mul_(3)
        (total + y.sum()).backward()
        assert x.grad is not None
        assert x.grad.sum().item() == (24 + (4 if equation == "ii->" else 8))


def test_what_is_only_multiplied_is_promoted() -> None:
    """As angles of positions are: `einsum("i,j->ij", arange(n), frequencies)`."""
    positions, frequencies = torch.arange(4), torch.tensor([1.0, 0.5, 0.25])
    found = torch.einsum("i,j->ij", positions, frequencies)
    assert found.dtype is torch.float32
    assert found.tolist() == [[i * one for one in (1.0, 0.5, 0.25)] for i in range(4)]
    x, y = torch.ones(2, 1, dtype=torch.complex64), torch.ones(1, 3, dtype=torch.float64)
    assert torch.einsum("ij,jk->ik", x, y).dtype is torch.complex128
    assert torch.einsum("i,j,k->kij", positions, frequencies, y[0]).dtype is torch.float64
    for equation, operands in (
        ("i,i->", (frequencies, y[0])),
        ("a,b,b->a", (x[:, 0], y[0], frequencies)),
    ):
        with pytest.raises(RuntimeError, match="expected m1 and m2 to have the same dtype"):
            torch.einsum(equation, *operands)


@pytest.mark.parametrize("element", [torch.int32, torch.uint8, torch.bool])
def test_sums_of_integers_have_64_bits(element: Any) -> None:
    """What is summed in one operand alone, as by `sum`; what is multiplied and summed has the dtype of products of matrices."""
    x = torch.ones(2, 3).to(element)
    for equation, given, wanted in (
        ("ij->i", (x,), [3, 3]),
        ("ij->", (x,), 6),
        ("ii->", (x[:, :2],), 2),
        ("...j->...", (x,), [3, 3]),
        ("ij,k->i", (x, x[0]), [9, 9]),
        ("...ik,...j->ij", (x[None], x[0]), [[3, 3, 3]] * 2),
    ):
        found = torch.einsum(equation, *given)
        assert found.dtype is torch.int64
        assert found.tolist() == wanted
    assert torch.einsum("i,j->ij", x[0], x[0]).dtype is element
    assert torch.einsum("ii->i", x[:, :2]).dtype is element
    if element is torch.bool:
        with pytest.raises(NotImplementedError, match="not implemented for 'Bool'"):
            torch.einsum("ij,j->i", x, x[0])
    else:
        assert torch.einsum("ij,j->i", x, x[0]).dtype is element
        assert torch.einsum("ii,i->i", x[:, :2], x[0, :2]).tolist() == [1, 1]
    function = ts.CompilationUnit("def f(x):\n    return torch.einsum('ij->i', [x])\n").f
    for _ in range(4):
        assert function(x).dtype is torch.int64
