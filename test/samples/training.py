"""What training asks for beside operators' own gradients: gradients of gradients, of samples, and losses that are scaled."""

import numpy as np

from samples.arrays import array, channels_last


def _second(form, wanted=(True, True, True), given=(True, True, True), groups=1, dtype="float64"):
    """Of a convolution of 2 x 4 channels; `form` is what follows the tensors: stride, padding, dilation, transposed, output padding."""

    def make():
        stride, padding, dilation, transposed, extra = form
        sizes = [6, 5]
        x = array((2, 4, *sizes), dtype, seed="x")
        weight = array((4, 4 // groups, 3, 2), dtype, seed="w")
        spans = [d * (k - 1) for d, k in zip(dilation, (3, 2))]
        if transposed:
            out = [
                (n - 1) * s - 2 * p + w + 1 + e
                for n, s, p, w, e in zip(sizes, stride, padding, spans, extra)
            ]
        else:
            out = [
                (n + 2 * p - w - 1) // s + 1 for n, s, p, w in zip(sizes, stride, padding, spans)
            ]
        grad = array((2, 4, *out), dtype, seed="g")
        of = [array(like.shape, dtype, seed=f"gg{n}") for n, like in enumerate((x, weight))]
        of.append(array((4,), dtype, seed="ggb"))
        of = [one if is_given else None for one, is_given in zip(of, given)]
        form_ = (
            list(stride),
            list(padding),
            list(dilation),
            transposed,
            list(extra),
            groups,
            list(wanted),
        )
        return (*of, grad, weight, x, *form_)

    return make


_PLAIN = ((1, 1), (0, 0), (1, 1), False, (0, 0))
_MOVED = ((2, 1), (1, 0), (1, 2), False, (0, 0))
_TRANSPOSED = ((2, 2), (1, 0), (1, 1), True, (1, 0))


def _positive(shape, dtype="float32", high=12.0, seed=""):
    return array(shape, dtype, low=0.01, high=high, seed=seed)


def _gamma(dtype):
    """Parameters below and above 8, samples near 0, near the mean and far from it."""

    def make():
        alpha = np.array([0.05, 0.5, 1, 3, 7.9, 8.1, 12, 50, 900], dtype)
        ratio = np.array([0.001, 0.1, 0.7, 0.95, 1.0, 1.05, 1.3, 4], dtype)
        return alpha[:, None], np.ascontiguousarray((alpha[:, None] * ratio).astype(dtype))

    return make


def _shares(dtype, *middle):
    def make():
        x = np.array([1e-4, 0.01, 0.2, *middle, 0.52, 0.8, 0.97, 0.9999], dtype)
        alpha = np.array([0.1, 0.9, 2.5, 7, 40], dtype)
        rest = np.array([0.2, 1.5, 6.5, 30], dtype)
        alpha, rest = alpha[:, None, None], rest[:, None]
        return x, alpha, (alpha + rest).astype(dtype)

    return make


def _int32(value):
    return np.array(value, np.int32)


def _float32(value):
    return np.array(value, np.float32)


_HALF = lambda: np.array([1.0, np.inf, 3.0], np.float16)

SAMPLES = {
    "_convolution_double_backward": [
        _second(_PLAIN),
        _second(_MOVED, groups=2),
        _second(_TRANSPOSED),
        _second(_MOVED, dtype="float32", wanted=(False, True, False)),
        _second(_PLAIN, given=(False, True, False)),
        _second(_PLAIN, given=(True, False, False)),
        _second(_PLAIN, given=(False, False, False)),
    ],
    "glu_backward_jvp": [
        lambda: (
            *(array((3, 4), seed="gx"), array((3, 2), seed="gg"), array((3, 4), seed="x")),
            *(array((3, 2), seed="dg"), array((3, 4), seed="dx"), 1),
        ),
        lambda: (
            *(array((6, 4), "float64", seed="gx"), array((3, 4), "float64", seed="gg")),
            *(array((6, 4), "float64", seed="x"), array((3, 4), "float64", seed="dg")),
            *(array((6, 4), "float64", seed="dx"), -2),
        ),
    ],
    "_standard_gamma_grad": [
        _gamma("float64"),
        _gamma("float32"),
        lambda: (_positive((3, 4)), _positive((4,))),
        lambda: (_positive((3,)), _positive((3,), "float64")),
        lambda: (array((3,), "int64"), array((3,), "int64")),
        lambda: (np.array([-1.0, 0.0, np.nan, 2.0]), np.array([1.0, 0.5, 1.0, 0.0])),
    ],
    "_dirichlet_grad": [
        _shares("float64", 0.45, 0.499),
        _shares("float32"),  # whose series cancel in the middle, where PyTorch sums them in float32
        lambda: (_positive((2,)), _positive((2,)), _positive((2,), "float64")),
        lambda: (array((3,), "float16"), array((3,), "float16"), array((3,), "float16")),
    ],
    "_amp_foreach_non_finite_check_and_unscale_ _amp_foreach_non_finite_check_and_unscale": [
        lambda: ([array((2, 3)), array((4,), "float64")], _float32(0), _float32(0.5)),
        lambda: ([_HALF(), array((3,), "bfloat16")], _float32([[0]]), _float32([0.3])),
        lambda: ([np.array([1.0, np.nan])], _float32(0), _float32(1)),
        lambda: ([array((3, 2)).T], _float32(1), _float32(2)),
        lambda: ([], _float32(0), _float32([1, 2])),
        lambda: ([array((2,))], _float32([0, 0]), _float32(1)),
        lambda: ([array((2,))], _float32(0), np.array(1.0)),
        lambda: ([array((2,), "int64")], _float32(0), _float32(1)),
    ],
    "_amp_update_scale_ _amp_update_scale": [
        lambda: (_float32(4), _int32(0), _float32(0), 2.0, 0.5, 2),
        lambda: (_float32(4), _int32([1]), _float32(0), 2.0, 0.5, 2),
        lambda: (_float32([3e38]), _int32(1), _float32(0), 2.0, 0.5, 2),
        lambda: (_float32(4), _int32(1), _float32([1]), 2.0, 0.3, 2),
        lambda: (_float32(4), np.array(1), _float32(0), 2.0, 0.5, 2),
        lambda: (np.array(4.0), _int32(1), _float32(0), 2.0, 0.5, 2),
        lambda: (_float32([4, 4]), _int32(1), _float32(0), 2.0, 0.5, 2),
    ],
    "_amp_foreach_non_finite_check_and_unscale.out": [
        lambda: ([array((2, 3))], _float32(0), _float32(0.5), [array((2, 3), seed="out")]),
    ],
    "_amp_update_scale.out": [
        lambda: (_float32(4), _int32(0), _float32(0), 2.0, 0.5, 2, _float32(0)),
    ],
    "_fused_rms_norm": [
        lambda: (array((2, 3, 4)), [4], array((4,), seed="w"), None),
        lambda: (array((2, 3, 4), "float64"), [3, 4], None, 0.1),
        lambda: (array((3, 4), "bfloat16"), [4], array((4,), "bfloat16", seed="w"), None),
        lambda: (array((3, 4), "bfloat16"), [4], array((4,), seed="w"), 1e-3),
        lambda: (array((3, 4), "complex64"), [4], None, None),
        lambda: (array((3, 4)), [4], array((3,), seed="w"), None),
        lambda: (array((3, 4), "int64"), [4], None, None),
    ],
    "batch_norm_update_stats": [
        lambda: (array((3, 4)), array((4,), seed="m"), _positive((4,)), 0.1),
        lambda: (array((2, 3, 5), "float64"), None, None, 0.3),
        lambda: (channels_last((2, 3, 4, 5)), array((3,), seed="m"), _positive((3,)), 0.2),
        lambda: (array((3, 4), "bfloat16"), array((4,), seed="m"), _positive((4,)), 0.1),
        lambda: (array((3, 4), "bfloat16"), None, None, 0.1),
        lambda: (array((0, 4)), None, None, 0.1),
        lambda: (array((4,)), None, None, 0.1),
        lambda: (array((3, 4), "int64"), None, None, 0.1),
    ],
}
