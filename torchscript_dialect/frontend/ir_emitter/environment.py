"""The variables in scope, one frame per block (PyTorch: struct Environment of ir_emitter.cpp).

A first-class value is in the type table of its frame and lives in the graph: setting it emits prim::Store, reading it
prim::Load. Everything else is in the table of sugared values and cannot be set again.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn

from xdsl.ir import Block, BlockArgument, OpResult, SSAValue

from torchscript_dialect.frontend.sugared.arguments import describe
from torchscript_dialect.frontend.sugared.context import Context
from torchscript_dialect.frontend.sugared.conversions import try_convert_to_type
from torchscript_dialect.frontend.sugared.globals import GLOBALS
from torchscript_dialect.frontend.sugared.resolver import Resolver
from torchscript_dialect.frontend.sugared.sugared_value import SimpleValue, SugaredValue
from torchscript_dialect.frontend.unit.scope import Scope
from torchscript_dialect.frontend.unit.variables import value_name
from torchscript_dialect.ir.edit import set_name, type_of
from torchscript_dialect.types.containers import ListType
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.subtyping import is_subtype, unshaped
from torchscript_dialect.utils.errors import FrontendError, suggestion
from torchscript_dialect.utils.source_range import SourceRange


@dataclass(slots=True)
class _Variable:
    """What one frame knows of a name. A sugared value hides the type, as it cannot be set again."""

    type: TorchScriptType | None = None
    value: SugaredValue | None = None


class Frame:
    """The variables that one block sets."""

    def __init__(
        self, context: Context, resolver: Resolver, block: Block, parent: Frame | None = None
    ) -> None:
        self.context = context
        self.resolver = resolver
        self.block = block
        self.parent = parent
        self.scope: Scope[_Variable] = Scope(None if parent is None else parent.scope)
        self.errors: dict[str, Callable[[], str]] = {} if parent is None else parent.errors
        """Why variables that one path sets are not in scope: shown where one of them is used."""

    def inner(self, block: Block) -> Frame:
        """A frame for a block inside this one's."""
        return Frame(self.context, self.resolver, block, self)

    def close(self) -> None:
        """The block ends; what is around it may still ask what it set."""
        self.scope.close()

    def _load(self, name: str, type_: TorchScriptType) -> SSAValue:
        value = self.context.graph.load(name, type_)
        set_name(value, value_name(name))
        return value

    def load(self, name: str) -> SSAValue | None:
        """The first-class variable in scope, loaded; None where the name means anything else."""
        type_ = self.type_of(name)
        return None if type_ is None else self._load(name, type_)

    def _sugared(self, name: str, variable: _Variable | None) -> SugaredValue | None:
        if variable is None or variable.value is not None:
            return None if variable is None else variable.value
        return None if variable.type is None else SimpleValue(self._load(name, variable.type))

    def find(self, name: str) -> SugaredValue | None:
        """The variable in scope; emits its load."""
        return self._sugared(name, self.scope.find(name))

    def type_of(self, name: str) -> TorchScriptType | None:
        """The type of a first-class variable in scope; emits nothing."""
        variable = self.scope.find(name)
        return None if variable is None or variable.value is not None else variable.type

    def has(self, name: str) -> bool:
        """Whether a variable is in scope; emits nothing."""
        return self.scope.find(name) is not None

    def defined(self) -> list[str]:
        """The first-class variables that this frame sets, sorted."""
        return sorted(name for name, known in self.scope.here.items() if known.type is not None)

    def _declare(self, name: str) -> _Variable:
        """This frame's own entry for a name, which comes into scope."""
        variable = self.scope.here.get(name)
        if variable is None:
            variable = _Variable()
            self.scope.define(name, variable)
        return variable

    def set_type(self, name: str, type_: TorchScriptType) -> None:
        """A first-class variable of that type is in scope; emits nothing."""
        self._declare(name).type = type_

    def set_value(self, range: SourceRange, name: str, value: SSAValue) -> None:
        self.set(range, name, SimpleValue(value))

    def set(
        self,
        range: SourceRange,
        name: str,
        value: SugaredValue,
        annotated: TorchScriptType | None = None,
    ) -> None:
        """Assign a variable.

        Raises:
            FrontendError: the variable has another type around this block, or is annotated otherwise.
        """
        simple = value.value if isinstance(value, SimpleValue) else None
        if simple is not None and simple.name_hint is None and _block_of(simple) is self.block:
            set_name(simple, value_name(name))
        around = self.scope.find_around(name)
        if around is not None:
            simple = self._reassign(range, name, around, value, annotated)
        if simple is None:
            self._declare(name).value = value
            return
        if annotated is not None and not is_subtype(type_of(simple), annotated):
            raise FrontendError(
                f"Variable '{name}' is annotated with type {describe(annotated)} but is being"
                f" assigned to a value of type {describe(type_of(simple))}",
                range,
            )
        self.context.graph.store(name, simple, range)
        self.set_type(name, annotated or type_of(simple))

    def _reassign(
        self,
        range: SourceRange,
        name: str,
        around: _Variable,
        value: SugaredValue,
        annotated: TorchScriptType | None,
    ) -> SSAValue:
        """The value, converted to the type that the variable has outside this block."""
        if annotated is not None:
            raise FrontendError(
                f"Attempting to declare and annotate the type of variable '{name}' that is already"
                " defined in an outer block",
                range,
            )
        outer = self._sugared(name, around)
        if not isinstance(value, SimpleValue):
            raise FrontendError(
                f"Cannot re-assign '{name}' to a value of type {value.kind()} because {name} is not"
                " a first-class value.  Only reassignments to first-class values are allowed",
                range,
            )
        if not isinstance(outer, SimpleValue):
            raise FrontendError(
                f"Cannot re-assign '{name}' because it has type {value.kind()} and {name} is not a"
                " first-class value.  Only reassignments to first-class values are allowed",
                range,
            )
        previous = type_of(outer.value)
        expected = unshaped(previous)
        simple = try_convert_to_type(self.context.graph, expected, value.value, range, True)
        if is_subtype(type_of(simple), expected):
            return simple
        message = (
            f"Variable '{name}' previously had type {describe(previous)} but is now being assigned"
            f" to a value of type {describe(type_of(simple))}"
        )
        if isinstance(previous, ListType) and isinstance(type_of(simple), ListType):
            message += (
                "\nEmpty lists default to List[Tensor]. Add a variable annotation to the assignment"
                " to create an empty list of another type (torch.jit.annotate(List[T, []]) where T"
                " is the type of elements in the list for Python 2)"
            )
        raise FrontendError(f"{message}\n", range)

    def remove(self, range: SourceRange, name: str) -> None:
        """Take a variable out of scope (`del name`), here and in all blocks around, whatever path leads here.

        Raises:
            FrontendError: the function's own block does not define it, as PyTorch has it.
        """
        frame = self
        while frame.parent is not None:
            frame = frame.parent
        if frame.scope not in self.scope.forget(name)[:1]:
            self.undefined(range, name)

    def get(self, range: SourceRange, name: str) -> SugaredValue:
        """What a name means here: a variable, a builtin, or what the resolver knows.

        Raises:
            FrontendError: it means nothing.
        """
        found = self.find(name) or GLOBALS.get(name)
        if found is None:
            found = self.resolver.resolve_value(name, self.context, range)
        if found is None:
            self.undefined(range, name)
        return found

    def get_value(self, range: SourceRange, name: str) -> SSAValue:
        return self.get(range, name).as_value(range, self.context)

    def undefined(self, range: SourceRange, name: str) -> NoReturn:
        """Raise the error for an unknown name."""
        if name in self.errors:
            raise FrontendError(f"{self.errors[name]()}and was used here", range)
        known: set[str] = {*GLOBALS, *_EXCEPTIONS, *self.resolver.names()}
        frame: Frame | None = self
        while frame is not None:
            known.update(frame.scope.here)
            frame = frame.parent
        raise FrontendError(f"undefined value {name}{suggestion(name, sorted(known))}", range)


_EXCEPTIONS = [
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, Exception)
]


def _block_of(value: SSAValue) -> Block | None:
    if isinstance(value, OpResult):
        return value.op.parent
    assert isinstance(value, BlockArgument)
    return value.block
