"""Results whose channels come last in memory where those of the input do."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.shapes import known_ints
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.strides import (
    element_strides,
    empty_strided,
    strides_for_format,
    suggest_memory_format,
)
from torchscript_dialect.types.tensor_type import Dims, TensorProperties


@ignores_float_errors
def laid_out(
    raw: NDArray[Any], like: NDArray[Any], element: np.dtype[Any] | None = None
) -> NDArray[Any]:
    """An array with these elements, in the memory format and, unless another is given, the dtype of `like`: `raw` itself where it
    owns its memory, has that form and is not `like`.
    """
    element = element or like.dtype
    strides = strides_for_format(
        raw.shape, suggest_memory_format(like.shape, element_strides(like))
    )
    is_own = raw.base is None and raw is not like
    if is_own and raw.dtype is element and element_strides(raw) == strides:
        return raw
    result = empty_strided(raw.shape, strides, element)
    result[...] = raw
    return result


def laid_out_strides(like: TensorProperties, shape: Dims) -> Dims:
    """The strides that `laid_out` gives, as far as they are known."""
    exact, sizes, strides = known_ints(shape), known_ints(like.sizes), known_ints(like.strides)
    if exact is None or sizes is None or strides is None:
        return (None,) * len(shape)
    return strides_for_format(exact, suggest_memory_format(sizes, strides))
