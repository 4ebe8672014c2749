"""`ts.use_torch_kernels`: PyTorch's kernels where there are none here, and operators that PyTorch alone knows."""

from collections.abc import Iterator

import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect.ops import registry


@pytest.fixture(autouse=True)
def _operators() -> Iterator[None]:
    """Operators of a library that only PyTorch knows, with no kernel here."""
    library = torch.library.Library("lent", "DEF")
    library.define("scaled(Tensor x, int n=2, *, float[] by=[1.0]) -> Tensor")
    library.define("add_(Tensor(a!) x, Tensor y) -> Tensor(a!)")
    library.define("parts(Tensor x) -> (Tensor, Tensor[])")
    composite = "CompositeExplicitAutograd"
    library.impl("scaled", lambda x, n=2, *, by=(1.0,): x * n * sum(by), composite)
    library.impl("add_", lambda x, y: x.copy_(x + y), composite)
    library.impl("parts", lambda x: (x.sum(), [row.clone() for row in x]), composite)
    yield
    for name in ("lent::scaled", "lent::add_", "lent::parts"):
        if registry.is_registered(name):
            registry.unregister(name)


def scaled(x):
    return torch.ops.lent.scaled(x) + torch.ops.lent.scaled(x, 3, by=[1.0, 2.0])


def in_place(x):
    y = x.view(-1)
    torch.ops.lent.add_(y, y)
    return x, y


def parts(x):
    total, rows = torch.ops.lent.parts(x)
    return total, rows[1]


def unknown(x):
    return torch.ops.lent.nobody_has_this(x)


def test_without_the_setting_the_operator_is_an_error_with_its_place() -> None:
    f = ts.script(scaled)
    with pytest.raises(
        RuntimeError, match=r"lent::scaled.* is not supported \(at .*test_torch_kernels"
    ):
        f(torch.ones(2))


def test_results_are_those_of_pytorch() -> None:
    f, x = ts.script(scaled), torch.arange(4.0)
    with ts.use_torch_kernels(True):
        for _ in range(3):
            torch.testing.assert_close(torch.from_dlpack(f(x)), x * 11)
    with pytest.raises(RuntimeError, match="is not supported"):
        f(x)


def test_what_is_written_is_written_to_the_programs_memory() -> None:
    f, x = ts.script(in_place), torch.ones(2, 2)
    with ts.use_torch_kernels(True):
        first, second = f(x)
    assert x.tolist() == [[2.0, 2.0], [2.0, 2.0]]
    assert first.tolist() == x.tolist()
    assert second.tolist() == [2.0] * 4


def test_gradients_go_through_the_kernel() -> None:
    composite = torch.library.Library("lent", "FRAGMENT")
    composite.define("twice(Tensor x, Tensor y) -> (Tensor, Tensor)")
    composite.impl("twice", lambda x, y: (x * y, y.sin()), "CompositeImplicitAutograd")

    def g(x, y):
        a, b = torch.ops.lent.twice(x * 2, y)
        return (a * b).sum(), torch.ops.lent.twice(x.detach(), x.detach())[0]

    inputs = [torch.tensor([1.0, 2.0], requires_grad=True) for _ in range(2)]
    a, b = (2 * inputs[0] * inputs[1]) * inputs[1].sin(), inputs[0].detach() ** 2
    expected = torch.autograd.grad(a.sum(), inputs)
    scripted = ts.script(g)
    with ts.use_torch_kernels(True):
        for _ in range(4):
            loss, plain = scripted(*inputs)
            found = torch.autograd.grad(loss, inputs)
            torch.testing.assert_close(found, expected)
            assert torch.equal(torch.from_dlpack(plain), b) and not plain.requires_grad
            with torch.no_grad():
                assert not scripted(*inputs)[0].requires_grad
    registry.unregister("lent::twice")


def test_several_results_and_lists() -> None:
    with ts.use_torch_kernels(True):
        total, row = ts.script(parts)(torch.arange(4.0).view(2, 2))
    assert float(total) == 6.0
    assert row.tolist() == [2.0, 3.0]


def test_check_counts_what_pytorch_lends() -> None:
    assert len(ts.check(scaled)) == 2
    with ts.use_torch_kernels(True):
        assert ts.check(scaled) == []


def test_an_operator_that_nobody_has_is_an_error_of_the_program() -> None:
    with pytest.raises(ts.TorchScriptError, match="nobody_has_this"):
        ts.script(unknown)
