"""Programs for test/unit/frontend/test_emitter_graphs.py: arithmetic. Each becomes the graph, or the error, that PyTorch makes."""

import math
from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor


def tensor_operators(x):
    return (x > 0) & (x < 1), x @ x, ~x, x ** 2, 2 ** x, x // 2, x % 2, x << 1


def int_operators(x: int, y: float, z: bool):
    return x + y, x / 2, x // 2, x % 3, x ** 2, y ** 2, x * y, -y, x - True if z else 1, x & 3, x | 1, x ^ 2, x << 2, x >> 1, ~x


def ternaries(x: int):
    a = 1 if x > 0 else 2
    b = [1, 2, 3] if x > 0 else [4]
    c = "a" if x > 0 else "b"
    d = (a, c)
    return a, b, c, d


def chained_comparisons(x: int, y: int):
    return x < y < 3, x == y != 3, x and y, x or y, not x


def ternary_in_sum(x: int, y: bool):
    return (x if y else 3) + (1 if x > 2 else 2)


def complex_numbers(x: complex, y: int):
    return x + y, x * 2j, x.real if y > 0 else 1.0


def builtins_on_lists(x: List[int]):
    return sum(x), max(x), min(1, 2), sorted(x), len(x), abs(-1), round(2.5), 3 in x, 3 not in x


def int_plus_str(x: int):
    return x + "a"


def mixed_list(x: int):
    return [1, "a"]


def subscript_of_int(x: int):
    x[0] = 1
    return x


def parameter_of_other_type(x: int):
    x = "a"
    return x


def wrong_return_type(x: int) -> str:
    return x
