"""What loading, converting and copying does to tensors of modules that somebody else holds, too; as in PyTorch."""

from __future__ import annotations

import copy
import io
from typing import Any

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch

nn = torch.nn


def trained(module: Any) -> Any:
    module(torch.ones(2, 3)).sum().backward()
    return module


@pytest.mark.parametrize("make", [lambda one: one, ts.script])
def test_loading_writes_to_what_gradients_need(make: Any) -> None:
    """The gradient of the input was that of the weight that had been loaded."""
    module = make(nn.Linear(3, 2))
    x = torch.ones(2, 3, requires_grad=True)
    y = module(x).square().sum()
    module.load_state_dict({name: one * 2 for name, one in module.state_dict().items()})
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()


def test_inference_tensors_are_not_loaded_into() -> None:
    module = nn.BatchNorm1d(3)
    with torch.inference_mode():
        module.running_mean = module.running_mean * 1.0
    with pytest.raises(RuntimeError, match='While copying the parameter named "running_mean"'):
        module.load_state_dict(module.state_dict())


def test_old_states_have_one_dimension_where_there_is_none() -> None:
    module = nn.BatchNorm1d(3)
    module.load_state_dict({**module.state_dict(), "num_batches_tracked": torch.tensor([5])})
    assert module.num_batches_tracked.tolist() == 5


@pytest.mark.parametrize("make", [lambda one: one, ts.script])
def test_gradients_are_converted_with_their_parameters(make: Any) -> None:
    module = trained(make(nn.Linear(3, 2)))
    grad = module.weight.grad
    module.double()
    assert module.weight.grad is grad and grad.dtype is torch.float64
    trained(module.float())
    assert grad.dtype is torch.float32 and (grad == 4).all()


def test_copied_parameters_have_no_gradients() -> None:
    module = trained(nn.Linear(3, 2))
    assert copy.deepcopy(module).weight.grad is None
    assert copy.deepcopy(module.weight).grad is None
    other = torch.ones(2, requires_grad=True)
    other.sum().backward()
    assert copy.deepcopy(other).grad is not None


def test_copied_parameters_share_no_memory() -> None:
    module, base = nn.Linear(3, 2), torch.zeros(8)
    module.weight = nn.Parameter(base[2:].view(2, 3))
    module.bias = nn.Parameter(base[2:4], requires_grad=False)
    copied = copy.deepcopy(module)
    with torch.no_grad():
        copied.bias.fill_(7)
    assert copied.weight.sum() == 0 and copied.weight.storage_offset() == 0
    tied = nn.Sequential(module, module)
    tied[1] = nn.Linear(3, 2)
    tied[1].weight = module.weight
    copied = copy.deepcopy(tied)
    assert copied[0].weight is copied[1].weight


def test_parameters_of_other_dtypes_are_refused() -> None:
    x = torch.ones(2, 4)
    for other in (torch.float64, torch.int64, torch.bfloat16):
        for weight, bias in (
            (torch.ones(4, dtype=other), None),
            (None, torch.ones(4, dtype=other)),
        ):
            with pytest.raises(RuntimeError, match="mixed dtype"):
                nn.functional.layer_norm(x, (4,), weight, bias)
    with pytest.raises(RuntimeError, match="mixed dtype"):
        nn.functional.layer_norm(x.double(), (4,), torch.ones(4))
    assert nn.functional.layer_norm(x.half(), (4,), torch.ones(4)).dtype is torch.float16
    with pytest.raises(RuntimeError, match="expected scalar type Float but found Double"):
        torch.cdist(x, x.double())


def test_states_tell_the_versions_of_modules() -> None:
    model = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    state: Any = model.state_dict()
    assert state._metadata == {"": {"version": 1}, "0": {"version": 1}, "1": {"version": 2}}
    file = io.BytesIO()
    torch.save(state, file)
    file.seek(0)
    assert torch.load(file)._metadata == state._metadata
    del state["1.num_batches_tracked"]
    with pytest.raises(RuntimeError, match="Missing key"):
        model.load_state_dict(state)
    model.load_state_dict(dict(state))  # of a version that nobody knows
    wrapped: Any = nn.ModuleDict({"module": model}).state_dict()
    nn.modules.utils.consume_prefix_in_state_dict_if_present(wrapped, "module.")
    assert list(wrapped) == list(model.state_dict()) and "1" in wrapped._metadata


class _Getting(nn.Module):
    def get_extra_state(self) -> Any:
        return 1


class _Setting(nn.Module):
    def set_extra_state(self, state: Any) -> None:
        self.state = state


def test_extra_states_are_missing_and_unexpected() -> None:
    assert dict(_Getting().state_dict()) == {"_extra_state": 1}
    with pytest.raises(RuntimeError, match=r"Unexpected key.*_extra_state"):
        _Getting().load_state_dict(_Getting().state_dict())
    with pytest.raises(RuntimeError, match=r"Missing key.*_extra_state"):
        _Setting().load_state_dict(_Setting().state_dict())


def test_names_that_modules_refuse() -> None:
    module, tensor = nn.Module(), nn.Parameter(torch.ones(1))
    module.taken = 5  # type: ignore[assignment]
    with pytest.raises(KeyError, match="already exists"):
        module.register_parameter("taken", tensor)
    for kind, add in (
        ("parameter", module.register_parameter),
        ("buffer", module.register_buffer),
        ("module", module.add_module),
    ):
        with pytest.raises(TypeError, match=f"{kind} name should be a string. Got int"):
            add(1, None)  # type: ignore[arg-type]
    module.taken = tensor
    assert dict(module.named_parameters()) == {"taken": tensor}
    layers = nn.Sequential(module)
    assert "0" not in dir(layers)
    with pytest.raises(IndexError, match="Index out of range: 3"):
        layers.insert(3, module)


def test_cells_refuse_a_cell_state_of_another_batch() -> None:
    with pytest.raises(RuntimeError, match="doesn't match hidden0 batch size 1"):
        nn.LSTMCell(2, 3)(torch.ones(3, 2), (torch.ones(3, 3), torch.ones(1, 3)))


def test_rectifiers_in_place_have_gradients() -> None:
    x = torch.tensor([1.0, -1.0], requires_grad=True)
    nn.RReLU(0.25, 0.25, inplace=True)(x + 0).sum().backward()
    assert x.grad is not None and x.grad.tolist() == [1.0, 0.25]


def test_fused_weights_require_gradients_as_before() -> None:
    linear, norm = nn.Linear(2, 2), nn.BatchNorm1d(2)
    linear.bias.requires_grad_(False)
    weight, bias = nn.utils.fusion.fuse_linear_bn_weights(
        linear.weight, linear.bias, norm.running_mean, norm.running_var, norm.eps, norm.weight, norm.bias
    )  # fmt: skip
    assert weight.requires_grad and not bias.requires_grad


def test_hooks_that_are_always_called_come_after_a_hook_that_fails() -> None:
    def fails(*_: Any) -> None:
        raise ValueError("before")

    layer, seen = nn.Linear(1, 1), list[Any]()
    layer.register_forward_pre_hook(fails)
    layer.register_forward_hook(lambda *given: seen.append(given[2]), always_call=True)
    with pytest.raises(ValueError, match="before"):
        layer(torch.ones(1, 1))
    assert seen == [None]
