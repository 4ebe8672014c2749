"""Source of archives as Python that runs without a compiler: Note [Eager source].

Note [Eager source]
What the Python Printer writes is Python's syntax with TorchScript's names. Arithmetic becomes Python's operators, methods of lists,
tables and strings become theirs, and other operators are called by their overloads, `aten.relu(x)` for `torch.ops.aten.relu(x)`, which
takes the numbers that graphs have for dtypes. Where only a run tells a tensor from a list, a small function is written along that asks.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import cast

_BINARY: dict[str, ast.operator] = {
    "add": ast.Add(), "sub": ast.Sub(), "mul": ast.Mult(), "div": ast.Div(), "floordiv": ast.FloorDiv(),
    "remainder": ast.Mod(), "pow": ast.Pow(), "matmul": ast.MatMult(), "__and__": ast.BitAnd(), "__or__": ast.BitOr(),
    "__xor__": ast.BitXor(), "__lshift__": ast.LShift(), "__rshift__": ast.RShift(),
}  # fmt: skip
_COMPARISONS: dict[str, ast.cmpop] = {
    "eq": ast.Eq(), "ne": ast.NotEq(), "lt": ast.Lt(), "le": ast.LtE(), "gt": ast.Gt(), "ge": ast.GtE(),
    "__is__": ast.Is(), "__isnot__": ast.IsNot(),
}  # fmt: skip
_UNARY: dict[str, ast.unaryop] = {"neg": ast.USub(), "__not__": ast.Not()}
_METHODS = frozenset(
    "append extend insert pop clear remove reverse keys values items get setdefault update popitem format startswith endswith strip"
    " lstrip rstrip upper lower title capitalize find rfind rsplit splitlines partition rpartition join isalpha isdigit isdecimal"
    " isalnum islower isupper isspace istitle isnumeric isidentifier center ljust rjust zfill swapcase casefold expandtabs".split()
)
"""What only lists, tables and strings have."""
_EITHER = {
    "slice": "def _slice(x, *args):\n    return aten.slice(x, *args) if isinstance(x, Tensor) else x[slice(*args)]",
    "add_": "def _add_(x, *args, **kwargs):\n    return aten.add_(x, *args, **kwargs) if isinstance(x, Tensor) else x.extend(*args)",
    "sqrt": "def _sqrt(x):\n    return aten.sqrt(x) if isinstance(x, Tensor) else x**0.5",
    "__range_length": "def ___range_length(*bounds):\n    return len(range(*bounds))",
    **{
        name: f"def _{name}(x, *args, **kwargs):\n    return aten.{name}(x, *args, **kwargs) if isinstance(x, Tensor)"
        f" else x.{name}(*args, **kwargs)"
        for name in ("sort", "copy", "index", "count", "split", "replace")
    },
}
"""Functions for what tensors have, too."""
_FIRST = ("annotate", "unchecked_cast")
"""Forms whose first argument is a type and whose second is the value."""


class Eager(ast.NodeTransformer):
    """Rewrites definitions; `names` are the new names of qualified ones."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names
        self.helpers: dict[str, str] = {}
        """The functions that what was rewritten calls, by name."""

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        path = ast.unparse(node)
        if path in self._names:
            return ast.Name(self._names[path])
        if path.startswith("CONSTANTS."):
            return ast.Name(f"_{node.attr}")
        if path.startswith("ops."):
            return ast.parse(f"torch.{path}", mode="eval").body
        return cast(ast.expr, self.generic_visit(node))

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        call = node.value
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "ops.prim.RaiseException":
            message, *kind = call.args
            name = kind[0].value if kind and isinstance(kind[0], ast.Constant) else None
            known = str(name or "builtins.Exception").removeprefix("builtins.")
            error = (
                known
                if known.isidentifier() and known.endswith(("Error", "Exception"))
                else "Exception"
            )
            made = ast.Call(ast.Name(error), [cast(ast.expr, self.visit(message))], [])
            return ast.Raise(made)
        return cast(ast.stmt, self.generic_visit(node))

    def visit_If(self, node: ast.If) -> ast.stmt:
        """Arms that do nothing are left out."""
        made = cast(ast.If, self.generic_visit(node))
        if made.orelse and all(isinstance(one, ast.Pass) for one in made.orelse):
            made.orelse = []
        if made.orelse and all(isinstance(one, ast.Pass) for one in made.body):
            made.test = ast.UnaryOp(ast.Not(), made.test)
            made.body, made.orelse = made.orelse, []
        return made

    def visit_Call(self, node: ast.Call) -> ast.expr:
        function = ast.unparse(node.func)
        if function in _FIRST and len(node.args) == 2:
            return cast(ast.expr, self.visit(node.args[1]))
        if function == "uninitialized":
            return ast.Constant(None)
        if function == "isinstance":
            node.args[1] = _plain(node.args[1])
        if function == "fork":
            node.func = ast.parse("torch.jit.fork", mode="eval").body
        node.args = [cast(ast.expr, self.visit(argument)) for argument in node.args]
        node.keywords = [cast(ast.keyword, self.visit(keyword)) for keyword in node.keywords]
        if (
            function.startswith("torch.")
            and function.count(".") == 1
            and function != "torch.device"
        ):
            return self._operator(function.removeprefix("torch."), node)
        node.func = cast(ast.expr, self.visit(node.func))
        return node

    def _operator(self, name: str, node: ast.Call) -> ast.expr:
        args, plain = node.args, not node.keywords
        if plain and len(args) == 2 and name in _BINARY:
            return ast.BinOp(args[0], _BINARY[name], args[1])
        if plain and len(args) == 2 and name in _COMPARISONS:
            return ast.Compare(args[0], [_COMPARISONS[name]], [args[1]])
        if plain and len(args) == 1 and name in _UNARY:
            return ast.UnaryOp(_UNARY[name], args[0])
        match name, args:
            case "len" | "list" | "dict", [*given]:
                return ast.Call(ast.Name(name), given, [])
            case "__getitem__", [owner, at]:
                return ast.Subscript(owner, at)
            case "_set_item", [owner, at, value]:
                return ast.Call(ast.Attribute(owner, "__setitem__"), [at, value], [])
            case "Delete" | "delete", [owner, at]:
                return ast.Call(ast.Attribute(owner, "__delitem__"), [at], [])
            case "__derive_index", [number, start, step]:
                return ast.BinOp(start, ast.Add(), ast.BinOp(number, ast.Mult(), step))
            case "__contains__", [owner, item]:
                return ast.Compare(item, [ast.In()], [owner])
            case "wait", [one]:
                return ast.Call(ast.parse("torch.jit.wait", mode="eval").body, [one], [])
            case "warn", [message, *_]:
                return ast.Call(ast.parse("warnings.warn", mode="eval").body, [message], [])
            case _:
                pass
        if name in _METHODS and args:
            return ast.Call(ast.Attribute(args[0], name), args[1:], node.keywords)
        if name in _EITHER:
            self.helpers[name] = _EITHER[name]
            return ast.Call(ast.Name(f"_{name}"), args, node.keywords)
        return ast.Call(ast.Attribute(ast.Name("aten"), name), args, node.keywords)


def _plain(types: ast.expr) -> ast.expr:
    """The classes of types that `isinstance` takes."""
    if isinstance(types, ast.Tuple):
        return ast.Tuple([_plain(one) for one in types.elts])
    if isinstance(types, ast.Subscript):
        return ast.Name(ast.unparse(types.value).lower())
    if isinstance(types, ast.Name) and types.id == "NoneType":
        return ast.parse("type(None)", mode="eval").body
    return types


def definitions(text: str) -> list[ast.stmt]:
    """The classes and functions of a source file of an archive."""
    found = ast.parse(text).body
    return [one for one in found if isinstance(one, (ast.ClassDef, ast.FunctionDef))]
