"""The versions of archives: which operators meant something else before which of them."""

from __future__ import annotations

OLDEST, NEWEST = 1, 10
"""The versions that are read."""
OLDEST_WRITTEN = 3
"""What an archive says that uses no operator of a later meaning."""
MOVED = 6
"""From this version on, the version is in `.data/version`."""

_DIVISIONS = "Tensor Scalar Tensor_mode Scalar_mode"
WRITTEN_FROM: dict[str, int] = {
    "aten::pow.int": 1,
    **{f"aten::{name}.{o}": 4 for name in ("div", "div_") for o in _DIVISIONS.split()},
    **{f"aten::div.{o}": 4 for o in ("out", "out_mode")},
    **dict.fromkeys(("aten::full", "aten::full.out"), 5),
    **dict.fromkeys(("aten::linspace", "aten::linspace.out"), 8),
    **dict.fromkeys(("aten::logspace", "aten::logspace.out"), 9),
    **dict.fromkeys(("aten::gelu", "aten::gelu.out"), 10),
}
"""By operator, the version that gave it the meaning that it has now."""
