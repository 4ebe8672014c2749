"""Groups that cut tensors into lists of parts, and put parts side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls

Z = np.cos(np.arange(48, dtype=np.float32)).reshape(2, 6, 4)

PROGRAMS: dict[str, tuple[str, Callable[[Any], Sequence[Any]]]] = {
    "split": (
        "a, b = torch.split(z * 2, 4, 1)\n    return torch.exp(a), torch.exp(b) * b",
        lambda z: (np.exp(2 * z[:, :4]), np.exp(2 * z[:, 4:]) * 2 * z[:, 4:]),
    ),
    "split into equal parts that meet": (
        "a, b = (z * 2).split(3, 1)\n    return torch.exp(a) * b, a + 1",
        lambda z: (np.exp(2 * z[:, :3]) * 2 * z[:, 3:], 2 * z[:, :3] + 1),
    ),
    "split by sizes": (
        "a, b = torch.split(z, [1, 5], 1)\n    return torch.exp(a) * 2, torch.exp(b) * 2",
        lambda z: (np.exp(z[:, :1]) * 2, np.exp(z[:, 1:]) * 2),
    ),
    "unbind": (
        "a, b = torch.unbind(z * 2, 0)\n    return torch.exp(a) * b, b + 1",
        lambda z: (np.exp(2 * z[0]) * 2 * z[1], 2 * z[1] + 1),
    ),
    "stack": (
        "y = torch.stack([z * 2, torch.exp(z)], 1)\n    return torch.exp(y) - 1, y",
        lambda z: (np.exp(y := np.stack([z * 2, np.exp(z)], 1)) - 1, y),
    ),
    "stack behind the last dimension": (
        "y = torch.stack([z * 2, z], -1)\n    return torch.exp(y) - 1, y",
        lambda z: (np.exp(y := np.stack([z * 2, z], -1)) - 1, y),
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_parts_stand_in_one_group(name: str) -> None:
    body, numpy = PROGRAMS[name]
    f = ts.CompilationUnit(f"def f(z):\n    {body}\n").f
    for z in (Z, Z, np.ones((2, 6, 7), np.float32)):
        for given, wanted in zip(f(z), numpy(z), strict=True):
            np.testing.assert_allclose(given.numpy(), wanted, rtol=1e-5, atol=1e-6)
    outside = str(f.graph_for(Z)).split("with prim::TensorExprGroup_")[0].split("graph @")[0]
    assert "prim::TensorExprGroup_0" in outside
    assert not any(kind in outside for kind in ("ListUnpack", "aten::stack", "aten::exp"))


def test_another_number_of_parts_is_as_the_interpreter_has_it() -> None:
    f = ts.CompilationUnit(
        "def f(z):\n    a, b = torch.split(z * 2, 4, 1)\n    return torch.exp(a), torch.exp(b)\n"
    ).f
    for length in (6, 6, 7, 8, 5):
        first, second = f(np.ones((2, length), np.float32))
        assert (first.shape, second.shape) == ((2, 4), (2, length - 4))
    for length in (4, 9):
        with pytest.raises(RuntimeError, match="elements in a list"):
            f(np.ones((2, length), np.float32))


@needs_native_calls
def test_chunks_of_sizes_that_do_not_divide_evenly_are_one_kernel() -> None:
    """Neighbours may be another size each; where there would be fewer parts, the program fails as it does without a kernel."""
    f = ts.CompilationUnit(
        "def f(z):\n"
        "    a, b, c = torch.chunk(z * 2, 3, 1)\n"
        "    return torch.exp(a) * b, torch.exp(c) + 1\n"
    ).f
    for length in (7, 7, 7, 8, 9, 10, 5, 7):
        z = np.sin(np.arange(2 * length, dtype=np.float32)).reshape(2, length)
        before = f.native_calls
        both, last = f(z)
        part = -(-length // 3)
        a, b, c = z[:, :part] * 2, z[:, part : 2 * part] * 2, z[:, 2 * part :] * 2
        np.testing.assert_allclose(both.numpy(), np.exp(a) * b, rtol=1e-5)
        np.testing.assert_allclose(last.numpy(), np.exp(c) + 1, rtol=1e-5)
    assert f.native_calls > before
    with pytest.raises(RuntimeError):
        f(np.ones((2, 4), np.float32))
