"""Functions as archives hold them: the method `forward` of a module without attributes, as PyTorch saves them."""

from __future__ import annotations

from dataclasses import replace

from torchscript_dialect.api.lent_tensors import LentTensors
from torchscript_dialect.api.module_class import ModuleClass, Program, namer
from torchscript_dialect.api.module_tree import ModuleTree
from torchscript_dialect.frontend.python.adoption import adopt_function
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import ClassDefinition, Function
from torchscript_dialect.ir import edit
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.types.core import BOOL
from torchscript_dialect.types.function_schema import Argument
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
