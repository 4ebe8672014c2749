"""Imports the programs of examples/ written against one library or the other, both in one process if need be."""

import importlib
import os
import sys
from types import ModuleType
from typing import Any

from support.programs import Program

_loaded: dict[tuple[str, str], ModuleType] = {}


def load_module(name: str, flavour: str) -> ModuleType:
    """The module `examples.<name>` with `torch` meaning PyTorch (flavour "torch") or ours ("ours")."""
    if (name, flavour) in _loaded:
        return _loaded[name, flavour]
    saved = os.environ.get("TORCHSCRIPT_DIALECT_EXAMPLES")
    os.environ["TORCHSCRIPT_DIALECT_EXAMPLES"] = flavour
    try:
        for stale in (f"examples.{name}", "examples._torch"):
            sys.modules.pop(stale, None)
        module = importlib.import_module(f"examples.{name}")
    finally:
        if saved is None:
            del os.environ["TORCHSCRIPT_DIALECT_EXAMPLES"]
        else:
            os.environ["TORCHSCRIPT_DIALECT_EXAMPLES"] = saved
    _loaded[name, flavour] = module
    return module


def load_program(program: Program, flavour: str) -> Any:
    """The function, or a new instance of the module class, that `program` names."""
    item = getattr(load_module(program.module, flavour), program.attribute)
    return item() if isinstance(item, type) else item
