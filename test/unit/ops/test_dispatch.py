"""Calls from Python: which overload runs, with which operands, and what errors say."""
# pyright: reportOptionalCall=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
# pyright: reportIndexIssue=false, reportOptionalMemberAccess=false

from typing import cast

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops.eager.recording import Recorder, recording
from torchscript_dialect.tensor.tensor import Tensor


def test_operators_of_python() -> None:
    x = torch.tensor([1.0, 2.0, 4.0])
    assert (x + 1).tolist() == [2, 3, 5]
    assert (1 - x).tolist() == [0, -1, -3]
    assert (2 / x).tolist() == [2, 1, 0.5]
    assert (2**x).tolist() == [2, 4, 16]
    assert (7 // x).tolist() == [7, 3, 1]
    assert (-x).tolist() == [-1, -2, -4]
    assert (x > 1).tolist() == [False, True, True]
    assert (x == 2).tolist() == [False, True, False]
    assert 2.0 in x
    assert (x != "a") is True
    assert (np.ones(3) + x).tolist() == [2, 3, 5]


def test_in_place_returns_the_tensor() -> None:
    x = y = torch.zeros(3)
    x += 2
    assert x is y
    assert y.mul_(2) is x
    assert x.tolist() == [4, 4, 4]


def test_sizes_as_arguments() -> None:
    x = torch.arange(6)
    assert x.view(2, 3).shape == x.view([2, 3]).shape == x.view((2, 3)).shape
    assert torch.zeros(2, 3).shape == (2, 3)
    assert x.view(2, 3).permute(1, 0).shape == (3, 2)
    assert torch.ones(2, 3).sum(dim=1).tolist() == torch.ones(2, 3).sum(axis=1).tolist() == [3, 3]


def test_named_results() -> None:
    best = torch.tensor([[1, 5], [7, 2]]).max(1)
    assert best.values.tolist() == [5, 7]
    _, indices = best
    assert indices.tolist() == [1, 0]


def test_dtypes_and_devices() -> None:
    x = torch.ones(2, dtype=torch.float64)
    assert x.to(torch.int32).dtype is torch.int32
    assert x.to("cpu") is x
    assert x.float().half().long().dtype is torch.int64
    with pytest.raises(RuntimeError, match="tensors live on the cpu only, not on device 'mps'"):
        torch.zeros(2, device="mps")


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        slice(1, None),
        (0, 1),
        (slice(None), 1),
        (..., 0),
        None,
        (None, 0),
        [0, 1],
        (slice(None), [2, 0]),
        (0, None, slice(0, 3, 2)),
    ],
)
def test_indexing_as_numpy(key) -> None:
    array = np.arange(12.0).reshape(3, 4)
    assert torch.tensor(array)[key].tolist() == array[key].tolist()


def test_masks_and_tensors_as_keys() -> None:
    x = torch.arange(6).view(2, 3)
    assert x[x > 2].tolist() == [3, 4, 5]
    assert x[torch.tensor([1, 0])].tolist() == [[3, 4, 5], [0, 1, 2]]
    assert x[torch.tensor(1)].tolist() == [3, 4, 5]
    x[0] = 9
    x[:, 1] = torch.tensor([7, 8])
    x[x == 9] = 0
    assert x.tolist() == [[0, 7, 0], [3, 8, 5]]


def test_no_overload() -> None:
    with pytest.raises(
        TypeError, match=r"no overload of aten::mm takes these arguments:\n  aten::mm\(Tensor self"
    ):
        torch.mm(torch.ones(2, 2), "a")


def test_no_kernel() -> None:
    with pytest.raises(
        RuntimeError, match=r"aten::_fw_primal_copy is not supported: it has no kernel"
    ):
        torch._fw_primal_copy(torch.eye(2), 0)


def test_no_method() -> None:
    with pytest.raises(AttributeError, match="'Tensor' object has no attribute 'no_such'"):
        torch.ones(1).no_such()


def test_recorder_sees_calls() -> None:
    seen: list[str] = []

    class Names:
        def operator(self, operator, operands, given, run):
            seen.append(operator.qualified_name)
            with recording(None):
                return run(*operands)

    with recording(cast(Recorder, Names())):
        x = torch.ones(2) + 1
        x.t().mul_(2)
    torch.ones(1)
    assert seen == ["aten::ones", "aten::add.Scalar", "aten::t", "aten::mul_.Scalar"]


def test_functions_name_their_operator() -> None:
    assert torch.tanh.__torchscript_op__ == "aten::tanh"
    assert Tensor.__add__.__torchscript_op__ == "aten::add"


# Note [Cached calls of operators]


def test_ways_convert_as_the_first_call_does() -> None:
    x = torch.arange(6.0).view(2, 3)
    for _ in range(3):
        assert x.view(3, 2).shape == (3, 2)
        assert x.view([3, 2]).shape == x.view((6,)).view(torch.Size((3, 2))).shape == (3, 2)
        assert x.sum(1).shape == x.sum((1,)).shape == (2,)
        assert x.mean(-1, True).shape == (2, 1)
        assert x.to(torch.float64).dtype is torch.float64
        assert torch.full((2,), 1).dtype is torch.int64
        assert torch.full((2,), 1.0).dtype is torch.float32
        assert torch.nn.functional.leaky_relu(-x, 1).tolist() == (-x).tolist()


def test_a_way_looks_at_the_elements_of_lists() -> None:
    x = torch.arange(6.0)
    for _ in range(2):
        assert torch.stack([x, x]).shape == (2, 6)
        with pytest.raises(TypeError, match="no overload of aten::stack"):
            torch.stack([x, 1])
        assert x.view([2, 3]).shape == (2, 3)
        with pytest.raises(TypeError, match="no overload of aten::view"):
            x.view([2, 3.0])
        assert torch.stack((x, x, x)).shape == (3, 6)


def test_a_tensor_for_a_number_leaves_no_way() -> None:
    x = torch.arange(6.0)
    for _ in range(2):
        assert torch.clamp(x, torch.tensor(1.0), torch.tensor(2.0)).max().item() == 2
        assert torch.leaky_relu(-x, torch.tensor(0.5)).min().item() == -2.5
        with pytest.raises(TypeError):
            torch.leaky_relu(-x, x)


def test_several_results_are_named_on_every_call() -> None:
    x = torch.arange(6.0)
    for _ in range(3):
        found = x.sort()
        assert type(found).__name__ == "sort" and found.values.tolist() == found[0].tolist()


@pytest.mark.parametrize("name", ["eq", "pow", "gcd", "atan2", "remainder"])
def test_overloads_of_torchscript_alone_are_not_called(name: str) -> None:
    with pytest.raises(TypeError, match="no overload"):
        getattr(torch, name)(1, 2)


def test_one_number_stands_for_as_many_as_the_schema_says() -> None:
    x = torch.ones(1, 3, 4, 4)
    for _ in range(2):
        assert torch.nn.functional.adaptive_avg_pool2d(x, 2).shape == (1, 3, 2, 2)
        assert torch.max_pool2d(x, 2, 2).shape == (1, 3, 2, 2)
        assert torch.max_pool2d(x, 3, 1).shape == (1, 3, 2, 2)
        assert torch.max_pool2d(x, 1, 1).shape == x.shape
        assert x.view(4, 12).view(6, 8).shape == (6, 8)
        assert x.sum(0).shape == (3, 4, 4)
        assert torch.zeros(3).shape == (3,)


def test_resized_tensors_keep_their_memory_where_it_has_room() -> None:
    x = torch.arange(6.0)
    y = x[1:3]
    y.resize_(3)
    assert y.tolist() == [1, 2, 3]
    y.mul_(10)
    assert x.tolist() == [0, 10, 20, 30, 4, 5]
    y.resize_(8)
    assert y.tolist()[:3] == [10, 20, 30]


def test_out_that_grows_over_an_operand_is_refused() -> None:
    places = torch.tensor([0, 1, 0])
    with pytest.raises(RuntimeError, match="single memory location"):
        torch.gather(torch.arange(3), 0, places[1:], out=places[:1])
