"""Recorded operators at one place of a program.

Note [Sites]
`recorded` finds out at each call what it is to do with operands of their classes. At one place of a program these are mostly the same
again: what runs the operator there is replaced, once operands came that require gradients, by a function that tests for their classes
and does what the others would have led to. Where none came in a number of calls, it is one for operands without gradients. Operands of
other classes go the general way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol

from torchscript_dialect.autograd.usual_calls import Usual
from torchscript_dialect.ops.registry import Kernel, Operator
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor, without_history
from torchscript_dialect.tensor.unstrided import is_made
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import BOOL, FLOAT, INT, NUMBER, STR
from torchscript_dialect.types.mutability import may_hold_tensors
from torchscript_dialect.utils.generated import function_of
from torchscript_dialect.utils.properties import cached_property

TRIES = 6
"""Calls without an operand that requires a gradient, after which none is expected."""

_NUMBERS = (INT, FLOAT, BOOL, NUMBER, STR)

Use = Callable[[Kernel], None]
"""Takes what runs the operator from then on."""


class Recording(Protocol):
    """What there is to know of an operator that is recorded; `_Recorded` in recording.py."""

    operator: Operator
    kernel: Kernel
    only_asks: bool
    is_new: bool
    usual: dict[tuple[type, ...], Usual | None]
    on_plain: cached_property[Kernel | None]

    def __call__(self, *operands: Any) -> Any:
        """Run the operator, whatever the operands are."""
        ...


def at_site(recording: Recording, use: Use) -> Kernel:
    """What runs an operator at one place: Note [Sites]."""
    if recording.only_asks:
        return _asking(recording)
    left = TRIES

    def run(*operands: Any) -> Any:
        nonlocal left
        result = recording(*operands)
        left -= 1
        classes = tuple(map(type, operands))
        target: Usual | Kernel | None = recording.usual.get(classes)
        if target is None and not left and TrackedTensor not in classes:
            target = _of_plain(recording, classes)
        if target is not None:
            use(_for_classes(recording, classes, target))
        return result

    return run


def _of_plain(recording: Recording, classes: Sequence[type]) -> Kernel | None:
    """What runs the operator for operands without gradients; None where more than their classes tells that they are."""
    if recording.on_plain is not None:
        return recording.on_plain
    return recording.kernel if recording.is_new and list not in classes else None


def _names(operator: Operator) -> list[str]:
    return [f"a{place}" for place in range(len(operator.schema.arguments))]


def _for_classes(recording: Recording, classes: Sequence[type], target: Usual | Kernel) -> Kernel:
    """What gives operands of these classes to `target`, and others to the recording."""
    names = _names(recording.operator)
    given = ", ".join(names)
    words: dict[str, Any] = {
        "general": recording,
        "is_made": is_made,
        "target": target,
    }
    tests: list[str] = []
    for place, (argument, class_) in enumerate(
        zip(recording.operator.schema.arguments, classes, strict=True)
    ):
        if not _is_of_numbers(argument.type):
            words[f"class{place}"] = class_
            tests.append(f"a{place}.__class__ is class{place}")
    if isinstance(target, Usual):
        return target.at_site(" and ".join(tests), words)
    tests.append("not is_made()")
    lines = [
        f"if {' and '.join(tests)}: return target({given})",
        f"return general({given})",
    ]
    return function_of(given, lines, words)


def _is_of_numbers(type_: Any) -> bool:
    """Whether operands of a type are numbers, or lists of them."""
    return type_ in _NUMBERS or (isinstance(type_, ListType) and type_.element in _NUMBERS)


def _asking(recording: Recording) -> Kernel:
    """What runs an operator that gives no tensors and changes none."""
    names = _names(recording.operator)
    given = ", ".join(names)
    words: dict[str, Any] = {
        "Tensor": Tensor,
        "TrackedTensor": TrackedTensor,
        "general": recording,
        "is_made": is_made,
        "kernel": recording.kernel,
        "new": object.__new__,
        "without_history": without_history,
    }
    return function_of(given, _lines_of_asking(recording.operator, names, given), words)


def _lines_of_asking(operator: Operator, names: Sequence[str], given: str) -> Iterable[str]:
    yield f"if is_made(): return general({given})"
    for name, argument in zip(names, operator.schema.arguments, strict=True):
        if may_hold_tensors(argument.type):
            yield f"if {name}.__class__ is TrackedTensor:"
            yield f"    array, {name} = {name}.array, new(Tensor)"
            yield f"    {name}.array = array"
            yield f"elif {name}.__class__ is not Tensor: {name} = without_history({name})"
    yield f"return kernel({given})"
