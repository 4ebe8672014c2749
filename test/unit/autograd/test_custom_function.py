"""`torch.autograd.Function`: operations whose gradients users write, in eager code (issue of gradients, point 1)."""

import gc
from typing import Any
from weakref import ref

import pytest

from torchscript_dialect import torch

Function = torch.autograd.Function
once_differentiable = torch.autograd.function.once_differentiable


def leaf(*numbers: float) -> Any:
    return torch.tensor(numbers, requires_grad=True)


class Square(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        return 2 * x * grad


class Scaled(Function):
    """Two results, arguments that are no tensors, and gradients that may be None."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any, factor: float) -> Any:
        ctx.factor = factor
        ctx.save_for_backward(x, y)
        ctx.set_materialize_grads(False)
        return x * y * factor, x + y

    @staticmethod
    def backward(ctx: Any, of_product: Any, of_sum: Any) -> Any:
        x, y = ctx.saved_tensors
        seen.append((of_product is None, of_sum is None, ctx.needs_input_grad))
        return of_product * y * ctx.factor, of_product * x * ctx.factor, None


seen: list[Any] = []


def test_gradients_are_those_of_the_user_and_have_gradients_themselves() -> None:
    x = leaf(1.0, 3.0)
    y = Square.apply(x)
    assert y.grad_fn.name() == "SquareBackward"
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert first.tolist() == [2, 6]
    (second,) = torch.autograd.grad(first.sum(), x)
    assert second.tolist() == [2, 2]


def test_several_results_and_arguments_that_are_no_tensors() -> None:
    seen.clear()
    x, y = leaf(1.0, 2.0), leaf(3.0, 4.0)
    product, _ = Scaled.apply(x, y, 2.0)
    product.sum().backward()
    assert x.grad.tolist() == [6, 8] and y.grad.tolist() == [2, 4]
    assert seen == [(False, True, (True, True, False))]


def test_setup_context_and_functions_that_are_differentiable_once() -> None:
    class Exponential(Function):
        @staticmethod
        def forward(x: Any) -> Any:
            return x.exp()

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            ctx.save_for_backward(output)

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.saved_tensors[0]

    x = leaf(0.0)
    y = Exponential.apply(x) ** 2
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    assert first.tolist() == [2]
    with pytest.raises(RuntimeError, match="marked with @once_differentiable"):
        first.sum().backward()


def test_results_that_are_written_arguments_and_results_without_gradients() -> None:
    class Increment(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            x.add_(1)
            ctx.mark_dirty(x)
            return x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 5

    class WithMask(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            mask = (x > 0).float()
            ctx.mark_non_differentiable(mask)
            return x, mask

        @staticmethod
        def backward(ctx: Any, grad: Any, of_mask: Any) -> Any:
            assert of_mask.tolist() == [0]
            return grad * 7

    x = leaf(1.0)
    y = x * 1
    written = Increment.apply(y)
    assert written is y and y.tolist() == [2]
    same, mask = WithMask.apply(y)
    assert same is not y and same.requires_grad and not mask.requires_grad
    same.sum().backward()
    assert x.grad.tolist() == [35]
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        Increment.apply(x)


def test_without_gradients_it_is_a_call() -> None:
    assert not Square.apply(torch.ones(2)).requires_grad
    with torch.no_grad():
        assert not Square.apply(leaf(1.0)).requires_grad


def test_mistakes_are_told() -> None:
    class TooFew(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return x + y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    with pytest.raises(RuntimeError, match=r"incorrect number of gradients \(expected 2, got 1\)"):
        TooFew.apply(leaf(1.0), leaf(1.0)).sum().backward()
    y = Square.apply(leaf(1.0)).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()
    x = leaf(1.0) * 1
    y = Square.apply(x)
    x.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_graphs_are_freed_without_a_collection() -> None:
    class OfResult(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x.exp()
            ctx.save_for_backward(x, y)
            return y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.saved_tensors[1]

    gc.disable()
    try:
        y = OfResult.apply(leaf(1.0) * 1)
        node = ref(y.grad_fn)
        del y
        assert node() is None
    finally:
        gc.enable()


def test_hooks_of_nodes_see_and_change_gradients() -> None:
    x = leaf(1.0, 2.0)
    y = x * 3
    told: list[Any] = []
    y.grad_fn.register_prehook(lambda grads: told.append(grads[0].tolist()))
    y.grad_fn.register_prehook(lambda grads: (grads[0] * 2,))
    handle = y.grad_fn.register_hook(lambda of_inputs, of_results: (of_inputs[0] + 1,))
    y.sum().backward(retain_graph=True)
    assert told == [[1, 1]] and x.grad.tolist() == [7, 7]
    handle.remove()
    x.grad = None
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [6, 6]


def test_a_hook_must_keep_the_size() -> None:
    x = leaf(1.0, 2.0)
    x.register_hook(lambda grad: grad[:1])
    with pytest.raises(RuntimeError, match="has changed the size of value"):
        (x * 2).sum().backward()


def test_several_weights_at_once() -> None:
    x = leaf(1.0, 2.0, 3.0)
    (rows,) = torch.autograd.grad(x * x, x, torch.eye(3), is_grads_batched=True)
    assert rows is not None
    assert rows.tolist() == [[2, 0, 0], [0, 4, 0], [0, 0, 6]]


def test_a_gradient_that_is_assigned_has_to_fit() -> None:
    x = leaf(1.0, 2.0)
    for wrong in (torch.ones(3), torch.ones(2, dtype=torch.float64)):
        with pytest.raises(RuntimeError, match="attempting to assign a gradient"):
            x.grad = wrong
    x.grad = torch.ones(2)
    (x * 2).sum().backward()
    assert x.grad.tolist() == [3, 3]


def test_a_write_of_plain_numbers_to_a_view_made_without_gradients_is_an_error() -> None:
    x = leaf(1.0, 2.0)
    y = x * 1
    with torch.no_grad():
        views = [y[:1], x[:1]]
        views[0].mul_(2)  # both without: nobody wants to know
    for view in views:
        for _ in range(40):  # also once it is run natively
            with pytest.raises(RuntimeError, match="created in no_grad mode"):
                view.mul_(2)
    assert x.tolist() == [1, 2]


def test_backward_goes_back_from_what_was_saved() -> None:
    """As adjoint methods of differential equations do (torchdiffeq, zuko): gradients are off in `backward`, and saved tensors tracked."""

    class Applied(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, *weights: Any) -> Any:
            ctx.save_for_backward(x, *weights)
            return (x * weights[0]).sum()

        @staticmethod
        @once_differentiable
        def backward(ctx: Any, grad: Any) -> Any:
            x, *weights = ctx.saved_tensors
            assert x.requires_grad and not torch.is_grad_enabled()
            with torch.enable_grad():
                again = (x * weights[0]).sum()
            return torch.autograd.grad(again, (x, *weights), grad)

    x, weight = leaf(1.0, 2.0), leaf(3.0, 4.0)
    (Applied.apply(x * 2, weight) * 5).backward()
    assert (x.grad.tolist(), weight.grad.tolist()) == ([30, 40], [10, 20])


def test_a_view_of_what_forward_made_is_a_result() -> None:
    class Halves(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            both = torch.cat([x, x])
            return both[:2], both[2:]

        @staticmethod
        def backward(ctx: Any, first: Any, second: Any) -> Any:
            return first + 10 * second

    x = leaf(1.0, 2.0)
    first, second = Halves.apply(x)
    (first + second).sum().backward()
    assert x.grad.tolist() == [11, 11]


def test_contexts_are_set_up_with_defaults_and_vjp_is_backward() -> None:
    class Power(torch.autograd.Function):
        @staticmethod
        def forward(x: Any, y: int = 3) -> Any:
            return x**y

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            x, ctx.y = inputs
            ctx.save_for_backward(x)

        @staticmethod
        def vjp(ctx: Any, grad: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
            (x,) = ctx.saved_tensors
            return grad * ctx.y * x ** (ctx.y - 1), None

    class Both(Power):
        backward = Power.vjp

    x = torch.tensor(2.0, requires_grad=True)
    Power.apply(x).backward()
    assert x.grad is not None and x.grad.item() == 12.0
    with pytest.raises(RuntimeError, match="Implementing both 'backward' and 'vjp'"):
        Both.apply(x).backward()
