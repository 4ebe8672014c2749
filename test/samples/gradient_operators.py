"""Gradients that are operators of their own."""

import numpy as np

from samples.arrays import array

_X = lambda: array((3, 4), seed="x")
_PLACES = lambda: np.array([[2, 0, 1, 1]])


def _soft():
    powers = np.exp(array((3, 4), seed="soft"))
    return (powers / powers.sum(-1, keepdims=True)).astype("float32")


def _distances(p):
    def make():
        a, b = array((3, 2), "float64", seed="a"), array((4, 2), "float64", seed="b")
        b[0] = a[0]  # a distance of nothing has no slope
        apart = np.linalg.norm(a[:, None] - b[None], p, axis=-1)
        return array((3, 4), "float64", seed="g"), a, b, float(p), apart

    return make


def _pairs(p):
    def make():
        x = array((4, 3), "float64", seed="x")
        places = np.triu_indices(4, 1)
        apart = np.linalg.norm(x[places[0]] - x[places[1]], p, axis=-1)
        return array((6,), "float64", seed="g"), x, float(p), apart

    return make


def _segments(kind):
    def make():
        data, lengths = array((6, 2)), np.array([2, 4])
        parts = np.split(data, [2])
        combine = {"sum": np.sum, "mean": np.mean, "max": np.max, "min": np.min}[kind]
        output = np.stack([combine(part, axis=0) for part in parts])
        return array((2, 2), seed="g"), output, data, kind, lengths, None, 0, None

    return make


def _sampled(rank, *options):
    def make():
        sizes, points = (5, 4, 3)[:rank], (3, 2, 2)[:rank]
        grid = array((2, *points, rank), seed="grid")
        return array((2, 2, *points), seed="g"), array((2, 2, *sizes)), grid, *options

    return make


_POWERS = (1, 2, 3, np.inf)

SAMPLES = {
    "value_selecting_reduction_backward": [
        lambda: (array((1, 4)), 0, _PLACES(), [3, 4], True),
        lambda: (array((4,)), 0, _PLACES()[0], [3, 4], False),
        lambda: (array((3,), "float64"), -1, np.array([3, 0, 2]), [3, 4], False),
        lambda: (array(()), 0, np.array(0), [], False),
    ],
    "cummaxmin_backward": [
        lambda: (_X(), _X(), np.array([[0, 0, 2, 2], [0, 1, 1, 3], [0, 0, 0, 0]]), 1),
        lambda: (array(()), array(()), np.array(0), 0),
    ],
    "cumprod_backward": [
        lambda: (
            array((3, 4), "float64", seed="g"),
            array((3, 4), "float64"),
            1,
            array((3, 4), "float64").cumprod(1),
        ),
        lambda: (
            _X(),
            np.where(_X() > 0, _X(), 0).astype("float32"),
            0,
            np.where(_X() > 0, _X(), 0).astype("float32").cumprod(0),
        ),
        lambda: (array(()), array(()), 0, array(())),
    ],
    "matrix_exp_backward": [
        lambda: (array((3, 3), "float64"), array((3, 3), "float64", seed="g")),
        lambda: (array((2, 2, 2), "complex64"), array((2, 2, 2), "complex64", seed="g")),
    ],
    "_masked_softmax_backward": [
        lambda: (_X(), _soft(), np.zeros((3, 4), bool), -1),
        lambda: (_X(), _soft(), np.array([[True, False, False, True]] * 3), 1),
        lambda: (_X(), _soft(), np.array([[False, False, True, False]] * 3), None),
    ],
    "_cdist_backward": [_distances(p) for p in _POWERS],
    "_pdist_backward": [_pairs(p) for p in _POWERS],
    "_fake_quantize_learnable_per_tensor_affine_backward": [
        lambda: (
            array((4,), seed="g"),
            np.array([-1.0, 0.2, 0.7, 5.0], "float32"),
            np.array([0.1], "float32"),
            np.array([1.0], "float32"),
            0,
            15,
            0.5,
        ),
    ],
    "_fake_quantize_learnable_per_channel_affine_backward": [
        lambda: (
            array((2, 3), seed="g"),
            np.array([[-1.0, 0.2, 0.7], [5.0, 0.13, 0.2]], "float32"),
            np.array([0.1, 0.2], "float32"),
            np.array([1.0, 0.0], "float32"),
            0,
            0,
            15,
            1.0,
        ),
    ],
    "conv_tbc_backward": [
        lambda: (
            array((6, 2, 4), seed="g"),
            array((5, 2, 3)),
            array((2, 3, 4), seed="w"),
            array((4,), seed="b"),
            1,
        ),
    ],
    "_segment_reduce_backward": [
        _segments("sum"),
        _segments("mean"),
        _segments("max"),
        _segments("min"),
    ],
    "_slow_conv2d_backward.output_mask": [
        lambda: (
            array((1, 3, 3, 2), seed="g"),
            array((1, 2, 4, 4)),
            array((3, 2, 2, 3), seed="w"),
            [2, 3],
            [1, 1],
            [0, 0],
            [True, True, True],
        ),
    ],
}

_PLANES = [(0, 0, False), (0, 1, True), (0, 2, False), (1, 0, False), (2, 0, True)]
SAMPLES["_grid_sampler_2d_cpu_fallback_backward"] = [_sampled(2, *kind) for kind in _PLANES[:4]]
SAMPLES["grid_sampler_2d_backward"] = [_sampled(2, *kind, [True, True]) for kind in _PLANES]
SAMPLES["grid_sampler_3d_backward"] = [_sampled(3, *kind, [True, True]) for kind in _PLANES[:4]]
