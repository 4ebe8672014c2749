"""What Python's builtin names mean in every program (PyTorch: Environment::getSugaredVar)."""

from __future__ import annotations

from torchscript_dialect.frontend.sugared.sugared_builtins import (
    CastValue,
    ExceptionValue,
    InfinityValue,
    MagicMethod,
    PrintValue,
)
from torchscript_dialect.frontend.sugared.sugared_value import (
    BuiltinFunction,
    SpecialFormValue,
    SugaredValue,
)
from torchscript_dialect.types.core import BOOL, COMPLEX, FLOAT, INT, STR
from torchscript_dialect.types.tensor_type import TENSOR

_CASTS = {
    "float": (FLOAT, "aten::Float"),
    "complex": (COMPLEX, "aten::Complex"),
    "int": (INT, "aten::Int"),
    "bool": (BOOL, "aten::Bool"),
    "str": (STR, "aten::str"),
}
_FORMS = {
    "tuple": "prim::TupleConstruct",
    "getattr": "prim::getattr",
    "hasattr": "prim::HasAttr",
    "isinstance": "prim::isinstance",
    "list": "prim::list",
    "dict": "prim::dict",
    "range": "prim::range",
    "zip": "prim::zip",
    "slice": "prim::slice",
    "enumerate": "prim::enumerate",
}
_OPERATORS = {
    **{name: f"prim::{name}" for name in ("id", "min", "max", "abs", "rangelist")},
    **{
        name: f"aten::{name}"
        for name in ("hash", "all", "any", "divmod", "sum", "ord", "chr", "bin", "sorted", "pow")
    },
}

GLOBALS: dict[str, SugaredValue] = {
    "print": PrintValue(),
    **{
        name: MagicMethod(f"__{name}__", CastValue(type_, operator))
        for name, (type_, operator) in _CASTS.items()
    },
    **{name: SpecialFormValue(form) for name, form in _FORMS.items()},
    **{
        name: MagicMethod(f"__{name}__", BuiltinFunction(f"aten::{name}"))
        for name in ("len", "hex", "oct", "round")
    },
    **{name: BuiltinFunction(operator) for name, operator in _OPERATORS.items()},
    "_to_tensor": CastValue(TENSOR, "prim::NumToTensor"),
    "inf": InfinityValue(),
    "AssertionError": ExceptionValue("AssertionError"),
}
