"""What the node of a compiled function keeps of its arguments, made once as long as nobody writes to them."""

from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch


def product(x, w):
    return (x * w * w).sum()


def compiled(*args: Any) -> Any:
    """The function, which has a plan for such arguments."""
    f = torch.jit.script(product)
    for _ in range(4):
        f(*args)
    return f


def pair() -> tuple[Any, Any]:
    return torch.tensor([1.0, 2.0]), torch.tensor([3.0, 4.0], requires_grad=True)


@pytest.mark.parametrize("written", [0, 1])
def test_a_write_after_a_call_is_found(written: int) -> None:
    args = pair()
    f = compiled(*args)
    for _ in range(2):
        y = f(*args)
        with torch.no_grad():
            args[written].mul_(2.0)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            y.backward()


@pytest.mark.parametrize("written", [0, 1])
def test_a_write_before_a_call_is_none(written: int) -> None:
    args = pair()
    f = compiled(*args)
    for _ in range(3):
        with torch.no_grad():
            args[written].mul_(2.0)
        x, w = (one.detach().numpy() for one in args)
        (found,) = torch.autograd.grad(f(*args), [args[1]])
        np.testing.assert_allclose(found.numpy(), 2 * x * w)


def test_a_tensor_that_begins_to_require_gradients_has_them() -> None:
    x, w = pair()
    f = compiled(x, w)
    x.requires_grad_()
    compiled_once_more = [f(x, w) for _ in range(4)][-1]
    (first,) = torch.autograd.grad(compiled_once_more, [w], create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), [x])
    np.testing.assert_allclose(second.numpy(), 2 * w.detach().numpy())


def test_a_leaf_gets_other_memory() -> None:
    x, w = pair()
    f = compiled(x, w)
    for value in (5.0, 6.0):
        w.data = torch.full([2], value)
        (found,) = torch.autograd.grad(f(x, w), [w])
        np.testing.assert_allclose(found.numpy(), 2 * x.numpy() * value)


@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.parametrize("is_contiguous", [False, True])
def test_data_assigned_after_a_call_are_what_gradients_are_of(
    is_compiled: bool, is_contiguous: bool
) -> None:
    x, w = pair()
    f = compiled(x, w) if is_compiled else product
    for _ in range(2):
        before = w.detach().numpy()
        y = f(x, w)
        w.data = torch.tensor([5.0, 6.0]) if is_contiguous else torch.tensor([5.0, 0.0, 6.0])[::2]
        (found,) = torch.autograd.grad(y, [w])
        of_product = x.numpy() * (
            [5.0, 6.0] if is_compiled else before
        )  # a graph computes x * w again
        np.testing.assert_allclose(found.numpy(), of_product + x.numpy() * [5.0, 6.0])
        y = (w * w).sum()
        w.data = torch.tensor([7.0, 8.0])
        np.testing.assert_allclose(torch.autograd.grad(y, [w])[0].numpy(), [14.0, 16.0])


@pytest.mark.parametrize("is_compiled", [False, True])
def test_a_write_to_assigned_data_is_found(is_compiled: bool) -> None:
    x, w = pair()
    f = compiled(x, w) if is_compiled else product
    y = f(x, w)
    w.data = torch.tensor([5.0, 6.0])
    with torch.no_grad():
        w.mul_(2.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_data_assigned_after_a_write_hide_no_write() -> None:
    x, w = pair()
    y = product(x, w)
    with torch.no_grad():
        w.mul_(2.0)
    w.data = torch.tensor([5.0, 6.0])
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_a_leaf_that_becomes_a_result_is_none() -> None:
    x, w = pair()
    f = compiled(x, w)
    v = torch.tensor([1.0, 1.0])
    f(v, w)
    v.mul_(w)
    first = torch.autograd.grad(f(v, w), [w])[0]
    np.testing.assert_allclose(first.numpy(), 3 * w.detach().numpy() ** 2)


def test_gradients_of_two_calls_are_added_up() -> None:
    x, w = pair()
    f = compiled(x, w)
    for _ in range(2):
        f(x, w).backward()
    np.testing.assert_allclose(w.grad.numpy(), 4 * x.numpy() * w.detach().numpy())


def test_one_leaf_for_two_arguments() -> None:
    _, w = pair()
    f = compiled(w, w)
    f(w, w).backward()
    np.testing.assert_allclose(w.grad.numpy(), 3 * w.detach().numpy() ** 2)


def test_hooks_of_leaves_see_gradients() -> None:
    x, w = pair()
    f = compiled(x, w)
    seen: list[Any] = []
    handle = w.register_hook(seen.append)
    f(x, w).backward()
    handle.remove()
    w.register_post_accumulate_grad_hook(lambda leaf: seen.append(leaf.grad.clone()))
    f(x, w).backward()
    wanted = 2 * x.numpy() * w.detach().numpy()
    np.testing.assert_allclose([one.numpy() for one in seen], [wanted, 2 * wanted])


def test_a_weight_that_requires_gradients() -> None:
    x, w = pair()
    f = compiled(x, w)
    weight = torch.tensor(2.0, requires_grad=True)
    (found,) = torch.autograd.grad(f(x, w), [w], weight)
    np.testing.assert_allclose(found.numpy(), 4 * x.numpy() * w.detach().numpy())
    assert not found.requires_grad
