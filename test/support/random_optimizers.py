"""Random lives of optimizers, with PyTorch and here: parameters, states, options and errors.

    PYTHONPATH=.:test python -m support.random_optimizers [COUNT] [FIRST_SEED]

A program is a list of statements on parameters `p[0]`, `p[1]`, ..., an optimizer `o` and schedules `s`. A statement that one side
refuses, the other has to refuse with an error of the same class; the program goes on without it.
"""

from __future__ import annotations

import copy
import math
import random
import sys
import warnings
from typing import Any, NamedTuple

SHAPES = ((3, 2), (4,), (), (2, 1, 3), (0,))
COMMON = {
    "lr": ("0.1", "0.01", "1", "0.0", "torch.tensor(0.1)", "-0.1"),
    "maximize": ("True", "False"),
    "weight_decay": ("0", "0.1", "0.01", "-1"),
}
BETAS = {
    "betas": ("(0.9, 0.99)", "(0.5, 0.7)", "(0.0, 0.0)", "(1.0, 0.9)"),
    "eps": ("1e-8", "1e-3", "-1"),
    "amsgrad": ("True", "False"),
}
FLAGS = {
    "foreach": ("True", "False", "None"),
    "fused": ("True", "False", "None"),
    "differentiable": ("True", "False"),
    "capturable": ("True", "False"),
}
OPTIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "SGD": {**COMMON, "momentum": ("0.9", "0", "-1"), "dampening": ("0", "0.3"), "nesterov": ("True", "False")},
    "Adam": {**COMMON, **BETAS, "decoupled_weight_decay": ("True",)},
    "AdamW": {**COMMON, **BETAS},
    "RMSprop": {**COMMON, "alpha": ("0.9", "-1"), "eps": ("1e-8", "-1"), "momentum": ("0", "0.9"), "centered": ("True", "False")},
    "Adagrad": {**COMMON, "lr_decay": ("0.1", "-1"), "initial_accumulator_value": ("0", "0.2", "-1"), "eps": ("1e-10",)},
    "Adamax": {**COMMON, "betas": BETAS["betas"], "eps": BETAS["eps"]},
    "Adadelta": {**COMMON, "rho": ("0.8", "2"), "eps": BETAS["eps"]},
    "NAdam": {**COMMON, "betas": BETAS["betas"], "momentum_decay": ("0.1", "-1"), "decoupled_weight_decay": ("True",)},
    "RAdam": {**COMMON, "betas": BETAS["betas"], "decoupled_weight_decay": ("True", "False")},
    "Rprop": {"lr": COMMON["lr"], "maximize": COMMON["maximize"], "etas": ("(0.4, 1.5)", "(1.5, 0.4)"), "step_sizes": ("(1e-3, 0.2)",)},
    "ASGD": {**COMMON, "lambd": ("0.1",), "t0": ("2", "5"), "alpha": ("0.6",)},
}  # fmt: skip
SCHEDULES = (
    *("StepLR(o, 2)", "ExponentialLR(o, 0.9)", "LinearLR(o, 0.5, total_iters=3)", "CosineAnnealingLR(o, 4)", "MultiStepLR(o, [1, 3])"),
    *("LambdaLR(o, lambda n: 0.9**n)", "OneCycleLR(o, 0.5, total_steps=4)", "CyclicLR(o, 0.01, 0.1, 2)", "PolynomialLR(o, 3, 2.0)"),
    *("ConstantLR(o, 0.5, 2)", "CosineAnnealingWarmRestarts(o, 2)", "MultiplicativeLR(o, lambda n: 0.95)"),
)  # fmt: skip
CHANGES = (
    *("o.zero_grad()", "o.zero_grad(set_to_none=False)", "o.param_groups[0]['lr'] = 0.05", "o.param_groups[-1]['lr'] *= 0.5"),
    *("o.load_state_dict(o.state_dict())", "o.load_state_dict(copy.deepcopy(o.state_dict()))", "p[0].data.mul_(0.5)"),
    *("o.state.clear()", "p[1].requires_grad_(False)", "p[1].requires_grad_()", "o.param_groups[0]['weight_decay'] = 0.2"),
    *("o.param_groups[0]['maximize'] = True", "o.add_param_group({'params': p[0]})", "o.add_param_group({'params': [q], 'lr': 0.3})"),
    *("o.add_param_group({'params': q * 2})", "o.add_param_group({'params': [q, q]})", "o.param_groups[0]['momentum'] = 0.5"),
    *("o.add_param_group({'params': q.detach()})", "o.load_state_dict({'state': {}, 'param_groups': []})", "o.state[p[0]] = {}"),
    *("before = o.state_dict()", "o.load_state_dict(before)", "o = type(o)(p, lr=0.2); o.load_state_dict(before)", "del o.state[p[1]]"),
)  # fmt: skip
GRADIENTS = (
    "ones",
    "none",
    "zeros",
    "waves",
    "waves",
    "waves",
    "nan",
    "inf",
    "huge",
    "strided",
    "sparse",
)


TAKE_SPARSE = ("SGD", "Adagrad")
"""Optimizers that PyTorch has a step for, which is refused here."""


class Program(NamedTuple):
    statements: list[str]
    dtype: str

    def __str__(self) -> str:
        return f"{self.dtype}\n" + "\n".join(self.statements)


def make(seed: int) -> Program:
    r = random.Random(seed)
    name = r.choice(list(OPTIONS))
    chosen: dict[str, str] = {}
    for option, values in OPTIONS[name].items():
        if r.random() < 0.4:
            good = [one for one in values if not one.startswith("-")] or values
            chosen[option] = r.choice(values if r.random() < 0.1 else good)
    for _ in range(r.choice((0, 0, 0, 1, 2))):
        flag = r.choice(list(FLAGS))
        chosen[flag] = r.choice(FLAGS[flag])
    if chosen.get("fused") == "True":
        chosen.pop("amsgrad", None)  # PyTorch's fused maximum passes NaN over, its others do not
    parameters = r.choice(
        (
            "p",
            "iter(p)",
            "[{'params': p[:2]}, {'params': p[2:], 'lr': 0.2}]",
            "[('a', p[0]), ('b', p[1])]",
            "[{'params': p[3]}, {'params': p[:3], 'weight_decay': 0.1}]",
        )
    )
    options = "".join(f", {key}={value}" for key, value in chosen.items())
    statements = [f"o = optim.{name}({parameters}{options})"]
    for _ in range(r.randint(3, 9)):
        kind = r.random()
        if kind < 0.6:
            for place in range(len(SHAPES)):
                if r.random() < 0.6:
                    which = r.choice(GRADIENTS[: 4 if r.random() < 0.8 else None])
                    which = "waves" if which == "sparse" and name in TAKE_SPARSE else which
                    statements.append(f"give({place}, '{which}', {r.randrange(50)})")
            statements.append(r.choice(("o.step()", "o.step()", "o.step(closure)")))
        elif kind < 0.75:
            schedule = r.choice(SCHEDULES)
            statements.append(f"s.append(optim.lr_scheduler.{schedule})")
        elif kind < 0.85:
            statements.append("[one.step() for one in s]")
        else:
            statements.append(r.choice(CHANGES))
    return Program(statements, r.choice(("float32", "float64", "float64")))


def _waves(torch: Any, shape: Any, number: int, dtype: Any) -> Any:
    count = math.prod(shape)
    values = [((place * 37 + number * 101) % 64) / 32 - 1 for place in range(count)]
    return torch.tensor(values, dtype=dtype).reshape(shape)


def _gradient(torch: Any, tensor: Any, which: str, number: int) -> Any:
    waves = _waves(torch, tuple(tensor.shape), number, tensor.dtype)
    match which:
        case "none":
            return None
        case "ones" | "zeros":
            return getattr(torch, f"{which}_like")(waves)
        case "nan" | "inf":
            return waves * float(which)
        case "huge":
            return waves * 1e15
        case "strided":
            return waves if not waves.dim() else torch.stack([waves, waves], -1)[..., 0]
        case "sparse":
            return waves.to_sparse() if waves.dim() else waves
        case _:
            return waves


def run(torch: Any, program: Program) -> list[Any]:
    """What a program does: after each statement the error's class, or parameters, states and options."""
    dtype = getattr(torch, program.dtype)
    p = [_waves(torch, shape, n, dtype).requires_grad_() for n, shape in enumerate(SHAPES)]
    q = _waves(torch, (2,), 9, dtype).requires_grad_()

    def give(place: int, which: str, number: int) -> None:
        p[place].grad = _gradient(torch, p[place], which, number)

    def closure() -> Any:
        total: Any = sum((one * one).sum() for one in p if one.requires_grad)
        total.backward()
        return total

    names: dict[str, Any] = {
        "torch": torch,
        "optim": torch.optim,
        "p": p,
        "q": q,
        "s": [],
        "copy": copy,
        "give": give,
        "closure": closure,
    }
    found: list[Any] = []
    for statement in program.statements:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                exec(statement, names)
        except Exception as error:
            found.append((type(error).__name__, str(error)))
            if "o" not in names or statement.startswith("o.step"):
                break  # some parameters have made the step, and which is nobody's to know
            continue
        found.append(_seen(names["o"], [*p, q]))
    return found


def _seen(optimizer: Any, tensors: list[Any]) -> list[Any]:
    state = optimizer.state_dict()
    seen: list[Any] = [one.detach().reshape(-1).tolist() for one in tensors]
    for number, values in sorted(state["state"].items()):
        for key, value in sorted(values.items()):
            plain = value.reshape(-1).tolist() if hasattr(value, "reshape") else value
            seen.append((number, key, plain))
    for group in state["param_groups"]:
        seen.append(sorted((key, _option(value)) for key, value in group.items()))
    return seen


def _option(value: Any) -> Any:
    return value if isinstance(value, (int, float, bool, list, tuple, type(None))) else str(value)


def _agree(wanted: Any, found: Any) -> bool:
    """Whether numbers are the same but for what float32 rounds, and all else is."""
    if isinstance(wanted, float) and isinstance(found, (int, float)):
        both = (wanted, found)
        if any(math.isnan(one) for one in both):
            return all(math.isnan(one) for one in both)
        return wanted == found or abs(wanted - found) <= 2e-5 * (1e-2 + abs(wanted))
    if isinstance(wanted, (list, tuple)):
        return (
            isinstance(found, (list, tuple))
            and len(wanted) == len(found)
            and all(map(_agree, wanted, found))
        )
    return wanted == found and (wanted is None) == (found is None)


def difference(program: Program, wanted: list[Any], found: list[Any]) -> str | None:
    """The first statement after which two runs are apart; messages may differ."""
    for statement, one, other in zip(program.statements, wanted, found):
        errors = isinstance(one, tuple), isinstance(other, tuple)
        if any(errors):
            if errors != (True, True) or one[0] != other[0]:
                return f"{statement}\nPyTorch: {one}\nours: {other}"
        elif not _agree(one, other):
            apart = [(a, b) for a, b in zip(one, other) if not _agree(a, b)]
            return f"{statement}\nPyTorch, ours: {apart[:3] or (one, other)}"
    return None


def main(arguments: list[str]) -> int:
    """Programs from a seed on; how many differ."""
    import torch

    from torchscript_dialect import torch as ours

    count = int(arguments[0]) if arguments else 1000
    first = int(arguments[1]) if len(arguments) > 1 else 0
    differ = 0
    for seed in range(first, first + count):
        program = make(seed)
        apart = difference(program, run(torch, program), run(ours, program))
        if apart is not None:
            differ += 1
            print(f"--- {seed}\n{program}\n=> {apart}", flush=True)
    print(f"{count} programs, {differ} differ")
    return differ


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
