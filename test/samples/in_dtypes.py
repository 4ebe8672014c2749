"""Samples of operators in each dtype: calls of an operator with its tensors in another dtype than the sample's.

The tensors that change are those of one dtype: of the first floating or complex one, or else of the first that is no bool; of `where` that
of the condition. They are called the operator's main operands. An operator without tensors takes each dtype as its argument `dtype`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from samples import samples_of
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.tensor.dtype import all_dtypes, dtype

TRIED = 16
"""How many samples of an operator are looked at."""

Takes = Callable[[Operator, Sequence[Any]], bool]


@dataclass(frozen=True)
class Case:
    """An operator with operands of a dtype: `samples` are several calls."""

    operator: Operator
    dtype: dtype
    places: tuple[int, ...]
    """The main operands, by their numbers."""
    samples: list[list[Any]]


def cases(operator: Operator, takes: Takes, kept: int) -> Iterator[Case]:
    """The operator in each dtype, in so many of the calls that it takes as they are; nothing of one that has none, or an `out`."""
    if any(argument.kwarg_only and argument.alias for argument in operator.schema.arguments):
        return
    found = [make() for make in islice(samples_of(operator), TRIED)]
    option = _option(operator)
    if option is None:
        found = [arguments for arguments in found if _may_change(arguments)]
    taken = _preferred([arguments for arguments in found if takes(operator, copied(arguments))])
    chosen = taken[:: max(1, len(taken) // kept)][:kept]
    if not chosen:
        return
    main = [] if option is not None else [_main(operator, arguments) for arguments in chosen]
    places = (option,) if option is not None else _common(list(map(_places, chosen, main)))
    for element in all_dtypes() if places else ():
        if option is not None:
            samples = [_replaced(arguments, option, element.scalar_type) for arguments in chosen]
        else:
            samples = [_in_dtype(list(a), of, element, {}) for a, of in zip(chosen, main)]
        yield Case(operator, element, places, samples)


# The main operands


def arrays(value: Any) -> list[np.ndarray]:
    """The arrays among arguments, in order."""
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, (list, tuple)):
        return [array for item in value for array in arrays(item)]
    return []


def _may_change(arguments: Sequence[Any]) -> bool:
    found = arrays(list(arguments))
    return bool(found) and all(array.size for array in found)


def _preferred(taken: list[Any]) -> list[Any]:
    """The calls whose tensors are all floats, or else those with some floats, or else those with tensors of one dtype."""

    def kinds(arguments: Sequence[Any]) -> set[np.dtype[Any]]:
        return {array.dtype for array in arrays(list(arguments))}

    def floats(arguments: Sequence[Any]) -> int:
        return sum(kind.kind in "fcV" for kind in kinds(arguments))

    uniform = [arguments for arguments in taken if len(kinds(arguments)) <= 1]
    return (
        [arguments for arguments in uniform if floats(arguments)]
        or [arguments for arguments in taken if floats(arguments) == 1]
        or uniform
        or taken
    )


def _main(operator: Operator, arguments: Sequence[Any]) -> np.dtype[Any]:
    kinds = [array.dtype for array in arrays(list(arguments))]
    if operator.name == "aten::where":
        return kinds[0]
    of_numbers = [kind for kind in kinds if kind.kind in "fcV"]
    return next(iter(of_numbers or [kind for kind in kinds if kind.kind != "b"] or kinds))


def _places(arguments: Sequence[Any], of: np.dtype[Any]) -> set[int]:
    return {
        place
        for place, argument in enumerate(arguments)
        if (found := arrays(argument)) and found[0].dtype == of
    }


def _common(places: Sequence[set[int]]) -> tuple[int, ...]:
    return tuple(sorted(set[int].intersection(*places)))


def _option(operator: Operator) -> int | None:
    """The place of the dtype that an operator without tensors is told."""
    arguments = operator.schema.arguments
    if any("Tensor" in argument.type.repr_str for argument in arguments):
        return None
    found = [place for place, one in enumerate(arguments) if "ScalarType" in one.spelling]
    return found[0] if found else None


def _replaced(arguments: Sequence[Any], place: int, value: Any) -> list[Any]:
    return [value if at == place else one for at, one in enumerate(arguments)]


# In another dtype


def _in_dtype(value: Any, of: np.dtype[Any], element: dtype, memo: dict[int, Any]) -> Any:
    if isinstance(value, np.ndarray):
        if value.dtype == of and id(value) not in memo:
            memo[id(value)] = _converted(value, element)
        return memo.get(id(value), value)
    if isinstance(value, (list, tuple)):
        return type(value)(_in_dtype(item, of, element, memo) for item in value)
    return value


def _converted(array: np.ndarray, element: dtype) -> np.ndarray:
    """The array in another dtype, its strides kept: of floats no zero comes, and nothing negative where there is nothing negative."""
    numbers = np.asarray(np.real(array)).astype(np.float64)
    numbers = np.clip(np.where(np.isfinite(numbers), numbers, 1.0), -100, 100)
    if not element.is_floating_point and not element.is_complex and array.dtype.kind in "fcV":
        numbers = np.where(numbers < 0, np.floor(numbers), np.ceil(numbers))
        numbers = np.where(numbers == 0, 1.0, numbers)
    if not element.is_signed:
        numbers = np.abs(numbers)
    made = np.empty_like(array, element.numpy_dtype)
    made[...] = numbers.astype(element.numpy_dtype)
    return made


def copied(arguments: Sequence[Any]) -> list[Any]:
    """The arguments with arrays of their own, one for one; those that are expanded stay what they are."""
    return _copied(list(arguments), {})


def _copied(value: Any, memo: dict[int, Any]) -> Any:
    if isinstance(value, np.ndarray):
        if id(value) not in memo:
            memo[id(value)] = np.copy(value, order="K") if value.flags.forc else value
        return memo[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(_copied(item, memo) for item in value)
    return value
