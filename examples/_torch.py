"""The `torch` that the examples are written against.

`TORCHSCRIPT_DIALECT_EXAMPLES=torch` chooses PyTorch, `=ours` or nothing chooses torchscript_dialect. The choice is
never made by what happens to be installed: the same command gives the same program everywhere.
"""

import os
from typing import Any

import numpy as np

FLAVOUR = os.environ.get("TORCHSCRIPT_DIALECT_EXAMPLES", "ours")

if FLAVOUR == "torch":
    import torch
elif FLAVOUR == "ours":
    from torchscript_dialect import torch
else:
    raise SystemExit(f"TORCHSCRIPT_DIALECT_EXAMPLES is '{FLAVOUR}'; it may be 'torch' or 'ours'")


def argument(value: Any) -> Any:
    """`value` as the chosen library takes it: PyTorch wants its own tensors where ours takes NumPy arrays."""
    if FLAVOUR == "torch" and isinstance(value, np.ndarray):
        return torch.from_numpy(value)
    if isinstance(value, tuple):
        return tuple(argument(item) for item in value)
    return value


def show(function: Any, *args: Any) -> Any:
    """Compiles `function`, prints its graph, its code and its result for `args`, and returns the compiled function."""
    scripted = torch.jit.script(function)
    print(scripted.graph)
    print(scripted.code)
    print(scripted(*(argument(arg) for arg in args)))
    return scripted


__all__ = ["FLAVOUR", "argument", "show", "torch"]
