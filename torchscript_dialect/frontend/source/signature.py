"""Signatures given in comments (PEP 484; PyTorch: torch/jit/annotations.py).

Either one line, `# type: (Tensor, int) -> Tensor`, or a comment after each parameter and then
`# type: (...) -> Tensor`.
"""

import re

from torchscript_dialect.frontend.source import tokens as tk
from torchscript_dialect.frontend.source.expr_parser import ExprParser
from torchscript_dialect.frontend.source.expr_views import Dots, Expr, Ident
from torchscript_dialect.frontend.source.tree_views import Decl, Param
from torchscript_dialect.utils.errors import ParseError
from torchscript_dialect.utils.source_range import Source, SourceRange

TYPE_COMMENT_PREFIX = "# type:"
_TYPE_COMMENT = re.compile(r"# type:(?! ?ignore\b)[^\n]*")
_MISTYPED = re.compile(r"#[\t ]*type[\t ]*:(?! ?ignore\b)")

Span = tuple[int, int]
"""The offsets of a comment."""


def find_type_comments(source: Source, start: int, end: int) -> list[Span]:
    """The type comments, but for `# type: ignore`, between two offsets."""
    return [match.span() for match in _TYPE_COMMENT.finditer(source.text, start, end)]


def check_prefixes(source: Source, start: int, end: int) -> None:
    """Raise for what looks like a type comment between two offsets, and is none, where there are none."""
    found = (
        None
        if _TYPE_COMMENT.search(source.text, start, end)
        else _MISTYPED.search(source.text, start, end)
    )
    if found is not None:
        line = source.text.count("\n", start, found.start())
        raise ParseError(
            f"The annotation prefix in line {line} is probably invalid.\nIt must be '# type:'\nSee PEP 484"
            " (https://www.python.org/dev/peps/pep-0484/#suggested-syntax-for-python-2-7-and-straddling-code)\nfor examples",
            SourceRange(source, *found.span()),
        )


def parse_type(source: Source, comment: Span) -> Expr:
    """The type in a comment on one variable, `# type: int`."""
    parser = _after_prefix(source, comment)
    parsed = parser.expression_or_tuple()
    parser.end()
    return parsed


def parse_signature(source: Source, comment: Span) -> Decl:
    """The signature in a comment, `# type: (int) -> int` or `# type: (int)`; its parameters have no names."""
    parser = _after_prefix(source, comment)
    params: list[Param] = []
    parser.expect("(")
    while parser.kinds[parser.pos] != ")":
        parsed = parser.element()
        unnamed = Ident.create(parsed.range, "")
        params.append(Param.create(parsed.range, unnamed, parsed, None, False))
        if not parser.next_if(","):
            break
    parser.expect(")")
    returns = parser.expression_or_tuple() if parser.next_if(tk.TK_ARROW) else None
    parser.end()
    return Decl.create(SourceRange(source, *comment), params, returns)


def merge_type_comments(decl: Decl, comments: list[Span], source: Source, is_method: bool) -> Decl:
    """`decl` with the types of the comments; the first parameter of a method is left out there."""
    if not comments:
        return decl
    whole = [span for span in comments if "->" in source.text[span[0] : span[1]]]
    if not whole and len(comments) == 1 and _after_prefix(source, comments[0]).next_if("("):
        whole = comments
    if not whole or len(whole) == len(comments) > 1:
        lines = "".join(f"{source.text[slice(*span)]}\n" for span in comments)
        message = (
            "Return type line '# type: (...) -> ...' not found on multiline type annotation\nfor"
            f" type lines:\n{lines}(See PEP 484"
            " https://www.python.org/dev/peps/pep-0484/#suggested-syntax-for-python-2-7-and-straddling-code)"
        )
        raise ParseError(message, SourceRange(source, *comments[0]))
    signature = parse_signature(source, whole[0])
    types = [param.type for param in signature.params]
    if len(types) == 1 and isinstance(types[0], Dots):
        types = [parse_type(source, span) for span in comments if span != whole[0]]
        if not types:
            return Decl.create(decl.range, list(decl.params), signature.return_type)
    skipped = int(is_method)
    expected = len(decl.params) - skipped
    if expected != len(types):
        what = "method" if is_method else "function"
        message = f"Number of type annotations ({len(types)}) did not match the number of"
        raise ParseError(f"{message} {what} parameters ({expected})", decl.range)
    params = list(decl.params)
    for at, type in enumerate(types):
        params[at + skipped] = params[at + skipped].with_type(type)
    return Decl.create(decl.range, params, signature.return_type)


def _after_prefix(source: Source, comment: Span) -> ExprParser:
    lo = comment[0] + len(TYPE_COMMENT_PREFIX)
    blank = len(source.text[lo : comment[1]]) - len(source.text[lo : comment[1]].lstrip())
    if not source.text[lo + blank : comment[1]].strip():
        raise ParseError("a type comment without a type", SourceRange(source, *comment))
    return ExprParser(source, lo + blank, comment[1])
