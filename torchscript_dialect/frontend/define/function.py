"""The compilation of one function: from its tree to the graph that PyTorch has before its cleanup passes."""

from __future__ import annotations

from typing import Any

from torchscript_dialect.dialects.prim import ClosureOp, LoopOp
from torchscript_dialect.frontend.ir_emitter.emitter import Emitter
from torchscript_dialect.frontend.source.tree_views import Def
from torchscript_dialect.frontend.ssa.canonicalize_modified_loops import canonicalize_modified_loops
from torchscript_dialect.frontend.ssa.convert_to_ssa import convert_to_ssa
from torchscript_dialect.frontend.ssa.exit_transforms import transform_exits
from torchscript_dialect.frontend.ssa.lift_closures import lift_closures
from torchscript_dialect.frontend.ssa.normalize_ops import has_another_name, normalize_ops
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.ir.edit import op_classes, update_function_type
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.subtyping import with_interfaces
from torchscript_dialect.utils.collection import without_collection
from torchscript_dialect.utils.errors import compiling, told
from torchscript_dialect.utils.recursion import deep_recursion


def declared_schema(
    definition: Def, resolver: Resolver, defaults: dict[str, Any]
) -> FunctionSchema:
    """The schema of a function that declares what it returns, without its body."""
    with deep_recursion():
        unit = CompilationUnit()
        function = unit.declare(definition.name.name, lambda _: None)
        return Emitter(function, unit, resolver, defaults).emit_signature(definition)


def define_from_tree(
    function: Function,
    unit: CompilationUnit,
    definition: Def,
    resolver: Resolver,
    defaults: dict[str, Any] | None = None,
    self_type: TorchScriptType | None = None,
    *,
    emit_only: bool = False,
    **options: Any,
) -> None:
    """Compile one function of the unit. With `emit_only` it keeps its loads, stores and exits."""
    name = function.name
    if self_type is not None:
        name = ".".join(function.qualified_name.split(".")[-2:])
    with (
        compiling(name, definition.range) as call,
        told(f"'{name}' is compiled"),
        with_interfaces(unit.implements),
        deep_recursion(),
        without_collection(),
    ):
        emitter = Emitter(function, unit, resolver, defaults, self_type, **options)
        emitter.call = call
        emitter.emit_def(definition)
        emitter.graph.forget_names_of_empty_lists()
        block = emitter.graph.block
        if not emit_only:
            convert_to_ssa(block)
            transform_exits(block)
            classes = op_classes(block)
            if LoopOp in classes:
                canonicalize_modified_loops(block)
            if any(map(has_another_name, classes)):
                normalize_ops(block)
            if ClosureOp in classes:
                lift_closures(block)
    update_function_type(emitter.graph.func_op)
    unit.add_op(emitter.graph.func_op)
