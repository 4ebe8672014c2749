"""Operators and overloads that PyTorch took away do what they did, in archives that call them (frontend/archive/removed_operators.py)."""

import io
import json
import zipfile
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.frontend.archive.removed_operators import TEXTS

X = np.random.default_rng(0).standard_normal((3, 4)).astype("float32")
PAIRS = X.reshape(3, 2, 2)
SQUARE = (X[:, :3] + 2 * np.eye(3)).astype("float32")
SYMMETRIC = SQUARE + SQUARE.T
IMAGE = np.arange(18, dtype="float32").reshape(1, 2, 3, 3)
VOLUME = np.arange(27, dtype="float32").reshape(1, 1, 3, 3, 3)
THETA = np.array([[[1, 0.2, 0.1], [-0.1, 0.9, 0]]], dtype="float32")
GRID = np.random.default_rng(1).uniform(-1, 1, (1, 2, 2, 2)).astype("float32")
GRID3 = np.random.default_rng(2).uniform(-1, 1, (1, 2, 2, 2, 3)).astype("float32")
BATCH = np.random.default_rng(3).standard_normal((2, 3, 3)).astype("float32")


def complex_of(pairs: np.ndarray) -> np.ndarray:
    return pairs[..., 0] + 1j * pairs[..., 1]


def pairs_of(values: Any) -> np.ndarray:
    return np.stack([values.real, values.imag], -1)


def with_corners(function: Any, *args: Any) -> np.ndarray:
    given = [torch.from_numpy(a) if isinstance(a, np.ndarray) else a for a in args]
    return function(*given, True).numpy()


def attention_of(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    weights = np.exp(a @ a.T / np.sqrt(a.shape[-1]))
    return weights / weights.sum(-1, keepdims=True) @ b


CALLS: list[tuple[str, str, list[np.ndarray], Any]] = [
    ("fft", "torch.fft(a, 1, False)", [PAIRS], lambda a: pairs_of(np.fft.fft(complex_of(a)))),
    ("fft", "torch.fft(a, 2, True)", [PAIRS], lambda a: pairs_of(np.fft.fft2(complex_of(a), norm="ortho"))),
    ("ifft", "torch.ifft(a, 1, False)", [PAIRS], lambda a: pairs_of(np.fft.ifft(complex_of(a)))),
    ("rfft", "torch.rfft(a, 1, False, True)", [X], lambda a: pairs_of(np.fft.rfft(a))),
    ("rfft", "torch.rfft(a, 2, True, False)", [X], lambda a: pairs_of(np.fft.fft2(a, norm="ortho"))),
    ("irfft", "torch.irfft(a, 1, False, True, [3])", [PAIRS], lambda a: np.fft.irfft(complex_of(a), 3)),
    ("irfft", "torch.irfft(a, 1, False, False, [])", [PAIRS], lambda a: np.fft.ifft(complex_of(a)).real),
    ("eig", "torch.eig(a, True)[0].sum(0)", [SQUARE], lambda a: np.array([np.trace(a), 0])),
    ("symeig", "torch.symeig(a, True)[0]", [SYMMETRIC], lambda a: np.linalg.eigvalsh(a)),
    ("symeig", "torch.symeig(a, False, False)[0]", [SYMMETRIC], lambda a: np.linalg.eigvalsh(a)),
    ("solve", "torch.solve(a, b)[0]", [X, SQUARE], lambda a, b: np.linalg.solve(b, a)),
    ("matrix_rank", "torch.matrix_rank(a, False)", [np.ones((3, 3), "float32")], lambda a: np.array(1)),
    ("matrix_rank", "torch.matrix_rank(a, 5.0, False)", [np.eye(3, dtype="float32")], lambda a: np.array(0)),
    ("linalg_matrix_rank", "torch.linalg_matrix_rank(a, None, False)", [np.ones((3, 3), "float32")], lambda a: np.array(1)),
    ("linalg_svd", "torch.linalg_svd(a, False, True)[1]", [X], lambda a: np.linalg.svd(a)[1]),
    ("linalg_svd", "torch.linalg_svd(a, False, False)[1]", [X], lambda a: np.linalg.svd(a)[1]),
    ("frobenius_norm", "torch.frobenius_norm(a)", [X], lambda a: np.sqrt((a * a).sum())),
    (
        "grid_sampler",
        "torch.grid_sampler(a, b, 0, 0)",
        [IMAGE, GRID],
        lambda a, b: with_corners(torch.grid_sampler, a, b, 0, 0),
    ),
    (
        "grid_sampler_2d",
        "torch.grid_sampler_2d(a, b, 0, 0)",
        [IMAGE, GRID],
        lambda a, b: with_corners(torch.grid_sampler, a, b, 0, 0),
    ),
    (
        "grid_sampler_3d",
        "torch.grid_sampler_3d(a, b, 0, 0)",
        [VOLUME, GRID3],
        lambda a, b: with_corners(torch.grid_sampler, a, b, 0, 0),
    ),
    (
        "affine_grid_generator",
        "torch.affine_grid_generator(a, [1, 1, 2, 3])",
        [THETA],
        lambda a: with_corners(torch.affine_grid_generator, a, [1, 1, 2, 3]),
    ),
    ("quantize_linear", "torch.dequantize(torch.quantize_linear(a, 0.5, 3, 13))", [X], lambda a: np.clip(np.rint(a * 2), -3, 252) / 2),
    ("unflatten", "torch.unflatten(a, 1, [2, 2], None)", [X], lambda a: a.reshape(3, 2, 2)),
    ("max_values", "torch.max_values(a, [1], True)", [X], lambda a: a.max(1, keepdims=True)),
    ("min_values", "torch.min_values(a, [0], False)", [X], lambda a: a.min(0)),
    ("_argmax", "torch._argmax(a, 1, False)", [X], lambda a: a.argmax(1)),
    ("_argmin", "torch._argmin(a, 0, False)", [X], lambda a: a.argmin(0)),
    ("_s_where", "torch._s_where(torch.gt(a, 0), a, b)", [X, -2 * X], lambda a, b: np.where(a > 0, a, b)),
    ("_cat", "torch._cat([a, b], 1)", [X, X], lambda a, b: np.concatenate([a, b], 1)),
    ("_bmm", "torch._bmm(a, b)", [BATCH, BATCH], lambda a, b: a @ b),
    ("_cumsum", "torch._cumsum(a, 1)", [X], lambda a: a.cumsum(1)),
    ("_cumprod", "torch._cumprod(a, 0)", [X], lambda a: a.cumprod(0)),
    ("_mode", "torch._mode(a, 1, False)[0]", [np.array([[1, 2, 1], [3, 3, 0]])], lambda a: np.array([1, 3])),
    ("_std", "torch._std(a, True)", [X], lambda a: a.std(ddof=1)),
    ("_scaled_dot_product_attention", "torch._scaled_dot_product_attention(a, a, b, None, 0., True)[0]", [X, X], attention_of),
    ("_var", "torch._var(a, False)", [X], lambda a: a.var()),
]  # fmt: skip


def archive_of(expression: str, names: str) -> bytes:
    """An archive in the form of PyTorch 1.0, which is the simplest, whose module computes an expression."""
    model = {
        "protoVersion": "1",
        "mainModule": {"torchscriptArena": {"key": "code/m.py"}, "name": "m", "optimize": True},
    }
    parameters = "".join(f",\n    {name}: Tensor" for name in names)
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w") as archive:
        archive.writestr("m/version", "1\n")
        archive.writestr("m/model.json", json.dumps(model))
        source = (
            f"op_version_set = 0\ndef forward(self{parameters}) -> Tensor:\n  return {expression}\n"
        )
        archive.writestr("m/code/m.py", source)
    return written.getvalue()


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_removed_operators(number: int) -> None:
    _, expression, arrays, wanted = CALLS[number]
    module = ts.load(archive_of(expression, "abc"[: len(arrays)]))
    tensors = [torch.from_numpy(array) for array in arrays]
    for _ in range(3):
        np.testing.assert_allclose(module(*tensors).numpy(), wanted(*arrays), rtol=1e-4, atol=1e-5)


def test_each_has_a_call() -> None:
    assert {name for name, *_ in CALLS} == TEXTS.keys()


def test_what_today_s_operator_and_the_removed_one_refuse_is_told_in_today_s_words() -> None:
    with pytest.raises(ts.TorchScriptError, match=r"aten::frobenius_norm\.dim"):
        ts.load(archive_of('torch.frobenius_norm(a, "x")', "a"))(torch.ones(2))
    with pytest.raises(ts.TorchScriptError, match="symeig"):
        ts.load(archive_of('torch.symeig("x")', "a"))(torch.ones(2))
    with pytest.raises(ts.TorchScriptError, match="has no attribute 'gels'"):
        ts.load(archive_of("torch.gels(a, a)", "a"))(torch.ones(2))
