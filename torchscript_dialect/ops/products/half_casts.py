"""Casts of large float16 arrays, for kernels that compute in float32.

NumPy converts float16 without the processor's help, a nanosecond for an element. A matrix that is multiplied by a vector is read once,
and takes less. So large arrays are cast by the kernels of `aten::to`, as soon as they were many (Note [Operators that are called often]
in ops/eager/often.py).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager.often import CONVERSION, ELEMENTS, Counted, compiled_form
from torchscript_dialect.tensor.dtype import float16, from_numpy
from torchscript_dialect.tensor.tensor import tensor_of

MANY = 1 << 12
"""Elements from which on a call of a kernel takes less."""


@cache
def counted() -> Counted:
    """What runs the operator, and counts the elements."""
    operator = registry.find(CONVERSION)
    assert operator is not None and operator.kernel is not None
    form = compiled_form(operator)
    assert form is not None
    return Counted(form, operator.kernel)


def cast(array: NDArray[Any], to: np.dtype[Any]) -> NDArray[Any]:
    """A copy with another dtype, both of them floats."""
    is_half = array.dtype is float16.numpy_dtype or to is float16.numpy_dtype
    if not is_half or array.size < MANY or not array.flags.c_contiguous:
        return array.astype(to)
    operator = counted()
    operands = tensor_of(array), from_numpy(to).scalar_type, False, False, None
    operator.left -= 1 + array.size // ELEMENTS
    if operator.left < 0:
        operator.look(*operands)
    return operator.run(*operands).array
