"""Functions of `torch` that are Python over operators, and methods of tensors that are no operators of that name."""

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

Tensor = torch.Tensor


def lists(found: Any) -> Any:
    return [each.tolist() for each in found] if isinstance(found, tuple) else found.tolist()


def test_unique_gives_what_is_asked_for() -> None:
    x = torch.tensor([[1, 3, 2, 3], [1, 2, 1, 2]])
    assert lists(torch.unique(x)) == lists(x.unique()) == [1, 2, 3]
    assert lists(torch.unique(x, return_counts=True)) == [[1, 2, 3], [3, 3, 2]]
    inverse = [[0, 2, 1, 2], [0, 1, 0, 1]]
    assert lists(torch.unique(x, return_inverse=True)) == [[1, 2, 3], inverse]
    assert lists(x.unique(True, True, True)) == [[1, 2, 3], inverse, [3, 3, 2]]
    assert lists(torch.unique(x, dim=1)) == [[1, 2, 3], [1, 1, 2]]
    assert lists(torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))) == [1, 2, 1]
    found = torch.tensor([1, 1, 2, 1]).unique_consecutive(return_counts=True)
    assert lists(found) == [[1, 2, 1], [2, 1, 1]]


def with_counts(x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    a, b, c = torch.unique(x, return_inverse=True, return_counts=True, dim=0)
    return a, b, c


def with_lu(x: Tensor) -> tuple[Tensor, Tensor]:
    a, b = torch.lu(x)
    return a, b + torch.unique_consecutive(b).numel()


def test_unique_and_lu_are_scripted() -> None:
    x = torch.tensor([[1.0, 2.0], [1.0, 2.0], [0.0, 1.0]])
    scripted = ts.script(with_counts)
    assert "torch.functional._return_inverse_and_counts" in scripted.code
    assert "aten::unique_dim" in str(scripted.inlined_graph)
    for _ in range(3):
        assert lists(scripted(x)) == [[[0.0, 1.0], [1.0, 2.0]], [1, 1, 0], [1, 2]]
    square = torch.tensor([[4.0, 2.0], [2.0, 3.0]])
    assert lists(ts.script(with_lu)(square)) == [[[4.0, 2.0], [0.5, 2.0]], [3, 4]]
    assert len(torch.lu(square, get_infos=True)) == 3


def test_rows_stay_where_lu_must_not_exchange_them() -> None:
    """LU factors without pivoting were computed, which PyTorch refuses on processors."""
    for factor in (torch.linalg.lu, torch.linalg.lu_factor, torch.linalg.lu_factor_ex):
        with pytest.raises(RuntimeError, match="LU without pivoting is not implemented on the CPU"):
            factor(torch.eye(2), pivot=False)


def test_tensors_one_by_one_or_as_a_list() -> None:
    a, b = torch.tensor([1, 2]), torch.tensor([3])
    assert lists(torch.block_diag(a, b)) == lists(torch.block_diag([a, b]))
    assert lists(torch.cartesian_prod(a, b)) == [[1, 3], [2, 3]]
    assert lists(torch.atleast_2d(a)) == [[1, 2]]
    assert lists(torch.atleast_2d(a, b)) == [[[1, 2]], [[3]]]
    assert torch.atleast_1d() == ()
    assert torch.broadcast_shapes((2,), (3, 1), 1) == (3, 2)
    with pytest.raises(RuntimeError, match="length 3 at -1! Mismatching argument at index 1"):
        torch.broadcast_shapes((2,), (3,))
    with pytest.raises(ValueError, match="negative length"):
        torch.broadcast_shapes((-1,))


def test_coordinates_of_places() -> None:
    rows, columns = torch.unravel_index(torch.tensor([4, 1]), (3, 2))
    assert (lists(rows), lists(columns), rows.stride()) == ([2, 0], [0, 1], (2,))
    with pytest.raises(TypeError, match="integer dtype"):
        torch.unravel_index(torch.tensor([1.0]), (3,))
    with pytest.raises(ValueError, match="negative"):
        torch.unravel_index(torch.tensor([1]), (-3,))


def test_einsum_of_one_operand_is_a_view() -> None:
    """It was a copy: what was written to a diagonal did not reach the matrix, and a gradient was another one."""
    x = torch.zeros(2, 2)
    torch.einsum("ii->i", x).fill_(1)
    assert lists(x) == [[1.0, 0.0], [0.0, 1.0]]
    assert torch.einsum("...ij->...ji", torch.zeros(2, 3, 4)).stride() == (12, 1, 4)
    assert torch.einsum("ba", torch.zeros(2, 3)).stride() == (1, 3)
    assert lists(torch.einsum(torch.ones(2, 3), [0, 1], [0])) == [3.0, 3.0]
    leaf = torch.ones(2, 2, requires_grad=True)
    product = leaf * 1
    torch.einsum("ii->i", product).mul_(3)
    product.sum().backward()
    assert lists(leaf.grad) == [[3.0, 1.0], [1.0, 3.0]]


def test_einsum_as_a_view_of_what_is_not_contiguous() -> None:
    """It was refused, and with it gradients that are expanded: those of `torch.einsum("ij->ji", x).sum()`."""
    x = torch.arange(16.0).reshape(4, 4)
    assert lists(torch.einsum("ij->ji", x[:2, ::2])) == [[0.0, 4.0], [2.0, 6.0]]
    assert torch.einsum("ij->ji", x[:2, ::2]).stride() == (2, 4)
    assert lists(torch.einsum("ii->i", x[::2, ::2])) == [0.0, 10.0]
    torch.einsum("ii->i", x[::2, ::2]).fill_(7)
    assert lists(x.diagonal()) == [7.0, 5.0, 7.0, 15.0]
    leaf = torch.ones(2, 3, requires_grad=True)
    torch.einsum("ij->ji", leaf * 2).sum().backward()
    assert lists(leaf.grad) == [[2.0] * 3] * 2


def diagonal_written(x: Tensor) -> tuple[Tensor, Tensor]:
    diagonal = torch.einsum("ii->i", [x])
    before = x + 1
    diagonal.fill_(5.0)
    return before, x * 2


def test_einsum_as_a_view_is_followed_by_passes() -> None:
    scripted = ts.script(diagonal_written)
    for _ in range(4):
        found = scripted(torch.zeros(2, 2))
        assert lists(found) == [[[1.0, 1.0], [1.0, 1.0]], [[10.0, 0.0], [0.0, 10.0]]]


def test_views_of_tensors_in_lists_are_written_with_gradients() -> None:
    leaf = torch.ones(2, requires_grad=True)
    product = leaf * 1
    view, other = torch.broadcast_tensors(product, torch.ones(3, 1))
    assert view._base is product and other.shape == (3, 2)
    (same,) = torch.broadcast_tensors(product)
    assert same is product


def test_low_rank_factors() -> None:
    torch.manual_seed(1)
    x = torch.rand(6, 2) @ torch.rand(2, 5)
    for given in (x, x.mT):
        u, s, v = torch.svd_lowrank(given, q=2)
        assert torch.allclose(u @ torch.diag(s) @ v.mT, given, atol=1e-5)
    u, s, v = torch.pca_lowrank(x, q=2)
    assert torch.allclose(u @ torch.diag(s) @ v.mT, x - x.mean(0), atol=1e-5)
    with pytest.raises(ValueError, match="must be non-negative integer and not greater than"):
        torch.pca_lowrank(x, q=9)


def test_memory_of_others() -> None:
    data = bytearray(8)
    x = torch.frombuffer(data, dtype=torch.int32)
    x[1] = 1
    assert data == bytes([0] * 4 + [1, 0, 0, 0])
    assert lists(torch.frombuffer(data, dtype=torch.int32, count=1, offset=4)) == [1]
    for options, text in (
        ({"offset": 3}, "must be a multiple of element size"),
        ({"count": 9}, "must not be greater than actual buffer length"),
        ({"offset": 8}, "must be non-negative and no greater"),
        ({"count": 0}, "must not be 0"),
    ):
        with pytest.raises(ValueError, match=text):
            torch.frombuffer(data, dtype=torch.int32, **options)
    array = np.arange(3)
    assert torch.asarray(array).data_ptr() == array.ctypes.data
    assert torch.asarray(array, copy=True).data_ptr() != array.ctypes.data
    with pytest.raises(ValueError, match="can't alias"):
        torch.asarray(array, dtype=torch.float32, copy=False)


def test_methods_beside_operators() -> None:
    x = torch.tensor([1, 2, 3])
    assert lists(x.new_tensor([1.5, 2])) == [1, 2]
    assert torch.zeros(2, 3, 4, 5).contiguous(memory_format=torch.channels_last).dim_order() == (
        0,
        2,
        3,
        1,
    )
    with pytest.raises(RuntimeError, match="does not have unique dim order"):
        torch.zeros(1, 2).dim_order(ambiguity_check=True)
    assert lists(x.clone().apply_(lambda a: a * 2)) == [2, 4, 6]
    assert lists(x.clone().map_(x, lambda a, b: a * b)) == [1, 4, 9]
    assert lists(2 << x) == [4, 8, 16]
    assert lists(reversed(x)) == [3, 2, 1]
    assert x.is_cpu
    assert not x.is_mps
    assert x.type() == torch.typename(x) == "torch.LongTensor"
    for wanted in (torch.float64, "torch.DoubleTensor", torch.DoubleTensor):
        assert x.type(wanted).dtype is torch.float64


def test_types_that_are_named_for_their_elements() -> None:
    assert torch.LongTensor([1, 2]).dtype is torch.int64
    assert torch.FloatTensor(2, 3).shape == (2, 3)
    assert torch.BoolTensor().shape == (0,)
    assert isinstance(torch.zeros(1), torch.FloatTensor)
    assert not isinstance(torch.zeros(1), torch.LongTensor)
    with pytest.raises(TypeError, match="data must be a sequence"):
        torch.FloatTensor(2.5)
    assert torch.typename(torch.nn.Linear) == "torch.nn.modules.linear.Linear"


def test_generators_go_on_where_they_were() -> None:
    torch.manual_seed(3)
    state = torch.get_rng_state()
    first = torch.randn(5)
    torch.set_rng_state(state)
    assert lists(torch.randn(5)) == lists(first)
    with torch.random.fork_rng():
        torch.rand(7)
    after = torch.rand(2)
    torch.set_rng_state(state)
    torch.randn(5)
    assert lists(torch.rand(2)) == lists(after)
    source = torch.Generator().manual_seed(4)
    torch.randn(3, generator=source)
    other = torch.Generator()
    other.set_state(source.get_state())
    assert lists(torch.randn(2, generator=other)) == lists(torch.randn(2, generator=source))
    assert other.initial_seed() == 4
    with pytest.raises(RuntimeError, match="wrong size"):
        other.set_state(torch.zeros(3, dtype=torch.uint8))
    with pytest.raises(TypeError, match="ByteTensor"):
        other.set_state(torch.zeros(3))


def test_windows() -> None:
    windows = torch.signal.windows
    expected = [0.0, 0.5, 1.0, 0.5, 0.0]
    assert np.allclose(lists(windows.hann(5)), expected, atol=1e-7)
    assert np.allclose(lists(windows.bartlett(5)), expected)
    assert np.allclose(
        lists(windows.kaiser(5, sym=False, beta=0.9)),
        [0.8244, 0.9348, 0.9926, 0.9926, 0.9348],
        atol=1e-4,
    )
    assert windows.gaussian(0).shape == (0,)
    with pytest.raises(ValueError, match="requires non-negative window length, got M=-1"):
        windows.cosine(-1)
    with pytest.raises(ValueError, match="expects float32 or float64"):
        windows.hann(3, dtype=torch.int64)


def test_what_is_not_close_is_told() -> None:
    close = torch.testing.assert_close
    close({"a": [torch.ones(2), 1.0]}, {"a": [torch.ones(2) + 1e-7, 1.0]})
    for one, other, text in (
        (torch.ones(2), torch.tensor([1.0, 2.0]), r"1 / 2 \(50.0%\)"),
        (torch.tensor(1), torch.tensor(2), "Scalars are not equal!"),
        ([torch.ones(1)], [torch.zeros(1)], r"occurred for item \[0\]"),
        (torch.ones(2), torch.ones(2).double(), "'dtype' do not match"),
        (torch.tensor(float("nan")), torch.tensor(float("nan")), "not close"),
    ):
        with pytest.raises(AssertionError, match=text):
            close(one, other)
    close(torch.tensor(float("nan")), torch.tensor(float("nan")), equal_nan=True)


def test_sparse_tensors_cannot_require_gradients() -> None:
    """A TypeError of Python's about `__class__` was raised."""
    with pytest.raises(NotImplementedError, match=r"layout torch\.sparse_coo are not supported"):
        torch.eye(2).to_sparse().requires_grad_()


def test_text_of_sparse_tensors() -> None:
    """Lines were as long as those of a tensor by itself, and blank lines held blanks."""
    blocks = torch.tensor([[0, 1], [2, 3]]).to_sparse(layout=torch.sparse_bsr, blocksize=(1, 2))
    assert repr(blocks).splitlines()[2:5] == [
        "       values=tensor([[[0, 1]],",
        "",
        "                      [[2, 3]]]), size=(2, 2), nnz=2, layout=torch.sparse_bsr)",
    ]
    rows = torch.ones(5, 20).to_sparse_csr()
    assert max(map(len, repr(rows).splitlines())) <= 80
    with pytest.raises(RuntimeError, match="with blocksize argument given is not supported"):
        rows.to_sparse(layout=torch.sparse_csr, blocksize=(3, 1))


def test_sequences_of_a_batch_are_copies() -> None:
    """They were views of the batch."""
    batch = torch.zeros(4, 2, 5)
    first, _ = torch.nn.utils.rnn.unpad_sequence(batch, torch.tensor([4, 2]))
    first.fill_(1)
    assert not batch.any()


def test_inner_with_a_number_has_the_dtype_of_a_product() -> None:
    """It was NumPy's: floats and an integer gave float64."""
    assert torch.inner(torch.ones(2), torch.tensor(2)).dtype is torch.float32
    assert torch.inner(torch.tensor(2), torch.ones(2)).dtype is torch.float32


def test_stft_pads_the_ends_of_a_signal() -> None:
    x: Any = torch.arange(6.0)
    inside = [[1, 3, 5, 7, 9], [-1, -1, -1, -1, -1]]
    centered = [[1, 1, 3, 5, 7, 9, 9], [1, -1, -1, -1, -1, -1, 1]]
    for stft in (torch.stft, type(x).stft):
        assert lists(stft(x, 2, 1, return_complex=True).real) == centered
        assert lists(stft(x, 2, 1, center=False, return_complex=True).real) == inside
        assert tuple(stft(x, 4, return_complex=True).shape) == (3, 7)
        with pytest.raises(RuntimeError, match="align_to_window should only be set when center"):
            stft(x, 2, align_to_window=True, return_complex=True)


def test_cdist_takes_the_way_in_which_it_multiplies() -> None:
    x, y = torch.tensor([[0.0, 0.0]]), torch.tensor([[3.0, 4.0]])
    for mode in ("use_mm_for_euclid_dist", "donot_use_mm_for_euclid_dist"):
        assert lists(torch.cdist(x, y, compute_mode=mode)) == [[5.0]]
    assert lists(torch.cdist(x, y, 1.0)) == [[7.0]]
    with pytest.raises(ValueError, match="fast is not a valid value for compute_mode"):
        torch.cdist(x, y, compute_mode="fast")
