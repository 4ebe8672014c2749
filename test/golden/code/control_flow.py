# type: ignore
# ruff: noqa
"""Branches, loops, early exits, with statements."""

from typing import List, Optional

import torch


def no_result(x: int):
    pass


def returns_none(x: int) -> Optional[int]:
    return None


def same(x: torch.Tensor):
    return x


def branch(a: torch.Tensor, b: torch.Tensor, c: bool):
    d = a + b
    if c:
        e = d + d
    else:
        e = b + d
    return e


def branch_one_side(x: int, flag: bool):
    if flag:
        x = x + 1
    return x


def branch_without_results(x: int, flag: bool):
    if flag:
        print(x)
    return x


def branch_with_empty_sides(x: int, flag: bool):
    if flag:
        pass
    return x


def branch_two_results(x: int, y: int):
    if x > y:
        x, y = y, x
    return x - y


def branch_many_results(x: int, y: int, z: float):
    if x > y:
        a = x
        b = 2.5
        c = "yes"
    else:
        a = y
        b = z
        c = "no"
    return a, b, c


def chain(x: int):
    if x == 0:
        r = "zero"
    elif x == 1:
        r = "one"
    elif x < 0:
        r = "negative"
    else:
        r = "many"
    return r


def nested(x: int, y: int):
    r = 0
    if x > 0:
        if y > 0:
            r = 1
        else:
            if x > 10:
                r = 2
    else:
        r = 3
    return r


def conditional_expression(x: int, y: int):
    return x if x > y else y


def nested_conditional_expression(x: int):
    return 1 if x > 0 else (0 if x == 0 else -1)


def and_or_not(a: bool, b: bool, c: bool):
    return (a and b) or not c


def and_evaluates_lazily(x: Optional[int]):
    if x is not None and x > 3:
        return x
    return 0


def chained_comparison(a: int, b: int, c: int):
    return a < b < c


def early_return(x: int):
    if x > 10:
        return 1
    x = x * 2
    if x > 5:
        return 2
    return 3


def early_return_in_loop(x: List[int], y: int):
    for i in range(len(x)):
        if x[i] == y:
            return i
    return -1


def for_range(x: torch.Tensor, n: int):
    for i in range(n):
        x = x * i
    return x


def for_range_two(n: int):
    s = 0
    for i in range(2, n):
        s += i
    return s


def for_range_step(n: int):
    s = 0
    for i in range(n, 0, -2):
        s += i
    return s


def for_constant(x: torch.Tensor):
    for _ in range(10):
        x = x.relu()
    return x


def for_unused_index(x: torch.Tensor, n: int):
    for i in range(n):
        x = x + 1
    return x


def for_without_results(n: int):
    for i in range(n):
        print(i)


def for_empty(n: int):
    for i in range(n):
        pass
    return n


def for_list(x: List[torch.Tensor]):
    s = torch.zeros([1])
    for t in x:
        s = s + t
    return s


def for_tensor(x: torch.Tensor):
    s = 0.0
    for t in x:
        s += float(t)
    return s


def for_string(s: str):
    n = 0
    for c in s:
        if c == "a":
            n += 1
    return n


def for_tuple_unrolled(x: torch.Tensor):
    for i in (1, 2, 3):
        x = x + i
    return x


def for_enumerate(x: List[float]):
    s = 0.0
    for i, v in enumerate(x):
        s += v * i
    return s


def for_zip(x: List[int], y: List[int]):
    s = 0
    for a, b in zip(x, y):
        s += a * b
    return s


def for_nested(n: int, m: int):
    s = 0
    for i in range(n):
        for j in range(m):
            s = s + i * j
    return s


def for_same_names(n: int):
    s = 0
    for i in range(n):
        s += i
    for i in range(n):
        s -= i
    return s


def for_break(x: int):
    s = 0
    for i in range(x):
        if i > 3:
            break
        s += i
    return s


def for_continue(x: int):
    s = 0
    for i in range(x):
        if i % 2 == 0:
            continue
        s += i
    return s


def for_break_and_continue(x: List[int]):
    s = 0
    for v in x:
        if v < 0:
            break
        if v % 2 == 0:
            continue
        s += v
    return s


def for_else_like(x: List[int]):
    found = False
    for v in x:
        if v == 7:
            found = True
    return found


def while_loop(i: int):
    while i < 5:
        i += 1
    return i


def while_continue(i: int):
    while i < 5:
        if i == 3:
            i += 1
            continue
        i += 2
    return i


def while_true(i: int):
    while True:
        i += 1
        if i > 10:
            break
    return i


def while_true_return(i: int):
    while True:
        i += 1
        if i > 10:
            return i


def while_two_conditions(i: int, j: int):
    while i < 5 and j > 2:
        i += 1
        j -= 1
    return i, j


def while_tensor(x: torch.Tensor):
    while bool(x.sum() < 100):
        x = x * 2
    return x


def while_nested(n: int):
    total = 0
    while n > 0:
        m = n
        while m > 0:
            total += m
            m -= 1
        n -= 1
    return total


def while_without_results():
    while False:
        print("never")


def loop_in_branch(x: torch.Tensor, n: int, flag: bool):
    if flag:
        for i in range(n):
            x = x + i
    else:
        while n > 0:
            n -= 1
    return x, n


def branch_in_loop(x: List[int]):
    odd = 0
    even = 0
    for v in x:
        if v % 2 == 0:
            even += 1
        else:
            odd += v
    return odd, even


def raises(i: int):
    if i < 0:
        raise Exception("Negative input")
    return i**0.5


def raises_value_error(i: int):
    if i < 0:
        raise ValueError(f"bad {i}")
    return i


def raises_always():
    raise RuntimeError("no")


def asserts(x: int):
    assert x > 0
    return x


def asserts_message(x: int):
    assert x > 0, "must be positive"
    return x


def asserts_tensor(x: torch.Tensor):
    assert x.dim() == 2, f"wrong: {x.dim()}"
    return x


def prints(x: torch.Tensor, y: int):
    print(x, y, "text")
    return x


def with_no_grad(x: torch.Tensor):
    with torch.no_grad():
        y = x + 1
    return y


def with_no_grad_empty(x: torch.Tensor):
    with torch.no_grad():
        pass
    return x


def with_profile(x: torch.Tensor):
    with torch.autograd.profiler.record_function("label"):
        x = x * 2
    return x


def loop_carries_optional(n: int):
    r: Optional[int] = None
    for i in range(n):
        r = i
    return r


def branch_makes_optional(x: int):
    r: Optional[int] = None
    if x > 0:
        r = x
    return r


def deep(x: int):
    s = 0
    for i in range(x):
        if i > 2:
            for j in range(i):
                if j > 3:
                    while s < 100:
                        s += i * j + s * (i - j) * (i + j) - s * s
                else:
                    s -= 1
        else:
            s += 2
    return s
