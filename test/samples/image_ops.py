"""Unpooling, gradients of pooling, patches, grids, and products of three tensors."""

import numpy as np

from samples.arrays import array, channels_last, transposed

_SIZES = (4, 5, 3)
_FLOATS = ("float32", "float64", "bfloat16")


def _places(shape, rank, most=None):
    """Places in a flat plane, some of them twice."""
    most = most or int(np.prod(shape[-rank:]))
    return (np.arange(np.prod(shape)).reshape(shape) * 7 % most).astype(np.int64)


def _returned(rank, *rest):
    shape, small = (2, 3, *_SIZES[:rank]), (2, 3, *[2] * rank)
    size = int(np.prod(shape[-rank:]))
    return [
        *(
            lambda d=d: (array(small, d), array(shape, d), *rest, _places(small, rank, size))
            for d in (*_FLOATS, "int64")
        ),
        lambda: (array(small[1:]), array(shape[1:]), *rest, _places(small[1:], rank, size)),
        *(
            [lambda: (channels_last(small), channels_last(shape), *rest, _places(small, 2, size))]
            if rank == 2
            else []
        ),
    ]


def _unpool(rank, *rest):
    small = (2, 3, *[2] * rank)
    size = list(_SIZES[:rank])
    distinct = np.argsort(array((2, 3, int(np.prod(size)))))[..., : 2**rank].reshape(small)
    return [
        *(
            lambda d=d: (array(small, d), distinct, size, *rest)
            for d in (*_FLOATS, "int64", "bool")
        ),
        lambda: (array(small[1:]), distinct[0], size, *rest),
        lambda: (array(small), distinct, [1] * rank, *rest),
        lambda: (array(small), distinct[:1], size, *rest),
        lambda: (array(small), distinct, size[:1], *rest),
        *([lambda: (channels_last(small), distinct, size, *rest)] if rank == 2 else []),
    ]


def _fractional(rank):
    shape = (2, 3, *(7, 6, 5)[:rank])
    return [
        *(
            lambda d=d, k=k, n=n: (
                array(shape, d),
                [k] * rank,
                [n] * rank,
                array((2, 3, rank), d, 0, 1),
            )
            for d in (*_FLOATS, "int64")
            for k, n in ((2, 3), (3, 2), (2, 1))
        ),
        lambda: (array(shape[1:]), [2] * rank, [3] * rank, array((1, 3, rank), low=0, high=1)),
        lambda: (array(shape), [5] * rank, [4] * rank, array((2, 3, rank), low=0, high=1)),
    ]


def _average(rank):
    """grad, input, kernel, stride, padding, ceil_mode, count_include_pad, divisor"""
    shape = (2, 3, *(7, 6, 5)[:rank])
    windows = [
        ([2] * rank, [], [0] * rank, False, [3, 3, 2]),
        ([3] * rank, [2] * rank, [1] * rank, False, [4, 3, 3]),
        ([3] * rank, [2] * rank, [1] * rank, True, [4, 4, 3]),
    ]
    return [
        *(
            lambda w=w, include=include, divisor=divisor, d=d: (
                array((2, 3, *w[4][:rank]), d),
                array(shape, d),
                *w[:4],
                include,
                divisor,
            )
            for w in windows
            for include, divisor in ((True, None), (False, None), (True, 3))
            for d in _FLOATS[:2]
        ),
        lambda: (array((3, *[3, 3, 2][:rank])), array(shape[1:]), *windows[0][:4], True, None),
        lambda: (array((2, 3, *[2] * rank)), array(shape), *windows[0][:4], True, None),
        lambda: (array((2, 3, *[3, 3, 2][:rank])), array(shape), *windows[0][:4], True, 0),
    ]


def _adaptive(rank):
    shape = (2, 3, *(7, 6, 5)[:rank])
    return [
        lambda n=n, d=d: (array((2, 3, *n[:rank]), d), array(shape, d))
        for n in ([2, 3, 2], [1, 1, 1], [7, 6, 5], [9, 4, 7])
        for d in _FLOATS
    ]


_UNFOLDS = [
    # kernel, dilation, padding, stride
    ([2, 2], [1, 1], [0, 0], [1, 1]),
    ([2, 3], [2, 1], [1, 1], [2, 1]),
    ([3, 3], [1, 1], [1, 1], [2, 2]),
    ([9, 9], [1, 1], [0, 0], [1, 1]),
    ([2, 2], [0, 1], [0, 0], [1, 1]),
    ([2], [1, 1], [0, 0], [1, 1]),
]
_KINDS = (*_FLOATS, "bool", "complex64", "int64")


def _grid(rank, dtype="float32"):
    shape = (2, 3, *(3, 4, 5)[:rank])
    points = (2, *(2, 3, 4)[:rank], rank)
    return array(shape, dtype), array(points, dtype, -1.3, 1.3, "grid")


def _grids(rank):
    return [
        *(
            lambda i=i, p=p, c=c, d=d: (*_grid(rank, d), i, p, c)
            for i in ((0, 1, 2) if rank == 2 else (0, 1))
            for p in (0, 1, 2)
            for c in (False, True)
            for d in ("float32", "float64")
        ),
        lambda: (*_grid(rank, "bfloat16"), 1, 0, False),
        lambda: (_grid(rank)[0], array((1, *_grid(rank)[1].shape[1:])), 0, 0, False),
        lambda: (_grid(rank)[0], array((2, *[3] * rank, 4)), 0, 0, False),
        lambda: (array((2, 0, *[3] * rank)), _grid(rank)[1], 0, 0, False),
        lambda: (_grid(rank)[0], _grid(rank, "float64")[1], 0, 0, False),
        *(
            [lambda: (channels_last((2, 3, 3, 4)), _grid(2)[1], 0, 0, False)]
            if rank == 2
            else [lambda: (*_grid(3), 2, 0, False)]
        ),
    ]


SAMPLES = {
    "max_pool2d_with_indices_backward": _returned(2, [2, 2], [2, 2], [0, 0], [1, 1], False),
    "max_pool3d_with_indices_backward": _returned(
        3, [2, 2, 2], [2, 2, 2], [0, 0, 0], [1, 1, 1], False
    ),
    "adaptive_max_pool2d_backward": _returned(2),
    "adaptive_max_pool3d_backward": _returned(3),
    "fractional_max_pool2d_backward": _returned(2, [2, 2], [2, 2])[:3],
    "fractional_max_pool3d_backward": _returned(3, [2, 2, 2], [2, 2, 2])[:3],
    "max_unpool2d": _unpool(2),
    "max_unpool3d": _unpool(3, [2, 2, 2], [0, 0, 0]),
    "fractional_max_pool2d": _fractional(2),
    "fractional_max_pool3d": _fractional(3),
    "avg_pool2d_backward": _average(2),
    "avg_pool3d_backward": _average(3),
    "_adaptive_avg_pool2d_backward": _adaptive(2),
    "_adaptive_avg_pool3d_backward": _adaptive(3),
    "im2col": [
        *(lambda w=w, d=d: (array((2, 3, 5, 6), d), *w) for w in _UNFOLDS[:2] for d in _KINDS),
        *(lambda w=w: (array((3, 5, 6)), *w) for w in _UNFOLDS),
        lambda: (transposed((2, 3, 5, 6)), *_UNFOLDS[1]),
        lambda: (array((0, 3, 5, 6)), *_UNFOLDS[1]),
        lambda: (array((5, 6)), *_UNFOLDS[1]),
    ],
    "col2im": [
        *(
            lambda n=n, w=w, d=d: (array((2, n[0], n[1]), d), [5, 6], *w)
            for n, w in (((8, 20), _UNFOLDS[0]), ((12, 18), _UNFOLDS[1]))
            for d in _KINDS
        ),
        lambda: (array((8, 20)), [5, 6], *_UNFOLDS[0]),
        lambda: (array((2, 7, 20)), [5, 6], *_UNFOLDS[0]),
        lambda: (array((2, 8, 21)), [5, 6], *_UNFOLDS[0]),
    ],
    "grid_sampler grid_sampler_2d": _grids(2),
    "grid_sampler_3d": _grids(3),
    "affine_grid_generator": [
        *(
            lambda size=size, c=c, d=d: (array((2, len(size) - 2, len(size) - 1), d), size, c)
            for size in ([2, 3, 4, 5], [2, 3, 2, 3, 4], [2, 3, 1, 4])
            for c in (False, True)
            for d in ("float32", "float64")
        ),
    ],
    "affine_grid_generator_backward": [
        lambda c=c: (array((2, 4, 5, 2)), [2, 3, 4, 5], c) for c in (False, True)
    ],
    "bilinear": [
        *(
            lambda b=b, d=d: (
                array((2, 4, 3), d),
                array((2, 4, 5), d),
                array((6, 3, 5), d),
                array((6,), d) if b else None,
            )
            for b in (True, False)
            for d in ("float32", "float64")
        ),
        lambda: (array((3,)), array((5,)), array((6, 3, 5)), None),
        lambda: (array((2, 3)), array((2, 4)), array((6, 3, 5)), None),
        lambda: (array((2, 3)), array((3, 5)), array((6, 3, 5)), None),
    ],
    "_trilinear": [
        lambda: (array((2, 3)), array((4, 3, 5)), array((2, 5)), [1, 3], [0], [1, 2], [2, 3], 1),
        lambda: (array((2, 3)), array((2, 3)), array((2, 3)), [], [], [], [], 1),
    ],
    "channel_shuffle native_channel_shuffle": [
        *(lambda d=d: (array((2, 6, 3, 4), d), 3) for d in ("float32", "int64", "bool")),
        lambda: (array((2, 6, 3)), 2),
        lambda: (channels_last((2, 6, 3, 4)), 3),
        lambda: (array((6, 2, 3, 4)).swapaxes(0, 1), 3),
        lambda: (array((2, 6)), 2),
        lambda: (array((2, 6, 3)), 4),
        lambda: (array((2, 6, 3)), 0),
    ],
    "conv_tbc": [
        lambda: (array((5, 2, 3)), array((2, 3, 4)), array((4,)), 1),
        lambda: (
            array((5, 2, 3), "float64"),
            array((2, 3, 4), "float64"),
            array((4,), "float64"),
            0,
        ),
        lambda: (array((5, 3)), array((2, 3, 4)), array((4,)), 0),
        *(
            lambda n=n: (array((n, 2, 3)), array((4, 3, 5)), array((5,)), 0) for n in (4, 3, 2)
        ),  # one step, none, and fewer
    ],
}
