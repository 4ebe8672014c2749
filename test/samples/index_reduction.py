"""Elements combined with others at places that tensors name."""

import numpy as np

from samples.arrays import array, transposed

_I = np.array
_SCATTER = [
    lambda: (array((3, 4)), 0, _I([[0, 1, 2, 0]]), array((1, 4), seed="s")),
    lambda: (transposed((3, 4)), 1, _I([[0, 0], [2, 3], [0, 0]]), array((3, 4), seed="s")),
    lambda: (array((3,), "int64"), 0, _I([1, 1, 1]), array((3,), "int64", seed="s")),
    lambda: (array((3, 4)), 0, _I([[9, 1, 2, 0]]), array((1, 4))),
    lambda: (array((3, 4)), 0, _I([[0]]), array((1, 4), "float64")),
    lambda: (array(()), 0, _I(0), array((), seed="s")),
]
_INDEX = [
    lambda: (array((4, 3)), 0, _I([0, 2, 0]), array((3, 3), seed="s")),
    lambda: (transposed((4, 3), "int64"), 1, _I([1, 1]), array((4, 2), "int64", seed="s")),
    lambda: (array((4, 3)), 0, _I([9]), array((1, 3))),
    lambda: (array((4, 3)), 0, _I([0, 1]), array((1, 3))),
]
_HOW = [(r, i) for r in ("sum", "prod", "mean", "amax", "amin") for i in (True, False)]

SAMPLES = {
    "scatter_reduce.two scatter_reduce_.two": [
        lambda m=m, h=h: (*m(), *h) for m in _SCATTER for h in (*_HOW, ("no", True))
    ],
    "index_reduce index_reduce_": [
        lambda m=m, h=h: (*m(), *h) for m in _INDEX for h in (*_HOW[2:], ("sum", True))
    ],
    "put put_": [
        lambda m=m, a=a: (*m(), a)
        for a in (False, True)
        for m in (
            lambda: (array((3, 4)), _I([[0, 5], [-1, 5]]), array((4,), seed="s")),
            lambda: (transposed((3, 4)), _I([1]), array((1,))),
            lambda: (array((3, 4)), _I([12]), array((1,))),
            lambda: (array((3, 4)), _I([1, 2]), array((1,))),
            lambda: (array(()), _I([0]), array((1,), seed="s")),
        )
    ],
    "nonzero_static": [lambda s=s: (array((2, 3), "int64"), s, -1) for s in (0, 2, 9)],
}
