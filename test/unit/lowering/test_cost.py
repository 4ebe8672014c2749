"""What the descriptions of kernels say about their work, against what there is to do."""

from __future__ import annotations

import numpy as np
import pytest

from lowering.cost import FLAT_GRAIN
from support.kernel_runner import Kernel
from support.native_calls import needs_native_calls
from torchscript_dialect.backend import Executable, Sym, get_backend
from torchscript_dialect.frontend.ir_text import parse_ir_text
from torchscript_dialect.passes.lists import current
from unit.lowering.test_kernels import reduction
from unit.lowering.test_matmul import product


def work(text: str, *arrays: np.ndarray) -> tuple[int, int]:
    """The units of work of a call, and the picoseconds that they take."""
    kernel = Kernel(text)
    syms, *_ = kernel.bind(*arrays)
    units = int(syms[kernel.compiled.entry.number("work")])
    return units, units * kernel.compiled.entry.number("cost")


def ones(*shape: int, dtype: str = "f4") -> np.ndarray:
    return np.ones(shape, dtype)


def test_a_product_is_as_much_work_as_its_multiplications() -> None:
    units, time = work(product("f32", True), ones(64, 768), ones(2048, 768))
    assert units == 64 * 768 * 2048
    assert 0.3e9 < time < 3e9
    _, double = work(product("f64", True), ones(64, 768, dtype="f8"), ones(2048, 768, dtype="f8"))
    assert double == 2 * time


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_reduction_is_as_much_work_as_its_input(axis: int) -> None:
    units, time = work(reduction(axis, "addf", "0.0"), ones(300, 500))
    assert units == 150_000
    assert 1e6 < time < 20e6


def compiled(body: str, *, turned: bool = False) -> Executable:
    """The kernel of a graph's nodes on the matrices %a and %b; %a may be a transposed view."""
    matrix = "Float(30, 40, strides=[{}], requires_grad=0, device=cpu)"
    whole, view = matrix.format("40, 1"), matrix.format("1, 30")
    text = f"graph(%a : {view if turned else whole}, %b : {whole}):\n{body}"
    return get_backend("llvm").compile(parse_ir_text(text.replace("Result", whole)), current())


TANH = """
  %c : Result = aten::mul(%a, %b)
  %d : Result = aten::tanh(%c)
  return (%d)
"""


@needs_native_calls
def test_a_flat_loop_is_its_own_work() -> None:
    spec = compiled(TANH).spec
    assert spec.work == spec.total
    assert spec.grain == FLAT_GRAIN
    assert 0.2 < spec.cost_ns < 0.5
    assert compiled(TANH.replace("tanh", "neg")).spec.cost_ns < 0.15


@needs_native_calls
def test_the_range_of_a_strided_kernel_is_its_outer_loop() -> None:
    spec = compiled(TANH, turned=True).spec
    assert spec.total == (Sym(0),)
    assert spec.work not in (None, spec.total)
    assert spec.grain == 1
    assert spec.cost_ns == compiled(TANH).spec.cost_ns


SEVERAL = """
  %zero : int = prim::Constant[value=0]()
  %p : Float(30, 20, strides=[40, 1], requires_grad=0, device=cpu), %q : Float(30, 20, strides=[40, 1], requires_grad=0, device=cpu) = prim::ConstantChunk[chunks=2, dim=1](%a)
  %r : Float(20, 30, strides=[1, 40], requires_grad=0, device=cpu) = aten::t(%p)
  %s : Float(30, 30, strides=[30, 1], requires_grad=0, device=cpu) = aten::mm(%q, %r)
  %t : Float(30, 30, strides=[30, 1], requires_grad=0, device=cpu) = aten::tanh(%s)
  return (%t)
"""


@needs_native_calls
def test_a_kernel_of_several_loops_is_serial_and_adds_them_up() -> None:
    spec = compiled(SEVERAL).spec
    assert spec.work is not None and spec.work != spec.total
    assert spec.cost_ns == 0.001
