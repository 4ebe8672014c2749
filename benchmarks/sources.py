"""The functions of examples/, once written against PyTorch and once against ours."""

import importlib
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

Build = Callable[[], Callable[..., Any]]


def example(module: str, attribute: str, flavour: str) -> Callable[..., Any]:
    """`examples.<module>.<attribute>` with `torch` meaning PyTorch ("torch") or ours ("ours")."""
    os.environ["TORCHSCRIPT_DIALECT_EXAMPLES"] = flavour
    for name in (f"examples.{module}", "examples._torch"):
        sys.modules.pop(name, None)
    return getattr(importlib.import_module(f"examples.{module}"), attribute)


def shared_builds(module: str, attribute: str) -> Mapping[str, Build]:
    """The systems that take the example's source as it stands."""

    def source() -> Callable[..., Any]:
        return example(module, attribute, "torch")

    def ours() -> Callable[..., Any]:
        script = importlib.import_module("torchscript_dialect").script
        return script(example(module, attribute, "ours"))

    def compiled() -> Callable[..., Any]:
        torch = importlib.import_module("torch")
        torch.compiler.reset()
        return torch.compile(source(), dynamic=False)

    return {
        "ours": ours,
        "torch": source,
        "torch.jit": lambda: importlib.import_module("torch").jit.script(source()),
        "torch.compile": compiled,
    }
