"""Expressions, by operator precedence (PyTorch: parseExp in frontend/parser.cpp).

`expression(p)` parses what binds tighter than `p`. Chains of binary operators, attributes, calls
and subscripts are loops; a level of nesting takes one or two Python frames.
"""

from typing import NoReturn

from torchscript_dialect.frontend.source import tokens as tk
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
    Maybe,
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
    list_of,
)
from torchscript_dialect.frontend.source.lexer import Lexer
from torchscript_dialect.frontend.source.literals import (
    LOWEST_INT,
    StringToken,
    format_pieces,
    number_text,
    string_value,
)
from torchscript_dialect.frontend.source.tree import Tree
from torchscript_dialect.utils.errors import NotSupportedError, ParseError
from torchscript_dialect.utils.source_range import Source, SourceRange

TERNARY, OR_TEST, OR, AND, NOT, COMPARISON, BIT_OR, UNARY, POWER = 0, 1, 2, 3, 4, 5, 6, 12, 13
BINARY_PRECEDENCE = {
    tk.TK_OR: OR,
    tk.TK_AND: AND,
    **dict.fromkeys(("<", ">", tk.TK_EQ, tk.TK_NE, tk.TK_LE, tk.TK_GE), COMPARISON),
    **dict.fromkeys((tk.TK_IS, tk.TK_IN, tk.TK_NOT), COMPARISON),
    "|": BIT_OR,
    "^": 7,
    "&": 8,
    tk.TK_LSHIFT: 9,
    tk.TK_RSHIFT: 9,
    "+": 10,
    "-": 10,
    "*": 11,
    "/": 11,
    tk.TK_FLOOR_DIV: 11,
    "%": 11,
    "@": 11,
    tk.TK_POW: POWER,
}
UNARY_OPERATORS = {"-": (tk.TK_UNARY_MINUS, UNARY), "~": ("~", UNARY), tk.TK_NOT: (tk.TK_NOT, NOT)}
LITERALS = {tk.TK_TRUE: TrueLiteral, tk.TK_FALSE: FalseLiteral, tk.TK_NONE: NoneLiteral}
SLICE_ENDS = (":", ",", "]")
EXPRESSION_ENDS = (")", "]", "}", "=", ":", ";", tk.TK_NEWLINE, tk.TK_EOF, tk.TK_TYPE_COMMENT)
NOT_EXPRESSIONS = {
    tk.TK_LAMBDA: "Lambda",
    tk.TK_YIELD: "Yield",
    tk.TK_AWAIT: "Await",
}
"""Keywords that begin an expression in Python but not in TorchScript, as messages name them."""

RESERVED_PREFIX = "__jit"
ONE_GENERATOR = "Only a single generator is currently supported"
NO_COMPREHENSION_IF = "Comprehension ifs are not supported yet"
NO_CONVERSION = "Don't support conversion in JoinedStr"
NO_FORMAT_SPEC = "Don't support formatting in JoinedStr"
NO_DICT_EXPANSION = "Dict expansion (e.g. `{**dict}`) is not supported"
NO_KEYWORD_EXPANSION = "keyword-arg expansion is not supported"
RESERVED_NAME = f"names of variables used in JIT-ed functions can't start with {RESERVED_PREFIX}"
UNKNOWN_CONSTANT = "Unknown Constant expression type"


class ExprParser:
    """A parser of the characters `start` to `end` of a source."""

    is_printed = False
    """Whether the Python Printer wrote the text: see Parser."""

    def __init__(self, source: Source, start: int = 0, end: int | None = None) -> None:
        self.lexer = Lexer(source, start, end)
        self.source = source
        self.text = source.text
        self.kinds = self.lexer.kinds
        self.los = self.lexer.los
        self.his = self.lexer.his
        self.pos: int = 0

    # Places and errors.

    def range_at(self, index: int) -> SourceRange:
        return SourceRange(self.source, self.los[index], self.his[index])

    def expected(self, what: str) -> NoReturn:
        """Raises: `what` should stand at the current token."""
        if self.kinds[self.pos] == tk.TK_WALRUS:
            self.unsupported("NamedExpr aren't supported")
        self.lexer.pos = self.pos
        self.lexer.expected(what)

    def expect(self, kind: str) -> int:
        """The index of the current token, which must be of this kind; moves on."""
        if self.kinds[self.pos] != kind:
            self.expected(kind)
        self.pos += 1
        return self.pos - 1

    def next_if(self, kind: str) -> bool:
        if self.kinds[self.pos] != kind:
            return False
        self.pos += 1
        return True

    def unsupported(self, message: str, place: SourceRange | None = None) -> NoReturn:
        raise NotSupportedError(message, place or self.range_at(self.pos))

    # Leaves.

    def ident(self) -> Ident:
        at = self.expect(tk.TK_IDENT)
        lo, hi = self.los[at], self.his[at]
        return Ident(tk.TK_IDENT, self.source, lo, hi, (self.text[lo:hi],))

    def option(self, value: Tree | None, at: int) -> Maybe[Expr]:
        """`(option value)`; an empty one is put at the offset `at`."""
        if value is None:
            return Maybe(tk.TK_OPTION, self.source, at, at)
        return Maybe(tk.TK_OPTION, self.source, value.lo, value.hi, (value,))

    def _name(self) -> Expr:
        lo, hi = self.los[self.pos], self.his[self.pos]
        name = self.text[lo:hi]
        if name == "Ellipsis":
            self.pos += 1
            return Dots(tk.TK_DOTS, self.source, lo, hi)
        if name.startswith(RESERVED_PREFIX) and not self.is_printed:
            self.unsupported(RESERVED_NAME)
        self.pos += 1
        ident = Ident(tk.TK_IDENT, self.source, lo, hi, (name,))
        return Var(tk.TK_VAR, self.source, lo, hi, (ident,))

    def _number(self) -> Const:
        lo, hi = self.los[self.pos], self.his[self.pos]
        try:
            text = number_text(self.text[lo:hi])
        except ValueError as error:
            raise ParseError(str(error), self.range_at(self.pos)) from None
        self.pos += 1
        return Const(tk.TK_CONST, self.source, lo, hi, (text,))

    def _string(self) -> Expr:
        """Adjacent string literals; with an f-string among them, `"...{}...".format(...)`."""
        lo = self.los[self.pos]
        parts: list[str] = []
        args: list[Expr] = []
        is_format = False
        while self.kinds[self.pos] == tk.TK_STRINGLITERAL:
            begin = self.los[self.pos]
            text = self.text[begin : self.his[self.pos]]
            prefix = StringToken.of(text).prefix if text[0] not in "'\"" else ""
            if "b" in prefix:
                raise ParseError(UNKNOWN_CONSTANT, self.range_at(self.pos))
            try:
                if "f" in prefix:
                    is_format = True
                    self._format_string(text, begin, parts, args)
                else:
                    parts.append(string_value(text))
            except ValueError as error:
                raise ParseError(str(error), self.range_at(self.pos)) from None
            self.pos += 1
        hi = self.his[self.pos - 1]
        literal = StringLiteral(tk.TK_STRINGLITERAL, self.source, lo, hi, ("".join(parts),))
        if not is_format:
            return literal
        selector = Ident(tk.TK_IDENT, self.source, lo, lo + 1, ("format",))
        select = Select(".", self.source, lo, hi, (literal, selector))
        inputs = list_of(self.source, lo, hi, args)
        attributes = list_of(self.source, lo, lo + 1, list[Attribute]())
        return Apply(tk.TK_APPLY, self.source, lo, hi, (select, inputs, attributes))

    def _format_string(self, text: str, begin: int, parts: list[str], args: list[Expr]) -> None:
        for piece in format_pieces(text):
            if not piece.is_expression:
                parts.append(piece.text)
                continue
            lo, hi = begin + piece.begin, begin + piece.end
            place = SourceRange(self.source, lo, hi)
            if piece.conversion:
                self.unsupported(NO_CONVERSION, place)
            if piece.format_spec:
                self.unsupported(NO_FORMAT_SPEC, place)
            parts.append("{}")
            lo += len(self.text[lo:hi]) - len(self.text[lo:hi].lstrip())
            inner = type(self)(self.source, lo, hi)
            args.append(inner.expression_or_tuple())
            inner.end()

    def end(self) -> None:
        """Nothing may follow."""
        while self.kinds[self.pos] in (tk.TK_NEWLINE, tk.TK_DEDENT):
            self.pos += 1
        if self.kinds[self.pos] != tk.TK_EOF:
            self.expected("end of text")

    # Expressions.

    def expression(self, precedence: int = TERNARY) -> Expr:
        kinds, source = self.kinds, self.source
        kind = kinds[self.pos]
        if kind == tk.TK_IDENT:
            left = self._name()
        elif kind == tk.TK_NUMBER:
            left = self._number()
        elif kind in UNARY_OPERATORS:
            lo = self.los[self.pos]
            self.pos += 1
            op, level = UNARY_OPERATORS[kind]
            left = self._unary(op, lo, self.expression(level))
        elif kind == "(":
            left = self._parentheses()
        elif kind == "[":
            left = self._brackets()
        elif kind in LITERALS:
            left = LITERALS[kind](kind, source, self.los[self.pos], self.his[self.pos])
            self.pos += 1
        elif kind == tk.TK_STRINGLITERAL:
            left = self._string()
        elif kind == "{":
            left = self._braces()
        elif kind == tk.TK_DOTS:
            left = Dots(kind, source, self.los[self.pos], self.his[self.pos])
            self.pos += 1
        elif kind == "+":
            self.unsupported("unsupported unary operator: UAdd")
        elif kind in NOT_EXPRESSIONS:
            self.unsupported(f"{NOT_EXPRESSIONS[kind]} aren't supported")
        else:
            self.expected("an expression")

        while True:
            kind = kinds[self.pos]
            if kind == ".":
                self.pos += 1
                name = self.ident()
                left = Select(".", source, left.lo, name.hi, (left, name))
            elif kind == "(":
                left = self._call(left)
            elif kind == "[":
                left = self._subscript(left)
            elif (level := BINARY_PRECEDENCE.get(kind, -1)) > precedence:
                if level == COMPARISON:
                    left = self._comparisons(left)
                    continue
                self.pos += 1
                right = self.expression(level if kind != tk.TK_POW else UNARY)
                left = BinOp(kind, source, left.lo, right.hi, (left, right))
            else:
                break

        if precedence == TERNARY and kind == tk.TK_IF:
            self.pos += 1
            cond = self.expression(OR_TEST)
            self.expect(tk.TK_ELSE)
            other = self.expression()
            return TernaryIf(tk.TK_IF_EXPR, source, left.lo, other.hi, (cond, left, other))
        return left

    def element(self) -> Expr:
        """An expression, or a starred one."""
        return self._starred() if self.kinds[self.pos] == "*" else self.expression()

    def expression_or_tuple(self) -> Expr:
        """An expression, or a tuple without parentheses."""
        first = self._starred() if self.kinds[self.pos] == "*" else self.expression()
        if self.kinds[self.pos] != ",":
            if isinstance(first, Starred):
                self.expected("','")
            return first
        return self._tuple(self._more([first]))

    def target(self) -> Expr:
        """What `for` assigns to: anything that ends before `in`; a list of them is a tuple."""
        first = self._starred() if self.kinds[self.pos] == "*" else self.expression(COMPARISON)
        if self.kinds[self.pos] != ",":
            return first
        return self._tuple(self._more([first], COMPARISON, tk.TK_IN))

    def _more(self, items: list[Expr], precedence: int = TERNARY, stop: str = "") -> list[Expr]:
        """Adds what follows the first of several expressions with commas between them."""
        ends = (*EXPRESSION_ENDS, stop)
        while self.next_if(","):
            kind = self.kinds[self.pos]
            if kind in ends:
                break
            items.append(self._starred() if kind == "*" else self.expression(precedence))
        return items

    def _tuple(self, items: list[Expr]) -> TupleLiteral:
        lo, hi = items[0].lo, items[-1].hi
        inputs = list_of(self.source, lo, hi, items)
        return TupleLiteral(tk.TK_TUPLE_LITERAL, self.source, lo, hi, (inputs,))

    def _starred(self) -> Starred:
        lo = self.los[self.expect("*")]
        value = self.expression(COMPARISON)
        return Starred(tk.TK_STARRED, self.source, lo, value.hi, (value,))

    def _unary(self, kind: str, lo: int, operand: Expr) -> Expr:
        if kind == tk.TK_UNARY_MINUS and self.is_printed and isinstance(operand, Const):
            return Const(tk.TK_CONST, self.source, operand.lo, operand.hi, ("-" + operand.text,))
        if kind == tk.TK_UNARY_MINUS and isinstance(operand, Const) and operand.text == LOWEST_INT:
            return Const(tk.TK_CONST, self.source, lo, operand.hi, ("-" + LOWEST_INT,))
        return UnaryOp(kind, self.source, lo, operand.hi, (operand,))

    def _comparisons(self, first: Expr) -> Expr:
        """One comparison or a chain of them, `a < b < c`."""
        result: Expr | None = None
        left = first
        while True:
            at = self.pos
            kind = self.kinds[at]
            if BINARY_PRECEDENCE.get(kind) != COMPARISON:
                assert result is not None
                return result
            self.pos += 1
            negated = False
            if kind == tk.TK_NOT:
                self.expect(tk.TK_IN)
                kind, negated = tk.TK_IN, True
            elif kind == tk.TK_IS and self.next_if(tk.TK_NOT):
                kind = tk.TK_ISNOT
            right = self.expression(COMPARISON)
            lo, hi = left.lo, right.hi
            link: Expr = BinOp(kind, self.source, lo, hi, (left, right))
            if negated:
                link = UnaryOp(tk.TK_NOT, self.source, lo, hi, (link,))
            if result is not None:
                link = BinOp(tk.TK_AND, self.source, result.lo, hi, (result, link))
            result = link
            left = right

    def _parentheses(self) -> Expr:
        """A group, a tuple, or a generator expression."""
        source = self.source
        lo = self.los[self.expect("(")]
        if self.kinds[self.pos] == ")":
            hi = self.his[self.pos]
            self.pos += 1
            inputs = list_of(source, lo, hi, list[Expr]())
            return TupleLiteral(tk.TK_TUPLE_LITERAL, source, lo, hi, (inputs,))
        first = self._starred() if self.kinds[self.pos] == "*" else self.expression()
        kind = self.kinds[self.pos]
        if kind == tk.TK_FOR:
            return self._list_comprehension(lo, first, ")")
        if kind != ",":
            if kind != ")" or isinstance(first, Starred):
                self.expected("')'" if not isinstance(first, Starred) else "','")
            self.pos += 1
            return first
        items = self._more([first])
        hi = self.his[self.expect(")")]
        inputs = list_of(source, lo, hi, items)
        return TupleLiteral(tk.TK_TUPLE_LITERAL, source, lo, hi, (inputs,))

    def _brackets(self) -> Expr:
        """A list or a list comprehension."""
        source = self.source
        lo = self.los[self.expect("[")]
        items: list[Expr] = []
        while (kind := self.kinds[self.pos]) != "]":
            items.append(self._starred() if kind == "*" else self.expression())
            if self.kinds[self.pos] == tk.TK_FOR and len(items) == 1:
                return self._list_comprehension(lo, items[0], "]")
            if not self.next_if(","):
                break
        hi = self.his[self.expect("]")]
        inputs = list_of(source, lo, hi, items)
        return ListLiteral(tk.TK_LIST_LITERAL, source, lo, hi, (inputs,))

    def _list_comprehension(self, lo: int, element: Expr, closing: str) -> ListComp:
        target, iterated = self._generator(lo)
        hi = self.his[self.expect(closing)]
        return ListComp(tk.TK_LIST_COMP, self.source, lo, hi, (element, target, iterated))

    def _generator(self, lo: int) -> tuple[Expr, Expr]:
        """`for target in iter`, and nothing more, of the comprehension that begins at `lo`."""
        self.expect(tk.TK_FOR)
        target = self.target()
        self.expect(tk.TK_IN)
        iterated = self.expression(OR_TEST)
        place = SourceRange(self.source, lo, iterated.hi)
        if self.kinds[self.pos] == tk.TK_FOR:
            self.unsupported(ONE_GENERATOR, place)
        if self.kinds[self.pos] == tk.TK_IF:
            self.unsupported(NO_COMPREHENSION_IF, place)
        return target, iterated

    def _braces(self) -> Expr:
        """A dictionary or a dictionary comprehension."""
        source = self.source
        lo = self.los[self.expect("{")]
        keys: list[Expr] = []
        values: list[Expr] = []
        while self.kinds[self.pos] != "}":
            if self.kinds[self.pos] == tk.TK_POW:
                self.unsupported(NO_DICT_EXPANSION)
            keys.append(self.expression())
            if self.kinds[self.pos] in (",", "}", tk.TK_FOR):
                what = "SetComp" if self.kinds[self.pos] == tk.TK_FOR else "Set"
                self.unsupported(f"{what} aren't supported", SourceRange(source, lo, lo + 1))
            self.expect(":")
            values.append(self.expression())
            if self.kinds[self.pos] == tk.TK_FOR and len(keys) == 1:
                target, iterated = self._generator(lo)
                hi = self.his[self.expect("}")]
                parts = (keys[0], values[0], target, iterated)
                return DictComp(tk.TK_DICT_COMP, source, lo, hi, parts)
            if not self.next_if(","):
                break
        hi = self.his[self.expect("}")]
        key_list = list_of(source, lo, hi, keys)
        value_list = list_of(source, lo, hi, values)
        return DictLiteral(tk.TK_DICT_LITERAL, source, lo, hi, (key_list, value_list))

    def _call(self, callee: Expr) -> Apply:
        source, kinds = self.source, self.kinds
        lo = self.los[self.expect("(")]
        inputs: list[Expr] = []
        attributes: list[Attribute] = []
        while (kind := kinds[self.pos]) != ")":
            if kind == tk.TK_IDENT and kinds[self.pos + 1] == "=":
                name = self.ident()
                self.pos += 1
                value = self.expression()
                parts = (name, value)
                attributes.append(Attribute(tk.TK_ATTRIBUTE, source, name.lo, value.hi, parts))
            elif kind == tk.TK_POW:
                self.unsupported(NO_KEYWORD_EXPANSION)
            elif kind == "*":
                inputs.append(self._starred())
            else:
                if attributes:
                    self.expected("a keyword argument")
                value = self.expression()
                if kinds[self.pos] == tk.TK_FOR:
                    target, iterated = self._generator(value.lo)
                    parts = (value, target, iterated)
                    value = ListComp(tk.TK_LIST_COMP, source, value.lo, iterated.hi, parts)
                inputs.append(value)
            if not self.next_if(","):
                break
        hi = self.his[self.expect(")")]
        input_list = list_of(source, lo, hi, inputs)
        attribute_list = list_of(source, lo, hi, attributes)
        return Apply(tk.TK_APPLY, source, callee.lo, hi, (callee, input_list, attribute_list))

    def _subscript(self, value: Expr) -> Subscript:
        source = self.source
        lo = self.los[self.expect("[")]
        indices: list[Expr] = []
        while (kind := self.kinds[self.pos]) != "]":
            if kind == "*":
                indices.append(self._starred())
            else:
                indices.append(self._slice(None) if kind == ":" else self.expression())
                if self.kinds[self.pos] == ":":
                    indices.append(self._slice(indices.pop()))
            if not self.next_if(","):
                break
        if not indices and not self.is_printed:  # `Tuple[]` in archives of PyTorch before 1.5
            self.expected("an expression")
        hi = self.his[self.expect("]")]
        if len(indices) == 1 and isinstance(index := indices[0], TupleLiteral) and index.inputs:
            indices = list(index.inputs)
        index_list = list_of(source, lo, hi, indices)
        return Subscript(tk.TK_SUBSCRIPT, source, value.lo, hi, (value, index_list))

    def _slice(self, start: Expr | None) -> SliceExpr:
        """`start:end:step`, whose `start` is parsed already."""
        source = self.source
        colon = self.expect(":")
        lo = self.los[colon] if start is None else start.lo
        end = step = None
        if self.kinds[self.pos] not in SLICE_ENDS:
            end = self.expression()
        if self.next_if(":") and self.kinds[self.pos] not in SLICE_ENDS:
            step = self.expression()
        hi = self.his[self.pos - 1]
        parts = (self.option(start, lo), self.option(end, hi), self.option(step, hi))
        return SliceExpr(tk.TK_SLICE_EXPR, source, lo, hi, parts)
