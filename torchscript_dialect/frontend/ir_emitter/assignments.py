"""Assignments of all forms (PyTorch: emitAssignment, emitAugAssignment and around)."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.ir import SSAValue

from torchscript_dialect.dialects.operators import operator_class
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.frontend.ir_emitter.indexing import emit_int_and_slice_indexing
from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.tree_views import (
    Assign,
    AugAssign,
    Expr,
    Ident,
    List,
    Select,
    Starred,
    Subscript,
    TupleLiteral,
    Var,
)
from torchscript_dialect.frontend.sugared.arguments import NamedValue, describe
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call
from torchscript_dialect.frontend.sugared.sugared_builtins import MagicMethod
from torchscript_dialect.frontend.sugared.sugared_value import (
    BuiltinFunction,
    MethodValue,
    SugaredValue,
    is_tensor,
)
from torchscript_dialect.ir.edit import type_of
from torchscript_dialect.types.containers import DictType, ListType, OptionalType, TupleType
from torchscript_dialect.types.core import (
    BOOL,
    COMPLEX,
    DEVICE,
    FLOAT,
    INT,
    NUMBER,
    TorchScriptType,
)
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

_AUGMENTED = {
    "+": ("aten::add_", "aten::add", "add"),
    "-": ("aten::sub_", "aten::sub", "sub"),
    "*": ("aten::mul_", "aten::mul", "mul"),
    "/": ("aten::div_", "aten::div", "truediv"),
    "%": ("aten::fmod_", "aten::fmod", "mod"),
    "|": ("aten::bitwise_or", "aten::__or__", "or"),
    "&": ("aten::bitwise_and", "aten::__and__", "and"),
    "^": ("aten::bitwise_xor", "aten::__xor__", "xor"),
    tk.TK_LSHIFT: ("aten::__ilshift__", "aten::__lshift__", "lshift"),
    tk.TK_RSHIFT: ("aten::__irshift__", "aten::__rshift__", "rshift"),
    tk.TK_POW: ("aten::pow", "aten::pow", "pow"),
}
"""Per augmented operator: the operator that writes in place, the one that does not, the magic method."""


def emit_assignment(m: EmissionContext, statement: Assign) -> None:
    """`a = value`, `a: type = value`, `a = b = value`."""
    if len(statement.lhs_list) == 1:
        _emit_single(m, statement)
        return
    rhs = statement.rhs
    assert rhs is not None and statement.type is None
    name = m.temporary("$tmp_assign_")
    m.frame.set(rhs.range, name, m.emit_sugared(rhs))
    again = Var.create(rhs.range, Ident.create(rhs.range, name))
    for target in statement.lhs_list:
        _emit_single(m, Assign.create(statement.range, [target], again, None))


def _emit_single(m: EmissionContext, statement: Assign) -> None:
    rhs, target = statement.rhs, statement.lhs
    if rhs is None:
        raise FrontendError(
            "For an assignment, expected an expression on the right-hand side", statement.range
        )
    if isinstance(target, Var):
        type_ = None if statement.type is None else m.types.parse(statement.type)
        value = m.emit_sugared(rhs, 1, type_)
        m.frame.set(target.range, target.name.name, value, type_)
    elif isinstance(target, TupleLiteral):
        n_binders, starred = _binders(target.inputs, target.range)
        value = m.emit_sugared(rhs, n_binders)
        _emit_tuple(m, target, value, rhs.range, n_binders, starred)
    elif isinstance(target, Select):
        obj = m.emit_sugared(target.value)
        type_ = None if statement.type is None else m.types.parse(statement.type)
        value = m.emit_sugared(rhs, 1, type_).as_value(rhs.range, m)
        obj.set_attr(statement.range, m, target.selector.name, value)
    elif isinstance(target, Subscript):
        _emit_subscript(m, statement.range, target, NamedValue(m.emit_expr(rhs), rhs.range))
    else:
        raise FrontendError("unexpected expression on left-hand side of assignment", target.range)


def _binders(targets: List[Expr], range: SourceRange) -> tuple[int, bool]:
    """How many targets take one value each, and whether one takes the rest."""
    simple = starred = 0
    for target in targets:
        if isinstance(target, Starred):
            starred += 1
        elif isinstance(target, (Var, TupleLiteral, Select, Subscript)):
            simple += 1
        else:
            raise FrontendError(
                "lhs of assignment must be a variable, subscript, or starred expression",
                target.range,
            )
    if starred > 1:
        raise FrontendError("Only one starred expression is allowed on the lhs", range)
    if starred and not simple:
        raise FrontendError(
            "A Starred expression may only appear on the lhs within the presence of another"
            " non-starred expression",
            range,
        )
    return simple, bool(starred)


def _emit_tuple(
    m: EmissionContext,
    target: TupleLiteral,
    value: SugaredValue,
    range: SourceRange,
    n_binders: int,
    starred: bool,
) -> None:
    parts = value.as_tuple(range, m, None if starred else n_binders)
    if len(parts) < n_binders:
        least = "at least " if starred else ""
        raise FrontendError(
            f"need {least}{n_binders} values to unpack but found only {len(parts)}", target.range
        )
    if len(parts) > n_binders and not starred:
        raise FrontendError(
            f"too many values to unpack: need {n_binders} but found {len(parts)}", target.range
        )
    emit_targets(m, target.inputs, parts, range, n_binders)


def emit_targets(
    m: EmissionContext,
    targets: List[Expr],
    parts: Sequence[SugaredValue],
    range: SourceRange,
    n_binders: int,
) -> None:
    """Assign one value to each target."""
    _binders(targets, range)
    index = 0
    for target in targets:
        if isinstance(target, Starred):
            inner = target.expr
            if not isinstance(inner, Var):
                raise FrontendError("Cannot pack a tuple into a non-variable", inner.range)
            count = len(parts) - n_binders
            taken = [part.as_value(target.range, m) for part in parts[index : index + count]]
            m.frame.set_value(inner.range, inner.name.name, m.graph.tuple_of(taken))
            index += count
            continue
        part = parts[index]
        index += 1
        if isinstance(target, Var):
            m.frame.set(target.range, target.name.name, part)
        elif isinstance(target, Subscript):
            _emit_subscript(m, range, target, NamedValue(part.as_value(range, m), range))
        elif isinstance(target, TupleLiteral):
            inner_binders, inner_starred = _binders(target.inputs, target.range)
            _emit_tuple(m, target, part, range, inner_binders, inner_starred)
        else:
            assert isinstance(target, Select)
            obj = m.emit_sugared(target.value)
            obj.set_attr(range, m, target.selector.name, part.as_value(range, m))


def _emit_subscript(
    m: EmissionContext, range: SourceRange, target: Subscript, value: NamedValue
) -> None:
    """`container[index] = value`."""
    container = m.emit_expr(target.value)
    if is_tensor(container):
        sliced, indices = emit_int_and_slice_indexing(
            m, target.range, container, target.subscript_exprs
        )
        self_ = NamedValue(sliced, target.range)
        converted = _to_tensor(m, value, self_)
        if not indices:
            emit_builtin_call(m, range, "aten::copy_", [self_, converted], [])
            return
        at = NamedValue(m.graph.list_of(OptionalType(TENSOR), indices))
        emit_builtin_call(m, range, "aten::index_put_", [self_, at, converted], [])
        return
    subscripts = target.subscript_exprs
    type_ = type_of(container)
    if len(subscripts) != 1 or subscripts[0].kind == tk.TK_SLICE_EXPR:
        raise FrontendError(
            "Sliced expression not yet supported for subscripted assignment. File a bug if you"
            " want this",
            subscripts.range,
        )
    if isinstance(type_, TupleType):
        message = f"{describe(type_)} does not support subscripted assignment"
        raise FrontendError(message, target.range)
    args = [
        NamedValue(container, target.value.range, "self"),
        NamedValue(m.emit_expr(subscripts[0]), subscripts.range, "idx"),
        value,
    ]
    set_item = MagicMethod("__setitem__", BuiltinFunction("aten::_set_item"))
    set_item.call(range, m, args, [], 0)


def _to_tensor(m: EmissionContext, value: NamedValue, like: NamedValue) -> NamedValue:
    """A number as a tensor of the element type and device of another."""
    if value.type not in (NUMBER, INT, BOOL, FLOAT, COMPLEX):
        return value
    assert like.value is not None
    dtype = m.graph.value(operator_class("prim::dtype"), (like.value,), INT)
    device = m.graph.value(operator_class("prim::device"), (like.value,), DEVICE)
    kwargs = [NamedValue(dtype, None, "dtype"), NamedValue(device, None, "device")]
    range = value.range
    assert range is not None
    made = emit_builtin_call(m, range, "aten::tensor", [value], kwargs, located=False)
    return NamedValue(made, range)


def emit_aug_assignment(m: EmissionContext, statement: AugAssign) -> None:
    """`target += value` and the like."""
    target = statement.lhs
    if isinstance(target, Var):
        value = _augmented(m, statement, m.emit_expr(target))
        m.frame.set_value(target.range, target.name.name, value)
    elif isinstance(target, Select):
        obj = m.emit_sugared(target.value)
        name = target.selector.name
        before = obj.attr(target.range, m, name).as_value(target.range, m)
        obj.set_attr(statement.range, m, name, _augmented(m, statement, before))
    elif isinstance(target, Subscript):
        _emit_aug_subscript(m, statement, target)
    elif isinstance(target, TupleLiteral):
        message = "augmented assignment can only have one LHS expression"
        raise FrontendError(message, target.range)
    else:
        raise FrontendError(
            "unexpected expression on left-hand side of augmented assignment", target.range
        )


def _aug_operator(statement: AugAssign, type_: TorchScriptType) -> str:
    known = _AUGMENTED.get(statement.aug_op)
    if known is None:
        raise FrontendError(f"Unknown augmented assignment: {statement.aug_op}=", statement.range)
    in_place = type_ == TENSOR or isinstance(type_, ListType)
    return known[0] if in_place else known[1]


def _augmented(m: EmissionContext, statement: AugAssign, before: SSAValue) -> SSAValue:
    type_ = type_of(before)
    range = statement.range
    if isinstance(type_, ClassType):
        return _augmented_object(m, statement, before, type_)
    rhs = statement.rhs
    args = [
        NamedValue(before, statement.lhs.range),
        NamedValue(m.emit_expr(rhs), rhs.range),
    ]
    return emit_builtin_call(m, range, _aug_operator(statement, type_), args, [])


def _augmented_object(
    m: EmissionContext, statement: AugAssign, before: SSAValue, type_: ClassType
) -> SSAValue:
    rhs = NamedValue(m.emit_expr(statement.rhs), statement.rhs.range)
    magic = _AUGMENTED[statement.aug_op][2]
    methods = m.unit.class_of(type_).methods
    for name in (f"__i{magic}__", f"__{magic}__"):
        if name in methods:
            result = MethodValue(before, name).call(statement.range, m, [rhs], [])
            return result.as_value(statement.range, m)
    raise FrontendError(
        f"Cannot emit inplace op on {describe(type_)} since it does not define an __i{magic}__ or"
        f" __{magic}__ method",
        statement.lhs.range,
    )


def _emit_aug_subscript(m: EmissionContext, statement: AugAssign, target: Subscript) -> None:
    container = m.emit_expr(target.value)
    range = statement.range
    type_ = type_of(container)
    rhs = statement.rhs
    if is_tensor(container):
        sliced, indices = emit_int_and_slice_indexing(
            m, target.range, container, target.subscript_exprs
        )
        self_ = NamedValue(sliced, target.range, "self")
        value = NamedValue(m.emit_expr(rhs), rhs.range)
        operator = _aug_operator(statement, type_)
        if not indices:
            emit_builtin_call(m, range, operator, [value], [], self_)
            return
        at = NamedValue(m.graph.list_of(OptionalType(TENSOR), indices))
        indexed = emit_builtin_call(m, range, "aten::index", [self_, at], [])
        changed = emit_builtin_call(m, range, operator, [value], [], NamedValue(indexed))
        args = [self_, at, NamedValue(changed)]
        emit_builtin_call(m, range, "aten::index_put_", args, [])
        return
    subscripts = target.subscript_exprs
    if len(subscripts) != 1 or subscripts[0].kind == tk.TK_SLICE_EXPR:
        raise FrontendError(
            f"Sliced expression not yet supported for {describe(type_)} augmented assignment. File"
            " a bug if you want this",
            subscripts.range,
        )
    if not isinstance(type_, (ListType, DictType)):
        message = f"{describe(type_)} does not support augmented assignment."
        raise FrontendError(message, target.range)
    self_ = NamedValue(container, target.value.range)
    at = NamedValue(m.emit_expr(subscripts[0]), subscripts.range)
    value = NamedValue(m.emit_expr(rhs), rhs.range)
    item = emit_builtin_call(m, range, "aten::__getitem__", [self_, at], [])
    # PyTorch changes elements of lists in place, and puts new values into dictionaries.
    operator = _aug_operator(statement, type_.element if isinstance(type_, ListType) else type_)
    changed = emit_builtin_call(m, range, operator, [NamedValue(item), value], [])
    emit_builtin_call(m, range, "aten::_set_item", [self_, at, NamedValue(changed)], [])
