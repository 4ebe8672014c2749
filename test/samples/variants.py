"""Samples of in-place and `out` variants, made from those of the operator that they are variants of."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from samples import Make, samples_of
from samples.compare import ours
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor.conversion import as_tensor


def samples(operator: Any) -> Iterator[Make]:
    """The functional operator's samples, with an `out` of the result's shape and dtype where there is one."""
    base = operator.rules.variant_of
    if base is None:
        return
    found = registry.find(base)
    assert found is not None
    taken = {argument.name for argument in operator.schema.arguments}
    given = [argument.name in taken for argument in found.schema.arguments]
    if len(operator.schema.arguments) == sum(given):
        yield from samples_of(found)
        return
    for make, _ in zip(samples_of(found), range(OUTS)):
        yield lambda make=make: (*_kept(make(), given), *_outs(operator, found, make))


OUTS = 3
"""How many samples of an operator are tried with `out`, of which PyTorch's kernels take one layout only now and then."""


def _kept(arguments: Sequence[Any], given: Sequence[bool]) -> list[Any]:
    """The arguments but for the options of a factory, which its `out` tells."""
    return [value for value, is_given in zip(arguments, given) if is_given]


def _outs(operator: Any, base: Any, make: Make) -> list[Any]:
    memo: dict[int, Any] = {}
    try:
        result: Any = base.kernel(*[ours(value, memo) for value in make()])
    except (RuntimeError, IndexError, ValueError, TypeError):
        result = tuple(as_tensor(np.zeros((2, 3), np.float32)) for _ in base.schema.returns)
    results = result if isinstance(result, (list, tuple)) else (result,)
    outs = [np.zeros(each.array.shape, each.array.dtype) for each in results]
    return [outs] if operator.schema.arguments[-1].type.repr_str == "Tensor[]" else outs
