"""Devices and the enumerations of layouts."""

import pickle

import pytest

from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.layout import channels_last, layout, memory_format


def test_devices_compare_and_print():
    assert device("cuda:1") == device("cuda", 1) != device("cuda")
    assert {device("cpu"), device(device("cpu"))} == {device("cpu")}
    assert str(device("cuda", 1)) == "cuda:1"
    assert repr(device("cpu")) == "device(type='cpu')"
    assert repr(device("cuda:1")) == "device(type='cuda', index=1)"
    assert pickle.loads(pickle.dumps(device("cuda:3"))) == device("cuda:3")


@pytest.mark.parametrize(
    "arguments, message",
    [
        (("cuda:01",), "Invalid device string: 'cuda:01'"),
        (("",), "Device string must not be empty"),
        (("foo",), "Expected one of cpu, cuda, .* device type at start of device string: foo"),
        (("cuda:1", 1), "type \\(string\\) must not include an index"),
        (("cuda", -1), "Device index must not be negative"),
    ],
)
def test_texts_that_name_no_device(arguments: tuple[str, int], message: str):
    with pytest.raises(RuntimeError, match=message):
        device(*arguments)


def test_enumerations_are_pytorchs_integers():
    assert layout.strided == 0
    assert memory_format(2) is channels_last
    assert str(channels_last) == "torch.channels_last"
