"""Kernels that read at places which tensors name, held against the operators' kernels in NumPy: runtime/kernels/handwritten/place_kernels.py."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect.ops import registry
from torchscript_dialect.runtime.interpreter import python_source
from torchscript_dialect.runtime.kernels.handwritten import place_ir
from torchscript_dialect.runtime.kernels.handwritten.place_kernels import FORMS, ManyPlaces
from torchscript_dialect.runtime.kernels.small_kernels import IndexKernels, small_kernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS
from torchscript_dialect.tensor.conversion import as_tensor

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")

SHAPES = ((5,), (1,), (4, 6), (3, 1), (2, 3, 5), (2, 3, 2, 4))
DTYPES = ("float32", "bool", "int16", "complex128", "float64")


def outcome(run: Any, operands: Sequence[Any]) -> Any:
    try:
        result = run(*operands)
    except (RuntimeError, IndexError) as error:
        return type(error), str(error)
    return str(result.dtype), result.shape, result.stride(), repr(result.tolist())


def places(shape: tuple[int, ...], size: int, kind: str) -> ts.Tensor:
    """Places in a dimension of a size: in range, counted from the end, or one of them out of range."""
    rng = np.random.default_rng(len(shape) + size)
    lowest = -size if kind == "from the end" else 0
    found = rng.integers(lowest, max(size, lowest + 1), shape)
    if kind in ("too large", "too small") and found.size:
        found.flat[-1] = size if kind == "too large" else -size - 1
    return as_tensor(found)


def calls(name: str, x: ts.Tensor) -> list[list[Any]]:
    """Operands for an operator on a tensor."""
    kinds = ("in range", "from the end", "too large", "too small")
    return [call for kind in kinds for call in calls_of_kind(name, x, kind)]


def calls_of_kind(name: str, x: ts.Tensor, kind: str) -> Iterator[list[Any]]:
    sizes = x.array.shape
    if name == "aten::index.Tensor":
        for shape in ((3,), (2, 2), (1,), (0,), (2, 1, 2)):
            yield [x, [places(shape, sizes[0], kind)]]
    elif name == "aten::embedding":
        for shape in ((3,), (2, 2), (1,), (0,)):
            yield [x, places(shape, sizes[0], kind), -1, False, False]
    elif name == "aten::index_select":
        for dim in range(-len(sizes), len(sizes)):
            yield [x, dim, places((4,), sizes[dim], kind)]
    elif name == "aten::gather":
        dims = range(-len(sizes), len(sizes))
        for dim, first, along in product(dims, (sizes[0], 1), (2, 1, 0, 7)):
            shape = [first, *sizes[1:]]
            shape[dim] = along
            yield [x, dim, places(tuple(shape), sizes[dim], kind), False]


@pytest.mark.parametrize("name", FORMS)
def test_they_give_what_the_kernels_of_operators_give(name: str) -> None:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    native = 0
    for shape in SHAPES:
        if name == "aten::embedding" and len(shape) != 2:
            continue
        for dtype in DTYPES:
            count = int(np.prod(shape))
            x = as_tensor((np.arange(count) % 97).astype(dtype).reshape(shape))
            first = calls(name, x)[0]
            made = small_kernels(operator, operator.kernel, first, 2, False)
            assert made is not None, first
            for operands in calls(name, x):
                assert outcome(made, operands) == outcome(operator.kernel, operands), operands
            rows = made.rows if isinstance(made, IndexKernels) else made
            native += sum(one.native_calls for one in rows.natives.values())  # pyright: ignore[reportAttributeAccessIssue]
    assert native > 10


@pytest.mark.parametrize("name", FORMS)
def test_other_operands_get_what_the_kernel_gives(name: str) -> None:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    x = as_tensor(np.arange(24, dtype=np.float32).reshape(4, 6))
    usual = calls(name, x)[0]
    made = small_kernels(operator, operator.kernel, usual, 2, False)
    assert made is not None
    where = next(i for i, one in enumerate(usual) if i and not isinstance(one, int))
    wide = np.arange(48).reshape(4, 12) % 4
    few: list[Any] = [wide[:, ::2], wide.astype(np.int32), wide.astype(np.float32), wide > 1]
    few += [np.zeros((), np.int64), np.zeros((1 << 7, 1 << 6), np.int64)]
    for array in few:
        one: Any = as_tensor(array)
        operands = list(usual)
        operands[where] = [one] if isinstance(usual[where], list) else one
        for _ in range(3):
            assert outcome(made, operands) == outcome(operator.kernel, operands), array
    for other in (as_tensor(x.array.T), as_tensor(np.zeros((0, 6), np.float32))):
        operands = [other, *usual[1:]]
        assert outcome(made, operands) == outcome(operator.kernel, operands)


def test_two_indices_and_masks_are_no_single_index() -> None:
    operator = registry.find("aten::index.Tensor")
    assert operator is not None and operator.kernel is not None
    x = as_tensor(np.arange(24, dtype=np.float32).reshape(4, 6))
    i, mask = as_tensor(np.array([1, 2])), as_tensor(np.arange(4) > 1)
    made = small_kernels(operator, operator.kernel, (x, [i]), 2, False)
    assert made is not None
    for indices in ([i, i], [None, i], [mask], [i], []):
        assert outcome(made, (x, indices)) == outcome(operator.kernel, (x, indices))


def test_they_serve_each_dimension_and_compiled_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_source, "OFTEN_IN_PROGRAMS", 3)
    unit = ts.CompilationUnit(
        "def f(x, i, j):\n"
        "    return x[i], x.index_select(1, i), x.gather(0, j), x.gather(1, j), torch.embedding(x, j)\n"
    )
    x = np.arange(12, dtype=np.float32).reshape(3, 4)
    i, j = np.array([2, 0]), np.array([[0, 2, 1, 0], [2, 2, 0, 1]])
    for _ in range(40):
        a, b, c, d, e = unit.f(x, i, j)
        assert a.tolist() == x[i].tolist() and b.tolist() == x[:, i].tolist()
        assert c.tolist() == np.take_along_axis(x, j, 0).tolist()
        assert d.tolist() == np.take_along_axis(x[:2], j, 1).tolist()
        assert e.tolist() == x[j].tolist()
    with pytest.raises(IndexError, match="index 3 is out of bounds for dimension 0 with size 3"):
        unit.f(x, np.array([3]), j)


def test_the_text_defines_what_it_names() -> None:
    text = place_ir.place_ir()
    assert all(f"@{name}(" in text for name in place_ir.functions())


@pytest.mark.parametrize("name", ["in range", "too large", "too small"])
def test_many_places_of_elements(name: str) -> None:
    """`gather` of many places has a kernel at once, for threads to share; places out of range are told by the operator's own."""
    operator = registry.find("aten::gather")
    assert operator is not None and operator.rules.kernel is not None
    many = ManyPlaces("aten::gather", operator.rules.kernel)
    x = as_tensor(np.arange(3 * 70 * 500, dtype=np.float32).reshape(3, 70, 500))
    for dim, shape in ((0, (9, 70, 500)), (1, (3, 300, 500)), (-1, (2, 70, 900)), (0, (9, 7, 500))):
        at = places(shape, x.array.shape[dim], name)
        expected = outcome(operator.rules.kernel, [x, dim, at, False])
        assert outcome(many, [x, dim, at, False]) == expected
        assert outcome(operator.kernel, [x, dim, at, False]) == expected
    calls_of = [native.native_calls for native in many.found.values()]
    assert calls_of == ([1, 1, 1] if name == "in range" else [0, 0, 0])
