"""Definitions and statements of TorchScript source text (PyTorch: frontend/parser.cpp).

The trees are those that ast_builder.py makes of the same text.
"""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.expr_parser import ExprParser
from torchscript_dialect.frontend.source.expr_views import (
    Expr,
    Ident,
    List,
    ListLiteral,
    NoneLiteral,
    Select,
    Starred,
    Stmt,
    StringLiteral,
    Subscript,
    TupleLiteral,
    Var,
    WithItem,
    make_list,
)
from torchscript_dialect.frontend.source.signature import (
    Span,
    merge_type_comments,
    parse_signature,
    parse_type,
)
from torchscript_dialect.frontend.source.tree import Tree, compound
from torchscript_dialect.frontend.source.tree_views import (
    Assign,
    AugAssign,
    ClassDef,
    Decl,
    Def,
    ExprStmt,
    If,
    Param,
    Property,
)
from torchscript_dialect.utils.byte_strings import require_characters
from torchscript_dialect.utils.errors import FrontendError, ParseError
from torchscript_dialect.utils.recursion import deep_recursion
from torchscript_dialect.utils.source_range import Source, SourceRange

AUGMENTED = {
    tk.TK_PLUS_EQ: "+",
    tk.TK_MINUS_EQ: "-",
    tk.TK_TIMES_EQ: "*",
    tk.TK_DIV_EQ: "/",
    tk.TK_MOD_EQ: "%",
    tk.TK_BIT_OR_EQ: "|",
    tk.TK_BIT_AND_EQ: "&",
    tk.TK_BIT_XOR_EQ: "^",
    tk.TK_LSHIFT_EQ: tk.TK_LSHIFT,
    tk.TK_RSHIFT_EQ: tk.TK_RSHIFT,
    tk.TK_POW_EQ: tk.TK_POW,
}
UNSUPPORTED_AUGMENTED = {tk.TK_FLOOR_DIV_EQ: "FloorDiv", tk.TK_MATMUL_EQ: "MatMult"}
UNSUPPORTED_STATEMENTS = {
    tk.TK_IMPORT: "import statements",
    tk.TK_FROM: "import statements",
    tk.TK_GLOBAL: "global variables",
    tk.TK_NONLOCAL: "nonlocal variables",
    tk.TK_TRY: "try blocks",
    tk.TK_DEF: "function definitions",
    tk.TK_CLASS_DEF: "class definitions",
    "@": "function definitions",
}
ASYNC_STATEMENTS = {
    tk.TK_DEF: "async function definitions",
    tk.TK_FOR: "async for loops",
    tk.TK_WITH: "async with statements",
}
UNSUPPORTED_AUGMENTED_KIND = "unsupported kind of augmented assignment: "
VARIADIC = (
    "Compiled functions can't take variable number of arguments "
    "or use keyword-only arguments with defaults"
)
NOT_IN_INIT = "Type annotations on instance attributes must be declared in __init__, not "
ITERABLES = "List of iterables is not supported currently"
FOR_ELSE = "else branches of for loops aren't supported"
WHILE_ELSE = "else branches of while loops aren't supported"
BARE_RAISE = "raise statements without an exception aren't supported"
BASES = frozenset({"object", "NamedTuple", "Enum", "Interface", "ModuleInterface"})
"""What classes of programs may inherit from."""
NO_VALUE = "annotated assignments without assigned value aren't supported"
SKIPPED = "only functions and classes may be decorated"
ASSIGNABLE = (Var, Select, Subscript, TupleLiteral, ListLiteral, Starred)
LINE_ENDS = (tk.TK_NEWLINE, tk.TK_TYPE_COMMENT, ";", tk.TK_EOF)
NESTED_TOO_DEEPLY = "the program is nested too deeply"


class Parser(ExprParser):
    """A parser of definitions, expressions and type comments, each from the current token on."""

    function = ""
    """The name of the function being parsed."""

    def __init__(
        self, source: Source, start: int = 0, end: int | None = None, *, is_printed: bool = False
    ) -> None:
        """`is_printed`: the Python Printer wrote the text. It defines functions in functions, for what is forked, and its signs belong
        to numbers.
        """
        super().__init__(source, start, end)
        self.is_printed = is_printed

    def parse_file(self, definitions_only: bool = False) -> list[Def | ClassDef]:
        """The functions and classes at the top level; other statements there are passed over, or refused but for imports. Classes
        that are Python's alone, as they inherit (from `nn.Module`, say), count among these.
        """
        found: list[Def | ClassDef] = []
        while (kind := self.kinds[self.pos]) != tk.TK_EOF:
            decorators = self._decorators() if kind == "@" else []
            if (kind := self.kinds[self.pos]) == tk.TK_DEF:
                found.append(self.parse_function())
            elif kind == tk.TK_CLASS_DEF and not definitions_only and self._is_class_of_python():
                self._skip_statement()
            elif kind == tk.TK_CLASS_DEF:
                found.append(self.parse_class())
            elif kind == tk.TK_ASYNC:
                raise ParseError("async functions are not supported", self.range_at(self.pos))
            elif decorators:
                raise ParseError(SKIPPED, self.range_at(self.pos))
            elif definitions_only and kind not in (tk.TK_IMPORT, tk.TK_FROM, tk.TK_NEWLINE):
                raise ParseError(f"expected def but found '{kind}' here", self.range_at(self.pos))
            else:
                self._skip_statement()
        return found

    def parse_expression(self) -> Expr:
        """One expression, which may be a tuple without parentheses, and nothing after it."""
        parsed = self.expression_or_tuple()
        self.end()
        return parsed

    def parse_type_comment(self) -> Decl:
        """`# type: (Tensor, int) -> Tensor`; the parameters have empty names."""
        at = self.expect(tk.TK_TYPE_COMMENT)
        return parse_signature(self.source, (self.los[at], self.his[at]))

    def parse_function(self, is_method: bool = False) -> Def:
        """`def name(params) -> type: ...`; type comments leave out the first one of a method."""
        start = self.los[self.expect(tk.TK_DEF)]
        name = self.ident()
        self.function = name.name
        lo = self.los[self.pos]
        params = self._params()
        returns = self.expression() if self.next_if(tk.TK_ARROW) else None
        hi = self.his[self.expect(":")]
        decl = Decl.create(SourceRange(self.source, lo, hi), params, returns)
        comments = [span for span in self.lexer.bracketed_type_comments if lo < span[0] < hi]
        comments += self._type_comments()
        statements: list[Stmt] = []
        if not self.next_if(tk.TK_INDENT):
            statements += self._simple_statements()
        else:
            comments += self._type_comments()
            statements += self._statement()
            if isinstance(statements[0], ExprStmt) and isinstance(
                statements[0].expr, StringLiteral
            ):
                comments += self._type_comments()
            statements += self._statements_to_dedent()
        decl = merge_type_comments(decl, comments, self.source, is_method)
        return Def.create(
            SourceRange(self.source, start, start + 3), name, decl, self._stmts(start, statements)
        )

    def _is_class_of_python(self) -> bool:
        """Whether a class begins here that inherits from what programs know nothing of."""
        if self.is_printed:
            return False
        start = self.pos
        _, superclass = self._class_header()
        self.pos = start
        return (
            superclass is not None
            and self.source.text[superclass.range.start : superclass.range.end].rpartition(".")[2]
            not in BASES
        )

    def _class_header(self) -> tuple[Ident, Expr | None]:
        self.expect(tk.TK_CLASS_DEF)
        name = self.ident()
        if self.kinds[self.pos] != "(":
            return name, None
        bases = self._call(Var.create(name.range, name)).inputs
        return name, bases[0] if bases else None

    def parse_class(self) -> ClassDef:
        """`class Name(Base): ...`; of several bases the first is kept."""
        start = self.los[self.pos]
        name, superclass = self._class_header()
        self.expect(":")
        body: list[Stmt] = []
        properties: dict[str, Property] = {}
        if not self.next_if(tk.TK_INDENT):
            body = self._simple_statements(in_class=True)
        else:
            while not self.next_if(tk.TK_DEDENT):
                self._member(body, properties)
        place = SourceRange(self.source, start, start + 5)
        return ClassDef.create(place, name, superclass, body, list(properties.values()) or None)

    # Parts of definitions.

    def _member(self, body: list[Stmt], properties: dict[str, Property]) -> None:
        decorators = self._decorators() if self.kinds[self.pos] == "@" else []
        if self.kinds[self.pos] != tk.TK_DEF:
            if decorators:
                raise ParseError(SKIPPED, self.range_at(self.pos))
            body += self._statement(in_class=True)
            return
        method = self.parse_function(is_method=not has_name(decorators, "staticmethod"))
        add_method(method, decorators, body, properties)

    def _decorators(self) -> list[Expr]:
        found: list[Expr] = []
        while self.next_if("@"):
            found.append(self.expression())
            self.expect(tk.TK_NEWLINE)
        return found

    def _params(self) -> list[Param]:
        self.expect("(")
        params: list[Param] = []
        kwarg_only = False
        while (kind := self.kinds[self.pos]) != ")":
            if kind == tk.TK_POW or (kind == "*" and self.kinds[self.pos + 1] == tk.TK_IDENT):
                place = self.range_at(self.pos)
                self.unsupported(VARIADIC, place.merge(self.range_at(self.pos + 1)))
            if kind == "*":
                self.pos += 1
                kwarg_only = True
            elif kind != "/" or not params:
                params.append(self._param(kwarg_only))
            else:
                self.pos += 1
            if not self.next_if(","):
                break
        self.expect(")")
        return params

    def _param(self, kwarg_only: bool) -> Param:
        ident = self.ident()
        type = self.element() if self.next_if(":") else None
        default = self.expression() if self.next_if("=") else None
        return Param.create(ident.range, ident, type, default, kwarg_only)

    def _type_comments(self) -> list[Span]:
        """The type comments at the current token, which are passed over."""
        found: list[Span] = []
        while self.kinds[self.pos] == tk.TK_TYPE_COMMENT:
            found.append((self.los[self.pos], self.his[self.pos]))
            self.pos += 1
            if self.kinds[self.pos] == tk.TK_INDENT:
                break
            self.next_if(tk.TK_NEWLINE)
        return found

    # Statements.

    def _stmts(self, at: int, statements: Sequence[Stmt]) -> List[Stmt]:
        return make_list(SourceRange(self.source, at, at), statements)

    def _make(self, kind: str, start: int, *trees: Tree) -> Stmt:
        """A statement that begins with the keyword at the offset `start`."""
        made = compound(kind, SourceRange(self.source, start, self.his[self.pos - 1]), trees)
        assert isinstance(made, Stmt)
        return made

    def _skip_statement(self) -> None:
        """Passes over the current line and the block that it begins."""
        depth = 0
        while (kind := self.kinds[self.pos]) != tk.TK_EOF:
            self.pos += 1
            depth += (kind == tk.TK_INDENT) - (kind == tk.TK_DEDENT)
            if depth == 0 and kind in (tk.TK_NEWLINE, tk.TK_DEDENT):
                return

    def _block(self) -> list[Stmt]:
        self.expect(":")
        while self.next_if(tk.TK_TYPE_COMMENT):
            pass
        if not self.next_if(tk.TK_INDENT):
            return self._simple_statements()
        return self._statements_to_dedent()

    def _statements_to_dedent(self) -> list[Stmt]:
        statements: list[Stmt] = []
        while not self.next_if(tk.TK_DEDENT):
            statements += self._statement()
        return statements

    def _statement(self, in_class: bool = False) -> list[Stmt]:
        """One compound statement, or the simple ones of a line."""
        while self.kinds[self.pos] == tk.TK_TYPE_COMMENT:
            self.pos += 1
            self.next_if(tk.TK_NEWLINE)
        start = self.los[self.pos]
        match self.kinds[self.pos]:
            case tk.TK_IF:
                return [self._if()]
            case tk.TK_DEF if self.is_printed:
                return [self.parse_function()]
            case tk.TK_FOR:
                self.pos += 1
                target = _without_comma(self.target())
                targets = make_list(target.range, [target])
                self.expect(tk.TK_IN)
                iterated, *others = self._iterables()
                iters = make_list(iterated.range, [iterated])
                body = self._block()
                if others:
                    self.unsupported(ITERABLES, self._stmts(start, body).range)
                if self.kinds[self.pos] == tk.TK_ELSE:
                    self.unsupported(FOR_ELSE, SourceRange(self.source, start, start + 3))
                return [self._make(tk.TK_FOR, start, targets, iters, self._stmts(start, body))]
            case tk.TK_WHILE:
                self.pos += 1
                cond = self.expression()
                body = self._block()
                if self.kinds[self.pos] == tk.TK_ELSE:
                    self.unsupported(WHILE_ELSE, SourceRange(self.source, start, start + 5))
                return [self._make(tk.TK_WHILE, start, cond, self._stmts(start, body))]
            case tk.TK_WITH:
                self.pos += 1
                items = self._with_items()
                body = self._stmts(start, self._block())
                return [self._make(tk.TK_WITH, start, items, body)]
            case tk.TK_ASYNC:
                what = ASYNC_STATEMENTS.get(self.kinds[self.pos + 1], "async statements")
                self.unsupported(f"{what} aren't supported")
            case _:
                return self._simple_statements(in_class)

    def _iterables(self) -> Iterator[Expr]:
        """What a loop goes over: a comma makes no tuple there."""
        yield self.expression()
        while self.next_if(",") and self.kinds[self.pos] != ":":
            yield self.expression()

    def _if(self) -> Stmt:
        """`if` with all its `elif`s."""
        arms: list[tuple[int, Expr, list[Stmt]]] = []
        last: list[Stmt] = []
        while True:
            start = self.los[self.pos]
            self.pos += 1
            cond = self.expression()
            arms.append((start, cond, self._block()))
            if self.kinds[self.pos] != tk.TK_ELIF:
                break
        if self.next_if(tk.TK_ELSE):
            last = self._block()
        for start, cond, body in reversed(arms):
            branches = self._stmts(start, body), self._stmts(start, last)
            last = [If.create(SourceRange(self.source, start, start + 2), cond, *branches)]
        return last[0]

    def _with_items(self) -> List[WithItem]:
        closing = self._with_parenthesis()
        if closing:
            self.pos += 1
        items: list[WithItem] = []
        while self.kinds[self.pos] not in (":", ")"):
            target = self.expression()
            var = self.element() if self.next_if(tk.TK_AS) else None
            items.append(WithItem.create(target.range, target, var))
            if not self.next_if(","):
                break
        if closing:
            self.expect(")")
        return make_list(items[0].range, items)

    def _with_parenthesis(self) -> bool:
        """Whether the items of a `with` are in parentheses, rather than the first one only."""
        if self.kinds[self.pos] != "(":
            return False
        depth = 0
        for at in range(self.pos, len(self.kinds)):
            kind = self.kinds[at]
            depth += (kind in "([{") - (kind in ")]}")
            if depth == 0:
                return self.kinds[at + 1] == ":"
        return False

    def _simple_statements(self, in_class: bool = False) -> list[Stmt]:
        """The statements of one line, with its end."""
        statements: list[Stmt] = []
        while True:
            statements.append(self._simple_statement(in_class))
            if self.next_if(";") and self.kinds[self.pos] != tk.TK_NEWLINE:
                continue
            self.next_if(tk.TK_TYPE_COMMENT)
            if self.kinds[self.pos] == tk.TK_INDENT:
                raise ParseError("unexpected indent", self.range_at(self.pos + 1))
            self.expect(tk.TK_NEWLINE)
            return statements

    def _simple_statement(self, in_class: bool) -> Stmt:
        start = self.los[self.pos]
        kind = self.kinds[self.pos]
        match kind:
            case tk.TK_RETURN:
                self.pos += 1
                if self.kinds[self.pos] in LINE_ENDS:
                    none = NoneLiteral(tk.TK_NONE, self.source, start, self.his[self.pos - 1])
                    return self._make(tk.TK_RETURN, start, none)
                return self._make(tk.TK_RETURN, start, self.expression_or_tuple())
            case tk.TK_RAISE:
                self.pos += 1
                if self.kinds[self.pos] in LINE_ENDS:
                    self.unsupported(BARE_RAISE, self.range_at(self.pos - 1))
                raised = self.expression()
                if self.next_if(tk.TK_FROM):
                    self.expression()
                return self._make(tk.TK_RAISE, start, raised)
            case tk.TK_ASSERT:
                self.pos += 1
                test = self.expression()
                message = self.expression() if self.next_if(",") else None
                return self._make(tk.TK_ASSERT, start, test, self.option(message, start))
            case tk.TK_DELETE:
                self.pos += 1
                target = self.expression_or_tuple()
                targets = [target]
                if isinstance(target, TupleLiteral) and self.text[target.lo] != "(":
                    targets = list(target.inputs)
                return self._make(tk.TK_DELETE, start, make_list(target.range, targets))
            case tk.TK_PASS | tk.TK_BREAK | tk.TK_CONTINUE:
                self.pos += 1
                return self._make(kind, start)
            case _ if kind in UNSUPPORTED_STATEMENTS:
                self.unsupported(f"{UNSUPPORTED_STATEMENTS[kind]} aren't supported")
            case _:
                return self._assignment(self.expression_or_tuple(), in_class)

    def _assignment(self, first: Expr, in_class: bool) -> Stmt:
        """An assignment to `first`, or `first` as a statement."""
        kind = self.kinds[self.pos]
        if kind == "=":
            return self._plain_assignment(first)
        if kind == ":":
            self._check_target(first)
            self.pos += 1
            type = self.expression()
            if self.next_if("="):
                check_annotated(first, type, self.function)
                return Assign.create(first.range, [first], self.expression_or_tuple(), type)
            if not in_class:
                self.unsupported(NO_VALUE, first.range)
            return Assign.create(first.range, [first], None, type)
        if kind in AUGMENTED:
            self._check_target(first, "augmented assignment")
            self.pos += 1
            return AugAssign.create(first.range, first, AUGMENTED[kind], self.expression_or_tuple())
        if kind in UNSUPPORTED_AUGMENTED:
            self.unsupported(UNSUPPORTED_AUGMENTED_KIND + UNSUPPORTED_AUGMENTED[kind])
        return ExprStmt.create(first.range, first)

    def _plain_assignment(self, first: Expr) -> Assign:
        sides = [first]
        while self.next_if("="):
            self._check_target(sides[-1])
            sides.append(self.expression_or_tuple())
        type = None
        if self.kinds[self.pos] == tk.TK_TYPE_COMMENT:
            type = parse_type(self.source, (self.los[self.pos], self.his[self.pos]))
        return Assign.create(first.range, sides[:-1], sides[-1], type)

    def _check_target(self, target: Expr, statement: str = "assignment") -> None:
        if not isinstance(target, ASSIGNABLE):
            message = f"unexpected expression on left-hand side of {statement}"
            raise ParseError(message, target.range)


def check_annotated(target: Expr, type: Expr, function: str) -> None:
    """Annotations on attributes of `self` are only for `__init__`."""
    if (
        isinstance(target, Select)
        and isinstance(target.value, Var)
        and target.value.name.name == "self"
        and function != "__init__"
    ):
        place = target.range.merge(type.range) if isinstance(type, Var) else target.range
        raise FrontendError(f"{NOT_IN_INIT}'{function}'", place)


@contextmanager
def depth_checked(source: Source) -> Generator[None]:
    """While the body runs, too deep a nesting of the source is an error of the source."""
    try:
        with deep_recursion():
            yield
    except RecursionError:
        raise ParseError(NESTED_TOO_DEEPLY, SourceRange(source, 0, 1)) from None


def add_method(
    method: Def, decorators: list[Expr], body: list[Stmt], properties: dict[str, Property]
) -> None:
    """Puts a method where its decorators say: `@property` and `@x.setter` make properties."""
    name = method.name.name
    if has_name(decorators, "property"):
        getter = method.with_name(f"__{name}_getter")
        properties[name] = Property.create(method.range, method.name, getter, None)
    elif name in properties and has_name(decorators, "setter"):
        known = properties[name]
        setter = method.with_name(f"__{name}_setter")
        properties[name] = Property.create(known.getter.range, known.name, known.getter, setter)
    else:
        body.append(method)


def has_name(decorators: list[Expr], name: str) -> bool:
    """Whether one of the decorators is `name` or ends in `.name`."""
    for decorator in decorators:
        ident = decorator.name if isinstance(decorator, Var) else None
        if isinstance(decorator, Select):
            ident = decorator.selector
        if ident is not None and ident.name == name:
            return True
    return False


def parse(
    source: str | Source,
    filename: str | None = None,
    *,
    definitions_only: bool = False,
    is_printed: bool = False,
) -> list[Def | ClassDef]:
    """The functions and classes of a source text, with the given name of its file.

    Imports between them are passed over, and other statements too unless it is to have
    `definitions_only`. `is_printed` is for what the Python Printer wrote. Raises `ParseError` for what is not
    the syntax and `NotSupportedError` for Python that TorchScript does not have.
    """
    text = source if isinstance(source, Source) else Source(source, filename)
    require_characters(text)
    with depth_checked(text):
        return Parser(text, is_printed=is_printed).parse_file(definitions_only)


def _without_comma(target: Expr) -> Expr:
    """What a loop assigns to: `for a, in x` is `for a in x`."""
    if not isinstance(target, TupleLiteral) or len(target.inputs) != 1:
        return target
    return target if target.source.text[target.lo] in "([" else target.inputs[0]
