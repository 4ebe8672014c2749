"""Bags of rows are made natively, once that pays, with the same bits."""

from typing import Any

import numpy as np
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.ops.indexing import embedding
from torchscript_dialect.runtime.kernels.handwritten import bag_kernels
from torchscript_dialect.tensor.tensor import Tensor

RNG = np.random.default_rng(11)
VALUES = (0.0, -0.0, 1.0, -1.0, 2.5, np.inf, -np.inf, np.nan)
SIZES = (1, 7, 8, 21)
"""Widths of tables: native functions take eight elements at a time."""


def _bags(width: int, dtype: str, places: str) -> list[Tensor]:
    """A table, indices, and offsets, among which are those of empty bags."""
    table = RNG.choice(VALUES, (9, width)).astype(dtype)
    offsets = np.array([0, 0, 1, 5, 5, 16, 40], places)
    given = table, RNG.integers(0, 9, 40).astype(places), offsets
    return [torch.as_tensor(each) for each in given]


def _bits(tensor: Tensor) -> tuple[str, bytes]:
    """The elements of a tensor, of which one NaN is as good as another."""
    array = tensor.array
    return array.dtype.name, np.where(array != array, np.nan, array).astype(array.dtype).tobytes()


@needs_native_calls
@pytest.mark.parametrize("mode", [embedding.SUM, embedding.MEAN, embedding.MAX])
@pytest.mark.parametrize("padding", [-1, 3])
def test_native_bags_are_those_of_numpy(
    mode: int, padding: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[Any] = []
    for name in ("add_rows", "keep_largest"):
        run = getattr(bag_kernels, name)
        monkeypatch.setattr(
            bag_kernels, name, lambda *given, run=run: done.append(run(*given)) or True
        )
    kinds = [("float32", "int64"), ("float64", "int32")]
    for width in SIZES:
        for kind in kinds:
            table, indices, offsets = _bags(width, *kind)
            found: list[list[Any]] = []
            for many in (1 << 62, 0):
                monkeypatch.setattr(embedding.NATIVE, "many", many)
                bags = torch.embedding_bag(
                    table, indices, offsets, False, mode, False, None, False, padding
                )
                found.append([_bits(each) for each in bags])
            assert found[0] == found[1]
    assert done == [True] * len(SIZES) * len(kinds)


def test_a_table_whose_rows_do_not_lie_together_is_not_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(embedding.NATIVE, "many", 0)
    monkeypatch.delattr(bag_kernels, "add_rows")
    table, indices, offsets = _bags(8, "float32", "int64")
    torch.embedding_bag(table.t()[:, :8], indices[:5] % 8, offsets[:3])


def test_indices_and_offsets_of_two_dtypes_have_gradients() -> None:
    weight = torch.ones(3, 1, requires_grad=True)
    for one, other in ((torch.int32, torch.int64), (torch.int64, torch.int32)):
        indices, offsets = torch.tensor([1, 2, 1], dtype=one), torch.tensor([0, 2], dtype=other)
        torch.nn.functional.embedding_bag(indices, weight, offsets, mode="sum").sum().backward()
    assert weight.grad is not None and weight.grad.tolist() == [[0.0], [4.0], [2.0]]
