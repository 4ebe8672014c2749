"""Linear algebra. Matrices are well-conditioned, and where vectors are unique up to a factor they are unit vectors."""

import numpy as np

from samples.arrays import array


def _regular(shape, dtype="float32", seed=""):
    x = array(shape, dtype, seed=seed)
    return (x + 4 * np.eye(shape[-2], shape[-1])).astype(x.dtype)


def _positive(shape, dtype="float32"):
    x = array(shape, dtype)
    return (x @ np.swapaxes(x, -1, -2).conj() + 4 * np.eye(shape[-1])).astype(x.dtype)


def _diagonal(dtype="float32"):
    return np.diag([1.0, 2.0, 5.0]).astype(dtype)


_KINDS = ("float32", "complex64")
_SQUARES = [
    *(lambda k=k: _regular((3, 3), k) for k in _KINDS),
    lambda: _regular((2, 3, 3)).swapaxes(1, 2),
]
_TALL = [lambda: _regular((4, 3)), lambda: _regular((2, 2, 4), "complex64")]
_POSITIVE = [*(lambda k=k: _positive((3, 3), k) for k in _KINDS), lambda: _positive((2, 3, 3))]
_WRONG = [lambda: array((2, 3)), lambda: array((3, 3), "int64"), lambda: array((3,))]
_SYSTEMS = [
    lambda: (_regular((3, 3)), array((3, 2))),
    lambda: (_regular((2, 3, 3), "complex64"), array((2, 3, 1), "complex64")),
    lambda: (_regular((3, 3)), array((2, 3, 2))),
]
_BAD_SYSTEMS = [
    lambda: (_regular((3, 3)), array((2, 3))),
    lambda: (array((3, 2)), array((3, 2))),
    lambda: (_regular((3, 3)), array((3, 2), "float64")),
]


def _each(makes, *rest):
    return [lambda m=m, r=r: (m(), *r) for m in makes for r in (rest or ((),))]


def _pairs(makes, *rest):
    return [lambda m=m, r=r: (*m(), *r) for m in makes for r in rest]


def _factored(kind="float32"):
    factors = np.array([[4, 1, 2], [0.5, 3, 1], [0.25, 0.5, 5]], kind)
    return factors, np.array([2, 3, 3], np.int32)


def _symmetric(kind, size=5):
    x = array((2, size, size), kind)
    return (x + np.swapaxes(x, -1, -2)).astype(kind)


_INDEFINITE = [
    lambda: _symmetric("float32"),
    lambda: _symmetric("float64", 8),
    lambda: _symmetric("complex64", 4),
    lambda: np.array(
        [[0.0, 2.0, 1.0], [2.0, 0.0, 3.0], [1.0, 3.0, 0.0]]
    ),  # with blocks of two by two
    lambda: np.zeros((2, 2), np.float32),
]
_LD = np.array([[4, 0, 0], [0.5, 3, 0], [0.25, 1, 2]], np.float32)
_LDL = [  # factors and pivots
    (_LD, np.array([1, 2, 3], np.int32)),
    (_LD, np.array([3, 3, 3], np.int32)),
    ((_LD + 1j * np.tril(_LD, -1)).astype(np.complex64), np.array([-2, -2, 3], np.int32)),
    (_LD, np.array([1, -3, -3], np.int32)),
]

_SINGULAR = lambda: np.ones((3, 3), np.float32)
_EDGES = [None, 0.5]

SAMPLES = {
    "linalg_inv inverse": [*_each([*_SQUARES, *_WRONG]), lambda: (_SINGULAR(),)],
    "linalg_ldl_factor": _each([*_INDEFINITE, *_WRONG], (False,), (True,)),
    "linalg_ldl_factor_ex": _each(
        [*_INDEFINITE, *_WRONG], (False, False), (True, False), (False, True)
    ),
    "linalg_ldl_solve": [
        lambda a=a, b=b, h=h: (a[0].copy(), a[1].copy(), b(a[0].dtype.name), h)
        for a in _LDL
        for b in (
            lambda kind: array((3, 2), kind),
            lambda kind: array((2, 3, 1), kind),
            lambda kind: array((4, 2), kind),
        )
        for h in (False, True)
    ],
    "linalg_inv_ex": _each([*_SQUARES, *_WRONG], (False,), (True,)),
    "linalg_det det linalg_slogdet slogdet logdet": _each([*_SQUARES, *_WRONG]),
    "linalg_lu_factor linalg_lu": _each([*_SQUARES, *_TALL, *_WRONG[1:]], (True,)),
    "linalg_lu_factor_ex _lu_with_info": _each([*_SQUARES, *_TALL], (True, False)),
    "lu_unpack": [
        lambda d=d, p=p, k=k: (*_factored(k), d, p)
        for k in _KINDS
        for d in (True, False)
        for p in (True, False)
    ],
    "linalg_lu_solve": [
        lambda k=k, a=a: (*_factored(k), array((3, 2), k), True, a)
        for k in _KINDS
        for a in (False, True)
    ],
    "lu_solve": [lambda k=k: (array((3, 2), k), *_factored(k)) for k in _KINDS],
    "linalg_solve": [
        *_pairs(_SYSTEMS, (True,)),
        *_pairs(_BAD_SYSTEMS, (True,)),
        lambda: (_regular((3, 3)), array((3,)), True),
        lambda: (_regular((3, 3)), array((2, 3)), False),
        lambda: (_SINGULAR(), array((3, 2)), True),
    ],
    "linalg_solve_ex": _pairs(_SYSTEMS, (True, False)),
    "linalg_solve_triangular": [
        *_pairs(_SYSTEMS, (True, True, False), (False, True, True)),
        lambda: (_regular((3, 3)), array((2, 3)), True, False, False),
        *_pairs(_BAD_SYSTEMS[:2], (True, True, False)),
    ],
    "triangular_solve": [
        lambda m=m, r=r: (*m()[::-1], *r)
        for m in _SYSTEMS[:2]
        for r in ((True, False, False), (False, True, True))
    ],
    "linalg_cholesky cholesky": [
        *_each([*_POSITIVE, *_WRONG], (False,), (True,)),
        lambda: (-_diagonal(), False),
    ],
    "linalg_cholesky_ex": _each(_POSITIVE, (False, False), (True, False)),
    "cholesky_solve": [
        lambda k=k, u=u: (array((3, 2), k), _regular((3, 3), k), u)
        for k in _KINDS
        for u in (False, True)
    ],
    "cholesky_inverse": _each(_SQUARES[::2], (False,), (True,)),
    "linalg_qr": _each([*_SQUARES, *_TALL, *_WRONG[1:]], ("reduced",), ("complete",), ("r",)),
    "qr": _each(_TALL, (True,), (False,)),
    "geqrf": _each([*_SQUARES, *_TALL]),
    "linalg_householder_product orgqr": [
        lambda k=k: (_regular((4, 3), k), array((3,), k, seed="t")) for k in _KINDS
    ],
    "ormqr": [
        lambda k=k, left=left, t=t: (
            _regular((3, 3), k),
            array((3,), k, seed="t"),
            array((3, 3), k),
            left,
            t,
        )
        for k in _KINDS
        for left in (True, False)
        for t in (False, True)
    ],
    "linalg_eigh": _each([_diagonal, *_WRONG], ("L",), ("U",), ("X",)),
    "_linalg_eigh": [lambda: (_diagonal(), "L", True), lambda: (_positive((3, 3)), "U", False)],
    "linalg_eigvalsh": _each(_POSITIVE, ("L",), ("U",)),
    "linalg_eig": _each([_diagonal, *_WRONG]),
    "linalg_eigvals _linalg_eigvals": _each([_diagonal, *_WRONG]),
    "linalg_svd": _each(
        [lambda: _diagonal()[::-1].copy() * 0 + np.eye(3, dtype=np.float32), *_WRONG[1:]],
        (True, None),
    ),
    "_linalg_svd": _each(
        [lambda: np.eye(3, dtype=np.float32)], (True, True, None), (True, False, None)
    ),
    "linalg_svdvals": _each([*_SQUARES, *_TALL, *_WRONG[1:]], (None,)),
    "svd": _each([lambda: np.eye(3, dtype=np.float32)], (True, True), (False, False)),
    "linalg_matrix_rank": _each([*_SQUARES, *_TALL, _SINGULAR], (0.5, False)),
    "linalg_matrix_rank.tol_tensor": [lambda: (_SINGULAR(), np.array(0.5, np.float32), False)],
    "linalg_matrix_rank.atol_rtol_float": _each(
        [*_POSITIVE, _SINGULAR], *((a, r, h) for a in _EDGES for r in _EDGES for h in (False, True))
    ),
    "linalg_matrix_rank.atol_rtol_tensor": [
        lambda: (_SINGULAR(), np.array(0.5, np.float32), None, False)
    ],
    "linalg_pinv": _each([*_SQUARES, *_TALL], (0.01, False)),
    "linalg_pinv.rcond_tensor": [lambda: (_regular((4, 3)), np.array(0.01, np.float32), False)],
    "linalg_pinv.atol_rtol_float": _each(
        [*_POSITIVE, _SINGULAR], (None, None, False), (0.1, 0.2, True)
    ),
    "linalg_pinv.atol_rtol_tensor": [
        lambda: (_regular((4, 3)), np.array(0.01, np.float32), None, False)
    ],
    "pinverse": _each(_TALL, (1e-6,)),
    "linalg_lstsq": [
        lambda d=d: (_regular((4, 3)), array((4, 2)), None, d)
        for d in (None, "gels", "gelsd", "gelss", "no")
    ],
    "linalg_matrix_norm": _each(
        [*_SQUARES, lambda: array((2, 3, 4))],
        *(
            (o, d, k, None)
            for o in (1, -1, 2, -2, float("inf"))
            for d, k in (([-2, -1], False), ([1, 0], True))
        ),
        (3, [-2, -1], False, None),
        (1, [0, 0], False, None),
    ),
    "linalg_matrix_norm.str_ord": _each(
        _TALL, *((o, [-2, -1], k, None) for o in ("fro", "nuc", "no") for k in (False, True))
    ),
    "linalg_norm": _each(
        [lambda: array((3,)), *_TALL],
        *((o, None, False, None) for o in (None, 2, 1)),
    ),
    "linalg_norm.ord_str": _each(_TALL, ("fro", None, False, None), ("nuc", [-2, -1], True, None)),
    "nuclear_norm": _each([lambda: _regular((4, 3))], (False,), (True,)),
    "nuclear_norm.dim": _each(_TALL, ([-2, -1], False), ([-2, -1], True)),
    "linalg_matrix_power matrix_power": _each([*_SQUARES, *_WRONG[:1]], (3,), (0,), (-1,), (1,)),
    "linalg_matrix_exp matrix_exp": _each([*_SQUARES, *_WRONG]),
    "linalg_cond": _each(_SQUARES, (None,), (-2,), (1,), (float("inf"),)),
    "linalg_cond.p_str": _each(_SQUARES, ("fro",), ("nuc",)),
    "linalg_diagonal": _each([lambda: array((2, 3, 4))], (0, -2, -1), (1, 0, 1)),
    "linalg_tensorinv": [
        lambda: (_regular((6, 6)).reshape(2, 3, 6), 2),
        lambda: (_regular((6, 6)).reshape(2, 3, 6), 1),
        lambda: (_regular((6, 6)), 0),
    ],
    "linalg_tensorsolve": [
        lambda: (_regular((6, 6)).reshape(2, 3, 6), array((2, 3)), None),
        lambda: (_regular((6, 6)).reshape(6, 2, 3), array((2, 3)), [0]),
    ],
}
