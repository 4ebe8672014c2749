"""Loops that give a tensor more dimensions each trip, until it has as many as another: `_make_factor_broadcastable` of kornia."""

from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

SOURCE = """
def scaled(image, factor):
    while factor.dim() != image.dim():
        factor = factor[..., None]
    if factor.shape[-3] != 1:
        raise ValueError("one value for each image")
    return image * factor
"""


@pytest.mark.parametrize("sizes", [[], [2], [2, 1], [2, 1, 1, 1]], ids=str)
def test_a_loop_goes_on_until_ranks_are_equal(sizes: list[int]) -> None:
    """What the first trip said of a rank was taken for what is known of all: the loop did not end."""
    scaled: Any = ts.CompilationUnit(SOURCE).scaled
    image, factor = torch.ones([2, 3, 4, 4]), torch.full(sizes, 3.0)
    with ts.background_compilation(False):
        for _ in range(5):
            assert scaled(image, factor).eq(3.0).all()
