"""Modules from IR: what `module_ir.py` wrote, and passes have changed, as a `ScriptModule` again."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from xdsl.dialect_interfaces.op_asm import OpAsmDialectInterface
from xdsl.dialects import builtin
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from torchscript_dialect.api.function_module import schema_of
from torchscript_dialect.api.module import ScriptModule
from torchscript_dialect.api.module_class import Program, namer
from torchscript_dialect.api.module_ir import DEFAULT, TYPES
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import from_attribute
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import (
    ClassDefinition,
    EnumDefinition,
    Function,
    InterfaceDefinition,
)
from torchscript_dialect.ir.edit import constant_value
from torchscript_dialect.ir.module import functions_of
from torchscript_dialect.runtime.values.objects import ScriptObject, object_of
from torchscript_dialect.tensor.dtype import from_name
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.types.core import INT, TorchScriptType
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.types.named import ClassType, EnumType, InterfaceType
from torchscript_dialect.utils.errors import TorchScriptError


def module_from_ir(module: builtin.ModuleOp) -> ScriptModule:
    """The module whose classes, nodes and functions stand in a module of ops; the functions are taken out of it.

    Raises:
        TorchScriptError: there is none, or a weight has no content.
    """
    found = [op for op in module.ops if isinstance(op, prim.ModuleOp)]
    if len(found) != 1:
        raise TorchScriptError(
            "this is no module with its weights: `ts-opt model.pt` prints such ones"
        )
    unit = CompilationUnit()
    unit.is_checked = True
    program = Program(unit, namer(unit))
    for op in module.ops:
        if isinstance(op, prim.EnumTypeOp):
            enum = _enum(op)
            unit.enums[enum.type.qualified_name.data] = enum
        elif isinstance(op, prim.InterfaceTypeOp):
            interface = _interface(op)
            unit.interfaces[interface.type.qualified_name.data] = interface
        elif isinstance(op, prim.ClassTypeOp):
            definition = _definition(op)
            unit.classes[definition.type.qualified_name.data] = definition
    for definition in unit.classes.values():
        for type_ in definition.attributes.values():
            _check(unit, type_)
    body = found[0].regions[0].block
    last = body.last_op
    assert last is not None
    root = cast(ClassType, last.operands[0].type)
    unit.class_of(root).is_module = True
    _declare_methods(unit, module)
    values = _Values(program)
    values.run(body)
    return cast(ScriptModule, values.of(last.operands[0]).view)


def _definition(op: prim.ClassTypeOp) -> ClassDefinition:
    """A class without its methods. Modules say whether they are in training."""
    given = {key: from_attribute(op.attributes[key]) for key in op.attributes if key != "types"}
    types = cast("builtin.ArrayAttr[Attribute]", op.attributes["types"]).data
    attributes = dict(
        zip(given["attributes"], cast("Sequence[TorchScriptType]", types), strict=True)
    )
    return ClassDefinition(
        ClassType(given["name"]),
        attributes=attributes,
        constants=dict(zip(given.get("constants", ()), given.get("values", ()), strict=True)),
        parameters=set(given.get("parameters", ())),
        buffers=set(given.get("buffers", ())),
        is_module="training" in attributes,
    )


def _check(unit: CompilationUnit, type_: TorchScriptType) -> None:
    """Raise TorchScriptError for a type of which IR has the name alone."""
    if isinstance(type_, (EnumType, InterfaceType)):
        known = unit.enums if isinstance(type_, EnumType) else unit.interfaces
        if type_.qualified_name.data not in known:
            raise TorchScriptError(
                f"an attribute is of the type {type_.annotation_str}, which IR does not define"
            )
    for part in type_.contained:
        _check(unit, part)


def _enum(op: prim.EnumTypeOp) -> EnumDefinition:
    name, members, values = (
        from_attribute(op.attributes[key]) for key in ("name", "members", "values")
    )
    type_ = type_of_constant(values[0]) if values else INT
    return EnumDefinition(
        EnumType(name), dict(zip(members, values, strict=True)), type_, is_text=True
    )


def _interface(op: prim.InterfaceTypeOp) -> InterfaceDefinition:
    name, methods, arguments = (
        from_attribute(op.attributes[key]) for key in ("name", "methods", "arguments")
    )
    types = cast("builtin.ArrayAttr[builtin.FunctionType]", op.attributes["types"]).data
    schemas: dict[str, FunctionSchema] = {}
    for method, names, type_ in zip(methods, arguments, types, strict=True):
        taken = cast("Sequence[TorchScriptType]", type_.inputs.data)
        given = cast("Sequence[TorchScriptType]", type_.outputs.data)
        schemas[method] = FunctionSchema(
            method,
            "",
            tuple(map(Argument, names, taken)),
            tuple(Argument("", each) for each in given),
        )
    is_module = "is_module" in op.attributes and from_attribute(op.attributes["is_module"])
    return InterfaceDefinition(InterfaceType(name), is_module, schemas)


def _declare_methods(unit: CompilationUnit, module: builtin.ModuleOp) -> None:
    hooks: dict[str, tuple[Sequence[str], Sequence[str]]] = {}
    for op in module.ops:
        if isinstance(op, prim.ClassTypeOp):
            kinds = [op.attributes.get(key) for key in ("pre_hooks", "hooks")]
            pre, post = (() if names is None else from_attribute(names) for names in kinds)
            hooks[from_attribute(op.attributes["name"])] = (pre, post)
    for op in functions_of(module):
        symbol = op.sym_name.data
        owner, _, name = symbol.rpartition(".")
        op.detach()
        function = unit.declare(name, _definer(unit, op), symbol, symbol)
        if owner in unit.classes:
            unit.classes[owner].methods[name] = function
    for owner, names in hooks.items():
        definition = unit.classes[owner]
        definition.pre_hooks, definition.hooks = (
            [definition.methods.pop(name) for name in some] for some in names
        )
    unit.compile_all()


def _definer(unit: CompilationUnit, op: FuncOp) -> Callable[[Function], None]:
    def define(function: Function) -> None:
        function.func_op = op
        function.is_clean = True
        function.set_schema(_with_defaults(schema_of(op, function.name), op))
        unit.add_op(op)

    return define


def _with_defaults(schema: FunctionSchema, op: FuncOp) -> FunctionSchema:
    """The schema with the default values that the op has for its arguments."""
    if op.arg_attrs is None:
        return schema
    arguments = list(schema.arguments)
    for number, attributes in enumerate(op.arg_attrs.data):
        if DEFAULT in attributes.data:
            default = from_attribute(attributes.data[DEFAULT])
            arguments[number] = replace(arguments[number], default=default)
    return FunctionSchema(schema.name, "", tuple(arguments), schema.returns)


class _Values:
    """Runs the nodes that make a module."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._made: dict[SSAValue, Any] = {}
        self._memory: dict[str, NDArray[np.uint8]] = {}

    def of(self, value: SSAValue) -> Any:
        return self._made[value]

    def run(self, block: Block) -> None:
        """Make all values.

        Raises:
            TorchScriptError: a node is none that makes modules.
        """
        for op in block.ops:
            if isinstance(op, prim.SetAttrOp):
                owner, value = map(self.of, op.operands)
                owner.__torchscript_fields__[op.attribute_name] = value
            elif not isinstance(op, prim.YieldOp):
                self._made[op.results[0]] = self._value(op)

    def _value(self, op: Operation) -> Any:
        given = [self.of(value) for value in op.operands]
        match op:
            case prim.CreateObjectOp():
                return self._object(cast(ClassType, op.results[0].type))
            case prim.ConstantOp():
                return constant_value(op.results[0])
            case prim.WeightOp():
                return self._weight(op)
            case prim.ListConstructOp():
                return given
            case prim.TupleConstructOp():
                return tuple(given)
            case prim.DictConstructOp():
                return dict(zip(given[::2], given[1::2], strict=True))
            case _:
                raise TorchScriptError(f"{op.name} makes no part of a module")

    def _object(self, type_: ClassType) -> ScriptObject:
        definition = self._program.unit.class_of(type_)
        if definition.is_module:
            return object_of(ScriptModule(self._program.class_of(definition)))
        return ScriptObject(type_.annotation_str, self._program.resolve)

    def _weight(self, op: prim.WeightOp) -> Tensor:
        resource = cast(builtin.DenseResourceAttr, op.attributes["value"])
        type_ = cast("builtin.TensorType[Attribute]", resource.type)
        names = [name for name, known in TYPES.items() if known == type_.element_type]
        if not names:
            raise TorchScriptError(f"a weight of {type_.element_type} is none of PyTorch's")
        key = resource.resource_handle.data
        if key not in self._memory:
            self._memory[key] = _content(key)
        element, shape = from_name(names[0]).numpy_dtype, type_.get_shape()
        if self._memory[key].size != math.prod(shape) * element.itemsize:
            raise TorchScriptError(f"the resource {key} does not have the size of {type_}")
        memory = self._memory[key].view(element)
        if "sizes" not in op.attributes:
            return tensor_of(memory.reshape(shape))
        sizes, strides = (from_attribute(op.attributes[name]) for name in ("sizes", "strides"))
        offset = from_attribute(op.attributes["offset"])
        steps = [step * element.itemsize for step in strides]
        try:
            return tensor_of(np.ndarray(sizes, element, memory, offset * element.itemsize, steps))
        except (ValueError, TypeError, OverflowError):
            raise TorchScriptError(f"a weight reaches beyond the resource {key}") from None


def _content(key: str) -> NDArray[np.uint8]:
    """The bytes of a resource."""
    interface = builtin.Builtin.get_interface(OpAsmDialectInterface)
    assert interface is not None
    text = interface.lookup(key) or ""
    if len(text) < 10:
        raise TorchScriptError(f"the resource {key} has no content: was it printed without?")
    try:
        data = bytearray.fromhex(text.removeprefix("0x")[8:])
    except ValueError:
        raise TorchScriptError(f"the resource {key} is no string of hex digits") from None
    return np.frombuffer(data, np.uint8)
