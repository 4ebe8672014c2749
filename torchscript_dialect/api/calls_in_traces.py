"""Compiled functions that a program calls while PyTorch follows it: its trace calls a copy of the graph, other graphs cannot."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, NoReturn
from zlib import crc32

from torchscript_dialect.api.function_module import FunctionModule
from torchscript_dialect.api.save import save_to_buffer
from torchscript_dialect.ir import Graph
from torchscript_dialect.ops.eager.recording import Callee
from torchscript_dialect.runtime.values.arguments import Lent
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.utils.errors import TorchScriptError


def is_pytorch_tracing() -> bool:
    """Whether PyTorch records what this thread does."""
    torch: Any = pytorch_state.loaded()
    state = getattr(getattr(torch, "_C", None), "_get_tracing_state", None)
    return state is not None and state() is not None


def refuse_in_trace(method: str) -> NoReturn:
    """Refuse a method of a compiled module, whose tensors would be constants.

    Raises:
        TorchScriptError: always.
    """
    raise TorchScriptError(
        f"{method} is called while PyTorch traces, and PyTorch knows nothing of its module: compile what is traced as a whole"
    )


def refuse_unseen(name: str, lent: Lent) -> None:
    """Refuse a call with tensors of PyTorch's, which would take the result for a constant: in a graph that `make_fx` or `torch.export`
    makes, or of a level of forward derivatives.

    Raises:
        TorchScriptError: it is such a call.
    """
    torch: Any = pytorch_state.loaded()
    if torch is None or not pytorch_state.is_followed(torch):
        return
    proxies = sys.modules.get("torch.fx.experimental.proxy_tensor")
    if proxies is not None and proxies.get_proxy_mode() is not None:
        raise TorchScriptError(
            f"{name} is called while PyTorch makes a graph (make_fx, torch.export, torch.compile), which would hold its result as a "
            "constant: let the graph be made of the Python function or module"
        )
    levels = torch.autograd.forward_ad
    if levels._current_level >= 0 and any(
        isinstance(original, torch.Tensor) and levels.unpack_dual(original).tangent is not None
        for original, _ in lent.values()
    ):
        raise TorchScriptError(
            f"{name} is given tensors with forward derivatives of PyTorch's, which would be lost: they go through Python functions only"
        )


def call_in_trace(
    callee: Callee, graph: Graph, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Any:
    """The result of PyTorch's own form of a function with this graph, in which calls are inlined.

    Raises:
        TorchScriptError: it is a method, whose module PyTorch knows nothing of, or PyTorch has no form of the graph.
    """
    name = callee.function.qualified_name
    if callee.owner is not None:
        refuse_in_trace(name)
    rest = callee.function.schema.arguments[len(args) :]
    values = [*args, *(kwargs.get(argument.name, argument.default) for argument in rest)]
    torch: Any = pytorch_state.loaded()
    unit = torch.jit._state._python_cu  # which lives as long as traces that call what it has
    qualified_name = f"{name}_{crc32(str(graph).encode()):08x}"
    made = unit.find_function(qualified_name)
    if made is None:
        archive = save_to_buffer(FunctionModule(callee.function, callee.unit))
        try:
            theirs = torch.jit.load(BytesIO(archive)).forward.inlined_graph
        except RuntimeError as error:
            raise TorchScriptError(f"PyTorch cannot call {name} in a trace: {error}") from error
        theirs.eraseInput(0)  # the module around the function
        made = unit.create_function(qualified_name, theirs)
    return made(*values)
