"""Reductions, scans, sorting, softmax."""

import numpy as np

from samples.arrays import array, expanded, sliced, special, transposed

_INPUTS = [
    lambda: array((2, 3)),
    lambda: array((2, 3), "float64"),
    lambda: transposed((2, 3, 4)),
    lambda: sliced((2, 3)),
    lambda: expanded((2, 3)),
    lambda: array((2, 3), "int64"),
    lambda: array((2, 3), "int32"),
    lambda: array((2, 3), "uint8"),
    lambda: array((2, 3), "bool"),
    lambda: array((2, 3), "float16"),
    lambda: array((2, 3), "bfloat16"),
    lambda: array((0, 3)),
    lambda: array(()),
    lambda: array((), "int64"),
    lambda: special().reshape(4, 4),
]
_REAL = [*_INPUTS]
_WITH_COMPLEX = [*_INPUTS, lambda: array((2, 3), "complex64")]


def each(*arguments, inputs=_REAL):
    return [lambda make=make, rest=rest: (make(), *rest) for make in inputs for rest in arguments]


_DIMS = [(0, False), (1, True), (-1, False)]
_LISTS = [([0], False), ([0, 1], True), ([-1], False), ([], False), ([0, 0], False), ([5], False)]

SAMPLES = {
    "sum mean prod": each((None,), (7,), (4,), inputs=_WITH_COMPLEX[:-2] + _WITH_COMPLEX[-1:]),
    "sum.dim_IntList mean.dim": each(
        *[(*rest, dtype) for rest in [*_LISTS, (None, False)] for dtype in (None, 7)],
        inputs=_WITH_COMPLEX,
    ),
    "nansum": each(*[(*rest, None) for rest in [*_LISTS[:3], (None, False)]]),
    "nanmean": each(*[(*rest, d) for rest in [*_LISTS[:3], (None, False)] for d in (None, 7)]),
    "prod.dim_int": each(*[(*rest, None) for rest in _DIMS]),
    "max min": each((), inputs=_WITH_COMPLEX),
    "max.dim min.dim": each(*_DIMS, (7, False), inputs=_WITH_COMPLEX),
    "argmax argmin": each(*_DIMS, (None, False), (None, True), (7, False)),
    "amax amin": each(*_LISTS, inputs=_WITH_COMPLEX),
    "hash_tensor": each(([], False, 0), ([1], True, 0), ([0], False, 1), inputs=_WITH_COMPLEX),
    "aminmax": each((None, False), (0, False), (1, True)),
    "all any": each((), inputs=_WITH_COMPLEX),
    "all.dim any.dim": each(*_DIMS),
    "all.dims any.dims": each(([0], False), (None, False), ([], False), ([0, 1], True)),
    "count_nonzero": each((None,), (0,)),
    "count_nonzero.dim_IntList": each(([0],), ([0, 1],)),
    "var std var_mean std_mean": each((True,), (False,), inputs=_WITH_COMPLEX),
    "var.dim std.dim var_mean.dim std_mean.dim": each(
        ([0], True, False), ([1], False, True), (None, True, False), ([0, 1], True, False)
    ),
    "var.correction std.correction var_mean.correction std_mean.correction": each(
        ([0], None, False), ([1], 0, True), (None, 1, False), ([0], 2, False)
    ),
    "norm.Scalar": each((2,), (1,), (0,), (float("inf"),), (3,)),
    "norm.ScalarOpt_dim": each(
        (2, [0], False), (None, [1], True), (1, [0, 1], False), (float("inf"), [1], False)
    ),
    "norm.ScalarOpt_dim_dtype": each((2, [0], False, 7), (None, [1], True, 7), inputs=_INPUTS[:4]),
    "norm.ScalarOpt_dtype": each((2, 7), (None, 7), inputs=_INPUTS[:4]),
    "frobenius_norm.dim": each(([0], False), ([0, 1], True), inputs=_INPUTS[:4]),
    "linalg_vector_norm": each(
        (2, None, False, None),
        (2, [0], True, None),
        (float("-inf"), [0], False, None),
        (0, None, False, None),
        inputs=_WITH_COMPLEX,
    )
    + each((1, [1], False, 7)),
    "logsumexp": each(([0], False), ([0, 1], True), ([1], False)),
    "softmax.int log_softmax.int special_softmax special_log_softmax": each(
        (0, None), (-1, None), (1, 7), (0, 7)
    ),
    "_softmax _log_softmax": each((0, False), (1, False), inputs=_INPUTS[:4]),
    "_softmax_backward_data _log_softmax_backward_data": [
        lambda: (array((2, 3)), array((2, 3), low=0, high=1), 1, 6),
        lambda: (transposed((2, 3)), transposed((2, 3)), 0, 6),
    ],
    "sum_to_size": each(([1, 3],), ([2, 3],), ([3],), ([1],), ([],), ([4],), inputs=_INPUTS[:3]),
    "_grad_sum_to_size": each(([1, 3],), (None,), ([3],), inputs=_INPUTS[:2]),
    "cumsum cumprod": each((0, None), (-1, None), (1, 7), (4, None), inputs=_WITH_COMPLEX),
    "sort": each((0, False), (-1, True)),
    "sort.stable": each((True, 0, False), (None, -1, True)),
    "argsort": each((0, False), (-1, True), inputs=_INPUTS[:6]),
    "argsort.stable": each((True, 0, False), (True, -1, True)),
    "topk": each((1, -1, True, True), (2, 1, False, True), (9, 0, True, True), inputs=_INPUTS[:6]),
    "cummax cummin": each((0,), (-1,), inputs=_INPUTS[:6]),
    "median": each(
        (), inputs=[*_INPUTS[:6], lambda: special(), lambda: np.zeros((0,), np.float32)]
    ),
}
