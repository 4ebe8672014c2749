"""Methods of tensors that are no operators, or not under their own name."""

import pytest

from torchscript_dialect import torch


def test_where() -> None:
    x = torch.tensor([1, 2, 3])
    assert x.where(x > 1, 0).tolist() == [0, 2, 3]
    assert x.where(x > 1, -x).tolist() == [-1, 2, 3]


def test_nonzero_as_tuple() -> None:
    x = torch.tensor([[0, 5], [7, 0]])
    for found in (torch.nonzero(x, as_tuple=True), x.nonzero(as_tuple=True)):
        assert isinstance(found, tuple)
        assert [places.tolist() for places in found] == [[0, 1], [1, 0]]
    assert torch.nonzero(x).tolist() == x.nonzero().tolist() == [[0, 1], [1, 0]]


def test_casts_to_complex_numbers() -> None:
    x = torch.tensor([1, 2])
    assert x.cfloat().dtype is torch.complex64
    assert x.cdouble().dtype is torch.complex128


def test_a_cast_that_changes_nothing_gives_the_tensor_whatever_order_its_dimensions_have() -> None:
    x = torch.zeros(2, 3).t()
    assert x.to(torch.float32, memory_format=torch.contiguous_format) is x
    y = torch.zeros(2, 3, 4, 5).contiguous(memory_format=torch.channels_last)
    assert y.to(torch.float32, memory_format=torch.contiguous_format).stride() == (60, 20, 5, 1)


def test_joins_keep_a_memory_format_that_strides_of_sizes_of_one_tell() -> None:
    rows = torch.zeros(2, 1, 3, 4)
    last = torch.zeros(24).as_strided((2, 1, 3, 4), (12, 1, 4, 1))
    assert torch.cat([rows, rows], 1).stride() == (24, 12, 4, 1)
    assert torch.cat([last, last], 1).stride() == (24, 1, 8, 2)
    assert torch.cat([last, rows], 1).stride() == (24, 12, 4, 1)
    assert torch.stack([rows, rows], 1).stride() == (24, 12, 12, 4, 1)


def test_a_nonzero_that_is_compiled_is_still_the_operator() -> None:
    def f(x: torch.Tensor) -> torch.Tensor:
        return torch.nonzero(x) + x.nonzero()

    assert torch.jit.script(f)(torch.tensor([0, 3])).tolist() == [[2]]


def test_values_with_leading_ones_are_for_assignments_alone() -> None:
    places = torch.tensor([1, 2])
    x = torch.zeros(4)
    x[places] = torch.tensor([[[5.0, 6.0]]])
    assert x.tolist() == [0, 5, 6, 0]
    with pytest.raises(RuntimeError, match=r"value tensor of shape \[1, 2\] cannot be broadcast"):
        x.index_put_([places], torch.tensor([[5.0, 6.0]]))
