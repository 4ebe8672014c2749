"""Numbers in the place of tensors, and in the order from before keywords: values, dtypes and gradients are PyTorch's."""

from typing import Any

import numpy as np
import pytest
import torch

from torchscript_dialect import torch as stand_in

pytestmark = pytest.mark.filterwarnings("ignore:.*deprecated:UserWarning")

CALLS = """
torch.add(0.1, x)  torch.sub(3, x)  torch.subtract(2.5, x)  torch.mul(0.1, x)  torch.multiply(2, x)  torch.div(1.0, x)
torch.divide(7, x)  torch.true_divide(1, x)  torch.div(7, x, rounding_mode="floor")  torch.floor_divide(7.5, x)
torch.add(2, other=x)  torch.add(input=2, other=x, alpha=3)  torch.mul(1j, x)  torch.add(True, x)
x.add(2, y)  x.clone().add_(2, y)  torch.add(x, 2, y)  x.sub(2, y)  x.clone().sub_(2, y)
x.addcmul(2, x, y)  x.clone().addcmul_(3, x, y)  torch.addcmul(x, 2, x, y)
""".replace("\n", "  ").split("  ")
FLOATS = """
x.addcdiv(0.5, x, y); x.clone().addcdiv_(-0.5, x, y); torch.addcdiv(x, 0.5, x, y); torch.addmm(0.5, x, 2, x, y)
torch.addmm(0.5, x, x, y); x.addmm(0.5, 2, x, y); x.addmm(0.5, x, y); x.clone().addmm_(0.5, 2, x, y); torch.addmv(0.5, x[0], 2, x, y[0])
x[0].addmv(0.5, x, y[0]); torch.addr(0.5, x, 2, x[0], y[0]); torch.baddbmm(0.5, x[None], 2, x[None], y[None])
torch.addbmm(0.5, x, 2, x[None], y[None]); x[None].clone().baddbmm_(0.5, 2, x[None], y[None]); torch.div(1.0, x); torch.sub(2, x)
x[0, 0].add(2, y[0, 0])
""".replace("\n", ";").split(";")
DTYPES = ("float32", "float64", "float16", "bfloat16", "int32", "uint8", "bool", "complex64")


def told(library: Any, text: str, x: Any, y: Any) -> Any:
    try:
        found = eval(text, {"torch": library, "x": x, "y": y})
    except (RuntimeError, TypeError):
        return "refused"
    return str(found.dtype), found.shape, found.to(library.complex128).tolist()


def operands(library: Any, dtype: str, shape: tuple[int, ...]) -> list[Any]:
    return [library.full(shape, number).to(getattr(library, dtype)) for number in (3, 5)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(2, 2), ()])
def test_values(dtype: str, shape: tuple[int, ...]) -> None:
    for text in filter(None, CALLS):
        if "1j" in text and dtype == "float16":  # complex32
            continue
        wanted = told(torch, text, *operands(torch, dtype, shape))
        assert told(stand_in, text, *operands(stand_in, dtype, shape)) == wanted, text


@pytest.mark.parametrize("text", [text.strip() for text in FLOATS if text.strip()])
def test_gradients(text: str) -> None:
    found: list[Any] = []
    for library in (torch, stand_in):
        x, y = (library.tensor([[1.5, -2.0], [0.5, k]], requires_grad=True) for k in (1.0, 3.0))
        result = eval(text, {"torch": library, "x": x, "y": y})
        given = library.autograd.grad(result.sum(), (x, y), only_inputs=True, allow_unused=True)
        found.append([one.detach().tolist() for one in (result, *given) if one is not None])
    assert len(found[0]) == len(found[1])
    for theirs, ours in zip(*found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)
