"""Fake quantization."""

import numpy as np

from samples.arrays import array, special, transposed

_ONE = [
    *(
        lambda scale=scale, zero=zero: (array((3, 4)), scale, zero, 0, 15)
        for scale in (0.1, 0.37)
        for zero in (0, 7)
    ),
    lambda: (transposed((3, 4)), 0.2, 3, -8, 7),
    lambda: (array((3, 4), "float16"), 0.2, 3, 0, 15),
    lambda: (special(), 0.5, 0, -128, 127),
    lambda: (array((3, 4)), 0.2, 99, 0, 15),
    lambda: (array((3, 4)), 0.2, 0, 15, 0),
    lambda: (array((3, 4), "int64"), 0.2, 0, 0, 15),
]


def _wrapped(make, *more):
    x, scale, zero, *rest = make()
    return x, np.array([scale], np.float32), np.array([zero], np.int32), *more, *rest


_SCALES = np.array([0.1, 0.2, 0.3], np.float32)
_ZEROS = np.array([0, 3, 7], np.int32)
_CHANNELS = [
    lambda: (array((3, 4)), _SCALES, _ZEROS, 0, 0, 15),
    lambda: (array((2, 3, 4)), _SCALES, _ZEROS, 1, -8, 7),
    lambda: (array((2, 3, 4)), _SCALES, _ZEROS.astype(np.float32), 1, 0, 15),
    lambda: (transposed((2, 3)), _SCALES, _ZEROS, 1, 0, 15),
    lambda: (array((3, 4)), _SCALES, _ZEROS, 1, 0, 15),
    lambda: (array((3, 4)), _SCALES, _ZEROS[:2], 0, 0, 15),
    lambda: (array((3, 4)), _SCALES, _ZEROS, 0, 4, 15),
]

SAMPLES = {
    "fake_quantize_per_tensor_affine fake_quantize_per_tensor_affine_cachemask": _ONE,
    "fake_quantize_per_tensor_affine.tensor_qparams": [
        lambda make=make: _wrapped(make) for make in _ONE[:6]
    ],
    "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams": [
        lambda make=make, on=on: _wrapped(make, np.array([on], np.int64))
        for make in _ONE[:6]
        for on in (0, 1)
    ],
    "fake_quantize_per_channel_affine fake_quantize_per_channel_affine_cachemask": _CHANNELS,
    "fake_quantize_per_tensor_affine_cachemask_backward": [
        lambda: (array((3, 4)), array((3, 4), "bool")),
        lambda: (array((3, 4)), array((3, 4))),
        lambda: (array((3, 4)), array((4,), "bool")),
    ],
    "fake_quantize_per_channel_affine_cachemask_backward": [
        lambda: (array((3, 4)), array((3, 4), "bool")),
    ],
}
