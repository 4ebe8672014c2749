"""Python objects that stand for operators, namespaces of operators, and special forms."""

from __future__ import annotations

import cmath
import math
import warnings
from collections import OrderedDict
from functools import cache
from typing import Any

from torchscript_dialect.frontend.sugared.torch_names import MATH_OPERATORS
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.device import device as Device
from torchscript_dialect.tensor.dtype import number_of
from torchscript_dialect.tensor.generator import Generator
from torchscript_dialect.types.tensor_type import TENSOR

OPERATOR_MARK = "__torchscript_op__"
"""The attribute of a Python function that names the operator which it stands for."""
FORM_MARK = "__torchscript_form__"
"""The attribute of a Python function that names the special form which it stands for."""
CONSTRUCTOR_MARK = "__torchscript_constructor__"
"""The attribute of a class as `torch.FloatTensor` that is ours, and makes tensors of the CPU."""
NAMESPACE_MARK = "__torchscript_namespace__"
"""The attribute of an object whose attributes are operators, with their namespace; empty for that of all namespaces."""


def _takes_numbers(name: str) -> bool:
    """Whether an operator has an overload for numbers: `log2` has none, and `math.log2` is no operator."""
    return any(one.schema.arguments[0].type != TENSOR for one in registry.lookup(name))


@cache
def _math_builtins() -> dict[Any, str]:
    table: dict[Any, str] = {}
    renamed: dict[Any, str] = {cmath.phase: "angle", cmath.rect: "polar"}
    renamed |= {getattr(math, name): operator for name, operator in MATH_OPERATORS.items()}
    for module in (math, cmath):
        for name, member in vars(module).items():
            if callable(member) and member is not cmath.polar and _takes_numbers(f"aten::{name}"):
                table[member] = f"aten::{name}"
    table.update({function: f"aten::{name}" for function, name in renamed.items()})
    table[warnings.warn] = "aten::warn"
    table[Device] = "aten::device"
    table[Generator] = "aten::Generator"
    table[OrderedDict] = "aten::dict"
    return table


def find_builtin(obj: Any) -> str | None:
    """The operator that a Python callable stands for, None if for none."""
    mark = getattr(obj, OPERATOR_MARK, None)
    if isinstance(mark, str):
        return mark
    try:
        known = _math_builtins().get(obj)
    except TypeError:
        return None
    if known is not None:
        return known
    torch = pytorch_state.loaded()
    if torch is None:
        return None
    found: str | None = torch.jit._builtins._find_builtin(obj)
    return found


_LEGACY = {
    "ByteTensor": "uint8",
    "CharTensor": "int8",
    "ShortTensor": "int16",
    "IntTensor": "int32",
    "LongTensor": "int64",
    "HalfTensor": "float16",
    "FloatTensor": "float32",
    "DoubleTensor": "float64",
    "BoolTensor": "bool",
}


def legacy_dtype(obj: Any) -> int | None:
    """The number of the dtype of the tensors that a class as `torch.FloatTensor` makes, None for other objects."""
    name = getattr(obj, "__name__", None)
    if name not in _LEGACY:
        return None
    torch = pytorch_state.loaded()
    is_ours = getattr(obj, CONSTRUCTOR_MARK, False)
    is_known = is_ours or (torch is not None and obj is getattr(torch, name))
    return number_of(_LEGACY[name]) if is_known else None


def operator_namespace(obj: Any) -> str | None:
    """The namespace whose operators are the attributes of an object: empty for `torch.ops`, None for other objects."""
    mark = getattr(obj, NAMESPACE_MARK, None)
    if isinstance(mark, str):
        return mark
    torch = pytorch_state.loaded()
    if torch is None or type(obj).__module__ != "torch._ops":
        return None
    if obj is torch.ops:
        return ""
    return obj.name if isinstance(obj, torch._ops._OpNamespace) else None


def special_form(obj: Any) -> str | None:
    """The special form that a Python callable stands for, None if for none."""
    mark = getattr(obj, FORM_MARK, None)
    if isinstance(mark, str):
        return mark
    torch = pytorch_state.loaded()
    if torch is None:
        return None
    jit = torch.jit
    if obj is jit.annotate:
        return "prim::annotate"
    if obj is jit.isinstance:
        return "prim::isinstance"
    if obj in (jit._fork, jit.fork):
        return "prim::fork"
    return None
