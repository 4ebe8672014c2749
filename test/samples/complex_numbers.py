"""Complex numbers: parts, conjugates, views."""

import numpy as np

from samples.arrays import array, transposed

_ANY = [
    lambda: (array((2, 3), "complex64"),),
    lambda: (transposed((2, 3), "complex64"),),
    lambda: (array((2, 3)),),
    lambda: (array((2, 3), "int64"),),
    lambda: (array((3,), "complex128"),),
    lambda: (array((2, 3, 4)),),
    lambda: (array(()),),
]
_PARTS = [
    lambda: (array((2, 3)), array((2, 3), seed="b")),
    lambda: (transposed((2, 3)), transposed((2, 3), seed="b")),
    lambda: (array((2, 3), "float64"), array((3,), "float64", seed="b")),
    lambda: (array((2, 3)), array((2, 3), "float64")),
    lambda: (array((2, 3), "int64"), array((2, 3), "int64")),
    lambda: (array((2, 3)), array((4,))),
]

SAMPLES = {
    "_conj _conj_copy": [_ANY[0], _ANY[1], _ANY[4]],
    "conj conj_physical conj_physical_ adjoint mH mH.a matrix_H matrix_H.a": _ANY,
    "angle": [
        *_ANY,
        lambda: (np.array([0.0, -0.0, -1.0, np.nan, -np.inf], np.float32),),
        lambda: (np.array([np.nan, -1, -1j, 0], np.complex64),),
        lambda: (transposed((2, 3), "bfloat16"),),
        lambda: (np.array([True, False]),),
    ],
    "complex polar": _PARTS,
    "view_as_complex view_as_complex_copy": [
        lambda: (array((3, 2)),),
        lambda: (array((4, 3, 2)).transpose(1, 0, 2),),
        lambda: (array((3, 3)),),
        lambda: (array((2,)),),
        lambda: (transposed((3, 2)),),
        lambda: (array((3, 2), "int64"),),
        lambda: (array(()),),
    ],
    "view_as_real_copy": [lambda: (array((2, 3), "complex64"),), lambda: (array((2, 3)),)],
}
