"""One elementary function as a kernel over NumPy arrays, through the whole pipeline."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.dialects import func
from xdsl.dialects.builtin import f32, f64
from xdsl.ir import Block, Operation, Region

from lowering.math.expand_math import Recipe, expansion
from support.kernel_runner import Kernel

Array = np.ndarray[Any, Any]

ELEMENTS = {"f32": (f32, np.float32), "f64": (f64, np.float64)}


def recipe_text(recipe: Recipe, arity: int, dtype: str) -> tuple[str, str]:
    """The operations of a recipe over %x0, %x1, ... as text, and the name of the result."""
    element = ELEMENTS[dtype][0]
    block = Block(arg_types=[element] * arity)
    for i, argument in enumerate(block.args):
        argument.name_hint = f"x{i}"
    ops, result = expansion(recipe, element, arity).copy(block.args)
    result.name_hint = "r"
    block.add_ops([*ops, func.ReturnOp(result)])
    text = str(func.FuncOp("f", ([element] * arity, [element]), Region(block)))
    return "\n".join(text.splitlines()[1:-2]), "r"


def kernel_text(what: type[Operation] | Recipe, arity: int, dtype: str) -> str:
    """A kernel over contiguous arrays of one size: an operation class or a recipe."""
    names = [f"%x{i}" for i in range(arity)]
    if isinstance(what, type):
        body = f"%r = {what.name} {', '.join(names)} : {dtype}"
    else:
        body, _ = recipe_text(what, arity, dtype)
    tensor = f"tensor<?x{dtype}>"
    arguments = ", ".join(f"%a{i}: {tensor}" for i in range(arity))
    maps = ", ".join(["affine_map<(d0) -> (d0)>"] * (arity + 1))
    inputs = ", ".join(f"%a{i}" for i in range(arity))
    block = ", ".join(f"{name}: {dtype}" for name in names)
    return f"""
kernel.signature @kernel({", ".join(["[s0]"] * arity)}) -> ([s0]) words 1
func.func @kernel({arguments}) -> {tensor} {{
  %c = arith.constant 0 : index
  %n = tensor.dim %a0, %c : {tensor}
  %e = tensor.empty(%n) : {tensor}
  %g = linalg.generic {{indexing_maps = [{maps}], iterator_types = ["parallel"]}}
      ins({inputs} : {", ".join([tensor] * arity)}) outs(%e : {tensor}) {{
  ^bb0({block}, %o: {dtype}):
    {body}
    linalg.yield %r : {dtype}
  }} -> {tensor}
  func.return %g : {tensor}
}}
"""


class MathKernel:
    """A compiled elementary function: call it with arrays of one size and its dtype."""

    def __init__(self, what: type[Operation] | Recipe, arity: int, dtype: str) -> None:
        self.kernel = Kernel(kernel_text(what, arity, dtype))
        self.dtype = ELEMENTS[dtype][1]

    def __call__(self, *arrays: Array) -> Array:
        inputs = [np.ascontiguousarray(array, self.dtype).ravel() for array in arrays]
        return self.kernel(*inputs)[0]

    def timed(self, *arrays: Array) -> Callable[[], object]:
        """A call without allocations and conversions; the arrays must be contiguous."""
        syms, outputs, table = self.kernel.bind(*arrays)
        run, total = self.kernel.run, int(syms[self.kernel.compiled.entry.number("range")])
        addresses = table.ctypes.data, syms.ctypes.data
        # The arrays live as long as the call.
        return lambda _=(syms, outputs, table, arrays): run(*addresses, 0, total)
