"""Live Python functions and classes to syntax trees (PyTorch: torch/jit/frontend.py)."""

import ast
import inspect
import linecache
import re
import textwrap
from collections.abc import Collection
from contextlib import suppress
from types import CodeType
from typing import Any, TypeGuard
from weakref import ref

from torchscript_dialect.frontend.source.ast_builder import (
    build_def,
    class_assigns,
    parse_ast,
)
from torchscript_dialect.frontend.source.ast_expr import Context
from torchscript_dialect.frontend.source.dataclass_methods import is_synthesized, synthesized_source
from torchscript_dialect.frontend.source.expr_views import Dots, Ident
from torchscript_dialect.frontend.source.parser import depth_checked, parse
from torchscript_dialect.frontend.source.signature import find_type_comments, parse_signature
from torchscript_dialect.frontend.source.tree_views import ClassDef, Decl, Def, Property
from torchscript_dialect.utils.byte_strings import require_characters
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.memo import Memo
from torchscript_dialect.utils.source_range import Source, SourceRange

UNUSED, DROP = "unused", "_drop"
"""How the modifiers begin that make a function raise when called, or not be compiled at all."""
UNUSED_BODY = 'raise RuntimeError("Cannot call @unused methods")'
_NESTED = "if 1:\n"
"""Put before indented text to make it a module; unlike dedenting it leaves columns alone."""


GIVEN = "__torchscript_source__"
"""The attribute of a function that has the source which Python does not keep."""


def give_source(fn: Any, text: str) -> None:
    """Let a function or lambda be compiled from a text, which has its definition: where Python says that it begins, or once in all.

    Raises:
        FrontendError: the text does not say what the function is.
    """
    code = inspect.unwrap(fn).__code__
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise FrontendError(f"the source that was given is a {type(text).__name__}, not a text")
    text = textwrap.dedent(text)
    whole = Source(text, code.co_filename, 1)
    require_characters(whole)
    with depth_checked(whole):
        nodes = [
            node
            for node in ast.walk(parse_ast(whole))
            if isinstance(node, ast.FunctionDef | ast.Lambda)
            and getattr(node, "name", "<lambda>") == code.co_name
        ]
    found = [node for node in nodes if node.lineno == code.co_firstlineno] or nodes
    if len(found) != 1:
        message = f"the source that was given has {len(found)} functions '{code.co_name}', not one"
        raise FrontendError(message)
    segment = ast.get_source_segment(text, found[0])
    assert segment is not None
    setattr(fn, GIVEN, Source(segment, code.co_filename, found[0].lineno))


def get_source(obj: Any) -> Source:
    """The text of a function or class with its place; an OSError of Python's becomes ours."""
    given = getattr(obj, GIVEN, None)
    if given is not None:
        return given
    try:
        filename = inspect.getsourcefile(obj)
        lines, first_line = inspect.getsourcelines(obj)
    except (OSError, TypeError):
        if (found := _source_around_methods(obj)) is not None:
            return found
        message = (
            f"Can't get source for {obj}. TorchScript requires source access in order to carry "
            "out compilation, make sure original .py files are available."
        )
        raise FrontendError(message) from None
    # Since Python 3.13 a class knows its line, which need not be one of its module's file.
    strays = isinstance(obj, type) and not _defines(lines, obj)
    found = _source_around_methods(obj) if strays else None
    return found or Source("".join(lines), filename, max(first_line, 1))


def _defines(lines: list[str], cls: type) -> bool:
    return any(re.match(rf"\s*class\s+{re.escape(cls.__name__)}\b", line) for line in lines)


def _source_around_methods(cls: Any) -> Source | None:
    """The text of a class of a notebook's cell: its module is no file, but the code of its methods says where they are."""
    if not isinstance(cls, type):
        return None
    for method in vars(cls).values():
        code = getattr(getattr(method, "__func__", method), "__code__", None)
        if code is None or not (lines := linecache.getlines(code.co_filename)):
            continue
        for node in ast.walk(ast.parse("".join(lines))):
            if not isinstance(node, ast.ClassDef) or node.name != cls.__name__:
                continue
            if node.lineno <= code.co_firstlineno <= (node.end_lineno or 0):
                text = "".join(lines[node.lineno - 1 : node.end_lineno])
                return Source(text, code.co_filename, node.lineno)
    return None


def get_jit_def(
    fn: Any, def_name: str, self_name: str | None = None, is_classmethod: bool = False
) -> Def:
    """The tree of a Python function, named `def_name`; a method's `self` has the type `self_name`.

    Default values are not in the tree: take them from the function. A function marked as unused
    keeps its parameters, as `Any`, and raises when called. Decorators have no effect. Trees never change: a function has the same
    one each time.
    """
    known = _trees_of(fn)
    key = def_name, self_name, is_classmethod, _modifier(fn)
    tree = known.get(key)
    if tree is None:
        tree = known[key] = _built(fn, def_name, self_name, is_classmethod)
    return tree


_Trees = dict[tuple[str, str | None, bool, str], Def]
_TREES: Memo[int, tuple[ref[CodeType], _Trees]] = Memo(1 << 9)
"""Those of functions by the `id` of their code, which is equal to the same code of another file."""


def _trees_of(fn: Any) -> _Trees:
    """The trees that were made of a function whose code says where its source is."""
    plain = fn.__func__ if inspect.ismethod(fn) else fn
    if not inspect.isfunction(plain) or hasattr(plain, "__wrapped__") or hasattr(plain, GIVEN):
        return {}
    code = plain.__code__
    known = _TREES.get(id(code))
    if known is None or known[0]() is not code:
        known = _TREES[id(code)] = ref(code), _Trees()
    return known[1]


def _built(fn: Any, def_name: str, self_name: str | None, is_classmethod: bool) -> Def:
    source = get_source(fn)
    with depth_checked(source):
        ctx, node = _only_statement(source)
        if hasattr(fn, GIVEN) and isinstance(node, ast.Expr) and isinstance(node.value, ast.Lambda):
            node = _function_of(node.value)
        if not isinstance(node, ast.FunctionDef):
            where = f"{source.filename}:{source.starting_line}"
            raise FrontendError(f"Expected a single top-level function: {where}")
        if is_classmethod:
            cls_name = node.args.args[0].arg
            node.body[:0] = _placed(f"{cls_name} = {self_name}", node.body[0])
        if (modifier := _modifier(fn)).startswith(UNUSED):
            _make_unused(node)
        elif modifier.startswith(DROP):
            _make_unused(node)
            node.returns = None
        return build_def(ctx, node, def_name, self_name)


def commented_signature(fn: Any) -> Decl | None:
    """The signature in a type comment of a Python function whose body is nobody's concern; its parameters have no names.

    Raises:
        FrontendError: the types of parameters are in comments of their own.
    """
    try:
        source = get_source(fn)
    except FrontendError:
        return None
    for start, end in find_type_comments(source, 0, len(source.text)):
        if "->" in source.text[start:end]:
            decl = parse_signature(source, (start, end))
            if any(isinstance(param.type, Dots) for param in decl.params):
                message = "Failed to parse the argument list of a type annotation"
                raise FrontendError(message, SourceRange(source, start, end))
            return decl
    return None


def get_jit_class_def(cls: type, self_name: str, only: Collection[str] | None = None) -> ClassDef:
    """The tree of a Python class, named `self_name`.

    Its body has the methods, class methods included and static ones not, in the order of their
    names, of these names `only`; properties and the assignments of the class body are apart.
    """
    written = {} if only is None else _written_methods(cls, self_name)
    methods = [
        _synthesized(cls, name)
        if is_synthesized(cls, name)
        else written[name]
        if name in written
        else get_jit_def(method, name, self_name, inspect.ismethod(method))
        for name, method in inspect.getmembers(cls, _is_method)
        if not isinstance(inspect.getattr_static(cls, method.__name__, None), staticmethod)
        and method.__name__ in cls.__dict__
        and (only is None or name in only)
        and not _modifier(method).startswith(DROP)
    ]
    source = get_source(cls)
    with depth_checked(source):
        ctx, node = _only_statement(source)
        if not isinstance(node, ast.ClassDef):
            raise FrontendError(f"Expected class definition, got {type(node).__name__}")
        place = ctx.range(node, len("class"))
        name = Ident.create(place, self_name)
        properties = get_class_properties(cls, self_name)
        return ClassDef.create(place, name, None, methods, properties, class_assigns(ctx, node))


def is_replaced(method: Any) -> bool:
    """Whether a method is a function of a file that a class was given."""
    return inspect.isfunction(method) and method.__qualname__ == method.__name__


def _written_methods(cls: type, self_name: str) -> dict[str, Def]:
    """The methods in the body of a class that others have replaced since."""
    replaced = {name for name, member in vars(cls).items() if is_replaced(member)}
    if not replaced:
        return {}
    ctx, node = _only_statement(get_source(cls))
    body = node.body if isinstance(node, ast.ClassDef) else []
    return {
        each.name: build_def(ctx, each, each.name, self_name)
        for each in body
        if isinstance(each, ast.FunctionDef) and each.name in replaced
    }


def _function_of(node: ast.Lambda) -> ast.FunctionDef:
    """A lambda as a function."""
    result = ast.copy_location(ast.Return(node.body), node.body)
    made = ast.FunctionDef("lambda_", node.args, [result], [])
    return ast.copy_location(made, node)


def _synthesized(cls: type, name: str) -> Def:
    """The tree of a method that a dataclass got without source."""
    (tree,) = parse(synthesized_source(cls, name), f"<{cls.__name__}.{name}>")
    assert isinstance(tree, Def)
    return tree


def get_class_properties(cls: type, self_name: str) -> list[Property]:
    """The properties of a class, but for those in its `__jit_unused_properties__`.

    The getter of `x` is named `__x_getter`, the setter `__x_setter`.
    """
    unused = getattr(cls, "__jit_unused_properties__", [])
    found: list[Property] = []
    for name, value in inspect.getmembers(cls, lambda member: isinstance(member, property)):
        if name in unused or _modifier(value.fget).startswith((UNUSED, DROP)):
            continue
        if value.fget.__module__ == "torch.autograd.function":  # which PyTorch 2.15 has
            continue
        getter = get_jit_def(value.fget, f"__{name}_getter", self_name)
        setter = None
        if value.fset is not None:
            setter = get_jit_def(value.fset, f"__{name}_setter", self_name)
        ident = Ident.create(getter.range, name)
        found.append(Property.create(getter.range, ident, getter, setter))
    return found


def _is_method(member: Any) -> bool:
    return inspect.ismethod(member) or inspect.isfunction(member)


def _modifier(fn: Any) -> str:
    """What `torch.jit.unused` and its like have written on a function."""
    return str(getattr(fn, "_torchscript_modifier", ""))


def _only_statement(source: Source) -> tuple[Context, ast.stmt]:
    """The one statement of a text, which may be indented."""
    nested = source.text[:1] in " \t"
    body: list[ast.stmt] = parse_ast(source, _NESTED if nested else "").body
    if nested:
        assert isinstance(body[0], ast.If)
        body = body[0].body
        _dedent_strings(body, source.text)
    if len(body) != 1:
        where = f"{source.filename}:{source.starting_line}"
        raise FrontendError(f"Expected a single top-level function: {where}")
    return Context(source, -1 if nested else 0), body[0]


def _dedent_strings(body: list[ast.stmt], text: str) -> None:
    """Give strings of several lines in an indented function the values that they have in PyTorch, which takes the function's
    indentation off all lines of its text, those of strings too.
    """
    quotes = text.count('"""') + text.count("'''")
    if quotes <= 2 and "\\\n" not in text:
        return  # nothing, or what documents the function
    found = [node for node in ast.walk(ast.Module(body, [])) if _is_long_string(node)]
    indent = text[: len(text) - len(text.lstrip())]
    lines = [line.removeprefix(indent) for line in text.splitlines(keepends=True)]
    with suppress(SyntaxError):
        dedented = [node for node in ast.walk(ast.parse("".join(lines))) if _is_long_string(node)]
        if len(dedented) == len(found):
            for node, other in zip(found, dedented, strict=True):
                node.value = other.value


def _is_long_string(node: ast.AST) -> TypeGuard[ast.Constant]:
    """Whether a node is a string, or a piece of one, of several lines."""
    return (
        isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.lineno != node.end_lineno
    )


def _placed(text: str, at: ast.stmt) -> list[ast.stmt]:
    """The statements of a text, all at the place of the statement `at`."""
    made = ast.parse(text)
    for node in ast.walk(made):
        if isinstance(node, ast.stmt | ast.expr):
            node.lineno, node.col_offset = at.lineno, at.col_offset
            node.end_lineno, node.end_col_offset = at.lineno, at.col_offset
    return made.body


def _make_unused(node: ast.FunctionDef) -> None:
    """Makes a function raise when called, with parameters of any type."""
    node.body = _placed(UNUSED_BODY, node.body[0])
    node.args.kwarg = node.args.vararg = None
    for arg in node.args.posonlyargs + node.args.args + node.args.kwonlyargs:
        arg.annotation = ast.Name("Any", lineno=arg.lineno, col_offset=arg.col_offset)
