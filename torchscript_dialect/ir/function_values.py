"""Types of values that are functions, as they are asked (PyTorch: `FunctionType` of core/function.h, which has its function)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from torchscript_dialect.types.named import FunctionType
from torchscript_dialect.utils.errors import TorchScriptError


class Executed(NamedTuple):
    """What is known of a fallback function: its graph, and the state of what runs it."""

    graph: Callable[[], Any]
    state: Callable[[], Any]


def executed_type(symbol: str, executed: Executed) -> FunctionType:
    """The type of the fallback function of a symbol. Copies of a node share it, in graphs that stand alone, too."""
    type_ = FunctionType(symbol)
    object.__setattr__(type_, "_executed", executed)  # attributes are frozen
    return type_


class FunctionTypeView:
    """What `Value.type()` gives for a function."""

    def __init__(self, type_: FunctionType, name: str) -> None:
        self.type = type_
        self._name = name

    def __eq__(self, other: object) -> bool:
        mine = self.type
        return (isinstance(other, FunctionTypeView) and other.type == mine) or other == mine

    def __hash__(self) -> int:
        return hash(self.type)

    def __str__(self) -> str:
        return self.type.repr_str

    __repr__ = __str__

    def kind(self) -> str:
        """`FunctionType`."""
        return self.type.kind()

    @property
    def annotation_str(self) -> str:
        return self.type.annotation_str

    def name(self) -> str:
        """The name that graph text shows."""
        return self._name

    def optimized_graph(self) -> Any:
        """The graph of the function before it is specialized.

        Raises:
            TorchScriptError: it is no fallback function.
        """
        return self._executed().graph()

    def get_debug_state(self) -> Any:
        """The state of its executor: the plans for calls that came to the function.

        Raises:
            TorchScriptError: it is no fallback function.
            RuntimeError: no call has come to it.
        """
        return self._executed().state()

    def _executed(self) -> Executed:
        executed = self.type.__dict__.get("_executed")
        if executed is None:
            raise TorchScriptError(f"'{self._name}' is no fallback of a graph that was optimized")
        return executed
