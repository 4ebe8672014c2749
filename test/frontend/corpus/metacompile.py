"""Conditions that are known while compiling: the branch that is not taken may be ill-typed."""
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

from examples._torch import torch
from support.corpus import arr, case, ramp

Tensor = torch.Tensor
nn = torch.nn



@case(1)
@case(2)
def is_scripting(x: int):
    if torch.jit.is_scripting():
        return x + 1
    else:
        return x.undefined()


@case(1)
@case(2)
def not_is_scripting(x: int):
    if not torch.jit.is_scripting():
        return x.undefined()
    return x * 2


@case(1)
@case(2)
def true_literal(x: int):
    if True:
        return x
    else:
        return "s" + x


@case(1)
@case(2)
def false_literal(x: int):
    if False:
        x = x.undefined
    return x


@case(1)
@case(2)
def none_test(x: int):
    y = None
    if y is not None:
        x = y + x
    return x


@case(1, None)
@case(2, None)
def none_test_of_a_typed_parameter(x: int, y: None):
    if y is None:
        return x
    return y.undefined()


@case(1)
@case(2)
def known_conjunction(x: int):
    if torch.jit.is_scripting() and x > 0:
        return x
    return -x


@case(1)
@case(2)
def known_and_known(x: int):
    if torch.jit.is_scripting() and True:
        return x
    else:
        return x.undefined()


@case(1)
@case(2)
def known_or(x: int):
    if torch.jit.is_scripting() or x > 0:
        return x
    return 5


@case(1)
@case(2)
def isinstance_of_an_int(x: int):
    if isinstance(x, str):
        return x.upper()
    return x


@case([1])
@case([])
def isinstance_of_a_list(xs: List[int]):
    if isinstance(xs, list):
        return len(xs)
    else:
        return xs + "x"


@case((1, "a"))
@case((2, "b"))
def isinstance_of_a_tuple(t: Tuple[int, str]):
    if isinstance(t, tuple):
        return t[0]
    return t.undefined


@case(1)
@case(2)
def known_ternary(x: int):
    return x if torch.jit.is_scripting() else x.undefined()


@case(1)
@case(2)
def known_assert(x: int):
    assert torch.jit.is_scripting()
    return x


@case(ramp(2))
@case(ramp(3))
class ConstantAttribute(nn.Module):
    __constants__ = ["mode"]

    def __init__(self):
        super().__init__()
        self.mode = None

    def forward(self, x):
        if self.mode is None:
            return x * 2
        else:
            return self.mode.undefined(x)


@case(ramp(2))
@case(ramp(3))
class NoneAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.bias = None
        self.register_parameter("weight", None)

    def forward(self, x):
        if self.bias is not None:
            x = x + self.bias.undefined()
        if self.weight is not None:
            x = x + self.weight
        return x


@case(ramp(2))
@case(ramp(3))
class HasAttribute(nn.Module):
    def __init__(self):
        super().__init__()
        self.k = 1

    def forward(self, x):
        if hasattr(self, "nothing"):
            return self.nothing(x)
        elif hasattr(self, "k"):
            return x + self.k
        return x


@case(ramp(2))
@case(ramp(3))
class FinalFlag(nn.Module):
    use: torch.jit.Final[bool]

    def __init__(self):
        super().__init__()
        self.use = True

    def forward(self, x):
        if self.use:
            y = x + 1
        else:
            y = self.undefined(x)
        return y


def python_only(x):
    return [i for i in {1, 2}]


@case(1)
@case(2)
def uncompilable_callee_in_a_dead_branch(x: int):
    if torch.jit.is_scripting():
        return x
    else:
        return python_only(x)


@torch.jit.unused
def unused_function(x: int) -> int:
    import os
    return len(os.environ)


@case(1)
@case(2)
def unused_function_is_not_compiled(x: int):
    if x > 100:
        return unused_function(x)
    return x
