"""Sparse tensors: which layout a result has, whether PyTorch calls it coalesced, and what becomes of the strides."""

from __future__ import annotations

import math
from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

DENSE = [[1.0, 0, 2, 0], [0, 3, 0, 0], [0, 0, 4, 5], [0, 0, 0, 0]]
BLOCKED = (torch.sparse_bsr, torch.sparse_bsc)
COMPRESSED = (torch.sparse_csr, torch.sparse_csc, *BLOCKED)


def sparse(layout: Any = torch.sparse_coo) -> Any:
    return torch.tensor(DENSE).to_sparse(
        layout=layout, blocksize=(2, 2) if layout in BLOCKED else None
    )


@pytest.mark.parametrize(
    ("of", "wanted"),
    [
        (torch.sparse_coo, torch.sparse_csr),
        (torch.sparse_coo, torch.strided),
        (torch.sparse_csr, torch.sparse_coo),
        (torch.sparse_csr, torch.sparse_csc),
        (torch.sparse_bsr, torch.sparse_bsc),
        (torch.strided, torch.sparse_coo),
        (torch.strided, torch.sparse_csc),
    ],
)
def test_zeros_have_the_layout_that_is_asked_for(of: Any, wanted: Any) -> None:
    x = torch.tensor(DENSE) if of is torch.strided else sparse(of)
    made = torch.zeros_like(x, layout=wanted)
    assert made.layout is wanted
    assert made.shape == (4, 4)
    assert not made.to_dense().any()


def test_layouts_of_zeros_that_cannot_be() -> None:
    with pytest.raises(RuntimeError, match="blocksize needs to be a tuple of size 2"):
        torch.zeros_like(sparse(), layout=torch.sparse_bsr)
    with pytest.raises(RuntimeError, match="blocksize cannot be specified for non-block layout"):
        torch.zeros_like(sparse(torch.sparse_bsr), layout=torch.sparse_csr)
    with pytest.raises(RuntimeError, match=r"self is SparseCsr but you requested SparseCsc"):
        torch.empty_like(sparse(torch.sparse_csr), layout=torch.sparse_csc)
    with pytest.raises(RuntimeError, match=r"got size \[3\]"):
        torch.zeros(3, layout=torch.sparse_csr)


def test_factories_make_sparse_tensors() -> None:
    for layout in (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc):
        for made in (
            torch.zeros(2, 3, layout=layout, dtype=torch.float64),
            torch.empty(2, 3, layout=layout, dtype=torch.float64),
            torch.ones(1, dtype=torch.float64).new_zeros(2, 3, layout=layout),
            sparse(layout).new_empty(2, 3, dtype=torch.float64),
        ):
            assert (made.layout, made.dtype, made.shape) == (layout, torch.float64, (2, 3))
            assert made._nnz() == 0


def test_programs_make_sparse_zeros() -> None:
    unit = ts.CompilationUnit("""
def f(x):
    return (torch.zeros([2, 3], layout=1) + torch.zeros([2, 3], layout=1)).to_dense() + x
""")
    for _ in range(3):
        assert unit.f(torch.ones(2, 3)).tolist() == [[1, 1, 1]] * 2


@pytest.mark.parametrize("layout", COMPRESSED)
def test_what_is_kept_is_filled(layout: Any) -> None:
    x = sparse(layout)
    assert set(torch.full_like(x, 2).values().flatten().tolist()) == {2}
    assert set(x.fill_(3).values().flatten().tolist()) == {3}
    assert torch.ones_like(x).layout is layout


def test_what_is_called_coalesced() -> None:
    x = sparse().coalesce()
    assert not x.select(0, 0).is_coalesced()
    assert not x.unsqueeze(0).is_coalesced()
    assert not x.index_select(0, torch.tensor([0, 2])).is_coalesced()
    assert x.index_select(0, torch.tensor([1])).is_coalesced()
    one = torch.sparse_coo_tensor([[0], [1]], [1.0], (2, 2))
    assert one.is_coalesced()
    assert not one.t().is_coalesced()
    nothing = torch.sparse_coo_tensor((2, 3))
    assert nothing.t().is_coalesced()
    assert not nothing.permute(1, 0).is_coalesced()
    assert torch.sparse_coo_tensor([[], []], [], (2, 2)).is_coalesced()


def test_columns_and_blocks_come_as_they_are() -> None:
    columns = sparse(torch.sparse_csc).to_sparse()
    assert not columns.is_coalesced()
    assert columns._indices().tolist() == [[0, 1, 0, 2, 2], [0, 1, 2, 2, 3]]
    assert columns._values().tolist() == [1, 3, 2, 4, 5]
    assert not sparse(torch.sparse_bsr).to_sparse().is_coalesced()
    assert sparse(torch.sparse_csr).to_sparse().is_coalesced()


@pytest.mark.parametrize("layout", [torch.sparse_coo, *COMPRESSED])
def test_any_layout_becomes_strided_or_is_selected(layout: Any) -> None:
    x = sparse(layout)
    assert x.to_sparse(layout=torch.strided).tolist() == DENSE
    assert x.select(0, 2).to_dense().tolist() == DENSE[2]
    assert (+x).to_dense().tolist() == DENSE
    with pytest.raises(TypeError, match="Cannot assign to a sparse tensor"):
        x[0] = 1
    if layout is not torch.sparse_coo:
        with pytest.raises(RuntimeError, match="tensors do not have strides"):
            x.stride()


def test_products_of_coordinates_from_the_right_are_turned() -> None:
    given = torch.tensor(DENSE) @ sparse()
    assert given.stride() == (1, 4)
    assert (torch.tensor(DENSE) @ sparse(torch.sparse_csr)).stride() == (4, 1)
    columns = sparse(torch.sparse_csc)
    assert (columns @ columns).layout is torch.sparse_csr


def test_the_factor_of_a_sum_goes_to_what_is_sparse() -> None:
    """In PyTorch, too, where the sparse one comes first."""
    x, y = sparse(torch.sparse_csr), torch.ones(4, 4)
    assert torch.equal(torch.add(x, y, alpha=3), torch.add(y, x, alpha=3))


def test_operators_write_to_sparse_tensors() -> None:
    x, out = sparse(), torch.sparse_coo_tensor((4, 4))
    assert torch.sin(x, out=out) is out
    assert torch.equal(out.to_dense(), torch.tensor(DENSE).sin())
    torch.div(x, 2, rounding_mode="floor", out=out)
    assert torch.equal(out.to_dense(), torch.tensor(DENSE) // 2)
    with pytest.raises(RuntimeError, match="can't be cast to the desired output type Int"):
        torch.sin(x, out=x.int())
    assert torch.equal(x.clone().floor_divide_(2).to_dense(), torch.tensor(DENSE) // 2)
    assert x.clone().transpose_(0, 1).to_dense().tolist() == x.t().to_dense().tolist()
    assert out.resize_as_(torch.sparse_coo_tensor((5, 5))).shape == (5, 5)
    with pytest.raises(RuntimeError, match="shrinking"):
        x.copy_(x.narrow_copy(0, 0, 1))


def test_a_number_that_is_sparse_is_a_factor() -> None:
    two = torch.tensor(2.0).to_sparse()
    assert torch.equal((sparse() * two).to_dense(), torch.tensor(DENSE) * 2)
    assert torch.equal((two * sparse()).to_dense(), torch.tensor(DENSE) * 2)


@pytest.mark.parametrize("layout", [torch.sparse_coo, torch.sparse_csr])
def test_sums_of_halves_are_rounded_once(layout: Any) -> None:
    x = torch.full((1, 300), 1.0, dtype=torch.bfloat16).to_sparse(layout=layout)
    assert torch.sum(x, (0, 1), keepdim=True).to_dense().item() == 300
    assert torch.sum(x, 1, keepdim=True).to_dense().item() == 300


def test_sums_over_all_dimensions_are_strided() -> None:
    assert torch.sum(sparse(), (0, 1), keepdim=True).layout is torch.strided


def test_zeros_of_other_dimensions_are_added() -> None:
    rows = torch.tensor(DENSE).to_sparse(1)
    zeros = torch.sparse_coo_tensor((4, 4))
    assert torch.equal((rows + zeros).to_dense(), torch.tensor(DENSE))
    assert torch.equal(torch.add(zeros, rows, alpha=2).to_dense(), torch.tensor(DENSE) * 2)


def test_places_keep_their_dtype_in_sums() -> None:
    bounds, places = (torch.tensor(one, dtype=torch.int32) for one in ([0, 1, 2], [0, 1]))
    x = torch.sparse_csr_tensor(bounds, places, torch.ones(2))
    assert (x + x).crow_indices().dtype is torch.int32
    assert (x @ x).crow_indices().dtype is torch.int64


def test_values_of_the_dtype_that_is_asked_for_are_shared() -> None:
    values = torch.ones(2)
    x = torch.sparse_coo_tensor(torch.tensor([[0, 1]]), values, (2,), dtype=torch.float32)
    assert x._values().data_ptr() == values.data_ptr()


def test_a_factor_of_zero_forgets_nan() -> None:
    x = sparse(torch.sparse_csr)
    assert (
        not torch.addmm(torch.full((4, 4), math.nan).to_sparse_csr(), x, x, beta=0)
        .to_dense()
        .isnan()
        .any()
    )


def test_older_ways_to_make_sparse_tensors() -> None:
    x = sparse()
    assert x.new(2, 3).layout is torch.sparse_coo
    made = x.new(x._indices(), x._values(), x.size())
    assert made.to_dense().tolist() == DENSE
    assert x.ndimension() == 2
    assert torch.equal(torch.negative(x).to_dense(), -torch.tensor(DENSE))
    assert torch.equal(torch.true_divide(x, 2).to_dense(), torch.tensor(DENSE) / 2)


def test_what_is_asked_of_sparse_tensors() -> None:
    x = sparse()
    assert torch.result_type(x, 1.0) is torch.float32
    assert torch.result_type(x.int(), torch.ones(2)) is torch.float32
    assert torch.sparse_coo_tensor([[0]], [1.0], (1,)).is_nonzero()
    assert not x.is_pinned()
    assert x.type() == "torch.sparse.FloatTensor"
    assert x.data.layout is torch.sparse_coo
    assert torch.hstack([x, x]).shape == (4, 8)


def test_systems_without_a_diagonal_have_no_solution() -> None:
    matrix = torch.tensor([[0.0, 1], [0, 2]]).to_sparse_csr()
    assert torch.triangular_solve(torch.ones(2, 1), matrix).solution.isnan().all()


@pytest.mark.parametrize("layout", [torch.sparse_coo, *COMPRESSED])
def test_sparse_tensors_are_close(layout: Any) -> None:
    x, name = sparse(layout), str(layout).removeprefix("torch.sparse_").upper()
    torch.testing.assert_close(x, x.clone())
    torch.testing.assert_close(x, torch.tensor(DENSE), check_layout=False)
    with pytest.raises(AssertionError, match=f"Sparse {name} values are not close!"):
        torch.testing.assert_close(x, x * 2)
    with pytest.raises(AssertionError, match="attribute 'layout' do not match"):
        torch.testing.assert_close(x, torch.tensor(DENSE))
    other = torch.eye(4).to_sparse(layout=layout, blocksize=(2, 2) if layout in BLOCKED else None)
    with pytest.raises(AssertionError, match=f"number of specified values in sparse {name}"):
        torch.testing.assert_close(x, other)


def test_sparse_places_are_equal() -> None:
    torch.testing.assert_close(sparse(), sparse().t().t())  # which is not coalesced
    x = torch.eye(2).to_sparse_csr()
    with pytest.raises(AssertionError, match=r"(?s)col_indices are not equal.*difference: 1 at"):
        torch.testing.assert_close(x, torch.eye(2).flip(0).to_sparse_csr())
