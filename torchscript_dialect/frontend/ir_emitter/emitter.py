"""From the tree of a function to its graph, with loads and stores (PyTorch: struct to_ir of frontend/ir_emitter.cpp).

One `Emitter` builds one function. What each kind of tree becomes is in the other files of this folder, in tables keyed by kind;
they see the emitter as an `EmissionContext`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from xdsl.ir import SSAValue

from torchscript_dialect.frontend.ir_emitter.defaults import (
    UNFIT,
    check_defaults,
    fitted_default,
)
from torchscript_dialect.frontend.ir_emitter.emission_context import EmissionContext
from torchscript_dialect.frontend.ir_emitter.expressions import EXPRESSIONS, SUGARED
from torchscript_dialect.frontend.ir_emitter.statements import STATEMENTS
from torchscript_dialect.frontend.source.tree_views import Def, Expr, Stmt
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.sugared.sugared_value import SimpleValue, SugaredValue
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.frontend.unit.variables import value_name
from torchscript_dialect.ir.edit import (
    add_argument,
    set_name,
    set_outputs,
    type_of,
)
from torchscript_dialect.types.core import ANY, NONE, TorchScriptType
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.utils.errors import Call, FrontendError


class Emitter(EmissionContext):
    """Builds the graph of one function."""

    def __init__(
        self,
        function: Function,
        unit: CompilationUnit,
        resolver: Resolver,
        defaults: dict[str, Any] | None = None,
        self_type: TorchScriptType | None = None,
        self_value: Callable[[SSAValue], SugaredValue] | None = None,
        parameter_types: dict[str, TorchScriptType] | None = None,
        is_overload: bool = False,
    ) -> None:
        """Of an overload, defaults of the implementation that do not fit are those of other overloads."""
        super().__init__(function, unit, resolver)
        self.call = Call(function.name, None)
        self.defaults = defaults or {}
        self.self_type = self_type
        self._make_self = self_value or SimpleValue
        self._parameter_types = parameter_types or {}
        self._is_overload = is_overload

    # The function as a whole.

    def emit_def(self, definition: Def) -> None:
        """Build the graph and the schema; the graph still has loads, stores and exits."""
        schema = self.emit_signature(definition)
        arguments = schema.arguments
        self.emit_statements(definition.statements)
        self._finish_returns(definition)
        if not self._parameter_types and not self._is_overload:
            check_defaults(arguments, self.defaults, definition.range)
        result = self.graph.uninitialized(self.merged_return or NONE)
        set_outputs(self.graph.block, (result,))
        self.function.func_op = self.graph.func_op
        self.function.argument_names = tuple(argument.name for argument in arguments)
        self.function.set_schema(_returning(schema, self.merged_return or NONE))

    def emit_signature(self, definition: Def) -> FunctionSchema:
        """Add the parameters to the graph; the schema as far as it is declared."""
        decl = definition.decl
        if "return" in self._parameter_types:
            self.declared_return = self._parameter_types["return"]
        elif decl.return_type is not None:
            self.declared_return = self.types.parse(decl.return_type)
        arguments = self._emit_parameters(definition)
        schema = FunctionSchema(self.function.name, "", tuple(arguments), ())
        return schema if self.declared_return is None else _returning(schema, self.declared_return)

    def _emit_parameters(self, definition: Def) -> list[Argument]:
        arguments: list[Argument] = []
        for index, param in enumerate(definition.decl.params):
            name = param.ident.name
            list_size: int | None = None
            is_self = index == 0 and self.self_type is not None
            if is_self:
                assert self.self_type is not None
                type_ = self.self_type
            elif name in self._parameter_types:
                type_ = self._parameter_types[name]
            elif param.type is None:
                type_ = self.types.unannotated()
            else:
                type_, list_size = self.types.parse_parameter(param.type)
            value = add_argument(self.graph.block, type_)
            set_name(value, value_name(name))
            if is_self:
                self.frame.set(param.ident.range, name, self._make_self(value))
            else:
                self.frame.set_value(param.ident.range, name, value)
            keywords: dict[str, Any] = {}
            if name in self.defaults:
                fitted = fitted_default(self.defaults[name], type_, list_size)
                if fitted is not UNFIT:
                    keywords["default"] = fitted
            elif param.default_value is not None:
                default = self.types.literal(param.default_value)
                argument = Argument(name, type_, list_size=list_size)
                check_defaults([argument], {name: default}, param.default_value.range)
                keywords["default"] = fitted_default(default, type_, list_size)
            arguments.append(
                Argument(name, type_, kwarg_only=param.kwarg_only, list_size=list_size, **keywords)
            )
        return arguments

    def _finish_returns(self, definition: Def) -> None:
        if self.graph.block in self.exit_blocks:
            if self.merged_return is None:
                self.merged_return = self.declared_return or NONE
            return
        if self.declared_return is not None and self.declared_return != NONE:
            raise FrontendError(
                "Function was not annotated as having type None, but does not return along all"
                " paths",
                definition.range,
            )
        value = self.graph.constant(None, definition.range)
        self.emit_return(definition.range, value)

    # Statements and expressions.

    def emit_statements(self, statements: Iterable[Stmt]) -> None:
        """Emit statements up to the first that leaves the block."""
        for statement in statements:
            self.call.at = statement
            emit = STATEMENTS.get(statement.kind)
            if emit is None:
                raise FrontendError(
                    f"Unrecognized statement kind {statement.kind}", statement.range
                )
            emit(self, statement)
            if self.frame.block in self.exit_blocks:
                return

    def emit_sugared(
        self, expr: Expr, n_binders: int = 1, type_hint: TorchScriptType | None = None
    ) -> SugaredValue:
        """What an expression means; `type_hint` is the type that its place asks for."""
        emit = SUGARED.get(expr.kind)
        if emit is not None:
            return emit(self, expr, n_binders, type_hint)
        emit_simple = EXPRESSIONS.get(expr.kind)
        if emit_simple is None:
            raise FrontendError(f"Cannot emit expr for: {expr}", expr.range)
        return SimpleValue(emit_simple(self, expr, type_hint))

    def emit_expr(self, expr: Expr, type_hint: TorchScriptType | None = None) -> SSAValue:
        """The value of an expression. Functions that are compiled for its sake are called from it."""
        self.call.at = expr
        emit_simple = EXPRESSIONS.get(expr.kind)
        if emit_simple is not None:
            value = emit_simple(self, expr, type_hint)
        else:
            sugared = self.emit_sugared(expr, 1, type_hint)
            if isinstance(sugared, SimpleValue):
                value = sugared.value
            else:
                value = sugared.as_value(expr.range, self)
        if type_hint is not None and type_hint == ANY and type_of(value) != ANY:
            return self.graph.unchecked_cast(value, ANY)
        return value


def _returning(schema: FunctionSchema, type_: TorchScriptType) -> FunctionSchema:
    return FunctionSchema(schema.name, "", schema.arguments, (Argument("", type_),))
