"""`torch.Tensor` as programs use the class: constructors from before dtypes were said, methods that are taken from it, storages."""

import copy
from typing import Any, cast

import numpy as np
import pytest

from torchscript_dialect import torch


def test_legacy_constructors() -> None:
    assert torch.Tensor(2, 3).shape == torch.Tensor(torch.Size([2, 3])).shape == (2, 3)
    assert torch.Tensor().shape == (0,)
    made = torch.Tensor([[1, 2], [3, 4]])
    assert made.dtype is torch.float32 and made.tolist() == [[1, 2], [3, 4]]
    assert torch.Tensor((2, 3)).tolist() == [2, 3]
    numbers = torch.tensor([1, 2])
    assert torch.Tensor(numbers).dtype is torch.int64
    assert torch.Tensor(numbers).data_ptr() == numbers.data_ptr()


def test_arrays_become_tensors_of_the_default_dtype() -> None:
    """As in PyTorch: an array with that dtype lends its memory, and a NumPy integer is a size."""
    for array in (np.array([1.5, 2.0]), np.array([1, 2]), np.array([True]), np.array([1 + 2j])):
        made = torch.Tensor(array)
        assert made.dtype is torch.float32
        assert made.tolist() == np.real(array).tolist()
    shared = np.zeros(2, np.float32)
    torch.Tensor(shared).add_(1)
    assert shared.tolist() == [1, 1]
    assert torch.Tensor(np.int64(3)).shape == (3,)
    with pytest.raises(TypeError, match="data must be a sequence"):
        torch.Tensor(np.float64(3))


def test_typed_constructors() -> None:
    assert torch.LongTensor(2, 1).dtype is torch.int64
    array = np.array([1.0, 2.0], np.float32)
    copied = torch.FloatTensor(array)
    array[0] = 5
    assert copied.tolist() == [1, 2]
    assert torch.FloatTensor(np.array([1, 2])).tolist() == [1.0, 2.0]
    with pytest.raises(TypeError, match="expected a tensor of dtype float32"):
        torch.FloatTensor(torch.ones(2, dtype=torch.int64))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ((1.5,), "data must be a sequence"),
        ((2, [1]), "takes sizes"),
        (("ab",), "invalid data type"),
    ],
)
def test_what_makes_no_tensor(data: tuple[Any, ...], message: str) -> None:
    for make in (torch.Tensor, torch.IntTensor, torch.ones(1).new):
        with pytest.raises(TypeError, match=message):
            make(*data)


def test_new() -> None:
    x = torch.ones(2, dtype=torch.float64)
    assert x.new(2, 3).shape == (2, 3) and x.new(2, 3).dtype is torch.float64
    assert x.new([1, 2]).tolist() == [1.0, 2.0]
    assert x.new_tensor([1, 2]).dtype is torch.float64
    assert x.new(x).data_ptr() == x.data_ptr()


def test_methods_of_the_class() -> None:
    x, class_ = torch.tensor([1.0, 2.0]), cast("Any", torch.Tensor)
    assert class_.add(x, 1).tolist() == [2, 3]
    assert [each.item() for each in map(class_.sum, [x, x])] == [3, 3]
    assert {"add", "relu_", "T", "new", "requires_grad_"} <= set(dir(class_))
    assert class_.relu_ is class_.relu_
    tracked = torch.ones(2, requires_grad=True)
    class_.mul(tracked, x).sum().backward()
    assert tracked.grad.tolist() == [1, 2]
    with pytest.raises(AttributeError):
        _ = class_.no_such_method


def test_lists_as_keys() -> None:
    """One of numbers is a tensor; one of keys is a tuple."""
    x = torch.arange(12).reshape(3, 4)
    assert x[[]].shape == x[[[]]].shape == (0, 4) and x[:, []].shape == (3, 0)
    assert x[[0, 2]].tolist() == [[0, 1, 2, 3], [8, 9, 10, 11]]
    assert x[[[0, 1], [1, 2]]].tolist() == [1, 6] and x[[0, [1, 2]]].tolist() == [1, 2]
    assert x[[..., 0]].tolist() == [0, 4, 8] and x[[np.array([0]), 1]].tolist() == [1]
    x[[[2], [3]]] = -1
    assert x[2].tolist() == [8, 9, 10, -1]


def test_storages() -> None:
    x = torch.arange(6.0).reshape(2, 3)
    storage = x.t()[1].untyped_storage()
    assert (storage.nbytes(), len(storage), storage.element_size()) == (24, 24, 1)
    assert storage.data_ptr() == x.data_ptr() == x.storage().data_ptr()
    typed = x[1].storage()
    assert (typed.size(), typed.dtype, typed.tolist()) == (6, torch.float32, [0, 1, 2, 3, 4, 5])
    typed[5] = 9.0
    assert x[1, 2].item() == 9 and typed[5] == 9
    assert torch.is_storage(typed) and torch.is_storage(storage) and not torch.is_storage(x)
    assert torch.zeros(0).untyped_storage().data_ptr() == 0
    assert not x.is_shared()


def test_text_of_parameters() -> None:
    parameter = torch.nn.Parameter(torch.ones(2))
    wanted = "Parameter containing:\ntensor([1., 1.], requires_grad=True)"
    assert repr(parameter) == str(parameter) == wanted
    assert repr(torch.nn.Parameter(torch.ones(1), False)) == "Parameter containing:\ntensor([1.])"
    assert repr(parameter.data) == repr(torch.nn.Buffer(torch.ones(2))) == "tensor([1., 1.])"


def test_a_copy_of_a_parameter_is_one() -> None:
    for wanted in (True, False):
        copied = copy.deepcopy(torch.nn.Parameter(torch.ones(2), wanted))
        assert isinstance(copied, torch.nn.Parameter) and copied.requires_grad is wanted
    assert not isinstance(copy.deepcopy(torch.ones(2)), torch.nn.Parameter)


def test_what_an_operator_cannot_take_may_take_the_tensor() -> None:
    class Reflected:
        def __radd__(self, other: Any) -> Any:
            return f"radd {other.tolist()}"

        __rmatmul__ = __gt__ = __eq__ = __radd__

    x, other = torch.ones(1), Reflected()
    told = "radd [1.0]"
    assert [x + other, x @ other, x < other, x == other] == [told] * 4
    x = torch.ones(1)
    with pytest.raises(
        TypeError, match=r"unsupported operand type\(s\) for -: 'Tensor' and 'list'"
    ):
        _ = x - [1.0]
    with pytest.raises(
        TypeError, match="'<' not supported between instances of 'Tensor' and 'object'"
    ):
        _ = x < object()
    assert (x == object()) is False and (x != object()) is True
