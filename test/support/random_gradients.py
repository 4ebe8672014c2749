"""Random programs of views, writes and changes of sizes in place, run eagerly with PyTorch and here: values, errors and gradients.

    PYTHONPATH=.:test python -m support.random_gradients [COUNT] [FIRST_SEED]

A program is a list of statements on tensors `v0`, `v1`, ..., the first of which is made of a leaf `p`, or of a tensor `q` without
gradients. A statement that one side refuses, the other has to refuse, too; the program goes on without it.

Left out: views of operators with several results, whose base is written to in `no_grad`, which PyTorch refuses and ours follows; and
gradients that are written to a detached tensor, which ours refuses.
"""

from __future__ import annotations

import contextlib
import random
import sys
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

VIEWS = (
    *("{x}.view({view})", "{x}[:, 1:]", "{x}.t()", "{x}.transpose(0, 1)", "{x}.unsqueeze(1)", "{x}[0]"),
    *("{x}[..., 0]", "{x}.expand(2, *{x}.shape)", "{x}.reshape(-1)", "{x}[1:]", "{x}.squeeze(-1)"),
    *("{x}.movedim(0, -1)", "{x}.narrow(0, 0, 1)", "torch.diagonal({x})", "{x}.flatten(0, 1)"),
    *("{x}.positive()", "{x}.view_as({x})", "{x}.expand_as({x})", "{x}.swapdims(0, -1)", "{x}.select(-1, 0)"),
)  # fmt: skip
VALUES = (
    *("{x} * 1", "{x} * {y}", "{x} + {y}", "torch.tanh({x})", "torch.relu({x})", "{x}.sum(0)", "torch.cumsum({x}, 0)"),
    *("torch.softmax({x}, -1)", "torch.cat([{x}, {x}], 0)", "torch.where({x} > 2, {x}, {y})", "{x}.clone()", "{x}.amax(-1)"),
    *("torch.stack([{x}, {x}], -1)", "torch.cat([{x} * 2, {y}], -1)", "torch.max({x}, 0)[0]", "{x}.index_select(0, torch.tensor([0]))"),
    *("torch.matmul({x}, {x}.transpose(-1, -2))", "torch.var({x}, [0])", "torch.logsumexp({x}, [-1])", "torch.flip({x}, [0])"),
)  # fmt: skip
SHAPES_IN_PLACE = (
    *("{x}.t_()", "{x}.squeeze_()", "{x}.squeeze_(0)", "{x}.unsqueeze_(0)", "{x}.transpose_(0, -1)", "{x}.unsqueeze_(-1)"),
    *("{x}.swapaxes_(0, 1)", "{x}.swapdims_(-1, 0)", "{x}.squeeze_(-1)"),
)  # fmt: skip
WRITES = (
    *("{x}.mul_(2)", "{x}.add_(1)", "{x}.copy_({x} * {x})", "{x}.mul_({x}.detach())", "{x}.zero_()", "{x}.add_({y})"),
    *("{x}.tanh_()", "{x}.sub_({y}, alpha=2)", "{x}[:, 0].copy_({y}[:, 0])", "{x}.narrow(0, 0, 1).mul_({y}[0])"),
    *("{x}.relu_()", "{x}.clamp_(-2, 5)", "{x}.masked_fill_({x} > 2, 1)", "{x}[0].mul_(3)", "{x}.t().add_(1)"),
)  # fmt: skip
NO_GRAD = "with torch.no_grad(): "


class Program(NamedTuple):
    statements: list[str]
    count: int
    """How many tensors it makes."""
    sizes: tuple[int, int]

    def __str__(self) -> str:
        return f"p, q of sizes {self.sizes}\n" + "\n".join(self.statements)


def make(seed: int) -> Program:
    r = random.Random(seed)
    sizes = r.choice(((2, 2), (2, 3), (1, 4), (3, 1)))
    statements = [f"v0 = {r.choice('ppppq')} * 1"]
    count = 1
    for _ in range(r.randint(2, 8)):
        names = {"x": f"v{r.randrange(count)}", "y": f"v{r.randrange(count)}", "view": f"{sizes[1]}, {sizes[0]}, 1"}  # fmt: skip
        kind = r.random()
        if kind < 0.5:
            made = r.choice(VIEWS if kind < 0.35 else VALUES)
            statements.append(f"v{count} = {made.format(**names)}")
            count += 1
        else:
            written = r.choice(SHAPES_IN_PLACE if kind < 0.8 else WRITES).format(**names)
            statements.append((NO_GRAD if r.random() < 0.1 else "") + written)
    return Program(statements, count, sizes)


def run(torch: Any, program: Program) -> dict[str, Any]:
    """What a program gives with one of the libraries: sizes, values, refused statements, and the gradient or `error`."""
    count = program.sizes[0] * program.sizes[1]
    values = [float(number % 5) - 1.0 for number in range(1, count + 1)]
    p = torch.tensor(values).reshape(program.sizes).detach().requires_grad_()
    names: dict[str, Any] = {
        "torch": torch,
        "p": p,
        "q": torch.tensor(values).reshape(program.sizes),
    }
    refused: list[str] = []
    for statement in program.statements:
        try:
            exec(statement, names)
        except Exception:
            refused.append(statement)
    found: dict[str, Any] = {"refused": refused}
    made = [names[f"v{number}"] for number in range(program.count) if f"v{number}" in names]
    try:
        found["values"] = [
            (list(one.shape), one.detach().tolist(), one.requires_grad) for one in made
        ]
        total = torch.zeros([])
        for number, one in enumerate(made):
            weights = torch.arange(float(one.numel())).reshape(one.shape) + 1
            total = total + (one * one * weights * (number + 1)).sum()
        if total.requires_grad:
            (gradient,) = torch.autograd.grad(total, [p], allow_unused=True)
            found["gradient"] = [0.0] * count if gradient is None else gradient.reshape(-1).tolist()
    except Exception as error:
        found["error"] = str(error)
    return found


def difference(wanted: dict[str, Any], found: dict[str, Any]) -> str | None:
    """What sets two runs apart; messages may differ, and last bits of numbers."""
    if ("error" in wanted) != ("error" in found):
        return f"PyTorch: {wanted.get('error', 'a result')}\nours: {found.get('error', 'a result')}"
    if wanted["refused"] != found["refused"]:
        return f"PyTorch refuses {wanted['refused']}, ours {found['refused']}"
    if "error" in wanted:
        return None
    for name in ("values", "gradient"):
        if not _is_close(wanted.get(name), found.get(name)):
            return f"{name} of PyTorch: {wanted.get(name)}\nours: {found.get(name)}"
    return None


def _is_close(one: Any, other: Any) -> bool:
    if isinstance(one, float) and isinstance(other, float):
        return (
            one == other
            or one != one != other != other
            or abs(one - other) <= 1e-3 * (1 + abs(one))
        )
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(_is_close, one, other))
    return one == other


def differences(count: int, first: int) -> list[str]:
    """The programs of these seeds that are not as with PyTorch, each with what sets it apart."""
    import torch as pytorch

    from torchscript_dialect import torch

    found: list[str] = []
    for seed in range(first, first + count):
        program = make(seed)
        with warnings.catch_warnings(), contextlib.suppress(RecursionError):
            warnings.simplefilter("ignore")

            def told(one: Program) -> str | None:
                return difference(run(pytorch, one), run(torch, one))

            if told(program) is not None:
                least = smallest(program, lambda one: told(one) is not None)
                found.append(f"seed {seed}: {program}\nReduced to {least}\n{told(least)}")
    return found


def smallest(program: Program, is_interesting: Callable[[Program], bool]) -> Program:
    """The program less the statements without which it is interesting, too; what misses their values is refused."""
    for number in reversed(range(len(program.statements))):
        fewer = [*program.statements[:number], *program.statements[number + 1 :]]
        if is_interesting(candidate := program._replace(statements=fewer)):
            program = candidate
    return program


if __name__ == "__main__":
    how_many = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    bad = differences(how_many, int(sys.argv[2]) if len(sys.argv) > 2 else 0)
    print("\n\n".join([*bad[:20], f"{how_many} programs, {len(bad)} differences"]))
