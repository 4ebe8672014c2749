"""Expressions of Python's `ast` as our trees (PyTorch: ExprBuilder of torch/jit/frontend.py).

Every construct gets the range that PyTorch gives it, so that graph locations and underlined text
agree: a call begins at its callee and ends with its last argument, a list is its bracket and what
is in it. Two Python frames are used per level of nesting; chains (`a + b + ...`, `x.f().g()...`)
are loops.
"""

import ast
from collections.abc import Callable, Iterable
from copy import copy
from typing import Any

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.expr_parser import (
    NO_COMPREHENSION_IF,
    NO_CONVERSION,
    NO_DICT_EXPANSION,
    NO_FORMAT_SPEC,
    NO_KEYWORD_EXPANSION,
    ONE_GENERATOR,
    RESERVED_NAME,
    RESERVED_PREFIX,
    UNKNOWN_CONSTANT,
)
from torchscript_dialect.frontend.source.expr_views import (
    Apply,
    Attribute,
    BinOp,
    Const,
    DictComp,
    DictLiteral,
    Dots,
    Expr,
    FalseLiteral,
    Ident,
    ListComp,
    ListLiteral,
    NoneLiteral,
    Select,
    SliceExpr,
    Starred,
    StringLiteral,
    Subscript,
    TernaryIf,
    TrueLiteral,
    TupleLiteral,
    UnaryOp,
    Var,
)
from torchscript_dialect.frontend.source.literals import LOWEST_INT
from torchscript_dialect.frontend.source.signature import TYPE_COMMENT_PREFIX
from torchscript_dialect.utils.errors import FrontendError, NotSupportedError
from torchscript_dialect.utils.source_range import Source, SourceRange

BINARY_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.Pow: tk.TK_POW,
    ast.Mod: "%",
    ast.FloorDiv: tk.TK_FLOOR_DIV,
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.BitOr: "|",
    ast.LShift: tk.TK_LSHIFT,
    ast.RShift: tk.TK_RSHIFT,
    ast.MatMult: "@",
}
UNARY_OPERATORS: dict[type[ast.AST], tuple[str, int]] = {
    ast.Not: (tk.TK_NOT, 3),
    ast.USub: (tk.TK_UNARY_MINUS, 1),
    ast.Invert: ("~", 1),
}
"""Kind and length of each."""
COMPARISONS: dict[type[ast.AST], str] = {
    ast.Eq: tk.TK_EQ,
    ast.NotEq: tk.TK_NE,
    ast.LtE: tk.TK_LE,
    ast.Lt: "<",
    ast.GtE: tk.TK_GE,
    ast.Gt: ">",
    ast.Is: tk.TK_IS,
    ast.IsNot: tk.TK_ISNOT,
    ast.In: tk.TK_IN,
    ast.NotIn: tk.TK_NOTIN,
}
FEATURE_NAMES = {
    "FunctionDef": ("function definitions", "def"),
    "For": ("for loops", "for"),
    "Delete": ("del statements", "del"),
    "ClassDef": ("class definitions", "class"),
    "With": ("with statements", "with"),
    "Raise": ("raise statements", "raise"),
    "Assert": ("assertions", "assert"),
    "Import": ("import statements", "import"),
    "ImportFrom": ("import statements", "from"),
    "Global": ("global variables", "global"),
    "Break": ("break statements", "break"),
    "Continue": ("continue statements", "continue"),
    "AsyncFunctionDef": ("async function definitions", "async def"),
    "AsyncFor": ("async for loops", "async for"),
    "AsyncWith": ("async with statements", "async with"),
    "Try": ("try blocks", "try"),
    "Nonlocal": ("nonlocal variables", "nonlocal"),
    "AnnAssign": ("annotated assignments", " "),
}
"""What messages call a construct, and the token that they underline."""


class Context:
    """Where `ast` nodes are in a source: their line 1 is the line `first_row` (from 0) of it."""

    def __init__(self, source: Source, first_row: int = 0, funcname: str | None = None) -> None:
        self.source = source
        self.first_row = first_row
        self.funcname = funcname
        self.has_type_comments = TYPE_COMMENT_PREFIX in source.text

    def inside(self, funcname: str) -> "Context":
        """The context of the body of a function."""
        made = copy(self)
        made.funcname = funcname
        return made

    def offset(self, line: int, column: int) -> int:
        return self.source.offset_at(line - 1 + self.first_row, column)

    def start(self, node: Any) -> int:
        return self.source.offset_at(node.lineno - 1 + self.first_row, node.col_offset)

    def end(self, node: Any) -> int:
        return self.source.offset_at(node.end_lineno - 1 + self.first_row, node.end_col_offset)

    def range(self, node: Any, length: int) -> SourceRange:
        """The first `length` characters of a node."""
        start = self.start(node)
        return SourceRange(self.source, start, start + length)

    def between(self, left: Expr, right: Expr) -> SourceRange:
        """What stands between two expressions: an operator."""
        return SourceRange(self.source, left.hi, right.lo)


def unsupported_node(ctx: Context, node: Any, reason: str = "") -> NotSupportedError:
    """The error for a construct that TorchScript does not have."""
    name, token = FEATURE_NAMES.get(type(node).__name__, (type(node).__name__, " "))
    message = f"{name} {reason} aren't supported" if reason else f"{name} aren't supported"
    return NotSupportedError(message, ctx.range(node, len(token)))


def build_expr(ctx: Context, node: ast.expr) -> Expr:
    """The tree of an expression."""
    builder = BUILDERS.get(type(node))
    if builder is None:
        raise unsupported_node(ctx, node)
    return builder(ctx, node)


def build_exprs(ctx: Context, nodes: Iterable[ast.expr]) -> list[Expr]:
    found: list[Expr] = []
    for node in nodes:  # a comprehension would take a frame
        found.append(build_expr(ctx, node))
    return found


def _postfix(ctx: Context, node: ast.expr) -> Expr:
    """Attributes, calls and subscripts, and what they start from."""
    chain: list[ast.Attribute | ast.Call | ast.Subscript] = []
    base: ast.expr = node
    while isinstance(base, ast.Attribute | ast.Call | ast.Subscript):
        chain.append(base)
        base = base.func if isinstance(base, ast.Call) else base.value
    result = build_expr(ctx, base)
    for link in reversed(chain):
        result = POSTFIX[type(link)](ctx, link, result)
    return result


def _attribute(ctx: Context, node: ast.Attribute, base: Expr) -> Expr:
    text = ctx.source.text
    start = base.hi + 1
    while text[start : start + 1].isspace():
        start += 1
    name = Ident.create(SourceRange(ctx.source, start, start + len(node.attr)), node.attr)
    return Select.create(base.range, base, name)


def _call(ctx: Context, node: ast.Call, callee: Expr) -> Expr:
    args = build_exprs(ctx, node.args)
    kwargs: list[Attribute] = []
    for keyword in node.keywords:
        value = build_expr(ctx, keyword.value)
        if keyword.arg is None:
            raise NotSupportedError(NO_KEYWORD_EXPANSION, value.range)
        ident = Ident.create(value.range, keyword.arg)
        kwargs.append(Attribute.create(value.range, ident, value))
    return Apply.create(callee.range, callee, args, kwargs)


def _subscript(ctx: Context, node: ast.Subscript, base: Expr) -> Expr:
    index = node.slice
    if not isinstance(index, ast.Tuple):
        return Subscript.create(base.range, base, [_index(ctx, index, base)])
    if not index.elts:
        return Subscript.create(base.range, base, [TupleLiteral.create(ctx.range(index, 2), [])])
    indices: list[Expr] = []
    for part in index.elts:
        indices.append(_index(ctx, part, base))
    return Subscript.create(base.range, base, indices)


def _index(ctx: Context, node: Any, base: Expr) -> Expr:
    if not isinstance(node, ast.Slice):
        return build_expr(ctx, node)
    lower = build_expr(ctx, node.lower) if node.lower is not None else None
    upper = build_expr(ctx, node.upper) if node.upper is not None else None
    step = build_expr(ctx, node.step) if node.step is not None else None
    return SliceExpr.create(base.range, lower, upper, step)


def _name(ctx: Context, node: ast.Name) -> Expr:
    place = ctx.range(node, len(node.id))
    if node.id.startswith(RESERVED_PREFIX):
        raise NotSupportedError(RESERVED_NAME, place)
    if node.id == "Ellipsis":
        return Dots.create(place)
    return Var.create(place, Ident.create(place, node.id))


def _constant(ctx: Context, node: ast.Constant) -> Expr:
    value = node.value
    if isinstance(value, str):
        return StringLiteral.create(ctx.range(node, len(value) + 1), value)
    if value is None:
        return _literal(NoneLiteral, tk.TK_NONE, ctx.range(node, 4))
    if value is True:
        return _literal(TrueLiteral, tk.TK_TRUE, ctx.range(node, 4))
    if value is False:
        return _literal(FalseLiteral, tk.TK_FALSE, ctx.range(node, 5))
    if value is Ellipsis:
        return Dots.create(ctx.range(node, 3))
    if isinstance(value, (int, float, complex)):
        return Const.create(ctx.range(node, len(str(value))), str(value))
    raise FrontendError(UNKNOWN_CONSTANT, ctx.range(node, len(str(value))))


def _literal(view: type[Expr], kind: str, place: SourceRange) -> Expr:
    return view(kind, place.source, place.start, place.end)


def _binary(ctx: Context, node: ast.BinOp) -> Expr:
    chain: list[ast.BinOp] = []
    left: Any = node
    while type(left) is ast.BinOp:
        chain.append(left)
        left = left.left
    result = build_expr(ctx, left)
    for link in reversed(chain):
        right = build_expr(ctx, link.right)
        result = BinOp.create(result.range, BINARY_OPERATORS[type(link.op)], result, right)
    return result


def _unary(ctx: Context, node: ast.UnaryOp) -> Expr:
    known = UNARY_OPERATORS.get(type(node.op))
    if known is None:
        name = type(node.op).__name__
        raise NotSupportedError(f"unsupported unary operator: {name}", ctx.range(node, 1))
    kind, length = known
    operand = build_expr(ctx, node.operand)
    place = ctx.range(node, length)
    if kind == tk.TK_UNARY_MINUS and isinstance(operand, Const) and operand.text == LOWEST_INT:
        return Const.create(place.merge(operand.range), "-" + LOWEST_INT)
    return UnaryOp.create(place, kind, operand)


def _bool(ctx: Context, node: ast.BoolOp) -> Expr:
    kind = tk.TK_AND if isinstance(node.op, ast.And) else tk.TK_OR
    result, *rest = build_exprs(ctx, node.values)
    for right in rest:
        result = BinOp.create(result.range, kind, result, right)
    return result


def _compare(ctx: Context, node: ast.Compare) -> Expr:
    operands = build_exprs(ctx, [node.left, *node.comparators])
    result: Expr | None = None
    for left, op, right in zip(operands, node.ops, operands[1:], strict=False):
        kind = COMPARISONS[type(op)]
        if kind == tk.TK_NOTIN:
            inside = BinOp.create(left.range, tk.TK_IN, left, right)
            link: Expr = UnaryOp.create(ctx.between(left, right), tk.TK_NOT, inside)
        else:
            link = BinOp.create(left.range, kind, left, right)
        result = link if result is None else BinOp.create(result.range, tk.TK_AND, result, link)
    assert result is not None
    return result


def _ternary(ctx: Context, node: ast.IfExp) -> Expr:
    cond = build_expr(ctx, node.test)
    body = build_expr(ctx, node.body)
    return TernaryIf.create(cond.range, cond, body, build_expr(ctx, node.orelse))


def _list(ctx: Context, node: ast.List) -> Expr:
    return ListLiteral.create(ctx.range(node, 1), build_exprs(ctx, node.elts))


def _tuple(ctx: Context, node: ast.Tuple) -> Expr:
    return TupleLiteral.create(ctx.range(node, 1), build_exprs(ctx, node.elts))


def _dict(ctx: Context, node: ast.Dict) -> Expr:
    place = ctx.range(node, 1)
    keys = [key for key in node.keys if key is not None]
    if len(keys) != len(node.keys):
        raise NotSupportedError(NO_DICT_EXPANSION, place)
    key_exprs = build_exprs(ctx, keys)
    return DictLiteral.create(place, key_exprs, build_exprs(ctx, node.values))


def _generator(ctx: Context, node: Any) -> tuple[Expr, Expr]:
    if len(node.generators) != 1:
        raise NotSupportedError(ONE_GENERATOR, ctx.range(node, 0))
    generator = node.generators[0]
    if generator.is_async:
        raise NotSupportedError("async comprehensions aren't supported", ctx.range(node, 1))
    if generator.ifs:
        raise NotSupportedError(NO_COMPREHENSION_IF, ctx.range(node, 0))
    return build_expr(ctx, generator.target), build_expr(ctx, generator.iter)


def _list_comp(ctx: Context, node: ast.ListComp | ast.GeneratorExp) -> Expr:
    target, iterated = _generator(ctx, node)
    return ListComp.create(ctx.range(node, 0), build_expr(ctx, node.elt), target, iterated)


def _dict_comp(ctx: Context, node: ast.DictComp) -> Expr:
    target, iterated = _generator(ctx, node)
    key = build_expr(ctx, node.key)
    return DictComp.create(ctx.range(node, 0), key, build_expr(ctx, node.value), target, iterated)


def _starred(ctx: Context, node: ast.Starred) -> Expr:
    return Starred.create(ctx.range(node, 1), build_expr(ctx, node.value))


def _format(ctx: Context, node: ast.JoinedStr) -> Expr:
    """An f-string as `"...{}...".format(...)`."""
    parts: list[str] = []
    args: list[Expr] = []
    for value in node.values:
        if isinstance(value, ast.FormattedValue):
            if value.conversion != -1:
                raise NotSupportedError(NO_CONVERSION, ctx.range(value, 1))
            if value.format_spec is not None:
                raise NotSupportedError(NO_FORMAT_SPEC, ctx.range(value, 1))
            parts.append("{}")
            args.append(build_expr(ctx, value.value))
        else:
            assert isinstance(value, ast.Constant)
            parts.append(str(value.value))
    place = ctx.range(node, 1)
    literal = StringLiteral.create(place, "".join(parts))
    return Apply.create(place, Select.create(place, literal, Ident.create(place, "format")), args)


POSTFIX: dict[type[ast.AST], Callable[[Context, Any, Expr], Expr]] = {
    ast.Attribute: _attribute,
    ast.Call: _call,
    ast.Subscript: _subscript,
}
BUILDERS: dict[type[ast.AST], Callable[[Context, Any], Expr]] = {
    **dict.fromkeys(POSTFIX, _postfix),
    ast.Name: _name,
    ast.Constant: _constant,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.BoolOp: _bool,
    ast.Compare: _compare,
    ast.IfExp: _ternary,
    ast.List: _list,
    ast.Tuple: _tuple,
    ast.Dict: _dict,
    ast.ListComp: _list_comp,
    ast.GeneratorExp: _list_comp,
    ast.DictComp: _dict_comp,
    ast.Starred: _starred,
    ast.JoinedStr: _format,
}
