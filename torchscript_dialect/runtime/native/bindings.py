"""What the native entry does with arguments, in Python: for kernels that it cannot call.

The rules are those of Note [The native entry] in native/entry_ir.py; a test holds the two against each other.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.backend import (
    Bindings,
    Dim,
    Executable,
    Input,
    KernelSpec,
    NoneInput,
    ScalarInput,
    Sym,
    TensorInput,
    TensorOutput,
)
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.tensor.strides import inverse
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

_TYPES = {"int": int, "float": float, "bool": bool}


def bind(
    spec: KernelSpec,
    arguments: Sequence[Any],
    sizes: Callable[[array[int], Sequence[Any]], bool] | None = None,
    make: Callable[[Sequence[int], np.dtype[Any]], NDArray[Any]] = np.empty,
    arrays_of: type = np.ndarray,
) -> Bindings | None:
    """A call of a kernel with these arguments, its results allocated; None where the kernel does not serve them.

    `sizes` computes derived words and says whether the constraints between words, and between the addresses of arguments, hold. `make`
    allocates; arguments are arrays of the very class `arrays_of`.
    """
    call = _Call(spec.num_syms, arrays_of)
    if len(arguments) != len(spec.inputs):
        return None
    if not all(map(call.takes, spec.inputs, arguments)):
        return None
    if sizes is not None and not sizes(call.syms, call.arrays):
        return None
    arrays = [
        make([call.read(dim) for dim in in_memory(one)], from_name(one.dtype).numpy_dtype)
        for one in spec.outputs
    ]
    return Bindings((*call.arrays, *arrays), call.syms, results_of(spec, arrays))


def in_memory(output: TensorOutput) -> Sequence[Dim]:
    """The sizes of an output in the order of memory."""
    return output.shape if output.order is None else [output.shape[axis] for axis in output.order]


def results_of(spec: KernelSpec, arrays: Sequence[NDArray[Any]]) -> tuple[Tensor, ...]:
    """The outputs, of arrays that have their elements in the order of memory."""
    return tuple(
        tensor_of(array if one.order is None else array.transpose(inverse(one.order)))
        for one, array in zip(spec.outputs, arrays, strict=True)
    )


def size_of(dims: Sequence[Dim], call: Bindings) -> int:
    """The product of dimensions, in a call."""
    return prod(call.syms[dim.index] if isinstance(dim, Sym) else dim for dim in dims)


def result_of(spec: KernelSpec, call: Bindings) -> Tensor | tuple[Tensor, ...]:
    """What a call returns."""
    return call.results if spec.returns_tuple else call.results[0]


class Launcher:
    """Runs an executable where the arguments fit, and hands other calls to `slow_path`."""

    def __init__(self, executable: Executable, slow_path: Callable[..., Any]) -> None:
        self.executable = executable
        self.slow_path = slow_path

    def __call__(self, *args: Any) -> Any:
        call = self.executable.bind(args)
        return self.slow_path(*args) if call is None else self.executable.launch(call)


class _Call:
    """A call in the making: the words that arguments have bound so far."""

    def __init__(self, num_syms: int, arrays_of: type) -> None:
        self.arrays_of = arrays_of
        self.syms = array("q", bytes(8 * num_syms))
        self.bound: set[int] = set()
        self.arrays: list[NDArray[Any]] = []

    def takes(self, wanted: Input, given: Any) -> bool:
        """Whether an argument is what the kernel wants in its place; binds its sizes."""
        match wanted:
            case TensorInput():
                return self.takes_tensor(wanted, given)
            case ScalarInput():
                return type(given) is _TYPES[wanted.kind] and self.takes_number(wanted.sym, given)
            case NoneInput():
                return given is None

    def takes_tensor(self, wanted: TensorInput, given: Any) -> bool:
        if type(given) is Tensor:
            given = given.array
        if type(given) is not self.arrays_of:
            return False
        values: NDArray[Any] = given
        if values.dtype != from_name(wanted.dtype).numpy_dtype or values.ndim != len(wanted.shape):
            return False
        if not values.flags.aligned:
            return False
        self.arrays.append(values)
        if not all(map(self.matches, wanted.shape, values.shape)):
            return False
        if wanted.strides is None:
            return values.flags.c_contiguous
        return all(map(self.matches_stride, wanted.strides, *_strides(values)))

    def takes_number(self, sym: Sym, given: float) -> bool:
        if isinstance(given, float):
            self.syms[sym.index] = array("q", array("d", [given]).tobytes())[0]
        elif -(1 << 63) <= given < 1 << 63:
            self.syms[sym.index] = given
        else:
            return False
        return True

    def matches(self, dim: Dim, actual: int) -> bool:
        if not isinstance(dim, Sym):
            return dim == actual
        if dim.index in self.bound:
            return self.syms[dim.index] == actual
        self.bound.add(dim.index)
        self.syms[dim.index] = actual
        return True

    def matches_stride(self, dim: Dim, actual: float, size: int) -> bool:
        """As `matches`; strides of dimensions that have nothing to step to are not looked at, but bound."""
        is_bound = isinstance(dim, Sym) and dim.index in self.bound
        if size <= 1 and (is_bound or not isinstance(dim, Sym)):
            return True
        return (size <= 1 or actual == int(actual)) and self.matches(dim, int(actual))

    def read(self, dim: Dim) -> int:
        return self.syms[dim.index] if isinstance(dim, Sym) else dim


def _strides(values: NDArray[Any]) -> tuple[list[float], tuple[int, ...]]:
    """The strides of an array, in elements, and its sizes."""
    return [stride / values.itemsize for stride in values.strides], values.shape
