"""The xDSL plugin: with this package installed, a plain `xdsl-opt` knows its dialects and passes."""

from __future__ import annotations

from xdsl.ir import Dialect
from xdsl.universe import Universe

from torchscript_dialect.passes.table import own_passes


def _aten() -> Dialect:
    from torchscript_dialect.dialects.aten import Aten

    return Aten


def _prim() -> Dialect:
    from torchscript_dialect.dialects.prim_dialect import Prim

    return Prim


TORCHSCRIPT_UNIVERSE = Universe(
    all_dialects={"aten": _aten, "prim": _prim},
    all_passes=own_passes(),
)
