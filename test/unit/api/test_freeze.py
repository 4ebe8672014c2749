"""Frozen modules: what becomes constant, what stays, and that results stay the same."""

import io
from enum import Enum

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

pytestmark = pytest.mark.usefixtures("without_gradients")

nn = torch.nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        self.bn = nn.BatchNorm2d(4)
        self.scale = 0.5

    def forward(self, x):
        return torch.relu(self.bn(self.conv(x)) * self.scale)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.block(x).mean([2, 3]))

    @torch.jit.export
    def features(self, x):
        return self.block(x)


def made_net() -> Net:
    torch.manual_seed(0)
    net = Net()
    net.block.bn.running_mean.copy_(torch.rand(4))
    net.block.bn.running_var.copy_(torch.rand(4) + 0.5)
    return net.eval()


X = np.linspace(-1, 1, 2 * 3 * 5 * 5, dtype=np.float32).reshape(2, 3, 5, 5)


def fields(module: ts.ScriptModule) -> set[str]:
    return set(module.__torchscript_object__.__torchscript_fields__)


def kinds(module: ts.ScriptModule) -> set[str]:
    return {node.kind() for node in module.graph.nodes()}


@pytest.mark.parametrize("how", ["script", "trace", "load"])
def test_weights_become_constants(how: str) -> None:
    net = made_net()
    module = ts.trace(net, X) if how == "trace" else torch.jit.script(net)
    if how == "load":
        module = ts.load(io.BytesIO(module.save_to_buffer()))
    frozen = ts.freeze(module)
    assert fields(frozen) == set()
    assert kinds(frozen).isdisjoint(
        {"prim::GetAttr", "prim::CallMethod", "aten::batch_norm", "aten::mul"}
    )
    for _ in range(3):
        np.testing.assert_allclose(frozen(X), module(X), rtol=1e-4, atol=1e-5)
    assert "training" in fields(module)


def test_numerics_stay_where_that_is_asked_for() -> None:
    module = torch.jit.script(made_net())
    frozen = ts.freeze(module, optimize_numerics=False)
    assert "aten::batch_norm" in kinds(frozen)
    np.testing.assert_array_equal(frozen(X), module(X))


def test_preserved_methods_and_attributes() -> None:
    module = torch.jit.script(made_net())
    frozen = ts.freeze(module, preserved=["features", "fc"])
    assert fields(frozen) == {"fc"}
    np.testing.assert_allclose(frozen.features(X), module.features(X), rtol=1e-4, atol=1e-5)
    frozen.fc.bias.zero_()
    np.testing.assert_allclose(frozen(X), module(X), rtol=1e-4, atol=1e-5)


def test_frozen_modules_are_saved() -> None:
    frozen = ts.freeze(torch.jit.script(made_net()))
    again = ts.load(io.BytesIO(frozen.save_to_buffer()))
    np.testing.assert_allclose(again(X), frozen(X), rtol=1e-6)


class Counts(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))
        self.register_buffer("seen", torch.zeros(2, 2))
        self.register_buffer("first_row", self.seen[0])
        self.last = 0
        self.fixed = torch.ones(1)

    def forward(self, x):
        self.calls += 1
        self.seen[1].add_(x)
        self.last = self.last + 2
        return x * self.fixed + self.first_row.sum() + self.calls + self.last


def test_what_changes_stays() -> None:
    """A view of what is written to changes, too."""
    module = torch.jit.script(Counts().eval())
    frozen = ts.freeze(module)
    assert fields(frozen) == {"calls", "seen", "first_row", "last"}
    x = np.ones(2, np.float32)
    assert [frozen(x).tolist() for _ in range(2)] == [[4, 4], [7, 7]]
    assert (frozen.last, frozen.calls.item(), module.last) == (4, 2, 0)


class Held(nn.Module):
    """Tensors that containers hold are written to, one of them under another name."""

    def __init__(self):
        super().__init__()
        self.total = torch.zeros(2)
        self.rows = [self.total, torch.ones(2)]
        self.pair = (torch.zeros(1), 3)

    def forward(self, x):
        self.rows[0].add_(x)
        self.pair[0].add_(1)
        return self.total + self.pair[0]


def test_what_containers_hold_may_change() -> None:
    module, frozen = (torch.jit.script(Held().eval()) for _ in range(2))
    frozen = ts.freeze(frozen)
    x = np.ones(2, np.float32)
    for expected in ([2, 2], [4, 4], [6, 6]):
        assert module(x).tolist() == frozen(x).tolist() == expected


class Outer(nn.Module):
    """Has no `forward`."""

    def __init__(self):
        super().__init__()
        self.block = Block()

    @torch.jit.export
    def twice(self, x):
        return self.block(self.block(x)[:, :3])


def test_what_submodules_have_is_preserved_by_its_path() -> None:
    frozen = ts.freeze(torch.jit.script(made_net()), ["block.scale", "block.forward"])
    assert fields(frozen) == {"block"} and fields(frozen.block) == {"scale"}
    before = frozen(X), frozen.block.forward(X)
    frozen.block.scale = 1.0
    loaded = ts.load(io.BytesIO(frozen.save_to_buffer()))
    for module in (frozen, loaded):
        np.testing.assert_allclose(module.block.forward(X), before[1] * 2, rtol=1e-5)
        assert not np.allclose(module(X), before[0])
    for name in ("block.nothing", "nothing.scale", "block.scale.real"):
        with pytest.raises(RuntimeError, match=f"no attribute or method '{name}'"):
            ts.freeze(torch.jit.script(made_net()), [name])


@pytest.mark.parametrize("preserved", [["twice"], []])
def test_a_module_need_not_have_forward(preserved: list[str]) -> None:
    module = torch.jit.script(Outer().eval())
    frozen = ts.freeze(module, preserved)
    assert fields(frozen) == set()
    np.testing.assert_allclose(frozen.twice(X), module.twice(X), rtol=1e-4, atol=1e-5)


class Kind(Enum):
    SUM = 1
    LAST = 2


class Window:
    def __init__(self, size: int):
        self.size = size
        self.rows: list[torch.Tensor] = []

    def add(self, row: torch.Tensor) -> None:
        self.rows.append(row)
        if len(self.rows) > self.size:
            self.rows.pop(0)


class Windows(nn.Module):
    """Has objects of a class of its own in a method and in an attribute, and members of an enum."""

    def __init__(self):
        super().__init__()
        self.kept = Window(2)
        self.kind = Kind.SUM

    def pick(self, x) -> Kind:
        return self.kind if bool(x.sum() > 0) else Kind.LAST

    def forward(self, x):
        inner = Window(3)
        for row in x:
            inner.add(row)
            self.kept.add(row)
        rows = inner.rows + self.kept.rows
        if self.pick(x) == Kind.SUM:
            return torch.stack(rows).sum(0), inner
        return rows[-1], inner


def test_classes_and_enums_are_saved_with_what_was_frozen() -> None:
    x = np.arange(10, dtype=np.float32).reshape(5, 2)
    frozen = ts.freeze(torch.jit.script(Windows().eval()))
    loaded = ts.load(io.BytesIO(frozen.save_to_buffer()))
    for module in (frozen, loaded):
        given, inner = module(x)
        assert given.tolist() == [32, 37] and len(inner.rows) == 3
        assert module(-x)[0].tolist() == [-8, -9]
    assert isinstance(frozen(x)[1], Window)


def test_optimizations_can_be_run_later() -> None:
    module = torch.jit.freeze(torch.jit.script(made_net()), optimize_numerics=False)
    assert "aten::batch_norm" in kinds(module)
    before = module(X)
    torch.jit.run_frozen_optimizations(module)
    assert "aten::batch_norm" not in kinds(module)
    np.testing.assert_allclose(module(X), before, rtol=1e-4, atol=1e-5)


def test_optimize_for_inference() -> None:
    module = torch.jit.script(made_net())
    made = ts.optimize_for_inference(module, ["features"])
    np.testing.assert_allclose(made(X), module(X), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(made.features(X), module.features(X), rtol=1e-4, atol=1e-5)
    assert "aten::batch_norm" not in kinds(made)


class Forking(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)

    def forward(self, x):
        return torch.jit.wait(torch.jit.fork(self.fc, x))


def shifted(x):
    return torch.relu(x) + 1


class ForkingFunctions(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(2) * 3)

    def forward(self, x):
        return torch.jit.wait(torch.jit.fork(shifted, x * self.scale))


def test_a_module_that_forks_functions_is_frozen() -> None:
    made = ts.freeze(torch.jit.script(ForkingFunctions().eval()))
    assert made(torch.tensor([-1.0, 2.0])).tolist() == [1.0, 7.0]
    assert "prim::GetAttr" not in kinds(made)


def test_a_module_whose_methods_are_forked_is_refused() -> None:
    with pytest.raises(RuntimeError, match="what prim::fork begins calls its methods"):
        ts.freeze(torch.jit.script(Forking().eval()))


def test_refused() -> None:
    net = made_net()
    with pytest.raises(RuntimeError, match=r"call \.eval\(\)"):
        ts.freeze(torch.jit.script(net.train()))
    with pytest.raises(RuntimeError, match="no attribute or method 'nothing'"):
        ts.freeze(torch.jit.script(net.eval()), preserved=["nothing"])
    with pytest.raises(TypeError, match="script or trace it"):
        ts.freeze(net)


@torch.jit.interface
class Step(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:  # pyright: ignore[reportReturnType]
        pass


class Scaled(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.weight = nn.Parameter(torch.full([2], factor))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x * self.weight


class Around(nn.Module):
    inner: Step

    def __init__(self, inner):
        super().__init__()
        self.inner = inner
        self.bias = nn.Parameter(torch.tensor([1.0, 2.0]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.inner(x) + self.bias


class Counting(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        return x * self.calls


class Chosen(nn.Module):
    first: Step
    second: Step

    def __init__(self):
        super().__init__()
        self.first, self.second = Around(Scaled(3.0)), Scaled(2.0)

    def forward(self, x, is_first: bool):
        for _ in range(2):
            x = self.first(x) if is_first else self.second.forward(x)
        return x


class Swapping(Chosen):
    @torch.jit.export
    def swap(self):
        self.first = self.second


@pytest.mark.parametrize("loads", [False, True])
def test_what_is_called_by_an_interface_is_inlined(loads):
    scripted = ts.script(Chosen().eval())
    if loads:
        file = io.BytesIO()
        ts.save(scripted, file)
        file.seek(0)
        scripted = ts.load(file)
    frozen = ts.freeze(scripted)
    assert "CallMethod" not in str(frozen.graph)
    assert "GetAttr" not in str(frozen.graph)
    x = torch.tensor([1.0, 2.0])
    for is_first in (True, False):
        assert frozen(x, is_first).tolist() == scripted(x, is_first).tolist()


def test_what_an_interface_stands_for_may_change():
    frozen = ts.freeze(ts.script(Around(Counting()).eval()))
    assert [frozen(torch.ones(2)).tolist() for _ in range(2)] == [[2.0, 3.0], [3.0, 4.0]]


def test_an_interface_that_is_assigned_to_is_refused():
    module = ts.script(Swapping().eval())
    with pytest.raises(RuntimeError, match="only known when it runs"):
        ts.freeze(module, ["swap"])
