"""Parametrized tensors and states of modules, as PyTorch's own tests have them."""

import pickle
from typing import Any

import numpy as np
import pytest

from torchscript_dialect import torch
from torchscript_dialect.torch.nn.utils import parametrizations, parametrize

nn = torch.nn


class Twice(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return 2 * x

    def right_inverse(self, x: torch.Tensor) -> torch.Tensor:
        return 0.5 * x


class Joined(nn.Module):
    def forward(self, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return torch.cat([x, y])

    def right_inverse(self, x: torch.Tensor) -> Any:
        return x.split(1)


def test_a_second_parametrization_changes_the_tensor() -> None:
    layer = nn.Linear(2, 2)
    before = layer.weight.detach().clone()
    parametrize.register_parametrization(layer, "weight", Twice())
    assert layer.weight.tolist() == before.tolist()
    parametrize.register_parametrization(layer, "weight", Twice())
    assert layer.weight.tolist() == (2 * before).tolist()
    layer.weight = before
    np.testing.assert_allclose(layer.weight.detach().numpy(), before.numpy())


def test_what_a_parametrization_must_give_back() -> None:
    layer = nn.Linear(2, 2)
    parametrize.register_parametrization(layer, "weight", Twice())
    with pytest.raises(ValueError, match=r"right_inverse must return a tensor. Got: (tuple|list)"):

        class Wrong(Twice):
            def right_inverse(self, x: torch.Tensor) -> Any:
                return x, x

        parametrize.register_parametrization(layer, "weight", Wrong())
    with pytest.raises(RuntimeError, match="only supported through state_dict"):
        pickle.dumps(layer)


def test_parts_require_gradients_where_the_tensor_did() -> None:
    layer = nn.Linear(2, 2)
    layer.weight.requires_grad = False
    parametrize.register_parametrization(layer, "weight", Joined())
    assert not layer.weight.requires_grad
    assert not layer.parametrizations.weight.original1.requires_grad


def test_spectral_norm_goes_back_through_several_calls() -> None:
    torch.manual_seed(0)
    layer, x = parametrizations.spectral_norm(nn.Linear(3, 3)), torch.ones(1, 3)
    (layer(x) + layer(x)).sum().backward()
    assert layer.parametrizations.weight.original.grad is not None


def test_spectral_norm_of_complex_numbers() -> None:
    torch.manual_seed(0)
    layer = nn.Linear(3, 3, dtype=torch.complex128)
    weight = layer.weight.detach().numpy().copy()
    parametrizations.spectral_norm(layer, n_power_iterations=50)
    made = layer.weight.detach().numpy()
    np.testing.assert_allclose(np.linalg.svd(made)[1][0], 1, rtol=1e-6)
    np.testing.assert_allclose(made * np.linalg.svd(weight)[1][0], weight, rtol=1e-4)


@pytest.mark.filterwarnings("ignore:.*weight_norm. is deprecated")
def test_states_of_the_older_weight_norm_load() -> None:
    older, newer = nn.Linear(2, 3), nn.Linear(2, 3)
    x = torch.ones(1, 2)
    older = nn.utils.weight_norm(older)
    parametrizations.weight_norm(newer)
    newer.load_state_dict(older.state_dict())
    assert newer(x).tolist() == older(x).tolist()


def test_hooks_of_states() -> None:
    seen: list[Any] = []
    model = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    model[1]._register_load_state_dict_pre_hook(lambda state, prefix, *_: seen.append([*state]))
    model[0]._register_load_state_dict_pre_hook(lambda module, *_: seen.append(module), True)
    model.load_state_dict(model.state_dict())
    assert seen == [model[0], ["1.weight", "1.bias"]]
    model._register_state_dict_hook(lambda *_: {"all": 1})
    assert model.state_dict() == {"all": 1}
    other = nn.Linear(1, 1)
    other.register_state_dict_post_hook(lambda *_: {})
    with pytest.raises(RuntimeError, match="state_dict post-hook must return None"):
        other.state_dict()


def test_what_is_no_state() -> None:
    layer: Any = nn.Linear(2, 2, bias=False)
    with pytest.raises(TypeError, match="Expected state_dict to be dict-like, got <class 'str'>"):
        layer.load_state_dict("")
    with pytest.raises(RuntimeError, match="Tensor-like object from checkpoint but received"):
        layer.load_state_dict({"weight": ((1.0, 1.0), (2.0, 2.0))})
    assert not torch.__future__.get_swap_module_params_on_conversion()
    with pytest.raises(NotImplementedError, match="in place here"):
        torch.__future__.set_overwrite_module_params_on_conversion(True)


@pytest.mark.parametrize("layer", [torch.nn.LSTM, torch.nn.GRU])
def test_recurrent_layers_see_their_parametrized_weights(layer: Any) -> None:
    """They keep their weights in a list, where the ones from before had stayed."""
    x = torch.ones(2, 1, 3)

    def trained(module: Any, name: str) -> bool:
        module.zero_grad()
        module(x)[0].sum().backward()
        return dict(module.named_parameters())[name].grad is not None

    module = torch.nn.utils.parametrizations.weight_norm(layer(3, 3), "weight_hh_l0")
    assert trained(module, "parametrizations.weight_hh_l0.original1")
    parametrize.remove_parametrizations(module, "weight_hh_l0")
    assert trained(module, "weight_hh_l0")
    with pytest.warns(FutureWarning):
        module = torch.nn.utils.weight_norm(layer(3, 3), "weight_ih_l0")
    assert trained(module, "weight_ih_l0_v")
    assert trained(torch.nn.utils.remove_weight_norm(module, "weight_ih_l0"), "weight_ih_l0")
