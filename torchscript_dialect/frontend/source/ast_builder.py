"""Definitions and statements of Python's `ast` as our trees (PyTorch: torch/jit/frontend.py).

What TorchScript does not have raises `NotSupportedError` with the place of the construct.
"""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.ast_expr import (
    BINARY_OPERATORS,
    Context,
    build_expr,
    build_exprs,
    unsupported_node,
)
from torchscript_dialect.frontend.source.expr_views import (
    Expr,
    Ident,
    List,
    NoneLiteral,
    Stmt,
    Var,
    WithItem,
    make_list,
)
from torchscript_dialect.frontend.source.parser import (
    BARE_RAISE,
    FOR_ELSE,
    UNSUPPORTED_AUGMENTED_KIND,
    VARIADIC,
    WHILE_ELSE,
    add_method,
    check_annotated,
    depth_checked,
)
from torchscript_dialect.frontend.source.signature import (
    TYPE_COMMENT_PREFIX,
    check_prefixes,
    find_type_comments,
    merge_type_comments,
    parse_type,
)
from torchscript_dialect.frontend.source.tree_views import (
    Assert,
    Assign,
    AugAssign,
    Break,
    ClassDef,
    Continue,
    Decl,
    Def,
    Delete,
    ExprStmt,
    For,
    If,
    Param,
    Pass,
    Property,
    Raise,
    Return,
    While,
    With,
)
from torchscript_dialect.utils.errors import NotSupportedError, ParseError
from torchscript_dialect.utils.source_range import Source, SourceRange

UNSUPPORTED_AUGMENTED = (ast.FloorDiv, ast.MatMult)


def parse_python(source: str | Source, filename: str | None = None) -> list[Def | ClassDef]:
    """What `parse` gives, by way of Python's own parser."""
    text = source if isinstance(source, Source) else Source(source, filename)
    ctx = Context(text)
    with depth_checked(text):
        found: list[Def | ClassDef] = []
        for node in parse_ast(text).body:
            if isinstance(node, ast.FunctionDef):
                found.append(build_def(ctx, node, node.name, keep_defaults=True))
            elif isinstance(node, ast.ClassDef):
                found.append(build_class(ctx, node))
        return found


def parse_ast(source: Source, prefix: str = "") -> ast.Module:
    """Python's tree of `prefix` and the text; its syntax errors become ours."""
    try:
        return ast.parse(prefix + source.text, "<torchscript>")
    except SyntaxError as error:
        row = (error.lineno or 1) - 1 - prefix.count("\n")
        row = min(max(row, 0), len(source.line_starts) - 1)
        at = min(source.line_starts[row] + max((error.offset or 1) - 1, 0), len(source.text))
        raise ParseError(error.msg, SourceRange(source, at, at + 1)) from None
    except (RecursionError, MemoryError):
        raise RecursionError from None


def build_def(
    ctx: Context,
    node: ast.FunctionDef,
    name: str,
    self_name: str | None = None,
    *,
    is_method: bool = False,
    keep_defaults: bool = False,
) -> Def:
    """The tree of a function under the given name.

    A parameter `self` without annotation has the type `self_name`. Default values are left out
    unless asked for, and then parameters that are keyword-only may have them too.
    """
    ctx = ctx.inside(name)
    place = ctx.range(node, len("def"))
    params = _params(ctx, node.args, self_name, keep_defaults)
    returns = build_expr(ctx, node.returns) if node.returns is not None else None
    decl = Decl.create(place, params, returns)
    first = node.body[0]
    if _is_docstring(first):
        header_end = ctx.start(node.body[1]) if len(node.body) > 1 else ctx.end(node)
        comments = find_type_comments(ctx.source, place.start, ctx.start(first))
        comments += find_type_comments(ctx.source, ctx.end(first), header_end)
    else:
        comments = find_type_comments(ctx.source, place.start, ctx.start(first))
    if not comments:
        check_prefixes(ctx.source, place.start, ctx.end(node))
    decl = merge_type_comments(decl, comments, ctx.source, is_method or self_name is not None)
    return Def.create(place, Ident.create(place, name), decl, _block(ctx, place, node.body))


def build_class(ctx: Context, node: ast.ClassDef) -> ClassDef:
    """The tree of a class in source text: methods and assignments in their order."""
    place = ctx.range(node, len("class"))
    body: list[Stmt] = []
    properties: dict[str, Property] = {}
    for member in node.body:
        if isinstance(member, ast.FunctionDef):
            decorators = build_exprs(ctx, member.decorator_list)
            is_static = any(
                isinstance(d, Var) and d.name.name == "staticmethod" for d in decorators
            )
            method = build_def(
                ctx, member, member.name, is_method=not is_static, keep_defaults=True
            )
            add_method(method, decorators, body, properties)
        elif isinstance(member, ast.AnnAssign) and member.value is None:
            target = build_expr(ctx, member.target)
            type = build_expr(ctx, member.annotation)
            body.append(Assign.create(target.range, [target], None, type))
        else:
            body.append(build_stmt(ctx, member))
    base = build_expr(ctx, node.bases[0]) if node.bases else None
    props = list(properties.values()) or None
    return ClassDef.create(place, Ident.create(place, node.name), base, body, props)


def class_assigns(ctx: Context, node: ast.ClassDef) -> list[Assign]:
    """The assignments of a class body that TorchScript can have; others are passed over."""
    found: list[Assign] = []
    for member in node.body:
        if isinstance(member, ast.Assign | ast.AnnAssign):
            try:
                made = build_stmt(ctx, member)
            except NotSupportedError:
                continue
            assert isinstance(made, Assign)
            found.append(made)
    return found


def _is_docstring(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _params(
    ctx: Context, args: ast.arguments, self_name: str | None, keep_defaults: bool
) -> list[Param]:
    for variadic in (args.kwarg, args.vararg):
        if variadic is not None:
            start = ctx.start(variadic)
            place = SourceRange(ctx.source, start - 1, start + len(variadic.arg))
            raise NotSupportedError(VARIADIC, place)
    if not keep_defaults:
        for default in args.kw_defaults:
            if default is not None:
                raise NotSupportedError(VARIADIC, build_expr(ctx, default).range)
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
    defaults += args.defaults
    params = [
        _param(ctx, arg, self_name, default if keep_defaults else None, False)
        for arg, default in zip(positional, defaults, strict=True)
    ]
    return params + [
        _param(ctx, arg, self_name, default, True)
        for arg, default in zip(args.kwonlyargs, args.kw_defaults, strict=True)
    ]


def _param(
    ctx: Context, arg: ast.arg, self_name: str | None, default: ast.expr | None, kwarg_only: bool
) -> Param:
    place = ctx.range(arg, len(arg.arg))
    ident = Ident.create(place, arg.arg)
    type: Expr | None = None
    if arg.annotation is not None:
        type = build_expr(ctx, arg.annotation)
    elif self_name is not None and arg.arg == "self":
        type = Var.create(place, Ident.create(place, self_name))
    value = build_expr(ctx, default) if default is not None else None
    return Param.create(place, ident, type, value, kwarg_only)


# Statements.


def build_stmt(ctx: Context, node: ast.stmt) -> Stmt:
    """The tree of a statement."""
    builder = STATEMENTS.get(type(node))
    if builder is None:
        raise unsupported_node(ctx, node)
    return builder(ctx, node)


def _block(ctx: Context, place: SourceRange, nodes: Sequence[ast.stmt]) -> List[Stmt]:
    return make_list(place, [build_stmt(ctx, node) for node in nodes])


def _expr_stmt(ctx: Context, node: ast.Expr) -> Stmt:
    value = build_expr(ctx, node.value)
    return ExprStmt.create(value.range, value)


def _assign(ctx: Context, node: ast.Assign) -> Stmt:
    value = build_expr(ctx, node.value)
    targets = build_exprs(ctx, node.targets)
    return Assign.create(value.range, targets, value, _trailing_type(ctx, node))


def _trailing_type(ctx: Context, node: ast.stmt) -> Expr | None:
    """The type in a `# type:` comment behind a statement on its line."""
    if not ctx.has_type_comments:
        return None
    text = ctx.source.text
    start = ctx.end(node)
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    if not text[start:line_end].lstrip().startswith(TYPE_COMMENT_PREFIX):
        return None
    comments = find_type_comments(ctx.source, start, line_end)
    return parse_type(ctx.source, comments[0]) if comments else None


def _ann_assign(ctx: Context, node: ast.AnnAssign) -> Stmt:
    if node.value is None:
        raise unsupported_node(ctx, node, "without assigned value")
    value = build_expr(ctx, node.value)
    target = build_expr(ctx, node.target)
    type = build_expr(ctx, node.annotation)
    check_annotated(target, type, ctx.funcname or "")
    return Assign.create(value.range, [target], value, type)


def _aug_assign(ctx: Context, node: ast.AugAssign) -> Stmt:
    target = build_expr(ctx, node.target)
    value = build_expr(ctx, node.value)
    if isinstance(node.op, UNSUPPORTED_AUGMENTED):
        equals = ctx.source.text.rindex("=", 0, value.lo)
        place = SourceRange(ctx.source, equals - 1, equals + 1)
        raise NotSupportedError(UNSUPPORTED_AUGMENTED_KIND + type(node.op).__name__, place)
    return AugAssign.create(target.range, target, BINARY_OPERATORS[type(node.op)], value)


def _delete(ctx: Context, node: ast.Delete) -> Stmt:
    return Delete.create(ctx.range(node, len("del")), build_exprs(ctx, node.targets))


def _return(ctx: Context, node: ast.Return) -> Stmt:
    place = ctx.range(node, len("return"))
    if node.value is not None:
        return Return.create(place, build_expr(ctx, node.value))
    return Return.create(place, NoneLiteral(tk.TK_NONE, ctx.source, place.start, place.end))


def _raise(ctx: Context, node: ast.Raise) -> Stmt:
    place = ctx.range(node, len("raise"))
    if node.exc is None:
        raise NotSupportedError(BARE_RAISE, place)
    return Raise.create(place, build_expr(ctx, node.exc))


def _assert(ctx: Context, node: ast.Assert) -> Stmt:
    test = build_expr(ctx, node.test)
    message = build_expr(ctx, node.msg) if node.msg is not None else None
    return Assert.create(ctx.range(node, len("assert")), test, message)


def _while(ctx: Context, node: ast.While) -> Stmt:
    place = ctx.range(node, len("while"))
    if node.orelse:
        raise NotSupportedError(WHILE_ELSE, place)
    return While.create(place, build_expr(ctx, node.test), _block(ctx, place, node.body))


def _for(ctx: Context, node: ast.For) -> Stmt:
    place = ctx.range(node, len("for"))
    if node.orelse:
        raise NotSupportedError(FOR_ELSE, place)
    targets = [build_expr(ctx, node.target)]
    return For.create(place, targets, [build_expr(ctx, node.iter)], _block(ctx, place, node.body))


def _if(ctx: Context, node: ast.If) -> Stmt:
    """`if` with all its `elif`s; no recursion over these."""
    arms: list[tuple[SourceRange, Expr, List[Stmt]]] = []
    arm = node
    while True:
        place = ctx.range(arm, len("if"))
        arms.append((place, build_expr(ctx, arm.test), _block(ctx, place, arm.body)))
        if len(arm.orelse) != 1 or not isinstance(arm.orelse[0], ast.If):
            break
        arm = arm.orelse[0]
    last = _block(ctx, arms[-1][0], arm.orelse)
    place, cond, body = arms.pop()
    made = If.create(place, cond, body, last)
    for place, cond, body in reversed(arms):
        made = If.create(place, cond, body, make_list(place, [made]))
    return made


def _with(ctx: Context, node: ast.With) -> Stmt:
    place = ctx.range(node, len("with"))
    items: list[WithItem] = []
    for item in node.items:
        start = ctx.range(item.context_expr, len("with statements"))
        target = build_expr(ctx, item.context_expr)
        var = build_expr(ctx, item.optional_vars) if item.optional_vars is not None else None
        items.append(WithItem.create(start, target, var))
    return With.create(place, items, _block(ctx, place, node.body))


STATEMENTS: dict[type[ast.AST], Callable[[Context, Any], Stmt]] = {
    ast.Expr: _expr_stmt,
    ast.Assign: _assign,
    ast.AnnAssign: _ann_assign,
    ast.AugAssign: _aug_assign,
    ast.Delete: _delete,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.While: _while,
    ast.For: _for,
    ast.If: _if,
    ast.With: _with,
    ast.Pass: lambda ctx, node: Pass.create(ctx.range(node, len("pass"))),
    ast.Break: lambda ctx, node: Break.create(ctx.range(node, len("break"))),
    ast.Continue: lambda ctx, node: Continue.create(ctx.range(node, len("continue"))),
}
