"""Pooling."""

import numpy as np

from samples.arrays import array, channels_last, expanded, special, transposed

_SIZES = (7, 6, 5)


def _inputs(rank):
    """Inputs of every kind."""
    shape = (2, 3, *_SIZES[:rank])
    dtypes = ("float64", "float16", "bfloat16", "int64", "int32", "bool", "complex64")
    return [
        lambda: array((1, 2, *[3] * rank)),
        lambda: array((1, 1, *[3] * rank), "float64"),
        lambda: array(shape),
        *(lambda dtype=dtype: array(shape, dtype) for dtype in dtypes),
        lambda: array(shape[1:]),
        lambda: transposed(shape),
        lambda: expanded(shape),
        lambda: array((0, *shape[1:])),
        lambda: array((2, 0, *shape[2:])),
        lambda: array((2, 3, 0, *shape[3:])),
        lambda: array((4,)),
        lambda: np.array(np.broadcast_to(special(), (2, *(4,) * (rank - 1), 16))),
        lambda: np.full(shape, -np.inf, np.float32),
        lambda: np.full(shape, np.nan, np.float32),
        lambda: np.zeros(shape, np.float32),
        *([lambda: channels_last(shape)] if rank == 2 else []),
    ]


def _windows(rank):
    """kernel, stride, padding, dilation, ceil_mode"""
    one, zero, two, three = [1] * rank, [0] * rank, [2] * rank, [3] * rank
    return [
        (three, two, one, one, False),
        (three, two, one, one, True),
        (two, [], zero, one, False),
        (two, [], one, one, True),
        ([3, 2, 1][:rank], [1, 3, 2][:rank], [1, 0, 0][:rank], [2, 1, 1][:rank], True),
        ([2], [1], [1], [1], False),
        ([9] * rank, one, zero, one, False),
        (two, zero, zero, one, False),
        (zero, one, zero, one, False),
        (two, one, two, one, False),
        (two, one, [-1] * rank, one, False),
        (two, one, zero, zero, False),
        ([2] * (rank + 1), one, zero, one, False),
        ([], one, zero, one, False),
        (two, [1] * (rank + 1), zero, one, False),
        (two, [-1] * rank, zero, one, False),
    ]


def _max(rank):
    inputs, windows = _inputs(rank), _windows(rank)
    return [
        lambda: (inputs[0](), [2] * rank, [], [0] * rank, [1] * rank, False),
        lambda: (inputs[1](), [3] * rank, [1] * rank, [1] * rank, [1] * rank, False),
        *(lambda make=make: (make(), *windows[0]) for make in inputs),
        *(lambda window=window: (inputs[2](), *window) for window in windows),
        *(lambda window=window: (inputs[-2](), *window) for window in windows),
    ]


def _average(rank):
    inputs = _inputs(rank)
    windows = [(k, s, p, c) for k, s, p, d, c in _windows(rank) if d == [1] * rank or d == [1]]
    rest = [] if rank == 1 else [None]
    found = [
        lambda: (inputs[0](), [2] * rank, [], [0] * rank, False, True, *rest),
        lambda: (inputs[1](), [3] * rank, [1] * rank, [1] * rank, False, True, *rest),
        *(lambda make=make: (make(), *windows[0], True, *rest) for make in inputs),
        *(
            lambda window=window, include=include: (inputs[2](), *window, include, *rest)
            for window in windows
            for include in (True, False)
        ),
    ]
    if rank > 1:
        found += [
            lambda divisor=divisor, place=place: (inputs[place](), *windows[1], False, divisor)
            for divisor in (3, -2, 0)
            for place in (2, 6)
        ]
    return found


def _adaptive(rank):
    sizes = [[1] * rank, [2, 3, 2][:rank], list(_SIZES[:rank]), [9, 4, 8][:rank], [0] * rank]
    wrong = [[-1] * rank, [2] * (rank + 1)]
    inputs = _inputs(rank)
    return [
        *(lambda make=make: (make(), [2] * rank) for make in inputs),
        *(lambda size=size: (inputs[2](), size) for size in [*sizes, *wrong]),
        lambda: (inputs[-1](), [1] * rank),
        *(
            lambda shape=shape, size=size: (array(shape), [size] * rank)
            for shape in [(5,), (3, 4), (3, 4, 5), (1, 1, 2, 3, 2, 2), (2, 3, 0, 4)]
            for size in (1, 2)
        ),
    ]


SAMPLES = {
    **{f"max_pool{rank}d max_pool{rank}d_with_indices": _max(rank) for rank in (1, 2, 3)},
    **{f"avg_pool{rank}d": _average(rank) for rank in (1, 2, 3)},
    **{f"adaptive_max_pool{rank}d": _adaptive(rank) for rank in (1, 2, 3)},
    **{f"adaptive_avg_pool{rank}d": _adaptive(rank) for rank in (1, 2, 3)},
    **{f"_adaptive_avg_pool{rank}d": _adaptive(rank) for rank in (2, 3)},
}
