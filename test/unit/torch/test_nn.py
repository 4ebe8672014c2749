"""The stand-in's torch.nn: all names that PyTorch has, and for each layer the same text, state and results from the same seed."""

import copy
import json
import math
import pickle
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import torchscript_dialect as ts
from samples import nn_cases
from support.nn_cases import Side, flattened, layer_record, parameters_of
from torchscript_dialect import torch
from torchscript_dialect.tensor.tensor import Tensor

GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "nn.json").read_text())
LAYERS = nn_cases.lines(nn_cases.LAYERS)
CALLS = nn_cases.lines(nn_cases.CALLS)
SIDE = Side(torch)
nn = torch.nn
F = torch.nn.functional

NOT_HERE = {
    "nn": {"Container": "it has been without use since PyTorch 1.0"},
    "nn.parameter": {"UninitializedTensorMixin": "tensors have no classes of their own here"},
    "nn.functional": {
        "assert_int_or_pair": "PyTorch's own helper",
        "grouped_mm": "needs a GPU",
        "handle_torch_function": "PyTorch's protocol for classes that look like tensors",
        "has_torch_function": "PyTorch's protocol for classes that look like tensors",
        "has_torch_function_unary": "PyTorch's protocol for classes that look like tensors",
        "has_torch_function_variadic": "PyTorch's protocol for classes that look like tensors",
        "scaled_grouped_mm": "needs a GPU",
        "scaled_mm": "needs a GPU",
        "ScalingType": "for scaled_mm",
        "SwizzleType": "for scaled_mm",
    },
}
"""What PyTorch has and the stand-in has not, with the reason."""

NO_SCRIPT = {
    "nn.TripletMarginWithDistanceLoss": "its distance is a Python function: PyTorch refuses it as well",
    "nn.Lazy": "a layer is scripted after its first call, as in PyTorch",
}
"""Layers that are no programs, with the reason."""


def same(wanted: Any, found: Any) -> bool:
    """Equal up to the last digits of float32."""
    if isinstance(wanted, dict):
        return list(wanted) == list(found) and all(same(wanted[k], found[k]) for k in wanted)
    if isinstance(wanted, list):
        return len(wanted) == len(found) and all(map(same, wanted, found))
    if isinstance(wanted, float) or isinstance(found, float):
        both_nan = math.isnan(wanted) and math.isnan(found)
        return both_nan or wanted == found or abs(wanted - found) <= 1e-5 + 1e-4 * abs(wanted)
    return wanted == found


def test_goldens_are_of_these_cases() -> None:
    assert list(GOLDEN["layers"]) == LAYERS, "regenerate_nn_goldens.py is due"
    assert list(GOLDEN["calls"]) == CALLS, "regenerate_nn_goldens.py is due"


def _home(path: str) -> Any:
    found: Any = torch
    for part in path.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("home", GOLDEN["names"])
def test_every_name_of_pytorch_is_here_or_is_listed(home: str) -> None:
    missing = [name for name in GOLDEN["names"][home] if not hasattr(_home(home), name)]
    assert sorted(missing) == sorted(NOT_HERE.get(home, {}))


@pytest.mark.parametrize("home", GOLDEN["names"])
def test_parameters_have_pytorchs_names_and_defaults(home: str) -> None:
    different: list[str] = []
    for name, wanted in GOLDEN["names"][home].items():
        found = parameters_of(getattr(_home(home), name, None))
        is_open = found is None or any(kind.startswith("VAR") for _, kind, _ in found)
        is_open |= wanted is None or any(kind.startswith("VAR") for _, kind, _ in wanted)
        if not is_open and found != wanted:
            different.append(f"{name}: {wanted}\n    here {found}")
    assert not different, "\n".join(different)


def test_every_layer_has_a_case() -> None:
    text = nn_cases.LAYERS
    classes = [name for name in nn.__all__ if isinstance(getattr(nn, name), type)]
    named = {"Module", "ModuleDict", "ModuleList", "NLLLoss2d", "ParameterDict", "ParameterList"}
    named |= {"RNNBase", "RNNCellBase", "LinearCrossEntropyOptions", "Parameter", "Buffer"}
    named |= {"UninitializedBuffer", "UninitializedParameter", "DataParallel"}
    assert {name for name in classes if f"nn.{name}(" not in text} == named


@pytest.mark.parametrize("line", LAYERS)
def test_layer_is_pytorchs(line: str) -> None:
    found, wanted = layer_record(SIDE, line), GOLDEN["layers"][line]
    assert found["repr"] == wanted["repr"]
    assert same(wanted["state"], found["state"]), found["state"]
    assert same(wanted["result"], found["result"]), (wanted["result"], found["result"])


class Around(nn.Module):
    """A module that calls a recurrent layer, whose `forward` has two signatures."""

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner


class AroundPadded(Around):
    def forward(self, x: Tensor):
        return self.inner(x)


class AroundPacked(Around):
    def forward(self, x: nn.utils.rnn.PackedSequence):
        return self.inner(x)


def _scripted(line: str) -> tuple[Any, tuple[Any, ...]]:
    module, inputs = SIDE.layer(line)
    if line.startswith(("nn.RNN(", "nn.GRU(", "nn.LSTM(")):
        around = AroundPacked if "pack" in line else AroundPadded
        return ts.script(around(module)), inputs[:1]
    return ts.script(module), inputs


@pytest.mark.parametrize("line", [line for line in LAYERS if not line.startswith(tuple(NO_SCRIPT))])
def test_layer_scripts(line: str) -> None:
    program, inputs = _scripted(line)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        wanted = GOLDEN["layers"][line]["result"]
        if len(inputs) == 1 and line.count(" | ") and program.original_name.startswith("Around"):
            module, inputs = SIDE.layer(line)
            wanted = flattened(module(inputs[0]))
            _, inputs = SIDE.layer(line)
        found = flattened(program(*inputs[: 1 if "Around" in program.original_name else None]))
    assert same(wanted, found), (wanted, found)


@pytest.mark.parametrize("line", CALLS)
def test_call_is_pytorchs(line: str) -> None:
    assert same(GOLDEN["calls"][line], SIDE.call(line))


def test_orthogonal_parametrizations_are_orthogonal() -> None:
    for name, rows, columns in (("householder", 4, 3), ("cayley", 3, 4), ("matrix_exp", 3, 3)):
        layer = nn.utils.parametrizations.orthogonal(nn.Linear(columns, rows), orthogonal_map=name)
        weight: Any = layer.weight
        small = weight @ weight.t() if rows <= columns else weight.t() @ weight
        assert torch.allclose(small, torch.eye(min(rows, columns)), atol=1e-5)


def test_parametrized_module_copies_assigns_and_is_plain_again() -> None:
    layer = nn.Linear(3, 3)
    before = layer.weight.clone()
    nn.utils.parametrizations.weight_norm(layer)
    assert nn.utils.parametrize.is_parametrized(layer, "weight")
    assert type(layer).__name__ == "ParametrizedLinear"
    assert sorted(layer.state_dict()) == [
        "bias",
        "parametrizations.weight.original0",
        "parametrizations.weight.original1",
    ]
    copied = copy.deepcopy(layer)
    layer.weight = torch.ones(3, 3)
    assert torch.allclose(layer.weight, torch.ones(3, 3))
    assert torch.allclose(copied.weight, before)
    with nn.utils.parametrize.cached():
        assert layer.weight is layer.weight
    nn.utils.parametrize.remove_parametrizations(layer, "weight")
    assert type(layer) is nn.Linear
    assert isinstance(layer.weight, nn.Parameter)


class Doubling:
    def __call__(self, module: nn.Module, inputs: tuple[Any, ...]) -> Any:
        return (inputs[0] * 2,)


@pytest.mark.parametrize("hook", [Doubling(), partial(Doubling())])
def test_hooks_that_are_no_functions_do_not_compile(hook: Any) -> None:
    """`torch.nn.utils.weight_norm` has one; an AttributeError came from inside."""
    layer = nn.Identity()
    layer.register_forward_pre_hook(hook)
    with pytest.raises(ts.TorchScriptError, match=r"Pre-hook of Identity: '\w+' object has no"):
        ts.script(layer)


def test_hooks_come_before_and_after_and_go_away() -> None:
    layer = nn.Identity()
    seen: list[str] = []
    first = layer.register_forward_pre_hook(lambda m, args: (args[0] + 1,))
    layer.register_forward_hook(lambda m, args, result: seen.append("second"))
    layer.register_forward_hook(
        lambda m, args, kwargs, result: seen.append(f"first {sorted(kwargs)}"),
        prepend=True,
        with_kwargs=True,
    )
    assert layer(torch.zeros(1)).tolist() == [1]
    assert seen == ["first []", "second"]
    first.remove()
    assert layer(torch.zeros(1)).tolist() == [0]


def test_hook_is_called_when_forward_fails_if_it_wants_to() -> None:
    layer = nn.Linear(2, 2)
    seen: list[Any] = []
    layer.register_forward_hook(lambda m, args, result: seen.append(result), always_call=True)
    with pytest.raises(RuntimeError):
        layer(torch.zeros(3))
    assert seen == [None]


def test_state_that_does_not_fit_is_named() -> None:
    layer = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3))
    state = dict(layer.state_dict())
    state["0.weight"] = torch.zeros(1)
    state["2.weight"] = torch.zeros(1)
    del state["1.running_var"]
    with pytest.raises(RuntimeError, match=r"size mismatch for 0\.weight") as error:
        layer.load_state_dict(state)
    assert 'Missing key(s) in state_dict: "1.running_var". ' in str(error.value)
    assert 'Unexpected key(s) in state_dict: "2.weight". ' in str(error.value)


def test_parameters_stay_parameters_in_copies_and_pickles() -> None:
    layer = nn.LSTM(2, 3)
    for made in (copy.deepcopy(layer), pickle.loads(pickle.dumps(layer))):
        assert isinstance(made.weight_ih_l0, nn.Parameter)
        assert made._flat_weights[0] is made.weight_ih_l0
        assert torch.equal(made.weight_ih_l0, layer.weight_ih_l0)


def test_conversion_keeps_parameters_the_same_objects() -> None:
    layer = nn.BatchNorm1d(2)
    weight = layer.weight
    assert layer.double().weight is weight
    assert weight.dtype is torch.float64
    assert layer.num_batches_tracked.dtype is torch.int64
    with pytest.raises(TypeError, match="only accepts floating point"):
        layer.to(torch.int32)
    with pytest.raises(RuntimeError, match="does not accept copy"):
        layer.to("cpu", copy=True)
    assert layer.to(torch.ones(1)).weight.dtype is torch.float32


def test_attributes_refuse_what_pytorch_refuses() -> None:
    layer = nn.Linear(2, 2)
    with pytest.raises(TypeError, match="cannot assign 'list' as parameter 'weight'"):
        layer.weight = [1.0]
    with pytest.raises(KeyError, match="attribute 'weight' already exists"):
        layer.register_buffer("weight", torch.ones(1))
    with pytest.raises(KeyError, match=r'name can.*t contain "\."'):
        layer.register_parameter("a.b", None)
    with pytest.raises(TypeError, match="is not a Module subclass"):
        layer.add_module("inner", 3)  # type: ignore[arg-type]
    layer.scale = nn.Buffer(torch.ones(1), persistent=False)
    assert list(layer.state_dict()) == ["weight", "bias"]
    assert [name for name, _ in layer.named_buffers()] == ["scale"]


def test_buffers_are_registered_by_modules_of_before_there_were_transient_ones() -> None:
    class Old(nn.Module):
        def register_buffer(self, name: str, tensor: Any) -> None:  # type: ignore[override]
            super().register_buffer(name, tensor)

    module = Old()
    module.scale = nn.Buffer(torch.ones(1))
    assert list(module.state_dict()) == ["scale"]
    with pytest.raises(RuntimeError, match="Registering a non-persistent buffer"):
        module.shift = nn.Buffer(torch.ones(1), persistent=False)


def test_containers() -> None:
    layers = nn.ModuleList([nn.ReLU(), nn.Tanh(), nn.ReLU()])
    layers.insert(1, nn.Sigmoid())
    del layers[-1]
    assert [type(each).__name__ for each in layers] == ["ReLU", "Sigmoid", "Tanh"]
    assert repr(nn.ModuleList([nn.ReLU(), nn.ReLU()])) == "ModuleList(\n  (0-1): 2 x ReLU()\n)"
    assert len(nn.Sequential(nn.ReLU(), nn.Tanh(), nn.ReLU())[1:]) == 2
    with pytest.raises(AssertionError, match="module should be of type"):
        nn.Sequential(nn.ReLU()).insert(1, [nn.Tanh()])  # type: ignore[arg-type]
    assert list(nn.Sequential({"a": nn.ReLU()}).state_dict()) == []
    named = nn.ParameterDict({"a": torch.ones(2), "b": nn.Parameter(torch.zeros(1))})
    assert list(named.keys()) == ["a", "b"] == [name for name, _ in named.named_parameters()]
    assert [p.tolist() for p in nn.ParameterList([torch.ones(1)]).parameters()] == [[1.0]]


def test_gradients_are_clipped() -> None:
    weight = torch.tensor([3.0, -4.0]).requires_grad_()
    (weight * weight * 0.5).sum().backward()
    assert nn.utils.clip_grad_norm_([weight, torch.zeros(1)], 10.0).item() == 5
    assert weight.grad.tolist() == [3, -4]
    assert nn.utils.clip_grad_norm_(weight, 2.5).item() == 5
    assert torch.allclose(weight.grad, torch.tensor([1.5, -2.0]))
    nn.utils.clip_grad_value_([weight], 1.0)
    assert weight.grad.tolist() == [1, -1]
    weight.grad.fill_(math.inf)
    with pytest.raises(RuntimeError, match=r"of order 1\.0 .* is non-finite"):
        nn.utils.clip_grad_norm_([weight], 1.0, norm_type=1, error_if_nonfinite=True)


def test_layers_of_attention_take_no_batches() -> None:
    layer = nn.TransformerDecoderLayer(4, 2, 8)
    x = torch.randn(3, 0, 4).requires_grad_()
    result = layer(x, torch.randn(5, 0, 4))
    result.sum().backward()
    assert result.shape == x.shape


def test_lazy_layers_remember_their_dtype() -> None:
    x = torch.randn(2, 4, 5, 5, dtype=torch.float64)
    layers = nn.Sequential(nn.LazyConv2d(3, 2), nn.LazyBatchNorm2d()).double()
    assert layers(x).dtype is torch.float64
    assert layers[1].num_batches_tracked.dtype is torch.int64
    assert nn.LazyLinear(3).to(torch.float64)(x).dtype is torch.float64


@pytest.mark.parametrize(("training", "eps"), [(True, 0.0), (False, -1.0)])
def test_batch_norm_refuses_small_eps(training: bool, eps: float) -> None:
    with pytest.raises(ValueError, match="batch_norm eps must be"):
        nn.BatchNorm1d(3, eps=eps).train(training)(torch.ones(2, 3))


def test_lazy_layer_takes_its_sizes_from_a_state() -> None:
    layer = nn.LazyLinear(3)
    layer.load_state_dict(nn.Linear(2, 3).state_dict())
    assert layer.weight.shape == (3, 2)


def test_no_parameter_is_one_of_a_subclass() -> None:
    class Scaled(nn.Parameter):
        pass

    assert not isinstance(nn.Parameter(torch.ones(1)), Scaled)
