"""Small random functions of tensors for one dtype each: what kernels there are for it, and how arguments get to them.

    PYTHONPATH=.:test python -m support.random_kernels [COUNT] [FIRST_SEED]

compares COUNT functions a dtype (100 by default) with PyTorch where it is installed, and shows how many calls were native.

Every function is called until its kernel runs, with its tensors as NumPy arrays, as `ts.Tensor` and as PyTorch's tensors in turn; the
number of native calls says what was really tried. Operators are those of which all libraries round results alike.
"""

from __future__ import annotations

import random
import re
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided

import torchscript_dialect as ts
from support.at_once import kernel_calls
from support.random_kernel_composites import gathers, sums
from support.random_kernel_views import broadcast, new_tensors, views, writes
from support.random_tensor_comparison import Outcome, difference, outcome
from support.reduced import report
from torchscript_dialect.reducer import SourceText
from torchscript_dialect.tensor.conversion import as_tensor

FLOATS = ("float32", "float64", "float16", "bfloat16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")
COMPLEX = ("complex64", "complex128")
GRAPH_NAMES = {
    "float32": "Float", "float64": "Double", "float16": "Half", "bfloat16": "BFloat16", "int64": "Long", "int32": "Int",
    "int16": "Short", "int8": "Char", "uint8": "Byte", "bool": "Bool", "complex64": "ComplexFloat", "complex128": "ComplexDouble",
}  # fmt: skip
"""What graphs call dtypes."""
DTYPES = (*FLOATS, *INTEGERS, "bool", *COMPLEX)
SHAPES = ((3, 4), (4,), (), (1, 4), (3, 1), (2, 3, 4), (0, 4), (17,), (1,), (5, 33))
LAYOUTS = ("contiguous", "contiguous", "contiguous", "turned", "stepped", "expanded")
Value = tuple[str, str, tuple[int, ...]]
"""Name, kind and shape."""
CALLS = 9
"""Calls of a function with arguments of one kind; the last three are native if any is."""


def kind_of(dtype: str) -> str:
    return np.dtype(_numpy(dtype)).kind if dtype != "bfloat16" else "f"


def _numpy(dtype: str) -> Any:
    return ml_dtypes.bfloat16 if dtype == "bfloat16" else np.dtype(dtype)


class Function:
    """The function `main` with a number, of tensors that are mostly of one dtype."""

    def __init__(self, seed: int, dtype: str) -> None:
        self.seed = seed
        self.r = r = random.Random(f"{dtype} {seed}")
        self.dtypes = [dtype] + [
            dtype if r.random() < 0.7 else r.choice(DTYPES) for _ in range(r.randint(0, 2))
        ]
        if set(self.dtypes) & set(COMPLEX):  # NumPy has no complex numbers of 16-bit floats
            self.floats = FLOATS[:2]
            self.dtypes = ["float32" if one == "float16" else one for one in self.dtypes]
        else:
            self.floats = FLOATS
        self.shapes = self.broadcasting()
        self.layouts = [r.choice(LAYOUTS) for _ in self.dtypes]
        kinds = map(kind_of, self.dtypes)
        parameters = [f"p{i}" for i in range(len(self.dtypes))]
        self.values: list[Value] = list(zip(parameters, kinds, self.shapes, strict=True))
        lines = [self.line(f"v{number}") for number in range(r.randint(1, 8))]
        names = [name for name, _, _ in self.values if name.startswith("v")]
        returned = f"    return {', '.join(names)}\n"
        head = (
            f"def main({', '.join(f'{name}: Tensor' for name in parameters)}, n: int, s: float):\n"
        )
        self.text = head + "".join(f"    {line}\n" for line in lines) + returned

    def broadcasting(self) -> list[tuple[int, ...]]:
        """Shapes that go together."""
        full = self.r.choice(SHAPES)
        found: list[tuple[int, ...]] = [full]
        for _ in self.dtypes[1:]:
            shape = full[self.r.choice((0, 0, self.r.randint(0, len(full)))) :]
            found.append(tuple(1 if self.r.random() < 0.15 else size for size in shape))
        return found

    def line(self, name: str) -> str:
        x, kind, shape = self.r.choice(self.values[-3:])
        fitting = [one for one in self.values if broadcast(shape, one[2]) is not None]
        y, other, y_shape = self.r.choice(fitting)
        family = self.r.random()
        if family < 0.3:
            options = [*views(self.r, x, shape)]
        elif family < 0.45:
            options = [*writes(self.r, x, kind, shape, y, other, y_shape)]
        elif family < 0.55:
            options = [*new_tensors(self.r, x, kind, shape)]
        elif family < 0.62:
            options = [*gathers(self.r, x, shape)]
        elif family < 0.7 and kind == "f":
            options = [*sums(self.r, x, shape)]
        else:
            options = []
        if options:
            text, made = self.r.choice(options)
            self.values.append((name, kind, made))
            return f"{name} = {text}"
        text, result = self.r.choice(list(self.options(x, kind, y, other)))
        both = broadcast(shape, y_shape) if re.search(rf"\b{y}\b", text) else shape
        assert both is not None
        self.values.append((name, result, both))
        return f"{name} = {text}"

    def options(self, x: str, kind: str, y: str, other: str) -> Iterator[tuple[str, str]]:
        """Expressions of a value and another, with the kind of what they give."""
        r = self.r
        both = max(kind, other, key="buifc".index)
        if {kind, other} == {"i", "u"}:
            both = "i"
        number = r.choice(("2", "3", "-1", "n")) if kind != "u" else r.choice(("2", "3", "n"))
        for sign in "+*":
            yield f"{x} {sign} {y}", both
        yield f"{x} == {y}", "b"
        yield f"{x} != {y}", "b"
        yield f"torch.where({x} != 0, {y}, {y} * {y})", other
        if kind != "c":
            yield f"{x}.to(torch.{r.choice(self.floats)})", "f"
        if kind == "b":
            yield f"~{x}", "b"
            yield f"{x} & ({y} != 0)", "b"
            yield f"{x}.to(torch.{r.choice(INTEGERS)})", "i"
            return
        yield f"{x} {r.choice('+-*')} {number}", kind
        yield f"{x} * s" if kind in "fc" else f"{x} + n", kind
        yield f"-{x}", kind
        if other != "b":
            yield f"{x} - {y}", both
        if kind == "c":
            yield f"torch.conj_physical({x})", kind
            # PyTorch negates vectors of complex numbers by subtraction, and others by their signs.
            yield f"torch.{r.choice(('real', 'imag'))}({x}) + 0", "f"
            yield f"{x} / 2", kind
            return
        yield f"torch.abs({x})", kind
        yield f"torch.relu({x})", kind
        yield f"torch.clamp({x}, -2, 5)" if kind != "u" else f"torch.clamp({x}, 1, 5)", kind
        yield f"{x} {r.choice(('<', '<=', '>', '>='))} 1", "b"
        if other != "c":
            yield f"torch.maximum({x}, {y})", both
            yield f"torch.minimum({x}, {y})", both
            yield f"{x} < {y}", "b"
        if kind in "iu":
            yield f"{x} {r.choice('&|^')} 5", kind
            yield f"{x}.to(torch.{r.choice(INTEGERS)})", "i"
            return
        yield f"torch.{r.choice(('floor', 'ceil', 'trunc', 'round', 'square'))}({x})", "f"
        yield f"{x} / 2", "f"
        yield f"torch.isnan({x})", "b"

    def arguments(self, number: int) -> list[Any]:
        """Arrays in fresh memory and numbers; other numbers, the same kinds."""
        rng = np.random.default_rng(1000 * self.seed + number)
        triples = zip(self.dtypes, self.shapes, self.layouts, strict=True)
        return [*(_array(rng, *triple) for triple in triples), int(rng.integers(0, 4)), 0.5]


def _array(rng: Any, dtype: str, shape: tuple[int, ...], layout: str) -> np.ndarray:
    made = shape
    if layout == "turned" and len(shape) > 1:
        made = (*shape[:-2], shape[-1], shape[-2])
    elif layout == "stepped" and shape:
        made = (*shape[:-1], 2 * shape[-1])
    elif layout == "expanded" and shape:
        made = (1, *shape[1:])
    kind = kind_of(dtype)
    numbers: Any = rng.integers(0 if kind == "u" else -9, 10, made)
    if kind in "fc":
        numbers = numbers / 4
        special = rng.choice([np.nan, np.inf, -np.inf, -0.0, 300.0], made)
        numbers = np.where(rng.random(made) < 0.05, special, numbers)
    if kind == "c":
        numbers = numbers + 0.5j * rng.integers(-4, 5, made)
    chosen = numbers > 0 if kind == "b" else numbers
    array: Any = np.asarray(chosen).astype(_numpy(dtype))
    if made != shape and layout == "turned":
        return array.swapaxes(-1, -2)
    if layout == "stepped" and shape:
        return array[..., ::2]
    if layout == "expanded" and shape:
        return as_strided(array, shape, (0, *array.strides[1:]))
    return array


# Ways of arguments.


def as_array(array: np.ndarray) -> Any:
    return array


def as_torch(array: np.ndarray) -> Any:
    """PyTorch's tensor on the same memory."""
    import torch

    if array.dtype == ml_dtypes.bfloat16:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def carriers() -> dict[str, Callable[[np.ndarray], Any]]:
    """By name, what makes arguments of arrays; PyTorch's tensors where it is installed."""
    found: dict[str, Callable[[np.ndarray], Any]] = {"ndarray": as_array, "Tensor": as_tensor}
    try:
        import torch  # noqa: F401
    except ImportError:
        return found
    return found | {"torch": as_torch}


def call(
    main: Callable[..., Any], arguments: Sequence[Any], carrier: Callable[..., Any]
) -> Outcome:
    """What a call with such arguments shows."""
    given = [carrier(arg) if isinstance(arg, np.ndarray) else arg for arg in arguments]
    return outcome(lambda *args: (_several(main(*args)), 0), given, _to_array)


def _several(result: Any) -> Sequence[Any]:
    return result if isinstance(result, tuple) else (result,)


def _to_array(value: Any) -> np.ndarray | None:
    if isinstance(value, ts.Tensor):
        return value.array
    if isinstance(value, np.ndarray):
        return value
    if type(value).__module__ == "torch" and type(value).__name__ == "Tensor":
        import torch

        if value.dtype == torch.bfloat16:
            return value.view(torch.int16).numpy().view(ml_dtypes.bfloat16)
        return value.numpy()
    return None


Oracle = Callable[[str, Sequence[Any]], Outcome]


def interpreted(text: str, arguments: Sequence[Any]) -> Outcome:
    """The oracle that is always there: our interpreter of the function as it is."""
    with ts.optimized_execution(False):
        return call(_main(text), arguments, as_tensor)


@lru_cache(maxsize=1)
def _main(text: str) -> Any:
    return ts.CompilationUnit(text).main


def in_pytorch(text: str, arguments: Sequence[Any]) -> Outcome:
    """PyTorch, operator by operator."""
    from support.random_tensor_oracle import in_pytorch as compiled

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(compiled(text), arguments, as_torch)


def compare(function: Function, oracle: Oracle, counts: Counter[str] | None = None) -> str | None:
    """What sets a function's calls apart from the oracle's, with the smallest function that shows it; None if nothing does. `counts` gets
    the number of calls, of native ones, of those in which kernels ran, and of those where one took a tensor of the dtype, by carrier."""

    def find(text: str) -> str | None:
        return compare_text(text, function, oracle, Counter())

    found = compare_text(function.text, function, oracle, Counter() if counts is None else counts)
    if found is None:
        return None
    return f"function {function.seed} of {function.dtypes}: {report(SourceText(), function.text, find)}"


def compare_text(text: str, function: Function, oracle: Oracle, counts: Counter[str]) -> str | None:
    """As `compare`, for another text with the same arguments."""
    main = ts.CompilationUnit(text).main
    ways = list(carriers().items())
    expected = [oracle(text, function.arguments(number)) for number in range(2)]
    signs = not re.search("m(ax|in)imum|sum|mm|matmul|conv|pool|am(ax|in)", text)
    """Whether those of zeros mean anything: PyTorch chooses either of two by their place in memory, and sums begin with either."""
    for number in range(CALLS):
        name, carrier = ways[number % len(ways)]
        of_dtype = GRAPH_NAMES[function.dtypes[0]]
        before = main.native_calls, kernel_calls(main), kernel_calls(main, of_dtype)
        made = call(main, function.arguments(number % 2), carrier)
        counts[name] += 1
        counts[f"{name}, native"] += main.native_calls - before[0]
        counts[f"{name}, with kernels"] += kernel_calls(main) > before[1]
        counts[f"{name}, with kernels of the dtype"] += kernel_calls(main, of_dtype) > before[2]
        if found := difference(made, expected[number % 2], signs=signs):
            kind = found.split()[0]
            return f"{kind} of another kind: call {number + 1} by {name}, {found}"
    return None


def main() -> int:
    oracle = in_pytorch if "torch" in carriers() else interpreted
    given = [int(arg) for arg in sys.argv[1:3]]
    count, first = given + [100, 0][len(given) :]
    failed, start = 0, time.perf_counter()
    for dtype in DTYPES:
        counts: Counter[str] = Counter()
        for seed in range(first, first + count):
            if found := compare(Function(seed, dtype), oracle, counts):
                failed += 1
                print(f"{found}\n", flush=True)
        print(f"{dtype}: {dict(counts)}", flush=True)
    print(
        f"{count * len(DTYPES)} functions, {failed} differences, {time.perf_counter() - start:.1f} s"
    )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
