"""Devices in operators; those of CUDA are in test/unit/runtime/cuda."""
# pyright: reportOptionalCall=false, reportOperatorIssue=false, reportAttributeAccessIssue=false
# pyright: reportIndexIssue=false, reportOptionalMemberAccess=false

import pytest

from torchscript_dialect import torch
from torchscript_dialect.ops import registry


def kernel(name: str):
    operator = registry.find(name)
    assert operator is not None
    return operator.kernel


def test_to_device() -> None:
    x = torch.ones(2)
    assert kernel("aten::to.prim_Device")(x, torch.device("cpu"), None, False, False) is x
    assert (
        kernel("aten::to.device")(x, torch.device("cpu"), 7, False, False, None).dtype
        is torch.float64
    )
    with pytest.raises(RuntimeError, match="not on device 'mps'"):
        kernel("aten::to.prim_Device")(x, torch.device("mps"), None, False, False)


def test_parts_of_devices() -> None:
    device = kernel("aten::device.with_index")("cuda", 1)
    assert (kernel("prim::type")(device), kernel("prim::index")(device)) == ("cuda", 1)
    assert kernel("aten::eq.device")(device, torch.device("cuda:1"))


def test_an_output_gets_the_size_of_a_result() -> None:
    x = torch.zeros(2, 3)
    torch.ops.aten._resize_output_(x, [4], torch.device("cpu"))
    assert x.shape == (4,)
