"""What another unit has compiled, brought into this one: functions, classes and modules that were scripted by themselves.

PyTorch keeps all that is scripted in one unit. Here each has its own, and a unit that calls what another one holds gets a copy
of it; a class whose name is taken gets another name on the way.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import cast

from xdsl.dialects.builtin import ArrayAttr, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import Attribute

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition, module_key
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.ir.edit import set_type, update_function_type
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.named import ClassType, EnumType, FunctionType, InterfaceType


def adopt_function(unit: CompilationUnit, function: Function, source: CompilationUnit) -> Function:
    """The unit's own copy of a compiled function of another unit; a function of the unit itself as it is."""
    return function if source is unit else _adopter(unit, source).function(function)


def adopt_module(
    unit: CompilationUnit, definition: ModuleDefinition, source: CompilationUnit
) -> ModuleDefinition:
    """The unit's own copy of a module type of another unit."""
    if source is unit:
        return definition
    return cast(ModuleDefinition, _adopter(unit, source).class_(definition))


def adopt_types(
    unit: CompilationUnit, types: Iterable[TorchScriptType], source: CompilationUnit
) -> None:
    """Bring what types of another unit name into a unit that has nothing of these names yet."""
    for type_ in types:
        _adopter(unit, source).type(type_)


def _adopter(unit: CompilationUnit, source: CompilationUnit) -> _Adopter:
    found = unit.adopted.get(source)
    if found is None:
        found = unit.adopted[source] = _Adopter(unit, source)
    return cast(_Adopter, found)


class _Adopter:
    """Copies from one unit to another, each thing once."""

    def __init__(self, unit: CompilationUnit, source: CompilationUnit) -> None:
        self.unit = unit
        self.source = source
        self.functions: dict[Function, Function] = {}
        self.classes: dict[str, ClassDefinition] = {}
        unit.is_checked |= source.is_checked

    def function(self, function: Function) -> Function:
        known = self.functions.get(function)
        if known is not None:
            return known
        name = self.unit.free_function_name(function.qualified_name)
        made = self.unit.declare(function.name, partial(self._define, function), name)
        self.functions[function] = made
        return made.ensure_defined()

    def _define(self, original: Function, made: Function) -> None:
        copy = original.op.clone()
        assert isinstance(copy, FuncOp)
        copy.sym_name = StringAttr(made.symbol)
        for argument in copy.body.block.args:
            set_type(argument, self.type(prim.type_of(argument)))
        for op in copy.walk():
            for region in op.regions:
                for argument in region.block.args:
                    set_type(argument, self.attribute(argument.type))
            for result in op.results:
                set_type(result, self.attribute(result.type))
            if op is not copy:
                op.attributes |= {k: self.attribute(v) for k, v in op.attributes.items()}
        update_function_type(copy)
        made.func_op = copy
        made.is_clean = original.is_clean
        made.argument_names = original.argument_names
        made.set_schema(self.schema(original.schema))
        self.unit.add_op(copy)

    def schema(self, schema: FunctionSchema) -> FunctionSchema:
        arguments = tuple(replace(each, type=self.type(each.type)) for each in schema.arguments)
        returns = tuple(replace(each, type=self.type(each.type)) for each in schema.returns)
        return FunctionSchema(schema.name, "", arguments, returns)

    def attribute(self, attribute: Attribute) -> Attribute:
        if isinstance(attribute, TorchScriptType):
            return self.type(attribute)
        if isinstance(attribute, ArrayAttr):
            items = cast("ArrayAttr[Attribute]", attribute).data
            return ArrayAttr([self.attribute(item) for item in items])
        return attribute

    def type(self, type_: TorchScriptType) -> TorchScriptType:
        """The type as this unit knows it; what it names is adopted."""
        match type_:
            case FunctionType():
                callee = self.source.functions[type_.qualified_name.data]
                return FunctionType(self.function(callee).symbol)
            case ClassType():
                definition = self.source.classes.get(type_.qualified_name.data)
                return type_ if definition is None else self.class_(definition).type
            case EnumType():
                name = type_.qualified_name.data
                self.unit.enums.setdefault(name, self.source.enums[name])
                return type_
            case InterfaceType():
                self._interface(type_)
                return type_
            case _:
                contained = type_.contained
                changed = tuple(map(self.type, contained))
                return type_ if changed == contained else type_.with_contained(changed)

    def _interface(self, type_: InterfaceType) -> None:
        name = type_.qualified_name.data
        if name not in self.unit.interfaces:
            definition = self.source.interfaces[name]
            self.unit.interfaces[name] = made = replace(definition, methods={})
            for method, schema in definition.methods.items():
                made.methods[method] = self.schema(schema)

    def class_(self, definition: ClassDefinition) -> ClassDefinition:
        name = definition.type.qualified_name.data
        known = self.classes.get(name)
        if known is not None:
            return known
        own = self.unit.python_objects.get(id(definition.python_class))
        if not definition.is_module and own is not None:
            return self.classes.setdefault(name, self.unit.class_of(own[1]))
        attributes = {} if definition.is_module else definition.attributes
        made = replace(definition, methods={}, static_methods={}, attributes={}, properties={})
        if isinstance(made, ModuleDefinition):
            assert isinstance(definition, ModuleDefinition)
            inner = {k: self.class_(v) for k, v in definition.submodules.items()}
            made.submodules = cast("dict[str, ModuleDefinition]", inner)
            made.unit = self.unit
            made.attributes = {k: self.type(v) for k, v in definition.attributes.items()}
            if made.python_class is not object:  # no class tells what was loaded apart
                key = module_key(made)
                shared = self.unit.module_types.get(key)
                if shared is not None:
                    return self.classes.setdefault(name, shared)
                self.unit.module_types[key] = made
        made.type = ClassType(self.unit.free_qualified_name(name))
        self.classes[name] = self.unit.classes[made.type.qualified_name.data] = made
        if not definition.is_module and definition.python_class is not object:
            class_ = definition.python_class
            self.unit.python_objects[id(class_)] = (class_, made.type)
        made.attributes |= {k: self.type(v) for k, v in attributes.items()}
        self._methods(definition, made)
        return made

    def _methods(self, definition: ClassDefinition, made: ClassDefinition) -> None:
        qualified = made.type.qualified_name.data
        for name, method in definition.methods.items():
            symbol = f"{qualified}.{name}"
            copy = self.unit.declare(method.name, partial(self._define, method), symbol, symbol)
            made.methods[name] = self.functions[method] = copy
        for name, static in definition.static_methods.items():
            made.static_methods[name] = self.function(static)
        for name, (getter, setter) in definition.properties.items():
            own = self.functions[getter], None if setter is None else self.functions[setter]
            made.properties[name] = own
        for method in made.methods.values():
            if not method.is_running:
                method.ensure_defined()
