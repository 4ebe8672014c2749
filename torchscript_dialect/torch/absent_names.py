"""Names of PyTorch's that the stand-in lacks."""

from __future__ import annotations

STANDS_IN = "torchscript_dialect stands in for PyTorch here"


def absent(module: str, name: str) -> AttributeError:
    """The error for a name that a module of the stand-in lacks; `module` is that one's name, here or in PyTorch."""
    known_as = module.removeprefix("torchscript_dialect.")
    return AttributeError(f"module '{known_as}' has no attribute '{name}' ({STANDS_IN})", name=name)
