"""Scaled dot product attention."""

import numpy as np

from samples.arrays import array, transposed


def _inputs(shape=(2, 3, 4, 8), keys=5, dtype="float32", width=None):
    *batch, _, size = shape
    return (
        array(shape, dtype, low=-1, high=1, seed="q"),
        array((*batch, keys, size), dtype, low=-1, high=1, seed="k"),
        array((*batch, keys, width or size), dtype, low=-1, high=1, seed="v"),
    )


def _hiding():
    mask = array((4, 5), "bool")
    mask[1] = False
    return mask


SAMPLES = {
    "scaled_dot_product_attention": [
        lambda: (*_inputs((1, 2, 3, 2), 3), None, 0.0, False, None, False),
        lambda: (*_inputs((1, 2, 2, 2), 3, "float64"), None, 0.0, True, 0.3, False),
        lambda: (*_inputs(), None, 0.0, False, None, False),
        lambda: (*_inputs(), None, 0.0, True, None, False),
        lambda: (*_inputs(keys=3), None, 0.0, True, None, False),
        lambda: (*_inputs(), array((4, 5)), 0.0, False, None, False),
        lambda: (*_inputs(), array((2, 1, 4, 5)), 0.0, False, 0.25, False),
        lambda: (*_inputs(), _hiding(), 0.0, False, None, False),
        lambda: (*_inputs((3, 4, 8)), None, 0.0, False, None, False),
        lambda: (*_inputs((4, 8)), None, 0.0, False, None, False),
        lambda: (*_inputs((4, 8)), _hiding(), 0.0, False, None, False),
        lambda: (*_inputs(width=6), None, 0.0, False, None, False),
        lambda: (*_inputs(dtype="bfloat16"), None, 0.0, False, None, False),
        lambda: (*_inputs(dtype="float16"), None, 0.0, False, None, False),
        lambda: (array((2, 4, 3, 8)), *_inputs((2, 2, 3, 8))[1:], None, 0.0, False, None, True),
        lambda: (array((2, 3, 3, 8)), *_inputs((2, 2, 3, 8))[1:], None, 0.0, False, None, True),
        lambda: (transposed((2, 3, 4, 8)), *_inputs()[1:], None, 0.0, False, None, False),
        lambda: (*_inputs(), array((4, 5), "float64"), 0.0, False, None, False),
        lambda: (*_inputs(dtype="int64"), None, 0.0, False, None, False),
        lambda: (array((8,)), *_inputs((4, 8))[1:], None, 0.0, False, None, False),
        lambda: (array((2, 3, 4, 8), "float64"), *_inputs()[1:], None, 0.0, False, None, False),
        lambda: (array((2, 3, 4, 7)), *_inputs()[1:], None, 0.0, False, None, False),
        lambda: (array((0, 3, 4, 8)), *_inputs((0, 3, 4, 8))[1:], None, 0.0, False, None, False),
        lambda: (np.zeros((1, 1, 2, 4), np.float32),) * 3 + (None, 0.0, False, None, False),
    ],
}
