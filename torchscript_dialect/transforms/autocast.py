"""Spells out regions of `torch.autocast` as casts (PyTorch: passes/autocast.cpp).

In a region, operators get tensors of another dtype than they were given, by the lists in ops/autocast/autocast.py. The constructor of a
region has to be inlined and its arguments constant; calls in a region have to be inlined, too. Unlike PyTorch's pass, which leaves
the ends of a region where they are, this one takes them away: what is left means the same anywhere.

Note [Regions around calls]
A call of a program may stand in a region. In PyTorch such a call is compiled with the casts of a region around all of it, and then
runs with the casts of eager operators, whose lists are others: an operator may be cast by either. `cpu` and `cuda` are the dtypes of
such regions, by the kind of device. The type of a tensor does not tell its device: these casts ask for it when the program runs
(_around_casts.py). An operator that is made of others becomes what it is in such a region (ops/autocast/autocast_composites.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.analysis.effects import blocks_of
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.dialects.operators import OperatorOp, operator_class
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.locations import at
from torchscript_dialect.ops.autocast import autocast as lists
from torchscript_dialect.ops.autocast import autocast_composites as composites
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.transforms._around_casts import AroundCasts
from torchscript_dialect.transforms._pass import FunctionPass, dump
from torchscript_dialect.types.core import BOOL, INT, NONE
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TensorType
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.jit_log import Log

LOG = Log(__name__)

CLASS = ".autocast_mode.autocast"
"""How the names of the classes of regions end."""


class Kind(NamedTuple):
    """What regions say of a kind of device."""

    enabled: bool
    dtype: int
    """The number of the dtype that operators compute with."""


class State(NamedTuple):
    """What regions say at a node."""

    cuda: Kind
    cpu: Kind

    @property
    def casts(self) -> bool:
        return self.cuda.enabled or self.cpu.enabled


@dataclass(frozen=True)
class Autocast(FunctionPass):
    """No pipeline has it: the executor says which regions are around a call."""

    name = "ts-autocast"

    cpu: str = ""
    """The dtype of a region for the CPU that the call of the function stands in: Note [Regions around calls]."""
    cuda: str = ""
    """The same for devices of CUDA."""

    def run(self, function: FuncOp, analyses: Analyses) -> bool:
        caster = _Caster(State(_around("cuda", self.cuda), _around("cpu", self.cpu)))
        caster.visit(function.body.block, caster.around)
        _erase_regions(caster.regions)
        if caster.changed:
            analyses.invalidate(function)
        dump(LOG, "After Autocast: ", function)
        return caster.changed


def _around(kind: str, dtype: str) -> Kind:
    """What a region around the call says; what one in the program computes with, where there is none."""
    name = dtype or pytorch_state.autocast_dtype(kind)
    return Kind(bool(dtype), dtypes.from_name(name).scalar_type)


class _Caster:
    def __init__(self, around: State) -> None:
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
                if open_regions[-1] != self.around or self.around.casts:
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
        enabled = bool(_argument(made, "_enabled"))
        if not enabled and not state.casts:
            return state  # whatever the device is
        device = _argument(made, "device")
        if device not in State._fields:
            raise TorchScriptError(f"torch.autocast for '{device}' is not supported{at(made)}")
        dtype = _argument(made, "fast_dtype") if enabled else getattr(self.around, device).dtype
        return state._replace(**{device: Kind(enabled, int(dtype))})

    def operator(self, op: OperatorOp, state: State) -> None:
        """Cast what a node takes, first by what programs say, then by regions around the call."""
        asks = (isinstance(op, aten.IsAutocastEnabledOp) and state.cuda.enabled) or (
            isinstance(op, aten.IsAutocastCpuEnabledOp) and state.cpu.enabled
        )
        if asks:
            edit.replace_uses(op.results[0], edit.insert_constant(op, True, BOOL))
            edit.erase(op)
            self.changed = True
            return
        if not (state.casts or self.around.casts) or not _may_cast(op):
            return
        name = op.KIND.removeprefix("aten::")
        if state.casts:
            if name in lists.BANNED:
                raise TorchScriptError(f"{op.KIND} is unsafe to autocast{at(op)}")
            if name in lists.REDUCED:
                self.cast(op, Cast.reduced(state))
            elif (name in lists.FULL and not _has_dtype(op)) or (
                name in lists.WIDEST and _may_be_float(op)
            ):
                self.cast(op, Cast.full(state))
        self.cast_around(op, State._fields)

    def cast_around(self, op: OperatorOp, kinds: Sequence[str]) -> None:
        """Cast what a node takes by the regions around the call for these kinds of devices."""
        for index, kind in enumerate(kinds):
            around: Kind = getattr(self.around, kind)
            if not around.enabled or not _may_cast(op):
                continue
            assert op.OPERATOR is not None
            text = composites.around(op.OPERATOR.qualified_name, kind, around.dtype)
            if text is None:
                self.changed |= AroundCasts(kind, around.dtype).apply(op)
                continue
            for inner in self.replace(op, text):
                self.cast_around(inner, kinds[index + 1 :])
            return

    def replace(self, op: OperatorOp, text: str) -> list[OperatorOp]:
        """Put the nodes of a function in the place of a node; gives those that are operators."""
        compiled: Any = import_module("torchscript_dialect.transforms.decompose_ops")
        body: Block = compiled.function_for(op.OPERATOR, text).body.block
        values: dict[SSAValue, SSAValue] = dict(zip(body.args, op.operands, strict=True))
        copies = [edit.clone(inner, values) for inner in edit.body_ops(body)]
        for made in copies:
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
        inside = [inner for made in copies for inner in (made, *_nested(made))]
        return [inner for inner in inside if isinstance(inner, OperatorOp)]

    def cast(self, op: OperatorOp, cast: Cast) -> None:
        """Put a cast before each tensor that a node takes and that is none of such a cast."""
        casts: dict[SSAValue, SSAValue] = {}
        for index, operand in enumerate(op.operands):
            is_tensor = isinstance(prim.type_of(operand), TensorType)
            if not is_tensor or isinstance(operand.owner, cast.class_):
                continue
            if operand not in casts:
                casts[operand] = cast.of(operand, op)
            op.operands[index] = casts[operand]
            self.changed = True


def _nested(op: Operation) -> Iterable[Operation]:
    return (inner for block in blocks_of(op) for inner in edit.nested_ops(block))


class Cast(NamedTuple):
    """An operator that casts, and what it is given: whether it casts tensors of CUDA and of the CPU, and to which dtypes."""

    class_: type[OperatorOp]
    flags: tuple[bool, ...]
    dtypes: tuple[int, ...] = ()

    @classmethod
    def reduced(cls, state: State) -> Cast:
        class_ = operator_class("aten::_autocast_to_reduced_precision")
        return cls(class_, tuple(one.enabled for one in state), tuple(one.dtype for one in state))

    @classmethod
    def full(cls, state: State) -> Cast:
        class_ = operator_class("aten::_autocast_to_full_precision")
        return cls(class_, tuple(one.enabled for one in state))

    def of(self, value: SSAValue, before: Operation) -> SSAValue:
        """The cast of a tensor, put before an op."""
        flags = [edit.insert_constant(before, one, BOOL) for one in self.flags]
        numbers = [edit.insert_constant(before, one, INT) for one in self.dtypes]
        made = self.class_(value, *flags, *numbers, location=before.location)
        edit.insert_before(before, made)
        return made.results[0]


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
                device = str(_argument(made, "device"))
                return dtypes.from_name(pytorch_state.autocast_dtype(device)).scalar_type
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
