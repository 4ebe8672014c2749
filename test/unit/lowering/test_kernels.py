"""Kernels of several operations: reductions, slices, scratch memory, whole cells."""

from __future__ import annotations

import numpy as np
import pytest

from support.kernel_runner import Kernel

RNG = np.random.default_rng(2)


def floats(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape).astype(np.float32)


def reduction(axis: int, combine: str, start: str, element: str = "f32") -> str:
    """Reduces axis 0 or 1 of a matrix, or both (2)."""
    kinds = {0: ["reduction", "parallel"], 1: ["parallel", "reduction"], 2: ["reduction"] * 2}[axis]
    out = {0: "d1", 1: "d0", 2: ""}[axis]
    dims = {0: "s1", 1: "s0", 2: ""}[axis]
    size = {0: "%n1", 1: "%n0", 2: ""}[axis]
    out_type = f"tensor<{'?x' if axis < 2 else ''}{element}>"
    kind_text = ", ".join(f'"{kind}"' for kind in kinds)
    return f"""
kernel.signature @kernel([s0, s1]) -> ([{dims}]) words 2
func.func @kernel(%a: tensor<?x?x{element}>) -> {out_type} {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant {start} : {element}
  %n0 = tensor.dim %a, %c0 : tensor<?x?x{element}>
  %n1 = tensor.dim %a, %c1 : tensor<?x?x{element}>
  %e = tensor.empty({size}) : {out_type}
  %f = linalg.fill ins(%z : {element}) outs(%e : {out_type}) -> {out_type}
  %r = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ({out})>], iterator_types = [{kind_text}]}} ins(%a : tensor<?x?x{element}>) outs(%f : {out_type}) {{
  ^bb0(%x: {element}, %s: {element}):
    %t = arith.{combine} %s, %x : {element}
    linalg.yield %t : {element}
  }} -> {out_type}
  func.return %r : {out_type}
}}
"""


SHAPES = [(3, 5), (1, 1), (17, 40), (40, 17), (100, 100), (2, 64)]


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_sum(axis: int) -> None:
    kernel = Kernel(reduction(axis, "addf", "0.0"))
    for shape in [*SHAPES, (0, 4), (4, 0)]:
        a = floats(*shape)
        expected = a.astype(np.float64).sum(axis if axis < 2 else None)
        for chunks in (1, 3):
            np.testing.assert_allclose(kernel(a, chunks=chunks)[0], expected, rtol=1e-5, atol=1e-4)


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_maximum_with_nan(axis: int) -> None:
    kernel = Kernel(reduction(axis, "maximumf", "0xFF800000"))
    for shape in SHAPES:
        a = floats(*shape)
        np.testing.assert_array_equal(kernel(a)[0], a.max(axis if axis < 2 else None))
        a[shape[0] // 2, shape[1] // 2] = np.nan
        np.testing.assert_array_equal(kernel(a)[0], a.max(axis if axis < 2 else None))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_integer_sum(axis: int) -> None:
    kernel = Kernel(reduction(axis, "addi", "0", "i64"))
    for shape in SHAPES:
        a = RNG.integers(-(2**40), 2**40, shape)
        np.testing.assert_array_equal(kernel(a)[0], a.sum(axis if axis < 2 else None))


IDENTITY = "affine_map<(d0, d1) -> (d0, d1)>"


def pointwise(name: str, inputs: list[str], type_: str, op: str, out: str = "%e") -> str:
    """One generic on matrices of one type."""
    maps = ", ".join([IDENTITY] * (len(inputs) + 1))
    types = ", ".join([type_] * len(inputs))
    names = [f"%x{i}" for i in range(len(inputs))]
    block = ", ".join(f"{n}: f32" for n in names)
    return f"""
  {name} = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel", "parallel"]}} ins({", ".join(inputs)} : {types}) outs({out} : {type_}) {{
  ^bb0({block}, %o: f32):
    %r = {op.format(*names)} : f32
    linalg.yield %r : f32
  }} -> {type_}"""


MATRIX = "tensor<?x?xf32>"
HEADER = f"""
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n0 = tensor.dim %a, %c0 : {MATRIX}
  %n1 = tensor.dim %a, %c1 : {MATRIX}
  %e = tensor.empty(%n0, %n1) : {MATRIX}"""


def matrix_kernel(inputs: str, outputs: int, body: str, result: str, syms: int = 2) -> str:
    arguments = ", ".join(f"%{n}: {MATRIX}" for n in inputs)
    types = ", ".join([MATRIX] * outputs)
    given = ", ".join(["[s0, s1]"] * len(inputs))
    made = ", ".join(["[s0, s1]"] * outputs)
    return f"""kernel.signature @kernel({given}) -> ({made}) words {syms}
func.func @kernel({arguments}) -> ({types}) {{{HEADER}
{body}
  func.return {result} : {types}
}}"""


def test_several_results() -> None:
    body = (
        pointwise("%p", ["%a", "%b"], MATRIX, "arith.addf {}, {}")
        + pointwise("%q", ["%p", "%b"], MATRIX, "arith.mulf {}, {}")
        + pointwise("%r", ["%p", "%q"], MATRIX, "arith.subf {}, {}")
    )
    kernel = Kernel(matrix_kernel("ab", 3, body, "%r, %p, %q"))
    a, b = floats(9, 31), floats(9, 31)
    r, p, q = kernel(a, b)
    np.testing.assert_array_equal(p, a + b)
    np.testing.assert_array_equal(q, (a + b) * b)
    np.testing.assert_array_equal(r, (a + b) - (a + b) * b)
    assert kernel.compiled.entry.scratch is None


def test_one_result_twice_and_an_argument_returned() -> None:
    body = pointwise("%p", ["%a", "%a"], MATRIX, "arith.addf {}, {}")
    kernel = Kernel(matrix_kernel("a", 3, body, "%p, %p, %a"))
    a = floats(3, 21)
    first, second, same = kernel(a)
    np.testing.assert_array_equal(first, a + a)
    np.testing.assert_array_equal(second, a + a)
    np.testing.assert_array_equal(same, a)


def test_transposed_intermediate_needs_scratch() -> None:
    body = (
        pointwise("%p", ["%a", "%a"], MATRIX, "arith.addf {}, {}")
        + f"""
  %et = tensor.empty(%n1, %n0) : {MATRIX}
  %t = linalg.transpose ins(%p : {MATRIX}) outs(%et : {MATRIX}) permutation = [1, 0]
  %q = linalg.generic {{indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, {IDENTITY}, {IDENTITY}], iterator_types = ["parallel", "parallel"]}} ins(%t, %a : {MATRIX}, {MATRIX}) outs(%e : {MATRIX}) {{
  ^bb0(%x: f32, %y: f32, %o: f32):
    %r = arith.mulf %x, %y : f32
    linalg.yield %r : f32
  }} -> {MATRIX}"""
    )
    kernel = Kernel(matrix_kernel("a", 1, body, "%q"))
    a = floats(5, 7)
    np.testing.assert_array_equal(kernel(a)[0], (a + a) * a)
    assert kernel.compiled.entry.scratch is not None


def test_concatenation_writes_into_the_output() -> None:
    body = (
        pointwise("%p", ["%a", "%b"], MATRIX, "arith.addf {}, {}")
        + f"""
  %two = arith.constant 2 : index
  %w = arith.muli %n1, %two : index
  %big = tensor.empty(%n0, %w) : {MATRIX}
  %i = tensor.insert_slice %p into %big[0, 0] [%n0, %n1] [1, 1] : {MATRIX} into {MATRIX}
  %j = tensor.insert_slice %b into %i[0, %n1] [%n0, %n1] [1, 1] : {MATRIX} into {MATRIX}"""
    )
    text = matrix_kernel("ab", 1, body, "%j", 3)
    text = text.replace("-> ([s0, s1])", "-> ([s0, s2])")
    text += """
func.func @sizes(%s: memref<?xi64>) -> i1 {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %two = arith.constant 2 : i64
  %n = memref.load %s[%c1] : memref<?xi64>
  %w = arith.muli %n, %two : i64
  memref.store %w, %s[%c2] : memref<?xi64>
  %ok = arith.constant true
  func.return %ok : i1
}"""
    kernel = Kernel(text)
    a, b = floats(4, 19), floats(4, 19)
    np.testing.assert_array_equal(kernel(a, b)[0], np.concatenate([a + b, b], 1))
    assert kernel.compiled.entry.scratch is None


def lstm_cell(rows: str, activation: str = "arith.mulf {0}, {0}") -> str:
    """A cell with activations that need no polynomial; words: batch, input, hidden, 4 hidden."""
    n = "_" if rows == "1" else "s0"
    hidden, gates = f"tensor<{rows}x?xf32>", f"tensor<{rows}x?xf32>"
    nt = "affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>"
    size = "%g" if rows == "1" else "%n, %g"
    half = "%h" if rows == "1" else "%n, %h"
    static = rows if rows == "1" else "%n"

    def mm(name: str, left: str, right: str, init: str) -> str:
        return f"""
  {name} = linalg.generic {{indexing_maps = [{nt}], iterator_types = ["parallel", "parallel", "reduction"]}} ins({left}, {right} : {hidden}, tensor<?x?xf32>) outs({init} : {gates}) {{
  ^bb0(%x: f32, %y: f32, %s: f32):
    %p = arith.mulf %x, %y : f32
    %t = arith.addf %s, %p : f32
    linalg.yield %t : f32
  }} -> {gates}"""

    vector = "affine_map<(d0, d1) -> (d1)>"
    slices = "".join(
        f"""
  %o{i} = arith.muli %h, %k{i} : index
  %s{i} = tensor.extract_slice %gates[0, %o{i}] [{static}, %h] [1, 1] : {gates} to {hidden}"""
        for i in range(4)
    )
    act = "".join(pointwise(f"%a{i}", [f"%s{i}"], hidden, activation, "%eh") for i in range(4))
    return f"""kernel.signature @kernel([{n}, s1], [{n}, s2], [{n}, s2], [s3, s1], [s3, s2], [s3], [s3]) -> ([{n}, s2], [{n}, s2]) words 4
func.func @kernel(%in: {hidden}, %hx: {hidden}, %cx: {hidden}, %wi: tensor<?x?xf32>, %wh: tensor<?x?xf32>, %bi: tensor<?xf32>, %bh: tensor<?xf32>) -> ({hidden}, {hidden}) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f32
  %k0 = arith.constant 0 : index
  %k1 = arith.constant 1 : index
  %k2 = arith.constant 2 : index
  %k3 = arith.constant 3 : index
  %n = tensor.dim %in, %c0 : {hidden}
  %h = tensor.dim %hx, %c1 : {hidden}
  %g = tensor.dim %bi, %c0 : tensor<?xf32>
  %e = tensor.empty({size}) : {gates}
  %eh = tensor.empty({half}) : {hidden}
  %f = linalg.fill ins(%z : f32) outs(%e : {gates}) -> {gates}
{mm("%m1", "%in", "%wi", "%f")}
{mm("%m2", "%hx", "%wh", "%m1")}
  %gates = linalg.generic {{indexing_maps = [{IDENTITY}, {vector}, {vector}, {IDENTITY}], iterator_types = ["parallel", "parallel"]}} ins(%m2, %bi, %bh : {gates}, tensor<?xf32>, tensor<?xf32>) outs(%e : {gates}) {{
  ^bb0(%v: f32, %y: f32, %w: f32, %o: f32):
    %p = arith.addf %v, %y : f32
    %t = arith.addf %p, %w : f32
    linalg.yield %t : f32
  }} -> {gates}
{slices}
{act}
{pointwise("%fc", ["%a1", "%cx"], hidden, "arith.mulf {}, {}", "%eh")}
{pointwise("%ig", ["%a0", "%a2"], hidden, "arith.mulf {}, {}", "%eh")}
{pointwise("%cy", ["%fc", "%ig"], hidden, "arith.addf {}, {}", "%eh")}
{pointwise("%hy", ["%a3", "%cy"], hidden, "arith.mulf {}, {}", "%eh")}
  func.return %hy, %cy : {hidden}, {hidden}
}}"""


def test_kernels_that_run_by_rows() -> None:
    assert Kernel(lstm_cell("?")).compiled.entry.number("range") == 0
    syms, *_ = Kernel(lstm_cell("1")).bind(
        floats(1, 3), floats(1, 2), floats(1, 2), floats(8, 3), floats(8, 2), floats(8), floats(8)
    )
    assert syms[Kernel(lstm_cell("1")).compiled.entry.number("range")] == 1


def test_a_nest_that_reads_across_rows_keeps_a_kernel_whole() -> None:
    body = (
        pointwise("%p", ["%a", "%b"], MATRIX, "arith.addf {}, {}")
        + f"""
  %pt = tensor.empty(%n1, %n0) : {MATRIX}
  %t = linalg.transpose ins(%p : {MATRIX}) outs(%pt : {MATRIX}) permutation = [1, 0]"""
        + pointwise("%q", ["%t", "%t"], MATRIX, "arith.mulf {}, {}", "%pt")
        + f"""
  %u = linalg.transpose ins(%q : {MATRIX}) outs(%e : {MATRIX}) permutation = [1, 0]"""
        + pointwise("%d", ["%u", "%b"], MATRIX, "arith.addf {}, {}")
    )
    kernel = Kernel(matrix_kernel("ab", 1, body, "%d"))
    a, b = floats(6, 19), floats(6, 19)
    np.testing.assert_allclose(kernel(a, b)[0], (a + b) ** 2 + b, rtol=1e-6)
    syms, *_ = kernel.bind(a, b)
    assert syms[kernel.compiled.entry.number("range")] == 1


@pytest.mark.parametrize("rows", ["1", "?"])
def test_lstm_cell_shape(rows: str) -> None:
    kernel = Kernel(lstm_cell(rows))
    for batch, inputs, hidden in [(1, 32, 32), (5, 7, 9), (3, 20, 16)]:
        n = 1 if rows == "1" else batch
        x, hx, cx = floats(n, inputs), floats(n, hidden), floats(n, hidden)
        wi, wh = floats(4 * hidden, inputs), floats(4 * hidden, hidden)
        bi, bh = floats(4 * hidden), floats(4 * hidden)
        results = [kernel(x, hx, cx, wi, wh, bi, bh, chunks=c) for c in (1, 2)]
        for whole, chunked in zip(*results, strict=True):
            np.testing.assert_array_equal(whole, chunked)
        hy, cy = results[0]
        gates = x @ wi.T + hx @ wh.T + bi + bh
        i, f, g, o = (part * part for part in np.split(gates, 4, 1))
        expected = f * cx + i * g
        np.testing.assert_allclose(cy, expected, rtol=1e-3, atol=1e-2)
        np.testing.assert_allclose(hy, o * expected, rtol=1e-3, atol=1e-1)


def test_slice_inserted_into_a_tensor_computed_later() -> None:
    body = (
        pointwise("%p", ["%a", "%b"], MATRIX, "arith.addf {}, {}")
        + f"""
  %pt = tensor.empty(%n1, %n0) : {MATRIX}
  %t = linalg.transpose ins(%p : {MATRIX}) outs(%pt : {MATRIX}) permutation = [1, 0]
  %u = linalg.transpose ins(%t : {MATRIX}) outs(%e : {MATRIX}) permutation = [1, 0]"""
        + pointwise("%d", ["%u", "%b"], MATRIX, "arith.mulf {}, {}")
        + f"""
  %i = tensor.insert_slice %p into %d[0, 0] [%n0, %n1] [1, 1] : {MATRIX} into {MATRIX}"""
    )
    kernel = Kernel(matrix_kernel("ab", 1, body, "%i"))
    a, b = floats(4, 19), floats(4, 19)
    np.testing.assert_array_equal(kernel(a, b)[0], a + b)
