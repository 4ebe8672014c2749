"""The stand-in for `torch`: names, modules, functions that are Python source."""

import builtins
import importlib
import inspect
from typing import Any, Optional, cast

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.frontend.python.qualified_names import qualified_python_name
from torchscript_dialect.tensor.tensor import Tensor


def test_dtypes_have_pytorchs_names() -> None:
    assert torch.float is torch.float32
    assert torch.long is torch.int64
    assert torch.bool is torch.zeros(1, dtype=torch.bool).dtype
    assert repr(torch.float32) == "torch.float32"
    assert torch.finfo(torch.float32).eps == np.finfo(np.float32).eps
    assert torch.iinfo(torch.int8).max == 127


def test_unknown_name() -> None:
    with pytest.raises(AttributeError, match="module 'torch' has no attribute 'no_such'"):
        _ = torch.no_such


def test_tensor_copies_and_from_numpy_does_not() -> None:
    array = np.zeros(2, np.float32)
    shared, copied = torch.from_numpy(array), torch.tensor(array)
    array[0] = 1
    assert (shared.tolist(), copied.tolist()) == ([1, 0], [0, 0])


def test_operators_by_namespace() -> None:
    assert torch.ops.aten.add(torch.ones(2), 1).tolist() == [2, 2]


def test_operators_named_like_builtins_do_not_hide_these() -> None:
    read = {name for name in dir(builtins) if hasattr(torch, name)}
    assert {"len", "sorted", "max", "range"} <= read
    x = torch.ones(2, 2)
    assert torch.len(x) == 2
    assert torch.einsum("ij,jk->ik", x, x).tolist() == [[2, 2], [2, 2]]
    assert torch.tensor([[1, 2]]).tolist() == [[1, 2]]
    of_module = [value for value in vars(torch).values() if inspect.isfunction(value)]
    own = [each.__code__ for each in of_module if each.__globals__ is vars(torch)]
    assert not read & {name for code in own for name in code.co_names}


def test_dtypes_without_tensors_are_names_of_numbers() -> None:
    assert torch.chalf == torch.complex32
    assert repr(torch.complex32) == "torch.complex32"
    assert torch.ones(1).dtype != torch.complex32
    with pytest.raises(TypeError, match="complex32"):
        torch.ones(1).to(torch.complex32)
    with pytest.raises(AttributeError):
        _ = torch.complex31


def test_norm() -> None:
    x = torch.tensor([[3.0, 4.0], [0.0, 5.0]])
    assert torch.norm(x, p=2, dim=1).tolist() == [5, 5]
    assert torch.norm(x, p=1).tolist() == 12
    assert torch.norm(x, dim=1, keepdim=True).shape == (2, 1)
    types = [len(fn.__code__.co_varnames) > 0 for fn in torch.norm.__torchscript_overloads__]
    assert types == [True] * 4


def test_grad_modes() -> None:
    assert torch.is_grad_enabled()
    with torch.no_grad():
        assert not torch.is_grad_enabled()
        with torch.enable_grad():
            assert torch.is_grad_enabled()

    @torch.no_grad()
    def inside() -> bool:
        return torch.is_grad_enabled()

    assert not inside()
    assert torch.is_grad_enabled()


def test_marks_for_the_compiler() -> None:
    assert torch.jit.annotate(int, 3) == 3
    assert not torch.jit.is_scripting()
    assert torch.jit.wait(torch.jit.fork(lambda a: a + 1, 2)) == 3
    assert torch.jit.isinstance([1, 2], list[int])
    assert not torch.jit.isinstance([1, "a"], list[int])

    @torch.jit.ignore
    def one() -> int:
        return 1

    @torch.jit.ignore(drop=True)
    def two() -> int:
        return 2

    assert one._torchscript_modifier.startswith("ignore")
    assert two._torchscript_modifier.startswith("unused")


class Model(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(3, 2)
        self.scale = torch.nn.Parameter(torch.ones(2))
        self.register_buffer("steps", torch.zeros(1))
        self.name = "m"

    def forward(self, x: Tensor) -> Tensor:
        return self.linear(x) * self.scale


def test_module_sorts_attributes() -> None:
    model = Model()
    assert [name for name, _ in model.named_parameters()] == [
        "scale",
        "linear.weight",
        "linear.bias",
    ]
    assert [name for name, _ in model.named_buffers()] == ["steps"]
    assert [name for name, _ in model.named_modules()] == ["", "linear"]
    assert list(model.state_dict()) == ["scale", "steps", "linear.weight", "linear.bias"]
    assert model(torch.ones(4, 3)).shape == (4, 2)
    assert not model.eval().linear.training
    assert isinstance(model.scale, torch.nn.Parameter)
    assert not isinstance(torch.ones(2), torch.nn.Parameter)


def test_module_state_loads() -> None:
    a, b = Model(), Model()
    a.load_state_dict(b.state_dict())
    assert a.linear.weight.tolist() == b.linear.weight.tolist()
    with pytest.raises(RuntimeError, match=r'Missing key\(s\) in state_dict: "steps"'):
        a.load_state_dict({k: v for k, v in b.state_dict().items() if k != "steps"})


def test_module_without_init() -> None:
    class Forgetful(torch.nn.Module):
        def __init__(self) -> None:
            self.linear = torch.nn.Linear(1, 1)

    with pytest.raises(AttributeError, match=r"before Module\.__init__\(\) call"):
        Forgetful()


def test_layers() -> None:
    x = torch.ones(2, 3)
    model = torch.nn.Sequential(
        torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Dropout(0.5), torch.nn.Softmax(1)
    )
    assert torch.allclose(model.eval()(x).sum(1), torch.ones(2))
    h, c = torch.nn.LSTMCell(3, 4)(x)
    assert h.shape == c.shape == (2, 4)
    assert (
        qualified_python_name(torch.nn.Softmax) == "__torch__.torch.nn.modules.activation.Softmax"
    )
    assert qualified_python_name(torch.nn.functional.layer_norm) == (
        "__torch__.torch.nn.functional.layer_norm"
    )


def test_paddings_of_convolutions_by_name() -> None:
    """`same` became a padding for each of its four letters."""
    layer = torch.nn.Conv1d(1, 1, 4, padding="same", dilation=2)
    assert layer.padding == "same"
    scripted = ts.script(layer)
    for _ in range(3):
        assert scripted(np.ones((1, 1, 9), np.float32)).shape == (1, 1, 9)
    with pytest.raises(ValueError, match="not supported for strided convolutions"):
        torch.nn.Conv2d(1, 1, 3, stride=2, padding="same")
    with pytest.raises(ValueError, match="Invalid padding string 'full'"):
        torch.nn.Conv2d(1, 1, 3, padding="full")


def test_dtypes_that_operators_give_are_dtypes_in_python_and_ints_in_programs() -> None:
    x = torch.ones(2, dtype=torch.int32)
    assert torch.result_type(x, 1.5) is torch.float32
    assert torch.promote_types(torch.int32, torch.float16) is torch.float16

    @ts.script
    def of_program(x: torch.Tensor) -> int:
        return torch.result_type(x, 1.5)

    assert of_program(x) == 6


def test_tensordot_takes_dimensions_in_all_of_pytorch_s_ways() -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    product, turned = [[7.0, 10.0], [15.0, 22.0]], [[7.0, 15.0], [10.0, 22.0]]
    assert torch.tensordot(x, x, 1).tolist() == torch.tensordot(x, x, dims=1).tolist() == product
    assert torch.tensordot(x, x).tolist() == 30.0
    assert torch.tensordot(x, x, ([0], [1])).tolist() == turned
    assert torch.tensordot(x, x, torch.tensor([[0], [1]])).tolist() == turned
    for dims in (-1, 3):
        with pytest.raises(RuntimeError, match=f"but got dims={dims}"):
            torch.tensordot(x, x, dims)
    assert torch.chain_matmul(x, x, x).tolist() == [[37.0, 54.0], [81.0, 118.0]]


def test_operators_do_not_shadow_functions_of_python() -> None:
    """The namespace keeps what it was asked for: `min` became `torch.min` in its own functions."""
    assert torch.min and torch.range
    x = torch.ones(2, 2)
    assert torch.tensordot(x, x, 1).tolist() == [[2.0, 2.0], [2.0, 2.0]]


def test_numbers_that_operators_do_not_take() -> None:
    x = torch.tensor([1.0, 2.0, 0.5])
    with pytest.raises(RuntimeError, match="non-complex scalar as the order"):
        torch.norm(x, p=2 + 1j)
    for alpha in (torch.add, torch.sub):
        with pytest.raises(RuntimeError, match="Boolean alpha"):
            alpha(x, x, alpha=True)


def test_numbers_beyond_a_dtype_are_infinite_in_it() -> None:
    """As in PyTorch, where the order of a norm has the dtype of the powers, and float16 holds what corrcoef divides."""
    assert torch.norm(torch.tensor([1.0, 2.0, 0.5]), p=1e39).item() == 1.0
    x = torch.tensor([[600.0, -600.0, 100.0], [1.0, 2.0, 3.0]], dtype=torch.float16)
    (first, second), (third, fourth) = torch.corrcoef(x).tolist()
    assert first != first and (second, third, fourth) == (0.0, 0.0, 1.0)


def test_heaviside_has_no_derivative() -> None:
    x = torch.tensor([1.0, 2.0]).requires_grad_()
    with pytest.raises(RuntimeError, match="heaviside is not implemented"):
        torch.heaviside(x, x.detach()).sum().backward()


def test_names_that_published_programs_use() -> None:
    """`torch.jit._fork` and its like, Parameter as a type, tensordot with a number of dimensions."""

    def products(x):
        return torch.tensordot(x, x, 1), torch.tensordot(x, x), torch.tensordot(x, x, ([0], [0]))

    def typed(x: torch.nn.Parameter, other: Optional[torch.nn.Parameter] = None):  # noqa: UP045
        return x if isinstance(other, torch.nn.Parameter) else x * 2

    def unwrapped(x, other: Optional[torch.Tensor]):  # noqa: UP045
        return torch.jit._wait(torch.jit._fork(torch.relu, x)) + torch.jit._unwrap_optional(other)

    x = torch.arange(4.0).view(2, 2)
    for given, wanted in zip(torch.jit.script(products)(x), products(x), strict=True):
        assert given.tolist() == wanted.tolist()
    f, g = torch.jit.script(typed), torch.jit.script(unwrapped)
    assert f(x).tolist() == [[0.0, 2.0], [4.0, 6.0]] and f(x, x).tolist() == x.tolist()
    assert g(x, x).tolist() == unwrapped(x, x).tolist() == [[0.0, 2.0], [4.0, 6.0]]
    with pytest.raises(RuntimeError, match="nwrapping null optional"):
        g(x, None)


def test_schemes_of_quantized_tensors_are_objects() -> None:
    x = torch.quantize_per_tensor(torch.ones(2), 0.1, 0, torch.quint8)
    assert x.qscheme() is torch.per_tensor_affine and isinstance(x.qscheme(), torch.qscheme)
    assert repr(torch.per_channel_symmetric) == "torch.per_channel_symmetric"


def test_names_from_before() -> None:
    """`Variable`, products of sparse matrices by other names, and capsules."""
    x = torch.autograd.Variable(torch.ones(2), requires_grad=True)
    assert x.requires_grad and isinstance(x, torch.autograd.Variable)
    assert torch.spmm(torch.eye(2).to_sparse(), torch.ones(2, 1)).tolist() == [[1], [1]]
    assert torch.from_dlpack(torch.ones(2)).tolist() == [1, 1]
    assert type(torch.to_dlpack(torch.ones(2))).__name__ == "PyCapsule"
    with pytest.raises(torch.linalg.LinAlgError, match="singular"):
        torch.linalg.inv(torch.zeros(2, 2))


def test_inference_mode_is_told() -> None:
    with torch.inference_mode():
        assert torch.is_inference_mode_enabled() and not torch.is_grad_enabled()
        with torch.inference_mode(False):
            assert not torch.is_inference_mode_enabled() and torch.is_grad_enabled()
        assert torch.is_inference_mode_enabled()
    assert not torch.is_inference_mode_enabled()


def test_what_programs_ask_libraries_and_bindings() -> None:
    def f(x, y):
        sizes = torch._C._infer_size(x.size(), y.size())
        return sizes if torch.backends.cudnn.enabled else x.size()

    x, y = torch.ones(2, 1, 3), torch.ones(4, 1)
    assert ts.script(f)(x, y) == f(x, y) == [2, 4, 3]


def test_what_no_overload_takes() -> None:
    with pytest.raises(RuntimeError, match="argument 'self' is missing"):
        torch.ops.aten.relu()
    with pytest.raises(TypeError, match="argument 'self' is missing"):
        torch.relu()


def test_settings_of_backends_are_kept() -> None:
    torch.backends.cudnn.benchmark = True
    with torch.backends.cudnn.flags(enabled=False, benchmark=False):
        assert not torch.backends.cudnn.enabled and not torch.backends.cudnn.benchmark
    assert torch.backends.cudnn.enabled and torch.backends.cudnn.benchmark
    torch.backends.cudnn.benchmark = False
    assert not torch.backends.mps.is_available()
    assert torch.version.__version__ == torch.__version__ == "2.13.0"


def test_questions_that_published_programs_ask() -> None:
    x = torch.ones(1)
    torch._C._log_api_usage_once("a library")
    assert not torch._C._are_functorch_transforms_active() and not torch.onnx.is_in_onnx_export()
    assert not isinstance(x.shape[0], torch.SymInt) and "USE_CUDA=OFF" in torch.__config__.show()
    assert torch.autograd.forward_ad.unpack_dual(x).tangent is None
    proxies = importlib.import_module("torchscript_dialect.torch.fx.experimental.proxy_tensor")
    fakes = importlib.import_module("torchscript_dialect.torch._subclasses.fake_tensor")
    assert proxies.get_proxy_mode() is None and not fakes.is_fake(x)
    assert torch.utils.checkpoint.get_device_states([x]) == ([], [])
    with pytest.raises(AttributeError, match="torchscript_dialect stands in"):
        _ = torch.multiprocessing.Queue


def test_futures_of_futures() -> None:
    first, second = (torch.jit.fork(torch.add, torch.ones(1), number) for number in (1, 2))
    both = torch.futures.collect_all([first, second])
    assert [each.wait().item() for each in both.wait()] == [2, 3]
    assert [value.item() for value in torch.futures.wait_all([second, first])] == [3, 2]


def test_collected_futures_are_done_with_the_last() -> None:
    first, second = torch.futures.Future[int](), torch.futures.Future[int](devices=[])
    both = torch.futures.collect_all([first, second])
    second.set_exception(ValueError("no"))
    assert not both.done()
    first.set_result(1)
    assert both.done() and torch.futures.collect_all([]).done()
    with pytest.raises(ValueError, match="no"):
        torch.futures.wait_all([first, second])
    for wait in (
        torch.jit.wait,
        lambda it: torch.futures.wait_all([it]),
        lambda it: torch.futures.collect_all([it]),
    ):  # type: ignore[misc]
        with pytest.raises(RuntimeError, match="Future can't be None"):
            wait(cast(Any, None))


def test_versions_compare_as_versions() -> None:
    version: Any = torch.__version__
    assert "2.8" < version < "2.13.1" and version >= (2, 9) and version >= [2, 13]
    assert version > "2.13.0rc1" and version > "2.13.0.dev20260101" and version < "2.13.0+cpu"
    assert version == "2.13" and hash(version) == hash("2.13.0") and version != "parrot"
