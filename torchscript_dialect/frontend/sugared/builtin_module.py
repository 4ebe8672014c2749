"""Namespaces of operators."""

from __future__ import annotations

import math

from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.sugared_builtins import TorchCheckValue
from torchscript_dialect.frontend.sugared.sugared_value import (
    BuiltinFunction,
    SimpleValue,
    SpecialFormValue,
    SugaredValue,
)
from torchscript_dialect.frontend.sugared.torch_names import (
    MATH_OPERATORS,
    SPECIAL_TORCH_NAMES,
    torch_constant,
)
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange


class BuiltinModule(SugaredValue):
    """A namespace of operators: `torch` in source text (PyTorch: struct BuiltinModule)."""

    def __init__(self, namespace: str, name: str = "torch") -> None:
        self.namespace = namespace
        self.name = name

    def kind(self) -> str:
        return "builtin module"

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        if self.name == "ops" and not self.namespace:
            return BuiltinModule(name, "ops")
        if self.name == "math" and isinstance(constant := getattr(math, name, None), float):
            return SimpleValue(m.graph.constant(constant, range))
        if self.name == "torch" and (found := torch_constant(name)) is not None:
            return SimpleValue(m.graph.constant(found, range))
        if self.name == "torch" and name == "ops":
            return BuiltinModule("", "ops")
        if self.name == "torch" and name == "jit":
            return BuiltinModule(self.namespace)
        if self.name == "torch" and name == "autograd":
            return BuiltinModule(self.namespace, "torch.autograd")
        if self.name == "torch" and name in SPECIAL_TORCH_NAMES:
            return SpecialFormValue(SPECIAL_TORCH_NAMES[name])
        if self.name == "math":
            name = MATH_OPERATORS.get(name, name)
        if self.name == "torch.autograd" and name not in ("backward", "grad"):
            raise FrontendError(f"torch.autograd has no attribute '{name}'", range)
        qualified = f"{self.namespace}::{name}"
        if self.name == "torch" and qualified == TorchCheckValue.NAME:
            return TorchCheckValue()
        if not m.overloads(qualified) and not (self.name == "ops" and m.declare_foreign(qualified)):
            raise FrontendError(f"{self.name} has no attribute '{name}'", range)
        return BuiltinFunction(qualified)
