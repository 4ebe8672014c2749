"""What a method reads of its module, taken out of the graph: tensors become arguments, submodules and numbers what they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from xdsl.dialects.func import FuncOp
from xdsl.ir import Operation, SSAValue

from torchscript_dialect.backend import NotCompilable
from torchscript_dialect.dialects import prim
from torchscript_dialect.dialects.places import source_place
from torchscript_dialect.ir.edit import (
    add_argument,
    erase,
    erase_arguments,
    insert_constant,
    replace_uses,
    set_name,
    type_of,
    update_function_type,
)
from torchscript_dialect.runtime.values.objects import ScriptObject
from torchscript_dialect.tensor.tensor import Tensor
from torchscript_dialect.types.tensor_type import TENSOR


def lift_attributes(
    function: FuncOp, module: ScriptObject, named: Mapping[str, Tensor]
) -> list[Tensor]:
    """Make an inlined method a function that takes no module.

    Each of the `named` tensors becomes an argument, in order, and any other tensor that is read one more; these tensors, in the order
    of the arguments.

    Raises:
        NotCompilable: the method does more with the module than to read attributes that can be constants.
    """
    block = function.body.block
    own = block.args[0]
    tensors: dict[int, tuple[Tensor, SSAValue]] = {}

    def argument_of(tensor: Tensor, name: str) -> SSAValue:
        if id(tensor) not in tensors:
            argument = add_argument(block, TENSOR)
            set_name(argument, name)
            tensors[id(tensor)] = tensor, argument
        return tensors[id(tensor)][1]

    for name, tensor in named.items():
        argument_of(tensor, name.replace(".", "_"))
    objects: dict[SSAValue, ScriptObject] = {own: module}
    reads = [op for op in function.body.walk() if isinstance(op, prim.GetAttrOp)]
    for op in reads:
        (read,) = op.results
        if op.object not in objects:
            continue
        value: Any = objects[op.object].__torchscript_fields__[op.attribute_name]
        if isinstance(value, ScriptObject):
            objects[read] = value
        elif isinstance(value, Tensor):
            replace_uses(read, argument_of(value, op.attribute_name))
        else:
            replace_uses(read, _constant(op, value))
    for op in reversed(reads):
        if not op.results[0].first_use:
            erase(op)
    if own.first_use is not None:
        user = own.first_use.operation
        kind = getattr(user, "KIND", user.name)
        raise NotCompilable(f"{kind} needs the module itself", _with_place(user))
    erase_arguments(block, [0])
    update_function_type(function)
    return [tensor for tensor, _ in tensors.values()]


def _with_place(op: Operation) -> Operation:
    """The op, or where its place in the source is not known one that makes what it takes."""
    makers = (value.owner for value in op.operands if isinstance(value.owner, Operation))
    return next((one for one in (op, *makers) if source_place(one.location) is not None), op)


def _constant(op: prim.GetAttrOp, value: Any) -> SSAValue:
    try:
        return insert_constant(op, value, type_of(op.results[0]))
    except TypeError as error:
        raise NotCompilable(
            f"the attribute {op.attribute_name} is no constant: {error}", op
        ) from None
