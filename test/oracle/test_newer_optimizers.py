"""Steps of Adafactor and Muon, beside PyTorch: parameters, states and errors."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from torchscript_dialect import torch as stand_in

LIBRARIES: tuple[Any, Any] = (torch, stand_in)
MATRICES = [(3, 5), (6, 2), (2, 2)]
ALL = [*MATRICES, (4,), (2, 3, 4), ()]
CASES: list[tuple[str, dict[str, Any], list[tuple[int, ...]]]] = [
    ("Adafactor", {}, ALL),
    (
        "Adafactor",
        {"lr": 0.5, "weight_decay": 0.1, "maximize": True, "eps": (1e-3, 1e-2), "d": 2.0},
        ALL,
    ),
    ("Muon", {}, MATRICES),
    ("Muon", {"nesterov": False, "adjust_lr_fn": "match_rms_adamw", "lr": 0.1}, MATRICES),
]


def _steps(t: Any, name: str, options: dict[str, Any], shapes: Any) -> tuple[Any, Any]:
    """Parameters after some steps, and the state."""
    generator = np.random.default_rng(0)

    def random(shape: tuple[int, ...]) -> Any:
        return t.tensor(generator.standard_normal(shape).tolist())

    params = [t.nn.Parameter(random(shape)) for shape in shapes]
    optimizer = getattr(t.optim, name)(params, **options)
    for _ in range(3):
        for p in params:
            p.grad = random(tuple(p.shape))
        optimizer.step()
    state = optimizer.state_dict()
    states = [{k: v.tolist() for k, v in one.items()} for one in state["state"].values()]
    return [p.tolist() for p in params], (states, state["param_groups"])


@pytest.mark.parametrize(("name", "options", "shapes"), CASES)
def test_steps(name: str, options: dict[str, Any], shapes: list[tuple[int, ...]]) -> None:
    theirs, ours = (_steps(t, name, options, shapes) for t in LIBRARIES)
    torch.testing.assert_close(ours[0], theirs[0], rtol=1e-6, atol=2e-6)
    torch.testing.assert_close(ours[1][0], theirs[1][0], rtol=1e-6, atol=2e-6)
    assert ours[1][1] == theirs[1][1]


def _made(name: str, shape: tuple[int, ...] = (2, 2), **options: Any) -> Callable[[Any], Any]:
    def make(t: Any) -> Any:
        p = t.nn.Parameter(t.ones(shape))
        optimizer = getattr(t.optim, name)([p], **options)
        p.grad = t.ones(shape)
        optimizer.step()

    return make


WRONG = [
    _made("Adafactor", lr=-1.0),
    _made("Adafactor", beta2_decay=0.5),
    _made("Adafactor", eps=(-1.0, 1.0)),
    _made("Adafactor", eps=(None, -1.0)),
    _made("Adafactor", d=0.5),
    _made("Adafactor", weight_decay=-1.0),
    _made("Muon", lr=-1.0),
    _made("Muon", momentum=-1.0),
    _made("Muon", weight_decay=-1.0),
    _made("Muon", adjust_lr_fn="other"),
    _made("Muon", (3,)),
    _made("Muon", ns_steps=100),
    _made("Muon", ns_coefficients=(1.0, 2.0)),
]


def test_errors() -> None:
    for program in WRONG:
        told: list[str] = []
        for t in LIBRARIES:
            with pytest.raises(ValueError, match=r"[a-z]") as caught:
                program(t)
            told.append(str(caught.value))
        assert told[0] == told[1]
    for t in LIBRARIES:
        for name in ("Adafactor", "Muon"):
            p = t.nn.Parameter(t.ones(2, 2))
            optimizer = getattr(t.optim, name)([p])
            p.grad = t.ones(2, 2).to_sparse()
            with pytest.raises(RuntimeError, match=f"{name} does not support sparse gradients"):
                optimizer.step()
