"""Recurrent networks and packed sequences."""

import numpy as np

from samples.arrays import array, transposed


def _i(*values):
    return np.array(values, np.int64)


def _params(gates, layers, directions, has_biases, dtype, projection=0, width=3, hidden=2):
    """The parameters of a network of `hidden` units over inputs of `width`."""
    out = projection or hidden
    found = []
    for place in range(layers * directions):
        inputs = width if place < directions else out * directions
        found.append(array((gates * hidden, inputs), dtype, -1, 1, f"i{place}"))
        found.append(array((gates * hidden, out), dtype, -1, 1, f"h{place}"))
        if has_biases:
            found.append(array((gates * hidden,), dtype, -1, 1, f"bi{place}"))
            found.append(array((gates * hidden,), dtype, -1, 1, f"bh{place}"))
        if projection:
            found.append(array((projection, hidden), dtype, -1, 1, f"p{place}"))
    return found


_SETTINGS = [
    # layers, directions, has_biases, dtype
    (1, 1, True, "float32"),
    (2, 2, True, "float32"),
    (2, 1, False, "float64"),
    (1, 2, False, "float32"),
    (1, 1, True, "bfloat16"),
]


def _start(layers, directions, batch, dtype, has_cell, projection=0):
    h = array((layers * directions, batch, projection or 2), dtype, seed="h")
    return [h, array((layers * directions, batch, 2), dtype, seed="c")] if has_cell else h


def _padded(gates, has_cell=False):
    def sample(layers, directions, has_biases, dtype, first, projection=0, x=None, batch=2):
        shape = (batch, 4, 3) if first else (4, batch, 3)
        return lambda: (
            array(shape, dtype) if x is None else x,
            _start(layers, directions, batch, dtype, has_cell, projection),
            _params(gates, layers, directions, has_biases, dtype, projection),
            has_biases,
            layers,
            0.0,
            False,
            directions == 2,
            first,
        )

    wrong = [
        array((4, 2, 5)),
        array((4, 2)),
        array((4, 3, 3)),
        array((0, 2, 3)),
        array((4, 2, 3), "float64"),
    ]
    return [
        *(sample(*settings, first) for settings in _SETTINGS for first in (False, True)),
        sample(1, 1, True, "float32", False, x=transposed((4, 2, 3))),
        *(sample(1, 1, True, "float32", False, x=x) for x in wrong),
        *([sample(2, 2, True, "float32", False, projection=1)] if has_cell else []),
    ]


def _packed(gates, has_cell=False):
    def sample(layers, directions, has_biases, dtype, sizes=(3, 2, 2, 1)):
        return lambda: (
            array((8, 3), dtype),
            _i(*sizes),
            _start(layers, directions, 3, dtype, has_cell),
            _params(gates, layers, directions, has_biases, dtype),
            has_biases,
            layers,
            0.0,
            False,
            directions == 2,
        )

    return [sample(*settings) for settings in _SETTINGS]


def _cell(gates, has_cell=False):
    def sample(dtype="float32", has_biases=True, width=3, batch=2):
        def make():
            h = array((2, 2), dtype, seed="h")
            return (
                array((batch, 3), dtype),
                [h, array((2, 2), dtype, seed="c")] if has_cell else h,
                array((gates * 2, width), dtype, -1, 1),
                array((gates * 2, 2), dtype, -1, 1),
                *((array((gates * 2,), dtype, -1, 1, n) if has_biases else None) for n in "ih"),
            )

        return make

    return [
        sample(),
        sample("float64", has_biases=False),
        sample("bfloat16"),
        sample(width=4),
        sample(batch=3),
    ]


SAMPLES = {
    "lstm.input": _padded(4, has_cell=True),
    "gru.input": _padded(3),
    "rnn_tanh.input rnn_relu.input": _padded(1),
    "lstm.data": _packed(4, has_cell=True),
    "gru.data": _packed(3),
    "rnn_tanh.data rnn_relu.data": _packed(1),
    "lstm_cell": _cell(4, has_cell=True),
    "gru_cell": _cell(3),
    "rnn_tanh_cell rnn_relu_cell": _cell(1),
    "_pack_padded_sequence": [
        lambda: (array((4, 3, 2)), _i(4, 2, 1), False),
        lambda: (array((3, 4, 2), "int64"), _i(3, 3, 1), True),
        lambda: (array((3, 4)), _i(3, 2, 1), True),
        lambda: (array((4, 3, 2)), _i(1, 2, 4), False),
        lambda: (array((4, 3, 2)), _i(4, 2, 0), False),
        lambda: (array((4, 3, 2)), _i(4, 2), False),
        lambda: (array((4, 3, 2)), np.array([4, 2, 1], np.int32), False),
    ],
    "_pad_packed_sequence": [
        lambda first=first, total=total, dtype=dtype: (
            array((7, 2), dtype),
            _i(3, 2, 1, 1),
            first,
            0.5,
            total,
        )
        for first in (False, True)
        for total in (-1, 6, 2)
        for dtype in ("float32", "int64")
    ],
    "_pack_padded_sequence_backward": [
        lambda: (array((7, 2)), [5, 3, 2], _i(3, 2, 1, 1), False),
        lambda: (array((7, 2)), [3, 4, 2], _i(3, 2, 1, 1), True),
    ],
    "pad_sequence": [
        *(
            lambda first=first, side=side: (
                [array((4, 2)), array((1, 2)), array((3, 2))],
                first,
                1.5,
                side,
            )
            for first in (False, True)
            for side in ("left", "right", "no")
        ),
        lambda: ([], False, 0.0, "right"),
        lambda: ([array((4,), "int64"), array((2,), "int64")], True, -1.0, "right"),
        lambda: ([array((4, 2)), array((1, 3))], True, 0.0, "right"),
    ],
}
