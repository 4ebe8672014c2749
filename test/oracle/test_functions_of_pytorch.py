"""Functions of PyTorch's on tensors of ours: Note [Functions of PyTorch's] in autograd/torch_functions.py."""

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

import pytest
import torch
import torch.nn.functional as F
from torch import nn

import torchscript_dialect as ts

X = torch.linspace(-2.0, 2.0, 12).reshape(4, 3)
Y = torch.tensor([0, 1, 1, 0])


class Classifier(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 2)
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(self.layer(x))


def doubled(x):
    return x * 2


def compiled(script: Callable[[nn.Module], Any]) -> Any:
    torch.manual_seed(0)
    return script(Classifier()).eval()


USES: list[Callable[[Any], Any]] = [
    lambda out: F.cross_entropy(out, Y),
    lambda out: nn.CrossEntropyLoss(reduction="none")(out, Y),
    lambda out: torch.max(out, 1),
    lambda out: (torch.argmax(out, dim=1) == Y).sum().item(),
    lambda out: Y.eq(out.argmax(1)),
    lambda out: torch.cat([out, X], dim=1),
    lambda out: torch.stack((out, out)),
    lambda out: torch.zeros_like(out),
    lambda out: torch.allclose(out, out),
    lambda out: nn.Linear(2, 5, bias=False)(out).shape,
    lambda out: X[:, :2] + out,
    lambda out: torch.ones(4, 2).mul_(out),
    lambda out: torch.where(out > 0, X[:, :2], out),
    lambda out: torch.einsum("ij,kj->ik", X[:, :2], out),
    lambda out: torch.tensor_split(out, 2),
]


@pytest.mark.parametrize("use", USES)
def test_functions_take_what_compiled_functions_give(use: Callable[[Any], Any]) -> None:
    with torch.no_grad():
        ours, theirs = compiled(ts.script)(X), compiled(torch.jit.script)(X)
        assert isinstance(ours, ts.Tensor)
        torch.testing.assert_close(use(ours), use(theirs))


def test_what_is_written_is_seen() -> None:
    tensor, target = ts.script(doubled)(torch.full((3,), 0.5)), torch.zeros(2, 3)
    target[1] = tensor
    torch.add(tensor, 1, out=tensor)
    assert (target.tolist(), tensor.tolist()) == ([[0.0] * 3, [1.0] * 3], [2.0] * 3)


def test_losses_with_a_penalty_train() -> None:
    """A parameter is PyTorch's own, so that gradients reach it by either way."""

    def gradients(script: Callable[[nn.Module], Any]) -> list[Any]:
        module = compiled(script)
        penalty = sum(torch.sum(parameter**2) for parameter in module.parameters())
        (F.cross_entropy(module(X), Y) + 0.1 * penalty).backward()
        return [parameter.grad.tolist() for parameter in module.parameters()]

    for ours, theirs in zip(gradients(ts.script), gradients(torch.jit.script), strict=True):
        torch.testing.assert_close(torch.tensor(ours), torch.tensor(theirs))


def test_gradients_go_to_tensors_of_ours_and_of_pytorch() -> None:
    w: Any = ts.Tensor([1.0, 2.0, 3.0])
    w.requires_grad_()
    v = torch.tensor([4.0, 5.0, 6.0], requires_grad=True)
    loss = torch.dot(w, v).square()
    assert isinstance(loss, ts.Tensor)
    loss.backward()
    assert w.grad.tolist() == (2 * 32 * v).tolist()
    assert v.grad is not None
    assert v.grad.tolist() == [64.0, 128.0, 192.0]
    (v * ts.Tensor([1.0, 0.0, 2.0])).sum().backward()
    assert v.grad.tolist() == [65.0, 128.0, 194.0]
    nn.init.zeros_(w)
    assert w.tolist() == [0.0] * 3
    assert w.requires_grad


def test_checkpoints_are_those_of_pytorch() -> None:
    module = compiled(ts.script)
    state = {"model": module.state_dict(), "tensor": ts.script(doubled)(X)}
    stream = io.BytesIO()
    torch.save(state, stream)
    stream.seek(0)
    loaded: Any = torch.load(stream, weights_only=True)
    torch.testing.assert_close(loaded["tensor"], X * 2)
    other = Classifier().eval()
    other.load_state_dict(loaded["model"])
    torch.testing.assert_close(other(X), module(X))
    another = Classifier()
    another.load_state_dict(module.state_dict())
    torch.testing.assert_close(another.layer.weight, other.layer.weight)


def test_tensors_are_pickled_as_ours_elsewhere() -> None:
    tensor = ts.Tensor([1.0, 2.0])
    assert isinstance(pickle.loads(pickle.dumps(tensor)), ts.Tensor)
    assert isinstance(copy.deepcopy(tensor), ts.Tensor)


def test_dtypes_and_devices_equal_those_of_pytorch() -> None:
    out = ts.script(doubled)(X)
    assert out.dtype == X.dtype
    assert torch.float32 == out.dtype
    assert out.dtype != torch.float64
    assert out.dtype != out.to(torch.float64).dtype
    assert out.device == X.device
    assert torch.device("cpu") == out.device
    assert out.device not in (torch.device("cuda"), torch.device("cuda:0"), "cpu")
    assert (
        len({out.dtype, ts.script(doubled)(X).dtype, out.device, ts.script(doubled)(X).device}) == 2
    )
