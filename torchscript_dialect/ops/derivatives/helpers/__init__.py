"""Functions that the formulas of derivatives call, as TorchScript source by family. Blank lines stand between functions only."""

from __future__ import annotations

import re

from torchscript_dialect.ops.derivatives.helpers import (
    activations,
    factorizations,
    layers,
    matrices,
    numbers,
    products,
    recurrent,
    reductions,
    sampling,
    spectra,
    statistics,
    views,
)

_FAMILIES = (
    spectra,
    matrices,
    factorizations,
    numbers,
    activations,
    reductions,
    views,
    products,
    layers,
    recurrent,
    sampling,
    statistics,
)
_SOURCES = [
    (found[1], f"{source.strip()}\n")
    for family in _FAMILIES
    for source in family.SOURCE.split("\n\n")
    if (found := re.match(r"\s*def (\w+)\(", source))
]
HELPERS = dict(_SOURCES)
"""The source of each function by its name."""
assert len(HELPERS) == len(_SOURCES), "two families give a function one name"
