"""One program compiled for the first of its arguments and called with others, beside the same program interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np

import torchscript_dialect as ts


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
        if native:
            assert compiled.native_calls == before + 1
