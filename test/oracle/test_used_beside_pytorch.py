"""Compiled functions and modules in what programs do with PyTorch: right results, or an error that says what does not go."""

# pyright: reportUnknownMemberType=false

import copy
import pickle
from typing import Any

import pytest
import torch
from torch import nn
from torch.autograd import forward_ad
from torch.func import functional_call, vmap
from torch.fx.experimental.proxy_tensor import make_fx

import torchscript_dialect as ts


def doubled(x):
    return x * 2


def total(parts: list[torch.Tensor]):
    return parts[0] + parts[1]


def linear() -> tuple[nn.Linear, Any]:
    layer = nn.Linear(3, 2)
    return layer, ts.script(layer)


X = torch.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("compiled", [ts.script(doubled), linear()[1]])
def test_graphs_of_pytorch_hold_no_result_as_a_constant(compiled: Any) -> None:
    """`make_fx` gave a graph that returned the result of the call with which it was made."""
    with pytest.raises(ts.TorchScriptError, match="is called while PyTorch makes a graph"):
        make_fx(lambda x: torch.add(compiled(x), 1))(X)


def test_forward_derivatives_of_pytorch_are_not_lost() -> None:
    """The results had none."""
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(X, X)
        for call in (
            lambda: ts.script(doubled)(dual),
            lambda: linear()[1](dual),
            lambda: ts.script(total)([X, dual]),
        ):
            with pytest.raises(ts.TorchScriptError, match="forward derivatives of PyTorch's"):
                call()
        assert torch.equal(torch.from_dlpack(ts.script(doubled)(X)), X * 2)


def test_transforms_of_torch_func_are_refused() -> None:
    with pytest.raises(ts.ArgumentError, match=r"stands for others in a transform of torch\.func"):
        vmap(ts.script(doubled))(X)


@pytest.mark.parametrize("holds", [False, True])
def test_functional_call_does_not_use_the_old_parameters(holds: bool) -> None:
    """It gave what the module's own parameters give."""
    layer, compiled = linear()
    module = nn.Sequential(compiled) if holds else compiled
    ones = {name: torch.ones_like(value) for name, value in module.named_parameters()}
    with pytest.raises(RuntimeError, match="cannot be put in or taken out by their tables"):
        functional_call(module, ones, (X,))
    torch.testing.assert_close(module(X), layer(X))


def last_channels(x):
    return x.contiguous(memory_format=torch.channels_last)


def test_results_know_pytorchs_layouts_and_memory_formats() -> None:
    """`is_contiguous` knew ours only, and `layout == torch.strided` was false."""
    result = ts.script(last_channels)(torch.zeros(2, 3, 4, 5))
    assert result.is_contiguous(memory_format=torch.channels_last)
    assert not result.is_contiguous(memory_format=torch.contiguous_format)
    assert result.layout == torch.strided
    assert result.layout != torch.sparse_coo
    assert result.layout != torch.contiguous_format
    with pytest.raises(TypeError, match=r"must be torch\.memory_format, not layout"):
        result.is_contiguous(memory_format=torch.strided)


def of_lists(a: list[int], b: list[list[bool]], c: list[float]):
    return (
        torch.tensor(a),
        torch.as_tensor([a]),
        torch.as_tensor(b),
        torch.tensor([b, b]),
        torch.tensor(c),
    )


@pytest.mark.filterwarnings("ignore:Creating a tensor from an empty")
def test_tensors_of_empty_lists_have_the_declared_dtype() -> None:
    """All had the default dtype."""
    ours, theirs = ts.script(of_lists), torch.jit.script(of_lists)
    for args in (([], [], []), ([], [[], []], []), ([1], [[True]], [2.0])):
        for given, wanted in zip(ours(*args), theirs(*args), strict=True):
            assert given.dtype == wanted.dtype
            assert torch.equal(torch.from_dlpack(given), wanted)


class Table(nn.Module):
    __jit_ignored_attributes__ = ("names", "count")

    def __init__(self) -> None:
        super().__init__()
        self.names = {"a", "b"}

    @property
    def count(self) -> int:
        return 2

    @torch.jit.ignore  # pyright: ignore[reportArgumentType]
    def has(self, name):
        return name in self.names and self.count

    @torch.jit.export
    def __len__(self) -> int:
        return 3

    @torch.jit.export
    def __getitem__(self, index: int):
        return [10, 20, 30][index]

    @torch.jit.export
    def __contains__(self, item: int):
        return item == 20

    @torch.jit.export
    def __bool__(self) -> bool:
        return False

    def forward(self, x):
        return x


def test_what_python_asks_a_module_for_is_what_was_compiled() -> None:
    """Modules refused to be asked for their length, and what is ignored was no attribute of them."""
    ours, theirs = ts.script(Table()), torch.jit.script(Table())
    for module in (ours, theirs):
        asked = len(module), module[1], 20 in module, 5 in module
        assert asked == (3, 20, True, False)
        assert module.names == {"a", "b"}
    assert ours.has("a") == 2
    assert ours.count == 2
    assert not ours


def test_compiled_functions_are_copied_as_functions_are() -> None:
    function = ts.script(doubled)
    holder = nn.Module()
    holder.function = function
    assert copy.deepcopy(holder).function is copy.copy(function) is function
    with pytest.raises(pickle.PickleError, match="ScriptFunction cannot be pickled"):
        pickle.dumps(function, protocol=0)


class Wrapped(nn.Module):
    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x) + 1


@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf")
def test_calls_of_compiled_modules_run_outside_of_torch_compile() -> None:
    """They ended in an AttributeError: '_call_impl'."""
    layer, compiled = linear()
    with pytest.raises(AttributeError, match=r"it is compiled here, and torch\.jit"):
        torch.jit.script(Wrapped(compiled))
    module = torch.compile(Wrapped(compiled), backend="eager")
    torch.testing.assert_close(module(X), layer(X) + 1)


def incremented(x):
    x.add_(1)
    return x


def test_writes_to_lazy_conjugates_are_not_lost() -> None:
    """They went to a copy."""
    given = torch.tensor([1 + 2j])
    function = ts.script(incremented)
    for view in (given.conj(), given.conj().imag):
        with pytest.raises(RuntimeError, match="read-only, as the conjugate"):
            function(view)
    assert torch.equal(torch.from_dlpack(ts.script(doubled)(given.conj())), given.conj() * 2)


def with_gradients(x, on: bool):
    x.requires_grad_(on)
    return x * 2


def product_with_gradients(x, y):
    y.requires_grad_()
    return x * y


def cut_off(x):
    before = x * 2
    x.detach_()
    return before, x * 3


@pytest.mark.parametrize("script", [ts.script, torch.jit.script])
def test_arguments_require_gradients_as_programs_say(script: Any) -> None:
    """PyTorch's tensor did not require gradients, and got none."""
    x, y = torch.ones(2), torch.full((2,), 3.0)
    script(with_gradients)(x, True).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2.0, 2.0]
    assert not script(with_gradients)(x, False).requires_grad
    assert not x.requires_grad
    x = torch.ones(2, requires_grad=True)
    script(product_with_gradients)(x, y).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [3.0, 3.0]
    assert y.grad is not None and y.grad.tolist() == [1.0, 1.0]
    with torch.no_grad():
        script(incremented)(x)
    assert x.requires_grad


@pytest.mark.parametrize("script", [ts.script, torch.jit.script])
def test_arguments_lose_their_history_after_what_was_made_of_them(script: Any) -> None:
    """`detach_` left PyTorch's tensor as it was."""
    leaf = torch.ones(2, requires_grad=True)
    given = leaf * 2
    before, after = script(cut_off)(given)
    assert (given.requires_grad, before.requires_grad, after.requires_grad) == (False, True, False)
    before.sum().backward()
    assert leaf.grad is not None and leaf.grad.tolist() == [4.0, 4.0]


class Mixes(nn.Module):
    mixture: torch.Tensor

    def __init__(self, mixture: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("mixture", mixture)

    def forward(self, x):
        return torch.mm(self.mixture, x)


def told_of_sparse(x):
    return x.is_sparse, x.to_dense() + 1


@pytest.mark.filterwarnings("ignore:Sparse CS. tensor support is in beta")
@pytest.mark.parametrize("to", ["to_sparse", "to_sparse_csr", "to_sparse_csc"])
def test_sparse_tensors_of_pytorch_are_arguments_and_buffers(to: str) -> None:
    """They were refused: "Can't export tensors with layout other than torch.strided"."""
    given = getattr(torch.tensor([[0.0, 2.0], [3.0, 0.0]]), to)()
    is_sparse, dense = ts.script(told_of_sparse)(given)
    assert is_sparse is given.is_sparse
    assert torch.equal(torch.from_dlpack(dense), given.to_dense() + 1)
    mixed = ts.script(Mixes(given))(torch.eye(2))
    assert torch.equal(torch.from_dlpack(mixed), given.to_dense())
    with pytest.raises(RuntimeError, match=r"sparse tensor of PyTorch's, which would not see it"):
        ts.script(incremented)(given)
    with pytest.raises(ts.ArgumentError, match="that requires gradients would get none"):
        ts.script(told_of_sparse)(given.clone().requires_grad_())
