"""Group normalization."""

from samples.arrays import array, channels_last, expanded, transposed


def _weights(dtype="float32", size=6):
    return (array((size,), dtype, low=0.5, high=2), array((size,), dtype, seed="bias"))


_INPUTS = [
    lambda: (array((2, 6, 2)), 3, *_weights()),
    lambda: (array((2, 6, 2), "float64"), 2, *_weights("float64")),
    lambda: (array((2, 6, 4, 5)), 3, *_weights()),
    lambda: (array((2, 6, 4)), 3, None, None),
    lambda: (array((2, 6, 4)), 3, None, _weights()[1]),
    lambda: (array((2, 6, 4)), 1, _weights()[0], None),
    lambda: (array((2, 6, 4)), 6, *_weights()),
    lambda: (array((2, 6)), 3, *_weights()),
    lambda: (array((2, 6, 4), "float16"), 3, *_weights("float16")),
    lambda: (array((2, 6, 4), "bfloat16"), 3, *_weights("bfloat16")),
    lambda: (array((2, 6, 4), "bfloat16"), 3, *_weights()),
    lambda: (array((2, 6, 4), "bfloat16"), 3, None, None),
    lambda: (transposed((2, 6, 4)), 3, *_weights()),
    lambda: (expanded((2, 6, 4)), 3, *_weights()),
    lambda: (channels_last((2, 6, 4, 5)), 3, *_weights()),
    lambda: (array((0, 6, 4)), 3, *_weights()),
    lambda: (array((2, 6, 4)), 4, *_weights()),
    lambda: (array((2, 6, 4)), 0, *_weights()),
    lambda: (array((2, 6, 4)), 3, *_weights(size=5)),
    lambda: (array((2, 6, 4), "float64"), 3, *_weights()),
    lambda: (array((2, 6, 4), "int64"), 3, None, None),
    lambda: (array((6,)), 3, *_weights()),
]


def _native(make):
    """Of inputs that are contiguous or channels last: others are refused there."""
    x, groups, weight, bias = make()
    elements = x[0, 0].size if x.shape[0] else 4
    return (x, weight, bias, x.shape[0], x.shape[1], elements, groups, 1e-3)


SAMPLES = {
    "group_norm": [lambda make=make: (*make(), 1e-3, True) for make in _INPUTS],
    "native_group_norm": [
        lambda make=make: _native(make) for make in [*_INPUTS[:12], *_INPUTS[14:-1]]
    ],
}
