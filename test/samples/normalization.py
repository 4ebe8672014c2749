"""Normalization layers."""

import numpy as np

from samples.arrays import array, expanded, special, transposed

SAMPLES = {
    "rms_norm": [
        lambda: (array((2, 3)), [3], array((3,)), 1e-5),
        lambda: (array((2, 3), "float64"), [3], None, None),
        lambda: (array((2, 3)), [3], None, None),
        lambda: (array((2, 3, 4)), [3, 4], array((3, 4)), 1e-3),
        lambda: (array((2, 3), "bfloat16"), [3], array((3,), "bfloat16"), None),
        lambda: (array((2, 3), "float16"), [3], array((3,), "float16"), None),
        lambda: (array((2, 3), "float16"), [3], None, None),
        lambda: (np.zeros((2, 3), np.float16), [3], None, None),
        lambda: (np.full((2, 3), 1e-7, np.float64), [3], None, None),
        lambda: (transposed((2, 3, 4)), [4], None, None),
        lambda: (expanded((2, 3)), [3], None, 1e-5),
        lambda: (array((0, 3)), [3], array((3,)), 1e-5),
        lambda: (special().reshape(4, 4), [4], None, 1e-5),
        lambda: (array((2, 3)), [2], None, 1e-5),
        lambda: (array((2, 3)), [], None, 1e-5),
        lambda: (array((3,)), [2, 3], None, 1e-5),
        lambda: (array((2, 3)), [3], array((2,)), 1e-5),
        lambda: (array((2, 3), "int64"), [3], None, 1e-5),
    ],
    "layer_norm": [
        lambda: (array((2, 3)), [3], array((3,)), array((3,)), 1e-5, True),
        lambda: (array((2, 3)), [3], None, None, 1e-5, True),
        lambda: (array((2, 3, 4)), [3, 4], array((3, 4)), None, 1e-3, False),
        lambda: (array((2, 3, 4), "float64"), [4], None, array((4,), "float64"), 1e-5, True),
        lambda: (transposed((2, 3, 4)), [4, 3, 2], None, None, 1e-5, True),
        lambda: (expanded((2, 3)), [3], None, None, 1e-5, True),
        lambda: (array((0, 3)), [3], array((3,)), array((3,)), 1e-5, True),
        lambda: (array((2, 3), "bfloat16"), [3], array((3,), "bfloat16"), None, 1e-5, True),
        lambda: (special().reshape(4, 4), [4], None, None, 1e-5, True),
        lambda: (array((2, 3)), [2], None, None, 1e-5, True),
        lambda: (array((2, 3)), [], None, None, 1e-5, True),
        lambda: (array((3,)), [2, 3], None, None, 1e-5, True),
        lambda: (array((2, 3), "int64"), [3], None, None, 1e-5, True),
    ],
    "native_layer_norm": [
        lambda: (array((2, 3)), [3], array((3,)), array((3,)), 1e-5),
        lambda: (array((2, 3, 4), "float64"), [3, 4], None, None, 1e-3),
        lambda: (array((2, 3), "float16"), [3], None, array((3,), "float16"), 1e-5),
        lambda: (array((2, 3), "bfloat16"), [3], array((3,)), array((3,)), 1e-5),
        lambda: (array((2, 3), "bfloat16"), [3], None, None, 1e-5),
    ],
}
