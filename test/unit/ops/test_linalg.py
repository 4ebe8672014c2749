"""Factorizations that are unique only up to signs or phases: their factors give the matrix again."""

from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.tensor.conversion import as_tensor

KINDS = ("float32", "float64", "complex64")


def _matrices(shape: tuple[int, ...], kind: str) -> np.ndarray:
    rng = np.random.default_rng(5)
    values = rng.standard_normal(shape)
    return (values + 1j * rng.standard_normal(shape) if kind == "complex64" else values).astype(
        kind
    )


def _adjoint(x: np.ndarray) -> np.ndarray:
    return np.swapaxes(x, -1, -2).conj()


def _near(found: Any, expected: np.ndarray) -> None:
    tolerance = 1e-10 if expected.dtype == np.float64 else 2e-5
    np.testing.assert_allclose(np.asarray(found), expected, rtol=tolerance, atol=tolerance)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(2, 4, 3), (3, 5), (0, 2, 2)])
def test_singular_value_decomposition(shape: tuple[int, ...], kind: str) -> None:
    x = _matrices(shape, kind)
    for full in (False, True):
        u, s, vh = (item.array for item in torch.linalg.svd(as_tensor(x), full))
        size = s.shape[-1]
        _near((u[..., :size] * s[..., None, :]) @ vh[..., :size, :], x)
        _near(
            _adjoint(u) @ u,
            np.broadcast_to(
                np.eye(u.shape[-1], dtype=kind), (*shape[:-2], u.shape[-1], u.shape[-1])
            ),
        )


@pytest.mark.parametrize("kind", KINDS)
def test_eigenvectors(kind: str) -> None:
    x = _matrices((2, 3, 3), kind)
    hermitian = x + _adjoint(x)
    for side in ("L", "U"):
        values, vectors = (item.array for item in torch.linalg.eigh(as_tensor(hermitian), side))
        assert (np.diff(values) >= 0).all()
        _near(vectors @ (values[..., None] * _adjoint(vectors)), hermitian)
    values, vectors = (item.array for item in torch.linalg.eig(as_tensor(x)))
    wide = np.complex128 if kind == "float64" else np.complex64
    assert values.dtype == vectors.dtype == wide
    np.testing.assert_allclose(x @ vectors, vectors * values[..., None, :], atol=1e-4)


@pytest.mark.parametrize("kind", KINDS)
def test_permuted_triangles(kind: str) -> None:
    for shape in ((3, 3), (2, 4, 3), (2, 5)):
        x = _matrices(shape, kind)
        p, lower, upper = (item.array for item in torch.linalg.lu(as_tensor(x)))
        _near(p @ lower @ upper, x)


def test_matrices_without_result_are_named() -> None:
    singular = as_tensor(np.ones((2, 2), np.float32))
    with pytest.raises(RuntimeError, match=r"linalg\.inv: .*singular"):
        torch.linalg.inv(singular)
    with pytest.raises(
        RuntimeError,
        match=r"linalg\.cholesky: .*not positive-definite \(the leading minor of order 2",
    ):
        torch.linalg.cholesky(as_tensor(np.array([[1.0, 2.0], [2.0, 1.0]])))
    with pytest.raises(
        RuntimeError, match=r"must be batches of square matrices, but they are 2 by 3"
    ):
        torch.linalg.det(as_tensor(np.ones((2, 3))))


def test_solutions_by_singular_factors() -> None:
    """A zero on the diagonal is divided by, as LAPACK does; an inverse is refused."""
    a = as_tensor(np.array([[1.0, 2.0], [2.0, 4.0]]))
    b = as_tensor(np.array([[1.0], [3.0]]))
    factors, pivots, _ = torch.linalg.lu_factor_ex(a)
    for found in (torch.linalg.solve_ex(a, b)[0], torch.linalg.lu_solve(factors, pivots, b)):
        assert found.tolist() == [[np.inf], [-np.inf]]
    assert torch.linalg.solve_ex(a, b)[1].item() == 2
    singular = as_tensor(np.array([[1.0, 0.0], [2.0, 0.0]]))
    assert not np.isfinite(torch.cholesky_solve(b, singular).numpy()).any()
    batch = torch.stack([torch.eye(2, dtype=torch.float64), singular])
    with pytest.raises(RuntimeError, match=r"\(Batch element 1\): The diagonal element 2 is zero"):
        torch.cholesky_inverse(batch)
    for solve in (torch.cholesky_solve, torch.triangular_solve):
        with pytest.raises(RuntimeError, match="each A matrix is 2 by 2 but each b matrix is 3 by"):
            solve(torch.ones(3, 1, dtype=torch.float64), a)


def test_factors_of_indefinite_matrices() -> None:
    """L D L^T is the matrix again, with blocks of both sizes in D."""
    rng = np.random.default_rng(0)
    for size in (2, 5, 9):
        a = rng.standard_normal((3, size, size))
        a += a.swapaxes(1, 2)
        a[0] -= np.diag(np.diagonal(a[0]))
        factors, pivots = torch.linalg.ldl_factor(as_tensor(a))
        x = rng.standard_normal((3, size, 2))
        solved = torch.linalg.ldl_solve(factors, pivots, as_tensor(a @ x))
        np.testing.assert_allclose(solved.numpy(), x, rtol=1e-6, atol=1e-8)
        assert (pivots.numpy()[0] < 0).any()
