"""Ranges and small powers have PyTorch's bits, which its kernels round to as they go."""

import pytest

torch = pytest.importorskip("torch")

import torchscript_dialect as ts  # noqa: E402
from torchscript_dialect import torch as stand_in  # noqa: E402

DTYPES = ("float64", "float32", "bfloat16", "float16", "complex64", "int64")
ENDS = ((0, 1), (-3.3, 7.1), (5, -2.2), (0.001, 1e4), (0, 6.283185307179586))


@pytest.mark.parametrize("dtype", DTYPES)
def test_even_spaces(dtype: str) -> None:
    for steps in (0, 1, 2, 5, 31, 100, 1000):
        for start, end in ENDS:
            wanted = torch.linspace(start, end, steps, dtype=getattr(torch, dtype))
            found = stand_in.linspace(start, end, steps, dtype=getattr(stand_in, dtype))
            assert found.tolist() == wanted.tolist(), (steps, start, end)


@pytest.mark.parametrize("dtype", DTYPES[:4])
def test_ranges(dtype: str) -> None:
    for start, end, step in (
        (0, 130, 0.13),
        (1.5, 1000, 1.27),
        (9, -3, -0.07),
        (0, 5, 0.2),
        (0, 40, 1),
    ):
        wanted = torch.arange(start, end, step, dtype=getattr(torch, dtype))
        found = stand_in.arange(start, end, step, dtype=getattr(stand_in, dtype))
        assert found.tolist() == wanted.tolist(), (start, end, step)


@pytest.mark.parametrize("dtype", DTYPES[:4])
def test_powers_that_are_products(dtype: str) -> None:
    x = torch.linspace(0.1, 9, 320).to(getattr(torch, dtype))
    mine = stand_in.from_numpy(x.double().numpy()).to(getattr(stand_in, dtype))
    by_argument = ts.CompilationUnit("def f(x, y: float):\n    return x**y\n").f
    for exponent in (2, 3, -1, -2):
        wanted = (x**exponent).tolist()
        assert (mine**exponent).tolist() == wanted, exponent
        compiled = ts.CompilationUnit(f"def f(x):\n    return x**{exponent}\n").f
        for _ in range(3):
            assert compiled(mine).tolist() == wanted, exponent
            assert by_argument(mine, float(exponent)).tolist() == wanted, exponent
