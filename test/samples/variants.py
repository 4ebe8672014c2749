"""Samples of in-place and `out` variants, made from those of the operator that they are variants of."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from samples import Make, samples_of
from samples.compare import ours
from torchscript_dialect.ops import registry


def samples(operator: Any) -> Iterator[Make]:
    """The functional operator's samples, with an `out` of the result's shape and dtype where there is one."""
    base = operator.rules.variant_of
    if base is None:
        return
    found = registry.find(base)
    assert found is not None
    count = len(operator.schema.arguments) - len(found.schema.arguments)
    if not count:
        yield from samples_of(found)
        return
    for make, _ in zip(samples_of(found), range(OUTS)):
        yield lambda make=make: (*make(), *_outs(found, make, count))


OUTS = 3
"""How many samples of an operator are tried with `out`, of which PyTorch's kernels take one layout only now and then."""


def _outs(base: Any, make: Make, count: int) -> list[np.ndarray]:
    memo: dict[int, Any] = {}
    try:
        result = base.kernel(*[ours(value, memo) for value in make()])
    except (RuntimeError, IndexError, ValueError, TypeError):
        return [np.zeros((2, 3), np.float32)] * count
    results = result if isinstance(result, tuple) else (result,)
    return [np.zeros(each.array.shape, each.array.dtype) for each in results]
