"""Operators on tensors, their methods, indexing and assignment to parts of them."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor



@case(ramp(2, 3), ramp(2, 3))
@case(ramp(2, 3), ramp(3))
def arithmetic(a, b):
    return a + b, a - b, a * b, a / (b * b + 1)


@case(ramp(2, 3))
@case(ramp(4, dtype="float64"))
def arithmetic_with_numbers(a):
    return a + 1, 2 - a, a * 0.5, a / 2, 3 / (a * a + 1), a // 2, a % 3


@case(ramp(2, 3))
@case(ramp(3))
def power_and_negation(a):
    return a ** 2, 2 ** a, -a, a ** a.abs()


@case(ramp(2, 3), ramp(2, 3))
@case(ramp(3), arr([0.0, 0.0, 0.0]))
def comparisons(a, b):
    return a < b, a <= b, a > b, a >= b, a == b, a != b, a < 0, 0 < a


@case(ramp(2, 3), ramp(3, 2))
@case(ramp(3), ramp(3))
def matrix_product(a, b):
    return a @ b, torch.matmul(a, b), a.matmul(b)


@case(ramp(5))
@case(ramp(4, 3))
def integer_index(x):
    return x[0], x[-1], x[2]


@case(ramp(4, 5))
@case(ramp(3, 3, 2))
def several_integer_indices(x):
    return x[0, 1], x[-1, 2], x[1][1]


@case(ramp(6))
@case(ramp(4, 2))
def slices(x):
    return x[1:], x[:2], x[1:3], x[::2], x[-2:], x[:]


@case(ramp(4, 5))
@case(ramp(3, 6))
def slices_of_two_dimensions(x):
    return x[1:, :2], x[:, 1], x[0, ::2], x[:, :-1], x[1:3, 1:3]


@case(ramp(4, 5), 1, 3)
@case(ramp(6, 2), -2, 6)
def slices_by_variables(x, a: int, b: int):
    return x[a:b], x[a:], x[:b], x[:, a]


@case(ramp(2, 3))
@case(ramp(4))
def none_index(x):
    return x[None], x[:, None], x[None, :, None]


@case(ramp(2, 3, 4))
@case(ramp(2, 2))
def ellipsis_index(x):
    return x[..., 0], x[0, ...], x[..., 1:]


@case(ramp(5, 2), arr([0, 2, 4], "int64"))
@case(ramp(3, 4), arr([2, 2], "int64"))
def tensor_index(x, i):
    return x[i], x[i, 0], x[:, i % 2]


@case(ramp(3, 3), arr([0, 1], "int64"), arr([1, 2], "int64"))
@case(ramp(4, 4), arr([3], "int64"), arr([0], "int64"))
def two_tensor_indices(x, i, j):
    return x[i, j], x[i][:, j]


@case(ramp(2, 3))
@case(ramp(5))
def mask_index(x):
    return x[x > 0], x[x < 100]


@case(ramp(5))
@case(ramp(4, 3))
def list_index(x):
    return x[[0, 2]], x[torch.tensor([1, 1])]


@case(ramp(4, 5), arr([0, 2], "int64"))
@case(ramp(3, 6), arr([1], "int64"))
def mixed_index(x, i):
    return x[i, 1:3], x[1, i], x[None, i]


@case(ramp(4))
@case(ramp(3, 2))
def assignment_to_an_item(x):
    x[0] = 5
    x[-1] = 2.5
    return x


@case(ramp(4, 3))
@case(ramp(5, 2))
def assignment_to_a_slice(x):
    x[1:3] = 0
    x[:, 0] = 7
    x[0, 1:] = torch.ones([1])
    return x


@case(ramp(4, 3), arr([0, 2], "int64"))
@case(ramp(5, 2), arr([4], "int64"))
def assignment_by_tensor(x, i):
    x[i] = 1.5
    x[x > 1] = 1
    return x


@case(ramp(4), arr([1.0, 2.0, 3.0, 4.0]))
@case(ramp(2, 2), arr([1.0, 1.0]))
def augmented_assignment_writes_in_place(x, y):
    x += y
    x -= 1
    x *= 2
    x /= y + 1
    return x


@case(ramp(4))
@case(ramp(3, 2))
def augmented_assignment_to_a_part(x):
    x[0] += 1
    x[1:] *= 2
    x[-1] -= 0.5
    return x


@case(ramp(2, 3))
@case(ramp(3, 1, 2))
def shape_and_properties(x):
    return x.size(), x.shape, x.size(0), x.dim(), x.ndim, x.numel(), len(x)


@case(ramp(2, 3))
@case(ramp(2, dtype="int64"))
def type_properties(x):
    return x.dtype, x.dtype == torch.float32, x.is_floating_point(), x.requires_grad, x.is_cuda


@case(ramp(2, 3))
@case(ramp(4, dtype="float64"))
def device_and_layout(x):
    return x.device, x.layout == torch.strided, x.device.type, x.is_sparse


@case(ramp(2, 3))
@case(ramp(4))
def views(x):
    y = x.view(-1)
    y[0] = 9
    return x, x.reshape([x.numel()]), x.unsqueeze(0).squeeze(0), x.flatten()


@case(ramp(2, 3))
@case(ramp(2, 3, 4))
def transposition(x):
    return x.transpose(0, 1), x.permute([1, 0]) if x.dim() == 2 else x, x.t() if x.dim() == 2 else x


@case(ramp(2, 3))
@case(ramp(4))
def reductions(x):
    return x.sum(), x.mean(), x.max(), x.min(), x.sum(0), x.sum(dim=0, keepdim=True), x.prod()


@case(ramp(2, 3))
@case(ramp(4, 2))
def multiple_results(x):
    values, indices = x.max(1)
    a, b = torch.sort(x, dim=0)
    return values, indices, a, b


@case(ramp(4, 3))
@case(ramp(2, 2))
def named_results(x):
    r = torch.max(x, 0)
    return r[0], r[1], torch.topk(x, 1)[0]


@case(3)
@case(1)
def creation(n: int):
    return torch.zeros([n]), torch.ones(n, 2), torch.full([n], 2.5), torch.arange(n), torch.eye(n)


@case(3, 1.5)
@case(0, -2.0)
def tensor_from_numbers(n: int, x: float):
    return torch.tensor(n), torch.tensor(x), torch.tensor([n, 2]), torch.tensor([[x], [1.0]]), torch.tensor(True)


@case(ramp(2, 3))
@case(ramp(3, dtype="int64"))
def dtypes(x):
    return x.to(torch.float64), x.to(torch.int32), x.float(), x.double(), x.long(), x.int()


@case(arr(2.5))
@case(arr([-1.5]))
def numbers_from_tensors(x):
    return float(x), int(x), bool(x), x.item()


@case(arr([1, 2], "int64"))
@case(arr([3], "int64"))
def tolist(x):
    a: List[int] = x.tolist()
    return a


@case(ramp(2, 3), ramp(2, 3))
@case(ramp(1), ramp(1))
def joining(a, b):
    return torch.cat([a, b]), torch.stack([a, b]), torch.cat((a, b), dim=0), torch.stack([a, b], -1)


@case(ramp(6))
@case(ramp(4, 2))
def splitting(x):
    a, b = x.chunk(2)
    c, d = torch.split(x, 2)[:2]
    return a, b, c, d


@case(ramp(3), arr([True, False, True], "bool"))
@case(ramp(2), arr([False, False], "bool"))
def choosing(x, m):
    return torch.where(m, x, x * 2), x.masked_fill(m, 0.0), ~m, m & m, m | (x > 0), m ^ m


@case(ramp(2, 3))
@case(ramp(5))
def pointwise_functions(x):
    return torch.tanh(x), x.sigmoid(), torch.relu(x), x.exp(), torch.abs(x), x.clamp(0, 1), x.clamp(min=0.5)


@case(ramp(2, 3))
@case(ramp(5))
def in_place_methods(x):
    x.add_(1).mul_(2)
    x.relu_()
    y = x.clone()
    y.zero_()
    x.copy_(y + 1)
    return x, y


@case(arr([1.0, 2.0]), arr([3.0, 4.0]))
@case(arr([0.0]), arr([1.0]))
def swapped_by_assignment(a, b):
    a, b = b, a + b
    return a, b


@case(ramp(4, dtype="int64"))
@case(arr([7, 12], "int64"))
def integer_tensors(x):
    return x + 1, x / 2, x // 2, x % 3, x & 3, x << 1, ~x
