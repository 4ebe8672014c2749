"""Products of several tensors, distances, covariances."""

import numpy as np

from samples.arrays import array, transposed

_KINDS = ("float32", "int64", "complex64")
_PAIRS = [
    *(lambda k=k: (array((2, 3), k), array((3, 2), k, seed="b")) for k in _KINDS),
    lambda: (transposed((2, 3)), array((2,), seed="b")),
    lambda: (array(()), array((2, 2), seed="b")),
]
_CROSS = [
    lambda: (array((2, 3)), array((2, 3), seed="b")),
    lambda: (transposed((3, 3), "int64"), array((3,), "int64", seed="b")),
    lambda: (array((2, 3), "complex64"), array((2, 3), "complex64", seed="b")),
]
_ROWS = [
    lambda: (array((4, 3)), array((2, 3), seed="b")),
    lambda: (transposed((4, 3), "float64"), array((5, 4, 3), "float64", seed="b")),
]

SAMPLES = {
    "addr": [
        *(
            lambda k=k: (array((2, 3), k), array((2,), k, seed="b"), array((3,), k, seed="c"), 2, 3)
            for k in _KINDS
        ),
        lambda: (array((3,)), array((2,)), array((3,)), 0, 0.5),
        lambda: (array((2, 3), "bool"), array((2,), "bool"), array((3,), "bool"), True, True),
        lambda: (array((2, 3)), array((2, 1)), array((3,)), 1, 1),
    ],
    "kron": _PAIRS,
    "tensordot": [
        *(lambda m=m: (*m(), [1], [0]) for m in _PAIRS[:3]),
        lambda: (array((2, 3, 4)), array((4, 3)), [1, 2], [1, 0]),
        lambda: (array((2, 3)), array((2, 3)), [], []),
        lambda: (array((2, 3)), array((4, 3)), [0], [0]),
        lambda: (array((2, 3)), array((4, 3)), [0, 1], [0]),
    ],
    "chain_matmul": [lambda: ([array((2, 3)), array((3, 4)), array((4, 2))],)],
    "linalg_multi_dot": [
        lambda: ([array((2, 3)), array((3, 4)), array((4, 2))],),
        lambda: ([array((3,)), array((3, 4)), array((4,))],),
        lambda: ([array((3, 4))],),
        lambda: ([array((3, 4)), array((3, 4))],),
    ],
    "linalg_vecdot": [lambda m=m, d=d: (*m(), d) for m in _CROSS for d in (-1, 0)],
    "linalg_cross": [
        *(lambda m=m: (*m(), -1) for m in _CROSS),
        lambda: (array((2, 2)), array((2, 2)), 0),
    ],
    "cross": [lambda m=m, d=d: (*m(), d) for m in (_CROSS[0], _CROSS[2]) for d in (None, 1)],
    "linalg_vander": [lambda k=k, n=n: (array((3,), k), n) for k in _KINDS for n in (None, 2, 4)],
    "vander": [
        lambda k=k, n=n, i=i: (array((3,), k), n, i)
        for k in _KINDS
        for n in (None, 4)
        for i in (False, True)
    ],
    "einsum": [
        lambda: ("ij,jk->ik", [array((2, 3)), array((3, 4))], None),
        lambda: ("...ij->...i", [array((2, 3, 3))], None),
        lambda: ("i,j,k->ijk", [array((2,)), array((3,)), array((2,), seed="c")], None),
        lambda: ("ij,Ab->ijAb", [transposed((2, 3)), transposed((4, 2))], None),
        lambda: ("ij,k->kij", [transposed((2, 3), "bfloat16"), array((4,), "bfloat16")], None),
        lambda: ("ij,ij", [array((2, 3), "int64"), array((2, 3), "int64", seed="b")], None),
        lambda: ("ij,jk->ik", [array((2, 3)), array((2, 4))], None),
        lambda: ("ij", [array((2, 3)), array((2, 4))], None),
    ],
    "cdist": [
        *(
            lambda m=m, p=p: (*m(), p, None)
            for m in _ROWS
            for p in (2.0, 1.0, 0.0, float("inf"), 3.0)
        ),
        lambda: (array((4, 3)), array((4, 2)), 2.0, None),
        lambda: (array((3,)), array((4, 3)), 2.0, None),
        lambda: (array((4, 3), "int64"), array((4, 3), "int64"), 2.0, None),
        lambda: (array((4, 3)), array((4, 3)), -1.0, None),
    ],
    "pdist": [
        *(lambda p=p: (array((4, 3)), p) for p in (2.0, 1.0, 0.0, float("inf"))),
        lambda: (array((4,)), 2.0),
    ],
    "dist": [lambda p=p: (array((2, 3)), array((3,), seed="b"), p) for p in (2, 1, 0, 3.5)],
    "renorm": [
        *(lambda p=p, d=d: (array((2, 3)), p, d, 1.5) for p in (2, 1) for d in (0, -1)),
        lambda: (array((3,)), 2, 0, 1.0),
    ],
    "cov": [
        *(lambda k=k, c=c: (array((3, 5), k), c, None, None) for k in _KINDS for c in (1, 0)),
        lambda: (array((5,)), 1, None, None),
        lambda: (array((3, 4)), 1, np.array([1, 2, 0, 3]), array((4,), low=0.1)),
        lambda: (array((2, 3, 4)), 1, None, None),
        lambda: (array((3, 4)), 1, np.array([1, 2]), None),
        lambda: (array((3, 4), "bool"), 1, None, None),
    ],
    "corrcoef": [*(lambda k=k: (array((3, 5), k),) for k in _KINDS), lambda: (array((5,)),)],
    "logcumsumexp": [
        *(lambda d=d: (array((2, 3)), d) for d in (0, -1)),
        lambda: (transposed((2, 3), "float64"), 1),
        lambda: (array((2, 3), "bfloat16"), 1),
        lambda: (array(()), 0),
        lambda: (array((2, 3), "int64"), 0),
    ],
}
