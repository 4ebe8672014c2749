"""One program compiled for the first of its arguments and called with others, beside the same program interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np

import torchscript_dialect as ts
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS

OF_SUMS = 1e-4
"""How far sums of some hundred elements in float32 are off that are added to smaller numbers."""


def arrays(shape: tuple[int, ...], dtype: str, seed: int = 0) -> np.ndarray:
    """Normal numbers, for one seed others in other shapes."""
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(dtype)


def outcome(f: Any, *args: np.ndarray) -> Any:
    """The result as an array, or the type of the error."""
    try:
        return np.asarray(f(*args))
    except (RuntimeError, IndexError) as error:
        return type(error)


def agree(
    source: str, *inputs: tuple[np.ndarray, ...], native: bool = True, atol: float = 1e-6
) -> None:
    """The kernel of the first inputs, called with all of them, gives what the interpreter gives."""
    with ts.fuser("none"):
        plain = ts.CompilationUnit(source)["f"]
        expected = [outcome(plain, *args) for args in inputs]
    compiled = ts.CompilationUnit(source)["f"]
    for args, wanted in zip(inputs, expected, strict=True):
        for _ in range(4):
            before = compiled.native_calls
            found = outcome(compiled, *args)
            if isinstance(wanted, type):
                assert found is wanted
                continue
            assert found.dtype == wanted.dtype and found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=atol)
        if native and HAS_NATIVE_CALLS:
            assert compiled.native_calls == before + 1
