"""What a trace has come to: the graph so far, and which value stands for which tensor."""

from __future__ import annotations

import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any, cast

from xdsl.dialects.builtin import LocationAttr
from xdsl.ir import Block, Operation, SSAValue

from torchscript_dialect.dialects.base import TorchScriptOp
from torchscript_dialect.dialects.operators import class_for, operator_class
from torchscript_dialect.dialects.prim import (
    ConstantOp,
    DictConstructOp,
    ListConstructOp,
    ListUnpackOp,
    TupleConstructOp,
    TupleUnpackOp,
    type_of,
)
from torchscript_dialect.dialects.python_constants import type_of_constant
from torchscript_dialect.frontend.unit.compilation_unit import CompilationUnit
from torchscript_dialect.ir.locations import UNKNOWN_LOCATION, at, place, scoped
from torchscript_dialect.runtime.values.type_tests import tensor_type
from torchscript_dialect.tensor.device import device
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.containers import DictType, ListType, TupleType
from torchscript_dialect.types.core import DEVICE, FLOAT, INT, NONE, NUMBER, TorchScriptType
from torchscript_dialect.types.subtyping import unify_all, unshaped
from torchscript_dialect.types.tensor_type import TENSOR, TensorType

_PACKAGE = Path(__file__).parent.parent
_INSIDE = (
    *(f"{_PACKAGE / layer}/" for layer in ("ops", "tensor", "tracer", "api")),
    str(_PACKAGE / "torch/functions.py"),
)
"""Files whose frames are no part of the program that is traced."""


class TracingState:
    """One trace. Nodes are appended to `block`; `scopes` are the modules that are being called."""

    def __init__(self, unit: CompilationUnit, block: Block) -> None:
        self.unit = unit
        self.block = block
        self.scopes: list[str] = []
        self._values: dict[int, SSAValue] = {}
        self._tensors: list[Tensor] = []
        """Those that `_values` has by their ids, which would not be theirs alone if they were gone."""
        self._gradients: set[int] = set()
        self._of_forks: set[int] = set()
        """Tensors that a forked call computed, by their ids: values of its region, which nothing outside of it sees."""

    # Where the program is.

    def frame(self) -> FrameType | None:
        """The frame of the program that called what is recorded now."""
        frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
        while frame is not None and frame.f_code.co_filename.startswith(_INSIDE):
            frame = frame.f_back
        return frame

    def location(self) -> LocationAttr:
        """The line that the program is at, in the scope of the module that it is in."""
        frame = self.frame()
        if frame is None:
            return UNKNOWN_LOCATION
        return self.in_scope(place(frame.f_code.co_filename, frame.f_lineno, 0))

    def in_scope(self, location: LocationAttr) -> LocationAttr:
        return scoped(location, "/".join(self.scopes)) if self.scopes else location

    # Nodes.

    def insert(self, op: Operation) -> Operation:
        """Append a node."""
        self.block.add_op(op)
        return op

    def node(
        self, name: str, operands: Sequence[SSAValue], types: Sequence[TorchScriptType]
    ) -> Operation:
        """Append a node of the operator of that qualified name."""
        class_ = operator_class(name)
        return self.insert(
            class_.create(operands=operands, result_types=types, location=self.location())
        )

    def constant(self, value: Any, type_: TorchScriptType | None = None) -> SSAValue:
        """Append a constant."""
        if isinstance(value, device):
            value, type_ = str(value), DEVICE
        op = ConstantOp.of(value, type_of_constant(value) if type_ is None else type_)
        op.location = self.in_scope(UNKNOWN_LOCATION) if value is None else self.location()
        return self.insert(op).results[0]

    def list_of(self, items: Sequence[SSAValue], element: TorchScriptType) -> SSAValue:
        """Append the node that makes a list."""
        return self.insert(
            ListConstructOp.create(
                operands=items,
                result_types=[ListType(element)],
                location=self.in_scope(UNKNOWN_LOCATION),
            )
        ).results[0]

    # Tensors and their values.

    def set_value(self, tensor: Tensor, value: SSAValue) -> None:
        """From now on the tensor is this value."""
        self._values[id(tensor)] = value
        self._tensors.append(tensor)
        self._of_forks.discard(id(tensor))

    @contextmanager
    def forked(self, body: Block) -> Generator[None]:
        """Record what runs inside in a block of its own. What it computes has no values after that."""
        outer, self.block = self.block, body
        before = dict(self._values)
        try:
            yield
        finally:
            self.block = outer
            made = {key: value for key, value in self._values.items() if key not in before}
            self._of_forks |= {
                key for key, value in made.items() if not isinstance(value.owner, ConstantOp)
            }
            self._values = before

    def has_value(self, tensor: Tensor) -> bool:
        return id(tensor) in self._values

    def value_of(self, tensor: Tensor) -> SSAValue:
        """The value of a tensor; a constant for one that the trace did not make.

        Raises:
            RuntimeError: a forked call computed the tensor, and did not return it; a constant would require a gradient.
        """
        value = self._values.get(id(tensor))
        if value is None:
            if id(tensor) in self._of_forks:
                raise RuntimeError(
                    "a tensor that a forked call computed is used outside of it before torch.jit.wait has"
                    " returned it: a trace knows of a forked call what it returns"
                )
            if tensor.requires_grad:
                raise RuntimeError(
                    "Cannot insert a Tensor that requires grad as a constant. Consider making it a"
                    f" parameter or input, or detaching the gradient\nTensor:\n{tensor}"
                )
            value = self.constant(tensor, self.type_of(tensor))
            self.set_value(tensor, value)
        elif value.name_hint is None:
            self._name(value, tensor)
        return value

    def _name(self, value: SSAValue, tensor: Tensor) -> None:
        """Call a value what the program calls its tensor."""
        frame = self.frame()
        for name, local in () if frame is None else frame.f_locals.items():
            if local is tensor and name != "self" and name.isidentifier():
                value.name_hint = name
                return

    def value_of_any(self, value: Any) -> SSAValue:
        """The value of a tensor, or of a container of tensors, which is put together; a constant for anything else.

        Raises:
            RuntimeError: there are no constants of such values.
        """
        match value:
            case Tensor():
                return self.value_of(value)
            case tuple():
                items = [self.value_of_any(item) for item in cast("tuple[Any, ...]", value)]
                return self.tuple_of(items)
            case list() if any(isinstance(item, Tensor) for item in cast("list[Any]", value)):
                return self.list_of(
                    [self.value_of_any(item) for item in cast("list[Any]", value)], TENSOR
                )
            case dict():
                return self.dict_of(cast("dict[Any, Any]", value))
            case _:
                pass
        try:
            return self.constant(value)
        except TypeError as error:
            raise RuntimeError(f"a trace has no value for {value!r}: {error}") from None

    def tuple_of(self, items: Sequence[SSAValue]) -> SSAValue:
        type_ = TupleType.get([type_of(item) for item in items])
        return self.insert(
            TupleConstructOp.create(
                operands=items, result_types=[type_], location=self.in_scope(UNKNOWN_LOCATION)
            )
        ).results[0]

    def unpack_list(self, value: SSAValue, count: int) -> Sequence[SSAValue]:
        type_ = type_of(value)
        assert isinstance(type_, ListType)
        op = ListUnpackOp.create(
            operands=[value],
            result_types=[type_.element] * count,
            location=self.in_scope(UNKNOWN_LOCATION),
        )
        return self.insert(op).results

    def unpack_tuple(self, value: SSAValue, types: Sequence[TorchScriptType]) -> Sequence[SSAValue]:
        op = TupleUnpackOp.create(
            operands=[value], result_types=types, location=self.in_scope(UNKNOWN_LOCATION)
        )
        return self.insert(op).results

    def item(self, entries: SSAValue, key: Any) -> SSAValue:
        """Append the node that reads an item of a dict."""
        type_ = type_of(entries)
        assert isinstance(type_, DictType)
        operands = [entries, self.constant(key)]
        class_ = class_for("aten::__getitem__", [type_of(operand) for operand in operands])
        op = class_.create(operands=operands, result_types=[type_.value], location=self.location())
        return self.insert(op).results[0]

    def describe(self, value: SSAValue) -> str:
        """The node that gives a value, and where the program called it, for messages."""
        op = value.owner
        if not isinstance(op, Operation):
            return "the caller"
        kind = op.KIND if isinstance(op, TorchScriptOp) else op.name
        return f"{kind}{at(op)}"

    def dict_of(self, entries: Mapping[Any, Any]) -> SSAValue:
        operands: list[SSAValue] = []
        for key, item in entries.items():
            operands += [self.constant(key), self.value_of_any(item)]
        key_type = unify_all([type_of(key) for key in operands[::2]]) or NONE
        item_type = unify_all([unshaped(type_of(item)) for item in operands[1::2]]) or TENSOR
        return self.insert(
            DictConstructOp.create(
                operands=operands,
                result_types=[DictType(key_type, item_type)],
                location=self.in_scope(UNKNOWN_LOCATION),
            )
        ).results[0]

    # Types and gradients.

    def type_of(self, tensor: Tensor) -> TensorType:
        """All that is known of a tensor."""
        return tensor_type(tensor).replace(requires_grad=self.requires_grad(tensor))

    def requires_grad(self, tensor: Tensor) -> bool:
        return id(tensor) in self._gradients

    def require_grad(self, tensor: Tensor) -> None:
        """Note that gradients with respect to the tensor are asked for."""
        self._gradients.add(id(tensor))
        self._tensors.append(tensor)

    def forget_gradient(self, tensor: Tensor) -> None:
        """Note that no gradients with respect to the tensor are asked for any more."""
        self._gradients.discard(id(tensor))

    # Numbers that are tensors.

    def number(self, tensor: Tensor, type_: TorchScriptType) -> SSAValue:
        """The number that a tensor of one element holds, by a node right behind the one that made the tensor."""
        ten = self.value_of(tensor)
        operator = _CONVERSIONS[type_]
        op = operator_class(operator).create(
            operands=[ten], result_types=[type_], location=self.in_scope(UNKNOWN_LOCATION)
        )
        maker = ten.owner
        if isinstance(maker, Operation) and maker.parent is not None:
            maker.parent.insert_op_after(op, maker)
        else:
            self._insert_first(op, ten)
        return op.results[0]

    def _insert_first(self, op: Operation, argument: SSAValue) -> None:
        block = argument.owner
        assert isinstance(block, Block)
        if block.first_op is None:
            block.add_op(op)
        else:
            block.insert_op_before(op, block.first_op)


_CONVERSIONS: dict[TorchScriptType, str] = {
    INT: "aten::Int.Tensor",
    FLOAT: "aten::Float.Tensor",
    NUMBER: "aten::ScalarImplicit",
}
"""The operators that make a number of a tensor, by the type of the number."""
