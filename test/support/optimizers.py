"""What optimizers and schedules of learning rates do to numbers that are made on the spot, under PyTorch and under the stand-in."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

STEPS = 20
SHAPES = ((3, 2), (4,), ())
DTYPES = ("float32", "float64")

UPDATES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "maximize": True}),
    ("Adam", {}),
    ("Adam", {"weight_decay": 0.1, "amsgrad": True}),
    ("Adam", {"lr": 0.01, "maximize": True, "betas": (0.8, 0.9), "eps": 1e-3}),
    ("AdamW", {"lr": 0.01}),
    ("AdamW", {"amsgrad": True, "weight_decay": 0.2}),
    ("RMSprop", {}),
    ("RMSprop", {"centered": True, "momentum": 0.5, "weight_decay": 0.1}),
    ("RMSprop", {"momentum": 0.9, "maximize": True}),
    ("Adagrad", {"lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.2}),
    ("Adamax", {"weight_decay": 0.1}),
    ("Adadelta", {}),
    ("Adadelta", {"lr": 0.5, "rho": 0.8, "weight_decay": 0.1, "maximize": True}),
    ("NAdam", {}),
    ("NAdam", {"lr": 0.01, "weight_decay": 0.1, "momentum_decay": 0.1, "decoupled_weight_decay": True}),
    ("RAdam", {"lr": 0.01, "weight_decay": 0.1}),
    ("RAdam", {"betas": (0.8, 0.9), "weight_decay": 0.1, "decoupled_weight_decay": True, "maximize": True}),
    ("Rprop", {}),
    ("Rprop", {"lr": 0.1, "etas": (0.4, 1.5), "step_sizes": (1e-3, 0.2), "maximize": True}),
    ("ASGD", {"lr": 0.1, "t0": 5, "weight_decay": 0.1}),
    ("ASGD", {"lambd": 0.1}),
)  # fmt: skip
SEARCHES: tuple[dict[str, Any], ...] = (
    {"lr": 0.1},
    {"lr": 0.5, "max_iter": 4, "history_size": 3},
    {"line_search_fn": "strong_wolfe"},
    {"line_search_fn": "strong_wolfe", "max_iter": 5, "history_size": 2, "lr": 0.7},
)
"""Options of LBFGS."""
SCHEDULES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("StepLR", {"step_size": 3}),
    ("MultiStepLR", {"milestones": [2, 5, 5, 9], "gamma": 0.5}),
    ("ExponentialLR", {"gamma": 0.9}),
    ("ConstantLR", {}),
    ("LinearLR", {"start_factor": 1.0, "end_factor": 0.1, "total_iters": 7}),
    ("PolynomialLR", {"total_iters": 8, "power": 2.0}),
    ("CosineAnnealingLR", {"T_max": 6, "eta_min": 0.01}),
    ("CosineAnnealingWarmRestarts", {"T_0": 3, "T_mult": 2}),
    ("LambdaLR", {"lr_lambda": lambda epoch: 0.95**epoch}),
    ("MultiplicativeLR", {"lr_lambda": lambda epoch: 0.95}),
    ("OneCycleLR", {"max_lr": 0.5, "total_steps": 20}),
    ("OneCycleLR", {"max_lr": [0.5, 0.4], "epochs": 4, "steps_per_epoch": 5, "anneal_strategy": "linear", "three_phase": True}),
    ("ReduceLROnPlateau", {"patience": 1, "cooldown": 1, "min_lr": 0.001}),
    ("ReduceLROnPlateau", {"mode": "max", "threshold_mode": "abs", "patience": 0}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": [0.1, 0.2], "step_size_up": 3}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 2, "step_size_down": 4, "mode": "triangular2"}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 2, "mode": "exp_range", "gamma": 0.9, "cycle_momentum": False}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 2, "scale_fn": lambda x: 1 / x, "scale_mode": "cycle"}),
    ("SWALR", {"swa_lr": [0.05, 0.02], "anneal_epochs": 6}),
    ("SWALR", {"swa_lr": 0.05, "anneal_epochs": 4, "anneal_strategy": "linear"}),
    ("SequentialLR", {}),
    ("ChainedScheduler", {}),
)  # fmt: skip
EXAMPLES: dict[str, dict[str, Any]] = {
    "train_mlp": {"steps": 12, "width": 8},
    "train_lstm": {"steps": 8, "length": 6, "hidden": 4},
}
"""What is run of the examples that train."""
LOSSES = (5, 4, 4, 4, 4, 3, 3, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2)


def waves(shape: tuple[int, ...], number: int) -> np.ndarray:
    """Numbers between -1 and 1, the same everywhere."""
    places = np.arange(int(np.prod(shape)), dtype=np.float64).reshape(shape)
    return ((places * 37 + number * 101) % 64) / 32 - 1


def parameters(torch: Any, dtype: str) -> list[Any]:
    element = getattr(torch, dtype)
    return [
        torch.tensor(waves(shape, n), dtype=element).requires_grad_()
        for n, shape in enumerate(SHAPES)
    ]


def give_gradients(torch: Any, tensors: list[Any], step: int) -> None:
    """Gradients for a step; sometimes one has none."""
    for number, tensor in enumerate(tensors):
        is_left_out = number == 1 and step % 3 == 0
        grad = torch.tensor(waves(SHAPES[number], 7 * step + number + 3), dtype=tensor.dtype)
        tensor.grad = None if is_left_out else grad


def updated(torch: Any, name: str, options: dict[str, Any], dtype: str) -> dict[str, Any]:
    """The parameters after some steps, and what the optimizer knows then."""
    tensors = parameters(torch, dtype)
    optimizer = getattr(torch.optim, name)(tensors, **options)
    largest = 0.0
    for step in range(STEPS):
        give_gradients(torch, tensors, step)
        optimizer.step()
        largest = max(largest, *(float(abs(t.detach().numpy()).max()) for t in tensors))
    state = optimizer.state_dict()
    return {
        "parameters": [t.detach().numpy().reshape(-1).tolist() for t in tensors],
        "largest": largest,
        "state": sorted(state["state"][0]) if 0 in state["state"] else [],
        "group": {key: repr(value) for key, value in state["param_groups"][0].items()},
    }


def searched(torch: Any, options: dict[str, Any]) -> dict[str, Any]:
    """The losses of some steps of LBFGS down Rosenbrock's valley, where it ends, and how often it asked for the loss."""
    x = torch.tensor([-1.5, 2.0, 0.5], dtype=torch.float64, requires_grad=True)
    y = torch.tensor(0.3, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.LBFGS([x, y], **options)

    def closure() -> Any:
        optimizer.zero_grad()
        loss = ((1 - x[:-1]) ** 2 + 10 * (x[1:] - x[:-1] ** 2) ** 2).sum() + (y - x.sum()) ** 2
        loss.backward()
        return loss

    losses = [optimizer.step(closure).item() for _ in range(STEPS // 2)]
    state = optimizer.state_dict()["state"][0]
    return {
        "losses": losses,
        "parameters": [*x.tolist(), y.item()],
        "state": sorted(set(state) - {"al"}),
        "evaluations": [state["func_evals"], state["n_iter"]],
    }


def averaged(torch: Any) -> dict[str, list[Any]]:
    """The parameters and statistics of means of models over some steps."""
    swa = torch.optim.swa_utils
    found: dict[str, list[Any]] = {}
    kinds = {
        "swa": {},
        "ema": {"avg_fn": swa.get_ema_avg_fn(0.7)},
        "ema of several": {"multi_avg_fn": swa.get_ema_multi_avg_fn(0.9), "use_buffers": True},
    }
    batches = [torch.tensor(waves((4, 3), n), dtype=torch.float64) for n in range(4)]
    for name, options in kinds.items():
        model = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.BatchNorm1d(2)).double()
        with torch.no_grad():
            for number, one in enumerate(model.parameters()):
                one.copy_(torch.tensor(waves(tuple(one.shape), number)))
        mean = swa.AveragedModel(model, **options)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        for batch in batches:
            optimizer.zero_grad()
            (model(batch) ** 3).sum().backward()
            optimizer.step()
            mean.update_parameters(model)
        states = [value.reshape(-1).tolist() for value in mean.state_dict().values()]
        swa.update_bn([(batch, 0) for batch in batches], mean)
        found[name] = [list(mean.state_dict()), states, mean(batches[0]).reshape(-1).tolist(), mean.module[1].running_var.tolist()]  # fmt: skip
    return found


def scheduled(torch: Any, name: str, options: dict[str, Any]) -> list[list[float]]:
    """The learning rates and momenta of two groups at each step."""
    tensors = parameters(torch, "float32")
    groups = [{"params": tensors[:1]}, {"params": tensors[1:], "lr": 0.3}]
    optimizer = torch.optim.SGD(groups, lr=0.1, momentum=0.9)
    of = torch.optim.lr_scheduler
    if name == "SequentialLR":
        some = [of.ConstantLR(optimizer, 0.1, 4), of.ExponentialLR(optimizer, 0.9)]
        schedule = of.SequentialLR(optimizer, [*some, of.CosineAnnealingLR(optimizer, 5)], [4, 9])
    elif name == "ChainedScheduler":
        schedule = of.ChainedScheduler(
            [of.ConstantLR(optimizer, 0.1, 4), of.ExponentialLR(optimizer, 0.9)]
        )
    else:
        module = torch.optim.swa_utils if name == "SWALR" else of
        schedule = getattr(module, name)(optimizer, **options)
    found: list[list[float]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a PyTorch that no step of an optimizer has been made
        for loss in LOSSES[:19]:
            optimizer.step()
            schedule.step(*([loss] if name == "ReduceLROnPlateau" else []))
            found.append(
                [x for group in optimizer.param_groups for x in (group["lr"], group["momentum"])]
            )
    return found


def record(torch: Any) -> dict[str, Any]:
    """Everything."""
    return {
        "updates": {
            f"{name} {options} {dtype}": updated(torch, name, options, dtype)
            for name, options in UPDATES
            for dtype in DTYPES
        },
        "searches": {str(options): searched(torch, options) for options in SEARCHES},
        "means": averaged(torch),
        "schedules": {
            f"{number} {name}": scheduled(torch, name, options)
            for number, (name, options) in enumerate(SCHEDULES)
        },
    }
