"""From the tree of a function to its graph, with loads and stores (PyTorch: struct to_ir of frontend/ir_emitter.cpp).

One `Emitter` builds one function. It holds what all parts share: the graph, the frames of variables, what is known of
returns and loops. What each kind of tree becomes is in the other files of this folder, in tables keyed by kind.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import Any, cast

from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.ir_emitter.defaults import check_defaults, default_fits
from torchscript_dialect.frontend.ir_emitter.environment import Frame
from torchscript_dialect.frontend.ir_emitter.expressions import EXPRESSIONS, SUGARED
from torchscript_dialect.frontend.ir_emitter.loops import LoopStatus
from torchscript_dialect.frontend.ir_emitter.statements import STATEMENTS
from torchscript_dialect.frontend.source.tree_views import Def, Expr, List, Stmt
from torchscript_dialect.frontend.sugared.function_builder import FunctionBuilder
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.sugared.sugared_value import SimpleValue, SugaredValue
from torchscript_dialect.frontend.unit.annotations import TypeParser
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit, Function
from torchscript_dialect.ir.edit import (
    NOT_CONSTANT,
    ValueMap,
    add_argument,
    body_ops,
    clone_nodes,
    constant_value,
    new_block,
    outputs,
    set_name,
    set_outputs,
    terminator,
    type_of,
)
from torchscript_dialect.ops import registry
from torchscript_dialect.ops.registry import Operator
from torchscript_dialect.types.core import ANY, NONE, TorchScriptType
from torchscript_dialect.types.function_schema import Argument, FunctionSchema
from torchscript_dialect.types.named import EnumType
from torchscript_dialect.utils.errors import Call, FrontendError
from torchscript_dialect.utils.source_range import SourceRange


class Overloads(Sequence[FunctionSchema]):
    """The schemas of the operators of a name, then of the builtin functions of that name.

    A schema is asked for when it is tried: it is parsed then, and a function is compiled.
    """

    def __init__(self, operators: Sequence[Operator], functions: Sequence[Function]) -> None:
        self.operators = operators
        self.functions = functions
        self._all: tuple[Operator | Function, ...] = (*operators, *functions)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: int) -> FunctionSchema:  # pyright: ignore[reportIncompatibleMethodOverride]
        return self._all[index].schema


class Emitter:
    """Builds the graph of one function."""

    def __init__(
        self,
        function: Function,
        resolver: Resolver,
        defaults: dict[str, Any] | None = None,
        self_type: TorchScriptType | None = None,
        self_value: Callable[[SSAValue], SugaredValue] | None = None,
        parameter_types: dict[str, TorchScriptType] | None = None,
    ) -> None:
        self.function = function
        self.call = Call(function.name, None)
        self.unit: CompilationUnit = function.unit
        self.resolver = resolver
        self.defaults = defaults or {}
        self.self_type = self_type
        self.types = TypeParser(resolver, self.unit)
        self.graph = FunctionBuilder(function.symbol)
        self.frame = Frame(self, self.graph.block, None)
        self.declared_return: TorchScriptType | None = None
        self.merged_return: TorchScriptType | None = None
        self.exit_blocks: set[Block] = set()
        self.loop_status = LoopStatus.NOT_IN_LOOP
        self._literals: dict[tuple[type, Any], SSAValue] = {}
        self._overloads: dict[str, Overloads] = {}
        self._temporaries = 0
        self._make_self = self_value or SimpleValue
        self._parameter_types = parameter_types or {}

    # The function as a whole.

    def emit_def(self, definition: Def) -> None:
        """Build the graph and the schema; the graph still has loads, stores and exits."""
        decl = definition.decl
        if decl.return_type is not None:
            self.declared_return = self.types.parse(decl.return_type)
        arguments = self._emit_parameters(definition)
        schema = FunctionSchema(self.function.name, "", tuple(arguments), ())
        if self.declared_return is not None:
            schema = _returning(schema, self.declared_return)
        self.emit_statements(definition.statements)
        self._finish_returns(definition)
        if not self._parameter_types:
            check_defaults(arguments, self.defaults, definition.range)
        result = self.graph.uninitialized(self.merged_return or NONE)
        set_outputs(self.graph.block, (result,))
        self.function.func_op = self.graph.func_op
        self.function.argument_names = tuple(argument.name for argument in arguments)
        self.function.set_schema(_returning(schema, self.merged_return or NONE))

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
            set_name(value, name)
            if is_self:
                self.frame.set(param.ident.range, name, self._make_self(value))
            else:
                self.frame.set_value(param.ident.range, name, value)
            keywords: dict[str, Any] = {}
            if name in self.defaults:
                if default_fits(self.defaults[name], type_, list_size):
                    keywords["default"] = self.defaults[name]
            elif param.default_value is not None:
                keywords["default"] = default = self.types.literal(param.default_value)
                argument = Argument(name, type_, list_size=list_size)
                check_defaults([argument], {name: default}, param.default_value.range)
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

    def emit_return(self, range: SourceRange, value: SSAValue) -> None:
        """Leave the function with a value; the statements after it in the block are unreachable."""
        self.graph.node(prim.ReturnStmtOp, (value,), ())
        self.exit_blocks.add(self.frame.block)
        if self.merged_return is None:
            self.merged_return = self.declared_return or type_of(value)

    # Statements and expressions.

    def emit_statements(self, statements: List[Stmt]) -> None:
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

    # What the parts share.

    @contextmanager
    def in_frame(self, block: Block) -> Generator[Frame]:
        """While the body runs, nodes go to the end of `block` and variables to a frame of its own."""
        frame = Frame(self, block, self.frame)
        self.frame = frame
        point, self.graph.point = self.graph.point, terminator(block)
        try:
            yield frame
        finally:
            assert frame.parent is not None
            self.frame = frame.parent
            self.graph.point = point

    def is_at_top_level(self) -> bool:
        """Whether the current block is the function's own."""
        return self.frame.block is self.graph.block

    def literal(self, value: Any, range: SourceRange) -> SSAValue:
        """The constant for a number in the source, one for each value, at the start of the graph."""
        key = (cast(type[Any], type(value)), value)
        known = self._literals.get(key)
        if known is None:
            first = self.graph.block.first_op
            assert first is not None
            with self.graph.before(first):
                known = self.graph.constant(value, range)
            self._literals[key] = known
        return known

    def constant_of(self, value: SSAValue) -> Any:
        """The Python value of a constant, `NOT_CONSTANT` for anything else."""
        return constant_value(value, NOT_CONSTANT)

    def temporary(self, prefix: str) -> str:
        """A variable name that no program has."""
        self._temporaries += 1
        return f"{prefix}{self._temporaries - 1}"

    def new_if(
        self, condition: SSAValue, range: SourceRange, types: Sequence[TorchScriptType] = ()
    ) -> tuple[Operation, Block, Block]:
        """A `prim.If` with empty blocks at the insertion point."""
        op = self.graph.node(prim.IfOp, (condition,), types, range)
        blocks = (new_block(), new_block())
        for block in blocks:
            op.add_region(Region(block))
        return op, *blocks

    def enum_constant(self, type_: EnumType, name: str, range: SourceRange) -> SSAValue:
        """The constant for a member of an enum."""
        member = self.unit.enums[type_.qualified_name.data].member(name)
        return self.graph.constant(member, range, type_)

    def builtin_functions(self, name: str) -> Sequence[Function]:
        """The builtin functions of that name which are written in TorchScript."""
        return self.resolver.builtin_functions(name)

    def overloads(self, name: str) -> Overloads:
        """What a call of a builtin may mean."""
        known = self._overloads.get(name)
        if known is None:
            known = Overloads(registry.lookup(name), self.builtin_functions(name))
            self._overloads[name] = known
        return known

    def inline(self, function: Function, inputs: Sequence[SSAValue]) -> SSAValue:
        """The body of a function at the insertion point, on these inputs."""
        block = function.op.body.block
        values: ValueMap = dict(zip(block.args, inputs, strict=True))
        clone_nodes(body_ops(block), values, self.graph.insert)
        (result,) = outputs(block)
        return values.get(result, result)


def _returning(schema: FunctionSchema, type_: TorchScriptType) -> FunctionSchema:
    return FunctionSchema(schema.name, "", schema.arguments, (Argument("", type_),))
