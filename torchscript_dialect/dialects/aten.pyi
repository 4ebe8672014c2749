"""Made by tools/generate_aten_stub.py from the operator table."""

from collections.abc import Iterator, Sequence
from typing import Any, Self, TypeAlias

from xdsl.builder import Builder
from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Attribute, Dialect, Operation, SSAValue

from torchscript_dialect.dialects.construction import Given
from torchscript_dialect.dialects.operators import OperatorOp

Types: TypeAlias = Sequence[Attribute] | None
Where: TypeAlias = LocationAttr | None

class AtenDialect(Dialect):
    @property
    def operations(self) -> Iterator[type[Operation]]: ...

Aten: AtenDialect

class BoolTensorOp(OperatorOp):
    'aten::Bool.Tensor(Tensor a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class BoolFloatOp(OperatorOp):
    'aten::Bool.float(float a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class BoolIntOp(OperatorOp):
    'aten::Bool.int(int a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ComplexScalarOp(OperatorOp):
    'aten::Complex.Scalar(Scalar a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ComplexTensorTensorOp(OperatorOp):
    'aten::Complex.Tensor_Tensor(Tensor a, Tensor b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class ComplexTensorBoolOp(OperatorOp):
    'aten::Complex.Tensor_bool(Tensor x, bool y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexTensorFloatOp(OperatorOp):
    'aten::Complex.Tensor_float(Tensor x, float y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexTensorIntOp(OperatorOp):
    'aten::Complex.Tensor_int(Tensor x, int y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexBoolTensorOp(OperatorOp):
    'aten::Complex.bool_Tensor(bool x, Tensor y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexBoolBoolOp(OperatorOp):
    'aten::Complex.bool_bool(bool x, bool y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexBoolFloatOp(OperatorOp):
    'aten::Complex.bool_float(bool x, float y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexBoolIntOp(OperatorOp):
    'aten::Complex.bool_int(bool x, int y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexFloatTensorOp(OperatorOp):
    'aten::Complex.float_Tensor(float x, Tensor y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexFloatBoolOp(OperatorOp):
    'aten::Complex.float_bool(float x, bool y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexFloatFloatOp(OperatorOp):
    'aten::Complex.float_float(float x, float y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexFloatIntOp(OperatorOp):
    'aten::Complex.float_int(float x, int y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexIntTensorOp(OperatorOp):
    'aten::Complex.int_Tensor(int x, Tensor y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexIntBoolOp(OperatorOp):
    'aten::Complex.int_bool(int x, bool y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexIntFloatOp(OperatorOp):
    'aten::Complex.int_float(int x, float y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexIntIntOp(OperatorOp):
    'aten::Complex.int_int(int x, int y) -> complex'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class ComplexImplicitOp(OperatorOp):
    'aten::ComplexImplicit(Tensor a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class DeleteDictTensorOp(OperatorOp):
    'aten::Delete.Dict_Tensor(Dict(Tensor, t)(a!) self, Tensor key) -> ()'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class DeleteDictBoolOp(OperatorOp):
    'aten::Delete.Dict_bool(Dict(bool, t)(a!) self, bool key) -> ()'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class DeleteDictComplexOp(OperatorOp):
    'aten::Delete.Dict_complex(Dict(complex, t)(a!) self, complex key) -> ()'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class DeleteDictFloatOp(OperatorOp):
    'aten::Delete.Dict_float(Dict(float, t)(a!) self, float key) -> ()'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class DeleteDictIntOp(OperatorOp):
    'aten::Delete.Dict_int(Dict(int, t)(a!) self, int key) -> ()'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class DeleteDictStrOp(OperatorOp):
    'aten::Delete.Dict_str(Dict(str, t)(a!) self, str key) -> ()'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class DeleteTOp(OperatorOp):
    'aten::Delete.t(t[](a!) self, int idx) -> ()'
    self: SSAValue
    idx: SSAValue
    def __init__(_this, self: Given, idx: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, idx: Any, *, result_types: Types = ...) -> Self: ...

class FloatScalarOp(OperatorOp):
    'aten::Float.Scalar(Scalar a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FloatTensorOp(OperatorOp):
    'aten::Float.Tensor(Tensor a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FloatBoolOp(OperatorOp):
    'aten::Float.bool(bool a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FloatIntOp(OperatorOp):
    'aten::Float.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FloatStrOp(OperatorOp):
    'aten::Float.str(str a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FloatImplicitOp(OperatorOp):
    'aten::FloatImplicit(Tensor a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IntScalarOp(OperatorOp):
    'aten::Int.Scalar(Scalar a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IntTensorOp(OperatorOp):
    'aten::Int.Tensor(Tensor a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IntBoolOp(OperatorOp):
    'aten::Int.bool(bool a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IntFloatOp(OperatorOp):
    'aten::Int.float(float a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IntStrOp(OperatorOp):
    'aten::Int.str(str a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IntImplicitOp(OperatorOp):
    'aten::IntImplicit(Tensor a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ScalarImplicitOp(OperatorOp):
    'aten::ScalarImplicit(Tensor a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class __And__ScalarOp(OperatorOp):
    'aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __And__TensorOp(OperatorOp):
    'aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __And__BoolOp(OperatorOp):
    'aten::__and__.bool(bool a, bool b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class __And__IntOp(OperatorOp):
    'aten::__and__.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__TensorOp(OperatorOp):
    'aten::__contains__.Tensor(Dict(Tensor, t) dict, Tensor key) -> bool'
    dict: SSAValue
    key: SSAValue
    def __init__(_this, dict: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, dict: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__BoolOp(OperatorOp):
    'aten::__contains__.bool(Dict(bool, t) dict, bool key) -> bool'
    dict: SSAValue
    key: SSAValue
    def __init__(_this, dict: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, dict: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__ComplexOp(OperatorOp):
    'aten::__contains__.complex(Dict(complex, t) dict, complex key) -> bool'
    dict: SSAValue
    key: SSAValue
    def __init__(_this, dict: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, dict: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__FloatOp(OperatorOp):
    'aten::__contains__.float(Dict(float, t) dict, float key) -> bool'
    dict: SSAValue
    key: SSAValue
    def __init__(_this, dict: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, dict: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__FloatListOp(OperatorOp):
    'aten::__contains__.float_list(float[] l, float item) -> bool'
    l: SSAValue
    item: SSAValue
    def __init__(_this, l: Given, item: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, item: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__IntOp(OperatorOp):
    'aten::__contains__.int(Dict(int, t) dict, int key) -> bool'
    dict: SSAValue
    key: SSAValue
    def __init__(_this, dict: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, dict: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__IntListOp(OperatorOp):
    'aten::__contains__.int_list(int[] l, int item) -> bool'
    l: SSAValue
    item: SSAValue
    def __init__(_this, l: Given, item: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, item: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__StrOp(OperatorOp):
    'aten::__contains__.str(Dict(str, t) dict, str key) -> bool'
    dict: SSAValue
    key: SSAValue
    def __init__(_this, dict: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, dict: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Contains__StrListOp(OperatorOp):
    'aten::__contains__.str_list(str[] l, str item) -> bool'
    l: SSAValue
    item: SSAValue
    def __init__(_this, l: Given, item: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, item: Any, *, result_types: Types = ...) -> Self: ...

class __DeriveIndexOp(OperatorOp):
    'aten::__derive_index(int index, int start, int step) -> int'
    index: SSAValue
    start: SSAValue
    step: SSAValue
    def __init__(_this, index: Given, start: Given, step: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, index: Any, start: Any, step: Any, *, result_types: Types = ...) -> Self: ...

class __Getitem__DictTensorOp(OperatorOp):
    'aten::__getitem__.Dict_Tensor(Dict(Tensor, t) self, Tensor key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Getitem__DictBoolOp(OperatorOp):
    'aten::__getitem__.Dict_bool(Dict(bool, t) self, bool key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Getitem__DictComplexOp(OperatorOp):
    'aten::__getitem__.Dict_complex(Dict(complex, t) self, complex key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Getitem__DictFloatOp(OperatorOp):
    'aten::__getitem__.Dict_float(Dict(float, t) self, float key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Getitem__DictIntOp(OperatorOp):
    'aten::__getitem__.Dict_int(Dict(int, t) self, int key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Getitem__DictStrOp(OperatorOp):
    'aten::__getitem__.Dict_str(Dict(str, t) self, str key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class __Getitem__StrOp(OperatorOp):
    'aten::__getitem__.str(str s, int index) -> str'
    s: SSAValue
    index: SSAValue
    def __init__(_this, s: Given, index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, s: Any, index: Any, *, result_types: Types = ...) -> Self: ...

class __Getitem__TOp(OperatorOp):
    'aten::__getitem__.t(t[](a) list, int idx) -> t(*)'
    list: SSAValue
    idx: SSAValue
    def __init__(_this, list: Given, idx: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, list: Any, idx: Any, *, result_types: Types = ...) -> Self: ...

class __Iand__ScalarOp(OperatorOp):
    'aten::__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Iand__TensorOp(OperatorOp):
    'aten::__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Ilshift__ScalarOp(OperatorOp):
    'aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Ilshift__TensorOp(OperatorOp):
    'aten::__ilshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Ior__ScalarOp(OperatorOp):
    'aten::__ior__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Ior__TensorOp(OperatorOp):
    'aten::__ior__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Irshift__ScalarOp(OperatorOp):
    'aten::__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Irshift__TensorOp(OperatorOp):
    'aten::__irshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Is__Op(OperatorOp):
    'aten::__is__(t1 self, t2 obj) -> bool'
    self: SSAValue
    obj: SSAValue
    def __init__(_this, self: Given, obj: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, obj: Any, *, result_types: Types = ...) -> Self: ...

class __Isnot__Op(OperatorOp):
    'aten::__isnot__(t1 self, t2 obj) -> bool'
    self: SSAValue
    obj: SSAValue
    def __init__(_this, self: Given, obj: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, obj: Any, *, result_types: Types = ...) -> Self: ...

class __Ixor__ScalarOp(OperatorOp):
    'aten::__ixor__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Ixor__TensorOp(OperatorOp):
    'aten::__ixor__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Lshift__ScalarOp(OperatorOp):
    'aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Lshift__ScalarOutOp(OperatorOp):
    'aten::__lshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class __Lshift__TensorOp(OperatorOp):
    'aten::__lshift__.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Lshift__TensorOutOp(OperatorOp):
    'aten::__lshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class __Lshift__IntOp(OperatorOp):
    'aten::__lshift__.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class __Not__Op(OperatorOp):
    'aten::__not__(bool self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class __Or__ScalarOp(OperatorOp):
    'aten::__or__.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Or__TensorOp(OperatorOp):
    'aten::__or__.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Or__BoolOp(OperatorOp):
    'aten::__or__.bool(bool a, bool b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class __Or__IntOp(OperatorOp):
    'aten::__or__.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class __RangeLengthOp(OperatorOp):
    'aten::__range_length(int lo, int hi, int step) -> int'
    lo: SSAValue
    hi: SSAValue
    step: SSAValue
    def __init__(_this, lo: Given, hi: Given, step: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, lo: Any, hi: Any, step: Any, *, result_types: Types = ...) -> Self: ...

class __RoundToZeroFloordivIntOp(OperatorOp):
    'aten::__round_to_zero_floordiv.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class __Rshift__ScalarOp(OperatorOp):
    'aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Rshift__ScalarOutOp(OperatorOp):
    'aten::__rshift__.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class __Rshift__TensorOp(OperatorOp):
    'aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Rshift__TensorOutOp(OperatorOp):
    'aten::__rshift__.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class __Rshift__IntOp(OperatorOp):
    'aten::__rshift__.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class __Xor__ScalarOp(OperatorOp):
    'aten::__xor__.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Xor__TensorOp(OperatorOp):
    'aten::__xor__.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class __Xor__BoolOp(OperatorOp):
    'aten::__xor__.bool(bool a, bool b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class __Xor__IntOp(OperatorOp):
    'aten::__xor__.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class _AdaptiveAvgPool2dOp(OperatorOp):
    'aten::_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, result_types: Types = ...) -> Self: ...

class _AdaptiveAvgPool2dOutOp(OperatorOp):
    'aten::_adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class _AdaptiveAvgPool3dOp(OperatorOp):
    'aten::_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, result_types: Types = ...) -> Self: ...

class _AdaptiveAvgPool3dOutOp(OperatorOp):
    'aten::_adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class _CastByteOp(OperatorOp):
    'aten::_cast_Byte(Tensor self, bool non_blocking=False) -> Tensor'
    self: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class _CastCharOp(OperatorOp):
    'aten::_cast_Char(Tensor self, bool non_blocking=False) -> Tensor'
    self: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class _CastDoubleOp(OperatorOp):
    'aten::_cast_Double(Tensor self, bool non_blocking=False) -> Tensor'
    self: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class _CastFloatOp(OperatorOp):
    'aten::_cast_Float(Tensor self, bool non_blocking=False) -> Tensor'
    self: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class _CastHalfOp(OperatorOp):
    'aten::_cast_Half(Tensor self, bool non_blocking=False) -> Tensor'
    self: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class _CastIntOp(OperatorOp):
    'aten::_cast_Int(Tensor self, bool non_blocking=False) -> Tensor'
    self: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class _CastLongOp(OperatorOp):
    'aten::_cast_Long(Tensor self, bool non_blocking=False) -> Tensor'
    self: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class _CastShortOp(OperatorOp):
    'aten::_cast_Short(Tensor self, bool non_blocking=False) -> Tensor'
    self: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class _ConvolutionOp(OperatorOp):
    'aten::_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    transposed: SSAValue
    output_padding: SSAValue
    groups: SSAValue
    benchmark: SSAValue
    deterministic: SSAValue
    cudnn_enabled: SSAValue
    allow_tf32: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, transposed: Given, output_padding: Given, groups: Given, benchmark: Given, deterministic: Given, cudnn_enabled: Given, allow_tf32: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, transposed: Any, output_padding: Any, groups: Any, benchmark: Any, deterministic: Any, cudnn_enabled: Any, allow_tf32: Any, *, result_types: Types = ...) -> Self: ...

class _ConvolutionDeprecatedOp(OperatorOp):
    'aten::_convolution.deprecated(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, int[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    transposed: SSAValue
    output_padding: SSAValue
    groups: SSAValue
    benchmark: SSAValue
    deterministic: SSAValue
    cudnn_enabled: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, transposed: Given, output_padding: Given, groups: Given, benchmark: Given, deterministic: Given, cudnn_enabled: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, transposed: Any, output_padding: Any, groups: Any, benchmark: Any, deterministic: Any, cudnn_enabled: Any, *, result_types: Types = ...) -> Self: ...

class _ConvolutionOutOp(OperatorOp):
    'aten::_convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, bool benchmark, bool deterministic, bool cudnn_enabled, bool allow_tf32, *, Tensor(a!) out) -> Tensor(a!)'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    transposed: SSAValue
    output_padding: SSAValue
    groups: SSAValue
    benchmark: SSAValue
    deterministic: SSAValue
    cudnn_enabled: SSAValue
    allow_tf32: SSAValue
    out: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, transposed: Given, output_padding: Given, groups: Given, benchmark: Given, deterministic: Given, cudnn_enabled: Given, allow_tf32: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, transposed: Any, output_padding: Any, groups: Any, benchmark: Any, deterministic: Any, cudnn_enabled: Any, allow_tf32: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class _ConvolutionModeOp(OperatorOp):
    'aten::_convolution_mode(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, str padding, SymInt[] dilation, SymInt groups) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    groups: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, groups: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, groups: Any, *, result_types: Types = ...) -> Self: ...

class _GetTracingStateOp(OperatorOp):
    'aten::_get_tracing_state() -> bool'
    def __init__(_this, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *, result_types: Types = ...) -> Self: ...

class _GradSumToSizeOp(OperatorOp):
    'aten::_grad_sum_to_size(Tensor(a) self, int[]? size) -> Tensor(a)'
    self: SSAValue
    size: SSAValue
    def __init__(_this, self: Given, size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, result_types: Types = ...) -> Self: ...

class _InferSizeOp(OperatorOp):
    'aten::_infer_size(int[] a, int[] b) -> int[]'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class _LocalScalarDenseOp(OperatorOp):
    'aten::_local_scalar_dense(Tensor self) -> Scalar'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class _LogSoftmaxOp(OperatorOp):
    'aten::_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor'
    self: SSAValue
    dim: SSAValue
    half_to_float: SSAValue
    def __init__(_this, self: Given, dim: Given, half_to_float: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, half_to_float: Any, *, result_types: Types = ...) -> Self: ...

class _LogSoftmaxOutOp(OperatorOp):
    'aten::_log_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    half_to_float: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, half_to_float: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, half_to_float: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class _LogSoftmaxBackwardDataOp(OperatorOp):
    'aten::_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor'
    grad_output: SSAValue
    output: SSAValue
    dim: SSAValue
    input_dtype: SSAValue
    def __init__(_this, grad_output: Given, output: Given, dim: Given, input_dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, output: Any, dim: Any, input_dtype: Any, *, result_types: Types = ...) -> Self: ...

class _LogSoftmaxBackwardDataOutOp(OperatorOp):
    'aten::_log_softmax_backward_data.out(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype, *, Tensor(a!) out) -> Tensor(a!)'
    grad_output: SSAValue
    output: SSAValue
    dim: SSAValue
    input_dtype: SSAValue
    out: SSAValue
    def __init__(_this, grad_output: Given, output: Given, dim: Given, input_dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, output: Any, dim: Any, input_dtype: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class _NativeBatchNormLegitOp(OperatorOp):
    'aten::_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    running_mean: SSAValue
    running_var: SSAValue
    training: SSAValue
    momentum: SSAValue
    eps: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, running_mean: Given, running_var: Given, training: Given, momentum: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: Any, momentum: Any, eps: Any, *, result_types: Types = ...) -> Self: ...

class _NativeBatchNormLegitNoStatsOp(OperatorOp):
    'aten::_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? bias, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    training: SSAValue
    momentum: SSAValue
    eps: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, training: Given, momentum: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, training: Any, momentum: Any, eps: Any, *, result_types: Types = ...) -> Self: ...

class _NativeBatchNormLegitNoTrainingOp(OperatorOp):
    'aten::_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? bias, Tensor running_mean, Tensor running_var, float momentum, float eps) -> (Tensor, Tensor, Tensor)'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    running_mean: SSAValue
    running_var: SSAValue
    momentum: SSAValue
    eps: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, running_mean: Given, running_var: Given, momentum: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, momentum: Any, eps: Any, *, result_types: Types = ...) -> Self: ...

class _ReshapeAliasOp(OperatorOp):
    'aten::_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)'
    self: SSAValue
    size: SSAValue
    stride: SSAValue
    def __init__(_this, self: Given, size: Given, stride: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, stride: Any, *, result_types: Types = ...) -> Self: ...

class _SetItemTensorOp(OperatorOp):
    'aten::_set_item.Tensor(Dict(Tensor, t)(a!) l, Tensor(b -> *) idx, t(c -> *) v) -> ()'
    l: SSAValue
    idx: SSAValue
    v: SSAValue
    def __init__(_this, l: Given, idx: Given, v: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, idx: Any, v: Any, *, result_types: Types = ...) -> Self: ...

class _SetItemBoolOp(OperatorOp):
    'aten::_set_item.bool(Dict(bool, t)(a!) l, bool(b -> *) idx, t(c -> *) v) -> ()'
    l: SSAValue
    idx: SSAValue
    v: SSAValue
    def __init__(_this, l: Given, idx: Given, v: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, idx: Any, v: Any, *, result_types: Types = ...) -> Self: ...

class _SetItemComplexOp(OperatorOp):
    'aten::_set_item.complex(Dict(complex, t)(a!) l, complex(b -> *) idx, t(c -> *) v) -> ()'
    l: SSAValue
    idx: SSAValue
    v: SSAValue
    def __init__(_this, l: Given, idx: Given, v: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, idx: Any, v: Any, *, result_types: Types = ...) -> Self: ...

class _SetItemFloatOp(OperatorOp):
    'aten::_set_item.float(Dict(float, t)(a!) l, float(b -> *) idx, t(c -> *) v) -> ()'
    l: SSAValue
    idx: SSAValue
    v: SSAValue
    def __init__(_this, l: Given, idx: Given, v: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, idx: Any, v: Any, *, result_types: Types = ...) -> Self: ...

class _SetItemIntOp(OperatorOp):
    'aten::_set_item.int(Dict(int, t)(a!) l, int(b -> *) idx, t(c -> *) v) -> ()'
    l: SSAValue
    idx: SSAValue
    v: SSAValue
    def __init__(_this, l: Given, idx: Given, v: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, idx: Any, v: Any, *, result_types: Types = ...) -> Self: ...

class _SetItemStrOp(OperatorOp):
    'aten::_set_item.str(Dict(str, t)(a!) l, str(b -> *) idx, t(c -> *) v) -> ()'
    l: SSAValue
    idx: SSAValue
    v: SSAValue
    def __init__(_this, l: Given, idx: Given, v: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, idx: Any, v: Any, *, result_types: Types = ...) -> Self: ...

class _SetItemTOp(OperatorOp):
    'aten::_set_item.t(t[](a!) l, int idx, t(b -> *) el) -> t[](a!)'
    l: SSAValue
    idx: SSAValue
    el: SSAValue
    def __init__(_this, l: Given, idx: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, idx: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class _ShapeAsTensorOp(OperatorOp):
    'aten::_shape_as_tensor(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class _SizeIfNotEqualOp(OperatorOp):
    'aten::_size_if_not_equal(int[] self_size, int[] other_size) -> int[]?'
    self_size: SSAValue
    other_size: SSAValue
    def __init__(_this, self_size: Given, other_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self_size: Any, other_size: Any, *, result_types: Types = ...) -> Self: ...

class _SoftmaxOp(OperatorOp):
    'aten::_softmax(Tensor self, int dim, bool half_to_float) -> Tensor'
    self: SSAValue
    dim: SSAValue
    half_to_float: SSAValue
    def __init__(_this, self: Given, dim: Given, half_to_float: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, half_to_float: Any, *, result_types: Types = ...) -> Self: ...

class _SoftmaxOutOp(OperatorOp):
    'aten::_softmax.out(Tensor self, int dim, bool half_to_float, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    half_to_float: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, half_to_float: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, half_to_float: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class _SoftmaxBackwardDataOp(OperatorOp):
    'aten::_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor'
    grad_output: SSAValue
    output: SSAValue
    dim: SSAValue
    input_dtype: SSAValue
    def __init__(_this, grad_output: Given, output: Given, dim: Given, input_dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, output: Any, dim: Any, input_dtype: Any, *, result_types: Types = ...) -> Self: ...

class _ToCopyOp(OperatorOp):
    'aten::_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, MemoryFormat? memory_format=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    non_blocking: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, non_blocking: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., non_blocking: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class _UnsafeIndexTensorOp(OperatorOp):
    'aten::_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor'
    self: SSAValue
    indices: SSAValue
    def __init__(_this, self: Given, indices: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, *, result_types: Types = ...) -> Self: ...

class _UnsafeViewOp(OperatorOp):
    'aten::_unsafe_view(Tensor self, SymInt[] size) -> Tensor'
    self: SSAValue
    size: SSAValue
    def __init__(_this, self: Given, size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, result_types: Types = ...) -> Self: ...

class _UnsafeViewOutOp(OperatorOp):
    'aten::_unsafe_view.out(Tensor self, SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    size: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, size: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class _UnwrapOptionalOp(OperatorOp):
    'aten::_unwrap_optional(t(a)? optional) -> t(a)'
    optional: SSAValue
    def __init__(_this, optional: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, optional: Any, *, result_types: Types = ...) -> Self: ...

class AbsOp(OperatorOp):
    'aten::abs(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AbsOutOp(OperatorOp):
    'aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Abs_Op(OperatorOp):
    'aten::abs_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AbsoluteOp(OperatorOp):
    'aten::absolute(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AbsoluteOutOp(OperatorOp):
    'aten::absolute.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Absolute_Op(OperatorOp):
    'aten::absolute_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AcosOp(OperatorOp):
    'aten::acos(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AcosScalarOp(OperatorOp):
    'aten::acos.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AcosComplexOp(OperatorOp):
    'aten::acos.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AcosFloatOp(OperatorOp):
    'aten::acos.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AcosIntOp(OperatorOp):
    'aten::acos.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AcosOutOp(OperatorOp):
    'aten::acos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Acos_Op(OperatorOp):
    'aten::acos_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AcoshOp(OperatorOp):
    'aten::acosh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AcoshScalarOp(OperatorOp):
    'aten::acosh.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AcoshComplexOp(OperatorOp):
    'aten::acosh.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AcoshFloatOp(OperatorOp):
    'aten::acosh.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AcoshIntOp(OperatorOp):
    'aten::acosh.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AcoshOutOp(OperatorOp):
    'aten::acosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Acosh_Op(OperatorOp):
    'aten::acosh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AdaptiveAvgPool1dOp(OperatorOp):
    'aten::adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, result_types: Types = ...) -> Self: ...

class AdaptiveAvgPool1dOutOp(OperatorOp):
    'aten::adaptive_avg_pool1d.out(Tensor self, int[1] output_size, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class AdaptiveAvgPool2dOp(OperatorOp):
    'aten::adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, result_types: Types = ...) -> Self: ...

class AdaptiveAvgPool2dOutOp(OperatorOp):
    'aten::adaptive_avg_pool2d.out(Tensor self, SymInt[2] output_size, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class AdaptiveAvgPool3dOp(OperatorOp):
    'aten::adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, result_types: Types = ...) -> Self: ...

class AdaptiveAvgPool3dOutOp(OperatorOp):
    'aten::adaptive_avg_pool3d.out(Tensor self, SymInt[3] output_size, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class AdaptiveMaxPool1dOp(OperatorOp):
    'aten::adaptive_max_pool1d(Tensor self, int[1] output_size) -> (Tensor, Tensor)'
    self: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, result_types: Types = ...) -> Self: ...

class AdaptiveMaxPool2dOp(OperatorOp):
    'aten::adaptive_max_pool2d(Tensor self, int[2] output_size) -> (Tensor, Tensor)'
    self: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, result_types: Types = ...) -> Self: ...

class AdaptiveMaxPool3dOp(OperatorOp):
    'aten::adaptive_max_pool3d(Tensor self, int[3] output_size) -> (Tensor, Tensor)'
    self: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, *, result_types: Types = ...) -> Self: ...

class AddDefaultOp(OperatorOp):
    'aten::add(Scalar a, Scalar b) -> Scalar'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddScalarOp(OperatorOp):
    'aten::add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class AddScalarOutOp(OperatorOp):
    'aten::add.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AddTensorOp(OperatorOp):
    'aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class AddComplexOp(OperatorOp):
    'aten::add.complex(complex a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddComplexFloatOp(OperatorOp):
    'aten::add.complex_float(complex a, float b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddComplexIntOp(OperatorOp):
    'aten::add.complex_int(complex a, int b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddFloatOp(OperatorOp):
    'aten::add.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddFloatComplexOp(OperatorOp):
    'aten::add.float_complex(float a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddFloatIntOp(OperatorOp):
    'aten::add.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddIntOp(OperatorOp):
    'aten::add.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddIntComplexOp(OperatorOp):
    'aten::add.int_complex(int a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddIntFloatOp(OperatorOp):
    'aten::add.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddOutOp(OperatorOp):
    'aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class AddStrOp(OperatorOp):
    'aten::add.str(str a, str b) -> str'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddTOp(OperatorOp):
    'aten::add.t(t[] a, t[] b) -> t[]'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Add_ScalarOp(OperatorOp):
    'aten::add_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class Add_TensorOp(OperatorOp):
    'aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class Add_TOp(OperatorOp):
    'aten::add_.t(t[](a!) self, t[] b) -> t[]'
    self: SSAValue
    b: SSAValue
    def __init__(_this, self: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class AddbmmOp(OperatorOp):
    'aten::addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor'
    self: SSAValue
    batch1: SSAValue
    batch2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, batch1: Given, batch2: Given, beta: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, batch1: Any, batch2: Any, *, beta: Any = ..., alpha: Any = ..., result_types: Types = ...) -> Self: ...

class AddbmmOutOp(OperatorOp):
    'aten::addbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    batch1: SSAValue
    batch2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, batch1: Given, batch2: Given, beta: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, batch1: Any, batch2: Any, *, beta: Any = ..., alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Addbmm_Op(OperatorOp):
    'aten::addbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    batch1: SSAValue
    batch2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, batch1: Given, batch2: Given, beta: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, batch1: Any, batch2: Any, *, beta: Any = ..., alpha: Any = ..., result_types: Types = ...) -> Self: ...

class AddcdivOp(OperatorOp):
    'aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor'
    self: SSAValue
    tensor1: SSAValue
    tensor2: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, tensor1: Given, tensor2: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tensor1: Any, tensor2: Any, *, value: Any = ..., result_types: Types = ...) -> Self: ...

class AddcdivOutOp(OperatorOp):
    'aten::addcdiv.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    tensor1: SSAValue
    tensor2: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, tensor1: Given, tensor2: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tensor1: Any, tensor2: Any, *, value: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Addcdiv_Op(OperatorOp):
    'aten::addcdiv_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)'
    self: SSAValue
    tensor1: SSAValue
    tensor2: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, tensor1: Given, tensor2: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tensor1: Any, tensor2: Any, *, value: Any = ..., result_types: Types = ...) -> Self: ...

class AddcmulOp(OperatorOp):
    'aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor'
    self: SSAValue
    tensor1: SSAValue
    tensor2: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, tensor1: Given, tensor2: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tensor1: Any, tensor2: Any, *, value: Any = ..., result_types: Types = ...) -> Self: ...

class AddcmulOutOp(OperatorOp):
    'aten::addcmul.out(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    tensor1: SSAValue
    tensor2: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, tensor1: Given, tensor2: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tensor1: Any, tensor2: Any, *, value: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Addcmul_Op(OperatorOp):
    'aten::addcmul_(Tensor(a!) self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor(a!)'
    self: SSAValue
    tensor1: SSAValue
    tensor2: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, tensor1: Given, tensor2: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tensor1: Any, tensor2: Any, *, value: Any = ..., result_types: Types = ...) -> Self: ...

class AddmmOp(OperatorOp):
    'aten::addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor'
    self: SSAValue
    mat1: SSAValue
    mat2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, mat1: Given, mat2: Given, beta: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat1: Any, mat2: Any, *, beta: Any = ..., alpha: Any = ..., result_types: Types = ...) -> Self: ...

class AddmmOutOp(OperatorOp):
    'aten::addmm.out(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    mat1: SSAValue
    mat2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, mat1: Given, mat2: Given, beta: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat1: Any, mat2: Any, *, beta: Any = ..., alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Addmm_Op(OperatorOp):
    'aten::addmm_(Tensor(a!) self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    mat1: SSAValue
    mat2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, mat1: Given, mat2: Given, beta: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat1: Any, mat2: Any, *, beta: Any = ..., alpha: Any = ..., result_types: Types = ...) -> Self: ...

class AddmvOp(OperatorOp):
    'aten::addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor'
    self: SSAValue
    mat: SSAValue
    vec: SSAValue
    beta: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, mat: Given, vec: Given, beta: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat: Any, vec: Any, *, beta: Any = ..., alpha: Any = ..., result_types: Types = ...) -> Self: ...

class AddmvOutOp(OperatorOp):
    'aten::addmv.out(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    mat: SSAValue
    vec: SSAValue
    beta: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, mat: Given, vec: Given, beta: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat: Any, vec: Any, *, beta: Any = ..., alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Addmv_Op(OperatorOp):
    'aten::addmv_(Tensor(a!) self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    mat: SSAValue
    vec: SSAValue
    beta: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, mat: Given, vec: Given, beta: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat: Any, vec: Any, *, beta: Any = ..., alpha: Any = ..., result_types: Types = ...) -> Self: ...

class AliasOp(OperatorOp):
    'aten::alias(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AllOp(OperatorOp):
    'aten::all(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AllAllOutOp(OperatorOp):
    'aten::all.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class AllBoolOp(OperatorOp):
    'aten::all.bool(bool[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AllDimOp(OperatorOp):
    'aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class AllDimsOp(OperatorOp):
    'aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class AllDimsOutOp(OperatorOp):
    'aten::all.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AllFloatOp(OperatorOp):
    'aten::all.float(float[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AllIntOp(OperatorOp):
    'aten::all.int(int[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AllOutOp(OperatorOp):
    'aten::all.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AllcloseOp(OperatorOp):
    'aten::allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> bool'
    self: SSAValue
    other: SSAValue
    rtol: SSAValue
    atol: SSAValue
    equal_nan: SSAValue
    def __init__(_this, self: Given, other: Given, rtol: Given, atol: Given, equal_nan: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, rtol: Any = ..., atol: Any = ..., equal_nan: Any = ..., *, result_types: Types = ...) -> Self: ...

class AmaxOp(OperatorOp):
    'aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class AmaxOutOp(OperatorOp):
    'aten::amax.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AminOp(OperatorOp):
    'aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class AminOutOp(OperatorOp):
    'aten::amin.out(Tensor self, int[1] dim=[], bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AminmaxOp(OperatorOp):
    'aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dim: Any = ..., keepdim: Any = ..., result_types: Types = ...) -> Self: ...

class AngleScalarOp(OperatorOp):
    'aten::angle.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AngleComplexOp(OperatorOp):
    'aten::angle.complex(complex a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AngleFloatOp(OperatorOp):
    'aten::angle.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AngleIntOp(OperatorOp):
    'aten::angle.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AnyOp(OperatorOp):
    'aten::any(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AnyAllOutOp(OperatorOp):
    'aten::any.all_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class AnyBoolOp(OperatorOp):
    'aten::any.bool(bool[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AnyDimOp(OperatorOp):
    'aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class AnyDimsOp(OperatorOp):
    'aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class AnyDimsOutOp(OperatorOp):
    'aten::any.dims_out(Tensor self, int[]? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AnyFloatOp(OperatorOp):
    'aten::any.float(float[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AnyIntOp(OperatorOp):
    'aten::any.int(int[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AnyOutOp(OperatorOp):
    'aten::any.out(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AnyStrOp(OperatorOp):
    'aten::any.str(str[] self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AppendTOp(OperatorOp):
    'aten::append.t(t[](a!) self, t(c -> *) el) -> t[](a!)'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class ArangeOp(OperatorOp):
    'aten::arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    end: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, end: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, end: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class ArangeStartOp(OperatorOp):
    'aten::arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    start: SSAValue
    end: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, start: Given, end: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, start: Any, end: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class ArangeStartStepOp(OperatorOp):
    'aten::arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    start: SSAValue
    end: SSAValue
    step: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, start: Given, end: Given, step: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, start: Any, end: Any, step: Any = ..., *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class ArccosOp(OperatorOp):
    'aten::arccos(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArccosOutOp(OperatorOp):
    'aten::arccos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Arccos_Op(OperatorOp):
    'aten::arccos_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArccoshOp(OperatorOp):
    'aten::arccosh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArccoshOutOp(OperatorOp):
    'aten::arccosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Arccosh_Op(OperatorOp):
    'aten::arccosh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArcsinOp(OperatorOp):
    'aten::arcsin(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArcsinOutOp(OperatorOp):
    'aten::arcsin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Arcsin_Op(OperatorOp):
    'aten::arcsin_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArcsinhOp(OperatorOp):
    'aten::arcsinh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArcsinhOutOp(OperatorOp):
    'aten::arcsinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Arcsinh_Op(OperatorOp):
    'aten::arcsinh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArctanOp(OperatorOp):
    'aten::arctan(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArctanOutOp(OperatorOp):
    'aten::arctan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Arctan2Op(OperatorOp):
    'aten::arctan2(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Arctan2OutOp(OperatorOp):
    'aten::arctan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Arctan2_Op(OperatorOp):
    'aten::arctan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Arctan_Op(OperatorOp):
    'aten::arctan_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArctanhOp(OperatorOp):
    'aten::arctanh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArctanhOutOp(OperatorOp):
    'aten::arctanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Arctanh_Op(OperatorOp):
    'aten::arctanh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ArgmaxOp(OperatorOp):
    'aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class ArgmaxOutOp(OperatorOp):
    'aten::argmax.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class ArgminOp(OperatorOp):
    'aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class ArgminOutOp(OperatorOp):
    'aten::argmin.out(Tensor self, int? dim=None, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class ArgsortOp(OperatorOp):
    'aten::argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    descending: SSAValue
    def __init__(_this, self: Given, dim: Given, descending: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., descending: Any = ..., *, result_types: Types = ...) -> Self: ...

class ArgsortStableOp(OperatorOp):
    'aten::argsort.stable(Tensor self, *, bool stable, int dim=-1, bool descending=False) -> Tensor'
    self: SSAValue
    stable: SSAValue
    dim: SSAValue
    descending: SSAValue
    def __init__(_this, self: Given, stable: Given, dim: Given, descending: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, stable: Any, dim: Any = ..., descending: Any = ..., result_types: Types = ...) -> Self: ...

class ArgsortStableOutOp(OperatorOp):
    'aten::argsort.stable_out(Tensor self, *, bool stable, int dim=-1, bool descending=False, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    stable: SSAValue
    dim: SSAValue
    descending: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, stable: Given, dim: Given, descending: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, stable: Any, dim: Any = ..., descending: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class ArgwhereOp(OperatorOp):
    'aten::argwhere(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AsStridedOp(OperatorOp):
    'aten::as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a)'
    self: SSAValue
    size: SSAValue
    stride: SSAValue
    storage_offset: SSAValue
    def __init__(_this, self: Given, size: Given, stride: Given, storage_offset: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, stride: Any, storage_offset: Any = ..., *, result_types: Types = ...) -> Self: ...

class AsStrided_Op(OperatorOp):
    'aten::as_strided_(Tensor(a!) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None) -> Tensor(a!)'
    self: SSAValue
    size: SSAValue
    stride: SSAValue
    storage_offset: SSAValue
    def __init__(_this, self: Given, size: Given, stride: Given, storage_offset: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, stride: Any, storage_offset: Any = ..., *, result_types: Types = ...) -> Self: ...

class AsinOp(OperatorOp):
    'aten::asin(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AsinScalarOp(OperatorOp):
    'aten::asin.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AsinComplexOp(OperatorOp):
    'aten::asin.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AsinFloatOp(OperatorOp):
    'aten::asin.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AsinIntOp(OperatorOp):
    'aten::asin.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AsinOutOp(OperatorOp):
    'aten::asin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Asin_Op(OperatorOp):
    'aten::asin_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AsinhOp(OperatorOp):
    'aten::asinh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AsinhScalarOp(OperatorOp):
    'aten::asinh.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AsinhComplexOp(OperatorOp):
    'aten::asinh.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AsinhFloatOp(OperatorOp):
    'aten::asinh.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AsinhIntOp(OperatorOp):
    'aten::asinh.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AsinhOutOp(OperatorOp):
    'aten::asinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Asinh_Op(OperatorOp):
    'aten::asinh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AtanOp(OperatorOp):
    'aten::atan(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AtanScalarOp(OperatorOp):
    'aten::atan.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AtanComplexOp(OperatorOp):
    'aten::atan.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AtanFloatOp(OperatorOp):
    'aten::atan.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AtanIntOp(OperatorOp):
    'aten::atan.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AtanOutOp(OperatorOp):
    'aten::atan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Atan2Op(OperatorOp):
    'aten::atan2(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Atan2ScalarScalarOp(OperatorOp):
    'aten::atan2.Scalar_Scalar(Scalar a, Scalar b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Atan2FloatOp(OperatorOp):
    'aten::atan2.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Atan2FloatIntOp(OperatorOp):
    'aten::atan2.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Atan2IntOp(OperatorOp):
    'aten::atan2.int(int a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Atan2IntFloatOp(OperatorOp):
    'aten::atan2.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Atan2OutOp(OperatorOp):
    'aten::atan2.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Atan2_Op(OperatorOp):
    'aten::atan2_(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Atan_Op(OperatorOp):
    'aten::atan_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AtanhOp(OperatorOp):
    'aten::atanh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AtanhScalarOp(OperatorOp):
    'aten::atanh.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AtanhComplexOp(OperatorOp):
    'aten::atanh.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AtanhFloatOp(OperatorOp):
    'aten::atanh.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AtanhIntOp(OperatorOp):
    'aten::atanh.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class AtanhOutOp(OperatorOp):
    'aten::atanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Atanh_Op(OperatorOp):
    'aten::atanh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Atleast1dOp(OperatorOp):
    'aten::atleast_1d(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Atleast2dOp(OperatorOp):
    'aten::atleast_2d(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Atleast3dOp(OperatorOp):
    'aten::atleast_3d(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class AvgPool1dOp(OperatorOp):
    'aten::avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True) -> Tensor'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    ceil_mode: SSAValue
    count_include_pad: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, ceil_mode: Given, count_include_pad: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., count_include_pad: Any = ..., *, result_types: Types = ...) -> Self: ...

class AvgPool1dOutOp(OperatorOp):
    'aten::avg_pool1d.out(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], bool ceil_mode=False, bool count_include_pad=True, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    ceil_mode: SSAValue
    count_include_pad: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, ceil_mode: Given, count_include_pad: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., count_include_pad: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AvgPool2dOp(OperatorOp):
    'aten::avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    ceil_mode: SSAValue
    count_include_pad: SSAValue
    divisor_override: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, ceil_mode: Given, count_include_pad: Given, divisor_override: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., count_include_pad: Any = ..., divisor_override: Any = ..., *, result_types: Types = ...) -> Self: ...

class AvgPool2dOutOp(OperatorOp):
    'aten::avg_pool2d.out(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    ceil_mode: SSAValue
    count_include_pad: SSAValue
    divisor_override: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, ceil_mode: Given, count_include_pad: Given, divisor_override: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., count_include_pad: Any = ..., divisor_override: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class AvgPool3dOp(OperatorOp):
    'aten::avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None) -> Tensor'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    ceil_mode: SSAValue
    count_include_pad: SSAValue
    divisor_override: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, ceil_mode: Given, count_include_pad: Given, divisor_override: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., count_include_pad: Any = ..., divisor_override: Any = ..., *, result_types: Types = ...) -> Self: ...

class AvgPool3dOutOp(OperatorOp):
    'aten::avg_pool3d.out(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, bool ceil_mode=False, bool count_include_pad=True, int? divisor_override=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    ceil_mode: SSAValue
    count_include_pad: SSAValue
    divisor_override: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, ceil_mode: Given, count_include_pad: Given, divisor_override: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., ceil_mode: Any = ..., count_include_pad: Any = ..., divisor_override: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class BaddbmmOp(OperatorOp):
    'aten::baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor'
    self: SSAValue
    batch1: SSAValue
    batch2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, batch1: Given, batch2: Given, beta: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, batch1: Any, batch2: Any, *, beta: Any = ..., alpha: Any = ..., result_types: Types = ...) -> Self: ...

class BaddbmmOutOp(OperatorOp):
    'aten::baddbmm.out(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    batch1: SSAValue
    batch2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, batch1: Given, batch2: Given, beta: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, batch1: Any, batch2: Any, *, beta: Any = ..., alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Baddbmm_Op(OperatorOp):
    'aten::baddbmm_(Tensor(a!) self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    batch1: SSAValue
    batch2: SSAValue
    beta: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, batch1: Given, batch2: Given, beta: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, batch1: Any, batch2: Any, *, beta: Any = ..., alpha: Any = ..., result_types: Types = ...) -> Self: ...

class BatchNormOp(OperatorOp):
    'aten::batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps, bool cudnn_enabled) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    running_mean: SSAValue
    running_var: SSAValue
    training: SSAValue
    momentum: SSAValue
    eps: SSAValue
    cudnn_enabled: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, running_mean: Given, running_var: Given, training: Given, momentum: Given, eps: Given, cudnn_enabled: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: Any, momentum: Any, eps: Any, cudnn_enabled: Any, *, result_types: Types = ...) -> Self: ...

class BernoulliOp(OperatorOp):
    'aten::bernoulli(Tensor self, *, Generator? generator=None) -> Tensor'
    self: SSAValue
    generator: SSAValue
    def __init__(_this, self: Given, generator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, generator: Any = ..., result_types: Types = ...) -> Self: ...

class BernoulliOutOp(OperatorOp):
    'aten::bernoulli.out(Tensor self, *, Generator? generator=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    generator: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, generator: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, generator: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class BernoulliPOp(OperatorOp):
    'aten::bernoulli.p(Tensor self, float p, *, Generator? generator=None) -> Tensor'
    self: SSAValue
    p: SSAValue
    generator: SSAValue
    def __init__(_this, self: Given, p: Given, generator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any, *, generator: Any = ..., result_types: Types = ...) -> Self: ...

class Bernoulli_FloatOp(OperatorOp):
    'aten::bernoulli_.float(Tensor(a!) self, float p=0.5, *, Generator? generator=None) -> Tensor(a!)'
    self: SSAValue
    p: SSAValue
    generator: SSAValue
    def __init__(_this, self: Given, p: Given, generator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any = ..., *, generator: Any = ..., result_types: Types = ...) -> Self: ...

class BinOp(OperatorOp):
    'aten::bin(int i) -> str'
    i: SSAValue
    def __init__(_this, i: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, i: Any, *, result_types: Types = ...) -> Self: ...

class BinaryCrossEntropyOp(OperatorOp):
    'aten::binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1) -> Tensor'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any = ..., reduction: Any = ..., *, result_types: Types = ...) -> Self: ...

class BinaryCrossEntropyWithLogitsOp(OperatorOp):
    'aten::binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    pos_weight: SSAValue
    reduction: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, pos_weight: Given, reduction: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any = ..., pos_weight: Any = ..., reduction: Any = ..., *, result_types: Types = ...) -> Self: ...

class BitwiseAndScalarOp(OperatorOp):
    'aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseAndScalarTensorOp(OperatorOp):
    'aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseAndScalarTensorOutOp(OperatorOp):
    'aten::bitwise_and.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseAndScalarOutOp(OperatorOp):
    'aten::bitwise_and.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseAndTensorOp(OperatorOp):
    'aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseAndTensorOutOp(OperatorOp):
    'aten::bitwise_and.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseAnd_ScalarOp(OperatorOp):
    'aten::bitwise_and_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseAnd_TensorOp(OperatorOp):
    'aten::bitwise_and_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseLeftShiftScalarTensorOp(OperatorOp):
    'aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseLeftShiftScalarTensorOutOp(OperatorOp):
    'aten::bitwise_left_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseLeftShiftTensorOp(OperatorOp):
    'aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseLeftShiftTensorScalarOp(OperatorOp):
    'aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseLeftShiftTensorScalarOutOp(OperatorOp):
    'aten::bitwise_left_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseLeftShiftTensorOutOp(OperatorOp):
    'aten::bitwise_left_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseLeftShift_TensorOp(OperatorOp):
    'aten::bitwise_left_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseLeftShift_TensorScalarOp(OperatorOp):
    'aten::bitwise_left_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseNotOp(OperatorOp):
    'aten::bitwise_not(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseNotOutOp(OperatorOp):
    'aten::bitwise_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseNot_Op(OperatorOp):
    'aten::bitwise_not_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseOrScalarOp(OperatorOp):
    'aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseOrScalarTensorOp(OperatorOp):
    'aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseOrScalarTensorOutOp(OperatorOp):
    'aten::bitwise_or.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseOrScalarOutOp(OperatorOp):
    'aten::bitwise_or.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseOrTensorOp(OperatorOp):
    'aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseOrTensorOutOp(OperatorOp):
    'aten::bitwise_or.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseOr_ScalarOp(OperatorOp):
    'aten::bitwise_or_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseOr_TensorOp(OperatorOp):
    'aten::bitwise_or_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseRightShiftScalarTensorOp(OperatorOp):
    'aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseRightShiftScalarTensorOutOp(OperatorOp):
    'aten::bitwise_right_shift.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseRightShiftTensorOp(OperatorOp):
    'aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseRightShiftTensorScalarOp(OperatorOp):
    'aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseRightShiftTensorScalarOutOp(OperatorOp):
    'aten::bitwise_right_shift.Tensor_Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseRightShiftTensorOutOp(OperatorOp):
    'aten::bitwise_right_shift.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseRightShift_TensorOp(OperatorOp):
    'aten::bitwise_right_shift_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseRightShift_TensorScalarOp(OperatorOp):
    'aten::bitwise_right_shift_.Tensor_Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseXorScalarOp(OperatorOp):
    'aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseXorScalarTensorOp(OperatorOp):
    'aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseXorScalarTensorOutOp(OperatorOp):
    'aten::bitwise_xor.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseXorScalarOutOp(OperatorOp):
    'aten::bitwise_xor.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseXorTensorOp(OperatorOp):
    'aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseXorTensorOutOp(OperatorOp):
    'aten::bitwise_xor.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BitwiseXor_ScalarOp(OperatorOp):
    'aten::bitwise_xor_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BitwiseXor_TensorOp(OperatorOp):
    'aten::bitwise_xor_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class BmmOp(OperatorOp):
    'aten::bmm(Tensor self, Tensor mat2) -> Tensor'
    self: SSAValue
    mat2: SSAValue
    def __init__(_this, self: Given, mat2: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat2: Any, *, result_types: Types = ...) -> Self: ...

class BmmOutOp(OperatorOp):
    'aten::bmm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    mat2: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, mat2: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat2: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class BroadcastTensorsOp(OperatorOp):
    'aten::broadcast_tensors(Tensor[] tensors) -> Tensor[]'
    tensors: SSAValue
    def __init__(_this, tensors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, result_types: Types = ...) -> Self: ...

class BroadcastToOp(OperatorOp):
    'aten::broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)'
    self: SSAValue
    size: SSAValue
    def __init__(_this, self: Given, size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, result_types: Types = ...) -> Self: ...

class CapitalizeOp(OperatorOp):
    'aten::capitalize(str self) -> str'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CatOp(OperatorOp):
    'aten::cat(Tensor[] tensors, int dim=0) -> Tensor'
    tensors: SSAValue
    dim: SSAValue
    def __init__(_this, tensors: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class CatOutOp(OperatorOp):
    'aten::cat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)'
    tensors: SSAValue
    dim: SSAValue
    out: SSAValue
    def __init__(_this, tensors: Given, dim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, dim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class CeilOp(OperatorOp):
    'aten::ceil(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CeilScalarOp(OperatorOp):
    'aten::ceil.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CeilFloatOp(OperatorOp):
    'aten::ceil.float(float a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CeilIntOp(OperatorOp):
    'aten::ceil.int(int a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CeilOutOp(OperatorOp):
    'aten::ceil.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Ceil_Op(OperatorOp):
    'aten::ceil_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CeluOp(OperatorOp):
    'aten::celu(Tensor self, Scalar alpha=1.) -> Tensor'
    self: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class CeluOutOp(OperatorOp):
    'aten::celu.out(Tensor self, Scalar alpha=1., *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, alpha: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Celu_Op(OperatorOp):
    'aten::celu_(Tensor(a!) self, Scalar alpha=1.) -> Tensor(a!)'
    self: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class CenterOp(OperatorOp):
    'aten::center(str self, int width, str fillchar=" ") -> str'
    self: SSAValue
    width: SSAValue
    fillchar: SSAValue
    def __init__(_this, self: Given, width: Given, fillchar: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, width: Any, fillchar: Any = ..., *, result_types: Types = ...) -> Self: ...

class ChrOp(OperatorOp):
    'aten::chr(int i) -> str'
    i: SSAValue
    def __init__(_this, i: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, i: Any, *, result_types: Types = ...) -> Self: ...

class ChunkOp(OperatorOp):
    'aten::chunk(Tensor(a -> *) self, int chunks, int dim=0) -> Tensor(a)[]'
    self: SSAValue
    chunks: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, chunks: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, chunks: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class ClampOp(OperatorOp):
    'aten::clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class ClampTensorOp(OperatorOp):
    'aten::clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class ClampTensorOutOp(OperatorOp):
    'aten::clamp.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class ClampOutOp(OperatorOp):
    'aten::clamp.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Clamp_Op(OperatorOp):
    'aten::clamp_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class Clamp_TensorOp(OperatorOp):
    'aten::clamp_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class ClampMaxOp(OperatorOp):
    'aten::clamp_max(Tensor self, Scalar max) -> Tensor'
    self: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, max: Any, *, result_types: Types = ...) -> Self: ...

class ClampMaxTensorOp(OperatorOp):
    'aten::clamp_max.Tensor(Tensor self, Tensor max) -> Tensor'
    self: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, max: Any, *, result_types: Types = ...) -> Self: ...

class ClampMaxTensorOutOp(OperatorOp):
    'aten::clamp_max.Tensor_out(Tensor self, Tensor max, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    max: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, max: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, max: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ClampMaxOutOp(OperatorOp):
    'aten::clamp_max.out(Tensor self, Scalar max, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    max: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, max: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, max: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ClampMax_Op(OperatorOp):
    'aten::clamp_max_(Tensor(a!) self, Scalar max) -> Tensor(a!)'
    self: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, max: Any, *, result_types: Types = ...) -> Self: ...

class ClampMax_TensorOp(OperatorOp):
    'aten::clamp_max_.Tensor(Tensor(a!) self, Tensor max) -> Tensor(a!)'
    self: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, max: Any, *, result_types: Types = ...) -> Self: ...

class ClampMinOp(OperatorOp):
    'aten::clamp_min(Tensor self, Scalar min) -> Tensor'
    self: SSAValue
    min: SSAValue
    def __init__(_this, self: Given, min: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any, *, result_types: Types = ...) -> Self: ...

class ClampMinTensorOp(OperatorOp):
    'aten::clamp_min.Tensor(Tensor self, Tensor min) -> Tensor'
    self: SSAValue
    min: SSAValue
    def __init__(_this, self: Given, min: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any, *, result_types: Types = ...) -> Self: ...

class ClampMinTensorOutOp(OperatorOp):
    'aten::clamp_min.Tensor_out(Tensor self, Tensor min, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, min: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ClampMinOutOp(OperatorOp):
    'aten::clamp_min.out(Tensor self, Scalar min, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, min: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ClampMin_Op(OperatorOp):
    'aten::clamp_min_(Tensor(a!) self, Scalar min) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    def __init__(_this, self: Given, min: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any, *, result_types: Types = ...) -> Self: ...

class ClampMin_TensorOp(OperatorOp):
    'aten::clamp_min_.Tensor(Tensor(a!) self, Tensor min) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    def __init__(_this, self: Given, min: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any, *, result_types: Types = ...) -> Self: ...

class ClearTensorOp(OperatorOp):
    'aten::clear.Tensor(Dict(Tensor, t)(a!) self) -> ()'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ClearBoolOp(OperatorOp):
    'aten::clear.bool(Dict(bool, t)(a!) self) -> ()'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ClearComplexOp(OperatorOp):
    'aten::clear.complex(Dict(complex, t)(a!) self) -> ()'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ClearFloatOp(OperatorOp):
    'aten::clear.float(Dict(float, t)(a!) self) -> ()'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ClearIntOp(OperatorOp):
    'aten::clear.int(Dict(int, t)(a!) self) -> ()'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ClearStrOp(OperatorOp):
    'aten::clear.str(Dict(str, t)(a!) self) -> ()'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ClearTOp(OperatorOp):
    'aten::clear.t(t[](a!) self) -> ()'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ClipOp(OperatorOp):
    'aten::clip(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class ClipTensorOp(OperatorOp):
    'aten::clip.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class ClipTensorOutOp(OperatorOp):
    'aten::clip.Tensor_out(Tensor self, Tensor? min=None, Tensor? max=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class ClipOutOp(OperatorOp):
    'aten::clip.out(Tensor self, Scalar? min=None, Scalar? max=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Clip_Op(OperatorOp):
    'aten::clip_(Tensor(a!) self, Scalar? min=None, Scalar? max=None) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class Clip_TensorOp(OperatorOp):
    'aten::clip_.Tensor(Tensor(a!) self, Tensor? min=None, Tensor? max=None) -> Tensor(a!)'
    self: SSAValue
    min: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, min: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class CloneOp(OperatorOp):
    'aten::clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor'
    self: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class CloneOutOp(OperatorOp):
    'aten::clone.out(Tensor self, *, MemoryFormat? memory_format=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    memory_format: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, memory_format: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, memory_format: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class ConcatOp(OperatorOp):
    'aten::concat(Tensor[] tensors, int dim=0) -> Tensor'
    tensors: SSAValue
    dim: SSAValue
    def __init__(_this, tensors: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class ConcatOutOp(OperatorOp):
    'aten::concat.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)'
    tensors: SSAValue
    dim: SSAValue
    out: SSAValue
    def __init__(_this, tensors: Given, dim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, dim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class ConcatenateOp(OperatorOp):
    'aten::concatenate(Tensor[] tensors, int dim=0) -> Tensor'
    tensors: SSAValue
    dim: SSAValue
    def __init__(_this, tensors: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class ConcatenateOutOp(OperatorOp):
    'aten::concatenate.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)'
    tensors: SSAValue
    dim: SSAValue
    out: SSAValue
    def __init__(_this, tensors: Given, dim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, dim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class ConstantPadNdOp(OperatorOp):
    'aten::constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor'
    self: SSAValue
    pad: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, pad: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, pad: Any, value: Any = ..., *, result_types: Types = ...) -> Self: ...

class ConstantPadNdOutOp(OperatorOp):
    'aten::constant_pad_nd.out(Tensor self, SymInt[] pad, Scalar value=0, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    pad: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, pad: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, pad: Any, value: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class ContiguousOp(OperatorOp):
    'aten::contiguous(Tensor(a) self, *, MemoryFormat memory_format=0) -> Tensor(a)'
    self: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class Conv1dOp(OperatorOp):
    'aten::conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1] dilation=[1], SymInt groups=1) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    groups: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, groups: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., *, result_types: Types = ...) -> Self: ...

class Conv1dPaddingOp(OperatorOp):
    'aten::conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], str padding="valid", SymInt[1] dilation=[1], SymInt groups=1) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    groups: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, groups: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., *, result_types: Types = ...) -> Self: ...

class Conv2dOp(OperatorOp):
    'aten::conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    groups: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, groups: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., *, result_types: Types = ...) -> Self: ...

class Conv2dPaddingOp(OperatorOp):
    'aten::conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], str padding="valid", SymInt[2] dilation=[1, 1], SymInt groups=1) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    groups: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, groups: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., *, result_types: Types = ...) -> Self: ...

class Conv3dOp(OperatorOp):
    'aten::conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    groups: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, groups: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., *, result_types: Types = ...) -> Self: ...

class Conv3dPaddingOp(OperatorOp):
    'aten::conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], str padding="valid", SymInt[3] dilation=[1, 1, 1], SymInt groups=1) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    groups: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, groups: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., dilation: Any = ..., groups: Any = ..., *, result_types: Types = ...) -> Self: ...

class ConvTranspose1dOp(OperatorOp):
    'aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] stride=[1], SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt groups=1, SymInt[1] dilation=[1]) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    output_padding: SSAValue
    groups: SSAValue
    dilation: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, output_padding: Given, groups: Given, dilation: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., groups: Any = ..., dilation: Any = ..., *, result_types: Types = ...) -> Self: ...

class ConvTranspose2dInputOp(OperatorOp):
    'aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] output_padding=[0, 0], SymInt groups=1, SymInt[2] dilation=[1, 1]) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    output_padding: SSAValue
    groups: SSAValue
    dilation: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, output_padding: Given, groups: Given, dilation: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., groups: Any = ..., dilation: Any = ..., *, result_types: Types = ...) -> Self: ...

class ConvTranspose3dInputOp(OperatorOp):
    'aten::conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] output_padding=[0, 0, 0], SymInt groups=1, SymInt[3] dilation=[1, 1, 1]) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    output_padding: SSAValue
    groups: SSAValue
    dilation: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, output_padding: Given, groups: Given, dilation: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., stride: Any = ..., padding: Any = ..., output_padding: Any = ..., groups: Any = ..., dilation: Any = ..., *, result_types: Types = ...) -> Self: ...

class ConvolutionOp(OperatorOp):
    'aten::convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    transposed: SSAValue
    output_padding: SSAValue
    groups: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, transposed: Given, output_padding: Given, groups: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, transposed: Any, output_padding: Any, groups: Any, *, result_types: Types = ...) -> Self: ...

class ConvolutionOutOp(OperatorOp):
    'aten::convolution.out(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] output_padding, SymInt groups, *, Tensor(a!) out) -> Tensor(a!)'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    transposed: SSAValue
    output_padding: SSAValue
    groups: SSAValue
    out: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, stride: Given, padding: Given, dilation: Given, transposed: Given, output_padding: Given, groups: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, stride: Any, padding: Any, dilation: Any, transposed: Any, output_padding: Any, groups: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class CopyOp(OperatorOp):
    'aten::copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor'
    self: SSAValue
    src: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, src: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, src: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class CopyDictTensorOp(OperatorOp):
    'aten::copy.Dict_Tensor(Dict(Tensor, t)(a) self) -> Dict(Tensor, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CopyDictBoolOp(OperatorOp):
    'aten::copy.Dict_bool(Dict(bool, t)(a) self) -> Dict(bool, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CopyDictComplexOp(OperatorOp):
    'aten::copy.Dict_complex(Dict(complex, t)(a) self) -> Dict(complex, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CopyDictFloatOp(OperatorOp):
    'aten::copy.Dict_float(Dict(float, t)(a) self) -> Dict(float, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CopyDictIntOp(OperatorOp):
    'aten::copy.Dict_int(Dict(int, t)(a) self) -> Dict(int, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CopyDictStrOp(OperatorOp):
    'aten::copy.Dict_str(Dict(str, t)(a) self) -> Dict(str, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CopyOutOp(OperatorOp):
    'aten::copy.out(Tensor self, Tensor src, bool non_blocking=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    src: SSAValue
    non_blocking: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, src: Given, non_blocking: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, src: Any, non_blocking: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class CopyTOp(OperatorOp):
    'aten::copy.t(t[](a) self) -> t[]'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Copy_Op(OperatorOp):
    'aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)'
    self: SSAValue
    src: SSAValue
    non_blocking: SSAValue
    def __init__(_this, self: Given, src: Given, non_blocking: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, src: Any, non_blocking: Any = ..., *, result_types: Types = ...) -> Self: ...

class Copy_TensorOp(OperatorOp):
    'aten::copy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Copy_FloatOp(OperatorOp):
    'aten::copy_.float(Tensor(a!) self, float other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Copy_IntOp(OperatorOp):
    'aten::copy_.int(Tensor(a!) self, int other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class CopysignDefaultOp(OperatorOp):
    'aten::copysign(Scalar a, Scalar b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class CopysignScalarOp(OperatorOp):
    'aten::copysign.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class CopysignScalarOutOp(OperatorOp):
    'aten::copysign.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class CopysignTensorOp(OperatorOp):
    'aten::copysign.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class CopysignFloatOp(OperatorOp):
    'aten::copysign.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class CopysignFloatIntOp(OperatorOp):
    'aten::copysign.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class CopysignIntOp(OperatorOp):
    'aten::copysign.int(int a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class CopysignIntFloatOp(OperatorOp):
    'aten::copysign.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class CopysignOutOp(OperatorOp):
    'aten::copysign.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Copysign_ScalarOp(OperatorOp):
    'aten::copysign_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Copysign_TensorOp(OperatorOp):
    'aten::copysign_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class CosOp(OperatorOp):
    'aten::cos(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CosScalarOp(OperatorOp):
    'aten::cos.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CosComplexOp(OperatorOp):
    'aten::cos.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CosFloatOp(OperatorOp):
    'aten::cos.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CosIntOp(OperatorOp):
    'aten::cos.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CosOutOp(OperatorOp):
    'aten::cos.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Cos_Op(OperatorOp):
    'aten::cos_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CoshOp(OperatorOp):
    'aten::cosh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CoshScalarOp(OperatorOp):
    'aten::cosh.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CoshComplexOp(OperatorOp):
    'aten::cosh.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CoshFloatOp(OperatorOp):
    'aten::cosh.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CoshIntOp(OperatorOp):
    'aten::cosh.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class CoshOutOp(OperatorOp):
    'aten::cosh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Cosh_Op(OperatorOp):
    'aten::cosh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CountOp(OperatorOp):
    'aten::count(str self, str substr, int start=0, int end=-1) -> int'
    self: SSAValue
    substr: SSAValue
    start: SSAValue
    end: SSAValue
    def __init__(_this, self: Given, substr: Given, start: Given, end: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, substr: Any, start: Any = ..., end: Any = ..., *, result_types: Types = ...) -> Self: ...

class CountTensorOp(OperatorOp):
    'aten::count.Tensor(Tensor[] self, Tensor el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class CountBoolOp(OperatorOp):
    'aten::count.bool(bool[] self, bool el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class CountFloatOp(OperatorOp):
    'aten::count.float(float[] self, float el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class CountIntOp(OperatorOp):
    'aten::count.int(int[] self, int el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class CountStrOp(OperatorOp):
    'aten::count.str(str[] self, str el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class CountNonzeroOp(OperatorOp):
    'aten::count_nonzero(Tensor self, int? dim=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class CountNonzeroDimIntListOp(OperatorOp):
    'aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class CountNonzeroDimIntListOutOp(OperatorOp):
    'aten::count_nonzero.dim_IntList_out(Tensor self, int[] dim, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class CountNonzeroOutOp(OperatorOp):
    'aten::count_nonzero.out(Tensor self, int? dim=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class CpuOp(OperatorOp):
    'aten::cpu(Tensor(a) self) -> Tensor(b|a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CrossEntropyLossOp(OperatorOp):
    'aten::cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    ignore_index: SSAValue
    label_smoothing: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, ignore_index: Given, label_smoothing: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any = ..., reduction: Any = ..., ignore_index: Any = ..., label_smoothing: Any = ..., *, result_types: Types = ...) -> Self: ...

class CudaOp(OperatorOp):
    'aten::cuda(Tensor(a) self) -> Tensor(b|a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class CummaxOp(OperatorOp):
    'aten::cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class CumminOp(OperatorOp):
    'aten::cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class CumprodOp(OperatorOp):
    'aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class CumprodOutOp(OperatorOp):
    'aten::cumprod.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Cumprod_Op(OperatorOp):
    'aten::cumprod_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class CumsumOp(OperatorOp):
    'aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class CumsumOutOp(OperatorOp):
    'aten::cumsum.out(Tensor self, int dim, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Cumsum_Op(OperatorOp):
    'aten::cumsum_(Tensor(a!) self, int dim, *, ScalarType? dtype=None) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class Deg2radOp(OperatorOp):
    'aten::deg2rad(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Deg2radOutOp(OperatorOp):
    'aten::deg2rad.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Deg2rad_Op(OperatorOp):
    'aten::deg2rad_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DegreesScalarOp(OperatorOp):
    'aten::degrees.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class DegreesFloatOp(OperatorOp):
    'aten::degrees.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class DegreesIntOp(OperatorOp):
    'aten::degrees.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class DetachOp(OperatorOp):
    'aten::detach(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Detach_Op(OperatorOp):
    'aten::detach_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DeviceOp(OperatorOp):
    'aten::device(str a) -> Device'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class DeviceWithIndexOp(OperatorOp):
    'aten::device.with_index(str type, int index) -> Device'
    type: SSAValue
    index: SSAValue
    def __init__(_this, type: Given, index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, type: Any, index: Any, *, result_types: Types = ...) -> Self: ...

class DiagOp(OperatorOp):
    'aten::diag(Tensor self, int diagonal=0) -> Tensor'
    self: SSAValue
    diagonal: SSAValue
    def __init__(_this, self: Given, diagonal: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, diagonal: Any = ..., *, result_types: Types = ...) -> Self: ...

class DiagOutOp(OperatorOp):
    'aten::diag.out(Tensor self, int diagonal=0, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    diagonal: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, diagonal: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, diagonal: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class DiagEmbedOp(OperatorOp):
    'aten::diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor'
    self: SSAValue
    offset: SSAValue
    dim1: SSAValue
    dim2: SSAValue
    def __init__(_this, self: Given, offset: Given, dim1: Given, dim2: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, offset: Any = ..., dim1: Any = ..., dim2: Any = ..., *, result_types: Types = ...) -> Self: ...

class DiagEmbedOutOp(OperatorOp):
    'aten::diag_embed.out(Tensor self, int offset=0, int dim1=-2, int dim2=-1, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    offset: SSAValue
    dim1: SSAValue
    dim2: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, offset: Given, dim1: Given, dim2: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, offset: Any = ..., dim1: Any = ..., dim2: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class DiagonalOp(OperatorOp):
    'aten::diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)'
    self: SSAValue
    offset: SSAValue
    dim1: SSAValue
    dim2: SSAValue
    def __init__(_this, self: Given, offset: Given, dim1: Given, dim2: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, offset: Any = ..., dim1: Any = ..., dim2: Any = ..., *, result_types: Types = ...) -> Self: ...

class DictOp(OperatorOp):
    'aten::dict() -> Dict(str, Tensor)'
    def __init__(_this, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *, result_types: Types = ...) -> Self: ...

class DictDictTensorOp(OperatorOp):
    'aten::dict.Dict_Tensor(Dict(Tensor, t)(a) self) -> Dict(Tensor, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DictDictBoolOp(OperatorOp):
    'aten::dict.Dict_bool(Dict(bool, t)(a) self) -> Dict(bool, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DictDictComplexOp(OperatorOp):
    'aten::dict.Dict_complex(Dict(complex, t)(a) self) -> Dict(complex, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DictDictFloatOp(OperatorOp):
    'aten::dict.Dict_float(Dict(float, t)(a) self) -> Dict(float, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DictDictIntOp(OperatorOp):
    'aten::dict.Dict_int(Dict(int, t)(a) self) -> Dict(int, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DictDictStrOp(OperatorOp):
    'aten::dict.Dict_str(Dict(str, t)(a) self) -> Dict(str, t)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DictTensorOp(OperatorOp):
    'aten::dict.Tensor((Tensor, tVal)[] inputs) -> Dict(Tensor, tVal)'
    inputs: SSAValue
    def __init__(_this, inputs: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, inputs: Any, *, result_types: Types = ...) -> Self: ...

class DictBoolOp(OperatorOp):
    'aten::dict.bool((bool, tVal)[] inputs) -> Dict(bool, tVal)'
    inputs: SSAValue
    def __init__(_this, inputs: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, inputs: Any, *, result_types: Types = ...) -> Self: ...

class DictComplexOp(OperatorOp):
    'aten::dict.complex((complex, tVal)[] inputs) -> Dict(complex, tVal)'
    inputs: SSAValue
    def __init__(_this, inputs: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, inputs: Any, *, result_types: Types = ...) -> Self: ...

class DictFloatOp(OperatorOp):
    'aten::dict.float((float, tVal)[] inputs) -> Dict(float, tVal)'
    inputs: SSAValue
    def __init__(_this, inputs: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, inputs: Any, *, result_types: Types = ...) -> Self: ...

class DictIntOp(OperatorOp):
    'aten::dict.int((int, tVal)[] inputs) -> Dict(int, tVal)'
    inputs: SSAValue
    def __init__(_this, inputs: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, inputs: Any, *, result_types: Types = ...) -> Self: ...

class DictStrOp(OperatorOp):
    'aten::dict.str((str, tVal)[] inputs) -> Dict(str, tVal)'
    inputs: SSAValue
    def __init__(_this, inputs: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, inputs: Any, *, result_types: Types = ...) -> Self: ...

class DimOp(OperatorOp):
    'aten::dim(Tensor self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class DivDefaultOp(OperatorOp):
    'aten::div(Scalar a, Scalar b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class DivScalarOp(OperatorOp):
    'aten::div.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class DivScalarModeOp(OperatorOp):
    'aten::div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, result_types: Types = ...) -> Self: ...

class DivScalarModeOutOp(OperatorOp):
    'aten::div.Scalar_mode_out(Tensor self, Scalar other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, out: Any, result_types: Types = ...) -> Self: ...

class DivScalarOutOp(OperatorOp):
    'aten::div.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class DivTensorOp(OperatorOp):
    'aten::div.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class DivTensorModeOp(OperatorOp):
    'aten::div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, result_types: Types = ...) -> Self: ...

class DivComplexOp(OperatorOp):
    'aten::div.complex(complex a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class DivFloatOp(OperatorOp):
    'aten::div.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class DivIntOp(OperatorOp):
    'aten::div.int(int a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class DivOutOp(OperatorOp):
    'aten::div.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class DivOutModeOp(OperatorOp):
    'aten::div.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, out: Any, result_types: Types = ...) -> Self: ...

class Div_ScalarOp(OperatorOp):
    'aten::div_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Div_ScalarModeOp(OperatorOp):
    'aten::div_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, result_types: Types = ...) -> Self: ...

class Div_TensorOp(OperatorOp):
    'aten::div_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Div_TensorModeOp(OperatorOp):
    'aten::div_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, result_types: Types = ...) -> Self: ...

class DivideScalarOp(OperatorOp):
    'aten::divide.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class DivideScalarModeOp(OperatorOp):
    'aten::divide.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, result_types: Types = ...) -> Self: ...

class DivideTensorOp(OperatorOp):
    'aten::divide.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class DivideTensorModeOp(OperatorOp):
    'aten::divide.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, result_types: Types = ...) -> Self: ...

class DivideOutOp(OperatorOp):
    'aten::divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class DivideOutModeOp(OperatorOp):
    'aten::divide.out_mode(Tensor self, Tensor other, *, str? rounding_mode, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, out: Any, result_types: Types = ...) -> Self: ...

class Divide_ScalarOp(OperatorOp):
    'aten::divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Divide_ScalarModeOp(OperatorOp):
    'aten::divide_.Scalar_mode(Tensor(a!) self, Scalar other, *, str? rounding_mode) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, result_types: Types = ...) -> Self: ...

class Divide_TensorOp(OperatorOp):
    'aten::divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Divide_TensorModeOp(OperatorOp):
    'aten::divide_.Tensor_mode(Tensor(a!) self, Tensor other, *, str? rounding_mode) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    rounding_mode: SSAValue
    def __init__(_this, self: Given, other: Given, rounding_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, rounding_mode: Any, result_types: Types = ...) -> Self: ...

class DivmodFloatOp(OperatorOp):
    'aten::divmod.float(float x, float y) -> (float, float)'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class DivmodFloatIntOp(OperatorOp):
    'aten::divmod.float_int(float x, int y) -> (float, float)'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class DivmodIntOp(OperatorOp):
    'aten::divmod.int(int x, int y) -> (int, int)'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class DivmodIntFloatOp(OperatorOp):
    'aten::divmod.int_float(int x, float y) -> (float, float)'
    x: SSAValue
    y: SSAValue
    def __init__(_this, x: Given, y: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, y: Any, *, result_types: Types = ...) -> Self: ...

class DotOp(OperatorOp):
    'aten::dot(Tensor self, Tensor tensor) -> Tensor'
    self: SSAValue
    tensor: SSAValue
    def __init__(_this, self: Given, tensor: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tensor: Any, *, result_types: Types = ...) -> Self: ...

class DotOutOp(OperatorOp):
    'aten::dot.out(Tensor self, Tensor tensor, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    tensor: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, tensor: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tensor: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class DropoutOp(OperatorOp):
    'aten::dropout(Tensor input, float p, bool train) -> Tensor'
    input: SSAValue
    p: SSAValue
    train: SSAValue
    def __init__(_this, input: Given, p: Given, train: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, p: Any, train: Any, *, result_types: Types = ...) -> Self: ...

class Dropout_Op(OperatorOp):
    'aten::dropout_(Tensor(a!) self, float p, bool train) -> Tensor(a!)'
    self: SSAValue
    p: SSAValue
    train: SSAValue
    def __init__(_this, self: Given, p: Given, train: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any, train: Any, *, result_types: Types = ...) -> Self: ...

class DstackOp(OperatorOp):
    'aten::dstack(Tensor[] tensors) -> Tensor'
    tensors: SSAValue
    def __init__(_this, tensors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, result_types: Types = ...) -> Self: ...

class DstackOutOp(OperatorOp):
    'aten::dstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)'
    tensors: SSAValue
    out: SSAValue
    def __init__(_this, tensors: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ElementSizeOp(OperatorOp):
    'aten::element_size(Tensor self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class EluOp(OperatorOp):
    'aten::elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor'
    self: SSAValue
    alpha: SSAValue
    scale: SSAValue
    input_scale: SSAValue
    def __init__(_this, self: Given, alpha: Given, scale: Given, input_scale: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, alpha: Any = ..., scale: Any = ..., input_scale: Any = ..., *, result_types: Types = ...) -> Self: ...

class EluOutOp(OperatorOp):
    'aten::elu.out(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    alpha: SSAValue
    scale: SSAValue
    input_scale: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, alpha: Given, scale: Given, input_scale: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, alpha: Any = ..., scale: Any = ..., input_scale: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Elu_Op(OperatorOp):
    'aten::elu_(Tensor(a!) self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor(a!)'
    self: SSAValue
    alpha: SSAValue
    scale: SSAValue
    input_scale: SSAValue
    def __init__(_this, self: Given, alpha: Given, scale: Given, input_scale: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, alpha: Any = ..., scale: Any = ..., input_scale: Any = ..., *, result_types: Types = ...) -> Self: ...

class EmbeddingOp(OperatorOp):
    'aten::embedding(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False) -> Tensor'
    weight: SSAValue
    indices: SSAValue
    padding_idx: SSAValue
    scale_grad_by_freq: SSAValue
    sparse: SSAValue
    def __init__(_this, weight: Given, indices: Given, padding_idx: Given, scale_grad_by_freq: Given, sparse: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, weight: Any, indices: Any, padding_idx: Any = ..., scale_grad_by_freq: Any = ..., sparse: Any = ..., *, result_types: Types = ...) -> Self: ...

class EmbeddingOutOp(OperatorOp):
    'aten::embedding.out(Tensor weight, Tensor indices, SymInt padding_idx=-1, bool scale_grad_by_freq=False, bool sparse=False, *, Tensor(a!) out) -> Tensor(a!)'
    weight: SSAValue
    indices: SSAValue
    padding_idx: SSAValue
    scale_grad_by_freq: SSAValue
    sparse: SSAValue
    out: SSAValue
    def __init__(_this, weight: Given, indices: Given, padding_idx: Given, scale_grad_by_freq: Given, sparse: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, weight: Any, indices: Any, padding_idx: Any = ..., scale_grad_by_freq: Any = ..., sparse: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class EmptyMemoryFormatOp(OperatorOp):
    'aten::empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor'
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    memory_format: SSAValue
    def __init__(_this, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class EmptyLikeOp(OperatorOp):
    'aten::empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class EmptyStridedOp(OperatorOp):
    'aten::empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    size: SSAValue
    stride: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, size: Given, stride: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, stride: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class EndswithOp(OperatorOp):
    'aten::endswith(str self, str substr, int start=0, int end=-1) -> bool'
    self: SSAValue
    substr: SSAValue
    start: SSAValue
    end: SSAValue
    def __init__(_this, self: Given, substr: Given, start: Given, end: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, substr: Any, start: Any = ..., end: Any = ..., *, result_types: Types = ...) -> Self: ...

class EqDefaultOp(OperatorOp):
    'aten::eq(Scalar a, Scalar b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqScalarOp(OperatorOp):
    'aten::eq.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class EqScalarOutOp(OperatorOp):
    'aten::eq.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class EqTensorOp(OperatorOp):
    'aten::eq.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class EqTensorListOp(OperatorOp):
    'aten::eq.Tensor_list(Tensor[] a, Tensor[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqTensorOutOp(OperatorOp):
    'aten::eq.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class EqBoolOp(OperatorOp):
    'aten::eq.bool(bool a, bool b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqBoolListOp(OperatorOp):
    'aten::eq.bool_list(bool[] a, bool[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqComplexOp(OperatorOp):
    'aten::eq.complex(complex a, complex b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqComplexFloatOp(OperatorOp):
    'aten::eq.complex_float(complex a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqDeviceOp(OperatorOp):
    'aten::eq.device(Device a, Device b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqEnumOp(OperatorOp):
    'aten::eq.enum(AnyEnumType a, AnyEnumType b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqFloatOp(OperatorOp):
    'aten::eq.float(float a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqFloatComplexOp(OperatorOp):
    'aten::eq.float_complex(float a, complex b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqFloatIntOp(OperatorOp):
    'aten::eq.float_int(float a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqFloatListOp(OperatorOp):
    'aten::eq.float_list(float[] a, float[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqIntOp(OperatorOp):
    'aten::eq.int(int a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqIntFloatOp(OperatorOp):
    'aten::eq.int_float(int a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqIntListOp(OperatorOp):
    'aten::eq.int_list(int[] a, int[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqStrOp(OperatorOp):
    'aten::eq.str(str a, str b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class EqStrListOp(OperatorOp):
    'aten::eq.str_list(str[] a, str[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Eq_ScalarOp(OperatorOp):
    'aten::eq_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Eq_TensorOp(OperatorOp):
    'aten::eq_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class EqualOp(OperatorOp):
    'aten::equal(Tensor self, Tensor other) -> bool'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class ErfOp(OperatorOp):
    'aten::erf(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ErfScalarOp(OperatorOp):
    'aten::erf.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ErfFloatOp(OperatorOp):
    'aten::erf.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ErfIntOp(OperatorOp):
    'aten::erf.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ErfOutOp(OperatorOp):
    'aten::erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Erf_Op(OperatorOp):
    'aten::erf_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ErfcOp(OperatorOp):
    'aten::erfc(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ErfcScalarOp(OperatorOp):
    'aten::erfc.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ErfcFloatOp(OperatorOp):
    'aten::erfc.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ErfcIntOp(OperatorOp):
    'aten::erfc.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ErfcOutOp(OperatorOp):
    'aten::erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Erfc_Op(OperatorOp):
    'aten::erfc_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ExpOp(OperatorOp):
    'aten::exp(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ExpScalarOp(OperatorOp):
    'aten::exp.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ExpComplexOp(OperatorOp):
    'aten::exp.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ExpFloatOp(OperatorOp):
    'aten::exp.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ExpIntOp(OperatorOp):
    'aten::exp.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class ExpOutOp(OperatorOp):
    'aten::exp.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Exp2Op(OperatorOp):
    'aten::exp2(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Exp2OutOp(OperatorOp):
    'aten::exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Exp2_Op(OperatorOp):
    'aten::exp2_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Exp_Op(OperatorOp):
    'aten::exp_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ExpandOp(OperatorOp):
    'aten::expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)'
    self: SSAValue
    size: SSAValue
    implicit: SSAValue
    def __init__(_this, self: Given, size: Given, implicit: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, implicit: Any = ..., result_types: Types = ...) -> Self: ...

class ExpandAsOp(OperatorOp):
    'aten::expand_as(Tensor(a) self, Tensor other) -> Tensor(a)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class ExpandtabsOp(OperatorOp):
    'aten::expandtabs(str self, int tabsize=8) -> str'
    self: SSAValue
    tabsize: SSAValue
    def __init__(_this, self: Given, tabsize: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, tabsize: Any = ..., *, result_types: Types = ...) -> Self: ...

class Expm1Op(OperatorOp):
    'aten::expm1(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Expm1ScalarOp(OperatorOp):
    'aten::expm1.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Expm1FloatOp(OperatorOp):
    'aten::expm1.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Expm1IntOp(OperatorOp):
    'aten::expm1.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Expm1OutOp(OperatorOp):
    'aten::expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Expm1_Op(OperatorOp):
    'aten::expm1_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ExtendTOp(OperatorOp):
    'aten::extend.t(t[](a!) self, t[] other) -> ()'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class EyeOp(OperatorOp):
    'aten::eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    n: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, n: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, n: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class EyeMOp(OperatorOp):
    'aten::eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    n: SSAValue
    m: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, n: Given, m: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, n: Any, m: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class FabsScalarOp(OperatorOp):
    'aten::fabs.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FabsFloatOp(OperatorOp):
    'aten::fabs.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FabsIntOp(OperatorOp):
    'aten::fabs.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FactorialIntOp(OperatorOp):
    'aten::factorial.int(int a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FeatureDropoutOp(OperatorOp):
    'aten::feature_dropout(Tensor input, float p, bool train) -> Tensor'
    input: SSAValue
    p: SSAValue
    train: SSAValue
    def __init__(_this, input: Given, p: Given, train: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, p: Any, train: Any, *, result_types: Types = ...) -> Self: ...

class FillScalarOp(OperatorOp):
    'aten::fill.Scalar(Tensor self, Scalar value) -> Tensor'
    self: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class FillScalarOutOp(OperatorOp):
    'aten::fill.Scalar_out(Tensor self, Scalar value, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, value: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class FillTensorOp(OperatorOp):
    'aten::fill.Tensor(Tensor self, Tensor value) -> Tensor'
    self: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class FillTensorOutOp(OperatorOp):
    'aten::fill.Tensor_out(Tensor self, Tensor value, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, value: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Fill_ScalarOp(OperatorOp):
    'aten::fill_.Scalar(Tensor(a!) self, Scalar value) -> Tensor(a!)'
    self: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class Fill_TensorOp(OperatorOp):
    'aten::fill_.Tensor(Tensor(a!) self, Tensor value) -> Tensor(a!)'
    self: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class FindOp(OperatorOp):
    'aten::find(str self, str substr, int start=0, int end=-1) -> int'
    self: SSAValue
    substr: SSAValue
    start: SSAValue
    end: SSAValue
    def __init__(_this, self: Given, substr: Given, start: Given, end: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, substr: Any, start: Any = ..., end: Any = ..., *, result_types: Types = ...) -> Self: ...

class FixOp(OperatorOp):
    'aten::fix(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class FixOutOp(OperatorOp):
    'aten::fix.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Fix_Op(OperatorOp):
    'aten::fix_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class FlattenUsingIntsOp(OperatorOp):
    'aten::flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1) -> Tensor(a)'
    self: SSAValue
    start_dim: SSAValue
    end_dim: SSAValue
    def __init__(_this, self: Given, start_dim: Given, end_dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, start_dim: Any = ..., end_dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class FlipOp(OperatorOp):
    'aten::flip(Tensor self, int[] dims) -> Tensor'
    self: SSAValue
    dims: SSAValue
    def __init__(_this, self: Given, dims: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dims: Any, *, result_types: Types = ...) -> Self: ...

class FlipOutOp(OperatorOp):
    'aten::flip.out(Tensor self, int[] dims, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dims: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dims: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dims: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class FliplrOp(OperatorOp):
    'aten::fliplr(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class FlipudOp(OperatorOp):
    'aten::flipud(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class FloorOp(OperatorOp):
    'aten::floor(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class FloorScalarOp(OperatorOp):
    'aten::floor.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FloorFloatOp(OperatorOp):
    'aten::floor.float(float a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FloorIntOp(OperatorOp):
    'aten::floor.int(int a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FloorOutOp(OperatorOp):
    'aten::floor.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Floor_Op(OperatorOp):
    'aten::floor_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class FloorDivideOp(OperatorOp):
    'aten::floor_divide(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FloorDivideScalarOp(OperatorOp):
    'aten::floor_divide.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FloorDivideScalarOutOp(OperatorOp):
    'aten::floor_divide.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class FloorDivideOutOp(OperatorOp):
    'aten::floor_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class FloorDivide_ScalarOp(OperatorOp):
    'aten::floor_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FloorDivide_TensorOp(OperatorOp):
    'aten::floor_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FloordivOp(OperatorOp):
    'aten::floordiv(Scalar a, Scalar b) -> Scalar'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FloordivFloatOp(OperatorOp):
    'aten::floordiv.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FloordivFloatIntOp(OperatorOp):
    'aten::floordiv.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FloordivIntOp(OperatorOp):
    'aten::floordiv.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FloordivIntFloatOp(OperatorOp):
    'aten::floordiv.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FmaxOp(OperatorOp):
    'aten::fmax(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FmaxOutOp(OperatorOp):
    'aten::fmax.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class FminOp(OperatorOp):
    'aten::fmin(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FminOutOp(OperatorOp):
    'aten::fmin.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class FmodDefaultOp(OperatorOp):
    'aten::fmod(Scalar a, Scalar b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FmodScalarOp(OperatorOp):
    'aten::fmod.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FmodScalarOutOp(OperatorOp):
    'aten::fmod.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class FmodTensorOp(OperatorOp):
    'aten::fmod.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FmodTensorOutOp(OperatorOp):
    'aten::fmod.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class FmodFloatOp(OperatorOp):
    'aten::fmod.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FmodFloatIntOp(OperatorOp):
    'aten::fmod.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FmodIntOp(OperatorOp):
    'aten::fmod.int(int a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class FmodIntFloatOp(OperatorOp):
    'aten::fmod.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Fmod_ScalarOp(OperatorOp):
    'aten::fmod_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Fmod_TensorOp(OperatorOp):
    'aten::fmod_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class FormatOp(OperatorOp):
    'aten::format(str self, ...) -> str'
    self: SSAValue
    def __init__(_this, self: Given, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *operands: Any, result_types: Types = ...) -> Self: ...

class FracOp(OperatorOp):
    'aten::frac(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class FracOutOp(OperatorOp):
    'aten::frac.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Frac_Op(OperatorOp):
    'aten::frac_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class FrexpDefaultOp(OperatorOp):
    'aten::frexp(float a) -> (float, int)'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class FrobeniusNormDimOp(OperatorOp):
    'aten::frobenius_norm.dim(Tensor self, int[1] dim, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class FrobeniusNormOutOp(OperatorOp):
    'aten::frobenius_norm.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class FullOp(OperatorOp):
    'aten::full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    size: SSAValue
    fill_value: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, size: Given, fill_value: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, fill_value: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class FullLikeOp(OperatorOp):
    'aten::full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor'
    self: SSAValue
    fill_value: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, fill_value: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, fill_value: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class GammaScalarOp(OperatorOp):
    'aten::gamma.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class GammaFloatOp(OperatorOp):
    'aten::gamma.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class GammaIntOp(OperatorOp):
    'aten::gamma.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class GatherOp(OperatorOp):
    'aten::gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    sparse_grad: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, sparse_grad: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, *, sparse_grad: Any = ..., result_types: Types = ...) -> Self: ...

class GatherOutOp(OperatorOp):
    'aten::gather.out(Tensor self, int dim, Tensor index, *, bool sparse_grad=False, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    sparse_grad: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, sparse_grad: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, *, sparse_grad: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class GcdIntOp(OperatorOp):
    'aten::gcd.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GeDefaultOp(OperatorOp):
    'aten::ge(Scalar a, Scalar b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GeScalarOp(OperatorOp):
    'aten::ge.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GeScalarOutOp(OperatorOp):
    'aten::ge.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class GeTensorOp(OperatorOp):
    'aten::ge.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GeTensorOutOp(OperatorOp):
    'aten::ge.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class GeFloatOp(OperatorOp):
    'aten::ge.float(float a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GeFloatIntOp(OperatorOp):
    'aten::ge.float_int(float a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GeIntOp(OperatorOp):
    'aten::ge.int(int a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GeIntFloatOp(OperatorOp):
    'aten::ge.int_float(int a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GeStrOp(OperatorOp):
    'aten::ge.str(str a, str b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Ge_ScalarOp(OperatorOp):
    'aten::ge_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Ge_TensorOp(OperatorOp):
    'aten::ge_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GeluOp(OperatorOp):
    'aten::gelu(Tensor self, *, str approximate="none") -> Tensor'
    self: SSAValue
    approximate: SSAValue
    def __init__(_this, self: Given, approximate: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, approximate: Any = ..., result_types: Types = ...) -> Self: ...

class GeluOutOp(OperatorOp):
    'aten::gelu.out(Tensor self, *, str approximate="none", Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    approximate: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, approximate: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, approximate: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Gelu_Op(OperatorOp):
    'aten::gelu_(Tensor(a!) self, *, str approximate="none") -> Tensor(a!)'
    self: SSAValue
    approximate: SSAValue
    def __init__(_this, self: Given, approximate: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, approximate: Any = ..., result_types: Types = ...) -> Self: ...

class GeluBackwardOp(OperatorOp):
    'aten::gelu_backward(Tensor grad_output, Tensor self, *, str approximate="none") -> Tensor'
    grad_output: SSAValue
    self: SSAValue
    approximate: SSAValue
    def __init__(_this, grad_output: Given, self: Given, approximate: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, self: Any, *, approximate: Any = ..., result_types: Types = ...) -> Self: ...

class GerOp(OperatorOp):
    'aten::ger(Tensor self, Tensor vec2) -> Tensor'
    self: SSAValue
    vec2: SSAValue
    def __init__(_this, self: Given, vec2: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, vec2: Any, *, result_types: Types = ...) -> Self: ...

class GerOutOp(OperatorOp):
    'aten::ger.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    vec2: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, vec2: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, vec2: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class GetTensorOp(OperatorOp):
    'aten::get.Tensor(Dict(Tensor, t) self, Tensor key) -> t(*)?'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class GetBoolOp(OperatorOp):
    'aten::get.bool(Dict(bool, t) self, bool key) -> t(*)?'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class GetComplexOp(OperatorOp):
    'aten::get.complex(Dict(complex, t) self, complex key) -> t(*)?'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class GetDefaultTensorOp(OperatorOp):
    'aten::get.default_Tensor(Dict(Tensor, t) self, Tensor key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class GetDefaultBoolOp(OperatorOp):
    'aten::get.default_bool(Dict(bool, t) self, bool key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class GetDefaultComplexOp(OperatorOp):
    'aten::get.default_complex(Dict(complex, t) self, complex key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class GetDefaultFloatOp(OperatorOp):
    'aten::get.default_float(Dict(float, t) self, float key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class GetDefaultIntOp(OperatorOp):
    'aten::get.default_int(Dict(int, t) self, int key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class GetDefaultStrOp(OperatorOp):
    'aten::get.default_str(Dict(str, t) self, str key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class GetFloatOp(OperatorOp):
    'aten::get.float(Dict(float, t) self, float key) -> t(*)?'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class GetIntOp(OperatorOp):
    'aten::get.int(Dict(int, t) self, int key) -> t(*)?'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class GetStrOp(OperatorOp):
    'aten::get.str(Dict(str, t) self, str key) -> t(*)?'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class GetDeviceOp(OperatorOp):
    'aten::get_device(Tensor self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class GreaterScalarOp(OperatorOp):
    'aten::greater.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GreaterScalarOutOp(OperatorOp):
    'aten::greater.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class GreaterTensorOp(OperatorOp):
    'aten::greater.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GreaterTensorOutOp(OperatorOp):
    'aten::greater.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Greater_ScalarOp(OperatorOp):
    'aten::greater_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Greater_TensorOp(OperatorOp):
    'aten::greater_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GreaterEqualScalarOp(OperatorOp):
    'aten::greater_equal.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GreaterEqualScalarOutOp(OperatorOp):
    'aten::greater_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class GreaterEqualTensorOp(OperatorOp):
    'aten::greater_equal.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GreaterEqualTensorOutOp(OperatorOp):
    'aten::greater_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class GreaterEqual_ScalarOp(OperatorOp):
    'aten::greater_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GreaterEqual_TensorOp(OperatorOp):
    'aten::greater_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GroupNormOp(OperatorOp):
    'aten::group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> Tensor'
    input: SSAValue
    num_groups: SSAValue
    weight: SSAValue
    bias: SSAValue
    eps: SSAValue
    cudnn_enabled: SSAValue
    def __init__(_this, input: Given, num_groups: Given, weight: Given, bias: Given, eps: Given, cudnn_enabled: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, num_groups: Any, weight: Any = ..., bias: Any = ..., eps: Any = ..., cudnn_enabled: Any = ..., *, result_types: Types = ...) -> Self: ...

class GtDefaultOp(OperatorOp):
    'aten::gt(Scalar a, Scalar b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GtScalarOp(OperatorOp):
    'aten::gt.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GtScalarOutOp(OperatorOp):
    'aten::gt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class GtTensorOp(OperatorOp):
    'aten::gt.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class GtTensorOutOp(OperatorOp):
    'aten::gt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class GtFloatOp(OperatorOp):
    'aten::gt.float(float a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GtFloatIntOp(OperatorOp):
    'aten::gt.float_int(float a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GtIntOp(OperatorOp):
    'aten::gt.int(int a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GtIntFloatOp(OperatorOp):
    'aten::gt.int_float(int a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class GtStrOp(OperatorOp):
    'aten::gt.str(str a, str b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Gt_ScalarOp(OperatorOp):
    'aten::gt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Gt_TensorOp(OperatorOp):
    'aten::gt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class HardshrinkOp(OperatorOp):
    'aten::hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor'
    self: SSAValue
    lambd: SSAValue
    def __init__(_this, self: Given, lambd: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, lambd: Any = ..., *, result_types: Types = ...) -> Self: ...

class HardshrinkOutOp(OperatorOp):
    'aten::hardshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    lambd: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, lambd: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, lambd: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class HardsigmoidOp(OperatorOp):
    'aten::hardsigmoid(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class HardsigmoidOutOp(OperatorOp):
    'aten::hardsigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Hardsigmoid_Op(OperatorOp):
    'aten::hardsigmoid_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class HardswishOp(OperatorOp):
    'aten::hardswish(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class HardswishOutOp(OperatorOp):
    'aten::hardswish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Hardswish_Op(OperatorOp):
    'aten::hardswish_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class HardtanhOp(OperatorOp):
    'aten::hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor'
    self: SSAValue
    min_val: SSAValue
    max_val: SSAValue
    def __init__(_this, self: Given, min_val: Given, max_val: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min_val: Any = ..., max_val: Any = ..., *, result_types: Types = ...) -> Self: ...

class HardtanhOutOp(OperatorOp):
    'aten::hardtanh.out(Tensor self, Scalar min_val=-1, Scalar max_val=1, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    min_val: SSAValue
    max_val: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, min_val: Given, max_val: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min_val: Any = ..., max_val: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Hardtanh_Op(OperatorOp):
    'aten::hardtanh_(Tensor(a!) self, Scalar min_val=-1, Scalar max_val=1) -> Tensor(a!)'
    self: SSAValue
    min_val: SSAValue
    max_val: SSAValue
    def __init__(_this, self: Given, min_val: Given, max_val: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, min_val: Any = ..., max_val: Any = ..., *, result_types: Types = ...) -> Self: ...

class HardtanhBackwardOp(OperatorOp):
    'aten::hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor'
    grad_output: SSAValue
    self: SSAValue
    min_val: SSAValue
    max_val: SSAValue
    def __init__(_this, grad_output: Given, self: Given, min_val: Given, max_val: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, self: Any, min_val: Any, max_val: Any, *, result_types: Types = ...) -> Self: ...

class HasTorchFunctionOp(OperatorOp):
    'aten::has_torch_function(...) -> bool'
    def __init__(_this, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *operands: Any, result_types: Types = ...) -> Self: ...

class HexOp(OperatorOp):
    'aten::hex(int i) -> str'
    i: SSAValue
    def __init__(_this, i: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, i: Any, *, result_types: Types = ...) -> Self: ...

class HstackOp(OperatorOp):
    'aten::hstack(Tensor[] tensors) -> Tensor'
    tensors: SSAValue
    def __init__(_this, tensors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, result_types: Types = ...) -> Self: ...

class HstackOutOp(OperatorOp):
    'aten::hstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)'
    tensors: SSAValue
    out: SSAValue
    def __init__(_this, tensors: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class HuberLossOp(OperatorOp):
    'aten::huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor'
    self: SSAValue
    target: SSAValue
    reduction: SSAValue
    delta: SSAValue
    def __init__(_this, self: Given, target: Given, reduction: Given, delta: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, reduction: Any = ..., delta: Any = ..., *, result_types: Types = ...) -> Self: ...

class HypotOp(OperatorOp):
    'aten::hypot(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class HypotOutOp(OperatorOp):
    'aten::hypot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Hypot_Op(OperatorOp):
    'aten::hypot_(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class ImagOp(OperatorOp):
    'aten::imag(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IndexTensorOp(OperatorOp):
    'aten::index.Tensor(Tensor self, Tensor?[] indices) -> Tensor'
    self: SSAValue
    indices: SSAValue
    def __init__(_this, self: Given, indices: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, *, result_types: Types = ...) -> Self: ...

class IndexTensorHackedTwinOp(OperatorOp):
    'aten::index.Tensor_hacked_twin(Tensor self, Tensor[] indices) -> Tensor'
    self: SSAValue
    indices: SSAValue
    def __init__(_this, self: Given, indices: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, *, result_types: Types = ...) -> Self: ...

class IndexTensorOutOp(OperatorOp):
    'aten::index.Tensor_out(Tensor self, Tensor?[] indices, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    indices: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, indices: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class IndexListTensorOp(OperatorOp):
    'aten::index.list_Tensor(Tensor[] self, Tensor el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class IndexListBoolOp(OperatorOp):
    'aten::index.list_bool(bool[] self, bool el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class IndexListFloatOp(OperatorOp):
    'aten::index.list_float(float[] self, float el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class IndexListIntOp(OperatorOp):
    'aten::index.list_int(int[] self, int el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class IndexListStrOp(OperatorOp):
    'aten::index.list_str(str[] self, str el) -> int'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class IndexStrOp(OperatorOp):
    'aten::index.str(str self, str substr, int start=0, int end=-1) -> int'
    self: SSAValue
    substr: SSAValue
    start: SSAValue
    end: SSAValue
    def __init__(_this, self: Given, substr: Given, start: Given, end: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, substr: Any, start: Any = ..., end: Any = ..., *, result_types: Types = ...) -> Self: ...

class IndexAddOp(OperatorOp):
    'aten::index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    source: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, source: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, source: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class IndexAddOutOp(OperatorOp):
    'aten::index_add.out(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    source: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, source: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, source: Any, *, alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class IndexAdd_Op(OperatorOp):
    'aten::index_add_(Tensor(a!) self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    source: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, source: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, source: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class IndexCopyOp(OperatorOp):
    'aten::index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    source: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, source: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, source: Any, *, result_types: Types = ...) -> Self: ...

class IndexCopyOutOp(OperatorOp):
    'aten::index_copy.out(Tensor self, int dim, Tensor index, Tensor source, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    source: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, source: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, source: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class IndexCopy_Op(OperatorOp):
    'aten::index_copy_(Tensor(a!) self, int dim, Tensor index, Tensor source) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    source: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, source: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, source: Any, *, result_types: Types = ...) -> Self: ...

class IndexFillIntScalarOp(OperatorOp):
    'aten::index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class IndexFillIntScalarOutOp(OperatorOp):
    'aten::index_fill.int_Scalar_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class IndexFillIntTensorOp(OperatorOp):
    'aten::index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class IndexFillIntTensorOutOp(OperatorOp):
    'aten::index_fill.int_Tensor_out(Tensor self, int dim, Tensor index, Tensor value, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class IndexFill_IntScalarOp(OperatorOp):
    'aten::index_fill_.int_Scalar(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class IndexFill_IntTensorOp(OperatorOp):
    'aten::index_fill_.int_Tensor(Tensor(a!) self, int dim, Tensor index, Tensor value) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class IndexPutOp(OperatorOp):
    'aten::index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor'
    self: SSAValue
    indices: SSAValue
    values: SSAValue
    accumulate: SSAValue
    def __init__(_this, self: Given, indices: Given, values: Given, accumulate: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, values: Any, accumulate: Any = ..., *, result_types: Types = ...) -> Self: ...

class IndexPutHackedTwinOp(OperatorOp):
    'aten::index_put.hacked_twin(Tensor self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor'
    self: SSAValue
    indices: SSAValue
    values: SSAValue
    accumulate: SSAValue
    def __init__(_this, self: Given, indices: Given, values: Given, accumulate: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, values: Any, accumulate: Any = ..., *, result_types: Types = ...) -> Self: ...

class IndexPutOutOp(OperatorOp):
    'aten::index_put.out(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    indices: SSAValue
    values: SSAValue
    accumulate: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, indices: Given, values: Given, accumulate: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, values: Any, accumulate: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class IndexPut_Op(OperatorOp):
    'aten::index_put_(Tensor(a!) self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)'
    self: SSAValue
    indices: SSAValue
    values: SSAValue
    accumulate: SSAValue
    def __init__(_this, self: Given, indices: Given, values: Given, accumulate: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, values: Any, accumulate: Any = ..., *, result_types: Types = ...) -> Self: ...

class IndexPut_HackedTwinOp(OperatorOp):
    'aten::index_put_.hacked_twin(Tensor(a!) self, Tensor[] indices, Tensor values, bool accumulate=False) -> Tensor(a!)'
    self: SSAValue
    indices: SSAValue
    values: SSAValue
    accumulate: SSAValue
    def __init__(_this, self: Given, indices: Given, values: Given, accumulate: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, values: Any, accumulate: Any = ..., *, result_types: Types = ...) -> Self: ...

class IndexSelectOp(OperatorOp):
    'aten::index_select(Tensor self, int dim, Tensor index) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, *, result_types: Types = ...) -> Self: ...

class IndexSelectOutOp(OperatorOp):
    'aten::index_select.out(Tensor self, int dim, Tensor index, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class InnerOp(OperatorOp):
    'aten::inner(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class InnerOutOp(OperatorOp):
    'aten::inner.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class InsertTOp(OperatorOp):
    'aten::insert.t(t[](a!) self, int idx, t(b -> *) el) -> ()'
    self: SSAValue
    idx: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, idx: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, idx: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class InstanceNormOp(OperatorOp):
    'aten::instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool use_input_stats, float momentum, float eps, bool cudnn_enabled) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    running_mean: SSAValue
    running_var: SSAValue
    use_input_stats: SSAValue
    momentum: SSAValue
    eps: SSAValue
    cudnn_enabled: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, running_mean: Given, running_var: Given, use_input_stats: Given, momentum: Given, eps: Given, cudnn_enabled: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, use_input_stats: Any, momentum: Any, eps: Any, cudnn_enabled: Any, *, result_types: Types = ...) -> Self: ...

class IsAutocastCpuEnabledOp(OperatorOp):
    'aten::is_autocast_cpu_enabled() -> bool'
    def __init__(_this, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *, result_types: Types = ...) -> Self: ...

class IsAutocastEnabledOp(OperatorOp):
    'aten::is_autocast_enabled() -> bool'
    def __init__(_this, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *, result_types: Types = ...) -> Self: ...

class IsComplexOp(OperatorOp):
    'aten::is_complex(Tensor self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsContiguousOp(OperatorOp):
    'aten::is_contiguous(Tensor self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsContiguousMemoryFormatOp(OperatorOp):
    'aten::is_contiguous.memory_format(Tensor self, MemoryFormat memory_format) -> bool'
    self: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, memory_format: Any, *, result_types: Types = ...) -> Self: ...

class IsFloatingPointOp(OperatorOp):
    'aten::is_floating_point(Tensor self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsGradEnabledOp(OperatorOp):
    'aten::is_grad_enabled() -> bool'
    def __init__(_this, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *, result_types: Types = ...) -> Self: ...

class IsNonzeroOp(OperatorOp):
    'aten::is_nonzero(Tensor self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsSameSizeOp(OperatorOp):
    'aten::is_same_size(Tensor self, Tensor other) -> bool'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class IsScriptingOp(OperatorOp):
    'aten::is_scripting() -> bool'
    def __init__(_this, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, *, result_types: Types = ...) -> Self: ...

class IsSignedOp(OperatorOp):
    'aten::is_signed(Tensor self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsalnumOp(OperatorOp):
    'aten::isalnum(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsalphaOp(OperatorOp):
    'aten::isalpha(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IscloseOp(OperatorOp):
    'aten::isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, bool equal_nan=False) -> Tensor'
    self: SSAValue
    other: SSAValue
    rtol: SSAValue
    atol: SSAValue
    equal_nan: SSAValue
    def __init__(_this, self: Given, other: Given, rtol: Given, atol: Given, equal_nan: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, rtol: Any = ..., atol: Any = ..., equal_nan: Any = ..., *, result_types: Types = ...) -> Self: ...

class IsdecimalOp(OperatorOp):
    'aten::isdecimal(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsdigitOp(OperatorOp):
    'aten::isdigit(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsfiniteOp(OperatorOp):
    'aten::isfinite(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsfiniteComplexOp(OperatorOp):
    'aten::isfinite.complex(complex a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsfiniteFloatOp(OperatorOp):
    'aten::isfinite.float(float a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsidentifierOp(OperatorOp):
    'aten::isidentifier(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsinfOp(OperatorOp):
    'aten::isinf(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsinfComplexOp(OperatorOp):
    'aten::isinf.complex(complex a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsinfFloatOp(OperatorOp):
    'aten::isinf.float(float a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsinfOutOp(OperatorOp):
    'aten::isinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class IslowerOp(OperatorOp):
    'aten::islower(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsnanOp(OperatorOp):
    'aten::isnan(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsnanComplexOp(OperatorOp):
    'aten::isnan.complex(complex a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsnanFloatOp(OperatorOp):
    'aten::isnan.float(float a) -> bool'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class IsnanOutOp(OperatorOp):
    'aten::isnan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class IsneginfOp(OperatorOp):
    'aten::isneginf(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsneginfOutOp(OperatorOp):
    'aten::isneginf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class IsnumericOp(OperatorOp):
    'aten::isnumeric(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsposinfOp(OperatorOp):
    'aten::isposinf(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsposinfOutOp(OperatorOp):
    'aten::isposinf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class IsprintableOp(OperatorOp):
    'aten::isprintable(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsspaceOp(OperatorOp):
    'aten::isspace(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IstitleOp(OperatorOp):
    'aten::istitle(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class IsupperOp(OperatorOp):
    'aten::isupper(str self) -> bool'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ItemOp(OperatorOp):
    'aten::item(Tensor self) -> Scalar'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ItemsTensorOp(OperatorOp):
    'aten::items.Tensor(Dict(Tensor, t) self) -> ((Tensor, t)[])'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ItemsBoolOp(OperatorOp):
    'aten::items.bool(Dict(bool, t) self) -> ((bool, t)[])'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ItemsComplexOp(OperatorOp):
    'aten::items.complex(Dict(complex, t) self) -> ((complex, t)[])'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ItemsFloatOp(OperatorOp):
    'aten::items.float(Dict(float, t) self) -> ((float, t)[])'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ItemsIntOp(OperatorOp):
    'aten::items.int(Dict(int, t) self) -> ((int, t)[])'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ItemsStrOp(OperatorOp):
    'aten::items.str(Dict(str, t) self) -> ((str, t)[])'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class JoinOp(OperatorOp):
    'aten::join(str self, str[] values) -> str'
    self: SSAValue
    values: SSAValue
    def __init__(_this, self: Given, values: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, values: Any, *, result_types: Types = ...) -> Self: ...

class KeysTensorOp(OperatorOp):
    'aten::keys.Tensor(Dict(Tensor, t) self) -> Tensor[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class KeysBoolOp(OperatorOp):
    'aten::keys.bool(Dict(bool, t) self) -> bool[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class KeysComplexOp(OperatorOp):
    'aten::keys.complex(Dict(complex, t) self) -> complex[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class KeysFloatOp(OperatorOp):
    'aten::keys.float(Dict(float, t) self) -> float[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class KeysIntOp(OperatorOp):
    'aten::keys.int(Dict(int, t) self) -> int[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class KeysStrOp(OperatorOp):
    'aten::keys.str(Dict(str, t) self) -> str[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class KlDivOp(OperatorOp):
    'aten::kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor'
    self: SSAValue
    target: SSAValue
    reduction: SSAValue
    log_target: SSAValue
    def __init__(_this, self: Given, target: Given, reduction: Given, log_target: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, reduction: Any = ..., *, log_target: Any = ..., result_types: Types = ...) -> Self: ...

class L1LossOp(OperatorOp):
    'aten::l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor'
    self: SSAValue
    target: SSAValue
    reduction: SSAValue
    def __init__(_this, self: Given, target: Given, reduction: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, reduction: Any = ..., *, result_types: Types = ...) -> Self: ...

class LayerNormOp(OperatorOp):
    'aten::layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, Tensor? bias=None, float eps=1.0000000000000001e-05, bool cudnn_enable=True) -> Tensor'
    input: SSAValue
    normalized_shape: SSAValue
    weight: SSAValue
    bias: SSAValue
    eps: SSAValue
    cudnn_enable: SSAValue
    def __init__(_this, input: Given, normalized_shape: Given, weight: Given, bias: Given, eps: Given, cudnn_enable: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, normalized_shape: Any, weight: Any = ..., bias: Any = ..., eps: Any = ..., cudnn_enable: Any = ..., *, result_types: Types = ...) -> Self: ...

class LdexpDefaultOp(OperatorOp):
    'aten::ldexp(float x, int i) -> float'
    x: SSAValue
    i: SSAValue
    def __init__(_this, x: Given, i: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, x: Any, i: Any, *, result_types: Types = ...) -> Self: ...

class LeDefaultOp(OperatorOp):
    'aten::le(Scalar a, Scalar b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LeScalarOp(OperatorOp):
    'aten::le.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LeScalarOutOp(OperatorOp):
    'aten::le.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LeTensorOp(OperatorOp):
    'aten::le.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LeTensorOutOp(OperatorOp):
    'aten::le.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LeFloatOp(OperatorOp):
    'aten::le.float(float a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LeFloatIntOp(OperatorOp):
    'aten::le.float_int(float a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LeIntOp(OperatorOp):
    'aten::le.int(int a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LeIntFloatOp(OperatorOp):
    'aten::le.int_float(int a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LeStrOp(OperatorOp):
    'aten::le.str(str a, str b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Le_ScalarOp(OperatorOp):
    'aten::le_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Le_TensorOp(OperatorOp):
    'aten::le_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LeakyReluOp(OperatorOp):
    'aten::leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor'
    self: SSAValue
    negative_slope: SSAValue
    def __init__(_this, self: Given, negative_slope: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, negative_slope: Any = ..., *, result_types: Types = ...) -> Self: ...

class LeakyReluOutOp(OperatorOp):
    'aten::leaky_relu.out(Tensor self, Scalar negative_slope=0.01, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    negative_slope: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, negative_slope: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, negative_slope: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class LeakyRelu_Op(OperatorOp):
    'aten::leaky_relu_(Tensor(a!) self, Scalar negative_slope=0.01) -> Tensor(a!)'
    self: SSAValue
    negative_slope: SSAValue
    def __init__(_this, self: Given, negative_slope: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, negative_slope: Any = ..., *, result_types: Types = ...) -> Self: ...

class LeakyReluBackwardOp(OperatorOp):
    'aten::leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor'
    grad_output: SSAValue
    self: SSAValue
    negative_slope: SSAValue
    self_is_result: SSAValue
    def __init__(_this, grad_output: Given, self: Given, negative_slope: Given, self_is_result: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, self: Any, negative_slope: Any, self_is_result: Any, *, result_types: Types = ...) -> Self: ...

class LenDictTensorOp(OperatorOp):
    'aten::len.Dict_Tensor(Dict(Tensor, t) self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LenDictBoolOp(OperatorOp):
    'aten::len.Dict_bool(Dict(bool, t) self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LenDictComplexOp(OperatorOp):
    'aten::len.Dict_complex(Dict(complex, t) self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LenDictFloatOp(OperatorOp):
    'aten::len.Dict_float(Dict(float, t) self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LenDictIntOp(OperatorOp):
    'aten::len.Dict_int(Dict(int, t) self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LenDictStrOp(OperatorOp):
    'aten::len.Dict_str(Dict(str, t) self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LenTensorOp(OperatorOp):
    'aten::len.Tensor(Tensor t) -> int'
    t: SSAValue
    def __init__(_this, t: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, t: Any, *, result_types: Types = ...) -> Self: ...

class LenAnyOp(OperatorOp):
    'aten::len.any(Any[] a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LenStrOp(OperatorOp):
    'aten::len.str(str s) -> int'
    s: SSAValue
    def __init__(_this, s: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, s: Any, *, result_types: Types = ...) -> Self: ...

class LenTOp(OperatorOp):
    'aten::len.t(t[] a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LerpScalarOp(OperatorOp):
    'aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor'
    self: SSAValue
    end: SSAValue
    weight: SSAValue
    def __init__(_this, self: Given, end: Given, weight: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, end: Any, weight: Any, *, result_types: Types = ...) -> Self: ...

class LerpScalarOutOp(OperatorOp):
    'aten::lerp.Scalar_out(Tensor self, Tensor end, Scalar weight, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    end: SSAValue
    weight: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, end: Given, weight: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, end: Any, weight: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LerpTensorOp(OperatorOp):
    'aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor'
    self: SSAValue
    end: SSAValue
    weight: SSAValue
    def __init__(_this, self: Given, end: Given, weight: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, end: Any, weight: Any, *, result_types: Types = ...) -> Self: ...

class LerpTensorOutOp(OperatorOp):
    'aten::lerp.Tensor_out(Tensor self, Tensor end, Tensor weight, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    end: SSAValue
    weight: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, end: Given, weight: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, end: Any, weight: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Lerp_ScalarOp(OperatorOp):
    'aten::lerp_.Scalar(Tensor(a!) self, Tensor end, Scalar weight) -> Tensor(a!)'
    self: SSAValue
    end: SSAValue
    weight: SSAValue
    def __init__(_this, self: Given, end: Given, weight: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, end: Any, weight: Any, *, result_types: Types = ...) -> Self: ...

class Lerp_TensorOp(OperatorOp):
    'aten::lerp_.Tensor(Tensor(a!) self, Tensor end, Tensor weight) -> Tensor(a!)'
    self: SSAValue
    end: SSAValue
    weight: SSAValue
    def __init__(_this, self: Given, end: Given, weight: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, end: Any, weight: Any, *, result_types: Types = ...) -> Self: ...

class LessScalarOp(OperatorOp):
    'aten::less.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LessScalarOutOp(OperatorOp):
    'aten::less.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LessTensorOp(OperatorOp):
    'aten::less.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LessTensorOutOp(OperatorOp):
    'aten::less.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Less_ScalarOp(OperatorOp):
    'aten::less_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Less_TensorOp(OperatorOp):
    'aten::less_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LessEqualScalarOp(OperatorOp):
    'aten::less_equal.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LessEqualScalarOutOp(OperatorOp):
    'aten::less_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LessEqualTensorOp(OperatorOp):
    'aten::less_equal.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LessEqualTensorOutOp(OperatorOp):
    'aten::less_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LessEqual_ScalarOp(OperatorOp):
    'aten::less_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LessEqual_TensorOp(OperatorOp):
    'aten::less_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LgammaScalarOp(OperatorOp):
    'aten::lgamma.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LgammaFloatOp(OperatorOp):
    'aten::lgamma.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LgammaIntOp(OperatorOp):
    'aten::lgamma.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LiftFreshOp(OperatorOp):
    'aten::lift_fresh(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LinalgMatmulOp(OperatorOp):
    'aten::linalg_matmul(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LinalgMatmulOutOp(OperatorOp):
    'aten::linalg_matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LinalgVectorNormOp(OperatorOp):
    'aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    ord: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, ord: Given, dim: Given, keepdim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, ord: Any = ..., dim: Any = ..., keepdim: Any = ..., *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class LinalgVectorNormOutOp(OperatorOp):
    'aten::linalg_vector_norm.out(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    ord: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, ord: Given, dim: Given, keepdim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, ord: Any = ..., dim: Any = ..., keepdim: Any = ..., *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class LinearOp(OperatorOp):
    'aten::linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., *, result_types: Types = ...) -> Self: ...

class LinearOutOp(OperatorOp):
    'aten::linear.out(Tensor input, Tensor weight, Tensor? bias=None, *, Tensor(a!) out) -> Tensor(a!)'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    out: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class LinspaceOp(OperatorOp):
    'aten::linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    start: SSAValue
    end: SSAValue
    steps: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, start: Given, end: Given, steps: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, start: Any, end: Any, steps: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class ListOp(OperatorOp):
    'aten::list(str t) -> str[]'
    t: SSAValue
    def __init__(_this, t: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, t: Any, *, result_types: Types = ...) -> Self: ...

class ListTOp(OperatorOp):
    'aten::list.t(t[] l) -> t[]'
    l: SSAValue
    def __init__(_this, l: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, *, result_types: Types = ...) -> Self: ...

class LjustOp(OperatorOp):
    'aten::ljust(str self, int width, str fillchar=" ") -> str'
    self: SSAValue
    width: SSAValue
    fillchar: SSAValue
    def __init__(_this, self: Given, width: Given, fillchar: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, width: Any, fillchar: Any = ..., *, result_types: Types = ...) -> Self: ...

class LogOp(OperatorOp):
    'aten::log(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LogScalarOp(OperatorOp):
    'aten::log.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LogScalarScalarOp(OperatorOp):
    'aten::log.Scalar_Scalar(Scalar a, Scalar b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogComplexOp(OperatorOp):
    'aten::log.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LogComplexComplexOp(OperatorOp):
    'aten::log.complex_complex(complex a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogComplexFloatOp(OperatorOp):
    'aten::log.complex_float(complex a, float b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogComplexIntOp(OperatorOp):
    'aten::log.complex_int(complex a, int b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogFloatOp(OperatorOp):
    'aten::log.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LogFloatComplexOp(OperatorOp):
    'aten::log.float_complex(float a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogFloatFloatOp(OperatorOp):
    'aten::log.float_float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogFloatIntOp(OperatorOp):
    'aten::log.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogIntOp(OperatorOp):
    'aten::log.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class LogIntComplexOp(OperatorOp):
    'aten::log.int_complex(int a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogIntFloatOp(OperatorOp):
    'aten::log.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogIntIntOp(OperatorOp):
    'aten::log.int_int(int a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LogOutOp(OperatorOp):
    'aten::log.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Log10Op(OperatorOp):
    'aten::log10(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Log10ScalarOp(OperatorOp):
    'aten::log10.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Log10ComplexOp(OperatorOp):
    'aten::log10.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Log10FloatOp(OperatorOp):
    'aten::log10.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Log10IntOp(OperatorOp):
    'aten::log10.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Log10OutOp(OperatorOp):
    'aten::log10.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Log10_Op(OperatorOp):
    'aten::log10_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Log1pOp(OperatorOp):
    'aten::log1p(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Log1pScalarOp(OperatorOp):
    'aten::log1p.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Log1pFloatOp(OperatorOp):
    'aten::log1p.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Log1pIntOp(OperatorOp):
    'aten::log1p.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class Log1pOutOp(OperatorOp):
    'aten::log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Log1p_Op(OperatorOp):
    'aten::log1p_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Log2Op(OperatorOp):
    'aten::log2(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Log2OutOp(OperatorOp):
    'aten::log2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Log2_Op(OperatorOp):
    'aten::log2_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Log_Op(OperatorOp):
    'aten::log_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LogSigmoidOp(OperatorOp):
    'aten::log_sigmoid(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LogSigmoidOutOp(OperatorOp):
    'aten::log_sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LogSoftmaxIntOp(OperatorOp):
    'aten::log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, dtype: Any = ..., *, result_types: Types = ...) -> Self: ...

class LogSoftmaxIntOutOp(OperatorOp):
    'aten::log_softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, dtype: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class LogaddexpOp(OperatorOp):
    'aten::logaddexp(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LogaddexpOutOp(OperatorOp):
    'aten::logaddexp.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LogicalAndOp(OperatorOp):
    'aten::logical_and(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LogicalAndOutOp(OperatorOp):
    'aten::logical_and.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LogicalAnd_Op(OperatorOp):
    'aten::logical_and_(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LogicalNotOp(OperatorOp):
    'aten::logical_not(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LogicalNotOutOp(OperatorOp):
    'aten::logical_not.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LogicalNot_Op(OperatorOp):
    'aten::logical_not_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LogicalOrOp(OperatorOp):
    'aten::logical_or(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LogicalOrOutOp(OperatorOp):
    'aten::logical_or.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LogicalOr_Op(OperatorOp):
    'aten::logical_or_(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LogicalXorOp(OperatorOp):
    'aten::logical_xor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LogicalXorOutOp(OperatorOp):
    'aten::logical_xor.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LogicalXor_Op(OperatorOp):
    'aten::logical_xor_(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LogitOp(OperatorOp):
    'aten::logit(Tensor self, float? eps=None) -> Tensor'
    self: SSAValue
    eps: SSAValue
    def __init__(_this, self: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, eps: Any = ..., *, result_types: Types = ...) -> Self: ...

class LogitOutOp(OperatorOp):
    'aten::logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    eps: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, eps: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, eps: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Logit_Op(OperatorOp):
    'aten::logit_(Tensor(a!) self, float? eps=None) -> Tensor(a!)'
    self: SSAValue
    eps: SSAValue
    def __init__(_this, self: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, eps: Any = ..., *, result_types: Types = ...) -> Self: ...

class LogspaceOp(OperatorOp):
    'aten::logspace(Scalar start, Scalar end, int steps, float base=10., *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    start: SSAValue
    end: SSAValue
    steps: SSAValue
    base: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, start: Given, end: Given, steps: Given, base: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, start: Any, end: Any, steps: Any, base: Any = ..., *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class LogsumexpOp(OperatorOp):
    'aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class LogsumexpOutOp(OperatorOp):
    'aten::logsumexp.out(Tensor self, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class LowerOp(OperatorOp):
    'aten::lower(str self) -> str'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class LstripOp(OperatorOp):
    'aten::lstrip(str self, str chars=" \\n\\t\\f\\v") -> str'
    self: SSAValue
    chars: SSAValue
    def __init__(_this, self: Given, chars: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, chars: Any = ..., *, result_types: Types = ...) -> Self: ...

class LtDefaultOp(OperatorOp):
    'aten::lt(Scalar a, Scalar b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LtScalarOp(OperatorOp):
    'aten::lt.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LtScalarOutOp(OperatorOp):
    'aten::lt.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LtTensorOp(OperatorOp):
    'aten::lt.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class LtTensorOutOp(OperatorOp):
    'aten::lt.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class LtFloatOp(OperatorOp):
    'aten::lt.float(float a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LtFloatIntOp(OperatorOp):
    'aten::lt.float_int(float a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LtIntOp(OperatorOp):
    'aten::lt.int(int a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LtIntFloatOp(OperatorOp):
    'aten::lt.int_float(int a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class LtStrOp(OperatorOp):
    'aten::lt.str(str a, str b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Lt_ScalarOp(OperatorOp):
    'aten::lt_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Lt_TensorOp(OperatorOp):
    'aten::lt_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MTOp(OperatorOp):
    'aten::mT(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MTAOp(OperatorOp):
    'aten::mT.a(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ManualSeedOp(OperatorOp):
    'aten::manual_seed(int seed) -> ()'
    seed: SSAValue
    def __init__(_this, seed: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, seed: Any, *, result_types: Types = ...) -> Self: ...

class MaskedFillScalarOp(OperatorOp):
    'aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor'
    self: SSAValue
    mask: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, mask: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class MaskedFillScalarOutOp(OperatorOp):
    'aten::masked_fill.Scalar_out(Tensor self, Tensor mask, Scalar value, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    mask: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, mask: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, value: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MaskedFillTensorOp(OperatorOp):
    'aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor'
    self: SSAValue
    mask: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, mask: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class MaskedFillTensorOutOp(OperatorOp):
    'aten::masked_fill.Tensor_out(Tensor self, Tensor mask, Tensor value, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    mask: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, mask: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, value: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MaskedFill_ScalarOp(OperatorOp):
    'aten::masked_fill_.Scalar(Tensor(a!) self, Tensor mask, Scalar value) -> Tensor(a!)'
    self: SSAValue
    mask: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, mask: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class MaskedFill_TensorOp(OperatorOp):
    'aten::masked_fill_.Tensor(Tensor(a!) self, Tensor mask, Tensor value) -> Tensor(a!)'
    self: SSAValue
    mask: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, mask: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class MaskedScatterOp(OperatorOp):
    'aten::masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor'
    self: SSAValue
    mask: SSAValue
    source: SSAValue
    def __init__(_this, self: Given, mask: Given, source: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, source: Any, *, result_types: Types = ...) -> Self: ...

class MaskedScatterOutOp(OperatorOp):
    'aten::masked_scatter.out(Tensor self, Tensor mask, Tensor source, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    mask: SSAValue
    source: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, mask: Given, source: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, source: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MaskedScatter_Op(OperatorOp):
    'aten::masked_scatter_(Tensor(a!) self, Tensor mask, Tensor source) -> Tensor(a!)'
    self: SSAValue
    mask: SSAValue
    source: SSAValue
    def __init__(_this, self: Given, mask: Given, source: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, source: Any, *, result_types: Types = ...) -> Self: ...

class MaskedSelectOp(OperatorOp):
    'aten::masked_select(Tensor self, Tensor mask) -> Tensor'
    self: SSAValue
    mask: SSAValue
    def __init__(_this, self: Given, mask: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, *, result_types: Types = ...) -> Self: ...

class MaskedSelectOutOp(OperatorOp):
    'aten::masked_select.out(Tensor self, Tensor mask, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    mask: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, mask: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mask: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MathremainderOp(OperatorOp):
    'aten::mathremainder(Scalar a, Scalar b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MathremainderFloatOp(OperatorOp):
    'aten::mathremainder.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MathremainderFloatIntOp(OperatorOp):
    'aten::mathremainder.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MathremainderIntOp(OperatorOp):
    'aten::mathremainder.int(int a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MathremainderIntFloatOp(OperatorOp):
    'aten::mathremainder.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MatmulOp(OperatorOp):
    'aten::matmul(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MatmulOutOp(OperatorOp):
    'aten::matmul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MaxOp(OperatorOp):
    'aten::max(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MaxDimOp(OperatorOp):
    'aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class MaxOtherOp(OperatorOp):
    'aten::max.other(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MaxOutOp(OperatorOp):
    'aten::max.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MaxUnaryOutOp(OperatorOp):
    'aten::max.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MaxPool1dOp(OperatorOp):
    'aten::max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    ceil_mode: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, dilation: Given, ceil_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., dilation: Any = ..., ceil_mode: Any = ..., *, result_types: Types = ...) -> Self: ...

class MaxPool1dWithIndicesOp(OperatorOp):
    'aten::max_pool1d_with_indices(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> (Tensor, Tensor)'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    ceil_mode: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, dilation: Given, ceil_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., dilation: Any = ..., ceil_mode: Any = ..., *, result_types: Types = ...) -> Self: ...

class MaxPool2dOp(OperatorOp):
    'aten::max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    ceil_mode: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, dilation: Given, ceil_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., dilation: Any = ..., ceil_mode: Any = ..., *, result_types: Types = ...) -> Self: ...

class MaxPool2dWithIndicesOp(OperatorOp):
    'aten::max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    ceil_mode: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, dilation: Given, ceil_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., dilation: Any = ..., ceil_mode: Any = ..., *, result_types: Types = ...) -> Self: ...

class MaxPool3dOp(OperatorOp):
    'aten::max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    ceil_mode: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, dilation: Given, ceil_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., dilation: Any = ..., ceil_mode: Any = ..., *, result_types: Types = ...) -> Self: ...

class MaxPool3dWithIndicesOp(OperatorOp):
    'aten::max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, Tensor)'
    self: SSAValue
    kernel_size: SSAValue
    stride: SSAValue
    padding: SSAValue
    dilation: SSAValue
    ceil_mode: SSAValue
    def __init__(_this, self: Given, kernel_size: Given, stride: Given, padding: Given, dilation: Given, ceil_mode: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, kernel_size: Any, stride: Any = ..., padding: Any = ..., dilation: Any = ..., ceil_mode: Any = ..., *, result_types: Types = ...) -> Self: ...

class MaximumOp(OperatorOp):
    'aten::maximum(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MaximumOutOp(OperatorOp):
    'aten::maximum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MeanOp(OperatorOp):
    'aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class MeanDimOp(OperatorOp):
    'aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class MeanDtypeOutOp(OperatorOp):
    'aten::mean.dtype_out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class MeanOutOp(OperatorOp):
    'aten::mean.out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class MedianOp(OperatorOp):
    'aten::median(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MedianOutOp(OperatorOp):
    'aten::median.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MeshgridOp(OperatorOp):
    'aten::meshgrid(Tensor[] tensors) -> Tensor[]'
    tensors: SSAValue
    def __init__(_this, tensors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, result_types: Types = ...) -> Self: ...

class MeshgridIndexingOp(OperatorOp):
    'aten::meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]'
    tensors: SSAValue
    indexing: SSAValue
    def __init__(_this, tensors: Given, indexing: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, indexing: Any, result_types: Types = ...) -> Self: ...

class MinOp(OperatorOp):
    'aten::min(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MinDimOp(OperatorOp):
    'aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class MinOtherOp(OperatorOp):
    'aten::min.other(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MinOutOp(OperatorOp):
    'aten::min.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MinUnaryOutOp(OperatorOp):
    'aten::min.unary_out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MinimumOp(OperatorOp):
    'aten::minimum(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MinimumOutOp(OperatorOp):
    'aten::minimum.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MishOp(OperatorOp):
    'aten::mish(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MishOutOp(OperatorOp):
    'aten::mish.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Mish_Op(OperatorOp):
    'aten::mish_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class MmOp(OperatorOp):
    'aten::mm(Tensor self, Tensor mat2) -> Tensor'
    self: SSAValue
    mat2: SSAValue
    def __init__(_this, self: Given, mat2: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat2: Any, *, result_types: Types = ...) -> Self: ...

class MmOutOp(OperatorOp):
    'aten::mm.out(Tensor self, Tensor mat2, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    mat2: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, mat2: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mat2: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ModfOp(OperatorOp):
    'aten::modf(float a) -> (float, float)'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class MoveaxisIntOp(OperatorOp):
    'aten::moveaxis.int(Tensor(a) self, int source, int destination) -> Tensor(a)'
    self: SSAValue
    source: SSAValue
    destination: SSAValue
    def __init__(_this, self: Given, source: Given, destination: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, source: Any, destination: Any, *, result_types: Types = ...) -> Self: ...

class MoveaxisIntlistOp(OperatorOp):
    'aten::moveaxis.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)'
    self: SSAValue
    source: SSAValue
    destination: SSAValue
    def __init__(_this, self: Given, source: Given, destination: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, source: Any, destination: Any, *, result_types: Types = ...) -> Self: ...

class MovedimIntOp(OperatorOp):
    'aten::movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)'
    self: SSAValue
    source: SSAValue
    destination: SSAValue
    def __init__(_this, self: Given, source: Given, destination: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, source: Any, destination: Any, *, result_types: Types = ...) -> Self: ...

class MovedimIntlistOp(OperatorOp):
    'aten::movedim.intlist(Tensor(a) self, int[] source, int[] destination) -> Tensor(a)'
    self: SSAValue
    source: SSAValue
    destination: SSAValue
    def __init__(_this, self: Given, source: Given, destination: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, source: Any, destination: Any, *, result_types: Types = ...) -> Self: ...

class MseLossOp(OperatorOp):
    'aten::mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor'
    self: SSAValue
    target: SSAValue
    reduction: SSAValue
    def __init__(_this, self: Given, target: Given, reduction: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, reduction: Any = ..., *, result_types: Types = ...) -> Self: ...

class MulDefaultOp(OperatorOp):
    'aten::mul(Scalar a, Scalar b) -> Scalar'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulScalarOp(OperatorOp):
    'aten::mul.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MulScalarOutOp(OperatorOp):
    'aten::mul.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MulTensorOp(OperatorOp):
    'aten::mul.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MulComplexOp(OperatorOp):
    'aten::mul.complex(complex a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulComplexFloatOp(OperatorOp):
    'aten::mul.complex_float(complex a, float b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulComplexIntOp(OperatorOp):
    'aten::mul.complex_int(complex a, int b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulFloatOp(OperatorOp):
    'aten::mul.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulFloatComplexOp(OperatorOp):
    'aten::mul.float_complex(float a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulFloatIntOp(OperatorOp):
    'aten::mul.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulIntOp(OperatorOp):
    'aten::mul.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulIntComplexOp(OperatorOp):
    'aten::mul.int_complex(int a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulIntFloatOp(OperatorOp):
    'aten::mul.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class MulLeftTOp(OperatorOp):
    'aten::mul.left_t(t[] l, int n) -> t[]'
    l: SSAValue
    n: SSAValue
    def __init__(_this, l: Given, n: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, n: Any, *, result_types: Types = ...) -> Self: ...

class MulOutOp(OperatorOp):
    'aten::mul.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class MulRight_Op(OperatorOp):
    'aten::mul.right_(int n, t[] l) -> t[]'
    n: SSAValue
    l: SSAValue
    def __init__(_this, n: Given, l: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, n: Any, l: Any, *, result_types: Types = ...) -> Self: ...

class Mul_ScalarOp(OperatorOp):
    'aten::mul_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Mul_TensorOp(OperatorOp):
    'aten::mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Mul_TOp(OperatorOp):
    'aten::mul_.t(t[](a!) l, int n) -> t[](a!)'
    l: SSAValue
    n: SSAValue
    def __init__(_this, l: Given, n: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, n: Any, *, result_types: Types = ...) -> Self: ...

class MultiplyScalarOp(OperatorOp):
    'aten::multiply.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MultiplyTensorOp(OperatorOp):
    'aten::multiply.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MultiplyOutOp(OperatorOp):
    'aten::multiply.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Multiply_ScalarOp(OperatorOp):
    'aten::multiply_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Multiply_TensorOp(OperatorOp):
    'aten::multiply_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class MvOp(OperatorOp):
    'aten::mv(Tensor self, Tensor vec) -> Tensor'
    self: SSAValue
    vec: SSAValue
    def __init__(_this, self: Given, vec: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, vec: Any, *, result_types: Types = ...) -> Self: ...

class MvOutOp(OperatorOp):
    'aten::mv.out(Tensor self, Tensor vec, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    vec: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, vec: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, vec: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class NansumOp(OperatorOp):
    'aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class NansumOutOp(OperatorOp):
    'aten::nansum.out(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., keepdim: Any = ..., *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class NarrowOp(OperatorOp):
    'aten::narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)'
    self: SSAValue
    dim: SSAValue
    start: SSAValue
    length: SSAValue
    def __init__(_this, self: Given, dim: Given, start: Given, length: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, start: Any, length: Any, *, result_types: Types = ...) -> Self: ...

class NarrowTensorOp(OperatorOp):
    'aten::narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)'
    self: SSAValue
    dim: SSAValue
    start: SSAValue
    length: SSAValue
    def __init__(_this, self: Given, dim: Given, start: Given, length: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, start: Any, length: Any, *, result_types: Types = ...) -> Self: ...

class NativeBatchNormOp(OperatorOp):
    'aten::native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? running_mean, Tensor? running_var, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    running_mean: SSAValue
    running_var: SSAValue
    training: SSAValue
    momentum: SSAValue
    eps: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, running_mean: Given, running_var: Given, training: Given, momentum: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: Any, momentum: Any, eps: Any, *, result_types: Types = ...) -> Self: ...

class NativeGroupNormOp(OperatorOp):
    'aten::native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)'
    input: SSAValue
    weight: SSAValue
    bias: SSAValue
    N: SSAValue
    C: SSAValue
    HxW: SSAValue
    group: SSAValue
    eps: SSAValue
    def __init__(_this, input: Given, weight: Given, bias: Given, N: Given, C: Given, HxW: Given, group: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, weight: Any, bias: Any, N: Any, C: Any, HxW: Any, group: Any, eps: Any, *, result_types: Types = ...) -> Self: ...

class NativeLayerNormOp(OperatorOp):
    'aten::native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)'
    input: SSAValue
    normalized_shape: SSAValue
    weight: SSAValue
    bias: SSAValue
    eps: SSAValue
    def __init__(_this, input: Given, normalized_shape: Given, weight: Given, bias: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: Any, *, result_types: Types = ...) -> Self: ...

class NeDefaultOp(OperatorOp):
    'aten::ne(Scalar a, Scalar b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeScalarOp(OperatorOp):
    'aten::ne.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class NeScalarOutOp(OperatorOp):
    'aten::ne.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class NeTensorOp(OperatorOp):
    'aten::ne.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class NeTensorListOp(OperatorOp):
    'aten::ne.Tensor_list(Tensor[] a, Tensor[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeTensorOutOp(OperatorOp):
    'aten::ne.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class NeBoolOp(OperatorOp):
    'aten::ne.bool(bool a, bool b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeBoolListOp(OperatorOp):
    'aten::ne.bool_list(bool[] a, bool[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeComplexOp(OperatorOp):
    'aten::ne.complex(complex a, complex b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeComplexFloatOp(OperatorOp):
    'aten::ne.complex_float(complex a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeDeviceOp(OperatorOp):
    'aten::ne.device(Device a, Device b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeEnumOp(OperatorOp):
    'aten::ne.enum(AnyEnumType a, AnyEnumType b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeFloatOp(OperatorOp):
    'aten::ne.float(float a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeFloatComplexOp(OperatorOp):
    'aten::ne.float_complex(float a, complex b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeFloatIntOp(OperatorOp):
    'aten::ne.float_int(float a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeFloatListOp(OperatorOp):
    'aten::ne.float_list(float[] a, float[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeIntOp(OperatorOp):
    'aten::ne.int(int a, int b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeIntFloatOp(OperatorOp):
    'aten::ne.int_float(int a, float b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeIntListOp(OperatorOp):
    'aten::ne.int_list(int[] a, int[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeStrOp(OperatorOp):
    'aten::ne.str(str a, str b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class NeStrListOp(OperatorOp):
    'aten::ne.str_list(str[] a, str[] b) -> bool'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Ne_ScalarOp(OperatorOp):
    'aten::ne_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Ne_TensorOp(OperatorOp):
    'aten::ne_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class NegOp(OperatorOp):
    'aten::neg(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NegScalarOp(OperatorOp):
    'aten::neg.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class NegComplexOp(OperatorOp):
    'aten::neg.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class NegFloatOp(OperatorOp):
    'aten::neg.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class NegIntOp(OperatorOp):
    'aten::neg.int(int a) -> int'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class NegOutOp(OperatorOp):
    'aten::neg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Neg_Op(OperatorOp):
    'aten::neg_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NegativeOp(OperatorOp):
    'aten::negative(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NegativeOutOp(OperatorOp):
    'aten::negative.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Negative_Op(OperatorOp):
    'aten::negative_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NewEmptyOp(OperatorOp):
    'aten::new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    self: SSAValue
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, self: Given, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class NewFullOp(OperatorOp):
    'aten::new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    self: SSAValue
    size: SSAValue
    fill_value: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, self: Given, size: Given, fill_value: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, fill_value: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class NewOnesOp(OperatorOp):
    'aten::new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    self: SSAValue
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, self: Given, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class NewZerosOp(OperatorOp):
    'aten::new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    self: SSAValue
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, self: Given, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class NllLossOp(OperatorOp):
    'aten::nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    ignore_index: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, ignore_index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any = ..., reduction: Any = ..., ignore_index: Any = ..., *, result_types: Types = ...) -> Self: ...

class NllLossOutOp(OperatorOp):
    'aten::nll_loss.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    ignore_index: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, ignore_index: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any = ..., reduction: Any = ..., ignore_index: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class NllLoss2dOp(OperatorOp):
    'aten::nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    ignore_index: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, ignore_index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any = ..., reduction: Any = ..., ignore_index: Any = ..., *, result_types: Types = ...) -> Self: ...

class NllLoss2dOutOp(OperatorOp):
    'aten::nll_loss2d.out(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    ignore_index: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, ignore_index: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any = ..., reduction: Any = ..., ignore_index: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class NllLoss2dForwardOp(OperatorOp):
    'aten::nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    ignore_index: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, ignore_index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any, reduction: Any, ignore_index: Any, *, result_types: Types = ...) -> Self: ...

class NllLossForwardOp(OperatorOp):
    'aten::nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    ignore_index: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, ignore_index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any, reduction: Any, ignore_index: Any, *, result_types: Types = ...) -> Self: ...

class NllLossNdOp(OperatorOp):
    'aten::nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, SymInt ignore_index=-100) -> Tensor'
    self: SSAValue
    target: SSAValue
    weight: SSAValue
    reduction: SSAValue
    ignore_index: SSAValue
    def __init__(_this, self: Given, target: Given, weight: Given, reduction: Given, ignore_index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, weight: Any = ..., reduction: Any = ..., ignore_index: Any = ..., *, result_types: Types = ...) -> Self: ...

class NonzeroOp(OperatorOp):
    'aten::nonzero(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NonzeroOutOp(OperatorOp):
    'aten::nonzero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class NonzeroNumpyOp(OperatorOp):
    'aten::nonzero_numpy(Tensor self) -> Tensor[]'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NormScalarOp(OperatorOp):
    'aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor'
    self: SSAValue
    p: SSAValue
    def __init__(_this, self: Given, p: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any = ..., *, result_types: Types = ...) -> Self: ...

class NormScalarOptDimOp(OperatorOp):
    'aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor'
    self: SSAValue
    p: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, p: Given, dim: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any, dim: Any, keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class NormScalarOptDimDtypeOp(OperatorOp):
    'aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor'
    self: SSAValue
    p: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, p: Given, dim: Given, keepdim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any, dim: Any, keepdim: Any, *, dtype: Any, result_types: Types = ...) -> Self: ...

class NormScalarOptDtypeOp(OperatorOp):
    'aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor'
    self: SSAValue
    p: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, p: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any, *, dtype: Any, result_types: Types = ...) -> Self: ...

class NormScalarOptDtypeOutOp(OperatorOp):
    'aten::norm.ScalarOpt_dtype_out(Tensor self, Scalar? p, *, ScalarType dtype, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    p: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, p: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any, *, dtype: Any, out: Any, result_types: Types = ...) -> Self: ...

class NormScalarOutOp(OperatorOp):
    'aten::norm.Scalar_out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    p: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, p: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class NormDtypeOutOp(OperatorOp):
    'aten::norm.dtype_out(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    p: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, p: Given, dim: Given, keepdim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any, dim: Any, keepdim: Any, *, dtype: Any, out: Any, result_types: Types = ...) -> Self: ...

class NormOutOp(OperatorOp):
    'aten::norm.out(Tensor self, Scalar? p, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    p: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, p: Given, dim: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, p: Any, dim: Any, keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Normal_Op(OperatorOp):
    'aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)'
    self: SSAValue
    mean: SSAValue
    std: SSAValue
    generator: SSAValue
    def __init__(_this, self: Given, mean: Given, std: Given, generator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, mean: Any = ..., std: Any = ..., *, generator: Any = ..., result_types: Types = ...) -> Self: ...

class NotEqualScalarOp(OperatorOp):
    'aten::not_equal.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class NotEqualScalarOutOp(OperatorOp):
    'aten::not_equal.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class NotEqualTensorOp(OperatorOp):
    'aten::not_equal.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class NotEqualTensorOutOp(OperatorOp):
    'aten::not_equal.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class NotEqual_ScalarOp(OperatorOp):
    'aten::not_equal_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class NotEqual_TensorOp(OperatorOp):
    'aten::not_equal_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class NumelOp(OperatorOp):
    'aten::numel(Tensor self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NumpyTOp(OperatorOp):
    'aten::numpy_T(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class NumpyTAOp(OperatorOp):
    'aten::numpy_T.a(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class OctOp(OperatorOp):
    'aten::oct(int i) -> str'
    i: SSAValue
    def __init__(_this, i: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, i: Any, *, result_types: Types = ...) -> Self: ...

class OneHotOp(OperatorOp):
    'aten::one_hot(Tensor self, int num_classes=-1) -> Tensor'
    self: SSAValue
    num_classes: SSAValue
    def __init__(_this, self: Given, num_classes: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, num_classes: Any = ..., *, result_types: Types = ...) -> Self: ...

class OnesOp(OperatorOp):
    'aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class OnesLikeOp(OperatorOp):
    'aten::ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class OrdOp(OperatorOp):
    'aten::ord(str string) -> int'
    string: SSAValue
    def __init__(_this, string: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, string: Any, *, result_types: Types = ...) -> Self: ...

class OuterOp(OperatorOp):
    'aten::outer(Tensor self, Tensor vec2) -> Tensor'
    self: SSAValue
    vec2: SSAValue
    def __init__(_this, self: Given, vec2: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, vec2: Any, *, result_types: Types = ...) -> Self: ...

class OuterOutOp(OperatorOp):
    'aten::outer.out(Tensor self, Tensor vec2, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    vec2: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, vec2: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, vec2: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class PadOp(OperatorOp):
    'aten::pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor'
    self: SSAValue
    pad: SSAValue
    mode: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, pad: Given, mode: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, pad: Any, mode: Any = ..., value: Any = ..., *, result_types: Types = ...) -> Self: ...

class PartitionOp(OperatorOp):
    'aten::partition(str self, str separator) -> (str, str, str)'
    self: SSAValue
    separator: SSAValue
    def __init__(_this, self: Given, separator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, separator: Any, *, result_types: Types = ...) -> Self: ...

class PercentFormatOp(OperatorOp):
    'aten::percentFormat(str self, ...) -> str'
    self: SSAValue
    def __init__(_this, self: Given, *operands: Given, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *operands: Any, result_types: Types = ...) -> Self: ...

class PermuteOp(OperatorOp):
    'aten::permute(Tensor(a) self, int[] dims) -> Tensor(a)'
    self: SSAValue
    dims: SSAValue
    def __init__(_this, self: Given, dims: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dims: Any, *, result_types: Types = ...) -> Self: ...

class PixelShuffleOp(OperatorOp):
    'aten::pixel_shuffle(Tensor self, int upscale_factor) -> Tensor'
    self: SSAValue
    upscale_factor: SSAValue
    def __init__(_this, self: Given, upscale_factor: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, upscale_factor: Any, *, result_types: Types = ...) -> Self: ...

class PixelShuffleOutOp(OperatorOp):
    'aten::pixel_shuffle.out(Tensor self, int upscale_factor, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    upscale_factor: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, upscale_factor: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, upscale_factor: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class PixelUnshuffleOp(OperatorOp):
    'aten::pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor'
    self: SSAValue
    downscale_factor: SSAValue
    def __init__(_this, self: Given, downscale_factor: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, downscale_factor: Any, *, result_types: Types = ...) -> Self: ...

class PixelUnshuffleOutOp(OperatorOp):
    'aten::pixel_unshuffle.out(Tensor self, int downscale_factor, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    downscale_factor: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, downscale_factor: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, downscale_factor: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class PolarScalarScalarOp(OperatorOp):
    'aten::polar.Scalar_Scalar(Scalar a, Scalar b) -> Scalar'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PolarFloatOp(OperatorOp):
    'aten::polar.float(float a, float b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PolarFloatIntOp(OperatorOp):
    'aten::polar.float_int(float a, int b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PolarIntOp(OperatorOp):
    'aten::polar.int(int a, int b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PolarIntFloatOp(OperatorOp):
    'aten::polar.int_float(int a, float b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PopDictTensorOp(OperatorOp):
    'aten::pop.Dict_Tensor(Dict(Tensor, t)(a!) self, Tensor key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class PopDictBoolOp(OperatorOp):
    'aten::pop.Dict_bool(Dict(bool, t)(a!) self, bool key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class PopDictComplexOp(OperatorOp):
    'aten::pop.Dict_complex(Dict(complex, t)(a!) self, complex key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class PopDictDefaultTensorOp(OperatorOp):
    'aten::pop.Dict_default_Tensor(Dict(Tensor, t)(a!) self, Tensor key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class PopDictDefaultBoolOp(OperatorOp):
    'aten::pop.Dict_default_bool(Dict(bool, t)(a!) self, bool key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class PopDictDefaultComplexOp(OperatorOp):
    'aten::pop.Dict_default_complex(Dict(complex, t)(a!) self, complex key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class PopDictDefaultFloatOp(OperatorOp):
    'aten::pop.Dict_default_float(Dict(float, t)(a!) self, float key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class PopDictDefaultIntOp(OperatorOp):
    'aten::pop.Dict_default_int(Dict(int, t)(a!) self, int key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class PopDictDefaultStrOp(OperatorOp):
    'aten::pop.Dict_default_str(Dict(str, t)(a!) self, str key, t default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class PopDictFloatOp(OperatorOp):
    'aten::pop.Dict_float(Dict(float, t)(a!) self, float key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class PopDictIntOp(OperatorOp):
    'aten::pop.Dict_int(Dict(int, t)(a!) self, int key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class PopDictStrOp(OperatorOp):
    'aten::pop.Dict_str(Dict(str, t)(a!) self, str key) -> t(*)'
    self: SSAValue
    key: SSAValue
    def __init__(_this, self: Given, key: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, *, result_types: Types = ...) -> Self: ...

class PopTOp(OperatorOp):
    'aten::pop.t(t[](a!) self, int idx=-1) -> t(*)'
    self: SSAValue
    idx: SSAValue
    def __init__(_this, self: Given, idx: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, idx: Any = ..., *, result_types: Types = ...) -> Self: ...

class PopitemTensorOp(OperatorOp):
    'aten::popitem.Tensor(Dict(Tensor, t)(a!) self) -> ((Tensor, t))'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class PopitemBoolOp(OperatorOp):
    'aten::popitem.bool(Dict(bool, t)(a!) self) -> ((bool, t))'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class PopitemComplexOp(OperatorOp):
    'aten::popitem.complex(Dict(complex, t)(a!) self) -> ((complex, t))'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class PopitemFloatOp(OperatorOp):
    'aten::popitem.float(Dict(float, t)(a!) self) -> ((float, t))'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class PopitemIntOp(OperatorOp):
    'aten::popitem.int(Dict(int, t)(a!) self) -> ((int, t))'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class PopitemStrOp(OperatorOp):
    'aten::popitem.str(Dict(str, t)(a!) self) -> ((str, t))'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class PositiveOp(OperatorOp):
    'aten::positive(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class PowScalarOp(OperatorOp):
    'aten::pow.Scalar(Scalar self, Tensor exponent) -> Tensor'
    self: SSAValue
    exponent: SSAValue
    def __init__(_this, self: Given, exponent: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, exponent: Any, *, result_types: Types = ...) -> Self: ...

class PowScalarScalarOp(OperatorOp):
    'aten::pow.Scalar_Scalar(Scalar a, Scalar b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PowScalarOutOp(OperatorOp):
    'aten::pow.Scalar_out(Scalar self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    exponent: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, exponent: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, exponent: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class PowTensorScalarOp(OperatorOp):
    'aten::pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor'
    self: SSAValue
    exponent: SSAValue
    def __init__(_this, self: Given, exponent: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, exponent: Any, *, result_types: Types = ...) -> Self: ...

class PowTensorScalarOutOp(OperatorOp):
    'aten::pow.Tensor_Scalar_out(Tensor self, Scalar exponent, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    exponent: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, exponent: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, exponent: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class PowTensorTensorOp(OperatorOp):
    'aten::pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor'
    self: SSAValue
    exponent: SSAValue
    def __init__(_this, self: Given, exponent: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, exponent: Any, *, result_types: Types = ...) -> Self: ...

class PowTensorTensorOutOp(OperatorOp):
    'aten::pow.Tensor_Tensor_out(Tensor self, Tensor exponent, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    exponent: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, exponent: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, exponent: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class PowComplexOp(OperatorOp):
    'aten::pow.complex(complex a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PowComplexFloatOp(OperatorOp):
    'aten::pow.complex_float(complex a, float b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PowFloatOp(OperatorOp):
    'aten::pow.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PowFloatComplexOp(OperatorOp):
    'aten::pow.float_complex(float a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PowFloatIntOp(OperatorOp):
    'aten::pow.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PowIntOp(OperatorOp):
    'aten::pow.int(int a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PowIntFloatOp(OperatorOp):
    'aten::pow.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class PowIntToIntOp(OperatorOp):
    'aten::pow.int_to_int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Pow_ScalarOp(OperatorOp):
    'aten::pow_.Scalar(Tensor(a!) self, Scalar exponent) -> Tensor(a!)'
    self: SSAValue
    exponent: SSAValue
    def __init__(_this, self: Given, exponent: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, exponent: Any, *, result_types: Types = ...) -> Self: ...

class Pow_TensorOp(OperatorOp):
    'aten::pow_.Tensor(Tensor(a!) self, Tensor exponent) -> Tensor(a!)'
    self: SSAValue
    exponent: SSAValue
    def __init__(_this, self: Given, exponent: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, exponent: Any, *, result_types: Types = ...) -> Self: ...

class ProdOp(OperatorOp):
    'aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class ProdDimIntOp(OperatorOp):
    'aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class ProdIntOutOp(OperatorOp):
    'aten::prod.int_out(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class ProdOutOp(OperatorOp):
    'aten::prod.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class PromoteTypesOp(OperatorOp):
    'aten::promote_types(ScalarType type1, ScalarType type2) -> ScalarType'
    type1: SSAValue
    type2: SSAValue
    def __init__(_this, type1: Given, type2: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, type1: Any, type2: Any, *, result_types: Types = ...) -> Self: ...

class Rad2degOp(OperatorOp):
    'aten::rad2deg(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Rad2degOutOp(OperatorOp):
    'aten::rad2deg.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Rad2deg_Op(OperatorOp):
    'aten::rad2deg_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class RadiansScalarOp(OperatorOp):
    'aten::radians.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class RadiansFloatOp(OperatorOp):
    'aten::radians.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class RadiansIntOp(OperatorOp):
    'aten::radians.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class RandOp(OperatorOp):
    'aten::rand(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandGeneratorOp(OperatorOp):
    'aten::rand.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    size: SSAValue
    generator: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, size: Given, generator: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, *, generator: Any, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandLikeOp(OperatorOp):
    'aten::rand_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class RandintOp(OperatorOp):
    'aten::randint(SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    high: SSAValue
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, high: Given, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, high: Any, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandintGeneratorOp(OperatorOp):
    'aten::randint.generator(SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    high: SSAValue
    size: SSAValue
    generator: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, high: Given, size: Given, generator: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, high: Any, size: Any, *, generator: Any, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandintLowOp(OperatorOp):
    'aten::randint.low(SymInt low, SymInt high, SymInt[] size, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    low: SSAValue
    high: SSAValue
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, low: Given, high: Given, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, low: Any, high: Any, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandintLowGeneratorOp(OperatorOp):
    'aten::randint.low_generator(SymInt low, SymInt high, SymInt[] size, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    low: SSAValue
    high: SSAValue
    size: SSAValue
    generator: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, low: Given, high: Given, size: Given, generator: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, low: Any, high: Any, size: Any, *, generator: Any, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandnOp(OperatorOp):
    'aten::randn(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandnGeneratorOp(OperatorOp):
    'aten::randn.generator(SymInt[] size, *, Generator? generator, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    size: SSAValue
    generator: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, size: Given, generator: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, *, generator: Any, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandnLikeOp(OperatorOp):
    'aten::randn_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class Random_FromOp(OperatorOp):
    'aten::random_.from(Tensor(a!) self, int from, int? to, *, Generator? generator=None) -> Tensor(a!)'
    self: SSAValue
    from_: SSAValue
    to: SSAValue
    generator: SSAValue
    def __init__(_this, self: Given, from_: Given, to: Given, generator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, from_: Any, to: Any, *, generator: Any = ..., result_types: Types = ...) -> Self: ...

class Random_ToOp(OperatorOp):
    'aten::random_.to(Tensor(a!) self, int to, *, Generator? generator=None) -> Tensor(a!)'
    self: SSAValue
    to: SSAValue
    generator: SSAValue
    def __init__(_this, self: Given, to: Given, generator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, to: Any, *, generator: Any = ..., result_types: Types = ...) -> Self: ...

class RandpermOp(OperatorOp):
    'aten::randperm(SymInt n, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    n: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, n: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, n: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RandpermGeneratorOp(OperatorOp):
    'aten::randperm.generator(SymInt n, *, Generator? generator, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    n: SSAValue
    generator: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, n: Given, generator: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, n: Any, *, generator: Any, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RangeOp(OperatorOp):
    'aten::range(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    start: SSAValue
    end: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, start: Given, end: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, start: Any, end: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RangeStepOp(OperatorOp):
    'aten::range.step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    start: SSAValue
    end: SSAValue
    step: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, start: Given, end: Given, step: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, start: Any, end: Any, step: Any = ..., *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class RavelOp(OperatorOp):
    'aten::ravel(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class RealOp(OperatorOp):
    'aten::real(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ReciprocalOp(OperatorOp):
    'aten::reciprocal(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ReciprocalOutOp(OperatorOp):
    'aten::reciprocal.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Reciprocal_Op(OperatorOp):
    'aten::reciprocal_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ReluOp(OperatorOp):
    'aten::relu(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ReluOutOp(OperatorOp):
    'aten::relu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Relu6Op(OperatorOp):
    'aten::relu6(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Relu6_Op(OperatorOp):
    'aten::relu6_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Relu_Op(OperatorOp):
    'aten::relu_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class RemainderDefaultOp(OperatorOp):
    'aten::remainder(Scalar a, Scalar b) -> Scalar'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class RemainderScalarOp(OperatorOp):
    'aten::remainder.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class RemainderScalarTensorOp(OperatorOp):
    'aten::remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class RemainderScalarTensorOutOp(OperatorOp):
    'aten::remainder.Scalar_Tensor_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class RemainderScalarOutOp(OperatorOp):
    'aten::remainder.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class RemainderTensorOp(OperatorOp):
    'aten::remainder.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class RemainderTensorOutOp(OperatorOp):
    'aten::remainder.Tensor_out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class RemainderFloatOp(OperatorOp):
    'aten::remainder.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class RemainderFloatIntOp(OperatorOp):
    'aten::remainder.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class RemainderIntOp(OperatorOp):
    'aten::remainder.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class RemainderIntFloatOp(OperatorOp):
    'aten::remainder.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class Remainder_ScalarOp(OperatorOp):
    'aten::remainder_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Remainder_TensorOp(OperatorOp):
    'aten::remainder_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class RemoveTensorOp(OperatorOp):
    'aten::remove.Tensor(Tensor[](a!) self, Tensor el) -> ()'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class RemoveBoolOp(OperatorOp):
    'aten::remove.bool(bool[](a!) self, bool el) -> ()'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class RemoveFloatOp(OperatorOp):
    'aten::remove.float(float[](a!) self, float el) -> ()'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class RemoveIntOp(OperatorOp):
    'aten::remove.int(int[](a!) self, int el) -> ()'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class RemoveStrOp(OperatorOp):
    'aten::remove.str(str[](a!) self, str el) -> ()'
    self: SSAValue
    el: SSAValue
    def __init__(_this, self: Given, el: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, el: Any, *, result_types: Types = ...) -> Self: ...

class RepeatOp(OperatorOp):
    'aten::repeat(Tensor self, SymInt[] repeats) -> Tensor'
    self: SSAValue
    repeats: SSAValue
    def __init__(_this, self: Given, repeats: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, repeats: Any, *, result_types: Types = ...) -> Self: ...

class RepeatOutOp(OperatorOp):
    'aten::repeat.out(Tensor self, SymInt[] repeats, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    repeats: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, repeats: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, repeats: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class RepeatInterleaveSelfTensorOp(OperatorOp):
    'aten::repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor'
    self: SSAValue
    repeats: SSAValue
    dim: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, repeats: Given, dim: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, repeats: Any, dim: Any = ..., *, output_size: Any = ..., result_types: Types = ...) -> Self: ...

class RepeatInterleaveSelfIntOp(OperatorOp):
    'aten::repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, SymInt? output_size=None) -> Tensor'
    self: SSAValue
    repeats: SSAValue
    dim: SSAValue
    output_size: SSAValue
    def __init__(_this, self: Given, repeats: Given, dim: Given, output_size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, repeats: Any, dim: Any = ..., *, output_size: Any = ..., result_types: Types = ...) -> Self: ...

class ReplaceOp(OperatorOp):
    'aten::replace(str self, str old, str new, int max=-1) -> str'
    self: SSAValue
    old: SSAValue
    new: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, old: Given, new: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, old: Any, new: Any, max: Any = ..., *, result_types: Types = ...) -> Self: ...

class RequiresGrad_Op(OperatorOp):
    'aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)'
    self: SSAValue
    requires_grad: SSAValue
    def __init__(_this, self: Given, requires_grad: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, requires_grad: Any = ..., *, result_types: Types = ...) -> Self: ...

class ReshapeOp(OperatorOp):
    'aten::reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)'
    self: SSAValue
    shape: SSAValue
    def __init__(_this, self: Given, shape: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, shape: Any, *, result_types: Types = ...) -> Self: ...

class ReshapeAsOp(OperatorOp):
    'aten::reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Resize_Op(OperatorOp):
    'aten::resize_(Tensor(a!) self, SymInt[] size, *, MemoryFormat? memory_format=None) -> Tensor(a!)'
    self: SSAValue
    size: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, size: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class ResolveConjOp(OperatorOp):
    'aten::resolve_conj(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ResolveNegOp(OperatorOp):
    'aten::resolve_neg(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ResultTypeScalarOp(OperatorOp):
    'aten::result_type.Scalar(Tensor tensor, Scalar other) -> ScalarType'
    tensor: SSAValue
    other: SSAValue
    def __init__(_this, tensor: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensor: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class ResultTypeScalarTensorOp(OperatorOp):
    'aten::result_type.Scalar_Tensor(Scalar scalar, Tensor tensor) -> ScalarType'
    scalar: SSAValue
    tensor: SSAValue
    def __init__(_this, scalar: Given, tensor: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, scalar: Any, tensor: Any, *, result_types: Types = ...) -> Self: ...

class ResultTypeTensorOp(OperatorOp):
    'aten::result_type.Tensor(Tensor tensor, Tensor other) -> ScalarType'
    tensor: SSAValue
    other: SSAValue
    def __init__(_this, tensor: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensor: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class ReverseTOp(OperatorOp):
    'aten::reverse.t(t[](a!) self) -> ()'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class RfindOp(OperatorOp):
    'aten::rfind(str self, str substr, int start=0, int end=-1) -> int'
    self: SSAValue
    substr: SSAValue
    start: SSAValue
    end: SSAValue
    def __init__(_this, self: Given, substr: Given, start: Given, end: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, substr: Any, start: Any = ..., end: Any = ..., *, result_types: Types = ...) -> Self: ...

class RindexOp(OperatorOp):
    'aten::rindex(str self, str substr, int start=0, int end=-1) -> int'
    self: SSAValue
    substr: SSAValue
    start: SSAValue
    end: SSAValue
    def __init__(_this, self: Given, substr: Given, start: Given, end: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, substr: Any, start: Any = ..., end: Any = ..., *, result_types: Types = ...) -> Self: ...

class RjustOp(OperatorOp):
    'aten::rjust(str self, int width, str fillchar=" ") -> str'
    self: SSAValue
    width: SSAValue
    fillchar: SSAValue
    def __init__(_this, self: Given, width: Given, fillchar: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, width: Any, fillchar: Any = ..., *, result_types: Types = ...) -> Self: ...

class RmsNormOp(OperatorOp):
    'aten::rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None) -> Tensor'
    input: SSAValue
    normalized_shape: SSAValue
    weight: SSAValue
    eps: SSAValue
    def __init__(_this, input: Given, normalized_shape: Given, weight: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, normalized_shape: Any, weight: Any = ..., eps: Any = ..., *, result_types: Types = ...) -> Self: ...

class RollOp(OperatorOp):
    'aten::roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor'
    self: SSAValue
    shifts: SSAValue
    dims: SSAValue
    def __init__(_this, self: Given, shifts: Given, dims: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, shifts: Any, dims: Any = ..., *, result_types: Types = ...) -> Self: ...

class RollOutOp(OperatorOp):
    'aten::roll.out(Tensor self, SymInt[1] shifts, int[1] dims=[], *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    shifts: SSAValue
    dims: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, shifts: Given, dims: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, shifts: Any, dims: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Rot90Op(OperatorOp):
    'aten::rot90(Tensor self, int k=1, int[] dims=[0, 1]) -> Tensor'
    self: SSAValue
    k: SSAValue
    dims: SSAValue
    def __init__(_this, self: Given, k: Given, dims: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, k: Any = ..., dims: Any = ..., *, result_types: Types = ...) -> Self: ...

class Rot90OutOp(OperatorOp):
    'aten::rot90.out(Tensor self, int k=1, int[] dims=[0, 1], *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    k: SSAValue
    dims: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, k: Given, dims: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, k: Any = ..., dims: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class RoundOp(OperatorOp):
    'aten::round(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class RoundScalarOp(OperatorOp):
    'aten::round.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class RoundDecimalsOp(OperatorOp):
    'aten::round.decimals(Tensor self, *, int decimals) -> Tensor'
    self: SSAValue
    decimals: SSAValue
    def __init__(_this, self: Given, decimals: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, decimals: Any, result_types: Types = ...) -> Self: ...

class RoundDecimalsOutOp(OperatorOp):
    'aten::round.decimals_out(Tensor self, *, int decimals, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    decimals: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, decimals: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, decimals: Any, out: Any, result_types: Types = ...) -> Self: ...

class RoundFloatOp(OperatorOp):
    'aten::round.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class RoundIntOp(OperatorOp):
    'aten::round.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class RoundOutOp(OperatorOp):
    'aten::round.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Round_Op(OperatorOp):
    'aten::round_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Round_DecimalsOp(OperatorOp):
    'aten::round_.decimals(Tensor(a!) self, *, int decimals) -> Tensor(a!)'
    self: SSAValue
    decimals: SSAValue
    def __init__(_this, self: Given, decimals: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, decimals: Any, result_types: Types = ...) -> Self: ...

class RowStackOp(OperatorOp):
    'aten::row_stack(Tensor[] tensors) -> Tensor'
    tensors: SSAValue
    def __init__(_this, tensors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, result_types: Types = ...) -> Self: ...

class RowStackOutOp(OperatorOp):
    'aten::row_stack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)'
    tensors: SSAValue
    out: SSAValue
    def __init__(_this, tensors: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class RpartitionOp(OperatorOp):
    'aten::rpartition(str self, str separator) -> (str, str, str)'
    self: SSAValue
    separator: SSAValue
    def __init__(_this, self: Given, separator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, separator: Any, *, result_types: Types = ...) -> Self: ...

class RsplitOp(OperatorOp):
    'aten::rsplit(str self, str separator=" ", int max=-1) -> str[]'
    self: SSAValue
    separator: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, separator: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, separator: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class RsqrtOp(OperatorOp):
    'aten::rsqrt(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class RsqrtOutOp(OperatorOp):
    'aten::rsqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Rsqrt_Op(OperatorOp):
    'aten::rsqrt_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class RstripOp(OperatorOp):
    'aten::rstrip(str self, str chars=" \\n\\t\\f\\v") -> str'
    self: SSAValue
    chars: SSAValue
    def __init__(_this, self: Given, chars: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, chars: Any = ..., *, result_types: Types = ...) -> Self: ...

class RsubScalarOp(OperatorOp):
    'aten::rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class RsubScalarOutOp(OperatorOp):
    'aten::rsub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class RsubTensorOp(OperatorOp):
    'aten::rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class RsubTensorOutOp(OperatorOp):
    'aten::rsub.Tensor_out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class ScalarTensorOp(OperatorOp):
    'aten::scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    s: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, s: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, s: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class ScaledDotProductAttentionOp(OperatorOp):
    'aten::scaled_dot_product_attention(Tensor query, Tensor key, Tensor value, Tensor? attn_mask=None, float dropout_p=0., bool is_causal=False, *, float? scale=None, bool enable_gqa=False) -> Tensor'
    query: SSAValue
    key: SSAValue
    value: SSAValue
    attn_mask: SSAValue
    dropout_p: SSAValue
    is_causal: SSAValue
    scale: SSAValue
    enable_gqa: SSAValue
    def __init__(_this, query: Given, key: Given, value: Given, attn_mask: Given, dropout_p: Given, is_causal: Given, scale: Given, enable_gqa: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, query: Any, key: Any, value: Any, attn_mask: Any = ..., dropout_p: Any = ..., is_causal: Any = ..., *, scale: Any = ..., enable_gqa: Any = ..., result_types: Types = ...) -> Self: ...

class ScatterReduceOp(OperatorOp):
    'aten::scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    reduce: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, reduce: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, reduce: Any, result_types: Types = ...) -> Self: ...

class ScatterReduceOutOp(OperatorOp):
    'aten::scatter.reduce_out(Tensor self, int dim, Tensor index, Tensor src, *, str reduce, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    reduce: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, reduce: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, reduce: Any, out: Any, result_types: Types = ...) -> Self: ...

class ScatterSrcOp(OperatorOp):
    'aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, result_types: Types = ...) -> Self: ...

class ScatterSrcOutOp(OperatorOp):
    'aten::scatter.src_out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ScatterValueOp(OperatorOp):
    'aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class ScatterValueOutOp(OperatorOp):
    'aten::scatter.value_out(Tensor self, int dim, Tensor index, Scalar value, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ScatterValueReduceOp(OperatorOp):
    'aten::scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    reduce: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, reduce: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, reduce: Any, result_types: Types = ...) -> Self: ...

class ScatterValueReduceOutOp(OperatorOp):
    'aten::scatter.value_reduce_out(Tensor self, int dim, Tensor index, Scalar value, *, str reduce, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    reduce: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, reduce: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, reduce: Any, out: Any, result_types: Types = ...) -> Self: ...

class Scatter_ReduceOp(OperatorOp):
    'aten::scatter_.reduce(Tensor(a!) self, int dim, Tensor index, Tensor src, *, str reduce) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    reduce: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, reduce: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, reduce: Any, result_types: Types = ...) -> Self: ...

class Scatter_SrcOp(OperatorOp):
    'aten::scatter_.src(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, result_types: Types = ...) -> Self: ...

class Scatter_ValueOp(OperatorOp):
    'aten::scatter_.value(Tensor(a!) self, int dim, Tensor index, Scalar value) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class Scatter_ValueReduceOp(OperatorOp):
    'aten::scatter_.value_reduce(Tensor(a!) self, int dim, Tensor index, Scalar value, *, str reduce) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    value: SSAValue
    reduce: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, value: Given, reduce: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, value: Any, *, reduce: Any, result_types: Types = ...) -> Self: ...

class ScatterAddOp(OperatorOp):
    'aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, result_types: Types = ...) -> Self: ...

class ScatterAddOutOp(OperatorOp):
    'aten::scatter_add.out(Tensor self, int dim, Tensor index, Tensor src, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ScatterAdd_Op(OperatorOp):
    'aten::scatter_add_(Tensor(a!) self, int dim, Tensor index, Tensor src) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    src: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, src: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, src: Any, *, result_types: Types = ...) -> Self: ...

class SelectIntOp(OperatorOp):
    'aten::select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)'
    self: SSAValue
    dim: SSAValue
    index: SSAValue
    def __init__(_this, self: Given, dim: Given, index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, index: Any, *, result_types: Types = ...) -> Self: ...

class SelectTOp(OperatorOp):
    'aten::select.t(t[](a) list, int idx) -> t(*)'
    list: SSAValue
    idx: SSAValue
    def __init__(_this, list: Given, idx: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, list: Any, idx: Any, *, result_types: Types = ...) -> Self: ...

class SelectBackwardOp(OperatorOp):
    'aten::select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index) -> Tensor'
    grad_output: SSAValue
    input_sizes: SSAValue
    dim: SSAValue
    index: SSAValue
    def __init__(_this, grad_output: Given, input_sizes: Given, dim: Given, index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, input_sizes: Any, dim: Any, index: Any, *, result_types: Types = ...) -> Self: ...

class SelectBackwardOutOp(OperatorOp):
    'aten::select_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)'
    grad_output: SSAValue
    input_sizes: SSAValue
    dim: SSAValue
    index: SSAValue
    out: SSAValue
    def __init__(_this, grad_output: Given, input_sizes: Given, dim: Given, index: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, input_sizes: Any, dim: Any, index: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SelectScatterOp(OperatorOp):
    'aten::select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor'
    self: SSAValue
    src: SSAValue
    dim: SSAValue
    index: SSAValue
    def __init__(_this, self: Given, src: Given, dim: Given, index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, src: Any, dim: Any, index: Any, *, result_types: Types = ...) -> Self: ...

class SelectScatterOutOp(OperatorOp):
    'aten::select_scatter.out(Tensor self, Tensor src, int dim, SymInt index, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    src: SSAValue
    dim: SSAValue
    index: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, src: Given, dim: Given, index: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, src: Any, dim: Any, index: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SeluOp(OperatorOp):
    'aten::selu(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Selu_Op(OperatorOp):
    'aten::selu_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SetGradEnabledOp(OperatorOp):
    'aten::set_grad_enabled(bool val) -> ()'
    val: SSAValue
    def __init__(_this, val: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, val: Any, *, result_types: Types = ...) -> Self: ...

class SetdefaultTensorOp(OperatorOp):
    'aten::setdefault.Tensor(Dict(Tensor, t)(a!) self, Tensor(b -> *) key, t(c -> *) default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class SetdefaultBoolOp(OperatorOp):
    'aten::setdefault.bool(Dict(bool, t)(a!) self, bool(b -> *) key, t(c -> *) default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class SetdefaultComplexOp(OperatorOp):
    'aten::setdefault.complex(Dict(complex, t)(a!) self, complex(b -> *) key, t(c -> *) default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class SetdefaultFloatOp(OperatorOp):
    'aten::setdefault.float(Dict(float, t)(a!) self, float(b -> *) key, t(c -> *) default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class SetdefaultIntOp(OperatorOp):
    'aten::setdefault.int(Dict(int, t)(a!) self, int(b -> *) key, t(c -> *) default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class SetdefaultStrOp(OperatorOp):
    'aten::setdefault.str(Dict(str, t)(a!) self, str(b -> *) key, t(c -> *) default_value) -> t(*)'
    self: SSAValue
    key: SSAValue
    default_value: SSAValue
    def __init__(_this, self: Given, key: Given, default_value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, key: Any, default_value: Any, *, result_types: Types = ...) -> Self: ...

class SgnOp(OperatorOp):
    'aten::sgn(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SgnOutOp(OperatorOp):
    'aten::sgn.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Sgn_Op(OperatorOp):
    'aten::sgn_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SigmoidOp(OperatorOp):
    'aten::sigmoid(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SigmoidOutOp(OperatorOp):
    'aten::sigmoid.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Sigmoid_Op(OperatorOp):
    'aten::sigmoid_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SigmoidBackwardOp(OperatorOp):
    'aten::sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor'
    grad_output: SSAValue
    output: SSAValue
    def __init__(_this, grad_output: Given, output: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, output: Any, *, result_types: Types = ...) -> Self: ...

class SignOp(OperatorOp):
    'aten::sign(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SignOutOp(OperatorOp):
    'aten::sign.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Sign_Op(OperatorOp):
    'aten::sign_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SiluOp(OperatorOp):
    'aten::silu(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SiluOutOp(OperatorOp):
    'aten::silu.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Silu_Op(OperatorOp):
    'aten::silu_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SiluBackwardOp(OperatorOp):
    'aten::silu_backward(Tensor grad_output, Tensor self) -> Tensor'
    grad_output: SSAValue
    self: SSAValue
    def __init__(_this, grad_output: Given, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, self: Any, *, result_types: Types = ...) -> Self: ...

class SinOp(OperatorOp):
    'aten::sin(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SinScalarOp(OperatorOp):
    'aten::sin.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SinComplexOp(OperatorOp):
    'aten::sin.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SinFloatOp(OperatorOp):
    'aten::sin.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SinIntOp(OperatorOp):
    'aten::sin.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SinOutOp(OperatorOp):
    'aten::sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Sin_Op(OperatorOp):
    'aten::sin_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SincOp(OperatorOp):
    'aten::sinc(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SincOutOp(OperatorOp):
    'aten::sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Sinc_Op(OperatorOp):
    'aten::sinc_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SinhOp(OperatorOp):
    'aten::sinh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SinhScalarOp(OperatorOp):
    'aten::sinh.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SinhComplexOp(OperatorOp):
    'aten::sinh.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SinhFloatOp(OperatorOp):
    'aten::sinh.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SinhIntOp(OperatorOp):
    'aten::sinh.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SinhOutOp(OperatorOp):
    'aten::sinh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Sinh_Op(OperatorOp):
    'aten::sinh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SizeOp(OperatorOp):
    'aten::size(Tensor self) -> int[]'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SizeIntOp(OperatorOp):
    'aten::size.int(Tensor self, int dim) -> int'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class SliceTensorOp(OperatorOp):
    'aten::slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor(a)'
    self: SSAValue
    dim: SSAValue
    start: SSAValue
    end: SSAValue
    step: SSAValue
    def __init__(_this, self: Given, dim: Given, start: Given, end: Given, step: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., start: Any = ..., end: Any = ..., step: Any = ..., *, result_types: Types = ...) -> Self: ...

class SliceStrOp(OperatorOp):
    'aten::slice.str(str string, int? start=None, int? end=None, int step=1) -> str'
    string: SSAValue
    start: SSAValue
    end: SSAValue
    step: SSAValue
    def __init__(_this, string: Given, start: Given, end: Given, step: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, string: Any, start: Any = ..., end: Any = ..., step: Any = ..., *, result_types: Types = ...) -> Self: ...

class SliceTOp(OperatorOp):
    'aten::slice.t(t[] l, int? start=None, int? end=None, int step=1) -> t[]'
    l: SSAValue
    start: SSAValue
    end: SSAValue
    step: SSAValue
    def __init__(_this, l: Given, start: Given, end: Given, step: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, l: Any, start: Any = ..., end: Any = ..., step: Any = ..., *, result_types: Types = ...) -> Self: ...

class SliceBackwardOp(OperatorOp):
    'aten::slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step) -> Tensor'
    grad_output: SSAValue
    input_sizes: SSAValue
    dim: SSAValue
    start: SSAValue
    end: SSAValue
    step: SSAValue
    def __init__(_this, grad_output: Given, input_sizes: Given, dim: Given, start: Given, end: Given, step: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, input_sizes: Any, dim: Any, start: Any, end: Any, step: Any, *, result_types: Types = ...) -> Self: ...

class SliceBackwardOutOp(OperatorOp):
    'aten::slice_backward.out(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt start, SymInt end, SymInt step, *, Tensor(a!) out) -> Tensor(a!)'
    grad_output: SSAValue
    input_sizes: SSAValue
    dim: SSAValue
    start: SSAValue
    end: SSAValue
    step: SSAValue
    out: SSAValue
    def __init__(_this, grad_output: Given, input_sizes: Given, dim: Given, start: Given, end: Given, step: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, input_sizes: Any, dim: Any, start: Any, end: Any, step: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SliceScatterOp(OperatorOp):
    'aten::slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1) -> Tensor'
    self: SSAValue
    src: SSAValue
    dim: SSAValue
    start: SSAValue
    end: SSAValue
    step: SSAValue
    def __init__(_this, self: Given, src: Given, dim: Given, start: Given, end: Given, step: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, src: Any, dim: Any = ..., start: Any = ..., end: Any = ..., step: Any = ..., *, result_types: Types = ...) -> Self: ...

class SliceScatterOutOp(OperatorOp):
    'aten::slice_scatter.out(Tensor self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, SymInt step=1, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    src: SSAValue
    dim: SSAValue
    start: SSAValue
    end: SSAValue
    step: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, src: Given, dim: Given, start: Given, end: Given, step: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, src: Any, dim: Any = ..., start: Any = ..., end: Any = ..., step: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class SmoothL1LossOp(OperatorOp):
    'aten::smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor'
    self: SSAValue
    target: SSAValue
    reduction: SSAValue
    beta: SSAValue
    def __init__(_this, self: Given, target: Given, reduction: Given, beta: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, target: Any, reduction: Any = ..., beta: Any = ..., *, result_types: Types = ...) -> Self: ...

class SoftmaxIntOp(OperatorOp):
    'aten::softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, dtype: Any = ..., *, result_types: Types = ...) -> Self: ...

class SoftmaxIntOutOp(OperatorOp):
    'aten::softmax.int_out(Tensor self, int dim, ScalarType? dtype=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, dtype: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class SoftplusOp(OperatorOp):
    'aten::softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor'
    self: SSAValue
    beta: SSAValue
    threshold: SSAValue
    def __init__(_this, self: Given, beta: Given, threshold: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, beta: Any = ..., threshold: Any = ..., *, result_types: Types = ...) -> Self: ...

class SoftplusOutOp(OperatorOp):
    'aten::softplus.out(Tensor self, Scalar beta=1, Scalar threshold=20, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    beta: SSAValue
    threshold: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, beta: Given, threshold: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, beta: Any = ..., threshold: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class SoftshrinkOp(OperatorOp):
    'aten::softshrink(Tensor self, Scalar lambd=0.5) -> Tensor'
    self: SSAValue
    lambd: SSAValue
    def __init__(_this, self: Given, lambd: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, lambd: Any = ..., *, result_types: Types = ...) -> Self: ...

class SoftshrinkOutOp(OperatorOp):
    'aten::softshrink.out(Tensor self, Scalar lambd=0.5, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    lambd: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, lambd: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, lambd: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class SortOp(OperatorOp):
    'aten::sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)'
    self: SSAValue
    dim: SSAValue
    descending: SSAValue
    def __init__(_this, self: Given, dim: Given, descending: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., descending: Any = ..., *, result_types: Types = ...) -> Self: ...

class SortTensorOp(OperatorOp):
    'aten::sort.Tensor(Tensor[](a!) self, bool reverse=False) -> ()'
    self: SSAValue
    reverse: SSAValue
    def __init__(_this, self: Given, reverse: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, reverse: Any = ..., *, result_types: Types = ...) -> Self: ...

class SortAnyOp(OperatorOp):
    'aten::sort.any(t[](a!) self, bool reverse=False) -> ()'
    self: SSAValue
    reverse: SSAValue
    def __init__(_this, self: Given, reverse: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, reverse: Any = ..., *, result_types: Types = ...) -> Self: ...

class SortBoolOp(OperatorOp):
    'aten::sort.bool(bool[](a!) self, bool reverse=False) -> ()'
    self: SSAValue
    reverse: SSAValue
    def __init__(_this, self: Given, reverse: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, reverse: Any = ..., *, result_types: Types = ...) -> Self: ...

class SortFloatOp(OperatorOp):
    'aten::sort.float(float[](a!) self, bool reverse=False) -> ()'
    self: SSAValue
    reverse: SSAValue
    def __init__(_this, self: Given, reverse: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, reverse: Any = ..., *, result_types: Types = ...) -> Self: ...

class SortIntOp(OperatorOp):
    'aten::sort.int(int[](a!) self, bool reverse=False) -> ()'
    self: SSAValue
    reverse: SSAValue
    def __init__(_this, self: Given, reverse: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, reverse: Any = ..., *, result_types: Types = ...) -> Self: ...

class SortStableOp(OperatorOp):
    'aten::sort.stable(Tensor self, *, bool? stable, int dim=-1, bool descending=False) -> (Tensor values, Tensor indices)'
    self: SSAValue
    stable: SSAValue
    dim: SSAValue
    descending: SSAValue
    def __init__(_this, self: Given, stable: Given, dim: Given, descending: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, stable: Any, dim: Any = ..., descending: Any = ..., result_types: Types = ...) -> Self: ...

class SortStrOp(OperatorOp):
    'aten::sort.str(str[](a!) self, bool reverse=False) -> ()'
    self: SSAValue
    reverse: SSAValue
    def __init__(_this, self: Given, reverse: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, reverse: Any = ..., *, result_types: Types = ...) -> Self: ...

class SortedTensorOp(OperatorOp):
    'aten::sorted.Tensor(Tensor[](a) input) -> Tensor[]'
    input: SSAValue
    def __init__(_this, input: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, *, result_types: Types = ...) -> Self: ...

class SortedAnyOp(OperatorOp):
    'aten::sorted.any(t[](a) self) -> t[]'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SortedBoolOp(OperatorOp):
    'aten::sorted.bool(bool[](a) input) -> bool[]'
    input: SSAValue
    def __init__(_this, input: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, *, result_types: Types = ...) -> Self: ...

class SortedFloatOp(OperatorOp):
    'aten::sorted.float(float[](a) input) -> float[]'
    input: SSAValue
    def __init__(_this, input: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, *, result_types: Types = ...) -> Self: ...

class SortedIntOp(OperatorOp):
    'aten::sorted.int(int[](a) input) -> int[]'
    input: SSAValue
    def __init__(_this, input: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, *, result_types: Types = ...) -> Self: ...

class SortedStrOp(OperatorOp):
    'aten::sorted.str(str[](a) input) -> str[]'
    input: SSAValue
    def __init__(_this, input: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, *, result_types: Types = ...) -> Self: ...

class SpecialEntrOp(OperatorOp):
    'aten::special_entr(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SpecialEntrOutOp(OperatorOp):
    'aten::special_entr.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialErfOp(OperatorOp):
    'aten::special_erf(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SpecialErfOutOp(OperatorOp):
    'aten::special_erf.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialErfcOp(OperatorOp):
    'aten::special_erfc(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SpecialErfcOutOp(OperatorOp):
    'aten::special_erfc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialExp2Op(OperatorOp):
    'aten::special_exp2(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SpecialExp2OutOp(OperatorOp):
    'aten::special_exp2.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialExpitOp(OperatorOp):
    'aten::special_expit(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SpecialExpitOutOp(OperatorOp):
    'aten::special_expit.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialExpm1Op(OperatorOp):
    'aten::special_expm1(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SpecialExpm1OutOp(OperatorOp):
    'aten::special_expm1.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialLog1pOp(OperatorOp):
    'aten::special_log1p(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SpecialLog1pOutOp(OperatorOp):
    'aten::special_log1p.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialLogSoftmaxOp(OperatorOp):
    'aten::special_log_softmax(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class SpecialLogitOp(OperatorOp):
    'aten::special_logit(Tensor self, float? eps=None) -> Tensor'
    self: SSAValue
    eps: SSAValue
    def __init__(_this, self: Given, eps: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, eps: Any = ..., *, result_types: Types = ...) -> Self: ...

class SpecialLogitOutOp(OperatorOp):
    'aten::special_logit.out(Tensor self, float? eps=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    eps: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, eps: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, eps: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialSincOp(OperatorOp):
    'aten::special_sinc(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SpecialSincOutOp(OperatorOp):
    'aten::special_sinc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialSoftmaxOp(OperatorOp):
    'aten::special_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, dtype: Any = ..., *, result_types: Types = ...) -> Self: ...

class SpecialXlogyOp(OperatorOp):
    'aten::special_xlogy(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class SpecialXlogyOtherScalarOp(OperatorOp):
    'aten::special_xlogy.other_scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class SpecialXlogyOtherScalarOutOp(OperatorOp):
    'aten::special_xlogy.other_scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialXlogyOutOp(OperatorOp):
    'aten::special_xlogy.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SpecialXlogySelfScalarOp(OperatorOp):
    'aten::special_xlogy.self_scalar(Scalar self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class SpecialXlogySelfScalarOutOp(OperatorOp):
    'aten::special_xlogy.self_scalar_out(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class SplitOp(OperatorOp):
    'aten::split(Tensor(a -> *) self, int[] split_sizes, int dim=0) -> Tensor(a)[]'
    self: SSAValue
    split_sizes: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, split_sizes: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, split_sizes: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class SplitTensorOp(OperatorOp):
    'aten::split.Tensor(Tensor(a -> *) self, SymInt split_size, int dim=0) -> Tensor(a)[]'
    self: SSAValue
    split_size: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, split_size: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, split_size: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class SplitSizesOp(OperatorOp):
    'aten::split.sizes(Tensor(a -> *) self, SymInt[] split_size, int dim=0) -> Tensor(a)[]'
    self: SSAValue
    split_size: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, split_size: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, split_size: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class SplitStrOp(OperatorOp):
    'aten::split.str(str self, str? separator=None, int max=-1) -> str[]'
    self: SSAValue
    separator: SSAValue
    max: SSAValue
    def __init__(_this, self: Given, separator: Given, max: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, separator: Any = ..., max: Any = ..., *, result_types: Types = ...) -> Self: ...

class SplitWithSizesOp(OperatorOp):
    'aten::split_with_sizes(Tensor(a -> *) self, SymInt[] split_sizes, int dim=0) -> Tensor(a)[]'
    self: SSAValue
    split_sizes: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, split_sizes: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, split_sizes: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class SplitlinesOp(OperatorOp):
    'aten::splitlines(str self, bool keepends=False) -> str[]'
    self: SSAValue
    keepends: SSAValue
    def __init__(_this, self: Given, keepends: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, keepends: Any = ..., *, result_types: Types = ...) -> Self: ...

class SqrtOp(OperatorOp):
    'aten::sqrt(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SqrtScalarOp(OperatorOp):
    'aten::sqrt.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SqrtComplexOp(OperatorOp):
    'aten::sqrt.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SqrtFloatOp(OperatorOp):
    'aten::sqrt.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SqrtIntOp(OperatorOp):
    'aten::sqrt.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class SqrtOutOp(OperatorOp):
    'aten::sqrt.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Sqrt_Op(OperatorOp):
    'aten::sqrt_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SquareOp(OperatorOp):
    'aten::square(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SquareOutOp(OperatorOp):
    'aten::square.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Square_Op(OperatorOp):
    'aten::square_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SqueezeOp(OperatorOp):
    'aten::squeeze(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SqueezeDimOp(OperatorOp):
    'aten::squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class SqueezeDimsOp(OperatorOp):
    'aten::squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class Squeeze_Op(OperatorOp):
    'aten::squeeze_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class Squeeze_DimOp(OperatorOp):
    'aten::squeeze_.dim(Tensor(a!) self, int dim) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class Squeeze_DimsOp(OperatorOp):
    'aten::squeeze_.dims(Tensor(a!) self, int[] dim) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class StackOp(OperatorOp):
    'aten::stack(Tensor[] tensors, int dim=0) -> Tensor'
    tensors: SSAValue
    dim: SSAValue
    def __init__(_this, tensors: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class StackOutOp(OperatorOp):
    'aten::stack.out(Tensor[] tensors, int dim=0, *, Tensor(a!) out) -> Tensor(a!)'
    tensors: SSAValue
    dim: SSAValue
    out: SSAValue
    def __init__(_this, tensors: Given, dim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, dim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class StartswithOp(OperatorOp):
    'aten::startswith(str self, str substr, int start=0, int end=-1) -> bool'
    self: SSAValue
    substr: SSAValue
    start: SSAValue
    end: SSAValue
    def __init__(_this, self: Given, substr: Given, start: Given, end: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, substr: Any, start: Any = ..., end: Any = ..., *, result_types: Types = ...) -> Self: ...

class StdOp(OperatorOp):
    'aten::std(Tensor self, bool unbiased=True) -> Tensor'
    self: SSAValue
    unbiased: SSAValue
    def __init__(_this, self: Given, unbiased: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, unbiased: Any = ..., *, result_types: Types = ...) -> Self: ...

class StdCorrectionOp(OperatorOp):
    'aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    correction: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, correction: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, correction: Any = ..., keepdim: Any = ..., result_types: Types = ...) -> Self: ...

class StdCorrectionOutOp(OperatorOp):
    'aten::std.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    correction: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, correction: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, correction: Any = ..., keepdim: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class StdDimOp(OperatorOp):
    'aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    unbiased: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, unbiased: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, unbiased: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class StdOutOp(OperatorOp):
    'aten::std.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    unbiased: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, unbiased: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, unbiased: Any = ..., keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class StdMeanOp(OperatorOp):
    'aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)'
    self: SSAValue
    unbiased: SSAValue
    def __init__(_this, self: Given, unbiased: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, unbiased: Any = ..., *, result_types: Types = ...) -> Self: ...

class StdMeanCorrectionOp(OperatorOp):
    'aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)'
    self: SSAValue
    dim: SSAValue
    correction: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, correction: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, correction: Any = ..., keepdim: Any = ..., result_types: Types = ...) -> Self: ...

class StdMeanDimOp(OperatorOp):
    'aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)'
    self: SSAValue
    dim: SSAValue
    unbiased: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, unbiased: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, unbiased: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class StorageOffsetOp(OperatorOp):
    'aten::storage_offset(Tensor self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class StrOp(OperatorOp):
    'aten::str(t elem) -> str'
    elem: SSAValue
    def __init__(_this, elem: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, elem: Any, *, result_types: Types = ...) -> Self: ...

class StrideOp(OperatorOp):
    'aten::stride(Tensor self) -> int[]'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class StrideIntOp(OperatorOp):
    'aten::stride.int(Tensor self, int dim) -> int'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class StripOp(OperatorOp):
    'aten::strip(str self, str chars=" \\n\\t\\f\\v") -> str'
    self: SSAValue
    chars: SSAValue
    def __init__(_this, self: Given, chars: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, chars: Any = ..., *, result_types: Types = ...) -> Self: ...

class SubDefaultOp(OperatorOp):
    'aten::sub(Scalar a, Scalar b) -> Scalar'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubScalarOp(OperatorOp):
    'aten::sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class SubScalarOutOp(OperatorOp):
    'aten::sub.Scalar_out(Tensor self, Scalar other, Scalar alpha=1, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class SubTensorOp(OperatorOp):
    'aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class SubComplexOp(OperatorOp):
    'aten::sub.complex(complex a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubComplexFloatOp(OperatorOp):
    'aten::sub.complex_float(complex a, float b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubComplexIntOp(OperatorOp):
    'aten::sub.complex_int(complex a, int b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubFloatOp(OperatorOp):
    'aten::sub.float(float a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubFloatComplexOp(OperatorOp):
    'aten::sub.float_complex(float a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubFloatIntOp(OperatorOp):
    'aten::sub.float_int(float a, int b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubIntOp(OperatorOp):
    'aten::sub.int(int a, int b) -> int'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubIntComplexOp(OperatorOp):
    'aten::sub.int_complex(int a, complex b) -> complex'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubIntFloatOp(OperatorOp):
    'aten::sub.int_float(int a, float b) -> float'
    a: SSAValue
    b: SSAValue
    def __init__(_this, a: Given, b: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, b: Any, *, result_types: Types = ...) -> Self: ...

class SubOutOp(OperatorOp):
    'aten::sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Sub_ScalarOp(OperatorOp):
    'aten::sub_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class Sub_TensorOp(OperatorOp):
    'aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class SubtractScalarOp(OperatorOp):
    'aten::subtract.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class SubtractTensorOp(OperatorOp):
    'aten::subtract.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class SubtractOutOp(OperatorOp):
    'aten::subtract.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class Subtract_ScalarOp(OperatorOp):
    'aten::subtract_.Scalar(Tensor(a!) self, Scalar other, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, alpha: Any = ..., *, result_types: Types = ...) -> Self: ...

class Subtract_TensorOp(OperatorOp):
    'aten::subtract_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    alpha: SSAValue
    def __init__(_this, self: Given, other: Given, alpha: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, alpha: Any = ..., result_types: Types = ...) -> Self: ...

class SumOp(OperatorOp):
    'aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class SumIntListOutOp(OperatorOp):
    'aten::sum.IntList_out(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class SumBoolOp(OperatorOp):
    'aten::sum.bool(bool[] self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SumComplexOp(OperatorOp):
    'aten::sum.complex(complex[] self) -> complex'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SumDimIntListOp(OperatorOp):
    'aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor'
    self: SSAValue
    dim: SSAValue
    keepdim: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dim: Given, keepdim: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, keepdim: Any = ..., *, dtype: Any = ..., result_types: Types = ...) -> Self: ...

class SumFloatOp(OperatorOp):
    'aten::sum.float(float[] self) -> float'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SumIntOp(OperatorOp):
    'aten::sum.int(int[] self) -> int'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SumOutOp(OperatorOp):
    'aten::sum.out(Tensor self, *, ScalarType? dtype=None, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dtype: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dtype: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class SumToSizeOp(OperatorOp):
    'aten::sum_to_size(Tensor self, SymInt[] size) -> Tensor'
    self: SSAValue
    size: SSAValue
    def __init__(_this, self: Given, size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, result_types: Types = ...) -> Self: ...

class SwapaxesOp(OperatorOp):
    'aten::swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)'
    self: SSAValue
    axis0: SSAValue
    axis1: SSAValue
    def __init__(_this, self: Given, axis0: Given, axis1: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, axis0: Any, axis1: Any, *, result_types: Types = ...) -> Self: ...

class Swapaxes_Op(OperatorOp):
    'aten::swapaxes_(Tensor(a!) self, int axis0, int axis1) -> Tensor(a!)'
    self: SSAValue
    axis0: SSAValue
    axis1: SSAValue
    def __init__(_this, self: Given, axis0: Given, axis1: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, axis0: Any, axis1: Any, *, result_types: Types = ...) -> Self: ...

class SwapcaseOp(OperatorOp):
    'aten::swapcase(str self) -> str'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SwapdimsOp(OperatorOp):
    'aten::swapdims(Tensor(a) self, int dim0, int dim1) -> Tensor(a)'
    self: SSAValue
    dim0: SSAValue
    dim1: SSAValue
    def __init__(_this, self: Given, dim0: Given, dim1: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim0: Any, dim1: Any, *, result_types: Types = ...) -> Self: ...

class Swapdims_Op(OperatorOp):
    'aten::swapdims_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)'
    self: SSAValue
    dim0: SSAValue
    dim1: SSAValue
    def __init__(_this, self: Given, dim0: Given, dim1: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim0: Any, dim1: Any, *, result_types: Types = ...) -> Self: ...

class SymNumelOp(OperatorOp):
    'aten::sym_numel(Tensor self) -> SymInt'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SymSizeOp(OperatorOp):
    'aten::sym_size(Tensor self) -> SymInt[]'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SymSizeIntOp(OperatorOp):
    'aten::sym_size.int(Tensor self, int dim) -> SymInt'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class SymStorageOffsetOp(OperatorOp):
    'aten::sym_storage_offset(Tensor self) -> SymInt'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SymStrideOp(OperatorOp):
    'aten::sym_stride(Tensor self) -> SymInt[]'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class SymStrideIntOp(OperatorOp):
    'aten::sym_stride.int(Tensor self, int dim) -> SymInt'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class TOp(OperatorOp):
    'aten::t(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class T_Op(OperatorOp):
    'aten::t_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class TakeOp(OperatorOp):
    'aten::take(Tensor self, Tensor index) -> Tensor'
    self: SSAValue
    index: SSAValue
    def __init__(_this, self: Given, index: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, index: Any, *, result_types: Types = ...) -> Self: ...

class TakeOutOp(OperatorOp):
    'aten::take.out(Tensor self, Tensor index, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    index: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, index: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, index: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class TanOp(OperatorOp):
    'aten::tan(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class TanScalarOp(OperatorOp):
    'aten::tan.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TanComplexOp(OperatorOp):
    'aten::tan.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TanFloatOp(OperatorOp):
    'aten::tan.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TanIntOp(OperatorOp):
    'aten::tan.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TanOutOp(OperatorOp):
    'aten::tan.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Tan_Op(OperatorOp):
    'aten::tan_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class TanhOp(OperatorOp):
    'aten::tanh(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class TanhScalarOp(OperatorOp):
    'aten::tanh.Scalar(Scalar a) -> Scalar'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TanhComplexOp(OperatorOp):
    'aten::tanh.complex(complex a) -> complex'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TanhFloatOp(OperatorOp):
    'aten::tanh.float(float a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TanhIntOp(OperatorOp):
    'aten::tanh.int(int a) -> float'
    a: SSAValue
    def __init__(_this, a: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, a: Any, *, result_types: Types = ...) -> Self: ...

class TanhOutOp(OperatorOp):
    'aten::tanh.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Tanh_Op(OperatorOp):
    'aten::tanh_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class TanhBackwardOp(OperatorOp):
    'aten::tanh_backward(Tensor grad_output, Tensor output) -> Tensor'
    grad_output: SSAValue
    output: SSAValue
    def __init__(_this, grad_output: Given, output: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, output: Any, *, result_types: Types = ...) -> Self: ...

class TensorOp(OperatorOp):
    'aten::tensor(t[] data, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor'
    data: SSAValue
    dtype: SSAValue
    device: SSAValue
    requires_grad: SSAValue
    def __init__(_this, data: Given, dtype: Given, device: Given, requires_grad: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, data: Any, *, dtype: Any = ..., device: Any = ..., requires_grad: Any = ..., result_types: Types = ...) -> Self: ...

class TensorBoolOp(OperatorOp):
    'aten::tensor.bool(bool t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor'
    t: SSAValue
    dtype: SSAValue
    device: SSAValue
    requires_grad: SSAValue
    def __init__(_this, t: Given, dtype: Given, device: Given, requires_grad: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, t: Any, *, dtype: Any = ..., device: Any = ..., requires_grad: Any = ..., result_types: Types = ...) -> Self: ...

class TensorComplexOp(OperatorOp):
    'aten::tensor.complex(complex t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor'
    t: SSAValue
    dtype: SSAValue
    device: SSAValue
    requires_grad: SSAValue
    def __init__(_this, t: Given, dtype: Given, device: Given, requires_grad: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, t: Any, *, dtype: Any = ..., device: Any = ..., requires_grad: Any = ..., result_types: Types = ...) -> Self: ...

class TensorFloatOp(OperatorOp):
    'aten::tensor.float(float t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor'
    t: SSAValue
    dtype: SSAValue
    device: SSAValue
    requires_grad: SSAValue
    def __init__(_this, t: Given, dtype: Given, device: Given, requires_grad: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, t: Any, *, dtype: Any = ..., device: Any = ..., requires_grad: Any = ..., result_types: Types = ...) -> Self: ...

class TensorIntOp(OperatorOp):
    'aten::tensor.int(int t, *, ScalarType? dtype=None, Device? device=None, bool requires_grad=False) -> Tensor'
    t: SSAValue
    dtype: SSAValue
    device: SSAValue
    requires_grad: SSAValue
    def __init__(_this, t: Given, dtype: Given, device: Given, requires_grad: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, t: Any, *, dtype: Any = ..., device: Any = ..., requires_grad: Any = ..., result_types: Types = ...) -> Self: ...

class TensorSplitIndicesOp(OperatorOp):
    'aten::tensor_split.indices(Tensor(a -> *) self, SymInt[] indices, int dim=0) -> Tensor(a)[]'
    self: SSAValue
    indices: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, indices: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, indices: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class TensorSplitSectionsOp(OperatorOp):
    'aten::tensor_split.sections(Tensor(a -> *) self, SymInt sections, int dim=0) -> Tensor(a)[]'
    self: SSAValue
    sections: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, sections: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, sections: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class ThresholdOp(OperatorOp):
    'aten::threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor'
    self: SSAValue
    threshold: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, threshold: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, threshold: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class ThresholdOutOp(OperatorOp):
    'aten::threshold.out(Tensor self, Scalar threshold, Scalar value, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    threshold: SSAValue
    value: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, threshold: Given, value: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, threshold: Any, value: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Threshold_Op(OperatorOp):
    'aten::threshold_(Tensor(a!) self, Scalar threshold, Scalar value) -> Tensor(a!)'
    self: SSAValue
    threshold: SSAValue
    value: SSAValue
    def __init__(_this, self: Given, threshold: Given, value: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, threshold: Any, value: Any, *, result_types: Types = ...) -> Self: ...

class ThresholdBackwardOp(OperatorOp):
    'aten::threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor'
    grad_output: SSAValue
    self: SSAValue
    threshold: SSAValue
    def __init__(_this, grad_output: Given, self: Given, threshold: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, grad_output: Any, self: Any, threshold: Any, *, result_types: Types = ...) -> Self: ...

class TileOp(OperatorOp):
    'aten::tile(Tensor self, SymInt[] dims) -> Tensor'
    self: SSAValue
    dims: SSAValue
    def __init__(_this, self: Given, dims: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dims: Any, *, result_types: Types = ...) -> Self: ...

class TitleOp(OperatorOp):
    'aten::title(str self) -> str'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ToDeviceOp(OperatorOp):
    'aten::to.device(Tensor(a) self, Device device, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)'
    self: SSAValue
    device: SSAValue
    dtype: SSAValue
    non_blocking: SSAValue
    copy: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, device: Given, dtype: Given, non_blocking: Given, copy: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, device: Any, dtype: Any, non_blocking: Any = ..., copy: Any = ..., memory_format: Any = ..., *, result_types: Types = ...) -> Self: ...

class ToDtypeOp(OperatorOp):
    'aten::to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)'
    self: SSAValue
    dtype: SSAValue
    non_blocking: SSAValue
    copy: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, dtype: Given, non_blocking: Given, copy: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dtype: Any, non_blocking: Any = ..., copy: Any = ..., memory_format: Any = ..., *, result_types: Types = ...) -> Self: ...

class ToDtypeLayoutOp(OperatorOp):
    'aten::to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)'
    self: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    non_blocking: SSAValue
    copy: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, non_blocking: Given, copy: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., non_blocking: Any = ..., copy: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class ToOtherOp(OperatorOp):
    'aten::to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> Tensor(a)'
    self: SSAValue
    other: SSAValue
    non_blocking: SSAValue
    copy: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, other: Given, non_blocking: Given, copy: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, non_blocking: Any = ..., copy: Any = ..., memory_format: Any = ..., *, result_types: Types = ...) -> Self: ...

class ToPrimDeviceOp(OperatorOp):
    'aten::to.prim_Device(Tensor(a) self, Device? device, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)'
    self: SSAValue
    device: SSAValue
    dtype: SSAValue
    non_blocking: SSAValue
    copy: SSAValue
    def __init__(_this, self: Given, device: Given, dtype: Given, non_blocking: Given, copy: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, device: Any, dtype: Any = ..., non_blocking: Any = ..., copy: Any = ..., *, result_types: Types = ...) -> Self: ...

class ToPrimDtypeOp(OperatorOp):
    'aten::to.prim_dtype(Tensor(a) self, int? dtype=None, bool non_blocking=False, bool copy=False) -> Tensor(b|a)'
    self: SSAValue
    dtype: SSAValue
    non_blocking: SSAValue
    copy: SSAValue
    def __init__(_this, self: Given, dtype: Given, non_blocking: Given, copy: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dtype: Any = ..., non_blocking: Any = ..., copy: Any = ..., *, result_types: Types = ...) -> Self: ...

class ToPrimOtherOp(OperatorOp):
    'aten::to.prim_other(Tensor(a) self, bool non_blocking=False, bool copy=False) -> Tensor(b|a)'
    self: SSAValue
    non_blocking: SSAValue
    copy: SSAValue
    def __init__(_this, self: Given, non_blocking: Given, copy: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, non_blocking: Any = ..., copy: Any = ..., *, result_types: Types = ...) -> Self: ...

class TopkOp(OperatorOp):
    'aten::topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool sorted=True) -> (Tensor values, Tensor indices)'
    self: SSAValue
    k: SSAValue
    dim: SSAValue
    largest: SSAValue
    sorted: SSAValue
    def __init__(_this, self: Given, k: Given, dim: Given, largest: Given, sorted: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, k: Any, dim: Any = ..., largest: Any = ..., sorted: Any = ..., *, result_types: Types = ...) -> Self: ...

class TraceOp(OperatorOp):
    'aten::trace(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class TraceOutOp(OperatorOp):
    'aten::trace.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class TransposeIntOp(OperatorOp):
    'aten::transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)'
    self: SSAValue
    dim0: SSAValue
    dim1: SSAValue
    def __init__(_this, self: Given, dim0: Given, dim1: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim0: Any, dim1: Any, *, result_types: Types = ...) -> Self: ...

class Transpose_Op(OperatorOp):
    'aten::transpose_(Tensor(a!) self, int dim0, int dim1) -> Tensor(a!)'
    self: SSAValue
    dim0: SSAValue
    dim1: SSAValue
    def __init__(_this, self: Given, dim0: Given, dim1: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim0: Any, dim1: Any, *, result_types: Types = ...) -> Self: ...

class TrilOp(OperatorOp):
    'aten::tril(Tensor self, SymInt diagonal=0) -> Tensor'
    self: SSAValue
    diagonal: SSAValue
    def __init__(_this, self: Given, diagonal: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, diagonal: Any = ..., *, result_types: Types = ...) -> Self: ...

class TrilOutOp(OperatorOp):
    'aten::tril.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    diagonal: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, diagonal: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, diagonal: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Tril_Op(OperatorOp):
    'aten::tril_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)'
    self: SSAValue
    diagonal: SSAValue
    def __init__(_this, self: Given, diagonal: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, diagonal: Any = ..., *, result_types: Types = ...) -> Self: ...

class TrilIndicesOp(OperatorOp):
    'aten::tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    row: SSAValue
    col: SSAValue
    offset: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, row: Given, col: Given, offset: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, row: Any, col: Any, offset: Any = ..., *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class TriuOp(OperatorOp):
    'aten::triu(Tensor self, SymInt diagonal=0) -> Tensor'
    self: SSAValue
    diagonal: SSAValue
    def __init__(_this, self: Given, diagonal: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, diagonal: Any = ..., *, result_types: Types = ...) -> Self: ...

class TriuOutOp(OperatorOp):
    'aten::triu.out(Tensor self, SymInt diagonal=0, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    diagonal: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, diagonal: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, diagonal: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class Triu_Op(OperatorOp):
    'aten::triu_(Tensor(a!) self, SymInt diagonal=0) -> Tensor(a!)'
    self: SSAValue
    diagonal: SSAValue
    def __init__(_this, self: Given, diagonal: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, diagonal: Any = ..., *, result_types: Types = ...) -> Self: ...

class TriuIndicesOp(OperatorOp):
    'aten::triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    row: SSAValue
    col: SSAValue
    offset: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, row: Given, col: Given, offset: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, row: Any, col: Any, offset: Any = ..., *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class TrueDivideScalarOp(OperatorOp):
    'aten::true_divide.Scalar(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class TrueDivideTensorOp(OperatorOp):
    'aten::true_divide.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class TrueDivideOutOp(OperatorOp):
    'aten::true_divide.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class TrueDivide_ScalarOp(OperatorOp):
    'aten::true_divide_.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class TrueDivide_TensorOp(OperatorOp):
    'aten::true_divide_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class TruncOp(OperatorOp):
    'aten::trunc(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class TruncOutOp(OperatorOp):
    'aten::trunc.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Trunc_Op(OperatorOp):
    'aten::trunc_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class TypeAsOp(OperatorOp):
    'aten::type_as(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class UnbindIntOp(OperatorOp):
    'aten::unbind.int(Tensor(a -> *) self, int dim=0) -> Tensor(a)[]'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class UnflattenIntOp(OperatorOp):
    'aten::unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)'
    self: SSAValue
    dim: SSAValue
    sizes: SSAValue
    def __init__(_this, self: Given, dim: Given, sizes: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, sizes: Any, *, result_types: Types = ...) -> Self: ...

class UnfoldOp(OperatorOp):
    'aten::unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)'
    self: SSAValue
    dimension: SSAValue
    size: SSAValue
    step: SSAValue
    def __init__(_this, self: Given, dimension: Given, size: Given, step: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dimension: Any, size: Any, step: Any, *, result_types: Types = ...) -> Self: ...

class Uniform_Op(OperatorOp):
    'aten::uniform_(Tensor(a!) self, float from=0., float to=1., *, Generator? generator=None) -> Tensor(a!)'
    self: SSAValue
    from_: SSAValue
    to: SSAValue
    generator: SSAValue
    def __init__(_this, self: Given, from_: Given, to: Given, generator: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, from_: Any = ..., to: Any = ..., *, generator: Any = ..., result_types: Types = ...) -> Self: ...

class UnsafeChunkOp(OperatorOp):
    'aten::unsafe_chunk(Tensor self, int chunks, int dim=0) -> Tensor[]'
    self: SSAValue
    chunks: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, chunks: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, chunks: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class UnsafeSplitTensorOp(OperatorOp):
    'aten::unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]'
    self: SSAValue
    split_size: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, split_size: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, split_size: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class UnsafeSplitWithSizesOp(OperatorOp):
    'aten::unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> Tensor[]'
    self: SSAValue
    split_sizes: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, split_sizes: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, split_sizes: Any, dim: Any = ..., *, result_types: Types = ...) -> Self: ...

class UnsqueezeOp(OperatorOp):
    'aten::unsqueeze(Tensor(a) self, int dim) -> Tensor(a)'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class Unsqueeze_Op(OperatorOp):
    'aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    def __init__(_this, self: Given, dim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, *, result_types: Types = ...) -> Self: ...

class UpdateTensorOp(OperatorOp):
    'aten::update.Tensor(Dict(Tensor, t)(a!) self, Dict(Tensor, t)(a!) to_add) -> ()'
    self: SSAValue
    to_add: SSAValue
    def __init__(_this, self: Given, to_add: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, to_add: Any, *, result_types: Types = ...) -> Self: ...

class UpdateBoolOp(OperatorOp):
    'aten::update.bool(Dict(bool, t)(a!) self, Dict(bool, t)(a!) to_add) -> ()'
    self: SSAValue
    to_add: SSAValue
    def __init__(_this, self: Given, to_add: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, to_add: Any, *, result_types: Types = ...) -> Self: ...

class UpdateComplexOp(OperatorOp):
    'aten::update.complex(Dict(complex, t)(a!) self, Dict(complex, t)(a!) to_add) -> ()'
    self: SSAValue
    to_add: SSAValue
    def __init__(_this, self: Given, to_add: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, to_add: Any, *, result_types: Types = ...) -> Self: ...

class UpdateFloatOp(OperatorOp):
    'aten::update.float(Dict(float, t)(a!) self, Dict(float, t)(a!) to_add) -> ()'
    self: SSAValue
    to_add: SSAValue
    def __init__(_this, self: Given, to_add: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, to_add: Any, *, result_types: Types = ...) -> Self: ...

class UpdateIntOp(OperatorOp):
    'aten::update.int(Dict(int, t)(a!) self, Dict(int, t)(a!) to_add) -> ()'
    self: SSAValue
    to_add: SSAValue
    def __init__(_this, self: Given, to_add: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, to_add: Any, *, result_types: Types = ...) -> Self: ...

class UpdateStrOp(OperatorOp):
    'aten::update.str(Dict(str, t)(a!) self, Dict(str, t)(a!) to_add) -> ()'
    self: SSAValue
    to_add: SSAValue
    def __init__(_this, self: Given, to_add: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, to_add: Any, *, result_types: Types = ...) -> Self: ...

class UpperOp(OperatorOp):
    'aten::upper(str self) -> str'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class UpsampleBilinear2dOp(OperatorOp):
    'aten::upsample_bilinear2d(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scales_h: SSAValue
    scales_w: SSAValue
    def __init__(_this, self: Given, output_size: Given, align_corners: Given, scales_h: Given, scales_w: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, align_corners: Any, scales_h: Any = ..., scales_w: Any = ..., *, result_types: Types = ...) -> Self: ...

class UpsampleBilinear2dOutOp(OperatorOp):
    'aten::upsample_bilinear2d.out(Tensor self, SymInt[2] output_size, bool align_corners, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scales_h: SSAValue
    scales_w: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, align_corners: Given, scales_h: Given, scales_w: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, align_corners: Any, scales_h: Any = ..., scales_w: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class UpsampleBilinear2dVecOp(OperatorOp):
    'aten::upsample_bilinear2d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor'
    input: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scale_factors: SSAValue
    def __init__(_this, input: Given, output_size: Given, align_corners: Given, scale_factors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, output_size: Any, align_corners: Any, scale_factors: Any, *, result_types: Types = ...) -> Self: ...

class UpsampleBilinear2dVecOutOp(OperatorOp):
    'aten::upsample_bilinear2d.vec_out(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)'
    input: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scale_factors: SSAValue
    out: SSAValue
    def __init__(_this, input: Given, output_size: Given, align_corners: Given, scale_factors: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, output_size: Any, align_corners: Any, scale_factors: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class UpsampleLinear1dOp(OperatorOp):
    'aten::upsample_linear1d(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scales: SSAValue
    def __init__(_this, self: Given, output_size: Given, align_corners: Given, scales: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, align_corners: Any, scales: Any = ..., *, result_types: Types = ...) -> Self: ...

class UpsampleLinear1dOutOp(OperatorOp):
    'aten::upsample_linear1d.out(Tensor self, SymInt[1] output_size, bool align_corners, float? scales=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scales: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, align_corners: Given, scales: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, align_corners: Any, scales: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class UpsampleLinear1dVecOp(OperatorOp):
    'aten::upsample_linear1d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor'
    input: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scale_factors: SSAValue
    def __init__(_this, input: Given, output_size: Given, align_corners: Given, scale_factors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, output_size: Any, align_corners: Any, scale_factors: Any, *, result_types: Types = ...) -> Self: ...

class UpsampleNearest1dOp(OperatorOp):
    'aten::upsample_nearest1d(Tensor self, SymInt[1] output_size, float? scales=None) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    scales: SSAValue
    def __init__(_this, self: Given, output_size: Given, scales: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, scales: Any = ..., *, result_types: Types = ...) -> Self: ...

class UpsampleNearest1dOutOp(OperatorOp):
    'aten::upsample_nearest1d.out(Tensor self, SymInt[1] output_size, float? scales=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    scales: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, scales: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, scales: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class UpsampleNearest1dVecOp(OperatorOp):
    'aten::upsample_nearest1d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor'
    input: SSAValue
    output_size: SSAValue
    scale_factors: SSAValue
    def __init__(_this, input: Given, output_size: Given, scale_factors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, output_size: Any, scale_factors: Any, *, result_types: Types = ...) -> Self: ...

class UpsampleNearest2dOp(OperatorOp):
    'aten::upsample_nearest2d(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    scales_h: SSAValue
    scales_w: SSAValue
    def __init__(_this, self: Given, output_size: Given, scales_h: Given, scales_w: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, scales_h: Any = ..., scales_w: Any = ..., *, result_types: Types = ...) -> Self: ...

class UpsampleNearest2dOutOp(OperatorOp):
    'aten::upsample_nearest2d.out(Tensor self, SymInt[2] output_size, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    scales_h: SSAValue
    scales_w: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, scales_h: Given, scales_w: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, scales_h: Any = ..., scales_w: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class UpsampleNearest2dVecOp(OperatorOp):
    'aten::upsample_nearest2d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor'
    input: SSAValue
    output_size: SSAValue
    scale_factors: SSAValue
    def __init__(_this, input: Given, output_size: Given, scale_factors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, output_size: Any, scale_factors: Any, *, result_types: Types = ...) -> Self: ...

class UpsampleNearest2dVecOutOp(OperatorOp):
    'aten::upsample_nearest2d.vec_out(Tensor input, SymInt[]? output_size, float[]? scale_factors, *, Tensor(a!) out) -> Tensor(a!)'
    input: SSAValue
    output_size: SSAValue
    scale_factors: SSAValue
    out: SSAValue
    def __init__(_this, input: Given, output_size: Given, scale_factors: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, output_size: Any, scale_factors: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class UpsampleNearest3dOp(OperatorOp):
    'aten::upsample_nearest3d(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    scales_d: SSAValue
    scales_h: SSAValue
    scales_w: SSAValue
    def __init__(_this, self: Given, output_size: Given, scales_d: Given, scales_h: Given, scales_w: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, scales_d: Any = ..., scales_h: Any = ..., scales_w: Any = ..., *, result_types: Types = ...) -> Self: ...

class UpsampleNearest3dOutOp(OperatorOp):
    'aten::upsample_nearest3d.out(Tensor self, SymInt[3] output_size, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    scales_d: SSAValue
    scales_h: SSAValue
    scales_w: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, scales_d: Given, scales_h: Given, scales_w: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, scales_d: Any = ..., scales_h: Any = ..., scales_w: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class UpsampleNearest3dVecOp(OperatorOp):
    'aten::upsample_nearest3d.vec(Tensor input, SymInt[]? output_size, float[]? scale_factors) -> Tensor'
    input: SSAValue
    output_size: SSAValue
    scale_factors: SSAValue
    def __init__(_this, input: Given, output_size: Given, scale_factors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, output_size: Any, scale_factors: Any, *, result_types: Types = ...) -> Self: ...

class UpsampleTrilinear3dOp(OperatorOp):
    'aten::upsample_trilinear3d(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None) -> Tensor'
    self: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scales_d: SSAValue
    scales_h: SSAValue
    scales_w: SSAValue
    def __init__(_this, self: Given, output_size: Given, align_corners: Given, scales_d: Given, scales_h: Given, scales_w: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, align_corners: Any, scales_d: Any = ..., scales_h: Any = ..., scales_w: Any = ..., *, result_types: Types = ...) -> Self: ...

class UpsampleTrilinear3dOutOp(OperatorOp):
    'aten::upsample_trilinear3d.out(Tensor self, SymInt[3] output_size, bool align_corners, float? scales_d=None, float? scales_h=None, float? scales_w=None, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scales_d: SSAValue
    scales_h: SSAValue
    scales_w: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, output_size: Given, align_corners: Given, scales_d: Given, scales_h: Given, scales_w: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, output_size: Any, align_corners: Any, scales_d: Any = ..., scales_h: Any = ..., scales_w: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class UpsampleTrilinear3dVecOp(OperatorOp):
    'aten::upsample_trilinear3d.vec(Tensor input, SymInt[]? output_size, bool align_corners, float[]? scale_factors) -> Tensor'
    input: SSAValue
    output_size: SSAValue
    align_corners: SSAValue
    scale_factors: SSAValue
    def __init__(_this, input: Given, output_size: Given, align_corners: Given, scale_factors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, input: Any, output_size: Any, align_corners: Any, scale_factors: Any, *, result_types: Types = ...) -> Self: ...

class ValuesTensorOp(OperatorOp):
    'aten::values.Tensor(Dict(Tensor, t) self) -> t[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ValuesBoolOp(OperatorOp):
    'aten::values.bool(Dict(bool, t) self) -> t[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ValuesComplexOp(OperatorOp):
    'aten::values.complex(Dict(complex, t) self) -> t[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ValuesFloatOp(OperatorOp):
    'aten::values.float(Dict(float, t) self) -> t[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ValuesIntOp(OperatorOp):
    'aten::values.int(Dict(int, t) self) -> t[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ValuesStrOp(OperatorOp):
    'aten::values.str(Dict(str, t) self) -> t[](*)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class VarOp(OperatorOp):
    'aten::var(Tensor self, bool unbiased=True) -> Tensor'
    self: SSAValue
    unbiased: SSAValue
    def __init__(_this, self: Given, unbiased: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, unbiased: Any = ..., *, result_types: Types = ...) -> Self: ...

class VarCorrectionOp(OperatorOp):
    'aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    correction: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, correction: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, correction: Any = ..., keepdim: Any = ..., result_types: Types = ...) -> Self: ...

class VarCorrectionOutOp(OperatorOp):
    'aten::var.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    correction: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, correction: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, correction: Any = ..., keepdim: Any = ..., out: Any, result_types: Types = ...) -> Self: ...

class VarDimOp(OperatorOp):
    'aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor'
    self: SSAValue
    dim: SSAValue
    unbiased: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, unbiased: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, unbiased: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class VarOutOp(OperatorOp):
    'aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    dim: SSAValue
    unbiased: SSAValue
    keepdim: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, dim: Given, unbiased: Given, keepdim: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, unbiased: Any = ..., keepdim: Any = ..., *, out: Any, result_types: Types = ...) -> Self: ...

class VarMeanOp(OperatorOp):
    'aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)'
    self: SSAValue
    unbiased: SSAValue
    def __init__(_this, self: Given, unbiased: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, unbiased: Any = ..., *, result_types: Types = ...) -> Self: ...

class VarMeanCorrectionOp(OperatorOp):
    'aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)'
    self: SSAValue
    dim: SSAValue
    correction: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, correction: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any = ..., *, correction: Any = ..., keepdim: Any = ..., result_types: Types = ...) -> Self: ...

class VarMeanDimOp(OperatorOp):
    'aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)'
    self: SSAValue
    dim: SSAValue
    unbiased: SSAValue
    keepdim: SSAValue
    def __init__(_this, self: Given, dim: Given, unbiased: Given, keepdim: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dim: Any, unbiased: Any = ..., keepdim: Any = ..., *, result_types: Types = ...) -> Self: ...

class VdotOp(OperatorOp):
    'aten::vdot(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class VdotOutOp(OperatorOp):
    'aten::vdot.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class ViewOp(OperatorOp):
    'aten::view(Tensor(a) self, SymInt[] size) -> Tensor(a)'
    self: SSAValue
    size: SSAValue
    def __init__(_this, self: Given, size: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, size: Any, *, result_types: Types = ...) -> Self: ...

class ViewDtypeOp(OperatorOp):
    'aten::view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)'
    self: SSAValue
    dtype: SSAValue
    def __init__(_this, self: Given, dtype: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, dtype: Any, *, result_types: Types = ...) -> Self: ...

class ViewAsOp(OperatorOp):
    'aten::view_as(Tensor(a) self, Tensor other) -> Tensor(a)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class ViewAsRealOp(OperatorOp):
    'aten::view_as_real(Tensor(a) self) -> Tensor(a)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class VstackOp(OperatorOp):
    'aten::vstack(Tensor[] tensors) -> Tensor'
    tensors: SSAValue
    def __init__(_this, tensors: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, result_types: Types = ...) -> Self: ...

class VstackOutOp(OperatorOp):
    'aten::vstack.out(Tensor[] tensors, *, Tensor(a!) out) -> Tensor(a!)'
    tensors: SSAValue
    out: SSAValue
    def __init__(_this, tensors: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, tensors: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class WaitOp(OperatorOp):
    'aten::wait(Future(t) self) -> t'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class WarnOp(OperatorOp):
    'aten::warn(str message, int stacklevel=2) -> ()'
    message: SSAValue
    stacklevel: SSAValue
    def __init__(_this, message: Given, stacklevel: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, message: Any, stacklevel: Any = ..., *, result_types: Types = ...) -> Self: ...

class WhereOp(OperatorOp):
    'aten::where(Tensor condition) -> Tensor[]'
    condition: SSAValue
    def __init__(_this, condition: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, condition: Any, *, result_types: Types = ...) -> Self: ...

class WhereScalarOp(OperatorOp):
    'aten::where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor'
    condition: SSAValue
    self: SSAValue
    other: SSAValue
    def __init__(_this, condition: Given, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, condition: Any, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class WhereScalarOtherOp(OperatorOp):
    'aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor'
    condition: SSAValue
    self: SSAValue
    other: SSAValue
    def __init__(_this, condition: Given, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, condition: Any, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class WhereScalarSelfOp(OperatorOp):
    'aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor'
    condition: SSAValue
    self: SSAValue
    other: SSAValue
    def __init__(_this, condition: Given, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, condition: Any, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class WhereSelfOp(OperatorOp):
    'aten::where.self(Tensor condition, Tensor self, Tensor other) -> Tensor'
    condition: SSAValue
    self: SSAValue
    other: SSAValue
    def __init__(_this, condition: Given, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, condition: Any, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class WhereSelfOutOp(OperatorOp):
    'aten::where.self_out(Tensor condition, Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    condition: SSAValue
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, condition: Given, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, condition: Any, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class XlogyOutScalarOtherOp(OperatorOp):
    'aten::xlogy.OutScalar_Other(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class XlogyOutScalarSelfOp(OperatorOp):
    'aten::xlogy.OutScalar_Self(Scalar self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class XlogyOutTensorOp(OperatorOp):
    'aten::xlogy.OutTensor(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, other: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class XlogyScalarOtherOp(OperatorOp):
    'aten::xlogy.Scalar_Other(Tensor self, Scalar other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class XlogyScalarSelfOp(OperatorOp):
    'aten::xlogy.Scalar_Self(Scalar self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class XlogyTensorOp(OperatorOp):
    'aten::xlogy.Tensor(Tensor self, Tensor other) -> Tensor'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Xlogy_ScalarOtherOp(OperatorOp):
    'aten::xlogy_.Scalar_Other(Tensor(a!) self, Scalar other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class Xlogy_TensorOp(OperatorOp):
    'aten::xlogy_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)'
    self: SSAValue
    other: SSAValue
    def __init__(_this, self: Given, other: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, other: Any, *, result_types: Types = ...) -> Self: ...

class ZeroOp(OperatorOp):
    'aten::zero(Tensor self) -> Tensor'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ZeroOutOp(OperatorOp):
    'aten::zero.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)'
    self: SSAValue
    out: SSAValue
    def __init__(_this, self: Given, out: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, out: Any, result_types: Types = ...) -> Self: ...

class Zero_Op(OperatorOp):
    'aten::zero_(Tensor(a!) self) -> Tensor(a!)'
    self: SSAValue
    def __init__(_this, self: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, result_types: Types = ...) -> Self: ...

class ZerosOp(OperatorOp):
    'aten::zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor'
    size: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    def __init__(_this, size: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, size: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., result_types: Types = ...) -> Self: ...

class ZerosLikeOp(OperatorOp):
    'aten::zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? memory_format=None) -> Tensor'
    self: SSAValue
    dtype: SSAValue
    layout: SSAValue
    device: SSAValue
    pin_memory: SSAValue
    memory_format: SSAValue
    def __init__(_this, self: Given, dtype: Given, layout: Given, device: Given, pin_memory: Given, memory_format: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, *, dtype: Any = ..., layout: Any = ..., device: Any = ..., pin_memory: Any = ..., memory_format: Any = ..., result_types: Types = ...) -> Self: ...

class ZfillOp(OperatorOp):
    'aten::zfill(str self, int width) -> str'
    self: SSAValue
    width: SSAValue
    def __init__(_this, self: Given, width: Given, *, result_types: Types = ..., location: Where = ...) -> None: ...
    @classmethod
    def of(cls, builder: Builder, /, self: Any, width: Any, *, result_types: Types = ...) -> Self: ...
