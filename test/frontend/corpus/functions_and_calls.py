"""Calls of functions, methods and operators."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



def double(x):
    return x * 2


def add_one(x: int) -> int:
    return x + 1


def twice(x: int) -> int:
    return add_one(add_one(x))


@case(ramp(3))
@case(ramp(2, 2))
def call_of_a_function(x):
    return double(x) + 1


@case(1)
@case(-5)
def nested_calls(x: int):
    return twice(twice(x)), add_one(twice(x))


@case(2)
@case(3)
def call_in_a_loop(n: int):
    x = 0
    for i in range(n):
        x = add_one(x) * 2
    return x


def swap(a: int, b: str) -> Tuple[str, int]:
    return b, a


@case(1, "s")
@case(2, "")
def call_with_a_tuple_result(a: int, b: str):
    c, d = swap(a, b)
    return c, d, swap(d, c)[0]


def nothing(xs: List[int]):
    xs.append(1)


@case([1])
@case([])
def call_of_a_procedure(xs: List[int]):
    nothing(xs)
    nothing(xs)
    return xs


def sums(a: int, b: int, c: int) -> int:
    return a * 100 + b * 10 + c


@case((1, 2, 3))
@case((0, 5, 9))
def starred_argument(t: Tuple[int, int, int]):
    return sums(*t), sums(1, *t[1:])


@case(1, 2)
@case(3, 4)
def starred_literal(a: int, b: int):
    return sums(*(a, b), 5)


@case([1, 2, 3])
@case([5, 6])
def starred_list_of_known_length(xs: List[int]):
    a, b = xs[:2]
    return sums(a, b, *(a,))


@case(ramp(3))
@case(ramp(2, 2))
def methods_and_functions_are_the_same(x):
    return torch.add(x, x), x.add(x), torch.Tensor.add(x, x) if False else x


@case(ramp(3))
@case(ramp(2, 2))
def torch_namespaces(x):
    return torch.nn.functional.relu(x), torch.ops.aten.relu(x)


def outer(n: int) -> int:
    total = 0
    for i in range(n):
        if i % 2 == 0:
            total += add_one(i)
        else:
            total += twice(i)
    return total


@case(3)
@case(0)
def call_chain(n: int):
    return outer(n) + outer(n + 1)


def first_or_default(xs: List[int], d: Optional[int]) -> Optional[int]:
    if len(xs) > 0:
        return xs[0]
    return d


@case([1], None)
@case([], None)
@case([], 4)
def optional_through_a_call(xs: List[int], d: Optional[int]):
    r = first_or_default(xs, d)
    return r


def apply_all(xs: List[Tensor], by: float) -> List[Tensor]:
    return [x * by for x in xs]


@case(ramp(2), 2.0)
@case(ramp(3), 0.5)
def containers_through_a_call(x, by: float):
    return apply_all([x, x + 1], by)


def raises(x: int) -> int:
    if x < 0:
        raise ValueError("negative")
    return x


@case(1)
@case(-1)
def exception_through_a_call(x: int):
    return raises(x) + 1


SCALE = 3
NAME = "name"
PAIR = (1, 2.5)
FLAG = True


@case(2)
@case(5)
def global_constants(x: int):
    if torch.jit.is_scripting():
        x = x + 1
    return x


def _make_adder(n: int):
    def adder(x: int) -> int:
        return x + 1

    return adder


_adder = _make_adder(3)


@case(2)
@case(5)
def call_of_an_inner_function(x: int):
    return _adder(x)


@torch.jit.script
def scripted_helper(x: int) -> int:
    return x * 7


@case(2)
@case(5)
def call_of_a_scripted_function(x: int):
    return scripted_helper(x) + scripted_helper(1)


@case(ramp(3))
@case(ramp(2, 2))
def method_chain(x):
    return x.abs().sum().add(1).mul(2).neg()


@case(ramp(3))
@case(ramp(2, 2))
def result_unused(x):
    torch.tanh(x)
    double(x)
    x.add_(1)
    return x


@case("a", 1)
@case("b", 2)
def print_has_no_result(s: str, n: int):
    print(s, n, [n], (s, 1.5), None, True)
    print()
    return n


def shadowed(x: int) -> int:
    return x - 1


@case(2)
@case(3)
def local_name_hides_a_function(x: int):
    shadowed = x * 5
    return shadowed
