"""Subclasses of `torch.jit.ScriptModule`, and compiled modules inside of those of Python. Results are PyTorch 2.13.0's."""

import copy
import io
from typing import Any

import pytest

from torchscript_dialect import torch
from torchscript_dialect.torch import nn
from torchscript_dialect.utils.errors import TorchScriptError


class Base(torch.jit.ScriptModule):
    factor = 7

    def __init__(self, size: int) -> None:
        super(Base, self).__init__()  # noqa: UP008  # as old code has it
        self.w = nn.Parameter(torch.ones(size))
        self.note = {"key": object()}
        self.tag = "t"

    @torch.jit.script_method
    def twice(self, x: torch.Tensor):
        return x * 2

    @torch.jit.script_method
    def forward(self, x: torch.Tensor):
        return self.twice(x) + self.w

    @property
    def size(self) -> int:
        return self.w.numel()

    @staticmethod
    def fixed() -> str:
        return "fixed"

    @classmethod
    def named(cls) -> str:
        return cls.__name__


class Derived(Base):
    def __init__(self) -> None:
        super().__init__(2)
        self.b = nn.Parameter(torch.zeros(2))

    @torch.jit.script_method
    def twice(self, x: torch.Tensor):
        return x * 3 + self.b

    def both(self, x: torch.Tensor) -> torch.Tensor:
        return self(x) + self.twice(x)


class Cell(torch.jit.ScriptModule):
    __constants__ = ("count",)

    def __init__(self, inputs: int, outputs: int) -> None:
        super().__init__()
        self.count = 2
        self.weight = nn.Parameter(torch.ones(inputs, outputs))

    @torch.jit.script_method
    def forward(self, x: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor]):
        h, c = state
        for _ in range(self.count):
            h = torch.tanh(torch.mm(x, self.weight) + h)
        return h, (h, c + h)


class Layer(torch.jit.ScriptModule):
    def __init__(self, cell: Any, *sizes: int) -> None:
        super().__init__()
        self.cells = nn.ModuleList([cell(*sizes), cell(*sizes)])

    @torch.jit.script_method
    def forward(self, xs: torch.Tensor, state: tuple[torch.Tensor, torch.Tensor]):
        found: list[torch.Tensor] = []
        for x in xs.unbind(0):
            for cell in self.cells:
                out, state = cell(x, state)
                found += [out]
        return torch.stack(found), state


def test_an_object_is_compiled_when_it_was_made() -> None:
    made = Base(2)
    assert isinstance(made, torch.jit.ScriptModule)
    assert torch.jit.script(made) is made
    assert made(torch.ones(2)).tolist() == [3.0, 3.0]
    assert "(self).twice(x, )" in made.code
    assert [name for name, _ in made.named_parameters()] == ["w"]


def test_objects_are_of_their_classes() -> None:
    base, derived = Base(2), Derived()
    assert isinstance(derived, Base)
    assert isinstance(derived, Derived)
    assert not isinstance(base, Derived)
    assert not isinstance(3, Base)
    assert issubclass(Derived, Base)


def test_a_class_after_another() -> None:
    made = Derived()
    assert made(torch.ones(2)).tolist() == [4.0, 4.0]
    assert made.both(torch.ones(2)).tolist() == [7.0, 7.0]
    assert list(made.state_dict()) == ["w", "b"]


def test_what_stays_python() -> None:
    made = Base(3)
    assert (made.size, made.fixed(), made.named(), made.factor) == (3, "fixed", "Base", 7)
    assert list(made.note) == ["key"]
    made.tag = "u"
    assert made.tag == "u"
    with pytest.raises(AttributeError, match="'Base' object has no attribute 'nothing'"):
        made.nothing  # noqa: B018


def test_modules_inside_of_each_other() -> None:
    made = Layer(Cell, 3, 4)
    zero = torch.zeros(2, 4)
    xs = torch.arange(12.0).reshape(2, 2, 3).cos()
    found, (h, c) = made(xs, (zero, zero))
    assert found.shape == (4, 2, 4)
    assert torch.equal(found[-1], h)
    assert torch.allclose(found.sum(0), c)
    found.sum().backward()
    assert all(one.grad is not None for one in made.parameters())
    assert [name for name, _ in made.named_parameters()] == ["cells.0.weight", "cells.1.weight"]
    buffer = io.BytesIO()
    made.save(buffer)
    buffer.seek(0)
    assert torch.equal(torch.jit.load(buffer)(xs, (zero, zero))[0], found)


def test_copies_and_traces() -> None:
    made = Derived()
    assert copy.deepcopy(made)(torch.ones(2)).tolist() == [4.0, 4.0]
    with pytest.warns(UserWarning, match="tracing it is a no-op"):
        assert torch.jit.trace(made, torch.ones(2))(torch.ones(2)).tolist() == [4.0, 4.0]


def test_a_method_that_is_no_program() -> None:
    class Bad(torch.jit.ScriptModule):
        @torch.jit.script_method
        def forward(self, x: torch.Tensor):
            return x.nothing()

    with pytest.raises(
        TorchScriptError, match=r"no attribute or method 'nothing'(.|\n)*x\.nothing"
    ):
        Bad()


# Compiled modules in modules of Python


class Mixed(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = torch.jit.script(nn.Linear(2, 2))
        self.norm = torch.jit.script(nn.BatchNorm1d(2))
        self.last = nn.Linear(2, 1)
        self.again = self.first

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.last(self.norm(self.first(x)))


NAMES = ["first.weight", "first.bias", "norm.weight", "norm.bias"]


def test_parameters_of_compiled_children() -> None:
    made = Mixed()
    names = [name for name, _ in made.named_parameters()]
    assert names == [*NAMES, "last.weight", "last.bias"]
    assert [name for name, _ in made.named_modules()] == ["", "first", "norm", "last"]
    assert [name for name, _ in made.named_buffers()] == [
        "norm.running_mean", "norm.running_var", "norm.num_batches_tracked",
    ]  # fmt: skip
    assert made.get_parameter("first.weight") is made.first.weight
    assert made.get_submodule("first") is made.first


def test_they_are_trained() -> None:
    made, x = Mixed(), torch.arange(8.0).reshape(4, 2).sin()
    optimizer = torch.optim.SGD(made.parameters(), lr=0.1)
    before = made.first.weight.tolist()
    losses: list[float] = []
    for _ in range(5):
        optimizer.zero_grad()
        loss = ((made(x) - 1) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]
    assert made.first.weight.tolist() != before
    made.zero_grad()
    assert made.first.weight.grad is None
    assert not any(one.requires_grad for one in made.requires_grad_(False).parameters())


def test_their_state() -> None:
    made, other = Mixed(), Mixed()
    state = made.state_dict()
    assert list(state)[:2] == NAMES[:2]
    assert "again.weight" in state
    assert str(other.load_state_dict(state)) == "<All keys matched successfully>"
    assert torch.equal(other.first.weight, made.first.weight)
    copied = {name: one.clone() for name, one in state.items()}
    other.load_state_dict(copied, assign=True)
    assert torch.equal(other.norm.running_var, made.norm.running_var)
    assert other.first.weight.requires_grad


def test_their_state_is_assigned() -> None:
    """A child that stands in two places has both names in the state."""
    made = torch.jit.script(Mixed())
    state = {name: one + 1 for name, one in made.state_dict().items()}
    made.load_state_dict(state, assign=True)
    assert torch.equal(made.again.weight, state["again.weight"])
    assert torch.equal(made.last.bias, state["last.bias"])
    assert made.last.bias.requires_grad


@pytest.mark.parametrize("strict", [True, False])
def test_a_state_that_does_not_fit(strict: bool) -> None:
    made = Mixed()
    state = made.state_dict()
    del state["first.bias"]
    state["norm.more"] = torch.ones(1)
    if strict:
        with pytest.raises(RuntimeError) as caught:
            made.load_state_dict(state)
        assert 'Missing key(s) in state_dict: "first.bias"' in str(caught.value)
        assert 'Unexpected key(s) in state_dict: "norm.more"' in str(caught.value)
    else:
        found = made.load_state_dict(state, strict=False)
        assert (found.missing_keys, found.unexpected_keys) == (["first.bias"], ["norm.more"])
    state["first.weight"] = torch.ones(3)
    with pytest.raises(RuntimeError, match=r"size mismatch for first\.weight"):
        made.load_state_dict(state, strict=False)


def test_they_are_cast_copied_and_compiled() -> None:
    made, x = Mixed().double().eval(), torch.ones(3, 2, dtype=torch.float64)
    assert made(x).dtype is torch.float64
    assert made.norm.num_batches_tracked.dtype is torch.int64
    assert not made.norm.training
    copied = copy.deepcopy(made)
    assert torch.equal(copied(x), made(x))
    assert copied.first.weight is not made.first.weight
    assert torch.equal(torch.jit.script(made)(x), made(x))


# What compiled modules have of modules of Python


def test_names_of_tensors_in_several_places() -> None:
    made = torch.jit.script(Mixed())
    found = [name for name, _ in made.named_parameters(prefix="m", remove_duplicate=False)]
    assert found == [f"m.{name}" for name in (*NAMES, "last.weight", "last.bias", "again.weight", "again.bias")]  # fmt: skip
    assert len(list(made.named_modules(remove_duplicate=False))) == 5
    assert len(list(made.named_buffers(remove_duplicate=False))) == 3


def test_casts() -> None:
    made = torch.jit.script(Mixed())
    assert made.bfloat16().first.weight.dtype is torch.bfloat16
    assert made.type(torch.float64).norm.num_batches_tracked.dtype is torch.float64


@pytest.mark.parametrize("name", ["register_forward_hook", "add_module", "register_buffer"])
def test_what_would_change_a_program_is_refused(name: str) -> None:
    made = torch.jit.script(Mixed())
    with pytest.raises(RuntimeError, match=f"{name} is not supported on ScriptModules"):
        getattr(made, name)("name", None)


def test_what_is_compiled_is_not_deleted() -> None:
    made = torch.jit.script(Mixed())
    for name in ("forward", "first"):
        with pytest.raises(RuntimeError, match="cannot delete methods or parameters"):
            delattr(made, name)
    made.own = 3
    del made.own
    assert not hasattr(made, "own")


class Scaled(torch.jit.ScriptModule):
    def __init__(self, factor: int):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(2))
        self.define(f"def forward(self, x):\n    return x * {factor} + self.weight")


class Both(torch.jit.ScriptModule):
    def __init__(self):
        super().__init__()
        self.first, self.second = Scaled(2), Scaled(3)
        self.define("def forward(self, x):\n    return self.first(x), self.second(x)")


def test_methods_from_text_in_init() -> None:
    """There was no `define` before the object was compiled."""
    first, second = Both()(torch.ones(2))
    assert [first.tolist(), second.tolist()] == [[3, 3], [4, 4]]
