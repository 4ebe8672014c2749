"""What PyTorch's Python functions make of a call before it reaches the operator that a trace shows.

Numbers beside tensors become tensors in the arithmetic that PyTorch's bindings list, functions that make tensors say on which device,
and `x.to("cpu")` says all there is to say. Our calls reach other overloads with the same result (`dispatch.py`); a trace is to show
PyTorch's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.device import cpu
from torchscript_dialect.tensor.dtype import complex128, float64
from torchscript_dialect.tensor.layout import strided
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.type_promotion import result_type

_NUMBERS_AS_TENSORS = frozenset(
    f"aten::{name}{suffix}"
    for name in "add sub mul div divide multiply subtract true_divide floor_divide".split()
    for suffix in ("", "_")
)
"""The operators whose other operand is a tensor for PyTorch's bindings even where it is a number."""

_LIKE_SELF = ("_like", "aten::new_")
_MADE_ANYWHERE = frozenset(("device", "pin_memory"))


class Call:
    """The operator that a call is to show, and for each of its operands the value and what the caller gave."""

    def __init__(self, operator: Operator, operands: Sequence[Any], given: Sequence[Any]) -> None:
        self.operator = operator
        self.operands = list(operands)
        self.given = list(given)

    def become(self, name: str, operands: Sequence[Any]) -> None:
        """Be a call of another overload."""
        operator = registry.find(name)
        assert operator is not None
        self.operator, self.operands, self.given = operator, list(operands), list(operands)


def as_bound(operator: Operator, operands: Sequence[Any], given: Sequence[Any]) -> Call:
    """The call as PyTorch's bindings make it."""
    call = Call(operator, operands, given)
    special = _SPECIAL.get(operator.qualified_name)
    if special is not None:
        special(call)
    elif operator.name in _NUMBERS_AS_TENSORS and operator.overload in ("Scalar", "Scalar_mode"):
        _with_tensor(call)
    else:
        _with_device(call)
    _with_whole_lists(call)
    return call


def _with_whole_lists(call: Call) -> None:
    """`max_pool2d(x, 2)` as `max_pool2d(x, [2, 2])`."""
    for place, argument in enumerate(call.operator.schema.arguments):
        size = argument.list_size
        operand = call.operands[place]
        if (
            not size
            or not isinstance(operand, list)
            or isinstance(call.given[place], (list, tuple))
        ):
            continue
        items = cast("list[Any]", operand)
        if len(items) == 1:
            call.operands[place] = items * size
            call.given[place] = [call.given[place]] * size


def number_tensor(number: Any) -> Tensor:
    """A number as the tensor that PyTorch makes of it beside another tensor: of the widest dtype of its kind."""
    if isinstance(number, float):
        return as_tensor(number, float64)
    return as_tensor(number, complex128) if isinstance(number, complex) else as_tensor(number)


# Note [Numbers as tensors]
# A number has less say in the dtype of a result than a tensor of one element: `n * 2.5` of integers is float32, of integers and a
# tensor of float64 it is float64, and so it is where both are tensors of one element. PyTorch keeps a mark of the number on the
# constant, which archives and its interpreter forget. Where the mark would count, ours shows the number as it is.


def _is_light(x: Tensor, number: Any) -> bool:
    """Whether a number gives the dtype that it has as a tensor, beside `x`."""
    with_number = result_type([x, number])
    return with_number == result_type([x, number_tensor(number)])


def _with_tensor(call: Call) -> None:
    """`add.Scalar` as `add.Tensor`, where a tensor gives the same dtype as the number does: see Note [Numbers as tensors]."""
    name = call.operator.qualified_name
    x, number = call.operands[:2]
    if not isinstance(call.given[1], Tensor) and not _is_light(x, number):
        return
    other = call.operator.qualified_name.replace(".Scalar_mode", ".Tensor_mode")
    found = other if other != name else name.replace(".Scalar", ".Tensor")
    if registry.find(found) is None:  # `aten::floor_divide` has no name for it
        found = call.operator.name
    operator = registry.find(found)
    assert operator is not None
    call.operator = operator
    if not isinstance(call.given[1], Tensor):
        call.operands[1] = number_tensor(call.operands[1])
    else:
        call.operands[1] = call.given[1]


def _with_device(call: Call) -> None:
    """The device of a new tensor, which the schema leaves open."""
    arguments = call.operator.schema.arguments
    names = [argument.name for argument in arguments]
    if not _MADE_ANYWHERE.issubset(names):
        return
    place = names.index("pin_memory")
    if call.operands[place] is None:
        call.operands[place] = call.given[place] = False
    place = names.index("device")
    name = call.operator.name
    if call.operands[place] is None and not (
        name.endswith(_LIKE_SELF[0]) or name.startswith(_LIKE_SELF[1])
    ):
        call.operands[place] = call.given[place] = cpu


def _to_device(call: Call) -> None:
    """`x.to("cpu")`: dtype and layout are those of `x`."""
    x = call.operands[0]
    call.become(
        "aten::to.dtype_layout",
        [x, x.dtype.scalar_type, strided_number(), cpu, None, *call.operands[3:5], None],
    )


def strided_number() -> int:
    """PyTorch's number of the layout that all tensors here have."""
    return int(getattr(strided, "number", 0))


def _to_other(call: Call) -> None:
    """`x.to(other)`: device and dtype are those of `other`."""
    x, other, *rest = call.operands
    call.become("aten::to.device", [x, other.device, other.dtype.scalar_type, *rest])


def _convolution(dims: int, *, is_transposed: bool) -> Callable[[Call], None]:
    """What all convolutions are: PyTorch does not record them under their own names."""

    def special(call: Call) -> None:
        named = dict(zip([a.name for a in call.operator.schema.arguments], call.operands))
        sizes = [named["stride"], named["padding"], named["dilation"]]
        outside = named.get("output_padding", 0)
        lists = [_of_length(each, dims) for each in (*sizes, outside)]
        call.become(
            "aten::_convolution",
            [
                *(named["input"], named["weight"], named["bias"], *lists[:3]),
                *(is_transposed, lists[3], named["groups"], False, False, True, True),
            ],
        )

    return special


def _of_length(value: int | list[int], length: int) -> list[int]:
    if isinstance(value, int):
        return [value] * length
    return value * length if len(value) == 1 else value


def _with_correction(call: Call) -> None:
    """`x.var()`, which PyTorch has no overload for where it does not say `unbiased`."""
    x, unbiased = call.operands
    if unbiased:
        call.become(f"{call.operator.name}.correction", [x, None, None, False])


_SPECIAL: dict[str, Callable[[Call], None]] = {
    "aten::to.prim_Device": _to_device,
    "aten::to.other": _to_other,
    **{f"aten::{name}": _with_correction for name in ("var", "std", "var_mean", "std_mean")},
    **{f"aten::conv{d}d": _convolution(d, is_transposed=False) for d in (1, 2, 3)},
    "aten::conv_transpose1d": _convolution(1, is_transposed=True),
    "aten::conv_transpose2d.input": _convolution(2, is_transposed=True),
    "aten::conv_transpose3d.input": _convolution(3, is_transposed=True),
}
"""What calls of single overloads become."""
