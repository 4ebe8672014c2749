"""Points of a grid that are no numbers, and elements that no point may reach. What is expected is what PyTorch 2.13 gives."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect import torch
from torchscript_dialect.ops.images import taps
from torchscript_dialect.runtime.kernels.handwritten import grid_kernels

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


OPTIONS = [
    (mode, padding, align_corners, rank)
    for mode, padding, align_corners, rank in product(
        ("bilinear", "nearest", "bicubic"),
        ("zeros", "border", "reflection"),
        (False, True),
        (2, 3),
    )
    if (mode, rank) != ("bicubic", 3)
]


def _operands(rank: int) -> tuple[Any, Any, Any]:
    random = np.random.default_rng(0)
    sizes, points = (5, 4, 3)[:rank], (3, 2, 2)[:rank]
    image = random.standard_normal((2, 3, *sizes))
    grid = random.standard_normal((2, *points, rank)) * 1.2
    return image, grid, random.standard_normal((2, 3, *points))


def _gradients(image: Any, grid: Any, weights: Any, options: Any, **kwargs: Any) -> list[Any]:
    given = [torch.tensor(one, requires_grad=True) for one in (image, grid)]
    result = F.grid_sample(*given, *options)
    return [*given, *torch.autograd.grad((result * torch.tensor(weights)).sum(), given, **kwargs)]


@pytest.mark.parametrize("mode, padding, align_corners, rank", OPTIONS)
def test_native_sums_are_those_of_numpy(
    mode: str, padding: str, align_corners: bool, rank: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    options, found = (mode, padding, align_corners), []
    image, grid, weights = _operands(rank)
    image[:, :, 0] = INF
    grid[0, 0] = 9.0
    for many in (0, 1 << 62):
        monkeypatch.setattr(taps.NATIVE, "many", many)
        _, _, *gradients = _gradients(image, grid, weights, options)
        result = F.grid_sample(torch.tensor(image), torch.tensor(grid), *options)
        found.append([one.numpy() for one in (result, *gradients)])
    for ours, other in zip(*found, strict=True):
        np.testing.assert_allclose(ours, other, 1e-12, 1e-12)


@pytest.mark.parametrize("mode, padding, align_corners, rank", OPTIONS)
def test_gradients_of_gradients(mode: str, padding: str, align_corners: bool, rank: int) -> None:
    """Against differences of gradients; PyTorch has none."""
    options = (mode, padding, align_corners)
    image, grid, weights = _operands(rank)
    random = np.random.default_rng(1)
    moves = [random.standard_normal(one.shape) for one in (image, grid)]
    factors = [random.standard_normal(one.shape) for one in (image, grid)]

    def total(step: float, **kwargs: Any) -> tuple[list[Any], Any]:
        moved = (one + step * move for one, move in zip((image, grid), moves, strict=True))
        x, points, *gradients = _gradients(next(moved), next(moved), weights, options, **kwargs)
        pairs = zip(gradients, factors, strict=True)
        return [x, points], sum((one * torch.tensor(factor)).sum() for one, factor in pairs)

    given, recorded = total(0.0, create_graph=True)
    found = torch.autograd.grad(recorded, given, allow_unused=True, materialize_grads=True)
    slope = sum(float((one.numpy() * move).sum()) for one, move in zip(found, moves, strict=True))
    difference = float(total(1e-6)[1] - total(-1e-6)[1]) / 2e-6
    assert slope == pytest.approx(difference, 1e-4, 1e-4)


@pytest.mark.parametrize("mode, padding, align_corners, rank", OPTIONS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_native_samples_are_those_of_numpy(
    mode: str,
    padding: str,
    align_corners: bool,
    rank: int,
    dtype: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(0)
    for sizes, points in (((5, 4, 3), (7, 11, 2)), ((1, 1, 1), (3, 2, 1)), ((2, 3, 4), (0, 2, 3))):
        image = random.standard_normal((2, 3, *sizes[:rank])).astype(dtype)
        image[:, :, 0] = INF
        grid = (random.standard_normal((2, *points[:rank], rank)) * 2).astype(dtype)
        special = random.random(grid.shape) < 0.2
        numbers = np.array([NAN, INF, -INF, 1, -1, 0, -0.0, 3e4, -3e4])
        grid[special] = random.choice(numbers, int(special.sum())).astype(dtype)
        found = []
        for many in (1 << 62, 0):
            monkeypatch.setattr(taps.NATIVE, "many", many)
            given = torch.tensor(image), torch.tensor(grid)
            found.append(F.grid_sample(*given, mode, padding, align_corners).numpy())
        np.testing.assert_array_equal(*found)


@pytest.mark.parametrize("rank", [2, 3])
def test_images_without_channels(rank: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for many in (1 << 62, 0):
        monkeypatch.setattr(taps.NATIVE, "many", many)
        image = torch.ones(2, 0, *(3,) * rank, requires_grad=True)
        grid = torch.zeros(2, *(2,) * rank, rank, requires_grad=True)
        result = F.grid_sample(image, grid, align_corners=True)
        assert list(result.shape) == [2, 0, *(2,) * rank]
        result.sum().backward()
        assert not grid.grad.numpy().any()


@pytest.mark.parametrize("mode, padding, align_corners, rank", OPTIONS)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_native_gradients_are_those_of_numpy(
    mode: str,
    padding: str,
    align_corners: bool,
    rank: int,
    dtype: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = np.random.default_rng(0)
    for sizes, points in (((5, 4, 3), (7, 11, 2)), ((1, 1, 1), (3, 2, 1)), ((2, 3, 4), (0, 2, 3))):
        image = random.standard_normal((2, 3, *sizes[:rank])).astype(dtype)
        grid = (random.standard_normal((2, *points[:rank], rank)) * 2).astype(dtype)
        special = random.random(grid.shape) < 0.1
        numbers = np.array([NAN, INF, -INF, 1, -1, 0, -0.0, 3e4, -3e4])
        grid[special] = random.choice(numbers, int(special.sum())).astype(dtype)
        weights = random.standard_normal((2, 3, *points[:rank])).astype(dtype)
        found = []
        for many in (1 << 62, 0):
            monkeypatch.setattr(taps.NATIVE, "many", many)
            for given in ((image, grid), (image.swapaxes(2, -1).copy().swapaxes(2, -1), grid)):
                _, _, *made = _gradients(*given, weights, (mode, padding, align_corners))
                found.append([one.numpy() for one in made])
        tolerance = {"float16": 1e-2, "float32": 1e-5, "float64": 1e-12}[dtype]
        for others in found[1:]:
            for one, other in zip(found[0], others, strict=True):
                assert one.dtype == other.dtype
                assert one.strides == other.strides or not one.size
                np.testing.assert_allclose(one, other, tolerance, tolerance)


@needs_native_calls
@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
def test_a_step_is_one_native_call_in_each_direction(
    mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(taps.NATIVE, "many", 0)
    options, (image, grid, weights) = (mode, "zeros", False), _operands(2)
    _gradients(image, grid, weights, options)
    way = ("bilinear", "nearest", "bicubic").index(mode)
    natives = [grid_kernels.sampling(way, "d", 2, back=back) for back in (False, True)]
    before = [one.native_calls for one in natives]
    _gradients(image, grid, weights, options)
    assert [one.native_calls for one in natives] == [calls + 1 for calls in before]


@pytest.mark.parametrize("many", [0, 1 << 62])
def test_images_of_one_dimension_are_refused(many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many points were read before."""
    monkeypatch.setattr(taps.NATIVE, "many", many)
    x, grid = torch.ones(1, 2, 8), torch.zeros(1, 2, 8, 2)
    for image in (x, x.detach().requires_grad_()):
        with pytest.raises(RuntimeError, match=r"grid_sampler\(\)"):
            torch.nn.functional.grid_sample(image, grid, align_corners=False)


def test_grids_of_affine_maps_have_two_backward_passes() -> None:
    """Nothing is saved for them but sizes."""
    theta = torch.ones(2, 2, 3, requires_grad=True)
    grid = torch.nn.functional.affine_grid(theta, [2, 3, 4, 5], align_corners=False)
    for _ in range(2):
        grid.sum().backward()
    assert theta.grad is not None
    assert torch.allclose(theta.grad[:, :, 2], torch.tensor(40.0))
