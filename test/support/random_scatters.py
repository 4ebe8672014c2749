"""Random programs that scatter into tensors of their own and of the caller's, and use these before and after, in PyTorch and compiled."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
from numpy.typing import NDArray

Arrays = dict[str, NDArray[Any]]

MADE = (
    *("torch.zeros([3, 4])", "{a}.new_zeros([3, 4])", "torch.zeros_like({a})", "{a}.new_ones({a}.size())", "torch.full([3, 4], 0.5)"),
    *("{a} * 1.5", "{a}.t().contiguous().t() + 0", "{a}.exp()", "torch.zeros_like({a}.t().contiguous().t())"),
)  # fmt: skip
WRITTEN = (
    *("{a}.scatter_add_(0, i, {b})", "{a}.scatter_add_(1, j, {b})", "{a}.index_add_(0, k, {b})", "{a}.index_add_(0, k, {b}, alpha=2)"),
    *("{a}.index_copy_(0, p, {b})", "{a}.scatter_(1, q, {b})", "{a}.scatter_(0, i, 2.0)", "{a}.index_fill_(0, k, 1.5)"),
    *("{a}.index_put_([k], {b}, accumulate=True)", "{a}.index_put_([p], {b})", '{a}.scatter_reduce_(1, j, {b}, "amax")'),
    *('{a}.scatter_reduce_(0, i, {b}, "sum", include_self=False)', "{a}.masked_fill_(m, 0.25)", "{a}.tril_()", "{a}.triu_(1)"),
    *("{a}.relu_()", "{a}.tanh_()", "{a}.mul_(2)", "{a}.add_({b})", "{a}.zero_()", "{a}.fill_(0.3)", "{a}.copy_({b})", "{a}.cumsum_(0)"),
    *("{a}.view(-1).index_add_(0, torch.tensor([0, 5, 5]), {b}[0, :3])", "{a}[1].index_fill_(0, torch.tensor([1]), 3.0)"),
)  # fmt: skip
READ = (
    *("{a} * {b}", "{a}.sigmoid()", "{a} + {b}", "{a}.roll(1, 0)", "{a}.gather(1, j)", "{a}.index_select(0, k)", "torch.relu({a})"),
    *("{a}.view(3, 4)", "{a}.clone()", "{a}.exp()", "{a}.detach()", "{a} - {b}.mean()"),
)  # fmt: skip
BRANCH = """if bool({a}.sum() > 0):
        {c} = {b}.sum()
    else:
        {c} = {a}.sum()
    {v} = {a} * {c}"""
HEAD = """def f(x, y, i, j, k, p, q, m):
    # type: (Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor) -> Tuple[Tensor, Tensor, List[int]]
"""


def program(seed: int) -> str:
    """A function of two 3x4 tensors, which gives two and the strides of one."""
    random = Random(seed)
    names, lines = ["x", "y"], list[str]()
    for number in range(random.randint(3, 9)):
        kind, a, b, made = random.random(), random.choice(names), random.choice(names), f"v{number}"
        if kind < 0.9:
            forms = MADE if kind < 0.25 else WRITTEN if kind < 0.65 else READ
            line = random.choice(forms).replace("{a}", a).replace("{b}", b)
            if forms is WRITTEN and random.random() < 0.5:
                lines.append(line)
                continue
            lines.append(f"{made} = {line}")
        else:
            lines.append(BRANCH.format(a=a, b=b, c=f"c{number}", v=made))
        names.append(made)
    first, second, third = (random.choice(names) for _ in range(3))
    lines.append(f"return {first}, {second}, list({third}.stride())")
    return HEAD + "".join(f"    {line}\n" for line in lines)


def operands(seed: int) -> Arrays:
    """What the function takes, by name."""
    rng = np.random.default_rng(seed)
    floats = {name: rng.standard_normal((3, 4)).astype(np.float32) for name in "xy"}
    orders = np.stack([rng.permutation(4) for _ in range(3)])
    return {
        **floats,
        "i": rng.integers(0, 3, (3, 4)),
        "j": rng.integers(0, 4, (3, 4)),
        "k": rng.integers(0, 3, 3),
        "p": rng.permutation(3),
        "q": orders,
        "m": rng.random((3, 4)) < 0.3,
    }


def outcome(torch: Any, function: Any, given: Arrays, requires: str, *, leaves: bool) -> list[Any]:
    """The results, strides, which of them require gradients, and the gradients of the leaves; an error is `None`."""
    tensors = {name: torch.from_numpy(array.copy()) for name, array in given.items()}
    for name in requires:
        tensors[name].requires_grad_()
    wanted = [tensors[name] for name in requires]
    if not leaves:
        tensors |= {name: tensors[name] * 1 for name in "xy"}
    try:
        first, second, strides = function(*tensors.values())
    except (RuntimeError, IndexError):
        return [None]
    found = [one.detach().numpy().copy() for one in (first, second)]
    found += [strides, first.requires_grad, second.requires_grad]
    loss = (first * first.detach().sigmoid()).sum() + (second * 0.5).sum()
    try:
        if loss.requires_grad:
            loss.backward()
    except (RuntimeError, IndexError):
        return [*found, None]
    return found + [np.zeros(0) if one.grad is None else one.grad.numpy() for one in wanted]


def agree(wanted: list[Any], found: list[Any]) -> bool:
    """Whether outcomes are the same. PyTorch's eager operators may refuse a call or its gradient where what nobody uses is not run here,
    or a formula keeps less; a gradient is refused here alone where a graph keeps for another gradient, which nobody wants, what was
    written to.
    """
    if wanted == [None]:
        return True
    if wanted[-1] is None or found[-1] is None:
        wanted, found = wanted[:_RESULTS], found[:_RESULTS]
    return len(wanted) == len(found) and all(map(_is_same, wanted, found))


_RESULTS = 5
"""What an outcome has before gradients."""


def _is_same(wanted: Any, found: Any) -> bool:
    if isinstance(wanted, np.ndarray) and isinstance(found, np.ndarray):
        is_like = wanted.shape == found.shape
        return is_like and np.allclose(wanted, found, rtol=1e-3, atol=1e-3, equal_nan=True)
    return type(wanted) is type(found) and wanted == found
