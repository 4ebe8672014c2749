"""The xDSL plugin: with this package installed, a plain `xdsl-opt` knows its dialects and passes.

The pass table is made from the folders: `transforms/x_y.py` holds the pass `ts-x-y`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import cast

from xdsl.ir import Dialect
from xdsl.passes import ModulePass
from xdsl.universe import Universe

PASS_FOLDERS = ("transforms", "frontend/passes")
"""The folders, in this package, each file of which is a pass."""


def _aten() -> Dialect:
    from torchscript_dialect.dialects.aten import Aten

    return Aten


def _prim() -> Dialect:
    from torchscript_dialect.dialects.prim import Prim

    return Prim


def _pass_factory(module_name: str, pass_name: str) -> Callable[[], type[ModulePass]]:
    def load() -> type[ModulePass]:
        module = import_module(module_name)
        for candidate in vars(module).values():
            is_class = isinstance(candidate, type) and issubclass(candidate, ModulePass)
            if is_class and cast(type[ModulePass], candidate).__dict__.get("name") == pass_name:
                return cast(type[ModulePass], candidate)
        raise ImportError(f"{module_name} holds no pass named {pass_name}")

    return load


def pass_modules() -> dict[str, str]:
    """The name of every pass and the module that holds it."""
    root = Path(__file__).parent
    table: dict[str, str] = {}
    for folder in PASS_FOLDERS:
        package = f"{__package__}.{folder.replace('/', '.')}"
        for module in pkgutil.iter_modules([str(root / folder)]):
            if not module.name.startswith("_") and module.name != "pipelines":
                table[f"ts-{module.name.replace('_', '-')}"] = f"{package}.{module.name}"
    return table


TORCHSCRIPT_UNIVERSE = Universe(
    all_dialects={"aten": _aten, "prim": _prim},
    all_passes={name: _pass_factory(module, name) for name, module in pass_modules().items()},
)
