"""Names under which programs of 2019 to 2022 found what has other names now."""

import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.torch import _jit_internal
from torchscript_dialect.torch._jit_internal import Tuple  # noqa: F401  (named in comments)
from torchscript_dialect.torch.jit.annotations import BroadcastingList2
from torchscript_dialect.torch.onnx import operators
from torchscript_dialect.torch.utils.data._utils import collate


def _one(x, twice=False):
    # type: (torch.Tensor, bool) -> torch.Tensor
    return x + 1


def _two(x, twice=False):
    # type: (torch.Tensor, bool) -> Tuple[torch.Tensor, torch.Tensor]
    return x + 1, x * 2


dispatched = _jit_internal.boolean_dispatch(
    arg_name="twice",
    arg_index=1,
    default=False,
    if_true=_two,
    if_false=_one,
    module_name=__name__,
    func_name="dispatched",
)


def test_a_constant_chooses_one_of_two_functions():
    def f(x):
        a, b = dispatched(x, True)
        return a + b - dispatched(x)

    x = torch.ones(2)
    assert ts.script(f)(x).tolist() == f(x).tolist() == [2, 2]


def test_types_of_annotations():
    def pool(x, size):
        # type: (torch.Tensor, BroadcastingList2[int]) -> torch.Tensor  # pyright: ignore
        return torch.nn.functional.max_pool2d(x, size)

    x = torch.ones(1, 1, 4, 6)
    assert ts.script(pool)(x, 2).shape == (1, 1, 2, 3)
    assert _jit_internal.BroadcastingList2 is BroadcastingList2


def test_shapes_as_tensors():
    def flat(x):
        shape = operators.shape_as_tensor(x)
        return operators.reshape_from_tensor_shape(x, shape.prod().reshape(1))

    traced = ts.trace(flat, torch.ones(2, 3))
    assert flat(torch.ones(2, 3)).shape == (6,)
    assert traced(torch.ones(4, 5)).shape == (20,)


def test_whether_a_trace_is_recorded():
    def f(x):
        return x * 2 if torch._C._get_tracing_state() else x

    x = torch.ones(2)
    assert f(x).tolist() == [1, 1]
    assert ts.trace(f, x, check_trace=False)(x).tolist() == [2, 2]
    assert torch.jit._script_if_tracing is torch.jit.script_if_tracing


def test_places(monkeypatch):
    monkeypatch.setenv("TORCH_HOME", "/somewhere")
    assert torch.hub._get_torch_home() == "/somewhere"
    assert collate.default_collate is torch.utils.data.default_collate


def test_named_norms():
    x = torch.diag(torch.tensor([3.0, 4.0]))
    assert torch.norm(x, "nuc").item() == pytest.approx(7)
    assert x.norm("nuc", dim=(0, 1)).item() == pytest.approx(7)
    assert torch.norm(x, "fro", dim=[0, 1]).item() == pytest.approx(5)

    def nuclear(x):
        return torch.norm(x, "nuc")

    assert ts.script(nuclear)(x).item() == pytest.approx(7)
    with pytest.raises(RuntimeError, match="Order other not supported"):
        torch.norm(x, "other")
    with pytest.raises(RuntimeError, match="dim must be a 2-tuple"):
        torch.norm(torch.ones(2, 2, 2), "fro", dim=[0, 1, 2])
