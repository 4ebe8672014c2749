"""Products of matrices of 8-bit floats, which stand for numbers by their scales (PyTorch: native/Blas.cpp, `_scaled_mm`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.shapes import Fact, dtype_of, fresh, is_known, rank_known
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.conversion import cast_array
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

Array = NDArray[Any]

TENSOR_WISE, ROW_WISE = 0, 1
"""What `_scaled_mm_v2` calls one scale for a matrix, and one for each of its rows or columns."""


def _shape_rule(place: int) -> Any:
    """Rows of the first matrix, columns of the second; the dtype stands at `place`."""

    def rule(facts: Sequence[Fact]) -> Fact:
        left, right = map(rank_known, facts[:2])
        if left is None or right is None or len(left) != 2 or len(right) != 2:
            return fresh(None, None, facts[0])
        wanted = facts[place]
        element = dtypes.from_scalar_type(wanted) if isinstance(wanted, int) else None
        if wanted is None and is_known(wanted):
            element = dtype_of(facts[0])
        return fresh(element, (left[0], right[1]), facts[0])

    return rule


def _check(x: Tensor, y: Tensor, bias: Tensor | None) -> None:
    for name, one in (("mat1", x), ("mat2", y)):
        if one.array.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix")
    if x.array.shape[1] != y.array.shape[0]:
        sizes = [f"{rows}x{columns}" for rows, columns in (x.array.shape, y.array.shape)]
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied ({sizes[0]} and {sizes[1]})")
    if bias is not None and bias.array.size != y.array.shape[1]:
        raise RuntimeError(f"Bias must be size {y.array.shape[1]} but got {bias.array.size}")


def _is_scale(scale: Tensor, shape: tuple[int, int]) -> bool:
    """Whether it is one float32 number, or one for each row or column."""
    return scale.dtype is dtypes.float32 and (scale.array.size == 1 or scale.array.shape == shape)


@ignores_float_errors
def _scaled(x: Tensor, scale: Tensor) -> Array:
    numbers = x.array.astype(np.float32)
    return numbers * (scale.array if scale.array.ndim == 2 else scale.array.reshape(()))


@registry.kernel("_scaled_mm", shape=_shape_rule(6))
@ignores_float_errors
def scaled_mm(
    x: Tensor,
    y: Tensor,
    scale_x: Tensor,
    scale_y: Tensor,
    bias: Tensor | None,
    _scale_result: Tensor | None,
    out_dtype: int | None,
    _fast: bool,
) -> Tensor:
    """`(x * scale_x) @ (y * scale_y) + bias` of float8 matrices (M, K) and (K, N) in a dtype, that of `x` unless told otherwise.

    Scales are float32, one number each, or (M, 1) and (1, N). What scales the result is not looked at, as in PyTorch.

    Raises:
        ValueError: the operands are no 8-bit floats, or scales have other dtypes or sizes.
        RuntimeError: sizes do not match.
    """
    _check(x, y, bias)
    rows, columns = (x.array.shape[0], 1), (1, y.array.shape[1])
    if not (
        x.dtype.is_float8
        and y.dtype.is_float8
        and (scale_x.array.size == 1) == (scale_y.array.size == 1)
        and _is_scale(scale_x, rows)
        and _is_scale(scale_y, columns)
    ):
        raise ValueError("Invalid scaling configuration.")
    wanted: dtype = x.dtype if out_dtype is None else dtypes.from_scalar_type(out_dtype)
    found = _scaled(x, scale_x) @ _scaled(y, scale_y)
    if bias is not None:
        found = found + bias.array.reshape(-1).astype(np.float32)
    return tensor_of(cast_array(found, wanted))


@registry.kernel("_scaled_mm_v2", shape=_shape_rule(9))
def scaled_mm_by_recipe(
    x: Tensor,
    y: Tensor,
    scales_x: Sequence[Tensor],
    recipe_x: Sequence[int],
    _swizzle_x: Sequence[int],
    scales_y: Sequence[Tensor],
    recipe_y: Sequence[int],
    _swizzle_y: Sequence[int],
    bias: Tensor | None,
    out_dtype: int | None,
    contraction: Sequence[int],
    fast: bool,
) -> Tensor:
    """`_scaled_mm` whose scales are described: PyTorch's kernel for processors, too, takes those for matrices and for rows alone.

    Raises:
        ValueError: as `_scaled_mm`, or other recipes.
    """
    recipes = [*recipe_x, *recipe_y]
    if recipes not in ([TENSOR_WISE] * 2, [ROW_WISE] * 2) or len(scales_x) != len(scales_y) != 1:
        raise ValueError("Invalid scaling configuration.")
    if contraction and list(contraction) not in ([1, 0], [-1, 0], [1, -2], [-1, -2]):
        raise RuntimeError("contraction_dim must name the columns of mat1 and the rows of mat2")
    return scaled_mm(x, y, scales_x[0], scales_y[0], bias, None, out_dtype, fast)
