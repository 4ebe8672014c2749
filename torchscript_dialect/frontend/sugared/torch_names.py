"""Names of `torch` that are numbers in graphs, or special forms."""

from __future__ import annotations

import math

from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.layout import layout, memory_format

MATH_OPERATORS = {"remainder": "mathremainder"}
"""Functions of `math` whose operators have other names: `aten::remainder` is `%`."""

SPECIAL_TORCH_NAMES = {
    "annotate": "prim::annotate",
    "isinstance": "prim::isinstance",
    "unchecked_cast": "prim::unchecked_cast",
    "uninitialized": "prim::Uninitialized",
    "fork": "prim::fork",
    "_fork": "prim::fork",
}
"""Functions below `torch` and `torch.jit` that are special forms."""

LAYOUTS = {each.name: int(each) for each in layout}
MEMORY_FORMATS = {each.name: int(each) for each in memory_format}


def torch_constant(name: str) -> int | float | None:
    """The number that `torch.<name>` is in graphs: a dtype, a layout, a memory format, pi and such."""
    if name in LAYOUTS:
        return LAYOUTS[name]
    if name in MEMORY_FORMATS:
        return MEMORY_FORMATS[name]
    if name in ("pi", "e", "inf", "nan", "tau"):
        return getattr(math, name)
    return dtypes.number_of(name)
