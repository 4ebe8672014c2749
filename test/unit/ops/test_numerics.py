"""float32 kernels against the same kernels in float64, within the tolerance of PyTorch's own tests: a part of the operators here, all
of them where TORCHSCRIPT_DIALECT_LONG_TESTS is set.
"""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from samples import compare, samples_of
from support.amounts import IS_LONG
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator

STEP = 1 if IS_LONG else 14
RELATIVE, ABSOLUTE = 1.3e-6, 1e-5
"""Of `torch.testing.assert_close`."""
SAMPLES = 12


def operators() -> list[Operator]:
    """Those that compute the same twice; lists of tensors and `out` run the kernels of others."""
    registry.load_families()
    found = [registry.find(name) for name, _ in registry.attached() if name.startswith("aten::")]
    return [
        operator
        for operator in found
        if operator is not None
        and operator.kernel is not None
        and not operator.is_random
        and "out" not in operator.overload
        and "_foreach" not in operator.name
    ]


def widened(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.astype(np.float64) if value.dtype == np.float32 else value
    return type(value)(map(widened, value)) if isinstance(value, (list, tuple)) else value


def holds_float32(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(holds_float32, value))
    return isinstance(value, np.ndarray) and value.dtype == np.float32


def results(narrow: Any, wide: Any) -> Iterator[tuple[Any, Any]]:
    """The arrays of both that are float32 in one and float64 in the other."""
    if (
        isinstance(narrow, tuple)
        and narrow
        and isinstance(narrow[0], str)
        and narrow[0] == "tensor"
    ):
        is_pair = narrow[2] == "float32" and wide[2] == "float64"
        if is_pair and narrow[1].shape == wide[1].shape:
            yield narrow[1], wide[1]
    elif isinstance(narrow, (list, tuple)):
        for one, other in zip(narrow, wide):
            yield from results(one, other)


def is_close(narrow: Any, exact: Any) -> bool:
    """What float32 cannot hold may be infinite."""
    with np.errstate(all="ignore"):
        close = np.isclose(narrow.astype(np.float64), exact, RELATIVE, ABSOLUTE, equal_nan=True)
        return bool((close | (np.isinf(narrow) & (abs(exact) > 3e38))).all())


def is_within(operator: Operator) -> bool | None:
    """Whether all samples are; None where there is nothing to compare."""
    seen = False
    for make, _ in zip(samples_of(operator), range(SAMPLES)):
        given = make()
        if not holds_float32(given):
            continue
        wide = widened(make())
        narrow, exact = (compare.run(operator, lambda one=one: one)[0] for one in (given, wide))
        if isinstance(narrow, BaseException) or isinstance(exact, BaseException):
            continue
        for one, other in results(narrow, exact):
            seen = True
            if not is_close(one, other):
                return False
    return True if seen else None


def test_float32_is_within_pytorchs_tolerance_of_float64() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = {each.qualified_name: is_within(each) for each in operators()[::STEP]}
    assert [name for name, within in found.items() if within is False] == []
    compared = sum(within is not None for within in found.values())
    assert compared >= (1_100 if IS_LONG else 70), compared


@pytest.mark.parametrize(("factor", "expected"), [(1.0, True), (1 + 1e-5, False)])
def test_a_rounding_too_much_is_found(factor: float, expected: bool) -> None:
    exact = np.array([1.0, 1e30, np.inf, np.nan])
    assert is_close((exact * factor).astype(np.float32), exact) is expected
