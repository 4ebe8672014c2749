"""Default values of all kinds, and Python that is not compiled."""

from enum import Enum
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor


class Mode(Enum):
    FAST = 1
    EXACT = 2


def _with_mode(x, mode: Mode = Mode.EXACT):
    if mode == Mode.FAST:
        return x
    return x * mode.value


@case(ramp(3))
@case(ramp(1, 2))
def member_of_an_enum(x):
    return _with_mode(x), _with_mode(x, Mode.FAST), _with_mode(x)


@case(ramp(3))
@case(ramp(1, 2))
def member_of_an_enum_in_own_signature(x, mode: Mode = Mode.FAST):
    return x + mode.value, mode.name


def _with_tuple(x, limits: Tuple[float, float] = (-0.5, 0.5)):
    return x.clamp(limits[0], limits[1])


@case(ramp(3))
@case(ramp(1, 2))
def tuple_of_numbers(x):
    return _with_tuple(x), _with_tuple(x, (0.0, 0.25))


def _with_list(x, dims: List[int] = (0,)):
    return x.sum(dims)


@case(ramp(3))
@case(ramp(1, 2))
def tuple_for_a_list(x):
    return _with_list(x), _with_list(x, [0])


def _with_dtype(x, dtype: torch.dtype = torch.float64):
    return x.to(dtype)


@case(ramp(3))
@case(ramp(1, 2))
def dtype_by_default(x):
    return _with_dtype(x), _with_dtype(x, torch.int64), _with_dtype(x, dtype=torch.float32)


def _with_text(x, reduction: str = "mean", weight: Optional[float] = None, keep: bool = False):
    if reduction == "none":
        return x
    total = x.mean(0, keepdim=keep) if reduction == "mean" else x.sum(0, keepdim=keep)
    return total if weight is None else total * weight


@case(ramp(3))
@case(ramp(4, 2))
def texts_and_flags(x):
    return _with_text(x), _with_text(x, "sum", 2.0), _with_text(x, keep=True), _with_text(x, reduction="none")


def _with_infinity(x, high: float = float("inf"), low: float = -1e-3):
    return torch.clamp(x, low, high)


@case(ramp(3))
@case(ramp(4, 2))
def infinity(x):
    return _with_infinity(x), _with_infinity(x, 0.25)


class Options(NamedTuple):
    scale: float = 2.0
    shift: int = 1
    name: str = "plain"


def _with_options(x, options: Options = Options()):
    return x * options.scale + options.shift


@case(ramp(3))
@case(ramp(4, 2))
def named_tuple_by_default(x):
    return _with_options(x), _with_options(x, Options(1.0)), Options(shift=3).name


@case(ramp(2, 3))
@case(ramp(1, 4))
def type_in_a_message(x):
    if x.dim() != 2:
        raise ValueError(f"expected a matrix, got a {type(x)}")
    return x.t()


@case(ramp(2, 3))
@case(ramp(1, 4))
def type_in_an_assertion(x):
    assert x.dim() == 2, "unexpected " + str(type(x))
    return x + 1


class Counter:
    limit: int

    def __init__(self, limit: int):
        self.limit = limit

    def left(self, used: int) -> int:
        return self.limit - used

    @staticmethod
    def twice(n: int) -> int:
        return 2 * n


@case(5)
@case(-1)
def attributes_of_a_class(n: int):
    counter = Counter(n)
    return hasattr(counter, "limit"), hasattr(counter, "other"), counter.left(2), Counter.twice(n)


@case(5)
@case(-1)
def attributes_asked_of_the_class(n: int):
    known = 0
    if hasattr(Counter, "twice"):
        known = Counter.twice(n)
    return known, hasattr(Counter, "nothing")


@case(ramp(3), None)
@case(ramp(2), 4)
def union_that_may_be_none(x, n: Optional[int] = None):
    count = 1 if n is None else n
    return x * count


@case(3)
@case(ramp(2))
def any_of_several(value: Any):
    if isinstance(value, int):
        return 1
    if isinstance(value, Tensor):
        return 2
    return 3
