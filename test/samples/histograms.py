"""Histograms."""

import numpy as np

from samples.arrays import array, transposed

_X = [lambda: array((4, 5)), lambda: transposed((4, 5), "float64")]
_POINTS = [lambda: array((9, 2)), lambda: transposed((9, 2), "float64")]


def _edges(x, *bounds):
    return np.array(bounds, x.dtype)


SAMPLES = {
    "bincount": [
        lambda: (np.array([0, 2, 2, 5]), None, 0),
        lambda: (np.array([0, 2, 2, 5], np.int32), None, 8),
        lambda: (np.array([0, 2, 2, 5]), array((4,)), 0),
        lambda: (np.array([0, 2, 2, 5]), array((4,), "int64"), 0),
        lambda: (np.zeros(0, np.int64), None, 3),
        lambda: (np.array([-1]), None, 0),
        lambda: (array((3,)), None, 0),
        lambda: (np.array([1]), None, -1),
        lambda: (np.array([1]), array((2,)), 0),
    ],
    "histc": [
        *(lambda x=x, r=r: (x(), *r) for x in _X for r in ((4, 0, 0), (5, -1, 1.5), (3, 2, 2))),
        lambda: (array((3,)), 0, 0, 0),
        lambda: (array((3,)), 3, 2, 1),
        lambda: (array((3,), "int64"), 3, 0, 0),
    ],
    "histogram.bin_ct": [
        lambda x=x, r=r, d=d: (x(), 4, r, None, d)
        for x in _X
        for r in (None, [-1.0, 2.0])
        for d in (False, True)
    ],
    "histogram.bins_tensor": [
        *(lambda x=x: (x(), _edges(x(), -1, 0, 0.5, 3), x().copy(), False) for x in _X),
        lambda: (array((3,)), np.array([0.0, 1.0]), None, False),
    ],
    "histogramdd": [
        lambda x=x, r=r: (x(), [2, 3], r, None, False)
        for x in _POINTS
        for r in (None, [-1.0, 1.0, 0.0, 2.0])
    ],
    "histogramdd.int_bins": [lambda x=x: (x(), 2, None, None, True) for x in _POINTS],
    "histogramdd.TensorList_bins": [
        lambda x=x: (x(), [_edges(x(), -1, 0, 3), _edges(x(), -3, 3)], None, None, False)
        for x in _POINTS
    ],
}
