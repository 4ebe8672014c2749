"""Calls of operators as published code writes them: keywords, lists for which one number stands, tensors for numbers."""

import math
from typing import List, Optional, Tuple

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor


@case(ramp(2, 3))
@case(ramp(3))
def input_by_keyword(x):
    return torch.relu(input=x), torch.tanh(input=x + 1)


@case(ramp(2, 3))
@case(ramp(3))
def input_and_other_by_keyword(x):
    return torch.add(input=x, other=x, alpha=2), torch.mul(input=x, other=3.0)


@case(ramp(2, 3))
@case(ramp(3))
def self_by_keyword(x):
    return torch.mul(self=x, other=2)


@case(ramp(2, 3))
@case(ramp(4, 1))
def input_of_a_reduction(x):
    return torch.sum(input=x, dim=1, keepdim=True), torch.mean(input=x, dim=[0])


@case(ramp(2, 3))
@case(ramp(4, 1))
def input_of_a_softmax(x):
    return torch.softmax(input=x, dim=-1)


@case(ramp(2, 3), 1)
@case(ramp(4, 1), 0)
def input_of_a_concatenation(x, dim: int):
    return torch.stack(tensors=[x, x], dim=dim), torch.flatten(input=x)


@case(ramp(2, 3))
@case(ramp(3, 3))
def normalized_rows(x):
    length = torch.norm(x, p=2, dim=-1, keepdim=True)
    return x / (length + 1e-6)


@case(ramp(2, 3))
@case(ramp(3, 3))
def norms(x):
    return x.norm(), torch.norm(x, 2, 1), x.norm(p=1, dim=0), x.norm(2)


def _reshaped(x, shape: Optional[List[int]] = None):
    return x if shape is None else x.reshape(shape)


@case(ramp(2, 3))
@case(ramp(6))
def optional_list_at_the_end(x):
    none: Optional[List[int]] = None
    return _reshaped(x, [3, 2]), _reshaped(x, (6, 1)), _reshaped(x, none), _reshaped(x)


@case(ramp(2, 3), None)
@case(ramp(6), [2, 3])
def optional_list_passed_on(x, shape: Optional[List[int]]):
    return _reshaped(x, shape)


def _shifted(x, by: int):
    return x + by


def _scaled(x, by: float):
    return x * by


@case(ramp(2, 3))
@case(ramp(6))
def tensor_for_an_int(x):
    return _shifted(x, torch.tensor(2))


@case(ramp(2, 3))
@case(ramp(6))
def tensor_for_a_float(x):
    return _scaled(x, x.sum()), _scaled(x, torch.tensor(0.5))


@case(ramp(2, 3))
@case(ramp(6))
def tensor_for_a_dimension(x):
    return torch.unsqueeze(x, torch.tensor(0))


@case(ramp(2, 3))
@case(ramp(1, 4))
def fields_of_results(x):
    top = torch.max(x, dim=1)
    ordered = torch.sort(x, 1, descending=True)
    return top.values, top.indices, ordered.values, ordered[1]


@case(ramp(2, 3))
@case(ramp(1, 4))
def fields_are_dropped_in_results(x):
    ordered = torch.sort(x, 1)
    values, indices = ordered
    return ordered, values + indices


@case(ramp(2, 3))
@case(ramp(1, 4))
def fields_in_a_list(x):
    found = [torch.max(x, dim=0), torch.max(x, dim=1)]
    return found[0].values, found[1].indices, len(found)


@case(ramp(2, 3), True)
@case(ramp(1, 4), False)
def fields_of_branches(x, rows: bool):
    found = torch.min(x, dim=1)
    if rows:
        found = torch.min(x, dim=0)
    return found.values


@case(ramp(2, 3))
@case(arr([1.0, 2.0]))
def operators_by_namespace(x):
    return torch.ops.aten.relu(x), torch.ops.aten.add(x, 1)


@case(ramp(2, 3))
@case(arr([[1.0, 2.0]]))
def operators_by_namespace_in_expressions(x):
    return torch.ops.aten.sum(x, [1], True) + torch.ops.aten.neg(torch.ops.aten.mul(x, 2.0))


@case(2.0)
@case(0.5)
def functions_of_math(a: float):
    return math.sqrt(a) + math.log(a), math.floor(a), math.atan2(a, 2.0), math.isinf(a), math.degrees(a)


@case(ramp(2, 3), 1.0)
@case(ramp(4), -1.0)
def clamped(x, low: Optional[float] = None):
    return torch.clamp(x, min=low), torch.clamp(input=x, min=-0.5, max=0.5), x.clamp(max=0.25)


@case(ramp(2, 3))
@case(ramp(4, 2))
def shapes_by_position_and_list(x):
    return x.reshape(-1), x.view([x.numel()]), x.permute(1, 0), x.permute([1, 0]), x.repeat(2, 1), x.expand(2, -1, -1)


@case(ramp(2, 3))
@case(ramp(4, 2))
def made_with_sizes(x):
    rows, columns = x.shape
    return torch.zeros(rows, columns), torch.ones((rows, 1)), torch.full([columns], 2.5), torch.arange(rows)


@case(ramp(2, 3))
@case(ramp(4, 2))
def made_like(x):
    return torch.zeros_like(x), torch.full_like(x, 3.0), x.new_zeros([2]), x.new_ones(x.shape)
