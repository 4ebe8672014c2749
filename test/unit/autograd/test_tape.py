"""The tape: what is recorded, and how one goes back along it."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import Tensor, torch
from torchscript_dialect.autograd.history import known
from torchscript_dialect.torch import autograd


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), requires_grad=True)


def numbers(tensor: Any) -> list[float]:
    return tensor.detach().tolist()


def test_leaf_and_its_results_tell_of_gradients() -> None:
    x = leaf(1.0, 2.0)
    y = x * 2
    assert x.requires_grad and x.is_leaf and x.grad_fn is None
    assert y.requires_grad and not y.is_leaf and y.grad_fn.name() == "MulBackward0"
    assert repr(x) == "tensor([1., 2.], requires_grad=True)"
    assert repr(y) == "tensor([2., 4.], grad_fn=<MulBackward0>)"
    assert isinstance(x, Tensor) and type(x).__name__ == "Tensor"


def test_repeated_tensors_without_elements_are_no_views() -> None:
    x = torch.ones(0, 4, requires_grad=True)
    square = x[:, 2] * x[:, 2]
    for repeated in (x[:, :2].tile((1, 2)), x[:, :2].repeat(2, 1)):
        repeated[:, 1].add_(square.sum())
        assert repeated._version == 1 and x._version == 0
    square.sum().backward()


def test_plain_tensors_stay_plain_beside_gradients() -> None:
    leaf(1.0)
    a = torch.tensor([1.0]) + torch.tensor([2.0])
    assert not a.requires_grad and a.grad_fn is None and a.is_leaf and type(a) is Tensor


def test_dictionaries_by_tensors_keep_histories() -> None:
    """A key is no operand: its entry lost the history that it had, and could not be found."""

    def by_tensors(x: Tensor) -> list[Tensor]:
        table = {row: row * 2 for row in x}
        tripled = [value * 3 for value in table.values()]
        return tripled + [table[row] for row in table.keys()]  # noqa: SIM118

    scripted = ts.script(by_tensors)
    for _ in range(4):
        x = torch.ones(2, 2, requires_grad=True)
        torch.stack(scripted(x)).sum().backward()
        assert numbers(x.grad) == [[8.0, 8.0], [8.0, 8.0]]


def test_backward_accumulates() -> None:
    x = leaf(1.0, 2.0)
    (x * x).sum().backward()
    (x * 3).sum().backward()
    assert numbers(x.grad) == [5.0, 7.0]


def test_gradients_of_broadcast_operands_are_summed() -> None:
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True)
    (x * y).sum().backward()
    assert numbers(y.grad) == [2.0, 2.0, 2.0] and tuple(x.grad.shape) == (2, 3)


def test_gradients_have_the_dtype_of_their_tensor() -> None:
    x = torch.tensor([1.0], dtype=torch.float64, requires_grad=True)
    y = leaf(2.0)
    (x * y).sum().backward()
    assert x.grad.dtype is torch.float64 and y.grad.dtype is torch.float32


def test_leaves_do_not_share_their_gradient() -> None:
    x, y = leaf(1.0), leaf(2.0)
    (x + y).backward()
    x.grad.mul_(5)
    assert numbers(y.grad) == [1.0]


def gradient(x: Tensor) -> Tensor:
    assert x.grad is not None
    return x.grad


def test_leaves_do_not_share_a_gradient_that_has_one_itself() -> None:
    x, y, seed = leaf(1.0, 2.0), leaf(3.0, 4.0), torch.ones(2)
    (x + y).backward(seed, create_graph=True)
    x.backward(seed, create_graph=True)
    with torch.no_grad():
        x.grad.mul_(3)
    seed.zero_()
    assert (numbers(x.grad), numbers(y.grad)) == ([6.0, 6.0], [1.0, 1.0])
    (x * x * y).sum().backward(create_graph=True)
    (2 * y).sum().backward()  # adds in place to what has a gradient
    assert numbers(y.grad) == [4.0, 7.0]
    y.grad = None
    y.sum().backward(create_graph=True)
    assert gradient(y).stride() == (1,) and gradient(y).grad_fn is None
    (y * x).sum().backward(create_graph=True)
    y.grad = None
    (y * x).sum().backward(create_graph=True)
    node = gradient(y).grad_fn
    assert node is not None and node.name() == "torch::autograd::CopyBackwards"


@pytest.mark.parametrize("create_graph", [False, True])
def test_gradients_are_laid_out_as_dense_leaves(create_graph: bool) -> None:
    dense, apart = torch.ones(4, 4).t(), torch.ones(4, 4).t()[::2]
    for one, strides in ((dense, (1, 4)), (apart, (4, 1)), (torch.ones(1).expand(3), (1,))):
        x = one.requires_grad_()
        (x * x).sum().backward(create_graph=create_graph)
        assert x.grad.stride() == strides


def test_grad_of_several_outputs_and_inputs() -> None:
    x, y, z = leaf(1.0), leaf(2.0), leaf(3.0)
    found = autograd.grad([x * y, y * 5], [x, y, z], allow_unused=True)
    assert [None if one is None else numbers(one) for one in found] == [[2.0], [6.0], None]
    assert x.grad is None


def test_unused_input_is_an_error() -> None:
    x, y = leaf(1.0), leaf(2.0)
    with pytest.raises(RuntimeError, match="appears to not have been used"):
        autograd.grad(x * 2, [y])
    (found,) = autograd.grad(x * 2, [y], materialize_grads=True)
    assert numbers(found) == [0.0]


def test_grad_of_a_result_in_between() -> None:
    x = leaf(3.0)
    y = x * x
    assert numbers(autograd.grad(y * y, y)[0]) == [18.0]


def test_weights_of_outputs() -> None:
    x = leaf(1.0, 2.0)
    (x * x).backward(torch.tensor([1.0, 10.0]))
    assert numbers(x.grad) == [2.0, 40.0]
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        (x * x).backward()
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        (x * x).backward(torch.tensor([1.0]))


def test_backward_of_what_requires_nothing_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="does not require grad"):
        torch.ones(1).backward()


def test_graph_is_freed_unless_retained() -> None:
    x = leaf(2.0)
    y = x * x
    y.backward(retain_graph=True)
    y.backward()
    assert numbers(x.grad) == [8.0]
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        y.backward()


def test_double_backward() -> None:
    x = leaf(2.0)
    (first,) = autograd.grad(x * x * x, x, create_graph=True)
    assert first is not None
    (second,) = autograd.grad(first, x, create_graph=True)
    assert second is not None
    (third,) = autograd.grad(second, x)
    assert [numbers(one) for one in (first, second, third)] == [[12.0], [12.0], [6.0]]


def test_detach_cuts() -> None:
    x = leaf(2.0)
    y = (x * x).detach()
    assert not y.requires_grad
    (x * y).backward()
    assert numbers(x.grad) == [4.0]
    z = (x * x).detach_()
    assert z.is_leaf and not z.requires_grad


def test_modes() -> None:
    x = leaf(1.0)
    with torch.no_grad():
        assert not (x * 2).requires_grad
        with torch.enable_grad():
            assert (x * 2).requires_grad
    with torch.inference_mode():
        assert not (x * 2).requires_grad
    with torch.set_grad_enabled(False):
        assert not (x * 2).requires_grad

    @torch.no_grad()
    def f(a: Any) -> Any:
        return a * 2

    assert not f(x).requires_grad and (x * 2).requires_grad


def test_requires_grad_can_be_set_on_leaves_of_floats_only() -> None:
    x = torch.ones(2)
    x.requires_grad = True
    assert x.requires_grad and not x.requires_grad_(False).requires_grad
    with pytest.raises(RuntimeError, match="Tensors of floating point dtype can require"):
        torch.tensor([1]).requires_grad_()
    with pytest.raises(RuntimeError, match="leaf variables"):
        (leaf(1.0) * 2).requires_grad = False


def test_results_in_between_keep_their_gradient_when_asked() -> None:
    x = leaf(3.0)
    y = x * 2
    y.retain_grad()
    (y * y).backward()
    assert numbers(y.grad) == [12.0] and numbers(x.grad) == [24.0] and y.retains_grad


def test_hooks_see_and_change_gradients() -> None:
    x = leaf(3.0)
    y = x * 2
    seen: list[float] = []
    y.register_hook(lambda grad: seen.extend(numbers(grad)))
    handle = x.register_hook(lambda grad: grad * 10)
    after: list[float] = []
    x.register_post_accumulate_grad_hook(lambda t: after.extend(numbers(t.grad)))
    (y * y).backward()
    assert seen == [12.0] and numbers(x.grad) == [240.0] and after == [240.0]
    handle.remove()
    x.grad = None
    (x * 2).backward()
    assert numbers(x.grad) == [2.0]


def test_writes_to_leaves_are_errors() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad"):
        x.add_(1)
    with pytest.raises(RuntimeError, match="a view of a leaf Variable"):
        x[0].add_(1)
    with torch.no_grad():
        x.add_(1)
    assert numbers(x) == [2.0, 3.0]


def test_out_is_an_error_with_gradients() -> None:
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="don't support automatic differentiation"):
        torch.add(x, x, out=torch.zeros(1))


def test_write_in_place_goes_on_the_tape() -> None:
    x = leaf(1.0, 2.0)
    y = x * 1
    y.mul_(x)
    y.add_(1)
    y.sum().backward()
    assert numbers(x.grad) == [2.0, 4.0]


def test_write_to_what_a_gradient_needs_is_an_error() -> None:
    x = leaf(1.0, 2.0)
    y = x.exp()
    y.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_write_to_a_plain_operand_that_a_gradient_needs_is_an_error() -> None:
    x, y = leaf(1.0), torch.tensor([2.0])
    z = x * y
    y[0] = 5.0
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        z.backward()


def test_write_to_a_view_is_a_write_to_its_base() -> None:
    x = leaf(2.0, 3.0)
    y = torch.zeros(2, 2)
    other = y[0]
    y[0].copy_(x * x)
    y[1, 0] = x[0]
    assert y.requires_grad and other.requires_grad
    (y * torch.tensor([[1.0, 10.0], [100.0, 1000.0]])).sum().backward()
    assert numbers(x.grad) == [104.0, 60.0]


@pytest.mark.parametrize("cut", [lambda x: x.detach(), lambda x: x.data, lambda x: x.data.detach()])
def test_what_is_cut_off_from_a_view_is_written_to_by_itself(cut: Any) -> None:
    for x in (torch.zeros(2, 2), leaf(0.0, 0.0) * torch.ones(2, 2)):
        w, view = leaf(2.0, 3.0), x[0]
        h = cut(view)
        h.add_(w * 2)
        assert h.requires_grad and view.requires_grad == x.requires_grad
        h.sum().backward()
        assert numbers(w.grad) == [2.0, 2.0]
        assert numbers(x[0]) == [4.0, 6.0]


def test_views_know_of_writes_to_their_base() -> None:
    x = leaf(2.0, 3.0)
    y = x * 1
    view = y.view(2, 1)
    y.mul_(x)
    view.sum().backward()
    assert numbers(x.grad) == [4.0, 6.0]


def test_one_of_several_views_is_not_written_to() -> None:
    x = leaf(2.0, 3.0)
    first, _ = (x * 1).chunk(2)
    with pytest.raises(RuntimeError, match="returns multiple views"):
        first.mul_(2)


@pytest.mark.parametrize(
    "several",
    [lambda y: y.chunk(2)[0], lambda y: y.unbind(0)[0], lambda y: y.split([1, 1])[0]],
)
def test_one_of_several_views_is_lost_with_a_write_to_its_base(several: Any) -> None:
    """It raised a TypeError."""
    y = leaf(1.0, 2.0) * 1
    view = several(y)
    y.neg_()
    with pytest.raises(
        RuntimeError, match="its base or another view of its base has been modified"
    ):
        view + 1


def test_a_write_to_what_was_joined_needs_no_elements() -> None:
    """The gradient of `cat` asks for sizes, and refused to run."""
    x = leaf(1.0, 2.0)
    y = x * 1
    joined = torch.cat([y, x], 0)
    y.zero_()
    joined.sum().backward()
    assert numbers(x.grad) == [2.0, 2.0]


@pytest.mark.parametrize(
    "deviation",
    [
        torch.std,
        lambda x: torch.std(x, 0),
        lambda x: torch.std(x, [0], keepdim=True),
        lambda x: torch.std(x, 0, correction=0),
        lambda x: torch.std_mean(x, 0)[0],
    ],
)
def test_a_deviation_of_0_has_a_gradient_of_0(deviation: Any) -> None:
    """The slope of the root is infinite there."""
    x = leaf(2.0, 2.0, 2.0)
    deviation(x).sum().backward()
    assert numbers(x.grad) == [0.0, 0.0, 0.0]


def test_arrays_are_not_made_of_tensors_that_require_gradients() -> None:
    x = leaf(1.0)
    with pytest.raises(RuntimeError, match="Can't call numpy"):
        x.numpy()
    with pytest.raises(RuntimeError, match="Can't call numpy"):
        np.asarray(x)
    assert x.detach().numpy().tolist() == [1.0] and x.item() == 1.0


def test_copies_of_leaves_require_gradients() -> None:
    x = leaf(1.0)
    for copied in (copy.deepcopy(x), pickle.loads(pickle.dumps(x))):
        assert copied.requires_grad and copied is not x
    with pytest.raises(RuntimeError, match="graph leaves"):
        copy.deepcopy(x * 2)


def test_graphs_are_freed_without_collection() -> None:
    gc.collect()
    gc.disable()
    try:
        x = leaf(1.0, 2.0)
        y = (x * x).exp() * 1
        y[0].mul_(y[1] * 1)
        node = weakref.ref(y.grad_fn)
        y.sum().backward()
        del y
        assert node() is None
        tensor = weakref.ref(x)
        del x
        assert tensor() is None
    finally:
        gc.enable()


def test_missing_derivative_names_the_operator() -> None:
    x = leaf(1.0)
    y = torch.bincount(torch.tensor([0]), x)
    with pytest.raises(RuntimeError, match="derivative for aten::bincount is not implemented"):
        y.backward(torch.ones(1))


def test_a_dropout_of_everything_draws_nothing() -> None:
    x = leaf(1.0, 2.0)
    torch.manual_seed(0)
    drawn = torch.rand(1).item()
    torch.manual_seed(0)
    y = torch.dropout(x, 1.0, True)
    y.sum().backward()
    assert (numbers(y), numbers(x.grad)) == ([0.0, 0.0], [0.0, 0.0])
    assert y.grad_fn.name() == "MulBackward0" and torch.rand(1).item() == drawn


def test_results_of_integers_require_nothing() -> None:
    x = leaf(1.0, 3.0)
    values, indices = torch.max(x, 0)
    assert values.requires_grad and not indices.requires_grad
    assert not (x > 1).requires_grad and not x.argmax().requires_grad


def test_factories_take_requires_grad() -> None:
    for made in (torch.zeros(2, requires_grad=True), torch.tensor(1.0, requires_grad=True)):
        assert made.requires_grad and made.is_leaf


def test_results_that_are_the_operand_itself_are_that() -> None:
    x = leaf(1.0)
    assert x.contiguous() is x and x.to(torch.float32) is x


def test_views_of_views_share_the_steps_to_them() -> None:
    """A chain of views takes memory in proportion to its length, however it is written."""
    x = leaf(1.0, 2.0, 3.0)
    first = x.unsqueeze(0)
    second = first.select(0, 0)
    inner, outer = known(first), known(second)
    assert inner is not None and inner.view is not None
    assert outer is not None and outer.view is not None
    assert outer.view.base is x
    assert outer.view.path.before is inner.view.path
    assert [step.operator.qualified_name for step in outer.view.path.steps()] == [
        "aten::unsqueeze",
        "aten::select.int",
    ]


def test_a_leaf_of_another_dtype_gets_gradients_of_that_dtype() -> None:
    x: Any = torch.ones(2, requires_grad=True)
    (x * 2).sum().backward()
    x.data = torch.ones(3, dtype=torch.float64)
    x.grad = None
    (x * 2).sum().backward()
    grad: Any = x.grad
    assert grad.dtype is torch.float64 and grad.tolist() == [2.0, 2.0, 2.0]


def test_a_leaf_that_nobody_has_takes_its_gradient_along() -> None:
    x: Any = torch.ones(2, requires_grad=True)
    y: Any = torch.ones(2, requires_grad=True)
    total = (x * y).sum()
    del x
    total.backward()
    assert y.grad.tolist() == [1.0, 1.0]


def test_what_comes_before_a_captured_result_does_not_run() -> None:
    """`exp` has freed nothing after the first gradient, as with PyTorch: nothing before its result was asked for."""
    first, second = torch.ones(2, 3, requires_grad=True).exp()
    for _ in range(2):
        (grad,) = torch.autograd.grad((first * second).sum(), first)
        assert torch.equal(grad, second)


SHAPES_IN_PLACE = {
    "t_ of a view": ("v = y.view(2, 2)", "v.t_()"),
    "t_ of what a view is of": ("v = y.view(4)", "y.t_()"),
    "transpose_": ("v = y[:]", "v.transpose_(0, 1)"),
    "unsqueeze_ of a part": ("v = y[:, 1:]", "v.unsqueeze_(0)"),
    "squeeze_ of a part": ("v = y[:, 1:]", "v.squeeze_(-1)"),
    "swapaxes_ without gradients": (
        "v = y.expand(2, 2)",
        "with torch.no_grad(): v.swapaxes_(0, 1)",
    ),
}


@pytest.mark.parametrize("name", SHAPES_IN_PLACE)
def test_sizes_of_views_that_change_in_place_take_their_gradients_along(name: str) -> None:
    """Square tensors: a gradient with two of its numbers exchanged would fit as well."""
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    names: dict[str, Any] = {"torch": torch, "y": x * 1}
    for statement in SHAPES_IN_PLACE[name]:
        exec(statement, names)
    view = names["v"]
    (gradient,) = autograd.grad((view * view.detach()).sum(), [x])
    assert gradient is not None
    held = numbers(view.reshape(-1))
    assert numbers(gradient.reshape(-1)) == [
        n if n in held else 0.0 for n in numbers(x.reshape(-1))
    ]


def test_an_operand_on_the_memory_that_is_written_to_is_gone() -> None:
    x = leaf(1.0, 2.0)
    y = x * 1
    y.mul_(y.detach())
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        y.sum().backward()


def test_an_operand_that_an_operator_fills_is_kept_as_it_is_then() -> None:
    """The noise of `rrelu` and the statistics of a batch: the operator itself writes them, before its formula reads them."""
    x, noise = leaf(-1.0, 2.0), torch.zeros(2)
    y = torch.ops.aten.rrelu_with_noise(x, noise, 0.25, 0.25, True)
    y.sum().backward()
    assert numbers(x.grad) == [0.25, 1.0] == numbers(noise)
    z = torch.tensor([[1.0], [3.0]], requires_grad=True)
    mean, var = torch.zeros(1), torch.ones(1)
    out, _, _ = torch.ops.aten._native_batch_norm_legit(z, None, None, mean, var, True, 0.1, 1e-5)
    (out * torch.tensor([[1.0], [0.0]])).sum().backward()
    assert all(abs(n) < 1e-4 for n in numbers(z.grad.reshape(-1)))


@pytest.mark.parametrize("shape", [(2, 4, 3, 5), (2, 4, 3, 2, 5), (2, 4, 6)])
def test_group_norm_keeps_the_layout_where_gradients_are_recorded(shape: tuple[int, ...]) -> None:
    """A dropout behind it would mask other elements."""
    x = torch.arange(float(np.prod(shape))).reshape(shape)
    if len(shape) > 3:
        last = torch.channels_last if len(shape) == 4 else torch.channels_last_3d
        x = x.contiguous(memory_format=last)
    plain = torch.nn.functional.group_norm(x, 2)
    recorded = torch.nn.functional.group_norm(x.detach().requires_grad_(), 2)
    assert recorded.stride() == plain.stride() == x.stride()
    np.testing.assert_allclose(recorded.detach().array, plain.array, rtol=1e-5, atol=1e-6)


def test_tensors_of_one_shape_are_broadcast_to_themselves() -> None:
    """As in PyTorch: no node stands between a loss and its operands."""
    x = torch.ones(3, 4, requires_grad=True)
    same, wide = torch.broadcast_tensors(x, torch.ones(4))
    assert same is x and wide.shape == (3, 4) and wide.grad_fn is None
    row = torch.ones(4, requires_grad=True)
    (wide, other) = torch.broadcast_tensors(row, x)
    assert type(wide.grad_fn).__name__ == "ExpandBackward0" and other is x
    loss = torch.nn.functional.mse_loss(x, torch.zeros(3, 4))
    assert type(loss.grad_fn.next_functions[0][0]).__name__ == "AccumulateGrad"
