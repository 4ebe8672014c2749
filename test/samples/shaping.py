"""Joins, triangles, flips, repetitions."""

import numpy as np

from samples.arrays import array, channels_last, sliced, transposed

_LISTS = [
    lambda: [array((2, 3)), array((2, 3), seed="b")],
    lambda: [transposed((2, 3)), array((2, 3))],
    lambda: [array((2, 3)), array((2, 3), "int64")],
    lambda: [array((2, 3), "bool"), array((2, 3), "uint8")],
    lambda: [array((2, 3))],
    lambda: [array((0, 3)), array((2, 3))],
    lambda: [array((0,)), array((2, 3))],
    lambda: [array((3,)), array((3,))],
    lambda: [array(()), array(())],
    lambda: [array((2, 3)), array((2, 4))],
    lambda: [array((2, 3)), array((3,))],
    list,
    lambda: [array((2, 3), "float16"), array((), "float64").reshape(1, 1).repeat(3, 1)],
    lambda: [channels_last((2, 3, 2, 2)), channels_last((2, 3, 2, 2))],
    lambda: [channels_last((2, 3, 2, 2)), array((2, 3, 2, 2))],
]


def _joined(*rest):
    return [lambda make=make, r=r: (make(), *r) for make in _LISTS for r in rest]


def each(makes, *rest):
    return [lambda make=make, r=r: (make(), *r) for make in makes for r in rest]


_INPUTS = [
    lambda: array((2, 3)),
    lambda: transposed((2, 3)),
    lambda: sliced((3, 3)),
    lambda: array((2, 3, 4), "int64"),
    lambda: array((3,)),
    lambda: array(()),
    lambda: array((0, 3)),
    lambda: channels_last((2, 3, 2, 2)),
]

SAMPLES = {
    "cat concat concatenate": _joined((0,), (1,), (-1,), (5,)),
    "stack": _joined((0,), (1,), (-1,), (9,)),
    "hstack vstack row_stack dstack": _joined(()),
    "atleast_1d atleast_2d atleast_3d": each(_INPUTS, ()),
    "atleast_1d.Sequence atleast_2d.Sequence atleast_3d.Sequence": [
        lambda make=make: (make(),) for make in _LISTS
    ],
    "tril triu tril_ triu_": each([*_INPUTS, lambda: array((3, 3), "bool")], (0,), (-1,), (2,)),
    "flip": each(_INPUTS, ([0],), ([0, 1],), ([-1],), ([0, 0],), ([],)),
    "fliplr flipud": each(_INPUTS, ()),
    "roll": each(_INPUTS[:4], ([1], []), ([1], [0]), ([1, -1], [0, 1]), ([1], [0, 1]), ([], [])),
    "repeat": each(_INPUTS, ([2],), ([2, 1],), ([1, 2, 3, 1],), ([0, 2],), ([],)),
    "tile": [
        *each(_INPUTS[:5], ([2],), ([2, 1],), ([1, 2, 3, 1],), ([],)),
        lambda: (array(()), []),
    ],
    "repeat_interleave.self_int": each(_INPUTS[:5], (2, None, None), (3, 0, None), (2, -1, None)),
    "repeat_interleave.self_Tensor": [
        lambda: (array((2, 3)), np.array([1, 2]), 0, None),
        lambda: (array((2, 3)), np.array([2]), 1, None),
        lambda: (array((3,)), np.array([0, 1, 2]), None, None),
        lambda: (array((3,)), np.array([0, 1]), None, None),
    ],
    "diag": each([*_INPUTS[:5], lambda: array((3, 3))], (0,), (1,), (-1,)),
    "diag_embed": each(
        [lambda: array((2, 3)), lambda: array((3,))], (0, -2, -1), (1, 0, 1), (-1, 1, 0), (0, 1, 1)
    ),
    "trace": each([*_INPUTS[:4], lambda: array((3, 3), "int32")], ()),
    "meshgrid": [lambda: ([array((2,)), array((3,))],), lambda: ([array((2,)), array(())],)],
    "meshgrid.indexing": [
        lambda: ([array((2,)), array((3,))], "ij"),
        lambda: ([array((2,)), array((3,))], "xy"),
        lambda: ([array((2,)), array((3,))], "no"),
    ],
    "broadcast_tensors": [
        lambda: ([array((2, 1)), array((3,))],),
        lambda: ([array((2,)), array((3,))],),
    ],
    "rot90": each([*_INPUTS[:4]], (1, [0, 1]), (2, [0, 1]), (3, [1, 0])),
    "one_hot": [
        lambda: (np.array([0, 2, 1]), -1),
        lambda: (np.array([[0, 1]]), 4),
        lambda: (np.array([5]), 3),
        lambda: (np.array([-1]), 3),
        lambda: (array((2,)), -1),
    ],
    "_shape_as_tensor": each(_INPUTS, ()),
}
