"""The same gradients on every way that a compiled function is run (PyTorch: `check_ad` of its tests).

Eager operators on the tape say what is right. The function is held against them interpreted, on its first, second, third and tenth
calls, with arguments of other sizes, strides and dtypes, with some that require no gradient, with gradients that are undefined, twice
with `retain_graph`, and inside `no_grad`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import torchscript_dialect as ts
from support.corpus import convert
from torchscript_dialect import torch
from torchscript_dialect.runtime.executor.gradient_plan import GradientPlan

Arguments = list[Any]


class Ran(NamedTuple):
    """What came of a call: results, whether they require gradients, and gradients."""

    results: list[Any]
    requires: list[bool]
    gradients: list[Any]


def _leaves(result: Any) -> Iterator[Any]:
    if isinstance(result, torch.Tensor):
        yield result
    elif isinstance(result, (list, tuple)):
        for item in result:
            yield from _leaves(item)
    elif isinstance(result, dict):
        for item in result.values():
            yield from _leaves(item)


def _is_float(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype.kind == "f"


def floats_in(value: Any) -> list[Any]:
    """The arrays of floats in arguments, in the order in which they are made tensors, each once."""
    found: dict[int, Any] = {}

    def note(array: Any, _: Any) -> Any:
        if _is_float(array):
            found[id(array)] = array

    convert(value, note, {})
    return list(found.values())


def _strided(tensor: Any) -> Any:
    """The same values, every second in memory."""
    if not tensor.dim():
        return tensor
    return torch.stack([tensor, tensor], -1).flatten(-2)[..., ::2]


def _copies(
    args: Sequence[Any],
    requires: Sequence[bool],
    dtype: Any = None,
    *,
    strided: bool = False,
    cloned: bool = False,
) -> tuple[Arguments, list[Any]]:
    """Fresh leaves with the values of the arguments, and those that require gradients. What is `cloned` is written to."""
    leaves: list[Any] = []
    needs = iter(requires)

    def tensor_of(array: Any, memo: dict[int, Any]) -> Any:
        if id(array) in memo:
            return memo[id(array)]
        tensor: Any = torch.tensor(array)
        if _is_float(array):
            tensor = tensor if dtype is None else tensor.to(dtype)
            tensor = _strided(tensor) if strided else tensor
            if next(needs):
                leaves.append(tensor.requires_grad_())
                tensor = tensor.clone() if cloned else tensor
        memo[id(array)] = tensor
        return tensor

    return convert(list(args), tensor_of, {}), leaves


def _outcome(
    f: Callable[..., Any],
    made: tuple[Arguments, list[Any]],
    used: Sequence[int] | None = None,
    times: int = 1,
) -> Ran:
    """The results, and the gradients of weighted sums of those that are `used`, taken so many times."""
    args, leaves = made
    torch.manual_seed(0)
    results = [one for one in _leaves(f(*args)) if one.dtype.is_floating_point]
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
    return Ran(found, requires, [None if one is None else one.numpy() for one in gradients])


def _second(f: Callable[..., Any], made: tuple[Arguments, list[Any]]) -> Any:
    """The gradients of the sum of the squares of the gradients."""
    args, leaves = made
    torch.manual_seed(0)
    results = [one for one in _leaves(f(*args)) if one.requires_grad]
    if not results:
        return []
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
                largest = np.abs(a[np.isfinite(a)]).max(initial=0)
                assert a.shape == b.shape and a.dtype == b.dtype, place
                np.testing.assert_allclose(
                    b,
                    a,
                    rtol=tolerance,
                    atol=tolerance * (1 + largest),
                    err_msg=place,
                )


def check_gradients(
    function: Callable[..., Any],
    samples: Sequence[Sequence[Any]],
    *,
    differentiated: bool = True,
    tolerance: float = 2e-5,
) -> list[GradientPlan]:
    """Hold a Python function, compiled, against itself: on each of the samples, lists of arguments (arrays of floats require gradients).
    Gives the plans that were made. `differentiated`: a graph of it goes back as one.
    """
    scripted = ts.script(function)
    hold(scripted, function, samples, tolerance=tolerance)
    plans = list(scripted._executor.gradient_plans.values())
    if differentiated:
        assert any(plan.graphs for plan in plans), "no graph was differentiated"
    return plans


def hold(
    scripted: Callable[..., Any],
    reference: Callable[..., Any],
    samples: Sequence[Sequence[Any]],
    *,
    has_state: bool = False,
    cloned: bool = False,
    tolerance: float = 2e-5,
) -> None:
    """Hold what is compiled against a reference. `has_state`: a call depends on those before it. `cloned`: it writes to its arguments,
    which are no leaves then.
    """
    check = _Check(scripted, reference, has_state, cloned, tolerance)
    for number, sample in enumerate(samples):
        check.sample(f"sample {number}", sample)


def agree(f: Callable[..., Any], g: Callable[..., Any], values: Sequence[Any]) -> bool:
    """Whether two functions give the same where nothing requires gradients."""
    none = [False for _ in floats_in(list(values))]
    try:
        _compare(_outcome(f, _copies(values, none)), _outcome(g, _copies(values, none)), "", 2e-5)
    except AssertionError:
        return False
    return True


def _raises(run: Callable[[Any], Any], f: Callable[..., Any], what: str) -> None:
    try:
        run(f)
    except RuntimeError:
        return
    raise AssertionError(f"no error: {what}")


class _Check:
    """Holds one compiled function against the one that it was made of."""

    def __init__(
        self,
        scripted: Callable[..., Any],
        reference: Callable[..., Any],
        has_state: bool,
        cloned: bool,
        tolerance: float,
    ) -> None:
        self.scripted = scripted
        self.reference = reference
        self.has_state = has_state
        self.cloned = cloned
        self.tolerance = tolerance

    def sample(self, name: str, sample: Sequence[Any]) -> None:
        """All ways with these arguments."""
        floats = [True for _ in floats_in(list(sample))]
        plain = self._run(self.reference, sample, [False for _ in floats])
        last = [len(plain.results) - 1]
        self._compare(plain, self._run(self.scripted, sample, [False for _ in floats]), name)
        for call in range(1, 11):
            self.case(f"{name}, call {call}", sample, floats, interpreted=call == 1)
        self.case(f"{name}, retain_graph", sample, floats, times=2, interpreted=True)
        self.case(f"{name}, first result only", sample, floats, used=[0])
        self.case(f"{name}, last result only", sample, floats, used=last)
        for turn in (1, 2):
            wide = torch.float64
            self.case(f"{name}, float64, {turn}", sample, floats, wide, interpreted=turn == 1)
        for turn in (1, 2):
            self.case(f"{name}, strided, {turn}", sample, floats, strided=True)
        for place in range(min(2, len(floats))):
            others = [i != place for i in range(len(floats))]
            for turn in (1, 2, 3):
                self.case(f"{name}, without {place}, {turn}", sample, others)
        for turn in (1, 2, 3):
            self.second(f"{name}, second derivative, {turn}", sample, floats)
        with torch.no_grad():
            for turn in (1, 2, 3):
                self.case(f"{name}, no_grad, {turn}", sample, floats)

    def case(
        self,
        what: str,
        sample: Sequence[Any],
        requires: Sequence[bool],
        dtype: Any = None,
        *,
        strided: bool = False,
        used: Sequence[int] | None = None,
        times: int = 1,
        interpreted: bool = False,
    ) -> None:
        """One call on the way that its number leads to, and before that, if asked for, one that is interpreted."""

        def run(f: Callable[..., Any]) -> Ran:
            return self._run(f, sample, requires, dtype, strided=strided, used=used, times=times)

        try:
            wanted = run(self.reference)
        except RuntimeError as error:
            _raises(run, self.scripted, f"{what}: {error}")
            return
        if interpreted:
            with ts.optimized_execution(False):
                self._compare(wanted, run(self.scripted), f"{what}, interpreted")
            if self.has_state:
                wanted = run(self.reference)
        self._compare(wanted, run(self.scripted), what)

    def second(self, what: str, sample: Sequence[Any], requires: Sequence[bool]) -> None:
        """Gradients of gradients."""

        def run(f: Callable[..., Any]) -> Any:
            return _second(f, _copies(sample, requires, cloned=self.cloned))

        try:
            wanted = run(self.reference)
        except RuntimeError as error:
            _raises(run, self.scripted, f"{what}: {error}")
            return
        _compare((wanted,), (run(self.scripted),), what, 10 * self.tolerance)

    def _run(
        self,
        f: Callable[..., Any],
        sample: Sequence[Any],
        requires: Sequence[bool],
        dtype: Any = None,
        *,
        strided: bool = False,
        used: Sequence[int] | None = None,
        times: int = 1,
    ) -> Ran:
        made = _copies(sample, requires, dtype, strided=strided, cloned=self.cloned)
        return _outcome(f, made, used, times)

    def _compare(self, wanted: Ran, found: Ran, what: str) -> None:
        _compare(wanted, found, what, self.tolerance)
