"""Reductions in groups against the same programs interpreted, at sizes that the kernel was not made for, too."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import torchscript_dialect as ts
from support.kernel_agreement import agree
from support.native_calls import needs_native_calls
from torchscript_dialect.ops import registry

SHAPES = [(4, 3), (1, 7), (7, 1), (1, 1), (33, 70), (5, 1000), (0, 4)]
REDUCTIONS = {
    "sum": "torch.sum(x * 2, [-1], {keep})",
    "sum_all": "torch.sum(x * 2)",
    "mean": "torch.mean(x * 2, [1], {keep})",
    "prod": "torch.prod(x * 0.5, 1, {keep})",
    "amax": "torch.amax(x * 2, [1], {keep})",
    "amin": "torch.amin(x * 2, [1], {keep})",
    "var": "torch.var(x * 2, [1], True, {keep})",
    "std": "torch.std(x * 2, [-1], correction=0.5, keepdim={keep})",
    "std_all": "torch.std(x * 2, False)",
    "norm_2": "torch.norm(x * 2, 2, [1], {keep})",
    "norm_1": "torch.norm(x * 2, 1, [1], {keep})",
    "norm_all": "torch.norm(x * 2)",
    "both": "torch.sum(x * 2, [0, 1], {keep})",
    "softmax": "torch.softmax(x * 2, -1)",
    "log_softmax": "torch.log_softmax(x * 2, 1)",
    "logsumexp": "torch.logsumexp(x * 2, 1, {keep})",
    "logsumexp_all": "torch.logsumexp(x * 2, [0, 1])",
}


def arrays(shape: tuple[int, ...], dtype: str) -> np.ndarray:
    rng = np.random.default_rng(sum(shape))
    if dtype.startswith("int"):
        return rng.integers(-50, 50, shape).astype(dtype)
    return rng.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_between_pointwise_parts(name: str, keep: bool) -> None:
    source = f"def f(x):\n    return {REDUCTIONS[name].format(keep=keep)} + 1\n"
    agree(source, *[(arrays(shape, "float32"),) for shape in SHAPES[:-1]])


@pytest.mark.parametrize("dtype", ["float64", "int64", "int32"])
@pytest.mark.parametrize("name", ["sum", "amax", "amin"])
def test_dtypes(name: str, dtype: str) -> None:
    source = f"def f(x):\n    return {REDUCTIONS[name].format(keep=True)} + x\n"
    agree(source, *[(arrays(shape, dtype),) for shape in SHAPES[:-1]])


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (0, 0)])
def test_empty_calls_of_a_kernel_that_was_made_for_others(
    name: str, shape: tuple[int, ...]
) -> None:
    """The maximum of nothing raises, its softmax is empty."""
    source = f"def f(x):\n    return {REDUCTIONS[name].format(keep=False)} + 1\n"
    agree(source, (arrays((4, 3), "float32"),), (arrays(shape, "float32"),), native=False)


SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 3e38, 1.0]


@pytest.mark.parametrize("name", REDUCTIONS)
def test_special_values(name: str) -> None:
    rows = list(itertools.product(SPECIAL, SPECIAL, [1.0, -np.inf]))
    x = np.array(rows, np.float32)
    if name == "prod":  # whether a product overflows on its way depends on the order of its factors
        x = x[(np.abs(x) < 1e38).all(1)]
    source = f"def f(x):\n    return {REDUCTIONS[name].format(keep=False)} * 1\n"
    if name in ("sum_all", "std_all", "norm_all", "both"):
        for row in x[::5]:
            agree(source, (row[None],), native=False)
        return
    agree(source, (x,))


def test_a_strided_operand_and_three_dimensions() -> None:
    source = (
        "def f(x, w):\n    return torch.softmax(x.t() * w, -1) + torch.sum(x.t() * 2, [1], True)\n"
    )
    x, w = arrays((5, 9), "float32"), arrays((5,), "float32")
    agree(source, (x, w), (arrays((8, 3), "float32"), arrays((8,), "float32")), native=False)
    source = "def f(x):\n    return torch.mean(x * 2, [1, 2], True) * x\n"
    agree(source, *[(arrays(s, "float32"),) for s in ((2, 3, 4), (5, 1, 7), (1, 8, 1))])


def test_a_product_a_softmax_and_a_product() -> None:
    source = """
def f(q, k, v):
    return torch.mm(torch.softmax(torch.mm(q, k.t()) * 0.5, -1), v)
"""
    for n, d in ((4, 3), (17, 8), (64, 16)):
        q, k, v = (arrays((n, d), "float32") + i for i in range(3))
        agree(source, (q, k, v))


@needs_native_calls
def test_long_sums_are_accurate() -> None:
    """A float32 running total would lose the small ones."""
    x = np.full((1, 1 << 20), 0.1, np.float32)
    f = ts.CompilationUnit("def f(x):\n    return torch.sum(x * 1, [1]) * 1\n")["f"]
    for _ in range(3):
        result = np.asarray(f(x))
    assert f.native_calls
    np.testing.assert_allclose(result, x.astype(np.float64).sum(1), rtol=1e-7)


def test_reductions_along_other_dimensions_stay_with_numpy() -> None:
    f = ts.CompilationUnit("def f(x):\n    return torch.sum(x * 2, [0]) + 1\n")["f"]
    x = arrays((6, 5), "float32")
    for _ in range(3):
        np.testing.assert_allclose(f(x), (x * 2).sum(0) + 1, rtol=1e-5)
    assert "aten::sum" in str(f.graph_for(x)).partition("with prim::TensorExprGroup")[0]


def test_declared_reductions_have_a_kernel_a_shape_and_a_lowering() -> None:
    declared = [n for n, rules in registry.attached() if rules.reduction is not None]
    assert {"aten::sum", "aten::mean.dim", "aten::amax", "aten::prod.dim_int"} <= set(declared)
    for name in declared:
        operator = registry.find(name)
        assert operator is not None
        assert operator.kernel and operator.shape
        assert operator.lower == "lowering.linalg.reduction:ReductionLowering"


NORMALIZATIONS = {
    "layer_norm": "torch.layer_norm(x * 2, [6])",
    "with weight and bias": "torch.layer_norm(x * 2, [6], w, b, 0.5)",
    "with a bias": "torch.layer_norm(x * 2, [6], bias=b)",
    "rms_norm": "torch.rms_norm(x * 2, [6])",
    "rms_norm with a weight": "torch.rms_norm(x * 2, [6], w, 0.25)",
    "of two dimensions": "torch.layer_norm(x * 2, [3, 6])",
}
PARAMETERS = (arrays((6,), "float32"), arrays((6, 1), "float32").reshape(6) + 1)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", NORMALIZATIONS)
def test_normalization_between_pointwise_parts(name: str, dtype: str) -> None:
    source = f"def f(x, w, b):\n    return torch.tanh({NORMALIZATIONS[name]}) + w\n"
    parameters = [one.astype(dtype) for one in PARAMETERS]
    shapes = [(4, 3, 6), (1, 3, 6), (0, 3, 6), (33, 3, 6)]
    agree(source, *[(arrays(shape, dtype), *parameters) for shape in shapes])


STATISTICS = {
    "all": ("w", "b"),
    "no bias": ("w", "None"),
    "no weight": ("None", "b"),
    "neither": ("None", "None"),
}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", STATISTICS)
def test_batch_norm_by_running_statistics(name: str, dtype: str) -> None:
    weight, bias = STATISTICS[name]
    source = (
        "def f(x, m, v, w, b):\n"
        f"    return torch.relu(torch.batch_norm(x * 2, {weight}, {bias}, m, v, False, 0.1, 1e-5, True))\n"
    )
    mean, weights, biases = (arrays((6, i), dtype)[:, 0].copy() for i in (1, 2, 3))
    variance = np.abs(mean) + 0.25
    shapes = [(4, 6, 5, 3), (2, 6, 1, 1), (0, 6, 5, 3), (3, 6, 40, 7)]
    agree(source, *[(arrays(shape, dtype), mean, variance, weights, biases) for shape in shapes])
    agree(source, (arrays((9, 6), dtype), mean, variance, weights, biases))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("groups", [1, 2, 6])
@pytest.mark.parametrize("name", STATISTICS)
def test_group_norm(name: str, groups: int, dtype: str) -> None:
    weight, bias = STATISTICS[name]
    source = (
        "def f(x, w, b):\n"
        f"    return torch.relu(torch.group_norm(x * 2, {groups}, {weight}, {bias}, 1e-5, True))\n"
    )
    weights, biases = (arrays((6, i), dtype)[:, 0].copy() for i in (1, 2))
    shapes = [(4, 6, 5, 3), (2, 6, 1, 1), (0, 6, 5, 3), (3, 6, 40, 7), (2, 6, 0, 3)]
    agree(source, *[(arrays(shape, dtype), weights, biases) for shape in shapes])
    agree(source, *[(arrays(shape, dtype), weights, biases) for shape in ((9, 6), (1, 6))])


def test_group_norm_of_other_channels() -> None:
    """One kernel serves other numbers of channels, and no call for which the operator raises."""
    source = "def f(x):\n    return torch.group_norm(x * 2, 3) + 1\n"
    agree(source, *[(arrays(shape, "float32"),) for shape in ((4, 6, 5), (2, 3, 5), (1, 12, 1))])
    agree(
        source,
        (arrays((4, 6, 5), "float32"),),
        (arrays((4, 7, 5), "float32"),),
        (arrays((4, 2, 5), "float32"),),
        native=False,
    )
    source = "def f(x, w):\n    return torch.group_norm(x * 2, 3, w) + 1\n"
    x, w = arrays((4, 6, 5), "float32"), arrays((6, 1), "float32").reshape(6)
    agree(source, (x, w), (x, w[:3]), native=False)
    strided = arrays((4, 12, 5), "float32")[:, ::2]
    agree(source.replace("x * 2", "x"), (strided, w))
    turned = arrays((4, 5, 6), "float32").transpose(0, 2, 1)
    agree(source.replace("x * 2", "x"), (turned, w), native=False)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", STATISTICS)
def test_instance_norm(name: str, dtype: str) -> None:
    """One kernel serves other numbers of channels, too."""
    weight, bias = STATISTICS[name]
    source = (
        "def f(x, w, b):\n"
        f"    y = torch.instance_norm(x * 2, {weight}, {bias}, None, None, True, 0.1, 1e-5, True)\n"
        "    return torch.relu(y)\n"
    )
    shapes = [(4, 6, 5, 3), (2, 3, 1, 1), (3, 5, 40, 7)]
    parts = [[arrays((s[1], i), dtype)[:, 0].copy() for i in (1, 2)] for s in shapes]
    agree(source, *[(arrays(shape, dtype), *part) for shape, part in zip(shapes, parts)])
    agree(source, (arrays((4, 6, 5), dtype), *parts[0]))


def test_instance_norm_of_wrong_channels_raises() -> None:
    source = "def f(x, w):\n    return torch.instance_norm(x, w, w, None, None, True, 0.1, 1e-5, True) + 1\n"
    x, w = arrays((4, 6, 5), "float32"), arrays((6, 1), "float32").reshape(6)
    empty = [arrays(shape, "float32") for shape in ((0, 6, 5), (4, 6, 0))]
    agree(source, (x, w), (x, w[:3].copy()), *[(one, w) for one in empty], native=False)
    agree(source, (arrays((4, 6), "float32"), w), native=False)


def test_batch_norm_of_wrong_channels_raises() -> None:
    """The kernel serves no call for which the operator raises."""
    source = (
        "def f(x, m):\n    return torch.batch_norm(x * 2, m, m, m, m, False, 0.1, 1e-5, True) + 1\n"
    )
    row = np.abs(arrays((6, 1), "float32").reshape(6))
    agree(
        source,
        (arrays((4, 6, 3), "float32"), row),
        (arrays((4, 5, 3), "float32"), row),
        native=False,
    )


@pytest.mark.parametrize("name", ["layer_norm", "rms_norm with a weight"])
def test_normalization_of_other_sizes_raises(name: str) -> None:
    """The kernel serves no call for which the operator raises."""
    source = f"def f(x, w, b):\n    return {NORMALIZATIONS[name]} + 1\n"
    wrong = (arrays((4, 7), "float32"), *PARAMETERS)
    agree(source, (arrays((4, 6), "float32"), *PARAMETERS), wrong, native=False)


def test_normalization_of_special_values() -> None:
    rows = list(itertools.product(SPECIAL, SPECIAL, [1.0, -np.inf]))
    x = np.array(rows, np.float32)
    for function in ("layer_norm", "rms_norm"):
        agree(f"def f(x):\n    return torch.{function}(x * 2, [3]) * 1\n", (x,))


def test_normalization_of_what_kernels_do_not_take() -> None:
    """Of halves, and with a transposed operand."""
    half = arrays((4, 6), "float32").astype(np.float16)
    agree("def f(x):\n    return torch.layer_norm(x * 2, [6]) + 1\n", (half,), native=False)
    turned = arrays((6, 4), "float32").T
    agree("def f(x):\n    return torch.layer_norm(x * 2, [6]) + 1\n", (turned,), native=False)


@pytest.mark.parametrize(
    "shape", [(5, 3), (2, 3, 16), (1, 3, 4), (2, 1, 4), (2, 3, 4, 5), (1, 1, 3)]
)
def test_columns_of_rows_that_were_normalized(shape: tuple[int, ...]) -> None:
    """Of a part with one row, the dimension of the column went that of the row stood for: numbers of other columns came out."""
    source = (
        "def f(x):\n    y = (x / torch.norm(x, 2, [-1], True)).clamp(-1, 1)\n"
        "    return torch.exp(y[..., 1]) + torch.atan2(y[..., 0], y[..., 2])\n"
    )
    agree(source, (arrays(shape, "float32"),))


def test_differences_of_columns_beside_differences_of_rows() -> None:
    """A group that reads one of another size read what that had been before it was merged."""
    source = (
        "def f(x):\n    low = x.min(-1)[0]\n    high = x.max(-1)[0]\n"
        "    return (x - low.unsqueeze(-1)) * (high - low).unsqueeze(-1)\n"
    )
    agree(source, (arrays((5, 4), "float32"),), (arrays((2, 3, 16), "float32"),), native=False)


@pytest.mark.parametrize(
    "sizes", ["(x.shape[2],)", "(x.size(-1),)", "(x.shape[-2], x.shape[2])", "(3, x.shape[2])"]
)
def test_normalization_over_sizes_that_the_program_asks_for(sizes: str) -> None:
    """A function of it alone is one kernel, with no interpreter around it, for tensors of other sizes, too."""
    source = f"def f(x):\n    return torch.nn.functional.layer_norm(x * 2, {sizes})\n"
    shapes = [(4, 3, 6), (2, 3, 7), (0, 3, 6), (33, 3, 5)]
    agree(source, *[(arrays(shape, "float32"),) for shape in shapes])


def test_squeezed_number_of_a_kernel() -> None:
    """A number in a kernel has no dimension to leave out, whichever one is named."""
    unit = ts.CompilationUnit(
        "def f(x):\n    s = x.pow(2).mean(dim=[-1, -2])\n    return s * 2 + s.sqrt().squeeze(dim=-1)\n"
    )
    x = np.full((2, 8), 2.0, np.float32)
    with ts.background_compilation(False):
        assert [float(unit.f(x)) for _ in range(3)] == [10.0] * 3
