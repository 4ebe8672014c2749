"""Operators are what their decompositions make of them: those that have a kernel, too, on all samples that it takes."""

from __future__ import annotations

from typing import Any

import pytest

from samples import samples_of
from samples.compare import difference, ours, plain
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.interpreter.interpreter import interpret
from torchscript_dialect.transforms.decompose_ops import decomposition

BEYOND = {"aten::ldexp.Tensor": "powers of 2 that the dtype has no room for"}
"""What decompositions are not exact for."""


def names() -> list[str]:
    found: list[str] = []
    for name, _ in registry.attached():
        operator = None if registry.is_registered(name) else registry.find(name)
        if operator is None or operator.kernel is None or operator.is_random:
            continue
        has_both = operator.rules.decompose is not None and operator.rules.kernel is not None
        if has_both and name not in BEYOND:
            found.append(name)
    return sorted(found)


def without_strides(value: Any) -> Any:
    if isinstance(value, tuple) and value and value[0] == "tensor":
        return (*value[:3], ())
    return type(value)(map(without_strides, value)) if isinstance(value, (list, tuple)) else value


def outcome(run: Any, operands: list[Any]) -> Any:
    """What comes out; None where something is raised: decompositions refuse what they are not for."""
    try:
        return without_strides(plain(run(*operands)))
    except (RuntimeError, ValueError, TypeError, IndexError, ZeroDivisionError):
        return None


@pytest.mark.parametrize("name", names())
def test_decomposition_gives_what_the_kernel_gives(name: str) -> None:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    made_of = interpret(decomposition(operator))
    for make in samples_of(operator):
        expected = outcome(operator.kernel, ours(list(make()), {}))
        found = outcome(made_of, ours(list(make()), {}))
        if expected is None or found is None:
            continue
        assert difference(found, expected) is None
