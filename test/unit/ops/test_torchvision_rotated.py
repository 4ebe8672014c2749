"""`box_iou_rotated` of torchvision: ops/torchvision/torchvision_rotated.py. Wanted numbers are those of torchvision 0.27.1."""

import numpy as np
import pytest

import torchscript_dialect as ts

UNIT = ts.CompilationUnit("""
def covered(a, b):
    return torch.ops.torchvision.box_iou_rotated(a, b)
""")
FIRST = [[1, 1, 1, 1, 0], [1, 1, 2, 2, 45], [1, 1, -2, 2, 0], [1e4, 1e4, 2, 2, 0]]
SECOND = [[1, 1, 1, 1, 90], [1, 1, 2, 2, 0], [1.5, 1, 2, 1, 30], [1e4 + 1, 1e4, 2, 2, 30]]
"""Centers, widths, heights and degrees; of one box the width is negative."""
WANTED = [
    [1.0, 0.25, 0.344055, 0.0],
    [0.25, 0.707107, 0.384265, 0.0],
    [0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.29982],
]
UNKNOWN = [float("nan"), 1, 2, 2, 0]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_parts_that_rotated_boxes_share(dtype: str) -> None:
    first, second = np.array([*FIRST, UNKNOWN], dtype), np.array(SECOND, dtype)
    found = UNIT.covered(first, second)
    assert found.dtype == ts.torch.float32
    np.testing.assert_allclose(np.asarray(found), [*WANTED, [0.0] * 4], atol=3e-6)
    assert UNIT.covered(first[:0], second).shape == (0, 4)


def test_equal_boxes_cover_each_other_and_turned_ones_as_much() -> None:
    boxes = np.array([[3, -2, 2, 0.7, angle] for angle in (0, 17, 180, 197, 377)], np.float32)
    found = np.asarray(UNIT.covered(boxes, boxes))
    np.testing.assert_allclose(np.diag(found), 1, atol=1e-5)
    np.testing.assert_allclose(found[0, 2], 1, atol=1e-5)
    np.testing.assert_allclose(found[1], found[3], atol=1e-5)
    np.testing.assert_allclose(found, found.T, atol=1e-5)


@pytest.mark.parametrize(
    ("first", "message"),
    [
        (np.zeros((2, 4), np.float32), r"boxes1 should have shape \(N, 5\), got \[2, 4\]"),
        (np.zeros((2, 5)), "boxes1 and boxes2 must have the same dtype"),
    ],
)
def test_what_is_no_rotated_box(first: np.ndarray, message: str) -> None:
    with pytest.raises(RuntimeError, match=message):
        UNIT.covered(first, np.zeros((2, 5), np.float32))
    with pytest.raises(RuntimeError, match="not implemented for 'Long'"):
        UNIT.covered(np.zeros((2, 5), np.int64), np.zeros((2, 5), np.int64))
