"""Calls that Python makes in forms that no schema has: numbers in the place of tensors (PyTorch:
torch/csrc/utils/python_arg_parser.cpp, `should_allow_numbers_as_tensors`), and numbers in the place of keywords that came later
(tools/autograd/deprecated.yaml).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.dtype import dtype
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import result_type

_OF_NUMBERS = frozenset("add sub subtract mul multiply div divide true_divide floor_divide".split())
_SCALED = {"add": "alpha", "sub": "alpha", "addcmul": "value", "addcdiv": "value"}
"""Operators whose factor came before the tensors that it scales: `x.add_(factor, y)`."""
_AMBIGUOUS = frozenset(("aten::add", "aten::add_", "aten::sub", "aten::sub_"))
_PRODUCTS = frozenset("addmm addmv addr addbmm baddbmm sspaddmm".split())
"""Operators whose factors came before what they scale: `torch.addmm(beta, x, alpha, a, b)`, `x.addmm(beta, alpha, a, b)`."""
_SCALED_FORMS = frozenset(("tnt", "tntt"))
_PRODUCT_FORMS = frozenset(("nttt", "tntt", "ntntt", "tnntt"))
"""Which arguments are numbers and which tensors, in order."""

Call = tuple[list[Any], dict[str, Any]]


def as_schemas_have_it(name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Call | None:
    """The arguments of a call of today that is meant by one that no overload takes; None where there is none."""
    if not args and "input" in kwargs:
        args, kwargs = [kwargs["input"]], {key: kwargs[key] for key in kwargs if key != "input"}
    if isinstance(kwargs.get("out"), Tensor) and kwargs.keys() & _TOLD_BY_OUT:
        return list(args), _without_what_out_tells(kwargs)
    plain = name.removeprefix("aten::")
    base = plain.removesuffix("_")
    form = "".join(map(_kind, args))
    tensors = [one for one in args if isinstance(one, Tensor)]
    numbers = [one for one in args if not isinstance(one, Tensor)]
    if plain in _OF_NUMBERS and form[:1] == "n":
        other = args[1] if len(args) > 1 else kwargs.get("other")
        return [_as_tensor(args[0], other), *args[1:]], dict(kwargs)
    if plain in _OF_NUMBERS and form[:2] == "tn" and kwargs.get("out") is not None:
        return [args[0], _as_tensor(args[1], args[0]), *args[2:]], dict(kwargs)
    if base in _SCALED and form in _SCALED_FORMS:
        return tensors, {**kwargs, _SCALED[base]: numbers[0]}
    if base in _PRODUCTS and form in _PRODUCT_FORMS:
        return tensors, {**kwargs, **dict(zip(("beta", "alpha"), numbers, strict=False))}
    return None


_TOLD_BY_OUT = frozenset(("dtype", "layout", "device", "pin_memory"))


def _without_what_out_tells(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a factory that writes to `out`; RuntimeError where another dtype is asked for than it has."""
    wanted, out = kwargs.get("dtype"), kwargs["out"]
    if isinstance(wanted, dtype) and wanted is not out.dtype:
        raise RuntimeError(
            f"dtype {wanted.type_name} does not match dtype of out parameter ({out.dtype.type_name})"
        )
    return {key: value for key, value in kwargs.items() if key not in _TOLD_BY_OUT}


def is_factor_before_tensor(name: str, args: Sequence[Any]) -> bool:
    """Whether a call is `x.add(factor, y)`, which an overload would take as well where `y` may be a factor."""
    return len(args) == 3 and name in _AMBIGUOUS and "".join(map(_kind, args)) == "tnt"


def _kind(value: Any) -> str:
    if isinstance(value, Tensor):
        return "t"
    return "n" if isinstance(value, (bool, int, float, complex)) else "?"


def _as_tensor(number: Any, other: Any) -> Tensor:
    """A tensor without dimensions that decides of the dtype of a result what the number would, and is rounded as little."""
    if not isinstance(other, Tensor):
        return _of(number, result_type((number,)))
    element = result_type((other, number))
    if other.dim() and _wide(element) is _wide(other.dtype):
        element = _wide(element)
    return _of(number, element)


def _of(number: Any, element: dtype) -> Tensor:
    try:
        return tensor_of(np.array(number, element.numpy_dtype))
    except OverflowError:
        raise RuntimeError("Overflow when unpacking long") from None


def _wide(element: dtype) -> dtype:
    if element.is_complex:
        return dtypes.complex128
    if element.is_floating_point:
        return dtypes.float64
    return element if element is dtypes.bool_ else dtypes.int64
