"""Operators that PyTorch has in no deterministic form on CUDA devices, by what its errors call them (aten/src/ATen/native/cuda).
Programs that ask for deterministic algorithms are refused them here as well, though ours go in one order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.ops.indexing.embedding import MAX
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor import determinism
from torchscript_dialect.tensor import dtype as dtypes

_ALWAYS = {
    "put": "put_",
    "put_": "put_",
    "histc": "_histc_cuda",
    "avg_pool3d_backward": "avg_pool3d_backward_cuda",
    "adaptive_max_pool2d_backward": "adaptive_max_pool2d_backward_cuda",
    "_ctc_loss_backward": "ctc_loss_backward_gpu",
    "reflection_pad1d_backward": "reflection_pad1d_backward_out_cuda",
    "reflection_pad2d_backward": "reflection_pad2d_backward_cuda",
    "reflection_pad3d_backward": "reflection_pad3d_backward_out_cuda",
    "nll_loss2d_forward": "nll_loss2d_forward_out_cuda_template",
    "nll_loss2d_backward": "nll_loss2d_backward_out_cuda_template",
    **{
        f"_adaptive_avg_pool{n}d_backward": f"adaptive_avg_pool{n}d_backward_cuda" for n in (2, 3)
    },
    **{f"fractional_max_pool{n}d_backward": f"fractional_max_pool{n}d_backward_cuda" for n in (2, 3)},
    **{f"max_unpool{n}d": f"max_unpooling{n}d_forward_out" for n in (2, 3)},
    **{f"grid_sampler_{n}d_backward": f"grid_sampler_{n}d_backward_cuda" for n in (2, 3)},
    **{
        f"upsample_{one}_backward": f"upsample_{one}_backward_out_cuda"
        for one in ("linear1d", "bilinear2d", "bicubic2d", "trilinear3d")
    },
}  # fmt: skip


def _is_rounded(given: dict[str, Any]) -> bool:
    wanted = given["dtype"]
    element = given["self"].dtype if wanted is None else dtypes.from_scalar_type(wanted)
    return element.is_floating_point or element.is_complex


_SOMETIMES: dict[str, tuple[str, Callable[[dict[str, Any]], bool]]] = {
    "cumsum": ("cumsum_cuda_kernel", _is_rounded),
    "bincount": ("_bincount_cuda", lambda given: given["weights"] is not None),
    "median": ("median CUDA with indices output", lambda given: "dim" in given),
    "nanmedian": ("median CUDA with indices output", lambda given: "dim" in given),
    "scatter_reduce": ("scatter_reduce_cuda_prod_", lambda given: given["reduce"] == "prod"),
    "scatter_reduce_": ("scatter_reduce_cuda_prod_", lambda given: given["reduce"] == "prod"),
    **dict.fromkeys(
        ("_embedding_bag_backward", "_embedding_bag_dense_backward"),
        ("embedding_bag_backward_cuda_max", lambda given: given["mode"] == MAX),
    ),
}


def check(operator: Operator, operands: Sequence[Any]) -> None:
    """Tell that an operator has no deterministic form, where a program has asked for such.

    Raises:
        RuntimeError: it has not asked for a warning.
    """
    name = operator.name.removeprefix("aten::")
    if name in _ALWAYS:
        determinism.alert(_ALWAYS[name])
    elif name in _SOMETIMES:
        caller, is_so = _SOMETIMES[name]
        names = [argument.name for argument in operator.schema.arguments]
        if is_so(dict(zip(names, operands, strict=False))):
            determinism.alert(caller)
