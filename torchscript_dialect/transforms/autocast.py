"""Spells out regions of `torch.autocast` as casts (PyTorch: passes/autocast.cpp).

In a region, operators get tensors of another dtype than they were given, by the lists in ops/autocast.py. The constructor of a
region has to be inlined and its arguments constant; calls in a region have to be inlined, too. Unlike PyTorch's pass, which leaves
the ends of a region where they are, this one takes them away: what is left means the same anywhere.

Note [Regions around calls]
A call of a program may stand in a region. In PyTorch such a call is compiled with the casts of a region around all of it, and then
runs with the casts of eager operators, whose lists are others: an operator may be cast by either. `around` is the dtype of such a
region. An operator that is made of others becomes what it is in such a region (ops/autocast_composites.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.operators import OperatorOp, operator_class
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ops import autocast as lists
from torchscript_dialect.ops import autocast_composites as composites
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.containers import OptionalType
from torchscript_dialect.types.core import BOOL, INT, NONE
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)

CLASS = ".autocast_mode.autocast"
"""How the names of the classes of regions end."""


class State(NamedTuple):
    """What regions say at a node."""

    cpu: int | None = None
    """The number of the dtype that operators on the CPU compute with."""
    cuda: bool = False


@dataclass(frozen=True)
class Autocast(FunctionPass):
    """No pipeline has it: the executor says what region is around a call."""

    name = "ts-autocast"

    around: str = ""
    """The dtype of a region that the call of the function stands in: Note [Regions around calls]."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        around = dtypes.from_name(self.around).scalar_type if self.around else None
        caster = _Caster(State(around), around)
        caster.visit(function.body.block, State(around))
        _erase_regions(caster.regions)
        if caster.changed:
            analyses.invalidate(function)
        dump(LOG, "After Autocast: ", function)
        return caster.changed


class _Caster:
    def __init__(self, initial: State, around: int | None) -> None:
        self.initial = initial
        self.around = around
        self.regions: list[Operation] = []
        """The objects of the regions that were spelled out."""
        self.changed = False

    def visit(self, block: Block, state: State) -> None:
        """Cast what the nodes of a block take, at whose beginning regions say `state`."""
        open_regions = [state]
        for op in edit.body_ops(block):
            if isinstance(op, prim.EnterOp) and is_region(op.operands[0]):
                open_regions.append(self.enter(op, open_regions[-1]))
            elif isinstance(op, prim.ExitOp) and is_region(op.operands[0]):
                open_regions.pop()
                edit.erase(op)
            elif isinstance(op, (prim.CallFunctionOp, prim.CallMethodOp)):
                if open_regions[-1] != self.initial or self.around is not None:
                    raise TorchScriptError(
                        f"a call in a region of torch.autocast could not be inlined{at(op)}"
                    )
            elif isinstance(op, OperatorOp):
                self.operator(op, open_regions[-1])
            for inner in blocks_of(op):
                self.visit(inner, open_regions[-1])

    def enter(self, op: prim.EnterOp, state: State) -> State:
        """What a region says, which ends the one around it or is in force beside it."""
        made = op.operands[0].owner
        if not isinstance(made, prim.CreateObjectOp):
            raise TorchScriptError(f"Unsupported autocast syntax{at(op)}")
        if op.results[0].uses:
            raise TorchScriptError(f"`with autocast() as ...` is not supported{at(made)}")
        self.regions.append(made)
        self.changed = True
        edit.erase(op)
        enabled = _argument(made, "_enabled")
        if not enabled and state.cpu is None:
            return state._replace(cuda=False)  # whatever the device is
        device = _argument(made, "device")
        if device == "cuda":
            return state._replace(cuda=enabled)
        if device != "cpu":
            raise TorchScriptError(f"torch.autocast for '{device}' is not supported{at(made)}")
        return state._replace(cpu=_argument(made, "fast_dtype") if enabled else None)

    def operator(self, op: OperatorOp, state: State) -> None:
        """Cast what a node takes, first by what programs say, then by a region around the call."""
        asks = (isinstance(op, aten.IsAutocastEnabledOp) and state.cuda) or (
            isinstance(op, aten.IsAutocastCpuEnabledOp) and (state.cpu or self.around)
        )
        if asks:
            edit.replace_uses(op.results[0], edit.insert_constant(op, True, BOOL))
            edit.erase(op)
            self.changed = True
            return
        if (state.cpu is None and self.around is None) or not _may_cast(op):
            return
        name = op.KIND.removeprefix("aten::")
        if state.cpu is not None:
            if name in lists.BANNED:
                raise TorchScriptError(f"{op.KIND} is unsafe to autocast{at(op)}")
            if name in lists.REDUCED:
                self.cast(op, _reduced(state.cpu))
            elif (name in lists.FULL and not _has_dtype(op)) or (
                name in lists.WIDEST and _may_be_float(op)
            ):
                self.cast(op, _full())
        if self.around is None:
            return
        assert op.OPERATOR is not None
        text = composites.around(op.OPERATOR.qualified_name, self.around)
        if text is not None:
            self.replace(op, text)
        elif name in lists.REDUCED_AROUND:
            self.cast(op, _reduced(self.around), around=True)
        elif name in lists.FULL_AROUND:
            self.cast(op, _full(), around=True)

    def replace(self, op: OperatorOp, text: str) -> None:
        """Put the nodes of a function in the place of a node."""
        compiled: Any = import_module("torchscript_dialect.transforms.decompose_ops")
        body: Block = compiled.function_for(op.OPERATOR, text).body.block
        values: dict[SSAValue, SSAValue] = dict(zip(body.args, op.operands, strict=True))
        for inner in edit.body_ops(body):
            made = edit.clone(inner, values)
            compiled.place_at(made, op)
            edit.insert_before(op, made)
        results: Sequence[SSAValue] = [values[value] for value in edit.outputs(body)]
        if len(op.results) > 1:
            unpacked = prim.TupleUnpackOp.create(
                operands=results, result_types=[result.type for result in op.results]
            )
            edit.insert_before(op, unpacked)
            results = unpacked.results
        for old, new in zip(op.results, results, strict=True):
            edit.replace_uses(old, new)
        edit.erase(op)
        self.changed = True

    def cast(self, op: OperatorOp, cast: Cast, *, around: bool = False) -> None:
        """Put a cast before each tensor that a node takes and that is none of such a cast.

        One `around` the call casts what may be None, too.
        """
        casts: dict[SSAValue, SSAValue] = {}
        for index, operand in enumerate(op.operands):
            type_ = prim.type_of(operand)
            is_tensor = isinstance(type_, TensorType)
            may_be_tensor = around and type_ == OptionalType(TENSOR)
            if not (is_tensor or may_be_tensor) or isinstance(operand.owner, cast.class_):
                continue
            if operand not in casts:
                casts[operand] = (
                    cast.of(operand, op) if is_tensor else cast.of_optional(operand, op)
                )
            op.operands[index] = casts[operand]
            self.changed = True


class Cast(NamedTuple):
    """An operator that casts, and the dtypes it is given: none, or those for CUDA and the CPU."""

    class_: type[OperatorOp]
    dtypes: tuple[int, ...] = ()

    def of(self, value: SSAValue, before: Operation) -> SSAValue:
        """The cast of a tensor, put before an op."""
        flags = [edit.insert_constant(before, one, BOOL) for one in (False, True)]
        numbers = [edit.insert_constant(before, one, INT) for one in self.dtypes]
        made = self.class_(value, *flags, *numbers, location=before.location)
        edit.insert_before(before, made)
        return made.results[0]

    def of_optional(self, value: SSAValue, before: Operation) -> SSAValue:
        """The cast of what is a tensor or None."""
        is_none = _is_none(value, before)
        blocks = [edit.new_block(), edit.new_block()]
        branch = prim.IfOp.create(
            operands=(is_none,),
            result_types=(value.type,),
            regions=[Region(block) for block in blocks],
        )
        edit.insert_before(before, branch)
        end = edit.terminator(blocks[1])
        tensor = prim.UncheckedCastOp.create(operands=(value,), result_types=(TENSOR,))
        edit.insert_before(end, tensor)
        edit.add_output(blocks[0], value)
        edit.add_output(blocks[1], self.of(tensor.results[0], end))
        return branch.results[0]


def _is_none(value: SSAValue, before: Operation) -> SSAValue:
    made = aten.__Is__Op(  # pyright: ignore[reportPrivateUsage]
        value, edit.insert_constant(before, None, NONE)
    )
    edit.insert_before(before, made)
    return made.results[0]


def _reduced(dtype: int) -> Cast:
    return Cast(
        operator_class("aten::_autocast_to_reduced_precision"), (dtypes.float16.scalar_type, dtype)
    )


def _full() -> Cast:
    return Cast(operator_class("aten::_autocast_to_full_precision"))


def is_region(value: SSAValue) -> bool:
    """Whether a value is a region of `torch.autocast`."""
    type_ = prim.type_of(value)
    return isinstance(type_, ClassType) and type_.qualified_name.data.endswith(CLASS)


def has_regions(function: FuncOp) -> bool:
    """Whether a function, without what it calls, has regions of `torch.autocast`."""
    ops = edit.nested_ops(function.body.block)
    return any(isinstance(op, prim.EnterOp) and is_region(op.operands[0]) for op in ops)


def _argument(made: prim.CreateObjectOp, name: str) -> bool | str | int:
    """What a region was given.

    Raises:
        TorchScriptError: that is not known before the program runs.
    """
    for use in made.results[0].uses:
        op = use.operation
        if isinstance(op, prim.SetAttrOp) and op.attributes["name"] == StringAttr(name):
            value = op.operands[1]
            if isinstance(value.owner, aten.GetAutocastDtypeOp):
                return dtypes.from_name(pytorch_state.autocast_dtype("cpu")).scalar_type
            found = edit.constant_value(value)
            if found is not None:
                return found
    raise TorchScriptError(f"Autocast {name} argument must be a constant{at(made)}")


def _may_cast(op: OperatorOp) -> bool:
    return op.KIND.startswith("aten::") and op.schema is not None and not op.schema.is_mutable


def _has_dtype(op: OperatorOp) -> bool:
    """Whether the node is told a dtype."""
    return "dtype" in op.NAMES and prim.type_of(op.operands[op.NAMES.index("dtype")]) != NONE


def _may_be_float(op: OperatorOp) -> bool:
    """Whether a tensor that the node takes may be of float32."""
    types = [prim.type_of(operand) for operand in op.operands]
    return any(isinstance(t, TensorType) and t.dtype in (None, "Float") for t in types)


def _erase_regions(made: Iterable[Operation]) -> None:
    """Erase the objects of regions that nobody else has."""
    for op in dict.fromkeys(made):
        users = [use.operation for use in op.results[0].uses]
        if all(
            isinstance(user, prim.SetAttrOp) and user.operands[0] is op.results[0] for user in users
        ):
            for user in users:
                edit.erase(user)
            edit.erase(op)
