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
)
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
        schedule = getattr(of, name)(optimizer, **options)
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
        "schedules": {
            f"{number} {name}": scheduled(torch, name, options)
            for number, (name, options) in enumerate(SCHEDULES)
        },
    }
