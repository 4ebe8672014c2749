"""Whether an entry agrees with ours for a dtype: every sample, layout and variant of it."""

import signal
import warnings
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import torch

from support.op_db import calls, comparison, inputs

with warnings.catch_warnings():  # It warns where hypothesis is not installed.
    warnings.simplefilter("ignore", ImportWarning)
    from torch.testing._internal.common_methods_invocations import op_db
    from torch.testing._internal.opinfo.core import OpInfo as OpInfo
    from torch.testing._internal.opinfo.core import SampleInput as SampleInput

DTYPES = ("float32", "float64", "int64", "bool", "bfloat16", "complex64")
SECONDS = 120
"""What a pair may take, of a core's time."""

ARBITRARY = frozenset(
    "empty empty_like new_empty new_empty_strided empty_strided empty_permuted resize_ resize_as_".split()
)
"""Entries whose results have elements that nobody has written."""

SORTED_IN_PLACE = frozenset(("median", "nanmedian", "masked.median"))
"""Entries of which PyTorch sorts a copy that shares memory as the input does, and gives other values where it does."""

_FUNCTIONS: dict[str, Any] = {"item": torch.Tensor.item}
"""What an entry calls, where a trace of the entry's function cannot hold the result."""

OUR_ERRORS = (RuntimeError, IndexError, ValueError, TypeError, ZeroDivisionError)
"""What our operators may raise where PyTorch raises; NotImplementedError is a RuntimeError."""


@dataclass
class Outcome:
    """How the calls of a pair went."""

    entry: str
    dtype: str
    calls: int = 0
    differences: list[str] = field(default_factory=list[str])

    @property
    def agrees(self) -> bool:
        return not self.differences

    @property
    def reason(self) -> str:
        """The first difference, without the sample that shows it."""
        return self.differences[0].partition(" | ")[0]


@cache
def entries() -> dict[str, Any]:
    """The entries by name, `name.variant` where it has a variant, but for those that run on GPUs alone."""
    return {
        f"{entry.name}.{entry.variant_test_name}" if entry.variant_test_name else entry.name: entry
        for entry in op_db
        if not entry.name.startswith("jiterator")
    }


def pairs() -> list[tuple[str, str]]:
    """Every entry with every dtype that it supports, in the database's order."""
    return [
        (name, dtype)
        for name, entry in entries().items()
        for dtype in DTYPES
        if getattr(torch, dtype) in entry.supported_dtypes("cpu")
    ]


def outcome(name: str, dtype: str, limit: int | None = None) -> Outcome:
    """Run a pair, the first `limit` samples of it."""
    found = Outcome(name, dtype)
    entry = entries()[name]
    try:
        with _at_most(SECONDS):
            for sample in inputs.samples(entry, getattr(torch, dtype), limit):
                for variant, function in _variants(entry, sample):
                    found.calls += 1
                    difference = _difference(entry, variant, function, sample)
                    if difference is not None:
                        where = f"{variant}, {sample.layout}, sample {found.calls}"
                        found.differences.append(f"{difference} | {where}")
    except TimeoutError:
        found.differences.insert(0, f"takes more than {SECONDS} s | ")
    return found


def _variants(entry: Any, sample: inputs.Sample) -> list[tuple[str, Callable[..., Any]]]:
    found: list[tuple[str, Callable[..., Any]]] = [
        ("function", _FUNCTIONS.get(entry.name, entry.op))
    ]
    for name in ("method_variant", "inplace_variant", "operator_variant"):
        variant = getattr(entry, name, None)
        if variant is not None and not (name == "operator_variant" and sample.kwargs):
            found.append((name.removesuffix("_variant"), variant))
    return found


def _difference(entry: Any, variant: str, function: Any, sample: inputs.Sample) -> str | None:
    """How a call differs. What is written in place to memory that several elements share is arbitrary."""
    args, kwargs = sample.copied()
    expected: Any = None
    error: Exception | None = None
    memo: dict[Any, Any] = {}
    my_args, my_kwargs = sample.copied()
    try:
        my_inputs = inputs.tensors(inputs.ours((my_args, my_kwargs), memo))
    except (NotImplementedError, KeyError) as unknown:
        return f"input: {unknown}"
    their_inputs = inputs.tensors((args, kwargs))
    if entry.name in SORTED_IN_PLACE and sample.layout == "expanded":
        args = [args[0].contiguous(), *args[1:]]
    inputs.seed()
    try:
        with quiet():
            expected = function(*args, **kwargs)
    except Exception as raised:
        error = raised
    inputs.seed()
    try:
        with quiet():
            mine = calls.run(function, my_args, my_kwargs, memo)
    except calls.NoKernel as missing:
        return f"no kernel: {missing}"
    except TimeoutError:
        raise
    except Exception as raised:
        return _of_errors(raised, error)
    if error is not None:
        return f"no error: PyTorch's is {text_of(error)}"

    def reference() -> Any:
        return _in_wider_dtype(function, sample)

    is_raced = variant == "inplace" and sample.layout == "expanded"
    values = entry.name not in ARBITRARY and not is_raced
    found = comparison.difference(mine, expected, my_inputs, their_inputs, reference, values)
    if found is not None and entry.name in comparison.RANKED:
        found = comparison.of_places(mine, expected, my_inputs[0])
    if found is not None and entry.name in comparison.FACTORS:
        found = comparison.of_factors(entry.name, mine, expected, reference)
    if found is not None or not values:
        return found
    for place, (one, other) in enumerate(zip(my_inputs, their_inputs)):
        if other is expected:  # written in place, and compared
            continue
        found = comparison.difference(one, other, [one], [other], lambda: None)
        if found is not None:
            return f"input {place} afterwards: {found}"
    return None


def _of_errors(mine: Exception, theirs: Exception | None) -> str | None:
    text = text_of(mine)
    if "has no kernel" in str(mine):
        return f"no kernel: {_first_line(mine).split()[0]}"
    if theirs is None:
        return f"error: {text}"
    return None if isinstance(mine, OUR_ERRORS) else f"wrong error: {text}"


def text_of(error: Exception) -> str:
    """The class of an error and the first line of its message."""
    return f"{type(error).__name__}: {_first_line(error)}"


def _first_line(error: Exception) -> str:
    lines = str(error.args[0] if error.args else error).splitlines()
    return lines[0][:120] if lines else ""


def _in_wider_dtype(function: Any, sample: inputs.Sample) -> Any:
    def widen(tensor: torch.Tensor) -> torch.Tensor:
        return tensor.to(comparison.WIDER.get(tensor.dtype, tensor.dtype))

    args, kwargs = inputs.on_tensors(widen, sample.copied())
    kwargs = {
        key: comparison.WIDER.get(value, value) if isinstance(value, torch.dtype) else value
        for key, value in kwargs.items()
    }
    inputs.seed()
    try:
        with quiet():
            return function(*args, **kwargs)
    except Exception:
        return None


@contextmanager
def quiet() -> Generator[None]:
    """No warnings and no gradients."""
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _at_most(seconds: int) -> Generator[None]:
    """TimeoutError where what is inside takes more of a core's time."""

    def stop(*_: Any) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def against_list(outcomes: Sequence[Outcome], known: dict[tuple[str, str], str]) -> list[str]:
    """What is not as the list says: a pair that disagrees and is not in it, or that is in it and agrees."""
    wrong: list[str] = []
    for found in outcomes:
        listed = known.get((found.entry, found.dtype))
        if found.agrees and listed is not None:
            wrong.append(f"{found.entry} {found.dtype} agrees, but is listed: {listed}")
        if not found.agrees and listed is None:
            wrong.append(f"{found.entry} {found.dtype}: {found.differences[0]}")
    return wrong
