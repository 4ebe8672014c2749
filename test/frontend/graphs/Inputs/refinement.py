"""Programs for test/unit/frontend/test_emitter_graphs.py: refinement. Each becomes the graph, or the error, that PyTorch makes."""

import math
from typing import Any, Dict, List, Optional, Tuple, Union

import torch
from torch import Tensor


def is_not_none_and(x, y: Optional[int]):
    if y is not None and y > 2:
        return x + y
    return x


def ternary_on_none(x: Optional[int]):
    y = x if x is not None else 3
    return y


def union_by_isinstance(x: Union[int, str, None]):
    if isinstance(x, int):
        return x + 1
    elif x is None:
        return 0
    else:
        return len(x)


def any_by_isinstance(x: Any):
    if isinstance(x, (int, float)):
        return 1
    if isinstance(x, torch.Tensor):
        return x.dim()
    return 2


def none_or_none(x: Optional[int], y: Optional[int]):
    if x is None or y is None:
        return 1
    return x + y


def assert_is_not_none(x: Optional[List[int]]):
    assert x is not None
    return x[0]


def isinstance_known(x: int):
    if isinstance(x, int):
        return x
    else:
        return x.foo()


def optional_reassigned(x: Optional[torch.Tensor], y: Optional[torch.Tensor] = None):
    if x is None:
        x = torch.zeros(1)
    if y is not None and x.dim() > 1:
        x = x + y
    elif y is not None:
        x = x - y
    return x


def several_optionals(x: Optional[Tensor], y: Optional[int]):
    if x is not None and y is not None:
        return x + y
    elif x is not None and not (y is not None):
        return x
    else:
        if y is not None:
            return torch.ones(y)
    return torch.zeros(1)


def continue_does_not_refine(x: List[Optional[int]]):
    s = 0
    for y in x:
        if y is None:
            continue
        s += y
    z = x[0]
    if z is not None:
        s += z
    return s


def raise_refines(x: List[Optional[int]]):
    s = 0
    for y in x:
        if y is None:
            raise Exception("a")
        s += y
    return s


def return_refines(x: List[Optional[int]]):
    s = 0
    for y in x:
        if y is None:
            return 3
        s += y
    return s


def both_branches(x: List[Optional[int]]):
    s = 0
    for y in x:
        if y is None:
            s += 1
        else:
            s += y
    return s


def union_with_list(x, y: Union[int, List[int]]):
    if isinstance(y, int):
        return x.sum(y)
    else:
        return x.sum(y[0])


def optional_in_arithmetic(x: Optional[int]):
    return x + 1
