"""What the emission of a statement or expression needs of the function that is being built."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any, cast

from xdsl.ir import Block, Operation, Region, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.frontend.ir_emitter.environment import Frame
from torchscript_dialect.frontend.source.tree_views import Expr, Stmt
from torchscript_dialect.frontend.sugared.arguments import describe
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.sugared.sugared_value import SugaredValue
from torchscript_dialect.frontend.unit.annotations import TypeParser
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.frontend.unit.definitions import Function
from torchscript_dialect.ir.edit import new_block, terminator, type_of
from torchscript_dialect.types.core import ANY, TorchScriptType
from torchscript_dialect.types.subtyping import unify_types
from torchscript_dialect.utils.errors import FrontendError
from torchscript_dialect.utils.source_range import SourceRange


class LoopStatus(Enum):
    """What `break` and `continue` would leave."""

    NOT_IN_LOOP = 0
    IN_LOOP = 1
    IN_UNROLLED_LOOP = 2


class EmissionContext(Context, ABC):
    """The graph, the variables in scope, what is known of returns and loops, and the way back to the emitter."""

    def __init__(self, function: Function, unit: CompilationUnit, resolver: Resolver) -> None:
        super().__init__(function, unit, resolver)
        self.types = TypeParser(resolver, unit)
        self.frame = Frame(self, resolver, self.graph.block)
        self.declared_return: TorchScriptType | None = None
        self.merged_return: TorchScriptType | None = None
        self.exit_blocks: set[Block] = set()
        self.loop_status = LoopStatus.NOT_IN_LOOP
        self._literals: dict[tuple[type, Any], SSAValue] = {}
        self._temporaries = 0

    @abstractmethod
    def emit_statements(self, statements: Iterable[Stmt]) -> None:
        """Emit statements up to the first that leaves the block."""

    @abstractmethod
    def emit_sugared(
        self, expr: Expr, n_binders: int = 1, type_hint: TorchScriptType | None = None
    ) -> SugaredValue:
        """What an expression means; `type_hint` is the type that its place asks for."""

    @abstractmethod
    def emit_expr(self, expr: Expr, type_hint: TorchScriptType | None = None) -> SSAValue:
        """The value of an expression."""

    def emit_return(self, range: SourceRange, value: SSAValue) -> None:
        """Leave the function with a value; the statements after it in the block are unreachable.

        Raises:
            FrontendError: the function is not annotated, and this value and an earlier one have no type in common.
        """
        previous = self.merged_return or type_of(value)
        merged = self.declared_return or unify_types(previous, type_of(value))
        if merged is None:
            raise FrontendError(
                f"Previous return statement returned a value of type {describe(previous)} but this"
                f" return statement returns a value of type {describe(type_of(value))}",
                range,
            )
        self.merged_return = merged
        if merged == ANY and type_of(value) != ANY:
            value = self.graph.unchecked_cast(value, ANY)
        self.graph.node(prim.ReturnStmtOp, (value,), ())
        self.exit_blocks.add(self.frame.block)

    @contextmanager
    def in_frame(self, block: Block) -> Generator[Frame]:
        """While the body runs, nodes go to the end of `block` and variables to a frame of its own."""
        outer = self.frame
        self.frame = frame = outer.inner(block)
        point, self.graph.point = self.graph.point, terminator(block)
        try:
            yield frame
        finally:
            frame.close()
            self.frame = outer
            self.graph.point = point

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
