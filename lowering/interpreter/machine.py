"""The machine: functions, blocks and control flow. A value is a NumPy scalar, a vector an array with one axis, a memref a view
of the memory that it stands for, a tensor an array that is never written to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any, TypeAlias

import numpy as np
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from lowering.interpreter.rounding import Rounding

Handler: TypeAlias = Callable[["Machine", Any, list[Any]], Sequence[Any]]
"""From an op and its operands' values to its results' values."""

HANDLERS: dict[str, Handler] = {}
"""By the name of an op: the vector form `arith_ext.x` is `arith.x`."""

RETURNS = ("func.return", "scf.yield", "scf.reduce", "linalg.yield")


class NotInterpretable(Exception):
    """The module holds an op that the interpreter does not know; the message names it."""


class OutOfBounds(Exception):
    """A program read or wrote beside a buffer."""


def handles(*names: str) -> Callable[[Handler], Handler]:
    """Declares what runs the ops of these names."""

    def add(handler: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, handler))
        return handler

    return add


class Machine:
    """Runs the functions of a module. `rounding` says how floats are rounded otherwise than they should be, if at all."""

    def __init__(self, module: ModuleOp, rounding: Rounding | None = None) -> None:
        self.functions = {op.sym_name.data: op for op in module.ops if isinstance(op, FuncOp)}
        self.rounding = rounding or Rounding()
        self.values: dict[SSAValue, Any] = {}
        self.is_undefined = False
        """Whether anything was computed of which MLIR or PyTorch leaves open what comes out."""

    def call(self, name: str, *args: Any) -> Sequence[Any]:
        """The results of a function of the module.

        Raises:
            NotInterpretable: an op is not known here.
            OutOfBounds: memory is accessed that there is not.
        """
        with np.errstate(all="ignore"):
            return self.run(self.functions[name].body.block, args)

    def run(self, block: Block, args: Sequence[Any]) -> Sequence[Any]:
        """What the terminator of a block gives."""
        values = self.values
        values.update(zip(block.args, args, strict=True))
        for op in block.ops:
            operands = [values[operand] for operand in op.operands]
            if op.name in RETURNS:
                return operands
            handler = HANDLERS.get(op.name.replace("_ext.", "."))
            if handler is None:
                raise NotInterpretable(f"'{op.name}' has no interpreter")
            values.update(zip(op.results, handler(self, op, operands), strict=True))
        return ()


@handles("func.call")
def _call(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    callee = machine.functions[op.callee.string_value()]
    outer, machine.values = machine.values, {}
    try:
        return machine.run(callee.body.block, args)
    finally:
        machine.values = outer


@handles("scf.for")
def _for(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    begin, end, step, *carried = args
    for index in range(int(begin), int(end), int(step)):
        carried = list(machine.run(op.body.block, [np.int64(index), *carried]))
    return carried


@handles("scf.parallel")
def _parallel(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    """From the last point to the first: any order must do."""
    if op.results:
        raise NotInterpretable("'scf.parallel' with results has no interpreter")
    rank = len(op.lowerBound)
    loops = zip(args[:rank], args[rank : 2 * rank], args[2 * rank :], strict=True)
    points = list(product(*(range(int(a), int(b), int(step)) for a, b, step in loops)))
    for point in reversed(points):
        machine.run(op.body.block, [np.int64(index) for index in point])
    return ()


@handles("kernel.launch")
def _launch(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    """In parts of one step, the last one first: any order must do."""
    rows, step, *_ = (int(one) for one in args)
    for begin in reversed(range(0, rows, step)):
        end = min(begin + step, rows)
        machine.run(op.body.block, [np.int64(begin), np.int64(end)])
    return ()


@handles("scf.if")
def _if(machine: Machine, op: Any, args: list[Any]) -> Sequence[Any]:
    (condition,) = args
    region = op.true_region if condition else op.false_region
    return machine.run(region.block, ()) if region.blocks else ()


def number_of(op: Operation, name: str) -> int:
    """An integer attribute or property."""
    attribute: Any = op.properties.get(name, op.attributes.get(name))
    return attribute.value.data
