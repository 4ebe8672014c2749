"""Prints how the time from source to the first result grows with the size of a program, for many shapes of program.

    python -m benchmarks.scaling [--shapes NAME ...] [--rounds N] [--largest SECONDS]

The exponent is the slope of a line through (log size, log seconds): 1 is linear, 2 is quadratic. Seconds are of the CPU, the least of a
few rounds, each a compilation up to the graph and a call. A shape of which one size takes longer than `--largest` stops there. Beside
other programs, which take caches and memory from this one, `chrt -r 5` in front of the command keeps them away.
"""

import argparse
import gc
import math
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Work = Callable[[], Any]
Shape = Callable[[int], Work]
"""From a size to what is timed; the text of the program is made before."""

SHAPES: dict[str, tuple[Shape, tuple[int, ...]]] = {}


def shape(*sizes: int) -> Callable[[Shape], Shape]:
    """Add a shape of program to the table, with the sizes at which it is timed."""

    def add(make: Shape) -> Shape:
        SHAPES[make.__name__] = (make, sizes)
        return make

    return add


def _run(text: str, *args: Any) -> Work:
    import torchscript_dialect as ts

    def work() -> Any:
        function = ts.CompilationUnit(text).f
        return function.graph, function(*args)

    return work


def _tensor() -> Any:
    return np.ones(4, np.float32)


@shape(500, 1000, 2000, 4000)
def straight_line(n: int) -> Work:
    return _run("def f(x):\n" + "    x = x + 1\n" * n + "    return x\n", _tensor())


@shape(100, 200, 400, 800)
def elifs(n: int) -> Work:
    arms = "".join(f"    elif x == {i}:\n        y = {i}\n" for i in range(1, n))
    text = f"def f(x: int):\n    if x == 0:\n        y = 0\n{arms}    else:\n        y = -1\n"
    return _run(text + "    return y\n", 3)


@shape(100, 200, 400, 800)
def early_returns(n: int) -> Work:
    arms = "".join(f"    if x == {i}:\n        return {i}\n" for i in range(n))
    return _run(f"def f(x: int):\n{arms}    return -1\n", 3)


@shape(50, 100, 200, 400)
def early_exits_of_loops(n: int) -> Work:
    arms = "".join(
        f"        if x == {i}:\n            {('continue', 'break')[i % 2]}\n        x += 1\n"
        for i in range(n)
    )
    return _run(f"def f(x: int):\n    for i in range(2):\n{arms}    return x\n", 3)


@shape(100, 200, 400, 800)
def ternaries(n: int) -> Work:
    arms = "".join(f"{i} if x == {i} else " for i in range(n))
    return _run(f"def f(x: int):\n    return {arms}-1\n", 3)


@shape(100, 200, 400, 800)
def conjunctions(n: int) -> Work:
    return _run(f"def f(x: int):\n    return {' and '.join(f'x > {i}' for i in range(n))}\n", 3)


def _nested(heads: Sequence[str], body: str) -> str:
    lines = [" " * (i + 4) + head for i, head in enumerate([*heads, body])]
    return "\n".join(lines)


@shape(100, 200, 400, 800)
def nested_ifs(n: int) -> Work:
    text = _nested([f"if x != -{i + 1}:" for i in range(n)], "x = x + 1")
    return _run(f"def f(x: int):\n{text}\n    return x\n", 3)


@shape(50, 100, 200, 400)
def nested_loops(n: int) -> Work:
    text = _nested([f"for i{i} in range(1):" for i in range(n)], "x = x + 1")
    return _run(f"def f(x: int):\n{text}\n    return x\n", 3)


@shape(100, 200, 400, 800)
def nested_calls(n: int) -> Work:
    return _run(f"def f(x):\n    return {'torch.relu(' * n}x{')' * n}\n", _tensor())


@shape(100, 200, 400, 800)
def deep_expressions(n: int) -> Work:
    return _run(f"def f(x):\n    return {'(x + ' * n}x{')' * n}\n", _tensor())


@shape(2000, 4000, 8000, 16000)
def long_sums(n: int) -> Work:
    return _run(f"def f(x):\n    return {' + '.join(['x'] * n)}\n", _tensor())


@shape(1000, 2000, 4000, 8000)
def wide_lists(n: int) -> Work:
    return _run(f"def f(x: int):\n    return [{', '.join(map(str, range(n)))}, x]\n", 3)


@shape(1000, 2000, 4000, 8000)
def equal_elements(n: int) -> Work:
    return _run(f"def f(x: int):\n    return [{', '.join(['(x + 1)'] * n)}]\n", 3)


@shape(1000, 2000, 4000, 8000)
def wide_dicts(n: int) -> Work:
    return _run(f"def f(x: int):\n    return {{{', '.join(f'{i}: x' for i in range(n))}}}\n", 3)


@shape(500, 1000, 2000, 4000)
def wide_tuples(n: int) -> Work:
    return _run(f"def f(x: int):\n    a = ({'x, ' * n})\n    return a[0]\n", 3)


@shape(100, 200, 400, 800)
def many_functions(n: int) -> Work:
    text = "".join(f"def g{i}(x):\n    return torch.relu(x) + {i}\n" for i in range(n))
    calls = "".join(f"    x = g{i}(x)\n" for i in range(n))
    return _run(f"{text}def f(x):\n{calls}    return x\n", _tensor())


@shape(100, 200, 400, 800)
def chain_of_functions(n: int) -> Work:
    text = "".join(f"def g{i + 1}(x):\n    return g{i}(x) + {i}\n" for i in range(n))
    return _run(f"def g0(x):\n    return x\n{text}def f(x):\n    return g{n}(x)\n", _tensor())


@shape(500, 1000, 2000, 4000)
def many_constants(n: int) -> Work:
    lines = "".join(f"    x = x + {i}.5\n" for i in range(n))
    return _run(f"def f(x: float):\n{lines}    return x\n", 1.0)


@shape(100_000, 200_000, 400_000, 800_000)
def long_strings(n: int) -> Work:
    return _run(f"def f():\n    return '{'ab' * (n // 2)}'\n")


@shape(100, 200, 400, 800)
def method_chains(n: int) -> Work:
    return _run(f"def f(x):\n    return x{'.relu()' * n}\n", _tensor())


@shape(500, 1000, 2000, 4000)
def many_containers(n: int) -> Work:
    lines = "".join(f"    a{i} = [x, {i}]\n    n += len(a{i})\n" for i in range(n))
    return _run(f"def f(x: int):\n    n = 0\n{lines}    return n\n", 3)


@shape(1000, 2000, 4000, 8000)
def mutated_lists(n: int) -> Work:
    lines = "".join(f"    a = [x]\n    a.append(x)\n    y = y + a[{i % 2}]\n" for i in range(n))
    return _run(f"def f(x):\n    y = x\n{lines}    return y\n", _tensor())


@shape(250, 500, 1000, 2000)
def mutated_tensors(n: int) -> Work:
    return _run("def f(x):\n    y = x + 1\n" + "    y.add_(x)\n" * n + "    return y\n", _tensor())


@shape(250, 500, 1000, 2000)
def many_variables_in_a_loop(n: int) -> Work:
    first = "".join(f"    a{i} = x\n" for i in range(n))
    body = "".join(f"        a{i} += 1\n" for i in range(n))
    return _run(f"def f(x: int):\n{first}    for i in range(2):\n{body}    return a0\n", 3)


@shape(8, 16, 32, 64)
def many_specializations(n: int) -> Work:
    import torchscript_dialect as ts

    text = "def f(x):\n    return torch.relu(x) + 1\n"
    inputs = [np.ones([1] * (i % 8) + [2] * (i // 8), np.float32) for i in range(n)]

    def work() -> None:
        function = ts.CompilationUnit(text).f
        for value in inputs:
            function(value)

    return work


def _graph_text(n: int) -> str:
    lines = [f"  %{i + 1} : Tensor = aten::mul(%{i}, %x)\n" for i in range(n)]
    return f"graph(%x : Tensor,\n      %0 : Tensor):\n{''.join(lines)}  return (%{n})\n"


@shape(12_500, 25_000, 50_000, 100_000)
def graph_text(n: int) -> Work:
    import torchscript_dialect as ts

    text = _graph_text(n)
    return lambda: str(ts.parse_ir(text))


@shape(6_250, 12_500, 25_000, 50_000)
def mlir_text(n: int) -> Work:
    from xdsl.parser import Parser

    import torchscript_dialect as ts
    from torchscript_dialect.dialects.context import make_context

    module = ts.parse_ir(_graph_text(n)).module_op
    return lambda: Parser(make_context(), str(module)).parse_module()


def exponent(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The slope of the line of least squares through the logarithms."""
    x, y = [math.log(size) for size in sizes], [math.log(second) for second in seconds]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    above = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return above / sum((a - mean_x) ** 2 for a in x)


def least_seconds(work: Work, rounds: int) -> float:
    """The least time of the CPU in a few rounds, without collections of garbage."""
    times: list[float] = []
    for _ in range(rounds):
        gc.collect()
        gc.disable()
        try:
            start = time.process_time()
            work()
            times.append(time.process_time() - start)
        finally:
            gc.enable()
    return min(times)


def measure(name: str, rounds: int, largest: float) -> tuple[list[int], list[float], str]:
    """The sizes that were timed, their seconds, and why there are not more."""
    make, sizes = SHAPES[name]
    least_seconds(make(max(sizes[0] // 10, 1)), 1)

    def timed(size: int) -> float:
        return least_seconds(make(size), 1)

    return least_of_rounds(timed, sizes, rounds, largest)


def least_of_rounds(
    timed: Callable[[int], float], sizes: Sequence[int], rounds: int, largest: float
) -> tuple[list[int], list[float], str]:
    """The sizes that were timed, the least seconds of each, and why there are not more. A round goes through all sizes, so that what
    else a machine does for a while slows down all of them.
    """
    seconds: dict[int, float] = {}
    stopped = ""
    for _ in range(rounds):
        for size in sizes:
            try:
                taken = timed(size)
            except Exception as error:  # a shape that fails is a row of the table, not its end
                stopped = f"{size:,}: {type(error).__name__}: {str(error)[:80]!r}"
                sizes = [known for known in sizes if known < size]
                break
            seconds[size] = min(taken, seconds.get(size, math.inf))
            if taken > largest and size != sizes[-1]:
                stopped = f"{size:,} took longer than {largest} s"
                sizes = [known for known in sizes if known <= size]
                break
    kept = [size for size in sizes if size in seconds]
    return kept, [seconds[size] for size in kept], stopped


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shapes", nargs="+", choices=SHAPES, default=list(SHAPES))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--largest", type=float, default=20.0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'shape':<26}{'exponent':>9}{'last step':>10}  milliseconds at each size")
    for name in options.shapes:
        sizes, seconds, stopped = measure(name, options.rounds, options.largest)
        shown = "  ".join(f"{n:,}: {t * 1e3:,.1f}" for n, t in zip(sizes, seconds, strict=True))
        slopes = ["", ""]
        if len(sizes) > 1:
            whole, end = exponent(sizes, seconds), exponent(sizes[-2:], seconds[-2:])
            slopes = [f"{whole:.2f}", f"{end:.2f}"]
        print(f"{name:<26}{slopes[0]:>9}{slopes[1]:>10}  {shown}  {stopped}".rstrip(), flush=True)


if __name__ == "__main__":
    main()
