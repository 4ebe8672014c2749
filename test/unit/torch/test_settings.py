"""What programs set for the process: printing, threads, determinism, defaults."""

from collections.abc import Iterator
from typing import Any

import pytest

from torchscript_dialect import torch


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    threads, tasks = torch.get_num_threads(), torch.get_num_interop_threads()
    yield
    torch.set_printoptions(profile="default")
    torch.set_num_threads(threads)
    torch.set_num_interop_threads(tasks)
    torch.use_deterministic_algorithms(False)
    torch.set_default_dtype(torch.float32)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"precision": 2}, "tensor([0.00, 0.33, 0.67, 1.00])"),
        ({"sci_mode": True, "precision": 1}, "tensor([0.0e+00, 3.3e-01, 6.7e-01, 1.0e+00])"),
        ({"profile": "short", "threshold": 3}, "tensor([0.00, 0.33, 0.67, 1.00])"),
        ({"threshold": 3, "edgeitems": 1}, "tensor([0.,  ..., 1.])"),
        ({"linewidth": 24}, "tensor([0.0000, 0.3333,\n        0.6667, 1.0000])"),
        ({"profile": "no such"}, "tensor([0.0000, 0.3333, 0.6667, 1.0000])"),
    ],
)
def test_how_tensors_print(options: dict[str, Any], text: str) -> None:
    torch.set_printoptions(**options)
    assert repr(torch.arange(4) / 3) == text


def test_numbers_that_are_far_apart() -> None:
    x = torch.tensor([1e10, 1.0])
    assert repr(x) == "tensor([1.0000e+10, 1.0000e+00])"
    torch.set_printoptions(sci_mode=False)
    assert repr(x) == "tensor([10000000000.,           1.])"
    torch.set_printoptions(precision=4)  # forgets what was said of sci_mode
    assert repr(x) == "tensor([1.0000e+10, 1.0000e+00])"


def test_full_text() -> None:
    assert "..." in repr(torch.zeros(1001))
    torch.set_printoptions(profile="full")
    assert "..." not in repr(torch.zeros(1001))


def test_threads() -> None:
    torch.set_num_threads(1)
    torch.set_num_interop_threads(3)
    assert (torch.get_num_threads(), torch.get_num_interop_threads()) == (1, 3)
    for setter in (torch.set_num_threads, torch.set_num_interop_threads):
        with pytest.raises(RuntimeError, match="expects a positive integer"):
            setter(0)


def test_determinism() -> None:
    torch.use_deterministic_algorithms(True, warn_only=True)
    assert torch.are_deterministic_algorithms_enabled()
    assert torch.is_deterministic_algorithms_warn_only_enabled()
    assert torch.get_deterministic_debug_mode() == 1
    torch.set_deterministic_debug_mode("error")
    assert torch.get_deterministic_debug_mode() == 2
    for wrong in (3, "loud"):
        with pytest.raises(RuntimeError, match="invalid value of debug_mode"):
            torch.set_deterministic_debug_mode(wrong)


def test_defaults() -> None:
    torch.set_default_tensor_type(torch.DoubleTensor)
    assert torch.ones(1).dtype is torch.float64
    torch.set_default_tensor_type("torch.FloatTensor")
    assert torch.Tensor(2).dtype is torch.float32
    with pytest.raises(TypeError, match="only floating-point types"):
        torch.set_default_tensor_type(torch.LongTensor)
    torch.set_default_device("cpu")
    assert torch.get_default_device() == torch.device("cpu")
    with torch.device("cpu") as device:
        assert torch.ones(1).device == device
    with pytest.raises(NotImplementedError, match="not on cuda"):
        torch.set_default_device("cuda")
    with pytest.raises(NotImplementedError, match="not on meta"), torch.device("meta"):
        pass
