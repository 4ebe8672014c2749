"""Functions for other compilers."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.function_from import function_from
from torchscript_dialect.backend import NotCompilable, get_exporter
from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import Graph
from torchscript_dialect.ir.edit import add_argument, body_ops, replace_uses
from torchscript_dialect.runtime.arguments import bind
from torchscript_dialect.runtime.interpreter import describe_place
from torchscript_dialect.runtime.values import tensor_type
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.utils.errors import TorchScriptError


def to_linalg(f: ScriptFunction | Graph | ModuleOp, example_inputs: Any) -> ModuleOp:
    """The function as `func.func @forward` over tensors in upstream dialects (func, linalg, tensor, arith, math).

    `example_inputs` is one value or a tuple of them; sizes and dtypes of the result are theirs. The text of the module parses
    in upstream MLIR. A tuple that the function returns becomes several results.

    Raises:
        TypeError: `f` is nothing of that.
        TorchScriptError: the function does something that has no form in linalg; the message names it and its place in the source.
    """
    made = function_from(f) if isinstance(f, Graph | ModuleOp) else f
    if not isinstance(made, ScriptFunction):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"to_linalg takes a function, a Graph or a ModuleOp, not a {type(f).__name__}"
        )
    several = isinstance(example_inputs, tuple)
    args = cast(tuple[Any, ...], example_inputs) if several else (example_inputs,)
    executor = made._executor  # pyright: ignore[reportPrivateUsage]
    types = executor.specialized_types(bind(made.schema, args, {}))
    function = executor.specialized(types, "export")
    constants = _lifted_constants(function)
    try:
        return get_exporter("linalg")(function.body.block, constants)
    except NotCompilable as error:
        place = describe_place(made.name, error.op, reads_files=not executor.is_checked)
        raise TorchScriptError(f"{made.name} cannot leave: {error}\n{place}".rstrip()) from None


def _lifted_constants(function: FuncOp) -> dict[int, Tensor]:
    """Make arguments of the constants that are tensors; what they are, by the number of the argument."""
    block = function.body.block
    found: dict[int, Tensor] = {}
    for op in body_ops(block):
        value = op.value if isinstance(op, prim.ConstantOp) and not op.function_symbol else None
        if isinstance(value, Tensor):
            found[len(block.args)] = value
            replace_uses(op.results[0], add_argument(block, tensor_type(value)))
    return found
