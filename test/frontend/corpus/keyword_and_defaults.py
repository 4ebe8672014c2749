"""Keyword arguments, defaults, keyword-only arguments."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



def power(base: int, exponent: int = 2, shift: int = 0) -> int:
    r = 1
    for i in range(exponent):
        r *= base
    return r + shift


@case(3)
@case(2)
def defaults_are_filled_in(x: int):
    return power(x), power(x, 3), power(x, 3, 1)


@case(3)
@case(2)
def keywords_in_any_order(x: int):
    return power(shift=1, base=x), power(x, shift=5), power(exponent=1, shift=2, base=x)


@case(1)
@case(1, 5)
@case(1, b=7, c="z")
def own_defaults(a: int, b: int = 2, c: str = "x"):
    return str(a + b) + c


@case(1.0)
@case(1.0, 2.0, False)
def default_types(x: float, y: float = 1, flag: bool = True, n: Optional[int] = None):
    if n is None:
        n = 3
    return x + y * n if flag else x


@case(1, k=4)
@case(1, k=3)
def keyword_only(x: int, *, k: int):
    return x * k


def only(x: int, *, k: int, s: str) -> str:
    return s + str(x * k)


@case(1)
@case(2)
def keyword_only_of_a_callee(x: int):
    return only(x, k=2, s="r"), only(x, s="q", k=x)


@case(ramp(2, 3))
@case(ramp(4, 1))
def keywords_of_operators(x):
    return torch.sum(x, dim=1), x.sum(dim=[0, 1], keepdim=True), torch.add(x, x, alpha=2), x.softmax(dim=-1)


@case(2)
@case(3)
def keywords_of_creation(n: int):
    return torch.zeros([n], dtype=torch.int64), torch.ones(n, dtype=torch.float64, device="cpu")


@case(ramp(2, 3))
@case(ramp(3, 3))
def int_for_a_list_argument(x):
    return x.sum(1), torch.sum(x, (0,)), x.mean(dim=0)


def optional_default(x: Tensor, bias: Optional[Tensor] = None) -> Tensor:
    if bias is not None:
        return x + bias
    return x


@case(ramp(2))
@case(ramp(3))
def optional_tensor_default(x):
    return optional_default(x), optional_default(x, x), optional_default(x, bias=x * 2)


def tuple_default(x: int, t: Tuple[int, int] = (1, 2)) -> int:
    return x + t[0] * t[1]


@case(1)
@case(5)
def tuple_as_default(x: int):
    return tuple_default(x), tuple_default(x, (3, 4))


def float_default(x: float, eps: float = 1e-5, inf: float = float("inf")) -> float:
    return min(x + eps, inf)


@case(1.0)
@case(-2.0)
def float_defaults(x: float):
    return float_default(x), float_default(x, 0.5), float_default(x, inf=0.0)


def string_default(s: str = "it's \"q\"\n") -> str:
    return s + "!"


@case(1)
@case(2)
def string_defaults(x: int):
    return string_default(), string_default("a")


def dtype_default(n: int, dtype: int = torch.float64) -> Tensor:
    return torch.zeros([n], dtype=dtype)


@case(1)
@case(2)
def dtype_as_default(n: int):
    return dtype_default(n), dtype_default(n, torch.int32)


def bool_default(x: int, negate: bool = False, twice: bool = True) -> int:
    x = -x if negate else x
    return x * 2 if twice else x


@case(3)
@case(4)
def bool_defaults(x: int):
    return bool_default(x), bool_default(x, True), bool_default(x, twice=False)


def mixed(a: int, b: float = 2, c: Optional[str] = None, d: Tuple[int, str] = (1, "t")) -> str:
    r = str(a) + str(b)
    if c is not None:
        r += c
    return r + d[1]


@case(1)
@case(2)
def mixture(a: int):
    return mixed(a), mixed(a, 1.5, c="c"), mixed(a, d=(2, "u"), b=0.5)


@case(arr([1.0, 2.0]))
@case(arr([1.0, 2.0]), 3)
@case(arr([1.0, 2.0]), n=0, out=True)
def called_with_keywords(x, n: int = 1, out: bool = False):
    y = x * n
    if out:
        y = y + 1
    return y


@case(1.5)
@case(2.0)
def int_argument_for_a_float(x: float):
    return float_default(x, 1) if False else float_default(x, float(1))


@case(ramp(2, 2))
@case(ramp(3, 3))
def scalars_become_tensors_implicitly(x):
    return torch.add(x, 1), torch.mul(x, 2.5), torch.lt(x, 0)


@case([2, 3])
@case([1])
def list_of_ints_as_size(size: List[int]):
    return torch.zeros(size), torch.ones(size).reshape(-1), torch.zeros(size).new_zeros(size)
