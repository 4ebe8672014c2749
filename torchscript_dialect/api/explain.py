"""`ts.explain`: how a function runs: what is native, what is interpreted and why, what was made for which calls."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from xdsl.ir import Operation

from torchscript_dialect.api.check import is_missing, place_of, problems_of
from torchscript_dialect.api.function import ScriptFunction
from torchscript_dialect.api.module import ScriptMethod, ScriptModule, forward_of
from torchscript_dialect.backend import get_backend
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.operators import OperatorOp
from torchscript_dialect.ir.edit import nested_ops
from torchscript_dialect.runtime import settings
from torchscript_dialect.runtime.executor.differentiable import DifferentiableGraph
from torchscript_dialect.runtime.executor.execution_plan import ExecutionPlan
from torchscript_dialect.runtime.executor.gradient_plan import GradientPlan
from torchscript_dialect.runtime.executor.graph_executor import GraphExecutor
from torchscript_dialect.runtime.native.entry import HAS_NATIVE_CALLS
from torchscript_dialect.runtime.native.runtime_blob import NEEDS


def explain(f: Any) -> str:
    """How a compiled function, method or module runs, as text: the operators that have no kernel, and for every specialization
    that calls have made its types, its stage, what its kernels hold, and what is interpreted with the reason.

    Raises:
        TypeError: it is nothing that was compiled.
    """
    method = forward_of(f) if isinstance(f, ScriptModule) else f
    if not isinstance(method, (ScriptFunction, ScriptMethod)):
        raise TypeError(f"explain takes what ts.script gave, not a {type(f).__name__}")
    executor = method._executor  # pyright: ignore[reportPrivateUsage]
    missing = [f"  cannot run: {problem}" for problem in problems_of(executor.module)]
    lines = [str(method.schema), *missing, *_plans(executor)]
    for name, called in executor.methods.items():
        lines.append(f"  called of an interface, and compiled by itself: {name}")
        lines += [f"  {line}" for line in _plans(called)]
    return "\n".join(lines)


def _plans(executor: GraphExecutor) -> Iterator[str]:
    now = settings.current()
    if not now.specializes:
        yield "  interpreted: optimization is off"
        return
    plans = executor.plans_in_order()
    if not plans:
        yield "  no specialization yet: the first call makes one"
    else:
        yield f"  specializations: {len(plans)}, where the strategy allows {now.max_plans} of either kind of call"
    for plan in plans:
        mode = " without gradients" if isinstance(plan, GradientPlan) and not plan.wants else ""
        kind = now.kind_of(plan.number)
        yield f"  {plan.number}, {kind}, made by a call with ({', '.join(type_.repr_str for type_ in plan.types)}){mode}"
        if plan.number:
            yield f"    the check of {plan.number - 1} failed: {_difference(plans[plan.number - 1], plan)}"
        for line, count in Counter(_plan(plan)).items():
            yield f"    {line}" if count == 1 else f"    {line} ({count} times)"
    if len(executor.plans) >= now.max_plans:
        yield f"  calls with other types are interpreted: there are {now.max_plans} specializations"
    for name, callee in executor.callees.items():
        yield f"  called so often that it is compiled once, by itself: {name}"
        yield from (f"  {line}" for line in _plans(callee))


def _difference(before: ExecutionPlan, plan: ExecutionPlan) -> str:
    """In what the arguments of two plans differ, as far as plans ask."""
    for place, (one, other) in enumerate(zip(before.spec.types, plan.spec.types, strict=True)):
        if one != other:
            return f"argument {place} is {other.repr_str}, not {one.repr_str}"
    return "gradients are wanted, or are not, or arguments have other layouts"


def _plan(plan: ExecutionPlan) -> Iterator[str]:
    if plan.kernel is not None:
        yield f"native: the whole function, {_listed(plan.function.walk())}"
        return
    if plan.is_compiling:
        yield "interpreted so far: it is being compiled in the background"
        return
    if not plan.is_built and plan.tier is not None and plan.tier.is_waiting:
        yield "interpreted so far: few calls are not worth a compilation in a program of many functions"
        return
    if not plan.is_built:
        yield "interpreted so far: the next call compiles"
        return
    groups = 0
    graphs = plan.graphs if isinstance(plan, GradientPlan) else {}
    for graph in graphs.values():
        yield from _differentiated(graph)
    inside = {inner for op in graphs for inner in op.walk() if inner is not op}
    for op in nested_ops(plan.function.body.block):
        if op in inside:
            continue
        if isinstance(op, prim.TensorExprGroupOp):
            how = "native" if plan.is_native(op) else f"interpreted, {_why_no_kernel(plan)}"
            yield f"group {groups}, {how}: {_listed(op.walk())}"
            if plan.is_native(op) and (failed := plan.failed_checks(op)):
                yield f"  its check failed {failed} times: its nodes ran one by one"
            groups += 1
        elif isinstance(op, prim.ScalarGroupOp) and op in plan.loops:
            native = plan.loops[op].native is not None
            how = "native" if native else "interpreted so far, as it has had few trips"
            yield f"loop over numbers, {how}: {_listed(op.walk())}"
        elif graphs and (why := _cut_at(op)):
            place = place_of(op)
            kind = getattr(op, "KIND", op.name)
            yield f"not differentiated: {kind}{f' at {place}' if place else ''}: {why}"
        elif isinstance(op, OperatorOp) and not _is_in_group(op):
            place = place_of(op)
            yield f"interpreted: {op.KIND}{f' at {place}' if place else ''}: {_why_not(op)}"


def _differentiated(graph: DifferentiableGraph) -> Iterator[str]:
    """How a differentiable graph goes forward and back."""
    how = "a kernel" if graph.is_native else f"{len(graph.groups)} groups"
    yield f"differentiated, forward by {how}: {_listed(graph.node.body.walk())}"
    node = graph.node
    kept = len(node.captured_inputs) + len(node.captured_outputs) - len(node.sizes)
    if graph.misfits:
        yield f"  {graph.misfits} calls had other types than were observed: its nodes were recorded one by one"
    yield f"  keeps {kept} values for the way back, and the sizes of {len(node.sizes)} more"
    for plan in graph.executor.plans_in_order():
        yield from (f"  back: {line}" for line in _plan(plan))


def _cut_at(op: Operation) -> str:
    """Why no differentiable graph holds a node; empty where that says nothing."""
    return import_module("torchscript_dialect.autodiff.cuts").cut_at(op)  # reads formulas


def _why_no_kernel(plan: ExecutionPlan) -> str:
    if HAS_NATIVE_CALLS or plan.device != "cpu":
        return "no kernel could be made"
    return f"as {NEEDS}"


_GROUPS = (prim.TensorExprGroupOp, prim.ScalarGroupOp)


def _is_in_group(op: Operation) -> bool:
    outer = op.parent_op()
    while outer is not None and not isinstance(outer, _GROUPS):
        outer = outer.parent_op()
    return outer is not None


def _listed(ops: Iterable[Operation]) -> str:
    return ", ".join(op.KIND for op in ops if isinstance(op, OperatorOp)) or "no operators"


def _why_not(op: OperatorOp) -> str:
    """Why a node is in no group."""
    if is_missing(op):
        return "there is no kernel"
    can_lower = get_backend(settings.current().fuser).can_lower(op)
    if can_lower is None:
        return "types of its tensors are not known"
    if not can_lower:
        return f"{settings.current().fuser} has no code for it with these types"
    return "alone it is not worth a kernel"
