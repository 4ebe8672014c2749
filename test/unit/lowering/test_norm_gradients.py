"""Gradients of normalizations in groups against the same programs interpreted, at sizes that the kernel was not made for, too."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import torchscript_dialect as ts
from support.kernel_agreement import OF_SUMS, agree, arrays

SHAPES = [(4, 3, 6), (1, 3, 6), (0, 3, 6), (33, 3, 6), (1, 1, 6)]
DTYPES = ["float32", "float64"]
MASKS = {
    "all": ("True, True, True", "dx + dw * 3 + db"),
    "input": ("True, False, False", "dx + 1"),
    "parameters": ("False, True, True", "dw * 3 + db"),
    "weight": ("False, True, False", "dw + 1"),
    "bias": ("False, False, True", "db + 1"),
    "wanted and not used": ("True, True, True", "dx + 1"),
}


def tolerance(name: str, dtype: str) -> float:
    return OF_SUMS if dtype == "float32" and "dw" in MASKS[name][1] else 1e-6


def layer_norm(sizes: str, weight: str, bias: str, mask: str, result: str) -> str:
    return (
        "def f(g, x, w, b):\n"
        "    y = x * 2\n"
        f"    _, mean, rstd = torch.native_layer_norm(y, {sizes}, None, None, 1e-5)\n"
        "    dx, dw, db = torch.native_layer_norm_backward(\n"
        f"        g * 3, y, {sizes}, mean, rstd, {weight}, {bias}, [{mask}])\n"
        f"    return {result}\n"
    )


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize("sizes", ["[6]", "[x.size(-1)]", "[3, 6]"])
def test_gradients_of_a_layer_norm(sizes: str, name: str, dtype: str) -> None:
    of_parameters = (3, 6) if sizes == "[3, 6]" else (6,)
    w, b = (arrays(of_parameters, dtype, seed) for seed in (1, 2))
    shapes = [shape for shape in SHAPES if sizes != "[3, 6]" or shape[1] == 3]
    calls = [(arrays(shape, dtype, 3), arrays(shape, dtype), w, b) for shape in shapes]
    source = layer_norm(sizes, "w", "b", *MASKS[name])
    agree(source, *calls, atol=tolerance(name, dtype))


@pytest.mark.parametrize(
    ("weight", "bias", "result"),
    [("w", "None", "dx + dw"), ("None", "b", "dx + db"), ("None", "None", "dx + 1")],
)
def test_gradients_of_a_layer_norm_without_parameters(weight: str, bias: str, result: str) -> None:
    source = layer_norm("[6]", weight, bias, "True, True, True", result)
    w, b = (arrays((6,), "float32", seed) for seed in (1, 2))
    agree(
        source, *[(arrays(s, "float32", 3), arrays(s, "float32"), w, b) for s in ((4, 6), (9, 6))]
    )


def test_gradients_of_a_layer_norm_of_one_element_and_of_rows_of_other_lengths() -> None:
    source = layer_norm("[x.size(-1)]", "w", "b", *MASKS["all"])
    calls = []
    for shape in [(3, 5), (2, 1), (1, 1), (8, 130)]:
        w, b = (arrays(shape[1:], "float32", seed) for seed in (1, 2))
        calls.append((arrays(shape, "float32", 3), arrays(shape, "float32"), w, b))
    agree(source, *calls)


def test_gradients_of_a_layer_norm_over_all_dimensions() -> None:
    w, b, g, x = (arrays((3, 6), "float32", seed) for seed in range(4))
    agree(layer_norm("[3, 6]", "w", "b", *MASKS["all"]), (g, x, w, b))


def test_statistics_from_outside() -> None:
    """Means and deviations are arguments of the group, with dimensions of size 1."""
    source = (
        "def f(g, x, mean, rstd, w):\n"
        "    dx, dw, _ = torch.native_layer_norm_backward(\n"
        "        g * 3, x, [6], mean, rstd, w, None, [True, True, False])\n"
        "    return dx + dw\n"
    )
    w = arrays((6,), "float32", 1)
    calls = []
    for shape in [(4, 3, 6), (1, 3, 6), (5, 1, 6), (0, 3, 6)]:
        mean, rstd = (arrays((*shape[:2], 1), "float32", seed) for seed in (4, 5))
        calls.append((arrays(shape, "float32", 3), arrays(shape, "float32"), mean, rstd, w))
    agree(source, *calls)


def test_operands_whose_dimensions_have_another_order() -> None:
    """Results are contiguous, and rows are copied before they are read."""
    source = layer_norm("[6]", "w", "b", *MASKS["all"]).replace("y = x * 2", "y = x")
    w, b = (arrays((6,), "float32", seed) for seed in (1, 2))
    for shape in [(4, 6, 3), (1, 6, 3), (4, 6, 1)]:
        x = arrays(shape, "float32").transpose(0, 2, 1)
        agree(source, (arrays(x.shape, "float32", 3), x, w, b), atol=OF_SUMS)
        turned = (x, arrays(x.shape, "float32", 3), w, b)
        agree(source, turned, atol=OF_SUMS, native=min(shape) > 1)
    forward = "def f(x, w, b):\n    return torch.layer_norm(x, [6], w, b, 0.5) * 2\n"
    agree(forward, (arrays((4, 6, 3), "float32").transpose(0, 2, 1), w, b))
    agree(forward, (arrays((1, 6, 1), "float32").transpose(0, 2, 1), w, b))
    whole = np.broadcast_to(np.float32(1.5), (4, 6))
    agree(source, (whole, arrays((4, 6), "float32"), w, b))


SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 1.0]


def test_special_values() -> None:
    x = np.array(list(itertools.product(SPECIAL, SPECIAL, [1.0])), np.float32)
    g = arrays(x.shape, "float32")
    w, b = (arrays((3,), "float32", seed) for seed in (1, 2))
    for mask, result in (MASKS["input"], MASKS["parameters"]):
        source = layer_norm("[3]", "w", "b", mask, result)
        agree(source, (g, x, w, b))
        agree(source, (x, g, w, b))


def test_all_results_of_a_layer_norm() -> None:
    source = (
        "def f(x, w, b):\n"
        "    y, mean, rstd = torch.native_layer_norm(x * 2, [6], w, b, 1e-5)\n"
        "    return y * rstd + mean\n"
    )
    w, b = (arrays((6,), "float32", seed) for seed in (1, 2))
    agree(source, *[(arrays(shape, "float32"), w, b) for shape in SHAPES])


@pytest.mark.parametrize("what", ["grad", "weight", "normalized"])
def test_gradients_of_a_layer_norm_of_other_sizes_raise(what: str) -> None:
    """The kernel serves no call for which the operator raises."""
    source = layer_norm("[6]", "w", "b", *MASKS["all"])
    g, x, w, b = arrays((4, 6), "float32"), arrays((4, 6), "float32", 1), *arrays((2, 6), "float32")
    wrong = {
        "grad": (arrays((3, 6), "float32"), x, w, b),
        "weight": (g, x, w[:5], b),
        "normalized": (g[:, :5], x[:, :5], w[:5], b[:5]),
    }
    agree(source, (g, x, w, b), wrong[what], native=False)


def test_halves_are_left_to_the_interpreter() -> None:
    w, b = (arrays((6,), "float16", seed) for seed in (1, 2))
    call = (arrays((4, 6), "float16", 3), arrays((4, 6), "float16"), w, b)
    agree(layer_norm("[6]", "w", "b", *MASKS["all"]), call, native=False)


def batch_norm(weight: str, training: bool, mask: str, result: str) -> str:
    given = "None, None, m, v" if training else "m, v, None, None"
    return (
        "def f(g, x, w, m, v):\n"
        "    dx, dw, db = torch.native_batch_norm_backward(\n"
        f"        g * 3, x * 2, {weight}, {given}, {training}, 0.25, [{mask}])\n"
        f"    return {result}\n"
    )


BATCHES = [(4, 6, 5, 3), (2, 6, 1, 1), (0, 6, 5, 3), (3, 6, 40, 7), (1, 6, 2, 2)]
OF_BATCHES = {
    name: (mask, result.replace("dw", "dw.view([-1, 1, 1])").replace("db", "db.view([-1, 1, 1])"))
    for name, (mask, result) in MASKS.items()
}


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("training", [True, False])
@pytest.mark.parametrize("name", MASKS)
def test_gradients_of_a_batch_norm(name: str, training: bool, dtype: str) -> None:
    w, m = (arrays((6,), dtype, seed) for seed in (1, 2))
    v = np.abs(arrays((6,), dtype, 4)) + 0.25
    source = batch_norm("w", training, *OF_BATCHES[name])
    calls = [(arrays(shape, dtype, 3), arrays(shape, dtype), w, m, v) for shape in BATCHES]
    agree(source, *calls, atol=tolerance(name, dtype))
    rows = batch_norm("w", training, *MASKS[name])
    calls = [(arrays(s, dtype, 3), arrays(s, dtype), w, m, v) for s in ((9, 6), (1, 6), (0, 6))]
    agree(rows, *calls, atol=tolerance(name, dtype))


@pytest.mark.parametrize("training", [True, False])
def test_gradients_of_a_batch_norm_without_a_weight_and_of_one_channel(training: bool) -> None:
    for channels in (6, 1):
        w, m = (arrays((channels,), "float32", seed) for seed in (1, 2))
        v = np.abs(m) + 0.25
        source = batch_norm("None", training, *OF_BATCHES["input"])
        shapes = [(2, channels, 3, 4), (5, channels, 1, 4)]
        agree(source, *[(arrays(s, "float32", 3), arrays(s, "float32"), w, m, v) for s in shapes])


def test_gradients_of_a_batch_norm_in_another_order() -> None:
    """What lies channels last stays so, and is no kernel's."""
    w, m = (arrays((6,), "float32", seed) for seed in (1, 2))
    g, x = (arrays((2, 3, 4, 6), "float32", seed).transpose(0, 3, 1, 2) for seed in (3, 4))
    source = batch_norm("w", True, *MASKS["input"]).replace("x * 2", "x")
    agree(source, (g, x, w, m, np.abs(m) + 0.25), native=False)
    agree(source, (g, np.ascontiguousarray(x), w, m, np.abs(m) + 0.25))


def test_gradients_of_a_batch_norm_of_other_sizes_raise() -> None:
    source = batch_norm("w", True, *OF_BATCHES["all"])
    g, x = (arrays((4, 6, 5, 3), "float32", seed) for seed in (3, 4))
    w, m, v = (arrays((6,), "float32", seed) for seed in (1, 2, 5))
    agree(source, (g, x, w, m, v), (g[:, :5], x, w, m, v), (g, x, w, m[:5], v), native=False)


def group_norm(weight: str, groups: int, mask: str, result: str, sizes: str) -> str:
    return (
        "def f(g, x, w):\n"
        "    y = x * 2\n"
        f"    n, c, hw = {sizes}\n"
        f"    _, mean, rstd = torch.native_group_norm(y, None, None, n, c, hw, {groups}, 1e-5)\n"
        "    dx, dw, db = torch.native_group_norm_backward(\n"
        f"        g * 3, y, mean, rstd, {weight}, n, c, hw, {groups}, [{mask}])\n"
        f"    return {result}\n"
    )


def of_images(name: str, weight: str = "w", groups: int = 3) -> str:
    return group_norm(weight, groups, *OF_BATCHES[name], "x.size(0), x.size(1), x[0, 0].numel()")


IMAGES = [(4, 6, 5, 3), (2, 6, 1, 2), (3, 6, 40, 7), (1, 6, 2, 2)]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("groups", [3, 1, 6])
@pytest.mark.parametrize("name", MASKS)
def test_gradients_of_a_group_norm(name: str, groups: int, dtype: str) -> None:
    w = arrays((6,), dtype, 1)
    calls = [(arrays(shape, dtype, 3), arrays(shape, dtype), w) for shape in IMAGES]
    agree(of_images(name, groups=groups), *calls, atol=OF_SUMS, native=False)
    rows = group_norm("w", groups, *MASKS[name], "x.size(0), x.size(1), 1")
    if groups != 6:  # of one element, what is left of a gradient is what rounding leaves
        calls = [(arrays(shape, dtype, 3), arrays(shape, dtype), w) for shape in [(9, 6), (1, 6)]]
        agree(rows, *calls, atol=OF_SUMS)


def test_gradients_of_a_group_norm_without_a_weight_and_of_other_channels() -> None:
    source = of_images("input", "None")
    for channels in (6, 12):
        w = arrays((channels,), "float32", 1)
        shapes = [(2, channels, 3, 4), (5, channels, 2, 4)]
        calls = [(arrays(shape, "float32", 3), arrays(shape, "float32"), w) for shape in shapes]
        agree(source, *calls, atol=OF_SUMS, native=False)


def test_gradients_of_a_group_norm_of_no_elements() -> None:
    w = arrays((6,), "float32", 1)
    shapes = [(4, 6, 5, 3), (0, 6, 5, 3), (4, 6, 0, 3)]
    calls = [(arrays(shape, "float32", 3), arrays(shape, "float32"), w) for shape in shapes]
    agree(of_images("input"), *calls, atol=OF_SUMS, native=False)


@pytest.mark.parametrize("sizes", ["4, 6, 15", "x.size(0), 6, 15"])
def test_sizes_of_a_group_norm_that_are_not_those_of_its_input_raise(sizes: str) -> None:
    source = group_norm("w", 3, *OF_BATCHES["all"], sizes)
    w = arrays((6,), "float32", 1)
    shapes = [(4, 6, 5, 3), (4, 6, 5, 4), (3, 6, 5, 3), (4, 12, 5, 3)]
    calls = [(arrays(shape, "float32", 3), arrays(shape, "float32"), w) for shape in shapes]
    agree(source, *calls, atol=OF_SUMS, native=False)


def test_gradients_of_a_group_norm_in_another_order() -> None:
    """What lies channels last stays so, and is no kernel's."""
    source = of_images("input").replace("y = x * 2", "y = x")
    g, x = (arrays((2, 3, 4, 6), "float32", seed).transpose(0, 3, 1, 2) for seed in (3, 4))
    w = arrays((6,), "float32", 1)
    agree(source, (g, x, w), (g, np.ascontiguousarray(x), w), atol=OF_SUMS, native=False)


def test_special_values_in_a_group_norm() -> None:
    x = np.array(list(itertools.product(SPECIAL, SPECIAL, [1.0])), np.float32).reshape(-1, 3, 1)
    g, w = arrays(x.shape, "float32"), arrays((3,), "float32", 1)
    source = group_norm("w", 1, *MASKS["input"], "x.size(0), x.size(1), x.size(2)")
    agree(source, (g, x, w))
    agree(source, (x, g, w))


def test_gradients_that_are_none_are_seen_outside() -> None:
    """Nothing computes a gradient that is not wanted, and who asks for it gets None."""
    unit = ts.CompilationUnit(
        "def f(g, x, w, b):\n"
        "    y = x * 2\n"
        "    _, mean, rstd = torch.native_layer_norm(y, [6], None, None, 1e-5)\n"
        "    return torch.native_layer_norm_backward(g, y, [6], mean, rstd, w, b, [True, False, True])\n"
    )
    w, b = (arrays((6,), "float32", seed) for seed in (1, 2))
    for _ in range(4):
        dx, dw, db = unit.f(arrays((4, 6), "float32"), arrays((4, 6), "float32", 3), w, b)
        assert dx.shape == (4, 6) and dw is None and db.shape == (6,)
