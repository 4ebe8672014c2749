"""Python that TorchScript does not have."""

import asyncio
import math
from typing import Dict, List

from examples._torch import torch

_counter = 0


def lambda_expression(x):
    f = lambda y: y + 1  # noqa: E731
    return f(x)


def yield_statement(x):
    yield x


def yield_from_statement(xs: List[int]):
    yield from xs


def yield_value(x):
    y = yield x
    return y


def try_except(x):
    try:
        y = x + 1
    except RuntimeError:
        y = x
    return y


def try_finally(x):
    try:
        return x
    finally:
        print(x)


def global_statement(x):
    global _counter
    _counter = 1
    return x


def _outer():
    count = 0

    def nonlocal_statement(x):
        nonlocal count
        count = 1
        return x

    return nonlocal_statement


async def async_function(x):
    return x


async def async_await(x):
    await asyncio.sleep(1)
    return x


def walrus(n: int):
    if (m := n + 1) > 2:
        return m
    return n


def set_literal(n: int):
    return {n, 1}


def set_comprehension(xs: List[int]):
    return {x for x in xs}


def comprehension_condition(xs: List[int]):
    return [x for x in xs if x > 1]


def comprehension_two_loops(xs: List[int]):
    return [x + y for x in xs for y in xs]


def dict_comprehension_condition(xs: List[int]):
    return {x: x for x in xs if x > 1}


def star_args(*xs):
    return xs[0]


def star_kwargs(x, **options):
    return x


def star_both(*xs, **options):
    return xs[0]


def keyword_only_default(x, *, n: int = 1):
    return x + n


def nested_function(x):
    def inner(y):
        return y

    return inner(x)


def nested_class(x):
    class Inner:
        pass

    return x


def import_statement(x):
    import math

    return math.sqrt(x)


def from_import_statement(x):
    from math import sqrt

    return sqrt(x)


def while_else(n: int):
    while n > 0:
        n -= 1
    else:
        n = 5
    return n


def for_else(n: int):
    for i in range(n):
        pass
    else:
        n = 5
    return n


def bare_raise(x):
    raise


def raise_int(x):
    raise 3


def raise_str(x):
    raise "text"


def raise_tensor(x):
    raise x


def match_statement(n: int):
    match n:
        case 1:
            return 1
        case _:
            return 2


def chained_comparison_not_in(n: int, xs: List[int]):
    return n not in xs not in xs


def dict_expansion(d: Dict[str, int]):
    return {**d, "a": 1}


def list_expansion(xs: List[int]):
    return [*xs, 1]


def f_string_format(n: int):
    return f"{n:3d}"


def f_string_conversion(n: int):
    return f"{n!r}"


def bytes_literal():
    return b"abc"


def unary_plus(n: int):
    return +n


def slice_of_slice(xs: List[int]):
    return xs[1:2, 3]


def with_int(n: int):
    with n:
        return n


def with_tensor(x):
    with x as y:
        return y


def with_undefined(x):
    with no_such_context():  # noqa: F821
        return x


def assert_undefined(x):
    assert condition_missing, "no"  # noqa: F821
    return x


def raise_undefined(x):
    raise NoSuchError("no")  # noqa: F821


def power_assignment_of_str(s: str):
    s **= 2
    return s


def starred_return(t: tuple):
    return (*t, 1)


def generator_argument(xs: List[int]):
    return sum(x for x in xs if x > 1)


def for_over_int(n: int):
    for i in n:
        pass


def for_over_none():
    for i in None:
        pass


def for_over_function():
    for i in walrus:
        pass


def for_target_attribute(x):
    for x.foo in range(3):
        pass
    return x


def for_unpack_int(xs: List[int]):
    for a, b in xs:
        pass


def if_condition_none(x):
    if torch.jit.annotate(None, None):
        return 1
    return 0


def if_condition_tuple(n: int):
    if (n, n):
        return 1
    return 0


def math_without_numbers(x: float):
    return math.log2(x)


def math_of_tensors(x):
    return math.trunc(x)


CALLS = {
    "nonlocal_statement": lambda: torch.jit.script(_outer()),
    "script_an_int": lambda: torch.jit.script(3),
    "script_a_lambda": lambda: torch.jit.script(lambda x: x),
    "script_two_lambdas": lambda: [torch.jit.script(f) for f in (lambda x: x, lambda y: y)],
}
