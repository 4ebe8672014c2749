"""Python source: functions, classes, statements, parameters and parts of expressions go; constants become simple ones."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

from torchscript_dialect.reducer.search import Edit, Maker, chunks

SIMPLE = (0, 0.0, False, "", None)
BODIES = ("body", "orelse", "finalbody", "handlers")
LISTS = ("decorator_list", "bases", "elts", "generators", "ifs", "targets", "items", "keywords")


class SourceText:
    """Source that Python's parser reads. Comments and the look of it are lost."""

    def read(self, text: str) -> ast.Module:
        """The tree of a text; SyntaxError for what is none."""
        return ast.parse(text, type_comments=True)

    def write(self, program: Any) -> str:
        """Its text, which has to be Python."""
        text = ast.unparse(ast.fix_missing_locations(program)) + "\n"
        ast.parse(text)
        return text

    def copy(self, program: Any) -> ast.Module:
        """A copy."""
        return copy.deepcopy(program)

    def size(self, program: Any) -> tuple[int, ...]:
        """The number of nodes, then how far constants are from simple ones."""
        nodes = list(ast.walk(program))
        weight = sum(_weight(node.value) for node in nodes if isinstance(node, ast.Constant))
        return len(nodes), weight

    @property
    def makers(self) -> Sequence[Maker]:
        """Statements first, then what stands in them."""
        return (_drop_statements, _unnest, _drop_parameters, _drop_elements, _use_parts, _simplify)


def _weight(value: Any) -> int:
    if any(type(value) is type(one) and value == one for one in SIMPLE):
        return 0
    return 1 + len(repr(value))


def _bodies(tree: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """Every list of statements: its owner and field."""
    for node in ast.walk(tree):
        for name in BODIES:
            if isinstance(getattr(node, name, None), list) and getattr(node, name):
                yield node, name


def _drop_statements(tree: ast.AST) -> list[Edit]:
    """Take out parts of blocks, long ones first."""
    found: list[tuple[int, Edit]] = []
    for owner, name in _bodies(tree):
        statements = getattr(owner, name)
        for begin, end in chunks(len(statements)):
            found.append((end - begin, partial(_cut, owner, name, begin, end)))
    return [edit for _, edit in sorted(found, key=lambda one: -one[0])]


def _cut(owner: ast.AST, name: str, begin: int, end: int) -> None:
    statements = getattr(owner, name)
    del statements[begin:end]
    if not statements and name == "body" and not isinstance(owner, ast.Module):
        statements.append(ast.Pass())


def _unnest(tree: ast.AST) -> list[Edit]:
    """Put a block in the place of the statement around it."""
    return [
        partial(_splice, owner, name, place, block)
        for owner, name in _bodies(tree)
        for place, statement in enumerate(getattr(owner, name))
        if isinstance(statement, (ast.If, ast.For, ast.While, ast.With, ast.Try))
        for inner in BODIES[:2]
        if (block := getattr(statement, inner, []))
    ]


def _splice(owner: ast.AST, name: str, place: int, block: list[ast.stmt]) -> None:
    getattr(owner, name)[place : place + 1] = block


def _drop_parameters(tree: ast.AST) -> list[Edit]:
    """Take out a parameter, and the argument in its place of calls by name."""
    found: list[Edit] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            for place in range(len(node.args.args)):
                found.append(partial(_drop_parameter, tree, node, place))
    return found


def _drop_parameter(tree: ast.AST, function: ast.FunctionDef, place: int) -> None:
    arguments = function.args
    from_end = len(arguments.args) - place
    del arguments.args[place]
    if from_end <= len(arguments.defaults):
        del arguments.defaults[len(arguments.defaults) - from_end]
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id == function.name and place < len(node.args):
            del node.args[place]


def _drop_elements(tree: ast.AST) -> list[Edit]:
    """Take out elements of lists, arguments, decorators, defaults, and pairs of dicts."""
    found: list[Edit] = []
    for node in ast.walk(tree):
        for name in (*LISTS, "args", "values"):
            items = getattr(node, name, None)
            if isinstance(items, list) and items:
                for begin, end in chunks(len(items)):  # pyright: ignore[reportUnknownArgumentType]
                    found.append(partial(_delete, node, name, begin, end))
        if isinstance(node, (ast.arg, ast.FunctionDef)):
            found.append(
                partial(
                    setattr, node, "annotation" if isinstance(node, ast.arg) else "returns", None
                )
            )
    return found


def _delete(node: ast.AST, name: str, begin: int, end: int) -> None:
    del getattr(node, name)[begin:end]
    if isinstance(node, ast.Dict):
        del node.keys[begin:end]


def _expressions(tree: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.expr]]:
    """Every expression, outer ones first, with the place where it stands."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if isinstance(value, ast.expr):
                yield node, name, None, value
            elif isinstance(value, list):
                for place, item in enumerate(value):  # pyright: ignore
                    if isinstance(item, ast.expr):
                        yield node, name, place, item


def _put(node: ast.AST, name: str, place: int | None, new: ast.expr) -> None:
    if place is None:
        setattr(node, name, new)
    else:
        getattr(node, name)[place] = new


def _use_parts(tree: ast.AST) -> list[Edit]:
    """Put a part of an expression in its place."""
    return [
        partial(_put, node, name, place, child)
        for node, name, place, value in _expressions(tree)
        for child in ast.iter_child_nodes(value)
        if isinstance(child, ast.expr)
    ]


def _simplify(tree: ast.AST) -> list[Edit]:
    """Put a constant in the place of an expression."""
    return [
        partial(_put, node, name, place, ast.Constant(simple))
        for node, name, place, _ in _expressions(tree)
        for simple in SIMPLE
    ]
