"""What each kind of expression becomes (PyTorch: emitSugaredExpr, emitSimpleExpr).

`EXPRESSIONS` gives values of the graph, `SUGARED` what may have none.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Operation, SSAValue

from torchscript_dialect.frontend.ir_emitter.calls import emit_apply
from torchscript_dialect.frontend.ir_emitter.conditions import emit_condition, emit_ternary
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.frontend.ir_emitter.indexing import emit_subscript
from torchscript_dialect.frontend.ir_emitter.literals import (
    as_hinted,
    emit_comprehension,
    emit_dict_comprehension,
    emit_dict_literal,
    emit_list_literal,
    emit_tuple_literal,
)
from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.tree_views import (
    Apply,
    BinOp,
    Const,
    Expr,
    Select,
    StringLiteral,
    Subscript,
    UnaryOp,
    Var,
)
from torchscript_dialect.frontend.sugared.arguments import NamedValue
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call
from torchscript_dialect.frontend.sugared.sugared_builtins import MagicMethod
from torchscript_dialect.frontend.sugared.sugared_value import BuiltinFunction, SugaredValue
from torchscript_dialect.ir.edit import NOT_CONSTANT, constant_value, type_of
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import STR, TorchScriptType
from torchscript_dialect.utils.errors import FrontendError

Hint = TorchScriptType | None

_BINARY: dict[str, tuple[str, str]] = {
    "+": ("aten::add", "__add__"),
    "-": ("aten::sub", "__sub__"),
    "*": ("aten::mul", "__mul__"),
    "/": ("aten::div", "__truediv__"),
    "%": ("aten::remainder", "__mod__"),
    "@": ("aten::matmul", "__matmul__"),
    "&": ("aten::__and__", "__and__"),
    "|": ("aten::__or__", "__or__"),
    "^": ("aten::__xor__", "__xor__"),
    tk.TK_FLOOR_DIV: ("aten::floordiv", "__floordiv__"),
    tk.TK_POW: ("aten::pow", "__pow__"),
    tk.TK_LSHIFT: ("aten::__lshift__", "__lshift__"),
    tk.TK_RSHIFT: ("aten::__rshift__", "__rshift__"),
    "<": ("aten::lt", "__lt__"),
    ">": ("aten::gt", "__gt__"),
    tk.TK_LE: ("aten::le", "__le__"),
    tk.TK_GE: ("aten::ge", "__ge__"),
    tk.TK_EQ: ("aten::eq", "__eq__"),
    tk.TK_NE: ("aten::ne", "__ne__"),
    tk.TK_IN: ("aten::__contains__", "__contains__"),
}
_UNARY: dict[str, tuple[str, str]] = {
    tk.TK_UNARY_MINUS: ("aten::neg", "__neg__"),
    "~": ("aten::bitwise_not", "__invert__"),
}
_OPERATORS = {
    kind: MagicMethod(magic, BuiltinFunction(name))
    for kind, (name, magic) in (*_BINARY.items(), *_UNARY.items())
}


def _emit_binary(m: EmissionContext, expr: BinOp, hint: Hint) -> SSAValue:
    chain: list[BinOp] = []
    innermost: Expr = expr
    while isinstance(innermost, BinOp) and innermost.kind in _BINARY:
        chain.append(innermost)
        innermost = innermost.lhs
    left = m.emit_expr(innermost)
    for part in reversed(chain):
        left = _emit_operator(m, part, left, m.emit_expr(part.rhs))
    return left


def _emit_operator(m: EmissionContext, expr: BinOp, left: SSAValue, right: SSAValue) -> SSAValue:
    values = [NamedValue(left), NamedValue(right)]
    if expr.kind == tk.TK_IN:
        values.reverse()
    if expr.kind == "+" and type(type_of(left)) is type(type_of(right)) is TupleType:
        parts = (*m.graph.unpack_tuple(left), *m.graph.unpack_tuple(right))
        return m.graph.tuple_of(parts)
    range = expr.range
    if expr.kind == "%" and type_of(left) == STR:
        return emit_builtin_call(m, range, "aten::percentFormat", values, [])
    return _OPERATORS[expr.kind].call(range, m, values, [], 0).as_value(range, m)


_FOLD: dict[str, Callable[[Any], Any]] = {
    "aten.neg": lambda x: -x,
    "aten.bitwise_not": lambda x: ~x,
}


def _emit_unary(m: EmissionContext, expr: UnaryOp, hint: Hint) -> SSAValue:
    operand = m.emit_expr(expr.expr)
    range = expr.range
    args = [NamedValue(operand, expr.expr.range)]
    value = _OPERATORS[expr.kind].call(range, m, args, [], 0).as_value(range, m)
    known = constant_value(operand, NOT_CONSTANT)
    owner = value.owner
    if (
        known is NOT_CONSTANT
        or isinstance(known, bool)
        or not isinstance(known, (int, float, complex))
    ):
        return value
    if not isinstance(owner, Operation):
        return value
    fold = next((f for name, f in _FOLD.items() if owner.name.startswith(name)), None)
    return value if fold is None else m.graph.constant(fold(known), range)


def _emit_const(m: EmissionContext, expr: Const, hint: Hint) -> SSAValue:
    if expr.is_floating_point:
        return m.literal(expr.as_floating_point(), expr.range)
    if expr.is_complex:
        return m.literal(expr.as_complex(), expr.range)
    return m.literal(expr.as_integral(), expr.range)


def _emit_condition(m: EmissionContext, expr: Expr, hint: Hint) -> SSAValue:
    return emit_condition(m, expr).value


def _emit_starred(m: EmissionContext, expr: Expr, hint: Hint) -> SSAValue:
    raise FrontendError("Unexpected starred expansion. File a bug report", expr.range)


def _emit_string(m: EmissionContext, expr: StringLiteral, hint: Hint) -> SSAValue:
    return m.graph.constant(expr.text, expr.range)


def _constant(value: Any) -> Callable[[EmissionContext, Expr, Hint], SSAValue]:
    return lambda m, expr, hint: m.graph.constant(value, expr.range)


def _emit_var(m: EmissionContext, expr: Var, n_binders: int, hint: Hint) -> SugaredValue:
    name = expr.name
    return m.frame.find(name.name) or m.frame.get(name.range, name.name)


def _emit_var_value(m: EmissionContext, expr: Var, hint: Hint) -> SSAValue:
    value = m.frame.load(expr.name.name)
    return _emit_var(m, expr, 1, hint).as_value(expr.range, m) if value is None else value


EXPRESSIONS: dict[str, Callable[[EmissionContext, Any, Hint], SSAValue]] = {
    tk.TK_VAR: _emit_var_value,
    **dict.fromkeys(_BINARY, _emit_binary),
    **dict.fromkeys(_UNARY, _emit_unary),
    **dict.fromkeys((tk.TK_AND, tk.TK_OR, tk.TK_NOT, tk.TK_IS, tk.TK_ISNOT), _emit_condition),
    tk.TK_STARRED: _emit_starred,
    tk.TK_CONST: _emit_const,
    tk.TK_TRUE: _constant(True),
    tk.TK_FALSE: _constant(False),
    tk.TK_NONE: _constant(None),
    tk.TK_IF_EXPR: emit_ternary,
    tk.TK_STRINGLITERAL: _emit_string,
    tk.TK_LIST_LITERAL: as_hinted(emit_list_literal),
    tk.TK_TUPLE_LITERAL: emit_tuple_literal,
    tk.TK_DICT_LITERAL: as_hinted(emit_dict_literal),
    tk.TK_LIST_COMP: emit_comprehension,
    tk.TK_DICT_COMP: as_hinted(emit_dict_comprehension),
}
"""By kind, what emits the value of an expression."""


def _emit_select(m: EmissionContext, expr: Select, n_binders: int, hint: Hint) -> SugaredValue:
    return m.emit_sugared(expr.value).attr(expr.range, m, expr.selector.name)


def _emit_apply(m: EmissionContext, expr: Apply, n_binders: int, hint: Hint) -> SugaredValue:
    return emit_apply(m, expr, n_binders, hint)


def _emit_subscript(
    m: EmissionContext, expr: Subscript, n_binders: int, hint: Hint
) -> SugaredValue:
    return emit_subscript(m, expr, hint)


SUGARED: dict[str, Callable[[EmissionContext, Any, int, Hint], SugaredValue]] = {
    tk.TK_VAR: _emit_var,
    ".": _emit_select,
    tk.TK_APPLY: _emit_apply,
    tk.TK_SUBSCRIPT: _emit_subscript,
}
"""By kind, what emits the meaning of an expression that may have no value."""
