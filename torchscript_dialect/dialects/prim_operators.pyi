"""Made by tools/generate_aten_stub.py from the operator table."""

from collections.abc import Sequence
from typing import Any, Self, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, SSAValue

from torchscript_dialect.dialects.construction import Given
from torchscript_dialect.dialects.operators import OperatorOp

Types: TypeAlias = Sequence[Attribute] | None
Where: TypeAlias = LocationAttr | None

class AutogradAddOp(OperatorOp):
    'prim::AutogradAdd(Any a, Any b) -> Any'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AutogradAllNonZeroOp(OperatorOp):
    'prim::AutogradAllNonZero(...) -> bool'
    def __init__(_this, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *operands: Any, result_types: Types = ...) -> Self: ...

class AutogradAllZeroOp(OperatorOp):
    'prim::AutogradAllZero(...) -> bool'
    def __init__(_this, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *operands: Any, result_types: Types = ...) -> Self: ...

class AutogradAnyNonZeroOp(OperatorOp):
    'prim::AutogradAnyNonZero(...) -> bool'
    def __init__(_this, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *operands: Any, result_types: Types = ...) -> Self: ...

class AutogradZeroOp(OperatorOp):
    'prim::AutogradZero() -> Tensor'
    def __init__(_this, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *, result_types: Types = ...) -> Self: ...

class BroadcastSizesOp(OperatorOp):
    'prim::BroadcastSizes(...) -> int[]'
    def __init__(_this, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *operands: Any, result_types: Types = ...) -> Self: ...

class EnumNameOp(OperatorOp):
    'prim::EnumName(AnyEnumType enum) -> str'
    enum: SSAValue
    def __init__(_this, enum: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, enum: Any, *, result_types: Types = ...) -> Self: ...

class EnumValueFloatOp(OperatorOp):
    'prim::EnumValue.float(AnyEnumType enum) -> float'
    enum: SSAValue
    def __init__(_this, enum: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, enum: Any, *, result_types: Types = ...) -> Self: ...

class EnumValueIntOp(OperatorOp):
    'prim::EnumValue.int(AnyEnumType enum) -> int'
    enum: SSAValue
    def __init__(_this, enum: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, enum: Any, *, result_types: Types = ...) -> Self: ...

class EnumValueStrOp(OperatorOp):
    'prim::EnumValue.str(AnyEnumType enum) -> str'
    enum: SSAValue
    def __init__(_this, enum: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, enum: Any, *, result_types: Types = ...) -> Self: ...

class GuardOp(OperatorOp):
    'prim::Guard(Tensor(a) t) -> Tensor(a)'
    t: SSAValue
    def __init__(_this, t: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, t: Any, *, result_types: Types = ...) -> Self: ...

class IfThenElseOp(OperatorOp):
    'prim::IfThenElse(bool cond, Any(a) x, Any(b) y) -> Any(b|a)'
    cond: SSAValue
    x: SSAValue
    y: SSAValue
    def __init__(_this, cond: Given, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, cond: Any, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ModuleContainerIndexDictOp(OperatorOp):
    'prim::ModuleContainerIndex.dict(Any self, str ind) -> Any'
    self: SSAValue
    ind: SSAValue
    def __init__(_this, self: Given, ind: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, ind: Any, *, result_types: Types = ...) -> Self: ...

class ModuleContainerIndexListOp(OperatorOp):
    'prim::ModuleContainerIndex.list(Any self, int ind) -> Any'
    self: SSAValue
    ind: SSAValue
    def __init__(_this, self: Given, ind: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, ind: Any, *, result_types: Types = ...) -> Self: ...

class NumToTensorScalarOp(OperatorOp):
    'prim::NumToTensor.Scalar(Scalar a) -> Tensor'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class NumToTensorBoolOp(OperatorOp):
    'prim::NumToTensor.bool(bool a) -> Tensor'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class PrintOp(OperatorOp):
    'prim::Print(...) -> ()'
    def __init__(_this, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *operands: Any, result_types: Types = ...) -> Self: ...

class ReductionSizesOp(OperatorOp):
    'prim::ReductionSizes(int[] size, int[] red_axes, bool keepdim=False) -> int[]'
    size: SSAValue
    red_axes: SSAValue
    keepdim: SSAValue
    def __init__(_this, size: Given, red_axes: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, red_axes: Any, keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class StringIndexOp(OperatorOp):
    'prim::StringIndex(str string, int index) -> str'
    string: SSAValue
    index: SSAValue
    def __init__(_this, string: Given, index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, string: Any, index: Any, *, result_types: Types = ...) -> Self: ...

class TupleIndexOp(OperatorOp):
    'prim::TupleIndex(Any tup, int i) -> Any'
    tup: SSAValue
    i: SSAValue
    def __init__(_this, tup: Given, i: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tup: Any, i: Any, *, result_types: Types = ...) -> Self: ...

class AbsOp(OperatorOp):
    'prim::abs(Tensor x) -> Tensor'
    x: SSAValue
    def __init__(_this, x: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, *, result_types: Types = ...) -> Self: ...

class AbsScalarOp(OperatorOp):
    'prim::abs.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AbsComplexOp(OperatorOp):
    'prim::abs.complex(complex a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AbsFloatOp(OperatorOp):
    'prim::abs.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AbsIntOp(OperatorOp):
    'prim::abs.int(int a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AwaitableNowaitOp(OperatorOp):
    'prim::awaitable_nowait(t self) -> Await(t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AwaitableWaitOp(OperatorOp):
    'prim::awaitable_wait(Await(t) self) -> t'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DataOp(OperatorOp):
    'prim::data(Tensor(a) a) -> Tensor(a)'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class DeviceOp(OperatorOp):
    'prim::device(Tensor a) -> Device'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class DtypeOp(OperatorOp):
    'prim::dtype(Tensor a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class GradOp(OperatorOp):
    'prim::grad(Tensor a) -> Tensor(*)'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IndexOp(OperatorOp):
    'prim::index(Device self) -> int?'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsCpuOp(OperatorOp):
    'prim::is_cpu(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsCudaOp(OperatorOp):
    'prim::is_cuda(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsIpuOp(OperatorOp):
    'prim::is_ipu(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsMaiaOp(OperatorOp):
    'prim::is_maia(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsMetaOp(OperatorOp):
    'prim::is_meta(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsMkldnnOp(OperatorOp):
    'prim::is_mkldnn(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsMpsOp(OperatorOp):
    'prim::is_mps(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsMtiaOp(OperatorOp):
    'prim::is_mtia(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsNestedOp(OperatorOp):
    'prim::is_nested(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsQuantizedOp(OperatorOp):
    'prim::is_quantized(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsSparseOp(OperatorOp):
    'prim::is_sparse(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsSparseCsrOp(OperatorOp):
    'prim::is_sparse_csr(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsVulkanOp(OperatorOp):
    'prim::is_vulkan(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsXlaOp(OperatorOp):
    'prim::is_xla(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsXpuOp(OperatorOp):
    'prim::is_xpu(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ItemsizeOp(OperatorOp):
    'prim::itemsize(Tensor a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LayoutOp(OperatorOp):
    'prim::layout(Tensor a) -> Layout'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class MaxOp(OperatorOp):
    'prim::max(Scalar a, Scalar b) -> Scalar'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MaxBoolListOp(OperatorOp):
    'prim::max.bool_list(bool[] l, bool[] r) -> bool[]'
    l: SSAValue
    r: SSAValue
    def __init__(_this, l: Given, r: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, r: Any, *, result_types: Types = ...) -> Self: ...

class MaxFloatOp(OperatorOp):
    'prim::max.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MaxFloatIntOp(OperatorOp):
    'prim::max.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MaxFloatListOp(OperatorOp):
    'prim::max.float_list(float[] l, float[] r) -> float[]'
    l: SSAValue
    r: SSAValue
    def __init__(_this, l: Given, r: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, r: Any, *, result_types: Types = ...) -> Self: ...

class MaxIntOp(OperatorOp):
    'prim::max.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MaxIntFloatOp(OperatorOp):
    'prim::max.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MaxIntListOp(OperatorOp):
    'prim::max.int_list(int[] l, int[] r) -> int[]'
    l: SSAValue
    r: SSAValue
    def __init__(_this, l: Given, r: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, r: Any, *, result_types: Types = ...) -> Self: ...

class MaxSelfBoolOp(OperatorOp):
    'prim::max.self_bool(bool[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MaxSelfFloatOp(OperatorOp):
    'prim::max.self_float(float[] self) -> float'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MaxSelfIntOp(OperatorOp):
    'prim::max.self_int(int[] self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MinOp(OperatorOp):
    'prim::min(Scalar a, Scalar b) -> Scalar'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MinBoolListOp(OperatorOp):
    'prim::min.bool_list(bool[] l, bool[] r) -> bool[]'
    l: SSAValue
    r: SSAValue
    def __init__(_this, l: Given, r: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, r: Any, *, result_types: Types = ...) -> Self: ...

class MinFloatOp(OperatorOp):
    'prim::min.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MinFloatIntOp(OperatorOp):
    'prim::min.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MinFloatListOp(OperatorOp):
    'prim::min.float_list(float[] l, float[] r) -> float[]'
    l: SSAValue
    r: SSAValue
    def __init__(_this, l: Given, r: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, r: Any, *, result_types: Types = ...) -> Self: ...

class MinIntOp(OperatorOp):
    'prim::min.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MinIntFloatOp(OperatorOp):
    'prim::min.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MinIntListOp(OperatorOp):
    'prim::min.int_list(int[] l, int[] r) -> int[]'
    l: SSAValue
    r: SSAValue
    def __init__(_this, l: Given, r: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, r: Any, *, result_types: Types = ...) -> Self: ...

class MinSelfBoolOp(OperatorOp):
    'prim::min.self_bool(bool[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MinSelfFloatOp(OperatorOp):
    'prim::min.self_float(float[] self) -> float'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MinSelfIntOp(OperatorOp):
    'prim::min.self_int(int[] self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NameOp(OperatorOp):
    'prim::name(Tensor a) -> str?'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class NbytesOp(OperatorOp):
    'prim::nbytes(Tensor a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class RangelistOp(OperatorOp):
    'prim::rangelist(int n) -> int[]'
    n: SSAValue
    def __init__(_this, n: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, n: Any, *, result_types: Types = ...) -> Self: ...

class RequiresGradOp(OperatorOp):
    'prim::requires_grad(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TolistOp(OperatorOp):
    'prim::tolist(...) -> ...'
    def __init__(_this, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *operands: Any, result_types: Types = ...) -> Self: ...

class TypeOp(OperatorOp):
    'prim::type(Device self) -> str'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class UncheckedCastOp(OperatorOp):
    'prim::unchecked_cast(t x) -> t'
    x: SSAValue
    def __init__(_this, x: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, *, result_types: Types = ...) -> Self: ...

class UncheckedUnwrapOptionalOp(OperatorOp):
    'prim::unchecked_unwrap_optional(t(a)? optional) -> t(a)'
    optional: SSAValue
    def __init__(_this, optional: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, optional: Any, *, result_types: Types = ...) -> Self: ...
