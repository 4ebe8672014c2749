"""What a name or expression means while a graph is built (PyTorch: torch/csrc/jit/frontend/sugared_value.cpp).

A `SimpleValue` is a value of the graph. All others have no value of their own: functions, modules, ranges; they are turned
into nodes by the way they are used: `attr`, `call`, `iter`, `getitem`, `as_tuple`.
"""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.frontend.sugared.arguments import Arguments, NamedValue, describe
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call, is_method
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.conversions import try_convert_to_type
from torchscript_dialect.frontend.sugared.node_calls import (
    call_function,
    call_method,
)
from torchscript_dialect.frontend.sugared.schema_matching import match_schemas
from torchscript_dialect.frontend.unit.definitions import Function, RecursiveCallError
from torchscript_dialect.frontend.unit.variables import name_of_attribute
from torchscript_dialect.ir.edit import NOT_CONSTANT, constant_value, set_name, type_of
from torchscript_dialect.ops import registry
from torchscript_dialect.tensor import dtype as dtypes
from torchscript_dialect.types.containers import DictType, ListType, TupleType
from torchscript_dialect.types.core import ANY_TUPLE, DEVICE, INT, STR, TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import ClassType, EnumType, InterfaceType
from torchscript_dialect.types.subtyping import (
    is_subtype,
)
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.errors import FrontendError, suggestion
from torchscript_dialect.utils.source_range import SourceRange

_TENSOR_CASTS = {
    "byte": "uint8", "char": "int8", "double": "float64", "float": "float32", "int": "int32",
    "half": "float16", "long": "int64", "short": "int16", "cfloat": "complex64",
    "cdouble": "complex128", "bfloat16": "bfloat16",
}  # fmt: skip
_TENSOR_PROPERTIES = {
    **dict.fromkeys(
        "dtype device grad data shape is_cuda is_cpu is_xla is_xpu is_sparse is_sparse_csr is_mkldnn"
        " is_mps is_mtia is_maia is_quantized is_vulkan is_ipu is_meta is_nested requires_grad layout T H ndim"
        " name itemsize nbytes".split(),
        "prim",
    ),
    **dict.fromkeys("is_leaf mT mH real imag retains_grad".split(), "aten"),
}
_DEVICE_PROPERTIES = {"type": "prim", "index": "prim"}


class SugaredValue:
    """The protocol; by default everything is an error that names what was tried."""

    def kind(self) -> str:
        """What messages call it."""
        return type(self).__name__

    def as_value(self, range: SourceRange, m: Context) -> SSAValue:
        """The value of the graph that this is."""
        raise FrontendError(f"{self.kind()} cannot be used as a value", range)

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        """`self.name`."""
        raise FrontendError(f"attribute lookup is not defined on {self.kind()}", range)

    def has_attr(self, range: SourceRange, m: Context, name: str) -> bool:
        raise FrontendError(f"attribute lookup is not defined on {self.kind()}", range)

    def set_attr(self, range: SourceRange, m: Context, name: str, value: SSAValue) -> None:
        """`self.name = value`."""
        raise FrontendError(f"attribute assignment is not defined on {self.kind()}", range)

    def as_tuple(
        self, range: SourceRange, m: Context, size: int | None = None
    ) -> Sequence[SugaredValue]:
        """The elements, when it is unpacked to `size` targets."""
        raise FrontendError(f"{self.kind()} cannot be used as a tuple", range)

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        """`self(*args, **kwargs)`."""
        raise FrontendError(f"cannot call a {self.kind()}", range)

    def iter(self, range: SourceRange, m: Context) -> SugaredValue:
        """What a loop over it goes through: something with `length` and `getitem`."""
        raise FrontendError(f"{self.kind()} cannot be used as an iterable", range)

    def static_length(self) -> int | None:
        """The number of elements where loops over it are unrolled, else None."""
        return None

    def length(self, range: SourceRange, m: Context) -> SSAValue:
        raise FrontendError(f"'{self.kind()}' object is not iterable", range)

    def getitem(
        self,
        range: SourceRange,
        m: Context,
        index: SSAValue,
        type_hint: TorchScriptType | None = None,
    ) -> SugaredValue:
        """`self[index]`."""
        raise FrontendError(f"'{self.kind()}' object is not subscriptable", range)


class SimpleValue(SugaredValue):
    """A value of the graph."""

    __slots__ = ("value",)

    def __init__(self, value: SSAValue) -> None:
        self.value = value

    @property
    def type(self) -> TorchScriptType:
        return type_of(self.value)

    def kind(self) -> str:
        return f"value of type '{self.type.annotation_str}'"

    def as_value(self, range: SourceRange, m: Context) -> SSAValue:
        return self.value

    def attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        found = self._find_attr(range, m, name)
        if found is not None:
            return found
        message = f"'{describe(self.type)}' object has no attribute or method '{name}'."
        if isinstance(self.type, ClassType):
            message += " Did you forget to initialize an attribute in __init__()?"
        meant = suggestion(name, self._names(m)).removeprefix(".")
        raise FrontendError(message + meant, range)

    def _names(self, m: Context) -> list[str]:
        """The attributes and methods that there are, for suggestions."""
        type_ = self.type
        if isinstance(type_, ClassType):
            class_ = m.unit.class_of(type_)
            return [*class_.attributes, *class_.methods, *class_.properties, *class_.constants]
        if isinstance(type_, InterfaceType):
            return list(m.unit.interfaces[type_.qualified_name.data].methods)
        if isinstance(type_, TupleType):
            return list(type_.field_names)
        names = [name.removeprefix("aten::") for name in registry.names() if "aten::" in name]
        self_value = NamedValue(self.value)
        found = [
            name for name in names if BuiltinFunction.try_create(m, f"aten::{name}", self_value)
        ]
        if isinstance(type_, TensorType):
            found += [*_TENSOR_CASTS, *_TENSOR_PROPERTIES]
        return found

    def has_attr(self, range: SourceRange, m: Context, name: str) -> bool:
        type_ = self.type
        if isinstance(type_, TupleType):
            if not isinstance(type_.qualified_name, StringAttr):
                raise FrontendError(
                    "hasattr's first argument must be a object or NamedTuple, but got a normal Tuple"
                    f" {describe(type_)} instead",
                    range,
                )
            return name in type_.field_names
        if not isinstance(type_, ClassType):
            raise FrontendError(
                f"hasattr's first argument must be an object or NamedTuple, got {describe(type_)}"
                " instead",
                range,
            )
        class_ = m.unit.class_of(type_)
        return name in class_.methods or name in class_.attributes or name in class_.constants

    def _find_attr(self, range: SourceRange, m: Context, name: str) -> SugaredValue | None:
        type_ = self.type
        if isinstance(type_, TensorType):
            if name in _TENSOR_CASTS:
                return TensorCastValue(
                    dtypes.from_name(_TENSOR_CASTS[name]).scalar_type, self.value
                )
            if name in _TENSOR_PROPERTIES:
                return self._property(range, m, f"{_TENSOR_PROPERTIES[name]}::{name}")
            if name == "type":
                name = "to"  # whatever the arguments are
        elif isinstance(type_, TupleType):
            if name in type_.field_names:
                index = type_.field_names.index(name)
                at = m.graph.constant(index)
                element = type_.elements.data[index]
                return SimpleValue(m.graph.value(prim.TupleIndexOp, (self.value, at), element))
        elif isinstance(type_, ClassType):
            return self._object_attr(range, m, name, type_)
        elif isinstance(type_, InterfaceType):
            known = m.unit.interfaces[type_.qualified_name.data].methods
            return MethodValue(self.value, name) if name in known else None
        elif isinstance(type_, EnumType) and name in ("name", "value"):
            definition = m.unit.enums[type_.qualified_name.data]
            result = STR if name == "name" else definition.value_type
            kind = "EnumName" if name == "name" else f"EnumValue.{result.annotation_str}"
            class_ = operator_class(f"prim::{kind}")
            return SimpleValue(m.graph.value(class_, (self.value,), result))
        elif type_ == DEVICE and name in _DEVICE_PROPERTIES:
            return self._property(range, m, f"{_DEVICE_PROPERTIES[name]}::{name}")
        builtin = BuiltinFunction.try_create(
            m, f"aten::{name}", NamedValue(self.value, range, "self")
        )
        if builtin is None and isinstance(type_, TensorType) and name in ("tolist", "__getitem__"):
            return SpecialFormValue("prim::tolist" if name == "tolist" else "aten::index", self)
        return builtin

    def _is_module_interface(self, m: Context) -> bool:
        return m.unit.interfaces[self.type.annotation_str].is_module

    def _property(self, range: SourceRange, m: Context, name: str) -> SugaredValue:
        value = emit_builtin_call(m, range, name, [NamedValue(self.value)], [], located=False)
        return SimpleValue(value)

    def _object_attr(
        self, range: SourceRange, m: Context, name: str, type_: ClassType
    ) -> SugaredValue | None:
        class_ = m.unit.class_of(type_)
        if name not in class_.attributes and class_.find_method(name) is not None:
            return MethodValue(self.value, name)
        if name in class_.attributes:
            attribute = class_.attributes[name]
            value = m.graph.value(prim.GetAttrOp, (self.value,), attribute, name=StringAttr(name))
            set_name(value, name_of_attribute(name))
            return SimpleValue(value)
        if name in class_.properties:
            getter = class_.properties[name][0]
            return MethodValue(self.value, getter.name).call(range, m, [], [])
        if name in class_.constants:
            return SimpleValue(m.graph.constant(class_.constants[name], range))
        if name in class_.static_methods:
            return FunctionValue(class_.static_methods[name])
        return None

    def set_attr(self, range: SourceRange, m: Context, name: str, value: SSAValue) -> None:
        type_ = self.type
        if not isinstance(type_, ClassType):
            raise FrontendError(
                f"Tried to set an attribute: {name} on a non-class: {describe(type_)}", range
            )
        class_ = m.unit.class_of(type_)
        expected = class_.attributes.get(name)
        if expected is None and name in class_.properties:
            setter = class_.properties[name][1]
            if setter is None:
                raise FrontendError(f"Tried to set read-only attribute: {name}", range)
            MethodValue(self.value, setter.name).call(range, m, [NamedValue(value, range)], [])
            return
        if expected is None and class_.is_being_initialized and m.function.name == "__init__":
            if not m.is_at_top_level():
                raise FrontendError(
                    "First assignment cannot be in a control-flow block. Initialize the field at"
                    f" the top level first: '{name}'",
                    range,
                )
            if _contains(type_of(value), type_):
                raise FrontendError(
                    f"Assignment to attribute '{name}' cannot be of a type that contains class"
                    f" '{type_.annotation_str}'.\nClasses that recursively contain instances of"
                    " themselves are not yet supported",
                    range,
                )
            class_.attributes[name] = expected = type_of(value)
        if expected is None:
            meant = suggestion(name, class_.attributes).removeprefix(".")
            raise FrontendError(
                f"Tried to set nonexistent attribute: {name}. Did you forget to initialize it in"
                f" __init__()?{meant}",
                range,
            )
        value = try_convert_to_type(m.graph, expected, value, range, True)
        if not is_subtype(type_of(value), expected):
            raise FrontendError(
                f"Wrong type for attribute assignment. Expected {describe(expected)} but got"
                f" {describe(type_of(value))}",
                range,
            )
        m.graph.node(prim.SetAttrOp, (self.value, value), (), name=StringAttr(name))

    def as_tuple(
        self, range: SourceRange, m: Context, size: int | None = None
    ) -> Sequence[SugaredValue]:
        type_ = self.type
        if isinstance(type_, TupleType):
            return [SimpleValue(value) for value in m.graph.unpack_tuple(self.value)]
        if isinstance(type_, ListType):
            if size is None:
                raise FrontendError(
                    "cannot statically infer the expected size of a list in this context", range
                )
            return [SimpleValue(value) for value in m.graph.unpack_list(self.value, size, range)]
        if type_ == ANY_TUPLE:
            raise FrontendError(
                "Provided tuple is not fully defined/refined including its element types, please"
                " provide a value of type like Tuple[int, int]",
                range,
            )
        raise FrontendError(f"{describe(type_)} cannot be used as a tuple", range)

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if isinstance(self.type, InterfaceType) and self._is_module_interface(m):
            return self.attr(range, m, "forward").call(range, m, args, kwargs, n_binders)
        if isinstance(self.type, ClassType):
            return self.attr(range, m, "__call__").call(range, m, args, kwargs, n_binders)
        return super().call(range, m, args, kwargs, n_binders)

    def iter(self, range: SourceRange, m: Context) -> SugaredValue:
        type_ = self.type
        if isinstance(type_, (ListType, TensorType)) or type_ == STR:
            return self
        if isinstance(type_, DictType):
            keys = emit_builtin_call(m, range, "aten::keys", [NamedValue(self.value)], [])
            return SimpleValue(keys)
        if isinstance(type_, TupleType):
            return SugaredTupleValue(self.as_tuple(range, m))
        raise FrontendError(f"'{describe(type_)}' object is not iterable", range)

    def length(self, range: SourceRange, m: Context) -> SSAValue:
        type_ = self.type
        if isinstance(type_, (ListType, TensorType)) or type_ == STR:
            return emit_builtin_call(m, range, "aten::len", [NamedValue(self.value)], [])
        raise FrontendError(f"'{describe(type_)}' object is not iterable", range)

    def getitem(
        self,
        range: SourceRange,
        m: Context,
        index: SSAValue,
        type_hint: TorchScriptType | None = None,
    ) -> SugaredValue:
        type_ = self.type
        args = [NamedValue(self.value), NamedValue(index)]
        if isinstance(type_, (ListType, DictType)) or type_ == STR:
            return SimpleValue(emit_builtin_call(m, range, "aten::__getitem__", args, []))
        if isinstance(type_, TensorType):
            args.insert(1, NamedValue(constant=0))
            return SimpleValue(emit_builtin_call(m, range, "aten::select", args, []))
        if isinstance(type_, ClassType):
            class_ = m.unit.class_of(type_)
            if class_.is_module and type_hint is not None and "__getitem__" not in class_.methods:
                return self._part(m, index, type_hint)
            return self.attr(range, m, "__getitem__").call(range, m, args[1:], [])
        raise FrontendError(f"'{describe(type_)}' object is not subscriptable", range)

    def _part(self, m: Context, index: SSAValue, type_hint: TorchScriptType) -> SugaredValue:
        """A submodule of a container that only running the program tells, as the code of archives asks for it."""
        kind = "dict" if type_of(index) == STR else "list"
        class_ = operator_class(f"prim::ModuleContainerIndex.{kind}")
        return SimpleValue(m.graph.value(class_, (self.value, index), type_hint))


class SugaredTupleValue(SugaredValue):
    """A tuple of sugared values."""

    def __init__(self, elements: Sequence[SugaredValue]) -> None:
        self.elements = elements

    def kind(self) -> str:
        return "Tuple"

    def as_tuple(
        self, range: SourceRange, m: Context, size: int | None = None
    ) -> Sequence[SugaredValue]:
        return self.elements

    def as_value(self, range: SourceRange, m: Context) -> SSAValue:
        return m.graph.tuple_of([element.as_value(range, m) for element in self.elements])

    def iter(self, range: SourceRange, m: Context) -> SugaredValue:
        return self

    def static_length(self) -> int | None:
        return len(self.elements)

    def getitem(
        self,
        range: SourceRange,
        m: Context,
        index: SSAValue,
        type_hint: TorchScriptType | None = None,
    ) -> SugaredValue:
        at = constant_value(index, NOT_CONSTANT)
        if type_of(index) != INT or not isinstance(at, int):
            raise FrontendError(
                "Expected integer literal for index but got a variable or non-integer."
                " ModuleList/Sequential indexing is only supported with integer literals. For"
                " example, 'i = 4; self.layers[i](x)' will fail because i is not a literal."
                " Enumeration is supported, e.g. 'for index, v in enumerate(self): out = v(inp)'",
                range,
            )
        if not -len(self.elements) <= at < len(self.elements):
            raise FrontendError(
                f"Index {at} out of range of length {len(self.elements)}",
                range,
            )
        return self.elements[at]


class SpecialFormValue(SugaredValue):
    """A builtin whose arguments are not plain values: the emitter handles calls of it by `form`."""

    def __init__(self, form: str, of: SimpleValue | None = None) -> None:
        self.form = form
        self.of = of

    def kind(self) -> str:
        return self.form.rpartition("::")[2]


class BuiltinFunction(SugaredValue):
    """An operator by name, all overloads; with `self_value` it is a method of that value."""

    def __init__(self, name: str, self_value: NamedValue | None = None) -> None:
        self.name = name
        self.self_value = self_value

    def kind(self) -> str:
        return "builtin"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        return SimpleValue(emit_builtin_call(m, range, self.name, args, kwargs, self.self_value))

    @staticmethod
    def try_create(m: Context, name: str, self_value: NamedValue) -> BuiltinFunction | None:
        """The operators of that name as methods of a value, None where none takes it as `self`."""
        return BuiltinFunction(name, self_value) if is_method(m, name, self_value.type) else None


class TensorCastValue(SugaredValue):
    """`x.float()`: the method that changes the element type."""

    def __init__(self, scalar_type: int, value: SSAValue) -> None:
        self.scalar_type = scalar_type
        self.value = value

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if args or kwargs:
            raise FrontendError("a cast of a tensor takes no arguments", range)
        dtype = m.graph.constant(self.scalar_type, range)
        named = [NamedValue(self.value, range, "self"), NamedValue(dtype, range, "dtype")]
        return SimpleValue(emit_builtin_call(m, range, "aten::to", [], named))


class FunctionValue(SugaredValue):
    """Functions of the unit: one, or the overloads of one name."""

    def __init__(self, *functions: Function) -> None:
        self.functions = functions

    def kind(self) -> str:
        return "function"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        schemas = [
            function.declared_schema or _schema_of(function, "function", range)
            for function in self.functions
        ]
        index, matched = match_schemas(schemas, range, m.graph, args, kwargs)
        function = self.functions[index]
        _schema_of(function, "function", range)  # compiles it
        return SimpleValue(call_function(m.graph, function.symbol, function.name, matched, range))


def _schema_of(function: Function, what: str, range: SourceRange) -> FunctionSchema:
    try:
        return function.schema
    except RecursiveCallError:
        raise FrontendError(
            f" {what} '{function.name}' is called recursively. Recursive calls are not supported",
            range,
        ) from None


class MethodValue(SugaredValue):
    """A method of an object: one, or the overloads of one name."""

    def __init__(self, value: SSAValue, *names: str) -> None:
        self.value = value
        self.names = names

    def kind(self) -> str:
        return "method"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        schemas = [self._schema(m, name, range) for name in self.names]
        with_self = [NamedValue(self.value, range, "self"), *args]
        index, matched = match_schemas(schemas, range, m.graph, with_self, kwargs)
        return SimpleValue(call_method(m.graph, self.names[index], matched, range))

    def _schema(self, m: Context, name: str, range: SourceRange) -> FunctionSchema:
        type_ = type_of(self.value)
        if isinstance(type_, InterfaceType):
            return m.unit.interfaces[type_.qualified_name.data].methods[name]
        assert isinstance(type_, ClassType)
        return _schema_of(m.unit.class_of(type_).methods[name], "method", range)


def is_tensor(value: SSAValue) -> bool:
    return is_subtype(type_of(value), TENSOR)


def _contains(type_: TorchScriptType, part: TorchScriptType) -> bool:
    return type_ == part or any(_contains(inner, part) for inner in type_.contained)
