"""Reductions of segments."""

import numpy as np

from samples.arrays import array, transposed

_I = np.array
_DATA = [lambda: array((4, 2)), lambda: transposed((4, 2), "float64")]
_HOW = ("sum", "mean", "prod", "max", "min", "amax", "amin")


def _by(lengths, offsets=None, axis=0, unsafe=False, initial=None):
    return (lengths, None, offsets, axis, unsafe, initial)


SAMPLES = {
    "segment_reduce": [
        *(
            lambda d=d, how=how, rest=rest: (d(), how, *rest)
            for d in _DATA
            for how in _HOW
            for rest in (
                _by(_I([1, 0, 3])),
                _by(None, _I([0, 1, 1, 4])),
                _by(_I([1, 0, 3]), initial=2),
                _by(_I([[2, 0], [1, 1], [0, 2], [1, 1]]), axis=1),
            )
        ),
        lambda: (_I([1.0, np.nan, 3.0]), "max", *_by(_I([2, 1], np.int32))),
        lambda: (array((5,), "bfloat16"), "mean", *_by(_I([2, 3]))),
        lambda: (array((4, 2)), "median", *_by(_I([4]))),
        lambda: (array((4, 2)), "sum", *_by(_I([3]))),
        lambda: (array((4, 2)), "sum", *_by(_I([5, -1]))),
        lambda: (array((4, 2)), "sum", *_by(_I([4.0]))),
        lambda: (array((4, 2)), "sum", *_by(_I([2]), axis=1)),
        lambda: (array((4, 2)), "sum", *_by(_I([4]), axis=2)),
        lambda: (array((4, 2)), "sum", *_by(None)),
        lambda: (array((4, 2)), "sum", _I([4]), _I([0]), None, 0, False, None),
        lambda: (array((4, 2), "int64"), "sum", *_by(_I([4]))),
    ],
}
