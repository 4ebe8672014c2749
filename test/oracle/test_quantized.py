"""Quantized tensors against PyTorch's on fbgemm: integers, quantizers, sizes and strides are the same."""

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import torchscript_dialect as ts
from torchscript_dialect import torch as ts_torch
from torchscript_dialect.ops.eager.dispatch import call
from torchscript_dialect.ops.quantized import quantized_math, quantized_operators
from torchscript_dialect.ops.quantized.packed_params import CLASSES
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import quantizer as quantizers
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor, tensor_of

F = torch.nn.functional
T = torch.ops.quantized


@pytest.fixture(autouse=True)
def fbgemm() -> Iterator[None]:
    """Other engines round otherwise; PyTorch warns that it will have none."""
    before = torch.backends.quantized.engine
    if "fbgemm" not in torch.backends.quantized.supported_engines:
        pytest.skip("no fbgemm on this processor")
    torch.backends.quantized.engine = "fbgemm"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
    torch.backends.quantized.engine = before


GENERATOR = torch.Generator()


@pytest.fixture(autouse=True)
def seed() -> None:
    GENERATOR.manual_seed(7)


def numbers(*sizes: int) -> torch.Tensor:
    return torch.randn(*sizes, generator=GENERATOR)


def quantized(*sizes: int, scale: float = 0.021, zero: int = 100, dtype: Any = torch.quint8) -> Any:
    return torch.quantize_per_tensor(numbers(*sizes), scale, zero, dtype)


def by_channel(*sizes: int, axis: int = 0) -> Any:
    scales = torch.rand(sizes[axis], generator=GENERATOR) * 0.004 + 0.003
    zeros = torch.zeros(sizes[axis]).long()
    return torch.quantize_per_channel(numbers(*sizes) * 0.2, scales, zeros, axis, torch.qint8)


def ours(value: Any) -> Any:
    """A value as this package has it."""
    if isinstance(value, list):
        return [ours(part) for part in value]
    if not isinstance(value, torch.Tensor):
        return value
    if not value.is_quantized:
        return as_tensor(value.numpy())
    integers = value.int_repr().numpy()
    if value.qscheme() == torch.per_tensor_affine:
        quantizer = quantizers.PerTensor(value.q_scale(), value.q_zero_point())
    else:
        scales = value.q_per_channel_scales().numpy()
        zeros = value.q_per_channel_zero_points().numpy()
        quantizer = quantizers.per_channel(integers, scales, zeros, value.q_per_channel_axis())
    dtype = dtypes.from_name(str(value.dtype))
    return tensor_of(quantizers.of_ints(integers, quantizer, dtype))


def same(found: Any, expected: Any, *, strides: bool = True, off_by_one: int = 0) -> None:
    """`off_by_one` integers may differ by one, where a number lies in the middle between two."""
    if not isinstance(expected, torch.Tensor):
        assert found == expected
        return
    assert found.shape == expected.shape
    assert not strides or found.stride() == expected.stride()
    assert str(found.dtype) == str(expected.dtype)
    if not expected.is_quantized:
        np.testing.assert_array_equal(found.array, expected.numpy())
        return
    quantizer = quantizers.quantizer_of(found.array)
    if expected.qscheme() == torch.per_tensor_affine:
        assert isinstance(quantizer, quantizers.PerTensor)
        assert quantizer.scale == expected.q_scale()
        assert quantizer.zero_point == expected.q_zero_point()
    gap = quantizers.ints(found.array).astype(np.int64) - expected.int_repr().numpy()
    assert np.count_nonzero(gap) <= off_by_one and np.abs(gap).max(initial=0) <= 1


def check(name: str, theirs: Callable[..., Any], *args: Any, **tolerance: Any) -> None:
    expected = theirs(*args)
    same(call(name, ours(list(args))), expected, **tolerance)


KINDS = [(torch.quint8, 100), (torch.qint8, 3), (torch.qint32, 50)]


@pytest.mark.parametrize(("dtype", "zero"), KINDS)
def test_numbers_to_integers_and_back(dtype: Any, zero: int) -> None:
    x = numbers(6, 7) * 3
    x[0] = torch.tensor([float("nan"), float("inf"), -float("inf"), 1e20, -1e20, 0.25, -0.0])
    number = dtypes.from_name(str(dtype)).scalar_type
    expected = torch.quantize_per_tensor(x, 0.5, zero + 1, dtype)
    found = call("aten::quantize_per_tensor", (ours(x), 0.5, zero + 1, number))
    same(found, expected)
    same(call("aten::dequantize", (found,)), expected.dequantize())
    same(call("aten::dequantize", (call("aten::t", (found,)),)), expected.t().dequantize())
    assert repr(found) == repr(expected)
    scales, zeros = torch.rand(6, generator=GENERATOR) + 0.1, torch.arange(6)
    expected = torch.quantize_per_channel(x, scales, zeros, 0, dtype)
    found = call("aten::quantize_per_channel", (ours(x), ours(scales), ours(zeros), 0, number))
    same(found, expected)
    same(call("aten::dequantize", (found,)), expected.dequantize())
    assert repr(found) == repr(expected)
    with pytest.raises(RuntimeError, match="uniformly quantized"):
        call("aten::dequantize", (call("aten::t", (found,)),))


@pytest.mark.parametrize("reduce_range", [True, False])
@pytest.mark.parametrize(("dtype", "zero"), KINDS[:2])
def test_dynamic_parameters(reduce_range: bool, dtype: Any, zero: int) -> None:
    x = numbers(30)
    for numbers_ in (x, x.abs(), -x.abs(), x * 1e-6, x * 0, x.abs() * 1e-6):
        expected = torch.quantize_per_tensor_dynamic(numbers_, dtype, reduce_range)
        number = dtypes.from_name(str(dtype)).scalar_type
        same(
            call("aten::quantize_per_tensor_dynamic", (ours(numbers_), number, reduce_range)),
            expected,
        )


@pytest.mark.parametrize("with_bias", [True, False])
@pytest.mark.parametrize("is_by_channel", [True, False])
def test_linear(with_bias: bool, is_by_channel: bool) -> None:
    weight = (
        by_channel(33, 200)
        if is_by_channel
        else quantized(33, 200, scale=0.0024, zero=3, dtype=torch.qint8)
    )
    bias = numbers(33) if with_bias else None
    theirs = T.linear_prepack(weight, bias)
    params = call("quantized::linear_prepack", (ours(weight), ours(bias)))
    x, qx = numbers(5, 200) * 2, quantized(5, 200)
    for name in ("linear", "linear_relu"):
        expected = getattr(T, name)(qx, theirs, 0.041, 93)
        same(call(f"quantized::{name}", (ours(qx), params, 0.041, 93)), expected)
    for name in ("linear_dynamic", "linear_relu_dynamic"):
        for reduce_range in (True, False):
            expected = getattr(T, name)(x, theirs, reduce_range)
            same(call(f"quantized::{name}", (ours(x), params, reduce_range)), expected)
    again = CLASSES[params.__torchscript_qualified_name__].from_state(params.state())
    for found, expected in zip(again.unpack(), T.linear_unpack(theirs)):
        same(found, expected)


@pytest.mark.parametrize("groups", [1, 2])
@pytest.mark.parametrize("rank", [1, 2, 3])
@pytest.mark.parametrize("kind", ["conv", "conv_transpose"])
def test_convolution(kind: str, rank: int, groups: int) -> None:
    name, is_transposed = f"{kind}{rank}d", kind == "conv_transpose"
    x = numbers(2, *(6, 9, 8, 7)[: rank + 1])
    qx = torch.quantize_per_tensor(x, 0.0213, 121, torch.quint8)
    kernel = (3, 2, 3)[:rank]
    sizes = (6, 8 // groups, *kernel) if is_transposed else (8, 6 // groups, *kernel)
    weight = (
        quantized(*sizes, scale=0.005, zero=0, dtype=torch.qint8)
        if is_transposed
        else by_channel(*sizes)
    )
    for bias in (None, numbers(8)):
        for stride, padding, dilation in (
            ([2, 1, 2], [1, 0, 2], [1, 1, 1]),
            ([1] * 3, [1] * 3, [2] * 3),
        ):
            windows = [
                stride[:rank],
                padding[:rank],
                *([[0] * rank] if is_transposed else []),
                dilation[:rank],
            ]
            theirs = getattr(T, f"{name}_prepack")(weight, bias, *windows, groups)
            params = call(
                f"quantized::{name}_prepack", (ours(weight), ours(bias), *windows, groups)
            )
            expected = getattr(T, name)(qx, theirs, 0.05, 77)
            same(call(f"quantized::{name}", (ours(qx), params, 0.05, 77)), expected)
            expected = getattr(T, f"{name}_dynamic")(x, theirs, False)
            found = call(f"quantized::{name}_dynamic", (ours(x), params, False))
            np.testing.assert_allclose(found.array, expected.numpy(), atol=0.05)
            version, (settings, kept), (kept_bias,) = theirs.__getstate__()[0]
            state = params.state()
            assert state[0] == version and state[1][0].tolist() == settings.tolist()
            same(state[1][1], kept, strides=not is_transposed)
            same(state[2][0], kept_bias)
            again = CLASSES[params.__torchscript_qualified_name__].from_state(state)
            same(
                call(f"quantized::{name}", (ours(qx), again, 0.05, 77)),
                getattr(T, name)(qx, theirs, 0.05, 77),
            )


@pytest.mark.parametrize(("dtype", "zero"), KINDS[:2])
def test_sums_and_products(dtype: Any, zero: int) -> None:
    a, b = (quantized(31, 64, scale=s, zero=zero, dtype=dtype) for s in (0.021, 0.033))
    for name in ("add", "mul", "add_relu", "mul_relu"):
        check(f"quantized::{name}", getattr(T, name), a, b, 0.05, zero - 2)
    for name in ("add_scalar", "mul_scalar", "add_scalar_relu", "mul_scalar_relu"):
        for number in (-1.5, 0, 2.0, 0.3, -9.0, 17.0, 100.0, -100.0):
            check(f"quantized::{name}", getattr(T, name), a, number)
    check("quantized::matmul", T.matmul, a, b.t().contiguous(), 0.3, zero)
    for name in ("cat", "cat_relu"):
        check(f"quantized::{name}", getattr(T, name), [a, b], 0, 0.05, zero, off_by_one=20)
    check("aten::cat", torch.cat, [a, a], 0)
    check("aten::stack", torch.stack, [a, a], 0)


@pytest.mark.parametrize(("dtype", "zero"), KINDS[:2])
def test_activations(dtype: Any, zero: int) -> None:
    a, b = (quantized(31, 64, scale=s, zero=zero, dtype=dtype) for s in (0.021, 0.033))
    for name in "relu sigmoid tanh hardsigmoid relu6 max min clone".split():
        check(f"aten::{name}", getattr(torch, name, None) or getattr(F, name), a)
    check("aten::gelu", F.gelu, a)
    check("aten::leaky_relu", F.leaky_relu, a, 0.1)
    check("aten::hardtanh", F.hardtanh, a, -0.5, 0.7)
    check("aten::threshold", F.threshold, a, 0.1, 0.2)
    check("aten::clamp", torch.clamp, a, -0.5, 0.7)
    check("aten::eq", torch.eq, a, b)
    check("aten::lt", torch.lt, a, 0.3)
    check("aten::equal", torch.equal, a, b)
    check("aten::masked_fill", torch.masked_fill, a, torch.ones(64).bool(), 0.5)
    check("quantized::elu", T.elu, a, 0.04, zero, 1.2, 1, 1)
    check("quantized::celu", T.celu, a, 0.04, zero, 1.2)
    check("quantized::hardswish", T.hardswish, a, 0.04, zero)
    check("quantized::sigmoid", T.sigmoid, a, 0.004, zero)
    check("quantized::leaky_relu", T.leaky_relu, a, 0.1, False, 0.04, zero)
    check("quantized::softmax", T.softmax, a, 1, 0.004, 0)
    check("quantized::layer_norm", T.layer_norm, a, [64], None, None, 1e-5, 0.04, zero)


@pytest.mark.parametrize("format", [torch.contiguous_format, torch.channels_last])
@pytest.mark.parametrize(("dtype", "zero"), KINDS[:2])
def test_images(dtype: Any, zero: int, format: Any) -> None:
    x = quantized(2, 4, 12, 12, zero=zero, dtype=dtype).contiguous(memory_format=format)
    per_channel = [torch.rand(4, generator=GENERATOR) + 0.5 for _ in range(4)]
    check("quantized::batch_norm2d", T.batch_norm2d, x, *per_channel, 1e-5, 0.04, zero)
    check("quantized::max_pool2d", T.max_pool2d, x, [3, 3], [2, 2], [1, 1], [1, 1], False)
    check("aten::max_pool2d", torch.max_pool2d, x, [3, 3], [2, 2], [1, 1], [1, 1], False)
    check("aten::avg_pool2d", F.avg_pool2d, x, [3, 3], [2, 2], [1, 1], False, True)
    check("aten::avg_pool2d", F.avg_pool2d, x, [2, 2], [2, 2], [1, 1], True, False)
    check("aten::adaptive_avg_pool2d", F.adaptive_avg_pool2d, x, [3, 5])
    check("aten::mean", torch.mean, x, [2, 3], True)
    for name in ("upsample_nearest2d", "_upsample_nearest_exact2d"):
        upsample = getattr(torch._C._nn, name)  # pyright: ignore[reportAttributeAccessIssue]
        check(f"aten::{name}", upsample, x, [17, 25])
        check(f"aten::{name}", upsample, x, None, [1.7, 2.0])
    check(
        "aten::upsample_bilinear2d",
        torch._C._nn.upsample_bilinear2d,  # pyright: ignore[reportAttributeAccessIssue]
        x,
        [17, 25],
        False,
        off_by_one=20,
    )
    check("aten::constant_pad_nd", torch.constant_pad_nd, x, [1, 1], 0.5, strides=False)


@pytest.mark.parametrize(
    "name", "abs neg sum exp isnan argmax nonzero zero_ zeros_like tril ceil".split()
)
def test_what_has_no_quantized_kernel_is_refused(name: str) -> None:
    x = quantized(3, 4)
    with pytest.raises(RuntimeError):
        getattr(torch, name)(x)
    with pytest.raises((RuntimeError, TypeError), match=r"quantized|Quantized"):
        call(f"aten::{name}", (ours(x),))


def test_golden_file_is_current() -> None:
    """Otherwise `tools/regenerate_quantized_goldens.py` is due."""
    tool = Path(__file__).parents[2] / "tools" / "regenerate_quantized_goldens.py"
    subprocess.run([sys.executable, tool, "--check"], check=True)


def test_every_operator_that_runs_on_both_has_its_kernel() -> None:
    assert quantized_math.KERNELS.keys() == set(quantized_operators.RUN)


def test_rebuilt_as_archives_hold_them() -> None:
    for x in (quantized(4, 5), quantized(4, 5).t(), by_channel(4, 5)):
        storage, offset, size, stride, parameters = x.__reduce_ex__(2)[1][:5]
        block = np.frombuffer(bytes(storage.untyped()), np.uint8)
        scheme = {torch.per_tensor_affine: 0, torch.per_channel_affine: 1}[parameters[0]]
        rest = [part.numpy() if isinstance(part, torch.Tensor) else part for part in parameters[1:]]
        dtype = dtypes.from_name(str(x.dtype))
        array = quantizers.rebuild_quantized(block, dtype, offset, size, stride, (scheme, *rest))
        same(tensor_of(array), x)
        same(call("aten::dequantize", (tensor_of(array),)), x.dequantize())


class Static(torch.nn.Module):
    """Convolution, sum and linear layer, between quantization and its inverse."""

    def __init__(self) -> None:
        super().__init__()
        self.quantize, self.dequantize = (
            torch.ao.quantization.QuantStub(),
            torch.ao.quantization.DeQuantStub(),
        )
        self.conv, self.norm, self.relu = (
            torch.nn.Conv2d(3, 4, 3),
            torch.nn.BatchNorm2d(4),
            torch.nn.ReLU(),
        )
        self.functions = torch.ao.nn.quantized.FloatFunctional()
        self.linear = torch.nn.Linear(4, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.relu(self.norm(self.conv(self.quantize(x))))
        y = F.adaptive_avg_pool2d(self.functions.add(y, y), 1).flatten(1)
        return self.dequantize(self.linear(y))


def statically_quantized() -> tuple[Any, Any]:
    module, x = Static().eval(), numbers(2, 3, 8, 8)
    torch.ao.quantization.fuse_modules(module, [["conv", "norm", "relu"]], inplace=True)
    module.qconfig = torch.ao.quantization.get_default_qconfig("fbgemm")  # pyright: ignore[reportArgumentType]
    torch.ao.quantization.prepare(module, inplace=True)
    module(x)
    return torch.ao.quantization.convert(module), x


def dynamically_quantized() -> tuple[Any, Any]:
    layers = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 4))
    return torch.ao.quantization.quantize_dynamic(layers, {torch.nn.Linear}), numbers(3, 8)


def test_modules_are_saved_again(tmp_path: Path) -> None:
    module, x = dynamically_quantized()
    torch.jit.save(torch.jit.script(module), tmp_path / "theirs.pt")
    ts.save(ts.load(tmp_path / "theirs.pt"), tmp_path / "ours.pt")
    assert torch.equal(torch.jit.load(tmp_path / "ours.pt")(x), module(x))


class Recurrent(torch.nn.Module):
    def __init__(self, layer: torch.nn.Module) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, x: torch.Tensor):
        return self.layer(x)


@pytest.mark.parametrize("dtype", [torch.qint8, torch.float16])
@pytest.mark.parametrize("kind", ["LSTM", "GRU", "LSTMCell", "GRUCell", "RNNCell"])
def test_recurrent_networks(kind: str, dtype: Any, tmp_path: Path) -> None:
    class_ = getattr(torch.nn, kind)
    is_cell = kind.endswith("Cell")
    if is_cell and dtype == torch.float16:
        pytest.skip("PyTorch has no such cell")
    settings = {} if is_cell else {"num_layers": 2, "bidirectional": True, "batch_first": True}
    layer = torch.ao.quantization.quantize_dynamic(
        Recurrent(class_(6, 5, **settings)).eval(), {class_}, dtype=dtype
    )
    x = numbers(3, 6) if is_cell else numbers(3, 4, 6)
    program = torch.jit.script(layer)
    torch.jit.save(program, tmp_path / "theirs.pt")
    loaded = ts.load(tmp_path / "theirs.pt")
    ts.save(loaded, tmp_path / "ours.pt")
    with torch.no_grad():
        expected = program(x)
        again = torch.jit.load(tmp_path / "ours.pt")(x)
    for mine, theirs, saved in zip(*map(flat, (loaded(x.numpy()), expected, again)), strict=True):
        np.testing.assert_allclose(mine.array, theirs.numpy(), rtol=1e-5, atol=1e-6)
        assert torch.equal(theirs, saved)


def flat(value: Any) -> list[Any]:
    """The tensors of nested tuples."""
    if not isinstance(value, tuple):
        return [value]
    return [tensor for part in value for tensor in flat(part)]


@pytest.mark.parametrize("make", [statically_quantized, dynamically_quantized])
@pytest.mark.parametrize("is_traced", [True, False])
def test_archives(make: Callable[[], tuple[Any, Any]], is_traced: bool, tmp_path: Path) -> None:
    module, x = make()
    file = tmp_path / "quantized.pt"
    program = torch.jit.trace(module, x) if is_traced else torch.jit.script(module)
    torch.jit.save(program, file)
    loaded = ts.load(file)
    for _ in range(3):
        np.testing.assert_array_equal(loaded(x.numpy()).array, module(x).numpy())


class Holder(ts_torch.nn.Module):
    def __init__(self, one: Tensor, many: Tensor) -> None:
        super().__init__()
        self.register_buffer("one", one)
        self.register_buffer("many", many)

    def forward(self, x):
        return x + self.one.dequantize() + self.many.dequantize()


def test_quantized_attributes_are_saved(tmp_path: Path) -> None:
    one, many = quantized(4, 5), by_channel(4, 5)
    file = tmp_path / "holder.pt"
    ts.save(ts.script(Holder(ours(one), ours(many))), file)
    theirs, again = torch.jit.load(file), ts.load(file)
    assert torch.equal(theirs.one, one) and torch.equal(theirs.many.int_repr(), many.int_repr())
    same(again.one, one)
    same(again.many, many)
    x = numbers(4, 5)
    np.testing.assert_array_equal(again(x.numpy()).array, theirs(x).numpy())
