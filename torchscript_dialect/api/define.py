"""`ScriptModule.define`: methods from source text (PyTorch: torch/jit/_script.py)."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.api.clean_up import clean_up
from torchscript_dialect.api.module_class import ModuleClass
from torchscript_dialect.frontend.define.script_class import declare_method
from torchscript_dialect.frontend.python.module_definition import ModuleDefinition
from torchscript_dialect.frontend.python.module_value import ModuleValue
from torchscript_dialect.frontend.python.resolver import PythonResolver
from torchscript_dialect.frontend.source.parser import parse
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.utils.errors import FrontendError


def define_methods(class_: ModuleClass, source: str, names: dict[str, Any]) -> list[Function]:
    """Compile the functions of a text as methods of a module type; `names` is what they see outside themselves.

    Raises:
        TorchScriptError: the text is no TorchScript, or defines a method that there is. The type is as before then.
    """
    definition, unit = class_.definition, class_.program.unit
    trees = parse(source, "<string>")
    resolver = PythonResolver(names)
    options: dict[str, Any] = {}
    if isinstance(definition, ModuleDefinition):
        options["self_value"] = ModuleValue.of(definition)
    made: list[Function] = []
    try:
        for tree in trees:
            if not isinstance(tree, Def):
                raise FrontendError("define takes methods, and nothing else", tree.range)
            name = tree.name.name
            if name in definition.methods or name in definition.attributes:
                raise FrontendError(f"method '{name}' already defined.", tree.range)
            made.append(declare_method(definition, unit, name, tree, resolver, {}, **options))
        for function in made:
            function.ensure_defined()
    except Exception:
        for function in made:
            del definition.methods[function.name]
            del unit.functions[function.symbol]
        raise
    if isinstance(definition, ModuleDefinition):
        definition.mark_edited()
    clean_up(unit, class_.program.own_lists)
    if class_.program.concrete_type is not None:
        class_.program.concrete_type.function_edited()
    return made
