"""Cuts a function that computes results and gradients in two: see Note [Gradients of graphs] in passes/differentiate.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.effects import (
    class_may_write,
    has_side_effects,
    is_nondeterministic,
)
from torchscript_dialect.autodiff.differentiability import is_copied
from torchscript_dialect.autodiff.extents import Extents
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir import edit
from torchscript_dialect.types.tensor_type import TensorType

CHEAP = frozenset(
    f"aten::{name}"
    for name in (
        "add sub rsub mul div neg abs sign clamp clamp_min clamp_max relu relu6 hardtanh threshold leaky_relu"
        " maximum minimum max min where masked_fill eq ne lt le gt ge logical_not logical_and logical_or logical_xor"
        " square reciprocal floor ceil round trunc isnan isinf zeros_like ones_like"
    ).split()
)
"""Pointwise operators that cost less than to write their result and to read it again."""
ASKS_SIZES = frozenset(
    "aten::size aten::dim aten::numel aten::zeros_like aten::ones_like aten::len prim::dtype prim::device".split()
)
"""Operators that look at no element of their operand."""


def is_cheap(op: Operation) -> bool:
    """Whether a node is computed once more rather than kept: numbers and views, and a pointwise result of tensors of its size."""
    if op.regions or is_nondeterministic(op):
        return False
    if is_copied(op):
        return True
    tensors = [value for value in op.results if isinstance(value.type, TensorType)]
    return isinstance(op, OperatorOp) and op.KIND in CHEAP and len(tensors) == len(op.results) == 1


class Partition:
    """`inputs` are the arguments that are no gradients, and whether somebody writes to them; `outputs` what is computed of them alone,
    and `gradients` what is computed of gradients, too, and what else is returned does not count.
    """

    def __init__(
        self,
        block: Block,
        inputs: Mapping[SSAValue, bool],
        outputs: Sequence[SSAValue],
        gradients: Sequence[SSAValue],
        extents: Extents,
    ) -> None:
        self.inputs = list(inputs)
        self.written = {value for value, is_written in inputs.items() if is_written}
        """The inputs whose elements are others when the gradients are computed: nothing is computed of them again."""
        self.outputs = list(dict.fromkeys(outputs))
        self.gradients = gradients
        self.extents = extents
        self.constants: set[SSAValue] = set()
        self.forward: list[Operation] = []
        """The nodes that depend on no gradient."""
        self.reverse: list[Operation] = []
        """Those that do."""
        self._divide(block)
        self.captured: dict[SSAValue, bool] = {}
        """What is captured, and whether its elements are read, not its sizes only."""
        self.repeated: list[Operation] = []
        """The nodes that both parts have."""
        self._choose()

    def _divide(self, block: Block) -> None:
        given = set(self.inputs)
        late: set[SSAValue] = {argument for argument in block.args if argument not in given}
        for op in edit.body_ops(block):
            if isinstance(op, prim.ConstantOp):
                self.constants.update(op.results)
            elif any(value in late for inner in op.walk() for value in inner.operands):
                self.reverse.append(op)
                late.update(op.results)
            else:
                self.forward.append(op)

    def _needed(self) -> dict[SSAValue, bool]:
        """The values from the first part that the second uses, and whether it reads their elements."""
        early = {*self.inputs, *(result for op in self.forward for result in op.results)}
        found = {value: True for value in self.gradients if value in early}
        for outer in self.reverse:
            for op in outer.walk():
                for value in op.operands:
                    if value in early:
                        found[value] = found.get(value, False) or not _asks_sizes(op)
        return found

    def _need(self, op: Operation, needed: dict[SSAValue, bool]) -> None:
        """Note what a node needs that is computed again."""
        for value in op.operands:
            if value not in self.constants:
                needed[value] = needed.get(value, False) or not _asks_sizes(op)

    def _ask_others(self, needed: dict[SSAValue, bool], at_hand: set[SSAValue]) -> None:
        """Ask values that are at hand for the sizes of those that are not."""
        inside = {op for outer in self.reverse for op in outer.walk()}
        known = [value for value in needed if value in at_hand and needed[value]]
        known += [value for value in (*self.inputs, *self.outputs) if value not in known]
        for value, is_read in list(needed.items()):
            if is_read or value in at_hand:
                continue
            other = next((one for one in known if self._are_alike(one, value)), None)
            if other is None:
                continue
            del needed[value]
            needed.setdefault(other, False)
            for use in tuple(value.uses):
                if use.operation in inside:
                    use.operation.operands[use.index] = other

    def _are_alike(self, one: SSAValue, other: SSAValue) -> bool:
        """Whether two tensors tell the same of dtype and sizes."""
        return _dtype(one) == _dtype(other) and self.extents.are_equal(one, other)

    def _choose(self) -> None:
        needed = self._needed()
        for op in reversed(self.forward):
            if is_copied(op) and any(needed.get(result) for result in op.results):
                self._need(op, needed)  # a view is made again, never captured
        at_hand = {*self.inputs, *self.outputs}
        repeatable: set[SSAValue] = set()
        for op in self.forward:
            known = (v in at_hand or v in repeatable or v in self.constants for v in op.operands)
            is_lasting = is_copied(op) or self.written.isdisjoint(op.operands)
            if is_lasting and is_cheap(op) and all(known):
                repeatable.update(op.results)
            else:
                at_hand.update(result for result in op.results if needed.get(result))
        self._ask_others(needed, at_hand)
        for op in reversed(self.forward):
            wanted = [value for value in op.results if value in needed and value not in at_hand]
            if not any(value in repeatable for value in wanted):
                continue
            self.repeated.append(op)
            self._need(op, needed)
        self.repeated.reverse()
        made = {result for op in self.repeated for result in op.results}
        self.captured = {value: read for value, read in needed.items() if value not in made}

    def captured_inputs(self) -> list[SSAValue]:
        """The inputs that are captured, in order."""
        return [value for value in self.inputs if value in self.captured]

    def captured_outputs(self) -> list[SSAValue]:
        """The other values that are captured, results first."""
        inputs = set(self.inputs)
        found = [value for value in self.outputs if value in self.captured and value not in inputs]
        return [*found, *(v for v in self.captured if v not in inputs and v not in found)]


def _dtype(value: SSAValue) -> str | None:
    return value.type.dtype if isinstance(value.type, TensorType) else None


def _asks_sizes(op: Operation) -> bool:
    return isinstance(op, OperatorOp) and op.KIND in ASKS_SIZES


def _acts(op: Operation) -> bool:
    """Whether a node of a sub-graph is there for more than its results."""
    if isinstance(op, OperatorOp) and class_may_write(type(op)):
        return True
    return any(map(has_side_effects, op.walk()))


def extracted(
    ops: Sequence[Operation],
    arguments: Iterable[SSAValue],
    results: Sequence[SSAValue],
    *,
    acts: bool = False,
) -> tuple[Block, dict[SSAValue, SSAValue]]:
    """A block that takes `arguments` and gives `results`, with copies of what it needs of these nodes and of constants; and what in it
    stands for which value. With `acts`, nodes that may raise an error or write to memory from outside are needed too.
    """
    given = list(arguments)
    needed = dict.fromkeys(results)
    kept: list[Operation] = []
    for op in reversed(ops):
        if (acts and _acts(op)) or any(result in needed for result in op.results):
            kept.append(op)
            needed |= dict.fromkeys(value for inner in op.walk() for value in inner.operands)
    block = Block(arg_types=[value.type for value in given])
    values: dict[SSAValue, SSAValue] = {}
    for old, new in zip(given, block.args, strict=True):
        values[old] = new
        new.name_hint = old.name_hint
    makers = [value.owner for value in results if isinstance(value.owner, Operation)]
    outside = {op.parent for op in (*ops, *makers)}
    for value in needed:
        if isinstance(value.owner, prim.ConstantOp) and value.owner.parent in outside:
            block.add_op(edit.clone(value.owner, values))
    for op in reversed(kept):
        block.add_op(edit.clone(op, values))
    block.add_op(prim.YieldOp.create(operands=[values[value] for value in results]))
    return block, values
