"""Fusion groups compiled, kept on disk, and called natively."""

from __future__ import annotations

import numpy as np
import pytest
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block

from support.native_calls import needs_native_calls
from torchscript_dialect.backend import get_backend
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.lists import current
from torchscript_dialect.runtime.kernels.kernels import add_kernel, compile_kernel
from torchscript_dialect.runtime.native.entry import NativeCallable, configure
from torchscript_dialect.runtime.native.thread_pool import get_num_threads, set_num_threads
from torchscript_dialect.tensor.conversion import as_tensor
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.tensor.tracked import TrackedTensor

pytestmark = needs_native_calls


RNG = np.random.default_rng(5)


def matrix(*sizes: int) -> str:
    """The type of a contiguous float tensor."""
    strides = [int(np.prod(sizes[axis + 1 :])) for axis in range(len(sizes))]
    shape = ", ".join(map(str, sizes))
    return f"Float({shape}, strides={strides}, requires_grad=0, device=cpu)"


def floats(*shape: int) -> np.ndarray:
    return (RNG.standard_normal(shape) * 0.3).astype(np.float32)


def refuse(*args):
    raise AssertionError("the kernel refused the call")


def native(text: str) -> NativeCallable:
    """What calls the kernel of a graph's body and nothing else."""
    configure(Tensor, TrackedTensor)
    function = NativeCallable(refuse)
    add_kernel(function, compile_kernel(block_of(text), "llvm", current()))
    return function


def block_of(text: str) -> Block:
    function = parse_ir_text(text).body.block.first_op
    assert isinstance(function, FuncOp)
    return function.body.block


def call(function: NativeCallable, *arrays: np.ndarray) -> list[np.ndarray]:
    result = function(*map(as_tensor, arrays))
    return [one.array for one in (result if isinstance(result, tuple) else (result,))]


def lstm_cell(batch: int, inputs: int, hidden: int) -> str:
    arguments = {
        "x": (batch, inputs),
        "hx": (batch, hidden),
        "cx": (batch, hidden),
        "w_ih": (4 * hidden, inputs),
        "w_hh": (4 * hidden, hidden),
        "b_ih": (4 * hidden,),
        "b_hh": (4 * hidden,),
    }
    gates, state = matrix(batch, 4 * hidden), matrix(batch, hidden)
    turned = [
        f"Float({k}, {4 * hidden}, strides=[1, {k}], requires_grad=0, device=cpu)"
        for k in (inputs, hidden)
    ]
    return f"""
graph({", ".join(f"%{name} : {matrix(*shape)}" for name, shape in arguments.items())}):
  %one : int = prim::Constant[value=1]()
  %0 : {turned[0]} = aten::t(%w_ih)
  %1 : {gates} = aten::mm(%x, %0)
  %2 : {turned[1]} = aten::t(%w_hh)
  %3 : {gates} = aten::mm(%hx, %2)
  %4 : {gates} = aten::add(%1, %3, %one)
  %5 : {gates} = aten::add(%4, %b_ih, %one)
  %6 : {gates} = aten::add(%5, %b_hh, %one)
  %i.1 : {state}, %f.1 : {state}, %c.1 : {state}, %o.1 : {state} = prim::ConstantChunk[chunks=4, dim=1](%6)
  %i : {state} = aten::sigmoid(%i.1)
  %f : {state} = aten::sigmoid(%f.1)
  %c : {state} = aten::tanh(%c.1)
  %o : {state} = aten::sigmoid(%o.1)
  %7 : {state} = aten::mul(%f, %cx)
  %8 : {state} = aten::mul(%i, %c)
  %cy : {state} = aten::add(%7, %8, %one)
  %9 : {state} = aten::tanh(%cy)
  %hy : {state} = aten::mul(%o, %9)
  return (%hy, %cy)
"""


def lstm_cell_reference(x, hx, cx, w_ih, w_hh, b_ih, b_hh):
    def sigmoid(y):
        return 1 / (1 + np.exp(-y))

    gates = x.astype(np.float64) @ w_ih.T + hx.astype(np.float64) @ w_hh.T + b_ih + b_hh
    i, f, c, o = np.split(gates, 4, axis=1)
    cy = sigmoid(f) * cx + sigmoid(i) * np.tanh(c)
    return sigmoid(o) * np.tanh(cy), cy


def lstm_cell_arguments(batch: int, inputs: int, hidden: int) -> list[np.ndarray]:
    return [
        floats(batch, inputs),
        floats(batch, hidden),
        floats(batch, hidden),
        floats(4 * hidden, inputs),
        floats(4 * hidden, hidden),
        floats(4 * hidden),
        floats(4 * hidden),
    ]


@pytest.mark.parametrize("sizes", [(1, 32, 32), (64, 256, 512), (3, 5, 7)])
def test_an_lstm_cell_is_one_kernel(sizes):
    function = native(lstm_cell(*sizes))
    others = [sizes, (2 if sizes[0] > 1 else 1, 9, 24)]
    for shape in others:
        arrays = lstm_cell_arguments(*shape)
        for found, expected in zip(
            call(function, *arrays), lstm_cell_reference(*arrays), strict=True
        ):
            np.testing.assert_allclose(found, expected, rtol=2e-5, atol=2e-5)
    assert function.native_calls == len(others)


PRODUCTS = f"""
graph(%a : {matrix(6, 10)}, %b : {matrix(6, 5)}):
  %p : Float(6, 5, strides=[10, 1], requires_grad=0, device=cpu), %q : Float(6, 5, strides=[10, 1], requires_grad=0, device=cpu) = prim::ConstantChunk[chunks=2, dim=1](%a)
  %r : Float(5, 6, strides=[1, 10], requires_grad=0, device=cpu) = aten::t(%p)
  %s : {matrix(6, 6)} = aten::mm(%b, %r)
  %t : {matrix(6, 5)} = aten::mm(%s, %q)
  %u : {matrix(6, 5)} = aten::tanh(%t)
  return (%u)
"""


@pytest.mark.parametrize("rows", [1, 2, 30, 100, 300])
def test_products_of_products_and_chunks(rows):
    """Scratch of rows * rows floats: on the stack, or not."""
    function = native(PRODUCTS)
    for columns in (4, 18):
        a, b = floats(rows, columns), floats(rows, columns // 2)
        p, q = np.split(a.astype(np.float64), 2, axis=1)
        (found,) = call(function, a, b)
        np.testing.assert_allclose(found, np.tanh((b @ p.T) @ q), rtol=1e-4, atol=1e-4)


def test_a_chunk_that_does_not_come_out_even_is_refused():
    function = native(PRODUCTS)
    function.set_slow_path(lambda *args: "slow")
    assert function(as_tensor(floats(6, 9)), as_tensor(floats(6, 4))) == "slow"


def test_strided_kernels_on_several_threads():
    view = "Float(30, 40, strides=[1, 30], requires_grad=0, device=cpu)"
    text = f"""
graph(%a : {view}, %b : {matrix(30, 40)}):
  %c : {matrix(30, 40)} = aten::mul(%a, %b)
  %d : {matrix(30, 40)} = aten::tanh(%c)
  return (%d)
"""
    function = native(text)
    before = get_num_threads()
    set_num_threads(3)
    try:
        for shape in [(30, 40), (300, 2), (3, 2000), (500, 300)]:
            a, b = floats(*shape[::-1]).T, floats(*shape)
            (found,) = call(function, a, b)
            np.testing.assert_allclose(found, np.tanh(a * b), rtol=1e-5, atol=1e-6)
    finally:
        set_num_threads(before)


def test_a_kept_kernel_is_the_compiled_one(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", str(tmp_path))
    block = block_of(lstm_cell(2, 3, 4))
    made = compile_kernel(block, "llvm", current())
    assert made.code is not None
    spec, data, address = made.spec, made.serialize(), made.code.kernel
    del made
    monkeypatch.setattr(get_backend("llvm"), "compile_all", None)
    kept = compile_kernel(block, "llvm", current())
    assert (kept.spec, kept.serialize()) == (spec, data) and kept.code is not None
    assert kept.code.kernel != address


def test_a_kernel_that_runs_is_shared(monkeypatch):
    monkeypatch.setenv("TORCHSCRIPT_DIALECT_CACHE", "0")
    made = compile_kernel(block_of(lstm_cell(2, 3, 4)), "llvm", current())
    assert compile_kernel(block_of(lstm_cell(2, 3, 4)), "llvm", current()) is made
    assert compile_kernel(block_of(lstm_cell(2, 3, 5)), "llvm", current()) is not made
