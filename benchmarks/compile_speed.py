"""Prints how many source lines per second are compiled, beside torch.jit, for functions of several lengths.

    python -m benchmarks.compile_speed [--lengths 10 100 1000 10000] [--rounds N]

Each function mixes assignments, tensor and number arithmetic, calls, an if and a loop for every ten lines. Both systems compile the
same text, up to the graph that `f.graph` shows. The last line is `script` of a Python function of one line.
"""

import argparse
import importlib.util
import linecache
import time
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

_TEN_LINES = """\
    z = x + y * 2
    w = torch.tanh(z) - x
    if n > 3:
        z = z * w
    else:
        z = z - 1.5
    n = n + 1
    y = z[0] + w
    for i in range(n):
        x = x + i
"""


def source(length: int) -> str:
    """A function of about that many lines."""
    head = "def f(x: Tensor, y: Tensor, n: int) -> Tensor:\n"
    rest = "    y = y + x\n" * ((length - 2) % 10)
    return f"{head}{_TEN_LINES * ((length - 2) // 10)}{rest}    return x + y\n"


def best(call: Callable[[], Any], rounds: int) -> float:
    """The shortest time of a call, in seconds."""
    times: list[float] = []
    for _ in range(rounds):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


def ours(text: str) -> Any:
    import torchscript_dialect as ts

    return ts.CompilationUnit(text).f


def theirs(text: str) -> Any:
    import torch

    return torch.jit.CompilationUnit(text).f  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType, reportPrivateImportUsage]


def one_line(torch: Any) -> Callable[[], Any]:
    """Makes a new function of one line, which is scripted; what is timed is the second step."""
    text = "def f(x):\n    return x + 1\n"
    filename = "<one line>"
    lines: list[str] = [*text.splitlines(keepends=True)]
    linecache.cache[filename] = (len(text), None, lines, filename)
    code = compile(text, filename, "exec")

    def call() -> Any:
        names: dict[str, Any] = {"__name__": "__main__"}
        exec(code, names)
        return torch.jit.script(names["f"])

    return call


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lengths", nargs="+", type=int, default=[10, 100, 1000, 10_000])
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    systems: dict[str, Callable[[str], Any]] = {"ours": ours}
    if importlib.util.find_spec("torch"):
        systems["torch.jit"] = theirs
    print("lines per second" + "".join(f"{name:>14}" for name in systems) + "   times slower")
    for length in options.lengths:
        text = source(length)
        rounds = max(options.rounds if length < 5000 else 2, 1)
        times = [best(partial(run, text), rounds) for run in systems.values()]
        shown = "".join(f"{length / seconds:14,.0f}" for seconds in times)
        ratio = f"{times[0] / times[1]:15.1f}" if len(times) > 1 else ""
        print(f"{length:>16,}{shown}{ratio}")
    from torchscript_dialect import torch as stand_in

    modules: list[Any] = [stand_in]
    if "torch.jit" in systems:
        import torch

        modules.append(torch)
    micro = [best(one_line(each), 100) * 1e6 for each in modules]
    print(f"{'one line, µs':>16}" + "".join(f"{each:14,.0f}" for each in micro))


if __name__ == "__main__":
    main()
