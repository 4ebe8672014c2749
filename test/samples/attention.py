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


def _heads(inputs, keys_too=True):
    """The same with the heads of each position side by side, as a layer of linear transformations leaves them."""
    query, key, value = (np.ascontiguousarray(one.swapaxes(1, 2)).swapaxes(1, 2) for one in inputs)
    return (query, key, value) if keys_too else (query, *inputs[1:])


def _parts():
    """Query, key and value that one linear transformation gave."""
    return tuple(array((2, 4, 3, 3, 8), low=-1, high=1).transpose(2, 0, 3, 1, 4))


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
        lambda: (*_heads(_inputs()), None, 0.0, False, None, False),
        lambda: (*_heads(_inputs(), keys_too=False), None, 0.0, True, None, False),
        lambda: (*_heads(_inputs(dtype="float64")), _hiding(), 0.0, False, None, False),
        lambda: (*_heads(_inputs()), array((2, 1, 4, 5)), 0.0, False, None, False),
        lambda: (*_heads(_inputs()), array((3, 4, 5)), 0.0, False, None, False),
        lambda: (*_heads(_inputs(width=6)), None, 0.0, False, None, False),
        lambda: (*_heads(_inputs(keys=0)), None, 0.0, False, None, False),
        lambda: (*_heads(_inputs((1, 2, 3, 4))), None, 0.0, False, None, False),
        lambda: (*_parts(), None, 0.0, False, None, False),
        lambda: (
            array((4, 2, 3, 8)).transpose(1, 2, 0, 3),
            *_inputs()[1:],
            None,
            0.0,
            False,
            None,
            False,
        ),
        lambda: (
            array((2, 3, 4, 8)).swapaxes(1, 2),
            *_inputs((2, 2, 3, 8))[1:],
            None,
            0.0,
            False,
            None,
            True,
        ),
        lambda: (*_inputs(dtype="int64"), None, 0.0, False, None, False),
        lambda: (array((8,)), *_inputs((4, 8))[1:], None, 0.0, False, None, False),
        lambda: (array((2, 3, 4, 8), "float64"), *_inputs()[1:], None, 0.0, False, None, False),
        lambda: (array((2, 3, 4, 7)), *_inputs()[1:], None, 0.0, False, None, False),
        lambda: (array((0, 3, 4, 8)), *_inputs((0, 3, 4, 8))[1:], None, 0.0, False, None, False),
        lambda: (np.zeros((1, 1, 2, 4), np.float32),) * 3 + (None, 0.0, False, None, False),
    ],
}
SAMPLES["_fused_sdp_choice"] = [
    lambda: (*_inputs(), None, 0.0, False, None, False),
    lambda: (*_inputs(), None, 0.5, False, None, False),
    lambda: (*_inputs(), None, 0.0, True, None, False),
    lambda: (*_inputs((3, 4, 8)), None, 0.0, False, None, False),
    lambda: (*_inputs(width=6), None, 0.0, False, None, False),
    lambda: (*_inputs(keys=0), None, 0.0, False, None, False),
    lambda: (*_inputs(), _hiding(), 0.0, False, None, False),
    lambda: (*_inputs(), array((3, 4, 5)), 0.0, False, None, False),
    lambda: (*_inputs(), array((2, 1, 4, 5)), 0.0, False, None, False),
    lambda: (*_heads(_inputs(dtype="float64")), None, 0.0, False, None, False),
    lambda: (transposed((2, 3, 4, 8)), *_inputs()[1:], None, 0.0, False, None, False),
    lambda: (array((2, 4, 3, 8)), *_inputs((2, 2, 3, 8))[1:], None, 0.0, False, None, True),
]
