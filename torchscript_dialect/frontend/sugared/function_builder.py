"""A function's graph under construction: where the next node goes, constants, and the shapes of common nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from xdsl.ir import Attribute, Block, Operation, SSAValue

from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.attributes import to_attribute
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.ir.edit import insert_before, new_op, set_name, terminator, type_of
from torchscript_dialect.ir.locations import UNKNOWN_LOCATION, location_of, text_attribute
from torchscript_dialect.ir.module import new_function
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import DictType, ListType, TupleType
from torchscript_dialect.types.core import (
    DEVICE,
    TorchScriptType,
)
from torchscript_dialect.utils.source_range import SourceRange


class _InsertionPoint:
    """Where a builder puts new ops while a with statement runs."""

    __slots__ = ("builder", "point")

    def __init__(self, builder: FunctionBuilder, point: Operation) -> None:
        self.builder = builder
        self.point = point

    def __enter__(self) -> None:
        self.builder.point, self.point = self.point, self.builder.point

    def __exit__(self, *exception: object) -> None:
        self.builder.point = self.point


class FunctionBuilder:
    """Builds the one block of a function; `point` is the op before which new ops go."""

    def __init__(self, symbol: str) -> None:
        self.func_op = new_function(symbol)
        self.block = self.func_op.body.block
        self.point: Operation = terminator(self.block)
        self.empty_lists: set[SSAValue] = set()
        """Literals `[]` without annotation: lists of tensors that may still become any other list."""
        self._objects: dict[int, tuple[Any, Attribute]] = {}
        """The attributes of tensors and lists that are constants: a default is one object in all calls, by which they are pooled."""

    def forget_names_of_empty_lists(self) -> None:
        """As in PyTorch, a literal `[]` without annotation does not bear the name of its variable."""
        for value in self.empty_lists:
            set_name(value, None)

    def insert(self, op: Operation) -> Operation:
        """Put an op at the insertion point."""
        insert_before(self.point, op)
        return op

    def before(self, op: Operation) -> _InsertionPoint:
        """While the body runs, new ops go in front of `op`."""
        return _InsertionPoint(self, op)

    def at_end(self, block: Block) -> _InsertionPoint:
        """While the body runs, new ops go to the end of `block`."""
        return self.before(terminator(block))

    def node(
        self,
        class_: type[Operation],
        operands: Sequence[SSAValue],
        result_types: Sequence[TorchScriptType],
        range: SourceRange | None = None,
        **attributes: Attribute,
    ) -> Operation:
        """A new op at the insertion point."""
        op = new_op(class_, operands, result_types, attributes, location_of(range))
        insert_before(self.point, op)
        return op

    def value(
        self,
        class_: type[Operation],
        operands: Sequence[SSAValue],
        result_type: TorchScriptType,
        range: SourceRange | None = None,
        **attributes: Attribute,
    ) -> SSAValue:
        """The result of a new op with one result."""
        op = new_op(class_, operands, (result_type,), attributes, location_of(range))
        insert_before(self.point, op)
        (result,) = op.results
        return result

    def constant(
        self, value: Any, range: SourceRange | None = None, type_: TorchScriptType | None = None
    ) -> SSAValue:
        """A new constant; `type_` where the value alone does not tell it."""
        if type_ is None:
            type_ = type_of_constant(value)
        if value is None:
            return self.value(prim.ConstantOp, (), type_, range)
        if type_ == DEVICE:
            value = str(value)
        return self.value(prim.ConstantOp, (), type_, range, value=self._attribute(value))

    def _attribute(self, value: Any) -> Attribute:
        if not isinstance(value, Tensor | list):
            return to_attribute(value)
        return self._objects.setdefault(id(value), (value, to_attribute(value)))[1]  # pyright: ignore[reportUnknownArgumentType]

    def list_of(self, element: TorchScriptType, values: Sequence[SSAValue]) -> SSAValue:
        return self.value(prim.ListConstructOp, values, ListType(element))

    def tuple_of(self, values: Sequence[SSAValue], type_: TupleType | None = None) -> SSAValue:
        """A tuple of values; `type_` for a NamedTuple."""
        if type_ is None:
            type_ = TupleType.get(type_of(value) for value in values)
        return self.value(prim.TupleConstructOp, values, type_)

    def unpack_tuple(self, value: SSAValue) -> Sequence[SSAValue]:
        """The elements of a tuple; where it was just made, what it was made of."""
        owner = value.owner
        if isinstance(owner, prim.TupleConstructOp):
            return tuple(owner.operands)
        type_ = type_of(value)
        assert isinstance(type_, TupleType)
        return self.node(prim.TupleUnpackOp, (value,), type_.elements.data).results

    def unpack_list(self, value: SSAValue, size: int, range: SourceRange) -> Sequence[SSAValue]:
        type_ = type_of(value)
        assert isinstance(type_, ListType)
        return self.node(prim.ListUnpackOp, (value,), (type_.element,) * size, range).results

    def dict_of(
        self, type_: DictType, keys: Iterable[SSAValue], values: Iterable[SSAValue]
    ) -> SSAValue:
        pairs = [part for pair in zip(keys, values, strict=True) for part in pair]
        return self.value(prim.DictConstructOp, pairs, type_)

    def unchecked_cast(self, value: SSAValue, type_: TorchScriptType) -> SSAValue:
        return self.value(prim.UncheckedCastOp, (value,), type_)

    def uninitialized(self, type_: TorchScriptType) -> SSAValue:
        return self.value(prim.UninitializedOp, (), type_)

    def load(self, name: str, type_: TorchScriptType) -> SSAValue:
        op = new_op(prim.LoadOp, (), (type_,), {"name": text_attribute(name)}, UNKNOWN_LOCATION)
        insert_before(self.point, op)
        (result,) = op.results
        return result

    def store(self, name: str, value: SSAValue, range: SourceRange | None = None) -> Operation:
        attributes: dict[str, Attribute] = {"name": text_attribute(name)}
        op = new_op(prim.StoreOp, (value,), (), attributes, location_of(range))
        insert_before(self.point, op)
        return op
