"""Operators of torchvision, which archives of models for detection call: ops/torchvision/torchvision.py."""

import subprocess
import sys

import numpy as np
import pytest

import torchscript_dialect as ts
from support import hostile_archives as hostile
from torchscript_dialect.torch import tensor

BOXES = np.array(
    [[0, 0, 10, 10], [1, 1, 11, 11], [20, 20, 30, 30], [0, 0, 10, 9], [20, 20, 30, 30]], np.float32
)
SCORES = np.array([0.5, 0.9, 0.3, 0.8, 0.3], np.float32)

SOURCE = """
def nms(boxes, scores, most: float):
    return torch.ops.torchvision.nms(boxes, scores, most)

def roi_align(x, rois, scale: float, height: int, width: int, ratio: int, aligned: bool):
    return torch.ops.torchvision.roi_align(x, rois, scale, height, width, ratio, aligned)
"""


@pytest.mark.parametrize(
    ("most", "kept"),
    [(0.5, [1, 2]), (0.7, [1, 3, 2]), (0.95, [1, 3, 0, 2]), (1.0, [1, 3, 0, 2, 4])],
)
def test_boxes_that_cover_a_better_one_go(most, kept):
    found = ts.CompilationUnit(SOURCE).nms(BOXES, SCORES, most)
    assert found.tolist() == kept
    assert found.numpy().dtype == np.int64


def test_no_boxes():
    assert ts.CompilationUnit(SOURCE).nms(BOXES[:0], SCORES[:0], 0.5).tolist() == []


def sample(image, y, x):
    """One interpolated value of an image (H, W), nothing where the place is more than a pixel outside."""
    height, width = image.shape
    if y < -1 or y > height or x < -1 or x > width:
        return 0.0
    y, x = min(max(y, 0.0), height - 1), min(max(x, 0.0), width - 1)
    top, left = int(y), int(x)
    bottom, right = min(top + 1, height - 1), min(left + 1, width - 1)
    upper = image[top, left] * (1 - (x - left)) + image[top, right] * (x - left)
    lower = image[bottom, left] * (1 - (x - left)) + image[bottom, right] * (x - left)
    return upper * (1 - (y - top)) + lower * (y - top)


def aligned_regions(x, rois, scale, height, width, ratio, aligned):
    """The definition, sample by sample."""
    out = np.zeros((len(rois), x.shape[1], height, width))
    for k, (image, *box) in enumerate(rois):
        left, top, right, bottom = (side * scale - (0.5 if aligned else 0.0) for side in box)
        tall, wide = bottom - top, right - left
        if not aligned:
            tall, wide = max(tall, 1.0), max(wide, 1.0)
        rows = ratio if ratio > 0 else int(np.ceil(tall / height))
        columns = ratio if ratio > 0 else int(np.ceil(wide / width))
        for c in range(x.shape[1]):
            for i, j in np.ndindex(height, width):
                values = [
                    sample(
                        x[int(image), c],
                        top + (i + (a + 0.5) / rows) * tall / height,
                        left + (j + (b + 0.5) / columns) * wide / width,
                    )
                    for a in range(rows)
                    for b in range(columns)
                ]
                out[k, c, i, j] = sum(values) / max(len(values), 1)
    return out


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("ratio", [-1, 2])
def test_regions_are_means_of_samples(aligned, ratio):
    x = np.sin(np.arange(2.0 * 2 * 6 * 7)).reshape(2, 2, 6, 7)
    rois = np.array([[0, 1, 1, 9, 8], [1, -4, -3, 3, 20], [1, 5, 5, 4.5, 4], [0, 2, 2, 2.2, 2.1]])
    given = (0.75, 2, 3, ratio, aligned)
    found = ts.CompilationUnit(SOURCE).roi_align(x, rois, *given)
    np.testing.assert_allclose(found.numpy(), aligned_regions(x, rois, *given), atol=1e-12)


def test_an_archive_calls_them():
    data = hostile.with_method(
        "print(ops.torchvision.nms(torch.zeros([1, 4]), torch.zeros([1]), 0.5))"
    )
    assert ts.load(data)().tolist() == [0.0, 0.0]


def test_who_registers_them_first_has_his_own():
    program = (
        "import torchscript_dialect as ts, numpy as np\n"
        "ts.register_operator('torchvision::nms(Tensor a, Tensor b, float c) -> Tensor', lambda a, b, c: a)\n"
        f"unit = ts.CompilationUnit({SOURCE.split('def roi')[0]!r})\n"
        "print(unit.nms(np.ones(1), np.ones(1), 0.5).tolist())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[1.0]\n", done.stderr


@pytest.mark.parametrize("aligned", [True, False])
@pytest.mark.parametrize("ratio", [-1, 2])
def test_gradients_of_regions_go_to_the_pixels_that_were_sampled(aligned, ratio):
    rois = np.array([[0, 1, 1, 9, 8], [1, -4, -3, 3, 20], [0, 2, 2, 2.2, 2.1]])
    weights = np.cos(np.arange(3.0 * 2 * 2 * 3)).reshape(3, 2, 2, 3)
    call = ts.CompilationUnit(SOURCE).roi_align
    x = tensor(np.sin(np.arange(2.0 * 2 * 6 * 7)).reshape(2, 2, 6, 7)).requires_grad_()
    regions = tensor(rois).requires_grad_()
    (call(x, regions, 0.75, 2, 3, ratio, aligned) * weights).sum().backward()
    wanted = np.zeros((2, 2, 6, 7))
    for place in np.ndindex(*wanted.shape):
        one = np.zeros_like(wanted)
        one[place] = 1.0
        wanted[place] = (aligned_regions(one, rois, 0.75, 2, 3, ratio, aligned) * weights).sum()
    np.testing.assert_allclose(x.grad.numpy(), wanted, atol=1e-12)
    assert regions.grad is None


def test_no_gradient_goes_through_the_choice_of_boxes():
    boxes, scores = tensor(BOXES).requires_grad_(), tensor(SCORES).requires_grad_()
    assert not ts.CompilationUnit(SOURCE).nms(boxes, scores, 0.5).requires_grad
