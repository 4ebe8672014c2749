"""Views of expressions, and what all views are made of; import them from tree_views.py."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Generic, Self, TypeVar, cast

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.tree import Tree, compound
from torchscript_dialect.utils.errors import TorchScriptError
from torchscript_dialect.utils.source_range import Source, SourceRange

T = TypeVar("T", bound=Tree)
C = TypeVar("C")


class Child(Generic[C]):
    """An accessor: the subtree, or the atom, at an index."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __get__(self, tree: Tree, owner: type[Tree]) -> C:
        return tree.trees[self.index]


class Optional(Generic[C]):
    """An accessor of a `Maybe`: what it holds, or None."""

    def __init__(self, index: int) -> None:
        self.index = index

    def __get__(self, tree: Tree, owner: type[Tree]) -> C | None:
        trees = tree.trees[self.index].trees
        return trees[0] if trees else None


class View(Tree):
    """What all views share: `_create` for their `create`."""

    __slots__ = ()

    @classmethod
    def _create(cls, kind: str, range: SourceRange, *trees: Any) -> Self:
        return cast(Self, compound(kind, range, trees))


class List(View, Generic[T], kinds=(tk.TK_LIST,)):
    """A sequence of trees; immutable."""

    __slots__ = ()

    def __len__(self) -> int:
        return len(self.trees)

    def __iter__(self) -> Iterator[T]:
        return iter(self.trees)

    def __getitem__(self, index: int) -> T:
        return self.trees[index]


class Maybe(View, Generic[T], kinds=(tk.TK_OPTION,)):
    """A tree or nothing."""

    __slots__ = ()

    @property
    def present(self) -> bool:
        return bool(self.trees)

    def get(self) -> T | None:
        return self.trees[0] if self.trees else None


def list_of(source: Source, lo: int, hi: int, items: Iterable[T]) -> List[T]:
    """A list at the offsets `lo` to `hi`, which must hold the items."""
    return List(tk.TK_LIST, source, lo, hi, tuple(items))


def make_list(range: SourceRange, items: Sequence[T]) -> List[T]:
    """A list at `range`, widened to hold the items."""
    made: Any = compound(tk.TK_LIST, range, items)
    return made


def option_of(range: SourceRange, value: T | None) -> Maybe[T]:
    """`(option value)`; an empty one is put at `range`."""
    if value is None:
        return Maybe(tk.TK_OPTION, range.source, range.start, range.end)
    return Maybe(tk.TK_OPTION, value.source, value.lo, value.hi, (value,))


class Ident(View, kinds=(tk.TK_IDENT,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, name: str) -> Self:
        return cls._create(tk.TK_IDENT, range, name)

    name = Child[str](0)


class Stmt(View):
    """Base of the statements; a `Def` in a class body is one too."""

    __slots__ = ()


class Expr(View):
    """Base of the expressions."""

    __slots__ = ()


class Attribute(View, kinds=(tk.TK_ATTRIBUTE,)):
    """A keyword argument of a call, `name=value`."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, name: Ident, value: Expr) -> Self:
        return cls._create(tk.TK_ATTRIBUTE, range, name, value)

    name = Child[Ident](0)
    value = Child[Expr](1)


BINARY_KINDS = (
    *("+", "-", "*", "/", tk.TK_FLOOR_DIV, "%", "@", tk.TK_POW),
    *(tk.TK_LSHIFT, tk.TK_RSHIFT, "&", "^", "|", tk.TK_AND, tk.TK_OR),
    *("<", ">", tk.TK_LE, tk.TK_GE, tk.TK_EQ, tk.TK_NE, tk.TK_IS, tk.TK_ISNOT, tk.TK_IN),
)


class BinOp(Expr, kinds=BINARY_KINDS):
    """`a not in b` is `(not (in a b))`; `a < b < c` is `(and (< a b) (< b c))`."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, kind: str, lhs: Expr, rhs: Expr) -> Self:
        return cls._create(kind, range, lhs, rhs)

    lhs = Child[Expr](0)
    rhs = Child[Expr](1)


class UnaryOp(Expr, kinds=(tk.TK_UNARY_MINUS, "~", tk.TK_NOT)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, kind: str, expr: Expr) -> Self:
        return cls._create(kind, range, expr)

    expr = Child[Expr](0)


class TrueLiteral(Expr, kinds=(tk.TK_TRUE,)):
    __slots__ = ()


class FalseLiteral(Expr, kinds=(tk.TK_FALSE,)):
    __slots__ = ()


class NoneLiteral(Expr, kinds=(tk.TK_NONE,)):
    __slots__ = ()


class Const(Expr, kinds=(tk.TK_CONST,)):
    """A number, in the text that Python's `str` gives it: `0x10` is kept as `16`, `1e-5` as
    `1e-05`, `1J` as `1j`.
    """

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, text: str) -> Self:
        return cls._create(tk.TK_CONST, range, text)

    text = Child[str](0)

    @property
    def is_complex(self) -> bool:
        return "j" in self.text

    @property
    def is_floating_point(self) -> bool:
        return not self.is_complex and (self.text == "inf" or any(c in self.text for c in ".eE"))

    @property
    def is_integral(self) -> bool:
        return not self.is_complex and not self.is_floating_point

    def as_integral(self) -> int:
        """The value; an error outside the 64-bit integers."""
        value = int(self.text) if len(self.text) <= len(str(-(2**63))) else 2**63
        if not -(2**63) <= value < 2**63:
            message = "Integral constant out of range (must fit in a signed 64 bit integer)"
            raise TorchScriptError(message, self.range)
        return value

    def as_floating_point(self) -> float:
        return float(self.text)

    def as_complex(self) -> complex:
        return complex(self.text)


class StringLiteral(Expr, kinds=(tk.TK_STRINGLITERAL,)):
    """A string, escapes resolved and adjacent literals joined."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, text: str) -> Self:
        return cls._create(tk.TK_STRINGLITERAL, range, text)

    text = Child[str](0)


class Apply(Expr, kinds=(tk.TK_APPLY,)):
    """`callee(*inputs, **attributes)`."""

    __slots__ = ()

    @classmethod
    def create(
        cls,
        range: SourceRange,
        callee: Expr,
        inputs: Sequence[Expr],
        attributes: Sequence[Attribute] = (),
    ) -> Self:
        args = make_list(range, inputs)
        return cls._create(tk.TK_APPLY, range, callee, args, make_list(range, attributes))

    callee = Child[Expr](0)
    inputs = Child[List[Expr]](1)
    attributes = Child[List[Attribute]](2)


class Select(Expr, kinds=(".",)):
    """`value.selector`."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, value: Expr, selector: Ident) -> Self:
        return cls._create(".", range, value, selector)

    value = Child[Expr](0)
    selector = Child[Ident](1)


class SliceExpr(Expr, kinds=(tk.TK_SLICE_EXPR,)):
    __slots__ = ()

    @classmethod
    def create(
        cls, range: SourceRange, start: Expr | None, end: Expr | None, step: Expr | None
    ) -> Self:
        parts = [option_of(range, part) for part in (start, end, step)]
        return cls._create(tk.TK_SLICE_EXPR, range, *parts)

    start = Optional[Expr](0)
    end = Optional[Expr](1)
    step = Optional[Expr](2)


class Subscript(Expr, kinds=(tk.TK_SUBSCRIPT,)):
    """`value[subscript_exprs]`; `x[()]` has one empty `TupleLiteral`."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, value: Expr, subscript_exprs: Sequence[Expr]) -> Self:
        indices = make_list(range, subscript_exprs)
        whole = SourceRange(range.source, range.start, indices.hi + 1)
        return cls._create(tk.TK_SUBSCRIPT, whole, value, indices)

    value = Child[Expr](0)
    subscript_exprs = Child[List[Expr]](1)


class Var(Expr, kinds=(tk.TK_VAR,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, name: Ident) -> Self:
        return cls._create(tk.TK_VAR, range, name)

    name = Child[Ident](0)


class WithItem(Expr, kinds=(tk.TK_WITH_ITEM,)):
    """`target as var`."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, target: Expr, var: Expr | None) -> Self:
        return cls._create(tk.TK_WITH_ITEM, range, target, option_of(range, var))

    target = Child[Expr](0)
    var = Optional[Var](1)


class TernaryIf(Expr, kinds=(tk.TK_IF_EXPR,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, cond: Expr, true_expr: Expr, false_expr: Expr) -> Self:
        return cls._create(tk.TK_IF_EXPR, range, cond, true_expr, false_expr)

    cond = Child[Expr](0)
    true_expr = Child[Expr](1)
    false_expr = Child[Expr](2)


class ListLiteral(Expr, kinds=(tk.TK_LIST_LITERAL,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, inputs: Sequence[Expr]) -> Self:
        return cls._create(tk.TK_LIST_LITERAL, range, make_list(range, inputs))

    inputs = Child[List[Expr]](0)


class TupleLiteral(Expr, kinds=(tk.TK_TUPLE_LITERAL,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, inputs: Sequence[Expr]) -> Self:
        return cls._create(tk.TK_TUPLE_LITERAL, range, make_list(range, inputs))

    inputs = Child[List[Expr]](0)


class DictLiteral(Expr, kinds=(tk.TK_DICT_LITERAL,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, keys: Sequence[Expr], values: Sequence[Expr]) -> Self:
        key_list = make_list(range, keys)
        return cls._create(tk.TK_DICT_LITERAL, range, key_list, make_list(range, values))

    key_inputs = Child[List[Expr]](0)
    value_inputs = Child[List[Expr]](1)


class ListComp(Expr, kinds=(tk.TK_LIST_COMP,)):
    """`[elt for target in iter]`, and a generator expression, which compiles to the list."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, elt: Expr, target: Expr, iter: Expr) -> Self:
        return cls._create(tk.TK_LIST_COMP, range, elt, target, iter)

    elt = Child[Expr](0)
    target = Child[Expr](1)
    iter = Child[Expr](2)


class DictComp(Expr, kinds=(tk.TK_DICT_COMP,)):
    """`{key: value for target in iter}`."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, key: Expr, value: Expr, target: Expr, iter: Expr) -> Self:
        return cls._create(tk.TK_DICT_COMP, range, key, value, target, iter)

    key = Child[Expr](0)
    value = Child[Expr](1)
    target = Child[Expr](2)
    iter = Child[Expr](3)


class Starred(Expr, kinds=(tk.TK_STARRED,)):
    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange, expr: Expr) -> Self:
        return cls._create(tk.TK_STARRED, range, expr)

    expr = Child[Expr](0)


class Dots(Expr, kinds=(tk.TK_DOTS,)):
    """`...` and the name `Ellipsis`."""

    __slots__ = ()

    @classmethod
    def create(cls, range: SourceRange) -> Self:
        return cls._create(tk.TK_DOTS, range)


def pep604_union_to_union(expr: Expr) -> Expr:
    """`a | b | c` as `Union[a, b, c]`; any other type expression as it is."""
    if expr.kind != "|":
        return expr
    members: list[Expr] = []
    stack = [expr]
    while stack:
        top = stack.pop()
        if isinstance(top, BinOp) and top.kind == "|":
            stack += [top.rhs, top.lhs]
        else:
            members.append(top)
    union = Var.create(expr.range, Ident.create(expr.range, "Union"))
    return Subscript.create(expr.range, union, members)
