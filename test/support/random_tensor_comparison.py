"""Outcomes of calls of random functions of tensors, and what sets ours apart from those that are right.

    PYTHONPATH=.:test python -m support.random_tensor_comparison [COUNT] [FIRST_SEED]

compares with PyTorch; COUNT is 1000 by default.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

import torchscript_dialect as ts
from support.random_tensor_arguments import Arguments, variants
from support.random_tensor_programs import Program, program
from support.reduced import report
from torchscript_dialect.reducer import SourceText
from torchscript_dialect.tensor.conversion import as_tensor

Call = Callable[..., Any]

EPSILON = {"float16": 2**-10, "bfloat16": 2**-7, "float32": 2**-22, "float64": 2**-51}
"""By how much two libraries may differ, relative to what is meant."""
COMPLEX_EPSILON = {"complex64": 2**-21, "complex128": 2**-50}
"""The same of complex numbers: a product is a sum of two, of which libraries round both, or one."""


class Outcome:
    """What a call gave: `values` are its results, then its arguments as it left them; or that it raised."""

    def __init__(
        self, error: Exception | None, values: list[Any], shared: list[list[bool]]
    ) -> None:
        self.error = error
        self.values = values
        self.shared = shared


def outcome(
    call: Call, given: Sequence[Any], to_array: Callable[[Any], np.ndarray | None]
) -> Outcome:
    """Call with these arguments. Results and arguments are kept as arrays (copies, with the strides that there were)."""
    error: Exception | None = None
    results: Sequence[Any] = ()
    try:
        tensors, number = call(*given)
        results = (*tensors, number)
    except Exception as raised:
        error = raised
    values: list[Any] = []
    arrays: list[np.ndarray] = []
    for value in (*results, *given):
        array = to_array(value)
        if array is None:
            values.append(value)
        else:
            arrays.append(array)
            values.append(
                (array.copy(order="K"), tuple(s // array.itemsize for s in array.strides))
            )
    shared = [[np.may_share_memory(a, b) for b in arrays] for a in arrays]
    return Outcome(error, values, shared)


def difference(
    ours: Outcome, wanted: Outcome, others: Sequence[Outcome] = (), *, signs: bool = False
) -> str | None:
    """What sets them apart, None if nothing does. `others` are outcomes that are as good as the wanted one: numbers may be
    as far off as these are, and where they go another way there is nothing to compare. `signs` are those of zeros."""
    if (ours.error is None) != (wanted.error is None):
        if any((other.error is None) != (wanted.error is None) for other in others):
            return None
        return f"error {_short(ours.error)} where {_short(wanted.error)} is right"
    if wanted.error is not None:
        return None  # what was written before is not compared: what raises may have been moved
    if len(ours.values) != len(wanted.values):
        return "another number of results"
    for index, (a, b) in enumerate(zip(ours.values, wanted.values, strict=True)):
        alternatives = [
            other.values[index] for other in others if len(other.values) == len(wanted.values)
        ]
        if isinstance(b, tuple):
            found = _array_difference(a, b, alternatives, signs)
        else:
            found = _number_difference(a, b, alternatives)
        if found:
            return f"value {index}: {found}"
    if ours.shared != wanted.shared and all(other.shared == wanted.shared for other in others):
        return f"shared memory {ours.shared} where {wanted.shared} is right"
    return None


def _short(error: Exception | None) -> str:
    return "none" if error is None else f"{type(error).__name__}({str(error).strip()[-150:]!r})"


def _number_difference(a: Any, b: Any, others: Sequence[Any]) -> str | None:
    if type(a) is not type(b):
        return f"{a!r} where {b!r} is right"
    x, y = np.array(a, float), np.array(b, float)
    spread = [np.array(other, float) for other in others]
    return None if _close(x, y, spread, "float32").all() else f"{a!r} where {b!r} is right"


def _array_difference(a: Any, b: Any, others: Sequence[Any], signs: bool) -> str | None:
    x, x_strides = a
    y, y_strides = b
    if any(other[0].shape != y.shape or other[0].dtype != y.dtype for other in others):
        return None
    if x.dtype != y.dtype:
        return f"dtype {x.dtype} where {y.dtype} is right"
    if x.shape != y.shape:
        return f"shape {x.shape} where {y.shape} is right"
    if _told(x.shape, x_strides) != _told(y.shape, y_strides) and all(
        other[1] == y_strides for other in others
    ):
        return f"strides {x_strides} where {y_strides} is right (shape {x.shape})"
    if y.dtype.name in EPSILON:
        x, y_wide = x.astype(np.float64), y.astype(np.float64)
    else:
        y_wide = y
    wrong = ~_close(x, y_wide, [other[0] for other in others], y.dtype.name)
    if signs and y.dtype.name in EPSILON:
        wrong |= (x == 0) & (y == 0) & (np.signbit(x) != np.signbit(y))
    if not wrong.any():
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    return (
        f"{wrong.sum()} of {wrong.size} elements ({y.dtype}, shape {y.shape}), at {place}"
        f" {x[place]} where {y[place]} is right"
    )


def _told(shape: tuple[int, ...], strides: tuple[int, ...]) -> list[int]:
    """The strides that matter: those of dimensions with two places or more, if there are elements at all."""
    return [] if 0 in shape else [s for n, s in zip(shape, strides, strict=True) if n > 1]


@np.errstate(all="ignore")
def _close(x: np.ndarray, y: np.ndarray, others: Sequence[np.ndarray], name: str) -> np.ndarray:
    """Where x is as good as y."""
    equal = (x == y) | ((x != x) & (y != y))
    bound = np.zeros(y.shape)
    if name in ("float16", "bfloat16"):
        bound = EPSILON[name] * np.abs(y)
    unsteady = np.zeros(y.shape, bool)
    for other in others:
        away = np.abs(other.astype(np.float64) - y.astype(np.float64))
        same = (other == y) | ((other != other) & (y != y))
        unsteady |= ~same & ~np.isfinite(away)
        moved = ~same & np.isfinite(away)
        if moved.any() and name in EPSILON:
            size = np.abs(y.astype(np.float64))
            usual, relative = np.median(away[moved]), np.nanmedian((away / size)[moved])
            bound = np.maximum(bound, 4 * usual + (EPSILON[name] + 8 * relative) * size)
            bound = np.maximum(bound, np.where(moved, 8 * away, 0.0))
        if name not in EPSILON:
            unsteady |= ~same
    if name in COMPLEX_EPSILON:
        return equal | unsteady | (np.abs(x - y) <= COMPLEX_EPSILON[name] * np.abs(y))
    if name not in EPSILON:
        return equal | unsteady
    return equal | unsteady | (np.abs(x - y) <= bound)


# Ours


Oracle = Callable[[str, Arguments], tuple[Outcome, Sequence[Outcome]]]
"""Gives what is right for a call, and what is as good."""


def ours(main: Call, arguments: Arguments) -> Outcome:
    """What our function does to fresh arguments; one array twice is one tensor twice."""
    memo: dict[int, ts.Tensor] = {}
    given = [
        memo.setdefault(id(value), as_tensor(value)) if isinstance(value, np.ndarray) else value
        for value in arguments.make()
    ]
    return outcome(main, given, lambda value: value.array if isinstance(value, ts.Tensor) else None)


def interpreted(text: str, arguments: Arguments) -> tuple[Outcome, Sequence[Outcome]]:
    """The oracle that is always there: our interpreter of the program as it is. What raises may be dead code to the compiler."""
    with ts.optimized_execution(False):
        wanted = ours(_main(text), arguments)
    return wanted, () if wanted.error is None else (Outcome(None, [], []),)


@lru_cache(maxsize=1)
def _main(text: str) -> Any:
    return ts.CompilationUnit(text).main


def calls(count: int) -> Iterator[int]:
    """The calls of one function, by the number of their arguments: first until kernels run, then with others, for which guards
    hold or fail, then with those from before."""
    yield from (0,) * 10
    for number in range(1, count):
        yield from (number,) * 3
    yield from (0, count - 1)


def compare(made: Program, oracle: Oracle) -> str | None:
    """What sets the calls of a program apart from the oracle's, with the smallest program that shows it; None if nothing does."""

    def find(text: str) -> str | None:
        return compare_text(text, made, oracle)

    if find(made.text) is None:
        return None
    return f"program {made.seed}: {report(SourceText(), made.text, find)}"


def compare_text(text: str, made: Program, oracle: Oracle) -> str | None:
    """What sets the calls of a text with a program's arguments apart from the oracle's. Every other program is compiled at once."""
    given = variants(made)
    expected = [oracle(text, arguments) for arguments in given]
    main = ts.CompilationUnit(text).main
    before = ts.set_num_profiled_runs(made.seed % 2)
    try:
        for call, number in enumerate(calls(len(given))):
            if 3 <= call < 9:
                ours(main, given[number])
            elif found := difference(ours(main, given[number]), *expected[number]):
                kind = found.split()[0]
                return f"{kind} of another kind: call {call + 1}, {found}\n{given[number]}"
    finally:
        ts.set_num_profiled_runs(before)
    return None


def main() -> int:
    from support.random_tensor_oracle import pytorch

    numbers = [int(arg) for arg in sys.argv[1:3]]
    count, first = numbers + [1000, 0][len(numbers) :]
    failed, start = 0, time.perf_counter()
    for seed in range(first, first + count):
        if found := compare(program(seed), pytorch):
            failed += 1
            print(f"{found}\n", flush=True)
    print(f"{count} programs, {failed} differences, {time.perf_counter() - start:.1f} s")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
