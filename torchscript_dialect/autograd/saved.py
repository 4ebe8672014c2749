"""Tensors that a node keeps until it runs (PyTorch: torch/csrc/autograd/saved_variable.h)."""

from __future__ import annotations

from typing import Any

import numpy as np

from torchscript_dialect.autograd.history import (
    gradient_edge,
    is_leaf,
    known,
    set_history,
)
from torchscript_dialect.autograd.nodes import Edge, Node
from torchscript_dialect.tensor import grad_mode
from torchscript_dialect.tensor.device_array import DeviceArray
from torchscript_dialect.tensor.storage import restride
from torchscript_dialect.tensor.tensor import Tensor, tensor_of
from torchscript_dialect.tensor.tracked import TrackedTensor
from torchscript_dialect.tensor.versions import version_of


class SavedTensor:
    """An operand or result of an operator. A leaf is kept itself; of others the array and where their gradients go, so that a node
    does not hold the tensor that holds the node.
    """

    __slots__ = ("array", "edge", "expected", "leaf", "output_nr", "version")

    def __init__(self, tensor: Tensor, output_nr: int | None = None) -> None:
        """`output_nr` is for a result of the node that saves it."""
        self.array = array = tensor.array
        own = known(tensor)
        version = version_of(array) if own is None else own.version_of(array)
        self.version = version
        self.expected = version.count
        self.output_nr = output_nr
        self.leaf: Tensor | None = None
        self.edge: Edge | None = None
        if output_nr is None and own is not None and tensor.__class__ is TrackedTensor:
            if (own.view is None and own.grad_fn is None) or is_leaf(tensor):
                self.leaf = tensor
            else:
                self.edge = gradient_edge(tensor)

    def plain(self, node: Node) -> Tensor:
        """The tensor without its history.

        Raises:
            RuntimeError: its memory was written to since.
        """
        if self.version.count != self.expected:
            raise RuntimeError(self._modified(node))
        return tensor_of(self.array)

    def unpack(self, node: Node) -> Tensor:
        """The tensor, with its history where gradients are recorded.

        Raises:
            RuntimeError: its memory was written to since.
        """
        tensor = self.plain(node)
        if not grad_mode.is_grad_enabled():
            return tensor
        if self.leaf is not None:
            return self.leaf
        if self.output_nr is not None:
            set_history(tensor, node, self.output_nr)
        elif self.edge is not None:
            set_history(tensor, *self.edge)
        return tensor

    def _modified(self, node: Node) -> str:
        tensor = tensor_of(self.array)
        which = (
            ""
            if self.output_nr is None
            else f", which is output {self.output_nr} of {node.kind.removesuffix('0').removesuffix('Backward')},"
        )
        shown = f"torch.{tensor.dtype.type_name}Tensor {list(self.array.shape)}"
        return (
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{shown}]{which} is at version {self.version.count}; expected version {self.expected} instead. "
            f"It was saved for {node.kind}."
        )


class SavedFacts:
    """Sizes and dtype of a tensor, for formulas that ask for no more."""

    __slots__ = ("dtype", "memory", "shape")

    def __init__(self, tensor: Tensor) -> None:
        array = tensor.array
        self.shape = array.shape
        self.dtype = array.dtype
        self.memory = array.memory if isinstance(array, DeviceArray) else None

    def unpack(self) -> Tensor:
        """A tensor of that size on the memory of one element."""
        one = (
            np.zeros(1, self.dtype) if self.memory is None else self.memory.empty((1,), self.dtype)
        )
        return tensor_of(restride(one, self.shape, (0,) * len(self.shape)))


def save(value: Any, *, is_read: bool = True) -> Any:
    """What keeps an operand: tensors, also in lists, as saved ones."""
    if isinstance(value, Tensor):
        return SavedTensor(value) if is_read else SavedFacts(value)
    if isinstance(value, list):
        return [save(item, is_read=is_read) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value


def unpack(value: Any, node: Node) -> Any:
    """The operand again."""
    if isinstance(value, SavedTensor):
        return value.unpack(node)
    if isinstance(value, SavedFacts):
        return value.unpack()
    if isinstance(value, list):
        return [unpack(item, node) for item in value]  # pyright: ignore[reportUnknownVariableType]
    return value
