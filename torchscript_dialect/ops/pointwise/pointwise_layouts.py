"""What pointwise operators remember of operands that they have met.

Note [Remembered layouts]
What dtype and strides PyTorch gives the result of strided operands, or of those of several shapes and dtypes, is a question that takes
longer than the computation. It is asked once for operands of the same dtypes, sizes and strides: what the general way gave then tells
whether NumPy lays its result out so by itself, or else in which order of dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from torchscript_dialect.ops.large import LARGE
from torchscript_dialect.ops.pointwise.numpy_math import NUMPY
from torchscript_dialect.ops.pointwise.pointwise_declaration import INT_TO_FLOAT, Role
from torchscript_dialect.ops.pointwise.pointwise_evaluator import Evaluator, is_one_of
from torchscript_dialect.tensor.dtype import dtype, get_default_dtype
from torchscript_dialect.tensor.float_errors import in_silence, is_silent
from torchscript_dialect.tensor.strides import inverse
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.type_promotion import opmath
from torchscript_dialect.utils.memo import Memo

Array = NDArray[Any]
Compute = Callable[..., Any]


class Layout(NamedTuple):
    """A result: its dtype, whether NumPy gives it of itself, or else the sizes by falling strides, and the place of each dimension
    among them.
    """

    dtype: np.dtype[Any]
    is_natural: bool
    block: tuple[int, ...] = ()
    places: tuple[int, ...] = ()
    is_large: bool = False
    """Whether it has as many elements as large tensors have, whatever the operands have."""

    def empty(self) -> Array:
        """An array for it."""
        return np.empty(self.block, self.dtype).transpose(self.places)


class Layouts:
    """Those of one operator, whose results `compute` gives for arrays and numbers. `takes_out`: it can be told where to put them. Large
    results that operands of several shapes have are left to `large`.
    """

    def __init__(
        self, compute: Compute, *, takes_out: bool, large: Callable[..., Any] | None = None
    ) -> None:
        self.compute = compute
        self.takes_out = takes_out
        self.large = large
        self.known: Memo[Any, Layout | None] = Memo(1 << 10)
        """By the sizes and strides of operands; None where the general way is the only one."""

    def run(
        self, key: Any, values: Sequence[Any], general: Callable[..., Any], *operands: Any
    ) -> Any:
        """The result for operands, whose arrays and numbers are `values`; `general` gives it whatever they are, or None where it is not
        wanted then.
        """
        layout = self.known.get(key)
        if layout is None:
            result = general(*operands)
            if result is not None and key not in self.known:
                self.known[key] = self._layout_of(result.array, values)
            return result
        if layout.is_large:
            assert self.large is not None
            return self.large(*operands)
        compute = self.compute
        if layout.is_natural:
            raw = compute(*values) if is_silent() else in_silence(compute, *values)
            return tensor_of(raw)
        out = layout.empty()
        if is_silent():
            compute(*values, out)
        else:
            in_silence(compute, *values, out)
        return tensor_of(out)

    def _layout_of(self, wanted: Array, values: Sequence[Any]) -> Layout | None:
        if self.large is not None and wanted.size >= LARGE:
            return Layout(wanted.dtype, True, is_large=True)
        raw = in_silence(self.compute, *values)
        if is_laid_out(raw, wanted, values):
            return Layout(wanted.dtype, True)
        if not self.takes_out or raw.__class__ is not np.ndarray or raw.dtype != wanted.dtype:
            return None
        return _permuted(wanted)


def is_laid_out(raw: Any, wanted: Array, values: Sequence[Any]) -> bool:
    """Whether what a body gave is new, and laid out as the result is to be."""
    if raw.__class__ is not np.ndarray or raw.base is not None or any(raw is v for v in values):
        return False
    return (raw.dtype, raw.shape, raw.strides) == (wanted.dtype, wanted.shape, wanted.strides)


def _permuted(wanted: Array) -> Layout | None:
    """The layout of an array that is dense, in whatever order of dimensions; None for another."""
    strides, shape = wanted.strides, wanted.shape
    order = sorted(range(wanted.ndim), key=lambda dim: (-strides[dim], -shape[dim], dim))
    found = Layout(wanted.dtype, False, tuple(shape[dim] for dim in order), inverse(order))
    return found if found.empty().strides == strides else None


class Recipe(NamedTuple):
    """How operands of certain kinds are computed with."""

    common: dtype
    body: Compute
    casts: tuple[np.dtype[Any] | None, ...]
    """What arrays are cast to."""
    numbers: Memo[Any, Any]
    """What the body took for numbers other than 0, by place and number: 0.0 equals -0.0."""

    def run(self, evaluator: Evaluator, operands: Sequence[Any]) -> tuple[Any, list[Any]]:
        """What the body gives, and what it was given."""
        if evaluator.pointwise.check_operands is not None:
            evaluator.pointwise.check_operands(*operands)
        values = self.values(evaluator, operands)
        body = self.body
        return body(NUMPY, *values) if is_silent() else in_silence(body, NUMPY, *values), values

    def values(self, evaluator: Evaluator, operands: Sequence[Any]) -> list[Any]:
        """What the body takes for operands."""
        values: list[Any] = []
        for place, (operand, cast) in enumerate(zip(operands, self.casts)):
            if operand.__class__ is Tensor:
                array = operand.array
                values.append(array if cast is None else array.astype(cast))
            elif operand is None or evaluator.roles[place] is not Role.NUMBER:
                values.append(operand)
            else:
                number = self.numbers.get((place, operand))
                if number is None:
                    number = evaluator.number(operand, evaluator.names[place], self.common)
                    if operand:
                        self.numbers[place, operand] = number
                values.append(number)
        return values


class Recipes:
    """Those of one operator, by the kinds of operands; None where the general way is the only one."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.roles = evaluator.roles
        promotion = evaluator.pointwise.promotion
        self.asks_default = promotion is INT_TO_FLOAT or Role.NUMBER in self.roles

    def kinds(self, operands: Sequence[Any]) -> Any:
        """What a recipe depends on; None where there is none."""
        kinds: list[Any] = [get_default_dtype()] if self.asks_default else []
        for operand, role in zip(operands, self.roles):
            if operand.__class__ is Tensor:
                array = operand.array
                if array.__class__ is not np.ndarray or not array.size:
                    return None
                kinds += (array.dtype, array.shape, array.strides)
            elif role is Role.NUMBER:
                kinds.append(operand.__class__)
            elif operand is None or operand.__class__ in _STATIC:
                kinds += (operand.__class__, operand)
            else:
                return None
        return tuple(kinds)

    def made(self, operands: Sequence[Any]) -> Recipe | None:
        """A recipe for operands that the general way has taken."""
        evaluator = self.evaluator
        common, _ = evaluator.dtypes(operands)
        compute = opmath(common).numpy_dtype
        if compute != common.numpy_dtype:
            return None
        casts = [
            compute
            if one.__class__ is Tensor and not keeps and one.array.dtype != compute
            else None
            for one, keeps in zip(operands, evaluator.keeps)
        ]
        return Recipe(common, evaluator.pointwise.body_for(common), tuple(casts), Memo(8))


_STATIC = (bool, int, str)


def remembering(evaluator: Evaluator, general: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """What runs an operator as `general` does, sooner for operands of kinds that came before: Note [Remembered layouts]."""
    recipes = Recipes(evaluator)
    known: Memo[Any, tuple[Recipe, Layout] | None] = Memo(1 << 10)

    def run(*operands: Any) -> Tensor:
        kinds = recipes.kinds(operands)
        if kinds is None:
            return general(*operands)
        found = known.get(kinds)
        if found is None:
            result = general(*operands)
            if kinds not in known:
                known[kinds] = _with_layout(recipes, operands, result.array)
            return result
        recipe, layout = found
        raw, values = recipe.run(evaluator, operands)
        if layout.is_natural and not is_one_of(raw, values):
            return tensor_of(raw)
        out = layout.empty()
        np.copyto(out, raw, casting="unsafe")
        return tensor_of(out)

    return run


def _with_layout(
    recipes: Recipes, operands: Sequence[Any], wanted: Array
) -> tuple[Recipe, Layout] | None:
    recipe = recipes.made(operands)
    if recipe is None:
        return None
    raw, values = recipe.run(recipes.evaluator, operands)
    is_natural = is_laid_out(raw, wanted, values)
    layout = Layout(wanted.dtype, True) if is_natural else _permuted(wanted)
    return None if layout is None else (recipe, layout)


def remembering_in_place(
    evaluator: Evaluator, general: Callable[..., Tensor]
) -> Callable[..., Tensor]:
    """The same for an operator in place. Operands that may share memory with the one that is written to are left to `general`."""
    recipes = Recipes(evaluator)
    known: Memo[Any, Recipe | None] = Memo(1 << 10)

    def run(target: Tensor, *rest: Any) -> Tensor:
        operands = (target, *rest)
        kinds = recipes.kinds(operands)
        if kinds is None or shares_memory(target.array, rest):
            return general(*operands)
        recipe = known.get(kinds)
        if recipe is None:
            general(*operands)
            if kinds not in known:
                known[kinds] = recipes.made(operands)
            return target
        np.copyto(target.array, recipe.run(evaluator, operands)[0], casting="unsafe")
        return target

    return run


def shares_memory(array: Array, operands: Sequence[Any]) -> bool:
    """Whether one of the operands is another array that may share memory with this one."""
    for operand in operands:
        if operand.__class__ is not Tensor or (other := operand.array) is array:
            continue
        both_own = array.base is None and other.base is None
        if not both_own and np.may_share_memory(array, other):
            return True
    return False
