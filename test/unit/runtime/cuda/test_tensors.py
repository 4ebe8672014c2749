"""Tensors on a device: where they are made, what moves them, what operators give, and what refuses them."""

from __future__ import annotations

import copy
import pickle
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from support.simt.driver.device import Device
from torchscript_dialect import torch
from torchscript_dialect.tensor.device_array import DeviceArray, DeviceReadError
from torchscript_dialect.tensor.tensor import Tensor

VALUES = np.arange(12, dtype=np.float32).reshape(3, 4)


def there(array: np.ndarray[Any, Any] = VALUES) -> Tensor:
    return torch.tensor(array, device="cuda")


def test_tensors_go_there_and_come_back(on_device: Device) -> None:
    x = there()
    assert (x.device, x.is_cuda, x.shape, x.stride()) == (
        torch.device("cuda:0"),
        True,
        (3, 4),
        (4, 1),
    )
    assert x.to("cuda") is x and x.cuda() is x and x.cuda("cuda:0") is x
    for back in (x.cpu(), x.to("cpu"), x.to(torch.device("cpu"), torch.float32)):
        assert not back.is_cuda
        np.testing.assert_array_equal(back.numpy(), VALUES)
    assert x.cpu().cpu().device == torch.device("cpu")
    assert x.to(torch.zeros(1)).device.type == "cpu"
    assert torch.zeros(1).to(x).is_cuda
    np.testing.assert_array_equal(x.t().cpu().numpy(), VALUES.T)
    np.testing.assert_array_equal(torch.tensor(VALUES).t().cuda().cpu().numpy(), VALUES.T)
    assert torch.tensor(VALUES).t().cuda().stride() == (1, 4)
    assert not on_device.launches


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: torch.zeros(2, 3, device="cuda"), np.zeros((2, 3), np.float32)),
        (lambda: torch.full([2], 7, device="cuda:0"), np.full(2, 7)),
        (lambda: torch.arange(4, device=torch.device("cuda")), np.arange(4)),
        (lambda: torch.zeros_like(there()), np.zeros((3, 4), np.float32)),
        (lambda: torch.ones_like(torch.ones(2), device="cuda"), np.ones(2, np.float32)),
        (lambda: there().new_full((2,), 5.0), np.full(2, 5, np.float32)),
        (lambda: torch.as_tensor([1, 2], device="cuda"), np.array([1, 2])),
        (lambda: torch.empty(0, 3, device="cuda"), np.empty((0, 3), np.float32)),
        (lambda: torch.eye(2, device="cuda", dtype=torch.float64), np.eye(2)),
    ],
)
def test_tensors_that_are_made_there(
    on_device: Device, make: Callable[[], Tensor], expected: Any
) -> None:
    made = make()
    assert made.is_cuda
    found = made.cpu().numpy()
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected)


def test_empty_tensors_are_not_copied_there(on_device: Device) -> None:
    made = torch.empty_like(there()[:, ::2].t())
    assert (made.is_cuda, made.stride()) == (True, (1, 2))
    assert on_device.calls.count("cuMemcpyHtoD_v2") == 1


def test_views_share_memory(on_device: Device) -> None:
    x = there()
    row, turned, window = x[1], x.t(), x[:, 1:3]
    assert {one.data_ptr() - x.data_ptr() for one in (row, turned, window)} == {16, 0, 4}
    assert (window.storage_offset(), window.is_contiguous()) == (1, False)
    assert x.view(2, 6).expand(3, 2, 6).stride() == (0, 6, 1)
    window.fill_(-1)
    turned[3] = there(np.full(3, 9, np.float32))
    expected = VALUES.copy()
    expected[:, 1:3] = -1
    expected[:, 3] = 9
    np.testing.assert_array_equal(x.cpu().numpy(), expected)
    np.testing.assert_array_equal(row.cpu().numpy(), expected[1])
    assert [one.tolist() for one in x] == expected.tolist()


ARGUMENTS = (VALUES, VALUES[::-1] * 0.5, VALUES[0])
EAGER: dict[str, Callable[..., Any]] = {
    "pointwise": lambda x, y, b: (x * y + b).tanh() - 0.5,
    "comparison": lambda x, y, b: torch.where(x > y, x, b),
    "number": lambda x, y, b: 2.5 - x / 3,
    "reduction": lambda x, y, b: x.sum(1, keepdim=True) + y.amax() - b.mean(),
    "softmax": lambda x, y, b: torch.softmax(x, 1),
    "turned": lambda x, y, b: (x.t() + y.t()).exp(),
    "strided": lambda x, y, b: x[:, ::2] * y[:, 1::2],
    "expanded": lambda x, y, b: b.expand(3, 4) + x,
    "reshaped": lambda x, y, b: x.t().reshape(2, 6).contiguous(),
    "cat": lambda x, y, b: torch.cat([x, y], 1),
    "cast": lambda x, y, b: x.to(torch.float64) + y.long(),
    "in_place": lambda x, y, b: x.clone().add_(y).mul_(b).clamp_(min=1),
    "in_place_view": lambda x, y, b: x.clone()[:, ::2].mul_(2),
    "out": lambda x, y, b: torch.add(x, y, out=torch.empty_like(x)),
    "masked": lambda x, y, b: x.masked_fill(x > 3, 0.0),
    "composite": lambda x, y, b: torch.std(x, 1),
    "single": lambda x, y, b: x * torch.tensor(2.0),
    "integers": lambda x, y, b: x.int() * 3 + y.int() & 5,
    "none": lambda x, y, b: x[:0] + y[:0],
}  # fmt: skip


@pytest.mark.parametrize("name", EAGER)
def test_operators_give_what_those_of_the_host_give(on_device: Device, name: str) -> None:
    run = EAGER[name]
    expected = run(*map(torch.tensor, ARGUMENTS))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = run(*map(there, ARGUMENTS))
    assert found.is_cuda and found.dtype is expected.dtype
    np.testing.assert_allclose(found.cpu().numpy(), expected.numpy(), rtol=1e-6)
    assert not on_device.faults


def test_what_has_no_kernel_goes_through_the_host_and_says_so_once(on_device: Device) -> None:
    x = there(np.diag([1, 2, 4]).astype(np.float32))
    with pytest.warns(
        RuntimeWarning, match="^aten::linalg_eigh has no kernel for CUDA devices: .* to the host"
    ):
        values, vectors = torch.linalg.eigh(x)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        again, _ = torch.linalg.eigh(x)
        torch.linalg.eigh(x[:0, :0])  # of no elements
    assert values.is_cuda and vectors.is_cuda and again.cpu().tolist() == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("dtype", [torch.float32, torch.complex64], ids=str)
def test_gradients_are_where_their_tensors_are(on_device: Device, dtype: torch.dtype) -> None:
    """They stayed on the device, and the memory of the host was read at their addresses."""
    for here, there in (("cpu", "cuda"), ("cuda", "cpu")):
        x = torch.ones(2, dtype=dtype, device=here).requires_grad_()
        for _ in range(2):
            (x * 3).to(there).square().abs().sum().backward()
        assert x.grad is not None and x.grad.device == x.device
        assert x.grad.abs().tolist() == [36.0, 36.0]


def test_what_the_host_writes_comes_back(on_device: Device) -> None:
    x = there()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        x.t().index_fill_(0, torch.tensor([1]).cuda(), 5.0)
        torch.sort(
            x,
            descending=True,
            out=(values := torch.empty(0).cuda(), places := torch.empty(0).long().cuda()),
        )
    expected = VALUES.copy()
    expected[:, 1] = 5
    np.testing.assert_array_equal(x.cpu().numpy(), expected)
    np.testing.assert_array_equal(values.cpu().numpy(), -np.sort(-expected))
    assert places.shape == (3, 4)


def test_tensors_of_two_devices(on_device: Device) -> None:
    message = "^Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!$"
    with pytest.raises(RuntimeError, match=message):
        _ = there() + torch.tensor(VALUES)
    with pytest.raises(RuntimeError, match=r"but found at least two devices, cpu and cuda:0"):
        torch.cat([torch.tensor(VALUES), there()])
    x = torch.tensor(VALUES)
    assert x.copy_(there() + 1) is x
    np.testing.assert_array_equal(x.numpy(), VALUES + 1)
    np.testing.assert_array_equal(there().copy_(x).cpu().numpy(), VALUES + 1)


def test_errors_are_those_of_the_host(on_device: Device) -> None:
    with pytest.raises(RuntimeError, match="size of tensor a"):
        _ = there() + there(np.zeros(3, np.float32))
    on_device.launches.clear()
    (there() + there(np.zeros(4, np.float32))).cpu()
    assert on_device.launches == ["kernel"]  # of other sizes it has one
    with pytest.raises(RuntimeError, match="output with shape"):
        there(np.zeros(4, np.float32)).add_(there())
    with pytest.raises(IndexError, match="Dimension out of range"):
        there().sum(2)
    with pytest.raises(RuntimeError, match="there is no device cuda:1"):
        torch.zeros(1).to("cuda:1")
    with pytest.raises(RuntimeError, match="more than one element of the written-to tensor"):
        there()[0, :1].expand(4).add_(1)


def test_python_sees_elements_by_copies(on_device: Device) -> None:
    x = there()
    assert (x[1, 2].item(), float(x[0, 1]), int(x[0, 3]), bool(x[0, 0])) == (6.0, 1.0, 3, False)
    assert x.tolist() == VALUES.tolist()
    assert repr(x[0]) == "tensor([0., 1., 2., 3.], device='cuda:0')"
    assert repr(x[:0]) == "tensor([], device='cuda:0', size=(0, 4))"
    assert repr(x[0].double()) == "tensor([0., 1., 2., 3.], device='cuda:0', dtype=torch.float64)"
    for conversion in (Tensor.numpy, np.asarray):
        with pytest.raises(
            TypeError, match=r"^can't convert cuda:0 device type tensor to numpy. Use Tensor.cpu"
        ):
            conversion(x)


def test_copies_of_objects(on_device: Device) -> None:
    x = there()
    first, second = copy.deepcopy((x, x.t()))
    second.fill_(3)
    assert (first.sum().item(), x.sum().item(), second.stride()) == (36.0, 66.0, (1, 4))
    again = pickle.loads(pickle.dumps(x))
    assert again.is_cuda
    np.testing.assert_array_equal(again.cpu().numpy(), VALUES)


@pytest.mark.parametrize(
    "read",
    [
        lambda a: a + 1,
        lambda a: np.sum(a),
        lambda a: a.astype(np.int32),
        lambda a: a[[0, 1]],
        lambda a: np.concatenate([a, a]),
        lambda a: a.T.reshape(12),
        lambda a: list(a),
        lambda a: a == a,
        lambda a: np.copyto(np.zeros((3, 4), np.float32), a),
    ],
)
def test_numpy_is_kept_from_memory_of_a_device(
    on_device: Device, read: Callable[[DeviceArray], Any]
) -> None:
    array = there().array
    assert isinstance(array, DeviceArray)
    with pytest.raises(
        DeviceReadError,
        match=r"cannot read a tensor on a device: copy it to the host, by `x.cpu\(\)`",
    ):
        read(array)


def test_gradients(on_device: Device) -> None:
    def gradients(where: str) -> list[Tensor]:
        x = torch.tensor(VALUES, device=where, requires_grad=True)
        weight = torch.tensor(VALUES[0], device=where, requires_grad=True)
        loss = ((x * weight).tanh() + x[:, 1:2]).sum()
        loss.backward()
        loss = (x * x * weight).mean()
        loss.backward()
        assert x.grad.device.type == weight.grad.device.type == where
        return [x.grad.cpu(), weight.grad.cpu()]

    for one, other in zip(gradients("cuda"), gradients("cpu"), strict=True):
        np.testing.assert_allclose(one.numpy(), other.numpy(), rtol=1e-5, atol=1e-6)


def test_modules_move(on_device: Device) -> None:
    module = torch.nn.Linear(4, 2)
    expected = module(torch.tensor(VALUES)).detach().numpy()
    scripted = torch.jit.script(torch.nn.Linear(4, 2))
    for one in (module, scripted):
        assert one.to("cuda") is one
        assert {parameter.device.type for parameter in one.parameters()} == {"cuda"}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert one(there()).is_cuda
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_allclose(
            module(there()).detach().cpu().numpy(), expected, rtol=1e-5, atol=1e-6
        )
    assert {parameter.device.type for parameter in module.cpu().parameters()} == {"cpu"}
    assert {parameter.device.type for parameter in scripted.cuda().cpu().parameters()} == {"cpu"}


def test_a_strided_view_without_elements_stays_there(on_device: Device) -> None:
    x = torch.zeros(3, 0, device="cuda")
    assert x.as_strided([0, 2], [1, 1]).is_cuda
    assert torch.ones(4, device="cuda").as_strided([2, 0], [2, 1]).is_cuda


@pytest.mark.parametrize("dim", [0, 1, 2, -2])
@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_along_any_dimension_is_computed_there(
    on_device: Device, name: str, dim: int
) -> None:
    x = torch.tensor(np.arange(24, dtype=np.float32).reshape(2, 3, 4) % 7)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = getattr(torch, name)(x.to("cuda"), dim)
    expected = getattr(torch, name)(x, dim)
    assert found.stride() == expected.stride()
    np.testing.assert_allclose(found.cpu().numpy(), expected.numpy(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("format", ["contiguous_format", "channels_last", "preserve_format"])
def test_copies_lie_in_memory_as_asked(on_device: Device, format: str) -> None:
    """A copy of turned dimensions passed for a contiguous one."""
    found: dict[str, list[Any]] = {}
    for where in ("cpu", "cuda"):
        x = torch.tensor(np.arange(24, dtype=np.float32).reshape(1, 2, 3, 4)).to(where)
        found[where] = [
            turned.clone(memory_format=getattr(torch, format)).stride()
            for turned in (x, x.transpose(1, 2), x.permute(0, 3, 1, 2), x[..., ::2])
        ]
    assert found["cuda"] == found["cpu"]


MIXED: dict[str, Any] = {
    "written to": lambda number, there: number.add_(there),
    "out": lambda number, there: torch.sqrt(there, out=number),
    "in a list": lambda number, there: torch._foreach_add_([number], [there]),
    "places": lambda number, there: there.view(1).index_select(0, number.long()),
    "stacked": lambda number, there: torch.stack([there, number]),
    "bias": lambda number, there: torch.nn.functional.linear(there.view(1, 1), there.view(1, 1), number),
    "indexed": lambda number, there: number.view(1)[there.view(1).long() * 0],
    "indexed and written to": lambda number, there: number.view(1).__setitem__(there.view(1).long() * 0, 5.0),
}  # fmt: skip


@pytest.mark.parametrize("name", MIXED)
def test_numbers_of_the_host_that_must_be_there(on_device: Device, name: str) -> None:
    number, there = torch.tensor(1.0), torch.tensor(4.0, device="cuda")
    with pytest.raises(RuntimeError, match="same device"):
        MIXED[name](number, there)
    assert number.item() == 1
    assert (number + there).item() == (there + number).item() == 5
