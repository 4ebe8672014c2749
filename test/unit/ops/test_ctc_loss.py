"""Connectionist temporal classification: the recursions in native code, held against NumPy's and against all alignments."""

from __future__ import annotations

from itertools import groupby, product
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops.losses import ctc_loss
from torchscript_dialect.tensor.conversion import as_tensor


def _given(dtype: str, steps: int, batch: int, classes: int, longest: int) -> list[Any]:
    """Log probabilities, some of them impossible, targets with blanks among them, used steps and lengths, zeros among them."""
    random = np.random.default_rng(0)
    numbers = random.standard_normal((steps, batch, classes))
    numbers -= np.log(np.exp(numbers).sum(-1, keepdims=True))
    numbers[random.random(numbers.shape) < 0.05] = -np.inf
    targets = random.integers(0, classes, (batch, longest))
    used, lengths = random.integers(0, steps + 1, batch), random.integers(0, longest + 1, batch)
    used[0], lengths[0] = steps, longest
    return [numbers.astype(dtype), targets, used.tolist(), lengths.tolist()]


def _results(log_probs: Any, targets: Any, used: list[int], lengths: list[int]) -> list[Any]:
    x = torch.tensor(log_probs, requires_grad=True)
    losses = torch.ctc_loss(x, as_tensor(targets), used, lengths, reduction=0, zero_infinity=True)
    _, alphas = torch._ctc_loss(x.detach(), as_tensor(targets), used, lengths)
    losses.sum().backward()
    return [losses.detach().numpy(), alphas.numpy(), x.grad.numpy()]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("sizes", [(12, 5, 4, 3), (1, 2, 3, 1), (5, 3, 4, 0), (30, 2, 9, 12)])
def test_native_recursions_are_those_of_numpy(
    dtype: str, sizes: tuple[int, int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    given = _given(dtype, *sizes)
    tolerance = 1e-5 if dtype == "float32" else 1e-12
    flat = np.concatenate([row[:n] for row, n in zip(given[1], given[3], strict=True)])
    for targets in (given[1], flat):
        given[1] = targets
        native = _results(*given)
        with monkeypatch.context() as patch:
            patch.setattr(ctc_loss, "_natively", lambda *_: None)
            for ours, other in zip(native, _results(*given), strict=True):
                assert ours.strides == other.strides or 1 in ours.shape
                np.testing.assert_allclose(ours, other, tolerance, tolerance)


def test_the_loss_is_that_of_all_alignments() -> None:
    log_probs, _, _, _ = _given("float64", 5, 1, 3, 0)
    log_probs[np.isinf(log_probs)] = -3.0
    for labels in ([1, 2], [1, 1], [2], []):
        paths = product(range(3), repeat=5)
        ways = (p for p in paths if [one for one, _ in groupby(p) if one] == labels)
        total = sum(np.exp(sum(log_probs[i, 0, one] for i, one in enumerate(p))) for p in ways)
        targets = as_tensor(np.array([labels], np.int64))
        found = torch.ctc_loss(as_tensor(log_probs), targets, [5], [len(labels)])
        wanted = -np.log(total) / max(len(labels), 1)
        assert found.item() == pytest.approx(wanted, 1e-12)


def test_labels_that_are_no_classes_are_refused() -> None:
    log_probs, targets, used, lengths = _given("float32", 4, 2, 3, 2)
    targets[0, 0] = 3
    with pytest.raises(IndexError):
        torch.ctc_loss(as_tensor(log_probs), as_tensor(targets), used, lengths)
