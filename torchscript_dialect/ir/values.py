"""Values of a graph: their names, types and constants (PyTorch: torch/csrc/jit/ir/ir.h)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from xdsl.dialects.builtin import StringAttr
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, BlockArgument, Operation, OpResult, SSAValue

from torchscript_dialect.dialects.prim import ConstantOp, type_of
from torchscript_dialect.ir import changes, edit
from torchscript_dialect.ir.function_values import FunctionTypeView
from torchscript_dialect.types.core import TorchScriptType
from torchscript_dialect.types.named import FunctionType
from torchscript_dialect.types.tensor_type import TensorType

# pyright: reportPrivateUsage=false


class TypedValue:
    """What a value of a graph is without the nodes around it. Two views of one value are equal."""

    __slots__ = ("_ssa",)

    def __init__(self, ssa: SSAValue) -> None:
        self._ssa = ssa

    @property
    def ssa(self) -> SSAValue:
        """xDSL's value; see Note [Edited functions]."""
        changes.handed_out(self._ssa)
        return self._ssa

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TypedValue) and other._ssa is self._ssa

    def __hash__(self) -> int:
        return hash(self._ssa)

    def setDebugName(self, name: str) -> Self:
        """Name the value; a name that is taken already gets a number when the graph is printed.

        Raises:
            ValueError: the name consists of digits, which stand for values without a name, or holds what no name may.
        """
        if name.isdigit():
            raise ValueError(f"'{name}' cannot be the name of a value: it is a number")
        self._ssa.extract_valid_name(name)
        edit.set_name(self._ssa, name)
        return self

    def hasDebugName(self) -> bool:
        return self._ssa.name_hint is not None

    def type(self) -> TorchScriptType:
        """The type; of a function a `FunctionTypeView`."""
        type_ = type_of(self._ssa)
        if isinstance(type_, FunctionType):
            name = (
                self._ssa.owner.attributes.get("name")
                if isinstance(self._ssa.owner, Operation)
                else None
            )
            text = name.data if isinstance(name, StringAttr) else type_.qualified_name.data
            return FunctionTypeView(type_, text)  # pyright: ignore[reportReturnType]
        return type_

    def setType(self, type_: TorchScriptType) -> Self:
        if isinstance(type_, FunctionTypeView):
            type_ = type_.type
        edit.set_type(self._ssa, type_)
        update_function_types([self._ssa.owner, *(use.operation for use in self._ssa.uses)])
        changes.edited(self._ssa)
        return self

    def setTypeAs(self, other: TypedValue) -> Self:
        """Give the value the type of another one."""
        return self.setType(other.type())

    def copyMetadata(self, other: TypedValue) -> Self:
        """Give the value the type and the name of another one."""
        if other._ssa.name_hint:
            edit.set_name(self._ssa, other._ssa.name_hint)
        return self.setTypeAs(other)

    def inferTypeFrom(self, tensor: Any) -> None:
        """Give the value the complete type of a tensor."""
        self.setType(
            TensorType.of(
                tensor.dtype.type_name,
                tuple(tensor.shape),
                tuple(tensor.stride()),
                str(tensor.device),
                False,
            )
        )

    def offset(self) -> int:
        """Which of its node's outputs the value is."""
        assert isinstance(self._ssa, (OpResult, BlockArgument))
        return self._ssa.index

    def unique(self) -> int:
        """A number that no other value of the process has while this one lives."""
        return id(self._ssa)

    def hasUses(self) -> bool:
        return bool(self._ssa.uses)

    def replaceAllUsesWith(self, other: TypedValue) -> None:
        users = [use.operation for use in self._ssa.uses]
        self._ssa.replace_all_uses_with(other._ssa)
        update_function_types(users)
        changes.edited(other._ssa)

    def toIValue(self) -> Any:
        """The value of a constant; None where the value is not constant (or is None)."""
        op = self._ssa.owner
        if isinstance(op, ConstantOp) and op.function_name is None:
            return op.value
        return None

    def isCompleteTensor(self) -> bool:
        type_ = self.type()
        if not isinstance(type_, TensorType):
            return False
        known = (type_.dtype, type_.sizes, type_.strides, type_.device)
        return None not in known and None not in (type_.sizes or ())

    def requires_grad(self) -> bool:
        type_ = self.type()
        return isinstance(type_, TensorType) and bool(type_.requires_grad)

    def requiresGrad(self) -> bool:
        return self.requires_grad()


def update_function_types(changed: Iterable[Operation | Block]) -> None:
    """Make the types of functions follow their blocks, where the block of a function or its return has changed."""
    for place in changed:
        block = place if isinstance(place, Block) else place.parent
        function = None if block is None else block.parent_op()
        is_end = isinstance(place, (Block, ReturnOp))
        if is_end and block is not None and isinstance(function, FuncOp):
            edit.update_function_type(function)
