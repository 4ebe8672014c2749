"""Factors of matrices on the device and what follows from them: the results of the host, without a word about it."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch

CASES = [
    # inverses and determinants, by a thread for each matrix and by a block
    "L.inv(a)", "L.inv(A.float())", "L.inv(a.mT)", "L.inv_ex(s)", "L.inv(a[:0])",
    "L.det(a)", "L.det(A)", "L.slogdet(a)", "L.slogdet(s)", "torch.logdet(a)",
    # systems
    "L.solve(a, b)", "L.solve(A, B)", "L.solve(a, b.mT, left=False)", "L.solve(a[0], b)", "L.solve(A, B[:, 0])",
    "L.solve(a, b[:, :, 0])", "L.solve_ex(s, b)",
    "L.solve_triangular(A, B, upper=True)", "L.solve_triangular(A, B.mT, upper=False, left=False, unitriangular=True)",
    "L.solve_triangular(a, b[..., :0], upper=True)", "torch.triangular_solve(b, a, upper=False, transpose=True)",
    # factors
    "L.lu(t)", "L.lu(t.mT)", "L.lu_factor(A)", "torch.lu_unpack(*L.lu_factor(t))",
    "L.lu_solve(*L.lu_factor(A), B)", "L.lu_solve(*L.lu_factor(A), B.mT, left=False)",
    "L.cholesky(p)", "L.cholesky(P, upper=True)", "L.cholesky_ex(s)", "torch.cholesky_solve(b, L.cholesky(p))",
    "torch.cholesky_inverse(L.cholesky(p, upper=True), upper=True)",
    "L.qr(t)", "L.qr(t.mT)", "L.qr(A, mode='complete')", "L.qr(A, mode='r')", "L.qr(s * 0)", "torch.geqrf(t)",
    "L.householder_product(*torch.geqrf(A))",
]  # fmt: skip
ERRORS = ["L.inv(s)", "L.solve(s, b)", "L.cholesky(-p)"]


def tensors(device: str) -> dict[str, Any]:
    generator = np.random.default_rng(0)
    shapes = {"a": (2, 4, 4), "A": (9, 9), "t": (2, 5, 3), "b": (2, 4, 2), "B": (9, 3)}
    found = {name: torch.tensor(generator.standard_normal(shape)) for name, shape in shapes.items()}
    found["p"], found["P"] = (
        one @ one.mT + torch.eye(one.size(-1)).double() for one in (found["a"], found["A"])
    )
    found["s"] = found["p"].clone()
    found["s"][1, :, 2] = 0
    moved = {name: one.to(device) for name, one in found.items()}
    return {**moved, "torch": torch, "L": torch.linalg}


def run(text: str, device: str) -> list[Any]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = eval(text, tensors(device))
    return [found] if isinstance(found, torch.Tensor) else list(found)


@pytest.mark.parametrize("text", CASES)
def test_results(on_device: Device, text: str) -> None:
    for mine, other in zip(run(text, "cuda"), run(text, "cpu"), strict=True):
        assert mine.is_cuda
        assert (mine.dtype, mine.shape) == (other.dtype, other.shape)
        assert not other.numel() or mine.stride() == other.stride()
        close = 1e-4 if mine.dtype is torch.float32 else 1e-10
        np.testing.assert_allclose(mine.cpu().numpy(), other.numpy(), close, close)
    assert not on_device.faults


@pytest.mark.parametrize("text", ERRORS)
def test_what_has_no_result(on_device: Device, text: str) -> None:
    messages: list[str] = []
    for device in ("cpu", "cuda"):
        with pytest.raises(torch.linalg.LinAlgError) as error:
            run(text, device)
        messages.append(str(error.value))
    assert messages[0] == messages[1]
