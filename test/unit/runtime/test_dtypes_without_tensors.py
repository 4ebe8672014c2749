"""Dtypes of PyTorch's that no tensor here can have: each call says so, before and after it is compiled."""

import numpy as np
import pytest

import torchscript_dialect as ts

X = np.ones((2, 2), np.float32)


@pytest.mark.parametrize(
    "text",
    [
        "x.to(torch.complex32)",
        "torch.zeros([2], dtype=torch.complex32) + x",
        "torch.sum(x, dtype=torch.complex32)",
        "torch.full([2], 1, dtype=torch.bits8)",
    ],
)
def test_every_call_names_the_dtype_and_the_line(text: str) -> None:
    f = ts.CompilationUnit(f"def f(x: Tensor):\n    return {text}\n")["f"]
    for _ in range(3):
        with pytest.raises(
            RuntimeError, match=r"(?s)line 2.*(complex32|bits8)\) is not a supported dtype"
        ):
            f(X)
