"""Programs for test/unit/frontend/test_emitter_graphs.py: control flow. Each becomes the graph, or the error, that PyTorch makes."""

import math
from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor


def asserts(x, y: int):
    assert y > 2
    assert y > 3, "m"
    return x


def if_with_return_in_one_branch(x: int):
    if x > 3:
        y = 1
        return x
    else:
        y = 2
    return y


def refined_by_raise(x: Optional[torch.Tensor]):
    if x is None:
        raise ValueError("no")
    return x + 1


def return_and_break_in_nested_loops(x: float):
    while x > 1.0:
        if x > 5:
            return 1
        for i in range(10):
            if i > x:
                break
        x = x - 1
    return 2


def while_with_break_and_continue(x, n: int):
    while n > 0 and x.sum() > 0:
        n -= 1
        if n == 2:
            break
        elif n == 3:
            continue
        x = x + 1
    return x


def return_from_nested_loops(x: int) -> int:
    for i in range(x):
        for j in range(i):
            if j > 2:
                return j
    return x


def while_true_with_break(x: int):
    i = 0
    while True:
        i += 1
        if i > x:
            break
    return i


def delete_variable(x: int):
    for i in range(x):
        pass
    else_ = 3
    del else_
    return x


def nested_ranges_with_continue_and_return(x, n: int):
    for i in range(n):
        for j in range(i, n, 2):
            if j == 2:
                continue
            x = x + j
        if i == 3:
            return x
    return x * 2


def loops_in_loops(x: int):
    try_ = 0
    while try_ < 3:
        while True:
            try_ += 1
            if try_ % 2 == 0:
                break
            if try_ > 5:
                return -1
        if x == try_:
            continue
        x += 1
    return x


def break_in_branch(x: Tensor):
    n = 5
    i = 0
    j = 10
    while i < n and j > n:
        if x.sum() > 0 or i % 2 == 0:
            i += 1
            if i == 3:
                continue
            j -= 1
        else:
            break
    else_ = (i, j)
    return else_


def variable_set_in_both_branches(x: Tensor):
    for i in range(3):
        if i == 1:
            y = x + 1
        else:
            y = x
        x = y
    return x


def optional_set_in_loop(x: int):
    y: Optional[int] = None
    for i in range(x):
        if i == 3:
            y = i
    if y is None: return 1
    return y


def optional_return(x: int) -> Optional[int]:
    if x > 0:
        return x
    return None


def assert_with_message(x):
    assert x.dim() == 2, f"expected 2 got {x.dim()}"
    assert isinstance(x, torch.Tensor)
    return x


def none_then_int(x: int):
    z = None
    if x > 2:
        z = 3
    return z


def undefined_in_false_branch(x: int):
    if x > 2:
        z = 3
    return z


def missing_return(x: int) -> int:
    if x > 0:
        return 1


def different_types_in_branches(x: int):
    if x:
        y = 1
    else:
        y = "a"
    return y


def raise_of_a_string(x: int):
    raise "abc"


def different_return_types(x: int):
    if x > 2:
        return 1
    return "a"
