"""`torch.optim`: steps and learning rates are those of PyTorch (test/golden/optimizers.json)."""

from __future__ import annotations

import json
import warnings
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support import optimizers
from support.loader import load_module
from support.native_calls import needs_native_calls
from torchscript_dialect import torch

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "optimizers.json"
golden = cache(lambda: json.loads(GOLDEN.read_text()))


@pytest.mark.parametrize("dtype", optimizers.DTYPES)
@pytest.mark.parametrize(("name", "options"), optimizers.UPDATES)
def test_steps_are_those_of_pytorch(name: str, options: dict[str, Any], dtype: str) -> None:
    found = optimizers.updated(torch, name, options, dtype)
    wanted = golden()["updates"][f"{name} {options} {dtype}"]
    assert found["group"] == wanted["group"]
    assert found["state"] == wanted["state"]
    near = 4 * np.finfo(dtype).eps * wanted["largest"]
    for one, other in zip(found["parameters"], wanted["parameters"], strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=near)


@pytest.mark.parametrize("options", optimizers.SEARCHES, ids=str)
def test_searches_are_those_of_pytorch(options: dict[str, Any]) -> None:
    found, wanted = optimizers.searched(torch, options), golden()["searches"][str(options)]
    assert found["evaluations"] == wanted["evaluations"]
    assert found["state"] == wanted["state"]
    np.testing.assert_allclose(found["losses"], wanted["losses"], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(found["parameters"], wanted["parameters"], rtol=1e-6)


def test_means_of_models_are_those_of_pytorch() -> None:
    found = optimizers.averaged(torch)
    for name, (keys, states, results, variance) in golden()["means"].items():
        assert found[name][0] == keys
        for one, other in zip(found[name][1], states, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)
        np.testing.assert_allclose(found[name][2], results, rtol=1e-12)
        np.testing.assert_allclose(found[name][3], variance, rtol=1e-12)


def test_what_a_search_refuses() -> None:
    x, y = leaf(1.0), leaf(1.0)
    with pytest.raises(ValueError, match="LBFGS doesn't support per-parameter options"):
        torch.optim.LBFGS([{"params": [x]}, {"params": [y]}])
    optimizer = torch.optim.LBFGS([x], line_search_fn="other")

    def closure() -> Any:
        loss = (x**2).sum()
        loss.backward()
        return loss

    with pytest.raises(RuntimeError, match="only 'strong_wolfe' is supported"):
        optimizer.step(closure)


@pytest.mark.parametrize("number", range(len(optimizers.SCHEDULES)))
def test_learning_rates_are_those_of_pytorch(number: int) -> None:
    name, options = optimizers.SCHEDULES[number]
    wanted = golden()["schedules"][f"{number} {name}"]
    assert optimizers.scheduled(torch, name, options) == wanted


def leaf(*values: float) -> torch.Tensor:
    return torch.tensor(list(values)).requires_grad_()


def test_groups_have_options_of_their_own() -> None:
    x, y = leaf(1.0), leaf(1.0)
    optimizer = torch.optim.SGD([{"params": [x], "lr": 1.0}, {"params": [y]}], lr=0.5)
    (x.sum() + y.sum()).backward()
    optimizer.step()
    assert (x.item(), y.item()) == (0.0, 0.5)
    z = leaf(1.0)
    optimizer.add_param_group({"params": z, "lr": 2.0})
    z.sum().backward()
    optimizer.step()
    assert z.item() == -1.0
    optimizer.zero_grad()
    assert x.grad is None
    assert z.grad is None


def test_large_and_small_parameters_of_a_group() -> None:
    small, large = torch.ones(3).requires_grad_(), torch.ones(1 << 15).requires_grad_()
    optimizer = torch.optim.Adam([small, large], lr=0.5)
    (small.sum() + large.sum()).backward()
    optimizer.step()
    np.testing.assert_allclose(small.detach().numpy(), 0.5, rtol=1e-6)
    np.testing.assert_allclose(large.detach().numpy(), 0.5, rtol=1e-6)


def test_parameters_that_are_strided_and_complex() -> None:
    x = torch.ones(3, 2).t().requires_grad_()
    z = torch.tensor([1 + 2j, 3 - 1j], dtype=torch.complex64).requires_grad_()
    optimizer = torch.optim.SGD([x, z], lr=0.5)
    ((x * torch.arange(6).reshape(2, 3)).sum() + torch.real(z).sum()).backward()
    optimizer.step()
    assert x.tolist() == [[1.0, 0.5, 0.0], [-0.5, -1.0, -1.5]]
    assert z.tolist() == [0.5 + 2j, 2.5 - 1j]


def test_state_is_taken_over() -> None:
    def trained(steps: int, optimizer: Any, tensors: list[Any]) -> None:
        for step in range(steps):
            optimizers.give_gradients(torch, tensors, step)
            optimizer.step()

    one = optimizers.parameters(torch, "float32")
    first = torch.optim.Adam(one, lr=0.1)
    trained(3, first, one)
    other = [tensor.detach().clone().requires_grad_() for tensor in one]
    second = torch.optim.Adam(other)
    second.load_state_dict(deepcopy(first.state_dict()))
    trained(3, first, one)
    trained(3, second, other)
    for a, b in zip(one, other, strict=True):
        assert a.tolist() == b.tolist()
    with pytest.raises(ValueError, match="different number of parameter groups"):
        torch.optim.Adam([{"params": [leaf(1.0)]}, {"params": [leaf(1.0)]}]).load_state_dict(
            first.state_dict()
        )


def test_closures_run_with_gradients() -> None:
    x = leaf(2.0)
    optimizer = torch.optim.SGD([x], lr=0.25)

    def loss() -> Any:
        optimizer.zero_grad()
        result = (x * x).sum()
        result.backward()
        return result

    with torch.no_grad():
        assert optimizer.step(loss).item() == 4.0
    assert x.item() == 1.0


def test_steps_count_as_writes() -> None:
    x = leaf(1.0)
    y = (x * x).sum()
    optimizer = torch.optim.SGD([x], lr=0.5)
    x.grad = torch.ones(1)  # pyright: ignore[reportAttributeAccessIssue]
    optimizer.step()
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_gradients_are_clipped_before_a_step() -> None:
    x = leaf(3.0, 4.0)
    (x * x).sum().backward()
    assert torch.nn.utils.clip_grad_norm_([x], 1.0).item() == 10.0
    np.testing.assert_allclose(x.grad.numpy(), [0.6, 0.8], rtol=1e-6)
    torch.nn.utils.clip_grad_value_([x], 0.5)
    assert x.grad.tolist() == [0.5, 0.5]


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="empty parameter list"):
        torch.optim.SGD([])
    with pytest.raises(TypeError, match="iterable of Tensors"):
        torch.optim.SGD(leaf(1.0))
    with pytest.raises(TypeError, match="can only optimize Tensors"):
        torch.optim.SGD([1.0])
    with pytest.raises(ValueError, match="Invalid learning rate: -1"):
        torch.optim.Adam([leaf(1.0)], lr=-1)
    with pytest.raises(ValueError, match="Invalid beta parameter at index 1: 2"):
        torch.optim.Adam([leaf(1.0)], betas=(0.5, 2))
    with pytest.raises(ValueError, match="Nesterov momentum requires"):
        torch.optim.SGD([leaf(1.0)], nesterov=True)
    with pytest.raises(ValueError, match="non-leaf"):
        torch.optim.SGD([leaf(1.0) * 2])
    x = leaf(1.0)
    with pytest.raises(ValueError, match="more than one parameter group"):
        torch.optim.SGD([{"params": [x]}, {"params": [x]}])


def test_schedules_that_come_too_early_warn() -> None:
    schedule = torch.optim.lr_scheduler.StepLR(torch.optim.SGD([leaf(1.0)]), 1)
    with pytest.warns(UserWarning, match="before `optimizer.step"):
        schedule.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schedule.step()
    assert schedule.state_dict()["last_epoch"] == 2


def _with_gradients(tensors: list[Any], scale: float = 1.0) -> None:
    for tensor in tensors:
        tensor.grad = torch.ones_like(tensor.detach()) * scale


@needs_native_calls
def test_one_kernel_serves_a_group() -> None:
    """Issue 13, point 6: a step of a group is one native call of one fused kernel, which writes where it reads."""
    from torchscript_dialect.torch.optim import adam, updates

    tensors = [torch.ones(n + 1).requires_grad_() for n in range(5)]
    memory = [tensor.array for tensor in tensors]
    update = updates.compiled(adam._ADAM, 2, 8, (False, False, False))
    optimizer = torch.optim.Adam(tensors)
    for _ in range(6):
        _with_gradients(tensors)
        optimizer.step()
    flat = [torch.ones(15) for _ in range(4)]
    shown = str(update.graph_for(*flat, -0.1, 0.0, 1.0, 0.1, 0.99, 0.01, 0.1, 1e-8))
    assert shown.count("= prim::TensorExprGroup_") == 1
    (launches,) = optimizer._prepared.launches.values()
    assert launches is not None
    assert launches.calls >= 3
    assert len(launches.rows) == len(tensors)
    assert all(tensor.array is one for tensor, one in zip(tensors, memory, strict=True))


def _steps(change: Any, steps: int = 7) -> list[Any]:
    """Parameters after steps of Adam, before one of which they, their gradients or the optimizer change."""
    tensors = [torch.ones(2, n + 2).requires_grad_() for n in range(3)]
    optimizer = torch.optim.Adam(tensors, lr=0.1)
    for number in range(steps):
        _with_gradients(tensors, 1.0 + number)
        if number == 4:
            optimizer = change(optimizer, tensors) or optimizer
        optimizer.step()
    return [
        tensor.detach().numpy().copy()
        for group in optimizer.param_groups
        for tensor in group["params"]
    ]


def _other_memory(_: Any, tensors: list[Any]) -> None:
    tensors[1].data = tensors[1].detach().clone()


def _strided(_: Any, tensors: list[Any]) -> None:
    shape = tensors[2].shape
    tensors[2].grad = (torch.ones(shape[1], shape[0]) * 5.0).t()


def _loaded(optimizer: Any, _: list[Any]) -> None:
    optimizer.load_state_dict(optimizer.state_dict())


def _copied(optimizer: Any, _: list[Any]) -> Any:
    from copy import deepcopy

    assert not deepcopy(optimizer._prepared).launches
    optimizer._prepared = deepcopy(optimizer._prepared)


@pytest.mark.parametrize("change", [_other_memory, _strided, _loaded, _copied])
def test_launches_follow_what_changes_between_steps(change: Any) -> None:
    for found, expected in zip(_steps(change), _steps(lambda *_: None), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_step_without_some_gradients_updates_the_others() -> None:
    tensors = [torch.ones(3).requires_grad_() for _ in range(3)]
    optimizer = torch.optim.SGD(tensors, lr=0.5)
    for number in range(8):
        _with_gradients(tensors)
        if number == 5:
            tensors[0].grad = None
        optimizer.step()
    assert [tensor.tolist() for tensor in tensors] == [[-2.5] * 3, [-3.0] * 3, [-3.0] * 3]


@pytest.mark.parametrize("name", optimizers.EXAMPLES)
def test_examples_that_train_have_the_losses_of_pytorch(name: str) -> None:
    lines: list[str] = []
    options = optimizers.EXAMPLES[name]
    losses = load_module(name, "ours").train(**options, show=lines.append)
    np.testing.assert_allclose(losses, golden()["losses"][name], rtol=1e-4)
    assert losses[-1] < losses[0]
    assert len(lines) == len(losses)
    assert lines[-1].startswith(f"step {len(losses)}/{len(losses)}, loss ")
