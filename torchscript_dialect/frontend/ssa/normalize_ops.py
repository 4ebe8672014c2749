"""Operators that have two names get one (PyTorch: torch/csrc/jit/passes/normalize_ops.cpp)."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module

from xdsl.ir import Block, Operation

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.ir.pattern_driver import apply_patterns

_NAMES = {
    "absolute": "abs", "adjoint": "mH", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin",
    "arcsinh": "asinh", "arctan": "atan", "arctan2": "atan2", "arctanh": "atanh", "clip": "clamp",
    "concat": "cat", "concatenate": "cat", "det": "linalg_det", "divide": "div", "fix": "trunc",
    "ger": "outer", "greater": "gt", "greater_equal": "ge", "inverse": "linalg_inv", "less": "lt",
    "less_equal": "le", "linalg_matmul": "matmul", "matrix_exp": "linalg_matrix_exp", "matrix_power": "linalg_matrix_power",
    "moveaxis": "movedim", "multiply": "mul", "negative": "neg", "not_equal": "ne",
    "orgqr": "linalg_householder_product", "row_stack": "vstack", "subtract": "sub",
    "special_digamma": "digamma", "special_erf": "erf", "special_erfc": "erfc", "special_erfinv": "erfinv",
    "special_exp2": "exp2", "special_expit": "sigmoid", "special_expm1": "expm1", "special_gammainc": "igamma",
    "special_gammaincc": "igammac", "special_gammaln": "lgamma", "special_i0": "i0",
    "special_log1p": "log1p", "special_log_softmax": "log_softmax", "special_logit": "logit",
    "special_logsumexp": "logsumexp", "special_multigammaln": "mvlgamma",
    "special_polygamma": "polygamma", "special_psi": "digamma", "special_round": "round",
    "special_sinc": "sinc", "special_softmax": "softmax", "special_xlogy": "xlogy",
    "swapaxes": "transpose", "swapdims": "transpose", "true_divide": "div",
}  # fmt: skip
ALIASES = {
    f"aten::{name}{suffix}": f"aten::{other}{suffix}"
    for name, other in _NAMES.items()
    for suffix in ("", "_")
}
"""Names of operators, and what graphs call them; in-place operators alike."""


_CHECKED = {*ALIASES, "aten::rsub", "aten::__is__", "aten::__isnot__"}


@lru_cache(maxsize=1 << 14)
def has_another_name(class_: type[Operation]) -> bool:
    """Whether ops of a class may become ops of another."""
    return issubclass(class_, TorchScriptOp) and class_.KIND in _CHECKED


def normalize_ops(block: Block) -> None:
    """Rename the operators of a block that have another name; see `first_names`."""
    patterns = import_module("torchscript_dialect.frontend.ssa.first_names").FIRST_NAMES
    apply_patterns(block, patterns)
