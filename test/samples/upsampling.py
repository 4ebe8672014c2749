"""Interpolation to other sizes."""

from samples.arrays import array, channels_last, expanded, transposed


def _inputs(rank):
    shape = (2, 3, *(4, 5, 3)[:rank])
    dtypes = ("float64", "float16", "bfloat16", "int64", "bool")
    return [
        lambda: array((1, 2, *[2] * rank)),
        lambda: array((1, 2, *[3] * rank), "float64"),
        lambda: array(shape),
        *(lambda dtype=dtype: array(shape, dtype) for dtype in dtypes),
        lambda: transposed(shape),
        lambda: expanded(shape),
        lambda: array((0, *shape[1:])),
        lambda: array((2, 0, *shape[2:])),
        lambda: array((2, 3, 0, *shape[3:])),
        lambda: array(shape[1:]),
        *([lambda: channels_last(shape)] if rank == 2 else []),
    ]


def _sized(rank, corners):
    inputs = _inputs(rank)
    sizes = [[7, 8, 9], [3, 2, 1], [4, 5, 3], [1, 1, 1], [8, 10, 6], [0, 2, 2], [-1, 2, 2]]
    return [
        *(lambda x=x: (x(), [3, 4, 5][:rank], *corners, *[None] * rank) for x in inputs),
        *(lambda n=n: (inputs[2](), n[:rank], *corners, *[None] * rank) for n in sizes),
        lambda: (inputs[2](), [7, 8, 9][:rank], *corners, *[1.9, 1.6, 3.2][:rank]),
        lambda: (inputs[2](), [4, 5, 3][:rank], *corners, *[1.2] * rank),
        lambda: (inputs[2](), [2] * (rank + 1), *corners, *[None] * rank),
    ]


def _listed(rank, corners):
    inputs = _inputs(rank)
    return [
        *(lambda x=x: (x(), None, *corners, [2.0] * rank) for x in inputs),
        lambda: (inputs[2](), None, *corners, [1.7, 0.6, 2.4][:rank]),
        lambda: (inputs[2](), None, *corners, [0.5] * rank),
        lambda: (inputs[2](), [7, 8, 9][:rank], *corners, None),
        lambda: (inputs[2](), [7, 8, 9][:rank], *corners, [2.0] * rank),
        lambda: (inputs[2](), None, *corners, None),
        lambda: (inputs[2](), None, *corners, [2.0] * (rank + 1)),
        lambda: (inputs[2](), None, *corners, [0.1] * rank),
    ]


SAMPLES = {}
for _rank, _name in enumerate(("linear1d", "bilinear2d", "trilinear3d"), 1):
    SAMPLES[f"upsample_nearest{_rank}d"] = _sized(_rank, [])
    SAMPLES[f"upsample_nearest{_rank}d.vec"] = _listed(_rank, [])
    SAMPLES[f"upsample_{_name}"] = [*_sized(_rank, [False]), *_sized(_rank, [True])]
    SAMPLES[f"upsample_{_name}.vec"] = [*_listed(_rank, [False]), *_listed(_rank, [True])]
