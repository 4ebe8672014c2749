"""`torch.sparse_coo_tensor` and its like take lists, arrays and numbers for tensors, in eager code."""

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

BLOCKS = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]]]


@pytest.mark.parametrize("given", [list, np.array, torch.tensor])
def test_coordinates(given):
    indices, values = given([[0, 1], [1, 0]]), given([1.5, 2.5])
    made = torch.sparse_coo_tensor(indices, values, (2, 2))
    assert made.layout is torch.sparse_coo
    assert made.to_dense().tolist() == [[0.0, 1.5], [2.5, 0.0]]
    named = torch.sparse_coo_tensor(values=values, indices=indices, size=(2, 2))
    assert named.to_dense().tolist() == made.to_dense().tolist()


def test_dtypes_of_coordinates_and_values():
    """Indices are ints; values have the dtype of their numbers, or the one that is asked for."""
    made = torch.sparse_coo_tensor([[0.0, 1.0]], [1, 2])
    assert made._indices().dtype is torch.int64
    assert made.dtype is torch.int64
    assert torch.sparse_coo_tensor([[0, 1]], [1, 2], dtype=torch.float64).dtype is torch.float64
    assert torch.sparse_coo_tensor([[0, 1]], [1j, 2]).dtype is torch.complex64


def test_one_number_is_one_value():
    assert torch.sparse_coo_tensor([[1]], 5.0, [3]).to_dense().tolist() == [0.0, 5.0, 0.0]


def test_a_size_alone():
    assert torch.sparse_coo_tensor([2, 3], dtype=torch.int64).to_dense().tolist() == [[0] * 3] * 2


@pytest.mark.parametrize("given", [list, np.array, torch.tensor])
@pytest.mark.parametrize("kind", ["csr", "csc", "bsr", "bsc"])
def test_rows_columns_and_blocks(kind, given):
    values = BLOCKS if kind.startswith("b") else [1.0, 2.0]
    made = getattr(torch, f"sparse_{kind}_tensor")(given([0, 1, 2]), given([1, 0]), given(values))
    assert made.layout is getattr(torch, f"sparse_{kind}")
    dense = torch.zeros(made.shape)
    for place, (row, column) in enumerate([(0, 1), (1, 0)]):
        step = made.shape[0] // 2
        at = (column, row) if kind.endswith("c") else (row, column)
        rows, columns = (slice(step * one, step * one + step) for one in at)
        dense[rows, columns] = torch.tensor(values[place])
    assert torch.equal(made.to_dense(), dense)


def test_the_layout_may_be_an_argument():
    made = torch.sparse_compressed_tensor([0, 1, 2], [0, 1], [1.0, 2.0], layout=torch.sparse_csc)
    assert made.to_dense().tolist() == [[1.0, 0.0], [0.0, 2.0]]


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: torch.sparse_coo_tensor("ab", [1.0], [2]), TypeError, "invalid data type 'str'"),
        (lambda: torch.sparse_coo_tensor([[0]], None, [2]), RuntimeError, "NoneType"),
        (
            lambda: torch.sparse_coo_tensor([[0], [1, 2]], [1.0], [2]),
            ValueError,
            "expected sequence of length 1 at dim 1",
        ),
        (lambda: torch.sparse_coo_tensor([[0, 1]], [1.0, 2.0, 3.0]), RuntimeError, "same nnz"),
        (lambda: torch.sparse_coo_tensor([0, 1], [1.0, 2.0]), RuntimeError, "sparse_dim x nnz"),
        (lambda: torch.sparse_coo_tensor([[0, 2**70]], [1.0, 2.0], [2]), ValueError, "Overflow"),
        (lambda: torch.sparse_coo_tensor([[0, -7]], [1.0, 2.0]), RuntimeError, "negative index -7"),
        (lambda: torch.sparse_coo_tensor([[0, 7]], [1.0, 2.0], [2]), RuntimeError, "index 7"),
        (lambda: torch.sparse_csr_tensor([0, 1], [7], [1.0], (1, 2)), RuntimeError, "ncols"),
        (lambda: torch.sparse_csr_tensor([0, 3], [0], [1.0], (1, 2)), RuntimeError, "nnz"),
        (lambda: torch.sparse_csr_tensor([0, 1], [0]), TypeError, "values"),
        (
            lambda: torch.sparse_compressed_tensor([0, 1], [0], [1.0], (1, 1)),
            RuntimeError,
            "layout but got none",
        ),
    ],
)
def test_what_makes_no_tensor_is_refused(make, error, message):
    with pytest.raises(error, match=message):
        make()


def test_order_is_asked_for_where_a_caller_wants_it():
    parts = [0, 2], [1, 0], [1.0, 2.0], (1, 2)
    assert torch.sparse_csr_tensor(*parts).to_dense().tolist() == [[2.0, 1.0]]
    with pytest.raises(RuntimeError, match="sorted and distinct"):
        torch.sparse_csr_tensor(*parts, check_invariants=True)


def test_the_compiler_takes_them_for_operators():
    @ts.script
    def f(i, v):
        return torch.sparse_coo_tensor(i, v, [3]).to_dense()

    assert "aten::sparse_coo_tensor" in str(f.graph)
    assert f(torch.tensor([[1]]), torch.tensor([2.0])).tolist() == [0.0, 2.0, 0.0]
