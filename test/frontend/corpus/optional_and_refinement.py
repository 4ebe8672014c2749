"""Optional, and what tests tell of types."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(None)
@case(3)
def is_none(x: Optional[int]):
    if x is None:
        return 0
    return x + 1


@case(None)
@case(3)
def is_not_none(x: Optional[int]):
    if x is not None:
        y = x * 2
    else:
        y = -1
    return y


@case(None)
@case(3)
def refined_after_assignment(x: Optional[int]):
    if x is None:
        x = 5
    return x + 1


@case(None)
@case(3)
def refined_by_raise(x: Optional[int]):
    if x is None:
        raise ValueError("no x")
    return x + 1


@case(None)
@case(3)
def refined_by_assert(x: Optional[int]):
    assert x is not None, "no x"
    return x * x


@case(None)
@case(3)
@case(-3)
def refined_by_and(x: Optional[int]):
    if x is not None and x > 0:
        return x
    return 0


@case(None)
@case(3)
@case(-3)
def refined_by_or(x: Optional[int]):
    if x is None or x < 0:
        return 0
    return x


@case(None)
@case(3)
def refined_by_not(x: Optional[int]):
    if not (x is None):
        return x
    return 7


@case(None)
@case(3)
def refined_in_ternary(x: Optional[int]):
    return x if x is not None else 10


@case(None, None)
@case(1, None)
@case(1, 2)
def two_optionals(x: Optional[int], y: Optional[int]):
    if x is not None and y is not None:
        return x + y
    if x is not None:
        return x
    return -1


@case(None)
@case(5)
def none_on_the_left(x: Optional[int]):
    if None is not x:
        return x
    return 0


@case(1)
@case(0)
def optional_variable(n: int):
    x: Optional[int] = None
    if n > 0:
        x = n
    if x is None:
        return "none"
    return "some" + str(x)


@case(5)
@case(0)
def optional_carried_by_a_loop(n: int):
    best: Optional[int] = None
    for i in range(n):
        if best is None:
            best = i
        elif i % 3 == 0:
            best = i + best
    return best


@case(None)
@case(arr([1.0, 2.0]))
def optional_tensor(x: Optional[Tensor]):
    if x is None:
        return torch.zeros([2])
    return x + 1


@case(None)
@case([1, 2])
def optional_list(xs: Optional[List[int]]):
    if xs is None:
        xs = [0]
    xs.append(9)
    return xs


@case([1, None, 3])
@case([None])
def list_of_optionals(xs: List[Optional[int]]):
    total = 0
    for x in xs:
        if x is not None:
            total += x
    return total


@case({"a": None, "b": 2})
@case({})
def dict_of_optionals(d: Dict[str, Optional[int]]):
    x = d.get("a")
    y = d["b"] if "b" in d else None
    if y is not None:
        return y
    return 0


@case((None, 1))
@case((2, 1))
def tuple_of_optionals(t: Tuple[Optional[int], int]):
    a, b = t
    if a is None:
        a = b
    return a + b


@case(4)
@case(-4)
def none_or_value_by_ternary(x: int):
    y = x if x > 0 else None
    return y is None


@case(None, 3)
@case(2, 3)
def default_by_or_style_ternary(x: Optional[int], d: int) -> int:
    v = d if x is None else x
    return v * 2


@case(None)
@case(3)
def nested_refinement(x: Optional[int]):
    r = 0
    if x is not None:
        if x > 1:
            r = x
        for i in range(x):
            r += x
    return r


@case(None)
@case(2)
def while_with_refinement(x: Optional[int]):
    n = 0
    while x is not None and n < 3:
        n += 1
    return n


def _maybe(x: int) -> Optional[int]:
    if x > 0:
        return x
    return None


@case(1)
@case(-1)
def optional_result_of_a_call(x: int):
    y = _maybe(x)
    if y is None:
        return 0
    return y + 100


def _takes_optional(x: Optional[int], y: Optional[str] = None) -> str:
    r = "n"
    if x is not None:
        r = str(x)
    if y is not None:
        r += y
    return r


@case(1)
@case(2)
def values_are_wrapped_for_optional_parameters(x: int):
    return _takes_optional(x), _takes_optional(None, "a"), _takes_optional(y="b", x=x)


@case(None)
@case(1)
def refinement_ends_with_reassignment(x: Optional[int]):
    if x is not None:
        y = x + 1
        x = None
        return y
    return 0


@case(None)
@case("s")
def comparison_with_none(x: Optional[str]):
    a = x is None
    b = x is not None
    return a, b, a and not b


@case(None)
@case(3)
def optional_equality(x: Optional[int]):
    if x is not None:
        return x == 3
    return False


@case(None)
@case(2.5)
def is_none_is_known_for_none(x: Optional[float]):
    y = None
    if y is None:
        r = 1
    else:
        r = "never compiled" + 1
    return r


@case(2)
@case(3)
def is_none_is_known_for_int(x: int):
    if x is None:
        return x + "never compiled"
    return x


@case(None)
@case(3)
def unwrapped_by_torch_jit(x: Optional[int]):
    if x is not None:
        y = torch.jit.annotate(int, x)
    else:
        y = 0
    return y
