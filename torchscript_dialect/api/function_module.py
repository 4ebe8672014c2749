"""Functions as archives hold them: the method `forward` of a module without attributes, as PyTorch saves them."""

from __future__ import annotations

from dataclasses import replace

from xdsl.dialects.func import FuncOp

from torchscript_dialect.api.lent_tensors import LentTensors
from torchscript_dialect.api.module_class import ModuleClass, Program, namer
from torchscript_dialect.api.module_tree import ModuleTree
from torchscript_dialect.dialects.prim import type_of
from torchscript_dialect.frontend.python.adoption import adopt_function
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.ir import edit
from torchscript_dialect.ir.module import functions_of, module_around
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.types.named import ClassType

_NAME = "__torch__.PlaceholderModule"


class FunctionModule(ModuleTree):
    """A module whose only method does what a function does."""

    def __init__(self, function: Function, unit: CompilationUnit) -> None:
        own = CompilationUnit()
        definition = ClassDefinition(
            ClassType(_NAME), is_module=True, attributes={"training": BOOL}
        )
        own.classes[_NAME] = definition
        copy = adopt_function(own, function, unit)
        edit.set_name(copy.op.body.block.insert_arg(definition.type, 0), "self")
        edit.update_function_type(copy.op)
        arguments = (Argument("self", definition.type), *copy.schema.arguments)
        copy.name = "forward"
        copy.set_schema(replace(copy.schema, name="forward", arguments=arguments))
        definition.methods["forward"] = copy
        self._of_class = ModuleClass(Program(own, namer(own)), definition)
        self.__torchscript_lent__ = LentTensors()
        self.__torchscript_object__ = ScriptObject(_NAME, self._of_class.program.resolve, self)
        self.__torchscript_object__.__torchscript_fields__["training"] = True

    @property
    def _class(self) -> ModuleClass:
        return self._of_class


def compiled_from(function: FuncOp, schema: FunctionSchema) -> tuple[Function, CompilationUnit]:
    """A function that came as data as one that was compiled, and those that it calls."""
    unit = CompilationUnit()
    for one in functions_of(module_around(function)):
        name = one.sym_name.data
        made = unit.declare(name, _as_it_is, symbol=name)
        made.func_op = one
        made.set_schema(schema if one is function else schema_of(one, name))
    return unit.functions[function.sym_name.data], unit


def _as_it_is(function: Function) -> None:
    """Its op is there."""


def schema_of(function: FuncOp, name: str) -> FunctionSchema:
    """The schema of a function that was declared nowhere: arguments have the names of its values."""
    taken: set[str] = set()
    arguments: list[Argument] = []
    for place, value in enumerate(function.body.block.args):
        hint = value.name_hint
        named = hint if hint and hint.isidentifier() and hint not in taken else f"argument_{place}"
        taken.add(named)
        arguments.append(Argument(named, type_of(value)))
    last = function.body.block.last_op
    assert last is not None
    returns = tuple(Argument("", type_of(value)) for value in last.operands)
    return FunctionSchema(name, "", tuple(arguments), returns)
