"""Calls of every function of torch.nn.functional that torch.jit scripts: an expression, and what its names are."""

import torch

from support.torch_nn import probability, real, whole

_X1, _X2, _X3 = real(2, 4, 6), real(2, 4, 6, 6), real(1, 4, 4, 4, 4)
_X, _Y = real(3, 4), real(3, 4) + 1
_P = probability(3, 4)
_LIKE = dict[str, torch.Tensor]


def _unary(*names: str, more: str = "") -> dict[str, tuple[str, _LIKE]]:
    return {name: (f"F.{name}(x{more})", {"x": _X}) for name in names}


def _sized(name: str, arguments: str) -> dict[str, tuple[str, _LIKE]]:
    inputs = (_X1, _X2, _X3)
    return {
        f"{name.format(n)}": (f"F.{name.format(n)}(x, {arguments})", {"x": inputs[n - 1]})
        for n in (1, 2, 3)
    }


def _loss(
    name: str, target: torch.Tensor = _Y, x: torch.Tensor = _X, more: str = ""
) -> dict[str, tuple[str, _LIKE]]:
    return {name: (f"F.{name}(x, y{more})", {"x": x, "y": target})}


_W = {n: real(5, 4, *[2] * n) for n in (1, 2, 3)}
_CONVOLUTIONS: dict[str, tuple[str, _LIKE]] = {
    f"conv{n}d": (f"F.conv{n}d(x, w, padding=1)", {"x": (_X1, _X2, _X3)[n - 1], "w": _W[n]})
    for n in (1, 2, 3)
} | {
    f"conv_transpose{n}d": (
        f"F.conv_transpose{n}d(x, w, stride=2)",
        {"x": (_X1, _X2, _X3)[n - 1], "w": _W[n].transpose(0, 1).contiguous()},
    )
    for n in (1, 2, 3)
}
_UNPOOL: dict[str, tuple[str, _LIKE]] = {
    f"max_unpool{n}d": (
        f"F.max_unpool{n}d(x, y, 2)",
        dict(
            zip(
                "xy",
                getattr(torch.nn.functional, f"max_pool{n}d")(
                    (_X1, _X2, _X3)[n - 1], 2, return_indices=True
                ),
                strict=True,
            )
        ),
    )
    for n in (1, 2, 3)
}

CALLS: dict[str, tuple[str, _LIKE]] = {
    **_CONVOLUTIONS,
    **_UNPOOL,
    **_sized("adaptive_avg_pool{}d", "2"),
    **_sized("adaptive_max_pool{}d", "2"),
    **_sized("adaptive_max_pool{}d_with_indices", "2"),
    **_sized("avg_pool{}d", "2, stride=1"),
    **_sized("max_pool{}d", "2, stride=1"),
    **_sized("max_pool{}d_with_indices", "2"),
    **_sized("lp_pool{}d", "2.0, 2"),
    **_sized("dropout{}d", "0.5, False"),
    "fractional_max_pool2d": ("F.fractional_max_pool2d(x, 2, output_size=3)", {"x": _X2}),
    "fractional_max_pool3d": ("F.fractional_max_pool3d(x, 2, output_size=2)", {"x": _X3}),
    "fractional_max_pool2d_with_indices": (
        "F.fractional_max_pool2d_with_indices(x, 2, output_ratio=0.5)",
        {"x": _X2},
    ),
    "fractional_max_pool3d_with_indices": (
        "F.fractional_max_pool3d_with_indices(x, 2, output_ratio=0.5)",
        {"x": _X3},
    ),
    **_unary(
        "celu",
        "celu_",
        "elu",
        "elu_",
        "gelu",
        "hardshrink",
        "hardsigmoid",
        "hardswish",
        "hardtanh",
        "hardtanh_",
        "leaky_relu",
        "leaky_relu_",
        "logsigmoid",
        "mish",
        "relu",
        "relu6",
        "relu_",
        "rrelu",
        "rrelu_",
        "selu",
        "selu_",
        "sigmoid",
        "silu",
        "softplus",
        "softshrink",
        "softsign",
        "tanh",
        "tanhshrink",
        "normalize",
    ),
    **_unary("alpha_dropout", "dropout", "feature_alpha_dropout", more=", training=False"),
    **_unary("log_softmax", "softmax", "softmin", more=", dim=-1"),
    **_unary("glu", more=", -1"),
    **_unary("threshold", "threshold_", more=", 0.1, 20.0"),
    **_unary("pdist", more=", 2.0"),
    **_unary("pad", more=", (1, 1), value=0.5"),
    "gumbel_softmax": ("F.gumbel_softmax(x, hard=True).shape", {"x": _X}),
    "affine_grid": ("F.affine_grid(x, [1, 1, 3, 3], align_corners=False)", {"x": real(1, 2, 3)}),
    "grid_sample": (
        "F.grid_sample(x, g, align_corners=False)",
        {"x": _X2, "g": real(2, 3, 3, 2)},
    ),
    "batch_norm": (
        "F.batch_norm(x, m, v, training=False)",
        {"x": _X, "m": real(4), "v": probability(4)},
    ),
    "instance_norm": ("F.instance_norm(x)", {"x": _X2}),
    "layer_norm": ("F.layer_norm(x, [6])", {"x": _X1}),
    "group_norm": ("F.group_norm(x, 2)", {"x": _X2}),
    "rms_norm": ("F.rms_norm(x, [6])", {"x": _X1}),
    "local_response_norm": ("F.local_response_norm(x, 2)", {"x": _X2}),
    "linear": ("F.linear(x, w, b)", {"x": _X, "w": real(5, 4), "b": real(5)}),
    "bilinear": ("F.bilinear(x, y, w)", {"x": real(2, 3), "y": real(2, 4), "w": real(5, 3, 4)}),
    "prelu": ("F.prelu(x, w)", {"x": _X, "w": real(1)}),
    "embedding": ("F.embedding(i, w)", {"i": whole(5, 2, 3), "w": real(5, 3)}),
    "embedding_bag": ("F.embedding_bag(i, w)", {"i": whole(5, 2, 3), "w": real(5, 3)}),
    "one_hot": ("F.one_hot(i, 5)", {"i": whole(5, 2, 3)}),
    "fold": ("F.fold(x, (4, 4), (2, 2))", {"x": real(1, 8, 9)}),
    "unfold": ("F.unfold(x, (2, 2))", {"x": _X2}),
    "interpolate": (
        "F.interpolate(x, scale_factor=2.0, mode='bilinear', align_corners=False)",
        {"x": _X2},
    ),
    "upsample": ("F.upsample(x, size=[12, 12])", {"x": _X2}),
    "upsample_bilinear": ("F.upsample_bilinear(x, size=[12, 12])", {"x": _X2}),
    "upsample_nearest": ("F.upsample_nearest(x, size=[12, 12])", {"x": _X2}),
    "pixel_shuffle": ("F.pixel_shuffle(x, 2)", {"x": _X2}),
    "pixel_unshuffle": ("F.pixel_unshuffle(x, 2)", {"x": _X2}),
    "channel_shuffle": ("F.channel_shuffle(x, 2)", {"x": _X2}),
    "native_channel_shuffle": ("F.native_channel_shuffle(x, 2)", {"x": _X2}),
    "conv_tbc": ("F.conv_tbc(x, w, b)", {"x": real(5, 2, 3), "w": real(2, 3, 4), "b": real(4)}),
    "cosine_similarity": ("F.cosine_similarity(x, y)", {"x": _X, "y": _Y}),
    "pairwise_distance": ("F.pairwise_distance(x, y)", {"x": _X, "y": _Y}),
    **_loss("binary_cross_entropy", _P, _P),
    **_loss("binary_cross_entropy_with_logits", _P),
    **_loss("cross_entropy", whole(4, 3)),
    **_loss("hinge_embedding_loss", _X.sign()),
    **_loss("huber_loss"),
    **_loss("kl_div", _P, more=", reduction='batchmean'"),
    **_loss("l1_loss"),
    **_loss("mse_loss"),
    **_loss("multi_margin_loss", whole(4, 3)),
    **_loss("multilabel_margin_loss", torch.tensor([[3, 0, -1, 1]] * 3)),
    **_loss("multilabel_soft_margin_loss", whole(2, 3, 4).float()),
    **_loss("nll_loss", whole(4, 3)),
    **_loss("poisson_nll_loss", _P),
    **_loss("smooth_l1_loss"),
    **_loss("soft_margin_loss", _X.sign()),
    "ctc_loss": (
        "F.ctc_loss(x, t, i, n)",
        {
            "x": real(5, 2, 4).log_softmax(2),
            "t": whole(3, 2, 2) + 1,
            "i": torch.tensor([5, 5]),
            "n": torch.tensor([2, 2]),
        },
    ),
    "cosine_embedding_loss": (
        "F.cosine_embedding_loss(x, y, t)",
        {"x": _X, "y": _Y, "t": torch.tensor([1, -1, 1])},
    ),
    "gaussian_nll_loss": ("F.gaussian_nll_loss(x, y, v)", {"x": _X, "y": _Y, "v": _P}),
    "margin_ranking_loss": (
        "F.margin_ranking_loss(x, y, t)",
        {"x": real(3), "y": real(3) + 1, "t": torch.tensor([1.0, -1.0, 1.0])},
    ),
    "triplet_margin_loss": ("F.triplet_margin_loss(x, y, z)", {"x": _X, "y": _Y, "z": _X * 3}),
    "triplet_margin_with_distance_loss": (
        "F.triplet_margin_with_distance_loss(x, y, z)",
        {"x": _X, "y": _Y, "z": _X * 3},
    ),
    "scaled_dot_product_attention": (
        "F.scaled_dot_product_attention(x, x, x)",
        {"x": _X2},
    ),
    "linear_cross_entropy": (
        "F.linear_cross_entropy(x, w, t)",
        {"x": _X, "w": real(5, 4), "t": whole(5, 3)},
    ),
    "multi_head_attention_forward": (
        "F.multi_head_attention_forward(x, x, x, 4, 2, w, b, None, None, False, 0.0, o, p)",
        {"x": real(3, 2, 4), "w": real(12, 4), "b": real(12), "o": real(4, 4), "p": real(4)},
    ),
    "grouped_mm": (
        "F.grouped_mm(x, y)",
        {"x": real(2, 3, 4).bfloat16(), "y": real(2, 4, 8).bfloat16()},
    ),
    "has_torch_function": ("F.has_torch_function((x,))", {"x": _X}),
}


def source(name: str) -> str:
    """The program of a call."""
    expression, inputs = CALLS[name]
    return f"def call_{name}({', '.join(inputs)}):\n    return {expression}\n"
