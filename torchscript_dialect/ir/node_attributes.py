"""The kind of a node and its attributes, by the accessors of PyTorch's bindings (PyTorch: torch/csrc/jit/python/python_ir.cpp)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self, cast

from xdsl.dialects.builtin import ArrayAttr, FloatAttr, IntegerAttr, StringAttr
from xdsl.ir import Attribute, Operation

from torchscript_dialect.dialects.attributes import (
    ComplexAttr,
    TensorAttr,
    from_attribute,
    to_attribute,
)
from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.ir import changes
from torchscript_dialect.serialization.graph_printer import is_subgraph_op
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.utils.errors import TorchScriptError

# pyright: reportPrivateUsage=false


class NodeAttributes:
    """What a node of a graph is without the values and nodes around it."""

    __slots__ = ("_raw_op",)

    def __init__(self, op: Operation | None) -> None:
        self._raw_op: Any = op

    @property
    def op(self) -> Any:
        """xDSL's op, None for `prim::Param`; see Note [Edited functions]."""
        changes.handed_out(self._raw_op)
        return self._raw_op

    def kind(self) -> str:
        """`aten::add`."""
        if self._raw_op is None:
            return "prim::Param"
        if self._raw_op.name in ("func.return", "prim.yield"):
            return "prim::Return"
        if isinstance(self._raw_op, TorchScriptOp):
            return self._raw_op.KIND
        return self._raw_op.name.replace(".", "::", 1)

    def hasAttributes(self) -> bool:
        return bool(self.attributeNames())

    def hasAttribute(self, name: str) -> bool:
        return name in self.attributeNames()

    def attributeNames(self) -> list[str]:
        if self._raw_op is None:
            return []
        return [*self._raw_op.attributes, *self.subgraphs()]

    def subgraphs(self) -> Sequence[str]:
        """The attributes that are graphs."""
        if self._raw_op is None or not is_subgraph_op(self._raw_op):
            return ()
        return ("Subgraph", "ReverseSubgraph")[: len(self._raw_op.regions)]

    def attribute(self, name: str) -> Any:
        """An attribute's value as a Python value.

        Raises:
            TorchScriptError: the node has no such attribute.
        """
        attribute = self._attribute(name)
        return attribute if isinstance(attribute, TorchScriptType) else from_attribute(attribute)

    def kindOf(self, name: str) -> str:
        """What an attribute holds, as PyTorch abbreviates it: `i`, `f`, `s`, `t`, `c`, `ty`, `g`, their lists `is`, `fs`, ..., and
        `ival` for any other value, and for the containers that are constants.

        Raises:
            TorchScriptError: the node has no such attribute.
        """
        if name in self.subgraphs():
            return "g"
        attribute = self._attribute(name)
        kind = _kind_of(attribute)
        return (
            "ival"
            if kind.endswith("s") and kind != "s" and self.kind() == "prim::Constant"
            else kind
        )

    def _attribute(self, name: str) -> Attribute:
        if self._raw_op is None or name not in self._raw_op.attributes:
            raise TorchScriptError(f"{self.kind()} has no attribute '{name}'")
        return self._raw_op.attributes[name]

    def setAttribute(self, name: str, value: Any) -> Self:
        is_attribute = isinstance(value, Attribute)
        self._raw_op.attributes[name] = value if is_attribute else to_attribute(value)
        changes.edited(self._raw_op)
        return self

    def removeAttribute(self, name: str) -> Self:
        """Take an attribute away.

        Raises:
            TorchScriptError: the node has no such attribute.
        """
        self._attribute(name)
        del self._raw_op.attributes[name]
        changes.edited(self._raw_op)
        return self

    def copyAttributes(self, other: NodeAttributes) -> Self:
        """Give the node the attributes of another one, and no more."""
        self._raw_op.attributes = dict(other._raw_op.attributes)
        changes.edited(self._raw_op)
        return self

    i = f = s = t = z = c = ty = ival = fs = ss = ts = zs = tys = attribute
    i_ = s_ = t_ = z_ = ty_ = ival_ = setAttribute
    is_ = ss_ = ts_ = zs_ = tys_ = setAttribute

    def f_(self, name: str, value: float) -> Self:
        return self.setAttribute(name, float(value))

    def c_(self, name: str, value: complex) -> Self:
        return self.setAttribute(name, complex(value))

    def fs_(self, name: str, values: Iterable[float]) -> Self:
        return self.setAttribute(name, [float(value) for value in values])


setattr(
    NodeAttributes, "is", NodeAttributes.attribute
)  # PyTorch's getter of int lists has the name of a keyword

_LETTERS: tuple[tuple[type[Attribute], str], ...] = (
    (IntegerAttr, "i"),
    (FloatAttr, "f"),
    (StringAttr, "s"),
    (TensorAttr, "t"),
    (ComplexAttr, "c"),
    (TorchScriptType, "ty"),
)


def _kind_of(attribute: Attribute) -> str:
    if isinstance(attribute, ArrayAttr):
        kinds = {_kind_of(item) for item in cast("ArrayAttr[Attribute]", attribute).data}
        only = kinds.pop() if len(kinds) == 1 else ""
        return f"{only}s" if only in dict(_LETTERS).values() else "ival"
    return next((letter for class_, letter in _LETTERS if isinstance(attribute, class_)), "ival")
