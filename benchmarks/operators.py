"""Times the operators that models use most, beside PyTorch's eager calls in one run.

    python -m benchmarks.operators [--only NAME ...] [--rounds N] [--large] [--small] [--one-thread]

Each operator is called eagerly (`torch` of this package, and PyTorch's), and inside a compiled function of one line. Small operands
show what a call costs, large ones what the kernel does. A ratio above 1 means that PyTorch is faster. Needs PyTorch.

Where others use the machine, threads wait for each other, and large operands are compared by `--one-thread`: processor time of one
thread of each (with `OPENBLAS_NUM_THREADS=1` for NumPy's).
"""

import argparse
import re
import time
import timeit
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.harness import SETTLE
from torchscript_dialect.ops.eager.often import OFTEN
from torchscript_dialect.tensor.conversion import as_tensor

SECONDS_PER_TURN = 0.004
CHEAP = 5e-5
"""Seconds of a call that costs about the same whatever the size is: a view, or 2,048 places."""
WARM = OFTEN + 400
"""Calls on small operands before any is timed: then all that is compiled for them is."""

OPERATORS = """
add: x + y | add_: x.add_(y) | sub: x - y | mul: x * y | div: x / y | pow: x ** 2 | neg: -x | abs: torch.abs(x) | exp: torch.exp(x)
log: torch.log(p) | sqrt: torch.sqrt(p) | rsqrt: torch.rsqrt(p) | sin: torch.sin(x) | tanh: torch.tanh(x) | sigmoid: torch.sigmoid(x)
relu: torch.relu(x) | relu_: x.relu_() | gelu: F.gelu(x) | silu: F.silu(x) | leaky_relu: F.leaky_relu(x) | elu: F.elu(x)
hardtanh: F.hardtanh(x) | hardswish: F.hardswish(x) | softplus: F.softplus(x) | clamp: torch.clamp(x, -1.0, 1.0)
where: torch.where(x > 0, x, y) | gt: x > y | eq: x == y | maximum: torch.maximum(x, y) | add_number: x + 1.0 | mul_: x.mul_(1.0)
masked_fill: x.masked_fill(m, 0.0) | lerp: torch.lerp(x, y, 0.5) | addcmul: torch.addcmul(x, x, y)
sum: x.sum() | sum_dim: x.sum(1) | mean: x.mean() | mean_dim: x.mean(-1, True) | var: x.var(1) | max: x.max() | max_dim: x.max(1)
amax: x.amax(1) | argmax: x.argmax(1) | norm: torch.norm(x) | cumsum: x.cumsum(1) | any: m.any() | all: m.all()
softmax: F.softmax(x, -1) | log_softmax: F.log_softmax(x, -1) | layer_norm: F.layer_norm(x, (x.shape[1],)) | logsumexp: x.logsumexp(1)
mm: torch.mm(x, w) | addmm: torch.addmm(b, x, w) | linear: F.linear(x, w, b) | matmul: torch.matmul(x, w)
bmm: torch.bmm(x[None], w[None])
transpose: x.transpose(0, 1) | t: x.t() | permute: x.permute(1, 0) | view: x.view(-1) | reshape: x.reshape(-1) | flatten: x.flatten()
unsqueeze: x.unsqueeze(0) | squeeze: x.squeeze(0) | expand: x[None].expand(3, -1, -1)
select: x[1] | slice: x[1:] | narrow: x.narrow(0, 1, 2)
contiguous: x.t().contiguous() | clone: x.clone() | to: x.to(torch.float64) | cat: torch.cat([x, y]) | stack: torch.stack([x, y])
split: x.split(2)[0] | chunk: x.chunk(2)[0] | index: x[i] | index_select: x.index_select(0, i)
gather: x.gather(1, j) | embedding: torch.embedding(x, i)
topk: x.topk(3) | sort: x.sort(-1) | zeros: torch.zeros(x.shape) | zeros_like: torch.zeros_like(x) | full: torch.full((3, 4), 1.0)
arange: torch.arange(8) | copy_: x.copy_(y) | size: x.size(0) | item: s.item()
"""
"""Names and expressions: `x` and `y` are matrices, `p` positive, `w` a square one, `b` a row, `m` of bools, `i` and `j` indices."""

SMALL, LARGE = 4, 1024


@dataclass
class Case:
    name: str
    expression: str


def cases() -> list[Case]:
    """The operators in the order above."""
    parts = (part for line in OPERATORS.strip().splitlines() for part in line.split(" | "))
    return [Case(*part.strip().split(": ", 1)) for part in parts]


def arrays(size: int) -> dict[str, np.ndarray[Any, Any]]:
    """The operands of that many rows and columns."""
    rng = np.random.default_rng(0)
    x, y, w = (rng.standard_normal((size, size)).astype(np.float32) for _ in range(3))
    indices = rng.integers(0, size, size)
    return {
        "x": x,
        "y": y,
        "w": w,
        "p": np.abs(x) + 0.1,
        "b": x[0].copy(),
        "m": x > 0,
        "i": indices,
        "j": np.stack([indices, indices], 1),
        "s": np.array([1.5], np.float32),
    }


def _used(expression: str, names: list[str]) -> list[str]:
    return [name for name in names if re.search(rf"(?<![\w.]){name}\b", expression)]


def timers(case: Case, size: int) -> dict[str, timeit.Timer]:
    """What is timed of an operator: `torch`, ours `eager`, and ours `compiled`."""
    import torch

    import torchscript_dialect as ts
    from torchscript_dialect import torch as ours

    is_alone = size == SMALL or torch.get_num_threads() == 1
    clock = time.thread_time if is_alone else time.perf_counter
    made: dict[str, timeit.Timer] = {}
    data = arrays(size)
    names = _used(case.expression, list(data))
    for what, module in (("torch", torch), ("eager", ours)):
        wrap: Callable[[Any], Any] = torch.from_numpy if what == "torch" else as_tensor
        values = {name: wrap(data[name].copy()) for name in names}
        namespace = {"torch": module, "F": module.nn.functional, **values}
        made[what] = timeit.Timer(case.expression, timer=clock, globals=namespace)
    source = f"def f({', '.join(names)}):\n    return {case.expression}\n"
    f = ts.CompilationUnit(source.replace("F.", "torch.nn.functional."))["f"]
    values = {name: as_tensor(data[name].copy()) for name in names}
    call = f"f({', '.join(names)})"
    made["compiled"] = timeit.Timer(call, timer=clock, globals={"f": f, **values})
    return made


def measure(case: Case, size: int, rounds: int) -> dict[str, float | str]:
    """Seconds of a call of each, the least of rounds in which they take turns; the error of what cannot run."""
    found: dict[str, float | str] = {}
    ready: dict[str, tuple[timeit.Timer, int]] = {}
    for what, timer in timers(case, size).items():
        try:
            timer.timeit(WARM if size == SMALL else 8)
            once = timer.timeit(3) / 3
            if size != SMALL and once < CHEAP:
                timer.timeit(WARM)
        except Exception as error:  # the row tells it, and the others go on
            found[what] = f"{type(error).__name__}: {error}".splitlines()[0]
            continue
        ready[what] = timer, max(1, int(SECONDS_PER_TURN / once))
    seconds: dict[str, list[float]] = {what: [] for what in ready}
    for _ in range(rounds):
        for what, (timer, number) in ready.items():
            if size != SMALL:
                time.sleep(SETTLE)
            seconds[what].append(timer.timeit(number) / number)
    return found | {what: min(turns) for what, turns in seconds.items()}


def _text(found: dict[str, float | str], what: str) -> str:
    own, theirs = found[what], found["torch"]
    if isinstance(own, str):
        return own[:30]
    ratio = f"{own / theirs:.2f}" if isinstance(theirs, float) else "?"
    return f"{own * 1e6:.2f} ({ratio})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="*", help="names of operators")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--large", action="store_true", help="large operands only")
    parser.add_argument("--small", action="store_true", help="small operands only")
    parser.add_argument("--one-thread", action="store_true", help="one thread, processor time")
    given = parser.parse_args()
    import torch

    from torchscript_dialect.runtime.native.thread_pool import set_num_threads

    if given.one_thread:
        torch.set_num_threads(1)
        set_num_threads(1)
    torch.set_grad_enabled(False)
    sizes = [SMALL] * (not given.large) + [LARGE] * (not given.small)
    print(
        "| operator | size | torch µs | eager µs (ratio) | compiled µs (ratio) |\n|" + " --- |" * 5
    )
    for size in sizes:
        for case in cases():
            if given.only and case.name not in given.only:
                continue
            found = measure(case, size, given.rounds)
            theirs = found["torch"]
            told = theirs[:30] if isinstance(theirs, str) else f"{theirs * 1e6:.2f}"
            cells = f"{told} | {_text(found, 'eager')} | {_text(found, 'compiled')}"
            print(f"| {case.name} | {size} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
