"""What regions of `torch.autocast` around a call do to a node: functions, as TorchScript text, whose nodes are put before it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from importlib import import_module
from typing import Any, NamedTuple

from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.frontend.compile import compile_source
from torchscript_dialect.ir import edit
from torchscript_dialect.ops.autocast import autocast as lists
from torchscript_dialect.ops.autocast import autocast_composites as composites
from torchscript_dialect.types.containers import ListType, OptionalType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

_CASTS: Mapping[TorchScriptType, str] = {
    TENSOR: "def cast(x: Tensor{more}) -> Tensor:\n    return {x}\n",
    OptionalType(TENSOR): (
        "def cast(x: Optional[Tensor]{more}) -> Optional[Tensor]:\n"
        "    if x is not None:\n        x = {x}\n    return x\n"
    ),
    ListType(TENSOR): (
        "def cast(xs: List[Tensor]{more}) -> List[Tensor]:\n    return [{x} for x in xs]\n"
    ),
}
"""The cast of an operand by its type."""

_DTYPE = """
def told(x: Tensor, dtype: Optional[int]) -> Optional[int]:
    return torch.float32 if dtype is None and is_cast(x) else dtype
"""

_REFUSED = f"""
def refused(x: Tensor):
    if x.is_cuda:
        raise RuntimeError({lists.UNSAFE!r})
"""


def _is_wide(count: int, dtype: int) -> str:
    """Whether one of several tensors has float32."""
    lines = ["wide = False"]
    for index in range(count):
        lines += [
            f"if is_cast(x{index}) and not wide:",
            f"    wide = x{index}.dtype == torch.float32",
            f"    if not wide and x{index}.dtype != {dtype}:",
            "        raise RuntimeError('Unexpected floating ScalarType in at::autocast::prioritize')",
        ]
    parameters = ", ".join(f"x{index}: Tensor" for index in range(count))
    body = "\n    ".join([*lines, "return wide"])
    return f"def is_wide({parameters}) -> bool:\n    {body}\n"


class AroundCasts(NamedTuple):
    """A region for a kind of device, with the number of its dtype."""

    kind: str
    dtype: int

    def apply(self, op: OperatorOp) -> bool:
        """Cast what a node takes as the lists of ops/autocast/autocast.py say; whether anything is."""
        name = op.KIND.removeprefix("aten::")
        policies = lists.POLICIES[self.kind]
        assert op.OPERATOR is not None
        tensors = [op.operands[place] for place in lists.places_of_tensors(op.OPERATOR)]
        if name in policies.banned:
            for value in tensors:
                self._put(op, _REFUSED, value)
        elif name in policies.fp32_set_opt_dtype and "dtype" in op.NAMES:
            place = op.NAMES.index("dtype")
            op.operands[place] = self._put(op, _DTYPE, op.operands[0], op.operands[place])
        elif name in policies.promote:
            wide = self._put(op, _is_wide(len(tensors), self.dtype), *tensors)
            self._cast(op, "full(x) if wide else low(x)", ", wide: bool", wide)
        elif name in policies.lower_precision_fp:
            self._cast(op, "low(x)")
        elif name in policies.fp32:
            self._cast(op, "full(x)")
        else:
            return False
        return True

    def _cast(self, op: OperatorOp, x: str, more: str = "", *known: SSAValue) -> None:
        """Cast each tensor that a node takes, or may take, to what is written of it; more may be known there."""
        casts: dict[SSAValue, SSAValue] = {}
        for index, operand in enumerate(op.operands):
            type_ = prim.type_of(operand)
            text = _CASTS.get(TENSOR if isinstance(type_, TensorType) else type_)
            if text is None:
                continue
            if operand not in casts:
                casts[operand] = self._put(op, text.format(x=x, more=more), operand, *known)
            op.operands[index] = casts[operand]

    def _put(self, op: OperatorOp, text: str, *operands: SSAValue) -> SSAValue:
        """Put the nodes of a function before a node; what it gives."""
        body = _function(composites.with_casts(text, self.kind, self.dtype)).body.block
        values: dict[SSAValue, SSAValue] = dict(zip(body.args, operands, strict=True))
        for inner in edit.body_ops(body):
            made = edit.clone(inner, values)
            _compiler().place_at(made, op)
            edit.insert_before(op, made)
        (result,) = edit.outputs(body)
        return values[result]


@lru_cache(maxsize=64)
def _function(text: str) -> FuncOp:
    unit = compile_source(text, "<a region of torch.autocast>", of_operators=True)
    (function,) = unit.functions.values()
    assert function.func_op is not None
    _compiler().clean(function.op)
    return function.op


def _compiler() -> Any:
    """Loaded when something is cast: it needs names of many operators."""
    return import_module("torchscript_dialect.transforms.decompose_ops")
