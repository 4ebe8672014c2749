"""Random arguments of a function, by its types: the same number makes the same arguments, each time in memory of their own."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from xdsl.dialects.builtin import ModuleOp, StringAttr

from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.runtime.interpreter.interpreter import callees_of
from torchscript_dialect.runtime.values.named_tuples import named_tuple
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.dtype import dtype, from_name
from torchscript_dialect.tensor.strides import contiguous_strides
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types import core
from torchscript_dialect.types.containers import (
    DictType,
    ListType,
    OptionalType,
    TupleType,
    UnionType,
)
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TensorType

SHAPES = ((3, 3), (2, 3), (3,), (), (1, 3), (0, 3), (2, 3, 4), (4, 4), (1, 2, 5, 5), (17,), (2, 1))
DTYPES = (
    *("float32", "float32", "float32", "float64", "int64", "bool"),
    *("float16", "bfloat16", "uint8", "int8", "int16", "int32", "complex64", "complex128"),
)
LAYOUTS = ("contiguous", "contiguous", "turned", "stepped", "expanded", "same", "shared")
SPECIAL = (float("nan"), float("inf"), float("-inf"), -0.0, 1e-40, 3e38)
LARGEST, MOST_DIMENSIONS = 1 << 22, 64
"""Of a tensor that is made: its elements, and what NumPy can index."""
WORDS = ("", "a", "key", "b", "Grüße", "12", "a b")


class Unsupported(Exception):
    """There are no random values of a type; the message names it."""


class Inputs:
    """The arguments with a number. The first are plain, later ones differ more and more."""

    def __init__(self, types: Sequence[TorchScriptType], number: int) -> None:
        self.types = tuple(types)
        self.number = number

    def make(self, module: ModuleOp) -> list[Any]:
        """The arguments; objects are made by the `__init__` of their class in the module.

        Raises:
            Unsupported: a parameter is of a type that has no random values.
        """
        return _Maker(self.number, module).arguments(self.types)


class _Maker:
    def __init__(self, number: int, module: ModuleOp) -> None:
        self.module = module
        self.r = r = random.Random(number)
        self.rng = np.random.default_rng(number)
        self.shape = SHAPES[0] if number < 2 else r.choice(SHAPES)
        self.dtype = from_name(DTYPES[0] if number < 4 else r.choice(DTYPES))
        self.is_mixed = number > 5 and r.random() < 0.3
        """Whether tensors differ in shape and dtype."""
        self.is_plain = number < 2
        self.has_special = number > 3 and r.random() < 0.4
        self.made: list[Tensor] = []

    def arguments(self, types: Sequence[TorchScriptType]) -> list[Any]:
        return [self.value(type_) for type_ in types]

    def value(self, type_: Any) -> Any:
        r = self.r
        if isinstance(type_, TensorType):
            return self.tensor(type_)
        if isinstance(type_, OptionalType):
            return None if r.random() < 0.3 else self.value(type_.element)
        if isinstance(type_, ListType):
            return [self.value(type_.element) for _ in range(r.randint(0, 3))]
        if isinstance(type_, DictType):
            count = r.randint(0, 3)
            return {self.value(type_.key): self.value(type_.value) for _ in range(count)}
        if isinstance(type_, TupleType):
            parts = [self.value(element) for element in type_.elements]
            if isinstance(type_.qualified_name, StringAttr):
                return named_tuple(type_.qualified_name.data, type_.field_names)(*parts)
            return tuple(parts)
        if isinstance(type_, UnionType):
            return self.value(r.choice(list(type_.members)))
        if isinstance(type_, ClassType):
            return self.object(type_)
        return self.simple(type_)

    def simple(self, type_: Any) -> Any:
        r = self.r
        if type_ == core.INT:
            return r.choice((0, 1, 2, 2, 3, -1, -2, 5))
        if type_ == core.FLOAT:
            special = self.has_special and r.random() < 0.3
            return r.choice(SPECIAL) if special else r.randint(-8, 8) / 4
        if type_ == core.BOOL:
            return r.random() < 0.5
        if type_ == core.COMPLEX:
            return complex(r.randint(-4, 4) / 2, r.randint(-4, 4) / 2)
        if type_ == core.NUMBER:
            return r.choice((r.randint(-3, 3), r.randint(-8, 8) / 4))
        if type_ == core.STR:
            return r.choice(WORDS)
        if type_ == core.NONE:
            return None
        if type_ == core.DEVICE:
            return device("cpu")
        if type_ == core.ANY:
            return self.value(r.choice((core.INT, core.FLOAT, core.STR, TensorType())))
        raise Unsupported(f"there are no random values of type {type_.annotation_str}")

    def object(self, type_: ClassType) -> ScriptObject:
        """An object of a class of the program."""
        name = type_.qualified_name.data
        maker = f"{name}.__init__"
        found = [one for one in functions_of(self.module) if one.sym_name.data == maker]
        if not found:
            raise Unsupported(f"there is no __init__ of {name} to make objects with")
        _, *types = found[0].function_type.inputs
        made = ScriptObject(name, callees_of(self.module))
        made.resolve(maker)(made, *(self.value(one) for one in types))
        return made

    # Tensors.

    def tensor(self, type_: TensorType) -> Tensor:
        """One of the type, which may share memory with those before it."""
        known = type_.dtype is not None
        of = from_name(type_.dtype) if type_.dtype else self.dtype
        shape = self.shape
        if self.is_mixed and not known:
            of = from_name(self.r.choice(DTYPES))
        if self.is_mixed and self.r.random() < 0.5:
            shape = self.r.choice(SHAPES)
        if type_.sizes is not None:
            sizes = [self.r.choice((2, 3)) if size is None else size for size in type_.sizes]
            shape = tuple(sizes)
        strides = type_.strides
        if strides is not None and None not in strides:
            made = tensor_of(self.filled(of, shape, [one or 0 for one in strides]))
        else:
            made = self.laid_out(of, shape)
        self.made.append(made)
        return made

    def laid_out(self, of: dtype, shape: tuple[int, ...]) -> Tensor:
        layout = "contiguous" if self.is_plain else self.r.choice(LAYOUTS)
        strides = list(contiguous_strides(shape))
        fitting = [one for one in self.made if one.dtype is of]
        if layout == "same" and any(one.array.shape == shape for one in fitting):
            return next(one for one in fitting if one.array.shape == shape)
        if layout == "shared" and fitting:
            base = self.r.choice(fitting).array
            if base.ndim and base.shape[0] > 1:
                return tensor_of(base[1:])
        if layout == "turned" and len(shape) > 1:
            turned = (*shape[:-2], shape[-1], shape[-2])
            return tensor_of(self.filled(of, turned, contiguous_strides(turned)).swapaxes(-1, -2))
        if layout == "stepped":
            strides = [2 * stride for stride in strides]
        if layout == "expanded" and shape:
            strides = [0, *contiguous_strides(shape[1:])]
        return tensor_of(self.filled(of, shape, strides))

    def filled(self, of: dtype, shape: Sequence[int], strides: Sequence[int]) -> Any:
        """An array in fresh memory: quarters, most sums of which are exact."""
        reach = sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
        count = 0 if 0 in shape else reach + 1
        if not 0 <= count <= LARGEST or len(shape) > MOST_DIMENSIONS:
            raise Unsupported(f"there are no random tensors of shape {list(shape)!s:.80}")
        numbers: Any = self.rng.integers(-12, 13, count) / 4
        if self.has_special:
            special = self.rng.choice(np.array(SPECIAL), count)
            numbers = np.where(self.rng.random(count) < 0.2, special, numbers)
        with np.errstate(all="ignore"):
            if of.is_complex:
                numbers = numbers + 0.5j * self.rng.integers(-4, 5, count)
            elif not of.is_floating_point:
                numbers = self.rng.integers(0 if not of.is_signed else -6, 7, count)
                numbers = numbers > 2 if of.name == "bool" else numbers
            flat = numbers.astype(of.numpy_dtype)
        return as_strided(flat, tuple(shape), [stride * of.itemsize for stride in strides])
