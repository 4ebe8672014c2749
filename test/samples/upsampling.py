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


def _gradients(rank, corners):
    shape = (2, 3, *(4, 5, 3)[:rank])
    sizes = [[7, 8, 9], [3, 2, 1], [4, 5, 3], [1, 1, 1], [8, 10, 6]]
    kinds = ("float32", "float64", "bfloat16")
    empty = [None] * rank
    return [
        *(
            lambda n=n, d=d: (array((2, 3, *n[:rank]), d), n[:rank], [*shape], *corners, *empty)
            for n in sizes
            for d in kinds
        ),
        lambda: (
            array((2, 3, *[7, 8, 9][:rank])),
            [7, 8, 9][:rank],
            [*shape],
            *corners,
            *[1.9, 1.6, 3.2][:rank],
        ),
        lambda: (array((2, 3, *[2] * rank)), [3] * rank, [*shape], *corners, *empty),
    ]


_MODES = ("nearest", "linear", "bilinear", "bicubic", "trilinear", "area")
_GIVEN = {
    "": (3, 1.7),
    "size_list": ([3, 2], 1.7),
    "scale_list": (3, [1.7, 0.6]),
    "size_list_scale_list": ([3, 2], [1.7, 0.6]),
}
"""By overload of the operators of archives of PyTorch 1.0 to 1.5, a size and a factor."""


def _archived(size, factor, *options):
    """By size, by factor, by both and by none. PyTorch reads beyond factors that are too few."""
    given = [(size, None), (None, factor), (size, factor), (None, None)]
    inputs = [_inputs(2)[2], _inputs(2)[1], _inputs(1)[2]]
    inputs += [] if isinstance(factor, list) else [_inputs(3)[2]]
    return [lambda x=x, g=g, o=o: (x(), *g, *o) for x in inputs for g in given for o in options]


def _whole(factor):
    return [2, 3] if isinstance(factor, list) else 2


SAMPLES = {}
for _overload, (_size, _factor) in _GIVEN.items():
    _name = f".{_overload}" if _overload else ""
    _options = [(m, c, r, False) for m in _MODES for c in (None, True) for r in (None, False)]
    SAMPLES[f"__interpolate{_name}"] = _archived(_size, _factor, *_options)
    SAMPLES[f"__upsample_bilinear{_name}"] = _archived(_size, _whole(_factor), ())
    if "scale" not in _overload:
        SAMPLES[f"__upsample_nearest{_name}"] = _archived(_size, _whole(_factor), ())
        _options = [(m, c) for m in _MODES for c in (None, False)]
        SAMPLES[f"__upsample{_name}"] = _archived(_size, _whole(_factor), *_options)
for _rank, _name in enumerate(("linear1d", "bilinear2d", "trilinear3d"), 1):
    for _prefix in ("upsample_nearest", "_upsample_nearest_exact"):
        SAMPLES[f"{_prefix}{_rank}d"] = _sized(_rank, [])
        SAMPLES[f"{_prefix}{_rank}d.vec"] = _listed(_rank, [])
        SAMPLES[f"{_prefix}{_rank}d_backward"] = _gradients(_rank, [])
    SAMPLES[f"upsample_{_name}"] = [*_sized(_rank, [False]), *_sized(_rank, [True])]
    SAMPLES[f"upsample_{_name}.vec"] = [*_listed(_rank, [False]), *_listed(_rank, [True])]
    SAMPLES[f"upsample_{_name}_backward"] = [
        *_gradients(_rank, [False]),
        *_gradients(_rank, [True]),
    ]
for _name in (
    "upsample_bicubic2d",
    "_upsample_bilinear2d_aa",
    "_upsample_bicubic2d_aa",
    "_upsample_lanczos2d_aa",
):
    SAMPLES[_name] = [*_sized(2, [False]), *_sized(2, [True])]
    SAMPLES[f"{_name}.vec"] = [*_listed(2, [False]), *_listed(2, [True])]
    SAMPLES[f"{_name}_backward"] = [*_gradients(2, [False]), *_gradients(2, [True])]
