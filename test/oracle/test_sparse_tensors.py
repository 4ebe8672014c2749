"""Sparse tensors of lists, arrays and numbers, beside PyTorch: what is made, and what is refused with which words."""

import warnings

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torchscript_dialect import torch as ours  # noqa: E402

EXPRESSIONS = """
t.sparse_coo_tensor([[0, 1], [1, 0]], [1., 2.], (2, 2))
t.sparse_coo_tensor([[0, 1], [1, 0]], [1, 2])
1 / t.sparse_coo_tensor([[0, 1, 1]], [-0., 4., -4.], [3]).to_dense()
t.sparse_coo_tensor([[0, 1], [1, 0]], [1, 2], dtype=t.float32)
t.sparse_coo_tensor([[0, 1], [1, 0]], [True, False])
t.sparse_coo_tensor([[0, 1], [1, 0]], [1j, 2])
t.sparse_coo_tensor([[0., 1.], [1., 0.]], [1., 2.])
t.sparse_coo_tensor([0, 1], [1., 2.])
t.sparse_coo_tensor([[0, 1], [1, 0]], [1., 2., 3.])
t.sparse_coo_tensor([], [])
t.sparse_coo_tensor([[]], [], [3])
t.sparse_coo_tensor([[0, 1]], [[1., 2.], [3., 4.]], [2, 2])
t.sparse_coo_tensor([[0, 1]], [[1., 2.], [3., 4.]])
t.sparse_coo_tensor([[1]], 5., [2])
t.sparse_coo_tensor([[0, 1]], 5., [2])
t.sparse_coo_tensor(t.tensor([[0, 1]]), [1., 2.], [2])
t.sparse_coo_tensor([[0, 1]], t.tensor([1., 2.]), [2])
t.sparse_coo_tensor("ab", [1.], [2])
t.sparse_coo_tensor([[0, 1]], "ab", [2])
t.sparse_coo_tensor([[0], [1, 2]], [1.], [2])
t.sparse_coo_tensor([[0, 1]], [1., 2.], [2], device="cpu")
t.sparse_coo_tensor([[0, 1]], [1., 2.], [2], check_invariants=True)
t.sparse_coo_tensor([[0, 7]], [1., 2.], [2], check_invariants=True)
t.sparse_coo_tensor([[0, -7]], [1., 2.])
t.sparse_coo_tensor(indices=[[0, 1]], values=[1., 2.], size=[2])
t.sparse_coo_tensor(np.array([[0, 1]]), np.array([1., 2.]), [2])
t.sparse_coo_tensor([[0, 1]], None, [2])
t.sparse_coo_tensor([2, 3])
t.sparse_coo_tensor((2, 3), dtype=t.int64)
t.sparse_coo_tensor([[t.tensor(0), t.tensor(1)]], [1., 2.], [2])
t.sparse_coo_tensor([[0, 1]], [1., 2.], [2], is_coalesced=True)
t.sparse_coo_tensor([[0, 2**70]], [1., 2.], [2])
t.sparse_csr_tensor([0, 1, 2], [0, 1], [1., 2.])
t.sparse_csr_tensor([0, 1, 2], [0, 1], [1, 2], (2, 2), dtype=t.float64)
t.sparse_csr_tensor([0, 1, 3], [0, 1], [1., 2.], (2, 2), check_invariants=True)
t.sparse_csr_tensor([0, 1, 2], [0, 7], [1., 2.], (2, 2), check_invariants=True)
t.sparse_csr_tensor([0, 2], [1, 0], [1., 2.], (1, 2), check_invariants=True)
t.sparse_csr_tensor([0, 1, 2], [0, 1], [[1.], [2.]], (2, 2, 1))
t.sparse_csr_tensor([[0, 1, 2], [0, 1, 2]], [[0, 1], [1, 0]], [[1., 2.], [3., 4.]], (2, 2, 2))
t.sparse_csr_tensor(np.array([0, 1, 2]), np.array([0, 1]), np.array([1., 2.]), (2, 2))
t.sparse_csr_tensor("a", [0, 1], [1., 2.], (2, 2))
t.sparse_csc_tensor([0, 1, 2], [0, 1], [1., 2.], (2, 2))
t.sparse_csc_tensor([0, 1, 2], [0, 1], [1., 2.])
t.sparse_csc_tensor([0, 1, 2], [0, 9], [1., 2.], (2, 2), check_invariants=True)
t.sparse_bsr_tensor([0, 1, 2], [0, 1], [[[1., 2.], [3., 4.]], [[5., 6.], [7., 8.]]], (4, 4))
t.sparse_bsr_tensor([0, 1, 2], [0, 1], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]])
t.sparse_bsc_tensor([0, 1, 2], [0, 1], [[[1., 2.], [3., 4.]], [[5., 6.], [7., 8.]]])
t.sparse_compressed_tensor([0, 1, 2], [0, 1], [1., 2.], (2, 2), layout=t.sparse_csr)
t.sparse_compressed_tensor([0, 1, 2], [0, 1], [1., 2.], layout=t.sparse_csc)
t.sparse_compressed_tensor([0, 1, 2], [0, 1], [1., 2.], (2, 2))
""".strip().splitlines()


def outcome(t, expression):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = eval(expression, {"t": t, "np": np})
        except (RuntimeError, TypeError, ValueError) as error:
            return type(error).__name__, str(error).partition("\n")[0]
    return str(made), str(made.dtype), str(made.layout), [*made.shape]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_they_are_those_of_pytorch(expression):
    assert outcome(ours, expression) == outcome(torch, expression)
