"""Pointwise kernels against NumPy: shapes, strides, dtypes, special values."""

from __future__ import annotations

import numpy as np
import pytest

from lowering.dialects.kernel import layout
from lowering.llvm.translate import translate
from support.kernel_runner import Kernel, parse
from torchscript_dialect.passes.lists import current
from torchscript_dialect.passes.named import pipeline

RNG = np.random.default_rng(0)


def place(dims: list[int], strides: list[int] | None = None) -> str:
    """Where sizes and strides are; a size of -1 is a static 1, and a stride of -1 is 1."""
    return layout(tuple(dims), None if strides is None else tuple(strides)).spell()


def tensor_type(dims: list[int], element: str) -> str:
    return "tensor<" + "".join("1x" if d < 0 else "?x" for d in dims) + element + ">"


def pointwise(
    inputs: list[tuple[list[int], str]],
    out: tuple[list[int], str],
    body: str,
    syms: int,
    strides: dict[int, list[int]] | None = None,
    maps: dict[int, str] | None = None,
    scalars: dict[str, int] | None = None,
) -> str:
    """A kernel with one generic; `body` computes %r from %x0, %x1, ..."""
    strides, maps = strides or {}, maps or {}
    out_dims, out_element = out
    rank = len(out_dims)
    loops = ", ".join(f"d{i}" for i in range(rank))
    arguments = [f"%a{i}: {tensor_type(d, e)}" for i, (d, e) in enumerate(inputs)]
    places = [place(d, strides.get(i)) for i, (d, _) in enumerate(inputs)]
    for name, word in (scalars or {}).items():
        arguments.append(f"%{name}: f64")
        places.append(f"s{word}")

    def default_map(dims: list[int]) -> str:
        first = rank - len(dims)
        return ", ".join("0" if d < 0 else f"d{first + i}" for i, d in enumerate(dims))

    all_maps = [maps.get(i, default_map(d)) for i, (d, _) in enumerate(inputs)]
    all_maps.append(loops)
    text_maps = ", ".join(f"affine_map<({loops}) -> ({m})>" for m in all_maps)
    sizes = ""
    dynamic: list[str] = []
    for position, dim in enumerate(out_dims):
        if dim >= 0:
            for i, (d, e) in enumerate(inputs):
                if dim in d:
                    sizes += f"  %c{position} = arith.constant {d.index(dim)} : index\n"
                    sizes += (
                        f"  %n{position} = tensor.dim %a{i}, %c{position} : {tensor_type(d, e)}\n"
                    )
                    dynamic.append(f"%n{position}")
                    break
    out_type = tensor_type(out_dims, out_element)
    names = ", ".join(f"%a{i}" for i in range(len(inputs)))
    types = ", ".join(tensor_type(d, e) for d, e in inputs)
    block = ", ".join(f"%x{i}: {e}" for i, (_, e) in enumerate(inputs))
    kinds = ", ".join(['"parallel"'] * rank)
    return f"""
kernel.signature @kernel({", ".join(places)}) -> ({place(out_dims)}) words {syms}
func.func @kernel({", ".join(arguments)}) -> {out_type} {{
{sizes}  %e = tensor.empty({", ".join(dynamic)}) : {out_type}
  %g = linalg.generic {{indexing_maps = [{text_maps}], iterator_types = [{kinds}]}} ins({names} : {types}) outs(%e : {out_type}) {{
  ^bb0({block}, %o: {out_element}):
{body}
    linalg.yield %r : {out_element}
  }} -> {out_type}
  func.return %g : {out_type}
}}
"""


MAX_MUL = """    %m = arith.maximumf %x0, %x1 : f32
    %r = arith.mulf %m, %x2 : f32"""


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


@pytest.fixture(scope="module")
def max_mul() -> Kernel:
    return Kernel(pointwise([([0, 1], "f32")] * 3, ([0, 1], "f32"), MAX_MUL, 2))


@pytest.mark.parametrize("shape", [(3, 5), (1, 1), (4, 4), (0, 7), (5, 0), (17, 31), (100, 10)])
def test_contiguous(max_mul: Kernel, shape: tuple[int, int]) -> None:
    a, b, c = floats(*shape), floats(*shape), floats(*shape)
    for chunks in (1, 3):
        (out,) = max_mul(a, b, c, chunks=chunks)
        np.testing.assert_array_equal(out, np.maximum(a, b) * c)


def test_contiguous_is_one_loop(max_mul: Kernel) -> None:
    syms, _, _ = max_mul.bind(floats(6, 7), floats(6, 7), floats(6, 7))
    assert syms[max_mul.compiled.entry.number("range")] == 42


SPECIAL = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.5, -2.0], np.float32)


@pytest.mark.parametrize("op", ["maximum", "minimum"])
@pytest.mark.parametrize("size", [3, 40])
def test_nan_and_inf(op: str, size: int) -> None:
    a, b = (np.resize(x, size * 49) for x in (np.repeat(SPECIAL, 7), np.tile(SPECIAL, 7)))
    body = f"    %r = arith.{op}f %x0, %x1 : f32"
    kernel = Kernel(pointwise([([0], "f32")] * 2, ([0], "f32"), body, 1))
    (out,) = kernel(a, b)
    np.testing.assert_array_equal(out, getattr(np, op)(a, b))


def test_clamp_with_scalars() -> None:
    body = """    %lo = arith.truncf %low : f64 to f32
    %hi = arith.truncf %high : f64 to f32
    %t = arith.maximumf %x0, %lo : f32
    %r = arith.minimumf %t, %hi : f32"""
    scalars = {"low": 1, "high": 2}
    kernel = Kernel(pointwise([([0], "f32")], ([0], "f32"), body, 3, scalars=scalars))
    a = np.concatenate([SPECIAL, floats(50)])
    (out,) = kernel(a, -0.5, 0.75)
    np.testing.assert_array_equal(out, np.clip(a, np.float32(-0.5), np.float32(0.75)))


@pytest.mark.parametrize("shape", [(3, 5), (0, 5), (3, 0), (2, 16), (9, 33)])
def test_row_and_column_broadcast(shape: tuple[int, int]) -> None:
    kernel = Kernel(
        pointwise([([0, 1], "f32"), ([1], "f32"), ([0, -1], "f32")], ([0, 1], "f32"), MAX_MUL, 2)
    )
    a, b, c = floats(*shape), floats(shape[1]), floats(shape[0], 1)
    for chunks in (1, 2):
        (out,) = kernel(a, b, c, chunks=chunks)
        np.testing.assert_array_equal(out, np.maximum(a, b) * c)


def test_channel_broadcast_keeps_inner_dimensions_together() -> None:
    body = "    %r = arith.addf %x0, %x1 : f32"
    kernel = Kernel(
        pointwise([([0, 1, 2, 3], "f32"), ([1, -1, -1], "f32")], ([0, 1, 2, 3], "f32"), body, 4)
    )
    a, b = floats(2, 3, 4, 5), floats(3, 1, 1)
    (out,) = kernel(a, b)
    np.testing.assert_array_equal(out, a + b)


def test_zero_dimensional() -> None:
    body = "    %r = arith.addf %x0, %x1 : f32"
    kernel = Kernel(pointwise([([], "f32"), ([], "f32")], ([], "f32"), body, 0))
    a, b = np.array(2.5, np.float32), np.array(-1.0, np.float32)
    assert kernel(a, b)[0] == np.float32(1.5)


def test_zero_dimensional_with_vector() -> None:
    body = "    %r = arith.subf %x0, %x1 : f32"
    kernel = Kernel(pointwise([([0], "f32"), ([], "f32")], ([0], "f32"), body, 1))
    a, b = floats(21), np.array(3.0, np.float32)
    np.testing.assert_array_equal(kernel(a, b)[0], a - b)


def test_strided_rows_and_transposed() -> None:
    body = "    %r = arith.addf %x0, %x1 : f32"
    kernel = Kernel(
        pointwise(
            [([0, 1], "f32"), ([0, 1], "f32")],
            ([0, 1], "f32"),
            body,
            5,
            strides={0: [2, -1], 1: [3, 4]},
        )
    )
    a, b = floats(9, 40)[:, 3:24], floats(21, 9).T
    np.testing.assert_array_equal(kernel(a, b)[0], a + b)
    reverse = floats(9, 21)[::-1, ::-1]
    np.testing.assert_array_equal(kernel(a, reverse)[0], a + reverse)


def test_permuted_map() -> None:
    body = "    %r = arith.addf %x0, %x1 : f32"
    text = pointwise(
        [([0, 1], "f32"), ([1, 0], "f32")], ([0, 1], "f32"), body, 2, maps={1: "d1, d0"}
    )
    a, b = floats(7, 18), floats(18, 7)
    np.testing.assert_array_equal(Kernel(text)(a, b)[0], a + b.T)


def test_expanded_argument() -> None:
    body = "    %r = arith.addf %x0, %x1 : f32"
    text = pointwise([([0, 1], "f32")] * 2, ([0, 1], "f32"), body, 2, strides={1: [-2, -1]})
    a, b = floats(4, 19), np.broadcast_to(floats(19), (4, 19))
    np.testing.assert_array_equal(Kernel(text)(a, b)[0], a + b)


MIXED = [
    ("f64", "f64", "    %r = arith.mulf %x0, %x1 : f64", "f64", lambda a, b: a * b),
    (
        "f32",
        "i64",
        "    %f = arith.sitofp %x1 : i64 to f32\n    %r = arith.mulf %x0, %f : f32",
        "f32",
        lambda a, b: a * b.astype(np.float32),
    ),
    (
        "f32",
        "f64",
        "    %d = arith.extf %x0 : f32 to f64\n    %r = arith.addf %d, %x1 : f64",
        "f64",
        lambda a, b: a.astype(np.float64) + b,
    ),
    ("i64", "i64", "    %r = arith.muli %x0, %x1 : i64", "i64", lambda a, b: a * b),
    ("i32", "i32", "    %r = arith.maxsi %x0, %x1 : i32", "i32", np.maximum),
    ("f32", "f32", "    %r = arith.cmpf olt, %x0, %x1 : f32", "i1", lambda a, b: a < b),
    ("i1", "i1", "    %r = arith.andi %x0, %x1 : i1", "i1", lambda a, b: a & b),
    (
        "i1",
        "f32",
        "    %z = arith.constant 0.0 : f32\n    %r = arith.select %x0, %x1, %z : f32",
        "f32",
        lambda a, b: np.where(a, b, np.float32(0)),
    ),
    ("i8", "i8", "    %r = arith.addi %x0, %x1 : i8", "i8", lambda a, b: a + b),
    (
        "i1",
        "i64",
        "    %w = arith.extui %x0 : i1 to i64\n    %r = arith.addi %w, %x1 : i64",
        "i64",
        lambda a, b: a + b,
    ),
]


def values(element: str, size: int) -> np.ndarray:
    if element.startswith("f"):
        return RNG.standard_normal(size).astype(f"f{int(element[1:]) // 8}")
    if element == "i1":
        return RNG.integers(0, 2, size).astype(bool)
    return RNG.integers(-50, 50, size).astype(f"i{int(element[1:]) // 8}")


@pytest.mark.parametrize("case", range(len(MIXED)))
def test_dtypes(case: int) -> None:
    left, right, body, result, reference = MIXED[case]
    kernel = Kernel(pointwise([([0], left), ([0], right)], ([0], result), body, 1))
    for size in (1, 15, 64, 150):
        a, b = values(left, size), values(right, size)
        np.testing.assert_array_equal(kernel(a, b)[0], reference(a, b))


def test_integer_division_does_not_trap_in_idle_lanes() -> None:
    body = "    %r = arith.divsi %x0, %x1 : i64"
    kernel = Kernel(pointwise([([0], "i64"), ([0], "i64")], ([0], "i64"), body, 1))
    a, b = RNG.integers(0, 100, 13), RNG.integers(1, 9, 13)
    np.testing.assert_array_equal(kernel(a, b)[0], a // b)


def test_floor_division() -> None:
    body = "    %r = arith.floordivsi %x0, %x1 : i64"
    kernel = Kernel(pointwise([([0], "i64"), ([0], "i64")], ([0], "i64"), body, 1))
    a, b = RNG.integers(-100, 100, 40), RNG.choice([-7, -2, -1, 1, 3], 40)
    np.testing.assert_array_equal(kernel(a, b)[0], a // b)


@pytest.mark.parametrize(
    "name, reference",
    [
        ("absf", np.abs),
        ("ceil", np.ceil),
        ("floor", np.floor),
        ("trunc", np.trunc),
        ("roundeven", np.round),
        ("sqrt", np.sqrt),
    ],
)
@pytest.mark.filterwarnings("ignore:invalid value")
def test_inline_math(name: str, reference: np.ufunc) -> None:
    body = f"    %r = math.{name} %x0 : f32"
    kernel = Kernel(pointwise([([0], "f32")], ([0], "f32"), body, 1))
    a = np.concatenate([SPECIAL, np.arange(-3, 3, 0.25).astype(np.float32), floats(9) * 100])
    np.testing.assert_array_equal(kernel(a)[0], reference(a))


def test_huge_operands_bypass_the_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lowering.loops.streaming.STREAM_BYTES", 1)
    inputs = [([0], "f32"), ([0], "f32")]
    text = pointwise(inputs, ([0], "f32"), "  %r = arith.addf %x0, %x1 : f32", 1)
    module = parse(text)
    pipeline(current(), "linalg-to-llvm").apply(module)
    assert "nontemporal" in translate(module)
    kernel = Kernel(text)
    for size in (5, 64, 380, 1000):
        a = RNG.standard_normal(size).astype(np.float32)
        # Chunks start at every multiple of 16 bytes, so some at a vector's alignment.
        for chunks in (1, 5):
            np.testing.assert_array_equal(kernel(a, a, chunks=chunks)[0], a + a)
