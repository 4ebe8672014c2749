"""What PyTorch calls the nodes of operators: `MulBackward0`.

Note [Names of nodes]
The class of a node has the name that users see in `grad_fn`. It is made of the operator's name, unless `node_names.txt` has another
one: PyTorch numbers the overloads that have formulas of their own (`SumBackward1`), and shows of an operator that it makes of others
the last of these (`MmBackward0` of `matmul`). Where that depends on the operands, `_BY_OPERANDS` tells. An operator that is made of
others here, and that has one node in PyTorch, stands in `node_names.txt`, too: the last of its nodes is called so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from pkgutil import get_data
from typing import Any, TypeVar, cast

from torchscript_dialect.autograd.nodes import Node
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.storage import root
from torchscript_dialect.tensor.tensor import Tensor

_Node = TypeVar("_Node", bound=Node)
_OF_ENGINE = frozenset(("CopyBackwards", "CopySlices"))


@lru_cache(maxsize=8192)
def named(base: type[_Node], name: str) -> type[_Node]:
    """The subclass of a node's class that has a name of PyTorch's."""
    members: dict[str, Any] = {"__slots__": (), "__module__": "builtins", "__doc__": base.__doc__}
    if name in _OF_ENGINE:
        members["scope"] = "torch::autograd::"
    return cast("type[_Node]", type(name, (base,), members))


@cache
def _listed() -> dict[str, str]:
    data = get_data("torchscript_dialect.autograd", "node_names.txt")
    assert data is not None
    found: dict[str, str] = {}
    for line in data.decode().splitlines():
        name, _, operators = line.partition(": ")
        for operator in operators.split():
            found[f"aten::{operator}"] = name
    return found


def listed_name(operator: Operator) -> str | None:
    """The name that stands in the list, for the operator itself or what it is a variant in place of."""
    name = operator.qualified_name
    found = _listed().get(name)
    if found is None and operator.name.endswith("_"):
        base = operator.name.removesuffix("_")
        found = _listed().get(base + name.removeprefix(operator.name))
    return found


def default_name(operator: Operator) -> str:
    """The name that is made of the operator's."""
    base = operator.name.partition("::")[2].removesuffix("_")
    if operator.name.startswith("prims::"):
        overload = operator.qualified_name.removeprefix(operator.name).removeprefix(".")
        return f"GeneratedBackwardFor_prims_{base}_{overload or 'default'}Backward"
    copy = "_copy" if base.endswith("_copy") else ""
    words = "".join(part.title() for part in base.removesuffix("_copy").split("_"))
    return f"{words}Backward0{copy}"


_EAGER = {
    f"aten::{operator}{in_place}.Scalar": f"{kind}Backward0"
    for kind, operators in {
        "Add": ("add",),
        "Sub": ("sub", "subtract"),
        "Mul": ("mul", "multiply"),
        "Div": ("div", "divide", "true_divide"),
    }.items()
    for operator in operators
    for in_place in ("", "_")
}


def eager_name(operator: Operator) -> str | None:
    """The name that an operator has where Python calls it, if another one than in graphs: numbers are tensors then."""
    return _EAGER.get(operator.qualified_name)


ByOperands = Callable[[Sequence[Any], Tensor], str]


def name_by_operands(operator: Operator) -> ByOperands | None:
    """What tells the name by the operands and the result, for operators where it depends on them."""
    return _BY_OPERANDS.get(operator.name.removeprefix("aten::"))


def _matmul(operands: Sequence[Any], result: Tensor) -> str:
    ranks = tuple(one.dim() for one in operands[:2])
    known = {
        (1, 1): "DotBackward0",
        (1, 2): "SqueezeBackward4",
        (2, 1): "MvBackward0",
        (2, 2): "MmBackward0",
    }
    if ranks in known:
        return known[ranks]
    first = operands[0]
    is_folded = first.dim() == 2 and first.requires_grad
    return "CloneBackward0" if is_folded else "UnsafeViewBackward0"


def _linear(operands: Sequence[Any], result: Tensor) -> str:
    has_bias = len(operands) > 2 and operands[2] is not None
    rank = operands[0].dim()
    if rank == 2:
        return "AddmmBackward0" if has_bias else "MmBackward0"
    if has_bias:
        return "ViewBackward0"
    return "SqueezeBackward4" if rank == 1 else "UnsafeViewBackward0"


def _reshape(operands: Sequence[Any], result: Tensor) -> str:
    shares = root(result.array) is root(operands[0].array)
    return "ViewBackward0" if shares else "UnsafeViewBackward0"


def _conv(spatial: int) -> ByOperands:
    def name(operands: Sequence[Any], result: Tensor) -> str:
        is_batched = operands[0].dim() == spatial + 2
        return "ConvolutionBackward0" if is_batched else "SqueezeBackward1"

    return name


def _pad(operands: Sequence[Any], result: Tensor) -> str:
    mode = operands[2] if len(operands) > 2 else "constant"
    if mode == "constant":
        return "ConstantPadNdBackward0"
    if mode == "circular":
        return "CopySlices"
    words = {"reflect": "Reflection", "replicate": "Replication"}
    return f"{words[mode]}Pad{len(operands[1]) // 2}DBackward0"


def _loss(operands: Sequence[Any], result: Tensor) -> str:
    return ("AbsBackward0", "MeanBackward0", "SumBackward0")[
        operands[2] if len(operands) > 2 else 1
    ]


def _transposed(operands: Sequence[Any], result: Tensor) -> str:
    return "ConjBackward0" if result.dtype.is_complex else "TransposeBackward0"


def _sum_to_size(operands: Sequence[Any], result: Tensor) -> str:
    return "ViewBackward0" if result.array.shape == operands[0].array.shape else "SumBackward1"


def _inverse_fft(operands: Sequence[Any], result: Tensor) -> str:
    return "FftC2CBackward0" if operands[0].dtype.is_complex else "ConjBackward0"


def _fft(operands: Sequence[Any], result: Tensor) -> str:
    return "FftC2CBackward0" if operands[0].dtype.is_complex else "FftR2CBackward0"


def _einsum(operands: Sequence[Any], result: Tensor) -> str:
    terms, _, kept = operands[0].replace(" ", "").partition("->")
    tensors = terms.split(",")
    if len(tensors) == 1:
        is_whole = sorted(terms) == sorted(kept) or (kept and len(set(terms)) == len(kept))
        return "PermuteBackward0" if is_whole else "SumBackward1"
    shared = set(tensors[-2]) & set(tensors[-1]) - set(kept) - {"."}
    return "ViewBackward0" if shared or len(tensors) > 2 else "MulBackward0"


def _adaptive_average(operands: Sequence[Any], result: Tensor) -> str:
    rank = len(operands[1])
    if all(size == 1 for size in operands[1]):
        return "MeanBackward1"
    return f"AdaptiveAvgPool{rank}DBackward0"


_BY_OPERANDS: dict[str, ByOperands] = {
    "matmul": _matmul,
    "linalg_matmul": _matmul,
    "linear": _linear,
    **dict.fromkeys(("reshape", "reshape_as", "flatten"), _reshape),
    **{f"conv{rank}d": _conv(rank) for rank in (1, 2, 3)},
    **{f"conv_transpose{rank}d": _conv(rank) for rank in (1, 2, 3)},
    "pad": _pad,
    "l1_loss": _loss,
    **dict.fromkeys(("mH", "matrix_H", "adjoint"), _transposed),
    "fft_fft": _fft,
    "fft_ifft": _inverse_fft,
    "_grad_sum_to_size": _sum_to_size,
    "sum_to_size": _sum_to_size,
    "einsum": _einsum,
    "adaptive_avg_pool2d": _adaptive_average,
    "adaptive_avg_pool3d": _adaptive_average,
}
