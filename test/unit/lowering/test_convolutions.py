"""Convolutions as kernels, against the same programs interpreted, at sizes that the kernel was not made for, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support.kernel_agreement import agree

RNG = np.random.default_rng(0)
SUMS = 2e-4
"""What sums of hundreds of products may differ by, which are added up in another order."""

CASES: dict[str, tuple[tuple[int, ...], tuple[int, ...], str]] = {
    # input, filters, and what stands after the bias
    "plain": ((2, 3, 5, 6), (3, 1, 3, 2), "1, 0, 1, 3"),
    "padded": ((2, 3, 5, 6), (3, 1, 3, 3), "1, 1, 1, 3"),
    "wide": ((2, 2, 9, 40), (2, 1, 7, 7), "1, 3, 1, 2"),
    "steps": ((2, 3, 9, 8), (3, 1, 3, 3), "[2, 3], [1, 0], 1, 3"),
    "dilated": ((2, 3, 9, 8), (3, 1, 3, 2), "1, [2, 1], [2, 3], 3"),
    "same": ((2, 3, 9, 8), (3, 1, 4, 3), "1, 'same', 1, 3"),
    "valid": ((2, 3, 9, 8), (3, 1, 2, 2), "2, 'valid', 1, 3"),
    "one channel": ((2, 1, 6, 5), (1, 1, 3, 3), "1, 1"),
    "one element": ((2, 3, 6, 5), (3, 1, 1, 1), "1, 0, 1, 3"),
    "no batch": ((3, 6, 5), (3, 1, 3, 3), "1, 1, 1, 3"),
    "rows": ((2, 4, 33), (4, 1, 5), "1, 2, 1, 4"),
    "volumes": ((2, 2, 4, 5, 6), (2, 1, 2, 2, 3), "1, 1, 1, 2"),
    "channels": ((2, 3, 5, 6), (4, 3, 3, 2), "1"),
    "padded channels": ((2, 3, 5, 6), (4, 3, 3, 3), "1, 1"),
    "one image": ((1, 3, 5, 20), (9, 3, 3, 3), "1, 1"),
    "steps of channels": ((2, 3, 9, 8), (5, 3, 3, 3), "[2, 3], [1, 0]"),
    "dilated channels": ((2, 3, 9, 8), (4, 3, 3, 2), "1, [2, 1], [2, 3]"),
    "same, even": ((2, 3, 9, 8), (4, 3, 4, 3), "1, 'same'"),
    "valid channels": ((2, 3, 9, 8), (4, 3, 2, 2), "2, 'valid'"),
    "products": ((2, 3, 6, 5), (4, 3, 1, 1), "1"),
    "products in steps": ((2, 3, 6, 5), (4, 3, 1, 1), "2"),
    "padded products": ((2, 3, 6, 5), (4, 3, 1, 1), "1, 1"),
    "groups": ((2, 6, 5, 6), (4, 3, 3, 3), "1, 1, 1, 2"),
    "groups of one image": ((1, 4, 5, 6), (6, 2, 3, 3), "2, 1, 1, 2"),
    "several filters a channel": ((2, 3, 5, 6), (6, 1, 3, 3), "1, 1, 1, 3"),
    "large filters of channels": ((2, 3, 10, 12), (3, 1, 9, 9), "1, 4, 1, 3"),
    "no batch of channels": ((3, 6, 5), (4, 3, 3, 3), "1, 1"),
    "rows of channels": ((2, 4, 33), (5, 4, 5), "1, 2"),
    "volumes of channels": ((2, 2, 4, 5, 6), (3, 2, 2, 2, 3), "1, 1"),
    "many rows of the matrix": ((1, 40, 6, 7), (9, 40, 3, 3), "1, 1"),
    "many filters": ((1, 2, 3, 4), (300, 2, 2, 2), "1"),
    "many places": ((1, 2, 9, 70), (3, 2, 3, 3), "1, 1"),
}


def numbers(shape: tuple[int, ...], dtype: str = "float32") -> np.ndarray:
    return RNG.standard_normal(shape).astype(dtype)


@pytest.mark.parametrize("bias", ["None", "b"])
@pytest.mark.parametrize("name", CASES)
def test_agrees(name: str, bias: str) -> None:
    shape, filters, rest = CASES[name]
    rank = len(filters) - 2
    source = (
        f"def f(x, w, b):\n    return torch.relu(torch.conv{rank}d(x * 2, w, {bias}, {rest}))\n"
    )
    w, b = numbers(filters), numbers(filters[:1])
    lead, inner = shape[:-rank], shape[-rank:]
    shapes = [shape, (*lead, *(size + 3 for size in inner))]
    if len(lead) == 2:
        shapes.append(
            (lead[0] + 1, lead[1], *(size + place + 1 for place, size in enumerate(inner)))
        )
    arguments = [(numbers(one), w, b) for one in shapes]
    agree(source, *arguments, native=name != "channels by themselves", atol=SUMS)


def test_float64() -> None:
    shape, filters, rest = CASES["padded"]
    source = f"def f(x, w):\n    return torch.conv2d(x, w, None, {rest}) + 1\n"
    agree(source, (numbers(shape, "float64"), numbers(filters, "float64")))


def test_infinities_and_nan_meet_the_padding() -> None:
    """What is not finite in a filter makes NaN of the zeros around the tensor."""
    x, w = numbers((1, 2, 4, 4)), numbers((2, 1, 3, 3))
    x[0, 0, 1, 1], w[1, 0, 0, 0] = np.nan, np.inf
    agree("def f(x, w):\n    return torch.conv2d(x, w, None, 1, 1, 1, 2) * 2\n", (x, w), atol=SUMS)


def test_what_the_operator_refuses_is_refused() -> None:
    """A kernel serves no call for which the operator raises."""
    source = "def f(x, w):\n    return torch.conv2d(x, w, None, 1, 0, 1, 3) * 2\n"
    w = numbers((3, 1, 3, 3))
    small, other, wide = numbers((2, 3, 2, 6)), numbers((2, 4, 5, 6)), numbers((3, 1, 7, 3))
    agree(
        source,
        (numbers((2, 3, 5, 6)), w),
        (small, w),
        (other, w),
        (other, wide),
        native=False,
        atol=SUMS,
    )


def test_one_kernel_serves_other_channels() -> None:
    """Sizes of filters are no constants of the kernel, but for what is 1."""
    source = "def f(x, w):\n    return torch.conv2d(x, w, None, 2, 1) * 2\n"
    shapes = [
        ((2, 3, 9, 8), (4, 3, 3, 3)),
        ((3, 5, 7, 9), (2, 5, 2, 4)),
        ((2, 2, 8, 8), (6, 2, 5, 3)),
    ]
    agree(source, *[(numbers(one), numbers(other)) for one, other in shapes], atol=SUMS)


def test_sizes_that_do_not_go_together_are_refused() -> None:
    source = "def f(x, w):\n    return torch.conv2d(x, w, None, 1, 0, 1, 2) * 2\n"
    good = numbers((2, 4, 5, 6)), numbers((4, 2, 3, 3))
    bad = [
        (numbers((2, 4, 5, 6)), numbers((4, 4, 3, 3))),
        (numbers((2, 6, 5, 6)), numbers((4, 2, 3, 3))),
        (numbers((2, 4, 2, 6)), numbers((4, 2, 3, 3))),
        (numbers((2, 4, 5, 6)), numbers((3, 2, 3, 3))),
    ]
    agree(source, good, *bad, native=False, atol=SUMS)


def test_a_bias_of_another_size_is_refused() -> None:
    source = "def f(x, w, b):\n    return torch.conv2d(x, w, b) * 2\n"
    x, w = numbers((2, 4, 5, 6)), numbers((3, 4, 3, 3))
    agree(source, (x, w, numbers((3,))), (x, w, numbers((4,))), native=False, atol=SUMS)


def test_views_as_operands() -> None:
    source = "def f(x, w):\n    return torch.conv2d(x[:, 1:], w[:, :, :, 1:], None, 1, 1) * 2\n"
    agree(source, (numbers((2, 4, 5, 6)), numbers((3, 3, 3, 3))), atol=SUMS)
    source = "def f(x, w):\n    return torch.conv2d(x.transpose(2, 3), w.transpose(0, 1)) * 2\n"
    agree(source, (numbers((2, 4, 5, 6)), numbers((4, 3, 3, 3))), atol=SUMS)


GRADIENTS: dict[
    str, tuple[tuple[int, ...], tuple[int, ...], tuple[list[int], list[int], list[int], int]]
] = {
    # input, filters; stride, padding, dilation and groups
    "plain": ((2, 3, 5, 6), (4, 3, 3, 2), ([1, 1], [0, 0], [1, 1], 1)),
    "padded": ((2, 3, 5, 6), (4, 3, 3, 3), ([1, 1], [1, 1], [1, 1], 1)),
    "one image": ((1, 3, 5, 20), (9, 3, 3, 3), ([1, 1], [1, 1], [1, 1], 1)),
    "steps": ((2, 3, 9, 8), (5, 3, 3, 3), ([2, 3], [1, 0], [1, 1], 1)),
    "dilated": ((2, 3, 9, 8), (4, 3, 3, 2), ([1, 1], [2, 1], [2, 3], 1)),
    "products": ((2, 3, 6, 5), (4, 3, 1, 1), ([1, 1], [0, 0], [1, 1], 1)),
    "products in steps": ((2, 3, 6, 5), (4, 3, 1, 1), ([2, 2], [0, 0], [1, 1], 1)),
    "groups": ((2, 6, 5, 6), (4, 3, 3, 3), ([1, 1], [1, 1], [1, 1], 2)),
    "groups in steps": ((1, 4, 6, 7), (6, 2, 3, 3), ([2, 1], [1, 1], [1, 1], 2)),
    "rows": ((2, 4, 33), (5, 4, 5), ([1], [2], [1], 1)),
    "volumes": ((2, 2, 4, 5, 6), (3, 2, 2, 2, 3), ([1, 1, 1], [0, 1, 1], [1, 1, 1], 1)),
    "depthwise": ((2, 3, 5, 6), (3, 1, 3, 3), ([1, 1], [1, 1], [1, 1], 3)),
    "depthwise in steps": ((2, 3, 9, 8), (3, 1, 3, 2), ([2, 3], [1, 0], [1, 1], 3)),
    "depthwise dilated": ((2, 3, 9, 8), (3, 1, 3, 2), ([1, 2], [2, 1], [2, 3], 3)),
    "depthwise rows": ((2, 4, 33), (4, 1, 5), ([1], [2], [1], 4)),
    "many filters": ((1, 2, 3, 4), (300, 2, 2, 2), ([1, 1], [0, 0], [1, 1], 1)),
    "many places": ((1, 2, 9, 70), (3, 2, 3, 3), ([1, 1], [1, 1], [1, 1], 1)),
}


def places(size: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    return (size + 2 * padding - dilation * (kernel - 1) - 1) // stride + 1


ALL = "torch.cat([a.reshape(-1), b.reshape(-1), c.reshape(-1)])"


@pytest.mark.parametrize("wanted", [ALL, "a", "b", "c"])
@pytest.mark.parametrize("name", GRADIENTS)
def test_gradients_agree(name: str, wanted: str) -> None:
    shape, filters, (*around, groups) = GRADIENTS[name]
    mask = [wanted in (one, ALL) for one in "abc"]
    source = f"""
def f(g, x, w):
    a, b, c = torch.convolution_backward(
        g * 2, x, w, [{filters[0]}], {around[0]}, {around[1]}, {around[2]}, False, {[0] * len(around[0])}, {groups}, {mask})
    return {wanted}
"""
    calls: list[tuple[np.ndarray, ...]] = []
    for batch, more in ((0, 0), (1, 3)):
        own = (shape[0] + batch, shape[1], *(size + more for size in shape[2:]))
        inner = map(places, own[2:], filters[2:], *around)
        calls.append((numbers((own[0], filters[0], *inner)), numbers(own), numbers(filters)))
    agree(source, *calls, atol=SUMS)


def test_gradients_of_float64_and_of_views() -> None:
    source = """
def f(g, x, w):
    a, b, c = torch.convolution_backward(
        g[:, :, 1:], x.transpose(2, 3), w, [4], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True])
    return torch.cat([a.reshape(-1), b.reshape(-1), c.reshape(-1)])
"""
    shapes = (2, 4, 7, 5), (2, 3, 5, 6), (4, 3, 3, 3)
    agree(source, tuple(numbers(one, "float64") for one in shapes))


def test_a_gradient_of_another_size_is_refused() -> None:
    source = """
def f(g, x, w):
    a, b, c = torch.convolution_backward(
        g * 2, x, w, [4], [1, 1], [1, 1], [1, 1], False, [0, 0], 1, [True, True, True])
    return torch.cat([a.reshape(-1), b.reshape(-1), c.reshape(-1)])
"""
    x, w = numbers((2, 3, 5, 6)), numbers((4, 3, 3, 3))
    agree(
        source,
        (numbers((2, 4, 5, 6)), x, w),
        (numbers((2, 4, 5, 5)), x, w),
        native=False,
        atol=SUMS,
    )


TRANSPOSED: dict[str, tuple[tuple[int, ...], tuple[int, ...], tuple[Any, ...]]] = {
    # input, filters; stride, padding, output padding, groups and dilation
    "plain": ((2, 3, 5, 6), (3, 4, 3, 2), (1, 0, 0, 1, 1)),
    "padded": ((2, 3, 5, 6), (3, 4, 3, 3), (1, 1, 0, 1, 1)),
    "one image": ((1, 3, 5, 20), (3, 9, 3, 3), (1, 1, 0, 1, 1)),
    "steps": ((2, 3, 5, 6), (3, 4, 4, 4), (2, 1, 0, 1, 1)),
    "steps without overlap": ((2, 3, 5, 6), (3, 4, 2, 2), (2, 0, 0, 1, 1)),
    "steps and more": ((2, 3, 5, 6), (3, 4, 3, 3), (2, 1, 1, 1, 1)),
    "other steps": ((2, 3, 5, 6), (3, 4, 3, 4), ([3, 2], [1, 0], [2, 0], 1, 1)),
    "steps over elements": ((2, 3, 5, 6), (3, 4, 2, 1), (3, 0, [0, 2], 1, 1)),
    "dilated": ((2, 3, 5, 6), (3, 4, 3, 2), (1, [2, 1], 1, 1, [2, 3])),
    "dilated steps": ((2, 3, 5, 6), (3, 4, 3, 3), (2, 1, 1, 1, [2, 3])),
    "products": ((2, 3, 6, 5), (3, 4, 1, 1), (1, 0, 0, 1, 1)),
    "groups": ((2, 6, 5, 6), (6, 2, 3, 3), (1, 1, 0, 2, 1)),
    "groups in steps": ((2, 4, 5, 6), (4, 3, 3, 3), (2, 1, 1, 2, 1)),
    "channels by themselves": ((2, 3, 5, 6), (3, 1, 3, 3), (2, 1, 1, 3, 1)),
    "no batch": ((3, 6, 5), (3, 4, 3, 3), (2, 1, 1, 1, 1)),
    "rows": ((2, 4, 33), (4, 5, 5), (2, 2, 1, 1, 1)),
    "volumes": ((2, 2, 4, 5, 6), (2, 3, 2, 2, 3), (2, [0, 1, 1], 0, 1, 1)),
    "many filters": ((1, 2, 3, 4), (2, 300, 2, 2), (1, 0, 0, 1, 1)),
}


@pytest.mark.parametrize("bias", ["None", "b"])
@pytest.mark.parametrize("name", TRANSPOSED)
def test_transposed_agree(name: str, bias: str) -> None:
    shape, filters, rest = TRANSPOSED[name]
    rank = len(filters) - 2
    source = f"""
def f(x, w, b):
    return torch.relu(torch.conv_transpose{rank}d(x * 2, w, {bias}, {", ".join(map(str, rest))}))
"""
    w, b = numbers(filters), numbers((filters[1] * rest[3],))
    shapes = [shape, (*shape[:-rank], *(size + 3 for size in shape[-rank:]))]
    arguments = [(numbers(one), w, b) for one in shapes]
    agree(source, *arguments, native=name != "channels by themselves", atol=SUMS)


@pytest.mark.parametrize("name", ["steps and more", "groups in steps"])
def test_transposed_as_traces_name_them(name: str) -> None:
    shape, filters, (stride, padding, more, groups, dilation) = TRANSPOSED[name]
    arguments = f"[{stride}], [{padding}], [{dilation}], True, [{more}], {groups}"
    x, w = numbers(shape, "float64"), numbers(filters, "float64")
    for call in (
        f"torch.convolution(x, w, None, {arguments})",
        f"torch._convolution(x, w, None, {arguments}, False, False, True, True)",
    ):
        agree(f"def f(x, w):\n    return {call} * 2\n", (x, w))


def test_transposed_of_one_kernel_serve_other_channels() -> None:
    source = "def f(x, w):\n    return torch.conv_transpose2d(x, w, None, 2, 1) * 2\n"
    shapes = [((2, 3, 5, 6), (3, 4, 3, 3)), ((3, 5, 7, 9), (5, 2, 3, 3))]
    agree(source, *[(numbers(one), numbers(other)) for one, other in shapes], atol=SUMS)


def test_what_transposed_ones_refuse_is_refused() -> None:
    source = "def f(x, w, b):\n    return torch.conv_transpose2d(x, w, b, 2, 2, 1) * 2\n"
    x, w, b = numbers((2, 3, 5, 6)), numbers((3, 4, 3, 3)), numbers((4,))
    bad = [
        (numbers((2, 4, 5, 6)), w, b),
        (numbers((2, 3, 1, 6)), w, b),
        (x, numbers((4, 4, 3, 3)), b),
        (x, w, numbers((3,))),
        (x, numbers((3, 4, 3)), b),
    ]
    agree(source, (x, w, b), *bad, native=False, atol=SUMS)
    much = "def f(x, w, b):\n    return torch.conv_transpose2d(x, w, b, 2, 1, 2) * 2\n"
    agree(much, (x, w, b), native=False)


@pytest.mark.parametrize("wanted", [ALL, "a", "b", "c"])
@pytest.mark.parametrize("name", [*TRANSPOSED])
def test_gradients_of_transposed_agree(name: str, wanted: str) -> None:
    shape, filters, (stride, padding, more, groups, dilation) = TRANSPOSED[name]
    rank = len(filters) - 2
    if len(shape) == rank + 1 or filters[1] == 1:
        return
    around = [
        one if isinstance(one, list) else [one] * rank for one in (stride, padding, dilation, more)
    ]
    mask = [wanted in (one, ALL) for one in "abc"]
    channels = filters[1] * groups
    source = f"""
def f(g, x, w):
    a, b, c = torch.convolution_backward(
        g * 2, x, w, [{channels}], {around[0]}, {around[1]}, {around[2]}, True, {around[3]}, {groups}, {mask})
    return {wanted}
"""
    calls: list[tuple[np.ndarray, ...]] = []
    for batch, larger in ((0, 0), (1, 3)):
        own = (shape[0] + batch, shape[1], *(size + larger for size in shape[2:]))
        inner = map(reached, own[2:], filters[2:], *around)
        calls.append((numbers((own[0], channels, *inner)), numbers(own), numbers(filters)))
    agree(source, *calls, atol=SUMS)


def reached(size: int, kernel: int, stride: int, padding: int, dilation: int, more: int) -> int:
    return (size - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1


def test_channels_last_stays_so() -> None:
    x = np.ascontiguousarray(numbers((2, 5, 6, 3))).transpose(0, 3, 1, 2)
    w = numbers((3, 1, 3, 3))
    source = "def f(x, w):\n    return torch.conv2d(x, w, None, 1, 1, 1, 3) * 2\n"
    with ts.fuser("none"):
        wanted = ts.CompilationUnit(source)["f"](x, w)
    f = ts.CompilationUnit(source)["f"]
    for _ in range(4):
        found = f(x, w)
        assert found.stride() == wanted.stride()
        np.testing.assert_allclose(found.array, wanted.array, rtol=2e-5, atol=1e-6)
