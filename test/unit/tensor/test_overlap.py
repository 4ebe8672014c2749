"""In-place writes that PyTorch refuses.

Point 6 of docs/testing.md.
"""

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.tensor.overlap import (
    Overlap,
    assert_no_internal_overlap,
    assert_no_overlap,
    assert_no_partial_overlap,
    overlap_of,
)

X = np.zeros((4, 4), np.float32)


@pytest.mark.parametrize(
    "a, b, expected",
    [
        (X, X[:], Overlap.FULL),
        (X, X.T, Overlap.PARTIAL),
        (X[:3], X[1:], Overlap.PARTIAL),
        (X[:2], X[2:], Overlap.NONE),
        (X, X.copy(), Overlap.NONE),
        (X[:, ::2], X[:, 1::2], Overlap.UNKNOWN),
        (X[:0], X, Overlap.NONE),
    ],
)
def test_overlap_of_two_views(a: np.ndarray, b: np.ndarray, expected: Overlap):
    assert overlap_of(a, b) is expected


def test_refusals():
    expanded = np.lib.stride_tricks.as_strided(X, (3, 4), (0, 4))
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers"):
        assert_no_internal_overlap(expanded)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to"):
        assert_no_partial_overlap(X[1:], X[:3])
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to"):
        assert_no_overlap(X, X)


def test_allowed_writes():
    assert_no_internal_overlap(X.T)
    assert_no_internal_overlap(np.lib.stride_tricks.as_strided(X, (1, 4), (0, 4)))
    assert_no_partial_overlap(X, X)
    assert_no_overlap(X[:2], X[2:])


def test_a_tensor_without_elements_does_not_overlap_itself():
    assert_no_internal_overlap(np.lib.stride_tricks.as_strided(X, (0, 4), (4, 0)))


def test_a_copy_of_a_tensor_onto_itself_does_nothing():
    """As in PyTorch, also where elements share memory."""
    x = torch.arange(3.0).expand(2, 3)
    assert x[:, 1:].copy_(x[:, 1:]).tolist() == [[1.0, 2.0]] * 2
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor refers"):
        x[:, 1:].copy_(x[:, :2])


@pytest.mark.parametrize("name", ["positive", "resolve_conj", "resolve_neg"])
def test_what_is_the_tensor_itself(name: str):
    x = torch.ones(2, 3)
    y = getattr(torch, name)(x)
    assert y is x
    x.t_()
    assert y.shape == (3, 2)
