"""Arguments that are tensors of PyTorch's and nothing special: native calls take what stands on their memory.

Note [Plain tensors of PyTorch's]
A call with tensors of PyTorch's takes the slow path, which notes what was lent to it, for gradients, writes, and because one object
outside is one tensor inside. None of that matters where no gradient goes to the tensors, the function writes to none of its arguments,
and no tensor comes twice. Then each becomes a tensor on its memory, and the call begins anew with these: a kernel serves it as it
serves any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from torchscript_dialect.tensor import pytorch_state
from torchscript_dialect.tensor.conversion import array_of_pytorch
from torchscript_dialect.tensor.tensor import borrowed, tensor_of
from torchscript_dialect.types.function_schema import FunctionSchema
from torchscript_dialect.types.tensor_type import TensorType

_AS_THEY_ARE = frozenset((int, float, bool, str, type(None)))
"""Classes of other arguments that say nothing of tensors."""


def tensor_places(schema: FunctionSchema) -> Sequence[bool]:
    """For each argument, whether it is a tensor."""
    return [isinstance(argument.type, TensorType) for argument in schema.arguments]


def plain_arguments(args: Sequence[Any], tensors: Sequence[bool]) -> Sequence[Any] | None:
    """The arguments with tensors of ours in the place of PyTorch's; None where there are none, or some are special: Note [Plain tensors
    of PyTorch's]. `tensors` says where there have to be tensors.
    """
    torch = pytorch_state.loaded()
    if torch is None or len(args) != len(tensors) or pytorch_state.is_followed(torch):
        return None  # what PyTorch follows is not even looked at, as that is noted, too
    class_ = torch.Tensor
    given: list[Any] = []
    lenders: set[int] = set()
    for value, is_tensor in zip(args, tensors):
        if value.__class__ is class_:
            array = array_of_pytorch(value) if is_tensor else None
            if array is None or id(value) in lenders:
                return None
            lenders.add(id(value))
            given.append(borrowed(tensor_of(array), value))
        elif value.__class__ in _AS_THEY_ARE:
            given.append(value)
        else:
            return None
    return given if lenders else None
