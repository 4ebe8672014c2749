"""Groups that compute tensors whose dimensions lie in another order in memory: kernels compute them in that order."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.tensor.conversion import as_tensor

X = np.sin(np.arange(35, dtype=np.float32)).reshape(5, 7)
Z = np.cos(np.arange(48, dtype=np.float32)).reshape(2, 6, 4)


def result(expression: str, *args: Any) -> Any:
    """What a program with groups gives; it has to hold one."""
    f = ts.CompilationUnit(f"def f(x):\n    return {expression}\n").f
    f(*args)
    text = str(f.graph_for(*args)).split("with prim::TensorExprGroup_")[0]
    assert "prim::TensorExprGroup_0" in text
    return f(*args)


@pytest.mark.parametrize(
    ("expression", "x", "numpy"),
    [
        ("torch.exp((x + 1).t())", X, lambda x: np.exp((x + 1).T)),
        ("torch.exp(x.t()) * 2", X, lambda x: np.exp(x.T) * 2),
        (
            "torch.exp((x * 2).permute(2, 0, 1)) - 1",
            Z,
            lambda x: np.exp((x * 2).transpose(2, 0, 1)) - 1,
        ),
        ("torch.exp(x.t()).t() * x", X, lambda x: np.exp(x) * x),
        (
            "torch.exp(x.transpose(0, 2)).reshape(-1) + 1",
            Z,
            lambda x: np.exp(x.swapaxes(0, 2)).reshape(-1) + 1,
        ),
        (
            "torch.exp((x + 1).t()).add_(x[:, 0]) * 2",
            X,
            lambda x: (np.exp((x + 1).T) + x[:, 0]) * 2,
        ),
    ],
)
def test_a_turned_result_lies_in_memory_as_numpy_has_it(
    expression: str, x: Any, numpy: Any
) -> None:
    wanted = numpy(x)
    for _ in range(2):
        given = result(expression, x)
        np.testing.assert_allclose(given.numpy(), wanted, rtol=1e-5, atol=1e-6)
        assert given.stride() == tuple(step // 4 for step in wanted.strides)


def test_a_kernel_of_turned_tensors_serves_other_sizes() -> None:
    f = ts.CompilationUnit("def f(x):\n    return torch.exp((x + 1).t()) * 2\n").f
    for shape in ((5, 7), (5, 7), (3, 2), (1, 4), (4, 1), (0, 3)):
        x = np.ones(shape, np.float32)
        np.testing.assert_allclose(f(x).numpy(), np.exp(x + 1).T * 2, rtol=1e-5)


def last_channels(x: Any) -> Any:
    """The same elements, with channels last in memory."""
    return np.ascontiguousarray(np.moveaxis(x, 1, -1)).transpose(0, 3, 1, 2)


@pytest.mark.parametrize("shape", [(2, 6, 9, 8), (1, 6, 9, 8), (2, 6, 9, 1), (1, 6, 2, 9)])
@pytest.mark.parametrize(
    "arguments",
    ["1, [4, 2], 1, 6", "[2, 1], [2, 4], [1, 2], 6", "1, 4, 1, 1", "2, 4, 1, 3", "1, 0, 1, 1"],
)
@pytest.mark.parametrize("kernel", [(3, 2), (6, 5), (1, 1)])
def test_images_with_their_channels_last(
    shape: tuple[int, ...], arguments: str, kernel: tuple[int, int]
) -> None:
    """Convolutions, and what follows them, in one kernel, with the values and the strides of the interpreter."""
    groups = int(arguments.rpartition(" ")[2])
    x = last_channels(np.sin(np.arange(np.prod(shape), dtype=np.float32)).reshape(shape))
    filters = (6, 6 // groups, *kernel)
    w = np.cos(np.arange(np.prod(filters), dtype=np.float32)).reshape(filters)
    source = f"""
def f(x, w, b):
    y = torch.conv2d(x, w, b, {arguments})
    return torch.relu(torch.batch_norm(y, None, None, b, b * b, False, 0.1, 1e-5, False) * 2)
"""
    b = np.linspace(0.5, 1, 6, dtype=np.float32)
    with ts.fuser("none"):
        plain = ts.CompilationUnit(source).f
        if arguments == "1, 0, 1, 1" and any(k > n for k, n in zip(kernel, shape[2:])):
            with pytest.raises(RuntimeError, match="Kernel size can't be greater"):
                plain(x, w, b)
            return
        wanted = plain(x, w, b)
    f = ts.CompilationUnit(source).f
    for _ in range(3):
        given = f(x, w, b)
        np.testing.assert_allclose(given.numpy(), wanted.numpy(), rtol=1e-4, atol=1e-5)
        assert given.stride() == wanted.stride()
    assert "native" in str(ts.explain(f))


@pytest.mark.parametrize("arguments", ["1, 0, 1, 1", "1, 1, 1, 6"])
def test_an_image_without_a_batch_with_its_channels_last(arguments: str) -> None:
    groups = int(arguments[-1])
    x = last_channels(np.sin(np.arange(6 * 9 * 8, dtype=np.float32)).reshape(1, 6, 9, 8))[0]
    size = 1 if groups == 1 else 3
    w = np.cos(np.arange(36 // groups * size**2, dtype=np.float32)).reshape(6, -1, size, size)
    source = f"def f(x, w):\n    return torch.relu(torch.conv2d(x * 2, w, None, {arguments})) * 2\n"
    with ts.fuser("none"):
        wanted = ts.CompilationUnit(source).f(x, w)
    f = ts.CompilationUnit(source).f
    for _ in range(3):
        given = f(x, w)
        np.testing.assert_allclose(given.numpy(), wanted.numpy(), rtol=1e-4, atol=1e-5)
        assert given.stride() == wanted.stride()
    assert "native: the whole function" in str(ts.explain(f))


def test_a_result_with_its_channels_last_for_other_arguments() -> None:
    """The kernel takes no image of another order, which has a result of another one."""
    f = ts.CompilationUnit("def f(x):\n    return torch.exp(x + 1) * 2\n").f
    plain = np.sin(np.arange(48, dtype=np.float32)).reshape(1, 4, 3, 4)
    turned = last_channels(plain)
    for x in (turned, turned, plain, turned, turned[:, :2], plain[:, :, :1], turned[:, :1]):
        given = f(x)
        np.testing.assert_allclose(given.numpy(), np.exp(x + 1) * 2, rtol=1e-5)
        with ts.fuser("none"):
            assert (
                given.stride()
                == ts.CompilationUnit("def f(x):\n    return torch.exp(x + 1) * 2\n").f(x).stride()
            )


def test_observed_tensors_may_get_another_rank() -> None:
    """A permutation behind a group would not fit them."""
    source = "def f(xs: List[Tensor], i: int):\n    y = xs[i]\n    return torch.tanh(torch.exp(y.transpose(0, 1)) * 2)\n"
    f = ts.CompilationUnit(source).f
    tensors = [as_tensor(X), as_tensor(Z)]
    for i in (0, 0, 0, 1, 0):
        wanted = np.tanh(np.exp(tensors[i].numpy().swapaxes(0, 1)) * 2)
        np.testing.assert_allclose(f(tensors, i).numpy(), wanted, rtol=1e-5)
