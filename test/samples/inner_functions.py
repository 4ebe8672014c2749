"""Operators that PyTorch's own functions are made of."""

from typing import Any

import numpy as np

from samples.arrays import array, transposed
from samples.foreach import SAMPLES as FOREACH

IMAGE = (2, 3, 5, 4)
ROWS = [np.array([0, 2, 1])]


def _norm(*settings):
    return lambda: (
        array(IMAGE),
        array((3,), seed="w"),
        array((3,), seed="b"),
        array((3,), seed="m"),
        array((3,), low=0.5, seed="v"),
        *settings,
    )


def _observed(observed, quantized, per_row, symmetric, first=False):
    size = (3,) if per_row else (1,)
    return lambda: (
        array((3, 4), seed="x"),
        np.array([observed]),
        np.array([quantized]),
        np.full(size, np.inf if first else -1.5, np.float32),
        np.full(size, -np.inf if first else 2.5, np.float32),
        np.full(size, 0.02, np.float32),
        np.full(size, 3, np.int32),
        0.01,
        0,
        255,
        0,
        per_row,
        symmetric,
    )


_OBSERVED = [
    _observed(*flags, first)
    for flags in (
        (1, 1, False, False),
        (1, 1, True, False),
        (1, 0, False, True),
        (0, 1, True, True),
    )
    for first in (False, True)
]


def _lists():
    return [array((2, 3)), array((4,), seed="1")]


def _conv(rank, *rest, image=(2, 3, 5, 6, 5), out=4):
    sizes = image[: rank + 2]
    return lambda: (
        array(sizes),
        array((out, sizes[1], *(3,) * rank), seed="w"),
        [3] * rank,
        array((out,), seed="b"),
        *([value] * rank for value in rest),
    )


def _transposed_conv(rank):
    return lambda: (
        array((2, 3, 5, 4, 3)[: rank + 2]),
        array((3, 4, *(3,) * rank), seed="w"),
        [3] * rank,
        array((4,), seed="b"),
        [2] * rank,
        [1] * rank,
        [1] * rank,
        [1] * rank,
    )


_SQUARE = [lambda: (array((3, 3)),), lambda: (array((2, 3, 3)),), lambda: (transposed((3, 3)),)]
_SYSTEM = [
    lambda: (array((3, 3)), array((3, 2), seed="b"), True, False),
    lambda: (transposed((3, 3)), array((3,), seed="b"), True, False),
]
_HISTOGRAM = [
    lambda: (array((6, 2)), [3, 4], None, None, False),
    lambda: (array((6, 2)), [3, 4], [-3.0, 3.0, -3.0, 3.0], array((6,), low=0), True),
]

SAMPLES: dict[str, list[Any]] = {
    "_stack": [lambda: ([array((2, 3)), array((2, 3), seed="1")], 1)],
    "_logcumsumexp": [lambda: (array((3, 4)), 1)],
    "_pdist_forward": [lambda: (array((4, 3)), 2.0), lambda: (array((4, 3)), 1.0)],
    "_cdist_forward": [lambda: (array((4, 3)), array((2, 3)), 2.0, None)],
    "_euclidean_dist": [lambda: (array((4, 3)), array((2, 3)))],
    "_grid_sampler_2d_cpu_fallback": [
        lambda: (array((1, 2, 4, 4)), array((1, 3, 3, 2), low=-1, high=1), 0, 0, False)
    ],
    "_unsafe_index.Tensor_hacked_twin": [lambda: (array((3, 4)), list(ROWS))],
    "_unsafe_index_put _unsafe_index_put.hacked_twin": [
        lambda accumulate=accumulate: (
            array((3, 4)),
            list(ROWS),
            array((3, 4), seed="v"),
            accumulate,
        )
        for accumulate in (False, True)
    ],
    "_index_put_impl_ _index_put_impl_.hacked_twin": [
        lambda: (array((3, 4)), list(ROWS), array((3, 4), seed="v"), True, False)
    ],
    "special_logsumexp": [lambda: (array((3, 4)), [1], True)],
    "special_round": [lambda: (array((3, 4)), 1), lambda: (array((3, 4)), 0)],
    "_aminmax": [lambda: (array((3, 4)),)],
    "_aminmax.dim": [lambda: (array((3, 4)), 1, False)],
    "_conj_physical": [lambda: (array((3, 4), "complex64"),)],
    "_reshape_alias_copy": [lambda: (array((3, 4)), [4, 3], [3, 1])],
    "_add_relu.Tensor _add_relu_.Tensor": [lambda: (array((3, 4)), array((3, 4), seed="1"), 2)],
    "_add_relu.Scalar _add_relu_.Scalar": [lambda: (array((3, 4)), 0.5, 2)],
    "_addmm_activation": [
        lambda: (array((3,)), array((2, 4)), array((4, 3)), 1, 1, False),
        lambda: (array((3,)), array((2, 4)), array((4, 3)), 2, 0.5, True),
    ],
    "_is_all_true _is_any_true": [
        lambda: (array((3,), "bool"),),
        lambda: (np.ones(3, bool),),
        lambda: (np.zeros(0, bool),),
    ],
    "_compute_linear_combination": [lambda: (array((3, 2, 2)), array((4, 3)))],
    "linalg__powsum": [
        lambda: (array((3, 4)), 2, None, False, None),
        lambda: (array((3, 4)), 3.0, [1], True, 7),
    ],
    "_batch_norm_impl_index": [_norm(True, 0.1, 1e-5, False), _norm(False, 0.1, 1e-5, False)],
    "_batch_norm_no_update _batch_norm_with_update_functional": [_norm(0.1, 1e-5)],
    "_native_batch_norm_legit_functional": [_norm(True, 0.1, 1e-5), _norm(False, 0.1, 1e-5)],
    "_fused_rms_norm": [
        lambda: (array((2, 3, 4)), [4], array((4,), seed="w"), 1e-5),
        lambda: (array((2, 3, 4)), [3, 4], None, None),
    ],
    "_histogramdd_bin_edges _histogramdd_from_bin_cts": _HISTOGRAM,
    "_histogramdd_from_bin_tensors": [
        lambda: (array((6, 2)), [np.linspace(-3, 3, 4, dtype=np.float32)] * 2, None, False)
    ],
    "flatten_dense_tensors": [lambda: (_lists(),)],
    "unflatten_dense_tensors": [lambda: (array((10,)), _lists())],
    "_fake_quantize_learnable_per_tensor_affine": [
        lambda: (array((3, 4)), np.array([0.1], "f"), np.array([2.6], "f"), 0, 255, 1.0),
        lambda: (array((3, 4)), np.array([0.02], "f"), np.array([-3.0], "f"), 0, 100, 1.0),
    ],
    "_fake_quantize_learnable_per_channel_affine": [
        lambda: (array((3, 4)), array((3,), low=0.01, high=0.1), array((3,), low=0), 0, 0, 255, 1.0)
    ],
    "_fused_moving_avg_obs_fq_helper fused_moving_avg_obs_fake_quant "
    "_fused_moving_avg_obs_fq_helper_functional": _OBSERVED,
    "_fused_moving_avg_obs_fq_helper.out": [
        lambda make=make: (*make(), np.zeros((3, 4), np.float32), np.zeros((3, 4), bool))
        for make in _OBSERVED[:3]
    ],
    "_linalg_det _linalg_slogdet": _SQUARE,
    "_linalg_solve_ex": _SYSTEM,
    "thnn_conv2d": [_conv(2, 1, 0), _conv(2, 2, 1)],
    "_slow_conv2d_forward": [_conv(2, 1, 0), _conv(2, 2, 1)],
    "slow_conv_dilated2d": [_conv(2, 1, 2, 2)],
    "slow_conv3d slow_conv3d_forward": [_conv(3, 1, 0), _conv(3, 2, 1)],
    "slow_conv_dilated3d": [_conv(3, 1, 2, 2)],
    "slow_conv_transpose2d": [_transposed_conv(2)],
    "slow_conv_transpose3d": [_transposed_conv(3)],
    "diagonal_backward": [
        lambda: (array((3,)), [3, 4], 0, 0, 1),
        lambda: (array((2, 3)), [2, 3, 4], 1, 1, 2),
    ],
    "index_select_backward": [lambda: (array((3, 4)), [5, 4], 0, np.array([0, 2, 0]))],
    "unfold_backward": [
        lambda: (array((2, 3, 3)), [2, 7], 1, 3, 2),
        lambda: (array((4, 2, 3)), [6, 2], 0, 3, 1),
    ],
    "trace_backward": [lambda: (array(()), [3, 4])],
    "masked_scatter_backward": [lambda: (array((3, 4)), array((3, 4), "bool"), [3, 4])],
    "masked_select_backward": [
        lambda: (array((2,)), array((2, 2)), np.array([[True, False], [False, True]]))
    ],
    "gather_backward": [
        lambda: (array((2, 3)), array((2, 4)), 1, np.array([[0, 1, 1], [3, 0, 2]]), False)
    ],
    "lift lift_fresh_copy": [lambda: (array((3, 4)),)],
    "_dim_arange": [lambda: (array((3, 4)), 1)],
    "_cholesky_solve_helper": [
        lambda: (array((3, 2)), np.tril(array((3, 3), low=1, high=2)), False)
    ],
    "_fft_c2c": [
        lambda: (array((3, 4), "complex64"), [1], 0, True),
        lambda: (array((3, 4), "complex64"), [0, 1], 1, False),
        lambda: (array((3, 4), "complex64"), [1], 2, True),
    ],
    "_fft_r2c": [lambda: (array((3, 4)), [1], 0, True), lambda: (array((3, 4)), [0, 1], 1, False)],
    "_fft_c2r": [
        lambda: (array((3, 3), "complex64"), [1], 0, 4),
        lambda: (array((3, 3), "complex64"), [0, 1], 2, 5),
    ],
    "_cummax_helper _cummin_helper": [
        lambda: (array((3, 4)), np.zeros((3, 4), np.float32), np.zeros((3, 4), np.int64), 1)
    ],
    "repeat_interleave.Tensor": [
        lambda: (np.array([2, 0, 3]), None),
        lambda: (np.array([1, 2], np.int32), 3),
        lambda: (np.array([1, -2]), None),
        lambda: (np.array([1.0]), None),
    ],
    "_no_grad_embedding_renorm_": [lambda: (array((4, 3)), np.array([0, 2]), 1.0, 2.0)],
    "_to_cpu": [lambda: (_lists(),)],
    "bernoulli.float_out": [lambda: (array((3, 4)), 0.3, None, np.zeros((3, 4), np.float32))],
    "normal.out": [lambda: (array((3, 4)), 1.0, 2.0, None, np.zeros((3, 4), np.float32))],
    "rrelu_with_noise_functional": [
        lambda training=training: (
            array((3, 4)),
            np.zeros((3, 4), np.float32),
            0.1,
            0.3,
            training,
            None,
        )
        for training in (False, True)
    ],
    "Size": [lambda: ([1, 2],)],
    "broadcast_shapes": [lambda: ([3, 1], [2, 1, 4]), lambda: ([3], [2])],
    "_list_to_tensor": [lambda: ([1, 2, 3],)],
    "_tensor_to_list": [lambda: (np.array([1, 2], np.int32),)],
    "_reshape_from_tensor": [lambda: (array((3, 4)), np.array([4, 3]))],
    "is_conj is_neg is_distributed is_inference is_non_overlapping_and_dense": [
        lambda: (array((3, 4)),),
        lambda: (array((3, 4))[:, ::2],),
    ],
    "is_strides_like_format": [lambda: (array(IMAGE), 2), lambda: (transposed(IMAGE), 2)],
    "is_set_to": [lambda: (array((3, 4)), array((3, 4))), lambda: ((one := array((3, 4))), one)],
    "_assert_async": [lambda: (np.array([1]),), lambda: (np.array([0]),), lambda: (np.ones(2),)],
    "_assert_async.msg": [lambda: (np.array([1]), "no"), lambda: (np.array([0]), "no")],
    "_assert_scalar": [lambda: (1, "no"), lambda: (0, "no")],
    "_assert_tensor_metadata": [
        lambda: (array((3, 4)), [3, 4], [4, 1], 6, None, None),
        lambda: (array((3, 4)), [3, 5], None, None, None, None),
        lambda: (array((3, 4)), None, [1, 1], None, None, None),
        lambda: (array((3, 4)), None, None, 7, None, None),
    ],
}
for _optimizer in ("adagrad", "adam", "adamw", "sgd"):
    for _overload in ("", ".tensor_lr"):
        _makes = next(
            makes
            for names, makes in FOREACH.items()
            if f"_fused_{_optimizer}_{_overload}" in names.removeprefix("aten::").split()
        )
        SAMPLES[f"_fused_{_optimizer}{_overload}"] = _makes
        _out = _overload + "_out" if _overload else ".out"
        SAMPLES[f"_fused_{_optimizer}{_out}"] = [
            lambda make=make: (*make(), [one * 0 for one in make()[0]]) for make in _makes
        ]
