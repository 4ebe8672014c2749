"""What functions and classes of Python are called in programs."""

from __future__ import annotations

from typing import Any, cast

_PACKAGE = "torchscript_dialect."
_STAND_IN = f"{_PACKAGE}torch."
_FUNCTIONAL = "torch.nn.functional"


def qualified_python_name(obj: Any) -> str:
    """`__torch__.module.Name` of a Python function or class; what stands in for PyTorch's bears PyTorch's name."""
    known = cast("dict[str, Any]", vars(obj))
    module: str = known.get("__torchscript_stands_for__") or obj.__module__ or "__main__"
    if module.startswith(_STAND_IN):
        module = module.removeprefix(_PACKAGE)
        if module.startswith(_FUNCTIONAL):  # a package here, one file in PyTorch
            module = _FUNCTIONAL
    prefix = "__torch__" if module == "__main__" else f"__torch__.{module}"
    return f"{prefix}.{name_of(obj)}"


def name_of(obj: Any) -> str:
    """What programs call a Python function or class: its name, `lambda_` where it has none."""
    return obj.__name__ if obj.__name__ != "<lambda>" else "lambda_"
