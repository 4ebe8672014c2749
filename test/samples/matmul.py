"""Products of matrices and vectors."""

from samples.arrays import array, expanded, sliced, transposed

_MATRICES = [
    lambda: (array((2, 3)), array((3, 4))),
    lambda: (array((2, 3), "float64"), array((3, 4), "float64")),
    lambda: (transposed((2, 3)), array((3, 4))),
    lambda: (array((2, 3)), transposed((3, 4))),
    lambda: (sliced((2, 3)), expanded((3, 4))),
    lambda: (array((2, 0)), array((0, 4))),
    lambda: (array((0, 3)), array((3, 4))),
    lambda: (array((2, 3), "int64"), array((3, 4), "int64")),
    lambda: (array((2, 3), "bfloat16"), array((3, 4), "bfloat16")),
    lambda: (array((2, 3), "float16"), array((3, 4), "float16")),
    lambda: (array((2, 3), "complex64"), array((3, 4), "complex64")),
    lambda: (array((2, 3)), array((4, 3))),
    lambda: (array((2, 3)), array((3, 4), "float64")),
    lambda: (array((2, 3), "bool"), array((3, 4), "bool")),
    lambda: (array((2,)), array((3, 4))),
    lambda: (array((2, 3)), array((3,))),
]
_BATCHES = [
    lambda: (array((5, 2, 3)), array((5, 3, 4))),
    lambda: (transposed((5, 2, 3)), array((5, 3, 4))),
    lambda: (array((0, 2, 3)), array((0, 3, 4))),
    lambda: (array((5, 2, 3)), array((5, 4, 3))),
    lambda: (array((5, 2, 3)), array((4, 3, 4))),
    lambda: (array((5, 2, 3)), array((3, 4))),
    lambda: (array((5, 2, 3), "int64"), array((5, 3, 4), "int64")),
]
_VECTORS = [
    lambda: (array((3,)), array((3,), seed="b")),
    lambda: (array((0,)), array((0,))),
    lambda: (array((3,), "int64"), array((3,), "int64")),
    lambda: (array((3,)), array((4,))),
    lambda: (array((3,)), array((3,), "float64")),
    lambda: (array((2, 3)), array((3,))),
    lambda: (array((3,), "complex64"), array((3,), "complex64", seed="b")),
]
_MIXED = [
    *_MATRICES,
    *_BATCHES,
    *_VECTORS,
    lambda: (array((3,)), array((3, 4))),
    lambda: (array((3,)), array((5, 3, 4))),
    lambda: (array((5, 2, 3)), array((3,))),
    lambda: (array((6, 1, 2, 3)), array((5, 3, 4))),
    lambda: (array(()), array((3,))),
    lambda: (array((2, 2, 3)), array((5, 3, 4))),
    lambda: (transposed((5, 2, 3)), array((3, 4))),
    lambda: (array((2, 3)), array((5, 3, 4))),
]


def _added(makes, starts):
    return [
        lambda make=make, start=start, beta=beta, alpha=alpha: (start(), *make(), beta, alpha)
        for make in makes
        for start in starts
        for beta, alpha in ((1, 1), (0, 2), (0.5, 1))
    ]


SAMPLES = {
    "mm": _MATRICES,
    "bmm": _BATCHES,
    "mv": [
        lambda: (array((2, 3)), array((3,))),
        lambda: (transposed((2, 3)), array((3,))),
        lambda: (array((2, 3)), array((4,))),
        lambda: (array((3,)), array((3,))),
        lambda: (array((2, 0)), array((0,))),
    ],
    "dot vdot": _VECTORS,
    "outer ger": [*_VECTORS, lambda: (array((3,)), array((2,), "int64"))],
    "inner": [*_VECTORS, lambda: (array((2, 3)), array((4, 3))), lambda: (array(()), array((3,)))],
    "matmul linalg_matmul": _MIXED,
    "addmm": _added(
        _MATRICES,
        [lambda: array((2, 4)), lambda: array((4,)), lambda: array(()), lambda: array((3, 4))],
    ),
    "addmv": _added(
        [lambda: (array((2, 3)), array((3,))), lambda: (array((2, 3)), array((4,)))],
        [lambda: array((2,)), lambda: array(())],
    ),
    "baddbmm": _added(_BATCHES[:4], [lambda: array((5, 2, 4)), lambda: array((2, 4))]),
    "addbmm": _added(_BATCHES[:2], [lambda: array((2, 4))]),
    "addmv_": _added(
        [lambda: (array((2, 3)), array((3,)))], [lambda: array((2,)), lambda: array(())]
    ),
    "baddbmm_": _added(_BATCHES[:2], [lambda: array((5, 2, 4)), lambda: array((2, 4))]),
    "addbmm_": _added(_BATCHES[:2], [lambda: array((2, 4)), lambda: array((4,))]),
    "linear": [
        lambda: (array((2, 3)), array((4, 3)), array((4,))),
        lambda: (array((2, 3)), array((4, 3)), None),
        lambda: (array((5, 2, 3)), array((4, 3)), array((4,))),
        lambda: (array((3,)), array((4, 3)), array((4,))),
        lambda: (array((2, 3)), array((4, 2)), None),
        lambda: (transposed((2, 3)), array((4, 3)), array((4,))),
        lambda: (array((0, 3)), array((4, 3)), array((4,))),
    ],
}
