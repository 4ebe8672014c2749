"""Indexing where a mask says."""

import numpy as np

from samples.arrays import array, transposed

_I = np.array
_PLACES = [
    (_I([True, False, True]), [_I([0, 50, -1]), _I([1, 1, -9])]),
    (_I([[True], [False]]), [None, _I([[0], [2]])]),
    (_I([[True], [False], [True]]), [_I([2, 7, 2])]),
]
_MAKES = [lambda: array((3, 4)), lambda: transposed((3, 4), "int64"), lambda: array((3, 3), "bool")]

SAMPLES = {
    "_unsafe_masked_index": [
        lambda m=m, p=p: (m(), *p, 1) for m in _MAKES for p in (_PLACES[0], _PLACES[2])
    ],
    "_unsafe_masked_index_put_accumulate": [
        *(lambda m=m: (m(), *_PLACES[0], m()[0, :3]) for m in _MAKES),
        *(lambda m=m: (m(), *_PLACES[2], m()) for m in _MAKES),
        lambda: (array((0, 4)), _I([True]), [_I([0])], array((1, 4))),
    ],
}
