"""`torch.testing.make_tensor`: PyTorch's values for a seed, its ranges and its refusals."""

from typing import Any

import pytest

from torchscript_dialect import torch
from torchscript_dialect.torch.testing import make_tensor

NAN = float("nan")


@pytest.mark.parametrize(
    ("dtype", "options", "expected"),
    [
        (torch.bool, {}, [False, False, True, True]),
        (torch.int8, {}, [4, 2, 7, 3]),
        (torch.int64, {"noncontiguous": True}, [2, 3, 6, -1]),
        (torch.float32, {"requires_grad": True}, [-8.923256874084473, -7.0997514724731445, -3.8548355102539062, -8.514813423156738]),
        (torch.bfloat16, {"low": 0.5, "high": 1.5}, [0.50390625, 0.60546875, 0.78515625, 0.52734375]),
        (torch.float16, {"exclude_zero": True}, [-8.921875, -7.1015625, -3.85546875, -8.515625]),
    ],
)  # fmt: skip
def test_values_of_a_seed(dtype: Any, options: dict[str, Any], expected: list[Any]) -> None:
    torch.manual_seed(3)
    made = make_tensor((2, 2), dtype=dtype, device="cpu", **options)
    assert made.detach().flatten().tolist() == expected
    assert made.dtype is dtype
    assert made.requires_grad is options.get("requires_grad", False)
    assert made.is_contiguous() is not options.get("noncontiguous", False)


@pytest.mark.parametrize(
    ("dtype", "options", "said"),
    [
        (torch.float32, {"low": 5, "high": 1}, "must be less than"),
        (torch.float32, {"low": NAN}, "cannot be NaN"),
        (torch.uint8, {"low": -5, "high": -1}, "only supports"),
        (torch.int32, {"requires_grad": True}, "not supported for boolean and integral"),
        (torch.float32, {"noncontiguous": True, "memory_format": torch.channels_last}, "exclusive"),
    ],
)
def test_refusals(dtype: Any, options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        make_tensor(2, 2, dtype=dtype, device="cpu", **options)
