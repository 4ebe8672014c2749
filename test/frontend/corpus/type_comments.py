"""Type comments."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn



@case(1, 2.0)
@case(0, -1.0)
def of_a_signature(a, b):
    # type: (int, float) -> float
    return a + b


@case(ramp(2), 2)
@case(ramp(3), 5)
def of_a_signature_with_tensors(x, n):
    # type: (Tensor, int) -> Tensor
    return x * n


@case(1, "a")
@case(2, "b")
def of_every_parameter(
    a,  # type: int
    b,  # type: str
):
    # type: (...) -> Tuple[int, str]
    return a + 1, b + "!"


@case([1], {"a": 1.5})
@case([], {"a": 0.0})
def of_containers(xs, d):
    # type: (List[int], Dict[str, float]) -> Tuple[int, float]
    return len(xs), d["a"]


@case(None)
@case(3)
def of_an_optional(x):
    # type: (Optional[int]) -> int
    if x is None:
        return 0
    return x


@case(3)
@case(0)
def of_a_list_result(n):
    # type: (int) -> List[int]
    xs = [n]
    for i in range(n):
        xs.append(i)
    return xs


@case(3)
@case(0)
def of_an_optional_result(n):
    # type: (int) -> Optional[int]
    return n if n > 1 else None


@case(3)
@case(4)
def without_arguments_in_the_middle(n, k=2):
    # type: (int, int) -> int
    return n * k


@case(1)
@case(2)
def of_a_none_result(x):
    # type: (int) -> None
    y = x


@case(ramp(2))
@case(ramp(3))
class OfMethods(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 2

    def helper(self, x, n):
        # type: (Tensor, int) -> Tensor
        return x * n

    def forward(self, x):
        # type: (Tensor) -> Tensor
        return self.helper(x, self.k)


def callee(a, b):
    # type: (int, Tuple[int, int]) -> int
    return a + b[0] * b[1]


@case(1)
@case(2)
def of_a_callee(x):
    # type: (int) -> int
    return callee(x, (x, 3))


@case(1)
@case(2)
def without_a_result(x):
    # type: (int)
    return x + 1


@case(ramp(2), 1)
@case(ramp(3), 2)
class MethodWithoutAResult(nn.Module):
    def forward(self, x, n):
        # type: (Tensor, int)
        return x * n, n


@case(1)
@case(2)
def ignored_comments(x: int):
    # an ordinary comment
    y = x  # type: ignore
    return y + 1
