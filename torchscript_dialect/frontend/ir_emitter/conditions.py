"""Conditions: their values, what they tell of types, and whether they are known while compiling (PyTorch: emitCondExpr)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import cast

from xdsl.dialects.builtin import ArrayAttr
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.frontend.ir_emitter.refinements import Refinements, insert_refinements
from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.tree_views import (
    Apply,
    BinOp,
    Expr,
    StringLiteral,
    TernaryIf,
    TupleLiteral,
    UnaryOp,
    Var,
)
from torchscript_dialect.frontend.sugared.arguments import NamedValue, describe
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call
from torchscript_dialect.frontend.sugared.globals import GLOBALS
from torchscript_dialect.frontend.sugared.sugared_value import SpecialFormValue
from torchscript_dialect.ir.edit import (
    NOT_CONSTANT,
    add_output,
    append_result,
    constant_value,
    type_of,
)
from torchscript_dialect.types.containers import OptionalType, UnionType, union_of, union_order
from torchscript_dialect.types.core import ANY, BOOL, NONE, TorchScriptType
from torchscript_dialect.types.subtyping import is_subtype, unify_types
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

_KNOWN_CONDITIONS = {"aten.is_scripting": True, "aten.has_torch_function": False}
"""Ops whose results are the same whenever a program is compiled."""


@dataclass(frozen=True)
class Condition:
    """A bool; `static` is what it is known to be while compiling."""

    value: SSAValue
    refinements: Refinements = field(default_factory=Refinements)
    static: bool | None = None


def emit_condition(m: EmissionContext, expr: Expr) -> Condition:
    """The condition that an expression is where a bool is asked for."""
    kind = expr.kind
    if kind in (tk.TK_AND, tk.TK_OR):
        return _emit_short_circuit(m, cast(BinOp, expr))
    if kind == tk.TK_NOT:
        inner = emit_condition(m, cast(UnaryOp, expr).expr)
        args = [NamedValue(inner.value)]
        value = emit_builtin_call(m, expr.range, "aten::__not__", args, [])
        static = None if inner.static is None else not inner.static
        return Condition(value, inner.refinements.negated(), static)
    if kind in (tk.TK_IS, tk.TK_ISNOT):
        return _emit_is(m, cast(BinOp, expr))
    if isinstance(expr, Apply) and (special := _emit_special(m, expr)) is not None:
        return special
    value = emit_to_bool(m, expr.range, m.emit_expr(expr))
    owner = value.owner
    static: bool | None = None
    if isinstance(owner, Operation) and owner.name in _KNOWN_CONDITIONS:
        static = _KNOWN_CONDITIONS[owner.name]
    elif (constant := constant_value(value, NOT_CONSTANT)) is not NOT_CONSTANT:
        static = bool(constant)
    return Condition(value, Refinements(), static)


def emit_to_bool(m: EmissionContext, range: SourceRange, value: SSAValue) -> SSAValue:
    """The truth of a value."""
    if type_of(value) == BOOL:
        return value
    try:
        result = GLOBALS["bool"].call(range, m, [NamedValue(value)], [])
    except FrontendError:
        raise FrontendError(
            f"Could not cast value of type {describe(type_of(value))} to bool", range
        ) from None
    truth = result.as_value(range, m)
    if type_of(truth) != BOOL:
        raise FrontendError(
            f"expected a bool expression for condition but found {describe(type_of(truth))}", range
        )
    return truth


def _emit_short_circuit(m: EmissionContext, expr: BinOp) -> Condition:
    is_or = expr.kind == tk.TK_OR
    range = expr.range
    left = emit_condition(m, expr.lhs)
    right: list[Condition] = []

    def constant() -> SSAValue:
        return m.graph.constant(is_or, range)

    def go_on() -> SSAValue:
        right.append(emit_condition(m, expr.rhs))
        return right[0].value

    branches = (constant, go_on) if is_or else (go_on, constant)
    value = emit_if_expr(m, range, left, *branches)
    combine = left.refinements.or_ if is_or else left.refinements.and_
    known = (left.static, right[0].static)
    static: bool | None = None
    if is_or in known:
        static = is_or
    elif None not in known:
        static = not is_or
    return Condition(value, combine(right[0].refinements), static)


def emit_if_expr(
    m: EmissionContext,
    range: SourceRange,
    condition: Condition,
    on_true: Callable[[], SSAValue],
    on_false: Callable[[], SSAValue],
) -> SSAValue:
    """The value of one of two expressions."""
    op, true_block, false_block = m.new_if(condition.value, range)
    refinements = condition.refinements
    for block, facts, emit in (
        (true_block, refinements, on_true),
        (false_block, refinements.negated(), on_false),
    ):
        with m.in_frame(block):
            insert_refinements(m, range, facts)
            add_output(block, emit())
    types = [type_of(prim.yielded(region)[0]) for region in op.regions]
    unified = unify_types(types[0], types[1])
    if unified is None:
        raise FrontendError(
            f"if-expression's true branch has type {describe(types[0])} but false branch has type"
            f" {describe(types[1])}",
            range,
        )
    return append_result(op, unified)


def emit_ternary(
    m: EmissionContext, expr: TernaryIf, type_hint: TorchScriptType | None = None
) -> SSAValue:
    """`a if c else b`; only one side where the condition is known."""
    condition = emit_condition(m, expr.cond)
    if condition.static is not None:
        return m.emit_expr(expr.true_expr if condition.static else expr.false_expr, type_hint)
    return emit_if_expr(
        m,
        expr.range,
        condition,
        lambda: m.emit_expr(expr.true_expr, type_hint),
        lambda: m.emit_expr(expr.false_expr, type_hint),
    )


def _can_be_none(value: SSAValue) -> bool | None:
    """True or False where it is known."""
    type_ = type_of(value)
    owner = value.owner
    if type_ == NONE:
        return True
    if isinstance(owner, prim.ConstantOp) and not owner.attributes:
        return True
    if isinstance(type_, OptionalType) or type_ == ANY:
        return None if isinstance(type_, OptionalType) else False
    if isinstance(type_, UnionType) and NONE in type_.members.data:
        return None
    return False


def _emit_is(m: EmissionContext, expr: BinOp) -> Condition:
    left, right = m.emit_expr(expr.lhs), m.emit_expr(expr.rhs)
    its_is = expr.kind == tk.TK_IS
    nones = (_can_be_none(left), _can_be_none(right))
    if nones == (True, True):
        return _known(m, expr.range, its_is)
    if nones in ((True, False), (False, True)):
        return _known(m, expr.range, not its_is)
    name = "aten::__is__" if its_is else "aten::__isnot__"
    args = [NamedValue(left), NamedValue(right)]
    value = emit_builtin_call(m, expr.range, name, args, [])
    subject, other, subject_value = expr.lhs, expr.rhs, left
    if other.kind != tk.TK_NONE and subject.kind == tk.TK_NONE:
        subject, other, subject_value = expr.rhs, expr.lhs, right
    if other.kind != tk.TK_NONE or not isinstance(subject, Var):
        return Condition(value)
    rest = _without_none(type_of(subject_value))
    facts = {} if rest is None else {subject.name.name: rest}
    return Condition(value, Refinements({}, facts) if its_is else Refinements(facts, {}))


def _without_none(type_: TorchScriptType) -> TorchScriptType | None:
    if isinstance(type_, OptionalType):
        return type_.element
    if isinstance(type_, UnionType):
        return union_of(member for member in type_.members if member != NONE)
    return None


def _known(
    m: EmissionContext, range: SourceRange, value: bool, facts: Refinements | None = None
) -> Condition:
    return Condition(m.graph.constant(value, range), facts or Refinements(), value)


def _emit_special(m: EmissionContext, expr: Apply) -> Condition | None:
    callee = expr.callee
    form = None
    if isinstance(callee, Var):
        name = callee.name.name
        if name in ("isinstance", "hasattr"):
            form = "prim::isinstance" if name == "isinstance" else "prim::HasAttr"
    if form is None and callee.kind == ".":
        found = m.emit_sugared(callee)
        form = found.form if isinstance(found, SpecialFormValue) else None
    if form == "prim::isinstance":
        check_number_of_inputs(expr, 2)
        return emit_isinstance(m, expr.inputs[0], expr.inputs[1])
    if form == "prim::HasAttr":
        check_number_of_inputs(expr, 2)
        return emit_hasattr(m, expr.inputs[0], expr.inputs[1])
    return None


def check_number_of_inputs(expr: Apply, least: int, most: int | None = None) -> None:
    """Raise if a special form has another number of arguments, or keyword arguments."""
    count = len(expr.inputs)
    most = least if most is None else most
    name = expr.callee.range.text
    if not least <= count <= most:
        expected = f"exactly {least}" if least == most else f"between {least} and {most}"
        raise FrontendError(f"{name} expected {expected} arguments but found {count}", expr.range)
    if len(expr.attributes):
        raise FrontendError(f"{name} takes no keyword arguments", expr.range)


def emit_hasattr(m: EmissionContext, obj: Expr, name: Expr) -> Condition:
    """`hasattr(obj, "name")`, which is known while compiling."""
    value = m.emit_sugared(obj)
    if not isinstance(name, StringLiteral):
        raise FrontendError("hasattr's second argument must be a string literal", name.range)
    return _known(m, obj.range, value.has_attr(obj.range, m, name.text))


def _gather_types(m: EmissionContext, expr: Expr) -> list[TorchScriptType]:
    if isinstance(expr, TupleLiteral):
        return [type_ for part in expr.inputs for type_ in _gather_types(m, part)]
    return _alternatives(m.types.parse(expr))


def _alternatives(type_: TorchScriptType) -> list[TorchScriptType]:
    if isinstance(type_, OptionalType):
        return [*_alternatives(type_.element), NONE]
    if isinstance(type_, UnionType):
        return list(type_.members)
    return [type_]


def emit_isinstance(m: EmissionContext, obj: Expr, class_info: Expr) -> Condition:
    """`isinstance(obj, types)`: known while compiling unless the object may be of several types."""
    value = m.emit_expr(obj)
    tested = sorted(_gather_types(m, class_info), key=union_order)
    fits: list[TorchScriptType] = []
    others: list[TorchScriptType] = []
    always = True
    for type_ in _alternatives(type_of(value)):
        if type_ == ANY:
            fits += tested
            others.append(ANY)
            always = fits == [ANY]
            break
        found: TorchScriptType | None = None
        for candidate in tested:
            smaller = _smaller(type_, candidate)
            if smaller is not None:
                found = smaller
                break
        if found is not None:
            fits.append(found)
        if not any(is_subtype(type_, candidate) for candidate in tested):
            others.append(type_)
            always = False
    facts = Refinements()
    if isinstance(obj, Var):
        name = obj.name.name
        facts = Refinements(
            {name: _unified(fits)} if fits else {}, {name: _unified(others)} if others else {}
        )
    if not fits:
        return _known(m, obj.range, False, facts)
    if always:
        return _known(m, obj.range, True, facts)
    result = m.graph.value(prim.IsInstanceOp, (value,), BOOL, types=ArrayAttr(tested))
    return Condition(result, facts)


def _smaller(a: TorchScriptType, b: TorchScriptType) -> TorchScriptType | None:
    if is_subtype(a, b):
        return a
    return b if is_subtype(b, a) else None


def _unified(types: Sequence[TorchScriptType]) -> TorchScriptType:
    result = types[0]
    for type_ in types[1:]:
        unified = unify_types(result, type_, default_to_union=True)
        assert unified is not None
        result = unified
    return result
