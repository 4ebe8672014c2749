"""Optimized graphs as users see them: with the checks that guard kernels, and the fallback of each.

Note [Chains of specializations]
A call that does not fit one specialization goes on to the next. Graphs show that as PyTorch's do: where all of a function is one
group, what runs if its `prim::TypeCheck` fails is a fallback function, whose own plans are those that were made after this one. Where
the group is a part of the function, the fallback is that part, node by node, and has no plan.

Kernels take any size, so that the steps of a fusion strategy, static and dynamic, decide only what graphs say of sizes: those of the
call that a static specialization was made by, none of a dynamic one. After as many as the strategy allows a function is interpreted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block

from torchscript_dialect.dialects import prim
from torchscript_dialect.ir import Graph, edit
from torchscript_dialect.ir.function_values import Executed, executed_type
from torchscript_dialect.ir.module import find_function, module_around
from torchscript_dialect.passes import lists
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.runtime.executor.debug_state import FallbackState
from torchscript_dialect.runtime.specialization.specialization import of_any_size
from torchscript_dialect.types.tensor_type import TensorType

Following = Callable[[], Sequence[Any]]
"""Gives the plans that come after one."""


def shown_graph(function: FuncOp, following: Following, *, is_dynamic: bool = False) -> Graph:
    """A copy of an optimized function with its checks; one that `is_dynamic` names no sizes but those that are 1."""
    module = module_around(function)
    copy = module.clone()
    pipeline(lists.current(), "guards").apply(copy)
    shown = find_function(copy, function.sym_name.data)
    if is_dynamic:
        _forget_sizes(shown.body.block)
    plans = following if is_one_check(shown) else tuple
    for op in edit.nested_ops(shown.body.block):
        if isinstance(op, prim.ConstantOp) and op.function_symbol and "fallback" in op.attributes:
            callee = find_function(copy, op.function_symbol)
            state = partial(_state_of, callee, plans)
            executed = Executed(partial(Graph, callee), state)
            edit.set_type(op.results[0], executed_type(op.function_symbol, executed))
    return Graph(shown)


def _forget_sizes(block: Block) -> None:
    for op in block.walk():
        for result in op.results:
            if isinstance(result.type, TensorType):
                edit.set_type(result, of_any_size(result.type))
        for region in op.regions:
            for argument in region.block.args:
                if isinstance(argument.type, TensorType):
                    edit.set_type(argument, of_any_size(argument.type))


def _state_of(function: FuncOp, following: Following) -> FallbackState:
    plans = following()
    if not plans:
        raise RuntimeError("no call has come to this fallback: it has no optimized plan")
    return FallbackState(function, plans)


def is_one_check(function: FuncOp) -> bool:
    """Whether a function is one group and its check, besides constants and tuples."""
    kept = (prim.ConstantOp, prim.TupleConstructOp, prim.TypeCheckOp, prim.IfOp, ReturnOp)
    ops = list(function.body.block.ops)
    checks = sum(isinstance(op, prim.TypeCheckOp) for op in ops)
    return checks == 1 and all(isinstance(op, kept) for op in ops)
