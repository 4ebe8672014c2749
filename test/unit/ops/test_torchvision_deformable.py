"""`deform_conv2d` of torchvision: ops/torchvision/torchvision_deformable.py. Wanted numbers are those of torchvision 0.28.0."""

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.ops.torchvision import torchvision_deformable
from torchscript_dialect.torch import tensor
from torchscript_dialect.torch.nn import functional as F

SOURCE = """
def convolve(x, weight, offset, mask, bias, stride: List[int], pad: List[int], dilation: List[int], groups: int, offset_groups: int,
        use_mask: bool):
    return torch.ops.torchvision.deform_conv2d(x, weight, offset, mask, bias, stride[0], stride[1], pad[0], pad[1], dilation[0],
        dilation[1], groups, offset_groups, use_mask)
"""
convolve = ts.CompilationUnit(SOURCE).convolve


def wave(*shape):
    return np.sin(np.arange(float(np.prod(shape))) * 1.7).reshape(shape)


def operands(use_mask, groups, offset_groups, stride, pad, dilation):
    """Images (2, 4, 5, 4), kernels (3, 2)."""
    height = (5 + 2 * pad[0] - dilation[0] * 2 - 1) // stride[0] + 1
    width = (4 + 2 * pad[1] - dilation[1] - 1) // stride[1] + 1
    offset = wave(2, offset_groups * 12, height, width) * 1.9
    mask = wave(2, offset_groups * 6, height, width) * 0.4 + 0.6 if use_mask else np.zeros((2, 1))
    return [wave(2, 4, 5, 4), wave(2, 4 // groups, 3, 2) * 0.7, offset, mask, wave(2)]


# Whether there is a mask, groups, offset groups, stride, padding, dilation; then the first results, and the sums of the gradients of x,
# weight, offset, mask and bias, each times a wave.
CASES = [
    (
        (True, 1, 1, [2, 1], [1, 0], [1, 2]),
        [-1.05702056, -0.387778839, 1.11958185, -1.21728067, 0.664183458, 0.175945229],
        [-5.81884836, -8.31264052, 11.0144649, 0.692537339, 5.13960623],
    ),
    (
        (False, 1, 1, [2, 2], [0, 0], [1, 1]),
        [-0.666418777, -1.0699129, 0.174865579, -0.563023685, 1.79785629, 2.04888838],
        [1.32480801, 1.89258288, -2.53321034, 0.0, 4.21755528],
    ),
    (
        (True, 2, 2, [2, 3], [1, 2], [2, 1]),
        [-0.0350163888, -0.465843361, 0.0907956608, -0.106581798, 0.632269024, -0.53126981],
        [1.55495885, 2.22136978, -1.53201717, 0.868382509, 5.13960623],
    ),
    (
        (False, 2, 1, [1, 2], [2, 1], [2, 3]),
        [0.865885246, 0.313493191, -0.436080993, -0.261588655, 0.748862997, -0.353975486],
        [1.94909189, 2.78441699, -6.41436328, 0.0, 10.3364754],
    ),
    (
        (True, 1, 4, [3, 2], [1, 1], [1, 1]),
        [-0.287653843, -0.575495733, -0.214341624, -0.260275595, -0.150355845, 0.241963524],
        [0.186628918, 0.26661274, -1.17615148, 2.03295703, 5.13960623],
    ),
]


def call(given, settings):
    use_mask, groups, offset_groups, *windows = settings
    return convolve(*given, *windows, groups, offset_groups, use_mask)


@pytest.mark.parametrize(("settings", "first", "sums"), CASES)
@pytest.mark.parametrize("at_once", [1, 1 << 22])
def test_values_and_gradients_are_those_of_torchvision(settings, first, sums, at_once, monkeypatch):
    monkeypatch.setattr(torchvision_deformable, "_AT_ONCE", at_once)
    for _ in range(3):
        given = [tensor(each).requires_grad_() for each in operands(*settings)]
        found = call(given, settings)
        np.testing.assert_allclose(found.detach().numpy().reshape(-1)[:6], first, atol=1e-8)
        found.backward(tensor(wave(*found.shape) + 0.5))
        for each, wanted in zip(given, sums):
            total = (each.grad.numpy() * wave(*each.shape)).sum()
            assert total == pytest.approx(wanted, abs=1e-7)


@pytest.mark.parametrize("settings", [case[0] for case in CASES])
def test_gradients_are_slopes(settings):
    given = operands(*settings)
    given[2] += 0.01  # a point on a pixel has none
    weights = wave(*call(given, settings).shape)
    tensors = [tensor(each).requires_grad_() for each in given]
    (call(tensors, settings) * weights).sum().backward()
    step = 1e-6
    for number, each in enumerate(given):
        for place in list(np.ndindex(*each.shape))[::7]:
            ends = []
            for sign in (1, -1):
                moved = [one.copy() for one in given]
                moved[number][place] += sign * step
                ends.append((call(moved, settings).numpy() * weights).sum())
            slope = (ends[0] - ends[1]) / (2 * step)
            assert tensors[number].grad.numpy()[place] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_without_moves_it_is_a_convolution(dtype):
    settings = (False, 2, 2, [2, 1], [1, 2], [2, 1])
    x, w, offset, mask, bias = (each.astype(dtype) for each in operands(*settings))
    found = call([x, w, offset * 0, mask, bias], settings).numpy()
    wanted = F.conv2d(*map(tensor, (x, w, bias)), (2, 1), (1, 2), (2, 1), 2).numpy()
    np.testing.assert_allclose(found, wanted, atol=8 * np.finfo(dtype).eps)
    assert found.dtype == dtype


PLAIN = (False, 1, 1, [1, 1], [0, 0], [1, 1])


def test_whole_moves_read_other_pixels():
    x = np.arange(12.0).reshape(1, 1, 3, 4)
    offset = np.zeros((1, 2, 3, 4))
    offset[:, 0], offset[:, 1] = 1, -2
    found = call([x, np.ones((1, 1, 1, 1)), offset, np.zeros((1, 1)), np.zeros(1)], PLAIN)
    assert found.tolist() == [[[[0, 0, 4, 5], [0, 0, 8, 9], [0, 0, 0, 0]]]]


def test_points_far_away_read_nothing_and_such_as_are_no_numbers_nothing_sensible():
    x, w, offset, mask, bias = operands(*PLAIN)
    offset[:] = 1e30
    offset[0, :, 0] = np.inf
    offset[0, 2:4, 1, 1] = np.nan
    found = call([x, w, offset, mask, bias * 0], PLAIN).numpy()
    assert np.argwhere(np.isnan(found)).tolist() == [[0, 0, 1, 1], [0, 1, 1, 1]]
    assert not np.nan_to_num(found).any()


def test_a_pixel_that_is_no_number_is_not_read_from_a_row_away():
    x, offset = np.ones((1, 1, 2, 2)), np.zeros((1, 2, 4, 2))
    x[0, 0, 0] = np.nan
    given = [x, np.ones((1, 1, 1, 1)), offset, np.zeros((1, 1)), np.zeros(1)]
    found = call(given, (False, 1, 1, [1, 1], [1, 0], [1, 1]))
    assert np.isnan(found.numpy()[0, 0, :, 0]).tolist() == [False, True, False, False]


SETTINGS = (True, *PLAIN[1:])


def test_no_images():
    x, w, offset, mask, bias = operands(*SETTINGS)
    given = [tensor(each).requires_grad_() for each in (x[:0], w, offset[:0], mask[:0], bias)]
    found = call(given, SETTINGS)
    assert found.shape == (0, 2, 3, 3)
    found.sum().backward()
    assert [each.grad.shape for each in given] == [each.shape for each in given]
    assert not given[1].grad.numpy().any()


@pytest.mark.parametrize(
    ("number", "change", "message"),
    [
        (0, lambda x: x[0], r"Expected input_c.ndimension\(\) == 4 to be true, but got false"),
        (1, lambda w: w[0], r"Expected weight_c.ndimension\(\) == 4"),
        (2, lambda offset: offset[0], r"Expected offset_c.ndimension\(\) == 4"),
        (3, lambda mask: mask[0], r"Expected !use_mask \|\| mask_c.ndimension\(\) == 4"),
        (0, lambda x: x[:, :3], r"weight_c.size\(1\) \* n_weight_grps == input_c.size\(1\)"),
        (1, lambda w: w[:, :, :0], "weight_h: 0 weight_w: 2"),
        (2, lambda o: o[:, :10], r"offset.shape\[1\] is not valid: got: 10 expected: 12"),
        (3, lambda mask: mask[:, :5], r"mask.shape\[1\] is not valid: got: 5 expected: 6"),
        (2, lambda offset: offset[:1], "invalid batch size of offset"),
        (3, lambda mask: mask[:1], "invalid batch size of mask"),
        (2, lambda o: o[..., :2], r"offset output dims: \(3, 2\) - computed output dims: \(3, 3\)"),
        (3, lambda m: m[..., :2], r"mask output dims: \(3, 2\) - computed output dims: \(3, 3\)"),
        (4, lambda bias: bias[:1], r"shape '\[1, 2, 1, 1\]' is invalid for input of size 1"),
        (0, lambda x: x.astype(np.float32), "expected scalar type Float but found Double"),
        (2, lambda o: o.astype(np.float32), "expected scalar type Double but found Float"),
        (1, lambda w: w.astype(np.float32), "same dtype, but got Float and Double"),
        (0, lambda x: x.astype(np.int32), "\"deformable_im2col\" not implemented for 'Int'"),
    ],
)
def test_operands_that_do_not_fit(number, change, message):
    given = operands(*SETTINGS)
    given[number] = change(given[number])
    with pytest.raises(RuntimeError, match=message):
        call(given, SETTINGS)


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (1, 3, r"weight_c.size\(1\) \* n_weight_grps"),
        (2, 3, r"offset.shape\[1\] is not valid: got: 12 expected: 36"),
        (3, [0, 1], "stride_h: 0 stride_w: 1"),
        (4, [0, -1], "pad_h: 0 pad_w: -1"),
        (5, [0, 1], "dilation_h: 0 dilation_w: 1"),
    ],
)
def test_settings_that_do_not_fit(place, value, message):
    settings = list(SETTINGS)
    settings[place] = value
    with pytest.raises(RuntimeError, match=message):
        call(operands(*SETTINGS), settings)
