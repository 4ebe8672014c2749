"""What becomes of a module of PyTorch's and of the one compiled of it, beside torch.jit: Note [Lent tensors]."""

import copy
import io
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

import torchscript_dialect as ts
from torchscript_dialect import torch as stand_in


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(3, 2)
        self.register_buffer("shift", torch.ones(2))

    def forward(self, x):
        return self.layer(x) + self.shift


X = torch.ones(4, 3)


def saved_and_loaded(module: nn.Module) -> Any:
    buffer = io.BytesIO()
    torch.jit.save(torch.jit.script(module), buffer)
    buffer.seek(0)
    return ts.load(buffer)


def trained(module: nn.Module, compiled: Any, x: torch.Tensor = X) -> Any:
    """Losses of three steps of an optimizer of the original's parameters, and what these are then."""
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    losses: list[float] = []
    for _ in range(3):
        optimizer.zero_grad()
        loss = compiled(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses, [*map(torch.clone, module.parameters())]


def compiled_to_double(module: Any, compiled: Any) -> Any:
    compiled.double()
    return trained(module, compiled, X.double())


def original_to_double(module: Any, compiled: Any) -> Any:
    module.double()
    return trained(module, compiled, X.double())


def other_memory(module: Any, compiled: Any) -> Any:
    nn.utils.vector_to_parameters(torch.arange(8.0), module.parameters())
    module.shift.data = torch.zeros(2)
    return compiled(X), compiled.layer.weight.sum().item(), trained(module, compiled)


def gradients_of_another_dtype(module: Any, compiled: Any) -> Any:
    compiled(X).sum().backward()
    compiled.double()
    return [p.grad for p in module.parameters()]


def frozen_afterwards(module: Any, compiled: Any) -> Any:
    module.requires_grad_(False)
    before = compiled(X).requires_grad
    module.layer.bias.requires_grad_(True)
    compiled(X).sum().backward()
    return before, [p.grad for p in module.parameters()]


def compiled_forgets_gradients(module: Any, compiled: Any) -> Any:
    compiled(X).sum().backward()
    compiled.zero_grad()
    compiled(X).sum().backward()
    return [p.grad for p in module.parameters()]


def original_forgets_gradients(module: Any, compiled: Any) -> Any:
    compiled(X).sum().backward()
    module.zero_grad()
    compiled(X).sum().backward()
    return [as_pytorchs(p.grad) for p in compiled.parameters()]


def a_parameter_in_the_place_of_another(module: Any, compiled: Any) -> Any:
    compiled.layer.weight = nn.Parameter(torch.zeros(2, 3))
    return compiled(X), module.layer.weight.abs().sum() > 0


def copies_are_apart(module: Any, compiled: Any) -> Any:
    other = copy.deepcopy(compiled)
    module.double()
    return as_pytorchs(other(X)), compiled(X.double())


def frozen_and_saved(module: Any, compiled: Any) -> Any:
    """What was not called since."""
    compiled.eval()
    module.double()
    module.layer.bias.data = torch.zeros(2, dtype=torch.float64)
    is_ours = isinstance(compiled, ts.ScriptModule)
    jit = stand_in.jit if is_ours else torch.jit
    saved = ts.load(io.BytesIO(compiled.save_to_buffer())) if is_ours else compiled
    return as_pytorchs(jit.freeze(compiled)(X.double())), as_pytorchs(saved(X.double()).detach())


def as_pytorchs(value: Any) -> Any:
    return torch.from_dlpack(value.detach()) if isinstance(value, ts.Tensor) else value


USES: list[Callable[[Any, Any], Any]] = [
    compiled_to_double,
    original_to_double,
    other_memory,
    gradients_of_another_dtype,
    frozen_afterwards,
    compiled_forgets_gradients,
    original_forgets_gradients,
    a_parameter_in_the_place_of_another,
    copies_are_apart,
    frozen_and_saved,
]


@pytest.mark.parametrize("take", [ts.script, lambda m: ts.from_torch(torch.jit.script(m))])
@pytest.mark.parametrize("use", USES)
def test_both_are_one(use: Callable[[Any, Any], Any], take: Callable[[Any], Any]) -> None:
    modules = [Model(), Model()]
    modules[1].load_state_dict(modules[0].state_dict())
    wanted = use(modules[0], torch.jit.script(modules[0]))
    torch.testing.assert_close(use(modules[1], take(modules[1])), wanted)


def test_what_a_weight_in_a_list_of_weights_becomes() -> None:
    """The list of an RNN has its parameters."""

    class Recurrent(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.cell = nn.GRU(3, 2)

        def forward(self, x):
            return self.cell(x)[0]

    module = Recurrent()
    compiled = ts.script(module)
    module.double()
    losses, _ = trained(module, compiled, torch.ones(2, 1, 3, dtype=torch.float64))
    assert losses[2] < losses[1] < losses[0]


# Compiled modules in those of PyTorch's


class Holder(nn.Module):
    def __init__(self, script: Callable[[nn.Module], Any]) -> None:
        super().__init__()
        self.inner = script(nn.Sequential(Model(), nn.Dropout(0.5)))
        self.rest = nn.ModuleList([script(nn.Linear(2, 2)), nn.Sequential(script(nn.Tanh()))])

    def forward(self, x):
        x = self.inner(x)
        for module in self.rest:
            x = module(x)
        return x


def what_it_has(holder: Any, _: Any) -> Any:
    tensors = [*holder.parameters(), *holder.buffers(), *holder.state_dict().values()]
    assert all(isinstance(tensor, torch.Tensor) for tensor in tensors)
    names = [name for name, _ in holder.named_modules()]
    return [
        *names,
        *dict(holder.named_parameters()),
        *dict(holder.named_buffers()),
        *holder.state_dict(),
    ]


def in_evaluation(holder: Any, _: Any) -> Any:
    holder.eval()
    return trained(holder, holder), [module.training for module in holder.modules()]


def of_another_dtype(holder: Any, _: Any) -> Any:
    holder.eval().to(torch.float64)
    state = [(name, tensor.dtype) for name, tensor in holder.state_dict().items()]
    return trained(holder, holder, X.double()), state


def copied(holder: Any, _: Any) -> Any:
    other = copy.deepcopy(holder).eval()
    before = other(X)
    with torch.no_grad():
        for parameter in other.parameters():
            parameter.mul_(2)
    return before, other(X), holder.eval()(X), copy.deepcopy(other)(X)


def frozen(holder: Any, _: Any) -> Any:
    holder.eval().requires_grad_(False)
    before = holder(X).requires_grad
    for parameter in holder.rest.parameters():
        parameter.requires_grad_(True)
    return before, trained(holder, holder)


def averaged(holder: Any, _: Any) -> Any:
    average = torch.optim.swa_utils.AveragedModel(holder.eval())
    trained(holder, holder)
    average.update_parameters(holder)
    average.update_parameters(holder)
    return average(X), nn.utils.parameters_to_vector(average.parameters())


def loaded(holder: Any, state: Any) -> Any:
    holder.load_state_dict({name: tensor + 1 for name, tensor in state.items()})
    found = holder.load_state_dict({"inner.0.layer.bias": torch.zeros(2), "x": X}, strict=False)
    told: list[str] = []
    for wrong in ({**state, "inner.0.other": X, "inner.2.x": X}, {**state, "inner.0.shift": X}, {}):
        with pytest.raises(RuntimeError) as caught:
            holder.load_state_dict(wrong)
        told.append(str(caught.value))
    return holder.eval()(X), *found, told


HOLDS: list[Callable[[Any, Any], Any]] = [
    what_it_has,
    in_evaluation,
    of_another_dtype,
    copied,
    frozen,
    averaged,
    loaded,
]


@pytest.mark.parametrize("use", HOLDS)
def test_a_module_of_pytorchs_holds_compiled_ones(use: Callable[[Any, Any], Any]) -> None:
    """It did not take them for modules, and trained without them."""
    found: list[Any] = []
    for script in (torch.jit.script, ts.script):
        torch.manual_seed(0)
        holder = Holder(script)
        found.append(use(holder, {n: t.clone() for n, t in holder.state_dict().items()}))
    ours, theirs = found[1], found[0]
    if use is what_it_has:
        assert ours == theirs
    else:
        assert_same(ours, theirs)


def test_a_loaded_module_is_held() -> None:
    """Its parameters become PyTorch's when that asks for them."""
    stream = io.BytesIO()
    model = Model()
    torch.jit.save(torch.jit.script(model), stream)
    stream.seek(0)
    loaded: Any = ts.load(stream)
    holder = nn.Sequential(loaded, nn.Tanh())
    wanted = trained(nn.Sequential(model, nn.Tanh()), nn.Sequential(model, nn.Tanh()))
    assert_same(trained(holder, holder), wanted)
    holder.double()
    assert all(tensor.dtype is torch.float64 for tensor in holder.state_dict().values())
    assert holder(X.double()).dtype is torch.float64


def test_copies_are_trained() -> None:
    """PyTorch's have parameters that are no leaves."""
    holder = Holder(ts.script).eval()
    before, other = holder(X), copy.deepcopy(holder)
    losses, _ = trained(other, other)
    assert losses[2] < losses[1] < losses[0]
    torch.testing.assert_close(holder(X), before)


def assert_same(ours: Any, theirs: Any) -> None:
    if isinstance(theirs, torch.Tensor):
        torch.testing.assert_close(ours, theirs)
    elif isinstance(theirs, (list, tuple)):
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)
    elif isinstance(theirs, float):
        assert ours == pytest.approx(theirs, rel=1e-5)
    else:
        assert ours == theirs


@pytest.mark.parametrize(
    "parameters",
    [
        lambda module: module.parameters(),
        lambda module: filter(lambda parameter: parameter.requires_grad, module.parameters()),
        lambda module: module.named_parameters(),
        lambda module: [{"params": module.layer.parameters(), "lr": 0.2}],
    ],
)
@pytest.mark.parametrize("script", [ts.script, torch.jit.script, saved_and_loaded])
def test_optimizers_of_pytorch_take_the_parameters_of_a_compiled_module(
    script: Callable[[nn.Module], Any], parameters: Callable[[Any], Any]
) -> None:
    def losses(compiled: Any) -> list[float]:
        optimizer = torch.optim.SGD(parameters(compiled), lr=0.1, momentum=0.9)
        found: list[float] = []
        for _ in range(3):
            optimizer.zero_grad()
            loss = compiled(X).pow(2).mean()
            loss.backward()
            norm = nn.utils.clip_grad_norm_(compiled.parameters(), 0.5)
            optimizer.step()
            found += [loss.item(), norm.item()]
        return found

    torch.manual_seed(0)
    module = Model()
    wanted = losses(torch.jit.script(copy.deepcopy(module)))
    assert losses(script(module)) == pytest.approx(wanted)
    assert wanted[-2] < wanted[0]


def test_parameters_are_those_of_pytorch_where_pytorch_goes_through_them() -> None:
    module = Model()
    compiled: Any = ts.script(module)
    assert all(isinstance(tensor, ts.Tensor) for tensor in compiled.parameters())
    assert nn.utils.parameters_to_vector(compiled.parameters()).numel() == 8
    gradients = torch.autograd.grad(compiled(X).sum(), compiled.parameters())
    assert [gradient.shape for gradient in gradients] == [(2, 3), (2,)]
    assert torch.optim.SGD(compiled.parameters()).param_groups[0]["params"] == [
        *module.parameters()
    ]


def test_gradients_that_are_asked_for_are_not_added_up() -> None:
    """`torch.autograd.grad`, and `backward` for some inputs, leave `grad` of other parameters as it is, on either side."""

    def found(script: Callable[[nn.Module], Any]) -> list[Any]:
        torch.manual_seed(0)
        compiled = script(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
        weight = next(compiled.parameters())
        x = X.clone().requires_grad_()
        (slope,) = torch.autograd.grad(compiled(x).sum(), x, create_graph=True)
        torch.autograd.grad(compiled(x).sum(), compiled.parameters())
        compiled(x).sum().backward(inputs=[x])
        assert all(tensor.grad is None for tensor in compiled.parameters())
        (slope.norm(2, dim=1) - 1).square().mean().backward()
        return [x.grad, torch.zeros(4, 3) + weight.grad]

    assert_same(found(ts.script), found(torch.jit.script))


def test_gradients_of_parameters_are_those_of_pytorch() -> None:
    """Whatever PyTorch does with one is seen, and what is done to one reaches PyTorch's optimizers."""

    def found(script: Callable[[nn.Module], Any]) -> Any:
        torch.manual_seed(0)
        module = nn.Linear(3, 1)
        compiled = script(module)
        weight: Any = next(compiled.parameters())
        original: Any = module.weight
        optimizer = torch.optim.SGD(compiled.parameters(), lr=0.5)
        compiled(X).sum().backward()
        torch.norm(original).backward()
        seen = [weight.grad.tolist()]
        weight.grad.data.clamp_(-1, 1)
        weight.grad.mul_(0.5)
        optimizer.step()
        seen += [weight.grad.tolist(), original.grad.tolist(), original.tolist()]
        (compiled(X).sum() + 0.1 * torch.sum(weight**2)).backward()
        seen += [weight.grad.tolist(), original.grad.tolist()]
        weight.grad = None
        assert original.grad is None
        return [torch.tensor(numbers) for numbers in seen]

    assert_same(found(ts.script), found(torch.jit.script))


def test_optimizers_of_ours_forget_gradients_for_pytorch() -> None:
    module = nn.Linear(3, 1)
    compiled: Any = ts.script(module)
    optimizer = stand_in.optim.SGD(compiled.parameters(), lr=0.5)
    for _ in range(2):
        optimizer.zero_grad()
        compiled(X).sum().backward()
        assert module.weight.grad is not None
        assert (
            next(compiled.parameters()).grad.tolist() == module.weight.grad.tolist() == [[4.0] * 3]
        )
    before = module.weight.tolist()
    optimizer.step()
    assert module.weight.tolist() == [pytest.approx([x - 2.0 for x in before[0]])]
