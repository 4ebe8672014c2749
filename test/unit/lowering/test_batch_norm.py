"""Batch norms in training in groups against the same programs interpreted: results, and running statistics, which are written to."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from support import kernel_agreement
from support.kernel_agreement import OF_SUMS, arrays, outcome
from torchscript_dialect import torch
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS

SHAPES = [(4, 6, 5, 3), (2, 6, 1, 1), (1, 6, 2, 2), (3, 6, 40, 7), (9, 6, 1, 3)]
Arrays = tuple[np.ndarray, ...]


def of_a_norm(norm: str = "batch_norm", weight: str = "w", bias: str = "b", more: str = "") -> str:
    library = "" if norm == "native_batch_norm" else ", False"
    first = "" if norm == "batch_norm" else "[0]"
    return (
        "def f(x, w, b, m, v):\n"
        f"    y = torch.{norm}(x * 2, {weight}, {bias}, m, v, True, 0.3, 1e-3{library}){first}\n"
        f"    {more or 'return torch.relu(y) + 1'}\n"
    )


def given(shape: tuple[int, ...], dtype: str = "float32", seed: int = 0) -> Arrays:
    channels = shape[1:2]
    w, b, m = (arrays(channels, dtype, seed + one) for one in (1, 2, 3))
    return arrays(shape, dtype, seed), w, b, m, np.abs(arrays(channels, dtype, seed + 4))


def copied(values: Arrays) -> Arrays:
    """Copies that have memory in common where these have."""
    owners: dict[int, np.ndarray] = {}

    def copy(value: np.ndarray) -> np.ndarray:
        owner = value
        while isinstance(owner.base, np.ndarray):
            owner = owner.base
        own = owners.setdefault(id(owner), owner.copy())
        shift = value.__array_interface__["data"][0] - owner.__array_interface__["data"][0]
        flat = own.reshape(-1)[shift // value.itemsize :]
        return np.lib.stride_tricks.as_strided(flat, value.shape, value.strides)

    return tuple(map(copy, values))


def served(f: Any) -> tuple[int, int]:
    """How many groups with a norm have kernels, and how many calls these did not take."""
    plans = f._executor.plans_in_order()
    groups = [(plan, group) for plan in plans for group in plan.compiled_groups()]
    norms = [one for one in groups if any("batch_norm" in op.name for op in one[1].body.ops)]
    return len(norms), sum(plan.failed_checks(group) for plan, group in norms)


def called(f: Any, call: Arrays) -> tuple[Any, Arrays]:
    """What a call gives, and what becomes of copies of the arguments."""
    given = copied(call)
    return outcome(f, *given), given


def agree(source: str, *calls: Arrays, native: bool = True, atol: float = OF_SUMS) -> None:
    """Kernels of the first call give what the interpreter gives, and write what it writes. `native`: they take all calls."""
    with ts.fuser("none"):
        plain = ts.CompilationUnit(source)["f"]
        expected = [called(plain, call) for call in calls for _ in range(3)]
    compiled = ts.CompilationUnit(source)["f"]
    for place, (wanted, wrote) in enumerate(expected):
        found, writes = called(compiled, calls[place // 3])
        if isinstance(wanted, type):
            assert found is wanted
        else:
            assert found.dtype == wanted.dtype and found.shape == wanted.shape
            np.testing.assert_allclose(found, wanted, rtol=2e-5, atol=atol)
        for one, other in zip(writes, wrote, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-5, atol=1e-6)
    groups, misses = served(compiled)
    assert (groups > 0 and not misses) is (native and HAS_NATIVE_CALLS)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("norm", ["batch_norm", "native_batch_norm", "_batch_norm_impl_index"])
def test_by_the_statistics_of_the_batch(norm: str, dtype: str) -> None:
    agree(of_a_norm(norm), *[given(shape, dtype) for shape in SHAPES])
    agree(of_a_norm(norm), *[given(shape, dtype) for shape in ((9, 6), (2, 6), (300, 6))])


@pytest.mark.parametrize(("weight", "bias"), [("w", "None"), ("None", "b"), ("None", "None")])
def test_without_parameters(weight: str, bias: str) -> None:
    agree(of_a_norm(weight=weight, bias=bias), *map(given, SHAPES))


def test_without_running_statistics() -> None:
    """Nothing is written, and one kernel is the whole function."""
    source = of_a_norm().replace("m, v, True", "None, None, True")
    kernel_agreement.agree(source, *map(given, SHAPES), atol=OF_SUMS)


def test_the_statistics_that_are_given_back() -> None:
    source = (
        "def f(x, w, b, m, v):\n"
        "    y, mean, rstd = torch.native_batch_norm(x, w, b, m, v, True, 0.3, 1e-3)\n"
        "    return y * 2 + (mean * rstd).view([-1, 1, 1])\n"
    )
    agree(source, *map(given, SHAPES))


def test_one_channel_and_one_element() -> None:
    """Of one element, the variance of the batch without bias is NaN."""
    agree(of_a_norm(), given((4, 1, 5, 3)), given((2, 1, 1, 1)))
    agree(of_a_norm(), given((2, 6, 2, 1)), given((1, 6, 1, 1)))
    agree(of_a_norm(), given((1, 1, 1, 1)))


def test_a_result_that_nobody_uses() -> None:
    source = of_a_norm(more="return m + v")
    agree(source, *map(given, SHAPES))
    agree(of_a_norm("native_batch_norm", more="return x.size(0)"), *map(given, SHAPES))


def test_special_values() -> None:
    special = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-40, 1.0]
    x = np.array(list(itertools.product(special, special, [1.0])), np.float32)
    _, w, b, m, v = given((1, 3))
    agree(of_a_norm(), (x, w, b, m, v))
    agree(of_a_norm(), (x[:, :2].copy(), x[3, :2].copy(), x[9, :2].copy(), x[1, :2].copy(), v[:2]))


ORDERS = {
    "two calls of one norm": (
        "y = torch.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False)\n"
        "    z = torch.batch_norm(y, w, b, m, v, True, 0.3, 1e-5, False)\n"
        "    return torch.relu(y) + z"
    ),
    "read before, between and after": (
        "first = m * 2\n"
        "    y = torch.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False)\n"
        "    between = m + first\n"
        "    z = torch.batch_norm(y, w, b, m, v, True, 0.3, 1e-5, False)\n"
        "    return torch.relu(z) + (between * m + v).view([-1, 1, 1])"
    ),
    "views of them": (
        "view = m.view([-1, 1, 1])\n"
        "    before = view * 2\n"
        "    y = torch.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False)\n"
        "    return torch.relu(y) + view + before"
    ),
    "in turn": (
        "torch.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False)\n"
        "    y = torch.batch_norm(x, w, b, v, m, True, 0.2, 1e-5, False)\n"
        "    torch.batch_norm(y, w, b, m, v, True, 0.1, 1e-5, False)\n"
        "    return torch.sigmoid(y) + m.view([-1, 1, 1])"
    ),
    "written between": (
        "y = torch.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False)\n"
        "    m.add_(1)\n"
        "    v.mul_(2)\n"
        "    z = torch.batch_norm(x, w, b, m, v, True, 0.1, 1e-5, False)\n"
        "    m.add_(y.mean())\n"
        "    return torch.relu(y) + torch.tanh(z)"
    ),
    "made here": (
        "n = m.clone()\n"
        "    u = v * 2\n"
        "    y = torch.batch_norm(x, w, b, n, u, True, 0.1, 1e-5, False)\n"
        "    return torch.relu(y) + (n + u).view([-1, 1, 1])"
    ),
    "parts of them": (
        "part = m.view([6, 1]).view([6])\n"
        "    y = torch.batch_norm(x, w, b, part, v.narrow(0, 0, 6), True, 0.1, 1e-5, False)\n"
        "    return torch.relu(y) + m.view([-1, 1, 1])"
    ),
    "in a loop": (
        "y = x\n"
        "    for _ in range(3):\n"
        "        y = torch.relu(torch.batch_norm(y, w, b, m, v, True, 0.1, 1e-5, False)) + 1\n"
        "    return y"
    ),
}


@pytest.mark.parametrize("name", ORDERS)
def test_the_order_of_reads_and_writes(name: str) -> None:
    source = f"def f(x, w, b, m, v):\n    {ORDERS[name]}\n"
    agree(source, *map(given, SHAPES))


def shared(name: str) -> Arrays:
    """Arguments some of which are the same memory."""
    x, w, b, m, v = given((4, 6, 5, 3))
    if name == "statistics":
        v = m = v
    elif name == "weight and mean":
        w = m
    elif name == "bias and variance":
        b = v
    elif name == "input and mean":
        m = x.reshape(-1)[6:12]
    elif name == "parameters":
        b = w
    return x, w, b, m, v


@pytest.mark.parametrize(
    "name", ["statistics", "weight and mean", "bias and variance", "input and mean"]
)
def test_memory_that_is_written_to_and_read(name: str) -> None:
    """No kernel serves such a call, though it was made for others: the operators see what they have written."""
    source = of_a_norm().replace("x * 2", "x")
    agree(source, given((4, 6, 5, 3)), shared(name), given((4, 6, 5, 3)), native=False)
    agree(source, shared(name), native=False)
    agree(source, given((4, 6, 5, 3)), shared("parameters"))


def test_of_no_elements_nothing_is_written() -> None:
    agree(of_a_norm(), given((4, 6, 5, 3)), given((0, 6, 5, 3)), given((4, 6, 0, 3)), native=False)
    agree(of_a_norm("native_batch_norm"), given((4, 6)), given((0, 6)), native=False)


def test_an_input_with_gaps_or_in_another_order() -> None:
    """What lies channels last stays so."""
    source = of_a_norm().replace("x * 2", "x")
    x, *others = given((4, 6, 5, 3))
    agree(source, (np.repeat(x, 2, axis=3)[..., ::2], *others))
    turned = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    agree(source, (turned, *others))


def test_running_statistics_with_gaps() -> None:
    x, w, b, _, _ = given((4, 6, 5, 3))
    both = np.abs(arrays((12,), "float32"))
    agree(of_a_norm(), (x, w, b, both[::2], both[1::2]), native=False)
    agree(of_a_norm(), (x, w, b, both[:6], both[6:]))


@pytest.mark.parametrize("place", [1, 2, 3, 4])
def test_other_sizes_raise_and_write_nothing(place: int) -> None:
    good = given((4, 6, 5, 3))
    bad = [*given((4, 6, 5, 3))]
    bad[place] = bad[place][:5].copy()
    agree(of_a_norm(), good, tuple(bad), native=False)


def test_halves_are_rounded_once() -> None:
    agree(of_a_norm(), given((4, 6, 5, 3), "float16"), atol=1e-2)


def test_a_momentum_or_a_mode_that_is_an_argument() -> None:
    source = (
        "def f(x, w, b, m, v, momentum: float, trains: bool):\n"
        "    y = torch.batch_norm(x, w, b, m, v, trains, momentum, 1e-3, False)\n"
        "    return torch.relu(y) + 1\n"
    )
    f = ts.CompilationUnit(source)["f"]
    x, w, b, m, v = given((4, 6, 5, 3))
    for momentum, trains in [(0.5, True)] * 4 + [(0.0, True), (1.0, True), (0.5, False)]:
        with ts.fuser("none"):
            plain = ts.CompilationUnit(source)["f"]
            theirs = copied((m, v))
            wanted = plain(x, w, b, *theirs, momentum, trains)
        found = f(x, w, b, m, v, momentum, trains)
        np.testing.assert_allclose(np.asarray(found), np.asarray(wanted), rtol=2e-5, atol=OF_SUMS)
        np.testing.assert_allclose(m, theirs[0], rtol=2e-5, atol=1e-6)
        np.testing.assert_allclose(v, theirs[1], rtol=2e-5, atol=1e-6)


def test_no_version_counts_the_update() -> None:
    """As PyTorch's: nobody is told that something saved for the way back has changed."""
    f = ts.CompilationUnit(of_a_norm())["f"]
    x, w, b, m, v = (torch.tensor(one) for one in given((4, 6, 5, 3)))
    w.requires_grad_(True)
    for _ in range(5):
        product = m * w
        f(x, w, b, m, v)
        assert m._version == 0
        product.sum().backward()
