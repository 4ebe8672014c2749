"""Matrix products against NumPy: every kernel, sizes with tails, zero sizes, accumulation."""

from __future__ import annotations

import numpy as np
import pytest

from support.kernel_runner import Kernel

RNG = np.random.default_rng(1)

SIZES = [(1, 1, 1), (4, 16, 32), (5, 33, 17), (3, 2, 100), (16, 48, 64), (9, 7, 3), (33, 20, 31)]
EMPTY = [(0, 4, 5), (4, 0, 5), (4, 5, 0)]


def product(element: str, transposed: bool, rows: str = "?", init: str = "zero") -> str:
    """`a @ b`, or `a @ b.t()` with b given as (N, K); words: M, K, N."""
    m = f"{'-1' if rows == '1' else 0}"
    a = f"%a: tensor<{rows}x?x{element}> {{ts.dims = array<i64: {m}, 1>}}"
    b_dims = "2, 1" if transposed else "1, 2"
    b = f"%b: tensor<?x?x{element}> {{ts.dims = array<i64: {b_dims}>}}"
    out = f"tensor<{rows}x?x{element}>"
    extra = f", %c: {out} {{ts.dims = array<i64: {m}, 2>}}" if init == "tensor" else ""
    right = "(d0, d1, d2) -> (d1, d2)" if transposed else "(d0, d1, d2) -> (d2, d1)"
    start = (
        f"%f = linalg.fill ins(%z : {element}) outs(%e : {out}) -> {out}" if init == "zero" else ""
    )
    sizes = "%n" if rows == "1" else "%m, %n"
    outs = "%f" if init == "zero" else "%c"
    return f"""
func.func @kernel({a}, {b}{extra}) -> ({out} {{ts.dims = array<i64: {m}, 2>}}) attributes {{ts.kernel, ts.syms = 3 : i64}} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : {element}
  %m = tensor.dim %a, %c0 : tensor<{rows}x?x{element}>
  %n = tensor.dim %b, {"%c0" if transposed else "%c1"} : tensor<?x?x{element}>
  %e = tensor.empty({sizes}) : {out}
  {start}
  %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<{right}>, affine_map<(d0, d1, d2) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction"]}} ins(%a, %b : tensor<{rows}x?x{element}>, tensor<?x?x{element}>) outs({outs} : {out}) {{
  ^bb0(%x: {element}, %y: {element}, %s: {element}):
    %p = arith.mulf %x, %y : {element}
    %t = arith.addf %s, %p : {element}
    linalg.yield %t : {element}
  }} -> {out}
  func.return %r : {out}
}}
"""


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
