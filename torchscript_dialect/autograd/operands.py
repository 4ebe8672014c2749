"""Tensors among the operands and results of operators."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, cast

from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor


def with_places(operands: Sequence[Any]) -> Iterator[tuple[int, int | None, Tensor]]:
    """The tensors among operands: the number of the operand, and where it is a list of tensors that in the list."""
    for place, operand in enumerate(operands):
        if isinstance(operand, Tensor):
            yield place, None, operand
        elif operand.__class__ in (list, tuple):
            for element, each in enumerate(cast("Sequence[Any]", operand)):
                if isinstance(each, Tensor):
                    yield place, element, each


def is_one_tensor(operand: Any) -> bool:
    """Whether an operand is a list of one tensor: formulas read elements of such lists for the gradients of the others."""
    return operand.__class__ is list and len(operand) == 1


def plain_operand(value: Any, given: dict[int, Tensor]) -> Any:
    """The operand as kernels take it; in `given` are the tracked tensors by what stands for them."""
    if value.__class__ is TrackedTensor:
        stand_in = tensor_of(value.array)
        given[id(stand_in)] = value
        return stand_in
    if value.__class__ is list and any(item.__class__ is TrackedTensor for item in value):
        return [plain_operand(item, given) for item in value]
    return value


def mapped(result: Any, given: dict[int, Tensor]) -> Any:
    """A result with the tensors of the caller where the kernel gave what stood for them."""
    if isinstance(result, Tensor):
        return given.get(id(result), result)
    if isinstance(result, list):
        return [mapped(item, given) for item in cast("list[Any]", result)]
    if isinstance(result, tuple):
        return tuple(mapped(item, given) for item in cast("tuple[Any, ...]", result))
    return result


def results_of(result: Any) -> Sequence[Any]:
    """The results of an operator one by one."""
    return cast("Sequence[Any]", result) if isinstance(result, (list, tuple)) else (result,)
