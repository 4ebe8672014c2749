"""Tensors from everything else: arrays, NumPy scalars, DLPack, PyTorch, Python numbers and nested
sequences.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from math import inf, isfinite
from typing import Any, cast

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.tensor import device_exchange, dlpack, pytorch_state
from torchscript_dialect.tensor.dtype import (
    as_dtype,
    bfloat16,
    bool_,
    canonical,
    dtype,
    from_numpy,
    get_default_dtype,
    int64,
    is_canonical_dtype,
    of_array,
)
from torchscript_dialect.tensor.float8 import converted
from torchscript_dialect.tensor.float_errors import ignores_float_errors
from torchscript_dialect.tensor.grad_mode import is_grad_enabled
from torchscript_dialect.tensor.inference import made
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import promote_types, scalar_dtype


def as_tensor(value: Any, dtype: object = None) -> Tensor:
    """The tensor that `value` is or describes.

    Tensors, arrays and DLPack objects (PyTorch's tensors among them, apart from the autograd graph)
    keep their memory where no change of dtype is asked for. Python numbers and nested sequences
    give fresh tensors with the dtype that `torch.tensor` infers. TypeError, ValueError or
    RuntimeError, in PyTorch's words, for anything else.
    """
    wanted = None if dtype is None else as_dtype(dtype)
    array = shared_array(value)
    if array is None:
        return made(tensor_of(array_from_data(value, wanted)))
    if wanted is not None and of_array(array) is not wanted:
        array = cast_array(array, wanted)
    elif isinstance(value, Tensor):
        return value
    return made(tensor_of(array))


def as_operand(value: Any, dtype: object = None) -> Tensor:
    """`as_tensor` for an operand of an eager operator.

    Raises:
        RuntimeError: it is a tensor of PyTorch's that a gradient would have to go to.
    """
    if (
        getattr(value, "requires_grad", False)
        and not isinstance(value, Tensor)
        and is_grad_enabled()
    ):
        raise RuntimeError(
            "an eager operator got a tensor of PyTorch's that requires grad, whose gradient would be lost: gradients reach such "
            "tensors from compiled functions only; give it tensor.detach()"
        )
    return as_tensor(value, dtype)


def from_dlpack(value: dlpack.SupportsDLPack) -> Tensor:
    """A tensor that shares the memory of any object that speaks DLPack, strides included, or of a capsule of the CPU's memory, which it
    takes.
    """
    is_object = hasattr(value, "__dlpack__")
    return tensor_of(_from_dlpack(value if is_object else dlpack.Exporter(value)))


def shared_array(value: Any) -> NDArray[Any] | None:
    """A canonical array over the memory of `value`; None where it is no tensor of any kind."""
    if isinstance(value, Tensor):
        return value.array
    if isinstance(value, np.ndarray):
        return canonical(cast("NDArray[Any]", value))
    if isinstance(value, np.generic):
        return canonical(np.asarray(cast("Any", value)))
    torch = pytorch_state.loaded()
    if torch is not None and isinstance(value, getattr(torch, "Tensor", ())):
        return _array_from_torch(value)
    if hasattr(value, "__dlpack__"):
        return _from_dlpack(value)
    if hasattr(value, "__cuda_array_interface__"):
        return device_exchange.from_interface(value)
    if hasattr(value, "__array__"):
        return canonical(np.asarray(value))
    return None


def _from_dlpack(value: dlpack.SupportsDLPack) -> NDArray[Any]:
    if int(value.__dlpack_device__()[0]) == device_exchange.CUDA:
        return device_exchange.from_dlpack(value)
    return dlpack.to_array(value)


def _array_from_torch(value: Any) -> NDArray[Any]:
    """The memory of a `torch.Tensor`; lazy conjugations and negations are carried out, which gives copies that are read-only: what is
    written to them PyTorch would not see.
    """
    if value.requires_grad:
        value = value.detach()
    plain = array_of_pytorch(value)
    if plain is not None:
        return plain
    if value.is_cuda:
        return device_exchange.from_dlpack(value.resolve_conj().resolve_neg())
    if value.is_conj() or value.is_neg():
        copy = _array_from_torch(value.resolve_conj().resolve_neg())
        copy.flags.writeable = False
        return copy
    torch = pytorch_state.loaded()
    try:
        if value.dtype is torch.bfloat16:
            return value.view(torch.int16).numpy().view(bfloat16.numpy_dtype)
        return canonical(value.numpy())
    except (TypeError, RuntimeError):  # float8, other layouts, a PyTorch built without NumPy
        if torch._C._functorch.is_functorch_wrapped_tensor(value):
            raise TypeError(
                "it stands for others in a transform of torch.func, and has no memory"
            ) from None
        return dlpack.to_array(value)


def array_of_pytorch(value: Any) -> NDArray[Any] | None:
    """The memory of a tensor of PyTorch's, where that is an array as it stands; None elsewhere: on a device, with a gradient, lazily
    conjugated, of a dtype that NumPy lacks. So few questions are asked that compiled functions ask them in every call.
    """
    if value.requires_grad:
        return None
    try:
        array = value.numpy()
    except (TypeError, RuntimeError):
        return None
    return array if is_canonical_dtype(array.dtype) else None


@ignores_float_errors
def cast_array(array: NDArray[Any], wanted: dtype) -> NDArray[Any]:
    """A copy with another dtype, as `Tensor.to` makes it: complex numbers lose their imaginary
    part.
    """
    if array.dtype.kind == "c" and not wanted.is_complex:
        array = array != 0 if wanted is bool_ else np.real(array)
    return converted(wanted.numpy_dtype, array)


# Nested sequences


def array_from_data(data: Any, wanted: dtype | None = None) -> NDArray[Any]:
    """A fresh contiguous array from a number or nested sequences of numbers and tensors
    (`torch.tensor`).
    """
    if isinstance(data, (str, bytes)):
        raise TypeError(f"new(): invalid data type '{type(data).__name__}'")
    if (plain := _plain_numbers(data)) is not None:
        numbers, shape = plain
        target = wanted or scalar_dtype(numbers[0])
        if target is int64 and numbers[0].__class__ is int:
            with suppress(OverflowError):
                return np.array(numbers, np.int64).reshape(shape)
        return _narrowed(numbers, target).reshape(shape)
    shape = _nested_shape(data)
    leaves: list[Any] = []
    _collect(data, shape, 0, leaves)
    target = wanted or _inferred_dtype(leaves)
    return _narrowed([_number(leaf, target) for leaf in leaves], target).reshape(shape)


def _plain_numbers(data: Any) -> tuple[list[Any], list[int]] | None:
    """The numbers of a number or of nested lists, and their shape, where all are of one of Python's types and no list is empty."""
    numbers = [data]
    shape: list[int] = []
    while len(kinds := set(map(type, numbers))) == 1:
        (kind,) = kinds
        if kind in (bool, int, float, complex):
            return numbers, shape
        if kind is not list or len(sizes := set(map(len, numbers))) != 1:
            break
        shape += sizes
        numbers = [*chain.from_iterable(numbers)]
    return None


def _is_tensor(data: Any) -> bool:
    if isinstance(data, (Tensor, int, float, list)):
        return isinstance(data, Tensor)
    torch = pytorch_state.loaded()
    return torch is not None and isinstance(data, torch.Tensor)


def _number(leaf: Any, target: dtype) -> Any:
    """A leaf as a Python number: tensors of one element are numbers, integers for dtypes of integers, as in PyTorch."""
    if _is_tensor(leaf):
        is_whole = target.is_integral or target is bool_
        if is_whole and (leaf.numel() != 1 or leaf.is_floating_point() or leaf.is_complex()):
            raise TypeError("only integer tensors of a single element can be converted to an index")
        if leaf.numel() != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        if leaf.is_complex() and not target.is_complex:
            if leaf.item().imag:
                raise RuntimeError("value cannot be converted to type double without overflow")
            return leaf.item().real
    return leaf.item() if hasattr(leaf, "item") else leaf


_NUMBERS = frozenset((int, float, bool, complex))


def _is_sequence(data: Any) -> bool:
    """Whether data has elements by place, as what Python calls a sequence has."""
    if data.__class__ in _NUMBERS:
        return False
    if isinstance(data, (str, bytes)):
        raise ValueError(f"too many dimensions '{type(data).__name__}'")
    if hasattr(data, "ndim"):
        return data.ndim > 0
    if isinstance(data, (Sequence, Mapping)):
        return isinstance(data, Sequence)
    return hasattr(data, "__len__") and hasattr(data, "__getitem__")


def _nested_shape(data: Any) -> tuple[int, ...]:
    """The sizes along the path of first elements, at a tensor's end; `_collect` checks that the rest agrees."""
    shape: list[int] = []
    while not _is_tensor(data) and _is_sequence(data):
        shape.append(len(data))
        if not shape[-1]:
            break
        data = data[0]
    return tuple(shape)


def _collect(data: Any, shape: tuple[int, ...], depth: int, leaves: list[Any]) -> None:
    nested = _is_sequence(data)
    if depth == len(shape):
        if nested and not _is_tensor(data):
            raise TypeError(f"'{type(data).__name__}' object cannot be interpreted as a number")
        leaves.append(data)
        return
    if not nested:
        raise TypeError("not a sequence")
    if len(data) != shape[depth]:
        raise ValueError(
            f"expected sequence of length {shape[depth]} at dim {depth} (got {len(data)})"
        )
    for element in data:
        _collect(element, shape, depth + 1, leaves)


def _inferred_dtype(leaves: list[Any]) -> dtype:
    if not leaves:
        return get_default_dtype()
    found: dtype | None = None
    for kind in {id(kind): kind for kind in map(_leaf_dtype, leaves)}.values():
        found = kind if found is None else promote_types(found, kind)
    assert found is not None
    return found


def _leaf_dtype(leaf: Any) -> dtype:
    if isinstance(leaf, Tensor):
        return leaf.dtype
    if isinstance(leaf, (np.ndarray, np.generic)):
        return from_numpy(cast("Any", leaf).dtype)
    if isinstance(leaf, (bool, int, float, complex)):
        return scalar_dtype(leaf)
    if hasattr(leaf, "__dlpack__"):
        return of_array(as_tensor(leaf).array)
    raise RuntimeError(f"Could not infer dtype of {type(leaf).__name__}")


def check_fits(element: dtype, value: complex) -> None:
    """That elements of a dtype can hold a number, where PyTorch asks for that: operands of operators may be beyond, and are rounded.

    Raises:
        RuntimeError: a finite number beyond the ends of the dtype, NaN or an infinity for integers, or a complex number for reals.
    """
    low, high = limits(element)
    if isinstance(value, complex):
        fits = (
            element.is_complex
            and _is_within(value.real, low, high)
            and _is_within(value.imag, low, high)
        )
    elif element.is_integral:
        is_wrapping = low == -high and isinstance(value, int)
        fits = (low if low != -high or is_wrapping else 0) <= value <= high
    else:
        fits = element.is_float8 or _is_within(value, low, high)
    if not fits:
        name = _C_NAMES.get(element.name, element.name)
        raise RuntimeError(f"value cannot be converted to type {name} without overflow")


def _is_within(value: float, low: float, high: float) -> bool:
    return low <= value <= high or not isfinite(value)


@lru_cache(maxsize=32)
def limits(of: dtype) -> tuple[float, float]:
    """The least and the greatest number that elements of a dtype hold, and that PyTorch lets pass as one: small negative numbers wrap
    around where elements have no sign.
    """
    if of is bool_:
        return -inf, inf
    if of.is_integral:
        iinfo = np.iinfo(of.numpy_dtype)
        return int(iinfo.min) or -int(iinfo.max), int(iinfo.max)
    finfo: Any = getattr(ml_dtypes, "finfo")  # noqa: B009  (its stub leaves the type open)
    high = float(finfo(of.numpy_dtype).max)
    return -high, high


_C_NAMES = {
    "float32": "float",
    "float64": "double",
    "complex64": "c10::complex<float>",
    "int64": "int64_t",
    "int32": "int",
    "int16": "int16_t",
    "int8": "int8_t",
    "uint8": "uint8_t",
    "float16": "c10::Half",
    "bfloat16": "c10::BFloat16",
}


@ignores_float_errors
def _narrowed(numbers: list[Any], target: dtype) -> NDArray[Any]:
    """The numbers as a flat array of dtype `target`; errors for what `target` cannot hold."""
    if target.is_complex:
        return np.array(numbers, target.numpy_dtype)
    if target is bool_:
        return np.array([bool(number) for number in numbers], np.bool_)
    if any(isinstance(number, complex) for number in numbers):
        raise TypeError(
            "must be real number, not complex"
            if target.is_floating_point
            else "'complex' object cannot be interpreted as an integer"
        )
    if target.is_floating_point:
        return converted(target.numpy_dtype, np.array(numbers, np.float64))
    limits = np.iinfo(target.numpy_dtype)
    low = limits.min or -limits.max  # PyTorch lets small negative numbers wrap around
    if not limits.min:
        for number in numbers:
            if isinstance(number, float) and number < 0:
                check_fits(target, number)
    try:
        whole = [int(number) for number in numbers]
    except (ValueError, OverflowError):
        raise RuntimeError(
            f"value cannot be converted to type {target.name} without overflow"
        ) from None
    for given, number in zip(numbers, whole):
        if not low <= number <= limits.max:
            if target is int64 and not isinstance(given, float):
                raise ValueError("Overflow when unpacking long long")
            raise RuntimeError(f"value cannot be converted to type {target.name} without overflow")
    return np.array(
        [number % (limits.max + 1) for number in whole] if not limits.min else whole,
        target.numpy_dtype,
    )
