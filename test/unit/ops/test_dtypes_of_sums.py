"""Sums, products and means compute in the dtype that is asked for, or that `out` has: elements are rounded to it first, as in
PyTorch 2.13, whose numbers these are.
"""

import pytest

import torchscript_dialect as ts
from support.native_calls import needs_native_calls
from torchscript_dialect import torch

X = torch.full((2, 3), 0.7)
COSINES = [-0.8130702812796694, 1.0004679253523445, -0.8134415976724838]
OUT = {
    ("sum", "int64"): 0,
    ("sum", "float16"): 2.1015625,
    ("sum", "float64"): 2.099999964237213,
    ("prod", "int64"): 0,
    ("prod", "float64"): 0.34299998247623475,
    ("mean", "float64"): 0.699999988079071,
    ("nansum", "float16"): 2.1015625,
    ("nanmean", "float16"): 0.70068359375,
    ("cumsum", "int64"): [0, 0, 0],
    ("cumsum", "float16"): [0.7001953125, 1.400390625, 2.1015625],
    ("cumprod", "float16"): [0.7001953125, 0.490234375, 0.34326171875],
}


@pytest.mark.parametrize(("name", "dtype"), OUT)
def test_out_says_in_which_dtype(name: str, dtype: str) -> None:
    shape = (2, 3) if name.startswith("cum") else (2,)
    found = getattr(torch, name)(X, 1, out=torch.zeros(shape, dtype=getattr(torch, dtype)))
    assert found.tolist() == [OUT[name, dtype]] * 2


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "cumsum", "cumprod"])
def test_out_has_the_dtype_that_is_asked_for(name: str) -> None:
    with pytest.raises(
        RuntimeError, match="Expected out tensor to have dtype float, but got double"
    ):
        out = torch.zeros(2, 3, dtype=torch.float64)
        getattr(torch, name)(X, 1, dtype=torch.float32, out=out)


@needs_native_calls
@pytest.mark.parametrize(
    ("call", "expected"),
    [("sum(1", 2.1015625), ("mean(1", 0.7001953125), ("prod(1", 0.34326171875)],
)
def test_elements_are_rounded_in_kernels(call: str, expected: float) -> None:
    """Those of means are not: PyTorch adds floats of 32 bits for them."""
    f = ts.CompilationUnit(f"def f(x):\n    return (x * 1).{call}, dtype=torch.float16)\n").f
    for _ in range(4):
        assert f(X.double()).tolist() == [expected] * 2


def test_running_sums_have_no_truth_values() -> None:
    with pytest.raises(NotImplementedError, match='"cumsum_out_cpu" not implemented for'):
        X.cumsum(0, dtype=torch.bool)


def test_norms_are_of_the_dtype_of_each_operand() -> None:
    """What is divided by its norm is rounded before it meets a wider dtype."""
    x = torch.arange(12.0).reshape(3, 4) / 7 - 1
    found = torch.cosine_similarity(x.half(), (x.flip(0) * 2).double())
    assert found.tolist() == pytest.approx(COSINES, rel=1e-12)


def test_contracted_dimensions_of_one_element_keep_the_dtype() -> None:
    found = torch.tensordot(torch.ones(3, 1).int(), torch.ones(3, 4).int(), 1)
    assert (found.dtype, found.tolist()) == (torch.int32, [[3] * 4] * 3)
