"""Differences, gradients and integrals."""

from samples.arrays import array, transposed

_ANY = [
    lambda: array((3, 4)),
    lambda: transposed((3, 4), "float64"),
    lambda: array((3, 4), "int64"),
]


def _with(*rest):
    return [
        lambda x=x, r=r: (x(), *(item() if callable(item) else item for item in r))
        for r in rest
        for x in _ANY
    ]


_X = [lambda: array((4,)), -1], [lambda: array((3,)), 0], [lambda: array((3, 4), seed="x"), 1]

SAMPLES = {
    "diff": [
        *_with((1, -1, None, None), (2, 0, None, None), (0, 0, None, None), (9, 1, None, None)),
        lambda: (array((3, 4)), 1, 1, array((3, 1)), array((3, 2))),
        lambda: (array((5,), "bool"), 1, 0, None, None),
        lambda: (array(()), 1, 0, None, None),
        lambda: (array((3,)), -1, 0, None, None),
    ],
    "trapezoid.x trapz.x cumulative_trapezoid.x": [
        *_with(*_X),
        lambda: (array((3, 4)), array((5,)), 1),
        lambda: (array((3, 4), "bool"), array((4,)), 1),
    ],
    "trapezoid.dx cumulative_trapezoid.dx": _with((1, -1), (0.5, 0)),
    "trapz.dx": _with((1.0, -1), (0.5, 0)),
    "gradient.scalarint": _with((None, None, 1), (2.0, 0, 1), (0.5, 1, 2)),
    "gradient.scalararray": _with((2.0, [0, 1], 1)),
    "gradient.array": _with(([0, 1], 1), ([1], 2), ([0], 3)),
    "gradient.scalarrayint": _with(([2.0, 0.5], None, 1), ([2.0], None, 1)),
    "gradient.scalarrayarray": _with(([2.0, 0.5], [1, 0], 1)),
    "gradient.tensorarrayint": [
        lambda: (array((3, 4)), [array((3,)), array((4,), seed="y")], None, 1)
    ],
    "gradient.tensorarray": [lambda: (array((3, 4)), [array((4,), seed="y")], [1], 2)],
}
