"""The same gradients on every way that a compiled function is run (PyTorch: `check_ad` of its tests).

Eager operators on the tape say what is right. The function is held against them interpreted, on its first, second, third and tenth
calls, with arguments of other sizes and dtypes, with some that require no gradient, with gradients that are undefined, twice with
`retain_graph`, and inside `no_grad`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.runtime.gradient_plan import GradientPlan

Arguments = list[Any]


def _leaves(result: Any) -> Iterator[Any]:
    if isinstance(result, torch.Tensor):
        yield result
    elif isinstance(result, (list, tuple)):
        for item in result:
            yield from _leaves(item)


def _copies(args: Sequence[Any], requires: Sequence[bool], dtype: Any = None) -> Arguments:
    """Fresh leaves with the values of the arguments."""
    made: Arguments = []
    for one, needs in zip(args, requires, strict=True):
        if isinstance(one, np.ndarray) and one.dtype.kind == "f":
            tensor = torch.tensor(one)
            tensor = tensor if dtype is None else tensor.to(dtype)
            made.append(tensor.requires_grad_() if needs else tensor)
        else:
            made.append(torch.tensor(one) if isinstance(one, np.ndarray) else one)
    return made


def _outcome(f: Callable[..., Any], args: Arguments, used: Sequence[int] | None, times: int) -> Any:
    """The results, and the gradients of weighted sums of those that are `used`, taken so many times."""
    results = [one for one in _leaves(f(*args)) if one.dtype.is_floating_point]
    leaves = [one for one in args if isinstance(one, torch.Tensor) and one.requires_grad]
    chosen = [one for i, one in enumerate(results) if used is None or i in used]
    chosen = [one for one in chosen if one.requires_grad]
    weights = [
        torch.linspace(0.5, 1.5, one.numel()).reshape(one.shape).to(one.dtype) for one in chosen
    ]
    gradients: list[Any] = []
    for last in range(times - 1, -1, -1):
        if chosen and leaves:
            gradients += torch.autograd.grad(
                chosen, leaves, weights, retain_graph=last > 0, allow_unused=True
            )
    found = [one.detach().numpy() for one in results]
    requires = [one.requires_grad for one in results]
    return found, requires, [None if one is None else one.numpy() for one in gradients]


def _second(f: Callable[..., Any], args: Arguments) -> Any:
    """The gradients of the sum of the squares of the gradients."""
    results = [one for one in _leaves(f(*args)) if one.requires_grad]
    leaves = [one for one in args if isinstance(one, torch.Tensor) and one.requires_grad]
    total = sum((one * one).sum() for one in results)
    first = torch.autograd.grad(total, leaves, create_graph=True, allow_unused=True)
    squares = [(one * one).sum() for one in first if one is not None and one.requires_grad]
    if not squares:
        return []
    found = torch.autograd.grad(sum(squares), leaves, allow_unused=True)
    return [None if one is None else one.numpy() for one in found]


def _compare(expected: Any, actual: Any, what: str, tolerance: float) -> None:
    for side, (wanted, got) in enumerate(zip(expected, actual, strict=True)):
        if side == 1:
            assert wanted == got, f"{what}: {got} require gradients, not {wanted}"
            continue
        assert len(wanted) == len(got), what
        for number, (a, b) in enumerate(zip(wanted, got, strict=True)):
            place = f"{what}: {('result', '', 'gradient')[side]} {number}"
            assert (a is None) == (b is None), f"{place} is {b}, not {a}"
            if a is not None:
                assert a.shape == b.shape and a.dtype == b.dtype, place
                np.testing.assert_allclose(
                    b,
                    a,
                    rtol=tolerance,
                    atol=tolerance * (1 + np.abs(a).max(initial=0)),
                    err_msg=place,
                )


def check_gradients(
    function: Callable[..., Any],
    samples: Sequence[Sequence[Any]],
    *,
    eager: Callable[..., Any] | None = None,
    differentiated: bool = True,
    tolerance: float = 2e-5,
) -> list[GradientPlan]:
    """Hold the compiled `function` against `eager`, which is the Python function that it was compiled from: on each of the samples, lists of
    arguments (float32 arrays require gradients). Gives the plans that were made. `differentiated`: a graph of it goes back as one.
    """
    scripted = function if isinstance(function, ts.ScriptFunction) else ts.script(function)
    reference = eager or function
    for number, sample in enumerate(samples):
        floats = [isinstance(one, np.ndarray) and one.dtype.kind == "f" for one in sample]
        cases: list[tuple[str, list[bool], Any, Sequence[int] | None, int]] = [
            *((f"call {call}", floats, None, None, 1) for call in (1, 2, 3)),
            *((f"call {call}", floats, None, None, 1) for call in range(4, 11)),
            ("retain_graph", floats, None, None, 2),
            ("first result only", floats, None, [0], 1),
            (
                "last result only",
                floats,
                None,
                [len(list(_leaves(_plain(reference, sample)))) - 1],
                1,
            ),
            ("float64", floats, torch.float64, None, 1),
            ("float64 again", floats, torch.float64, None, 1),
        ]
        for place in [i for i, needs in enumerate(floats) if needs][:2]:
            others = [needs and i != place for i, needs in enumerate(floats)]
            cases += [(f"without {place}, {turn}", others, None, None, 1) for turn in (1, 2, 3)]
        known: dict[Any, Any] = {}
        for what, requires, dtype, used, times in cases:
            key = (tuple(requires), dtype, None if used is None else tuple(used), times)
            if key not in known:
                known[key] = _outcome(reference, _copies(sample, requires, dtype), used, times)
            if what in ("call 1", "float64", "retain_graph"):
                with ts.optimized_execution(False):
                    actual = _outcome(scripted, _copies(sample, requires, dtype), used, times)
                _compare(known[key], actual, f"sample {number}, interpreted, {what}", tolerance)
            actual = _outcome(scripted, _copies(sample, requires, dtype), used, times)
            _compare(known[key], actual, f"sample {number}, {what}", tolerance)
        wanted = _second(reference, _copies(sample, floats))
        for turn in (1, 2, 3):
            actual = _second(scripted, _copies(sample, floats))
            _compare(
                (wanted,), (actual,), f"sample {number}, second derivative, {turn}", 10 * tolerance
            )
        with torch.no_grad():
            for turn in (1, 2, 3):
                results = list(_leaves(scripted(*_copies(sample, floats))))
                expected = list(_leaves(reference(*_copies(sample, floats))))
                for a, b in zip(expected, results, strict=True):
                    assert a.requires_grad == b.requires_grad, f"no_grad, {turn}"
                    np.testing.assert_allclose(
                        b.detach().numpy(), a.detach().numpy(), rtol=tolerance, atol=tolerance
                    )
    plans = list(scripted._executor.gradient_plans.values())
    if differentiated:
        assert any(plan.graphs for plan in plans), "no graph was differentiated"
    return plans


def _plain(function: Callable[..., Any], sample: Sequence[Any]) -> Any:
    return function(*_copies(sample, [False] * len(sample)))
