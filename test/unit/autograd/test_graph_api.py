"""What programs may ask of the graph of gradients: its nodes, what they keep and hooks of that, anomaly mode."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.torch.autograd import graph


def leaf(*values: float) -> Any:
    return torch.tensor(list(values), dtype=torch.float64, requires_grad=True)


def test_nodes_show_what_pytorch_shows() -> None:
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    node = (x * w).sum().grad_fn
    assert type(node).__name__ == "SumBackward0" and repr(node).startswith("<SumBackward0 object")
    assert str(type(node)) == "<class 'SumBackward0'>"
    ((product, number),) = node.next_functions
    assert product.name() == "MulBackward0" and number == 0
    assert [each[0].variable for each in product.next_functions] == [x, w]
    assert product.next_functions[0][0].name() == "torch::autograd::AccumulateGrad"
    assert node.metadata == {} and node.requires_grad and isinstance(node, graph.Node)
    node.metadata["mine"] = 1
    assert node.metadata == {"mine": 1}


def test_nodes_of_graphs_are_called_as_pytorch_calls_them() -> None:
    @torch.jit.script
    def f(x):
        return torch.tanh(x) * x

    x = leaf(1.0, 2.0)
    for _ in range(3):
        y = f(x)
    assert y.grad_fn.name() == "torch::jit::(anonymous namespace)::DifferentiableGraphBackward"
    assert repr(y).endswith("grad_fn=<DifferentiableGraphBackward>)")


def test_what_a_node_keeps() -> None:
    x = leaf(1.0, 2.0)
    node = (x**3).grad_fn
    assert node._saved_self is x and node._saved_exponent == 3
    with pytest.raises(AttributeError, match="'PowBackward0' object has no attribute '_saved_y'"):
        _ = node._saved_y
    y = x.exp()
    node = y.grad_fn
    np.testing.assert_array_equal(node._saved_result.detach().numpy(), y.detach().numpy())
    y.sum().backward()
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        _ = node._saved_result


def test_hooks_pack_and_unpack_what_is_saved() -> None:
    seen: list[Any] = []

    def pack(tensor: Any) -> Any:
        seen.append(tensor.detach().numpy().copy())
        return seen[-1]

    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    with graph.saved_tensors_hooks(pack, torch.from_numpy):
        y = (x * w).exp().sum()
    assert len(seen) == 3
    y.backward()
    np.testing.assert_allclose(x.grad.numpy(), [3 * np.exp(3), 4 * np.exp(8)])


def test_second_gradients_go_through_hooks() -> None:
    x = leaf(1.0, 2.0)
    with graph.save_on_cpu():
        y = x.exp() * x
    (first,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (second,) = torch.autograd.grad(first.sum(), x)
    np.testing.assert_allclose(second.numpy(), np.exp([1, 2]) * np.array([3, 4]))


def test_hooks_see_what_a_compiled_function_keeps() -> None:
    @torch.jit.script
    def f(x):
        return torch.tanh(x).sum()

    for _ in range(3):
        x = leaf(1.0, 2.0)
        with graph.saved_tensors_hooks(lambda t: t.detach().clone(), lambda t: t * 0):
            y = f(x)
        y.backward()
        assert x.grad.tolist() == [1.0, 1.0]  # 1 - result * result, with zeros for it


def test_hooks_of_one_saved_tensor() -> None:
    x = leaf(1.0, 2.0)
    y = x.exp()
    y.grad_fn._raw_saved_result.register_hooks(lambda t: 5, lambda five: torch.zeros(2) + five)
    y.sum().backward()
    assert x.grad.tolist() == [5.0, 5.0]


def test_an_unpack_hook_gives_a_tensor() -> None:
    x = leaf(1.0)
    with graph.saved_tensors_hooks(lambda t: 3, lambda three: three):  # type: ignore[arg-type,return-value]
        y = x.exp()
    with pytest.raises(TypeError, match="unpack_hook expected to be a Tensor but got result of"):
        y.backward()


def test_hooks_may_be_refused() -> None:
    with (
        graph.disable_saved_tensors_hooks("none of them"),
        pytest.raises(RuntimeError, match="none of them"),
        graph.saved_tensors_hooks(lambda t: t, lambda t: t),
    ):
        pass
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        pass


def test_edges_and_versions() -> None:
    x = leaf(1.0)
    y = x * 2
    edge = graph.get_gradient_edge(y)
    assert edge.node is y.grad_fn and edge.output_nr == 0
    assert graph.get_gradient_edge(x).node.variable is x  # type: ignore[attr-defined]
    before = y._version
    graph.increment_version(y)
    assert y._version == before + 1


def test_anomaly_mode_tells_where_the_node_was_made() -> None:
    x = leaf(0.0)
    with pytest.warns(UserWarning, match="Anomaly Detection has been enabled"):
        mode = torch.autograd.detect_anomaly()
    with mode:
        y = x.sqrt() * 0
        with (
            pytest.warns(UserWarning, match=r"(?s)Error detected in SqrtBackward0.*test_graph_api"),
            pytest.raises(RuntimeError, match=r"Function 'SqrtBackward0' returned nan values in its 0th output\."),
        ):  # fmt: skip
            y.backward()
    assert not torch.is_anomaly_enabled()
    (x.sqrt() * 0).backward()
    assert np.isnan(x.grad.item())


def test_anomaly_mode_changes_the_hint_for_writes() -> None:
    x = leaf(1.0)
    for is_on, hint in ((False, "Hint: enable anomaly detection"), (True, "Good luck!")):
        with torch.autograd.set_detect_anomaly(is_on, check_nan=False), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            y = x.exp()
            z = y.sum()
            y.add_(1)
            with pytest.raises(RuntimeError, match=f"output 0 of Exp, is at version 1.*{hint}"):
                z.backward()


def test_rows_of_an_iteration_are_not_written_to() -> None:
    y = torch.ones(3, 2, requires_grad=True) * 1
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view and is being modified"):
        for row in y:
            row.mul_(2)
    with pytest.raises(RuntimeError, match="Output 1 of Split is a view and is being modified"):
        y.chunk(3)[1].add_(1)


def test_errors_have_words_of_pytorch() -> None:
    x = leaf(1.0, 2.0)
    with pytest.raises(RuntimeError, match=r"`inputs` argument to `grad\(\)` cannot be empty"):
        torch.autograd.grad(x.sum(), [])
    with pytest.raises(RuntimeError, match="only Tensors of floating point dtype can require"):
        torch.tensor([1]).requires_grad_()
    with pytest.raises(RuntimeError, match="dtype 'float' to a tensor with grad_dtype 'Double'"):
        x.grad = torch.ones(2)
    x.register_hook(lambda grad: 3)
    with pytest.raises(TypeError, match="expected Variable, but hook returned 'int'"):
        x.sum().backward()


def test_a_hook_of_several_tensors_waits_for_all_that_come() -> None:
    a, b = (torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
    c, d = a * b, a * b
    seen: list[Any] = []

    def note(grads: Any) -> None:
        seen.append([None if one is None else one.tolist() for one in grads])

    handle = torch.autograd.graph.register_multi_grad_hook((a, b, c, d), note)
    c.sum().backward(retain_graph=True)
    c.sum().backward(inputs=(a,), retain_graph=True)
    torch.autograd.grad(d.sum(), [c, b], allow_unused=True, retain_graph=True)
    assert seen == [
        [[1.0, 2.0], [1.0, 2.0], [1.0, 1.0], None],
        [[1.0, 2.0], None, [1.0, 1.0], None],
        [None, [1.0, 2.0], None, [1.0, 1.0]],
    ]
    handle.remove()
    c.sum().backward(retain_graph=True)
    assert len(seen) == 3


def test_a_hook_of_several_tensors_may_take_the_first_gradient() -> None:
    a = torch.tensor(2.0, requires_grad=True)
    b, other = a * 3, torch.tensor(1.0)
    seen: list[float] = []
    hook = torch.autograd.graph.register_multi_grad_hook
    hook((a, b, other), lambda grad: seen.append(grad.item()), mode="any")
    (b * 5).backward(retain_graph=True)
    (a * 7).backward()
    assert seen == [5.0, 7.0]
    with pytest.raises(ValueError, match="Expects mode to be one of"):
        hook((a,), print, mode="some")
    with pytest.raises(RuntimeError, match="doesn't require gradient"):
        hook((a, other), print)


def test_tensors_that_are_saved_may_be_written_to() -> None:
    a = torch.ones(2, 3, requires_grad=True)
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as block:
        b = a.clone()
        out = (b**2).sum()
        b.sin_()
        out.backward(retain_graph=True)
        assert a.grad.tolist() == [[2.0] * 3] * 2
        with (
            pytest.raises(RuntimeError, match="cannot be nested"),
            torch.autograd.graph.allow_mutation_on_saved_tensors(),
        ):
            pass
        assert block is not None
    with pytest.raises(AssertionError, match="outside of the 'allow_mutation_on_saved_tensors'"):
        out.backward()


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32", "complex64"])
def test_anomaly_mode_sees_nan_of_all_dtypes(dtype: str) -> None:
    x = torch.zeros(2, dtype=getattr(torch, dtype), requires_grad=True)
    with (
        torch.autograd.set_detect_anomaly(True),
        warnings.catch_warnings(),
        pytest.raises(RuntimeError, match="returned nan values in its 0th output"),
    ):
        warnings.simplefilter("ignore")
        ((x * 0).sqrt() * 0).sum().abs().backward()


def test_edges_stand_for_tensors_in_a_backward_pass() -> None:
    x = leaf(1.0, 2.0)
    middle = x.sin()
    edge = graph.get_gradient_edge(middle)
    out = (middle * middle).sum()
    (at_edge,) = torch.autograd.grad(out, edge)
    (found,) = torch.autograd.grad(edge, x, grad_outputs=at_edge, retain_graph=True)
    assert found.tolist() == pytest.approx((2 * x.sin() * x.cos()).tolist())
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        torch.autograd.grad(edge, x)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        torch.autograd.grad(edge, x, grad_outputs=torch.ones(3))
    unused = graph.get_gradient_edge(leaf(1.0, 1.0) * 1)
    with pytest.raises(RuntimeError, match="cannot be used when the given input is a GradientEdge"):
        torch.autograd.grad(x.sum(), (x, unused), materialize_grads=True)
    torch.autograd.backward(x.clone().sum(), inputs=(edge, graph.get_gradient_edge(x)))
    assert x.grad.tolist() == [1.0, 1.0]


def test_hooks_of_a_saved_tensor_are_of_one_operand() -> None:
    x = leaf(1.0, 2.0)
    node: Any = (y := x * x).grad_fn
    node._raw_saved_self.register_hooks(lambda one: 2 * one, lambda one: one)
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 6.0]
    node = (x * x).grad_fn
    node._raw_saved_self.register_hooks(lambda one: one, lambda one: one)
    with pytest.raises(RuntimeError, match="have already been set"):
        node._raw_saved_self.register_hooks(lambda one: one, lambda one: one)
    with pytest.raises(RuntimeError, match="is modifying its input in place"):
        node._raw_saved_other.register_hooks(lambda one: one.mul_(2), lambda one: one)


def test_hooks_pack_what_was_unpacked() -> None:
    with graph.saved_tensors_hooks(lambda one: 2 * one, lambda one: one):
        x = leaf(1.0, 2.0)
        (grad,) = torch.autograd.grad((x**3).sum(), x, create_graph=True)
        grad.sum().backward()
    assert x.grad.tolist() == [48.0, 96.0]


def test_views_are_made_anew_without_hooks() -> None:
    def pack(one: Any) -> Any:
        seen.append(one)
        return one

    seen: list[Any] = []
    base = leaf(1.0, 1.0, 1.0) * 1
    view, other = base[:2], base[1:]
    with graph.saved_tensors_hooks(pack, lambda one: one):
        view.mul_(3)
        node = other.grad_fn
    assert node is not None and not seen


def test_hooks_see_that_no_gradient_came() -> None:
    x = leaf(1.0, 1.0)
    one, other = x.unbind()
    seen: list[Any] = []
    one.register_hook(seen.append)
    other.backward()
    assert seen == [None]
    x.register_post_accumulate_grad_hook(lambda leaf: leaf.grad)
    with pytest.raises(RuntimeError, match="hooks should return None"):
        x.sum().backward()


def test_hooks_of_a_node_see_what_comes_to_an_input() -> None:
    x = leaf(1.0, 1.0)
    y = x.clone()
    seen: list[int] = []
    y.grad_fn.register_prehook(lambda _: seen.append(1))
    torch.autograd.backward(y.sum(), inputs=(y,))
    assert seen == [1] and x.grad is None and y.grad is not None


def test_hooks_of_a_node_give_as_many_gradients() -> None:
    x = leaf(1.0, 1.0)
    for kind in ("register_hook", "register_prehook"):
        y = x * 2
        getattr(y.grad_fn, kind)(lambda *grads: grads[0] + grads[0])
        with pytest.raises(
            RuntimeError, match=r"incorrect number of values \(got 2, but expected 1"
        ):
            y.sum().backward()
