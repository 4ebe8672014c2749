"""torch.jit and this compiler in one process: what one has compiled changes nothing for the other."""

# pyright: reportAttributeAccessIssue=false, reportPrivateImportUsage=false, reportRedeclaration=false

# ruff: noqa: F811  # overloads define one name several times

import inspect
import warnings
from typing import Any

import pytest
import torch
from torch import nn
from torch._jit_internal import BroadcastingList2

import torchscript_dialect as ts
from support.canonical import canonical, without_mangling


@torch.jit._overload
def chosen(x: int, y: int = 4) -> int: ...


@torch.jit._overload
def chosen(x: torch.Tensor, y: int = 4) -> torch.Tensor: ...


def chosen(x, y=4):
    return x + y


@torch.jit._overload
def paired(x: torch.Tensor, y: list[tuple[int, float]] | None = None) -> torch.Tensor: ...


@torch.jit._overload
def paired(x: int, y: list[tuple[int, float]] | None = None) -> int: ...


def paired(x, y=None):
    return x if y is None else x + y[0][0]


class Scripted:
    def __init__(self, a: int):
        self.a = a

    def more(self, b: int) -> int:
        return self.a + b


def doubled(x, k: int = 2):
    return x * k


with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # torch.jit announces its retirement
    torch.jit.script(Scripted)
    scripted_function = torch.jit.script(doubled)


class HoldsScripted(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.held = Scripted(3)
        self.layer = torch.jit.script(nn.Linear(3, 2))

    def forward(self, x):
        return self.layer(scripted_function(x)) + self.held.more(1)


class Typed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.number = torch.jit.Attribute(2, float)
        self.table = torch.jit.Attribute({}, dict[str, int])

    def forward(self, x):
        return x + self.number


class Recurrent(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.lstm = nn.LSTM(3, 2)
        self.gru = nn.GRU(2, 2)

    def forward(self, x):
        y, _ = self.lstm(x)
        return self.gru(y)[0]


class CrossMap(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, k):
        return x * k

    @staticmethod
    def backward(ctx, grad):
        return grad, None


def overloads(x):
    return chosen(x), chosen(1), chosen(x, y=4), paired(x, [(1, 2.0)]), paired(3)


def _two(x, by: BroadcastingList2[float]):
    return x * by[0] + by[1]


def broadcast(x):
    return _two(x, 1.5), _two(x, [1.0, 2.0])


def autograd_function(x):
    return CrossMap.apply(x, x)


def _compare(program: Any, x: torch.Tensor) -> None:
    ours, theirs = ts.script(program), torch.jit.script(program)
    assert canonical(str(ours.graph)) == canonical(str(theirs.graph))
    assert without_mangling(ours.code) == without_mangling(theirs.code)
    with torch.no_grad():
        given, wanted = ours(x), theirs(x)
    for one, other in zip(_flat(given), _flat(wanted), strict=True):
        torch.testing.assert_close(one, other)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, tuple):
        return [part for item in value for part in _flat(item)]
    return [torch.from_dlpack(value) if isinstance(value, ts.Tensor) else value]


@pytest.mark.parametrize("program", [overloads, broadcast])
def test_functions_before_between_and_after(program: Any) -> None:
    x = torch.arange(3.0)
    ts.script(program)
    torch.jit.script(program)
    _compare(program, x)
    ts.script(program)
    _compare(program, x)


def test_autograd_functions() -> None:
    """`torch.jit` of PyTorch 2.14 takes them no more, as `apply` is written in C there."""
    x = torch.arange(3.0, requires_grad=True)
    ours = ts.script(autograd_function)
    assert "^CrossMap[](" in str(ours.graph)
    if inspect.ismethod(CrossMap.apply):
        _compare(autograd_function, x)
    ours(x).sum().backward()
    assert x.grad is not None
    torch.testing.assert_close(x.grad, torch.ones(3))


@pytest.mark.parametrize("module", [HoldsScripted, Recurrent])
def test_modules_before_between_and_after(module: Any) -> None:
    torch.manual_seed(0)
    made, x = module().eval(), torch.arange(12.0).view(2, 2, 3)
    ts.script(made)
    torch.jit.script(made)
    _compare(made, x)


def test_attributes_with_their_types() -> None:
    given = ts.script(Typed())(torch.ones(2))
    torch.testing.assert_close(torch.from_dlpack(given), torch.full((2,), 3.0))


def test_parameter_that_the_overload_declares_otherwise_is_refused() -> None:
    @torch.jit._overload
    def other(x: int, y: int = 2) -> int: ...

    def other(x, y=3):
        return x + y

    def program(x):
        return other(1)

    with pytest.raises(ts.TorchScriptError, match="Default parameters on overloads"):
        ts.script(program)


def test_methods_of_no_module() -> None:
    """What `exec` makes, as torch.fx does, has no module: asking PyTorch for its overloads raised."""

    class Inner(torch.nn.Module):
        def forward(self, x):
            return x + 1

    class Outer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Inner()

        def forward(self, x):
            return self.inner(x)

    Inner.forward.__module__ = None  # pyright: ignore[reportFunctionMemberAccess, reportAttributeAccessIssue]
    x = torch.ones(2)
    assert torch.equal(torch.from_dlpack(ts.script(Outer())(x)), torch.jit.script(Outer())(x))
