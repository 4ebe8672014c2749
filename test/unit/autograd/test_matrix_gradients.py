"""Gradients by matrices of which an operator reads a part: where PyTorch puts what belongs to an element and its mirror image."""

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

MATRIX = np.array([[3.0, 0.5, -1.0], [0.25, 1.0, 0.75], [2.0, -0.5, -2.0]])
WEIGHTS = np.cos(np.arange(9.0)).reshape(3, 3)


def gradient(body: str, *given: Any) -> tuple[np.ndarray, ...]:
    """The gradients of the weighted sum of a result."""
    source = f"def f(w, a, b):\n    return (w * ({body})).sum()\n"
    f: Any = ts.CompilationUnit(source).f
    operands = [torch.tensor(one, requires_grad=True) for one in given]
    f(torch.tensor(WEIGHTS), *operands).backward()
    return tuple(np.asarray(one.grad) for one in operands if one.grad is not None)


def test_eigenvectors_give_a_symmetric_gradient() -> None:
    body = "torch.linalg.eigh(a + 0 * b)[1] ** 2 + torch.linalg.eigh(a)[0]"
    found, *_ = gradient(body, MATRIX, MATRIX)
    assert np.abs(found - found.T).max() < 1e-12
    values, vectors = np.linalg.eigh(MATRIX)
    inner = vectors.T @ (2 * vectors * WEIGHTS)
    gaps = values[None, :] - values[:, None] + np.diag([np.inf] * 3)
    inner = (inner - inner.T) / 2 / gaps + np.diag(WEIGHTS.sum(0))
    np.testing.assert_allclose(found, vectors @ inner @ vectors.T, atol=1e-12)


@pytest.mark.parametrize("upper", [False, True])
def test_factors_get_gradients_in_both_triangles(upper: bool) -> None:
    triangle = np.triu(MATRIX) if upper else np.tril(MATRIX)
    inverse = np.linalg.inv(triangle.T @ triangle if upper else triangle @ triangle.T)
    common = inverse @ (WEIGHTS + WEIGHTS.T) @ inverse
    expected = -(MATRIX @ common if upper else common @ MATRIX)
    (found,) = gradient(f"torch.cholesky_inverse(a, {upper})", MATRIX, MATRIX)
    np.testing.assert_allclose(found, expected, rtol=1e-9)

    right = MATRIX.T.copy()
    solution, turned = inverse @ right, inverse @ WEIGHTS
    common = turned @ solution.T + solution @ turned.T
    expected = -(MATRIX @ common if upper else common @ MATRIX)
    of_right, of_factor = gradient(f"torch.cholesky_solve(a, b, {upper})", right, MATRIX)
    np.testing.assert_allclose(of_right, turned, rtol=1e-9)
    np.testing.assert_allclose(of_factor, expected, rtol=1e-9)


def test_one_vector_of_an_outer_product_may_hold_integers() -> None:
    for x in (torch.ones(2, dtype=torch.float64), torch.ones(2)):
        x.requires_grad_()
        torch.outer(torch.tensor([1, 2, 3]), x).sum().backward()
        torch.outer(x, torch.tensor([1, 2, 3])).sum().backward()
        assert x.grad is not None and x.grad.tolist() == [12, 12]
