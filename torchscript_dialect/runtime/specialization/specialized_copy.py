"""A copy of a function for some types of its arguments, as passes make it (PyTorch: runtime/profiling_graph_executor_impl.cpp)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from xdsl.dialects.builtin import StringAttr, UnitAttr
from xdsl.dialects.func import FuncOp

from torchscript_dialect.analysis.analyses import Analyses
from torchscript_dialect.dialects import aten, prim
from torchscript_dialect.ir.calls import NO_INLINE
from torchscript_dialect.ir.edit import (
    erase,
    insert_constant,
    nested_ops,
    replace_uses,
    set_type,
    update_function_type,
)
from torchscript_dialect.ir.module import find_function, functions_of, is_traced, module_around
from torchscript_dialect.passes.lists import PassLists
from torchscript_dialect.passes.named import pipeline
from torchscript_dialect.runtime.specialization.gradients import turns_gradients
from torchscript_dialect.runtime.specialization.module_flags import Flags, use_flags
from torchscript_dialect.runtime.specialization.specialization import of_any_size
from torchscript_dialect.types.core import BOOL, NONE, TorchScriptType


def specialized_copy(
    function: FuncOp,
    types: Sequence[TorchScriptType],
    flags: Flags,
    lists: PassLists,
    last: str,
    staying: Collection[str],
    *,
    grad_mode: bool | None,
    differentiates: bool,
    before_last: Callable[[FuncOp], None] | None = None,
) -> FuncOp:
    """A copy of the function in a module of its own, inlined but for calls that are `staying`, with these types of arguments and
    flags, and run through the pipeline `last`. Before that it is simplified, and differentiated if it `differentiates`, with what the
    types say of all arguments that the same plan is for. `grad_mode`: whether gradients are wanted, where that is the same for all
    calls; a function that turns them on or off itself is not differentiated. `before_last` is called with the copy before the last
    pipeline runs.
    """
    analyses = Analyses()
    made = _copy_in_module(function, staying)
    copy = module_around(made)

    def run(name: str) -> None:
        pipeline(lists, name).apply(copy, analyses=analyses)

    if any(is_traced(op) for op in functions_of(copy)):
        run("generalization")
    _use_nones(made, types)
    for name in ("required", "before-inlining", "inlining"):
        run(name)
    for other in list(copy.body.ops):
        if other is not made:
            erase(other)
    use_flags(made, flags)
    analyses.unsettle()
    run("decomposition-with-gradients" if grad_mode else "decomposition")
    run("before-specialization")
    turns = grad_mode is not None and turns_gradients(made)
    if grad_mode is not None and not turns:
        _use_grad_mode(made, grad_mode)
    _specialize(made, map(of_any_size, types))
    analyses.unsettle()
    before, branches = -1, _branches(made)
    while branches != before:
        # What loops and branches have become tells types, and these decide other branches.
        before = branches
        if grad_mode and not turns:
            run("before-differentiation")
        run("specialization")
        branches = _branches(made)
    if differentiates and not turns:
        run("differentiation")
    _specialize(made, types)
    analyses.unsettle()
    if before_last is not None:
        before_last(made)
    run(last)
    return made


def _copy_in_module(function: FuncOp, staying: Collection[str]) -> FuncOp:
    """A copy of the function in a copy of its module, whose other functions are private; calls of those in `staying` stay calls."""
    copy = module_around(function).clone()
    made = find_function(copy, function.sym_name.data)
    for other in functions_of(copy):
        if other is not made:
            other.sym_visibility = StringAttr("private")
            if other.sym_name.data in staying:
                other.attributes[NO_INLINE] = UnitAttr()
    return made


def _branches(function: FuncOp) -> int:
    return sum(isinstance(op, prim.IfOp) for op in nested_ops(function.body.block))


def _use_nones(function: FuncOp, types: Iterable[TorchScriptType]) -> None:
    """Put None in the place of arguments that are None, before anything that depends on them is inlined."""
    block = function.body.block
    for argument, type_ in zip(block.args, types, strict=True):
        if type_ == NONE and argument.uses and block.first_op is not None:
            replace_uses(argument, insert_constant(block.first_op, None, NONE))


def _use_grad_mode(function: FuncOp, is_enabled: bool) -> None:
    """Put a constant in the place of what a function is told of whether gradients are wanted."""
    for op in nested_ops(function.body.block):
        if isinstance(op, aten.IsGradEnabledOp):
            replace_uses(op.results[0], insert_constant(op, is_enabled, BOOL))
            erase(op)


def _specialize(function: FuncOp, types: Iterable[TorchScriptType]) -> None:
    for argument, type_ in zip(function.body.block.args, types, strict=True):
        set_type(argument, type_)
    update_function_type(function)
