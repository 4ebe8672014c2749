"""Kernels of the runtime's own for operators on few elements, held against the operators' kernels in NumPy: runtime/kernels/handwritten/row_kernels.py."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import torchscript_dialect as ts
from torchscript_dialect import torch
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.eager import often
from torchscript_dialect.runtime.interpreter import python_source
from torchscript_dialect.runtime.kernels.handwritten import place_kernels, row_ir
from torchscript_dialect.runtime.kernels.handwritten.row_kernels import FORMS, OF_TWO
from torchscript_dialect.runtime.kernels.small_kernels import RowKernels, small_kernels
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS
from torchscript_dialect.tensor.conversion import as_tensor

pytestmark = pytest.mark.skipif(not HAS_NATIVE_CALLS, reason="no native calls")
CALLS: dict[str, list[tuple[Any, ...]]] = {
    "aten::max.dim": [(-1, False), (-1, True)],
    "aten::min.dim": [(-1, False), (-1, True)],
    "aten::argmax": [(-1, False), (-1, True)],
    "aten::argmin": [(-1, False), (-1, True)],
    "aten::topk": [(2, -1, True, True), (3, -1, False, True), (0, -1, True, True)],
    "aten::sort": [(-1, False), (-1, True)],
    "aten::cumsum": [(-1, None)],
    "aten::cumprod": [(-1, None)],
    "aten::cummax": [(-1,)],
    "aten::cummin": [(-1,)],
    "aten::any": [()],
    "aten::all": [()],
}
SHAPES = ((4, 6), (1, 3), (3, 1), (7,), (1,), (2, 3, 5), (2, 2, 2, 4), (0, 3), (3, 0), (0,), ())
LARGE = ((2, 100), (100, 50), (3, 2000))


def kernels_of(name: str, operands: tuple[Any, ...]) -> tuple[Any, RowKernels]:
    operator = registry.find(name)
    assert operator is not None and operator.kernel is not None
    made = small_kernels(operator, operator.kernel, operands, 2, False)
    assert isinstance(made, RowKernels)
    return operator.kernel, made


def outcome(run: Any, operands: tuple[Any, ...]) -> Any:
    try:
        result = run(*operands)
    except (RuntimeError, IndexError) as error:
        return type(error), str(error)
    results = result if isinstance(result, tuple) else (result,)
    return [(str(one.dtype), one.shape, one.stride(), repr(one.tolist())) for one in results]


def arrays(dtype: str) -> list[np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    found = [rng.integers(-3, 4, shape).astype(dtype) for shape in (*SHAPES, *LARGE)]
    if dtype.startswith("float"):
        for array in list(found):
            special = array.copy()
            chosen = rng.random(array.shape) < 0.3
            special[chosen] = rng.choice([np.nan, np.inf, -np.inf, -0.0, 1e38], chosen.sum())
            found.append(special)
    wide = rng.integers(-3, 4, (6, 6)).astype(dtype)
    return [*found, wide.T, wide[:, ::2], np.broadcast_to(wide[0], (3, 6))]


def test_every_operator_that_is_counted_for_them_has_them() -> None:
    assert {*FORMS, *OF_TWO, *place_kernels.FORMS} == often.OF_ROWS
    assert CALLS.keys() == FORMS.keys()


@pytest.mark.parametrize("name", FORMS)
def test_they_give_what_the_kernels_of_operators_give(name: str) -> None:
    dtypes = ["bool"] if name in ("aten::any", "aten::all") else list(row_ir.TYPES)
    for dtype in dtypes:
        first = as_tensor(np.ones((4, 6), dtype))
        kernel, made = kernels_of(name, (first, *CALLS[name][0]))
        for rest in CALLS[name]:
            for array in arrays(dtype) * 2:
                operands = (as_tensor(array), *rest)
                assert outcome(made, operands) == outcome(kernel, operands), (array, rest)
        calls = [native.native_calls for native in made.natives.values()]
        assert all(count > 5 for count in calls), calls


@pytest.mark.parametrize("name", FORMS)
def test_wrong_operands_get_the_words_of_the_kernel(name: str) -> None:
    dtype = "bool" if name in ("aten::any", "aten::all") else "float32"
    first = as_tensor(np.ones((4, 6), dtype))
    kernel, made = kernels_of(name, (first, *CALLS[name][0]))
    rests: list[tuple[Any, ...]] = [(5, *rest[1:]) for rest in CALLS[name][:1] if rest]
    for rest in (*rests, *CALLS[name]):
        for x in (first, as_tensor(np.ones((4, 6), np.float16)), as_tensor(np.ones(2, bool))):
            for _ in range(4):
                assert outcome(made, (x, *rest)) == outcome(kernel, (x, *rest))


def test_running_sums_and_products_of_float32_are_rounded_once_an_element() -> None:
    rng = np.random.default_rng(0)
    for shape in ((2, 100), (300, 1000), (1 << 18,)):  # the last two are run by a kernel
        x = rng.standard_normal(shape).astype(np.float32)
        sums = torch.cumsum(as_tensor(x), -1)
        np.testing.assert_array_equal(sums.array, x.astype(float).cumsum(-1).astype(np.float32))
    kernel, made = kernels_of("aten::cumsum", (as_tensor(x), -1, None))
    assert outcome(made, (as_tensor(x), -1, None)) == outcome(kernel, (as_tensor(x), -1, None))
    products = torch.cumprod(as_tensor(x[:50]), -1)
    wanted = x[:50].astype(float).cumprod(-1).astype(np.float32)
    np.testing.assert_array_equal(products.array, wanted)


def test_compiled_functions_have_them_after_many_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python_source, "OFTEN_IN_PROGRAMS", 3)
    unit = ts.CompilationUnit(
        "def f(x, n: int):\n"
        "    values, places = x.topk(n)\n"
        "    best, at = x.max(-1)\n"
        "    return values, places, best, at, x.cumsum(-1), (x > 2).any()\n"
    )
    x = np.array([[3, 1, 2], [0, 5, 4]], np.float32)
    for columns in (3, 2) * 8:
        part = np.ascontiguousarray(x[:, :columns])
        values, places, best, at, sums, one = unit.f(part, 2)
        assert places.tolist() == np.argsort(-part, 1)[:, :2].tolist()
        assert values.tolist() == (-np.sort(-part, 1))[:, :2].tolist()
        assert best.tolist() == part.max(1).tolist() and at.tolist() == part.argmax(1).tolist()
        assert sums.tolist() == part.cumsum(1).tolist() and one.item() is True
    with pytest.raises(Exception, match="out of range"):
        unit.f(x, 4)


@pytest.mark.parametrize("dtype", ["bool", "int16", "float32", "int64", "complex128"])
def test_copies_are_made_by_a_kernel_where_nothing_overlaps(dtype: str) -> None:
    memory = np.arange(64).astype(dtype)
    x, y = as_tensor(memory[:6].reshape(2, 3)), as_tensor(memory[20:26].reshape(2, 3))
    operator = registry.find("aten::copy_")
    assert operator is not None and operator.kernel is not None
    made = small_kernels(operator, operator.kernel, (x, y, False), 2, True)
    assert isinstance(made, RowKernels)
    native = made.native_for((False,))
    assert made(x, y, False) is x and x.tolist() == y.tolist()
    assert made(x, x, False) is x and x.tolist() == y.tolist()
    assert native.native_calls == 2
    other = as_tensor((np.arange(6) % 2).astype(np.float64).reshape(2, 3))
    rows = as_tensor(memory[30:33])
    columns = as_tensor(memory[40:46].reshape(3, 2).T)
    for target, source in ((x, other), (x, rows), (columns, x), (x, columns), (rows, rows)):
        wanted = np.broadcast_to(source.array, target.array.shape).astype(dtype).tolist()
        assert made(target, source, False) is target and target.tolist() == wanted
    with pytest.raises(RuntimeError, match="doesn't match the broadcast shape"):
        made(rows, x, False)
    with pytest.raises(RuntimeError, match="some elements of the input tensor"):
        made(as_tensor(memory[:6]), as_tensor(memory[1:7]), False)
    large = np.arange(1 << 20).astype(dtype)
    into = as_tensor(np.zeros_like(large))
    made(into, as_tensor(large), False)
    np.testing.assert_array_equal(into.array, large)
    empty = as_tensor(np.zeros((0, 3), dtype))
    assert made(empty, empty, False) is empty


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_products_of_batches_of_small_matrices(dtype: str) -> None:
    operator = registry.find("aten::bmm")
    assert operator is not None and operator.kernel is not None
    rng = np.random.default_rng(0)

    def batch(*shape: int) -> ts.Tensor:
        return as_tensor(rng.integers(-9, 9, shape).astype(dtype))

    first = batch(2, 3, 4), batch(2, 4, 5)
    made = small_kernels(operator, operator.kernel, first, 2, False)
    assert isinstance(made, RowKernels)
    shapes = [(2, 3, 4, 5), (1, 1, 1, 1), (3, 2, 7, 1), (4, 16, 16, 2), (9, 20, 20, 20)]
    for b, m, k, n in [*shapes, (0, 2, 2, 2), (2, 2, 0, 2), (2, 0, 2, 2)]:
        operands = batch(b, m, k), batch(b, k, n)
        assert outcome(made, operands) == outcome(operator.kernel, operands)
    assert made.native_for(()).native_calls == 4
    turned = as_tensor(first[0].array.transpose(0, 2, 1))
    for operands in ((first[0], batch(2, 5, 4)), (first[0], batch(3, 4, 5)), (turned, first[0])):
        assert outcome(made, operands) == outcome(operator.kernel, operands)


def test_the_largest_of_many_elements() -> None:
    """In whatever order they come; too many are left to the operator's kernel."""
    rng = np.random.default_rng(0)
    rising = np.arange(9000, dtype=np.float32)
    _, made = kernels_of("aten::topk", (as_tensor(rising), 5, -1, True, True))
    mixed = rng.permutation(rising)
    native = next(iter(made.natives.values()))
    for array in (rising, rising[::-1].copy(), mixed, mixed.reshape(9, 1000), mixed % 7):
        for k in (1, 5, 29):
            values, places = made(as_tensor(array), k, -1, True, True)
            wanted = -np.sort(-array, -1)[..., :k]
            np.testing.assert_array_equal(values.array, wanted)
            np.testing.assert_array_equal(np.take_along_axis(array, places.array, -1), wanted)
    assert (before := native.native_calls) >= 12
    made(as_tensor(mixed), 40, -1, True, True)
    made(as_tensor(np.zeros(1 << 17, np.float32)), 1, -1, True, True)
    assert native.native_calls == before


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("has_weight", [False, True])
@pytest.mark.parametrize("reduction", [0, 1, 2])
def test_likelihoods_of_few_rows(dtype: str, has_weight: bool, reduction: int) -> None:
    operator = registry.find("aten::nll_loss_nd")
    assert operator is not None and operator.kernel is not None
    rng = np.random.default_rng(0)

    def operands(rows: int, classes: int) -> list[Any]:
        x = rng.standard_normal((rows, classes)).astype(dtype)
        x[rng.random(x.shape) < 0.05] = -0.0
        targets = rng.integers(0, classes, rows)
        weight = as_tensor(rng.random(classes).astype(dtype)) if has_weight else None
        return [as_tensor(x), as_tensor(targets), weight, reduction, -100]

    made = small_kernels(operator, operator.kernel, operands(3, 4), 2, False)
    assert isinstance(made, RowKernels)
    (native,) = made.natives.values()
    shapes = [(1, 1), (1, 5), (7, 2), (8, 3), (9, 3), (127, 4), (128, 4), (300, 7), (4000, 3)]
    for rows, classes in shapes:
        given = operands(rows, classes)
        assert outcome(made, tuple(given)) == outcome(operator.kernel, tuple(given))
    assert native.native_calls == len(shapes)
    for place, other in ((0, 4), (1, -1), (2, -100)):  # no classes, and one that is ignored
        given = operands(3, 4)
        given[1].array[place] = other
        assert outcome(made, tuple(given)) == outcome(operator.kernel, tuple(given))
    for given in (operands(0, 4), [*operands(3, 4)[:4], 1]):
        assert outcome(made, tuple(given)) == outcome(operator.kernel, tuple(given))
    assert native.native_calls == len(shapes)


def test_running_extremes_of_many_elements_are_those_of_few() -> None:
    rng = np.random.default_rng(0)
    for shape in ((5, 4000), (40, 30, 20)):  # the first is run by a kernel
        x = rng.integers(-50, 50, shape).astype(np.float32)
        x[rng.random(shape) < 0.001] = np.nan
        for dim in range(len(shape)):
            values, places = torch.cummax(as_tensor(x), dim)
            rows, found = np.moveaxis(x, dim, -1), np.moveaxis(values.array, dim, -1)
            at = np.moveaxis(places.array, dim, -1)
            wanted = np.maximum.accumulate(rows, -1)
            np.testing.assert_array_equal(found, wanted)
            np.testing.assert_array_equal(np.take_along_axis(rows, at, -1), wanted)
            later = np.arange(rows.shape[-1]) > at[..., -1:]
            last = wanted[..., -1:]
            assert not (later & ((rows == last) | (np.isnan(rows) & np.isnan(last)))).any()
