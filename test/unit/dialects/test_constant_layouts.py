"""Constant tensors keep the order of their dimensions, in both texts."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.dialects.attributes import TensorAttr
from torchscript_dialect.tensor.tensor import tensor_of

TEXT = """graph():
  %0 : Tensor = prim::Constant[value=tensor<Byte, [3, 2], "000102030405"{strides}>]()
  return (%0)
"""


@pytest.mark.parametrize(
    "array, strides",
    [
        (np.arange(6.0).reshape(2, 3), None),
        (np.arange(6.0).reshape(2, 3).T, (1, 3)),
        (np.arange(24).reshape(2, 3, 4).transpose(2, 0, 1), (1, 12, 4)),
        (np.arange(6.0)[::2], None),
        (np.broadcast_to(np.arange(3.0), (2, 3)), None),
        (np.zeros((0, 3)).T, None),
        (np.arange(3.0).reshape(1, 3).T, None),
    ],
)
def test_what_a_constant_keeps(array: NDArray[Any], strides: tuple[int, ...] | None) -> None:
    attribute = TensorAttr.from_tensor(tensor_of(array))
    assert attribute.data.strides == strides
    again = attribute.to_tensor().array
    np.testing.assert_array_equal(again, array)
    if strides is not None:
        assert again.strides == array.strides


def test_graph_text_keeps_it() -> None:
    text = TEXT.format(strides=", strides [1, 3]")
    graph = ts.parse_ir(text)
    assert str(graph) == text
    result = ts.run_graph(graph)
    assert result.stride() == (1, 3)
    assert result.tolist() == [[0, 1], [2, 3], [4, 5]]


@pytest.mark.parametrize(
    "strides",
    [
        ", strides [1]",
        ", strides [2, 3]",
        ', strides ["a", 3]',
        ", strides [1, -3]",
        ", strides [1, 3",
        ", strides 3",
        ", [1, 3]",
    ],
)
def test_strides_that_are_none_are_refused(strides: str) -> None:
    with pytest.raises(RuntimeError, match=r"strides|expected"):
        ts.parse_ir(TEXT.format(strides=strides))


def test_folding_keeps_it() -> None:
    f = ts.CompilationUnit("def f():\n    return torch.zeros([3, 4]).t().contiguous().t() + 0\n").f
    assert [f().stride() for _ in range(4)] == [(1, 3)] * 4
    assert torch.equal(f(), torch.zeros(3, 4))
