"""What optimizers share, take and refuse over their lives; test/oracle/test_random_optimizers.py compares more of it with PyTorch."""

from __future__ import annotations

import warnings
from copy import deepcopy
from typing import Any, cast

import pytest

from torchscript_dialect import torch


def leaf() -> Any:
    return torch.tensor([1.0, 2.0, 3.0], requires_grad=True)


def test_gradients_go_through_a_step() -> None:
    rate = torch.tensor([0.5, 0.25, 0.125], requires_grad=True)
    p = leaf() * 1
    p.grad = rate * torch.tensor([1.0, 2.0, 3.0])
    torch.optim.SGD([p], lr=0.1, differentiable=True).step()
    assert p.tolist() == pytest.approx([0.95, 1.95, 2.9625])
    (gradient,) = torch.autograd.grad(p.sum(), [rate])
    assert gradient.tolist() == pytest.approx([-0.1, -0.2, -0.3])


def test_gradients_go_through_steps_of_adam() -> None:
    def after(scale: float) -> Any:
        x = torch.tensor(scale, dtype=torch.float64, requires_grad=True)
        p = leaf().double() * 1
        optimizer = torch.optim.Adam([p], lr=0.1, eps=1.0, differentiable=True)
        for _ in range(3):
            p.grad = x * torch.tensor([1.0, -2.0, 0.5], dtype=torch.float64) + 0.1
            optimizer.step()
        return x, (p * p).sum()

    x, total = after(0.7)
    (gradient,) = torch.autograd.grad(total, [x])
    assert gradient.item() == pytest.approx(
        (after(0.7 + 1e-6)[1] - after(0.7 - 1e-6)[1]).item() / 2e-6, rel=1e-6
    )


def test_gradients_go_through_steps_to_states() -> None:
    """What a step writes to was kept for its gradient."""
    start, mean = leaf(), leaf()
    tensor, square = start * 1, leaf() * 1
    tensor.grad = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.Adam([tensor], lr=0.5, betas=(0.5, 0.5), differentiable=True)
    state = {"step": torch.tensor(1.0), "exp_avg": mean * 1, "exp_avg_sq": square}
    optimizer.state[tensor].update(state)
    optimizer.step()
    tensor.sum().backward()
    root = (((square.detach()) / 0.75) ** 0.5).tolist()
    assert start.grad.tolist() == [1.0, 1.0, 1.0]
    assert mean.grad.tolist() == pytest.approx([-0.5 * 0.5 / 0.75 / one for one in root])

    optimizer = torch.optim.NAdam([leaf() * 1], differentiable=True)
    (tensor,) = optimizer.param_groups[0]["params"]
    tensor.grad, product = torch.ones(3), torch.tensor(1.0, requires_grad=True)
    optimizer.state[tensor].update({**state, "mu_product": product})
    with pytest.raises(NotImplementedError, match="product of momenta"):
        optimizer.step()


@pytest.mark.parametrize("name", ["SGD", "Adam", "Rprop", "ASGD", "RMSprop"])
def test_gradients_do_not_go_through_steps_of_leaves(name: str) -> None:
    p = leaf()
    p.grad = torch.ones(3)
    with pytest.raises(RuntimeError, match="leaf Variable that requires grad"):
        getattr(torch.optim, name)([p], differentiable=True).step()
    assert p.tolist() == [1.0, 2.0, 3.0]


def test_options_that_need_a_device_or_exclude_each_other() -> None:
    p = leaf()
    p.grad = torch.ones(3)
    with pytest.raises(AssertionError, match="If capturable=True"):
        torch.optim.Adam([p], capturable=True).step()
    torch.optim.Adam([p], capturable=True, fused=True).step()
    with pytest.raises(AssertionError, match="don't support autograd"):
        torch.optim.Adamax([p], foreach=True, differentiable=True).step()
    with pytest.raises(RuntimeError, match="`fused` and `foreach`"):
        torch.optim.Adam([p], fused=True, foreach=True)
    with pytest.raises(RuntimeError, match="does not support `differentiable`"):
        torch.optim.SGD([p], fused=True, differentiable=True)


def test_sparse_gradients_are_kept_and_refused_by_steps() -> None:
    p = leaf()
    p.grad = torch.tensor([0.0, 1.0, 0.0]).to_sparse()
    with pytest.raises(RuntimeError, match="Adam does not support sparse gradients, please"):
        torch.optim.AdamW([p]).step()
    with pytest.raises(RuntimeError, match="Rprop does not support sparse gradients"):
        torch.optim.Rprop([p]).step()
    (p * 2).sum().backward()
    assert p.grad.tolist() == [2.0, 3.0, 2.0]


def test_a_state_that_is_loaded_is_shared() -> None:
    p = leaf()
    p.grad = torch.ones(3)
    optimizer = torch.optim.SGD([p], lr=0.1, momentum=0.9)
    optimizer.step()
    before = optimizer.state_dict()
    optimizer.load_state_dict(before)
    optimizer.step()
    assert before["state"][0]["momentum_buffer"].tolist() == pytest.approx([1.9] * 3)


def test_a_state_takes_the_dtype_of_its_parameter_but_for_steps() -> None:
    p = leaf()
    optimizer = torch.optim.Adam([p])
    saved = optimizer.state_dict()
    step = torch.tensor(3.0, dtype=torch.float64)
    mean = torch.ones(3, dtype=torch.float64)
    saved["state"] = {0: {"step": step, "exp_avg": mean, "more": [mean], "name": "x"}, "other": 1}
    optimizer.load_state_dict(saved)
    state = optimizer.state[p]
    assert state["step"] is step
    assert state["exp_avg"].dtype is torch.float32
    assert state["more"][0].dtype is torch.float32
    assert state["name"] == "x"
    assert optimizer.state["other"] == 1


def test_names_of_parameters() -> None:
    p, q = leaf(), leaf()
    optimizer = torch.optim.SGD([("first", p)])
    with pytest.raises(ValueError, match="cannot add param group without names"):
        optimizer.add_param_group({"params": [q]})
    with pytest.raises(ValueError, match="Some param names are missing"):
        optimizer.add_param_group({"params": [("second", q), leaf()]})
    optimizer.load_state_dict(torch.optim.SGD([q]).state_dict())
    assert optimizer.param_groups[0]["param_names"] == ["first"]
    with pytest.warns(UserWarning, match="duplicate parameters"):
        optimizer.add_param_group({"params": [("one", q), ("two", q)]})


def test_hooks_see_and_change_what_a_step_is_given() -> None:
    p, seen = leaf(), []
    optimizer = torch.optim.SGD([p], lr=0.1)

    def other() -> Any:
        p.grad = torch.ones(3)
        return 7

    optimizer.register_step_post_hook(lambda *given: seen.append(given))
    optimizer.step()
    handle = optimizer.register_step_pre_hook(lambda o, args, kwargs: ((o, other), kwargs))
    assert optimizer.step() == 7
    assert seen == [(optimizer, (optimizer,), {}), (optimizer, (optimizer, other), {})]
    assert p.tolist() == pytest.approx([0.9, 1.9, 2.9])
    handle.remove()
    optimizer.register_step_pre_hook(lambda *given: 3)
    with pytest.raises(RuntimeError, match="must return None or a tuple of"):
        optimizer.step()


def test_gradients_that_are_views_are_made_zeros() -> None:
    p = leaf()
    p.grad = torch.ones(3, 1).reshape(3)
    torch.optim.SGD([p]).zero_grad(set_to_none=False)
    assert p.grad.tolist() == [0.0, 0.0, 0.0]


def test_a_learning_rate_that_is_a_tensor_stays_it() -> None:
    rate = torch.tensor(0.4)
    optimizer = torch.optim.SGD([leaf()], lr=rate)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1, 0.5)
    optimizer.step()
    schedule.step()
    assert optimizer.param_groups[0]["lr"] is rate
    assert (rate.item(), schedule.base_lrs[0].item()) == pytest.approx((0.2, 0.4))
    last = schedule.get_last_lr()[0]
    plateau = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=0)
    plateau.step(1.0)
    plateau.step(2.0)
    assert (rate.item(), last.item()) == pytest.approx((0.02, 0.2))
    with pytest.raises(ValueError, match="Tensor lr must be 1-element"):
        torch.optim.SGD([leaf()], lr=torch.ones(2))
    with pytest.raises(ValueError, match="capturable=False and foreach=True"):
        torch.optim.AdamW([leaf()], lr=rate, foreach=True)


class _Own(torch.optim.Optimizer):
    """An optimizer that a program writes, with a step of its own."""

    def __init__(self, params: Any) -> None:
        super().__init__(params, {"lr": 0.5})

    def step(self, closure: Any = None) -> None:
        for group in self.param_groups:
            for tensor in group["params"]:
                tensor.data.sub_(tensor.grad, alpha=group["lr"])


def test_steps_that_programs_write_have_hooks_and_are_counted() -> None:
    tensor = leaf()
    optimizer, seen = _Own([tensor]), cast("list[str]", [])
    optimizer.register_step_pre_hook(lambda *_: seen.append("before"))
    optimizer.register_step_post_hook(lambda *_: seen.append("after"))
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    tensor.grad = torch.ones_like(tensor.detach())
    optimizer.step()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        schedule.step()
    assert seen == ["before", "after"]
    optimizer = _Own([tensor])
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    optimizer.step = lambda closure=None: None
    with pytest.warns(UserWarning, match="has been overridden after"):
        schedule.step()
    copied = deepcopy(optimizer)
    assert not vars(copied).keys() & {"step", "_opt_called"} and not copied._hooks["before"]


def test_states_keep_what_hooks_put_there_and_count_parameters_by_group() -> None:
    tensors = [leaf(), leaf()]
    optimizer = torch.optim.SGD(tensors)
    optimizer.register_state_dict_pre_hook(lambda one: one.state.update({"noted": 1}))
    optimizer.param_groups.extend(optimizer.param_groups)
    state = optimizer.state_dict()
    assert state["state"] == {"noted": 1}
    assert [group["params"] for group in state["param_groups"]] == [[0, 1], [0, 1]]


def test_states_from_before_there_were_some_options() -> None:
    tensor = leaf()
    optimizer = torch.optim.AdamW([tensor], maximize=True)
    tensor.grad = torch.ones_like(tensor.detach())
    optimizer.step()
    state = deepcopy(optimizer.state_dict())
    state["state"][0]["step"] = 1
    for name in ("maximize", "capturable", "decoupled_weight_decay"):
        del state["param_groups"][0][name]
    optimizer.load_state_dict(state)
    optimizer.step()
    assert optimizer.state[tensor]["step"].item() == 2
    group = optimizer.param_groups[0]
    assert not group["maximize"] and group["decoupled_weight_decay"]


def test_decay_rates_may_be_tensors() -> None:
    betas = (torch.tensor(0.9), torch.tensor(0.99))
    assert torch.optim.Adam([leaf()], betas=betas).defaults["betas"] == pytest.approx((0.9, 0.99))
    with pytest.raises(ValueError, match="both floats or both Tensors"):
        torch.optim.Adam([leaf()], betas=(0.9, betas[1]))


def test_schedules_in_schedules_and_of_groups_that_come_later() -> None:
    optimizer = torch.optim.SGD([leaf()], lr=1.0)
    rates = torch.optim.lr_scheduler
    chained = rates.ChainedScheduler([rates.ExponentialLR(optimizer, 0.5)])
    constant = rates.ConstantLR(optimizer, 0.1)
    with pytest.warns(UserWarning, match="before `optimizer.step"):
        late = rates.SequentialLR(optimizer, [chained, constant], [2])
    late.step()
    assert late.get_last_lr() == [0.25]
    plateau = rates.ReduceLROnPlateau(optimizer, patience=0)
    optimizer.add_param_group({"params": [leaf()], "lr": 1.0})
    plateau.step(1.0)
    plateau.step(2.0)
    assert plateau.get_last_lr() == pytest.approx([0.025, 0.1])


def test_callable_objects_of_schedules_are_saved() -> None:
    class Half:
        def __init__(self) -> None:
            self.by = 0.5

        def __call__(self, step: int) -> float:
            return self.by**step

    optimizer = torch.optim.SGD([leaf()], lr=1.0)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, Half())
    state = schedule.state_dict()
    assert state["lr_lambdas"] == [{"by": 0.5}]
    state["lr_lambdas"][0]["by"] = 0.25
    schedule.load_state_dict(state)
    assert schedule.lr_lambdas[0].by == 0.25
