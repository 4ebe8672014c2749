"""Named accessors for the kinds of trees (PyTorch: frontend/tree_views.h).

A view is the tree's own class, so `isinstance(tree, Apply)`, `match tree: case Apply()` and tables
keyed by class all work. `X.create(range, ...)` builds one; its range is widened to hold the
subtrees. Where PyTorch has a `Maybe<T>`, the accessor gives `T | None` and `create` takes it; in
the tree it is `(option)` or `(option t)`. Lists are `List[T]`, a sequence; `make_list` makes one.

    Param     (param ident (option type) (option default) (True|False))     the last: keyword-only
    Decl      (decl (list Param...) (option return_type))
    Def       (def ident decl (list Stmt...))
    ClassDef  (class ident (option superclass) (list Stmt...)
                     (option (list Property...)) (option (list Assign...)))

Trees made from a Python function have no default values in their parameters: those are taken from
the live function.
"""

from collections.abc import Sequence
from typing import Self, cast

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.expr_views import (
    Apply,
    Attribute,
    BinOp,
    Child,
    Const,
    DictComp,
    DictLiteral,
    Dots,
    Expr,
    FalseLiteral,
    Ident,
    List,
    ListComp,
    ListLiteral,
    Maybe,
    NoneLiteral,
    Optional,
    Select,
    SliceExpr,
    Starred,
    Stmt,
    StringLiteral,
    Subscript,
    TernaryIf,
    TrueLiteral,
    TupleLiteral,
    UnaryOp,
    Var,
    View,
    WithItem,
    list_of,
    make_list,
    option_of,
    pep604_union_to_union,
)
from torchscript_dialect.frontend.source.tree import compound
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange

__all__ = [
    "Apply",
    "Assert",
    "Assign",
    "Attribute",
    "AugAssign",
    "BinOp",
    "Break",
    "Child",
    "ClassDef",
    "Const",
    "Continue",
    "Decl",
    "Def",
    "Delete",
    "DictComp",
    "DictLiteral",
    "Dots",
    "Expr",
    "ExprStmt",
    "FalseLiteral",
    "For",
    "Global",
    "Ident",
    "If",
    "List",
    "ListComp",
    "ListLiteral",
    "Maybe",
    "NoneLiteral",
    "Optional",
    "Param",
    "Pass",
    "Property",
    "Raise",
    "Return",
    "Select",
    "SliceExpr",
    "Starred",
    "Stmt",
    "StringLiteral",
    "Subscript",
    "TernaryIf",
    "TrueLiteral",
    "TupleLiteral",
    "UnaryOp",
    "Var",
    "View",
    "While",
    "With",
    "WithItem",
    "list_of",
    "make_list",
    "option_of",
    "pep604_union_to_union",
]


class Param(View, kinds=(tk.TK_PARAM,)):
    __slots__ = ()

    @classmethod
    def create(
        cls,
        range: SourceRange,
        ident: Ident,
        type: Expr | None,
        default: Expr | None,
        kwarg_only: bool,
    ) -> Self:
        flag = compound(tk.TK_TRUE if kwarg_only else tk.TK_FALSE, range, ())
        return cls._create(
            tk.TK_PARAM,
            range,
            ident,
            option_of(range, type),
            option_of(range, default),
            flag,
        )

    ident = Child[Ident](0)
    type = Optional[Expr](1)
    """The annotation, None where there is none (a tensor, or the class for `self`)."""
    default_value = Optional[Expr](2)

    @property
    def kwarg_only(self) -> bool:
        return self.trees[3].kind == tk.TK_TRUE

    def with_type(self, type: Expr | None) -> "Param":
        return Param.create(self.range, self.ident, type, self.default_value, self.kwarg_only)


class Decl(View, kinds=(tk.TK_DECL,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, params: Sequence[Param], return_type: Expr | None) -> Self:
        return cls._create(
            tk.TK_DECL,
            range,
            make_list(range, params),
            option_of(range, return_type),
        )

    params = Child[List[Param]](0)
    return_type = Optional[Expr](1)


class Def(Stmt, kinds=(tk.TK_DEF,)):
    """A function or a method."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, name: Ident, decl: Decl, statements: List[Stmt]) -> Self:
        return cls._create(tk.TK_DEF, range, name, decl, statements)

    name = Child[Ident](0)
    decl = Child[Decl](1)
    statements = Child[List[Stmt]](2)

    def with_name(self, name: str) -> "Def":
        return Def.create(
            self.range, Ident.create(self.name.range, name), self.decl, self.statements
        )

    def with_decl(self, decl: Decl) -> "Def":
        return Def.create(self.range, self.name, decl, self.statements)


class Property(View, kinds=(tk.TK_PROP,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, name: Ident, getter: Def, setter: Def | None) -> Self:
        return cls._create(tk.TK_PROP, range, name, getter, option_of(range, setter))

    name = Child[Ident](0)
    getter = Child[Def](1)
    setter = Optional[Def](2)


class Assign(Stmt, kinds=(tk.TK_ASSIGN,)):
    """`a = b = rhs`, `a: type = rhs`, and in class bodies `a: type`."""

    __slots__ = ()

    @classmethod
    def create(
        cls, range: SourceRange, lhs_list: Sequence[Expr], rhs: Expr | None, type: Expr | None
    ) -> Self:
        lhs = make_list(range, lhs_list)
        return cls._create(tk.TK_ASSIGN, range, lhs, option_of(range, rhs), option_of(range, type))

    lhs_list = Child[List[Expr]](0)

    @property
    def lhs(self) -> Expr:
        """The only target; FrontendError where there are several, as classes have none of these."""
        if len(self.lhs_list) != 1:
            raise FrontendError("only one name can be assigned to here", self.range)
        return self.lhs_list[0]

    rhs = Optional[Expr](1)
    type = Optional[Expr](2)


class ClassDef(View, kinds=(tk.TK_CLASS_DEF,)):
    """A class. From text, `body` holds methods and assignments; from a live class, methods by
    name, the rest apart.
    """

    __slots__ = ()

    @classmethod
    def create(
        cls,
        range: SourceRange,
        name: Ident,
        superclass: Expr | None,
        body: Sequence[Stmt],
        properties: Sequence[Property] | None = None,
        assigns: Sequence[Assign] | None = None,
    ) -> Self:
        props = None if properties is None else make_list(range, properties)
        attrs = None if assigns is None else make_list(range, assigns)
        return cls._create(
            tk.TK_CLASS_DEF,
            range,
            name,
            option_of(range, superclass),
            make_list(range, body),
            option_of(range, props),
            option_of(range, attrs),
        )

    name = Child[Ident](0)
    superclass = Optional[Expr](1)
    body = Child[List[Stmt]](2)
    properties = Optional[List[Property]](3)
    assigns = Optional[List[Assign]](4)

    def with_name(self, name: str) -> "ClassDef":
        ident = Ident.create(self.name.range, name)
        return cast(ClassDef, compound(tk.TK_CLASS_DEF, self.range, (ident, *self.trees[1:])))


class If(Stmt, kinds=(tk.TK_IF,)):
    """`elif` is an `If` alone in the false branch; both branches are always there, the false one
    maybe empty.
    """

    __slots__ = ()

    @classmethod
    def create(
        cls, range: SourceRange, cond: Expr, true_branch: List[Stmt], false_branch: List[Stmt]
    ) -> Self:
        return cls._create(tk.TK_IF, range, cond, true_branch, false_branch)

    cond = Child[Expr](0)
    true_branch = Child[List[Stmt]](1)
    false_branch = Child[List[Stmt]](2)


class While(Stmt, kinds=(tk.TK_WHILE,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, cond: Expr, body: List[Stmt]) -> Self:
        return cls._create(tk.TK_WHILE, range, cond, body)

    cond = Child[Expr](0)
    body = Child[List[Stmt]](1)


class For(Stmt, kinds=(tk.TK_FOR,)):
    """`for targets in itrs`; one of each, a tuple of targets being one `TupleLiteral`."""

    __slots__ = ()

    @classmethod
    def create(
        cls, range: SourceRange, targets: Sequence[Expr], itrs: Sequence[Expr], body: List[Stmt]
    ) -> Self:
        return cls._create(
            tk.TK_FOR,
            range,
            make_list(range, targets),
            make_list(range, itrs),
            body,
        )

    targets = Child[List[Expr]](0)
    itrs = Child[List[Expr]](1)
    body = Child[List[Stmt]](2)


class Global(Stmt, kinds=(tk.TK_GLOBAL,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, names: Sequence[Ident]) -> Self:
        return cls._create(tk.TK_GLOBAL, range, make_list(range, names))

    names = Child[List[Ident]](0)


class AugAssign(Stmt, kinds=(tk.TK_AUG_ASSIGN,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, lhs: Expr, aug_op: str, rhs: Expr) -> Self:
        return cls._create(tk.TK_AUG_ASSIGN, range, lhs, compound(aug_op, range, ()), rhs)

    lhs = Child[Expr](0)

    @property
    def aug_op(self) -> str:
        """The kind of the binary operator: `"+"` for `+=`, tk.TK_POW for `**=`."""
        return self.trees[1].kind

    rhs = Child[Expr](2)


class Return(Stmt, kinds=(tk.TK_RETURN,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, expr: Expr) -> Self:
        return cls._create(tk.TK_RETURN, range, expr)

    expr = Child[Expr](0)
    """The value; a `NoneLiteral` for a bare `return`."""


class Raise(Stmt, kinds=(tk.TK_RAISE,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, expr: Expr) -> Self:
        return cls._create(tk.TK_RAISE, range, expr)

    expr = Child[Expr](0)


class Assert(Stmt, kinds=(tk.TK_ASSERT,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, test: Expr, msg: Expr | None) -> Self:
        return cls._create(tk.TK_ASSERT, range, test, option_of(range, msg))

    test = Child[Expr](0)
    msg = Optional[Expr](1)


class Pass(Stmt, kinds=(tk.TK_PASS,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange) -> Self:
        return cls._create(tk.TK_PASS, range)


class Break(Stmt, kinds=(tk.TK_BREAK,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange) -> Self:
        return cls._create(tk.TK_BREAK, range)


class Continue(Stmt, kinds=(tk.TK_CONTINUE,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange) -> Self:
        return cls._create(tk.TK_CONTINUE, range)


class Delete(Stmt, kinds=(tk.TK_DELETE,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, targets: Sequence[Expr]) -> Self:
        return cls._create(tk.TK_DELETE, range, make_list(range, targets))

    targets = Child[List[Expr]](0)


class ExprStmt(Stmt, kinds=(tk.TK_EXPR_STMT,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, expr: Expr) -> Self:
        return cls._create(tk.TK_EXPR_STMT, range, expr)

    expr = Child[Expr](0)


class With(Stmt, kinds=(tk.TK_WITH,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, targets: Sequence[WithItem], body: List[Stmt]) -> Self:
        return cls._create(tk.TK_WITH, range, make_list(range, targets), body)

    targets = Child[List[WithItem]](0)
    body = Child[List[Stmt]](1)
