"""How losses of elements become one number: the names, the numbers of the operators, and the older flags."""

from __future__ import annotations

import warnings


def get_enum(reduction: str) -> int:
    """The number by which operators know a reduction; ValueError for an unknown name."""
    if reduction == "none":
        number = 0
    elif reduction == "mean":
        number = 1
    elif reduction == "elementwise_mean":
        warnings.warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.",
            stacklevel=2,
        )
        number = 1
    elif reduction == "sum":
        number = 2
    else:
        number = -1
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return number


def legacy_get_string(
    size_average: bool | None, reduce: bool | None, emit_warning: bool = True
) -> str:
    """The name of what two older flags ask for."""
    if size_average is None:
        size_average = True
    if reduce is None:
        reduce = True
    if size_average and reduce:
        name = "mean"
    elif reduce:
        name = "sum"
    else:
        name = "none"
    if emit_warning:
        warnings.warn(
            "size_average and reduce args will be deprecated, please use reduction='"
            + name
            + "' instead.",
            stacklevel=2,
        )
    return name


def legacy_get_enum(
    size_average: bool | None, reduce: bool | None, emit_warning: bool = True
) -> int:
    """The number of what two older flags ask for."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))


def enum_of(size_average: bool | None, reduce: bool | None, reduction: str) -> int:
    """The number of what the older flags ask for, and of the name where neither is given."""
    if size_average is not None or reduce is not None:
        number = legacy_get_enum(size_average, reduce)
    else:
        number = get_enum(reduction)
    return number
