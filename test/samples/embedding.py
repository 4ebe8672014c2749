"""Embeddings and bags of them."""

import numpy as np

from samples.arrays import array, transposed


def _i(values, dtype="int64"):
    return np.array(values, dtype)


_TABLE = lambda dtype="float32": array((5, 3), dtype)
_AT = _i([0, 4, 1, 1, 2, 3])
_STARTS = [_i([0, 2, 2]), _i([0, 1, 6]), _i([0])]


def _bags(*tail):
    """weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset and the rest."""
    weights = array((6,), seed="w")
    return [
        *(
            lambda mode=mode, last=last: (
                _TABLE(),
                _AT,
                _STARTS[1],
                False,
                mode,
                False,
                None,
                last,
                *tail,
            )
            for mode in (0, 1, 2)
            for last in (False, True)
        ),
        *(
            lambda mode=mode, starts=starts: (
                _TABLE("float64"),
                _AT,
                starts,
                False,
                mode,
                False,
                None,
                False,
                *tail,
            )
            for mode in (0, 1, 2)
            for starts in _STARTS
        ),
        lambda: (_TABLE(), _AT, _STARTS[0], False, 0, False, weights, False, *tail),
        lambda: (_TABLE(), _AT, _STARTS[0], False, 1, False, weights, False, *tail),
        lambda: (_TABLE("bfloat16"), _AT, _STARTS[0], False, 0, False, None, False, *tail),
        lambda: (_TABLE("float16"), _AT, _STARTS[0], False, 1, False, None, False, *tail),
        lambda: (
            _TABLE(),
            _i(_AT, "int32"),
            _i([0, 2], "int32"),
            False,
            1,
            False,
            None,
            False,
            *tail,
        ),
        lambda: (transposed((5, 3)), _AT, _STARTS[0], False, 0, False, None, False, *tail),
        lambda: (_TABLE(), _i([]), _i([0, 0]), False, 0, False, None, False, *tail),
        lambda: (_TABLE(), _i([1, 9]), _i([0, 1]), False, 0, False, None, False, *tail),
        lambda: (_TABLE(), _AT, _i([1, 2]), False, 0, False, None, False, *tail),
        lambda: (_TABLE(), _AT, _i([0, 9]), False, 0, False, None, False, *tail),
        lambda: (_TABLE("int64"), _AT, _STARTS[0], False, 0, False, None, False, *tail),
    ]


_PADDED = [
    lambda mode=mode, dtype=dtype: (
        _TABLE(dtype),
        _AT,
        _STARTS[0],
        False,
        mode,
        False,
        None,
        False,
        1,
    )
    for mode in (0, 1, 2)
    for dtype in ("float32", "float64")
]


def _dense(mode, frequency=False, weights=None, padding=-1):
    """grad, indices, offset2bag, bag_size, maximum_indices, num_weights, scale_grad_by_freq, mode, per_sample_weights, padding"""
    owner, sizes = _i([0, 0, 2, 2, 2, 2]), _i([2, 0, 4])
    where = _i([[0, 4, 0], [0, 0, 0], [1, 2, 3]])
    return lambda: (array((3, 3)), _AT, owner, sizes, where, 5, frequency, mode, weights, padding)


_DENSE = [
    _dense(0),
    _dense(1),
    _dense(2),
    _dense(0, True),
    _dense(1, True),
    _dense(0, weights=array((6,))),
    _dense(0, padding=1),
]

SAMPLES = {
    "embedding": [
        lambda: (array((4, 3)), _i([[0, 2]]), -1, False, False),
        lambda: (array((4, 3)), _i(1), -1, False, False),
        lambda: (array((4, 3), "int64"), _i([3, 3], "int32"), 0, False, False),
        lambda: (transposed((4, 3)), _i([[0, 2], [1, 1]]), -1, True, False),
        lambda: (array((4, 3)), _i([]), -1, False, False),
        lambda: (array((4, 3)), _i([7]), -1, False, False),
        lambda: (array((4, 3)), _i([-1]), -1, False, False),
        lambda: (array((4, 3)), array((2,)), -1, False, False),
        lambda: (array((4,)), _i([0]), -1, False, False),
    ],
    "embedding_dense_backward": [
        *(
            lambda dtype=dtype, frequency=frequency, padding=padding: (
                array((2, 3, 4), dtype),
                _i([[0, 1, 1], [4, 0, 0]]),
                5,
                padding,
                frequency,
            )
            for dtype in ("float32", "float64", "bfloat16")
            for frequency in (False, True)
            for padding in (-1, 1)
        ),
        lambda: (array((2, 3), "int64"), _i([0, 1]), 5, -1, False),
    ],
    "embedding_backward": [
        lambda: (array((2, 3)), _i([1, 1]), 4, -1, False, False),
        lambda: (array((2, 3)), _i([1, 0]), 4, 0, True, False),
    ],
    "embedding_renorm_": [
        *(
            lambda dtype=dtype, degree=degree: (_TABLE(dtype), _i([0, 2, 2, 4]), 2.0, degree)
            for dtype in ("float32", "float64")
            for degree in (2.0, 1.0, 3.0)
        ),
        lambda: (array((4,)), _i([0]), 1.0, 2.0),
        lambda: (_TABLE(), array((2,)), 1.0, 2.0),
    ],
    "_embedding_bag": [*_bags(-1), *_PADDED],
    "_embedding_bag_forward_only": [*_bags(-1), *_PADDED],
    "embedding_bag": _bags(),
    "embedding_bag.padding_idx": [
        *_bags(None),
        *_PADDED,
        *(lambda p=p: (*_PADDED[0]()[:-1], p) for p in (-2, 5, -6)),
    ],
    "_embedding_bag_dense_backward": _DENSE,
    "_embedding_bag_backward": [
        lambda place=place, make=make: (*make()[:2], _STARTS[0], *make()[2:8], False, *make()[8:])
        for place, make in enumerate(_DENSE)
    ],
    "_embedding_bag_per_sample_weights_backward": [
        lambda padding=padding: (
            array((3, 3)),
            _TABLE(),
            _AT,
            _STARTS[0],
            _i([0, 0, 2, 2, 2, 2]),
            0,
            padding,
        )
        for padding in (-1, 1)
    ],
}
