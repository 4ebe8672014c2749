"""Matrix products against NumPy: every kernel, sizes with tails, zero sizes, accumulation."""

from __future__ import annotations

import ctypes
import mmap
import sys

import numpy as np
import pytest

from support.kernel_runner import Kernel

RNG = np.random.default_rng(1)

# What the sizes of tiles, blocks of k, groups of panels and blocks of rows do not divide, with a b that is packed as a whole.
BLOCKED = [(13, 801, 9), (25, 390, 170), (270, 5, 70), (30, 1000, 133), (1, 400, 65), (11, 16, 32)]
WIDTHS = {4: "scalar", 8: "scalar", 16: "branch"}

SIZES = [(1, 1, 1), (4, 16, 32), (5, 33, 17), (3, 2, 100), (16, 48, 64), (9, 7, 3), (33, 20, 31)]
FEW_COLUMNS = [(32, 128, 10), (24, 17, 1), (25, 64, 16), (30, 33, 8), (27, 5, 17)]
EMPTY = [(0, 4, 5), (4, 0, 5), (4, 5, 0)]


def product(
    element: str,
    transposed: bool,
    rows: str = "?",
    init: str = "zero",
    turned: bool = False,
    factor: str = "",
) -> str:
    """`a @ b`, or `a @ b.t()` with b given as (N, K), with `turned` of a given as (K, M); words: M, K, N. Elements of a and b are of the type
    `factor`, where that is another one.
    """
    m = "_" if rows == "1" else "s0"
    given = factor or element
    a_type = f"tensor<?x?x{given}>" if turned else f"tensor<{rows}x?x{given}>"
    b_type = f"tensor<?x?x{given}>"
    widened = f"%v = arith.extf %x : {factor} to {element}\n    %w = arith.extf %y : {factor} to {element}"
    x, y = ("%v", "%w") if factor else ("%x", "%y")
    a = f"[s1, {m}]" if turned else f"[{m}, s1]"
    left = "(d0, d1, d2) -> (d2, d0)" if turned else "(d0, d1, d2) -> (d0, d2)"
    b = "[s2, s1]" if transposed else "[s1, s2]"
    out = f"tensor<{rows}x?x{element}>"
    extra, c = (f", %c: {out}", f", [{m}, s2]") if init == "tensor" else ("", "")
    right = "(d0, d1, d2) -> (d1, d2)" if transposed else "(d0, d1, d2) -> (d2, d1)"
    start = (
        f"%f = linalg.fill ins(%z : {element}) outs(%e : {out}) -> {out}" if init == "zero" else ""
    )
    sizes = "%n" if rows == "1" else "%m, %n"
    outs = "%f" if init == "zero" else "%c"
    return f"""
kernel.signature @kernel({a}, {b}{c}) -> ([{m}, s2]) words 3
func.func @kernel(%a: {a_type}, %b: {b_type}{extra}) -> {out} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : {element}
  %m = tensor.dim %a, {"%c1" if turned else "%c0"} : {a_type}
  %n = tensor.dim %b, {"%c0" if transposed else "%c1"} : {b_type}
  %e = tensor.empty({sizes}) : {out}
  {start}
  %r = linalg.generic {{indexing_maps = [affine_map<{left}>, affine_map<{right}>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}} ins(%a, %b : {a_type}, {b_type}) outs({outs} : {out}) {{
  ^bb0(%x: {given}, %y: {given}, %s: {element}):
    {widened if factor else ""}
    %p = arith.mulf {x}, {y} : {element}
    %t = arith.addf %s, %p : {element}
    linalg.yield %t : {element}
  }} -> {out}
  func.return %r : {out}
}}
"""


@pytest.fixture(params=WIDTHS)
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Kernels for vectors of 4, 8 and 16 floats; LLVM makes what this processor has of them."""
    shape = (request.param, WIDTHS[request.param])
    monkeypatch.setattr("lowering.llvm.object.vector_shape", lambda: shape)
    return request.param


def operands(m: int, k: int, n: int, element: str, transposed: bool):
    dtype = np.dtype(f"f{int(element[1:]) // 8}")
    a = RNG.standard_normal((m, k)).astype(dtype)
    b = RNG.standard_normal((n, k) if transposed else (k, n)).astype(dtype)
    return a, b, (a.astype(np.float64) @ (b.T if transposed else b).astype(np.float64))


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("transposed", [False, True])
def test_product(element: str, transposed: bool) -> None:
    kernel = Kernel(product(element, transposed))
    for m, k, n in SIZES + EMPTY:
        a, b, expected = operands(m, k, n, element, transposed)
        tolerance = 1e-5 if element == "f32" else 1e-12
        for chunks in (1, 3):
            got = kernel(a, b, chunks=chunks)[0]
            np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance * 10)


@pytest.mark.parametrize("element", ["f32", "f64"])
def test_many_rows_by_few_columns(element: str, width: int) -> None:
    kernel = Kernel(product(element, transposed=True))
    for m, k, n in FEW_COLUMNS:
        a, b, expected = operands(m, k, n, element, True)
        np.testing.assert_allclose(kernel(a, b)[0], expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize("transposed", [False, True])
def test_one_row(transposed: bool) -> None:
    kernel = Kernel(product("f32", transposed, rows="1"))
    for _, k, n in SIZES:
        a, b, expected = operands(1, k, n, "f32", transposed)
        np.testing.assert_allclose(kernel(a, b)[0], expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("transposed", [False, True])
def test_accumulates(transposed: bool) -> None:
    kernel = Kernel(product("f32", transposed, init="tensor"))
    for m, k, n in SIZES:
        a, b, expected = operands(m, k, n, "f32", transposed)
        c = RNG.standard_normal((m, n)).astype(np.float32)
        before = c.copy()
        for chunks in (1, 2):
            got = kernel(a, b, c, chunks=chunks)[0]
            np.testing.assert_allclose(got, expected + c, rtol=1e-5, atol=1e-4)
        np.testing.assert_array_equal(c, before)


@pytest.mark.parametrize("element", ["f32", "f64"])
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("turned", [False, True])
def test_blocks_and_panels_that_are_not_whole(
    width: int, element: str, transposed: bool, turned: bool
) -> None:
    kernel = Kernel(product(element, transposed, turned=turned))
    for m, k, n in SIZES + EMPTY + BLOCKED:
        a, b, expected = operands(m, k, n, element, transposed)
        given = np.ascontiguousarray(a.T) if turned else a
        tolerance = 1e-5 if element == "f32" else 1e-12
        for chunks in (1, 3):
            got = kernel(given, b, chunks=chunks)[0]
            np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance * 30)


@pytest.mark.parametrize("transposed", [False, True])
def test_several_blocks_of_k_are_added_to_what_is_there(width: int, transposed: bool) -> None:
    kernel = Kernel(product("f64", transposed, init="tensor"))
    for m, k, n in SIZES + BLOCKED:
        a, b, expected = operands(m, k, n, "f64", transposed)
        c = RNG.standard_normal((m, n))
        got = kernel(a, b, c)[0]
        np.testing.assert_allclose(got, expected + c, rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("transposed", [False, True])
def test_what_is_no_number_stays_in_its_row_and_column(width: int, transposed: bool) -> None:
    """Rows and columns that stand in for missing ones, and the padding of panels, reach no result."""
    kernel = Kernel(product("f32", transposed))
    for m, k, n in SIZES + BLOCKED:
        a, b, _ = operands(m, k, n, "f32", transposed)
        a[-1, 0] = np.inf
        (b.T if transposed else b)[0, -1] = np.nan
        got = kernel(a, b)[0]
        assert np.isnan(got[:, -1]).all()
        assert np.isfinite(got[:-1, :-1]).all()
        assert not np.isfinite(got[-1]).any()


def at_the_end_of_a_page(array: np.ndarray) -> np.ndarray:
    """A copy whose last byte is the last one before a page that may not be touched."""
    pages = -(-array.nbytes // mmap.PAGESIZE)
    memory = mmap.mmap(-1, (pages + 1) * mmap.PAGESIZE)
    whole = np.frombuffer(memory, np.uint8)
    libc = ctypes.CDLL(None, use_errno=True)
    guard = ctypes.c_void_p(whole.ctypes.data + pages * mmap.PAGESIZE)
    assert libc.mprotect(guard, ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    place = whole[pages * mmap.PAGESIZE - array.nbytes : pages * mmap.PAGESIZE]
    copy = place.view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


@pytest.mark.skipif(sys.platform != "linux", reason="needs mprotect")
@pytest.mark.parametrize("transposed", [False, True])
def test_nothing_is_read_beyond_an_operand(width: int, transposed: bool) -> None:
    kernel = Kernel(product("f32", transposed))
    for m, k, n in SIZES + BLOCKED:
        a, b, expected = operands(m, k, n, "f32", transposed)
        got = kernel(at_the_end_of_a_page(a), at_the_end_of_a_page(b))[0]
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-3)


@pytest.mark.skipif(sys.platform != "linux", reason="needs mprotect")
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("rows", ["?", "1"])
def test_factors_of_16_bits_are_added_up_in_32(width: int, transposed: bool, rows: str) -> None:
    """Nothing is read beyond them, either: AVX2 has no masks for their lanes."""
    kernel = Kernel(product("f32", transposed, rows, factor="f16"))
    for m, k, n in SIZES + EMPTY + BLOCKED:
        a, b, _ = operands(1 if rows == "1" else m, k, n, "f16", transposed)
        expected = a.astype(np.float64) @ (b.T if transposed else b).astype(np.float64)
        for chunks in (1, 3):
            got = kernel(at_the_end_of_a_page(a), at_the_end_of_a_page(b), chunks=chunks)[0]
            np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-4)


def test_turned_factors_of_16_bits(width: int) -> None:
    kernel = Kernel(product("f32", False, turned=True, factor="f16"))
    for m, k, n in SIZES + BLOCKED:
        a, b, _ = operands(m, k, n, "f16", False)
        got = kernel(np.ascontiguousarray(a.T), b)[0]
        expected = a.astype(np.float64) @ b.astype(np.float64)
        np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-4)


def test_a_product_that_is_added_is_read_before_rows_are_stored_twice(width: int) -> None:
    """Two rows with two registers of dots: the second stands in for a third, which must not be added twice."""
    kernel = Kernel(product("f64", True, init="tensor"))
    for m in range(1, 8):
        a, b, expected = operands(m, 9, 5, "f64", True)
        c = RNG.standard_normal((m, 5))
        np.testing.assert_allclose(kernel(a, b, c)[0], expected + c, rtol=1e-12, atol=1e-12)
