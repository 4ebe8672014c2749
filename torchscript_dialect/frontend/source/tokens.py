"""Kinds of tokens and of trees (PyTorch: frontend/lexer.h).

A kind is a string. For a single-character token it is the character, so `lexer.next_if("+")` reads
as it does in PyTorch; every other kind has a `TK_` name here and is spelled as PyTorch prints it
(`TK_POW` is `"pow operator"`). The one exception is `TK_IF_EXPR`, which PyTorch prints like
`TK_IF`: `kind_to_string` gives the printed form.

Some kinds occur only as tokens (`TK_INDENT`), some only as trees (`TK_APPLY`), many as both (`"+"`,
`TK_IDENT`).
"""

from typing import Final

TK_EOF: Final = "eof"
TK_NUMBER: Final = "number"
TK_NEWLINE: Final = "newline"
TK_INDENT: Final = "indent"
TK_DEDENT: Final = "dedent"
TK_DEF: Final = "def"
TK_IDENT: Final = "ident"
TK_STRINGLITERAL: Final = "string_literal"
TK_CONST: Final = "const"
TK_LIST: Final = "list"
TK_OPTION: Final = "option"
TK_APPLY: Final = "apply"
TK_PARAM: Final = "param"
TK_ASSIGN: Final = "assign"
TK_AUG_ASSIGN: Final = "aug_assign"
TK_ATTRIBUTE: Final = "attribute"
TK_IF: Final = "if"
TK_ELSE: Final = "else"
TK_ELIF: Final = "elif"
TK_WHILE: Final = "while"
TK_EXPR_STMT: Final = "expression statement"
TK_RETURN: Final = "return"
TK_IS: Final = "is"
TK_ISNOT: Final = "is not"
TK_NE: Final = "ne"
TK_EQ: Final = "eq"
TK_LE: Final = "le"
TK_GE: Final = "ge"
TK_FLOOR_DIV: Final = "floordiv"
TK_IF_EXPR: Final = "if_expr"
TK_TRUE: Final = "True"
TK_FALSE: Final = "False"
TK_NONE: Final = "None"
TK_AND: Final = "and"
TK_OR: Final = "or"
TK_NOT: Final = "not"
TK_LSHIFT: Final = "<<"
TK_RSHIFT: Final = ">>"
TK_PLUS_EQ: Final = "+="
TK_MINUS_EQ: Final = "-="
TK_TIMES_EQ: Final = "*="
TK_DIV_EQ: Final = "/="
TK_MOD_EQ: Final = "%="
TK_BIT_OR_EQ: Final = "|="
TK_BIT_AND_EQ: Final = "&="
TK_BIT_XOR_EQ: Final = "^="
TK_LSHIFT_EQ: Final = "<<="
TK_RSHIFT_EQ: Final = ">>="
TK_POW_EQ: Final = "**="
TK_FLOOR_DIV_EQ: Final = "//="
TK_MATMUL_EQ: Final = "@="
TK_GLOBAL: Final = "global"
TK_SUBSCRIPT: Final = "subscript"
TK_VAR: Final = "variable"
TK_DICT_LITERAL: Final = "dict-literal"
TK_LIST_LITERAL: Final = "list-literal"
TK_TUPLE_LITERAL: Final = "tuple-literal"
TK_FOR: Final = "for"
TK_IN: Final = "in"
TK_NOTIN: Final = "not in"
TK_STARRED: Final = "starred"
TK_UNARY_MINUS: Final = "unary minus"
TK_POW: Final = "pow operator"
TK_ARROW: Final = "arrow"
TK_DECL: Final = "decl"
TK_SLICE_EXPR: Final = "slice expr"
TK_TYPE_COMMENT: Final = "type comment"
TK_RAISE: Final = "raise"
TK_ASSERT: Final = "assert"
TK_DOTS: Final = "dots"
TK_LIST_COMP: Final = "list comprehension"
TK_DICT_COMP: Final = "dict comprehension"
TK_BREAK: Final = "break"
TK_CONTINUE: Final = "continue"
TK_DELETE: Final = "del"
TK_PASS: Final = "pass"
TK_CLASS_DEF: Final = "class"
TK_IMPORT: Final = "import"
TK_FROM: Final = "from"
TK_WITH: Final = "with"
TK_WITH_ITEM: Final = "withitem"
TK_AS: Final = "as"
TK_PROP: Final = "property"
TK_LAMBDA: Final = "lambda"
TK_YIELD: Final = "yield"
TK_AWAIT: Final = "await"
TK_ASYNC: Final = "async"
TK_TRY: Final = "try"
TK_EXCEPT: Final = "except"
TK_FINALLY: Final = "finally"
TK_NONLOCAL: Final = "nonlocal"
TK_WALRUS: Final = ":="

KEYWORDS: Final[dict[str, str]] = {
    text: text
    for text in (
        TK_DEF, TK_IF, TK_ELSE, TK_ELIF, TK_WHILE, TK_RETURN, TK_IS, TK_TRUE, TK_FALSE, TK_NONE,
        TK_AND, TK_OR, TK_NOT, TK_GLOBAL, TK_FOR, TK_IN, TK_RAISE, TK_ASSERT, TK_BREAK, TK_CONTINUE,
        TK_DELETE, TK_PASS, TK_CLASS_DEF, TK_IMPORT, TK_FROM, TK_WITH, TK_AS, TK_LAMBDA, TK_YIELD,
        TK_AWAIT, TK_ASYNC, TK_TRY, TK_EXCEPT, TK_FINALLY, TK_NONLOCAL,
    )
}  # fmt: skip
"""Words that are never identifiers. The parser puts `is not` and `not in` together."""

OPERATORS: Final[dict[str, str]] = {
    **{text: text for text in "+-*/%@()[]:,={}><.&^|~;"},
    "!=": TK_NE, "==": TK_EQ, "<=": TK_LE, ">=": TK_GE, "//": TK_FLOOR_DIV, "**": TK_POW,
    "<<": TK_LSHIFT, ">>": TK_RSHIFT, "->": TK_ARROW, "...": TK_DOTS, ":=": TK_WALRUS,
    "+=": TK_PLUS_EQ, "-=": TK_MINUS_EQ, "*=": TK_TIMES_EQ, "/=": TK_DIV_EQ, "%=": TK_MOD_EQ,
    "|=": TK_BIT_OR_EQ, "&=": TK_BIT_AND_EQ, "^=": TK_BIT_XOR_EQ, "<<=": TK_LSHIFT_EQ,
    ">>=": TK_RSHIFT_EQ, "**=": TK_POW_EQ, "//=": TK_FLOOR_DIV_EQ, "@=": TK_MATMUL_EQ,
}  # fmt: skip
"""Punctuation and the kind of each."""


def kind_to_string(kind: str) -> str:
    """The name of a kind in printed trees and in messages."""
    return "if" if kind == TK_IF_EXPR else kind
