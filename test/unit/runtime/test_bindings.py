"""Binding and launching from Python does what the native entry does."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from support.native_calls import needs_native_calls
from torchscript_dialect.backend import Executable
from torchscript_dialect.passes.lists import current
from torchscript_dialect.runtime.kernels.kernels import callable_of, compile_kernel
from torchscript_dialect.runtime.native.bindings import Launcher
from torchscript_dialect.runtime.native.entry import configure
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor
from unit.runtime.test_kernels import block_of, lstm_cell, matrix

pytestmark = needs_native_calls


CHAIN = """
  %c : {0} = aten::mul(%a, %b)
  %d : {0} = aten::tanh(%c)
"""
TURNED = "Float(6, 10, strides=[1, 6], requires_grad=0, device=cpu)"
SCALARS = f"""
graph(%a : {matrix(6, 10)}, %s : float, %n : int, %t : bool):
  %c : {matrix(6, 10)} = aten::mul(%a, %s)
  %one : int = prim::Constant[value=1]()
  %d : {matrix(6, 10)} = aten::add(%c, %n, %one)
  return (%d, %c)
"""


def pair(first: str) -> str:
    chain = CHAIN.format(matrix(6, 10))
    return f"graph(%a : {first}, %b : {matrix(6, 10)}):{chain}  return (%d)\n"


ROW = pair(matrix(1, 10))
BIG = 1 << 70
RNG = np.random.default_rng(2)


def floats(*shape: int) -> np.ndarray:
    return RNG.random(shape, np.float32)


def shifted(*shape: int) -> np.ndarray:
    """An array whose elements are not aligned."""
    raw = np.zeros(4 * int(np.prod(shape)) + 1, np.uint8)
    return raw[1:].view(np.float32).reshape(shape)


PAIRS: list[tuple[Any, ...]] = [
    (floats(6, 10), floats(6, 10)),
    (floats(1, 10), floats(3, 10)),
    (floats(7, 3), floats(7, 3)),
    (floats(0, 4), floats(0, 4)),
    (floats(10, 6).T, floats(6, 10)),
    (floats(1, 6).T, floats(6, 1)),
    (floats(6, 1).T, floats(1, 6)),
    (floats(0, 4).T, floats(4, 0)),
    (floats(20, 12).T[::2, ::2], floats(6, 10)),
    (floats(6, 10), floats(10, 6).T),
    (floats(6, 10), floats(6, 9)),
    (floats(6, 10).astype(np.float64), floats(6, 10)),
    (floats(10), floats(6, 10)),
    (shifted(6, 10), floats(6, 10)),
    (floats(6, 10),),
    (floats(6, 10), None),
    (floats(6, 10), 1.0),
    (np.ma.array(floats(6, 10)), floats(6, 10)),
]
NUMBERS: list[tuple[Any, ...]] = [
    (floats(3, 4), 0.5, 3, True),
    (floats(3, 4), -0.0, -(1 << 63), False),
    (floats(3, 4), 1, 3, True),
    (floats(3, 4), 0.5, True, True),
    (floats(3, 4), 0.5, 3, 1),
    (floats(3, 4), 0.5, BIG, True),
    (floats(3, 4), np.float64(0.5), 3, True),
    (floats(3, 4), 0.5, 3),
]


def outcome(function: Any, args: tuple[Any, ...]) -> Any:
    result = function(*(as_tensor(arg) if type(arg) is np.ndarray else arg for arg in args))
    if result == "refused":
        return None
    return [one.numpy() for one in (result if isinstance(result, tuple) else (result,))]


def refused(*args: Any) -> str:
    return "refused"


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (pair(matrix(6, 10)), PAIRS),
        (pair(TURNED), PAIRS),
        (ROW, PAIRS),
        (SCALARS, NUMBERS),
        (
            lstm_cell(2, 3, 4),
            [[floats(*s) for s in ((2, 3), (2, 4), (2, 4), (16, 3), (16, 4), (16,), (16,))]],
        ),
    ],
)
def test_python_takes_the_calls_that_the_native_entry_takes(text: str, calls: Any) -> None:
    configure(Tensor, TrackedTensor)
    kernel: Executable = compile_kernel(block_of(text), "llvm", current())
    native, python = callable_of(kernel, refused), Launcher(kernel, refused)
    taken = 0
    for args in calls:
        expected, found = outcome(native, args), outcome(python, args)
        assert (found is None) == (expected is None), args
        if expected is not None:
            taken += 1
            assert all(map(np.array_equal, found, expected))
    assert taken
