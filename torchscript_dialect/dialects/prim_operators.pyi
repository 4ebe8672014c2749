"""Made by tools/generate_aten_stub.py from the operator table."""

from xdsl.ir import SSAValue

from torchscript_dialect.dialects.operators import OperatorOp

class AutogradAddOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class AutogradAllNonZeroOp(OperatorOp):
    ...
class AutogradAllZeroOp(OperatorOp):
    ...
class AutogradAnyNonZeroOp(OperatorOp):
    ...
class AutogradZeroOp(OperatorOp):
    ...
class BroadcastSizesOp(OperatorOp):
    ...
class EnumNameOp(OperatorOp):
    @property
    def enum(self) -> SSAValue: ...

class EnumValueFloatOp(OperatorOp):
    @property
    def enum(self) -> SSAValue: ...

class EnumValueIntOp(OperatorOp):
    @property
    def enum(self) -> SSAValue: ...

class EnumValueStrOp(OperatorOp):
    @property
    def enum(self) -> SSAValue: ...

class GuardOp(OperatorOp):
    @property
    def t(self) -> SSAValue: ...

class IfThenElseOp(OperatorOp):
    @property
    def cond(self) -> SSAValue: ...
    @property
    def x(self) -> SSAValue: ...
    @property
    def y(self) -> SSAValue: ...

class ModuleContainerIndexDictOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...
    @property
    def ind(self) -> SSAValue: ...

class ModuleContainerIndexListOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...
    @property
    def ind(self) -> SSAValue: ...

class NumToTensorScalarOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class NumToTensorBoolOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class PrintOp(OperatorOp):
    ...
class ReductionSizesOp(OperatorOp):
    @property
    def size(self) -> SSAValue: ...
    @property
    def red_axes(self) -> SSAValue: ...
    @property
    def keepdim(self) -> SSAValue: ...

class StringIndexOp(OperatorOp):
    @property
    def string(self) -> SSAValue: ...
    @property
    def index(self) -> SSAValue: ...

class TupleIndexOp(OperatorOp):
    @property
    def tup(self) -> SSAValue: ...
    @property
    def i(self) -> SSAValue: ...

class AbsOp(OperatorOp):
    @property
    def x(self) -> SSAValue: ...

class AbsScalarOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class AbsComplexOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class AbsFloatOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class AbsIntOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class AwaitableNowaitOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class AwaitableWaitOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class DataOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class DeviceOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class DtypeOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IndexOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class IsCpuOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsCudaOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsIpuOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsMaiaOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsMetaOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsMkldnnOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsMpsOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsMtiaOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsNestedOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsQuantizedOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsSparseOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsSparseCsrOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsVulkanOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsXlaOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class IsXpuOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class ItemsizeOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class LayoutOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class MaxOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MaxBoolListOp(OperatorOp):
    @property
    def l(self) -> SSAValue: ...
    @property
    def r(self) -> SSAValue: ...

class MaxFloatOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MaxFloatIntOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MaxFloatListOp(OperatorOp):
    @property
    def l(self) -> SSAValue: ...
    @property
    def r(self) -> SSAValue: ...

class MaxIntOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MaxIntFloatOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MaxIntListOp(OperatorOp):
    @property
    def l(self) -> SSAValue: ...
    @property
    def r(self) -> SSAValue: ...

class MaxSelfBoolOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class MaxSelfFloatOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class MaxSelfIntOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class MinOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MinBoolListOp(OperatorOp):
    @property
    def l(self) -> SSAValue: ...
    @property
    def r(self) -> SSAValue: ...

class MinFloatOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MinFloatIntOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MinFloatListOp(OperatorOp):
    @property
    def l(self) -> SSAValue: ...
    @property
    def r(self) -> SSAValue: ...

class MinIntOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MinIntFloatOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...
    @property
    def b(self) -> SSAValue: ...

class MinIntListOp(OperatorOp):
    @property
    def l(self) -> SSAValue: ...
    @property
    def r(self) -> SSAValue: ...

class MinSelfBoolOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class MinSelfFloatOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class MinSelfIntOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class NbytesOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class RangelistOp(OperatorOp):
    @property
    def n(self) -> SSAValue: ...

class RequiresGradOp(OperatorOp):
    @property
    def a(self) -> SSAValue: ...

class TolistOp(OperatorOp):
    ...
class TypeOp(OperatorOp):
    @property
    def self(this) -> SSAValue: ...

class UncheckedCastOp(OperatorOp):
    @property
    def x(self) -> SSAValue: ...

class UncheckedUnwrapOptionalOp(OperatorOp):
    @property
    def optional(self) -> SSAValue: ...
