"""Samples of in-place and `out` variants, made from those of the operator that they are variants of."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from samples import Make, hand_written
from samples.compare import ours
from torchscript_dialect.ops import registry


def samples(operator: Any) -> Iterator[Make]:
    """The functional operator's samples, with an `out` of the result's shape and dtype where there is one."""
    base = operator.rules.variant_of
    if base is None:
        return
    has_out = any(argument.name == "out" for argument in operator.schema.arguments)
    for make in hand_written().get(base, ()):
        yield (lambda make=make: (*make(), _out(base, make))) if has_out else make


def _out(base: str, make: Make) -> np.ndarray:
    found = registry.find(base)
    assert found is not None
    assert found.kernel is not None
    memo: dict[int, Any] = {}
    try:
        result = found.kernel(*[ours(value, memo) for value in make()]).array
    except (RuntimeError, IndexError, ValueError, TypeError):
        return np.zeros((2, 3), np.float32)
    return np.zeros(result.shape, result.dtype)
