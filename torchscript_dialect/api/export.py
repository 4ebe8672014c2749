"""Functions for other compilers."""

from __future__ import annotations

from typing import Any, cast

from xdsl.dialects.builtin import ModuleOp

from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.backend import get_exporter
from torchscript_dialect.runtime.arguments import bind
from torchscript_dialect.runtime.whole_graph import align_to_function
from torchscript_dialect.utils.errors import TorchScriptError


def to_linalg(f: ScriptFunction, example_inputs: Any) -> ModuleOp:
    """The function as `func.func @forward` over tensors in upstream dialects (func, linalg, tensor, arith, math).

    `example_inputs` is one value or a tuple of them; sizes and dtypes of the result are theirs. The text of the module parses
    in upstream MLIR.

    Raises:
        TypeError: `f` is no ScriptFunction; a module's weights would have to become arguments.
        TorchScriptError: the function does something that has no form in linalg; the message names it.
    """
    if not isinstance(f, ScriptFunction):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"to_linalg takes a ScriptFunction, not a {type(f).__name__}")
    several = isinstance(example_inputs, tuple)
    args = cast(tuple[Any, ...], example_inputs) if several else (example_inputs,)
    executor = f._executor  # pyright: ignore[reportPrivateUsage]
    function = executor.specialized(executor.specialized_types(bind(f.schema, args, {})), "export")
    whole = align_to_function(function)
    if whole is None:
        others = sorted({op.name for op in function.body.block.ops})
        raise TorchScriptError(
            f"{f.name} is not made of operators on tensors only: after optimization it holds"
            f" {', '.join(others)}"
        )
    return get_exporter("linalg")(whole.block)
