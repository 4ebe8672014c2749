"""Imports the programs of examples/ written against one library or the other, both in one process if need be."""

import importlib
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

from support.programs import Program

_loaded: dict[tuple[str, str], ModuleType] = {}


@contextmanager
def flavoured(flavour: str) -> Generator[None]:
    """`examples._torch` is PyTorch (flavour "torch") or ours ("ours"); afterwards it is what the process says again."""
    saved = os.environ.get("TORCHSCRIPT_DIALECT_EXAMPLES")
    os.environ["TORCHSCRIPT_DIALECT_EXAMPLES"] = flavour
    sys.modules.pop("examples._torch", None)
    try:
        yield
    finally:
        sys.modules.pop("examples._torch", None)
        if saved is None:
            del os.environ["TORCHSCRIPT_DIALECT_EXAMPLES"]
        else:
            os.environ["TORCHSCRIPT_DIALECT_EXAMPLES"] = saved


def load_module(name: str, flavour: str) -> ModuleType:
    """The module `examples.<name>` with `torch` meaning PyTorch (flavour "torch") or ours ("ours")."""
    if (name, flavour) in _loaded:
        return _loaded[name, flavour]
    with flavoured(flavour):
        sys.modules.pop(f"examples.{name}", None)
        module = importlib.import_module(f"examples.{name}")
    _loaded[name, flavour] = module
    return module


def load_program(program: Program, flavour: str) -> Any:
    """The function, or a new instance of the module class, that `program` names."""
    item = getattr(load_module(program.module, flavour), program.attribute)
    return item() if isinstance(item, type) else item
