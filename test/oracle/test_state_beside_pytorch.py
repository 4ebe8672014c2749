"""Programs with state that go back, write and give out what PyTorch has lent, beside torch.jit: Note [Two tapes]."""

from typing import Any

import pytest
import torch
from torch import Tensor, nn

import torchscript_dialect as ts

SIDES = pytest.mark.parametrize("script", [torch.jit.script, ts.script], ids=["PyTorch", "ours"])


class Trains(nn.Module):
    seen: Tensor

    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(torch.ones(2))
        self.register_buffer("seen", torch.ones(2))

    def forward(self, x: Tensor) -> Tensor:
        loss = (self.w * x * x).sum()
        loss.backward()
        return loss.detach()

    @torch.jit.export
    def see(self, x: Tensor) -> Tensor:
        with torch.no_grad():
            self.seen.add_(x)
            self.w.mul_(2)
        return x

    @torch.jit.export
    def rows(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        return self.w, self.w[1], x * self.w

    @torch.jit.export
    def twice(self, x: Tensor) -> Tensor:
        (x * x).sum().backward(create_graph=True)
        return x


def numbers(tensor: Any) -> Any:
    return tensor.tolist()


@SIDES
def test_what_goes_back_in_a_program_comes_to_its_arguments(script: Any) -> None:
    """It was lost: only parameters of the module got gradients."""
    module: Any = Trains()
    x: Any = torch.tensor([1.0, 2.0], requires_grad=True)
    compiled = script(module)
    for number in range(1, 4):
        compiled(x)
        assert numbers(x.grad) == [2.0 * number, 4.0 * number]
        assert numbers(module.w.grad) == [1.0 * number, 4.0 * number]
    x.grad = None
    compiled(x * 3)
    assert numbers(x.grad) == [18.0, 36.0]


def test_what_goes_back_in_a_program_gets_no_history() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="not supported with create_graph"):
        ts.script(Trains()).twice(x)


@SIDES
def test_pytorch_hears_of_what_a_method_writes(script: Any) -> None:
    """PyTorch went on with what was there now, and gave wrong gradients."""
    module: Any = Trains()
    c = torch.ones(2, requires_grad=True)
    compiled = script(module)
    for number in range(4):
        sums = ((module.w * module.w).sum(), (c * module.seen).sum())
        versions = module.w._version, module.seen._version
        with torch.set_grad_enabled(number % 2 == 0):
            compiled.see(torch.ones(2))
        assert (module.w._version, module.seen._version) == (versions[0] + 1, versions[1] + 1)
        for one in sums:
            with pytest.raises(RuntimeError, match="modified by an inplace operation"):
                one.backward()


@SIDES
def test_a_parameter_that_is_given_out_is_itself(script: Any) -> None:
    """It was another tensor, which was no leaf."""
    module: Any = Trains()
    x: Any = torch.tensor([1.0, 2.0], requires_grad=True)
    compiled = script(module)
    for _ in range(3):
        module.w.grad = None
        whole, row, product = compiled.rows(x)
        assert whole is module.w
        assert row._base is module.w
        (row * 3 + product.sum()).backward()
        assert numbers(module.w.grad) == [1.0, 5.0]
