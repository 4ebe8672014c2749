"""Declared overloads of Python functions and methods (`torch.jit._overload`, `torch.jit._overload_method`).

Note [Declared overloads]
The stand-in keeps declarations where `typing.overload` keeps them, by module and qualified name, with a mark that tells them from
those of `typing.overload`, which are no concern of the compiler. PyTorch keeps its own by module and name: those of a function wait
there until PyTorch compiles them, and are then known by what it compiled.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Sequence
from typing import Any, get_overloads

from torchscript_dialect.frontend.python.class_types import class_as_type
from torchscript_dialect.frontend.source.expr_views import Dots
from torchscript_dialect.frontend.source.tree_views import Def, ExprStmt, Pass
from torchscript_dialect.frontend.unit.annotations import TypeParser, parse_type_text
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.type_resolver import TypeResolver
from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.annotations import annotations_of
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import Source, SourceRange

OVERLOAD_MARK = "__torchscript_overload__"
"""The attribute of a function that is a declaration of the stand-in."""


def waiting(fn: Any) -> Sequence[Any]:
    """The declarations for a function, in order, without those that PyTorch has compiled."""
    if fn.__module__ is None:  # made by `exec`: declarations are known by module and name
        return ()
    if own := _of_stand_in(fn):
        return own
    torch = pytorch_state.loaded()
    if torch is None:
        return ()
    return torch._jit_internal._get_fn_overloads(torch._jit_internal._qualified_name(fn)) or ()


def compiled(fn: Any) -> Sequence[Any]:
    """What PyTorch has made of the declarations; it has forgotten these."""
    torch = pytorch_state.loaded()
    return () if torch is None else torch.jit._state._try_get_jit_cached_overloads(fn) or ()


def of_method(class_: type[Any], name: str) -> Sequence[Any]:
    """The declarations for a method in the class itself: a method that is inherited is one method."""
    fn = getattr(class_, name, None)
    module: str | None = getattr(fn, "__module__", None)
    if not inspect.isfunction(fn) or module is None:  # see `waiting`
        return ()
    if (own := _of_stand_in(fn)) and name in vars(class_):
        return own
    torch = pytorch_state.loaded()
    return () if torch is None else torch._jit_internal._get_overloaded_methods(fn, class_) or ()


def overloaded_methods(class_: type[Any]) -> list[str]:
    """The methods of a class for which signatures are declared, by name."""
    names = {name for name, member in vars(class_).items() if inspect.isfunction(member)}
    names = {name for name in names if _of_stand_in(vars(class_)[name])}
    if (torch := pytorch_state.loaded()) is not None:
        declared: dict[str, dict[str, Any]] = torch._jit_internal._overloaded_methods
        names |= {
            qualified.rpartition(".")[2]
            for qualified, classes in declared.items()
            if class_.__name__ in classes
        }
    return sorted(name for name in names if of_method(class_, name))


def _of_stand_in(fn: Any) -> Sequence[Any]:
    return [each for each in get_overloads(fn) if getattr(each, OVERLOAD_MARK, False)]


def check(declaration: Any, fn: Any, tree: Def) -> None:
    """Raise for a declaration with a body, without types, or with default values that are not those of the function."""
    check_body(tree)
    if declaration is fn:
        raise FrontendError(
            f"Implementation for the function {fn.__name__} is missing. Please make sure a"
            " definition is provided and defined after all overload declarations",
            tree.range,
        )
    parameters = inspect.signature(declaration).parameters
    decl = tree.decl  # with the types of comments
    if not (annotations_of(declaration) or decl.return_type or any(p.type for p in decl.params)):
        raise FrontendError(
            f"Must explicitly add type annotations to overloaded functions: {fn.__name__}",
            tree.range,
        )
    own = inspect.signature(fn).parameters
    if len(parameters) > len(own):
        raise FrontendError(
            "Overload should not have more parameters than implementation function", tree.range
        )
    for name, parameter in parameters.items():
        if parameter.default is parameter.empty:
            continue
        if name not in own or own[name].default != parameter.default:
            raise FrontendError(
                "Default parameters on overloads do not affect the runtime so they must equal to"
                " the default parameter on the implementation function. Found on parameter"
                f" {name}",
                tree.range,
            )


def check_body(declaration: Def) -> None:
    """Raise for a declaration that does something."""
    body = list(declaration.statements)
    if len(body) == 1 and isinstance(body[0], Pass):
        return
    if len(body) == 1 and isinstance(body[0], ExprStmt) and isinstance(body[0].expr, Dots):
        return
    message = "Only `pass` statement or `...` can be the body of overload declaration"
    raise FrontendError(message, declaration.range)


def parameter_types(
    function: Any, unit: CompilationUnit, resolver: TypeResolver
) -> dict[str, TorchScriptType]:
    """The types of the parameters of what PyTorch has compiled, and that of its `return`."""
    types = TypeParser(_NamesOfPyTorch(resolver), unit)

    def parse(annotation: str) -> TorchScriptType:
        range = SourceRange(Source(annotation), 0, len(annotation))
        return types.parse(parse_type_text(annotation, range))

    schema = function.schema
    found = {argument.name: parse(argument.type.annotation_str) for argument in schema.arguments}
    return found | {"return": parse(schema.returns[0].type.annotation_str)}


class _NamesOfPyTorch(TypeResolver):
    """Finds the Python classes of PyTorch's qualified names: `__torch__.module.Name`."""

    def __init__(self, resolver: TypeResolver) -> None:
        super().__init__(resolver.builtin_functions)
        self._resolver = resolver

    def names(self) -> Iterable[str]:
        return self._resolver.names()

    def resolve_type(
        self, name: str, unit: CompilationUnit, range: SourceRange
    ) -> TorchScriptType | None:
        if not name.startswith("__torch__."):
            return self._resolver.resolve_type(name, unit, range)
        parts = [part for part in name.split(".")[1:] if "_torch_mangle_" not in part]
        module = sys.modules.get(".".join(parts[:-1]) or "__main__")
        return class_as_type(getattr(module, parts[-1], None), unit, self._resolver)
