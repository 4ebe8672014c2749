"""Names that are nearly right: ours proposes the one that was meant."""

import math
from enum import Enum
from typing import Dict, List, NamedTuple

from examples._torch import torch

_threshold = 3


class _Size(NamedTuple):
    width: int
    height: int


class _Mode(Enum):
    FAST = 1
    SLOW = 2


class _Account:
    def __init__(self, balance: int):
        self.balance = balance

    def deposit(self, amount: int):
        self.balance += amount

    @staticmethod
    def empty() -> int:
        return 0


def _scale(x, factor: float):
    return x * factor


def parameter(temperature):
    return temprature + 1  # noqa: F821


def local(x):
    result = x + 1
    return reslut  # noqa: F821


def loop_variable(n: int):
    total = 0
    for index in range(n):
        total += indx  # noqa: F821
    return total


def from_outer_block(x, n: int):
    accumulator = x
    if n > 0:
        y = acumulator + 1  # noqa: F821
    else:
        y = x
    return y


def global_value(x):
    return x + _treshold  # noqa: F821


def global_function(x):
    return _scael(x, 2.0)  # noqa: F821


def builtin_function(xs: List[int]):
    return lenn(xs)  # noqa: F821


def builtin_range(n: int):
    for i in rnage(n):  # noqa: F821
        pass


def exception_class(x):
    raise ValueEror("no")  # noqa: F821


def torch_function(x):
    return torch.softmx(x, 0)


def math_function(x: float):
    return math.sqr(x)


def functional(x):
    return torch.nn.functional.rlu(x)


def tensor_method(x):
    return x.unsqeeze(0)


def tensor_property(x):
    return x.shpe


def list_method(xs: List[int]):
    return xs.apend(1)


def dict_method(d: Dict[str, int]):
    return d.itms()


def str_method(s: str):
    return s.uppr()


def method(n: int):
    a = _Account(n)
    a.deposite(1)


def attribute(n: int):
    return _Account(n).balanc


def assigned_attribute(n: int):
    a = _Account(n)
    a.balence = 2


def static_method():
    return _Account.emty()


def field(s: _Size):
    return s.hieght


def enum_member():
    return _Mode.SLOWW


def annotation(x: "Tensr"):  # noqa: F821
    return x


def annotation_of_local(n: int):
    xs: Lisst[int] = [n]  # noqa: F821
    return xs


def keyword(x):
    return _scale(x, facter=2.0)


def keyword_of_operator(x):
    return torch.softmax(x, dimm=0)


def keyword_of_class():
    return _Account(balanse=2)


class ModuleAttribute(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.momentum = 0.5

    def forward(self, x):
        return x * self.momentun


class ModuleSubmodule(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.liner(x)


SUGGESTIONS = {
    "parameter": "temperature",
    "local": "result",
    "loop_variable": "index",
    "from_outer_block": "accumulator",
    "global_value": "_threshold",
    "global_function": "_scale",
    "builtin_function": "len",
    "builtin_range": "range",
    "exception_class": "ValueError",
    "torch_function": "softmax",
    "math_function": "sqrt",
    "functional": "relu",
    "tensor_method": "unsqueeze",
    "tensor_property": "shape",
    "list_method": "append",
    "dict_method": "items",
    "str_method": "upper",
    "method": "deposit",
    "attribute": "balance",
    "assigned_attribute": "balance",
    "static_method": "empty",
    "field": "height",
    "enum_member": "SLOW",
    "annotation": "Tensor",
    "annotation_of_local": "List",
    "keyword": "factor",
    "keyword_of_operator": "dim",
    "keyword_of_class": "balance",
    "ModuleAttribute": "momentum",
    "ModuleSubmodule": "linear",
}
