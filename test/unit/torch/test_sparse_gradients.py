"""Tables whose gradients are sparse, and the optimizers that take them. The numbers are what PyTorch 2.13 gave."""

from __future__ import annotations

from typing import Any

import pytest

from torchscript_dialect import torch


def table(rows: int = 6) -> Any:
    return torch.ones(rows, 2).requires_grad_()


def looked_up(weight: Any, places: Any) -> Any:
    return torch.embedding(weight, torch.tensor(places), -1, False, True)


def parts(grad: Any) -> tuple[Any, Any]:
    assert grad.layout is torch.sparse_coo
    grad = grad.coalesce()
    return grad.indices().tolist(), grad.values().tolist()


def test_a_gradient_holds_the_rows_that_were_used_as_often_as_they_were() -> None:
    module = torch.nn.Embedding(10, 2, sparse=True, padding_idx=3)
    module(torch.tensor([[1, 2], [1, 3]])).sum().backward()
    grad = module.weight.grad
    assert grad.shape == (10, 2)
    assert not grad.is_coalesced()
    assert grad._indices().tolist() == [[1, 2, 1]]
    assert parts(grad) == ([[1, 2]], [[2.0, 2.0], [1.0, 1.0]])


@pytest.mark.parametrize("places", [[], 3])
def test_no_row_and_one(places: Any) -> None:
    weight = table()
    at = torch.tensor(places, dtype=torch.int32)
    (grad,) = torch.autograd.grad(torch.embedding(weight, at, -1, False, True).sum(), weight)
    assert grad._indices().tolist() == ([[3]] if places == 3 else [[]])


def test_gradients_add_up() -> None:
    weight = table()
    for _ in range(2):
        (looked_up(weight, [3, 4]).sum() * 2 + looked_up(weight, [4]).sum()).backward()
    assert parts(weight.grad) == ([[3, 4]], [[4.0, 4.0], [6.0, 6.0]])
    (looked_up(weight, [3]).sum() + weight.sum()).backward()
    assert weight.grad.layout is torch.strided
    assert weight.grad.tolist() == [[1, 1], [1, 1], [1, 1], [6, 6], [7, 7], [1, 1]]
    looked_up(weight, [0]).sum().backward()
    assert weight.grad[0].tolist() == [2, 2]


def test_a_gradient_goes_on_from_a_table_that_was_computed() -> None:
    weight = table()
    looked_up(weight * 2, [1, 1]).sum().backward()
    assert weight.grad.to_dense().tolist() == [[0, 0], [4, 4], *[[0, 0]] * 4]


def test_hooks_and_zeros() -> None:
    weight, seen = table(), []
    weight.register_hook(lambda grad: seen.append(grad.layout))
    looked_up(weight, [3, 4]).sum().backward()
    assert seen == [torch.sparse_coo]
    torch.optim.SGD([weight], lr=0.1).zero_grad(set_to_none=False)
    assert weight.grad._nnz() == 0


def test_compiled_modules_have_them_in_every_call() -> None:
    module = torch.jit.script(
        torch.nn.Sequential(torch.nn.Embedding(6, 2, sparse=True), torch.nn.Tanh())
    )
    for _ in range(5):
        module.zero_grad()
        module(torch.tensor([1, 2, 1])).sum().backward()
        assert parts(module[0].weight.grad)[0] == [[1, 2]]


def test_counted_rows_have_no_sparse_gradient() -> None:
    module = torch.nn.Embedding(6, 2, sparse=True, scale_grad_by_freq=True)
    loss = module(torch.tensor([1])).sum()
    with pytest.raises(RuntimeError, match="scale_grad_by_freq not supported with sparse"):
        loss.backward()


def test_bags() -> None:
    at, starts = torch.tensor([1, 2, 1, 3]), torch.tensor([0, 2])
    mean = torch.nn.EmbeddingBag(6, 2, sparse=True, mode="mean", padding_idx=1)
    mean(at, starts).sum().backward()
    assert parts(mean.weight.grad) == ([[2, 3]], [[1.0, 1.0], [1.0, 1.0]])
    summed = torch.nn.EmbeddingBag(6, 2, sparse=True, mode="sum")
    weights = torch.tensor([0.5, 2.0, 3.0, 4.0])
    summed(at, starts, per_sample_weights=weights).sum().backward()
    assert parts(summed.weight.grad) == ([[1, 2, 3]], [[3.5, 3.5], [2.0, 2.0], [4.0, 4.0]])


def stepped(make: Any, steps: int = 3) -> Any:
    """A table after some steps, in which two of its four rows are used, one of them twice."""
    weight = table(4)
    optimizer = make([weight])
    for _ in range(steps):
        optimizer.zero_grad()
        looked_up(weight, [1, 3, 1]).pow(2).sum().backward()
        optimizer.step()
    assert weight[0].tolist() == weight[2].tolist() == [1.0, 1.0]
    return [weight[1, 0].item(), weight[3, 0].item()]


@pytest.mark.parametrize(
    ("make", "wanted"),
    [
        (lambda p: torch.optim.SGD(p, lr=0.1), [0.216, 0.512]),
        (lambda p: torch.optim.SGD(p, lr=0.1, maximize=True), [2.744, 1.728]),
        (lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.5, nesterov=True), [-0.066, 0.248]),
        (lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.5, dampening=0.5), [0.064, 0.468]),
        (lambda p: torch.optim.Adagrad(p, lr=0.1, lr_decay=0.1), [0.7950814, 0.7950814]),
        (lambda p: torch.optim.Adagrad(p, lr=0.1, maximize=True), [1.2359701, 1.2359701]),
        (lambda p: torch.optim.SparseAdam(p, lr=0.1), [0.7015864, 0.7015864]),
        (lambda p: torch.optim.SparseAdam(p, lr=0.1, maximize=True), [1.30049, 1.30049]),
    ],
)
def test_steps(make: Any, wanted: Any) -> None:
    assert stepped(make) == pytest.approx(wanted, rel=2e-5)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda p: torch.optim.SGD(p, weight_decay=0.1), "sparse, dense"),
        (lambda p: torch.optim.SGD(p, fused=True), "`_fused_sgd` does not support sparse"),
        (lambda p: torch.optim.Adagrad(p, weight_decay=0.1), "weight_decay option is not"),
        (lambda p: torch.optim.Adagrad(p, fused=True), "`fused` does not support sparse"),
        (lambda p: torch.optim.AdamW(p), "Adam does not support sparse gradients, please"),
        (lambda p: torch.optim.Rprop(p), "Rprop does not support sparse gradients"),
    ],
)
def test_steps_that_there_are_not(make: Any, text: str) -> None:
    with pytest.raises(RuntimeError, match=text):
        stepped(make)


def test_what_sparse_adam_refuses() -> None:
    with pytest.raises(ValueError, match="Invalid learning rate: 0"):
        torch.optim.SparseAdam([table()], lr=0)
    with pytest.raises(ValueError, match=r"Complex params at indices \[\[0, 0\]\]"):
        torch.optim.SparseAdam([torch.ones(2, dtype=torch.complex64)])
    weight = table()
    weight.sum().backward()
    with pytest.raises(RuntimeError, match="please consider Adam instead"):
        torch.optim.SparseAdam([weight]).step()


def test_a_group_may_hold_both() -> None:
    weight, bias = table(4), torch.zeros(2).requires_grad_()
    optimizer = torch.optim.SGD([weight, bias], lr=0.1)
    for _ in range(4):
        optimizer.zero_grad()
        (looked_up(weight, [1]) + bias).sum().backward()
        optimizer.step()
    assert weight[1].tolist() == pytest.approx([0.6, 0.6])
    assert bias.tolist() == pytest.approx([-0.4, -0.4])


def test_gradients_are_set_to_zero() -> None:
    """`detach_`, which an optimizer calls then, made a strided tensor of the gradient and failed."""
    weight = table(3)
    for _ in range(2):
        torch.optim.SGD([weight], lr=0.1).zero_grad(set_to_none=False)
        looked_up(weight, [1]).sum().backward()
        assert weight.grad.layout is torch.sparse_coo
        assert weight.grad.to_dense().tolist() == [[0, 0], [1, 1], [0, 0]]
