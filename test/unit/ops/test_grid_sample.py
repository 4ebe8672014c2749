"""Points of a grid that are no numbers, and elements that no point may reach. What is expected is what PyTorch 2.13 gives."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch

F: Any = torch.nn.functional
NAN, INF = float("nan"), float("inf")


def _sampled(x: Any, points: list[Any], mode: str, padding: str) -> list[float]:
    grid = torch.tensor(points).reshape(1, *(1,) * (len(points[0]) - 1), len(points), -1)
    return F.grid_sample(x, grid, mode, padding, align_corners=True).numpy().reshape(-1).tolist()


@pytest.mark.parametrize("mode, rank", [*product(("bilinear", "nearest"), (2, 3))])
def test_what_no_point_reaches_has_no_part_in_results(mode: str, rank: int) -> None:
    x = torch.ones(1, 1, *(3,) * rank)
    x.view(-1)[0] = INF
    points = [[5.0] * rank, [1.0] * rank, [-5.0] * rank]
    assert _sampled(x, points, mode, "zeros") == [0, 1, 0]


@pytest.mark.parametrize(
    "mode, padding, of_image, of_volume",
    [
        ("bilinear", "zeros", NAN, 0),
        ("nearest", "zeros", 0, 0),
        ("bilinear", "border", 0, 8),
        ("nearest", "border", 0, 8),
        ("bilinear", "reflection", 0, 8),
        ("nearest", "reflection", 0, 8),
    ],
)
def test_points_that_are_no_numbers(
    mode: str, padding: str, of_image: float, of_volume: float
) -> None:
    image = torch.arange(9.0).reshape(1, 1, 3, 3)
    np.testing.assert_equal(_sampled(image, [[NAN, NAN]], mode, padding), [of_image])
    volume = torch.arange(9.0).reshape(1, 1, 1, 3, 3)
    np.testing.assert_equal(_sampled(volume, [[NAN, NAN, NAN]], mode, padding), [of_volume])


def test_nothing_to_sample() -> None:
    for sizes, points in (((0, 2, 3, 3), (0, 4, 4, 2)), ((2, 0, 3, 3), (2, 1, 4, 2))):
        result = F.grid_sample(torch.ones(sizes), torch.zeros(points), align_corners=True)
        assert list(result.shape) == [*sizes[:2], *points[1:3]]
