"""Places in sorted sequences, membership, unique elements."""

import numpy as np

from samples.arrays import array, transposed

_SORTED = [
    lambda: (np.sort(array((5,))), array((2, 3))),
    lambda: (np.sort(array((2, 4))), array((2, 3))),
    lambda: (np.array([1, 2, 2, 5]), np.array([2, 0, 9])),
    lambda: (np.sort(array((2, 4))), array((3, 3))),
    lambda: (np.sort(array((5,))), array((2, 3), "float64")),
    lambda: (np.sort(array((5,), "bfloat16")), transposed((2, 3), "bfloat16")),
]
_SIDES = [(False, False, None), (True, True, None), (False, False, "right"), (False, True, "left")]
_REPEATED = [
    lambda: np.array([3, 1, 1, 2, 3, 3]),
    lambda: np.array([[1.0, 2.0], [1.0, 2.0], [0.0, 2.0]], np.float32),
    lambda: np.array([[True, False, True]]),
    lambda: array((0,)),
    lambda: np.array([[[1, 2], [3, 4]], [[1, 2], [3, 4]]]).transpose(2, 0, 1),
]
_FLAGS = [(False, False), (True, True)]


def _each(makes, rest):
    return [lambda m=m, r=r: (m(), *r) for m in makes for r in rest]


SAMPLES = {
    "searchsorted.Tensor": [
        *(lambda m=m, s=s: (*m(), *s, None) for m in _SORTED for s in _SIDES),
        lambda: (
            np.array([3.0, 1.0, 2.0]),
            np.array([2.5]),
            False,
            False,
            None,
            np.array([1, 2, 0]),
        ),
    ],
    "searchsorted.Scalar": [lambda s=s: (np.sort(array((5,))), 0.5, *s, None) for s in _SIDES],
    "bucketize.Tensor": [
        lambda m=m, s=s: (*m()[::-1], *s[:2])
        for m in (_SORTED[0], _SORTED[2], _SORTED[1])
        for s in _SIDES[:2]
    ],
    "bucketize.Scalar": [lambda s=s: (2, np.array([1, 2, 3]), *s[:2]) for s in _SIDES[:2]],
    "isin.Tensor_Tensor": [
        lambda i=i: (np.array([[1, 2], [3, 4]]), np.array([2, 4, 9]), False, i)
        for i in (False, True)
    ],
    "isin.Tensor_Scalar": [lambda i=i: (np.array([1, 2]), 2, False, i) for i in (False, True)],
    "isin.Scalar_Tensor": [lambda i=i: (2, np.array([1, 2]), False, i) for i in (False, True)],
    "_unique2": _each(_REPEATED, [(True, *flags) for flags in _FLAGS]),
    "_unique": _each(_REPEATED, [(True, False), (True, True)]),
    "unique_consecutive": _each(_REPEATED, [(*f, d) for f in _FLAGS for d in (None, 0, -1)]),
    "unique_dim": _each(_REPEATED[:3], [(d, True, *f) for f in _FLAGS for d in (0, -1)]),
    "unique_dim_consecutive": _each(_REPEATED[:3], [(d, *f) for f in _FLAGS for d in (0, -1)]),
}
