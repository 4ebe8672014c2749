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
}
