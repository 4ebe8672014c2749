"""Operators of torchvision that pool regions of images: ops/torchvision/torchvision_align.py, torchvision_pool.py. Wanted numbers are those of
torchvision 0.28.0, or of the definition.
"""

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.torch import tensor

SOURCE = """
def roi_align(x, rois, scale: float, height: int, width: int, ratio: int):
    return torch.ops.torchvision.roi_align(x, rois, scale, height, width, ratio, True)

def roi_pool(x, rois, scale: float, height: int, width: int):
    return torch.ops.torchvision.roi_pool(x, rois, scale, height, width)

def ps_roi_align(x, rois, scale: float, height: int, width: int, ratio: int):
    return torch.ops.torchvision.ps_roi_align(x, rois, scale, height, width, ratio)

def ps_roi_pool(x, rois, scale: float, height: int, width: int):
    return torch.ops.torchvision.ps_roi_pool(x, rois, scale, height, width)

def ps_roi_pool_backward(grad, rois, mapping, sizes: List[int]):
    return torch.ops.torchvision._ps_roi_pool_backward(grad, rois, mapping, 1.0, 1, 1, sizes[0], sizes[1], sizes[2], sizes[3])
"""
UNIT = ts.CompilationUnit(SOURCE)
ROIS = np.array(
    [[0, 1, 1, 9, 8], [1, -4, -3, 3, 20], [1, 5, 5, 4.5, 4], [0, 30, 30, 40, 40]], np.float64
)
NAN = float("nan")
BY_CELL = [[0, 1, 2, 3]] * 4


def wave(*shape):
    return np.sin(np.arange(float(np.prod(shape))) * 1.7).reshape(shape)


# Name, channels, arguments after the scale; then the results, their numbers, and the gradient's sums over all but channels, rows, columns.
POOLED = [
    (
        "roi_pool",
        1,
        (2, 2),
        [0.985600299, 0.9997929, 0.980589492, 0.949403861, 0, 0.998901504, 0, 0]
        + [0.65031074] * 4
        + [0] * 4,
        [[23, 12, 38, 34], [-1, 14, -1, -1], [32] * 4, [-1] * 4],
        [5.25430201],
        [0, 1.49166481, 1.29848711, 0.5, 1.71969119, 0.244458898],
        [1.29848711, 0, 0.5, 0.244458898, 2.14550587, 1.49166481, -0.425814682],
    ),
    (
        "ps_roi_align",
        4,
        (2, 2, -1),
        [0.142524761, 0.00213351498, -0.162296479, -0.0527928438, 0, -0.139604857, 0, 0]
        + [NAN] * 4
        + [0] * 4,
        BY_CELL,
        [0.5, 2.50159923, 0.244458898, -0.425814682],
        [0.408850817, 0.897162164, 0.897162164, 0.399178278, 0.0822794411, 0.135610583],
        [0.588045752, 0.626878374, 0.353354468, 0.274935569, 0.355283376, 0.355283376, 0.266462532],
    ),
    (
        "ps_roi_align",
        4,
        (2, 2, 2),
        [0.250838747, 0.164257781, -0.214402911, -0.216488171, 0, -0.18643079, 0, 0]
        + [-0.146402111, 0.883174826, -0.796189889, 0.366123048]
        + [0] * 4,
        BY_CELL,
        [1.85916181, 3.6868925, -0.216938594, -0.074813708],
        [0.742602844, 0.902473117, 0.77874363, 2.32644676, 0.580545129, -0.0765094715],
        [0.649243556, 0.960606422, 0.295721212, 2.13285703, 0.68294872, 0.266462532, 0.266462532],
    ),
    (
        "ps_roi_pool",
        4,
        (2, 2),
        [0.186535658, 0.414709573, -0.140682277, -0.239299288, 0, -0.401191935, 0, 0]
        + [0.65031074, 0.148090913, -0.844305958, 0.957927784]
        + [0] * 4,
        BY_CELL,
        [1.85916181, 3.6868925, -0.216938594, -0.074813708],
        [0.216414519, 0.880302789, 0.880302789, 0.819850861, 2.30146846, 0.155962591],
        [0.649243556, 0.897396522, 0.248152966, 0.248152966, 2.50078925, 0.355283376, 0.355283376],
    ),
]


@pytest.mark.parametrize(
    ("name", "channels", "given", "wanted", "numbers", "planes", "rows", "columns"), POOLED
)
def test_values_and_gradients_are_those_of_torchvision(
    name, channels, given, wanted, numbers, planes, rows, columns
):
    for _ in range(3):
        x = tensor(wave(2, 4, 6, 7)[:, :channels].copy()).requires_grad_()
        regions = tensor(ROIS).requires_grad_()
        found, places = getattr(UNIT, name)(x, regions, 0.75, *given)
        np.testing.assert_allclose(found.detach().numpy().reshape(-1), wanted, atol=1e-8)
        assert places.reshape(4, -1).tolist() == numbers
        assert places.numpy().dtype == np.int32
        assert not places.requires_grad
        found.backward(tensor(wave(*found.shape) + 0.5))
        grad = x.grad.numpy()
        np.testing.assert_allclose(grad.sum((0, 2, 3)), planes, atol=1e-7)
        np.testing.assert_allclose(grad.sum((0, 1, 3)), rows, atol=1e-7)
        np.testing.assert_allclose(grad.sum((0, 1, 2)), columns, atol=1e-7)
        assert regions.grad is None


@pytest.mark.parametrize(("name", "channels", "given"), [case[:3] for case in POOLED])
@pytest.mark.parametrize("dtype", [np.float16, np.float32])
def test_results_have_the_dtype_of_the_images(name, channels, given, dtype):
    x = wave(2, 4, 6, 7)[:, :channels].copy()
    call = getattr(UNIT, name)
    wanted, numbers = call(x, ROIS, 0.75, *given)
    assert wanted.numpy().dtype == np.float64
    image = tensor(x.astype(dtype)).requires_grad_()
    found, places = call(image, ROIS.astype(dtype), 0.75, *given)
    np.testing.assert_allclose(found.detach().numpy(), wanted.numpy(), atol=5 * np.finfo(dtype).eps)
    assert places.tolist() == numbers.tolist()
    found.nansum().backward()
    assert found.detach().numpy().dtype == image.grad.numpy().dtype == dtype


def bounds(first, last, cells, size):
    """Where the cells of a box that is some pixels long begin and end."""
    length = max(last - first, 1) / cells
    return [
        (
            min(max(first + int(np.floor(i * length)), 0), size),
            min(max(first + int(np.ceil((i + 1) * length)), 0), size),
        )
        for i in range(cells)
    ]


@pytest.mark.parametrize("box", [[0, 0, 6, 5], [-2, 1, 4, 4], [3, 2, 12, 9], [2, 2, 2, 2]])
def test_cells_hold_the_pixels_that_they_cover(box):
    x = wave(1, 12, 6, 7)
    rois = np.array([[0, *box]], np.float64)
    greatest, _ = UNIT.roi_pool(x, rois, 1.0, 3, 2)
    mean, _ = UNIT.ps_roi_pool(x, rois, 1.0, 3, 2)
    left, top, right, bottom = box
    for i, (up, down) in enumerate(bounds(top, bottom + 1, 3, 6)):
        for j, (first, behind) in enumerate(bounds(left, right + 1, 2, 7)):
            cell = x[0, :, up:down, first:behind]
            wanted = cell.max((1, 2)) if cell.size else np.zeros(12)
            np.testing.assert_array_equal(greatest.numpy()[0, :, i, j], wanted)
    for i, (up, down) in enumerate(bounds(top, bottom, 3, 5)):
        for j, (first, behind) in enumerate(bounds(left, right, 2, 6)):
            cell = x[0, i * 2 + j :: 6, up:down, first:behind]
            wanted = cell.mean((1, 2)) if cell.size else np.zeros(2)
            np.testing.assert_allclose(mean.numpy()[0, :, i, j], wanted, atol=1e-14)


@pytest.mark.parametrize(
    ("corner", "pixel"), [(0.5, 7), (0.5 - 1e-12, 0), (1.5, 14), (2.5, 21), (-0.4, 0), (-0.5, -1)]
)
def test_halves_are_rounded_away_from_zero(corner, pixel):
    rois = np.array([[0, corner, corner, corner, corner]])
    # A pixel of -1 is none.
    found, place = UNIT.roi_pool(np.arange(36.0).reshape(1, 1, 6, 6), rois, 1.0, 1, 1)
    assert found.tolist() == [[[[max(pixel, 0)]]]]
    assert place.tolist() == [[[[pixel]]]]


def test_cells_of_ps_roi_pool_end_before_the_last_pixels_and_their_gradients_do_not():
    rois = np.array([[0, 3, 3, 6, 6.0]])
    x = tensor(np.arange(36.0).reshape(1, 1, 6, 6)).requires_grad_()
    found, _ = UNIT.ps_roi_pool(x, rois, 1.0, 1, 1)
    assert found.tolist() == [[[[24.5]]]]
    found.sum().backward()
    wanted = np.zeros((6, 6))
    wanted[3:, 3:] = 1 / 9
    np.testing.assert_allclose(x.grad.numpy()[0, 0], wanted, atol=1e-15)


def test_gradients_go_to_the_channels_that_the_mapping_names():
    grad, rois = np.ones((1, 1, 1, 1)), np.array([[0, 0, 0, 2, 2.0]])
    mapping = np.ones((1, 1, 1, 1), np.int32)
    found = UNIT.ps_roi_pool_backward(grad, rois, mapping, [1, 2, 3, 3])
    assert found.tolist()[0] == [[[0.0] * 3] * 3, [[0.25, 0.25, 0], [0.25, 0.25, 0], [0.0] * 3]]


@pytest.mark.parametrize(("name", "channels", "given"), [case[:3] for case in POOLED])
def test_no_regions_and_no_pixels(name, channels, given):
    call = getattr(UNIT, name)
    x = tensor(wave(2, 4, 6, 7)[:, :channels].copy()).requires_grad_()
    found, numbers = call(x, ROIS[:0], 0.75, *given)
    assert found.shape == numbers.shape == (0, 1, 2, 2)
    found.sum().backward()
    assert not x.grad.numpy().any()
    found, _ = call(np.zeros((2, channels, 0, 7)), ROIS, 0.75, *given)
    assert not found.numpy().any()
    found, _ = call(np.zeros((2, 0, 6, 7)), ROIS, 0.75, *given)
    assert found.shape == (4, 0, 2, 2)


def test_greatest_pixels_are_no_nan_and_not_below_the_least_float():
    x = np.full((1, 3, 4, 4), NAN)
    x[0, 1], x[0, 2, 1, 2] = -1e300, 5.0
    found, places = UNIT.roi_pool(x, np.array([[0, 0, 0, 3, 3.0]]), 1.0, 1, 1)
    least = float(np.finfo(np.float32).min)
    assert found.reshape(-1).tolist() == [least, least, 5.0]
    assert places.reshape(-1).tolist() == [-1, -1, 6]


@pytest.mark.parametrize("value", [NAN, np.inf])
def test_only_cells_with_a_tap_on_a_pixel_that_is_no_number_have_none(value):
    x = wave(1, 4, 6, 7)
    x[0, :, 2, 2] = value
    rois = np.array([[0, 1, 1, 5, 5.0]])
    found = UNIT.roi_align(x, rois, 1.0, 2, 2, 2).numpy()
    assert np.isfinite(found[0]).tolist() == [[[False, True], [True, True]]] * 4
    found = UNIT.ps_roi_align(x, rois, 1.0, 2, 2, 2)[0].numpy()
    assert np.isfinite(found[0, 0]).tolist() == [[False, True], [True, True]]


def test_only_pixels_with_a_tap_have_gradients_that_are_no_numbers():
    x = tensor(wave(1, 1, 6, 7)).requires_grad_()
    found = UNIT.roi_align(x, np.array([[0, 1, 1, 5, 5.0]]), 1.0, 2, 2, 2)
    found.backward(tensor(np.array([[[[1.0, NAN], [1.0, 1.0]]]])))
    rows, columns = np.nonzero(np.isnan(x.grad.numpy()[0, 0]))
    assert (set(rows), set(columns)) == ({1, 2, 3}, {3, 4, 5})


def test_a_region_that_is_no_number_holds_nothing():
    rois = np.array([[0, NAN, 1, 5, 5.0]])
    x = wave(1, 4, 6, 7)
    for found in (
        UNIT.roi_align(x, rois, 1.0, 2, 2, 2),
        UNIT.roi_align(x, rois, 1.0, 2, 2, 0),
        UNIT.ps_roi_align(x, rois, 1.0, 2, 2, 2)[0],
    ):
        assert not found.numpy().any()


X, ONE = np.zeros((2, 4, 6, 7), np.float32), np.array([[0, 1, 1, 5, 5]], np.float32)


@pytest.mark.parametrize("name", ["roi_align", "roi_pool", "ps_roi_align", "ps_roi_pool"])
@pytest.mark.parametrize(
    ("x", "rois", "cells", "message"),
    [
        (X, ONE[:, :4], (2, 2), r"have shape as Tensor\[K, 5\]"),
        (X, ONE[0], (2, 2), r"expected to be in range of \[-1, 0\], but got 1"),
        (X[0], ONE, (2, 2), r"expected to be in range of \[-3, 2\], but got 3"),
        (X[None], ONE, (2, 2), "input should have 4 dimensions, and not 5"),
        (X, ONE.astype(np.float64), (2, 2), "torch.FloatTensor does not equal torch.DoubleTensor"),
        (X.astype(np.int32), ONE.astype(np.int32), (2, 2), "not implemented for 'Int'"),
        (X, ONE, (-1, 2), "Dimension size must be non-negative"),
        (X, np.array([[2, 1, 1, 5, 5]], np.float32), (2, 2), "a region is of image 2"),
        (X, np.array([[-1, 1, 1, 5, 5]], np.float32), (2, 2), "a region is of image -1"),
    ],
)
def test_operands_that_do_not_fit(name, x, rois, cells, message):
    ratio = (2,) if name.endswith("align") else ()
    with pytest.raises((RuntimeError, IndexError), match=message):
        getattr(UNIT, name)(x, rois, 1.0, *cells, *ratio)


def test_channels_that_cannot_be_shared_out():
    for cells in ((3, 2), (0, 2)):
        with pytest.raises(
            (RuntimeError, IndexError), match="must be a multiple of pooling height"
        ):
            UNIT.ps_roi_pool(X, ONE, 1.0, *cells)


def test_numbers_of_channels_are_int32():
    grad, mapping = np.ones((1, 1, 1, 1), np.float32), np.ones((1, 1, 1, 1), np.int64)
    with pytest.raises((RuntimeError, IndexError), match="expected scalar type Int but found Long"):
        UNIT.ps_roi_pool_backward(grad, ONE, mapping, [1, 2, 6, 7])
