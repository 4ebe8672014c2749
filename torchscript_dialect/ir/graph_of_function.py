"""A graph as a whole: the function that it is of, its text and drawings, and what is known of it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.func import FuncOp

from torchscript_dialect.ir import changes
from torchscript_dialect.ir.module import module_around
from torchscript_dialect.ir.verification import verify
from torchscript_dialect.serialization.drawing.dot import print_dot
from torchscript_dialect.serialization.drawing.svg import print_svg
from torchscript_dialect.serialization.graph_printer import print_graph


class GraphOfFunction:
    """What a graph is without the blocks, nodes and values in it."""

    __slots__ = ("_function",)

    def __init__(self, function: FuncOp) -> None:
        self._function = function

    @property
    def function(self) -> FuncOp:
        """xDSL's function; see Note [Edited functions]."""
        changes.handed_out(self._function)
        return self._function

    def __torchscript_functions__(self) -> list[FuncOp]:
        """What a pipeline runs on."""
        return [self._function]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GraphOfFunction) and other._function is self._function

    def __hash__(self) -> int:
        return hash(self._function)

    def __str__(self) -> str:
        return print_graph(self._function, fields=False)

    def __repr__(self) -> str:
        return str(self)

    def str(self, print_source_locations: bool = True) -> str:
        """The text with or without the places in the source."""
        return print_graph(self._function, locations=print_source_locations, fields=False)

    def dump(self) -> None:
        """Print the graph to standard output."""
        print(self)

    def dot(self) -> str:
        """A drawing in Graphviz's language; fusion groups have a colour."""
        return print_dot(self._function)

    def _repr_svg_(self) -> str:
        """A drawing that notebooks show; it needs no Graphviz."""
        return print_svg(self._function)

    def alias_db(self) -> Any:
        """What may be the same memory in the graph as it is now: an `analysis.graph_aliases.GraphAliasDb`."""
        return import_module("torchscript_dialect.analysis.graph_aliases").GraphAliasDb(self)

    def dump_alias_db(self) -> None:
        """Print what `alias_db` finds to standard output."""
        self.alias_db().dump()

    def lint(self) -> None:
        """Check that the graph holds what it should.

        Raises:
            VerificationError: it does not, with the node and the reason.
        """
        verify(self._function)

    @property
    def module_op(self) -> ModuleOp:
        """The module that the function is in; see Note [Edited functions]."""
        module = module_around(self._function)
        changes.handed_out(module)
        return module
