"""What operators become for other compilers alone: lowerings that no kernel uses.

Those that kernels use, too, stand beside the operators.
"""

from __future__ import annotations

from torchscript_dialect.ops import registry


def _lower(place: str, names: str) -> None:
    """Name the lowering of overloads of operators of `aten`."""
    for name in names.split():
        qualified_name = name if "::" in name else f"aten::{name}"
        registry.attach(qualified_name, lower=f"lowering.linalg.{place}")


# Numbers

_lower(
    "scalars:Arithmetic",
    "add sub mul eq ne lt le gt ge prim::max prim::min prim::max.int prim::max.float prim::max.int_float"
    " prim::max.float_int prim::min.int prim::min.float prim::min.int_float prim::min.float_int"
    " eq.bool ne.bool __and__.bool __and__.int __or__.bool __or__.int __xor__.bool __xor__.int __not__"
    " neg.int neg.float neg.Scalar prim::abs.int prim::abs.float prim::abs.Scalar __derive_index",
)
_lower(
    "scalars:FloatFunction",
    "div div.int div.float sqrt.int sqrt.float exp.int exp.float log.int log.float tanh.float",
)
_lower("scalars:WholeQuotient", "floordiv.int remainder.int __range_length")
_lower(
    "scalars:Conversion",
    "item ScalarImplicit Int.Tensor Int.bool Int.float Int.Scalar Float.Tensor Float.int Float.bool"
    " Float.Scalar Bool.Tensor Bool.int Bool.float IntImplicit FloatImplicit",
)
_lower("scalars:SizeOf", "numel len.Tensor")

# Tensors

_lower(
    "creation:Fill",
    "zeros ones full new_zeros new_ones new_full zeros_like ones_like full_like"
    " empty.memory_format empty_like new_empty",  # which may hold anything
)
_lower("creation:Range", "arange arange.start arange.start_step")
_lower("indexing:IndexSelect", "index_select")
_lower("indexing:Gather", "gather")
_lower("padding:Padding", "constant_pad_nd")
for _rank in (1, 2, 3):
    _overload = "" if _rank == 1 else ".input"
    _lower(
        "convolution:Convolution",
        f"conv{_rank}d conv{_rank}d.padding conv_transpose{_rank}d{_overload}",
    )
    _lower("pooling:MaxPool", f"max_pool{_rank}d")
    _lower("pooling:AveragePool", f"avg_pool{_rank}d")
    _lower("pooling:AdaptiveAveragePool", f"adaptive_avg_pool{_rank}d")
_lower("convolution:Convolution", "convolution _convolution")
