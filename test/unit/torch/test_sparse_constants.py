"""Gradients of strided tensors beside sparse ones that have none: products, sums."""

import io
from collections.abc import Callable
from typing import Any

import pytest

from torchscript_dialect import torch

PLACES = torch.tensor([[0, 1, 1], [1, 0, 2]])
MATRIX = torch.sparse_coo_tensor(PLACES, torch.tensor([1.0, 2.0, 3.0]), [2, 3])
TALL = torch.arange(6.0).reshape(3, 2)
WIDE = TALL.t().contiguous()
BATCH = torch.stack([MATRIX.to_dense(), 2 * MATRIX.to_dense()])

LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "coordinates": lambda x: x.to_sparse(),
    "rows": lambda x: x.to_sparse_csr(),
    "columns": lambda x: x.to_sparse_csc(),
}

CALLS: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "@": (lambda m, x: m @ x, [TALL]),
    "mm": (torch.mm, [TALL]),
    "matmul of a vector": (torch.matmul, [TALL[:, 0]]),
    "mv": (torch.mv, [TALL[:, 0]]),
    "addmm": (lambda m, b, x: torch.addmm(b, m, x, beta=2, alpha=3), [TALL[:2], TALL]),
    "linear": (torch.nn.functional.linear, [WIDE]),
    "from the right": (lambda m, x: x @ m, [TALL[:2]]),
    "turned": (lambda m, x: x @ m.t(), [WIDE]),
    "add": (lambda m, x: x + m, [WIDE]),
    "add_": (lambda m, x: (x * 1).add_(m), [WIDE]),
}


def gradients(call: Callable[..., Any], matrix: Any, given: list[Any]) -> list[Any]:
    """Gradients of the squares of a call's result, and those of their squares, which need the formulas recorded."""
    leaves = [one.clone().requires_grad_() for one in given]
    result = call(matrix, *leaves)
    assert result.layout is torch.strided
    first = torch.autograd.grad((result * result).sum(), leaves, create_graph=True)
    second = torch.autograd.grad(sum((one * one).sum() for one in first), leaves)
    return [one.tolist() for one in (*first, *second)]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", CALLS)
def test_as_of_the_strided_matrix(name: str, layout: str) -> None:
    call, given = CALLS[name]
    sparse = LAYOUTS[layout](MATRIX.to_dense())
    assert gradients(call, sparse, given) == gradients(call, MATRIX.to_dense(), given)


def test_batches() -> None:
    given = [torch.stack([TALL, TALL + 1])]
    assert gradients(torch.bmm, BATCH.to_sparse(), given) == gradients(torch.bmm, BATCH, given)


def test_names_of_sparse_products() -> None:
    """`torch.sparse.mm` and its like take sparse matrices first."""
    wanted = gradients(torch.mm, MATRIX.to_dense(), [TALL])
    assert gradients(torch.sparse.mm, MATRIX, [TALL]) == wanted
    assert gradients(torch.spmm, MATRIX, [TALL]) == wanted
    wanted = gradients(lambda m, b, x: torch.addmm(b, m, x), MATRIX.to_dense(), [TALL[:2], TALL])
    made = gradients(lambda m, b, x: torch.sparse.addmm(b, m, x), MATRIX, [TALL[:2], TALL])
    assert made == wanted


def test_the_matrix_may_be_written_to() -> None:
    """A node keeps what the matrix was; PyTorch raises."""
    matrix, x = MATRIX.clone(), TALL.clone().requires_grad_()
    result = matrix @ x
    matrix.mul_(2)
    result.sum().backward()
    assert x.grad.tolist() == [[2.0, 2.0], [1.0, 1.0], [3.0, 3.0]]


def test_a_write_of_a_sparse_tensor_counts() -> None:
    x = WIDE.clone().requires_grad_()
    powers = x.exp()
    with torch.no_grad():
        powers.add_(MATRIX)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        powers.sum().backward()


def test_a_leaf_is_not_written_to() -> None:
    leaf = WIDE.clone().requires_grad_()
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        leaf.add_(MATRIX)


def test_results_that_are_sparse_have_no_gradients() -> None:
    leaf = WIDE.clone().requires_grad_()
    with pytest.raises(NotImplementedError, match="its result is sparse or nested"):
        _ = leaf * MATRIX
    with torch.no_grad():
        assert (leaf * MATRIX).layout is torch.sparse_coo


@pytest.mark.parametrize("join", [torch.cat, torch.stack])
def test_strided_and_sparse_tensors_are_not_joined(join: Any) -> None:
    with pytest.raises(RuntimeError, match="a dense tensor was found"):
        join([WIDE.clone().requires_grad_(), MATRIX])


class Convolution(torch.nn.Module):
    """Two layers of a graph network (Kipf and Welling, 2017)."""

    def __init__(self) -> None:
        super().__init__()
        self.first = torch.nn.Linear(4, 8)
        self.last = torch.nn.Linear(8, 3)
        with torch.no_grad():
            for number, one in enumerate(self.parameters()):
                one.copy_((torch.arange(one.numel()).reshape(one.shape) * 0.37 + number).sin())

    def forward(self, x: torch.Tensor, adjacency: torch.Tensor) -> torch.Tensor:
        hidden = torch.relu(torch.sparse.mm(adjacency, self.first(x)))
        return torch.log_softmax(torch.mm(adjacency, self.last(hidden)), dim=1)


@pytest.mark.parametrize("layout", ["coordinates", "rows"])
@pytest.mark.parametrize("is_compiled", [False, True])
def test_a_graph_network_is_trained(layout: str, is_compiled: bool) -> None:
    """The loss after five steps is that of PyTorch 2.13.0."""
    module: Any = Convolution()
    if is_compiled:
        module = torch.jit.script(module)
    places = torch.tensor([[0, 1, 1, 2, 4, 4], [1, 0, 2, 1, 4, 0]])
    weights = torch.tensor([1.0, 0.5, 0.5, 1.0, 0.3, 0.7])
    adjacency = LAYOUTS[layout](torch.sparse_coo_tensor(places, weights, [5, 5]).to_dense())
    x, wanted = torch.arange(20.0).reshape(5, 4).cos(), torch.tensor([0, 1, 2, 0, 1])
    optimizer = torch.optim.SGD(module.parameters(), lr=0.5)
    losses: list[float] = []
    for _ in range(6):
        optimizer.zero_grad()
        loss = torch.nn.functional.nll_loss(module(x, adjacency), wanted)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] == pytest.approx(0.53122, abs=1e-5)


class Held(torch.nn.Module):
    """A matrix that a module holds, and a number of calls."""

    def __init__(self) -> None:
        super().__init__()
        self.register_buffer("matrix", MATRIX)
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return torch.mm(self.matrix, x) * self.calls


def test_modules_that_hold_sparse_tensors_are_frozen() -> None:
    """There are no constants of such tensors: they stay attributes."""
    frozen = torch.jit.freeze(torch.jit.script(Held().eval()))
    wanted = MATRIX.to_dense() @ TALL
    assert torch.equal(frozen(TALL), wanted)
    assert torch.equal(frozen(TALL), 2 * wanted)
    buffer = io.BytesIO()
    torch.jit.save(frozen, buffer)
    buffer.seek(0)
    assert torch.equal(torch.jit.load(buffer)(TALL), 3 * wanted)


def test_a_sparse_tensor_from_outside_of_a_trace() -> None:
    with pytest.raises(TypeError, match=r"layout torch\.sparse_coo cannot be a constant"):
        torch.jit.trace(lambda x: torch.mm(MATRIX, x), TALL)
