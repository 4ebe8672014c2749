"""A module as IR beside the graphs of its methods: `ts-opt model.pt`. Weights are resources, which MLIR's tools read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects import builtin
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from torchscript_dialect.api.archive_data import ordered_attributes
from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import (
    ClassDefinition,
    EnumDefinition,
    Function,
    InterfaceDefinition,
)
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.serialization.archive.storage_writer import StoredTensors
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.enum_member import EnumMember
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import DictType, ListType, OptionalType, TupleType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import NO_DEFAULT
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import TorchScriptError

DEFAULT = "prim.default"
"""The default value of an argument, among its attributes."""
ALIGNMENT = 64
"""Of the bytes of a resource, which begin with this number."""

TYPES: dict[str, Any] = {
    "bool": builtin.i1,
    "float16": builtin.f16,
    "bfloat16": builtin.bf16,
    "float32": builtin.f32,
    "float64": builtin.f64,
    "complex64": builtin.ComplexType(builtin.f32),
    "complex128": builtin.ComplexType(builtin.f64),
    "float8_e5m2": builtin.Float8E5M2Type(),
    "float8_e4m3fn": builtin.Float8E4M3FNType(),
    **{f"int{width}": builtin.IntegerType(width) for width in (8, 16, 32, 64)},
    **{
        f"uint{width}": builtin.IntegerType(width, builtin.Signedness.UNSIGNED)
        for width in (8, 16, 32, 64)
    },
}


def add_module(module: ScriptModule, *, elides: bool = False) -> None:
    """Put the classes of a module, and the nodes that make it, before the graphs of its unit. With `elides` resources have names and no
    content.

    Raises:
        TorchScriptError: something in the module has no form as IR.
    """
    module.__torchscript_lent__.follow()
    unit = module.__torchscript_definition__[1]
    writer = _Writer(unit, elides)
    for function in unit.functions.values():
        _keep_defaults(function)
    root = writer.value(module.__torchscript_object__, None, "")
    writer.block.add_op(prim.YieldOp(root))
    found: list[Operation] = [_enum_op(enum) for enum in unit.enums.values()]
    found += [_interface_op(interface) for interface in unit.interfaces.values()]
    found += [_class_op(unit.classes[name]) for name in writer.classes]
    found.append(prim.ModuleOp(regions=[Region(writer.block)]))
    block = unit.module_op.body.block
    if block.first_op is None:
        block.add_ops(found)
    else:
        block.insert_ops_before(found, block.first_op)


def _class_op(definition: ClassDefinition) -> Operation:
    attributes = ordered_attributes(definition)
    named: dict[str, Any] = {
        "parameters": [name for name in attributes if name in definition.parameters],
        "buffers": [name for name in attributes if name in definition.buffers],
        "constants": list(definition.constants),
        "values": list(definition.constants.values()),
        "pre_hooks": [hook.name for hook in definition.pre_hooks],
        "hooks": [hook.name for hook in definition.hooks],
    }
    op = prim.ClassTypeOp(
        attributes=list(attributes),
        types=builtin.ArrayAttr(attributes.values()),
        methods=list(definition.methods),
        **{key: value for key, value in named.items() if value},
    )
    op.attributes = {"name": to_attribute(definition.type.qualified_name.data), **op.attributes}
    return op


def _enum_op(enum: EnumDefinition) -> Operation:
    return prim.EnumTypeOp(
        name=enum.type.qualified_name.data,
        members=list(enum.members),
        values=list(enum.members.values()),
    )


def _interface_op(interface: InterfaceDefinition) -> Operation:
    schemas = interface.methods.values()
    op = prim.InterfaceTypeOp(
        name=interface.type.qualified_name.data,
        methods=list(interface.methods),
        arguments=[[one.name for one in schema.arguments] for schema in schemas],
        types=builtin.ArrayAttr(
            builtin.FunctionType.from_lists(
                [one.type for one in schema.arguments], [one.type for one in schema.returns]
            )
            for schema in schemas
        ),
        is_module=interface.is_module,
    )
    return op


def _keep_defaults(function: Function) -> None:
    """Write the default values of arguments to those of the op, which has no others."""
    op, arguments = function.func_op, function.schema.arguments
    if op is None or all(one.default is NO_DEFAULT for one in arguments):
        return
    kept: list[dict[str, Attribute]] = []
    for one in arguments:
        try:
            kept.append({} if one.default is NO_DEFAULT else {DEFAULT: to_attribute(one.default)})
        except TypeError:  # of a class: callers give the argument
            kept.append({})
    op.arg_attrs = builtin.ArrayAttr(map(builtin.DictionaryAttr, kept))


class _Writer:
    """Writes the nodes that make values, each object and container once."""

    def __init__(self, unit: CompilationUnit, elides: bool) -> None:
        self.block = Block()
        self.classes: dict[str, None] = {}
        self._unit = unit
        self._elides = elides
        self._made: dict[int, SSAValue] = {}
        self._kept: list[Any] = []
        self._stored = StoredTensors()
        self._resources: dict[str, str] = {}
        found = builtin.Builtin.get_interface(OpAsmDialectInterface)
        assert found is not None
        self._interface = found

    def value(self, value: Any, type_: TorchScriptType | None, path: str) -> SSAValue:
        """The value that stands for a runtime value, of the declared type."""
        if isinstance(type_, OptionalType):
            type_ = type_.element if value is not None else type_
        known = self._made.get(id(value))
        if known is not None:
            return known
        match value:
            case ScriptObject():
                return self._object(value, path)
            case Tensor():
                made = self._tensor(value, path)
            case list():
                items = [
                    self.value(item, _element(type_), f"{path}.{n}")
                    for n, item in enumerate(cast("list[Any]", value))
                ]
                made = prim.ListConstructOp(*items, result_types=_given(type_))
            case dict():
                made = prim.DictConstructOp(
                    *self._items(cast("dict[Any, Any]", value), type_, path),
                    result_types=_given(type_),
                )
            case tuple():
                types = (
                    type_.elements
                    if isinstance(type_, TupleType)
                    else [None] * len(cast("tuple[Any, ...]", value))
                )
                items = [
                    self.value(*pair, f"{path}.{n}")
                    for n, pair in enumerate(
                        zip(cast("tuple[Any, ...]", value), types, strict=True)
                    )
                ]
                made = prim.TupleConstructOp(*items, result_types=_given(type_))
            case device():
                made = prim.ConstantOp.of(str(value), type_ or _type_of(value, path))
            case _:
                made = prim.ConstantOp.of(value, type_ or _type_of(value, path))
        return self._keep(value, made, path)

    def _keep(self, value: Any, made: Operation, path: str) -> SSAValue:
        self.block.add_op(made)
        result = made.results[0]
        result.name_hint = value_name(path)
        if isinstance(value, (Tensor, list, dict)):
            self._made[id(cast("object", value))] = result
            self._kept.append(value)
        return result

    def _items(
        self, items: Mapping[Any, Any], type_: TorchScriptType | None, path: str
    ) -> list[SSAValue]:
        key, value = (type_.key, type_.value) if isinstance(type_, DictType) else (None, None)
        return [
            made
            for one, item in items.items()
            for made in (self.value(one, key, path), self.value(item, value, f"{path}.{one}"))
        ]

    def _object(self, obj: ScriptObject, path: str) -> SSAValue:
        name = obj.__torchscript_qualified_name__
        definition = self._unit.classes[name]
        self.classes[name] = None
        made = prim.CreateObjectOp(result_types=[ClassType(name)])
        self.block.add_op(made)
        result = self._made[id(obj)] = made.results[0]
        self._kept.append(obj)
        result.name_hint = value_name(path or "module")
        for field, type_ in ordered_attributes(definition).items():
            where = f"{path}.{field}" if path else field
            value = self.value(obj.__torchscript_fields__[field], type_, where)
            self.block.add_op(prim.SetAttrOp(result, value, name=field))
        return result

    def _tensor(self, tensor: Tensor, path: str) -> Operation:
        if tensor.dtype.is_quantized:
            return prim.ConstantOp.of(tensor, TENSOR)
        if tensor.dtype.name not in TYPES:
            raise TorchScriptError(
                f"{path} is a tensor of {tensor.dtype.name}, which MLIR has no type for"
            )
        place = self._stored.store(tensor)
        element, array = TYPES[tensor.dtype.name], tensor.array
        is_whole = array.flags.c_contiguous and not place.offset and array.size == place.count
        shape = array.shape if is_whole else (place.count,)
        value = builtin.DenseResourceAttr.from_params(
            self._resource(place.key, path), builtin.TensorType(element, shape)
        )
        view: dict[str, Any] = {}
        if not is_whole:
            strides = [step // array.itemsize for step in array.strides]
            view = {"sizes": list(array.shape), "strides": strides, "offset": place.offset}
        return prim.WeightOp(result_types=[TENSOR], value=value, **view)

    def _resource(self, key: str, path: str) -> str:
        """The name of the resource of a piece of memory: that of the first tensor over it."""
        found = self._resources.get(key)
        if found is None:
            found = self._resources[key] = self._interface.declare_resource(builtin_name(path))
            if not self._elides:
                memory = np.ascontiguousarray(self._stored.memory[int(key)])
                head = ALIGNMENT.to_bytes(4, "little").hex()
                self._interface.parse_resource(
                    found, f"0x{head}{memory.tobytes().hex()}".upper().replace("0X", "0x", 1)
                )
        return found


def builtin_name(path: str) -> str:
    """A path as a name of MLIR."""
    name = "".join(c if c.isalnum() and c.isascii() else "_" for c in path)
    return name if name[:1].isalpha() else f"_{name}"


def value_name(path: str) -> str:
    """A path as the name of a value, which does not end with a number: that is what the printer adds."""
    return builtin_name(path).rstrip("_0123456789") or "value"


def _element(type_: TorchScriptType | None) -> TorchScriptType | None:
    return type_.element if isinstance(type_, ListType) else None


def _given(type_: TorchScriptType | None) -> list[Attribute] | None:
    return [type_] if isinstance(type_, (ListType, DictType, TupleType)) else None


def _type_of(value: Any, path: str) -> TorchScriptType:
    from torchscript_dialect.dialects.python_constants import type_of_constant

    if isinstance(value, EnumMember) or not hasattr(value, "STATE"):
        return type_of_constant(value)
    raise TorchScriptError(f"{path} holds packed weights, which have no form as IR")
