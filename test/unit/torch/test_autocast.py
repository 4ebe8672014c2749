"""`torch.autocast` of the stand-in: programs that have regions, and Python code that enters one."""

from threading import Thread

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


def test_eager_operators_are_cast() -> None:
    x = torch.full((2, 2), 0.5)
    for _ in range(3):
        assert dtypes(products(x)) == ["bfloat16", "bfloat16", "float32", "float32"]
        assert in_half(x, True).dtype == torch.float16
        assert dtypes(Net()(x)) == ["bfloat16", "bfloat16"]
    assert torch.mm(x, x).dtype == torch.float32


def test_a_region_ends_with_an_error_and_as_often_as_it_begins() -> None:
    x = torch.ones(2, 2)
    around = torch.autocast("cpu")
    with pytest.raises(ValueError, match="inside"), around:
        raise ValueError("inside")
    assert torch.mm(x, x).dtype == torch.float32
    with around, around:
        assert torch.is_autocast_cpu_enabled()
        with torch.autocast("cpu", enabled=False):
            assert not torch.is_autocast_cpu_enabled()
            assert torch.mm(x, x).dtype == torch.float32
        assert torch.mm(x, x).dtype == torch.bfloat16
    assert not torch.is_autocast_cpu_enabled()


def test_a_region_may_name_a_device_by_its_number() -> None:
    with torch.autocast("cpu:0"):
        assert (torch.ones(2, 2) @ torch.ones(2, 2)).dtype == torch.bfloat16
    with torch.autocast("cuda:0"):
        assert torch.is_autocast_enabled("cuda")


def test_a_region_is_its_threads() -> None:
    x = torch.ones(2, 2)
    found: list[str] = []
    with torch.autocast("cpu"):
        thread = Thread(target=lambda: found.append(torch.mm(x, x).dtype.name))
        thread.start()
        thread.join()
    assert found == ["float32"]


@torch.autocast("cpu", dtype=torch.bfloat16)
def decorated(x):
    return x @ x, torch.einsum("ij,jk->ik", x, x), torch.cat([x @ x, x])


def test_functions_can_be_regions() -> None:
    assert dtypes(decorated(torch.ones(2, 2))) == ["bfloat16", "bfloat16", "float32"]


def test_gradients_go_through_the_casts_of_eager_operators() -> None:
    net = torch.nn.Linear(2, 2)
    with torch.autocast("cpu"):
        loss = torch.nn.functional.mse_loss(net(torch.ones(1, 2)), torch.zeros(1, 2))
    assert loss.dtype == torch.float32
    loss.backward()
    assert net.weight.grad is not None
    assert net.weight.grad.dtype == torch.float32
    assert float(net.weight.grad.abs().sum()) > 0


def test_compiled_functions_are_cast_in_an_eager_region() -> None:
    """What was compiled outside of a region, or in one, is not used elsewhere."""
    f = ts.script(multiplied)
    x = torch.ones(2, 2)
    for _ in range(4):
        assert f(x).dtype == torch.float32
        with torch.autocast("cpu"):
            assert f(x).dtype == torch.bfloat16
            with torch.autocast("cpu", enabled=False):
                assert f(x).dtype == torch.float32


def multiplied(x: torch.Tensor):
    return torch.mm(x, x)


def test_regions_that_cast_nothing() -> None:
    x = torch.ones(2, 2)
    with pytest.warns(UserWarning, match="CUDA is not available|casts nothing here"):
        of_devices = torch.autocast("cuda")
    with of_devices, torch.autocast("cpu", enabled=False):
        assert torch.mm(x, x).dtype == torch.float32
    with pytest.warns(UserWarning, match="target dtype is not supported"):
        around = torch.autocast("cpu", dtype=torch.float64)
    with around:
        assert torch.mm(x, x).dtype == torch.float32


class Traced(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(2, 2)

    def forward(self, x):
        with torch.autocast("cpu"):
            y = self.linear(x).view(x.size(0), -1)
            return torch.cat([y, x]), (y - y).prod()


def test_traces_hold_the_casts() -> None:
    """They held the operators without casts."""
    net, x = Traced(), torch.ones(2, 2)
    traced = ts.trace(net, x)
    for given in (x, torch.ones(3, 2)):
        for found, wanted in zip(traced(given), net(given), strict=True):
            assert (found.dtype, found.tolist()) == (wanted.dtype, wanted.tolist())
    assert str(traced.inlined_graph).count("aten::to(") == 4


def test_what_is_made_of_others_is_not_traced_in_a_region() -> None:
    with torch.autocast("cpu"), pytest.raises(ts.TorchScriptError, match="einsum cannot be traced"):
        ts.trace(lambda x: torch.einsum("ij,jk->ik", x, x), torch.ones(2, 2))
