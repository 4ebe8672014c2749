"""What each kind of statement becomes; assignments and loops have files of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from xdsl.ir import Block, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.ir_emitter.assignments import (
    emit_assignment,
    emit_aug_assignment,
)
from torchscript_dialect.frontend.ir_emitter.conditions import Condition, emit_condition
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.frontend.ir_emitter.environment import Frame
from torchscript_dialect.frontend.ir_emitter.loops import (
    emit_break,
    emit_continue,
    emit_for,
    emit_while,
)
from torchscript_dialect.frontend.ir_emitter.refinements import Refinements, insert_refinements
from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.expr_views import make_list
from torchscript_dialect.frontend.source.tree_views import (
    Apply,
    Assert,
    Def,
    Delete,
    Expr,
    ExprStmt,
    Ident,
    If,
    List,
    Raise,
    Return,
    Stmt,
    StringLiteral,
    Subscript,
    Var,
    With,
)
from torchscript_dialect.frontend.sugared.arguments import Arguments, NamedValue, describe
from torchscript_dialect.frontend.sugared.builtin_calls import emit_builtin_call
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.conversions import try_convert_to_type
from torchscript_dialect.frontend.sugared.sugared_builtins import (
    ExceptionMessageValue,
    ExceptionValue,
)
from torchscript_dialect.frontend.sugared.sugared_value import (
    MethodValue,
    SimpleValue,
    SugaredValue,
)
from torchscript_dialect.ir.edit import type_of
from torchscript_dialect.types.containers import TupleType, UnionType
from torchscript_dialect.types.core import ANY, NONE, STR
from torchscript_dialect.types.named import ClassType
from torchscript_dialect.types.subtyping import is_subtype, unify_types
from torchscript_dialect.types.tensor_type import TENSOR, TensorType
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange


def _emit_expression(m: EmissionContext, statement: ExprStmt) -> None:
    m.emit_sugared(statement.expr, 0)


def _emit_return(m: EmissionContext, statement: Return) -> None:
    declared = m.declared_return
    value = m.emit_expr(statement.expr, declared)
    range = statement.range
    if declared is not None:
        if not (isinstance(declared, TensorType) and type_of(value) == NONE):
            value = try_convert_to_type(m.graph, declared, value, range, True)
        if not is_subtype(type_of(value), declared):
            raise FrontendError(
                f"Return value was annotated as having type {describe(declared)} but is actually"
                f" of type {describe(type_of(value))}",
                range,
            )
    m.emit_return(range, value)


def _emit_if(m: EmissionContext, statement: If) -> None:
    condition = emit_condition(m, statement.cond)
    emit_if_else(m, statement.range, condition, statement.true_branch, statement.false_branch)


def emit_if_else(
    m: EmissionContext,
    range: SourceRange,
    condition: Condition,
    true_branch: List[Stmt],
    false_branch: List[Stmt],
) -> None:
    """An if statement; where the condition is known, only the branch that is taken."""
    if condition.static is not None:
        refinements = condition.refinements
        insert_refinements(m, range, refinements if condition.static else refinements.negated())
        m.emit_statements(true_branch if condition.static else false_branch)
        return
    _, true_block, false_block = m.new_if(condition.value, range)
    true_frame = _emit_branch(m, true_block, true_branch, condition.refinements)
    false_frame = _emit_branch(m, false_block, false_branch, condition.refinements.negated())
    true_exits = true_block in m.exit_blocks
    false_exits = false_block in m.exit_blocks
    if true_exits and false_exits:
        m.exit_blocks.add(m.frame.block)
    changed: set[str] = set()
    for frame, other, other_exits, which in (
        (true_frame, false_frame, false_exits, "false"),
        (false_frame, true_frame, true_exits, "true"),
    ):
        for name in frame.defined():
            if other_exits or other.has(name):
                changed.add(name)
            else:
                _remember(m, name, range, f"{name} is not defined in the {which} branch")
    if true_exits and false_exits:
        return
    for name in sorted(changed):
        _merge_variable(m, name, range, (true_frame, true_exits), (false_frame, false_exits))


def _emit_branch(
    m: EmissionContext, block: Block, branch: List[Stmt], refinements: Refinements
) -> Frame:
    with m.in_frame(block) as frame:
        insert_refinements(m, branch.range, refinements)
        m.emit_statements(branch)
    return frame


def _remember(m: EmissionContext, name: str, range: SourceRange, message: str) -> None:
    """Keep an error for the case that the variable is used later."""
    m.frame.errors[name] = lambda: str(FrontendError(message, range)) + "\n"


def _merge_variable(
    m: EmissionContext,
    name: str,
    range: SourceRange,
    on_true: tuple[Frame, bool],
    on_false: tuple[Frame, bool],
) -> None:
    """After an if, the variable has the type of both branches; a branch that exits has no say."""
    values: list[SSAValue | None] = []
    for frame, exits in (on_true, on_false):
        value: SSAValue | None = None
        if not exits:
            with m.graph.at_end(frame.block):
                value = frame.get_value(range, name)
        values.append(value)
    true_value, false_value = values
    if true_value is None or false_value is None:
        known = true_value if false_value is None else false_value
        frame = on_true[0] if true_value is None else on_false[0]
        assert known is not None
        with m.graph.at_end(frame.block):
            m.graph.store(name, m.graph.uninitialized(type_of(known)))
        m.frame.set_type(name, type_of(known))
        return
    outer = m.frame.type_of(name)
    true_type, false_type = type_of(true_value), type_of(false_value)
    to_union = isinstance(outer, UnionType) or outer == ANY
    unified = unify_types(true_type, false_type, default_to_union=to_union)
    if unified is not None:
        m.frame.set_type(name, unified)
        return
    message = (
        f"Type mismatch: {name} is set to type {describe(true_type)} in the true branch and type"
        f" {describe(false_type)} in the false branch"
    )
    if m.frame.has(name):
        raise FrontendError(message, range)
    _remember(m, name, range, message)


def _emit_raise(m: EmissionContext, statement: Raise) -> None:
    raised = m.emit_sugared(statement.expr, 1)
    range = statement.range
    class_name: SSAValue | None = None
    if isinstance(raised, ExceptionMessageValue):
        message, class_name = raised.message, raised.class_name
    elif isinstance(raised, ExceptionValue):
        message = m.graph.constant("", range)
    else:
        raise FrontendError("exceptions must derive from BaseException", range)
    if not is_subtype(type_of(message), STR):
        message = emit_builtin_call(m, range, "aten::str", [NamedValue(message)], [], located=False)
    if class_name is None:
        class_name = m.graph.constant(None)
    m.graph.node(prim.RaiseExceptionOp, (message, class_name), (), range)
    m.exit_blocks.add(m.frame.block)


def _emit_assert(m: EmissionContext, statement: Assert) -> None:
    condition = emit_condition(m, statement.test)
    range = statement.range
    message = statement.msg or StringLiteral.create(range, "")
    callee = Var.create(range, Ident.create(range, "AssertionError"))
    failure: Stmt = Raise.create(range, Apply.create(range, callee, [message]))
    on_true: List[Stmt] = make_list(range, [])
    on_false: List[Stmt] = make_list(range, [failure])
    emit_if_else(m, range, condition, on_true, on_false)


def _emit_pass(m: EmissionContext, statement: Stmt) -> None:
    """Nothing."""


def _emit_delete(m: EmissionContext, statement: Delete) -> None:
    for target in statement.targets:
        if isinstance(target, Subscript):
            _delete_item(m, statement, target)
        elif isinstance(target, Var):
            m.frame.remove(target.range, target.name.name)
        else:
            raise FrontendError(
                "del statements are only supported for deleting list and dict items and variables",
                target.range,
            )


def _delete_item(m: EmissionContext, statement: Delete, target: Subscript) -> None:
    indices: List[Expr] = target.subscript_exprs
    if len(indices) != 1 or indices[0].kind == tk.TK_SLICE_EXPR:
        raise FrontendError(
            "del statements only support deletion at a single index, slicing is not supported (see"
            " https://github.com/pytorch/pytorch/issues/31430)",
            target.range,
        )
    container = m.emit_sugared(target.value)
    index = m.emit_expr(indices[0])
    value = container.as_value(target.value.range, m)
    if isinstance(type_of(value), TupleType):
        raise FrontendError("Items of a tuple cannot be deleted", target.range)
    args = [NamedValue(value), NamedValue(index)]
    type_ = type_of(value)
    if isinstance(type_, ClassType):
        if "__delitem__" not in m.unit.class_of(type_).methods:
            raise FrontendError("Class does not define __delitem__", target.range)
        MethodValue(value, "__delitem__").call(statement.range, m, args[1:], [])
    else:
        emit_builtin_call(m, target.range, "aten::Delete", args, [])


def _emit_with(m: EmissionContext, statement: With) -> None:
    entered: list[SSAValue] = []
    for item in statement.targets:
        value = m.emit_expr(item.target)
        type_ = type_of(value)
        if not isinstance(type_, ClassType):
            raise FrontendError(
                f"With item expression must return an object. This is of type {describe(type_)}",
                item.target.range,
            )
        class_ = m.unit.class_of(type_)
        if not {"__enter__", "__exit__"} <= set(class_.methods):
            raise FrontendError(
                "Object returned by with item expression does not define __enter__ and __exit__"
                f" methods: it is of type {describe(type_)}",
                item.range,
            )
        enter, exit_ = (class_.methods[name].schema for name in ("__enter__", "__exit__"))
        if len(enter.arguments) != 1:
            raise FrontendError(
                "__enter__ must have only one argument and one return value", item.target.range
            )
        if len(exit_.arguments) != 4:
            raise FrontendError(
                "__exit__ must have four arguments and no return value", item.target.range
            )
        for number, argument in enumerate(exit_.arguments[1:], 1):
            if argument.type != ANY:
                raise FrontendError(
                    f"argument {number} of __exit__ must have Any type; TorchScript does not"
                    " currently support passing exception type, value, or traceback to the"
                    " __exit__ function.",
                    item.target.range,
                )
        result = enter.returns[0].type
        inside = m.graph.value(prim.EnterOp, (value,), result)
        entered.append(value)
        if item.var is not None:
            m.frame.set_value(item.var.range, item.var.name.name, inside)
    m.emit_statements(statement.body)
    for value in reversed(entered):
        m.graph.node(prim.ExitOp, (value,), (TENSOR,))


def _emit_closure(m: EmissionContext, statement: Def) -> None:
    name = statement.name.name
    m.frame.set(statement.range, name, ClosureValue(m, statement))


class ClosureValue(SugaredValue):
    """A function inside a function, as the code of archives has it for what is forked: it takes nothing and ends with its result."""

    def __init__(self, emitter: EmissionContext, tree: Def) -> None:
        self.emitter = emitter
        self.tree = tree

    def kind(self) -> str:
        return "closure"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        *before, last = self.tree.statements
        if args or kwargs or len(self.tree.decl.params) or not isinstance(last, Return):
            raise FrontendError("a closure takes no arguments and ends with a return", range)
        self.emitter.emit_statements(before)
        if self.emitter.frame.block in self.emitter.exit_blocks:
            raise FrontendError("a closure returns at its end only", self.tree.range)
        return SimpleValue(self.emitter.emit_expr(last.expr))


STATEMENTS: dict[str, Callable[[EmissionContext, Any], None]] = {
    tk.TK_IF: _emit_if,
    tk.TK_WHILE: emit_while,
    tk.TK_FOR: emit_for,
    tk.TK_ASSIGN: emit_assignment,
    tk.TK_AUG_ASSIGN: emit_aug_assignment,
    tk.TK_EXPR_STMT: _emit_expression,
    tk.TK_RAISE: _emit_raise,
    tk.TK_ASSERT: _emit_assert,
    tk.TK_RETURN: _emit_return,
    tk.TK_CONTINUE: emit_continue,
    tk.TK_BREAK: emit_break,
    tk.TK_PASS: _emit_pass,
    tk.TK_DELETE: _emit_delete,
    tk.TK_WITH: _emit_with,
    tk.TK_DEF: _emit_closure,
}
"""By kind, what emits a statement."""
