"""Calls that stay calls of Python: `@torch.jit.ignore`, and those that may not be run, `@torch.jit.unused`."""

from __future__ import annotations

import inspect
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, StringAttr, i64
from xdsl.ir import SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.python.class_types import annotation_as_type
from torchscript_dialect.frontend.source.python_ast import (
    DROP,
    UNUSED,
    commented_signature,
    get_jit_def,
)
from torchscript_dialect.frontend.sugared.arguments import Arguments, NamedValue
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.schema_matching import match_schema
from torchscript_dialect.frontend.sugared.sugared_value import SimpleValue, SugaredValue
from torchscript_dialect.frontend.unit.annotations import TypeParser
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.type_resolver import TypeResolver
from torchscript_dialect.types.containers import TupleType
from torchscript_dialect.types.core import NONE, TorchScriptType
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.types.tensor_type import TENSOR
from torchscript_dialect.utils.annotations import annotations_of
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.python_functions import register
from torchscript_dialect.utils.source_range import SourceRange

_CANNOT_RUN = "This Python function is annotated to be ignored and cannot be run"


def is_ignored(fn: Any) -> bool:
    """Whether a Python function is marked as not to be compiled."""
    return _modifier(fn).startswith(("ignore", "unused", "_drop"))


def is_unused(fn: Any) -> bool:
    """Whether calls of a Python function raise instead (`torch.jit.unused`)."""
    modifier = str(getattr(fn, "_torchscript_modifier", ""))
    return inspect.isroutine(fn) and modifier.startswith((UNUSED, DROP))


def _modifier(fn: Any) -> str:
    return str(getattr(fn, "_torchscript_modifier", ""))


def _positional_names(fn: Any) -> list[str]:
    return list(inspect.getfullargspec(inspect.unwrap(fn)).args)


def _annotations_by_place(callable_: Any) -> dict[str, Any]:
    """The annotations of a callable that is no function, by the numbers of its parameters: a function that `functools.cache` wraps."""
    try:
        parameters = inspect.signature(callable_).parameters.values()
    except (TypeError, ValueError):  # written in C
        return {}
    return {
        str(place): parameter.annotation
        for place, parameter in enumerate(parameters)
        if parameter.annotation is not parameter.empty
    }


def _shown_name(fn: Any) -> str:
    """What graphs call a Python function: an autograd function by its class."""
    if is_apply(fn):
        return fn.__self__.__name__
    return getattr(fn, "__name__", "<python_value>")


def is_apply(fn: Any) -> bool:
    """Whether a callable is the `apply` of an autograd function: a method, which PyTorch 2.14 has written in C, and whose `torch.jit`
    refuses it since.
    """
    return inspect.isclass(getattr(fn, "__self__", None)) and fn.__name__ == "apply"


class UnusedFunctionValue(SugaredValue):
    """A Python function that programs must not come to: calling it raises."""

    def __init__(self, fn: Any, resolver: TypeResolver) -> None:
        self.fn = fn
        self.resolver = resolver

    def kind(self) -> str:
        return "unused function"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        decl = commented_signature(self.fn) or get_jit_def(self.fn, self.fn.__name__).decl
        result = decl.return_type
        types = TypeParser(self.resolver, m.unit)
        type_ = TENSOR if result is None else types.parse(result)
        message, no_class = m.graph.constant(_CANNOT_RUN), m.graph.constant(None)
        m.graph.node(prim.RaiseExceptionOp, (message, no_class), (), range)
        return SimpleValue(m.graph.uninitialized(type_))


class PythonFunctionValue(SugaredValue):
    """A Python function that is not compiled; of a method, `self_value` is the object."""

    def __init__(self, fn: Any, resolver: TypeResolver, self_value: SSAValue | None = None) -> None:
        self.fn = fn
        self.resolver = resolver
        self.self_value = self_value

    def kind(self) -> str:
        return "python function"

    def call(
        self, range: SourceRange, m: Context, args: Arguments, kwargs: Arguments, n_binders: int = 1
    ) -> SugaredValue:
        if self.self_value is not None:
            args = [NamedValue(self.self_value, range, "self"), *args]
        schema = self._schema(m.unit, len(args) + len(kwargs), n_binders, range)
        matched = match_schema(schema, range, m.graph, args, kwargs)
        result = schema.returns[0].type
        if is_unused(self.fn):
            operands = (m.graph.constant(_CANNOT_RUN), m.graph.constant(None))
            m.graph.node(prim.RaiseExceptionOp, operands, (), range)
            return SimpleValue(m.graph.uninitialized(result))
        callee = IntegerAttr(register(self.fn, m.unit), i64)
        name = StringAttr(_shown_name(self.fn))
        value = m.graph.value(
            prim.PythonOp, matched.inputs, result, range, name=name, callee=callee
        )
        return SimpleValue(value)

    def _schema(
        self, unit: CompilationUnit, n_args: int, n_binders: int, place: SourceRange
    ) -> FunctionSchema:
        fn = self.fn if inspect.isroutine(self.fn) else getattr(self.fn, "__call__", None)  # noqa: B004
        fn = fn if hasattr(fn, "__code__") else None
        names = [str(i) for i in range(n_args)] if fn is None else _positional_names(fn)
        annotations = annotations_of(self.fn)
        if fn is not None and not annotations:
            annotations = self._commented(names, unit)
        arguments: list[Argument] = []
        if self.self_value is not None:
            type_ = self.self_value.type
            assert isinstance(type_, TorchScriptType)
            if not names:
                raise FrontendError("Non-static method does not have a self argument", place)
            arguments.append(Argument(names.pop(0), type_))
        of_callable = _annotations_by_place(self.fn) if fn is None else {}
        for name in names:
            given = of_callable.get(name) if fn is None else annotations.get(name)
            type_ = TENSOR if given is None else self._type(given, unit)
            arguments.append(Argument(name, type_))
        if annotations:
            result = self._type(annotations["return"], unit) if "return" in annotations else TENSOR
        elif n_binders > 1:
            result = TupleType.get([TENSOR] * n_binders)
        else:
            result = TENSOR if n_binders else NONE
        returns = (Argument("0", result),)
        is_vararg = (
            fn is not None and inspect.getfullargspec(inspect.unwrap(fn)).varargs is not None
        )
        name = getattr(self.fn, "__qualname__", "")
        return FunctionSchema(name, "", tuple(arguments), returns, is_vararg=is_vararg)

    def _commented(self, names: list[str], unit: CompilationUnit) -> dict[str, TorchScriptType]:
        """The types in a comment, by the names that annotations have."""
        decl = commented_signature(self.fn)
        if decl is None:
            return {}
        own = names[self.self_value is not None :]
        if len(own) != len(decl.params):
            message = f"Number of type annotations ({len(decl.params)}) did not match the number of"
            raise FrontendError(f"{message} function parameters ({len(own)})", decl.range)
        types = TypeParser(self.resolver, unit)
        given = [*(param.type for param in decl.params), decl.return_type]
        return {
            name: types.parse(type_)
            for name, type_ in zip([*own, "return"], given, strict=True)
            if type_ is not None
        }

    def _type(self, annotation: Any, unit: CompilationUnit) -> TorchScriptType:
        if annotation is None:
            return NONE
        return annotation_as_type(annotation, unit, self.resolver, self.fn)
