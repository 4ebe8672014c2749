"""Index, gather, scatter, masks."""

import numpy as np

from samples.arrays import array, expanded, sliced, transposed

_I = np.array


def each(*makes):
    return list(makes)


_INDEX = [
    lambda: (array((4, 3)), [_I([0, 2])]),
    lambda: (array((4, 3)), [_I([[0, 2], [1, -1]])]),
    lambda: (array((4, 3)), [_I([0, 2]), _I([1, 1])]),
    lambda: (array((4, 3)), [_I(1), _I([0, 2])]),
    lambda: (array((4, 3)), [_I([True, False, True, True])]),
    lambda: (array((4, 3)), [array((4, 3)) > 0]),
    lambda: (transposed((4, 3)), [_I([0, 2])]),
    lambda: (array((4, 3)), [_I([7])]),
    lambda: (array((4, 3)), [_I([0, 1]), _I([0, 1, 2])]),
    lambda: (array((4, 3)), [_I([0]), _I([0]), _I([0])]),
    lambda: (array((4, 3)), [_I([0], np.int32)]),
    lambda: (array((4, 3)), [_I([True, False])]),
    lambda: (array((4, 3)), [_I([0.5])]),
    lambda: (array((4, 3)), [_I([], np.int64)]),
]
_INDEX_NONE = [
    lambda: (array((2, 3, 4)), [None, _I([0, 2])]),
    lambda: (array((2, 3, 4)), [_I([0, 1]), None, _I([1, 2])]),
    lambda: (array((2, 3, 4)), [None, _I([0, 2]), _I([1, 1])]),
    lambda: (transposed((2, 3, 4)), [None, _I([0, 2])]),
    lambda: (array((2, 3, 4)), [None, None, _I([[0], [1]])]),
]


def _put(value):
    return [lambda m=m, a=a: (*m(), value(), a) for m in _INDEX[:9] for a in (False, True)]


def _masks(*rest):
    return [
        lambda r=r, m=m: (*m(), *r())
        for m in (
            lambda: (array((2, 3)), array((2, 3), "bool")),
            lambda: (transposed((2, 3)), array((2, 3), "bool")),
            lambda: (array((2, 3)), array((3,), "bool")),
            lambda: (array((3,)), array((2, 3), "bool")),
            lambda: (array((2, 3), "int64"), array((2, 3), "bool")),
            lambda: (array((2, 3)), array((2, 3))),
            lambda: (array((2, 3), "bool"), array((2, 3), "bool", seed="m")),
            lambda: (sliced((2, 3)), array((2, 1), "bool")),
            lambda: (expanded((2, 3)), array((2, 3), "bool")),
        )
        for r in rest
    ]


_SCATTER = [
    lambda: (array((3, 4)), 0, _I([[0, 1, 2, 0]]), array((1, 4))),
    lambda: (array((3, 4)), 1, _I([[0, 1], [2, 3], [0, 0]]), array((3, 4), seed="s")),
    lambda: (transposed((3, 4)), -1, _I([[3], [0], [1]]), array((3, 1))),
    lambda: (array((3, 4)), 0, _I([[9, 1, 2, 0]]), array((1, 4))),
    lambda: (array((3, 4)), 0, _I([[0, 1, 2, 0]]), array((1, 4), "float64")),
    lambda: (array((3,)), 0, _I([0, 0, 2]), array((3,))),
    lambda: (array((3,), "int64"), 0, _I([1, 1, 1]), array((3,), "int64")),
    lambda: (array((3, 4)), 0, np.zeros((0, 4), np.int64), array((1, 4))),
]
_SCATTER_VALUE = [lambda m=m: (*m()[:3], 2) for m in _SCATTER[:4]]

SAMPLES = {
    "index.Tensor": [*_INDEX, *_INDEX_NONE],
    "_unsafe_index.Tensor": _INDEX[:4],
    "index.Tensor_hacked_twin": _INDEX,
    "index_put index_put_": [
        *_put(lambda: array(())),
        *_put(lambda: array((3,))),
        lambda: (array((4, 3)), [_I([0, 1])], array((2,)), False),
        lambda: (array((4, 3)), [_I([0, 1])], array((2, 3), "float64"), False),
        lambda: (array((2, 3, 4)), [None, _I([0, 2])], array((2, 4)), False),
    ],
    "index_put.hacked_twin index_put_.hacked_twin": _put(lambda: array(())),
    "index_select": [
        lambda: (array((4, 3)), 0, _I([0, 2, 2])),
        lambda: (array((4, 3)), -1, _I([2])),
        lambda: (transposed((4, 3)), 0, _I([1, 0], np.int32)),
        lambda: (array((4, 3)), 0, _I([9])),
        lambda: (array((4, 3)), 0, _I([[0]])),
        lambda: (array((4, 3)), 0, _I(1)),
        lambda: (array(()), 0, _I([0])),
        lambda: (array((4, 3)), 0, array((2,))),
    ],
    "take": [
        lambda: (array((4, 3)), _I([0, 5, -1])),
        lambda: (array((4, 3)), _I([[99]])),
        lambda: (transposed((4, 3)), _I([[1, 2], [3, 4]])),
    ],
    "gather": [
        lambda: (array((3, 4)), 0, _I([[0, 1, 2, 0]]), False),
        lambda: (array((3, 4)), 1, _I([[0, 1], [2, 3], [0, 0]]), False),
        lambda: (transposed((3, 4)), -1, _I([[3], [0], [1]]), False),
        lambda: (array((3, 4)), 0, _I([[9]]), False),
        lambda: (array((3, 4)), 0, _I([0]), False),
        lambda: (array((3, 4)), 0, np.zeros((2, 5), np.int64), False),
        lambda: (array((3,)), 0, _I([2, 2, 0, 1]), False),
        lambda: (array((3, 4)), 0, np.zeros((0, 4), np.int64), False),
    ],
    "scatter.src scatter_.src scatter_add scatter_add_": _SCATTER,
    "scatter.value scatter_.value": _SCATTER_VALUE,
    "scatter.reduce scatter_.reduce": [
        lambda m=m, r=r: (*m(), r) for m in _SCATTER[:3] for r in ("add", "multiply", "no")
    ],
    "scatter.value_reduce scatter_.value_reduce": [
        lambda m=m, r=r: (*m(), r) for m in _SCATTER_VALUE[:3] for r in ("add", "multiply")
    ],
    "index_add index_add_": [
        lambda: (array((4, 3)), 0, _I([0, 2, 0]), array((3, 3)), 1),
        lambda: (array((4, 3)), 1, _I([0]), array((4, 1)), 2),
        lambda: (transposed((4, 3)), 1, _I([0]), array((4, 1)), 1),
        lambda: (array((4, 3)), 0, _I([9]), array((1, 3)), 1),
        lambda: (array((4, 3)), 0, _I([0]), array((1, 3), "float64"), 1),
    ],
    "index_copy index_copy_": [
        lambda: (array((4, 3)), 0, _I([0, 2]), array((2, 3))),
        lambda: (array((4, 3)), 0, _I([9]), array((1, 3))),
        lambda: (array(()), 0, _I([0]), array(())),
        lambda: (array(()), 0, _I([0]), array((1,))),
        lambda: (array((4,)), 0, _I(2), array(())),
        lambda: (array((4, 3)), 0, _I([0, 2]), array((1, 3))),
        lambda: (array((4, 3)), 0, _I([0]), array((1, 3), "float64")),
    ],
    "index_fill.int_Scalar index_fill_.int_Scalar": [
        lambda: (array((4, 3)), 0, _I([0, -1]), 2.5),
        lambda: (array((4, 3)), 1, _I([2]), 1),
        lambda: (array((4, 3)), 0, _I([9]), 1),
        lambda: (array(()), 0, _I([0]), 2.5),
        lambda: (array(()), 0, _I([1]), 2.5),
    ],
    "index_fill.int_Tensor index_fill_.int_Tensor": [
        lambda: (array((4, 3)), 0, _I([0, -1]), array(()))
    ],
    "masked_fill.Scalar masked_fill_.Scalar": _masks(
        lambda: (2,), lambda: (0.5,), lambda: (float("-inf"),)
    ),
    "masked_fill.Tensor masked_fill_.Tensor": _masks(lambda: (array(()),), lambda: (array((1,)),)),
    "fill_diagonal_": [
        lambda m=m, value=value, wrap=wrap: (m(), value, wrap)
        for m, value in (
            (lambda: array((3, 3)), 2.5),
            (lambda: array((7, 3)), 1),
            (lambda: array((3, 7), "int64"), 4),
            (lambda: transposed((8, 3)), float("inf")),
            (lambda: sliced((4, 4)), -1),
            (lambda: array((2, 2, 2), "bool"), 3),
            (lambda: array((2, 3, 2)), 1),
            (lambda: array((0, 3)), 1),
            (lambda: array((4,)), 1),
            (lambda: array((2, 2), "int8"), 300),
        )
        for wrap in (False, True)
    ],
    "masked_select": _masks(lambda: ()),
    "masked_scatter masked_scatter_": _masks(lambda: (array((6,)),))[:3],
    "nonzero argwhere where nonzero_numpy": [
        lambda: (array((2, 3), "bool"),),
        lambda: (array((3,), "int64"),),
        lambda: (np.array(1.0),),
        lambda: (np.array(0),),
        lambda: (array((0, 3)),),
        lambda: (transposed((2, 3), "bool"),),
    ],
    "select_scatter": [
        lambda: (array((2, 3)), array((3,)), 0, 1),
        lambda: (array((2, 3)), array((2,)), 1, -1),
    ],
    "slice_scatter": [
        lambda: (array((4, 3)), array((2, 3)), 0, 1, 3, 1),
        lambda: (array((4, 3)), array((2, 3)), 0, None, None, 2),
    ],
    "select_backward": [lambda: (array((3,)), [2, 3], 0, 1), lambda: (array((2,)), [2, 3], 1, -1)],
    "slice_backward": [
        lambda: (array((2, 3)), [4, 3], 0, 1, 3, 1),
        lambda: (array((2, 3)), [4, 3], 0, 0, 9223372036854775807, 2),
    ],
}
