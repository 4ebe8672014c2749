"""The printed form of tensors against PyTorch's.

Point 6 of docs/testing.md.
"""

import math
from collections.abc import Callable
from typing import Any

import pytest

import torchscript_dialect as ts
from support import tensor_golden
from support.tensors import tensor
from torchscript_dialect import torch
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor.stream_text import stream_text

CASES = tensor_golden.read("texts")


def described(case: dict[str, Any]) -> Any:
    data, name = case["data"], case["dtype"]
    if isinstance(data, list):
        values = [complex(*v) if isinstance(v, list) else v for v in data]
    else:
        values = [i * data for i in range(math.prod(case["shape"]))]
    if name == "bool":
        values = [bool(v) for v in values]
    x = tensor(values, name)
    x.array = x.array.reshape(case["shape"])
    return x


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_text_is_pytorchs(case: dict[str, Any]):
    assert repr(described(case)) == case["text"]


def test_the_default_dtype_is_not_named():
    x = tensor([1.0], "float64")
    try:
        dtypes.set_default_dtype("float64")
        assert repr(x) == "tensor([1.])"
        assert repr(tensor([1.0], "float32")) == "tensor([1.], dtype=torch.float32)"
    finally:
        dtypes.set_default_dtype("float32")


# Issue point "silently different": what `str`, `format` and `print` of a program say of tensors is the text of C++ streams.


@pytest.mark.parametrize("case", CASES, ids=range(len(CASES)))
def test_text_in_a_program_is_pytorchs(case: dict[str, Any]):
    assert stream_text(described(case)) == case["in_program"]


def test_programs_say_of_tensors_what_pytorchs_do(capsys: pytest.CaptureFixture[str]):
    unit = ts.CompilationUnit("""
def f(x):
    print(x, 1)
    return '{}'.format(x), str([x]), '%s' % x
""")
    text = " 1.5000\n 2.0000\n[ CPUFloatType{2} ]"
    for _ in range(3):
        assert unit.f(tensor([1.5, 2.0])) == (text, f"[{text}]", text)
        assert capsys.readouterr().out == f"{text} 1\n"


def test_a_nan_has_its_sign():
    negative = math.copysign(math.nan, -1)
    assert stream_text(tensor([negative, math.nan], "float64")) == (
        "-nan\nnan\n[ CPUDoubleType{2} ]"
    )
    assert stream_text(tensor(negative)) == "-nan\n[ CPUFloatType{} ]"
    unit = ts.CompilationUnit("""
def f(x: float):
    return str(x), '%f' % x, '%E' % -x, str(complex(x, x))
""")
    for _ in range(3):
        assert unit.f(negative) == ("-nan", "-nan", "NAN", "-nan-nanj")
        assert unit.f(math.nan) == ("nan", "nan", "-NAN", "nan-nanj")


def test_what_is_no_array_has_a_text_or_an_error():
    eye = torch.eye(2)
    assert stream_text(eye.to_sparse()) == (
        "[ SparseCPUFloatType{}\nindices:\n 0  1\n 0  1\n[ CPULongType{2,2} ]\n"
        "values:\n 1\n 1\n[ CPUFloatType{2} ]\nsize:\n[2, 2]\n]"
    )
    with pytest.raises(RuntimeError, match=r"^Sparse CSR tensors do not have is_contiguous$"):
        stream_text(eye.to_sparse_csr())
    equal = torch._nested_tensor_from_tensor_list([torch.ones(2), torch.ones(2)])
    assert stream_text(equal) == " 1  1\n 1  1\n[ CPUFloatType{2,2} ]"
    with pytest.raises(RuntimeError, match=r"^Given dimension 1 is irregular"):
        stream_text(torch._nested_tensor_from_tensor_list([torch.ones(2), torch.ones(3)]))
    quantized = torch.quantize_per_tensor(torch.ones(1), 0.5, 3, torch.quint8)
    assert stream_text(quantized) == (
        " 1\n[ QuantizedCPUQUInt8Type{1}, qscheme: per_tensor_affine, scale: 0.5, zero_point: 3 ]"
    )
    rows = torch.quantize_per_channel(
        torch.tensor([[1.0, 2.0]]), torch.tensor([0.5]), torch.tensor([3]), 0, torch.quint8
    )
    assert stream_text(rows) == (
        " 1  2\n[ QuantizedCPUQUInt8Type{1,2}, qscheme: per_channel_affine, scales:  0.5000\n"
        "[ CPUDoubleType{1} ], zero_points:  3\n[ CPULongType{1} ], axis: 0 ]"
    )


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: torch.zeros(1).expand(2**40), "tensor([0., 0., 0.,  ..., 0., 0., 0.])"),
        (
            lambda: torch.ones(1, dtype=torch.bfloat16).expand(2**40),
            "tensor([1., 1., 1.,  ..., 1., 1., 1.], dtype=torch.bfloat16)",
        ),
        (
            lambda: torch.arange(2).expand(2**30, 2),
            "tensor([[0, 1],\n        [0, 1],\n        [0, 1],\n        ...,\n"
            "        [0, 1],\n        [0, 1],\n        [0, 1]])",
        ),
        (
            lambda: torch.arange(2000).reshape((1,) * 63 + (2000,)),
            "tensor(" + "[" * 64 + "   0,\n",
        ),
    ],
)
def test_a_summary_copies_what_it_shows_alone(make: Callable[[], ts.Tensor], text: str):
    """An expanded tensor was copied as a whole, which memory has no room for."""
    assert str(make()).startswith(text)


def test_without_items_at_the_edges_the_size_is_told():
    try:
        torch.set_printoptions(edgeitems=0)
        assert str(torch.arange(2000)) == "tensor([...], size=(2000,))"
        assert str(torch.arange(2000).reshape(2, 1000)) == "tensor([...], size=(2, 1000))"
        told = str(torch.ones(3, dtype=torch.float64))
        assert told == "tensor([1., 1., 1.], size=(3,), dtype=torch.float64)"
    finally:
        torch.set_printoptions(profile="default")
