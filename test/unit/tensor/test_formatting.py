"""The printed form of tensors against PyTorch's."""

import math
from typing import Any

import pytest

from support import tensor_golden
from support.tensors import tensor
from torchscript_dialect.tensor import dtype as dtypes

CASES = tensor_golden.read("texts")


def described(case: dict[str, Any]) -> Any:
    data, name = case["data"], case["dtype"]
    if isinstance(data, list):
        values = [complex(*v) if isinstance(v, list) else v for v in data]
    else:
        values = [i * data for i in range(math.prod(case["shape"]))]
    if name == "bool":
        values = [bool(v) for v in values]
    x = tensor(values, name)
    x.array = x.array.reshape(case["shape"])
    return x


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_text_is_pytorchs(case: dict[str, Any]):
    assert repr(described(case)) == case["text"]


def test_the_default_dtype_is_not_named():
    x = tensor([1.0], "float64")
    try:
        dtypes.set_default_dtype("float64")
        assert repr(x) == "tensor([1.])"
        assert repr(tensor([1.0], "float32")) == "tensor([1.], dtype=torch.float32)"
    finally:
        dtypes.set_default_dtype("float32")
