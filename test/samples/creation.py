"""Zeros, ones, ranges, grids, tensors from numbers."""

from samples.arrays import array, channels_last, expanded, sliced, transposed

_NONE = (None, None, None, None)
_SIZES = [[2, 3], [], [0], [3, 0], [5]]
_DTYPES = [None, 7, 4, 11, 5, 9]


def _sized(*before):
    return [
        lambda s=s, d=d: (s, *before, d, None, None, None) for s in [*_SIZES, [-1]] for d in _DTYPES
    ]


_LIKE = [
    lambda: array((2, 3)),
    lambda: transposed((2, 3)),
    lambda: sliced((2, 3)),
    lambda: expanded((2, 3)),
    lambda: channels_last((2, 3, 2, 2)),
    lambda: array((), "int64"),
    lambda: array((0, 3)),
]


def _like(*before):
    return [
        lambda m=m, d=d, f=f: (m(), *before, d, None, None, None, f)
        for m in _LIKE
        for d in (None, 7, 4)
        for f in (None, 0, 1, 2)
    ]


def _range(*numbers):
    return [lambda n=n, d=d: (*n, d, None, None, None) for n in numbers for d in (None, 6, 4)]


SAMPLES = {
    "zeros ones": _sized(),
    "full": [*_sized(2), *_sized(2.5), *_sized(True), lambda: ([2], 1j, *_NONE)],
    "zeros_like ones_like": _like(),
    "full_like": [*_like(3), *_like(2.5)],
    "new_zeros new_ones": [
        lambda m=m, s=s, d=d: (m(), s, d, None, None, None)
        for m in _LIKE[:3]
        for s in _SIZES
        for d in (None, 4)
    ],
    "new_full": [
        lambda m=m, s=s, d=d: (m(), s, 2, d, None, None, None)
        for m in _LIKE[:3]
        for s in _SIZES
        for d in (None, 4)
    ],
    "arange": _range((5,), (2.5,), (0,), (-3,)),
    "arange.start": _range((1, 5), (0.5, 3), (5, 1), (2, 2)),
    "arange.start_step": _range(
        (1, 9, 2), (5, 0, -2), (0, 1, 0.1), (0.0, 3.0, 0.0), (0, 3, -1), (0.0, 1.0, 0.3)
    ),
    "arange.out": [lambda n=n: (n, array((2,))) for n in (2, 5, -1)],
    "arange.start_out": [
        lambda n=n, d=d: (*n, array((3,), d))
        for n in ((1, 4, 1), (5, 0, -2), (0.0, 1.0, 0.3), (0, 3, 0))
        for d in ("float32", "int64")
    ],
    "range": _range((1, 5), (0.5, 3)),
    "range.step": [
        lambda n=n, d=d: (*n, d, None, None, None)
        for n in ((1, 9, 2), (0, 1, 0.25))
        for d in (None, 6)
    ],
    "linspace": [
        lambda n=n, d=d: (*n, d, None, None, None)
        for n in ((0, 1, 5), (3, -2, 7), (0, 10, 1), (0, 1, 0), (0, 1, -1))
        for d in (None, 7)
    ],
    "logspace": [
        lambda n=n, d=d: (*n, d, None, None, None)
        for n in ((0, 1, 5, 10.0), (3, -2, 7, 2.0))
        for d in (None, 7)
    ],
    "eye": [lambda n=n, d=d: (n, d, None, None, None) for n in (3, 0, -1) for d in (None, 4)],
    "eye.m": [lambda n=n: (*n, None, None, None, None) for n in ((2, 3), (3, 0), (2, -1))],
    "tril_indices triu_indices": [
        lambda n=n: (*n, 4, None, None, None) for n in ((3, 3, 0), (2, 4, 1), (4, 2, -1), (0, 3, 0))
    ],
    "tensor.bool": [lambda d=d: (True, d, None, False) for d in _DTYPES],
    "tensor.int": [lambda d=d: (3, d, None, False) for d in _DTYPES],
    "tensor.float": [lambda d=d: (2.5, d, None, False) for d in _DTYPES],
    "tensor.complex": [lambda d=d: (1 + 2j, d, None, False) for d in (None, 10)],
    "tensor": [
        lambda v=v, d=d: (v, d, None, False)
        for v in ([1, 2], [[1.0, 2.0], [3.0, 4.0]], [True, False])
        for d in (None, 7)
    ],
    "as_tensor.bool": [lambda d=d: (True, d, None) for d in _DTYPES],
    "as_tensor.int": [lambda d=d: (3, d, None) for d in _DTYPES],
    "as_tensor.float": [lambda d=d: (2.5, d, None) for d in _DTYPES],
    "as_tensor.complex": [lambda d=d: (1 + 2j, d, None) for d in (None, 10)],
    "as_tensor.list": [
        lambda v=v, d=d: (v, d, None)
        for v in ([1, 2], [[1.0, 2.0], [3.0, 4.0]], [True, False])
        for d in (None, 7)
    ],
    "scalar_tensor": [
        lambda v=v, d=d: (v, d, None, None, None) for v in (3, 2.5, True) for d in (None, 7, 4)
    ],
    "prim::NumToTensor.Scalar": [lambda v=v: (v,) for v in (3, 2.5)],
    "prim::NumToTensor.bool": [lambda: (True,)],
}
# Values are arbitrary: shapes, dtypes and strides are compared by test_ops.py.
UNINITIALIZED = {
    "empty.memory_format": [
        lambda s=s, d=d: (s, d, None, None, None, None) for s in _SIZES for d in _DTYPES
    ],
    "empty_like": _like(),
    "new_empty": [lambda m=m, s=s: (m(), s, *_NONE) for m in _LIKE[:3] for s in _SIZES],
    "empty_strided": [lambda: ([2, 3], [1, 2], *_NONE)],
}
