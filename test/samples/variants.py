"""Samples of in-place and `out` variants, made from those of the operator that they are variants of."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from samples import Make, hand_written


def samples(operator: Any) -> Iterator[Make]:
    """The functional operator's samples, with an `out` where there is one."""
    base = getattr(operator.rules, "variant_of", None)
    if base is None:
        return
    has_out = any(argument.name == "out" for argument in operator.schema.arguments)
    for make in hand_written().get(base, ()):
        yield (lambda make=make: (*make(), np.zeros((2, 3), np.float32))) if has_out else make
