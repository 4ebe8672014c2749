"""assert and raise."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



class CustomError(Exception):
    pass


class DerivedError(ValueError):
    def __init__(self, message):
        super().__init__(message)


@case(1)
@case(-1)
def assert_without_a_message(x: int):
    assert x > 0
    return x


@case(1)
@case(-1)
def assert_with_a_message(x: int):
    assert x > 0, "x must be positive"
    return x


@case(1)
@case(-1)
def assert_with_a_formatted_message(x: int):
    assert x > 0, "x is {}".format(x)
    return x


@case(1)
@case(-1)
def assert_with_an_f_string(x: int):
    assert x > 0, f"x is {x}"
    return x


@case(1, 2)
@case(2, 1)
def assert_of_a_conjunction(a: int, b: int):
    assert a > 0 and b > a, "out of order"
    return b - a


@case(arr([1.0, 2.0]))
@case(arr([[1.0]]))
def assert_on_a_tensor(x):
    assert x.dim() == 1, "needs a vector"
    return x.sum()


@case(1)
@case(-1)
def raise_a_class(x: int):
    if x < 0:
        raise ValueError
    return x


@case(1)
@case(-1)
def raise_without_a_message(x: int):
    if x < 0:
        raise RuntimeError()
    return x


@case(1)
@case(-1)
def raise_with_a_message(x: int):
    if x < 0:
        raise RuntimeError("negative: " + str(x))
    return x


@case(1)
@case(-1)
def raise_with_formatting(x: int):
    if x < 0:
        raise IndexError("negative: {} {}".format(x, "y"))
    return x


@case(1)
@case(-1)
def raise_with_percent(x: int):
    if x < 0:
        raise TypeError("negative: %d" % x)
    return x


@case(1)
@case(-1)
def raise_with_several_arguments(x: int):
    if x < 0:
        raise ValueError("negative", x)
    return x


@case(1)
@case(-1)
def raise_a_custom_class(x: int):
    if x < 0:
        raise CustomError("mine")
    return x


@case(1)
@case(-1)
def raise_a_derived_class(x: int):
    if x < 0:
        raise DerivedError("derived")
    return x


@case(1)
@case(2)
@case(3)
def different_exceptions(x: int):
    if x == 1:
        raise KeyError("one")
    elif x == 2:
        raise NotImplementedError("two")
    return x


@case(1)
@case(-1)
def always_raises(x: int):
    raise RuntimeError("always")


@case(1)
@case(-1)
def raise_in_a_nested_branch(x: int):
    y = 0
    if x > 0:
        y = 1
    else:
        if x < 0:
            raise ValueError("below")
        y = 2
    return y


@case([1, 2])
@case([1, -2])
def assert_in_a_loop(xs: List[int]):
    total = 0
    for x in xs:
        assert x > 0, "not positive: " + str(x)
        total += x
    return total


@case(1)
@case(0)
def assert_false(x: int):
    if x == 0:
        assert False, "unreachable"
    return x


@case(2)
@case(0)
def raise_defines_no_variable(x: int):
    if x > 1:
        y = x
    elif x == 1:
        y = 10
    else:
        raise ValueError("too small")
    return y


@case("abc")
@case("")
def operator_errors(s: str):
    return int(s + "1") if len(s) == 0 else ord(s)


@case({"a": 1}, "b")
@case({"a": 1}, "a")
def key_error(d: Dict[str, int], k: str):
    return d[k]
