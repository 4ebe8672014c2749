"""The functions of `torch` itself that are written in Python.

They are not in the module that stands for `torch`, as that has operators under names of Python's: a `len` there is `aten::len`.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from torchscript_dialect.ops.eager.dispatch import call, function
from torchscript_dialect.ops.eager.recording import RECORDING
from torchscript_dialect.ops.eager.tensors_in_traces import fresh_in_trace, lifted, shared_in_trace
from torchscript_dialect.tensor.conversion import as_tensor as _as_tensor
from torchscript_dialect.tensor.dtype import from_scalar_type
from torchscript_dialect.tensor.generator import Generator, default_generator, seed_all
from torchscript_dialect.tensor.inference import made
from torchscript_dialect.tensor.storages import TypedStorage, UntypedStorage
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

_segment_reduce = function("segment_reduce")


def tensor(
    data: Any,
    *,
    dtype: Any = None,
    device: Any = None,
    requires_grad: Any = False,
    pin_memory: Any = False,
) -> Tensor:
    """A fresh tensor of a number, of nested sequences of numbers, or a copy of an array or tensor."""
    if RECORDING.recorder is not None:
        result = fresh_in_trace(data, dtype, device)
        return result.requires_grad_() if requires_grad else result
    result = _as_tensor(data, dtype)
    if result.array.base is not None or result is data or hasattr(data, "__array__"):
        result = made(tensor_of(result.array.copy("K")))
    if device is not None:
        result = result.to(device)
    if requires_grad:
        result.requires_grad_()
    return result


tensor.__torchscript_op__ = "aten::tensor"  # type: ignore[attr-defined]


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """A tensor over the same memory where that is possible, otherwise as `tensor`."""
    if RECORDING.recorder is not None:
        return shared_in_trace(data, dtype, device)
    result = _as_tensor(data, dtype)
    return result if device is None else result.to(device)


as_tensor.__torchscript_op__ = "aten::as_tensor"  # type: ignore[attr-defined]


def from_numpy(array: Any) -> Tensor:
    """A tensor over the memory of an array; TypeError for anything else."""
    if not isinstance(array, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(array).__name__})")
    made = _as_tensor(array)
    return made if RECORDING.recorder is None else lifted(made)


def _assert(condition: Any, message: str) -> None:
    """AssertionError with the message unless the condition holds."""
    assert condition, message


_assert.__torchscript_op__ = "aten::_assert"  # type: ignore[attr-defined]


def _check(cond: Any, message: Any = None) -> None:
    """RuntimeError with what `message` gives, a text or a function, unless the condition holds."""
    _check_with(RuntimeError, cond, message)


def _check_with(error: type[Exception], cond: Any, message: Any = None) -> None:
    """The same with another error; TypeError for a condition that is no truth value."""
    if not isinstance(cond, bool):
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if not cond:
        told = message() if callable(message) else message
        if told is None:
            told = (
                "Expected cond to be True, but got False. (Could this error message be improved? If"
                " so, please report an enhancement request to PyTorch.)"
            )
        raise error(str(told))


_check_index = partial(_check_with, IndexError)
_check_value = partial(_check_with, ValueError)
_check_type = partial(_check_with, TypeError)
_check_not_implemented = partial(_check_with, NotImplementedError)


def _check_tensor_all(cond: Tensor, message: Any = None) -> None:  # pyright: ignore[reportUnusedFunction]
    """The same for all elements of a tensor of truth values."""
    _check(cond.all().item(), message)


_check.__torchscript_op__ = "aten::_check"  # type: ignore[attr-defined]


def is_tensor(obj: Any) -> Any:
    """Whether the object is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: Any) -> Any:
    """Whether the object is the memory of a tensor, as `x.storage()` gives it."""
    return isinstance(obj, (TypedStorage, UntypedStorage))


def manual_seed(seed: Any) -> Generator:
    """Start the default generators anew, those of devices, too."""
    return seed_all(seed)


manual_seed.__torchscript_op__ = "aten::manual_seed"  # type: ignore[attr-defined]


def seed() -> Any:
    """Start the default generators unpredictably; gives the seed."""
    return seed_all(default_generator.seed()).initial_seed()


def initial_seed() -> Any:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def einsum(equation: Any, *operands: Any) -> Tensor:
    """The sum of products that the equation names, or that lists of numbers name: `einsum(x, [0, 1], y, [1, 2], [0, 2])`."""
    if isinstance(equation, Tensor):
        from torchscript_dialect.ops.products.einsum import einsum_of_lists

        equation, listed = einsum_of_lists(equation, *operands)
        operands = tuple(listed)
    tensors: Any = operands
    if len(operands) == 1 and operands[0].__class__ in (list, tuple):
        tensors = operands[0]
    return call("aten::einsum", (equation, list(tensors)))


einsum.__torchscript_op__ = "aten::einsum"  # type: ignore[attr-defined]


def chain_matmul(*matrices: Tensor) -> Tensor:
    """The product of the matrices, in the order that takes the fewest multiplications."""
    return call("aten::chain_matmul", (list(matrices),))


chain_matmul.__torchscript_op__ = "aten::chain_matmul"  # type: ignore[attr-defined]


def _giving_dtype(name: str) -> Any:
    """An operator that gives a dtype, which to a program is an int and to Python is not."""
    of_programs = function(name)

    def of_python(*args: Any, **kwargs: Any) -> Any:
        return from_scalar_type(of_programs(*args, **kwargs))

    of_python.__name__ = of_python.__qualname__ = name
    of_python.__torchscript_op__ = f"aten::{name}"  # type: ignore[attr-defined]
    return of_python


def for_each_in_place(run: Callable[..., Any]) -> Callable[..., Any]:
    """An operator that writes to a list of tensors, as PyTorch's Python has it: it gives the list. Its schema has no result."""

    def write(self: Any, *args: Any, **kwargs: Any) -> Any:
        run(self, *args, **kwargs)
        return self

    write.__name__ = write.__qualname__ = run.__name__
    write.__torchscript_op__ = run.__torchscript_op__  # type: ignore[attr-defined]
    return write


promote_types, result_type = _giving_dtype("promote_types"), _giving_dtype("result_type")
