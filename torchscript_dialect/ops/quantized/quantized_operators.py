"""Which operators on tensors have a kernel for quantized ones, too: Note [Kernels for quantized tensors] in quantization.py.

The kernels are imported with the first quantized tensor that one of these operators gets, as most programs have none.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Kernel

RUN = (
    "relu relu_ relu6 hardtanh clamp sigmoid hardsigmoid tanh leaky_relu threshold gelu cat stack "
    "avg_pool1d avg_pool2d avg_pool3d adaptive_avg_pool1d adaptive_avg_pool2d adaptive_avg_pool3d "
    "mean mean.dim upsample_bilinear2d upsample_bilinear2d.vec upsample_nearest2d upsample_nearest2d.vec "
    "upsample_nearest3d upsample_nearest3d.vec _upsample_nearest_exact2d _upsample_nearest_exact2d.vec "
    "_upsample_nearest_exact3d _upsample_nearest_exact3d.vec max_pool1d max_pool2d max_pool3d "
    "max min max.dim min.dim sort sort.stable topk constant_pad_nd pad equal copy_ fill_.Scalar "
    "eq.Tensor eq.Scalar ne.Tensor ne.Scalar lt.Tensor lt.Scalar le.Tensor le.Scalar gt.Tensor gt.Scalar ge.Tensor ge.Scalar "
    "masked_fill.Scalar masked_fill.Tensor"
).split()

REFUSED = (
    "zero_ zeros_like ones_like full_like rand_like randn_like new_zeros new_ones new_full fill_.Tensor "
    "masked_fill_.Scalar masked_fill_.Tensor index_fill.int_Scalar index_fill_.int_Scalar index_put index_put_ scatter.value "
    "scatter.src nonzero ceil floor round trunc median roll gather take masked_select _unique2 cummax cummin "
    "tril triu fill_diagonal_ masked_scatter reflection_pad1d reflection_pad2d replication_pad1d replication_pad2d"
).split()
"""What PyTorch refuses, or we do: the kernel for numbers would take integers for numbers, or numbers for integers."""


def _imported(name: str) -> Kernel:
    def kernel(*operands: Any) -> Any:
        found = import_module("torchscript_dialect.ops.quantized.quantized_math").KERNELS[name]
        return found(*operands)

    return kernel


def _refused(name: str) -> Kernel:
    def kernel(*_: Any) -> Any:
        raise NotImplementedError(
            f"Could not run 'aten::{name}' with arguments from the 'QuantizedCPU' backend"
        )

    return kernel


for _name in RUN:
    registry.attach(f"aten::{_name}", quantized=_imported(_name))
for _name in REFUSED:
    registry.attach(f"aten::{_name}", quantized=_refused(_name))
