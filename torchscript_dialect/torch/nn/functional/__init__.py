"""`torch.nn.functional`: source that runs in Python and that the compiler compiles, in families that load when one asks."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.torch.absent_names import absent

_FAMILIES = {
    "activations": (
        "celu", "celu_", "elu", "elu_", "gelu", "glu", "gumbel_softmax", "hardshrink",
        "hardsigmoid", "hardswish", "hardtanh", "hardtanh_", "leaky_relu", "leaky_relu_",
        "log_softmax", "logsigmoid", "mish", "prelu", "relu", "relu6", "relu_", "rrelu", "rrelu_",
        "selu", "selu_", "sigmoid", "silu", "softmax", "softmin", "softplus", "softshrink",
        "softsign", "tanh", "tanhshrink", "threshold", "threshold_", "_get_softmax_dim",
    ),
    "attention": (
        "multi_head_attention_forward", "scaled_dot_product_attention", "_in_projection_packed",
        "_mha_shape_check",
    ),
    "convolutions": (
        "bilinear", "conv1d", "conv2d", "conv3d", "conv_tbc", "conv_transpose1d",
        "conv_transpose2d", "conv_transpose3d", "fold", "linear", "unfold",
    ),
    "dispatch": ("boolean_dispatch",),
    "distances": ("cosine_similarity", "pairwise_distance", "pdist"),
    "dropout": (
        "alpha_dropout", "dropout", "dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout",
    ),
    "embeddings": ("embedding", "embedding_bag", "one_hot"),
    "images": (
        "affine_grid", "channel_shuffle", "grid_sample", "interpolate", "native_channel_shuffle",
        "pad", "pixel_shuffle", "pixel_unshuffle", "upsample", "upsample_bilinear",
        "upsample_nearest",
    ),
    "losses": (
        "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_embedding_loss",
        "cross_entropy", "ctc_loss", "gaussian_nll_loss", "hinge_embedding_loss", "huber_loss",
        "kl_div", "l1_loss", "linear_cross_entropy", "margin_ranking_loss", "mse_loss",
        "multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss", "nll_loss",
        "poisson_nll_loss", "smooth_l1_loss", "soft_margin_loss", "triplet_margin_loss",
        "triplet_margin_with_distance_loss",
    ),
    "normalization": (
        "batch_norm", "group_norm", "instance_norm", "layer_norm", "local_response_norm",
        "normalize", "rms_norm", "_verify_batch_size", "_verify_spatial_size",
    ),
    "pooling": (
        "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
        "adaptive_max_pool1d_with_indices", "adaptive_max_pool2d",
        "adaptive_max_pool2d_with_indices", "adaptive_max_pool3d",
        "adaptive_max_pool3d_with_indices", "avg_pool1d", "avg_pool2d", "avg_pool3d",
        "fractional_max_pool2d", "fractional_max_pool2d_with_indices", "fractional_max_pool3d",
        "fractional_max_pool3d_with_indices", "lp_pool1d", "lp_pool2d", "lp_pool3d", "max_pool1d",
        "max_pool1d_with_indices", "max_pool2d", "max_pool2d_with_indices", "max_pool3d",
        "max_pool3d_with_indices", "max_unpool1d", "max_unpool2d", "max_unpool3d",
        "_unpool_output_size",
    ),
    "types": ("BroadcastingList1", "BroadcastingList2", "BroadcastingList3"),
}  # fmt: skip
"""The functions by the file that holds them, `_activations.py` and so on."""

_FAMILY_OF = {name: family for family, names in _FAMILIES.items() for name in names}

__all__ = [name for name in _FAMILY_OF if not name.startswith("_")]  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name == "grad":
        return import_module("torchscript_dialect.torch.nn.grad")
    if name not in _FAMILY_OF:
        raise absent(__name__, name)
    family = import_module(f"torchscript_dialect.torch.nn.functional._{_FAMILY_OF[name]}")
    found = globals()[name] = getattr(family, name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_FAMILY_OF})
