"""Gradients of convolutions and of normalization layers, weight normalization, transformer layers."""

import numpy as np

from samples.arrays import array, channels_last

_FLOATS = ("float32", "float64", "bfloat16")
_CONVOLUTIONS = [
    # sizes, kernel, outputs, stride, padding, dilation, groups, sizes of the result
    ((5,), (3,), 4, [1], [0], [1], 1, (3,)),
    ((5, 6), (3, 2), 4, [2, 1], [1, 0], [1, 2], 1, (3, 4)),
    ((5, 6), (3, 3), 4, [1, 1], [1, 1], [1, 1], 2, (5, 6)),
    ((4, 3, 5), (2, 2, 2), 2, [1, 1, 2], [0, 1, 0], [1, 1, 1], 2, (3, 4, 2)),
]


def _convolution(case, dtype, wanted=(True, True, True), make=array):
    sizes, kernel, outputs, stride, padding, dilation, groups, result = case
    none = [0] * len(kernel)
    return lambda: (
        array((2, outputs, *result), dtype, seed="g"),
        make((2, 2, *sizes), dtype),
        array((outputs, 2 // groups, *kernel), dtype, seed="w"),
        [outputs],
        stride,
        padding,
        dilation,
        False,
        none,
        groups,
        list(wanted),
    )


def _transposed(dtype, wanted=(True, True, True), groups=1):
    return lambda: (
        array((2, 4, 9, 7), dtype, seed="g"),
        array((2, 2, 5, 4), dtype),
        array((2, 4 // groups, 3, 2), dtype, seed="w"),
        [4],
        [2, 2],
        [1, 0],
        [1, 1],
        True,
        [0, 1],
        groups,
        list(wanted),
    )


def _layer(dtype, wanted=(True, True, True), has_weight=True):
    def make():
        x = array((2, 3, 4), dtype)
        wide = x.astype(np.float64)
        mean = wide.mean(-1, keepdims=True).astype(x.dtype)
        rstd = (1 / np.sqrt(wide.var(-1, keepdims=True) + 1e-5)).astype(x.dtype)
        weight, bias = (array((4,), dtype, seed=n) if has_weight else None for n in "wb")
        return array((2, 3, 4), dtype, seed="g"), x, [4], mean, rstd, weight, bias, list(wanted)

    return make


def _group(dtype, wanted=(True, True, True), has_weight=True):
    def make():
        x = array((2, 6, 5), dtype)
        wide = x.astype(np.float64).reshape(2, 3, -1)
        mean = wide.mean(-1).astype(x.dtype)
        rstd = (1 / np.sqrt(wide.var(-1) + 1e-5)).astype(x.dtype)
        weight = array((6,), dtype, seed="w") if has_weight else None
        return array((2, 6, 5), dtype, seed="g"), x, mean, rstd, weight, 2, 6, 5, 3, list(wanted)

    return make


def _batch(dtype, train=True, wanted=(True, True, True), has_weight=True, make_x=array):
    def make():
        x = make_x((2, 3, 2, 2), dtype)
        wide = x.astype(np.float64)
        mean = wide.mean((0, 2, 3)).astype(x.dtype)
        rstd = (1 / np.sqrt(wide.var((0, 2, 3)) + 1e-5)).astype(x.dtype)
        running = array((3,), dtype, seed="rm"), array((3,), dtype, 0.5, 2, seed="rv")
        weight = array((3,), dtype, seed="w") if has_weight else None
        grad = make_x((2, 3, 2, 2), dtype)
        return grad, x, weight, *running, mean, rstd, train, 1e-5, list(wanted)

    return make


_SOME = ((True, True, True), (True, False, False), (False, True, True))


def _attention(mask=None, kind=None, average=True, same=True, dtype="float32"):
    def make():
        q = array((2, 3, 4), dtype)
        k, v = (q, q) if same else (array((2, 3, 4), dtype, seed=n) for n in "kv")
        weights = [
            array((12, 4), dtype, -1, 1),
            array((12,), dtype, -1, 1),
            array((4, 4), dtype, -1, 1, "p"),
            array((4,), dtype, -1, 1),
        ]
        return q, k, v, 4, 2, *weights, mask, True, average, kind

    return make


def _mask(*shape):
    return array(shape, "bool", seed="mask")


def _encoder(gelu=False, first=False, mask=None, kind=None, dtype="float32"):
    def vector(n, seed):
        return array((n,), dtype, -1, 1, seed)

    return lambda: (
        array((2, 3, 4), dtype),
        4,
        2,
        array((12, 4), dtype, -1, 1),
        vector(12, "a"),
        array((4, 4), dtype, -1, 1),
        vector(4, "b"),
        gelu,
        first,
        1e-5,
        vector(4, "c"),
        vector(4, "d"),
        vector(4, "e"),
        vector(4, "f"),
        array((5, 4), dtype, -1, 1),
        vector(5, "g"),
        array((4, 5), dtype, -1, 1),
        vector(4, "h"),
        mask,
        kind,
    )


def _qkv(dtype="float32", shape=(2, 2, 3, 4)):
    return tuple(array(shape, dtype, seed=n) for n in "qkv")


def _flash(dtype="float32", causal=False, mask=None, scale=None):
    def make():
        from torchscript_dialect.ops.eager import dispatch
        from torchscript_dialect.tensor.conversion import as_tensor

        q, k, v = _qkv(dtype)
        tensors = [as_tensor(one) for one in (q, k, v)]
        settings = {"attn_mask": None if mask is None else as_tensor(mask), "scale": scale}
        out, totals = dispatch.call(
            "aten::_scaled_dot_product_flash_attention_for_cpu", [*tensors, 0.0, causal], settings
        )
        grad = array((2, 2, 3, 4), dtype, seed="g")
        return grad, q, k, v, out.array, totals.array, 0.0, causal, mask, scale

    return make


SAMPLES = {
    "convolution_backward": [
        *(_convolution(case, dtype) for dtype in _FLOATS[:2] for case in _CONVOLUTIONS),
        *(_convolution(_CONVOLUTIONS[1], "float32", wanted) for wanted in _SOME),
        _convolution(_CONVOLUTIONS[2], "float32", make=channels_last),
        *(_transposed(dtype) for dtype in _FLOATS[:2]),
        _transposed("float32", groups=2),
        _transposed("float32", (False, True, False)),
    ],
    "native_layer_norm_backward": [
        *(_layer(dtype) for dtype in _FLOATS),
        *(_layer("float32", wanted) for wanted in _SOME),
        _layer("float32", (True, False, False), has_weight=False),
    ],
    "native_group_norm_backward": [
        *(_group(dtype) for dtype in _FLOATS),
        *(_group("float32", wanted) for wanted in _SOME),
        _group("float32", (True, False, False), has_weight=False),
    ],
    "native_batch_norm_backward": [
        *(_batch(dtype, train) for dtype in _FLOATS[:2] for train in (True, False)),
        *(_batch("float32", True, wanted) for wanted in _SOME),
        _batch("float32", has_weight=False),
        _batch("float32", make_x=channels_last),
    ],
    "batch_norm_backward": [
        lambda make=make: (*make(), np.zeros(0, np.float32))
        for make in (_batch("float32"), _batch("float64"), _batch("float32", False))
    ],
    "norm_except_dim": [lambda dim=dim: (array((2, 3, 4)), 2, dim) for dim in (0, 2, -1)],
    "_weight_norm _weight_norm_interface": [
        lambda d=d: (array((3, 4, 2), d), array((3, 1, 1), d), 0) for d in _FLOATS[:2]
    ],
    "_weight_norm_interface_backward _weight_norm_differentiable_backward": [
        lambda d=d: (
            array((3, 4), d, seed="g"),
            array((3, 4), d),
            array((3, 1), d),
            array((3, 1), d, 1, 3),
            0,
        )
        for d in _FLOATS[:2]
    ],
    "_masked_softmax": [
        lambda: (array((2, 2, 3, 3)), _mask(3, 3), 3, 0),
        lambda: (array((2, 2, 3, 3)), _mask(2, 3), 3, 1),
        lambda: (array((2, 2, 3, 3)), _mask(2, 2, 3, 3), 3, 2),
        lambda: (array((2, 2, 3, 3)), _mask(2, 2, 3, 3), None, None),
        lambda: (array((2, 2, 3, 3), "float64"), np.ones((3, 3), bool), 3, 0),
        lambda: (array((2, 2, 3, 3)), array((3, 3)), 3, 0),
    ],
    "_safe_softmax": [
        *(lambda d=d: (array((3, 4), d), 1, None) for d in (*_FLOATS, "int64")),
        lambda: (np.array([[-np.inf, -np.inf], [0, -np.inf]], np.float32), 1, None),
        lambda: (array((3, 4)), 0, 7),
    ],
    "_transform_bias_rescale_qkv": [
        lambda d=d: (array((2, 3, 12), d), array((12,), d), 2) for d in _FLOATS[:2]
    ],
    "_native_multi_head_attention": [
        _attention(),
        _attention(same=False),
        _attention(average=False, dtype="float64"),
        _attention(_mask(3, 3), 0),
        _attention(_mask(2, 3), 1),
        _attention(_mask(2, 2, 3, 3), 2),
    ],
    "_transformer_encoder_layer_fwd": [
        _encoder(),
        _encoder(gelu=True, dtype="float64"),
        _encoder(first=True),
        _encoder(mask=_mask(2, 3), kind=1),
        _encoder(True, True, _mask(3, 3), 0),
    ],
    "_scaled_dot_product_attention_math": [
        lambda: (*_qkv(), None, 0.0, False, None, None, False),
        lambda: (*_qkv("float64"), None, 0.0, True, None, 0.3, False),
        lambda: (*_qkv(), _mask(3, 3), 0.0, False, None, None, False),
        lambda: (*_qkv(), None, 0.5, False, None, None, False),
    ],
    "_scaled_dot_product_flash_attention_for_cpu": [
        lambda: (*_qkv(), 0.0, False, None, None),
        lambda: (*_qkv("float64"), 0.0, True, None, 0.3),
        lambda: (*_qkv(), 0.0, False, array((3, 3)), None),
        lambda: (*_qkv(), 0.5, False, None, None),
        lambda: (*_qkv(shape=(2, 3, 4)), 0.0, False, None, None),
    ],
    "_scaled_dot_product_flash_attention_for_cpu_backward": [
        _flash(),
        _flash("float64", causal=True),
        _flash(scale=0.3),
        _flash(mask=array((3, 3))),
    ],
}
