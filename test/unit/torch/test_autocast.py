"""`torch.autocast` of the stand-in: programs that have regions, and Python code that enters one."""

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch


def products(x: torch.Tensor):
    with torch.autocast("cpu", dtype=torch.bfloat16):
        y = torch.mm(x, x)
        z = torch.exp(y) + y
        with torch.amp.autocast("cpu", enabled=False):
            w = torch.mm(y.float(), x)
    return y, z, w, torch.mm(x, w)


def in_half(x: torch.Tensor, fast: bool):
    if fast:
        with torch.autocast("cpu", torch.float16):
            return torch.mm(x, x)
    return torch.mm(x, x)


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 3)

    def forward(self, x):
        with torch.autocast("cpu"):
            return self.linear(x), torch.softmax(self.linear(x), 0)


def dtypes(results) -> list[str]:
    return [result.dtype.name for result in results]


@pytest.mark.parametrize("optimized", [False, True])
def test_regions_cast(optimized: bool) -> None:
    f, g, net = ts.script(products), ts.script(in_half), ts.script(Net())
    x = torch.full((2, 2), 0.5)
    with ts.optimized_execution(optimized):
        for _ in range(4):
            results = f(x)
            assert dtypes(results) == ["bfloat16", "float32", "float32", "float32"]
            assert results[3].tolist() == [[0.5, 0.5], [0.5, 0.5]]
            assert dtypes([g(x, True), g(x, False)]) == ["float16", "float32"]
            assert dtypes(net(x)) == ["bfloat16", "bfloat16"]


def test_a_large_constant_rounds_as_its_dtype() -> None:
    f = ts.script(products)
    x = torch.full((2, 2), 1.01)
    exact, rounded = 2 * 1.01 * 1.01, 2.03125  # in bfloat16
    assert abs(exact - rounded) > 0.005
    for _ in range(3):
        assert f(x)[0].tolist() == [[rounded] * 2] * 2


def test_eager_operators_are_not_cast_and_say_so() -> None:
    with (
        pytest.raises(RuntimeError, match="of the stand-in is for programs"),
        torch.autocast("cpu"),
    ):
        pass
    with torch.autocast("cuda"), torch.autocast("cpu", enabled=False):
        assert torch.ones(2).sum().item() == 2
