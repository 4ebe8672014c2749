"""Linear layers with quantized weights of sparse blocks (PyTorch: ao_sparse/quantized/cpu/qlinear.cpp).

The weights are kept whole here: which blocks are zero decides how fast PyTorch's libraries are, not what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.quantized.packed_params import LinearPackedParams
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.named import FOREIGN


@dataclass(eq=False)
class SparseLinearParams(LinearPackedParams):
    """Weight and bias of a layer, and the sizes of the blocks of its weight."""

    __torchscript_qualified_name__: ClassVar[str] = f"{FOREIGN}sparse.LinearPackedParamsBase"

    block: tuple[int, int]


@registry.kernel("sparse::qlinear_prepack")
def prepack(weight: Tensor, bias: Tensor | None, height: int, width: int) -> SparseLinearParams:
    if height < 1 or width < 1:
        raise RuntimeError("sparse::qlinear_prepack: the sizes of blocks must be positive")
    return SparseLinearParams(weight, bias, (height, width))


@registry.kernel("sparse::qlinear_unpack")
def unpack(params: SparseLinearParams) -> tuple[Tensor, Tensor | None, list[int]]:
    return (*params.unpack(), list(params.block))


def _as_quantized(name: str) -> Callable[..., Tensor]:
    operator = registry.find(f"quantized::{name}")
    assert operator is not None and operator.kernel is not None
    return operator.kernel


registry.implement(
    "sparse::qlinear",
    lambda x, params, scale, zero: _as_quantized("linear")(x, params, scale, zero),
)
registry.implement(
    "sparse::qlinear_relu",
    lambda x, params, scale, zero: _as_quantized("linear_relu")(x, params, scale, zero),
)
registry.implement(
    "sparse::qlinear_dynamic", lambda x, params: _as_quantized("linear_dynamic")(x, params, False)
)
registry.implement(
    "sparse::qlinear_relu_dynamic",
    lambda x, params: _as_quantized("linear_relu_dynamic")(x, params, False),
)
