"""Splits, blocks, products of sets, and copies of which a part is replaced."""

import numpy as np

from samples.arrays import array, transposed

_CUBE = [lambda: array((4, 2, 6)), lambda: transposed((2, 4, 2), "int64")]
_LISTS = [
    lambda: ([array((2, 3)), array((2, 1), seed="b")],),
    lambda: ([array((2,)), array((2, 3), "float64")],),
    lambda: ([array(()), array((1,), "int64")],),
]


def _with(makes, *rest):
    return [lambda m=m, r=r: (m(), *r) for r in rest for m in makes]


SAMPLES = {
    "hsplit.int vsplit.int dsplit.int": [
        *_with(_CUBE, (2,), (5,), (0,)),
        lambda: (array((4,)), 2),
    ],
    "hsplit.array vsplit.array dsplit.array": [
        *_with(_CUBE, ([1],), ([0, 1, 9],)),
        lambda: (array((4,)), [1]),
    ],
    "column_stack block_diag": [*_LISTS, lambda: ([array((2, 3, 4))],)],
    "_chunk_cat": [
        lambda: ([array((3, 4)), array((5, 4), seed="b")], 0, 2),
        lambda: ([transposed((4, 3)), array((2, 4, 2), seed="b")], 0, 2),
        lambda: ([array((3, 4), "int64"), array((3, 2), "int64")], -1, 3),
        lambda: ([array((3, 4)), array((2, 4))], 1, 2),
        lambda: ([array((3, 4))], 0, 0),
        lambda: ([], 0, 1),
        lambda: ([array((3, 4)), array((0, 4))], 0, 1),
        lambda: ([array((3, 4)), array((3, 4), "float64")], 0, 1),
        lambda: ([array((3, 4))], 2, 1),
    ],
    "cartesian_prod": [
        lambda: ([array((2,)), array((3,), seed="b")],),
        lambda: ([array((2,), "int64")],),
        lambda: ([array((2, 2))],),
    ],
    "combinations": [
        lambda: (array((4,)), 2, False),
        lambda: (array((3,), "int64"), 3, True),
        lambda: (array((3,)), 0, False),
        lambda: (array((3, 2)), 2, False),
    ],
    "msort": [lambda: (array((3, 4)),), lambda: (transposed((3, 4), "int64"),)],
    "diagflat": _with([*_CUBE, lambda: array((3,))], (0,), (-1,)),
    "take_along_dim": [
        lambda: (array((3, 4)), np.array([[0, 2, 1, 0]]), 0),
        lambda: (array((3, 1)), np.zeros((3, 2), np.int64), -1),
        lambda: (array((3, 4)), np.array([[0, 11], [5, -1]]), None),
        lambda: (array((3, 4)), np.array([0]), 0),
        lambda: (array((3, 4)), array((3, 4)), 0),
    ],
    "tensor_split.tensor_indices_or_sections": [
        lambda: (array((5, 2)), np.array(2), 0),
        lambda: (array((5, 2)), np.array([1, 3]), 0),
        lambda: (array((5, 2)), array((1,)), 0),
    ],
    "diagonal_scatter": [
        lambda: (array((3, 4)), array((3,)), 0, 0, 1),
        lambda: (transposed((3, 4)), array((2,)), -1, 0, 1),
        lambda: (array((3, 4)), array((2,)), 0, 0, 1),
    ],
    "as_strided_scatter": [
        lambda: (array((3, 4)), array((2, 2)), [2, 2], [1, 4], 1),
        lambda: (array((3, 4)), array((2,)), [2, 2], [1, 4], None),
    ],
}
