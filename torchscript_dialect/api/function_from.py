"""`ts.function_from`: graphs and modules of ops as functions that can be called."""

from __future__ import annotations

from collections.abc import Collection

from xdsl.dialects.builtin import ModuleOp, StringAttr
from xdsl.dialects.func import FuncOp
from xdsl.ir import SSAValue

from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.function_module import schema_of
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.module import functions_of, module_around
from torchscript_dialect.passes.lists import parse
from torchscript_dialect.passes.named import lists_of
from torchscript_dialect.passes.pass_pipeline import Passes, PassPipeline
from torchscript_dialect.runtime.admission import admit
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.errors import TorchScriptError


def function_from(
    source: Graph | ModuleOp,
    name: str | None = None,
    *,
    pipeline: Passes | None = None,
    allow: Collection[str] = (),
) -> ScriptFunction:
    """A function that runs a graph, optimized for its arguments as any other is.

    The function has a copy, which is edited as `f.graph`. What types say of sizes and dtypes is forgotten: calls say it again. Of
    a module with several functions, `name` says which one is meant; what stands alone may get any name. `pipeline` is that of
    `ts.script`, `allow` that of `ts.run_graph`: the graph is checked first, as one that may come from anybody.

    Raises:
        TorchScriptError: the graph is malformed, is no graph of TorchScript, or would touch what it may not.
        ValueError: the module has no function of that name, or several and no name says which.
        TypeError: the source is neither a graph nor a module.
    """
    module, function = _copied(source, name)
    for argument in (value for one in functions_of(module) for value in _outer_values(one)):
        if not isinstance(argument.type, TorchScriptType):
            raise TorchScriptError(
                f"a function of TorchScript takes and gives its types, not {argument.type}"
            )
    admit(module, allow)
    PassPipeline(parse("ts-erase-shape-information")).apply(module)
    schema = schema_of(function, name or function.sym_name.data)
    return ScriptFunction(
        function, schema, f"__torch__.{schema.name}", own_lists=lists_of(pipeline)
    )


def _copied(source: Graph | ModuleOp, name: str | None) -> tuple[ModuleOp, FuncOp]:
    """A copy of the module, and the function in it that is meant."""
    if isinstance(source, Graph):
        (original,) = source.__torchscript_functions__()
        module = module_around(original)
    elif isinstance(source, ModuleOp):  # pyright: ignore[reportUnnecessaryIsInstance]
        module, original = source, _chosen(source, name)
    else:
        raise TypeError(
            f"a function is made of a Graph or a ModuleOp, not of a {type(source).__name__}"
        )
    place = functions_of(module).index(original)
    copy = module.clone()
    functions = functions_of(copy)
    if name is not None and len(functions) == 1:
        functions[0].sym_name = StringAttr(name)
    return copy, functions[place]


def _chosen(module: ModuleOp, name: str | None) -> FuncOp:
    functions = {one.sym_name.data: one for one in functions_of(module)}
    if len(functions) == 1:
        return next(iter(functions.values()))
    if not functions:
        raise ValueError("the module has no function")
    if name not in functions:
        known = ", ".join(functions)
        raise ValueError(f"the module has the functions {known}: `name` says which one is meant")
    return functions[name]


def _outer_values(function: FuncOp) -> tuple[SSAValue, ...]:
    """What a function takes and gives."""
    if len(function.body.blocks) != 1:
        raise TorchScriptError(
            f"@{function.sym_name.data} is not one block, as TorchScript's functions are"
        )
    last = function.body.block.last_op
    return (*function.body.block.args, *(() if last is None else last.operands))
