"""What specialization must not change: results of a function stay as the first call had them. PyTorch gave the values.

Point 6 of docs/testing.md.
"""

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.tensor.conversion import as_tensor

CALLS = 6
"""Enough for observation, specialization, and native code."""


def _all(source: str, *arguments: np.ndarray) -> list[ts.Tensor]:
    f = ts.CompilationUnit(f"def f({', '.join('xyz'[: len(arguments)])}):\n    {source}\n")["f"]
    return [f(*(np.copy(argument) for argument in arguments)) for _ in range(CALLS)]


@pytest.mark.parametrize(
    ("source", "given", "dtype", "value"),
    [
        ("return torch.div(torch.abs(x), torch.tensor(7, dtype=torch.float32))", "float16", "float32", 2 / 7),
        ("return torch.abs(x) * torch.tensor(7, dtype=torch.float64)", "float16", "float64", 14),
        ("return x * torch.zeros([]).to(torch.float64) + x", "float16", "float64", 2),
        ("return torch.abs(x) + torch.tensor(3)", "int8", "int64", 5),
        ("return torch.abs(x) - torch.tensor(0.5)", "int8", "float32", 1.5),
        ("return torch.abs(x) * torch.tensor(3, dtype=torch.int32)", "bool", "int32", 3),
    ],
)  # fmt: skip
def test_dtype_of_tensors_without_dimensions(
    source: str, given: str, dtype: str, value: float
) -> None:
    if given == "bool":
        source = source.replace("torch.abs(x)", "torch.logical_not(torch.logical_not(x))")
    for result in _all(source, np.array(2, given)):
        assert result.dtype.name == dtype
        assert float(result) == pytest.approx(value)


def test_dtype_of_elements_beside_tensors_without_dimensions() -> None:
    for result in _all(
        "return torch.abs(x) * torch.tensor(7, dtype=torch.float64)", np.ones(3, "float16")
    ):
        assert result.dtype.name == "float16"


@pytest.mark.parametrize("count", [60, 64, 70, 130])
def test_more_tensors_than_a_native_call_takes(count: int) -> None:
    names = [f"x{i}" for i in range(count)]
    f = ts.CompilationUnit(f"def f({', '.join(names)}):\n    return {' + '.join(names)}\n")["f"]
    for _ in range(CALLS):
        assert f(*[np.ones(3, np.float32)] * count).tolist() == [count] * 3


@pytest.mark.parametrize(
    ("source", "given", "message"),
    [
        ("x[1:].copy_(x[:-1])", np.arange(5.0), "some elements of the input tensor"),
        ("x[1:] = x[:-1]", np.arange(5.0), "some elements of the input tensor"),
        ("x = x ** 300", np.array([2], np.int8), "value cannot be converted to type int8_t without overflow"),
        ("x = x ** 5000000000", np.array([2], np.int32), "value cannot be converted to type int without overflow"),
        ("x = torch.positive(x)", np.array([True]), "on a bool tensor is not supported"),
    ],
)  # fmt: skip
def test_refused(source: str, given: np.ndarray, message: str) -> None:
    f = ts.CompilationUnit(f"def f(x):\n    {source}\n    return x\n")["f"]
    for _ in range(CALLS):
        with pytest.raises(RuntimeError, match=message):
            f(np.copy(given))


def test_a_copy_of_itself() -> None:
    assert _all("return x[:].copy_(x)", np.arange(3.0))[-1].tolist() == [0, 1, 2]


def test_complex_powers_of_zero_and_infinity() -> None:
    x = np.array([0j, complex("inf")])
    for power in ("x ** x", "x ** -1"):
        for result in _all(f"return {power}", x):
            first, second = result.tolist()
            assert first.imag != first.imag
            assert (second == 0) == (power == "x ** -1")


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_there_is_a_softmax_of_no_integers(name: str) -> None:
    function = ts.CompilationUnit(f"def f(x: Tensor):\n    return torch.{name}(x, 1)\n").f
    for _ in range(4):
        assert function(as_tensor(np.ones((0, 4), np.int64))).array.dtype == np.int64
        with pytest.raises(RuntimeError, match="not implemented for 'Long'"):
            function(as_tensor(np.ones((1, 4), np.int64)))
