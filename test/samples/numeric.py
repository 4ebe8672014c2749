"""Powers in float64, and what is made of them."""

import numpy as np

from samples.arrays import array, transposed

_PAIRS = [
    lambda: (array((2, 3)), array((2, 3), seed="b")),
    lambda: (array((2, 3), "int64"), array((3,), "int64", seed="b")),
    lambda: (array((2, 3), "complex64"), array((2, 3), "float64", seed="b")),
    lambda: (array((2, 3), "float64"), array((2, 3), "int64", seed="b")),
]
_ONE = [lambda: array((2, 3)), lambda: array((2, 3), "int64"), lambda: array((3,), "float64")]

SAMPLES = {
    "ldexp.Tensor ldexp_": [
        *_PAIRS,
        lambda: (np.array([1e-30, 1e30, 0.0, np.inf, np.nan], np.float32), np.array([200])),
        lambda: (np.array([1.5, -3, 7], np.float16), np.array([-25, 3, 15], np.int32)),
        lambda: (array((4, 1, 3), "float64"), transposed((4, 3), "float64")),
        lambda: (array((3,)), array((3,), "bool")),
    ],
    "float_power.Tensor_Tensor float_power_.Tensor": _PAIRS,
    "float_power.Tensor_Scalar float_power_.Scalar": [
        lambda x=x, n=n: (x(), n) for x in _ONE for n in (2, 0.5, 1j)
    ],
    "float_power.Scalar": [lambda x=x, n=n: (n, x()) for x in _ONE for n in (2, 0.5, 1j)],
    "frexp.Tensor": [
        lambda: (array((2, 3)),),
        lambda: (transposed((2, 3), "float64"),),
        lambda: (array((3,), "bfloat16"),),
        lambda: (np.array([0.0, -0.0, 8.0, np.inf, np.nan], np.float32),),
        lambda: (array((3,), "int64"),),
    ],
    "polygamma_": [
        lambda: (np.array([0.5, 2.0], np.float32), 1),
        lambda: (np.array([1, 2]), 1),
    ],
}
