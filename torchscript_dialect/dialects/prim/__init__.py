"""The `prim` dialect: constants, control flow, containers, calls and fusion groups, and the TorchScript types.

Structural nodes are written here by hand; `prim` operators with a schema (`prim::min.int`) come from the operator table.
Blocks end with `prim.yield`, functions are `func.func` with `func.return`.
"""

from __future__ import annotations

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.prim.bailouts import (
    BailOutOp,
    BailOutPointOp,
    BailoutTemplateOp,
    alive_at_points,
)
from torchscript_dialect.dialects.prim.constants import ConstantOp, YieldOp
from torchscript_dialect.dialects.prim.containers import (
    DictConstructOp,
    ListConstructOp,
    ListUnpackOp,
    TupleConstructOp,
    TupleIndexOp,
    TupleSliceOp,
    TupleUnpackOp,
)
from torchscript_dialect.dialects.prim.control_flow import (
    BreakStmtOp,
    ComprehensionScopeOp,
    ContinueStmtOp,
    EnterOp,
    ExitOp,
    IfOp,
    LoadOp,
    LoopContinuationOp,
    LoopOp,
    RaiseExceptionOp,
    ReturnStmtOp,
    StoreOp,
    UninitializedOp,
    WithOp,
)
from torchscript_dialect.dialects.prim.groups import (
    ConstantChunkOp,
    DifferentiableGraphOp,
    FallbackGraphOp,
    FusionGroupOp,
    GradOfOp,
    GroupOp,
    ScalarGroupOp,
    TensorExprGroupOp,
    UpdateOp,
)
from torchscript_dialect.dialects.prim.guards import (
    GuardOp,
    ProfileIValueOp,
    ProfileOp,
    RequiresGradCheckOp,
    TypeCheckOp,
)
from torchscript_dialect.dialects.prim.modules import (
    ClassTypeOp,
    EnumTypeOp,
    InterfaceTypeOp,
    ModuleOp,
    WeightOp,
)
from torchscript_dialect.dialects.prim.objects import (
    CallFunctionOp,
    CallMethodOp,
    ClosureOp,
    CreateObjectOp,
    ForkOp,
    GetAttrOp,
    HasAttrOp,
    IsInstanceOp,
    PrintOp,
    PythonOp,
    SetAttrOp,
    UncheckedCastOp,
)
from torchscript_dialect.dialects.prim.op import BY_KIND, PrimOp, kind_class, type_of, yielded
from torchscript_dialect.types import containers, core, named, tensor_type
from torchscript_dialect.types.core import TorchScriptType

STRUCTURAL_OPS: tuple[type[TorchScriptOp], ...] = tuple(BY_KIND.values())

TYPES: tuple[type[TorchScriptType], ...] = (
    *(type(type_) for type_ in core.SIMPLE_TYPES),
    tensor_type.TensorType,
    containers.ListType,
    containers.OptionalType,
    containers.FutureType,
    containers.AwaitType,
    containers.RRefType,
    containers.DictType,
    containers.TupleType,
    containers.UnionType,
    named.ClassType,
    named.InterfaceType,
    named.EnumType,
    named.FunctionType,
    named.VarType,
)


__all__ = [
    "STRUCTURAL_OPS",
    "TYPES",
    "BailOutOp",
    "BailOutPointOp",
    "BailoutTemplateOp",
    "BreakStmtOp",
    "CallFunctionOp",
    "CallMethodOp",
    "ClassTypeOp",
    "ClosureOp",
    "ComprehensionScopeOp",
    "ConstantChunkOp",
    "ConstantOp",
    "ContinueStmtOp",
    "CreateObjectOp",
    "DictConstructOp",
    "DifferentiableGraphOp",
    "EnterOp",
    "EnumTypeOp",
    "ExitOp",
    "FallbackGraphOp",
    "ForkOp",
    "FusionGroupOp",
    "GetAttrOp",
    "GradOfOp",
    "GroupOp",
    "GuardOp",
    "HasAttrOp",
    "IfOp",
    "InterfaceTypeOp",
    "IsInstanceOp",
    "ListConstructOp",
    "ListUnpackOp",
    "LoadOp",
    "LoopContinuationOp",
    "LoopOp",
    "ModuleOp",
    "PrimOp",
    "PrintOp",
    "ProfileIValueOp",
    "ProfileOp",
    "PythonOp",
    "RaiseExceptionOp",
    "RequiresGradCheckOp",
    "ReturnStmtOp",
    "ScalarGroupOp",
    "SetAttrOp",
    "StoreOp",
    "TensorExprGroupOp",
    "TupleConstructOp",
    "TupleIndexOp",
    "TupleSliceOp",
    "TupleUnpackOp",
    "TypeCheckOp",
    "UncheckedCastOp",
    "UninitializedOp",
    "UpdateOp",
    "WeightOp",
    "WithOp",
    "YieldOp",
    "alive_at_points",
    "kind_class",
    "type_of",
    "yielded",
]
