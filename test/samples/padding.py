"""Padding."""

import numpy as np

from samples.arrays import array, channels_last, special, transposed
from samples.shaping import each

_SIZES = (4, 3, 5)
_INPUTS = [
    lambda: array((2, 3)),
    lambda: transposed((2, 3)),
    lambda: array((2, 3), "int64"),
    lambda: array((2, 3), "bool"),
]


def _makes(rank):
    shape = (2, 2, *_SIZES[:rank])
    return [
        lambda: array((1, 2, *[3] * rank)),
        lambda: array((1, 1, *[3] * rank), "float64"),
        *(
            lambda dtype=dtype: array(shape, dtype)
            for dtype in ("float32", "float16", "bfloat16", "complex64", "int64", "bool")
        ),
        lambda: array(shape[1:]),
        lambda: transposed(shape),
        lambda: array((0, *shape[1:])),
        lambda: array((2, 0, *shape[2:])),
        lambda: array((4,)),
        *([lambda: channels_last(shape)] if rank == 2 else []),
        *([lambda: np.array(np.broadcast_to(special(), (1, 2, 16)))] if rank == 1 else []),
    ]


def _pads(rank):
    return [
        [1] * 2 * rank,
        [2, 1, 0, 2, 1, 0][: 2 * rank],
        [-1, 2, 1, -1, -1, 0][: 2 * rank],
        [-1] * 2 * rank,
        [0] * 2 * rank,
        [3, 2, 4, 1, 2, 2][: 2 * rank],
        [-3, -1, -2, -2, -2, -1][: 2 * rank],
        [1, 1] * (rank + 1),
        [9, 0] * rank,
    ]


def _forward(rank):
    makes = _makes(rank)
    return [
        *(lambda make=make: (make(), [1] * 2 * rank) for make in makes),
        *(lambda pad=pad: (makes[2](), pad) for pad in _pads(rank)),
    ]


def _backward(rank):
    def sample(make, pad):
        x = make()
        kept = x.ndim - len(pad) // 2
        widths = [pad[i] + pad[i + 1] for i in range(len(pad) - 2, -1, -2)]
        shape = (*x.shape[:kept], *(max(n + w, 0) for n, w in zip(x.shape[kept:], widths)))
        return array(shape, str(x.dtype)), x, pad

    makes = [make for place, make in enumerate(_makes(rank)) if place not in (3, 4, 11, 12)]
    return [
        *(lambda make=make: sample(make, [1] * 2 * rank) for make in makes),
        *(lambda pad=pad: sample(makes[2], pad) for pad in _pads(rank)[:5]),
        lambda: (array((1, 2, *[2] * rank)), makes[0](), [1] * 2 * rank),
    ]


def _by_mode(modes):
    """A mode of each rank, and what fits none."""
    found = [
        lambda rank=rank, mode=mode, batch=batch: (
            array((2, 2, *_SIZES[:rank])[not batch :]),
            [1, 2, 2, 1, 1, 0][: 2 * rank],
            mode,
            None,
        )
        for rank in (1, 2, 3)
        for mode in modes
        for batch in (True, False)
    ]
    wrong = [
        ((2, 3), [1, 1], 1.0),
        ((2, 3), [1], None),
        ((2, 3), [1] * 6, None),
        ((2, 2, 3, 4), [1, 1], None),
        ((3,), [1, 1], None),
    ]
    return [
        *found,
        *(
            lambda shape=shape, pad=pad, value=value, mode=mode: (array(shape), pad, mode, value)
            for shape, pad, value in wrong
            for mode in modes
        ),
    ]


_CONSTANT = [([1, 2], 0), ([1, 0, 0, 1], 0.5), ([-1, 0], 0), ([1], 0), ([1] * 12, 0), ([-2, -2], 0)]

SAMPLES = {
    "constant_pad_nd": each(_INPUTS, *_CONSTANT),
    "pad": [
        *each(_INPUTS, ([1, 2], "constant", None), ([1, 1], "constant", 2.0)),
        lambda: (array((2, 3)), [1, 1], "wrong", None),
        *_by_mode(("reflect", "replicate", "circular")),
    ],
    "_pad_enum": _by_mode((0, 1, 2, 3)),
    "_pad_circular": [
        lambda rank=rank, pad=pad, dtype=dtype: (array((2, 2, *_SIZES[:rank]), dtype), pad)
        for rank in (1, 2, 3)
        for pad in _pads(rank)
        for dtype in ("float32", "int64")
    ],
    **{
        f"{name}_pad{rank}d": _forward(rank)
        for rank in (1, 2, 3)
        for name in ("reflection", "replication")
    },
    **{
        f"{name}_pad{rank}d_backward": _backward(rank)
        for rank in (1, 2, 3)
        for name in ("reflection", "replication")
    },
}
