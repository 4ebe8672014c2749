"""Python functions that programs call, written against PyTorch: they get PyTorch's tensors, in whatever they are given."""

# pyright: reportUndefinedVariable=false

from typing import Any

import torch
from torch import nn

import torchscript_dialect as ts


class Rotation(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, parts: list[torch.Tensor]) -> torch.Tensor:
        return torch.cat([x, torch.stack(parts).flatten()])


@torch.jit.ignore  # pyright: ignore[reportArgumentType]
def joined(parts: list[torch.Tensor], named: dict[str, torch.Tensor]) -> torch.Tensor:
    return torch.cat([*parts, named["last"], named["last"].bfloat16().float()])


def program(x: torch.Tensor):
    y = joined([x, x + 1], {"last": x * 2})
    return Rotation.apply(y, [x, x])


class Quaternion(nn.Module):
    """As SpeechBrain's: what computes is ignored, and reads parameters of the module."""

    def __init__(self) -> None:
        super().__init__()
        self.real = nn.Parameter(torch.tensor([[1.0, 2.0], [3.0, 4.0]]))
        self.inner = nn.Linear(2, 2)
        self.scale = 2

    @torch.jit.ignore  # pyright: ignore[reportArgumentType]
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        kernel = torch.cat([self.real, -self.real, self.inner.weight], dim=0)
        return self.inner(torch.mm(x, kernel.t())[:, :2]) * self.scale


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.part = Quaternion()

    def forward(self, x: torch.Tensor):
        return self.part(x) + 1


def test_functions_get_tensors_of_pytorch_in_lists_and_dicts() -> None:
    x = torch.tensor([1.0, 2.0])
    expected = program(x)
    for _ in range(3):
        assert torch.equal(torch.from_dlpack(ts.script(program)(x)), expected)


def test_properties_of_pytorchs_class_are_no_part_of_programs(monkeypatch) -> None:
    """PyTorch 2.15 has one, of a type that no program has; its own torch.jit compiles it and fails."""

    def buffers(self) -> "tuple[torch.Tensor | None, ...]":
        return ()

    buffers.__module__ = "torch.autograd.function"
    monkeypatch.setattr(torch.autograd.Function, "buffers", property(buffers), raising=False)
    x = torch.tensor([1.0, 2.0])
    assert torch.equal(torch.from_dlpack(ts.script(program)(x)), program(x))


def test_ignored_methods_get_parameters_of_pytorch() -> None:
    torch.manual_seed(0)
    layer, x = Layer(), torch.ones(3, 2)
    ours = ts.script(layer)
    with torch.no_grad():
        for _ in range(3):
            torch.testing.assert_close(torch.from_dlpack(ours(x)), layer(x))


@torch.jit.ignore  # pyright: ignore[reportArgumentType]
def scaled(parts, n):
    # type: (List[Tensor], int) -> Tuple[Tensor, int]
    return parts[0] * n, len(parts) if len(parts) > 1 else 0  # what no compiled program may


class Commented(nn.Module):
    @torch.jit.ignore  # pyright: ignore[reportArgumentType]
    def counted(self, parts, n):
        # type: (List[Tensor], int) -> int
        return len(parts) + n

    @torch.jit.unused
    def never(self, parts, n):
        # type: (List[Tensor], int) -> int
        return len(parts) - n

    def forward(self, x):
        y, n = scaled([x, x], 3)
        if n > 5:
            n = self.never([x], 2)
        return y + self.counted([x, y], n)


def test_types_in_comments() -> None:
    x = torch.ones(2)
    expected = torch.jit.script(Commented())
    found = ts.script(Commented())
    assert str(found.forward.schema) == str(expected.forward.schema)
    torch.testing.assert_close(torch.as_tensor(found(x)), expected(x))


def test_a_function_that_sees_pytorch_in_its_closure() -> None:
    elsewhere: dict[str, Any] = {}
    exec(
        "def of(library):\n    def negated(x): return library.neg(x)\n    return negated", elsewhere
    )
    negated = torch.jit.ignore(elsewhere["of"](torch))

    def f(x):
        return negated(x) + 1

    torch.testing.assert_close(torch.as_tensor(ts.script(f)(torch.ones(2))), torch.zeros(2))
